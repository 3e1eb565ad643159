//! `sitemap.xml`: the pages that search engines shall know, by the addresses that their documents give themselves.
//!
//! The format is that of sitemaps.org, with the versions of a page in other languages as Google reads them.

use std::fmt::Write as _;

use portalgen_base::{date::Date, text::text};
use portalgen_portal::{Portal, Route};

use super::{
    common::{SITEMAP, SiteFile, is_listed},
    languages,
};

/// What one list may have, by the rules of sitemaps.org.
const MOST_PAGES: usize = 50_000;
const MOST_BYTES: usize = 52_428_800;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const NAMESPACE: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";
const OF_VERSIONS: &str = "xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
const END: &str = "</urlset>\n";

/// A page of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitemapEntry {
    /// Its full URL, letter for letter as its document names it.
    pub url: String,
    /// When it was last changed, if that is known.
    pub changed: Option<Date>,
    /// For each language of the page a tag and a full URL.
    pub versions: Vec<(String, String)>,
}

/// The list, which may be several; none where the origin is not known, or nothing shall be listed.
pub(super) fn files(portal: &Portal, changed: impl Fn(&Route) -> Option<Date>) -> Vec<SiteFile> {
    let entry = |route: &Route| {
        let versions = languages::versions(portal, route).into_iter();
        Some(SitemapEntry {
            url: portal.urls.canonical(&route.path)?,
            changed: changed(route),
            versions: versions.map(|version| (version.lang, version.url)).collect(),
        })
    };
    let entries: Vec<_> = portal.routes.iter().filter(|route| is_listed(route)).filter_map(entry).collect();
    let url_of = |file: &str| portal.urls.absolute(&portal.urls.file(file)).unwrap_or_default();
    let made_of = || text!("the list of pages", "页面列表");
    sitemaps(&entries, url_of).into_iter().map(|(path, text)| SiteFile::new(path, text, made_of())).collect()
}

/// Output paths and texts for a list of pages. One list is [`SITEMAP`]; where that would hold more than search engines read,
/// several of them stand beside it, and it names these.
pub fn sitemaps(entries: &[SitemapEntry], url_of: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let mut lists = lists(entries);
    if lists.len() < 2 {
        return lists.pop().map(|list| (SITEMAP.to_owned(), list)).into_iter().collect();
    }
    let names = (1..=lists.len()).map(|number| format!("sitemap-{number}.xml"));
    let mut files: Vec<_> = names.zip(lists).collect();
    let mut index = format!("{DECLARATION}<sitemapindex {NAMESPACE}>\n");
    for (name, _) in &files {
        let _ = writeln!(index, "<sitemap><loc>{}</loc></sitemap>", escape(&url_of(name)));
    }
    index.push_str("</sitemapindex>\n");
    files.insert(0, (SITEMAP.to_owned(), index));
    files
}

/// As few lists as there may be, each full before the next one begins.
fn lists(entries: &[SitemapEntry]) -> Vec<String> {
    let has_versions = entries.iter().any(|entry| !entry.versions.is_empty());
    let namespaces = if has_versions { format!("{NAMESPACE} {OF_VERSIONS}") } else { NAMESPACE.to_owned() };
    let start = format!("{DECLARATION}<urlset {namespaces}>\n");
    let mut lists: Vec<String> = Vec::new();
    let mut pages = 0;
    for entry in entries {
        let written = write(entry);
        let is_full = |list: &String| pages == MOST_PAGES || list.len() + written.len() + END.len() > MOST_BYTES;
        if lists.last().is_none_or(is_full) {
            lists.push(start.clone());
            pages = 0;
        }
        if let Some(list) = lists.last_mut() {
            list.push_str(&written);
        }
        pages += 1;
    }
    for list in &mut lists {
        list.push_str(END);
    }
    lists
}

fn write(entry: &SitemapEntry) -> String {
    let mut text = format!("<url><loc>{}</loc>", escape(&entry.url));
    if let Some(changed) = entry.changed {
        let _ = write!(text, "<lastmod>{changed}</lastmod>");
    }
    for (lang, url) in &entry.versions {
        let (lang, url) = (escape(lang), escape(url));
        let _ = write!(text, "\n<xhtml:link rel=\"alternate\" hreflang=\"{lang}\" href=\"{url}\"/>");
    }
    text.push_str("</url>\n");
    text
}

/// `text` as it must be written in text and attributes of XML.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            other => escaped.push(other),
        }
    }
    escaped
}
