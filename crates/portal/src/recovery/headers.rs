//! Headers of routes that are missing, or have single brackets: one slip, of which the parser complains on many lines.

use std::{borrow::Cow, ops::Range, sync::Arc};

use toml::de::{DeTable, DeValue, Error};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{text, write},
};

use super::{
    broken::{Broken, Rule},
    lines::Lines,
    put, start_of,
};
use crate::{findings::Findings, keys};

const SINGLE: &str = "[route]";
/// How many further headers with single brackets are pointed out.
const SHOWN: usize = 8;

/// Tells once of all headers `[route]`, and lets each begin a route.
pub(super) fn double_brackets(
    source: &Arc<SourceText>,
    lines: &Lines<'_>,
    text: &mut Cow<'_, str>,
    findings: &mut Findings,
) {
    let headers = single(text);
    let Some((first, others)) = headers.split_first().filter(|_| is_meant_as_header(text)) else { return };
    let place = |range: &Range<usize>| Place::new(source, range.clone());
    let error = Diagnostic::error(text!("routes are written in double brackets", "`[[route]]` 要用两层方括号"));
    let error = error.at(place(first)).with_hint(write("[[route]]"));
    let here_too = |error: Diagnostic, range| error.with_related(place(range), text!("here too", "这里也是"));
    findings.add(others.iter().take(SHOWN).fold(error, here_too));
    let brief = keys::brief_header("route").unwrap_or_default();
    for header in headers {
        findings.distrust(lines.around(header.start));
        put(text, header, &brief);
    }
}

/// Where lines begin with `[route]`.
fn single(text: &str) -> Vec<Range<usize>> {
    let begins_line =
        |at: &usize| text[..*at].trim_end_matches([' ', '\t']).ends_with('\n') || text[..*at].trim().is_empty();
    let is_closed = |at: &usize| !text[*at + SINGLE.len()..].starts_with(']');
    let starts = text.match_indices(SINGLE).map(|(at, _)| at).filter(begins_line).filter(is_closed);
    starts.map(|at| at..at + SINGLE.len()).collect()
}

/// Whether the parser takes such lines for headers: they may stand in a text over several lines.
fn is_meant_as_header(text: &str) -> bool {
    let (tree, errors) = DeTable::parse_recoverable(text);
    let is_table = |route: &DeValue<'_>| matches!(route, DeValue::Table(_));
    let is_twice = |error: &Error| {
        let name = error.span().and_then(|span| text.get(span));
        Broken::of(error).rule == Rule::DuplicateKey && name == Some("route")
    };
    tree.get_ref().get("route").is_some_and(|route| is_table(route.get_ref())) || errors.iter().any(is_twice)
}

/// Whether the first of these errors begins a route that lacks its header: from there on several keys of a route are given
/// for the second time, the path among them.
pub(super) fn is_missing(source: &SourceText, lines: &Lines<'_>, errors: &[Error]) -> bool {
    let is_twice = |error: &&Error| Broken::of(error).rule == Rule::DuplicateKey;
    let Some(first) = errors.first().filter(is_twice) else { return false };
    let section = lines.start_of_section(start_of(first));
    let twice = errors.iter().take_while(|error| section.contains(&start_of(error))).filter(is_twice);
    let names: Vec<&str> = twice.filter_map(|error| source.text.get(error.span()?)).collect();
    names.len() > 1 && names.contains(&"path") && names.iter().all(|name| keys::is_key_of_route(name))
}

/// Tells that a header is missing above the line at `at`. The lines below it would count as a part of the route before.
pub(super) fn tell_missing(
    source: &Arc<SourceText>,
    lines: &Lines<'_>,
    at: usize,
    text: &mut Cow<'_, str>,
    findings: &mut Findings,
) {
    let line = lines.around(at);
    let error = Diagnostic::error(text!(
        "another route begins here, but the line `[[route]]` above it is missing",
        "从这里起是另一个网址，但上面缺少一行 `[[route]]`"
    ));
    let error = error
        .at(Place::new(source, line))
        .with_hint(text!("put a line `[[route]]` above this one", "请在这一行上面加一行 `[[route]]`"));
    let section = lines.section(at);
    put(text, section.clone(), "");
    findings.add_damage(error, section);
}
