//! `portalgen routes`: what the portal has.

use std::{path::PathBuf, sync::Arc};

use serde_json::{Value, json};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources, display_name},
};
use portalgen_portal::{Portal, Route};

use super::{
    args::{PortalArguments, RoutesArguments},
    columns,
    console::Console,
    failure::Failure,
    project::portal_root,
    shown::visible,
};

/// Lists the routes in the order of the file.
pub(super) fn command(arguments: &RoutesArguments, console: &Console) -> Result<(), Failure> {
    let Loaded { root, portal, warnings, .. } = load(&arguments.portal)?;
    let routes = portal.in_file_order();
    let file = |route: &Route| Some(display_name(&root, route.component()?));
    let target = |route: &Route| Some(route.redirect()?.href(&portal.urls));
    if console.wants_json() {
        let json = |route: &&Route| json_route(&portal, route, file(route).as_deref(), target(route).as_deref());
        let routes: Vec<Value> = routes.iter().map(json).collect();
        console.result(&json!({ "ok": true, "routes": routes, "diagnostics": console.json(&warnings) }));
        return Ok(());
    }
    console.diagnostics(&warnings);
    let rows = routes.iter().map(|route| {
        let leads = target(route).map(|target| format!("-> {target}"));
        let leads = leads.or_else(|| file(route)).unwrap_or_default();
        [route.path.readable(), visible(&route.title), leads]
    });
    console.print(&columns::table(&rows.collect::<Vec<_>>()));
    Ok(())
}

/// A portal as it stands in its file.
pub(super) struct Loaded {
    pub(super) root: PathBuf,
    pub(super) sources: Arc<dyn Sources>,
    pub(super) portal: Portal,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Reads `routes.toml`.
///
/// # Errors
/// The file has mistakes.
pub(super) fn load(arguments: &PortalArguments) -> Result<Loaded, Failure> {
    let root = portal_root(&arguments.root)?;
    let sources: Arc<dyn Sources> = Arc::new(Disk::of_project(&root));
    let loaded = portalgen_portal::load(&*sources, &root, &arguments.overrides());
    let (portal, warnings) = loaded.map_err(|diagnostics| Failure::of_site(diagnostics).without_outcome())?;
    Ok(Loaded { root, sources, portal, warnings })
}

fn json_route(portal: &Portal, route: &Route, component: Option<&str>, redirect: Option<&str>) -> Value {
    json!({
        "path": route.path.as_str(),
        "name": route.name,
        "title": route.title,
        "description": route.description,
        "noindex": route.noindex,
        "url": portal.urls.page(&route.path),
        "component": component,
        "redirect": redirect,
        "line": route.places.path.line_column().0,
    })
}
