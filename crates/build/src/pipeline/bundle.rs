//! The third stage: the site is bundled for browsers, and for the engine that renders its pages.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{diagnostic::Diagnostic, problems::Problems, source::Sources, store::Kind, timing::Clock};
use portalgen_bundle::{Bundle, Entry, HotGraph, HotUpdate, Options, Platform, SourceMaps};

use super::{expand::Site, options::Context, regex::REGEX_JUDGE};
use crate::runtime::{self, BROWSER, REDIRECT, SERVER};

/// The scripts that browsers run.
pub struct Scripts {
    /// The site: its pages, style sheets and assets.
    pub browser: Bundle,
    /// The one-file bundle for redirecting pages.
    pub redirect: Arc<Bundle>,
}

/// How the bundles of a build are made.
pub(super) struct Settings {
    browser: Options,
    redirect: Options,
    engine: Options,
}

/// The name of the module that browsers begin with.
pub const ENTRY: &str = BROWSER;

const FOR_BROWSERS: &str = "bundle for the browser";
const FOR_REDIRECTS: &str = "bundle for redirects";
const FOR_THE_ENGINE: &str = "bundle for the engine";

impl Settings {
    pub(super) fn of(context: Context<'_>, site: &Site) -> Self {
        let clock = &context.options.clock;
        let browser = options_for(context, site, Platform::Browser, clock.parts_of(FOR_BROWSERS));
        let redirect = Options { lazy_entries: Vec::new(), clock: clock.parts_of(FOR_REDIRECTS), ..browser.clone() };
        let engine = options_for(context, site, Platform::Prerender, clock.parts_of(FOR_THE_ENGINE));
        Self { browser, redirect, engine }
    }

    /// All of them.
    pub(super) fn all(&self) -> [&Options; 3] {
        let Self { browser, redirect, engine } = self;
        [browser, redirect, engine]
    }
}

/// Bundles the site as it is published, from `sources`.
///
/// # Errors
/// What is wrong with the modules of the site.
pub(super) fn for_browsers(
    (context, site): (Context<'_>, &Site),
    settings: &Settings,
    sources: &Arc<dyn Sources>,
) -> Result<Scripts, Vec<Diagnostic>> {
    let clock = &context.options.clock;
    let Settings { browser, redirect, .. } = settings;
    let (browser, redirect) = rayon::join(
        || clock.time(FOR_BROWSERS, || bundle(site, sources, browser, ("portal", BROWSER))),
        || clock.time(FOR_REDIRECTS, || bundle(site, sources, redirect, ("redirect", REDIRECT))),
    );
    let mut problems = Problems::default();
    let (Some(browser), Some(redirect)) = (problems.take(browser), problems.take(redirect)) else {
        return Err(problems.into_diagnostics());
    };
    Ok(Scripts { browser, redirect: Arc::new(redirect) })
}

/// Bundles the site as the engine runs it to render pages, from `sources`.
///
/// # Errors
/// What is wrong with the modules of the site.
pub(super) fn for_the_engine(
    (context, site): (Context<'_>, &Site),
    settings: &Settings,
    sources: &Arc<dyn Sources>,
) -> Result<Bundle, Vec<Diagnostic>> {
    let made = || bundle(site, sources, &settings.engine, ("server", SERVER));
    context.options.clock.time(FOR_THE_ENGINE, made)
}

/// Bundles the site as the engine runs it to render pages.
///
/// # Errors
/// What is wrong with the modules of the site.
pub fn bundle_for_engine(context: Context<'_>, site: &Site) -> Result<Bundle, Vec<Diagnostic>> {
    for_the_engine((context, site), &Settings::of(context, site), &site.sources)
}

/// Bundles one page as the engine runs it, and nothing that only other pages need. None stands for the not-found page of a site that
/// has no own.
///
/// # Errors
/// What is wrong with the modules of the page.
pub(super) fn bundle_page_for_engine(
    context: Context<'_>,
    site: &Site,
    component: Option<&Path>,
) -> Result<Bundle, Vec<Diagnostic>> {
    let Settings { engine, .. } = Settings::of(context, site);
    let engine = Options { lazy_entries: vec![runtime::page(&site.folder, component)], ..engine };
    bundle(site, &site.sources, &engine, ("server", SERVER))
}

/// Brings the modules that a development server sends to browsers one by one to what the sources are now. `changed` are the files
/// that have changed since the last call; `None` if that is not known.
///
/// # Errors
/// What is wrong with the modules of the site. The graph stays as it was.
pub fn update_graph(
    context: Context<'_>,
    site: &Site,
    graph: &mut HotGraph,
    changed: Option<&[PathBuf]>,
) -> Result<HotUpdate, Vec<Diagnostic>> {
    let browser = options_for(context, site, Platform::Browser, context.options.clock.parts_of(FOR_BROWSERS));
    // What fails is not for long.
    let options = Options { hot: true, retries: false, integrity: false, ..browser };
    graph.update(&site.sources, &options, &[entry("portal", BROWSER)], &site.modules, changed)
}

/// Bundles the script of redirecting pages.
///
/// # Errors
/// What is wrong with its modules.
pub fn bundle_for_redirects(context: Context<'_>, site: &Site) -> Result<Bundle, Vec<Diagnostic>> {
    bundle(site, &site.sources, &Settings::of(context, site).redirect, ("redirect", REDIRECT))
}

fn entry(name: &str, module: &str) -> Entry {
    Entry { name: name.to_owned(), module: module.to_owned() }
}

fn bundle(
    site: &Site,
    sources: &Arc<dyn Sources>,
    options: &Options,
    (name, module): (&str, &str),
) -> Result<Bundle, Vec<Diagnostic>> {
    portalgen_bundle::bundle(sources, options, &[entry(name, module)], &site.modules)
}

fn options_for(context: Context<'_>, site: &Site, platform: Platform, clock: Clock) -> Options {
    let Context { session, options, .. } = context;
    let source_maps = match platform {
        Platform::Prerender => SourceMaps::Lookup,
        Platform::Browser if options.source_maps.is_some() => SourceMaps::File,
        _ => SourceMaps::None,
    };
    Options {
        mode: options.mode,
        minify: options.minify && platform == Platform::Browser,
        minify_sheets: options.minify,
        source_maps,
        base: site.portal.urls.base.url(),
        env: options.env.clone(),
        integrity: site.portal.integrity,
        retries: platform == Platform::Browser,
        lazy_entries: runtime::pages(&site.folder, &site.portal),
        regex_judge: REGEX_JUDGE,
        modules: session.modules.clone(),
        clock,
        chunks: Some(session.store.results(Kind::Chunks)),
        scans: Some(session.store.results(Kind::Scans)),
        ..Options::new(&site.root, &site.folder, platform)
    }
}
