//! What the bundles tell about failures of pages.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    packages,
    rules::Levels,
    text::text,
};
use portalgen_bundle::Bundle;
use portalgen_engine::{Failure, FailureKind, Frame, Reported};

use super::{bundle::Scripts, chunks::Chunks};

/// Where a frame's code was written. None for the runtime, which users cannot mend.
pub(super) fn locate(chunks: &Chunks, frame: &Frame) -> Option<Place> {
    source_of(chunks, frame).filter(|place| !portalgen_bundle::is_virtual(&place.source.name))
}

fn source_of(chunks: &Chunks, frame: &Frame) -> Option<Place> {
    chunks.named(&frame.script)?.locate(frame.line.checked_sub(1)?, frame.column)
}

/// What kept pages from being rendered, or a warning beside it.
#[derive(Clone, Debug)]
pub struct PageProblem {
    /// It in words, with what the bundle for the engine tells about it.
    pub diagnostic: Diagnostic,
    /// What is wrong with the module that the page asked for with `import()`, if that is why it failed.
    pub cause: Option<Diagnostic>,
}

impl From<Diagnostic> for PageProblem {
    fn from(diagnostic: Diagnostic) -> Self {
        Self { diagnostic, cause: None }
    }
}

/// Adds what the bundle tells about a failure.
pub(super) fn explained(reported: Reported, chunks: &Chunks) -> PageProblem {
    let bundle = &chunks.bundle;
    let Reported { diagnostic, failure } = reported;
    let Some(failure) = failure else { return diagnostic.into() };
    let cause = failure.frames.first().and_then(|frame| bundle.set_aside.get(&source_of(chunks, frame)?.source.name));
    let diagnostic = with_import_chain(diagnostic, bundle, is_of_loading(&failure, chunks));
    let diagnostic = match failure.kind {
        FailureKind::Uninitialized(name) => with_circle(diagnostic, &name, bundle),
        _ => diagnostic,
    };
    PageProblem { diagnostic, cause: cause.cloned() }
}

/// Whether a module has failed while it was loaded, before anything was rendered.
fn is_of_loading(failure: &Failure, chunks: &Chunks) -> bool {
    let places: Vec<Place> = failure.frames.iter().filter_map(|frame| locate(chunks, frame)).collect();
    let is_of_react = |place: &Place| packages::package_of(&place.source.name) == Some("react-dom");
    failure.kind == FailureKind::Threw && !places.is_empty() && !places.iter().any(is_of_react)
}

/// Says of an error in a package how the site came to need that package, and of one in a module that fails while it is loaded how
/// a page came to load it.
fn with_import_chain(diagnostic: Diagnostic, bundle: &Bundle, is_of_loading: bool) -> Diagnostic {
    let chain = diagnostic.place.as_ref().map(|place| match bundle.import_chain(&place.source.name) {
        chain if chain.is_empty() && is_of_loading => bundle.loading_chain(&place.source.name),
        chain => chain,
    });
    let chain = chain.unwrap_or_default();
    if chain.len() < 2 {
        return diagnostic;
    }
    let chain = chain.join(" -> ");
    diagnostic.with_hint(text!("import chain: {chain}", "导入链：{chain}"))
}

/// Says of a variable that is read before its module ran how that module came to wait for the one that reads it.
fn with_circle(diagnostic: Diagnostic, name: &str, bundle: &Bundle) -> Diagnostic {
    match circle(&diagnostic, name, bundle) {
        Some((declared, circle)) => diagnostic
            .with_related(
                declared,
                text!("declared here, in a module that has not run yet", "在这里声明，但这个模块还没有运行"),
            )
            .with_hint(text!(
                "circular import, so one of the modules runs before the others are ready: {circle}",
                "这些模块循环导入，总有一个要先运行：{circle}"
            ))
            .with_hint(text!(
                "move what both need into a separate module, or use it inside a function that is called later",
                "请把双方都需要的内容移到单独的模块里，或者在之后才调用的函数里使用它"
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

/// Failures of pages, told beside what came of the bundle for browsers.
///
/// Left out are those over modules that this bundle complains about at their places. The warnings about modules are added:
/// one may be the reason of a failure.
pub(super) fn beside(
    problems: Vec<PageProblem>,
    scripts: &Result<Scripts, Vec<Diagnostic>>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let told = scripts.as_ref().err().map(Vec::as_slice).unwrap_or_default();
    let is_told =
        |cause: &Diagnostic| told.iter().any(|told| told.place == cause.place && told.message == cause.message);
    let untold = problems.into_iter().filter(|problem| !problem.cause.as_ref().is_some_and(is_told));
    let warnings = scripts.iter().flat_map(|scripts| &scripts.browser.warnings).cloned();
    let warnings = warnings.filter_map(|warning| warning.weighed(levels));
    untold.map(|problem| problem.diagnostic).chain(warnings).collect()
}
