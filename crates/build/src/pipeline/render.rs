//! The fourth stage: pages are rendered to HTML in the engine.

use std::{
    collections::BTreeMap,
    path::Path,
    slice,
    sync::{Arc, OnceLock},
};

use portalgen_base::{
    blob::Blob,
    diagnostic::{Diagnostic, Place},
    store::Kind,
    text::text,
};
use portalgen_bundle::{Bundle, Mode};
use portalgen_engine::{Around, Failure, Frame, Limits, Locate, PageJob, Program, RenderedPage};
use rayon::prelude::*;

use super::{
    bundle::bundle_for_engine,
    chunks::Chunks,
    expand::Site,
    failures::{PageProblem, explained, locate},
    kept_pages::{KeptPages, PageKeys, Sight},
    needed::LazyParts,
    options::{BuildOptions, Context},
};
use crate::{check::Look, head_elements, runtime::NOT_FOUND_PATH};

/// What renders pages: the site's bundle for the engine. Any page can be rendered at any time.
pub struct Renderer {
    chunks: Arc<Chunks>,
    /// The bundle compiled, once a page has to be rendered: that takes longer than to take pages from earlier builds.
    program: OnceLock<Result<Program, Diagnostic>>,
    keys: OnceLock<PageKeys>,
    jobs: Vec<PageJob>,
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

impl Pages {
    /// What React rendered, by the paths of the pages.
    pub(super) fn html(&self) -> BTreeMap<&str, &Blob> {
        self.rendered.iter().map(|page| (page.path.as_str(), &page.html)).collect()
    }
}

impl Renderer {
    /// A renderer for the pages of a site.
    pub fn new(site: &Site, bundle: Bundle) -> Self {
        let (program, keys) = Default::default();
        let jobs = jobs(site, &bundle);
        Self { chunks: Arc::new(Chunks::of(bundle)), program, keys, jobs }
    }

    /// All pages of the site, the not-found page included.
    pub fn jobs(&self) -> &[PageJob] {
        &self.jobs
    }

    fn program(&self) -> Result<&Program, &Diagnostic> {
        self.program.get_or_init(|| compile(&self.chunks)).as_ref()
    }

    /// Compiles what every page needs.
    pub(super) fn warm_up(&self) {
        // What is wrong with it is told of the first page.
        let _ = self.program();
    }

    /// What earlier builds rendered.
    fn kept(&self, context: Context<'_>) -> KeptPages<'_> {
        let [pages, sights] = [Kind::Pages, Kind::Sights].map(|kind| context.session.store.results(kind));
        let keys = self.keys.get_or_init(|| PageKeys::of(self.bundle()));
        KeptPages { pages, sights, chunks: &self.chunks, keys }
    }

    /// The renderer as rules look through it.
    pub(super) fn looker(&self, context: Context<'_>) -> Looker<'_> {
        Looker { renderer: self, kept: self.kept(context) }
    }

    /// The bundle that it was made of.
    pub(super) fn bundle(&self) -> &Bundle {
        &self.chunks.bundle
    }

    /// How pages fail, of which the numbers are given: those whose mistakes it knows the places of.
    fn failures(&self, numbers: &[usize], pages: &[PageJob], context: Context<'_>) -> Vec<(usize, Failure)> {
        let own = |page: &PageJob| self.jobs.iter().find(|job| job.path == page.path);
        let (numbers, jobs): (Vec<usize>, Vec<&PageJob>) =
            numbers.iter().filter_map(|number| Some((*number, own(&pages[*number])?))).unzip();
        let Ok(program) = self.program() else { return Vec::new() };
        let locate = |frame: &Frame| locate(&self.chunks, frame);
        let results = portalgen_engine::prerender(program, &jobs, &Limits::default(), &locate, context.spill);
        let failures = numbers.into_iter().zip(results).filter_map(|(number, result)| Some((number, result.err()?)));
        failures
            .filter(|(_, failure)| failure.at_work.as_ref().is_some_and(|at_work| !at_work.owners.is_empty()))
            .collect()
    }

    /// What should be looked at in the modules of the bundle.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.bundle().warnings
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
    let Explored { results, again } = explored(context, site, renderer, jobs)?;
    outcome(site, renderer, &|frame| locate_in(renderer, again.as_ref(), frame), jobs, results)
}

/// The same with an outcome for each page.
///
/// # Errors
/// The engine does not take the code.
pub(super) fn render_each(
    context: Context<'_>,
    site: &Site,
    renderer: &Renderer,
    jobs: &[PageJob],
) -> Result<Vec<Result<Pages, Vec<PageProblem>>>, Vec<PageProblem>> {
    let Explored { results, again } = explored(context, site, renderer, jobs)?;
    let locate = |frame: &Frame| locate_in(renderer, again.as_ref(), frame);
    let outcome = |(job, result)| outcome(site, renderer, &locate, slice::from_ref(job), vec![result]);
    Ok(jobs.iter().zip(results).map(outcome).collect())
}

/// So many pages are rendered once more to learn where their mistakes are.
const MOST_EXPLORED: usize = 8;

/// What came of pages.
struct Explored {
    results: Vec<Result<RenderedPage, Failure>>,
    /// What has rendered some of them once more.
    again: Option<Renderer>,
}

/// Renders pages, and those that React fails over once more with its development build: only that knows where the mistake is.
fn explored(
    context: Context<'_>,
    site: &Site,
    renderer: &Renderer,
    jobs: &[PageJob],
) -> Result<Explored, Vec<PageProblem>> {
    let locate = |frame: &Frame| locate_in(renderer, None, frame);
    let mut results = rendered(context, renderer, jobs, &locate)?;
    let is_vague = |result: &Result<_, Failure>| {
        result.as_ref().is_err_and(|failure| portalgen_engine::is_vague(failure, &locate))
    };
    let vague: Vec<usize> = (0..results.len()).filter(|&index| is_vague(&results[index])).take(MOST_EXPLORED).collect();
    if vague.is_empty() || context.options.mode == Mode::Development {
        return Ok(Explored { results, again: None });
    }
    let options = BuildOptions { mode: Mode::Development, ..context.options.clone() };
    let context = Context { options: &options, ..context };
    // Where that fails, the page's own failure says what it can.
    let again = bundle_for_engine(context, site).map(|bundle| Renderer::new(site, bundle)).ok();
    for (index, failure) in again.iter().flat_map(|again| again.failures(&vague, jobs, context)) {
        results[index] = Err(failure);
    }
    Ok(Explored { results, again })
}

/// Where a frame's code was written, of one of two renderers. Names of scripts differ with what is in them.
fn locate_in(renderer: &Renderer, again: Option<&Renderer>, frame: &Frame) -> Option<Place> {
    locate(&renderer.chunks, frame).or_else(|| locate(&again?.chunks, frame))
}

/// What is to be told of pages that were rendered.
fn outcome(
    site: &Site,
    renderer: &Renderer,
    locate: &Locate<'_>,
    jobs: &[PageJob],
    results: Vec<Result<RenderedPage, Failure>>,
) -> Result<Pages, Vec<PageProblem>> {
    let reported = portalgen_engine::report(jobs, &results, locate);
    if reported.iter().any(|reported| reported.failure.is_some()) {
        return Err(reported.into_iter().map(|reported| explained(reported, &renderer.chunks)).collect());
    }
    let pages: Vec<RenderedPage> = results.into_iter().filter_map(Result::ok).collect();
    let lazy = LazyParts::of(renderer.bundle(), &pages);
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
        clock.time("pages of earlier builds", || jobs.par_iter().map(|job| kept.get(job, context.spill)).collect());
    let missing = jobs.iter().zip(&known).filter(|(_, page)| page.is_none());
    let missing: Vec<&PageJob> = missing.map(|(job, _)| job).collect();
    if missing.is_empty() {
        return Ok(known.into_iter().flatten().map(Ok).collect());
    }
    let program = clock.time("compile for the engine", || renderer.program());
    let program = program.map_err(|diagnostic| vec![diagnostic.clone().into()])?;
    let prerender = || portalgen_engine::prerender(program, &missing, &Limits::default(), locate, context.spill);
    let new = clock.time("prerender", prerender);
    for (job, page) in missing.iter().zip(&new) {
        if let Ok(page) = page {
            kept.put(job, page);
        }
    }
    let mut new = new.into_iter();
    Ok(known.into_iter().filter_map(|known| known.map(Ok).or_else(|| new.next())).collect())
}

fn compile(chunks: &Arc<Chunks>) -> Result<Program, Diagnostic> {
    let program = Program::compile(Arc::<Chunks>::clone(chunks), chunks.bundle.entry_file());
    program.map_err(|failure| portalgen_engine::report_program(&failure, &|frame| locate(chunks, frame)))
}

fn jobs(site: &Site, bundle: &Bundle) -> Vec<PageJob> {
    let script = |component: Option<&Path>| bundle.lazy_file(site.module_name(component)).unwrap_or_default();
    let job = |path: &str, component: Option<&Path>, title: &str, place| PageJob {
        path: path.to_owned(),
        script: script_of(script(component)),
        title: title.to_owned(),
        place,
    };
    let pages = site.pages().map(|(route, component)| {
        job(route.path.as_str(), Some(component), &route.title, Some(route.places.path.clone()))
    });
    let not_found = &site.portal.not_found;
    pages.chain([job(NOT_FOUND_PATH, not_found.component.as_deref(), &not_found.title, None)]).collect()
}

/// A script of the output, as a script beside it imports it.
fn script_of(file: &str) -> String {
    format!("./{}", file.rsplit('/').next().unwrap_or(file))
}

/// Tells of a page that renders a `<title>`, beside the one that its document has.
fn second_title(site: &Site, page: &RenderedPage) -> Option<Diagnostic> {
    let html = page.html.text();
    let title = head_elements::title(&html)?;
    let path = &page.path;
    let warning = Diagnostic::warning(text!(
        "{path} renders a `<title>` (“{title}”), but the document already has one",
        "{path} 渲染了 `<title>`（“{title}”），但文档已经有标题了"
    ))
    .with_hint(text!(
        "set `title` in routes.toml, and do not render `<title>` in pages or components",
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
        let script = self.renderer.jobs.iter().find(|job| job.path == path).map(|job| job.script.as_str())?;
        let look = || portalgen_engine::marked(self.renderer.program().ok()?, path, script, &Limits::default());
        self.kept.sight(Sight::Marked, (path, script), look)
    }

    fn around(&self, path: &str) -> Option<Around> {
        let look = || portalgen_engine::around(self.renderer.program().ok()?, path, &Limits::default());
        self.kept.sight(Sight::Around, (path, ""), look)
    }
}
