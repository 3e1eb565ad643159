//! A portal: what `routes.toml` says, checked.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    rules::Levels,
};

use super::{
    budget::{Budget, Limit},
    deploy::Deploy,
    dev_server::DevServer,
    origin::{AllowedHost, Host},
    path::RoutePath,
    redirect_target::RedirectTarget,
    site::{SecurityContact, ShareImage, SiteInfo},
    urls::Urls,
    value::Written,
};

/// Everything that `routes.toml` says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portal {
    /// The language of the pages, as a BCP 47 tag: `zh-CN`.
    pub lang: String,
    /// The product's name, the value of `{product}`.
    pub product: Option<String>,
    /// Where sign-in lives, the value of `{host}`.
    pub host: Option<Host>,
    /// Where the portal is served, and how its addresses are written.
    pub urls: Urls,
    /// All routes, sorted by path: their order in the file means nothing.
    pub routes: Vec<Route>,
    /// What visitors of unknown addresses get.
    pub not_found: NotFound,
    /// Hosts that redirects may lead to besides that of `{host}`.
    pub allow_hosts: Vec<AllowedHost>,
    /// What others are told about the portal: `[site]`.
    pub site: SiteInfo,
    /// What `/.well-known/security.txt` says: `[security]`.
    pub security: Option<SecurityContact>,
    /// Of how many earlier builds the assets stay.
    pub keep: u32,
    /// Whether browsers check scripts and styles against their hashes.
    pub integrity: bool,
    /// Folders and files outside of the project that may be read: absolute, every link resolved.
    pub allow: Vec<PathBuf>,
    /// How much a page may load: `[budget]`.
    pub budget: Budget,
    /// Where the output folder is served: `[deploy]`.
    pub deploy: Deploy,
    /// How it is served while it is being made: `[dev]`.
    pub dev: DevServer,
    /// What the owner has decided about rules.
    pub levels: Levels,
    /// The text that says all this, for messages about what does not stand in it.
    pub source: Arc<SourceText>,
}

impl Portal {
    /// The route with a path.
    pub fn route(&self, path: &RoutePath) -> Option<&Route> {
        let at = self.routes.binary_search_by(|route| route.path.cmp(path)).ok()?;
        self.routes.get(at)
    }

    /// All routes in the order in which the file has them.
    pub fn in_file_order(&self) -> Vec<&Route> {
        let mut routes: Vec<_> = self.routes.iter().collect();
        routes.sort_by_key(|route| route.places.path.span.start);
        routes
    }

    /// The route whose document is the output file `file`.
    pub fn route_of_document(&self, file: &str) -> Option<&Route> {
        self.routes.iter().find(|route| self.urls.document(&route.path) == file)
    }
}

/// One address of the portal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The address, unique.
    pub path: RoutePath,
    /// What the route is called in code; unique where given.
    pub name: Option<String>,
    /// The page's title; where the file gives none, the product's name, else the path.
    pub title: String,
    /// What search engines may show below the title.
    pub description: Option<String>,
    /// Whether search engines are asked to leave the page out.
    pub noindex: bool,
    /// The language of the page, as a BCP 47 tag.
    pub lang: String,
    /// The routes that show the same in other languages, this one left out: symmetric and transitive, sorted by path.
    pub translations: Vec<RoutePath>,
    /// The image that is shown where the page is shared, if it is not the portal's.
    pub image: Option<ShareImage>,
    /// How large the scripts of the page may be.
    pub budget: Option<Limit>,
    /// What answers at the address.
    pub kind: RouteKind,
    /// Where this stands in `routes.toml`, for messages about this route.
    pub places: Places,
}

impl Route {
    /// The file of the page, when the route has one.
    pub fn component(&self) -> Option<&Path> {
        match &self.kind {
            RouteKind::Page { component } => Some(component),
            RouteKind::Redirect { .. } | RouteKind::Retired => None,
        }
    }

    /// Where the route leads, when it is a redirect.
    pub fn redirect(&self) -> Option<&RedirectTarget> {
        match &self.kind {
            RouteKind::Redirect { target, .. } => Some(target),
            RouteKind::Page { .. } | RouteKind::Retired => None,
        }
    }
}

/// Where what is known about a route stands in `routes.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Where its section begins: `[[route]]`, or a `{` in a list.
    pub section: Place,
    /// Its path.
    pub path: Place,
    /// Its title, if the file gives one.
    pub title: Option<Written>,
    /// Its description.
    pub description: Option<Written>,
    /// Where it leads.
    pub redirect: Option<Written>,
}

/// What answers at a route's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteKind {
    /// A page.
    Page {
        /// The absolute path of the file whose default export is rendered.
        component: PathBuf,
    },
    /// A stub that sends the visitor on.
    Redirect {
        /// Where to.
        target: RedirectTarget,
        /// The status with which servers do it: 301, 302, 307 or 308.
        status: u16,
    },
    /// Nothing, on purpose: the address was given up.
    Retired,
}

/// The page for unknown addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// Its title; `404` where the file gives none.
    pub title: String,
    /// The absolute path of its file; none when the site has no such page.
    pub component: Option<PathBuf>,
    /// Where `[not_found]` stands in `routes.toml`, if it does.
    pub place: Option<Place>,
}
