//! A build from sources to the set of files that will be published.

mod regex;
mod writer;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    cache::ResultCache,
    date::Date,
    diagnostic::{self, Diagnostic, Place},
    packages,
    rules::{Levels, Rule},
    source::{Sources, display_name},
    text::text,
    timing::{Clock, Running, Timing},
};
use portalgen_bundle::{Bundle, Chunk, Entry, Mode, Options, Platform, SourceMapForm, SourceMaps, VirtualModule};
use portalgen_engine::{Around, FailureKind, Frame, Limits, PageJob, Program, RenderedPage, Reported, Script};
use portalgen_portal::{
    Overrides, Portal, Route, RoutePath,
    history::{History, PageSources},
};
use portalgen_release::{
    ledger::Ledger,
    manifest::{Manifest, PageFiles, ScriptFile},
    output::OutputSet,
    previous::Previous,
};

pub use self::regex::judge_regex;
use self::writer::Made;
use crate::{
    budget,
    check::{self, Judgement, Look, Subject},
    hoisted,
    metadata::Icons,
    public,
    runtime::{self, BROWSER, NOT_FOUND, NOT_FOUND_PATH, REDIRECT, SERVER},
    shell::Shells,
};

/// Folder of the site's sources, in the project's folder.
pub const SITE: &str = "site";
/// Folder of the templates.
pub const TEMPLATES: &str = "templates";

/// What to build, and how.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The project's folder, absolute: it holds `routes.toml`, `site/` and perhaps `templates/`.
    pub root: PathBuf,
    /// Values that replace those in `routes.toml`.
    pub overrides: Overrides,
    /// Production or development builds of packages.
    pub mode: Mode,
    /// Minify scripts and style sheets.
    pub minify: bool,
    /// Whether to write source maps, and how.
    pub source_maps: Option<SourceMapForm>,
    /// What pages find in `import.meta.env` besides what every build has.
    pub env: BTreeMap<String, String>,
    /// What the minifier made of scripts in earlier builds.
    pub minified: Option<Arc<ResultCache>>,
    /// What compressing made of files in earlier builds. Without it, none is compressed.
    pub compressed: Option<Arc<ResultCache>>,
    /// The output folder of the last build, from which assets are kept.
    pub previous: Option<PathBuf>,
    /// How thoroughly the portal is judged by the rules.
    pub judgement: Judgement,
    /// Asks when the files of the project's folder were changed; what is made must not depend on more than that.
    pub history: fn(&Path) -> History,
    /// Today, where rules that look at the calendar shall count.
    pub today: Option<Date>,
    /// Where to tell what the build is doing.
    pub running: Arc<Running>,
}

/// A finished build, not yet published.
#[derive(Debug)]
pub struct Build {
    /// The files to publish.
    pub output: OutputSet,
    /// The portal that was built.
    pub portal: Portal,
    /// What was made, for those who were not there.
    pub manifest: Manifest,
    /// What the ledger of addresses has to say once this build is published, unless it says so already.
    pub ledger: Option<String>,
    /// Scripts, in the order of their names.
    pub scripts: Vec<ScriptFile>,
    /// For each page, by the path of its route, what it loads before it works.
    pub page_files: BTreeMap<String, PageFiles>,
    /// For each CSS module, by its path in the folder of the site, its exports as declarations of TypeScript.
    pub css_module_types: BTreeMap<String, String>,
    /// What should be looked at, in the order of the files.
    pub warnings: Vec<Diagnostic>,
    /// How long each stage took. Some run side by side, so this is more than the whole.
    pub timings: Vec<Timing>,
}

/// Builds the portal.
///
/// # Errors
/// Every independent mistake that was found, warnings beside them. Stages after a failed one do not run.
pub fn build(sources: &Arc<dyn Sources>, options: &BuildOptions) -> Result<Build, Vec<Diagnostic>> {
    let clock = Clock::watched_by(&options.running);
    let configured = clock.time("config", || portalgen_portal::load(&**sources, &options.root, &options.overrides));
    let allowed = configured.as_ref().map(|(portal, _)| portal.allow.clone()).unwrap_or_default();
    let sources = &sources.allowing(&allowed);
    let shells = Shells::load(&**sources, &options.root);
    let ledger = Ledger::load(&**sources, &options.root);
    let packages = packages::check(&**sources, &options.root.join(SITE));
    let ((((portal, warnings), shells), ()), ledger) = both(both(both(configured, shells), packages), ledger)?;
    let mut warnings = warnings;

    if portal.integrity {
        shells.check_integrity().map_err(|error| vec![error])?;
    }
    let site = Site { sources, options, folder: options.root.join(SITE), portal: &portal, clock: &clock };
    let modules = runtime::modules(&**sources, &site.folder, &portal);
    let ((scripts, pages), (icons, history)) = rayon::join(
        || rayon::join(|| site.bundle_scripts(&modules), || site.render_pages(&modules)),
        || rayon::join(|| site.icons(), || site.history()),
    );
    let pages = with_reasons(without_consequences(pages, &scripts), &scripts, &portal.levels);
    let ((scripts, pages), icons) = both(both(scripts, pages), icons)?;
    let (public, public_warnings) = public::collect(&**sources, &options.root, &site.folder.join("public"));

    let in_sources = scripts.browser.warnings.iter().chain(&pages.warnings).cloned();
    warnings.extend(in_sources.filter_map(|found| found.weighed(&portal.levels)));
    warnings.extend(public_warnings);

    let page_files = site.page_files(&scripts.browser, &pages.lazy);
    let previous = site.previous();
    let made = Made {
        scripts: &scripts,
        page_files: &page_files,
        rendered: &pages.rendered,
        lazy: &pages.lazy,
        public,
        icons: icons.as_ref(),
        history,
        previous: previous.as_ref(),
    };
    let (output, manifest) = clock.time("shell", || writer::write(&site, &shells, made, &mut warnings))?;
    let judged = clock.time("check", || site.judge(&shells, &scripts.browser, &output, &pages));
    warnings.extend(judged);
    warnings.extend(ledger.check(&portal, &output).into_iter().filter_map(|found| found.weighed(&portal.levels)));
    let ledger = ledger.with(&portal, &output);
    // What is not minified says nothing about how large it will be.
    if options.minify && options.mode == Mode::Production {
        warnings.extend(budget::check(&portal, &manifest, previous.as_ref().map(|previous| &previous.manifest)));
    }
    if options.judgement == Judgement::Errors {
        warnings.retain(|found| found.is_error() || found.rule.is_none_or(Rule::is_told_by_builds));
    }
    diagnostic::sort(&mut warnings);
    warnings.dedup();
    if warnings.iter().any(Diagnostic::is_error) {
        return Err(warnings);
    }
    let css_module_types = css_module_types(&scripts.browser);
    let scripts = script_files(&scripts.browser);
    let timings = clock.into_timings();
    Ok(Build { output, portal, manifest, ledger, scripts, page_files, css_module_types, warnings, timings })
}

/// Leaves out failures of pages over modules that the bundle for browsers complains about at their places: those ask for them
/// with `import()`, which then fails with the same words.
fn without_consequences<A, B>(
    pages: Result<A, Vec<Diagnostic>>,
    scripts: &Result<B, Vec<Diagnostic>>,
) -> Result<A, Vec<Diagnostic>> {
    let Err(causes) = scripts else { return pages };
    let follows_from = |found: &Diagnostic, cause: &Diagnostic| {
        let place = cause.place.as_ref().map(|place| format!("{} ({place})", cause.message.english()));
        place.is_some_and(|words| found.message.english().contains(&words))
    };
    pages.map_err(|mut found| {
        found.retain(|found| !causes.iter().any(|cause| follows_from(found, cause)));
        found
    })
}

/// Adds the warnings about the modules of pages to failures of pages: one may be the reason of the other.
fn with_reasons<A>(
    pages: Result<A, Vec<Diagnostic>>,
    scripts: &Result<Scripts, Vec<Diagnostic>>,
    levels: &Levels,
) -> Result<A, Vec<Diagnostic>> {
    pages.map_err(|mut found| {
        let warnings = scripts.iter().flat_map(|scripts| &scripts.browser.warnings).cloned();
        found.extend(warnings.filter_map(|warning| warning.weighed(levels)));
        found
    })
}

/// Both values, or the mistakes of both.
fn both<A, B>(a: Result<A, Vec<Diagnostic>>, b: Result<B, Vec<Diagnostic>>) -> Result<(A, B), Vec<Diagnostic>> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (a, b) => {
            let mut errors: Vec<_> = a.err().into_iter().chain(b.err()).flatten().collect();
            diagnostic::sort(&mut errors);
            // The two bundles share most of their modules, and so their mistakes.
            errors.dedup();
            Err(errors)
        }
    }
}

/// What the stages after `config` share.
struct Site<'a> {
    sources: &'a Arc<dyn Sources>,
    options: &'a BuildOptions,
    folder: PathBuf,
    portal: &'a Portal,
    clock: &'a Clock,
}

/// The scripts that browsers run.
struct Scripts {
    browser: Bundle,
    /// The one-file bundle for redirecting pages.
    redirect: Bundle,
}

struct Pages {
    program: Program,
    rendered: Vec<RenderedPage>,
    lazy: LazyParts,
    warnings: Vec<Diagnostic>,
}

/// The modules that `import()` brought while each page was rendered.
struct LazyParts(BTreeMap<String, Vec<String>>);

impl LazyParts {
    /// Those of the page of a route's path.
    fn of(&self, path: &str) -> &[String] {
        self.0.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

type Modules = BTreeMap<String, VirtualModule>;

impl Site<'_> {
    /// What the rules say.
    fn judge(&self, shells: &Shells, bundle: &Bundle, output: &OutputSet, pages: &Pages) -> Vec<Diagnostic> {
        let written_in = |chunks: Vec<&Chunk>| -> Vec<String> {
            let modules = chunks.into_iter().flat_map(|chunk| &chunk.modules).map(String::as_str);
            let modules = modules.filter(|name| portalgen_bundle::is_of_site(name));
            modules.chain(shells.own_templates()).map(ToOwned::to_owned).collect()
        };
        let subject = Subject {
            portal: self.portal,
            output,
            sources: &**self.sources,
            root: &self.options.root,
            written: &|| written_in(bundle.chunks.iter().collect()),
            rendered: &pages.rendered.iter().map(|page| (page.path.as_str(), page.html.as_str())).collect(),
            look: &pages.program,
            written_for: &|path, component| written_in(self.rendered_chunks(bundle, component, pages.lazy.of(path))),
            today: self.options.today,
        };
        check::check(&subject, self.options.judgement)
    }

    fn bundle_scripts(&self, modules: &Modules) -> Result<Scripts, Vec<Diagnostic>> {
        let stage = "bundle for the browser";
        let scripts = self.clock.time(stage, || {
            let options = self.bundle_options(Platform::Browser);
            let (browser, redirect) = rayon::join(
                || self.bundle(&options, "portal", BROWSER, modules),
                || self.bundle(&options, "redirect", REDIRECT, modules),
            );
            let (browser, redirect) = both(browser, redirect)?;
            Ok::<_, Vec<Diagnostic>>(Scripts { browser, redirect })
        })?;
        self.clock.add_parts(stage, &scripts.browser.timings);
        Ok(scripts)
    }

    fn bundle(
        &self,
        options: &Options,
        name: &str,
        module: &str,
        modules: &Modules,
    ) -> Result<Bundle, Vec<Diagnostic>> {
        let entry = Entry { name: name.to_owned(), module: module.to_owned() };
        portalgen_bundle::bundle(self.sources, options, &[entry], modules)
    }

    fn bundle_options(&self, platform: Platform) -> Options {
        let source_maps = match platform {
            Platform::Prerender => SourceMaps::Lookup,
            Platform::Browser if self.options.source_maps.is_some() => SourceMaps::File,
            _ => SourceMaps::None,
        };
        Options {
            mode: self.options.mode,
            minify: self.options.minify && platform == Platform::Browser,
            minify_sheets: self.options.minify,
            source_maps,
            base: self.portal.urls.base.url(),
            env: self.options.env.clone(),
            integrity: self.portal.integrity,
            retries: platform == Platform::Browser,
            regex_judge: judge_regex,
            minified: self.options.minified.clone(),
            ..Options::new(&self.options.root, &self.folder, platform)
        }
    }

    fn render_pages(&self, modules: &Modules) -> Result<Pages, Vec<Diagnostic>> {
        let options = self.bundle_options(Platform::Prerender);
        let stage = "bundle for the engine";
        let bundle = self.clock.time(stage, || self.bundle(&options, "server", SERVER, modules))?;
        self.clock.add_parts(stage, &bundle.timings);
        let program = self.clock.time("compile for the engine", || compile(&bundle))?;
        self.check_default_exports(&bundle)?;
        let (jobs, locate) = (self.page_jobs(), |frame: &Frame| locate(&bundle, frame));
        let results =
            self.clock.time("prerender", || portalgen_engine::prerender(&program, &jobs, &Limits::default(), &locate));
        let reported = portalgen_engine::report(&jobs, &results, &locate);
        if reported.iter().any(|reported| reported.failure.is_some()) {
            return Err(reported.into_iter().map(|reported| explained(reported, &bundle)).collect());
        }
        let rendered: Vec<RenderedPage> = results.into_iter().filter_map(Result::ok).collect();
        let lazy = rendered.iter().map(|page| (page.path.clone(), lazy_parts(&bundle, page))).collect();
        let lazy = LazyParts(lazy);
        let titles = rendered.iter().filter_map(|page| self.second_title(page));
        let warnings = bundle
            .warnings
            .into_iter()
            .chain(reported.into_iter().map(|reported| reported.diagnostic))
            .chain(titles)
            .collect();
        Ok(Pages { program, rendered, lazy, warnings })
    }

    /// Tells of a page that renders a `<title>`, beside the one that its document has.
    fn second_title(&self, page: &RenderedPage) -> Option<Diagnostic> {
        let title = hoisted::title(&page.html)?;
        let path = &page.path;
        let warning = Diagnostic::warning(text!(
            "{path} renders a `<title>`, “{title}”, but its document has one already",
            "{path} 渲染了 `<title>`“{title}”，但它的文档已经有标题了"
        ))
        .with_hint(text!(
            "write `title` in routes.toml, and leave `<title>` out of what pages and components render",
            "标题请写在 routes.toml 的 `title` 里，页面和组件里不要渲染 `<title>`"
        ));
        let place = match self.pages().find(|(route, _)| route.path.as_str() == page.path) {
            Some((route, _)) => Some(&route.places.path),
            None => self.portal.not_found.place.as_ref(),
        };
        Some(match place {
            Some(place) => warning.at(place.clone()),
            None => warning,
        })
    }

    /// A page's module must export the component.
    fn check_default_exports(&self, bundle: &Bundle) -> Result<(), Vec<Diagnostic>> {
        let missing = self.pages().filter_map(|(route, component)| {
            let name = self.module_name(component);
            let is_missing = bundle.lazy.get(&name).is_some_and(|module| !module.has_default);
            let path = &route.path;
            is_missing.then(|| {
                Diagnostic::error(text!(
                    "`{name}` has no default export, so there is nothing to show at {path}",
                    "`{name}` 没有默认导出，所以 {path} 没有内容可显示"
                ))
                .at(route.places.path.clone())
                .with_hint(text!(
                    "write `export default` before the component that is the page",
                    "请在作为页面的组件前面写 `export default`"
                ))
            })
        });
        let missing: Vec<_> = missing.collect();
        if missing.is_empty() { Ok(()) } else { Err(missing) }
    }

    fn page_jobs(&self) -> Vec<PageJob> {
        let job = |path: &str, title: &str, place| PageJob { path: path.to_owned(), title: title.to_owned(), place };
        let pages = self.pages();
        let pages = pages.map(|(route, _)| job(route.path.as_str(), &route.title, Some(route.places.path.clone())));
        pages.chain([job(NOT_FOUND_PATH, &self.portal.not_found.title, None)]).collect()
    }

    /// The chunks that the page of `component` needs before it shows, in the order in which they run. None stands for
    /// the not-found page of a site that has no own.
    fn chunks_of<'b>(&self, bundle: &'b Bundle, component: Option<&Path>) -> Vec<&'b Chunk> {
        self.rendered_chunks(bundle, component, &[])
    }

    /// The same, and those of the lazy parts that were rendered with the page.
    fn rendered_chunks<'b>(&self, bundle: &'b Bundle, component: Option<&Path>, lazy: &[String]) -> Vec<&'b Chunk> {
        let name = component.map_or_else(|| NOT_FOUND.to_owned(), |path| self.module_name(path));
        let modules = std::iter::once(&name).chain(lazy).filter_map(|name| bundle.lazy.get(name));
        let mut order = Vec::new();
        for start in bundle.entries.iter().copied().chain(modules.map(|module| module.chunk)) {
            for chunk in bundle.loading_order(start) {
                if !order.contains(&chunk) {
                    order.push(chunk);
                }
            }
        }
        order.into_iter().filter_map(|chunk| bundle.chunks.get(chunk)).collect()
    }

    /// The style sheets of a page, in the order of their rules: those of the page of `component` and of the lazy parts that
    /// were rendered with it.
    fn sheets_of<'b>(&self, bundle: &'b Bundle, component: Option<&Path>, lazy: &[String]) -> Vec<&'b str> {
        let name = component.map_or_else(|| NOT_FOUND.to_owned(), |path| self.module_name(path));
        let modules = std::iter::once(&name).chain(lazy).filter_map(|name| bundle.lazy.get(name));
        let wanted: BTreeSet<&String> =
            bundle.entry_styles.iter().flatten().chain(modules.flat_map(|module| &module.styles)).collect();
        bundle.style_sheets.iter().filter(|sheet| wanted.contains(sheet)).map(String::as_str).collect()
    }

    /// The build before, where this one keeps something of it or is measured by it.
    fn previous(&self) -> Option<Previous> {
        let Portal { budget, routes, .. } = self.portal;
        let has_budget =
            budget.js.is_some() || budget.css.is_some() || routes.iter().any(|route| route.budget.is_some());
        let folder = self.options.previous.as_ref().filter(|_| self.portal.keep > 0 || has_budget)?;
        Previous::open(&**self.sources, folder)
    }

    /// The icons that are made of the image that `[site]` names.
    fn icons(&self) -> Result<Option<Icons>, Vec<Diagnostic>> {
        let Some(source) = &self.portal.site.icon else { return Ok(None) };
        let background = self.portal.site.background_color;
        self.clock.time("icons", || Icons::make(&**self.sources, &self.options.root, source, background)).map(Some)
    }

    /// What the dates of the list of pages follow from. Without an origin there is no such list.
    fn history(&self) -> History {
        match self.portal.urls.origin {
            Some(_) => self.clock.time("history", || (self.options.history)(&self.options.root)),
            None => History::default(),
        }
    }

    fn last_changes(&self, bundle: &Bundle, lazy: &LazyParts, history: &History) -> BTreeMap<RoutePath, Date> {
        let entries = bundle.entries.iter().flat_map(|entry| bundle.loading_order(*entry));
        let in_every_page: BTreeSet<&str> =
            entries.filter_map(|chunk| bundle.chunks.get(chunk)).flat_map(modules_of).collect();
        let pages = self.pages().map(|(route, component)| {
            let chunks = self.rendered_chunks(bundle, Some(component), lazy.of(route.path.as_str()));
            let modules = chunks
                .into_iter()
                .flat_map(modules_of)
                .filter(|name| portalgen_bundle::is_of_site(name) && !in_every_page.contains(name));
            PageSources { route, modules: modules.map(portalgen_bundle::file_of).collect() }
        });
        history.last_changes(self.portal, &pages.collect::<Vec<_>>())
    }

    fn page_files(&self, bundle: &Bundle, lazy: &LazyParts) -> BTreeMap<String, PageFiles> {
        let of_pages = self.pages().map(|(route, component)| {
            let chunks = self.chunks_of(bundle, Some(component)).into_iter();
            let sheets = self.sheets_of(bundle, Some(component), lazy.of(route.path.as_str())).into_iter();
            let files = PageFiles {
                scripts: chunks.map(|chunk| chunk.file_name.clone()).collect(),
                style_sheets: sheets.map(str::to_owned).collect(),
            };
            (route.path.as_str().to_owned(), files)
        });
        of_pages.collect()
    }

    /// What the bundler calls the module in a file: links lead to one name.
    fn module_name(&self, file: &Path) -> String {
        let real = self.sources.canonicalize(file).unwrap_or_else(|_| file.to_owned());
        display_name(&self.options.root, &real)
    }

    fn pages(&self) -> impl Iterator<Item = (&Route, &Path)> {
        self.portal.routes.iter().filter_map(|route| Some((route, route.component()?)))
    }
}

impl Look for Program {
    fn marked(&self, path: &str) -> Option<String> {
        portalgen_engine::marked(self, path, &Limits::default())
    }

    fn around(&self, path: &str) -> Option<Around> {
        portalgen_engine::around(self, path, &Limits::default())
    }
}

/// Where a frame's code was written. The runtime is nobody's to mend.
fn locate(bundle: &Bundle, frame: &Frame) -> Option<Place> {
    let chunk = bundle.chunks.iter().find(|chunk| chunk.file_name == frame.script)?;
    let place = chunk.locate(frame.line.checked_sub(1)?, frame.column)?;
    (!portalgen_bundle::is_virtual(&place.source.name)).then_some(place)
}

/// What kept a page from being rendered, with what the bundle tells about it.
fn explained(reported: Reported, bundle: &Bundle) -> Diagnostic {
    let Reported { diagnostic, failure } = reported;
    match failure {
        None => diagnostic,
        Some(FailureKind::Uninitialized(name)) => with_circle(with_import_chain(diagnostic, bundle), &name, bundle),
        Some(_) => with_import_chain(diagnostic, bundle),
    }
}

/// Says of an error in a package how the site came to need that package.
fn with_import_chain(diagnostic: Diagnostic, bundle: &Bundle) -> Diagnostic {
    let place = diagnostic.place.as_ref();
    let chain = place.map(|place| bundle.import_chain(&place.source.name)).unwrap_or_default();
    if chain.len() < 2 {
        return diagnostic;
    }
    let chain = chain.join(" -> ");
    diagnostic.with_hint(text!("it is imported like this: {chain}", "它是这样被导入的：{chain}"))
}

/// Says of a variable that is read before its module ran how that module came to wait for the one that reads it.
fn with_circle(diagnostic: Diagnostic, name: &str, bundle: &Bundle) -> Diagnostic {
    match circle(&diagnostic, name, bundle) {
        Some((declared, circle)) => diagnostic
            .with_related(
                declared,
                text!("it is declared here, in a module that has not run yet", "它在这里声明，而这个模块还没有运行"),
            )
            .with_hint(text!(
                "these modules import each other, and one of them has to be first: {circle}",
                "这些模块互相导入，总有一个要先运行：{circle}"
            ))
            .with_hint(text!(
                "move what both need into a module of its own, or read it in a function that is called later",
                "请把双方都需要的内容移到单独的模块里，或者在之后才调用的函数里读取它"
            )),
        None => diagnostic,
    }
}

/// Where a variable is declared that was read too early, and the circle of imports from the module that reads it through the
/// one that declares it.
fn circle(diagnostic: &Diagnostic, name: &str, bundle: &Bundle) -> Option<(Place, String)> {
    let reader = &diagnostic.place.as_ref()?.source.name;
    let declared = bundle.declaration(name, reader)?;
    let there = bundle.import_path(reader, &declared.source.name)?;
    let back = bundle.import_path(&declared.source.name, reader)?;
    let circle: Vec<String> = there.into_iter().chain(back.into_iter().skip(1)).collect();
    Some((declared, circle.join(" -> ")))
}

/// The targets of `import()` in a bundle for the engine that were loaded to render a page.
fn lazy_parts(bundle: &Bundle, page: &RenderedPage) -> Vec<String> {
    let is_loaded =
        |chunk: usize| bundle.chunks.get(chunk).is_some_and(|chunk| page.scripts.contains(&chunk.file_name));
    bundle.lazy.iter().filter(|(_, module)| is_loaded(module.chunk)).map(|(name, _)| name.clone()).collect()
}

fn compile(bundle: &Bundle) -> Result<Program, Vec<Diagnostic>> {
    let scripts: Vec<Script<'_>> =
        bundle.chunks.iter().map(|chunk| Script { name: &chunk.file_name, code: &chunk.code }).collect();
    let entry = bundle.entries.first().and_then(|entry| bundle.chunks.get(*entry));
    let entry = entry.map_or("", |chunk| chunk.file_name.as_str());
    Program::compile(&scripts, entry).map_err(|failure| {
        let frame = failure.frames.first();
        let place = frame.and_then(|frame| locate(bundle, frame));
        let reason = &failure.message;
        let diagnostic =
            Diagnostic::error(text!("the pages' code cannot be run: {reason}", "页面的代码无法运行：{reason}", reason));
        vec![match place {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }]
    })
}

fn modules_of(chunk: &Chunk) -> impl Iterator<Item = &str> {
    chunk.modules.iter().map(String::as_str)
}

fn css_module_types(bundle: &Bundle) -> BTreeMap<String, String> {
    let in_site = |name: &str| Some(name.strip_prefix(SITE)?.strip_prefix('/')?.to_owned());
    bundle.css_module_types.iter().filter_map(|(name, types)| Some((in_site(name)?, types.clone()))).collect()
}

fn script_files(bundle: &Bundle) -> Vec<ScriptFile> {
    let mut files: Vec<ScriptFile> = bundle
        .chunks
        .iter()
        .map(|chunk| ScriptFile {
            file_name: chunk.file_name.clone(),
            modules: chunk.modules.clone(),
            module_bytes: chunk.module_bytes.clone(),
        })
        .collect();
    files.sort_by(|a, b| a.file_name.cmp(&b.file_name));
    files
}
