//! How much room titles and descriptions have, in columns: two for a Chinese character, one for a letter.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The room that a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// What search results show of it.
    pub in_results: usize,
    /// The widest text that is shown whole somewhere; beyond that nobody reads the end.
    pub widest: usize,
}

impl Room {
    /// That of titles. Previews of links cut at some 90.
    pub const OF_TITLES: Self = Self { in_results: 60, widest: 90 };
    /// That of descriptions.
    pub const OF_DESCRIPTIONS: Self = Self { in_results: 160, widest: 320 };
}

/// How wide a text is, in columns.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text, or as much of its start as fits into some columns together with `…`. Latin words stay whole.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = |c: &(usize, char)| {
        let width = c.1.width().unwrap_or(0);
        let is_fitting = width <= left;
        left = left.saturating_sub(width);
        is_fitting
    };
    let end = text.char_indices().take_while(fits).last().map_or(0, |(at, c)| at + c.len_utf8());
    let (shown, rest) = text.split_at(end);
    let cuts_word = |text: &str, rest: &str| text.ends_with(is_of_word) && rest.starts_with(is_of_word);
    let whole = if cuts_word(shown, rest) { shown.trim_end_matches(is_of_word) } else { shown };
    // A text without any gap is cut where it has to be.
    let shown = if whole.trim().is_empty() { shown } else { whole };
    format!("{}…", shown.trim_end())
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && c.width() == Some(1)
}

#[cfg(test)]
mod tests {
    use super::{cut, width};

    #[test]
    fn texts_are_cut_by_columns_and_between_words() {
        for (text, columns, shown) in [
            ("About us", 8, "About us"),
            ("About us", 7, "About…"),
            ("About", 3, "Ab…"),
            ("关于我们", 8, "关于我们"),
            ("关于我们", 7, "关于我…"),
            ("关于我们", 6, "关于…"),
            ("关于 about us", 11, "关于 about…"),
            ("关于 about us", 9, "关于…"),
            ("", 0, ""),
            ("a", 0, "…"),
        ] {
            assert_eq!(cut(text, columns), shown, "{text} {columns}");
            assert!(width(&cut(text, columns)) <= columns.max(1), "{text} {columns}");
        }
    }
}
