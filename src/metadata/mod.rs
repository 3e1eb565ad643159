//! What others than visitors read about a portal: search engines, social networks, home screens, and people who have found a
//! hole in it.
//!
//! ```text
//! sitemap, robots        which pages there are
//! security               whom to tell of a vulnerability
//! icons, web_manifest    what the portal looks like among others: in a tab, in a list, on a home screen
//! head, structured       what a page's document says of itself, beside its title
//! languages              where the same page is in other languages
//! ```
//!
//! Each writes into a syntax of its own and is the only one that escapes for it. All of them leave out what they do not
//! know: without an origin there are no full URLs, so there is no sitemap.

mod head;
mod icons;
mod languages;
mod robots;
mod security;
mod sitemap;
mod structured;
mod web_manifest;

pub use self::{
    head::{Head, Link, Meta},
    icons::Icons,
    sitemap::{SitemapEntry, sitemaps},
};

use crate::{
    config::{Portal, Route},
    date::Date,
    output::OutputSet,
    text::{Text, text},
};

/// A file that is looked for under a name that is known to everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Its output path.
    pub path: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What in `routes.toml` it is made of.
    pub made_of: Text,
}

impl SiteFile {
    fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>, made_of: Text) -> Self {
        Self { path: path.into(), bytes: bytes.into(), made_of }
    }

    /// Whether it is the list of pages.
    pub fn is_sitemap(&self) -> bool {
        self.path == sitemap::FILE
    }
}

/// The files with names that everybody knows, but for those that `output` holds already: what somebody has put into
/// `site/public` is what they want.
///
/// `changed` tells when a page was last changed, where that is known.
pub fn files(
    portal: &Portal,
    icons: Option<&Icons>,
    output: &OutputSet,
    changed: impl Fn(&Route) -> Option<Date>,
) -> Vec<SiteFile> {
    let is_free = |path: &str| output.get(path).is_none();
    let sitemap = if is_free(sitemap::FILE) { sitemap::files(portal, changed) } else { Vec::new() };
    let has_sitemap = !sitemap.is_empty() || !is_free(sitemap::FILE);
    let mut files = sitemap;
    files.extend(robots::file(portal, has_sitemap));
    files.extend(security::file(portal));
    if let Some(icons) = icons {
        files.push(icons.favicon.clone());
        files.push(web_manifest::file(portal, icons));
    }
    files.retain(|file| is_free(&file.path));
    files
}

/// Whether search engines shall know a route: it is a page, and nobody wants it left out.
fn is_listed(route: &Route) -> bool {
    route.component().is_some() && !route.noindex
}

/// What the portal is called: as its product, or else as its host. The title of the home page is that of one page, whose edit
/// changes no other.
fn name(portal: &Portal) -> &str {
    let host = || portal.urls.origin.as_ref()?.as_str().split_once("://").map(|(_, host)| host);
    portal.product.as_deref().or_else(host).unwrap_or_default()
}

/// The section that most of this is made of.
fn site_section() -> Text {
    text!("`[site]`", "`[site]`")
}
