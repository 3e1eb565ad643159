//! What does not belong in a plain text: tags, and characters that nobody can see.

use std::ops::Range;

use portalgen_base::{
    invisible::{self, Unseen},
    text::{Text, text},
};

/// Elements that people write into texts. Others may be what a text is about.
const ELEMENTS: [&str; 24] = [
    "a", "b", "big", "br", "center", "code", "div", "em", "font", "h1", "h2", "h3", "i", "img", "mark", "p", "script",
    "small", "span", "strong", "sub", "sup", "u", "wbr",
];

/// How many characters before one that cannot be seen are quoted.
const QUOTED: usize = 8;

/// The first tag, Markdown link or bold text, and the text without any.
pub(super) fn without_markup(text: &str) -> Option<(&str, String)> {
    let (first, _) = markup(text)?;
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((range, inside)) = markup(rest) {
        plain.push_str(&rest[..range.start]);
        plain.push_str(inside);
        rest = &rest[range.end..];
    }
    plain.push_str(rest);
    Some((&text[first], plain.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// The range of the first markup, and what is left of it.
fn markup(text: &str) -> Option<(Range<usize>, &str)> {
    [tag(text), bold(text), link(text)].into_iter().flatten().min_by_key(|(range, _)| range.start)
}

fn tag(text: &str) -> Option<(Range<usize>, &str)> {
    text.match_indices('<').find_map(|(start, _)| {
        let rest = &text[start..];
        let length = if rest.starts_with("<!--") { rest.find("-->")? + 3 } else { rest.find('>')? + 1 };
        let is_meant = rest.starts_with("<!--") || is_tag(&rest[1..length - 1]);
        // A line break keeps words apart.
        let left = if rest[1..].to_ascii_lowercase().starts_with("br") { " " } else { "" };
        is_meant.then_some((start..start + length, left))
    })
}

/// What stands between the brackets of a tag, or would.
fn is_tag(inside: &str) -> bool {
    let opened = inside.strip_prefix('/').unwrap_or(inside);
    let name = opened.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
    ELEMENTS.iter().any(|element| name.eq_ignore_ascii_case(element))
}

/// `**bold**`
fn bold(text: &str) -> Option<(Range<usize>, &str)> {
    let start = text.find("**")?;
    let length = text[start + 2..].find("**")?;
    let inside = &text[start + 2..start + 2 + length];
    let is_meant = !inside.is_empty() && inside.trim() == inside;
    is_meant.then_some((start..start + length + 4, inside))
}

/// `[words](address)`
fn link(text: &str) -> Option<(Range<usize>, &str)> {
    let middle = text.find("](")?;
    let start = text[..middle].rfind('[')?;
    let length = text[middle..].find(')')?;
    let target = &text[middle + 2..middle + length];
    let is_meant = target.starts_with(['/', '#']) || target.contains("://");
    is_meant.then_some((start..middle + length + 1, &text[start + 1..middle]))
}

/// The first character that nobody can see, and what stands before it.
pub(super) fn unseen(text: &str) -> Option<(char, &str)> {
    let (at, c) = unwanted(text).next()?;
    let skipped = text[..at].chars().count().saturating_sub(QUOTED);
    let start = text.char_indices().nth(skipped).map_or(0, |(start, _)| start);
    Some((c, text[start..at].trim_start()))
}

/// The text with a space for each blank that is none, and nothing for what takes no room.
pub(super) fn without_unseen(text: &str) -> String {
    let unwanted: Vec<usize> = unwanted(text).map(|(at, _)| at).collect();
    let cleaned = text.char_indices().filter_map(|(at, c)| match unwanted.binary_search(&at) {
        Err(_) => Some(c),
        Ok(_) => c.is_whitespace().then_some(' '),
    });
    cleaned.collect()
}

/// The characters in a text that cannot be seen, or not be told from a space, and have no use where they stand.
fn unwanted(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    text.char_indices().filter(|(at, c)| {
        let (before, after) = (text[..*at].chars().next_back(), text[at + c.len_utf8()..].chars().next());
        match c {
            '\u{a0}' | '\u{202f}' => !is_bound(before, after),
            '\u{2000}'..='\u{200a}' | '\u{205f}' | '\u{1680}' => true,
            // Emoji, and the scripts of Persian and India, are spelt with joiners.
            '\u{200c}' | '\u{200d}' | '\u{61c}' | '\u{200e}' | '\u{200f}' => {
                [before, after].into_iter().flatten().all(is_plain)
            }
            '\u{e0020}'..='\u{e007f}' => false,
            c => Unseen::of(*c).is_some(),
        }
    })
}

/// Whether typography asks for a space here that no line ends at: between a number and its unit, and at signs in French.
fn is_bound(before: Option<char>, after: Option<char>) -> bool {
    let is_sign = |c: char| ":;!?%»«€$–—".contains(c);
    before.is_some_and(|c| c.is_numeric() || is_sign(c)) || after.is_some_and(is_sign)
}

/// Whether a character belongs to a script that is written from left to right without joiners.
fn is_plain(c: char) -> bool {
    c.is_ascii()
        || matches!(c, '\u{a0}'..='\u{52f}' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffee}')
}

/// The words for such a character: `a soft hyphen`.
pub(super) fn describe(c: char) -> Text {
    match c {
        '\u{ad}' => text!("a soft hyphen (U+00AD)", "软连字符（U+00AD）"),
        '\u{a0}' => text!("a no-break space (U+00A0)", "不换行空格（U+00A0）"),
        c if c.is_whitespace() => {
            let number = format!("U+{:04X}", u32::from(c));
            text!("a space of unusual width ({number})", "宽度特殊的空格（{number}）")
        }
        c => invisible::describe(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_taken_off() {
        for (text, first, plain) in [
            ("<b>关于</b>我们", "<b>", "关于我们"),
            ("A<br/>B", "<br/>", "A B"),
            ("<span class=\"x\">A</span> &", "<span class=\"x\">", "A &"),
            ("A <!-- note --> B", "<!-- note -->", "A B"),
            ("**About** us", "**About**", "About us"),
            ("See [the docs](/docs) <I>now</I>", "[the docs](/docs)", "See the docs now"),
        ] {
            assert_eq!(without_markup(text), Some((first, plain.to_owned())), "{text}");
        }
        for text in
            ["1 < 2 > 0", "The <select> element", "a ** b ** c", "2**8", "f[0](x)", "<3", "List<T>", "C++ <=> D"]
        {
            assert_eq!(without_markup(text), None, "{text}");
        }
    }

    #[test]
    fn what_nobody_sees() {
        for (text, before, clean) in [
            ("关\u{ad}于", "关", "关于"),
            ("About\u{a0}us", "About", "About us"),
            ("About\u{200d}", "About", "About"),
            ("\u{200e}About", "", "About"),
            ("a\u{2009}b\u{200c}c", "a", "a bc"),
        ] {
            assert_eq!(unseen(text).map(|(_, before)| before), Some(before), "{text:?}");
            assert_eq!(without_unseen(text), clean);
        }
        for text in [
            "Prix\u{a0}: 10\u{a0}€",
            "«\u{a0}oui\u{a0}»",
            "👩\u{200d}💻 at work",
            "می\u{200c}خواهم",
            "关于\u{3000}我们",
        ] {
            assert_eq!(unseen(text), None, "{text:?}");
        }
    }
}
