//! The parser's complaints in plain words.
//!
//! The parser says which rule of TOML is broken. An editor needs to know what to type instead, so most of the work here
//! is to look at the line and see what it was meant to be.

use std::{ops::Range, sync::Arc};

use toml::de::Error;

use crate::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{Text, text},
};

/// Quotes that word processors put in place of straight ones.
const SMART_QUOTES: &[char] =
    &['“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»', '「', '」', '『', '』', '＂', '＇', '`', '´'];

/// Brackets that keyboards for Chinese and Japanese type in place of `[`.
pub(crate) const WIDE_BRACKETS: &[char] = &['［', '【', '〔'];

/// The line around a mistake.
struct Line<'t> {
    text: &'t str,
    /// Where in the line the parser gave up.
    at: usize,
    /// What it gave up on; often nothing.
    culprit: &'t str,
}

struct Advice {
    message: Text,
    hints: Vec<Text>,
    /// The bytes of the line to point at, where the parser noticed the mistake too late.
    mark: Option<Range<usize>>,
}

impl Advice {
    /// Points at the first `culprit` in the line.
    fn pointing_at(mut self, line: &Line<'_>, culprit: &str) -> Self {
        self.mark = line.text.find(culprit).map(|at| at..at + culprit.len());
        self
    }
}

fn advice<T: Into<Text>>(message: impl Into<Text>, hints: impl IntoIterator<Item = T>) -> Advice {
    Advice { message: message.into(), hints: hints.into_iter().map(Into::into).collect(), mark: None }
}

/// The parser's error as a diagnostic. `line` is the range of the line that it happened in.
pub(crate) fn syntax_error(source: &Arc<SourceText>, line: Range<usize>, error: &Error) -> Diagnostic {
    let span = error.span().unwrap_or(line.start..line.start);
    let place = Place::new(source, span);
    let culprit = &source.text[place.span.clone()];
    let text = source.text[line.clone()].trim_end();
    let shown = Line { text, at: (place.span.start - line.start).min(text.len()), culprit };
    let Advice { message, hints, mark } = explain(&shown, error.message());
    let is_duplicate = rule(error.message()) == "duplicate key";
    let first = if is_duplicate { first_use(source, &line, culprit) } else { None };
    let mark = mark.map(|mark| Place::new(source, line.start + mark.start..line.start + mark.end));
    let mut diagnostic = Diagnostic::error(message).at(mark.unwrap_or(place));
    diagnostic.hints = hints;
    diagnostic.related.extend(first.map(|first| (first, text!("the first one", "第一处"))));
    diagnostic
}

/// How much of the file a mistake makes unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// A value or a key; the parser has read what was probably meant.
    Value,
    /// The whole line.
    Line,
    /// Everything until the next section begins.
    Section,
}

/// What the parser cannot make sense of after this error on this line.
pub(crate) fn damage(line: &str, error: &Error) -> Damage {
    let is_header = line.trim_start().starts_with('[');
    match rule(error.message()) {
        "unclosed table" | "unclosed array table" => Damage::Section,
        // The second kind of header would replace the routes that the first kind has collected.
        "duplicate key" if is_header && line.contains("route") => Damage::Section,
        "string values must be quoted" | "unexpected key or value" | "duplicate key" | "invalid boolean" => {
            Damage::Value
        }
        "missing escaped value" | "too few unicode value digits" | "invalid unquoted key" => Damage::Value,
        rule if rule.ends_with("string") => Damage::Value,
        _ if line.trim_start().starts_with(WIDE_BRACKETS) => Damage::Section,
        _ => Damage::Line,
    }
}

/// The parser's message without the list of what it would have liked instead.
fn rule(message: &str) -> &str {
    message.split_once(", expected").map_or(message, |(rule, _)| rule)
}

/// Where a key or section that is given twice was given first: the parser knows, but does not tell.
fn first_use(source: &Arc<SourceText>, line: &Range<usize>, name: &str) -> Option<Place> {
    let header = source.text[line.clone()].trim();
    let is_header = header.starts_with('[');
    let mut end = line.start;
    while end > 0 {
        let start = source.text[..end - 1].rfind('\n').map_or(0, |newline| newline + 1);
        let text = source.text[start..end].trim_end();
        let indent = text.len() - text.trim_start().len();
        let after_name = text.trim_start().strip_prefix(name).map(str::trim_start);
        if is_header && text.trim_start() == header {
            return Some(Place::new(source, start + indent..start + text.len()));
        }
        if !is_header && after_name.is_some_and(|rest| rest.starts_with('=')) {
            return Some(Place::new(source, start + indent..start + indent + name.len()));
        }
        end = start;
    }
    None
}

fn explain(line: &Line<'_>, message: &str) -> Advice {
    // Whatever the parser stumbles over inside such quotes, they are what is wrong.
    if let Some(value) = value(line).filter(|value| value.starts_with(SMART_QUOTES)) {
        return bent_quotes(line, value);
    }
    match rule(message) {
        "string values must be quoted" => bare_value(line),
        "key with no value" | "invalid key-value pair" => no_value(line),
        "invalid unquoted key" => bare_key(line),
        "unexpected key or value" => leftover(line),
        "duplicate key" => duplicate(line),
        "invalid boolean" => boolean(line),
        "unclosed table" | "unclosed array table" => unclosed_header(line),
        "missing escaped value" | "too few unicode value digits" => backslash(line),
        "carriage return must be followed by newline" => advice(
            "this line ends as lines did on very old Macs",
            ["save the file again with the usual line ends (LF or CRLF)".to_owned()],
        ),
        rule if rule.ends_with("string") => quoted_text(line, message),
        rule if rule.starts_with("unclosed") => advice("a bracket is not closed", [format!("the rule is: {message}")]),
        rule => advice(
            rule,
            message
                .strip_prefix(rule)
                .filter(|rest| !rest.is_empty())
                .map(|rest| rest.trim_start_matches(", ").to_owned()),
        ),
    }
}

/// `key = …` up to and with the `=`, as the beginning of a corrected line.
fn assignment<'t>(line: &Line<'t>) -> &'t str {
    line.text.find('=').map_or("", |equals| line.text[..equals].trim())
}

/// What stands behind the `=`.
fn value<'t>(line: &Line<'t>) -> Option<&'t str> {
    line.text.split_once('=').map(|(_, value)| value.trim())
}

fn write_line(key: &str, value: &str) -> String {
    if key.is_empty() { format!("write `{value}`") } else { format!("write `{key} = {value}`") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn bare_value(line: &Line<'_>) -> Advice {
    let key = assignment(line);
    let value = value(line).unwrap_or(line.culprit);
    if value.is_empty() {
        return advice("the value is missing", [write_line(key, "\"…\"")]);
    }
    if let Some(rest) = value.strip_prefix('＝') {
        return full_width(line, key, rest.trim());
    }
    if value.contains(SMART_QUOTES) {
        return bent_quotes(line, value);
    }
    match value.to_ascii_lowercase().as_str() {
        "yes" | "on" => advice("a yes is written `true`", [write_line(key, "true")]),
        "no" | "off" => advice("a no is written `false`", [write_line(key, "false")]),
        _ => advice("text stands in quotes", [write_line(key, &quoted(value))]),
    }
}

fn bent_quotes(line: &Line<'_>, value: &str) -> Advice {
    let inner = value.trim_matches(|c| SMART_QUOTES.contains(&c) || c == '"');
    let hints =
        [write_line(assignment(line), &quoted(inner)), "word processors bend quotes; type them anew: \"".to_owned()];
    advice("these quotes are not the straight ones", hints).pointing_at(line, value)
}

fn full_width(line: &Line<'_>, key: &str, value: &str) -> Advice {
    let hints = [
        write_line(key, if value.is_empty() { "…" } else { value }),
        "switch the keyboard to half width for signs".to_owned(),
    ];
    advice("this equals sign is the wide one of Chinese and Japanese keyboards", hints).pointing_at(line, "＝")
}

fn no_value(line: &Line<'_>) -> Advice {
    let text = line.text.trim();
    if text.starts_with("//") || text.starts_with("/*") || text.starts_with("--") || text.starts_with("<!--") {
        let note = text.trim_matches(|c: char| "/*-<!> ".contains(c));
        return advice("a remark begins with `#`", [format!("write `# {note}`")]).pointing_at(line, text);
    }
    if text.starts_with(WIDE_BRACKETS) {
        let name: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let shown = if name == "route" { "[[route]]".to_owned() } else { format!("[{name}]") };
        return advice(
            "these brackets are the wide ones of Chinese and Japanese keyboards",
            [format!("write `{shown}`")],
        )
        .pointing_at(line, text);
    }
    if text.starts_with('{') {
        return advice("this line is not `key = \"value\"`", ["the file is in TOML, not in JSON".to_owned()]);
    }
    if let Some((key, value)) = text.split_once('＝') {
        return full_width(line, key.trim(), value.trim());
    }
    for sign in [":", "："] {
        if let Some((key, value)) = text.split_once(sign) {
            let message = format!("`=` stands between a key and its value, not `{sign}`");
            return advice(message, [write_line(key.trim(), value.trim())]).pointing_at(line, sign);
        }
    }
    match text.split_once(char::is_whitespace) {
        Some((key, value)) => advice("there is no `=` in this line", [write_line(key, value.trim())]),
        None if text.contains(['"', '\'']) => {
            advice("there is no `=` in this line", ["a text begins and ends on one line".to_owned()])
        }
        None => advice("there is no `=` in this line", [write_line(text, "\"…\"")]),
    }
}

fn bare_key(line: &Line<'_>) -> Advice {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
    if line.culprit.chars().all(is_space) {
        return advice(
            "there is a space here that is not the usual one",
            ["delete it and type a space anew".to_owned()],
        );
    }
    if line.culprit.contains(SMART_QUOTES) {
        return advice(
            "these quotes are not the straight ones",
            ["word processors bend quotes; type them anew: \"".to_owned()],
        );
    }
    advice(
        format!("`{}` cannot be in a key", line.culprit),
        ["keys are the English words of the format: path, title, redirect, …".to_owned()],
    )
}

/// Something stands behind a complete value.
fn leftover(line: &Line<'_>) -> Advice {
    let rest = line.text[line.at..].trim();
    let before = line.text[..line.at].trim_end();
    if let Some((key, value)) = line.text.split_once("=＝") {
        return full_width(line, key.trim(), value.trim());
    }
    if rest.contains('=') {
        return advice("something stands behind the value", ["each `key = value` has a line of its own".to_owned()]);
    }
    if rest.starts_with([',', ';', '，', '；', '。', '.']) {
        let sign = rest.chars().next().unwrap_or(',');
        return advice(format!("no `{sign}` is needed at the end of a line"), [format!("write `{}`", before.trim())]);
    }
    if rest.contains('"') {
        let value = line.text.split_once('=').map_or("", |(_, value)| value).trim();
        let inner = value.strip_prefix('"').unwrap_or(value);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        return advice(
            "the text ended at the quote before this",
            [write_line(assignment(line), &quoted(inner)), "a quote inside a text has `\\` in front of it".to_owned()],
        );
    }
    advice(
        "something stands behind the value",
        [format!("write `{}`", before.trim()), "a remark begins with `#`".to_owned()],
    )
}

fn duplicate(line: &Line<'_>) -> Advice {
    let name = line.culprit;
    if line.text.trim_start().starts_with("[[") {
        return advice(
            format!("`{name}` is also written with single brackets"),
            [format!("write `[[{name}]]` each time")],
        );
    }
    if !line.text.trim_start().starts_with('[') {
        return advice(
            format!("`{name}` is given twice here"),
            ["keep one of the two lines".to_owned(), "or begin the next route with a line `[[route]]`".to_owned()],
        );
    }
    match name {
        "route" => advice("each route begins with double brackets", ["write `[[route]]` each time".to_owned()]),
        _ => advice(format!("`[{name}]` stands in the file twice"), ["put everything under the first one".to_owned()]),
    }
}

fn boolean(line: &Line<'_>) -> Advice {
    let right = line.culprit.to_ascii_lowercase();
    advice(format!("`{}` is written in small letters", line.culprit), [write_line(assignment(line), &right)])
}

fn unclosed_header(line: &Line<'_>) -> Advice {
    let header = line.text.trim();
    let name = header.trim_matches(|c: char| c == '[' || c == ']' || c.is_whitespace());
    let opening = if header.starts_with("[[") { 2 } else { 1 };
    let shown = format!("{}{name}{}", "[".repeat(opening), "]".repeat(opening));
    advice("the bracket is not closed", [format!("write `{shown}`")])
}

fn backslash(line: &Line<'_>) -> Advice {
    let value = line.text.split_once('=').map_or("", |(_, value)| value).trim().trim_matches('"');
    let mut hints = vec![write_line(assignment(line), &format!("\"{}\"", value.replace('\\', "/")))];
    hints.push("for the sign itself write it twice: `\\\\`".to_owned());
    advice("`\\` has a special meaning in a text", hints)
}

fn quoted_text(line: &Line<'_>, message: &str) -> Advice {
    if let Some(c) = line.culprit.chars().next().filter(|c| c.is_control()) {
        let what = crate::characters::describe(c);
        return advice(
            format!("{what} cannot be in a text"),
            ["delete it; it often comes along when text is copied".to_owned()],
        );
    }
    let quote = if message.contains("literal") { "'" } else { "\"" };
    if message.contains("multi-line") {
        return advice("the text is never closed", [format!("end it with `{}`", quote.repeat(3))]);
    }
    let text = line.text[..line.at].trim();
    let straight = text.trim_end_matches(SMART_QUOTES);
    let hint = format!("write `{straight}{quote}`");
    if straight.len() < text.len() {
        let smart = &text[straight.len()..];
        return advice("the quote at the end of the text is not a straight one", [hint]).pointing_at(line, smart);
    }
    advice("the quote at the end of the text is missing", [hint])
}
