//! The TypeScript that the binary carries, and the module it writes for each portal: together, what runs around the site's pages
//! in the browser and in the engine. The bundler gets these files as text, under names that begin with `portalgen:`.
//!
//! - `browser.tsx`: hydration, navigation, history. `go` is the guard: every navigation that the application starts passes it, and
//!   nothing else decides where one leads. `server.tsx` renders in the engine, and `tree.tsx` is what both render.
//! - `paths.ts`: addresses to routes and back. `load.ts`: a page's code, styles and title, by the data that the build writes
//!   beside each page: no script has a list of the pages. `prepare.ts` asks for what is probably wanted next.
//! - `recover.ts`: what to do when code cannot be loaded; `recovery.js` does it in documents whose entry is gone.
//! - `boundary.tsx`: keeps what showed when a component throws, around the page and around everything; and lets no page that is left
//!   take the next one along. `failure.tsx` reports errors to the console and to `site/error.tsx`, and shows the notice.
//! - `links.ts`: the router's links, rendered in the engine without what only browsers need of them.
//! - `interference.ts`: lets React find its nodes where translators and extensions have been.
//! - `redirect.ts`, `carry.ts`: stubs, and the rule by which a redirect takes query and hash along.
//! - `arrival.ts`, `entries.ts`, `positions.ts`: what a browser does by itself when it loads a document, done by hand.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use portalgen_base::{
    packages,
    source::{Sources, display_name},
};
use portalgen_bundle::{Asset, VirtualModule};
use portalgen_portal::{Portal, Route, RouteKind};

use crate::public_files;

/// Entry of the browser's code.
pub(crate) const BROWSER: &str = "portalgen:browser";
/// Entry of the program that renders pages.
pub(crate) const SERVER: &str = "portalgen:server";
/// Entry of the script of redirecting pages.
pub(crate) const REDIRECT: &str = "portalgen:redirect";

/// What pages can know of routes.toml.
const PORTAL: &str = "portalgen:portal";
/// The module written for the portal at hand.
const SITE: &str = "portalgen:site";
/// What the site does about errors in the browser.
const ERROR_HOOKS: &str = "portalgen:error-hooks";
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
    ("portalgen:boundary", include_str!("runtime/boundary.tsx")),
    ("portalgen:carry", include_str!("runtime/carry.ts")),
    ("portalgen:client-only", include_str!("runtime/client-only.tsx")),
    ("portalgen:entries", include_str!("runtime/entries.ts")),
    ("portalgen:failure", include_str!("runtime/failure.tsx")),
    ("portalgen:interference", include_str!("runtime/interference.ts")),
    ("portalgen:links", include_str!("runtime/links.ts")),
    ("portalgen:load", include_str!("runtime/load.ts")),
    ("portalgen:paths", include_str!("runtime/paths.ts")),
    ("portalgen:positions", include_str!("runtime/positions.ts")),
    ("portalgen:prepare", include_str!("runtime/prepare.ts")),
    ("portalgen:recover", include_str!("runtime/recover.ts")),
    ("portalgen:tree", include_str!("runtime/tree.tsx")),
];

/// The script that loads a document anew whose entry is gone, for caches keep documents longer than releases keep files. It
/// starts nothing else, so it needs no other file, and has the same name in all portals and releases. Documents name it by
/// its content: whoever changes it puts what it was before behind it, to be published for documents of then.
const RECOVERY: &[&str] = &[include_str!("runtime/recovery.js")];

/// The script that recovers documents of earlier releases, and what it was in earlier versions of portalgen.
pub(crate) fn recovery() -> impl Iterator<Item = Asset> {
    let asset = |text: &&str| Asset::new("assets/", Path::new("recovery.js"), text.as_bytes().to_vec());
    RECOVERY.iter().map(asset)
}

/// All modules that no file of the site holds, by name.
pub(crate) fn modules(sources: &dyn Sources, site: &Path, portal: &Portal) -> BTreeMap<String, VirtualModule> {
    let folder = packages::folder_that_sees_router(sources, site);
    let carried = CARRIED
        .iter()
        .map(|(name, text)| ((*name).to_owned(), VirtualModule { text: (*text).to_owned(), folder: folder.clone() }));
    let written = [
        (PORTAL, portal_module(portal)),
        (SITE, site_module(sources, site, portal)),
        (ERROR_HOOKS, error_hooks(sources, site)),
    ];
    let written = written.map(|(name, text)| (name.to_owned(), VirtualModule { text, folder: site.to_owned() }));
    carried.chain(written).collect()
}

/// Loads `site/error.tsx`, if it is there. Only browsers do.
fn error_hooks(sources: &dyn Sources, site: &Path) -> String {
    let Some(path) = own_module(sources, site, "error") else {
        return "export const importHooks = async () => ({});\n".to_owned();
    };
    let specifier = quoted(&specifier(site, &path));
    format!(
        "export const importHooks = () => import({specifier}).catch((error) => {{
  console.error(\"portalgen: error.tsx could not be loaded\", error);
  return {{}};
}});\n"
    )
}

/// What routes.toml says, for pages that import it. Titles and descriptions are left out, so that editing them changes no script.
fn portal_module(portal: &Portal) -> String {
    let Portal { product, host, urls, lang, routes, .. } = portal;
    let values = [
        ("product", product.clone().unwrap_or_default()),
        ("host", host.as_ref().map(|host| host.as_str().to_owned()).unwrap_or_default()),
        ("origin", urls.origin.as_ref().map(|origin| origin.as_str().to_owned()).unwrap_or_default()),
        ("base", urls.base.url()),
        ("lang", lang.clone()),
    ];
    let routes = routes.iter().filter(|route| !matches!(route.kind, RouteKind::Retired));
    let route = |route: &Route| {
        let mut known = serde_json::Map::new();
        known.insert("path".to_owned(), route.path.as_str().into());
        known.insert("lang".to_owned(), route.lang.as_str().into());
        known.extend(route.name.as_ref().map(|name| ("name".to_owned(), name.as_str().into())));
        known.extend(route.redirect().map(|target| ("redirect".to_owned(), target.href(urls).into())));
        serde_json::Value::Object(known)
    };
    let routes = serde_json::Value::Array(routes.map(route).collect());
    let constant = |(name, value): (&str, String)| format!("export const {name} = {};\n", quoted(&value));
    format!("{}export const routes = {routes};\n", values.map(constant).concat())
}

/// What scripts know of the portal. No routes are in it: what there is at an address is said by the data file there, so that no
/// script changes when a page comes, goes or is called something else.
fn site_module(sources: &dyn Sources, site: &Path, portal: &Portal) -> String {
    let layout = own_module(sources, site, "layout").map_or_else(|| LAYOUT.to_owned(), |path| specifier(site, &path));
    format!(
        "export {{ default as Layout }} from {};\n\
         export const exceptions = new Set({});\n\
         export const slash = {};\n\
         export const hasKnownLinks = {};\n",
        quoted(&layout),
        serde_json::Value::from(exceptions(sources, site, portal)),
        quoted(portal.urls.slash.name()),
        packages::has_known_links(sources, site),
    )
}

/// Paths of pages that read like those of files, which have a dot in their last part, and paths of public files that read
/// like those of pages. See `isPage` in `paths.ts`.
fn exceptions(sources: &dyn Sources, site: &Path, portal: &Portal) -> Vec<String> {
    let has_dot = |path: &str| path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_shown = |route: &&Route| !matches!(route.kind, RouteKind::Retired);
    let routes = portal.routes.iter().filter(is_shown).map(|route| route.path.as_str().to_owned());
    let mut files = BTreeSet::new();
    for file in public_files::paths(sources, &site.join("public")) {
        let document = file.strip_suffix("/index.html").or_else(|| file.strip_suffix(".html"));
        files.extend(document.map(|path| format!("/{path}")));
        files.insert(format!("/{file}"));
    }
    routes.filter(|path| has_dot(path)).chain(files.into_iter().filter(|path| !has_dot(path))).collect()
}

/// The modules of all pages, as the site would import them. Browsers and the engine load each by the address of its script.
pub(crate) fn pages(site: &Path, portal: &Portal) -> Vec<String> {
    let components = portal.routes.iter().filter_map(Route::component).map(Some);
    let all = components.chain([portal.not_found.component.as_deref()]).map(|component| page(site, component));
    all.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The module of a page, likewise. None stands for the not-found page of a site that has no own.
pub(crate) fn page(site: &Path, component: Option<&Path>) -> String {
    component.map_or_else(|| NOT_FOUND.to_owned(), |component| specifier(site, component))
}

/// The module of that name in the folder of the site, such as `site/layout.tsx`, if there is one.
fn own_module(sources: &dyn Sources, site: &Path, name: &str) -> Option<PathBuf> {
    ["tsx", "jsx", "ts", "js"]
        .iter()
        .map(|extension| site.join(format!("{name}.{extension}")))
        .find(|path| sources.is_file(path))
}

fn specifier(site: &Path, path: &Path) -> String {
    format!("./{}", display_name(site, path))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
