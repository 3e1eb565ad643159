//! Addresses at which a server does something else than send a file: the redirects of the portal, what was given up, and
//! other ways of writing the address of a page, which lead to the one that it has.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use super::path;
use crate::manifest::{Manifest, ManifestRoute};

/// What happens at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The visitor is sent elsewhere.
    Redirect {
        /// Where to, as it stands in a header.
        to: String,
        /// With which status.
        status: u16,
    },
    /// Nothing any more: status 410.
    Gone,
}

/// Rules by the paths at which they hold: decoded, beginning with the base.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules(BTreeMap<String, Rule>);

impl Rules {
    /// The rules of a portal. What a route says itself counts more than what follows from the address of another. That a
    /// folder is missing its slash is for hosts to say, since it holds for all folders, but for the one of the portal.
    pub(super) fn of(manifest: &Manifest) -> Self {
        let mut rules = BTreeMap::new();
        if let Some(folder) = decoded(&manifest.base).strip_suffix('/').filter(|folder| !folder.is_empty()) {
            rules.insert(folder.to_owned(), Rule::Redirect { to: manifest.base.clone(), status: 301 });
        }
        for route in &manifest.routes {
            let Some(rule) = own_rule(route) else { continue };
            for path in aliases(manifest, route) {
                rules.insert(path, rule.clone());
            }
        }
        for route in manifest.routes.iter().filter(|route| own_rule(route).is_none()) {
            let page = decoded(&route.url);
            let leads_elsewhere = |path: &String| *path != page && format!("{path}/") != page;
            for path in aliases(manifest, route).into_iter().filter(leads_elsewhere) {
                rules.entry(path).or_insert_with(|| Rule::Redirect { to: route.url.clone(), status: 301 });
            }
        }
        Self(rules)
    }

    /// The rule for a decoded path.
    pub(super) fn get(&self, path: &str) -> Option<&Rule> {
        self.0.get(path)
    }

    /// All rules in the order of their paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Rule)> {
        self.0.iter().map(|(path, rule)| (path.as_str(), rule))
    }
}

/// What a route does, if it is no page.
pub(super) fn own_rule(route: &ManifestRoute) -> Option<Rule> {
    match (&route.redirect, &route.file) {
        (Some(redirect), _) => Some(Rule::Redirect { to: location(&redirect.to), status: redirect.status }),
        (None, None) => Some(Rule::Gone),
        (None, Some(_)) => None,
    }
}

/// The paths under which a visitor may look for a route: with and without a slash, and by the name of its file.
pub(super) fn aliases(manifest: &Manifest, route: &ManifestRoute) -> Vec<String> {
    let base = decoded(&manifest.base);
    let path = format!("{}{}", base.trim_end_matches('/'), route.path);
    let without_slash = path.trim_end_matches('/').to_owned();
    let file = route.file.as_ref().map(|file| format!("{base}{file}"));
    let with_slash = format!("{without_slash}/");
    // The home page is nothing without its slash.
    [without_slash, with_slash].into_iter().chain(file).filter(|path| !path.is_empty()).collect()
}

/// A path of the manifest, which holds nothing that cannot be decoded.
fn decoded(path: &str) -> String {
    path::decode(path).unwrap_or_else(|| path.to_owned())
}

/// A target with the query of the request behind its own: what hosts can do of the rule that browsers follow.
pub(crate) fn with_query(target: &str, query: Option<&str>) -> String {
    let Some(query) = query.filter(|query| !query.is_empty()) else { return target.to_owned() };
    let (address, hash) = target.split_at(target.find('#').unwrap_or(target.len()));
    let separator = query_separator(address);
    format!("{address}{separator}{query}{hash}")
}

/// What stands between an address and a query behind it.
pub(super) fn query_separator(address: &str) -> &'static str {
    match address.split_once('?') {
        None => "?",
        Some((_, own)) if own.is_empty() || own.ends_with('&') => "",
        Some(_) => "&",
    }
}

/// What headers cannot hold, and what ends a quoted text in the languages of some hosts.
const UNFIT: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'\\');

/// A target as it stands in a header: the same to the byte if it is of ASCII, and else as browsers would send it.
pub(super) fn location(target: &str) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, UNFIT).to_string();
    let Some((scheme, rest)) = target.split_once("://").filter(|_| !target.starts_with('/')) else {
        return encoded(target);
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if authority.is_ascii() {
        return encoded(target);
    }
    let url = Url::parse(target).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or(authority);
    let port = url.as_ref().and_then(Url::port).map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{host}{port}{}", encoded(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_go_behind_those_of_the_target() {
        for (target, query, expected) in [
            ("/a/", None, "/a/"),
            ("/a/", Some(""), "/a/"),
            ("/a/", Some("x=1"), "/a/?x=1"),
            ("/a/#b", Some("x=1"), "/a/?x=1#b"),
            ("/a/?", Some("x=1"), "/a/?x=1"),
            ("/a/?c=2", Some("x=1"), "/a/?c=2&x=1"),
            ("/a/?c=2&#b?", Some("x=1"), "/a/?c=2&x=1#b?"),
        ] {
            assert_eq!(with_query(target, query), expected, "{target} {query:?}");
        }
    }

    #[test]
    fn headers_are_of_ascii() {
        for (target, expected) in [
            ("/a/?b=c#d", "/a/?b=c#d"),
            ("HTTPS://H.example:443/%7Ea/../b/?q='d'", "HTTPS://H.example:443/%7Ea/../b/?q='d'"),
            ("https://h.example/登录?下=1", "https://h.example/%E7%99%BB%E5%BD%95?%E4%B8%8B=1"),
            ("https://聊天.example/a", "https://xn--rss932g.example/a"),
            ("https://聊天.example:8443?登", "https://xn--rss932g.example:8443?%E7%99%BB"),
            ("/a/?next=https://h.example/登", "/a/?next=https://h.example/%E7%99%BB"),
        ] {
            assert_eq!(location(target), expected);
        }
    }
}
