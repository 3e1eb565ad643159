//! What is published besides pages and scripts, and what is known of earlier builds.

use std::{
    panic,
    thread::{self, Scope},
};

use portalgen_base::{diagnostic::Diagnostic, store::Kind};
use portalgen_portal::{Portal, history::History};
use portalgen_release::earlier_build::Previous;

use super::{
    expand::Site,
    options::{BuildOptions, Context},
};
use crate::{
    metadata::Icons,
    public_files::{self, PublicFile},
};

/// What pages do not have to be rendered for.
pub struct Collected {
    /// The icons that are made of the image that `[site]` names.
    pub icons: Option<Icons>,
    /// The files of `site/public`.
    pub public: Vec<PublicFile>,
    /// When sources were changed.
    pub history: History,
    /// The build before, where this one keeps something of it or is measured by it.
    pub previous: Option<Previous>,
    /// What should be looked at in `site/public`.
    pub warnings: Vec<Diagnostic>,
}

/// Reads and makes all of that, but for the history.
///
/// # Errors
/// No icons can be made of the image.
pub fn collect(
    context: Context<'_>,
    site: &Site,
    history: impl FnOnce() -> History,
) -> Result<Collected, Vec<Diagnostic>> {
    let icons = icons(context, site)?;
    let (public, warnings) = public_files::collect(&*site.sources, &site.root, &site.folder.join("public"));
    Ok(Collected { icons, public, history: history(), previous: previous(context, site), warnings })
}

/// Begins to ask when sources were changed. Git answers in processes of its own and takes as long as pages do, so what waits
/// for it is none of the threads that build. The result waits for the answer.
///
/// Only dates in the list of pages follow from the history, and without an origin there is no such list.
pub(super) fn ask_for_history<'scope>(
    threads: &'scope Scope<'scope, '_>,
    context: Context<'scope>,
    site: &'scope Site,
) -> impl FnOnce() -> History + Send {
    let BuildOptions { clock, history, .. } = context.options;
    let ask = move || clock.time("history", || history(&site.root, &context.session.store));
    let has_list = site.portal.urls.origin.is_some();
    let start = || thread::Builder::new().name("history".to_owned()).spawn_scoped(threads, ask);
    let asked = has_list.then(start);
    move || match asked {
        Some(Ok(asked)) => asked.join().unwrap_or_else(|reason| panic::resume_unwind(reason)),
        Some(Err(_)) => ask(),
        None => History::default(),
    }
}

fn icons(context: Context<'_>, site: &Site) -> Result<Option<Icons>, Vec<Diagnostic>> {
    let Some(source) = &site.portal.site.icon else { return Ok(None) };
    let background = site.portal.site.background_color;
    let known = context.session.store.results(Kind::Icons);
    let make = || Icons::make(&*site.sources, &site.root, source, background, &known);
    context.options.clock.time("icons", make).map(Some)
}

fn previous(context: Context<'_>, site: &Site) -> Option<Previous> {
    let Portal { budget, routes, keep, .. } = &site.portal;
    let has_budget = budget.js.is_some() || budget.css.is_some() || routes.iter().any(|route| route.budget.is_some());
    let folder = context.options.previous.as_ref().filter(|_| *keep > 0 || has_budget)?;
    Previous::open(&*site.sources, folder)
}
