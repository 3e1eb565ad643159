//! A value of the configuration with what is needed to complain about it.

use std::{borrow::Cow, ops::Range, sync::Arc};

use schemars::{JsonSchema, Schema, SchemaGenerator};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    invisible::Unseen,
    text::{Text, text, write},
};

use super::{findings::Findings, signs};

/// What is wrong with a value, said before it is known where the value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// One sentence without a full stop.
    pub message: Text,
    /// What to do about it, most useful first.
    pub hints: Vec<Text>,
    /// The bytes of the value that are to blame; all of it when absent.
    pub range: Option<Range<usize>>,
}

impl Problem {
    /// The problem as an error of what cannot be pointed at, or not yet.
    pub fn into_error(self) -> Diagnostic {
        Diagnostic { hints: self.hints, ..Diagnostic::error(self.message) }
    }

    /// A problem of the whole value.
    pub(crate) fn new(message: Text) -> Self {
        Self { message, hints: Vec::new(), range: None }
    }

    /// Narrows the blame to some bytes of the value.
    #[must_use]
    pub(crate) fn at(mut self, range: Range<usize>) -> Self {
        self.range = Some(range);
        self
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn hint(mut self, hint: Text) -> Self {
        self.hints.push(hint);
        self
    }
}

/// What `parse` makes of a value. When only its signs keep it from being understood, it is those that are wrong.
pub(crate) fn parsed<T>(written: &str, parse: impl Fn(&str) -> Result<T, Problem>) -> Result<T, Problem> {
    let result = parse(written);
    // Of spaces, and of what cannot be seen, more is said there.
    if written.trim() != written || written.contains(|c| Unseen::of(c).is_some()) {
        return result;
    }
    let narrow = signs::narrow(written);
    let bare = narrow.trim_matches(|c: char| "\"'<>《》".contains(c));
    let is_meant = |other: &str| other != written && parse(other).is_ok();
    match result {
        Err(_) if is_meant(&narrow) => {
            Err(Problem::new(text!("this value contains full-width characters", "这段内容里有全角符号"))
                .hint(write(narrow)))
        }
        Err(_) if bare != narrow && is_meant(bare) => {
            Err(Problem::new(text!("there are extra characters around this value", "这段内容的两端有多余的符号"))
                .hint(write(bare)))
        }
        result => result,
    }
}

/// The value that was given from outside, or else that of the file, which must be right in any case.
pub(super) fn overridden<T>(
    written: Option<&Value>,
    flag: Flag,
    given: Option<&str>,
    parse: fn(&str) -> Result<T, Problem>,
    findings: &mut Findings,
) -> Option<T> {
    let written = understood(written, parse, findings);
    let Some(given) = given else { return written };
    understood(Some(&Value::on_command_line(given, flag)), parse, findings)
}

pub(super) fn understood<T>(
    value: Option<&Value>,
    parse: impl Fn(&str) -> Result<T, Problem>,
    findings: &mut Findings,
) -> Option<T> {
    let value = value?;
    findings.value(parsed(&value.text, parse).map_err(|problem| value.error(problem)))
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    File(Place),
    CommandLine(Flag),
}

/// The names under which a value may be given from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag {
    pub(crate) flag: &'static str,
    pub(crate) variable: &'static str,
}

/// A text somebody typed: in the file, or on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) text: String,
    origin: Origin,
}

/// Texts by names, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs(pub(crate) Vec<(Value, Value)>);

/// A text as it stands in the file, with `{product}` and `{host}` not filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Where it stands, quotes included.
    pub place: Place,
}

impl JsonSchema for Value {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

impl JsonSchema for Pairs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Pairs".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "object",
            "patternProperties": { "^/": { "type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://" } },
            "additionalProperties": false,
        })
    }
}

impl Value {
    /// A value that stands at `span`, quotes included.
    pub(crate) fn in_file(text: impl Into<String>, source: &Arc<SourceText>, span: Range<usize>) -> Self {
        Self { text: text.into(), origin: Origin::File(Place::new(source, span)) }
    }

    /// A value given by a flag or a variable.
    pub(crate) fn on_command_line(text: impl Into<String>, flag: Flag) -> Self {
        Self { text: text.into(), origin: Origin::CommandLine(flag) }
    }

    /// The same place with another text: what a template became.
    pub(crate) fn with_text(&self, text: String) -> Self {
        Self { text, origin: self.origin.clone() }
    }

    /// Where the value stands, unless it came from the command line.
    pub(crate) fn place(&self) -> Option<&Place> {
        match &self.origin {
            Origin::File(place) => Some(place),
            Origin::CommandLine(_) => None,
        }
    }

    /// The text with its place, unless it came from the command line.
    pub(crate) fn written(&self) -> Option<Written> {
        Some(Written { text: self.text.clone(), place: self.place()?.clone() })
    }

    /// The problem as an error at this value.
    pub(crate) fn error(&self, problem: Problem) -> Diagnostic {
        self.complain(problem, Diagnostic::error)
    }

    /// The problem as a warning at this value.
    pub(crate) fn warning(&self, problem: Problem) -> Diagnostic {
        self.complain(problem, Diagnostic::warning)
    }

    /// Adds this value to a complaint about another one.
    pub(crate) fn relate(&self, diagnostic: Diagnostic, label: Text) -> Diagnostic {
        match self.place() {
            Some(place) => diagnostic.with_related(place.clone(), label),
            None => diagnostic,
        }
    }

    fn complain(&self, problem: Problem, kind: fn(Text) -> Diagnostic) -> Diagnostic {
        let message = problem.message;
        let mut diagnostic = match &self.origin {
            Origin::CommandLine(Flag { flag, variable }) => {
                kind(text!("{flag} (or {variable}): {message}", "{flag}（或 {variable}）：{message}", message))
            }
            Origin::File(place) => {
                let part = problem.range.and_then(|range| self.part(place, range));
                kind(message).at(part.unwrap_or_else(|| place.clone()))
            }
        };
        diagnostic.hints = problem.hints;
        match self.filled_in() {
            Some(note) => diagnostic.with_hint(note),
            None => diagnostic,
        }
    }

    /// The place of some bytes of the text: known only where the file spells the text letter by letter, without
    /// escapes and with nothing filled in.
    fn part(&self, place: &Place, range: Range<usize>) -> Option<Place> {
        let inside = unquoted(place)?;
        let start = place.span.start + 1;
        (inside == self.text).then(|| Place::new(&place.source, start + range.start..start + range.end))
    }

    /// Says what a template became, since the person at the file sees only the braces.
    fn filled_in(&self) -> Option<Text> {
        let written = unquoted(self.place()?)?;
        let Self { text, .. } = self;
        let differs = written.contains('{') && written != text;
        differs.then(|| text!("with placeholders filled in, it reads `{text}`", "替换占位符之后是 `{text}`"))
    }
}

/// What stands between the quotes of a one-line string.
fn unquoted(place: &Place) -> Option<&str> {
    let literal = &place.source.text[place.span.clone()];
    let quote = literal.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    literal[1..].strip_suffix(quote)
}
