//! The command line: raw arguments to resolved options to work. The only place that prints, reads the environment,
//! and starts other programs.

mod args;
mod bundle;
mod cache;
mod install;
pub mod report;
mod summary;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
    time::Instant,
};

use self::{
    args::{BuildArguments, Command, SourceMapForm},
    cache::Cache,
};
use crate::{
    build::{self, Build, BuildOptions},
    diagnostic::Diagnostic,
    publish::{self, Guard, PublishError},
    source::{Disk, Sources},
};

/// Whose fault it was that a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blame {
    /// The site's: it can be mended in its sources. Exit code 1.
    Site,
    /// The caller's, the system's or portalgen's own. Exit code 2.
    Other,
}

impl From<Blame> for ExitCode {
    fn from(blame: Blame) -> Self {
        match blame {
            Blame::Site => Self::from(1),
            Blame::Other => Self::from(2),
        }
    }
}

/// Why a command did not succeed.
struct Failure {
    blame: Blame,
    diagnostics: Vec<Diagnostic>,
    /// What became of the output folder.
    outcome: &'static str,
}

/// Folder in that of the site for what portalgen makes for other tools.
const TYPES: &str = ".portalgen";

const NOTHING_PUBLISHED: &str = "nothing was published";
const PARTLY_PUBLISHED: &str = "publishing stopped halfway; every page that was served before still is";

impl Failure {
    fn of_site(diagnostics: Vec<Diagnostic>) -> Self {
        Self { blame: Blame::Site, diagnostics, outcome: NOTHING_PUBLISHED }
    }

    fn other(diagnostic: Diagnostic) -> Self {
        Self { blame: Blame::Other, diagnostics: vec![diagnostic], outcome: NOTHING_PUBLISHED }
    }
}

/// Runs portalgen with the given arguments, the first of which is the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match args::parse(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors, and clap knows where each belongs.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let (console, result) = match arguments.command {
        Command::Build(arguments) => {
            let console = Console::new(arguments.json);
            let result = catch(|| build_command(&arguments, &console));
            (console, result)
        }
        Command::Bundle(arguments) => {
            let console = Console::new(arguments.json);
            let result = catch(|| bundle::command(&arguments, &console));
            (console, result)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            failure.blame.into()
        }
    }
}

/// Turns a panic into a failure that says whose it is.
fn catch(work: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let place = Arc::new(std::sync::Mutex::new(String::new()));
    let noted = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut place) = noted.lock() {
            *place = info.to_string();
        }
    }));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let details = place.lock().map(|place| place.clone()).unwrap_or_default();
        Err(Failure::other(
            Diagnostic::error("portalgen has a fault of its own and stopped")
                .with_hint(format!("please report it with these details: {details}")),
        ))
    })
}

/// Says something to whoever started the command. That they may have left is no reason to fail.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Prints what the command was run for.
fn print_result(value: &serde_json::Value) {
    let _ = writeln!(io::stdout().lock(), "{value:#}");
}

/// How results and messages are shown.
struct Console {
    json: bool,
    color: bool,
    is_terminal: bool,
}

impl Console {
    fn new(json: bool) -> Self {
        let color = anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        Self { json, color, is_terminal: io::stderr().is_terminal() }
    }

    fn diagnostics(&self, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            say(&report::human(diagnostic, self.color));
            say("\n");
        }
    }

    fn failure(&self, failure: &Failure) {
        let Failure { diagnostics, outcome, .. } = failure;
        if self.json {
            return print_result(&serde_json::json!({ "ok": false, "diagnostics": report::json(diagnostics) }));
        }
        self.diagnostics(diagnostics);
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let noun = if errors == 1 { "error" } else { "errors" };
        say(&format!("{errors} {noun}; {outcome}\n"));
    }
}

fn build_command(arguments: &BuildArguments, console: &Console) -> Result<(), Failure> {
    let start = Instant::now();
    let root = project_root(&arguments.root)?;
    install::ensure_packages(&root.join(build::SITE), arguments.offline, &say).map_err(Failure::other)?;
    let sources: Arc<dyn Sources> = Arc::new(Disk);
    let cache = Cache::open(&root.join(build::SITE));
    let options = BuildOptions {
        overrides: arguments.overrides(),
        mode: arguments.mode.into(),
        minify: !arguments.no_minify,
        source_maps: arguments.sourcemap.and_then(SourceMapForm::wanted),
        env: public_variables(),
        minifier_cache: Some(cache.minifier()),
        root: root.clone(),
    };
    let mut build = with_jobs(arguments.jobs, || build::build(&sources, &options))?.map_err(Failure::of_site)?;
    build.warnings.extend(write_types(&root.join(build::SITE), &build.css_module_types));
    drop(options);
    let published = Instant::now();
    let out = root.join(&arguments.out);
    let report = publish(&build, &root, &out)?;
    cache.save();
    let (writing, total) = (published.elapsed(), start.elapsed());
    let timings = summary::Timings { stages: &build.timings, last: "publish", writing, total };
    if console.json {
        print_result(&summary::json(&build, &report, &timings));
    } else {
        console.diagnostics(&build.warnings);
        if console.is_terminal {
            say(&summary::human(&build, &report, &arguments.out, timings.total, console.color));
        }
        if arguments.timings {
            say(&timings.human());
        }
    }
    Ok(())
}

/// The variables of the environment that pages may see.
fn public_variables() -> BTreeMap<String, String> {
    std::env::vars().filter(|(name, _)| name.starts_with("PORTALGEN_PUBLIC_")).collect()
}

fn project_root(given: &Path) -> Result<PathBuf, Failure> {
    let root = std::fs::canonicalize(given)
        .and_then(|root| if root.is_dir() { Ok(root) } else { Err(io::ErrorKind::NotADirectory.into()) });
    root.map_err(|error| {
        let name = given.display().to_string();
        Failure::other(
            Diagnostic::error(format!("cannot open the project folder {}: {error}", report::visible(&name)))
                .with_hint("--root names the folder that holds routes.toml"),
        )
    })
}

/// Runs `work` on as many threads as asked for.
fn with_jobs<T: Send>(jobs: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    // Parsers and minifiers recurse with the nesting of their input, deeper than a thread's usual 2 MB allow.
    const STACK: usize = 64 * 1024 * 1024;
    let mut builder = rayon::ThreadPoolBuilder::new().stack_size(STACK);
    if let Some(jobs) = jobs {
        builder = builder.num_threads(jobs);
    }
    let pool = builder
        .build()
        .map_err(|error| Failure::other(Diagnostic::error(format!("cannot start worker threads: {error}"))))?;
    Ok(pool.install(work))
}

/// Writes the types of CSS modules for those who use TypeScript. A site that may not be written to can be built all the
/// same.
fn write_types(site: &Path, types: &BTreeMap<String, String>) -> Option<Diagnostic> {
    let is_typed = site.join("tsconfig.json").is_file();
    let types = if is_typed { types } else { &BTreeMap::new() };
    let error = publish::write_types(&site.join(TYPES), types).err()?;
    let message = report::visible(&format!("the types of CSS modules are not up to date: {error}"));
    Some(Diagnostic::warning(message))
}

fn publish(build: &Build, root: &Path, out: &Path) -> Result<publish::Report, Failure> {
    let site = root.join(build::SITE);
    let sources = [site.join("node_modules"), site, root.join(build::TEMPLATES), root.join("node_modules")];
    publish::publish(&build.output, out, Guard { root, sources: &sources }).map_err(|error| {
        let (blame, outcome) = match error {
            PublishError::Failed(_) => (Blame::Other, PARTLY_PUBLISHED),
            PublishError::Refused(_) => (Blame::Site, NOTHING_PUBLISHED),
        };
        Failure { blame, diagnostics: error.into_diagnostics(), outcome }
    })
}
