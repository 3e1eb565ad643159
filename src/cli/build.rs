//! `portalgen build`, and what `check` has in common with it.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::Disk,
    text::{Text, text},
    timing::Clock,
};
use portalgen_build::{
    check::Judgement,
    pipeline::{self, Build, BuildOptions, Session},
};
use portalgen_bundle::Mode;
use portalgen_portal::{Overrides, history::History};
use portalgen_release::{
    earlier_build::Previous,
    ledger,
    publish::{self, Guard, PublishError, Published},
};

use super::{
    args::{BuildArguments, PagesArguments, PortalArguments, SourceMapForm},
    console::Console,
    failure::{Blame, Failure, deny, nothing_published},
    history,
    install::{self, Missing},
    measuring::Measuring,
    project::{portal_root, public_variables, with_jobs},
    replay::{Replay, Told},
    session,
    shown::visible,
    summary::{self, Made},
    terminal::say,
    verify,
};

/// Builds, publishes, and says what came out.
pub(super) fn command(arguments: &BuildArguments, console: &Console) -> Result<(), Failure> {
    let measuring = Measuring::begin(&arguments.measuring);
    let outcome = build_and_publish(arguments, console, &measuring);
    outcome.and(measuring.write_trace())
}

fn build_and_publish(arguments: &BuildArguments, console: &Console, measuring: &Measuring<'_>) -> Result<(), Failure> {
    let root = portal_root(&arguments.portal.root)?;
    let change = |options: BuildOptions| BuildOptions {
        minify: !arguments.no_minify,
        compress: true,
        source_maps: arguments.sourcemap.and_then(SourceMapForm::wanted),
        previous: Some(root.join(arguments.previous.as_ref().unwrap_or(&arguments.out))),
        history: history::read,
        clock: measuring.clock.clone(),
        overrides: Overrides { is_tolerant: arguments.tolerant, ..options.overrides },
        ..options
    };
    check_previous(arguments.previous.as_deref(), &root)?;
    let missing = if arguments.pages.offline { Missing::Refuse } else { Missing::Install };
    let (session, options) = prepare(&arguments.portal, &arguments.pages, missing, console, change)?;
    let (out, sources) = (root.join(&arguments.out), sources(&root));
    let place = (out.as_path(), Guard { root: &root, sources: &sources });
    let replay = Replay::new(&session, &options, ("build", &console.wants_json()), Some(place));
    let is_shown = console.wants_json() || console.is_terminal;
    let attempt = || if arguments.verify { Err(None) } else { replay.attempt(is_shown) };
    let done = match options.clock.time("compare with the last build", attempt) {
        Ok(told) => replayed(told, arguments, &root)?,
        Err(earlier) => built(&replay, &options, arguments, (place, earlier), console)?,
    };
    print(&done, arguments, measuring, console);
    Ok(())
}

/// What is to be told when all is done.
struct Done {
    warnings: Vec<Diagnostic>,
    report: publish::Report,
    /// None where it is not shown.
    made: Option<Made>,
}

/// Does what is left to do for a build that was made and published before.
fn replayed(told: Told, arguments: &BuildArguments, root: &Path) -> Result<Done, Failure> {
    let Told { mut warnings, types, made } = told;
    warnings.extend(write_types(&root.join(pipeline::SITE), &types));
    deny(arguments.pages.deny, &warnings, nothing_published())?;
    Ok(Done { warnings, report: publish::Report::default(), made })
}

/// Builds and publishes.
fn built(
    replay: &Replay<'_>,
    options: &BuildOptions,
    arguments: &BuildArguments,
    (place, earlier): ((&Path, Guard<'_>), Option<Published>),
    console: &Console,
) -> Result<Done, Failure> {
    let (session, recording) = replay.record();
    let build = make(&session, options, &arguments.pages, console)?;
    let mut warnings = build.warnings.clone();
    warnings.extend(write_types(&options.root.join(pipeline::SITE), &build.css_module_types));
    deny(arguments.pages.deny, &warnings, nothing_published())?;
    if arguments.locked && build.ledger.is_some() {
        return Err(Failure::of_site(vec![ledger_is_behind()]));
    }
    if arguments.verify {
        options.clock.time("verify", || verify::verify(&build, options, arguments.pages.jobs))?;
    }
    let (report, published) = options.clock.time("publish", || publish(&build, place, earlier.as_ref()))?;
    let made = Made::of(&build, console.wants_json());
    let after = [write_ledger(&build, &options.root), session::save(&session, &options.root)];
    // The ledger is among what the next build reads.
    if build.ledger.is_none() && after.iter().all(Option::is_none) {
        replay.keep(&recording, &build, Some((published, &made)));
    }
    warnings.extend(after.into_iter().flatten());
    deny(arguments.pages.deny, &warnings, published_with_warnings())?;
    Ok(Done { warnings, report, made: Some(made) })
}

fn print(done: &Done, arguments: &BuildArguments, measuring: &Measuring<'_>, console: &Console) {
    let Done { warnings, report, made } = done;
    let total = measuring.elapsed();
    if let (true, Some(made)) = (console.wants_json(), made) {
        let mut result = summary::json(made, warnings, report, console);
        measuring.add_to(&mut result);
        return console.result(&result);
    }
    console.diagnostics(warnings);
    if let (true, Some(made)) = (console.is_terminal, made) {
        say(&summary::human(made, report, &arguments.out, total, console));
    }
    if let Some(table) = measuring.human() {
        say(&table);
    }
}

/// Refuses an earlier build that was asked for and is not there: what it should keep would be lost for good.
fn check_previous(asked: Option<&Path>, root: &Path) -> Result<(), Failure> {
    let Some(folder) = asked.filter(|folder| Previous::open(&Disk::of_project(root), &root.join(folder)).is_none())
    else {
        return Ok(());
    };
    let shown = visible(&folder.display().to_string());
    let error = Diagnostic::error(text!("there is no previous build in `{shown}`", "`{shown}` 里没有之前构建的结果"));
    Err(Failure::other(error.with_hint(text!(
        "--previous takes an output folder that contains a folder `.portalgen`",
        "--previous 要指定输出文件夹，里面应有 `.portalgen` 文件夹"
    ))))
}

/// Adds to the ledger what has been published. Where it cannot be written, the next build elsewhere adds it.
fn write_ledger(build: &Build, root: &Path) -> Option<Diagnostic> {
    let error = publish::write_file(&root.join(ledger::FILE), build.ledger.as_ref()?.as_bytes()).err()?.message;
    Some(Diagnostic::warning(text!(
        "new addresses could not be recorded: {error}",
        "新网址没有写入清单：{error}",
        error
    )))
}

fn ledger_is_behind() -> Diagnostic {
    let file = ledger::FILE;
    Diagnostic::error(text!("`{file}` does not list all addresses of the portal", "`{file}` 里缺少门户的一些网址"))
        .with_hint(text!(
            "run `portalgen build` without --locked, and commit the file",
            "请运行不带 --locked 的 `portalgen build`，并提交这个文件"
        ))
}

/// Builds in memory for a command that only looks, with the options that `change` makes of the usual ones. The session goes
/// with the build.
///
/// # Errors
/// The packages are missing, or the portal has mistakes.
pub(super) fn look(
    portal: &PortalArguments,
    pages: &PagesArguments,
    console: &Console,
    change: impl FnOnce(BuildOptions) -> BuildOptions,
) -> Result<(Build, Session), Failure> {
    let (session, options) = prepare(portal, pages, Missing::OnlyLook, console, change)?;
    let mut build = make(&session, &options, pages, console)?;
    build.warnings.extend(write_types(&options.root.join(pipeline::SITE), &build.css_module_types));
    Ok((build, session))
}

/// Makes sure of what a build needs, and gives it the options that `change` makes of the usual ones.
///
/// # Errors
/// The packages are missing, or there is something wrong with the environment.
pub(super) fn prepare(
    portal: &PortalArguments,
    pages: &PagesArguments,
    missing: Missing,
    console: &Console,
    change: impl FnOnce(BuildOptions) -> BuildOptions,
) -> Result<(Session, BuildOptions), Failure> {
    let root = portal_root(&portal.root)?;
    let site = root.join(pipeline::SITE);
    console
        .while_waiting(&Arc::default(), || {
            install::ensure_packages(&site, missing, &|text| say(&format!("{}\n", console.words(text))))
        })
        .map_err(Failure::other)?;
    let session = session::open(&root);
    Ok((session, change(usual_options(root, portal, pages.mode.into())?)))
}

/// What most commands build with.
///
/// # Errors
/// There is something wrong with the environment.
pub(super) fn usual_options(root: PathBuf, portal: &PortalArguments, mode: Mode) -> Result<BuildOptions, Failure> {
    Ok(BuildOptions {
        root,
        overrides: portal.overrides(),
        mode,
        minify: true,
        compress: false,
        source_maps: None,
        env: public_variables()?,
        previous: None,
        judgement: Judgement::Errors,
        history: |_, _| History::default(),
        today: None,
        clock: Clock::default(),
    })
}

/// Builds in memory.
///
/// # Errors
/// The portal has mistakes.
pub(super) fn make(
    session: &Session,
    options: &BuildOptions,
    pages: &PagesArguments,
    console: &Console,
) -> Result<Build, Failure> {
    let work = || with_jobs(pages.jobs, || pipeline::build(session, options));
    console.while_waiting(options.clock.running(), work)?.map_err(Failure::of_site)
}

/// Writes the types of CSS modules for those who use TypeScript. A site that may not be written to can be built all the
/// same.
pub(super) fn write_types(site: &Path, types: &BTreeMap<String, String>) -> Vec<Diagnostic> {
    let is_typed = site.join("tsconfig.json").is_file();
    let types = if is_typed { types } else { &BTreeMap::new() };
    match publish::write_types(site, types, &portalgen_bundle::is_declarations) {
        Ok(left) => left.iter().map(|path| not_ours(path)).collect(),
        Err(error) => {
            let reason = error.message;
            let warning = Diagnostic::warning(text!(
                "the types of CSS modules are not up to date: {reason}",
                "CSS 模块的类型声明没有更新：{reason}",
                reason
            ));
            vec![Diagnostic { hints: error.hints, ..warning }]
        }
    }
}

/// Says that a file in the folder of types is somebody else's.
fn not_ours(path: &str) -> Diagnostic {
    let site = pipeline::SITE;
    let path = visible(path);
    Diagnostic::warning(text!(
        "`{site}/{path}` was not written by portalgen or was changed afterwards, so it was left unchanged",
        "`{site}/{path}` 不是 portalgen 写的，或者之后被改动过，因此没有动它"
    ))
    .with_hint(text!(
        "move it out of `{site}/.portalgen`, where portalgen keeps its own files, or delete it",
        "`{site}/.portalgen` 是 portalgen 存放自己文件的地方，请把它移走或删除"
    ))
}

/// Folders of a project that are no place to publish to.
fn sources(root: &Path) -> [PathBuf; 4] {
    let site = root.join(pipeline::SITE);
    [site.join("node_modules"), site, root.join(pipeline::TEMPLATES), root.join("node_modules")]
}

fn publish(
    build: &Build,
    (out, guard): (&Path, Guard<'_>),
    earlier: Option<&Published>,
) -> Result<(publish::Report, Published), Failure> {
    publish::publish_over(earlier, &build.output, out, guard).map_err(|error| {
        let (blame, outcome) = match error {
            PublishError::Stopped(_) => (Blame::Other, partly_published()),
            PublishError::Failed(_) => (Blame::Other, nothing_published()),
            PublishError::Refused(_) => (Blame::Site, nothing_published()),
        };
        Failure { blame, diagnostics: error.into_diagnostics(), outcome }
    })
}

/// What came up after publishing cannot keep it from happening, even if it is denied.
fn published_with_warnings() -> Text {
    text!(
        "the portal was published, but the command fails because warnings are denied",
        "门户已经发布，但因为不允许有警告（--deny warnings），命令返回失败"
    )
}

fn partly_published() -> Text {
    text!(
        "publishing stopped halfway; every page that was served before still works",
        "发布中途停止；之前能访问的页面都还能访问"
    )
}
