//! Punctuation of Chinese text where CSS has its own. To CSS such a character is a letter, so browsers skip what it stands in, or
//! take it for part of a name.

use std::sync::Arc;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    rules::Rule,
    text::{text, write},
};

use super::outline::string_end;

/// Characters of a Chinese keyboard, and what CSS has in their place.
const WIDE: [(char, &str); 16] = [
    ('：', ":"),
    ('；', ";"),
    ('，', ","),
    ('｛', "{"),
    ('｝', "}"),
    ('（', "("),
    ('）', ")"),
    ('％', "%"),
    ('＃', "#"),
    ('！', "!"),
    ('“', "\""),
    ('”', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('。', "."),
    ('　', " "),
];

/// The first such character of each line, outside of comments, texts and addresses.
pub(super) fn wide_characters(source: &Arc<SourceText>) -> Vec<Diagnostic> {
    let text = &*source.text;
    if !WIDE.iter().any(|(wide, _)| text.contains(*wide)) {
        return Vec::new();
    }
    let (mut found, mut at, mut is_told) = (Vec::new(), 0, false);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if matches!(c, '"' | '\'') {
            string_end(text, at) - at
        } else if rest.starts_with("url(") {
            rest.find(')').unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        is_told &= c != '\n';
        if let Some((wide, narrow)) = WIDE.iter().find(|(wide, _)| *wide == c && !is_told) {
            is_told = true;
            let message =
                text!("`{wide}` is a character of text, not of CSS", "`{wide}` 是中文标点，CSS 里要用英文标点");
            let place = Place::new(source, at..at + length);
            found.push(Diagnostic::of(Rule::UnknownCss, message).at(place).with_hint(write(narrow)));
        }
        at += length;
    }
    found
}
