//! Diagnostics as pages show them.

use serde::{Deserialize, Serialize};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::{Language, Text},
};
use xxhash_rust::xxh3::xxh3_64;

/// How many lines of a file are shown before and behind what is marked.
const AROUND: usize = 3;
/// How many characters of a line are shown: one line of a minified package may be megabytes.
const LONGEST_LINE: usize = 400;

/// A problem as `client/protocol.ts` has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Problem {
    /// The same as long as the problem is the same.
    pub id: String,
    pub severity: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related>,
    /// The route of the page that it is about, if it is one page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// The calls that led to an exception, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stack: Vec<Frame>,
    /// The components around, the innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<Frame>,
    /// What an exception was caused by, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
}

/// A call on a stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Frame {
    /// The function, empty if it has no name.
    pub name: String,
    /// None where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Position>,
    /// The package that the code belongs to; none for code of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

/// What an exception was caused by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Cause {
    pub message: String,
    pub stack: Vec<Frame>,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Position {
    pub file: String,
    pub line: usize,
    pub column: usize,
    /// What the client names it by when it is to be opened.
    pub id: String,
}

/// Lines of a file around what is marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Excerpt {
    pub line: usize,
    pub lines: Vec<String>,
    pub from: Corner,
    pub to: Corner,
}

/// One end of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Corner {
    pub line: usize,
    pub column: usize,
}

/// A further place of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Related {
    pub message: String,
    pub place: Position,
}

/// Texts that differ between what was prerendered and what the browser has rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Difference {
    pub component: String,
    pub server: String,
    pub client: String,
    pub tree: String,
}

impl Problem {
    /// A diagnostic, as people who speak `language` are told.
    pub(crate) fn of(diagnostic: &Diagnostic, language: Language, route: Option<&str>) -> Self {
        let say = |text: &Text| text.in_language(language).to_owned();
        let Diagnostic { severity, message, place, related, hints, .. } = diagnostic;
        let message = say(message);
        let place = place.as_ref();
        let position = place.map(Position::of);
        let at = position.as_ref().map(|position| position.id.as_str()).unwrap_or_default();
        Self {
            id: id(&[&message, at, route.unwrap_or_default()]),
            severity: severity.name(),
            excerpt: place.and_then(Excerpt::of),
            hints: hints.iter().map(say).collect(),
            related: related
                .iter()
                .map(|(place, label)| Related { message: say(label), place: Position::of(place) })
                .collect(),
            route: route.map(ToOwned::to_owned),
            stack: Vec::new(),
            components: Vec::new(),
            causes: Vec::new(),
            difference: None,
            place: position,
            message,
        }
    }
}

impl Problem {
    /// Its places, by all names under which they can be asked for.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&str, &Position)> {
        let own = self.place.iter().flat_map(|place| [(self.id.as_str(), place), (place.id.as_str(), place)]);
        let related = self.related.iter().map(|Related { place, .. }| place);
        let of_causes = self.causes.iter().flat_map(|cause| &cause.stack);
        let frames = self.stack.iter().chain(&self.components).chain(of_causes);
        let others = related.chain(frames.filter_map(|frame| frame.place.as_ref()));
        own.chain(others.map(|place| (place.id.as_str(), place)))
    }
}

impl Position {
    pub(crate) fn of(place: &Place) -> Self {
        let (line, column) = place.line_column();
        let file = &place.source.name;
        Self { id: id(&[file, &line.to_string(), &column.to_string()]), file: file.clone(), line, column }
    }
}

impl Excerpt {
    /// None where the text has no lines to show.
    fn of(place: &Place) -> Option<Self> {
        let text = &place.source.text;
        if text.is_empty() {
            return None;
        }
        let (line, column) = place.line_column();
        let end = Place::new(&place.source, place.span.end..place.span.end);
        let (end_line, end_column) = end.line_column();
        let first = line.saturating_sub(AROUND).max(1);
        let wanted = text.lines().skip(first - 1).take(end_line.min(line + AROUND) + AROUND + 1 - first);
        let lines = wanted.map(|line| line.chars().take(LONGEST_LINE).collect()).collect();
        Some(Self {
            line: first,
            lines,
            from: Corner { line, column },
            to: Corner { line: end_line, column: end_column },
        })
    }
}

/// A short name for these parts.
fn id(parts: &[&str]) -> String {
    format!("{:016x}", xxh3_64(parts.join("\0").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Corner, Problem};
    use portalgen_base::{
        diagnostic::{Diagnostic, Place, SourceText},
        text::{Language, Text},
    };

    fn problem(text: &str, marked: &str) -> Problem {
        let source = SourceText::new("site/pages/a.tsx", text);
        let start = text.find(marked).expect("what is marked");
        let place = Place::new(&source, start..start + marked.len());
        Problem::of(&Diagnostic::error(Text::verbatim("wrong")).at(place), Language::English, Some("/a"))
    }

    #[test]
    fn an_excerpt_has_the_lines_around_what_is_marked() {
        let problem = problem("1\n2\n3\n4\n关于 here\n6\n7\n8\n9\n", "here");
        let excerpt = problem.excerpt.expect("an excerpt");
        assert_eq!(excerpt.lines, ["2", "3", "4", "关于 here", "6", "7", "8"]);
        assert_eq!(
            (excerpt.line, excerpt.from, excerpt.to),
            (2, Corner { line: 5, column: 4 }, Corner { line: 5, column: 8 })
        );
    }

    #[test]
    fn long_lines_and_long_marks_are_cut() {
        let lines = (1..=100).map(|line| line.to_string()).collect::<Vec<_>>().join("\n");
        let excerpt = problem(&lines, &lines).excerpt.expect("an excerpt");
        assert_eq!(excerpt.lines.len(), 7);
        let excerpt = problem(&"x".repeat(1000), "x").excerpt.expect("an excerpt");
        assert_eq!(excerpt.lines[0].len(), 400);
    }

    #[test]
    fn a_problem_is_known_by_what_and_where() {
        let [a, b, c] = [problem("a b", "a"), problem("a b c", "a"), problem("a b", "b")].map(|problem| problem.id);
        assert_eq!(a, b);
        assert_ne!(a, c);
    }
}
