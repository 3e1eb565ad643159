//! Diagnostics for people: with the source line and a caret under the culprit.
//!
//! Carets are placed by display width, because a Chinese character or an emoji is as wide as two letters. Nothing that
//! could steer a terminal is passed on: control and text-direction characters appear as `<U+001B>`.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::Look;
use crate::{
    characters,
    diagnostic::{Diagnostic, Place, Severity},
    text::{Language, Text, text},
};

/// Tabs are shown as this many spaces, wherever they stand.
const TAB: &str = "    ";
/// The widest excerpt of a line, in columns.
const WIDEST: usize = 100;
/// How much of a long line is shown in front of the culprit, in columns.
const LEAD: usize = 30;
/// How many lines of a long culprit are shown.
const LINES_SHOWN: usize = 4;
const CUT: &str = "…";

struct Palette {
    severity: Style,
    gutter: Style,
    message: Style,
    related: Style,
}

impl Palette {
    fn new(severity: Severity, color: bool) -> Self {
        if !color {
            let none = Style::new();
            return Self { severity: none, gutter: none, message: none, related: none };
        }
        let hue = match severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
        };
        Self {
            severity: hue.on_default().bold(),
            gutter: AnsiColor::Blue.on_default().bold(),
            message: Style::new().bold(),
            related: AnsiColor::Blue.on_default().bold(),
        }
    }
}

/// A diagnostic for people: the sentence, `--> file:line:column` with the lines in question, and the hints. Ends in a
/// line break. With colour it contains ANSI sequences, without it is plain text.
pub fn human(diagnostic: &Diagnostic, look: Look) -> String {
    let palette = Palette::new(diagnostic.severity, look.color);
    let say = |text: &Text| text.in_language(look.language).to_owned();
    let labelled = diagnostic.related.iter().map(|(place, label)| (place, label.in_language(look.language)));
    let related = labelled.map(|(place, label)| (place, label, palette.related, '-'));
    let main = diagnostic.place.iter().map(|place| (place, "", palette.severity, '^'));
    let excerpts: Vec<_> = main.chain(related).collect();
    let gutter = excerpts.iter().map(|(place, ..)| last_line(place).to_string().len()).max().unwrap_or(1);

    let Palette { severity, message, .. } = palette;
    let name = say(&severity_name(diagnostic.severity));
    let rule = diagnostic.rule.map(|rule| format!("[{rule}]")).unwrap_or_default();
    let colon = colon(look.language);
    let text = paragraph(&say(&diagnostic.message), 0);
    let mut out = format!("{severity}{name}{rule}{severity:#}{message}{colon}{text}{message:#}\n");
    for (place, label, style, mark) in excerpts {
        let excerpt = Excerpt { palette: &palette, gutter, style, mark, label };
        excerpt.write(place, &mut out);
    }
    let name = say(&text!("hint", "提示"));
    let indent = gutter + 3 + name.width() + colon.width();
    for hint in &diagnostic.hints {
        let Palette { gutter: bar, message, .. } = palette;
        let text = paragraph(&say(hint), indent);
        let _ = writeln!(out, "{:gutter$} {bar}={bar:#} {message}{name}{message:#}{colon}{text}", "");
    }
    out
}

fn severity_name(severity: Severity) -> Text {
    match severity {
        Severity::Error => text!("error", "错误"),
        Severity::Warning => text!("warning", "警告"),
    }
}

fn colon(language: Language) -> &'static str {
    match language {
        Language::English => ": ",
        Language::Chinese => "：",
    }
}

fn last_line(place: &Place) -> usize {
    let first = place.line_column().0;
    first + place.source.text[place.span.clone()].matches('\n').count().min(LINES_SHOWN - 1)
}

/// Text of ours or of a program that failed: line breaks are kept, with the next lines indented.
fn paragraph(text: &str, indent: usize) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    lines.join(&format!("\n{:indent$}", ""))
}

/// The text as a terminal may show it.
pub(in crate::cli) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match characters::visible(c) {
            _ if c == '\t' => shown.push_str(TAB),
            Some(number) => shown.push_str(&number),
            None => shown.push(c),
        }
    }
    shown
}

/// A piece of source with the culprit marked.
struct Excerpt<'a> {
    palette: &'a Palette,
    gutter: usize,
    style: Style,
    mark: char,
    label: &'a str,
}

impl Excerpt<'_> {
    fn write(&self, place: &Place, out: &mut String) {
        let (bar, width) = (self.palette.gutter, self.gutter);
        let file = visible(&place.to_string());
        let _ = writeln!(out, "{:width$}{bar}-->{bar:#} {file}", "");
        let _ = writeln!(out, "{:width$} {bar}|{bar:#}", "");
        let lines = marked_lines(place);
        let shown = lines.len().min(LINES_SHOWN);
        for (at, line) in lines.iter().take(shown).enumerate() {
            let label = if at + 1 == shown { self.label } else { "" };
            self.write_line(line, label, out);
        }
        if lines.len() > shown {
            let _ = writeln!(out, "{:width$} {bar}|{bar:#} {CUT}", "");
        }
    }

    fn write_line(&self, line: &MarkedLine<'_>, label: &str, out: &mut String) {
        let (bar, width, style) = (self.palette.gutter, self.gutter, self.style);
        let Shown { before, marked, after } = line.shown();
        let source = format!(" {before}{marked}{after}");
        let _ = writeln!(out, "{bar}{:>width$} |{bar:#}{}", line.number, source.trim_end());
        let indent = before.width();
        let marks = self.mark.to_string().repeat(format!("{before}{marked}").width().saturating_sub(indent).max(1));
        let gap = if label.is_empty() { "" } else { " " };
        let label = visible(label);
        let _ = writeln!(out, "{:width$} {bar}|{bar:#} {:indent$}{style}{marks}{gap}{label}{style:#}", "", "");
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
    match characters::visible(c) {
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
    use crate::diagnostic::SourceText;

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
    fn in_chinese() {
        let source = SourceText::new("routes.toml", "title = “首页”\n");
        let diagnostic = Diagnostic::of(crate::rules::Rule::LongTitle, text!("too long", "太长"))
            .at(Place::new(&source, 8..source.text.len() - 1))
            .with_related(Place::new(&source, 0..5), text!("here", "这里"))
            .with_hint(text!("shorter", "短一些\n再短一些"));
        let shown = human(&diagnostic, Look { language: Language::Chinese, color: false });
        let expected = "\
警告[long-title]：太长
 --> routes.toml:1:9
  |
1 | title = “首页”
  |         ^^^^^^
 --> routes.toml:1:1
  |
1 | title = “首页”
  | ----- 这里
  = 提示：短一些
          再短一些
";
        assert_eq!(shown, expected, "{shown}");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let source = SourceText::new("a\u{1b}b.toml", "x = \"\u{1b}[2J\u{202e}\u{7}\u{9b}\u{2066}\"\r\n");
        let place = Place::new(&source, 4..8);
        let diagnostic = Diagnostic::error(Text::verbatim("bad \u{1b}]0;title\u{7}\nsecond \u{2067}line"))
            .at(place.clone())
            .with_related(place, Text::verbatim("label\u{1b}"))
            .with_hint(Text::verbatim("hint\r\u{1b}c\u{85}\u{2028}"));
        let shown = human(&diagnostic, Look::default());
        let steers =
            |c: &char| c.is_control() && *c != '\n' || matches!(c, '\u{2028}' | '\u{202e}' | '\u{2066}' | '\u{2067}');
        assert_eq!(shown.chars().find(steers), None, "{shown}");
        let colored = human(&diagnostic, Look { color: true, ..Look::default() });
        assert_eq!(colored.matches('\u{1b}').count(), colored.matches("\u{1b}[").count(), "only styles of our own");
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
}
