//! The fourth stage: pages are rendered to HTML in the engine.

use std::{collections::BTreeMap, path::Path, sync::OnceLock};

use portalgen_base::{diagnostic::Diagnostic, store::Kind, text::text};
use portalgen_bundle::Bundle;
use portalgen_engine::{Around, Failure, Frame, Limits, Locate, PageJob, Program, RenderedPage, Script};
use rayon::prelude::*;

use super::{
    expand::Site,
    failures::{PageProblem, explained, locate},
    kept_pages::{KeptPages, PageKeys, Sight},
    needed::LazyParts,
    options::Context,
};
use crate::{check::Look, head_elements, runtime::NOT_FOUND_PATH};

/// What renders pages: the site's bundle for the engine. Any page can be rendered at any time.
pub struct Renderer {
    bundle: Bundle,
    /// The bundle compiled, once a page has to be rendered: that takes longer than to take pages from earlier builds.
    program: OnceLock<Result<Program, Diagnostic>>,
    keys: OnceLock<PageKeys>,
    /// For each page, by its path, the script with it as the entry of the program would import it.
    scripts: BTreeMap<String, String>,
}

/// Pages that were rendered.
pub struct Pages {
    /// Their HTML, in the order in which they were asked for.
    pub rendered: Vec<RenderedPage>,
    /// The modules that `import()` brought while they were rendered.
    pub lazy: LazyParts,
    /// What should be looked at in them.
    pub warnings: Vec<Diagnostic>,
}

impl Renderer {
    /// A renderer for the pages of a site.
    ///
    /// # Errors
    /// The module of a page exports no component.
    pub fn new(site: &Site, bundle: Bundle) -> Result<Self, Vec<Diagnostic>> {
        check_default_exports(site, &bundle)?;
        let script = |component: Option<&Path>| bundle.lazy_file(site.module_name(component)).unwrap_or_default();
        let pages = site.pages().map(|(route, component)| (route.path.as_str().to_owned(), script(Some(component))));
        let not_found = (NOT_FOUND_PATH.to_owned(), script(site.portal.not_found.component.as_deref()));
        let scripts = pages.chain([not_found]).map(|(path, script)| (path, script_of(script))).collect();
        Ok(Self { bundle, program: OnceLock::new(), keys: OnceLock::new(), scripts })
    }

    /// All pages of a site, the not-found page included.
    pub fn jobs(&self, site: &Site) -> Vec<PageJob> {
        let job = |path: &str, title: &str, place| PageJob {
            path: path.to_owned(),
            script: self.script(path).to_owned(),
            title: title.to_owned(),
            place,
        };
        let pages = site.pages();
        let pages = pages.map(|(route, _)| job(route.path.as_str(), &route.title, Some(route.places.path.clone())));
        pages.chain([job(NOT_FOUND_PATH, &site.portal.not_found.title, None)]).collect()
    }

    fn script(&self, path: &str) -> &str {
        self.scripts.get(path).map(String::as_str).unwrap_or_default()
    }

    fn program(&self) -> Result<&Program, &Diagnostic> {
        self.program.get_or_init(|| compile(&self.bundle)).as_ref()
    }

    /// What earlier builds rendered.
    fn kept(&self, context: Context<'_>) -> KeptPages<'_> {
        let [pages, sights] = [Kind::Pages, Kind::Sights].map(|kind| context.session.store.results(kind));
        let keys = self.keys.get_or_init(|| PageKeys::of(&self.bundle));
        KeptPages { pages, sights, bundle: &self.bundle, keys }
    }

    /// The renderer as rules look through it.
    pub(super) fn looker(&self, context: Context<'_>) -> Looker<'_> {
        Looker { renderer: self, kept: self.kept(context) }
    }

    /// The bundle that it was made of.
    pub(super) fn bundle(&self) -> &Bundle {
        &self.bundle
    }

    /// What should be looked at in the modules of the bundle.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.bundle.warnings
    }
}

/// Renders pages side by side, unless an earlier build has.
///
/// # Errors
/// The engine does not take the code; what kept pages from being rendered, with what they say besides.
pub fn render(
    context: Context<'_>,
    site: &Site,
    renderer: &Renderer,
    jobs: &[PageJob],
) -> Result<Pages, Vec<PageProblem>> {
    let Renderer { bundle, .. } = renderer;
    let locate = |frame: &Frame| locate(bundle, frame);
    let results = rendered(context, renderer, jobs, &locate)?;
    let reported = portalgen_engine::report(jobs, &results, &locate);
    if reported.iter().any(|reported| reported.failure.is_some()) {
        return Err(reported.into_iter().map(|reported| explained(reported, bundle)).collect());
    }
    let pages: Vec<RenderedPage> = results.into_iter().filter_map(Result::ok).collect();
    let lazy = LazyParts::of(bundle, &pages);
    let titles = pages.iter().filter_map(|page| second_title(site, page));
    let warnings = reported.into_iter().map(|reported| reported.diagnostic).chain(titles).collect();
    Ok(Pages { rendered: pages, lazy, warnings })
}

/// The pages, from earlier builds or from the engine, in the given order.
fn rendered(
    context: Context<'_>,
    renderer: &Renderer,
    jobs: &[PageJob],
    locate: &Locate<'_>,
) -> Result<Vec<Result<RenderedPage, Failure>>, Vec<PageProblem>> {
    let clock = &context.options.clock;
    let kept = renderer.kept(context);
    let known: Vec<Option<RenderedPage>> =
        clock.time("pages of earlier builds", || jobs.par_iter().map(|job| kept.get(job)).collect());
    let missing = jobs.iter().zip(&known).filter(|(_, page)| page.is_none());
    let missing: Vec<PageJob> = missing.map(|(job, _)| job.clone()).collect();
    if missing.is_empty() {
        return Ok(known.into_iter().flatten().map(Ok).collect());
    }
    let program = clock.time("compile for the engine", || renderer.program());
    let program = program.map_err(|diagnostic| vec![diagnostic.clone().into()])?;
    let prerender = || portalgen_engine::prerender(program, &missing, &Limits::default(), locate);
    let new = clock.time("prerender", prerender);
    for (job, page) in missing.iter().zip(&new) {
        if let Ok(page) = page {
            kept.put(job, page);
        }
    }
    let mut new = new.into_iter();
    Ok(known.into_iter().filter_map(|known| known.map(Ok).or_else(|| new.next())).collect())
}

fn compile(bundle: &Bundle) -> Result<Program, Diagnostic> {
    let scripts: Vec<Script<'_>> =
        bundle.chunks.iter().map(|chunk| Script { name: &chunk.file_name, code: &chunk.code }).collect();
    Program::compile(&scripts, bundle.entry_file()).map_err(|failure| {
        let frame = failure.frames.first();
        let place = frame.and_then(|frame| locate(bundle, frame));
        let reason = &failure.message;
        let diagnostic =
            Diagnostic::error(text!("the pages' code cannot be run: {reason}", "页面的代码无法运行：{reason}", reason));
        diagnostic.at_known(place)
    })
}

/// A script of the output, as a script beside it imports it.
pub(super) fn script_of(file: &str) -> String {
    format!("./{}", file.rsplit('/').next().unwrap_or(file))
}

/// A page's module must export the component.
fn check_default_exports(site: &Site, bundle: &Bundle) -> Result<(), Vec<Diagnostic>> {
    let missing = site.pages().filter_map(|(route, component)| {
        let name = site.module_name(Some(component));
        let is_missing = bundle.lazy.get(name).is_some_and(|module| !module.has_default);
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

/// Tells of a page that renders a `<title>`, beside the one that its document has.
fn second_title(site: &Site, page: &RenderedPage) -> Option<Diagnostic> {
    let title = head_elements::title(&page.html)?;
    let path = &page.path;
    let warning = Diagnostic::warning(text!(
        "{path} renders a `<title>`, “{title}”, but its document has one already",
        "{path} 渲染了 `<title>`“{title}”，但它的文档已经有标题了"
    ))
    .with_hint(text!(
        "write `title` in routes.toml, and leave `<title>` out of what pages and components render",
        "标题请写在 routes.toml 的 `title` 里，页面和组件里不要渲染 `<title>`"
    ));
    let place = match site.pages().find(|(route, _)| route.path.as_str() == page.path) {
        Some((route, _)) => Some(&route.places.path),
        None => site.portal.not_found.place.as_ref(),
    };
    Some(warning.at_known(place.cloned()))
}

/// Looks at pages again, unless an earlier build has.
pub(super) struct Looker<'a> {
    renderer: &'a Renderer,
    kept: KeptPages<'a>,
}

impl Look for Looker<'_> {
    fn marked(&self, path: &str) -> Option<String> {
        let script = self.renderer.script(path);
        let look = || portalgen_engine::marked(self.renderer.program().ok()?, path, script, &Limits::default());
        self.kept.sight(Sight::Marked, (path, script), look)
    }

    fn around(&self, path: &str) -> Option<Around> {
        let look = || portalgen_engine::around(self.renderer.program().ok()?, path, &Limits::default());
        self.kept.sight(Sight::Around, (path, ""), look)
    }
}
