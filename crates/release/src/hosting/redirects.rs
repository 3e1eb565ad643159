//! Redirects that a host makes by itself, and those that it has to leave to the small page at their address.
//!
//! A host has its own syntax, and limits. What does not fit loses nothing: the small page is there all the same, and sends
//! the visitor on in the browser. One warning for each host says how many are left to it, and why.

use url::Url;

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Rule,
    text::{Language, Text, text},
};

use super::rules;
use crate::{
    manifest::{Manifest, ManifestRoute},
    static_server::as_sent,
};

/// A redirect as a host may be told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redirect<'m> {
    /// The route at whose address it is.
    pub(super) route: &'m ManifestRoute,
    /// The target in ASCII, as a header has it.
    pub(super) to: String,
    /// The status.
    pub(super) status: u16,
}

/// Why a host cannot be told of a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// The target has a query of its own, behind which the host would not put that of the request.
    Query,
    /// The address or the target would be read as something else than it is.
    Syntax,
    /// The rule would be longer than so many characters.
    Length(usize),
    /// There is room for so many only.
    Room(usize),
}

/// What becomes of all redirects on one host.
#[derive(Clone, Debug, Default)]
pub(super) struct Redirects<'m> {
    /// Those that the host makes, in the order of their paths.
    pub(super) told: Vec<Redirect<'m>>,
    left: Vec<(&'m ManifestRoute, Reason)>,
}

impl<'m> Redirects<'m> {
    /// All redirects of a portal, without those that there is an objection to.
    pub(super) fn of(manifest: &'m Manifest, objection: impl Fn(&Redirect) -> Option<Reason>) -> Self {
        let mut redirects = Self::default();
        for route in &manifest.routes {
            let Some(rules::Rule::Redirect { to, status }) = rules::own_rule(route) else { continue };
            redirects.add(Redirect { route, to, status }, &objection);
        }
        redirects
    }

    fn add(&mut self, redirect: Redirect<'m>, objection: impl Fn(&Redirect) -> Option<Reason>) {
        match objection(&redirect) {
            Some(reason) => self.left.push((redirect.route, reason)),
            None => self.told.push(redirect),
        }
    }

    /// As many as there is room for.
    #[must_use]
    pub(super) fn at_most(mut self, room: usize) -> Self {
        let rest = self.told.split_off(room.min(self.told.len()));
        self.left.extend(rest.into_iter().map(|redirect| (redirect.route, Reason::Room(room))));
        self
    }

    /// Says how many are left to their small pages, and why; nothing where none is.
    pub(super) fn warning(&self, host: &str) -> Option<Diagnostic> {
        let (told, left) = (self.told.len(), self.left.len());
        let all = told + left;
        let left_over = if left == 1 {
            "1 is left to the small page at its address".to_owned()
        } else {
            format!("{left} are left to the small pages at their addresses")
        };
        let message = text!(
            "{host} handles {told} of {all} redirects; {left_over}",
            "{all} 个跳转中，{host} 直接处理 {told} 个，其余 {left} 个由各自网址上的跳转页完成"
        );
        let mut reasons: Vec<Reason> = self.left.iter().map(|(_, reason)| *reason).collect();
        reasons.sort();
        reasons.dedup();
        let warning = Diagnostic::of(Rule::HostLimit, message);
        let hints = reasons.into_iter().map(|reason| self.explain(host, reason));
        (left > 0).then(|| warning.with_hints(hints))
    }

    fn explain(&self, host: &str, reason: Reason) -> Text {
        let paths: Vec<&str> =
            self.left.iter().filter(|(_, other)| *other == reason).map(|(route, _)| route.path.as_str()).collect();
        let paths = listed(&paths);
        match reason {
            Reason::Query => text!(
                "{paths}: the target has a query, and {host} would drop the visitor's",
                "{paths}：目标带有 `?` 后的参数，{host} 会丢掉访问者自己的参数",
                paths
            ),
            Reason::Syntax => text!(
                "{paths}: {host} would read a character in the address or target as a wildcard",
                "{paths}：网址或目标里的某个字符会被 {host} 当作通配符",
                paths
            ),
            Reason::Length(length) => text!(
                "{paths}: {host} limits a rule to {length} characters",
                "{paths}：{host} 的一条规则最多 {length} 个字符",
                paths
            ),
            Reason::Room(room) => text!(
                "{paths}: {host} accepts {room}; set `retired = true` for addresses that are no longer visited",
                "{paths}：{host} 最多接受 {room} 个；不再有人访问的网址可以写上 `retired = true`",
                paths
            ),
        }
    }
}

/// Tells of pages whose address is the name of their file, on a host that leaves `.html` out of all addresses.
pub(super) fn pages_without_ending(manifest: &Manifest, host: &str) -> Option<Diagnostic> {
    let is_file = |route: &&ManifestRoute| route.file.as_deref() == route.path.strip_prefix('/');
    let pages = manifest.routes.iter().filter(is_file).filter(|route| route.redirect.is_none());
    let paths: Vec<&str> = pages.map(|route| route.path.as_str()).collect();
    let named = listed(&paths);
    let message = text!(
        "{host} serves {named} without `.html`, but search engines are told the address with it",
        "{host} 会去掉 {named} 的 `.html`，与提供给搜索引擎的网址不一致",
        named
    );
    let hint = text!("remove `.html` from the path", "请去掉路径里的 `.html`");
    (!paths.is_empty()).then(|| Diagnostic::of(Rule::HostLimit, message).with_hint(hint))
}

/// Some paths by their names, and how many more there are.
fn listed(paths: &[&str]) -> Text {
    const SHOWN: usize = 3;
    let more = paths.len().saturating_sub(SHOWN);
    Text::each(|language| {
        let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect();
        match (language, more) {
            (Language::English, 0) => shown.join(", "),
            (Language::English, more) => format!("{} and {more} more", shown.join(", ")),
            (Language::Chinese, 0) => shown.join("、"),
            (Language::Chinese, more) => format!("{} 等另外 {more} 个", shown.join("、")),
        }
    })
}

/// Whether a target has a query that says something.
pub(super) fn has_query(to: &str) -> bool {
    let address = to.split('#').next().unwrap_or_default();
    address.split_once('?').is_some_and(|(_, query)| !query.is_empty())
}

/// The other way of writing the address of a page: with the slash at its end, or without it.
pub(crate) fn other_form(url: &str) -> Option<String> {
    match url.strip_suffix('/') {
        None => Some(format!("{url}/")),
        Some("") => None,
        Some(bare) => Some(bare.to_owned()),
    }
}

/// A target as parsers of URLs leave it: `https://h.example` is `https://h.example/`.
pub(super) fn parsed_target(to: &str) -> String {
    if to.starts_with('/') {
        let (path, rest) = to.split_at(to.find(['?', '#']).unwrap_or(to.len()));
        return as_sent(path) + rest;
    }
    Url::parse(to).map_or_else(|_| to.to_owned(), String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_that_say_nothing_are_none() {
        for (to, has) in
            [("/a", false), ("/a?", false), ("/a#b?c", false), ("/a?b", true), ("https://h.example?b=c#d", true)]
        {
            assert_eq!(has_query(to), has, "{to}");
        }
    }

    #[test]
    fn addresses_have_two_forms() {
        for (url, other) in [("/", None), ("/a", Some("/a/")), ("/a/", Some("/a")), ("/app/", Some("/app"))] {
            assert_eq!(other_form(url).as_deref(), other, "{url}");
        }
    }

    #[test]
    fn targets_are_parsed() {
        for (to, expected) in [
            ("https://h.example", "https://h.example/"),
            ("https://h.example/a?b=c#d", "https://h.example/a?b=c#d"),
            ("/a/../b?c=/../d#e", "/b?c=/../d#e"),
        ] {
            assert_eq!(parsed_target(to), expected, "{to}");
        }
    }

    #[test]
    fn a_few_paths_are_named() {
        let many = ["/a", "/b", "/c", "/d", "/e"];
        assert_eq!(listed(&many[..2]), "`/a`, `/b`");
        assert_eq!(listed(&many), "`/a`, `/b`, `/c` and 2 more");
    }
}
