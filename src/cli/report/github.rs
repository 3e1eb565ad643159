//! Diagnostics as GitHub Actions shows them: beside the line in question, in the list of changes of a pull request.

use std::fmt::Write as _;

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    rules::Severity,
    text::{Language, Text},
};

use super::parts::end_of;
use crate::cli::shown::inert;

/// Workflow commands, one a line, for the log of a workflow to hold. `folder` leads from the root of the repository to the
/// folder that names of files are relative to: empty, or with a slash at its end.
pub fn github(diagnostics: &[Diagnostic], language: Language, folder: &str) -> String {
    diagnostics.iter().map(|diagnostic| command(diagnostic, language, folder)).collect()
}

fn command(diagnostic: &Diagnostic, language: Language, folder: &str) -> String {
    let say = |text: &Text| text.in_language(language).to_owned();
    let mut properties = Vec::new();
    if let Some(place) = &diagnostic.place {
        properties.push(format!("file={}", property(&format!("{folder}{}", place.source.name))));
        properties.extend(range(place));
    }
    let title = diagnostic.rule.map_or_else(|| "portalgen".to_owned(), |rule| format!("portalgen {rule}"));
    properties.push(format!("title={}", property(&title)));
    let mut message = say(&diagnostic.message);
    for (place, label) in &diagnostic.related {
        let _ = write!(message, "\n{place}: {}", say(label));
    }
    for hint in &diagnostic.hints {
        let _ = write!(message, "\n= {}", say(hint));
    }
    let severity = match diagnostic.severity {
        Severity::Note => "notice",
        severity => severity.name(),
    };
    format!("::{severity} {}::{}\n", properties.join(","), data(&message))
}

/// Columns are told within one line only: GitHub refuses them otherwise.
fn range(place: &Place) -> Vec<String> {
    let (line, column) = place.line_column();
    let (end_line, end_column) = end_of(place).line_column();
    let mut range = vec![format!("line={line}"), format!("endLine={end_line}")];
    if line == end_line {
        // The last column that belongs to it, not the one behind.
        let last = end_column.saturating_sub(1).max(column);
        range.extend([format!("col={column}"), format!("endColumn={last}")]);
    }
    range
}

/// Text after `::`. A command ends with its line, so line breaks are escaped, and the sign that escapes. What is shown of it
/// in a log is text again, which may steer nothing and be no command.
fn data(text: &str) -> String {
    inert(text).replace('%', "%25").replace('\n', "%0A")
}

/// Text in front of `::`, where commas and colons divide.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::{diagnostic::SourceText, rules::Rule, text::text};

    #[test]
    fn an_annotation_stands_at_its_line_and_cannot_become_another_command() {
        let source = SourceText::new("a,b:c%.toml", "[portal]\n关于 = \"x\"\nend");
        let start = source.text.find('"').expect("a quote");
        let diagnostic = Diagnostic::of(Rule::LongTitle, text!("50% of it\n::error::x", "一半"))
            .at(Place::new(&source, start..start + 3))
            .with_related(Place::new(&source, 0..1), Text::verbatim("here"))
            .with_hint(Text::verbatim("write `x`"));
        assert_eq!(
            github(std::slice::from_ref(&diagnostic), Language::English, "docs/"),
            "::warning file=docs/a%2Cb%3Ac%25.toml,line=2,endLine=2,col=6,endColumn=8,title=portalgen long-title::\
             50%25 of it%0A: :error::x%0Aa,b:c%25.toml:1:1: here%0A= write `x`\n"
        );
        assert!(github(&[diagnostic], Language::Chinese, "").contains("::一半%0A"));
    }

    #[test]
    fn nothing_steers_whoever_reads_the_log() {
        let source = SourceText::new("a\u{1b}\u{202e}\n::b.toml", "x");
        let diagnostic = Diagnostic::error(Text::verbatim("\u{1b}[2J\r\u{2066}x")).at(Place::new(&source, 0..1));
        let shown = github(&[diagnostic], Language::English, "");
        assert!(shown.starts_with("::error file=a<U+001B><U+202E>%0A%3A %3Ab.toml,line=1"), "{shown}");
        assert!(shown.ends_with("::<U+001B>[2J<U+000D><U+2066>x\n"), "{shown}");
        assert_eq!(shown.lines().count(), 1);
    }

    #[test]
    fn without_a_place_and_over_lines() {
        let source = SourceText::new("a", "one\ntwo");
        let over_lines = Diagnostic::error(Text::verbatim("x")).at(Place::new(&source, 1..6));
        assert_eq!(
            github(&[Diagnostic::error(Text::verbatim("x")), over_lines], Language::English, ""),
            "::error title=portalgen::x\n::error file=a,line=1,endLine=2,title=portalgen::x\n"
        );
    }
}
