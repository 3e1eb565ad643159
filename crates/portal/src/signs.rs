//! Signs that stand in the place of others.

use portalgen_base::invisible::Unseen;

/// The sign or letter that a keyboard for Chinese or a word processor has put another one in place of.
pub(crate) fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' | '〝' | '〞' | '〟' => {
            '"'
        }
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => '\'',
        '【' | '〔' | '〖' => '[',
        '】' | '〕' | '〗' => ']',
        '。' => '.',
        '、' => ',',
        '–' | '—' => '-',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ if is_odd_blank(c) => ' ',
        _ => c,
    }
}

/// A text with plain signs and letters.
pub(crate) fn narrow(text: &str) -> String {
    text.chars().map(plain).collect()
}

/// Whether nothing is seen of a character.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || Unseen::of(c) == Some(Unseen::ZeroWidth)
}

/// A blank that is none to TOML.
pub(crate) fn is_odd_blank(c: char) -> bool {
    is_blank(c) && !matches!(c, ' ' | '\t' | '\n' | '\r')
}

pub(crate) fn is_quote(c: char) -> bool {
    matches!(plain(c), '"' | '\'')
}

/// Signs that end a sentence or a part of one, and no line of the file.
pub(crate) fn is_punctuation(c: char) -> bool {
    matches!(plain(c), ',' | ';' | '.' | ':' | '!')
}

pub(crate) fn is_opening(c: char) -> bool {
    matches!(plain(c), '[' | '(' | '{' | '<') || "「『《〈".contains(c)
}

pub(crate) fn is_closing(c: char) -> bool {
    matches!(plain(c), ']' | ')' | '}' | '>') || "」』》〉".contains(c)
}
