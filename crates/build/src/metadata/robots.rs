//! `robots.txt`: where search engines find the list of pages.

use portalgen_base::text::text;
use portalgen_portal::Portal;

use super::common::{SITEMAP, SiteFile};

/// The file, if there is a list. Nothing is forbidden in it: whoever asks for a page to be left out does so in the page,
/// which has to be read for that.
///
/// Search engines ask for it at the root of a host only, which a portal in a folder is not.
pub(super) fn file(portal: &Portal, has_sitemap: bool) -> Option<SiteFile> {
    let urls = &portal.urls;
    let sitemap = urls.absolute(&urls.file(SITEMAP)).filter(|_| has_sitemap && urls.base.url() == "/")?;
    let text = format!("User-agent: *\nAllow: /\n\nSitemap: {sitemap}\n");
    Some(SiteFile::new("robots.txt", text, text!("`origin`", "`origin`")))
}
