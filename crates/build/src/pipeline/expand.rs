//! The second stage: routes and modules are settled.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Sources, display_name},
};
use portalgen_bundle::{ModuleInfo, VirtualModule};
use portalgen_portal::{Portal, Route};
use portalgen_release::ledger::Ledger;

use super::{configure::Configured, options::SITE};
use crate::{
    page_files::{self, UnroutedFile},
    runtime::{self, NOT_FOUND},
    shell::Shells,
};

/// A portal whose routes are settled, and all that its pages are made of besides the site's own modules.
pub struct Site {
    /// The tree of files that the build reads.
    pub sources: Arc<dyn Sources>,
    /// The project's folder, absolute.
    pub root: PathBuf,
    /// The folder of the site's modules.
    pub folder: PathBuf,
    /// The routes, and what else `routes.toml` says.
    pub portal: Portal,
    /// The templates.
    pub shells: Shells,
    /// The addresses that were published before.
    pub ledger: Ledger,
    /// Modules that no file of the site holds, by name.
    pub modules: BTreeMap<String, VirtualModule>,
    /// What should be looked at in `routes.toml`.
    pub warnings: Vec<Diagnostic>,
    /// Components in the folder of pages that no route shows.
    pub unrouted: Vec<UnroutedFile>,
    /// Components by their files, as the bundler names them.
    names: BTreeMap<PathBuf, String>,
}

/// Settles the routes of a project, and writes the modules that follow from them.
///
/// # Errors
/// A template has no place for what the portal asks for.
pub fn expand(root: &Path, configured: Configured) -> Result<Site, Vec<Diagnostic>> {
    let Configured { sources, portal, shells, ledger, warnings } = configured;
    if portal.integrity {
        shells.check_integrity().map_err(|error| vec![error])?;
    }
    let folder = root.join(SITE);
    let modules = runtime::modules(&*sources, &folder, &portal);
    let components = portal.routes.iter().filter_map(Route::component).chain(portal.not_found.component.as_deref());
    // Links lead to one name.
    let name = |file: &Path| {
        let real = sources.canonicalize(file);
        display_name(root, real.as_deref().unwrap_or(file))
    };
    let mut names = BTreeMap::new();
    for component in components {
        names.entry(component.to_owned()).or_insert_with_key(|component| name(component));
    }
    let unrouted = page_files::unrouted(&*sources, root, &folder, &portal);
    Ok(Site { root: root.to_owned(), folder, modules, unrouted, names, sources, portal, shells, ledger, warnings })
}

impl Site {
    /// The routes that show a page, with their components.
    pub fn pages(&self) -> impl Iterator<Item = (&Route, &Path)> {
        self.portal.routes.iter().filter_map(|route| Some((route, route.component()?)))
    }

    /// The names that the bundler has for the components of all pages.
    pub fn modules_of_pages(&self) -> impl Iterator<Item = &str> {
        let not_found = self.portal.not_found.component.as_deref();
        self.pages().map(|(_, component)| Some(component)).chain([not_found]).map(|page| self.module_name(page))
    }

    /// What to say of page files that neither a route nor one of these modules needs.
    pub fn unused_pages(&self, modules: &[ModuleInfo]) -> Vec<Diagnostic> {
        if self.unrouted.is_empty() {
            return Vec::new();
        }
        let imported: BTreeSet<&str> = modules.iter().map(|module| &*module.name).collect();
        page_files::unused(&self.unrouted, &self.portal, |name| imported.contains(name))
    }

    /// The name that the bundler has for a component. None stands for the not-found page of a site that has no own.
    pub fn module_name(&self, component: Option<&Path>) -> &str {
        component.and_then(|component| self.names.get(component)).map_or(NOT_FOUND, String::as_str)
    }
}
