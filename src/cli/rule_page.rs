//! The page of a rule in `docs/rules`, as a terminal shows it.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthChar;

use portalgen_base::rules::Rule;

use super::{report::Look, wrap::wrapped};

/// Lines that are longer are hard to read, however wide the terminal is.
const WIDTH: usize = 96;

/// The page of a rule in the language of whoever reads it.
pub(super) fn page(rule: Rule, look: Look) -> String {
    let bold = if look.color { Style::new().bold() } else { Style::new() };
    let mut page = format!("{bold}{rule}{bold:#}\n\n");
    let mut block = Block::default();
    let mut is_code = false;
    for line in rule.page(look.language).lines() {
        if line.trim_start().starts_with("```") {
            block.end(&mut page, bold);
            is_code = !is_code;
        } else if is_code {
            let _ = writeln!(page, "{}", format!("    {line}").trim_end());
        } else {
            block.line(line, &mut page, bold);
        }
        if line.is_empty() && !is_code && !page.ends_with("\n\n") {
            page.push('\n');
        }
    }
    block.end(&mut page, bold);
    page
}

/// A paragraph, an item of a list, or a row of a table, before its lines are set.
#[derive(Default)]
struct Block {
    text: String,
}

impl Block {
    fn line(&mut self, line: &str, page: &mut String, bold: Style) {
        let is_rule_of_table = line.starts_with("| -");
        if line.is_empty() || is_rule_of_table || line.starts_with(['-', '|', '#']) {
            self.end(page, bold);
        }
        if !is_rule_of_table {
            append(&mut self.text, line.trim());
        }
    }

    fn end(&mut self, page: &mut String, bold: Style) {
        let text = std::mem::take(&mut self.text);
        if text.is_empty() {
            return;
        }
        let cells = text.strip_prefix("| ").map(|row| row.trim_end_matches(" |").replace(" | ", " – "));
        let is_item = text.starts_with("- ") || cells.is_some();
        let text = cells.map_or(text, |row| format!("- {row}"));
        let indent = if is_item { "  " } else { "" };
        let text = without_links(text.trim_start_matches(['#', ' ']));
        let lines = wrapped(&text, WIDTH).join(&format!("\n{indent}"));
        let _ = writeln!(page, "{}", emphasized(&lines, bold));
    }
}

/// Joins lines of one paragraph. Chinese has no spaces that lines could be broken at.
fn append(text: &mut String, line: &str) {
    let is_wide = |c: Option<char>| c.is_some_and(|c| c.width() == Some(2));
    let is_joined = is_wide(text.chars().last()) || is_wide(line.chars().next());
    if !text.is_empty() && !is_joined {
        text.push(' ');
    }
    text.push_str(line);
}

/// `[words](address)` as the words.
fn without_links(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](").and_then(|(words, behind)| Some((words, behind.split_once(')')?.1)));
        let link = link.filter(|(words, _)| !words.contains([']', '[']));
        shown.push_str(before);
        if let Some((words, behind)) = link {
            shown.push_str(words);
            rest = behind;
        } else {
            shown.push('[');
            rest = after;
        }
    }
    shown + rest
}

/// `**words**` in bold.
fn emphasized(text: &str, bold: Style) -> String {
    let parts = text.split("**").enumerate();
    parts
        .map(|(number, part)| if number % 2 == 1 { format!("{bold}{part}{bold:#}") } else { part.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::text::Language;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn pages_of_rules_are_plain_text_that_fits() {
        for rule in Rule::ALL {
            for language in Language::ALL {
                let page = page(*rule, Look { language, color: false });
                let prose = page.lines().filter(|line| !line.starts_with("    "));
                let wrong: Vec<&str> = prose
                    .filter(|line| line.width() > WIDTH + 2 || line.contains("**") || line.contains("]("))
                    .collect();
                assert_eq!(wrong, [] as [&str; 0], "{rule}");
                assert!(page.starts_with(&format!("{rule}\n\n")) && !page.contains("```"), "{page}");
                assert!(page.ends_with('\n') && !page.contains("\n\n\n"), "{page}");
            }
        }
    }

    #[test]
    fn links_are_their_words() {
        assert_eq!(without_links("a [b](c) [d] [e](f)."), "a b [d] e.");
    }
}
