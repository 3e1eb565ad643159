//! What all of the metadata is made with.

use serde::{Deserialize, Serialize};

use portalgen_base::text::{Text, text};
use portalgen_portal::{Portal, Route};

/// The output path of the list, or of the list of lists.
pub(super) const SITEMAP: &str = "sitemap.xml";

/// A file that is looked for under a name that is known to everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteFile {
    /// Its output path.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What in `routes.toml` it is made of.
    pub made_of: Text,
}

impl SiteFile {
    pub(super) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>, made_of: Text) -> Self {
        Self { path: path.into(), bytes: bytes.into(), made_of }
    }

    /// Whether it is the list of pages.
    pub fn is_sitemap(&self) -> bool {
        self.path == SITEMAP
    }
}

/// Whether search engines shall know a route: it is a page, and nobody wants it left out.
pub(super) fn is_listed(route: &Route) -> bool {
    route.component().is_some() && !route.noindex
}

/// What the portal is called: as its product, or else as its host. The title of the home page is that of one page, whose edit
/// changes no other.
pub(super) fn name(portal: &Portal) -> &str {
    let host = || portal.urls.origin.as_ref()?.as_str().split_once("://").map(|(_, host)| host);
    portal.product.as_deref().or_else(host).unwrap_or_default()
}

/// The section that most of this is made of.
pub(super) fn site_section() -> Text {
    text!("`[site]`", "`[site]`")
}
