//! `/.well-known/security.txt`: whom to tell of a vulnerability, as RFC 9116 wants it.

use std::fmt::Write as _;

use portalgen_base::text::text;
use portalgen_portal::Portal;

use super::common::SiteFile;

const FILE: &str = ".well-known/security.txt";

/// The file, if `[security]` is there. It has one place on a host, which a portal in a folder does not reach.
pub(super) fn file(portal: &Portal) -> Option<SiteFile> {
    let urls = &portal.urls;
    let security = portal.security.as_ref().filter(|_| urls.base.url() == "/")?;
    let mut text = String::new();
    // Every value has been a URL, a day or a tag, so no line can end early.
    for contact in &security.contact {
        let _ = writeln!(text, "Contact: {contact}");
    }
    // The day itself still counts.
    let _ = writeln!(text, "Expires: {}T23:59:59Z", security.expires);
    let _ = writeln!(text, "Preferred-Languages: {}", portal.lang);
    if let Some(url) = urls.absolute(&urls.file(FILE)) {
        let _ = writeln!(text, "Canonical: {url}");
    }
    if let Some(policy) = &security.policy {
        let _ = writeln!(text, "Policy: {policy}");
    }
    Some(SiteFile::new(FILE, text, text!("`[security]`", "`[security]`")))
}
