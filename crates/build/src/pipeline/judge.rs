//! The last stage: the finished build is judged by rules, and described.

use std::path::Path;

use portalgen_base::{
    diagnostic::{self, Diagnostic},
    rules::Rule,
    store::Kind,
};
use portalgen_bundle::{Chunk, Mode};

use super::{
    assemble::Assembled,
    bundle::Scripts,
    expand::Site,
    needed::{Needed, SheetNumbers},
    options::Context,
    render::{Pages, Renderer},
};
use crate::{
    budget,
    check::{self, Judgement, Subject},
};

/// The build with its description, and what to say about it, in the order of the files.
///
/// # Errors
/// The latter, if there is an error among it.
pub fn judge(
    context: Context<'_>,
    site: &Site,
    scripts: &Scripts,
    (renderer, pages): (&Renderer, &Pages),
    assembled: Assembled,
) -> Result<(Assembled, Vec<Diagnostic>), Vec<Diagnostic>> {
    let levels = &site.portal.levels;
    let check = || in_documents(context, site, scripts, (renderer, pages), &assembled);
    let check = || context.options.clock.time("check", check);
    // Neither needs the other, and both have a file or two that take long.
    let (gzip_sizes, in_documents) = rayon::join(|| assembled.gzip_sizes(context), check);
    let assembled = assembled.described(&gzip_sizes, context.spill);
    let Assembled { output, manifest, previous, .. } = &assembled;
    let in_sources = scripts.browser.warnings.iter().chain(renderer.warnings()).chain(&pages.warnings).cloned();
    let in_sources = in_sources.filter_map(|found| found.weighed(levels));
    let in_ledger = site.ledger.check(&site.portal, output).into_iter().filter_map(|found| found.weighed(levels));

    let mut found = site.warnings.clone();
    found.extend(in_sources);
    found.extend(assembled.warnings.iter().cloned());
    found.extend(in_documents);
    found.extend(in_ledger);
    let unused = site.unused_pages(&scripts.browser.modules);
    found.extend(unused.into_iter().filter_map(|found| found.weighed(levels)));
    // What is not minified says nothing about how large it will be.
    if context.options.minify && context.options.mode == Mode::Production {
        found.extend(budget::check(&site.portal, manifest, previous.as_ref().map(|previous| &previous.manifest)));
    }
    if context.options.judgement == Judgement::Errors {
        found.retain(|found| found.is_error() || found.rule.is_none_or(Rule::is_told_by_builds));
    }
    if context.options.overrides.is_tolerant {
        found = found.into_iter().map(Diagnostic::tolerated).collect();
    }
    diagnostic::sort(&mut found);
    found.dedup();
    if found.iter().any(Diagnostic::is_error) { Err(found) } else { Ok((assembled, found)) }
}

/// What the rules say about the finished documents.
fn in_documents(
    context: Context<'_>,
    site: &Site,
    scripts: &Scripts,
    (renderer, pages): (&Renderer, &Pages),
    assembled: &Assembled,
) -> Vec<Diagnostic> {
    let sheets = SheetNumbers::of(&scripts.browser);
    let needed = Needed { site, bundle: &scripts.browser, lazy: &pages.lazy, sheets: &sheets };
    let subject = Subject {
        portal: &site.portal,
        output: &assembled.output,
        sources: &*site.sources,
        root: &site.root,
        written: &|| written_in(site, scripts.browser.chunks.iter().collect()),
        rendered: &pages.html(),
        readings: &context.session.store.results(Kind::Readings),
        look: &renderer.looker(context),
        written_for: &|path: &str, component: Option<&Path>| written_in(site, needed.rendered_chunks(component, path)),
        today: context.options.today,
    };
    check::check(&subject, context.options.judgement)
}

/// The files that chunks were written in by the site's authors, and the templates.
fn written_in(site: &Site, chunks: Vec<&Chunk>) -> Vec<String> {
    let modules = chunks.into_iter().flat_map(|chunk| &chunk.modules).map(|name| &**name);
    let modules = modules.filter(|name| portalgen_bundle::is_of_site(name));
    modules.chain(site.shells.own_templates()).map(ToOwned::to_owned).collect()
}
