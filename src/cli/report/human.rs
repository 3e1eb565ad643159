//! Diagnostics for people: a sentence, the lines in question, and what to do.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Severity,
    text::{Language, Text, text},
};

use super::{
    excerpt::{self, Mark},
    look::Look,
};
use crate::cli::shown::visible;

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
            Severity::Note => AnsiColor::Cyan,
        };
        Self {
            severity: hue.on_default().bold(),
            gutter: AnsiColor::Blue.on_default().bold(),
            message: Style::new().bold(),
            related: AnsiColor::Blue.on_default().bold(),
        }
    }
}

/// A diagnostic for people: the sentence, for each text in question `--> file:line:column` and an excerpt, and the hints.
/// Ends in a line break. With colour it contains ANSI sequences, without it is plain text.
pub fn human(diagnostic: &Diagnostic, look: Look) -> String {
    let palette = Palette::new(diagnostic.severity, look.color);
    let say = |text: &Text| text.in_language(look.language).to_owned();
    let related = diagnostic.related.iter().map(|(place, label)| Mark {
        place,
        label: label.in_language(look.language),
        style: palette.related,
        sign: '-',
    });
    let main = diagnostic.place.iter().map(|place| Mark { place, label: "", style: palette.severity, sign: '^' });
    let marks: Vec<Mark<'_>> = main.chain(related).collect();
    let gutter = marks.iter().map(Mark::last_line).max().unwrap_or(1).to_string().len();

    let Palette { severity, message, .. } = palette;
    let name = say(&severity_name(diagnostic.severity));
    let rule = diagnostic.rule.map(|rule| format!("[{rule}]")).unwrap_or_default();
    let colon = colon(look.language);
    let text = paragraph(&say(&diagnostic.message), 0);
    let mut out = format!("{severity}{name}{rule}{severity:#}{message}{colon}{text}{message:#}\n");
    excerpt::write(&marks, gutter, palette.gutter, &mut out);
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
        Severity::Note => text!("note", "说明"),
    }
}

fn colon(language: Language) -> &'static str {
    match language {
        Language::English => ": ",
        Language::Chinese => "：",
    }
}

/// Text of ours or of a program that failed: line breaks are kept, with the next lines indented.
fn paragraph(text: &str, indent: usize) -> String {
    let lines: Vec<String> = text.lines().map(visible).collect();
    lines.join(&format!("\n{:indent$}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::diagnostic::{Place, SourceText};

    #[test]
    fn in_chinese() {
        let source = SourceText::new("routes.toml", "title = “首页”\n");
        let diagnostic = Diagnostic::of(portalgen_base::rules::Rule::LongTitle, text!("too long", "太长"))
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
}
