//! The command line: raw arguments to resolved options to work. The only place that prints, reads the environment,
//! and starts other programs.

mod args;
mod build;
mod bundle;
mod cache;
mod check;
mod columns;
mod console;
mod deploy_check;
mod edit;
mod explain;
mod history;
mod init;
mod install;
mod plan;
mod preview;
mod progress;
pub mod report;
mod routes;
mod shell;
mod summary;
mod titles;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use self::{
    args::{Command, Denied, TitlesCommand},
    console::{Console, say},
};
use crate::{
    config::schema,
    diagnostic::{Diagnostic, Severity},
    text::{Text, text},
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
    /// What became of what the command was to change.
    outcome: Text,
}

impl Failure {
    fn of_site(diagnostics: Vec<Diagnostic>) -> Self {
        Self { blame: Blame::Site, diagnostics, outcome: nothing_published() }
    }

    fn other(diagnostic: Diagnostic) -> Self {
        Self { blame: Blame::Other, diagnostics: vec![diagnostic], outcome: nothing_published() }
    }
}

impl Failure {
    /// The same of a command that was not to change anything.
    fn without_outcome(self) -> Self {
        Self { outcome: Text::default(), ..self }
    }
}

fn nothing_published() -> Text {
    text!("nothing was published", "什么都没有发布")
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
    let console = Console::new(&arguments.output, arguments.command.root());
    match catch(|| perform(&arguments.command, &console)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            console.failure(&failure);
            failure.blame.into()
        }
    }
}

fn perform(command: &Command, console: &Console) -> Result<(), Failure> {
    match command {
        Command::Init(arguments) => init::command(arguments, console),
        Command::Build(arguments) => build::command(arguments, console),
        Command::Check(arguments) => check::command(arguments, console),
        Command::Plan(arguments) => plan::command(arguments, console),
        Command::DeployCheck(arguments) => deploy_check::command(arguments, console),
        Command::Explain(arguments) => explain::command(arguments, console),
        Command::Preview(arguments) => preview::command(arguments, console),
        Command::Routes(arguments) => routes::command(arguments, console),
        Command::Title(arguments) => edit::title(arguments, console),
        Command::Redirect(arguments) => edit::redirect(arguments, console),
        Command::Titles { direction: TitlesCommand::Export(arguments) } => titles::export(arguments, console),
        Command::Titles { direction: TitlesCommand::Import(arguments) } => titles::import(arguments, console),
        Command::Schema(arguments) => {
            console.result(&schema(arguments.draft.into(), console.look.language));
            Ok(())
        }
        Command::Completions { shell } => {
            shell::completions(*shell);
            Ok(())
        }
        Command::Man { out } => shell::manual(out.as_deref()),
        Command::Bundle(arguments) => bundle::command(arguments, console),
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
            Diagnostic::error(text!("portalgen has a fault of its own and stopped", "portalgen 自身出了故障，已停止"))
                .with_hint(text!(
                    "please report it with these details: {details}",
                    "请报告这个故障，并附上这些细节：{details}"
                )),
        ))
    })
}

/// The variables of the environment that pages may see.
fn public_variables() -> BTreeMap<String, String> {
    std::env::vars().filter(|(name, _)| name.starts_with("PORTALGEN_PUBLIC_")).collect()
}

fn project_root(given: &Path) -> Result<PathBuf, Failure> {
    let root = std::fs::canonicalize(given)
        .and_then(|root| if root.is_dir() { Ok(root) } else { Err(io::ErrorKind::NotADirectory.into()) });
    root.map_err(|error| {
        let name = report::visible(&given.display().to_string());
        Failure::other(
            Diagnostic::error(text!(
                "cannot open the project folder {name}: {error}",
                "打不开项目文件夹 {name}：{error}"
            ))
            .with_hint(text!("--root names the folder that holds routes.toml", "--root 指定 routes.toml 所在的文件夹")),
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
    let pool = builder.build().map_err(|error| {
        Failure::other(Diagnostic::error(text!("cannot start worker threads: {error}", "无法启动工作线程：{error}")))
    })?;
    Ok(pool.install(work))
}

/// Refuses a portal of which something is told, where that was asked for.
fn deny(denied: Option<Denied>, diagnostics: &[Diagnostic], outcome: Text) -> Result<(), Failure> {
    match denied {
        Some(Denied::Warnings) if diagnostics.iter().any(|found| found.severity != Severity::Note) => {
            Err(Failure { blame: Blame::Site, diagnostics: diagnostics.to_vec(), outcome })
        }
        _ => Ok(()),
    }
}

/// `2 errors, 1 warning`
fn count(diagnostics: &[Diagnostic]) -> Text {
    let of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let (error, warning) = (plural(errors), plural(warnings));
    match (errors, warnings) {
        (_, 0) => text!("{errors} error{error}", "{errors} 处错误"),
        (0, _) => text!("{warnings} warning{warning}", "{warnings} 处警告"),
        _ => text!("{errors} error{error}, {warnings} warning{warning}", "{errors} 处错误，{warnings} 处警告"),
    }
}
