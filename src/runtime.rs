//! The TypeScript that the binary carries, and the module it writes for each portal: together, what runs around the
//! site's pages in the browser and in the engine.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use crate::{
    bundle::VirtualModule,
    config::{Portal, RouteKind},
    packages,
    source::{Sources, display_name},
};

/// Entry of the browser's code.
pub(crate) const BROWSER: &str = "portalgen:browser";
/// Entry of the program that renders pages.
pub(crate) const SERVER: &str = "portalgen:server";
/// Entry of the script of redirecting pages.
pub(crate) const REDIRECT: &str = "portalgen:redirect";

/// The module written for the portal at hand.
const SITE: &str = "portalgen:site";
/// The not-found page of a site that has none.
pub(crate) const NOT_FOUND: &str = "portalgen:not-found";
/// The path that components of the not-found page see, below the base; no route can have it.
pub(crate) const NOT_FOUND_PATH: &str = "/404";
/// The layout of a site that has none.
const LAYOUT: &str = "portalgen:layout";

const CARRIED: &[(&str, &str)] = &[
    (BROWSER, include_str!("runtime/browser.tsx")),
    (SERVER, include_str!("runtime/server.tsx")),
    (REDIRECT, include_str!("runtime/redirect.ts")),
    (NOT_FOUND, include_str!("runtime/not-found.tsx")),
    (LAYOUT, include_str!("runtime/layout.tsx")),
    ("portalgen:arrival", include_str!("runtime/arrival.ts")),
    ("portalgen:client-only", include_str!("runtime/client-only.tsx")),
    ("portalgen:carry", include_str!("runtime/carry.ts")),
    ("portalgen:entries", include_str!("runtime/entries.ts")),
    ("portalgen:load", include_str!("runtime/load.ts")),
    ("portalgen:paths", include_str!("runtime/paths.ts")),
    ("portalgen:portal", include_str!("runtime/portal.tsx")),
    ("portalgen:positions", include_str!("runtime/positions.ts")),
    ("portalgen:recover", include_str!("runtime/recover.ts")),
];

/// All modules that no file of the site holds, by name.
pub(crate) fn modules(sources: &dyn Sources, site: &Path, portal: &Portal) -> BTreeMap<String, VirtualModule> {
    let folder = packages::folder_that_sees_router(sources, site);
    let carried = CARRIED
        .iter()
        .map(|(name, text)| ((*name).to_owned(), VirtualModule { text: (*text).to_owned(), folder: folder.clone() }));
    let written = VirtualModule { text: site_module(sources, site, portal), folder: site.to_owned() };
    carried.chain([(SITE.to_owned(), written)]).collect()
}

/// The routes as code. Titles are not in it: they travel in data files, so that editing one changes no script.
fn site_module(sources: &dyn Sources, site: &Path, portal: &Portal) -> String {
    let specifier = |path: &Path| format!("./{}", display_name(site, path));
    let layout = layout(sources, site).map_or_else(|| LAYOUT.to_owned(), |path| specifier(&path));
    let not_found = portal.not_found.component.as_deref().map_or_else(|| NOT_FOUND.to_owned(), specifier);
    let mut pages = String::new();
    let mut redirects = String::new();
    for route in &portal.routes {
        let path = quoted(route.path.as_str());
        // Writing to a string does not fail.
        let _ = match &route.kind {
            RouteKind::Page { component } => {
                writeln!(pages, "  [{path}, () => import({})],", quoted(&specifier(component)))
            }
            RouteKind::Retired => Ok(()),
            RouteKind::Redirect { target, .. } => {
                writeln!(redirects, "  [{path}, {}],", quoted(&target.href(&portal.urls)))
            }
        };
    }
    format!(
        "export {{ default as Layout }} from {};\n\
         export const pages = new Map([\n{pages}]);\n\
         export const redirects = new Map([\n{redirects}]);\n\
         export const notFound = () => import({});\n\
         export const slash = {};\n",
        quoted(&layout),
        quoted(&not_found),
        quoted(portal.urls.slash.name()),
    )
}

/// `site/layout.tsx`, which surrounds every page, if there is one.
fn layout(sources: &dyn Sources, site: &Path) -> Option<PathBuf> {
    ["tsx", "jsx", "ts", "js"]
        .iter()
        .map(|extension| site.join(format!("layout.{extension}")))
        .find(|path| sources.is_file(path))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
