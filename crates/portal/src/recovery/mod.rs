//! Error recovery: every mistake of syntax at once, in words for people who have never heard of TOML.
//!
//! The parser says where it cannot go on, and [`broken`] why. [`lines`] finds what lines that is about, [`intent`] takes
//! them apart as their author thinks of them, [`advice`] says what is wrong with them, [`repair`] what to write instead,
//! and [`explain`] puts that into a complaint. [`headers`] is about mistakes in one header that show on many lines.

mod advice;
mod broken;
mod explain;
mod headers;
mod intent;
mod lines;
mod repair;

use std::{borrow::Cow, ops::Range, sync::Arc};

use toml::de::{DeTable, Error};

use portalgen_base::diagnostic::SourceText;

use self::{
    broken::Broken,
    explain::{Mistake, Repair},
    intent::Meant,
    lines::Statement,
};
pub(super) use self::{intent::section, lines::Lines, repair::items};

/// Whether a line was meant to say what answers at the address of a route.
pub(super) fn names_kind(line: &str) -> bool {
    let Meant::Assignment(assignment) = intent::read(line) else { return false };
    assignment.meant_key(line).is_some_and(|key| matches!(key.as_str(), "component" | "redirect" | "retired"))
}
use super::findings::Findings;

/// How much text after the first mistake is searched for more: a binary file of this size would make millions.
const SEARCHED: usize = 1 << 20;
/// How many mistakes of spelling are kept, for each pass.
const KEPT: usize = 100;
/// How often the text is read, each time without what was found to be wrong before.
const PASSES: usize = 20;

/// Notes every mistake of spelling, and returns the text with what cannot be understood replaced by what was probably
/// meant, or blanked out. Whatever is not replaced stands where it stood. What [`DeTable::parse_recoverable`] makes of that
/// is as much as can be known about the file.
///
/// The parser overlooks some mistakes behind one that stops it, hence the passes.
pub(crate) fn check<'s>(source: &'s Arc<SourceText>, findings: &mut Findings) -> Cow<'s, str> {
    let lines = Lines::of(&source.text);
    let mut text = Cow::Borrowed(bounded(&source.text));
    headers::double_brackets(source, &lines, &mut text, findings);
    for _ in 0..PASSES {
        let errors = errors_of(&text, &lines, findings);
        if errors.is_empty() || findings.are_many() {
            break;
        }
        for (index, error) in errors.iter().enumerate() {
            let at = start_of(error);
            // What several lines have in common is complained of once.
            if findings.is_damaged(at) {
                continue;
            }
            if headers::is_missing(source, &lines, &errors[index..]) {
                headers::tell_missing(source, &lines, at, &mut text, findings);
                continue;
            }
            let statement = lines.statement(at, Broken::of(error));
            note(source, &lines, error, &statement, &mut text, findings);
            // The lines that the parser took for a part of it are read anew.
            if statement.swallows {
                break;
            }
        }
    }
    text
}

/// Adds one mistake to the findings and repairs the text.
fn note(
    source: &Arc<SourceText>,
    lines: &Lines<'_>,
    error: &Error,
    statement: &Statement,
    text: &mut Cow<'_, str>,
    findings: &mut Findings,
) {
    let Statement { range, .. } = statement;
    let Mistake { diagnostic, repair } = explain::mistake(source, statement, error);
    let damaged = match repair {
        Repair::Nothing => lines.around(start_of(error)),
        Repair::Lines(line) => {
            put(text, range.clone(), &line);
            range.clone()
        }
        Repair::Section(headers) => {
            if let Some(header) = headers.iter().find(|header| header.len() <= range.len()) {
                put(text, range.clone(), header);
                range.clone()
            } else {
                let section = lines.section(range.start);
                put(text, section.clone(), "");
                section
            }
        }
    };
    findings.add_damage(diagnostic, damaged);
}

fn start_of(error: &Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// Puts other words in place of a range, and blanks over what is left of it, so that all others stay where they are.
fn put(text: &mut Cow<'_, str>, range: Range<usize>, words: &str) {
    // What an earlier repair has put there may have its characters elsewhere.
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let range = start..text.ceil_char_boundary(range.end.min(text.len())).max(start);
    let words = if words.len() <= range.len() { words } else { "" };
    let padded = format!("{words}{}", " ".repeat(range.len() - words.len()));
    text.to_mut().replace_range(range, &padded);
}

/// The text, or only its beginning when it is large and wrong: the parser needs 200 bytes for each mistake.
fn bounded(text: &str) -> &str {
    if text.len() <= SEARCHED {
        return text;
    }
    let Err(error) = DeTable::parse(text) else { return text };
    let first = start_of(&error);
    let end = text.floor_char_boundary((first + SEARCHED).min(text.len()));
    let line_end = text[..end].rfind('\n').filter(|line_end| *line_end > first);
    &text[..line_end.unwrap_or(end)]
}

/// Mistakes on lines without a known one, the first of each line.
fn errors_of(text: &str, lines: &Lines<'_>, findings: &Findings) -> Vec<Error> {
    let mut errors = DeTable::parse_recoverable(text).1;
    errors.retain(|error| !findings.is_damaged(start_of(error)));
    errors.sort_by_key(|error| lines.index(start_of(error)));
    errors.dedup_by_key(|error| lines.index(start_of(error)));
    errors.truncate(KEPT);
    errors
}
