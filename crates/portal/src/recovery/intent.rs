//! What a line was meant to be.
//!
//! Keyboards for Chinese and word processors put other signs in place of TOML's, and people write a line as they know it
//! from elsewhere. Here a line is taken apart whatever its signs, so that it can be told what to write instead. Ranges are
//! bytes of the text that was read.

use std::ops::Range;

use portalgen_base::invisible::Unseen;

use crate::{
    keys,
    kind::Kind,
    names::known,
    signs::{is_blank, is_closing, is_opening, is_punctuation, is_quote, narrow, plain},
};

/// Nobody types longer lines; what is wrong with them is not looked at so closely.
const LONGEST: usize = 4_000;

/// Signs that begin a remark here or elsewhere.
const REMARKS: [&str; 5] = ["#", "//", "/*", "<!--", "--"];

/// What lines begin with where two versions were merged that contradict each other.
pub(super) const CONFLICTS: [&str; 3] = ["<<<<<<<", "=======", ">>>>>>>"];

/// What a line, or several that belong together, was meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// Nothing, a remark as it should be, or more than anybody would type.
    Nothing,
    /// A remark behind another sign than `#`: what stands behind the sign.
    Remark(Range<usize>),
    Header(Header),
    Assignment(Assignment),
    /// Nothing that the file could hold.
    Words,
}

/// `[name]` or `[[name]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// The brackets and what stands between them.
    pub(super) span: Range<usize>,
    pub(super) name: Range<usize>,
    pub(super) rest: Rest,
}

/// `key = value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assignment {
    pub(super) key: Range<usize>,
    /// Empty where there is none.
    pub(super) sign: Range<usize>,
    /// With its quotes; empty where there is none.
    pub(super) value: Range<usize>,
    pub(super) form: Form,
    pub(super) rest: Rest,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Not in quotes.
    Bare,
    /// With a quote at one of its ends, or at both. Quotes inside may end it too early: then with the end of the first part.
    Quoted { open: Option<char>, close: Option<char>, torn: Option<usize> },
    /// In triple quotes.
    Triple { is_closed: bool },
    /// With a bracket at its beginning, or the value of a key that takes a list.
    List { is_closed: bool },
    /// `{…}`
    Table { is_closed: bool },
}

/// What stands behind a value or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Nothing,
    /// A remark, and what stands behind its sign.
    Remark(Range<usize>, Range<usize>),
    /// Signs that belong to sentences.
    Signs(Range<usize>),
    /// A further assignment.
    Second(Range<usize>),
    Other(Range<usize>),
}

/// What is opened on a line and may be closed on a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// A value that does not stand on the line of its key.
    Value,
    Text,
    List,
    Table,
}

impl Open {
    /// Whether a line closes it.
    pub(super) fn is_closed_by(self, line: &str) -> bool {
        match self {
            Self::Value => !line.trim().is_empty(),
            Self::Text => line.trim_end_matches(|c| is_blank(c) || is_punctuation(c)).ends_with(is_quote),
            Self::List => line.contains(|c| plain(c) == ']'),
            Self::Table => line.contains(|c| plain(c) == '}'),
        }
    }
}

/// The section that somebody means who writes this.
pub(crate) fn section(written: &str) -> Option<&'static str> {
    known(&clean(written), keys::SECTIONS.iter().copied())
}

/// The key that somebody means who writes this.
pub(super) fn key(written: &str) -> Option<&'static str> {
    known(&clean(written), keys::keys())
}

/// A name without what only decorates it: quotes, bullets, numbers of a list; with plain letters and `_` between words.
fn clean(written: &str) -> String {
    let shown = narrow(written).to_lowercase();
    let name = shown.trim_end_matches(|c: char| !c.is_alphanumeric());
    let name = name.trim_start_matches(|c: char| !c.is_alphabetic());
    let seen = name.chars().filter(|c| Unseen::of(*c).is_none());
    seen.map(|c| if matches!(c, ' ' | '-') { '_' } else { c }).collect()
}

/// Reads a line, or several that belong together.
pub(super) fn read(text: &str) -> Meant {
    let Some(start) = text.find(|c| !is_blank(c)) else { return Meant::Nothing };
    let all = start..text.trim_end_matches(is_blank).len();
    let content = &text[all.clone()];
    if content.starts_with('#') || content.len() > LONGEST {
        return Meant::Nothing;
    }
    // What two versions leave behind when they are merged, rows of JSON, and lines that are drawn.
    let is_drawn = content.len() > 1 && content.chars().all(|c| plain(c) == '=');
    if is_drawn || content.starts_with(['{', '}']) || CONFLICTS.iter().any(|sign| content.starts_with(sign)) {
        return Meant::Words;
    }
    if begins_remark(content) || content.starts_with([';', '；', '※']) {
        return Meant::Remark(words_of_remark(text, all));
    }
    header(text, all.clone()).or_else(|| assignment(text, all)).unwrap_or(Meant::Words)
}

fn begins_remark(text: &str) -> bool {
    let shown: String = text.chars().take(4).map(plain).collect();
    REMARKS.iter().any(|sign| shown.starts_with(sign))
}

fn words_of_remark(text: &str, range: Range<usize>) -> Range<usize> {
    trim(text, range, |c| is_blank(c) || "#/*-<!>;※".contains(plain(c)))
}

/// The range without such characters at its ends.
fn trim(text: &str, range: Range<usize>, is_unwanted: impl Fn(char) -> bool) -> Range<usize> {
    let inner = &text[range.clone()];
    let Some(start) = inner.find(|c| !is_unwanted(c)) else { return range.end..range.end };
    range.start + start..range.start + inner.trim_end_matches(&is_unwanted).len()
}

/// The range of a text without blanks around it.
pub(super) fn without_blanks(text: &str) -> Range<usize> {
    trim_blanks(text, 0..text.len())
}

fn trim_blanks(text: &str, range: Range<usize>) -> Range<usize> {
    trim(text, range, is_blank)
}

fn header(text: &str, all: Range<usize>) -> Option<Meant> {
    let content = &text[all.clone()];
    let is_bracketed = content.starts_with(|c| plain(c) == '[');
    let start = content.find(|c| !is_opening(c) && !is_blank(c)).unwrap_or(content.len());
    let name_end = content[start..].find(is_closing).map_or(content.len(), |length| start + length);
    let name = trim_blanks(text, all.start + start..all.start + name_end);
    let end = content[name_end..].find(|c| !is_closing(c) && !is_blank(c)).map_or(content.len(), |at| name_end + at);
    let span = trim_blanks(text, all.start..all.start + end);
    let rest = rest(text, span.end..all.end);
    let is_word = || is_section(&text[name.clone()]) && !matches!(rest, Rest::Other(_));
    // `[title] = "…"`
    let is_key = matches!(&rest, Rest::Other(range) if text[range.clone()].starts_with(is_equals_sign));
    (!is_key && (is_bracketed || is_word())).then_some(Meant::Header(Header { span, name, rest }))
}

/// Whether a word is the name of a section: with other brackets around it, or none, it must be that exactly.
fn is_section(word: &str) -> bool {
    let name = clean(word);
    let is_spelt = !word.contains(|c| matches!(plain(c), '=' | ':'));
    is_spelt && section(word).is_some_and(|known| known == name || !name.is_ascii())
}

fn assignment(text: &str, all: Range<usize>) -> Option<Meant> {
    let (key_range, sign) = key_and_sign(text, all.clone())?;
    let value = trim_blanks(text, sign.end..all.end);
    let is_list = key(&text[key_range.clone()]).and_then(keys::kind_of) == Some(Kind::List);
    let (value, form) = if is_list { list(text, value) } else { self::value(text, value) };
    let rest = rest(text, value.end..all.end);
    Some(Meant::Assignment(Assignment { key: key_range, sign, value, form, rest }))
}

/// The key, and what stands between it and its value.
fn key_and_sign(text: &str, all: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let line = text[all.clone()].lines().next().unwrap_or_default();
    let in_quotes = line.starts_with(['"', '\'']).then(|| line[1..].find(['"', '\''])).flatten();
    let from = in_quotes.map_or(0, |length| length + 2);
    let found = line[from..].char_indices().map(|(at, _)| from + at).find(|at| begins_sign(&line[*at..]));
    let Some(at) = found else { return key_alone(line, all.start) };
    let is_part = |c: char| matches!(plain(c), '=' | ':' | '>' | '-') || c == '→';
    let end = line[at..].find(|c| !is_part(c)).map_or(line.len(), |length| at + length);
    let key_range = trim_blanks(text, all.start..all.start + at);
    let name = &text[key_range.clone()];
    let is_equal = line[at..end].contains(is_equals_sign);
    let is_name = key(name).is_some() || (is_equal && name.split(is_blank).count() <= 2);
    is_name.then_some((key_range, all.start + at..all.start + end))
}

fn is_equals_sign(c: char) -> bool {
    plain(c) == '='
}

fn begins_sign(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next().map(plain) {
        Some('=' | ':' | '→') => true,
        Some('-') => characters.next().map(plain) == Some('>'),
        _ => false,
    }
}

/// A key without a sign, or with a word or a dash in its place. Nothing but the key's exact name is taken for one.
fn key_alone(line: &str, start: usize) -> Option<(Range<usize>, Range<usize>)> {
    let end = line.find(|c| is_blank(c) || is_quote(c)).unwrap_or(line.len());
    let is_key = keys::keys().any(|key| key == &line[..end]);
    let after = line[end..].trim_start_matches(is_blank);
    let stand_in = after.len() - after.trim_start_matches(|c| plain(c) == '-' || matches!(c, '是' | '为')).len();
    let sign = line.len() - after.len()..line.len() - after.len() + stand_in;
    let is_sign = stand_in > 0 && line[sign.end..].starts_with(|c| is_blank(c) || is_quote(c));
    let sign = if is_sign { sign } else { end..end };
    is_key.then_some((start..start + end, start + sign.start..start + sign.end))
}

fn value(text: &str, range: Range<usize>) -> (Range<usize>, Form) {
    let content = &text[range.clone()];
    match content.chars().next() {
        Some(_) if is_triple(content) => {
            let end = content[3..].find(&content[..3]).map(|end| range.start + end + 6);
            (range.start..end.unwrap_or(range.end), Form::Triple { is_closed: end.is_some() })
        }
        Some(c) if is_quote(c) => quoted(text, range, c),
        Some(c) if plain(c) == '[' => list(text, range),
        Some(c) if plain(c) == '{' => {
            let end = content.char_indices().rfind(|(_, c)| plain(*c) == '}');
            let end = end.map(|(at, c)| range.start + at + c.len_utf8());
            (range.start..end.unwrap_or(range.end), Form::Table { is_closed: end.is_some() })
        }
        _ => bare(text, range),
    }
}

fn is_triple(text: &str) -> bool {
    text.starts_with("\"\"\"") || text.starts_with("'''")
}

/// A value that begins with a quote.
fn quoted(text: &str, range: Range<usize>, open: char) -> (Range<usize>, Form) {
    let start = range.start + open.len_utf8();
    let form = |close, torn| Form::Quoted { open: Some(open), close, torn };
    let first = straight_end(&text[start..range.end], open).map(|end| start + end + 1);
    let last = last_quote(text, start..range.end);
    // What stands apart from the quote is something else.
    let is_apart = |end: usize| text[end..].starts_with(|c| is_blank(c) || is_punctuation(c));
    let is_torn = |end: usize| !is_apart(end) && matches!(rest(text, end..range.end), Rest::Other(_));
    match (first, last) {
        (Some(end), Some((last, c))) if is_torn(end) && last > end => {
            (range.start..last + c.len_utf8(), form(Some(c), Some(end)))
        }
        (Some(end), _) => (range.start..end, form(Some(open), None)),
        (None, Some((last, c))) => (range.start..last + c.len_utf8(), form(Some(c), None)),
        (None, None) => (range, form(None, None)),
    }
}

/// Where the text ends that a straight quote has begun, on the same line.
fn straight_end(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().filter(|_| matches!(quote, '"' | '\'')).take_while(|(_, c)| *c != '\n').find_map(|(at, c)| {
        let ends = c == quote && !is_escaped;
        is_escaped = c == '\\' && quote == '"' && !is_escaped;
        ends.then_some(at)
    })
}

/// The quote at the end of a range: before a remark or another assignment, or else of all.
fn last_quote(text: &str, range: Range<usize>) -> Option<(usize, char)> {
    [stop(text, range.clone()), range.end].into_iter().find_map(|end| {
        let content = text[range.start..end].trim_end_matches(|c| is_blank(c) || is_punctuation(c));
        let last = content.chars().next_back().filter(|c| is_quote(*c))?;
        Some((range.start + content.len() - last.len_utf8(), last))
    })
}

/// A value without a quote at its beginning.
fn bare(text: &str, range: Range<usize>) -> (Range<usize>, Form) {
    let end = stop(text, range.clone());
    let content = text[range.start..end].trim_end_matches(|c| is_blank(c) || (is_punctuation(c) && c != '.'));
    let span = range.start..range.start + content.len();
    let close = content.chars().next_back().filter(|c| plain(*c) == '"');
    let form = close.map_or(Form::Bare, |close| Form::Quoted { open: None, close: Some(close), torn: None });
    (span, form)
}

fn list(text: &str, range: Range<usize>) -> (Range<usize>, Form) {
    let content = &text[range.clone()];
    let is_bracketed = content.starts_with(|c| plain(c) == '[');
    let closing = content.char_indices().rfind(|(_, c)| plain(*c) == ']');
    let end = match closing {
        Some((at, c)) if is_bracketed => range.start + at + c.len_utf8(),
        _ => stop(text, range.clone()),
    };
    (trim_blanks(text, range.start..end), Form::List { is_closed: !is_bracketed || closing.is_some() })
}

/// Where a remark or another assignment begins in a range, or its end.
fn stop(text: &str, range: Range<usize>) -> usize {
    let mut before = 'x';
    let offsets = text[range.clone()].char_indices().filter(|(at, c)| {
        let at = range.start + at;
        let is_apart = is_blank(before) || is_quote(before);
        let may_begin = is_apart || is_punctuation(before);
        before = *c;
        (is_apart && begins_remark(&text[at..])) || (may_begin && begins_assignment(text, at..range.end))
    });
    offsets.map(|(at, _)| range.start + at).next().unwrap_or(range.end)
}

/// Whether a key and its sign stand here, spelt as they should be.
fn begins_assignment(text: &str, range: Range<usize>) -> bool {
    let content = &text[range];
    let name = &content[..content.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(content.len())];
    let after = content[name.len()..].trim_start_matches(is_blank);
    keys::keys().any(|key| key == name) && after.starts_with(|c| matches!(plain(c), '=' | ':'))
}

fn rest(text: &str, range: Range<usize>) -> Rest {
    let range = trim_blanks(text, range);
    let second = trim(text, range.clone(), |c| is_blank(c) || is_punctuation(c)).start..range.end;
    if range.is_empty() {
        Rest::Nothing
    } else if begins_remark(&text[range.clone()]) {
        Rest::Remark(range.clone(), words_of_remark(text, range))
    } else if second.is_empty() {
        Rest::Signs(range)
    } else if begins_assignment(text, second.clone()) {
        Rest::Second(second)
    } else {
        Rest::Other(range)
    }
}

impl Assignment {
    /// What the value opens and does not close.
    pub(super) fn open(&self) -> Option<Open> {
        match self.form {
            _ if self.value.is_empty() => Some(Open::Value),
            Form::Quoted { open: Some(_), close: None, .. } => Some(Open::Text),
            Form::List { is_closed: false } => Some(Open::List),
            Form::Table { is_closed: false } => Some(Open::Table),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_right_is_left_alone() {
        for line in ["title = \"关于“我们”\" # x", "path = '/a'", "[[route]]", "[portal] # x", "# x", ""] {
            match read(line) {
                Meant::Assignment(Assignment { form: Form::Quoted { open, close, torn: None }, .. }) => {
                    assert_eq!(open, close, "{line}");
                }
                Meant::Header(Header { rest: Rest::Nothing | Rest::Remark(..), .. }) | Meant::Nothing => {}
                other => panic!("{line}: {other:?}"),
            }
        }
    }
}
