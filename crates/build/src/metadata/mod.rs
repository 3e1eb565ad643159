//! What others than visitors read about a portal: search engines, social networks, home screens, and people who have found a
//! hole in it.
//!
//! ```text
//! sitemap, robots        which pages there are
//! security               whom to tell of a vulnerability
//! icons, web_manifest    what the portal looks like among others: in a tab, in a list, on a home screen
//! head, structured       what a page's document says of itself, beside its title
//! service_worker         nothing: it ends what an earlier site has left
//! languages              where the same page is in other languages
//! ```
//!
//! Each writes into a syntax of its own and is the only one that escapes for it. All of them leave out what they do not
//! know: without an origin there are no full URLs, so there is no sitemap.

mod common;
mod head;
mod icons;
mod languages;
mod robots;
mod security;
mod service_worker;
mod sitemap;
mod structured;
mod web_manifest;

use portalgen_base::date::Date;
use portalgen_portal::{Portal, Route};
use portalgen_release::output::OutputSet;

pub use self::{
    common::SiteFile,
    head::{Head, Link, Meta},
    icons::Icons,
    sitemap::{SitemapEntry, sitemaps},
};

use self::common::SITEMAP;

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
    let sitemap = if is_free(SITEMAP) { sitemap::files(portal, changed) } else { Vec::new() };
    let has_sitemap = !sitemap.is_empty() || !is_free(SITEMAP);
    let mut files = sitemap;
    files.extend(robots::file(portal, has_sitemap));
    files.extend(security::file(portal));
    files.extend(service_worker::files(portal));
    if let Some(icons) = icons {
        files.push(icons.favicon.clone());
        files.push(web_manifest::file(portal, icons));
    }
    files.retain(|file| is_free(&file.path));
    files
}
