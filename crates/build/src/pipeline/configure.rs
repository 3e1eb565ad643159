//! The first stage: what is written beside the site's modules is read.

use std::sync::Arc;

use portalgen_base::{diagnostic::Diagnostic, packages, problems::Problems, source::Sources};
use portalgen_portal::Portal;
use portalgen_release::ledger::Ledger;

use super::options::{Context, SITE};
use crate::shell::Shells;

/// What a project says, each file for itself.
pub struct Configured {
    /// The tree of files that the rest of the build reads: what `[build] allow` adds is in it.
    pub sources: Arc<dyn Sources>,
    /// What `routes.toml` says.
    pub portal: Portal,
    /// The templates.
    pub shells: Shells,
    /// The addresses that were published before.
    pub ledger: Ledger,
    /// What should be looked at in `routes.toml`.
    pub warnings: Vec<Diagnostic>,
}

/// Reads `routes.toml`, the templates and the ledger, and looks for the packages that every portal needs.
///
/// # Errors
/// What is wrong with any of them.
pub fn configure(context: Context<'_>) -> Result<Configured, Vec<Diagnostic>> {
    let Context { session, options, .. } = context;
    let root = &options.root;
    let mut problems = Problems::default();
    let portal = options.clock.time("config", || portalgen_portal::load(&*session.sources, root, &options.overrides));
    let portal = problems.take(portal);
    let allowed = portal.as_ref().map(|(portal, _)| portal.allow.as_slice()).unwrap_or_default();
    // The module cache knows sources again only if they are the same object.
    let sources = if allowed.is_empty() { session.sources.clone() } else { session.sources.allowing(allowed) };
    let shells = problems.take(Shells::load(&*sources, root));
    let packages = problems.take(packages::check(&*sources, &root.join(SITE)));
    let ledger = problems.take(Ledger::load(&*sources, root));
    match (portal, shells, packages, ledger) {
        (Some((portal, warnings)), Some(shells), Some(()), Some(ledger)) => {
            Ok(Configured { sources, portal, shells, ledger, warnings })
        }
        _ => Err(problems.into_diagnostics()),
    }
}
