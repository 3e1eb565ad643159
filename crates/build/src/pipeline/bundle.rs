//! The third stage: the site is bundled for browsers, and for the engine that renders its pages.

use portalgen_base::{diagnostic::Diagnostic, problems::Problems, store::Kind, timing::Clock};
use portalgen_bundle::{Bundle, Entry, Options, Platform, SourceMaps};

use super::{expand::Site, options::Context, regex::judge_regex};
use crate::runtime::{self, BROWSER, REDIRECT, SERVER};

/// The scripts that browsers run.
pub struct Scripts {
    /// The site: its pages, style sheets and assets.
    pub browser: Bundle,
    /// The one-file bundle for redirecting pages.
    pub redirect: Bundle,
}

/// Bundles the site as it is published.
///
/// # Errors
/// What is wrong with the modules of the site.
pub fn bundle_for_browsers(context: Context<'_>, site: &Site) -> Result<Scripts, Vec<Diagnostic>> {
    let stage = "bundle for the browser";
    let clock = &context.options.clock;
    let options = options_for(context, site, Platform::Browser, clock.parts_of(stage));
    let for_redirects =
        Options { lazy_entries: Vec::new(), clock: clock.parts_of("bundle for redirects"), ..options.clone() };
    let (browser, redirect) = rayon::join(
        || clock.time(stage, || bundle(site, &options, "portal", BROWSER)),
        || clock.time("bundle for redirects", || bundle(site, &for_redirects, "redirect", REDIRECT)),
    );
    let mut problems = Problems::default();
    let (Some(browser), Some(redirect)) = (problems.take(browser), problems.take(redirect)) else {
        return Err(problems.into_diagnostics());
    };
    Ok(Scripts { browser, redirect })
}

/// Bundles the site as the engine runs it to render pages.
///
/// # Errors
/// What is wrong with the modules of the site.
pub fn bundle_for_engine(context: Context<'_>, site: &Site) -> Result<Bundle, Vec<Diagnostic>> {
    let stage = "bundle for the engine";
    let clock = &context.options.clock;
    let options = options_for(context, site, Platform::Prerender, clock.parts_of(stage));
    clock.time(stage, || bundle(site, &options, "server", SERVER))
}

fn bundle(site: &Site, options: &Options, name: &str, module: &str) -> Result<Bundle, Vec<Diagnostic>> {
    let entry = Entry { name: name.to_owned(), module: module.to_owned() };
    portalgen_bundle::bundle(&site.sources, options, &[entry], &site.modules)
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
        regex_judge: judge_regex,
        modules: session.modules.clone(),
        clock,
        minified: Some(session.store.results(Kind::Minified)),
        ..Options::new(&site.root, &site.folder, platform)
    }
}
