//! Where the same page is in other languages.

use portalgen_portal::{Portal, Route};

use super::common::is_listed;

/// A version of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// Its language as a tag, or [`OTHERS`].
    pub(super) lang: String,
    /// Its full URL.
    pub(super) url: String,
}

/// What stands in place of a language for visitors of whose language there is no version.
const OTHERS: &str = "x-default";

/// All versions of a page, itself among them, and the one for everybody else, which is the one in the portal's own
/// language. None for a page that is in one language only: search engines believe such a relation only where every page
/// names all others, so pages that shall not be listed are no part of it.
pub(super) fn versions(portal: &Portal, route: &Route) -> Vec<Version> {
    let others = route.translations.iter().filter_map(|path| portal.route(path));
    let mut all: Vec<&Route> = std::iter::once(route).chain(others).filter(|route| is_listed(route)).collect();
    if all.len() < 2 || !is_listed(route) {
        return Vec::new();
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    let default = all.iter().find(|route| route.lang.eq_ignore_ascii_case(&portal.lang)).or(all.first()).copied();
    let named = all.iter().map(|route| (route.lang.as_str(), *route)).chain(default.map(|route| (OTHERS, route)));
    let version = |(lang, route): (&str, &Route)| {
        Some(Version { lang: lang.to_owned(), url: portal.urls.canonical(&route.path)? })
    };
    named.filter_map(version).collect()
}
