//! Lines of the sources, with marks under the culprits.
//!
//! Marks are placed by display width, because a Chinese character or an emoji is as wide as two letters. Nothing that
//! could steer a terminal is passed on: control and text-direction characters appear as `<U+001B>`.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use portalgen_base::{diagnostic::Place, invisible};

use crate::cli::shown::{TAB, visible};

/// The widest excerpt of a line, in columns.
const WIDEST: usize = 100;
/// How much of a long line is shown in front of the culprit, in columns.
const LEAD: usize = 30;
/// How many lines of a long culprit are shown.
const LINES_SHOWN: usize = 4;
/// Stands for what is left out of a line.
const CUT: &str = "…";
/// Stands for lines that are left out.
const GAP: &str = "...";

/// A place to be marked.
pub(super) struct Mark<'a> {
    pub(super) place: &'a Place,
    /// Stands behind the mark; may be empty.
    pub(super) label: &'a str,
    pub(super) style: Style,
    /// What the mark is drawn with.
    pub(super) sign: char,
}

/// A mark on one line.
struct Piece<'a> {
    line: MarkedLine<'a>,
    mark: &'a Mark<'a>,
    label: &'a str,
    /// Whether the culprit goes on in lines that are not shown.
    goes_on: bool,
}

impl<'a> Mark<'a> {
    /// The number of the last line that is shown of it.
    pub(super) fn last_line(&self) -> usize {
        let Place { source, span } = self.place;
        self.place.line_column().0 + source.text[span.clone()].matches('\n').count().min(LINES_SHOWN - 1)
    }

    fn is_in_text_of(&self, other: &Self) -> bool {
        self.place.source.name == other.place.source.name
    }

    fn pieces(&'a self) -> impl Iterator<Item = Piece<'a>> {
        let lines = marked_lines(self.place);
        let is_cut = lines.len() > LINES_SHOWN;
        let last = lines.len().min(LINES_SHOWN) - 1;
        lines.into_iter().take(LINES_SHOWN).enumerate().map(move |(at, line)| {
            let label = if at == last { self.label } else { "" };
            Piece { line, mark: self, label, goes_on: is_cut && at == last }
        })
    }
}

/// Writes an excerpt of each text that marks are in: below a header with the place of the first mark in it, the marked
/// lines in their order. Numbers of lines are `width` wide, and what stands around them is in the style `bar`.
pub(super) fn write(marks: &[Mark<'_>], width: usize, bar: Style, out: &mut String) {
    let frame = Frame { width, bar };
    for (at, first) in marks.iter().enumerate() {
        if !marks[..at].iter().any(|earlier| earlier.is_in_text_of(first)) {
            let file = visible(&first.place.to_string());
            let _ = writeln!(out, "{:width$}{bar}-->{bar:#} {file}", "");
            let _ = writeln!(out, "{:width$} {bar}|{bar:#}", "");
            frame.write_lines(marks.iter().filter(|mark| mark.is_in_text_of(first)), out);
        }
    }
}

/// What stands to the left of lines.
struct Frame {
    width: usize,
    bar: Style,
}

impl Frame {
    fn write_lines<'a>(&self, marks: impl Iterator<Item = &'a Mark<'a>>, out: &mut String) {
        let mut pieces: Vec<Piece<'_>> = marks.flat_map(Mark::pieces).collect();
        // Those of one line stay in the order of the marks.
        pieces.sort_by_key(|piece| piece.line.number);
        let lines: Vec<&[Piece<'_>]> = pieces.chunk_by(|a, b| a.line.number == b.line.number).collect();
        for (at, line) in lines.iter().enumerate() {
            self.write_line(line, out);
            let follows = lines.get(at + 1).is_some_and(|next| next[0].line.number == line[0].line.number + 1);
            let is_last = at + 1 == lines.len();
            if line.iter().any(|piece| piece.goes_on) || !(follows || is_last) {
                let bar = self.bar;
                let _ = writeln!(out, "{bar}{GAP}{bar:#}");
            }
        }
    }

    /// Writes one line with all marks on it.
    fn write_line(&self, pieces: &[Piece<'_>], out: &mut String) {
        let Self { width, bar } = *self;
        let mut above = None;
        for Piece { line, mark, label, .. } in pieces {
            let Shown { before, marked, after } = line.shown();
            let text = format!("{before}{marked}{after}");
            // Of a long line, each mark may need another part.
            if above.as_ref() != Some(&text) {
                let source = format!(" {text}");
                let _ = writeln!(out, "{bar}{:>width$} |{bar:#}{}", line.number, source.trim_end());
                above = Some(text);
            }
            let (style, indent) = (mark.style, before.width());
            let length = format!("{before}{marked}").width().saturating_sub(indent).max(1);
            let signs = mark.sign.to_string().repeat(length);
            let gap = if label.is_empty() { "" } else { " " };
            let label = visible(label);
            let _ = writeln!(out, "{:width$} {bar}|{bar:#} {:indent$}{style}{signs}{gap}{label}{style:#}", "", "");
        }
    }
}

/// A line of the source, split around the culprit.
struct MarkedLine<'t> {
    number: usize,
    before: &'t str,
    marked: &'t str,
    after: &'t str,
}

/// A line made fit for a terminal.
struct Shown {
    before: String,
    marked: String,
    after: String,
}

/// The lines that the culprit touches, one more than are shown at most.
fn marked_lines(place: &Place) -> Vec<MarkedLine<'_>> {
    let text = place.source.text.as_str();
    let span = place.span.clone();
    let mut number = place.line_column().0;
    let mut start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let mut lines = Vec::new();
    loop {
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let trimmed = text[start..end].strip_suffix('\r').map_or(end, |line| start + line.len());
        let from = span.start.clamp(start, trimmed);
        let to = span.end.clamp(from, trimmed);
        lines.push(MarkedLine {
            number,
            before: text[start..from].trim_start_matches('\u{feff}'),
            marked: &text[from..to],
            after: &text[to..trimmed],
        });
        if span.end <= end + 1 || lines.len() > LINES_SHOWN {
            return lines;
        }
        (start, number) = (end + 1, number + 1);
    }
}

impl MarkedLine<'_> {
    fn shown(&self) -> Shown {
        let is_long = self.before.len() + self.marked.len() + self.after.len() > WIDEST;
        if !is_long {
            return Shown { before: visible(self.before), marked: visible(self.marked), after: visible(self.after) };
        }
        let lead = WIDEST.saturating_sub(columns(self.marked, WIDEST)).max(LEAD);
        let lead = if columns(self.before, WIDEST) <= lead { lead } else { LEAD };
        let before = cut_start(self.before, lead);
        let marked = cut_end(self.marked, WIDEST.saturating_sub(before.width()));
        let after = cut_end(self.after, WIDEST.saturating_sub(before.width() + marked.width()));
        Shown { before, marked, after }
    }
}

/// The width of a text, counted no further than just over `enough`.
fn columns(text: &str, enough: usize) -> usize {
    let mut sum = 0;
    for c in text.chars() {
        sum += shown_width(c);
        if sum > enough {
            break;
        }
    }
    sum
}

fn shown_width(c: char) -> usize {
    match invisible::visible(c) {
        _ if c == '\t' => TAB.len(),
        Some(number) => number.len(),
        None => c.width().unwrap_or(0),
    }
}

/// The end of a text, in at most `room` columns.
fn cut_start(text: &str, room: usize) -> String {
    if columns(text, room) <= room {
        return visible(text);
    }
    let kept = fitting(text.chars().rev(), room.saturating_sub(CUT.width()));
    format!("{CUT}{}", visible(&text[text.len() - kept..]))
}

/// The start of a text, in at most `room` columns.
fn cut_end(text: &str, room: usize) -> String {
    if columns(text, room) <= room {
        return visible(text);
    }
    let kept = fitting(text.chars(), room.saturating_sub(CUT.width()));
    format!("{}{CUT}", visible(&text[..kept]))
}

/// How many bytes of these characters fit into `room` columns.
fn fitting(characters: impl Iterator<Item = char>, room: usize) -> usize {
    let mut used = 0;
    let fits = |c: &char| {
        used += shown_width(*c);
        used <= room
    };
    characters.take_while(fits).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::report::{Look, human};
    use portalgen_base::{
        diagnostic::{Diagnostic, SourceText},
        text::Text,
    };

    /// Marks the part of `text` between `«` and `»`.
    fn rendered(text: &str) -> String {
        let start = text.find('«').expect("a start");
        let end = text.find('»').expect("an end") - '«'.len_utf8();
        let source = SourceText::new("routes.toml", text.replace(['«', '»'], ""));
        human(&Diagnostic::error(Text::verbatim("x")).at(Place::new(&source, start..end)), Look::default())
    }

    /// The column of the first mark and the number of marks, both in columns of the terminal.
    fn marks(text: &str) -> (usize, usize) {
        let shown = rendered(text);
        let line = shown.lines().nth(4).expect("a line of marks");
        let line = line.split_once("| ").map_or("", |(_, line)| line);
        (line.find('^').expect("a mark"), line.matches('^').count())
    }

    #[test]
    fn carets_stand_under_wide_characters() {
        for (text, at, count) in [
            ("title = «x»", 8, 1),
            ("关于我们 = «页面»", 11, 4),
            ("👋🏽 = «👨‍👩‍👧»", 5, 2),
            ("🇨🇳 = «é»", 5, 1),
            ("\tx = «1»", 8, 1),
            ("e\u{301}e\u{301} = «a»", 5, 1),
            ("a\u{202e}b = «c»", 13, 1),
            ("a = «\u{202e}»", 4, 8),
            ("a = «»", 4, 1),
            ("first\nsecond = «x»\r\nthird", 9, 1),
            ("\u{feff}a = «b»", 4, 1),
            ("a =«\n»", 3, 1),
        ] {
            assert_eq!(marks(text), (at, count), "{text:?}\n{}", rendered(text));
        }
    }

    #[test]
    fn long_lines_are_cut_around_the_culprit() {
        let long = |middle: &str| format!("{}«{middle}»{}", "前".repeat(5000), "b".repeat(500_000));
        for middle in ["culprit".to_owned(), "错".repeat(300), "z".repeat(50_000), String::new()] {
            let shown = rendered(&long(&middle));
            assert!(shown.lines().all(|line| line.width() <= WIDEST + 10), "{shown}");
            assert!(shown.contains('^') && shown.contains(&middle.chars().take(7).collect::<String>()), "{shown}");
        }
    }

    #[test]
    fn long_culprits_are_cut() {
        let shown = rendered(&format!("a\nb = «{}»\nend", "line\n".repeat(50)));
        assert_eq!(shown.matches('^').count(), 4 * 4, "{shown}");
        assert!(shown.lines().count() < 15, "{shown}");
    }

    /// An error at the first of some places, with a label for each of the others.
    fn excerpts(places: &[Place]) -> String {
        let words = |words: &str| Text::verbatim(words);
        let error = Diagnostic::error(words("x")).at(places[0].clone());
        let error = places
            .iter()
            .enumerate()
            .skip(1)
            .fold(error, |error, (at, place)| error.with_related(place.clone(), words(&format!("label {at}"))));
        human(&error, Look::default())
    }

    #[test]
    fn one_text_has_one_excerpt() {
        let routes = SourceText::new("routes.toml", "a = 1\nb = 2\nc = 3\nd = 4\ne = 关于\n");
        let other = SourceText::new("other.toml", "x = 1\n");
        let at = |text: &str| {
            let start = routes.text.find(text).expect("a part of the text");
            Place::new(&routes, start..start + text.len())
        };
        let there = Place::new(&other, 0..1);
        let shown = excerpts(&[at("e"), at("d = 4"), there.clone(), at("关于"), at("a"), there]);
        let expected = "\
error: x
 --> routes.toml:5:1
  |
1 | a = 1
  | - label 4
...
4 | d = 4
  | ----- label 1
5 | e = 关于
  | ^
  |     ---- label 3
 --> other.toml:1:1
  |
1 | x = 1
  | - label 2
  | - label 5
";
        assert_eq!(shown, expected, "{shown}");
    }

    #[test]
    fn lines_are_left_out_of_long_culprits_only() {
        let text = SourceText::new("a", "1\n2\n3\n4\n5\n6\n7\n");
        let part = |range| Place::new(&text, range);
        let shown = excerpts(&[part(0..11), part(12..13), part(4..5)]);
        assert_eq!(shown.matches("...\n").count(), 1, "{shown}");
        assert!(shown.contains("3 | 3\n  | ^\n  | - label 2\n4 | 4\n  | ^\n...\n7 | 7\n  | - label 1\n"), "{shown}");
        assert!(excerpts(&[part(0..11)]).ends_with("4 | 4\n  | ^\n...\n"));
    }

    #[test]
    fn marks_far_apart_on_a_long_line_have_a_part_each() {
        let text = SourceText::new("a", format!("first{}second", " ".repeat(1000)));
        let shown = excerpts(&[Place::new(&text, 0..5), Place::new(&text, 1005..1011)]);
        assert_eq!(shown.matches("1 | ").count(), 2, "{shown}");
        assert!(shown.contains("first") && shown.contains("second"), "{shown}");
    }
}
