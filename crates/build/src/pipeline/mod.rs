//! A build from sources to the set of files that will be published.
//!
//! ```text
//! configure   Configured          routes.toml, templates, ledger and packages are read
//! expand      Site                routes are settled, and modules written that follow from them
//! bundle      Scripts, Bundle     the site for browsers, and for the engine
//! render      Renderer, Pages     pages to HTML; failures tells what the bundles know about those that fail
//! collect     Collected           icons, site/public, what is known of earlier builds
//! assemble    Assembled           one set of files; documents are those of pages, needed says what they link
//! judge       [Diagnostic]        the finished documents, by rules, while their scripts are weighed
//! ```
//!
//! Each stage is a function of what it is given, and can be called by itself: [`build`] calls all of them once. What outlives
//! a build is in the [`Session`].

mod assemble;
mod bundle;
mod chunks;
mod collect;
mod configure;
mod documents;
mod expand;
mod failures;
mod judge;
mod kept_bundles;
mod kept_pages;
mod live;
mod needed;
mod options;
mod regex;
mod render;
mod session;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use self::{collect::ask_for_history, kept_bundles::KeptBundles};
use portalgen_base::{blob::Spill, diagnostic::Diagnostic, problems::Problems};
use portalgen_bundle::Bundle;
use portalgen_portal::{Portal, history::History};
use portalgen_release::{manifest::Manifest, output::OutputSet};

/// What to do about a hook that found no component at work, for those who hear of it from browsers.
pub use portalgen_engine::outside_of_component;

pub use self::{
    assemble::{Assembled, assemble},
    bundle::{ENTRY, Scripts, bundle_for_engine, bundle_for_redirects, update_graph},
    collect::{Collected, collect},
    configure::{Configured, configure},
    expand::{Site, expand},
    failures::PageProblem,
    judge::judge,
    live::{Found, LazyScripts, LiveParts, LivePortal},
    options::{BuildOptions, Context, SITE, TEMPLATES},
    regex::REGEX_JUDGE,
    render::{Pages, Renderer, render},
    session::Session,
};

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
    /// For each CSS module, by its path in the folder of the site, its exports as declarations of TypeScript.
    pub css_module_types: BTreeMap<String, String>,
    /// What should be looked at, in the order of the files.
    pub warnings: Vec<Diagnostic>,
    /// When sources were changed, where that was asked for.
    pub history: Option<History>,
}

/// Builds the portal.
///
/// # Errors
/// Every independent mistake that was found, warnings beside them. Stages after a failed one do not run.
pub fn build(session: &Session, options: &BuildOptions) -> Result<Build, Vec<Diagnostic>> {
    let spill = Spill::beside(&session.store);
    let context = Context { session, options, spill: &spill };
    let site = expand(&options.root, configure(context)?)?;
    let Made { scripts, renderer, pages, collected, kept } =
        thread::scope(|threads| make(context, &site, ask_for_history(threads, context, &site)))?;
    let history = site.portal.urls.origin.as_ref().map(|_| collected.history.clone());
    let finish = || {
        let assembled = assemble(context, &site, &scripts, &pages, collected)?;
        judge(context, &site, &scripts, (&renderer, &pages), assembled)
    };
    let keep = || kept.as_ref().map(|kept| kept.put(&site, &scripts, renderer.bundle()));
    let (finished, _) = rayon::join(finish, || options.clock.time("keep the bundles", keep));
    let (assembled, warnings) = finished?;
    Ok(Build {
        ledger: site.ledger.with(&site.portal, &assembled.output),
        output: assembled.output,
        portal: site.portal,
        manifest: assembled.manifest,
        css_module_types: css_module_types(&scripts.browser),
        warnings,
        history,
    })
}

/// What the stages between the sources and the set of files make.
struct Made {
    scripts: Scripts,
    renderer: Renderer,
    pages: Pages,
    collected: Collected,
    /// Where to keep the bundles, unless an earlier build has.
    kept: Option<KeptBundles>,
}

/// Runs these stages side by side: pages do not wait for the bundle for browsers.
fn make(context: Context<'_>, site: &Site, history: impl FnOnce() -> History + Send) -> Result<Made, Vec<Diagnostic>> {
    let settings = bundle::Settings::of(context, site);
    let kept = KeptBundles::of(&context.session.store, site, &settings.all());
    let known = || kept.as_ref()?.get(site);
    let (scripts, engine) = context.options.clock.time("bundles of earlier builds", known).unzip();
    let kept = kept.filter(|_| engine.is_none());
    let sources = kept.as_ref().map_or_else(|| Arc::clone(&site.sources), KeptBundles::sources);

    let modules = Modules { session: context.session, site, bundles_to_come: AtomicUsize::new(2) };
    let for_browsers = || modules.of(|| bundle::for_browsers((context, site), &settings, &sources));
    let for_the_engine = || modules.of(|| bundle::for_the_engine((context, site), &settings, &sources));
    let scripts = || scripts.map_or_else(for_browsers, Ok);
    let engine = || engine.map_or_else(for_the_engine, Ok);
    let pages = || {
        let engine = engine().map_err(|found| found.into_iter().map(PageProblem::from).collect::<Vec<_>>())?;
        let renderer = Renderer::new(site, engine);
        let pages = render(context, site, &renderer, renderer.jobs())?;
        Ok((renderer, pages))
    };
    let collected = || collect(context, site, history);
    // Pages before what is collected: of what one thread leaves, another one takes the outermost half first.
    let (scripts, (pages, collected)) = rayon::join(scripts, || rayon::join(pages, collected));
    let pages = pages.map_err(|found| failures::beside(found, &scripts, &site.portal.levels));
    let mut problems = Problems::default();
    match (problems.take(scripts), problems.take(pages), problems.take(collected)) {
        (Some(scripts), Some((renderer, pages)), Some(collected)) => {
            Ok(Made { scripts, renderer, pages, collected, kept })
        }
        _ => Err(problems.into_diagnostics()),
    }
}

/// From so many routes on, modules are worth the time that it takes to take them apart.
const MANY_ROUTES: usize = 2_000;

/// The modules that both bundles are made of.
struct Modules<'a> {
    session: &'a Session,
    site: &'a Site,
    bundles_to_come: AtomicUsize,
}

impl Modules<'_> {
    /// Makes a bundle. After the last one that a process makes of many modules, their memory is given back.
    fn of<T>(&self, bundle: impl FnOnce() -> T) -> T {
        let bundle = bundle();
        let is_last = self.bundles_to_come.fetch_sub(1, Ordering::AcqRel) == 1 && self.session.is_for_one_build;
        if is_last && self.site.portal.routes.len() >= MANY_ROUTES {
            self.session.modules.forget();
        }
        bundle
    }
}

/// The types of the site's own CSS modules, by their paths in its folder.
fn css_module_types(bundle: &Bundle) -> BTreeMap<String, String> {
    let in_site = |name: &str| Some(name.strip_prefix(SITE)?.strip_prefix('/')?.to_owned());
    bundle.css_module_types.iter().filter_map(|(name, types)| Some((in_site(name)?, types.clone()))).collect()
}
