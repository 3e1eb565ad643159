//! `portalgen build`, and what `check` has in common with it.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Instant};

use super::{
    Blame, Console, Failure,
    args::{BuildArguments, PagesArguments, PortalArguments, SourceMapForm},
    cache::Cache,
    deny, history, install, nothing_published, project_root, public_variables, report, say, summary, with_jobs,
};
use crate::{
    build::{self, Build, BuildOptions},
    check::Judgement,
    diagnostic::Diagnostic,
    history::History,
    ledger,
    previous::Previous,
    publish::{self, Guard, PublishError},
    source::{Disk, Sources},
    text::{Text, text},
};

/// Folder in that of the site for what portalgen makes for other tools.
const TYPES: &str = ".portalgen";

/// Builds, publishes, and says what came out.
pub(super) fn command(arguments: &BuildArguments, console: &Console) -> Result<(), Failure> {
    let start = Instant::now();
    let root = project_root(&arguments.portal.root)?;
    let change = |options: BuildOptions, cache: &Cache| BuildOptions {
        minify: !arguments.no_minify,
        source_maps: arguments.sourcemap.and_then(SourceMapForm::wanted),
        compressed: Some(Arc::clone(&cache.compressed)),
        previous: Some(root.join(arguments.previous.as_ref().unwrap_or(&arguments.out))),
        history: history::read,
        ..options
    };
    check_previous(arguments.previous.as_deref(), &root)?;
    let (build, cache) = run(&arguments.portal, &arguments.pages, console, change)?;
    deny(arguments.pages.deny, &build.warnings, nothing_published())?;
    if arguments.locked && build.ledger.is_some() {
        return Err(Failure::of_site(vec![ledger_is_behind()]));
    }
    let published = Instant::now();
    let report = publish(&build, &root, &root.join(&arguments.out))?;
    let mut build = build;
    build.warnings.extend(write_ledger(&build, &root));
    cache.save();
    let (writing, total) = (published.elapsed(), start.elapsed());
    let timings = summary::Timings { stages: &build.timings, last: "publish", writing, total };
    if console.wants_json() {
        console.result(&summary::json(&build, &report, &timings, console));
        return Ok(());
    }
    console.diagnostics(&build.warnings);
    if console.is_terminal {
        say(&summary::human(&build, &report, &arguments.out, timings.total, console));
    }
    if arguments.timings {
        say(&timings.human());
    }
    Ok(())
}

/// Refuses an earlier build that was asked for and is not there: what it should keep would be lost for good.
fn check_previous(asked: Option<&Path>, root: &Path) -> Result<(), Failure> {
    let Some(folder) = asked.filter(|folder| Previous::open(&Disk, &root.join(folder)).is_none()) else {
        return Ok(());
    };
    let shown = report::visible(&folder.display().to_string());
    let error = Diagnostic::error(text!("there is no earlier build in `{shown}`", "`{shown}` 里没有之前生成的内容"));
    Err(Failure::other(error.with_hint(text!(
        "--previous names an output folder, with the folder `.portalgen` in it",
        "--previous 指定的是输出文件夹，里面有 `.portalgen` 文件夹"
    ))))
}

/// Adds to the ledger what has been published. Where it cannot be written, the next build elsewhere adds it.
fn write_ledger(build: &Build, root: &Path) -> Option<Diagnostic> {
    let error = publish::write_file(&root.join(ledger::FILE), build.ledger.as_ref()?.as_bytes()).err()?.message;
    Some(Diagnostic::warning(text!(
        "new addresses were not added to the ledger: {error}",
        "新地址没有写入地址清单：{error}",
        error
    )))
}

fn ledger_is_behind() -> Diagnostic {
    let file = ledger::FILE;
    Diagnostic::error(text!("`{file}` does not have all addresses of the portal", "`{file}` 里缺少门户的一些地址"))
        .with_hint(text!(
            "run `portalgen build` without --locked, and commit the file",
            "请不带 --locked 运行 `portalgen build`，并提交这个文件"
        ))
}

/// Builds in memory, with the options that `change` makes of the usual ones.
///
/// # Errors
/// The packages are missing, or the portal has mistakes.
pub(super) fn run(
    portal: &PortalArguments,
    pages: &PagesArguments,
    console: &Console,
    change: impl FnOnce(BuildOptions, &Cache) -> BuildOptions,
) -> Result<(Build, Cache), Failure> {
    let root = project_root(&portal.root)?;
    let site = root.join(build::SITE);
    console
        .while_waiting(&Arc::default(), || {
            install::ensure_packages(&site, pages.offline, &|text| say(&format!("{}\n", console.words(text))))
        })
        .map_err(Failure::other)?;
    let cache = Cache::open(&site);
    let options = BuildOptions {
        root,
        overrides: portal.overrides(),
        mode: pages.mode.into(),
        minify: true,
        source_maps: None,
        env: public_variables(),
        minified: Some(Arc::clone(&cache.minified)),
        compressed: None,
        previous: None,
        judgement: Judgement::Errors,
        history: |_| History::default(),
        today: None,
        running: Arc::default(),
    };
    let options = change(options, &cache);
    let sources: Arc<dyn Sources> = Arc::new(Disk);
    let work = || with_jobs(pages.jobs, || build::build(&sources, &options));
    let mut build = console.while_waiting(&options.running, work)?.map_err(Failure::of_site)?;
    build.warnings.extend(write_types(&site, &build.css_module_types));
    Ok((build, cache))
}

/// Writes the types of CSS modules for those who use TypeScript. A site that may not be written to can be built all the
/// same.
fn write_types(site: &Path, types: &BTreeMap<String, String>) -> Option<Diagnostic> {
    let is_typed = site.join("tsconfig.json").is_file();
    let types = if is_typed { types } else { &BTreeMap::new() };
    let error = publish::write_types(&site.join(TYPES), types).err()?.message;
    Some(Diagnostic::warning(text!(
        "the types of CSS modules are not up to date: {error}",
        "CSS 模块的类型声明没有更新：{error}",
        error
    )))
}

fn publish(build: &Build, root: &Path, out: &Path) -> Result<publish::Report, Failure> {
    let site = root.join(build::SITE);
    let sources = [site.join("node_modules"), site, root.join(build::TEMPLATES), root.join("node_modules")];
    publish::publish(&build.output, out, Guard { root, sources: &sources }).map_err(|error| {
        let (blame, outcome) = match error {
            PublishError::Failed(_) => (Blame::Other, partly_published()),
            PublishError::Refused(_) => (Blame::Site, nothing_published()),
        };
        Failure { blame, diagnostics: error.into_diagnostics(), outcome }
    })
}

fn partly_published() -> Text {
    text!(
        "publishing stopped halfway; every page that was served before still is",
        "发布中途停止；原来能访问的页面都还能访问"
    )
}
