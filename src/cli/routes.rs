//! `portalgen routes`: what the portal has.

use std::sync::Arc;

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::{
    Console, Failure,
    args::{PortalArguments, RoutesArguments},
    console::print,
    project_root, report,
};
use crate::{
    config::{self, Portal, Route, RouteKind},
    diagnostic::Diagnostic,
    source::{Disk, Sources, display_name},
    text::Text,
};

/// Lists the routes in the order of the file.
pub(super) fn command(arguments: &RoutesArguments, console: &Console) -> Result<(), Failure> {
    let Loaded { root, portal, warnings, .. } = load(&arguments.portal)?;
    let mut routes: Vec<_> = portal.routes.iter().collect();
    routes.sort_by_key(|route| route.places.path.span.start);
    let file = |route: &Route| match &route.kind {
        RouteKind::Page { component } => Some(display_name(&root, component)),
        RouteKind::Redirect(_) => None,
    };
    if console.wants_json() {
        let routes: Vec<Value> =
            routes.iter().map(|route| json_route(&portal, route, file(route).as_deref())).collect();
        console.result(&json!({ "ok": true, "routes": routes, "diagnostics": console.json(&warnings) }));
        return Ok(());
    }
    console.diagnostics(&warnings);
    let rows = routes.iter().map(|route| {
        let leads = match &route.kind {
            RouteKind::Page { .. } => file(route).unwrap_or_default(),
            RouteKind::Redirect(target) => format!("-> {}", target.href(&portal.base)),
        };
        [route.path.readable(), report::visible(&route.title), leads]
    });
    print(&table(&rows.collect::<Vec<_>>()));
    Ok(())
}

/// A portal as it stands in its file.
pub(super) struct Loaded {
    pub(super) root: std::path::PathBuf,
    pub(super) sources: Arc<dyn Sources>,
    pub(super) portal: Portal,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Reads `routes.toml`.
///
/// # Errors
/// The file has mistakes.
pub(super) fn load(arguments: &PortalArguments) -> Result<Loaded, Failure> {
    let root = project_root(&arguments.root)?;
    let sources: Arc<dyn Sources> = Arc::new(Disk);
    let loaded = config::load(&*sources, &root, &arguments.overrides());
    let (portal, warnings) =
        loaded.map_err(|diagnostics| Failure { outcome: Text::default(), ..Failure::of_site(diagnostics) })?;
    Ok(Loaded { root, sources, portal, warnings })
}

fn json_route(portal: &Portal, route: &Route, component: Option<&str>) -> Value {
    let redirect = match &route.kind {
        RouteKind::Page { .. } => None,
        RouteKind::Redirect(target) => Some(target.href(&portal.base)),
    };
    json!({
        "path": route.path.as_str(),
        "name": route.name,
        "title": route.title,
        "description": route.description,
        "noindex": route.noindex,
        "url": route.path.url(&portal.base),
        "component": component,
        "redirect": redirect,
        "line": route.places.path.line_column().0,
    })
}

/// Rows with columns as wide as a terminal needs them, two spaces apart.
pub(super) fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for (column, width) in widths.iter_mut().enumerate() {
        *width = rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    }
    let mut text = String::new();
    for row in rows {
        let padded = row.iter().zip(widths).map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.width())));
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
