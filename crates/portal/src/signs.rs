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

/// A URL, or the name of a host, with plain signs where it has wide ones that browsers read as plain ones or not at all;
/// none when there are none. Wide brackets and commas behind the host may belong to a name.
pub(crate) fn narrow_url(written: &str) -> Option<String> {
    let host = written.find("://").map_or(0, |at| at + "://".len());
    let end = written[host..].find(['/', '?', '#', '／', '？', '＃']).map_or(written.len(), |length| host + length);
    let (before, rest) = written.split_at(end);
    let is_meant = |c: char| {
        matches!(c, '（' | '）' | '，' | '！' | '：' | '；' | '～') || !('\u{ff01}'..='\u{ff5e}').contains(&c)
    };
    let rest = rest.chars().map(|c| if is_meant(c) { c } else { plain(c) });
    let narrow: String = before.chars().map(plain).chain(rest).collect();
    (narrow != written).then_some(narrow)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_get_plain_signs() {
        for (written, narrow) in [
            ("https://chat。lanyu。example/login", Some("https://chat.lanyu.example/login")),
            ("https://chat．lanyu.example", Some("https://chat.lanyu.example")),
            ("https://ｃhat.example：８080", Some("https://chat.example:8080")),
            ("https://chat.example／登录？下一步＝1", Some("https://chat.example/登录?下一步=1")),
            ("chat。example", Some("chat.example")),
            ("https://chat.example/关于（旧）", None),
            ("https://聊天.example/登录。", None),
            ("https://chat.example", None),
        ] {
            assert_eq!(narrow_url(written).as_deref(), narrow, "{written}");
        }
    }
}
