//! What kinds of values there are, and how they are written.

use std::ops::RangeInclusive;

use portalgen_base::{
    diagnostic::did_you_mean,
    text::{Text, text},
};

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// `true` or `false`
    Flag,
    /// A whole number, not below zero.
    Number,
    /// A list of texts.
    List,
    /// Texts by names.
    Table,
}

impl Kind {
    /// How a value of this kind is written that was meant by these words: one, or the items of a list.
    pub(crate) fn written(self, words: &[String]) -> Option<String> {
        match self {
            Self::Text => Some(quoted(words.first()?)),
            Self::Flag => Some(meant_flag(words.first()?)?.to_string()),
            Self::Number => Some(words.first()?.trim().parse::<u32>().ok()?.to_string()),
            Self::Table => None,
            Self::List => Some(format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))),
        }
    }

    /// What is wrong when a value of another kind is given.
    pub(crate) fn mismatch(self, key: &str) -> Text {
        match self {
            Self::Text => text!("`{key}` must be a single piece of text", "`{key}` 只能是一段文字"),
            Self::Flag => {
                text!("`{key}` must be `true` or `false`, without quotes", "`{key}` 只能是 `true` 或 `false`，不加引号")
            }
            Self::Number => {
                text!("`{key}` must be a whole number, without quotes", "`{key}` 要写整数，不加引号")
            }
            Self::List => text!("`{key}` must be a list, in brackets", "`{key}` 要写成列表，放在方括号里"),
            Self::Table => text!("`{key}` must be a separate section", "`{key}` 要单独写成一个小节"),
        }
    }
}

/// What is wrong with a number of the right kind that is too small or too large.
pub(crate) fn out_of_range(key: &str, range: &RangeInclusive<u32>) -> Text {
    let (least, largest) = (range.start(), range.end());
    text!("`{key}` must be between {least} and {largest}", "`{key}` 要在 {least} 到 {largest} 之间")
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => {
                // A quote that is marked as one already stays so.
                let escaped = characters.next_if(|next| matches!(next, '"' | '\\'));
                quoted.extend(['\\', escaped.unwrap_or('\\')]);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// What somebody answers who writes this in place of `true` or `false`.
pub(crate) fn meant_flag(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes" | "on" | "y" | "1" | "是" | "对" | "真" | "开" => Some(true),
        "no" | "off" | "n" | "0" | "否" | "不" | "不是" | "假" | "错" | "关" | "" => Some(false),
        other => did_you_mean(other, ["true", "false"]).map(|meant| meant == "true"),
    }
}
