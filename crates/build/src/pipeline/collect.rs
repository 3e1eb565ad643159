//! What is published besides pages and scripts, and what is known of earlier builds.

use portalgen_base::{diagnostic::Diagnostic, store::Kind};
use portalgen_portal::{Portal, history::History};
use portalgen_release::earlier_build::Previous;

use super::{expand::Site, options::Context};
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

/// Reads and makes all of that.
///
/// # Errors
/// No icons can be made of the image.
pub fn collect(context: Context<'_>, site: &Site) -> Result<Collected, Vec<Diagnostic>> {
    let (icons, history) = rayon::join(|| icons(context, site), || history(context, site));
    let icons = icons?;
    let (public, warnings) = public_files::collect(&*site.sources, &site.root, &site.folder.join("public"));
    Ok(Collected { icons, public, history, previous: previous(context, site), warnings })
}

fn icons(context: Context<'_>, site: &Site) -> Result<Option<Icons>, Vec<Diagnostic>> {
    let Some(source) = &site.portal.site.icon else { return Ok(None) };
    let background = site.portal.site.background_color;
    let known = context.session.store.results(Kind::Icons);
    let make = || Icons::make(&*site.sources, &site.root, source, background, &known);
    context.options.clock.time("icons", make).map(Some)
}

/// Only dates in the list of pages follow from the history, and without an origin there is no such list.
fn history(context: Context<'_>, site: &Site) -> History {
    match site.portal.urls.origin {
        Some(_) => {
            context.options.clock.time("history", || (context.options.history)(&site.root, &context.session.store))
        }
        None => History::default(),
    }
}

fn previous(context: Context<'_>, site: &Site) -> Option<Previous> {
    let Portal { budget, routes, keep, .. } = &site.portal;
    let has_budget = budget.js.is_some() || budget.css.is_some() || routes.iter().any(|route| route.budget.is_some());
    let folder = context.options.previous.as_ref().filter(|_| *keep > 0 || has_budget)?;
    Previous::open(&*site.sources, folder)
}
