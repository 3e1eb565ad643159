//! A portal whose documents are made when they are asked for: what a development server shows.
//!
//! Each is made by the stages of a build, from the same values. Only which pages are rendered, and when, is another matter: first
//! those that somebody looks at.

use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
};

use portalgen_base::{
    blob::{Blob, Spill},
    diagnostic::Diagnostic,
};
use portalgen_bundle::HotGraph;
use portalgen_engine::PageJob;
use portalgen_portal::{Portal, Route, RouteKind};
use portalgen_release::{
    output::{OutputFile, OutputKind, OutputSet},
    static_server::{self, Answer},
};

use super::{
    assemble::{assets, icon_files, metadata_files, public_files},
    bundle::{Scripts, bundle_for_engine, bundle_page_for_engine},
    collect::Collected,
    documents::{NOT_FOUND_DATA, Surroundings, not_found_producer, producer_of},
    expand::Site,
    failures::PageProblem,
    needed::{LazyParts, Needed, SheetNumbers},
    options::{BuildOptions, Context},
    render::{Pages, Renderer, render, render_each},
    session::Session,
};
use crate::{runtime::NOT_FOUND_PATH, shell::Integrity};

/// What documents say of the release that they belong to: all to one.
const RELEASE: &str = "live";

/// A portal at one moment.
pub struct LivePortal {
    session: Session,
    options: BuildOptions,
    spill: Spill,
    parts: LiveParts,
    /// Whether documents hold what pages render.
    prerenders: bool,
    renderers: Renderers,
    /// Pages that were asked for, by the paths of their routes.
    pages: Mutex<BTreeMap<String, Arc<OnceLock<Rendering>>>>,
    files: OnceLock<Files>,
}

/// What renders pages. To bundle all of them takes long in a large portal, so those that somebody waits for are bundled alone as
/// long as these are few. Only chunks differ from those of a build.
#[derive(Default)]
struct Renderers {
    of_all: OnceLock<Rendered>,
    /// By the names of the modules of pages.
    of_one: Mutex<BTreeMap<String, Arc<OnceLock<Rendered>>>>,
}

/// Something that renders pages, or why there is none.
type Rendered = Result<Renderer, Vec<Diagnostic>>;

/// How many pages are bundled alone.
const MOST_ALONE: usize = 2;

/// What a portal is made of. Most edits change one of these.
#[derive(Clone)]
pub struct LiveParts {
    /// The routes, and all that its pages are made of besides the site's own modules.
    pub site: Arc<Site>,
    /// What browsers run. It is described when the first document is made.
    pub scripts: Arc<LazyScripts>,
    /// Icons and public files.
    pub collected: Arc<Collected>,
}

impl LiveParts {
    /// Whether others differ in nothing but modules and style sheets.
    pub fn share_the_rest(&self, others: &Self) -> bool {
        Arc::ptr_eq(&self.site, &others.site) && Arc::ptr_eq(&self.collected, &others.collected)
    }
}

/// Scripts that are described when somebody needs it: edits reach pages before.
pub type LazyScripts = LazyLock<Scripts, Box<dyn FnOnce() -> Scripts + Send>>;

/// The path of the page that most begin with.
const HOME: &str = "/";

/// How many pages are rendered at once ahead of those who ask for them. An edit waits for no more than these.
const AHEAD: usize = 16;

/// How the rendering of a page ended.
type Rendering = Result<Pages, Vec<PageProblem>>;

/// What is served at an address.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// The document of a page.
    Page {
        /// HTML. Where the page could not be rendered, its place is empty.
        html: String,
        /// The path of its route, which is [`NOT_FOUND_PATH`] for the not-found page.
        route: String,
        /// Nothing is there, as this document says.
        is_missing: bool,
    },
    /// A file with this output path.
    File(String, Blob),
    /// Another form of the address.
    Redirect(String),
}

/// All files of the portal by their output paths. Those that are made when they are asked for are empty, and `made_for` names
/// their route; none stands for the not-found page.
struct Files {
    output: OutputSet,
    made_for: BTreeMap<String, Option<usize>>,
}

impl LivePortal {
    /// The portal that is made of these parts.
    pub fn new(session: Session, options: BuildOptions, parts: LiveParts) -> Self {
        let spill = Spill::beside(&session.store);
        let (renderers, pages, files) = Default::default();
        Self { session, options, spill, parts, prerenders: true, renderers, pages, files }
    }

    /// The same portal, whose pages are left to browsers: their places in documents are empty.
    #[must_use]
    pub fn without_prerendering(self) -> Self {
        Self { prerenders: false, ..self }
    }

    /// What it is made of.
    pub fn parts(&self) -> &LiveParts {
        &self.parts
    }

    /// The paths of all pages, that of the not-found page last.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.site().pages().map(|(route, _)| route.path.as_str()).chain([NOT_FOUND_PATH])
    }

    /// What is served at the path of an address. A page is rendered unless that has been done.
    ///
    /// # Errors
    /// A template fails with the values of the page.
    pub fn find(&self, path: &str) -> Result<Found, Diagnostic> {
        match static_server::answer(&self.files().output, &self.site().portal.urls, path) {
            Answer::Redirect { location, .. } => Ok(Found::Redirect(location)),
            Answer::File(file) => self.file(file),
            Answer::Missing { .. } | Answer::Outside => {
                let html = self.made(None, static_server::NOT_FOUND)?.text().into_owned();
                Ok(Found::Page { html, route: NOT_FOUND_PATH.to_owned(), is_missing: true })
            }
        }
    }

    /// What kept a page from being rendered, or should be looked at in it. It is rendered unless that has been done.
    pub fn problems(&self, route: &str) -> Vec<Diagnostic> {
        let page = self.page(route);
        match page.get() {
            Some(Ok(pages)) => pages.warnings.clone(),
            Some(Err(problems)) => {
                let told = problems.iter().flat_map(|found| found.cause.iter().chain([&found.diagnostic]));
                told.cloned().collect()
            }
            None => Vec::new(),
        }
    }

    /// The same of a page that has been rendered already; nothing is known of others.
    pub fn known_problems(&self, route: &str) -> Vec<Diagnostic> {
        if self.has(route) { self.problems(route) } else { Vec::new() }
    }

    /// Makes what renders the home page, ahead of those who ask for it.
    pub fn warm_up(&self) {
        self.with_renderer(HOME, |renderer| {
            if let Ok(renderer) = renderer {
                renderer.warm_up();
            }
        });
    }

    /// Renders all pages ahead of those who ask for them, until `is_over` says that nobody will.
    pub fn render_ahead(&self, is_over: &dyn Fn() -> bool) {
        if is_over() {
            return;
        }
        let Ok(renderer) = self.renderer_of_all() else { return };
        let is_due = |job: &&PageJob| !self.has(&job.path);
        for jobs in renderer.jobs().chunks(AHEAD) {
            if is_over() {
                return;
            }
            let jobs: Vec<PageJob> = jobs.iter().filter(is_due).cloned().collect();
            let outcomes = render_each(self.context(), self.site(), renderer, &jobs);
            for (job, outcome) in jobs.iter().zip(outcomes.into_iter().flatten()) {
                // Somebody who has asked meanwhile has made the same.
                let _ = self.place_of(&job.path).set(outcome);
            }
        }
    }

    fn site(&self) -> &Site {
        &self.parts.site
    }

    fn context(&self) -> Context<'_> {
        Context { session: &self.session, options: &self.options, spill: &self.spill }
    }

    fn renderer_of_all(&self) -> &Rendered {
        let make = || Ok(Renderer::new(self.site(), bundle_for_engine(self.context(), self.site())?));
        self.renderers.of_all.get_or_init(make)
    }

    /// Has something done with what renders the page of a route.
    fn with_renderer<T>(&self, route: &str, work: impl FnOnce(&Rendered) -> T) -> T {
        let of_all = self.renderers.of_all.get();
        if let Some(renderer @ Ok(_)) = of_all {
            return work(renderer);
        }
        let site = self.site();
        let component = site.pages().find(|(page, _)| page.path.as_str() == route).map(|(_, component)| component);
        let component = component.or(site.portal.not_found.component.as_deref());
        // What keeps all of them from being bundled may be wrong with others only.
        let most = if of_all.is_some() { usize::MAX } else { MOST_ALONE };
        let make = || Ok(Renderer::new(site, bundle_page_for_engine(self.context(), site, component)?));
        match self.place_alone(site.module_name(component), most) {
            Some(renderer) => work(renderer.get_or_init(make)),
            None => match self.renderer_of_all() {
                Err(_) => self.with_renderer(route, work),
                renderer => work(renderer),
            },
        }
    }

    /// Where the renderer of a single page is, or will be, unless there are so many of them.
    fn place_alone(&self, module: &str, most: usize) -> Option<Arc<OnceLock<Rendered>>> {
        let mut alone = self.renderers.of_one.lock().unwrap_or_else(PoisonError::into_inner);
        let is_one_more = !alone.contains_key(module);
        let is_too_many = is_one_more && alone.len() >= most;
        (!is_too_many).then(|| Arc::clone(alone.entry(module.to_owned()).or_default()))
    }

    /// The page of a route, rendered.
    fn page(&self, route: &str) -> Arc<OnceLock<Rendering>> {
        let page = self.place_of(route);
        page.get_or_init(|| self.render(route));
        page
    }

    /// Where the page of a route is, or will be.
    fn place_of(&self, route: &str) -> Arc<OnceLock<Rendering>> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(pages.entry(route.to_owned()).or_default())
    }

    fn has(&self, route: &str) -> bool {
        self.place_of(route).get().is_some()
    }

    fn render(&self, route: &str) -> Rendering {
        self.with_renderer(route, |renderer| {
            let renderer = renderer.as_ref();
            let renderer =
                renderer.map_err(|found| found.iter().cloned().map(PageProblem::from).collect::<Vec<_>>())?;
            let jobs: Vec<PageJob> = renderer.jobs().iter().filter(|job| job.path == route).cloned().collect();
            render(self.context(), self.site(), renderer, &jobs)
        })
    }

    fn file(&self, path: &str) -> Result<Found, Diagnostic> {
        let Files { output, made_for } = self.files();
        let Some(route) = made_for.get(path) else {
            let content = output.get(path).map(|file| file.content.clone());
            return Ok(Found::File(path.to_owned(), content.unwrap_or_else(|| Blob::from(""))));
        };
        let content = self.made(*route, path)?;
        let is_document = output.get(path).is_some_and(|file| file.kind == OutputKind::Page);
        if !is_document {
            return Ok(Found::File(path.to_owned(), content));
        }
        let route = route.map_or(NOT_FOUND_PATH, |route| self.site().portal.routes[route].path.as_str()).to_owned();
        Ok(Found::Page { html: content.text().into_owned(), route, is_missing: false })
    }

    /// The content of a file that is made for a route.
    fn made(&self, route: Option<usize>, path: &str) -> Result<Blob, Diagnostic> {
        let route = route.map(|route| &self.site().portal.routes[route]);
        let is_page = self.prerenders && route.is_none_or(|route| route.component().is_some());
        // Data files say nothing of what was rendered.
        let is_rendered = is_page && path.ends_with(".html");
        let page = is_rendered.then(|| self.page(route.map_or(NOT_FOUND_PATH, |route| route.path.as_str())));
        let rendered = page.as_ref().and_then(|page| page.get()?.as_ref().ok());
        let html = rendered.and_then(|pages| pages.rendered.first()).map(|page| page.html.text()).unwrap_or_default();
        let nothing = LazyParts::default();
        let files =
            self.with_surroundings(rendered.map_or(&nothing, |pages| &pages.lazy), |surroundings| match route {
                Some(route) => surroundings.route(route, &html),
                None => surroundings.not_found(&html),
            })?;
        let file = files.into_iter().find(|file| file.path == path);
        Ok(file.map_or_else(|| Blob::from(""), |file| file.content))
    }

    fn with_surroundings<T>(&self, lazy: &LazyParts, work: impl FnOnce(&Surroundings<'_>) -> T) -> T {
        let LiveParts { scripts, collected, .. } = &self.parts;
        let made = (collected.icons.as_ref(), &*collected.public);
        // Scripts change all the time, and nobody is asked to check them. What shows follows all changes, so any page fits to it.
        let release = RELEASE.to_owned();
        self.with_needed(lazy, |needed| {
            let surroundings = Surroundings::of(&self.spill, needed, &scripts.redirect, made, Integrity::new());
            work(&Surroundings { release, ..surroundings })
        })
    }

    fn with_needed<T>(&self, lazy: &LazyParts, work: impl FnOnce(Needed<'_>) -> T) -> T {
        let bundle = &self.parts.scripts.browser;
        let sheets = SheetNumbers::of(bundle);
        work(Needed { site: self.site(), bundle, lazy, sheets: &sheets })
    }

    fn files(&self) -> &Files {
        self.files.get_or_init(|| {
            let LiveParts { site, scripts, collected } = &self.parts;
            let shown = |(_, route): &(usize, &Route)| !matches!(route.kind, RouteKind::Retired);
            let routes = site.portal.routes.iter().enumerate().filter(shown).map(|(number, _)| Some(number));
            let made: Vec<(Option<usize>, [OutputFile; 2])> =
                routes.chain([None]).map(|route| (route, placeholders(site, route))).collect();
            let made_for =
                made.iter().flat_map(|(route, files)| files.each_ref().map(|file| (file.path.clone(), *route)));
            let made_for = made_for.collect();
            let planned = made.into_iter().flat_map(|(_, files)| files);
            let icons = collected.icons.as_ref();
            // The server has the scripts of the graph, which change all the time.
            let bundled = assets(scripts, None).into_iter().filter(|file| !file.path.starts_with(HotGraph::FOLDER));
            let known = bundled.chain(icon_files(icons)).chain(public_files(collected.public.clone()));
            // Where two want one path, a build says so.
            let (mut output, _) = OutputSet::unite(planned.chain(known));
            let metadata = |needed: Needed<'_>| metadata_files(needed, icons, &collected.history, &output).0;
            let metadata = self.with_needed(&LazyParts::default(), metadata);
            drop(output.extend(metadata));
            Files { output, made_for }
        })
    }
}

/// The document and the data file of a route, or of the not-found page, before they are made.
fn placeholders(site: &Site, route: Option<usize>) -> [OutputFile; 2] {
    let Portal { urls, routes, .. } = &site.portal;
    let (document, data, producer) = match route.map(|number| &routes[number]) {
        Some(route) => (urls.document(&route.path), urls.data(&route.path), producer_of(route)),
        None => (static_server::NOT_FOUND.to_owned(), NOT_FOUND_DATA.to_owned(), not_found_producer(&site.portal)),
    };
    let file = |path, kind| OutputFile::new(path, kind, "", producer.clone());
    [file(document, OutputKind::Page), file(data, OutputKind::Data)]
}
