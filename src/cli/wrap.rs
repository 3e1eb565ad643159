//! Text on lines of some width, in English and in Chinese.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Lines of at most `width` columns, where words allow that. A line does not begin with a sign that belongs to what is before it.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words(text) {
        let last = lines.last().map_or(0, |line| line.width());
        if last > 0 && last + word.trim_end().width() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The pieces that a line may be broken between: after spaces, and around Chinese characters.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in text.char_indices() {
        let is_wide = |c: char| c.width() == Some(2);
        let is_break = before.is_some_and(|before| {
            (before == ' ' && c != ' ') || ((is_wide(before) || is_wide(c)) && before != ' ' && !is_attached(before, c))
        });
        if is_break {
            words.push(&text[start..at]);
            start = at;
        }
        before = Some(c);
    }
    words.push(&text[start..]);
    words
}

/// Whether a sign belongs to what is before it, or to what follows it.
fn is_attached(before: char, c: char) -> bool {
    "，。；：！？、）”’》」 ,.;:!?)`\"".contains(c) || "（“‘《「(`\"".contains(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_broken_between_characters_and_not_before_a_full_stop() {
        assert_eq!(wrapped("一二三四。五 ab cd", 8), ["一二三", "四。五", "ab cd"]);
        assert_eq!(wrapped("see `a` now", 7), ["see `a`", "now"]);
        assert_eq!(wrapped("", 7), [""]);
    }
}
