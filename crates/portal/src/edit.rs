//! Changes to the text of `routes.toml` that leave everything else in it as it is, to the byte.
//!
//! A value is replaced where it stands, and a new key gets a line below the path of its route. Nothing is parsed and
//! printed again, so remarks, order, indentation and line ends are whatever their author likes.

mod addresses;

use std::{borrow::Cow, ops::Range};

use portalgen_base::{diagnostic::Diagnostic, text::text};

use crate::{Portal, Route, RoutePath, Written};

pub use addresses::{moved, names_component, with_page};

/// A text of a route that can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The title.
    Title,
    /// What search engines show below it.
    Description,
    /// Where the route leads.
    Redirect,
}

impl Key {
    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Redirect => "redirect",
        }
    }

    /// What a route has there now.
    pub fn of(self, route: &Route) -> Option<&Written> {
        match self {
            Self::Title => route.places.title.as_ref(),
            Self::Description => route.places.description.as_ref(),
            Self::Redirect => route.places.redirect.as_ref(),
        }
    }
}

/// A wish to change one text of one route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Which route.
    pub path: RoutePath,
    /// Which of its texts.
    pub key: Key,
    /// What it shall be, as it would stand in the file: `{product}` is filled in.
    pub text: String,
}

/// A text that an edit changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The edit behind it.
    pub edit: Edit,
    /// What stood there, if anything did.
    pub old: Option<String>,
}

/// The text of the file after edits, and what they change. Edits that ask for what is there already change nothing.
///
/// # Errors
/// A route that does not exist, unless its edit makes a redirect of it; a page that an edit would put a redirect in place
/// of.
pub fn apply(portal: &Portal, edits: &[Edit]) -> Result<(String, Vec<Change>), Vec<Diagnostic>> {
    let text = portal.source.text.as_str();
    let file = File { text, portal };
    let mut changes = Vec::new();
    let mut splices = Vec::new();
    let mut errors = Vec::new();
    for edit in edits {
        match file.splice(edit) {
            Ok(None) => {}
            Ok(Some((splice, old))) => {
                splices.push(splice);
                changes.push(Change { edit: edit.clone(), old });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok((spliced(text, splices), changes)) } else { Err(errors) }
}

/// Whether changes still stand as they were made: the same routes have the same texts there.
pub fn stand(portal: &Portal, changes: &[Change]) -> bool {
    changes.iter().all(|change| standing(portal, change).is_some())
}

/// The text of the file without changes that were made in it at once, whatever else has changed since.
///
/// # Errors
/// Something else stands there by now, or a key stands in a way in which it cannot be taken out alone.
pub fn undone(portal: &Portal, changes: &[Change]) -> Result<String, Diagnostic> {
    let text = portal.source.text.as_str();
    let splice = |change: &Change| {
        let written = standing(portal, change).ok_or_else(|| superseded(change))?;
        let range = written.place.span.clone();
        if let Some(old) = &change.old {
            return Ok(Splice { range, text: literal(old) });
        }
        let range = assignment(text, change.edit.key, range).ok_or_else(|| stuck(change))?;
        Ok(Splice { range, text: String::new() })
    };
    let splices: Result<Vec<Splice>, Diagnostic> = changes.iter().map(splice).collect();
    Ok(spliced(text, splices?))
}

/// What a change has written, if it is still there.
fn standing<'a>(portal: &'a Portal, change: &Change) -> Option<&'a Written> {
    let Edit { path, key, text } = &change.edit;
    key.of(portal.route(path)?).filter(|written| written.text == *text)
}

/// What an assignment takes up, with the line that it has for itself or the comma in front of it. `value` is the range of its
/// value.
fn assignment(text: &str, key: Key, value: Range<usize>) -> Option<Range<usize>> {
    let before = text[..value.start].trim_end_matches([' ', '\t']).strip_suffix('=')?;
    let before = before.trim_end_matches([' ', '\t']).strip_suffix(key.name())?.trim_end_matches([' ', '\t']);
    let start = before.len();
    if let Some(list) = before.strip_suffix(',') {
        return Some(list.len()..value.end);
    }
    let rest = text[value.end..].lines().next().unwrap_or_default();
    match before.strip_suffix('\n')? {
        lines if rest.trim().is_empty() => {
            Some(lines.strip_suffix('\r').unwrap_or(lines).len()..value.end + rest.len())
        }
        // A remark behind it stays.
        _ => rest.trim_start().starts_with('#').then_some(start..value.end),
    }
}

fn superseded(change: &Change) -> Diagnostic {
    let Change { edit: Edit { path, key, .. }, .. } = change;
    let key = key.name();
    Diagnostic::error(text!(
        "the {key} of `{path}` has been changed again since then",
        "`{path}` 的 {key} 之后又改过了"
    ))
    .with_hint(text!("change it to what you want directly", "请直接改成您想要的内容"))
}

fn stuck(change: &Change) -> Diagnostic {
    let Change { edit: Edit { path, key, .. }, .. } = change;
    let key = key.name();
    Diagnostic::error(text!(
        "the {key} of `{path}` cannot be removed without changing what is around it",
        "`{path}` 的 {key} 无法单独删除，会影响旁边的内容"
    ))
    .with_hint(text!("remove it from the file by hand", "请在文件里手工删除"))
}

/// What stands in some range from now on.
struct Splice {
    range: Range<usize>,
    text: String,
}

/// From the last to the first, so that places stay true until their turn. Of two at one place the first comes first.
fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut text = text.to_owned();
    for Splice { range, text: new } in splices.into_iter().rev() {
        text.replace_range(range, &new);
    }
    text
}

struct File<'a> {
    text: &'a str,
    portal: &'a Portal,
}

impl File<'_> {
    /// The change that an edit asks for, and what was there before.
    fn splice(&self, edit: &Edit) -> Result<Option<(Splice, Option<String>)>, Diagnostic> {
        let Some(route) = self.portal.route(&edit.path) else {
            return self.new_route(edit).map(|splice| Some((splice, None)));
        };
        match edit.key.of(route) {
            Some(written) if written.text == edit.text => Ok(None),
            Some(written) => {
                let splice = Splice { range: written.place.span.clone(), text: literal(&edit.text) };
                Ok(Some((splice, Some(written.text.clone()))))
            }
            None if edit.key == Key::Redirect => Err(no_redirect(route)),
            None => Ok(Some((self.new_key(route, edit), None))),
        }
    }

    /// A line below the path, or in a list of routes a further key behind it.
    fn new_key(&self, route: &Route, edit: &Edit) -> Splice {
        self.key(route, edit.key.name(), &edit.text)
    }

    /// The same of any key.
    fn key(&self, route: &Route, key: &str, value: &str) -> Splice {
        let assignment = format!("{key} = {}", literal(value));
        let path = &route.places.path.span;
        if self.text[route.places.section.span.clone()].starts_with('{') {
            return Splice { range: path.end..path.end, text: format!(", {assignment}") };
        }
        let start = self.text[..path.start].rfind('\n').map_or(0, |newline| newline + 1);
        let indent: String = self.text[start..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        let end = self.text[path.end..].find('\n').map_or(self.text.len(), |length| path.end + length);
        let end = if self.text[..end].ends_with('\r') { end - 1 } else { end };
        Splice { range: end..end, text: format!("{}{indent}{assignment}", self.line_end()) }
    }

    /// A redirect at an address that the portal does not have yet, at the end of the file.
    fn new_route(&self, edit: &Edit) -> Result<Splice, Diagnostic> {
        if edit.key != Key::Redirect {
            return Err(no_route(self.portal, &edit.path));
        }
        let keys = [("path", doubled(&edit.path.readable())), ("redirect", edit.text.clone())];
        Ok(self.section(keys.into_iter()))
    }

    /// A route at the end of the file.
    fn section(&self, keys: impl Iterator<Item = (&'static str, String)>) -> Splice {
        let keys = keys.map(|(key, value)| format!("{key} = {}", literal(&value)));
        let lines: Vec<String> = std::iter::once("[[route]]".to_owned()).chain(keys).collect();
        let line_end = self.line_end();
        let gap =
            if self.text.is_empty() || self.text.ends_with('\n') { line_end.to_owned() } else { line_end.repeat(2) };
        let end = self.text.len();
        Splice { range: end..end, text: format!("{gap}{}{line_end}", lines.join(line_end)) }
    }

    /// The line end that the file has already.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// A text as TOML has it, on one line.
fn literal(text: &str) -> String {
    let escaped: String = text.chars().map(escaped).collect();
    format!("\"{escaped}\"")
}

fn escaped(c: char) -> Cow<'static, str> {
    match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)).into(),
        c => c.to_string().into(),
    }
}

/// A text in which braces stand for themselves.
fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// The complaint about a path that no route has.
pub fn no_route(portal: &Portal, path: &RoutePath) -> Diagnostic {
    let error = Diagnostic::error(text!("there is no route `{path}`", "没有 `{path}` 这个网址"));
    let paths = portal.routes.iter().map(|route| route.path.as_str());
    match portalgen_base::diagnostic::did_you_mean(path.as_str(), paths) {
        Some(meant) => error.with_hint(portalgen_base::text::did_you_mean(meant)),
        None => {
            error.with_hint(text!("`portalgen routes` lists all routes", "运行 `portalgen routes` 可以列出全部网址"))
        }
    }
}

fn no_redirect(route: &Route) -> Diagnostic {
    let path = &route.path;
    Diagnostic::error(text!(
        "`{path}` is a page; a redirect would make it unreachable",
        "`{path}` 是页面，改成跳转后就打不开这个页面了"
    ))
    .at(route.places.path.clone())
    .with_hint(text!(
        "if that is what you want, add `redirect = \"…\"` below its path yourself, and remove `component` if there is \
        one",
        "如果确实要这样，请自己在它的 `path` 下面写上 `redirect = \"…\"`，并删掉 `component`（如果有的话）"
    ))
}
