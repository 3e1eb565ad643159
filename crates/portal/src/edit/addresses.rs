//! Addresses that come and go: a route for a new page, and a page that moves to another address.

use std::ops::Range;

use portalgen_base::{diagnostic::Diagnostic, text::text};

use super::{File, Splice, doubled, escaped, literal, no_route, spliced};
use crate::{Portal, Route, RouteKind, RoutePath};

/// The text of the file with a route for a page at its end. `component` names its file where that does not follow from the path.
///
/// # Errors
/// The portal has a route with this path.
pub fn with_page(
    portal: &Portal,
    path: &RoutePath,
    title: &str,
    component: Option<&str>,
) -> Result<String, Diagnostic> {
    if let Some(route) = portal.route(path) {
        return Err(exists(route));
    }
    let text = portal.source.text.as_str();
    let file = File { text, portal };
    let keys = [Some(("path", path_text(path))), Some(("title", title.to_owned())), component.map(component_key)];
    Ok(spliced(text, vec![file.section(keys.into_iter().flatten())]))
}

/// The text of the file in which a page is at another address, and its old one leads there. Redirects and translations that name
/// the old one name the new one. `component` is the file of the page, where it gets a line that names it.
///
/// # Errors
/// Nothing is to be moved, or something else is at the new address.
pub fn moved(portal: &Portal, from: &RoutePath, to: &RoutePath, component: Option<&str>) -> Result<String, Diagnostic> {
    let text = portal.source.text.as_str();
    let file = File { text, portal };
    let route = movable(portal, from, to)?;
    let replaced = |range: &Range<usize>, text: String| Splice { range: range.clone(), text };
    let mut splices = vec![replaced(&route.places.path.span, literal(&path_text(to)))];
    if let Some(component) = component {
        let (key, value) = component_key(component);
        splices.push(file.key(route, key, &value));
    }
    match portal.route(to) {
        // It was moved before, and comes back.
        Some(back) => {
            splices.push(replaced(&back.places.path.span, literal(&path_text(from))));
            splices.extend(
                back.places.redirect.as_ref().map(|redirect| replaced(&redirect.place.span, literal(&path_text(to)))),
            );
        }
        None => splices.push(file.section([("path", path_text(from)), ("redirect", path_text(to))].into_iter())),
    }
    for other in portal.routes.iter().filter(|other| other.path != *to) {
        let redirect = other.places.redirect.as_ref();
        let new = redirect.and_then(|redirect| Some((redirect, renamed(&redirect.text, from, to)?)));
        splices.extend(new.map(|(redirect, new)| replaced(&redirect.place.span, literal(&new))));
    }
    splices.extend(translations(text, from).map(|range| Splice { range, text: literal(&path_text(to)) }));
    Ok(spliced(text, splices))
}

/// Whether a route names the file of its page.
pub fn names_component(portal: &Portal, route: &Route) -> bool {
    let text = portal.source.text.as_str();
    let start = route.places.section.span.clone();
    let section = if text[start.clone()].starts_with('{') {
        &text[start]
    } else {
        let rest = &text[start.end..];
        &rest[..rest.find("\n[").unwrap_or(rest.len())]
    };
    let is_key = |at: usize| {
        let before = section[..at].trim_end_matches([' ', '\t', '"', '\'']);
        let after = section[at + "component".len()..].trim_start_matches([' ', '\t', '"', '\'']);
        before.ends_with(['\n', '{', ',']) && after.starts_with('=')
    };
    section.match_indices("component").any(|(at, _)| is_key(at))
}

/// The page at `from`, if it can be at `to`.
fn movable<'p>(portal: &'p Portal, from: &RoutePath, to: &RoutePath) -> Result<&'p Route, Diagnostic> {
    let route =
        portal.route(from).ok_or_else(|| by_hand(portal, from, to).unwrap_or_else(|| no_route(portal, from)))?;
    if route.component().is_none() {
        return Err(no_page(route, to));
    }
    match portal.route(to) {
        Some(_) if from == to => Err(same(route)),
        Some(other) if !leads_to(other, from) => Err(exists(other)),
        _ => Ok(route),
    }
}

/// The complaint about a page whose path was changed in the file already.
fn by_hand(portal: &Portal, from: &RoutePath, to: &RoutePath) -> Option<Diagnostic> {
    let moved = portal.route(to).filter(|route| route.component().is_some())?;
    let (old, new) = (from.readable(), to.readable());
    let error = Diagnostic::error(text!(
        "there is no route `{old}`; the page is already at `{new}`",
        "没有 `{old}` 这个网址，页面已经在 `{new}` 了"
    ));
    let [old, new] = [old, new].map(|path| word(&path));
    Some(error.at(moved.places.path.clone()).with_hint(text!(
        "to redirect the old address there, run `portalgen redirect {old} {new}`",
        "要让旧网址跳转到那里，运行 `portalgen redirect {old} {new}`"
    )))
}

/// A path as it is typed in a shell.
fn word(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/-_.~@%+,:=".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("\"{path}\"") }
}

fn leads_to(route: &Route, to: &RoutePath) -> bool {
    let written = route.places.redirect.as_ref();
    matches!(route.kind, RouteKind::Redirect { .. })
        && written.is_some_and(|written| written.text.trim_end_matches('/') == path_text(to))
}

/// A target that leads to `from`, or to a part of it, as one that leads to `to`.
fn renamed(target: &str, from: &RoutePath, to: &RoutePath) -> Option<String> {
    let rest = [path_text(from), from.encoded()].into_iter().find_map(|path| target.strip_prefix(&*path))?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    (rest.is_empty() || rest.starts_with(['?', '#'])).then(|| format!("{}{rest}", path_text(to)))
}

/// Where lists of translations name a path.
fn translations<'a>(text: &'a str, path: &'a RoutePath) -> impl Iterator<Item = Range<usize>> + 'a {
    let lists = text.match_indices("translations").filter_map(|(at, key)| {
        let start = at + key.len();
        let list = text[start..].trim_start().strip_prefix('=')?.trim_start();
        let begin = text.len() - list.len();
        list.starts_with('[').then(|| begin..begin + list.find(']').unwrap_or(0))
    });
    lists.flat_map(move |list| {
        let path = path_text(path);
        let quoted = ['"', '\''].map(|quote| format!("{quote}{path}{quote}"));
        let found = quoted.into_iter().flat_map(|quoted| {
            let starts = text[list.clone()].match_indices(&*quoted).map(|(at, _)| list.start + at);
            starts.map(|start| start..start + quoted.len()).collect::<Vec<_>>()
        });
        found.collect::<Vec<_>>()
    })
}

/// A path as a value of the file.
fn path_text(path: &RoutePath) -> String {
    doubled(&path.readable())
}

fn component_key(file: &str) -> (&'static str, String) {
    ("component", file.to_owned())
}

fn exists(route: &Route) -> Diagnostic {
    let path = route.path.readable();
    let typed = word(&path);
    let error = Diagnostic::error(text!("the route `{path}` already exists", "网址 `{path}` 已经存在"));
    let error = error.at(route.places.path.clone());
    match route.kind {
        RouteKind::Page { .. } => error.with_hint(text!(
            "to change its title, run `portalgen title {typed} \"…\"`",
            "要改它的标题，请运行 `portalgen title {typed} \"…\"`"
        )),
        RouteKind::Redirect { .. } | RouteKind::Retired => error.with_hint(text!(
            "to put a page there, first remove this route from routes.toml, from its `[[route]]` to the next one",
            "如果要在这里放页面，请先在 routes.toml 里删掉它（从它的 `[[route]]` 到下一个 `[[route]]` 之前）"
        )),
    }
}

fn same(route: &Route) -> Diagnostic {
    let path = route.path.readable();
    Diagnostic::error(text!("`{path}` already has this address", "`{path}` 已经是这个网址了"))
        .at(route.places.path.clone())
}

fn no_page(route: &Route, to: &RoutePath) -> Diagnostic {
    let (path, to) = (route.path.readable(), to.readable());
    let error = Diagnostic::error(text!("`{path}` is not a page", "`{path}` 不是页面")).at(route.places.path.clone());
    match &route.places.redirect {
        Some(redirect) => {
            let (to, target) = (word(&to), redirect.text.chars().map(escaped).collect::<String>());
            error.with_hint(text!(
                "it is a redirect; for one at the new address, run `portalgen redirect {to} \"{target}\"`",
                "它是跳转；要在新网址上也加一个，请运行 `portalgen redirect {to} \"{target}\"`"
            ))
        }
        None => error.with_hint(text!("it is retired, so there is nothing to move", "它已经停用，没有可以移动的内容")),
    }
}
