//! What to say about a line that was [meant](super::intent) otherwise than it stands there.

use std::ops::Range;

use toml::de::DeTable;

use portalgen_base::{
    invisible::{self, Unseen},
    text::{Text, text, write},
};

use super::{
    intent::{self, Assignment, Form, Header, Meant, Rest},
    repair,
};
use crate::{
    keys,
    kind::Kind,
    signs::{is_blank, is_odd_blank, is_quote, plain},
};

/// What is wrong, and what to do about it.
pub(super) struct Advice {
    pub(super) message: Text,
    pub(super) hints: Vec<Text>,
    /// The bytes to point at; where the parser gave up, if that is known no better.
    pub(super) mark: Option<Range<usize>>,
    /// What the parser shall read in place of the lines, if that is known.
    pub(super) corrected: Option<String>,
}

impl Advice {
    pub(super) fn new(message: Text, hints: impl IntoIterator<Item = Text>) -> Self {
        Self { message, hints: hints.into_iter().collect(), mark: None, corrected: None }
    }

    pub(super) fn at(mut self, mark: Range<usize>) -> Self {
        self.mark = Some(mark);
        self
    }

    /// Adds the advice to write these lines, as the first.
    fn proposing(mut self, lines: Option<Vec<String>>) -> Self {
        let hint = match lines.as_deref() {
            None => None,
            Some([line]) => Some(write(line)),
            Some(lines) => {
                let quoted: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
                let (english, chinese) = (quoted.join(", "), quoted.join("、"));
                Some(text!("write each on a separate line: {english}", "请分行写：{chinese}"))
            }
        };
        self.hints.splice(0..0, hint);
        self.corrected = lines.map(|lines| lines.join("\n"));
        self
    }
}

/// What is wrong with a text, when its signs show that.
pub(super) fn advise(text: &str, meant: &Meant) -> Option<Advice> {
    match meant {
        Meant::Nothing => None,
        Meant::Remark(words) => Some(remark(text, intent::without_blanks(text), &text[words.clone()], "")),
        Meant::Words => Some(words(text).at(intent::without_blanks(text))),
        Meant::Header(header) => HeaderLine { text, header }.advise(),
        Meant::Assignment(assignment) => AssignmentLine { text, assignment }.advise(),
    }
}

fn words(text: &str) -> Advice {
    let content = text.trim();
    if intent::CONFLICTS.iter().any(|sign| content.starts_with(sign)) {
        return Advice::new(
            text!("this line is a leftover of a merge conflict", "这一行是合并冲突时留下的标记"),
            [text!(
                "keep one of the two versions, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`",
                "请只保留其中一个版本，并删掉以 `<<<<<<<`、`=======` 和 `>>>>>>>` 开头的行"
            )],
        );
    }
    if content.starts_with(['{', '}']) {
        return Advice::new(no_pair(), [text!("this file is TOML, not JSON", "这个文件是 TOML 格式，不是 JSON")]);
    }
    if let Some((from, to)) = arrow(content).filter(|(from, _)| from.starts_with('/')) {
        return Advice::new(no_sign(), []).proposing(Some(vec![assigned("path", from), assigned("redirect", to)]));
    }
    let message = if content.contains('=') { no_pair() } else { no_sign() };
    let table = text!(
        "a table of titles is read by `portalgen titles import`, not here",
        "标题的表格不写在这里，请用 `portalgen titles import` 导入"
    );
    Advice::new(message, std::iter::once(remove_or_remark()).chain(is_row(content).then_some(table)))
}

/// Whether a line looks like a row of a table of titles.
fn is_row(line: &str) -> bool {
    let mut cells = line.trim_matches('|').split(['|', ',', '，', '\t', ';']).map(str::trim);
    let is_first = cells.next().is_some_and(|cell| cell.starts_with('/') || cell == "path");
    is_first && cells.next().is_some()
}

/// What stands on the two sides of an arrow: how people note where an address leads.
fn arrow(text: &str) -> Option<(&str, &str)> {
    let sides = ["-->", "->", "=>", "→", "➜", "⇒"].into_iter().find_map(|arrow| text.split_once(arrow));
    let is_around = |c: char| is_blank(c) || is_quote(c);
    let (from, to) = sides.map(|(from, to)| (from.trim_matches(is_around), to.trim_matches(is_around)))?;
    (!to.is_empty() && !to.contains(is_quote)).then_some((from, to))
}

fn assigned(key: &str, value: &str) -> String {
    format!("{key} = {}", Kind::Text.written(&[value.to_owned()]).unwrap_or_default())
}

fn no_pair() -> Text {
    text!("this line is not of the form `key = \"value\"`", "这一行不是“名称 = \"内容\"”的形式")
}

fn no_sign() -> Text {
    text!("this line has no `=`", "这一行没有 `=`")
}

/// Another sign in the place of `#`. The line begins with `before` and goes on with `words`.
fn remark(text: &str, range: Range<usize>, words: &str, before: &str) -> Advice {
    let is_wide = text[range.clone()].starts_with('＃');
    let message = if is_wide { text!("this `#` is full-width", "这个 `#` 是全角的") } else { remarks() };
    let hint = if words.is_empty() { remove_or_remark() } else { write(format!("{before}# {words}")) };
    Advice::new(message, [hint]).at(range)
}

fn remarks() -> Text {
    text!("comments begin with `#`", "注释要以 `#` 开头")
}

fn remove_or_remark() -> Text {
    text!("remove this line, or put `#` before it", "请删掉这一行，或者在前面加上 `#`")
}

fn not_straight(mark: Range<usize>) -> Advice {
    let hint = text!(
        "word processors produce curly quotes; type straight ones: \"",
        "文字处理软件和中文输入法会打出弯引号；请在英文状态下重新输入：\""
    );
    Advice::new(text!("these quotes are not straight quotes", "这里的引号不是英文直引号"), [hint]).at(mark)
}

fn wide(message: Text, mark: Range<usize>) -> Advice {
    Advice::new(message, [text!("switch your keyboard to half-width characters", "请把输入法切换到半角")]).at(mark)
}

fn not_closed(end: usize) -> Advice {
    Advice::new(text!("the bracket is not closed", "方括号没有闭合"), []).at(end..end)
}

fn wide_brackets(mark: Range<usize>) -> Advice {
    let message = text!("these brackets are full-width", "这里的方括号是全角的");
    Advice::new(message, []).at(mark)
}

fn a_quote_too_many(mark: Range<usize>) -> Advice {
    Advice::new(text!("there is an extra quote here", "这里多了一个引号"), []).at(mark)
}

fn in_quotes() -> Text {
    text!("text must be in quotes", "文字要放在英文直引号里")
}

/// What stands behind a value or a header, when it may not, and the words for that. `lines` is all as it should be.
fn behind(text: &str, rest: &Rest, lines: Option<Vec<String>>, message: Text) -> Option<Advice> {
    Some(match rest {
        Rest::Nothing => return None,
        Rest::Remark(range, _) if text[range.clone()].starts_with('#') => return None,
        Rest::Remark(range, words) => {
            let corrected = lines.map(|lines| lines.concat());
            let before = corrected.as_ref().map_or_else(String::new, |line| format!("{line} "));
            Advice { corrected, ..remark(text, range.clone(), &text[words.clone()], &before) }
        }
        Rest::Signs(range) => {
            let signs = &text[range.clone()];
            let message = text!("lines do not end with `{signs}`", "行尾不用写 `{signs}`");
            Advice::new(message, []).at(range.clone()).proposing(lines)
        }
        Rest::Second(range) => {
            let own_line = text!("write each `key = value` on a separate line", "每一项“名称 = 内容”都要单独写一行");
            let hints = lines.is_none().then_some(own_line);
            Advice::new(message, hints).at(range.clone()).proposing(lines)
        }
        Rest::Other(range) if text[range.clone()].chars().all(is_quote) => {
            a_quote_too_many(range.clone()).proposing(lines)
        }
        Rest::Other(range) if leads_on(text, range, lines.as_deref()).is_some() => {
            let lines = leads_on(text, range, lines.as_deref());
            Advice::new(message, []).at(range.clone()).proposing(lines)
        }
        Rest::Other(range) => Advice::new(message, [remarks()]).at(range.clone()).proposing(lines),
    })
}

/// The lines that are meant by a path with an arrow behind it.
fn leads_on(text: &str, rest: &Range<usize>, lines: Option<&[String]>) -> Option<Vec<String>> {
    let [line] = lines? else { return None };
    let (before, to) = arrow(&text[rest.clone()])?;
    (before.is_empty() && line.starts_with("path = ")).then(|| vec![line.clone(), assigned("redirect", to)])
}

/// A blank that is none to TOML, outside of what may hold one.
fn odd_blank(text: &str, rest: &Rest, allowed: &Range<usize>) -> Option<Advice> {
    let is_in_remark = |at: usize| matches!(rest, Rest::Remark(range, _) if at >= range.start);
    let mut blanks = text.char_indices().filter(|(_, c)| is_odd_blank(*c));
    blanks.find(|(at, _)| !allowed.contains(at) && !is_in_remark(*at)).map(|(at, blank)| stray(at, blank))
}

/// A character that has no business outside of values, and cannot be told from a space or cannot be seen at all.
fn stray(at: usize, c: char) -> Advice {
    let mark = at..at + c.len_utf8();
    if c.is_whitespace() {
        let message = text!("this is not an ordinary space", "这里的空格不是普通空格");
        return Advice::new(message, [text!("delete it and type a space", "请删掉它，重新输入一个空格")]).at(mark);
    }
    Advice::new(hidden(c), [delete_it()]).at(mark)
}

fn hidden(c: char) -> Text {
    let what = invisible::describe(c);
    text!("{what} is hidden here", "这里有{what}", what)
}

pub(super) fn delete_it() -> Text {
    text!("delete it; it often slips in when text is copied", "请删掉它；它常在复制文字时混进来")
}

struct HeaderLine<'a> {
    text: &'a str,
    header: &'a Header,
}

impl HeaderLine<'_> {
    fn advise(&self) -> Option<Advice> {
        let lines = self.header.corrected_lines(self.text);
        if let Some(advice) = self.brackets().or_else(|| self.name()) {
            return Some(advice.proposing(lines));
        }
        let more = text!("nothing may follow the brackets", "方括号后面不能再写别的内容");
        behind(self.text, &self.header.rest, lines.clone(), more).or_else(|| {
            let advice = odd_blank(self.text, &self.header.rest, &(0..0))?;
            Some(Advice { corrected: lines.map(|lines| lines.concat()), ..advice })
        })
    }

    fn brackets(&self) -> Option<Advice> {
        let Header { span, name, .. } = self.header;
        let (before, after) = (&self.text[span.start..name.start], &self.text[name.end..span.end]);
        let is_wide = |c: char| plain(c) != c && matches!(plain(c), '[' | ']');
        if before.contains(is_wide) || after.contains(is_wide) {
            return Some(wide_brackets(span.clone()));
        }
        let message = if !before.starts_with('[') {
            text!("the name of a section is written in square brackets", "小节的名字要放在方括号里")
        } else if after.is_empty() || (before.len() == 2 && after == "]") {
            return Some(not_closed(span.end));
        } else if !matches!((before.trim_end(), after.trim_start()), ("[", "]") | ("[[", "]]")) {
            text!("wrong number of brackets", "方括号的个数不对")
        } else {
            return None;
        };
        Some(Advice::new(message, []).at(span.clone()))
    }

    fn name(&self) -> Option<Advice> {
        let range = self.header.name.clone();
        let name = &self.text[range.clone()];
        if name.is_empty() {
            let message = text!("the name of the section is missing", "缺少小节的名字");
            return Some(Advice::new(message, [keys::known_sections()]).at(self.header.span.clone()));
        }
        let is_right = DeTable::parse(&format!("[{name}]")).is_ok();
        (!is_right).then(|| {
            let hints = if intent::section(name).is_none() { vec![keys::known_sections()] } else { Vec::new() };
            Advice::new(keys::no_section_called(name), hints).at(range)
        })
    }
}

struct AssignmentLine<'a> {
    text: &'a str,
    assignment: &'a Assignment,
}

impl AssignmentLine<'_> {
    fn advise(&self) -> Option<Advice> {
        let Assignment { value, rest, .. } = self.assignment;
        let mut lines = self.assignment.corrected_lines(self.text);
        // With `- path: …` an item of a list begins elsewhere, and a route here. With `=` the header stands above it.
        let is_item = self.text.trim_start().starts_with("- ") && &self.text[self.assignment.sign.clone()] == ":";
        if let Some(lines) = lines.as_mut().filter(|lines| is_item && lines.iter().any(|l| l.starts_with("path = "))) {
            lines.insert(0, "[[route]]".to_owned());
        }
        if let Some(advice) = self.key().or_else(|| self.sign()).or_else(|| self.value()) {
            return Some(advice.proposing(lines));
        }
        let more = text!("nothing may follow the value", "这一项的后面不能再写别的内容");
        behind(self.text, rest, lines.clone(), more).or_else(|| {
            let advice = odd_blank(self.text, rest, value)?;
            Some(Advice { corrected: lines.map(|lines| lines.concat()), ..advice })
        })
    }

    fn key(&self) -> Option<Advice> {
        let range = self.assignment.key.clone();
        let name = &self.text[range.clone()];
        let keys = || {
            text!(
                "keys are fixed English words: path, title, redirect, …",
                "等号左边的名称是固定的英文单词：path、title、redirect……"
            )
        };
        if name.is_empty() {
            let sign = self.assignment.sign.clone();
            let message = text!("the key before the `=` is missing", "等号左边缺少名称");
            return Some(Advice::new(message, [keys()]).at(sign));
        }
        if DeTable::parse(&format!("{name} = 1")).is_ok() {
            return None;
        }
        if let Some((at, c)) = name.char_indices().find(|(_, c)| Unseen::of(*c).is_some()) {
            return Some(stray(range.start + at, c));
        }
        if name.contains(|c| plain(c) == '"' && c != '"') {
            return Some(not_straight(range));
        }
        if name.contains(|c| ('\u{ff01}'..='\u{ff5e}').contains(&c)) {
            let message = text!("these letters are full-width", "这里的字母是全角的");
            return Some(wide(message, range));
        }
        let is_right = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_wrong = |c: char| !is_right(c) && !is_blank(c);
        let Some(start) = name.find(is_wrong) else {
            let message = text!("a key is one word, without spaces", "名称是一个单词，中间没有空格");
            return Some(Advice::new(message, [keys()]).at(range));
        };
        let length = name[start..].find(|c| !is_wrong(c)).unwrap_or(name.len() - start);
        let culprit = &name[start..start + length];
        let mark = range.start + start..range.start + start + length;
        let message = text!("a key cannot contain `{culprit}`", "等号左边要写英文名称，不能有 `{culprit}`");
        Some(Advice::new(message, [keys()]).at(mark))
    }

    fn sign(&self) -> Option<Advice> {
        let range = self.assignment.sign.clone();
        let sign = &self.text[range.clone()];
        if sign.is_empty() {
            let at = self.assignment.value.start;
            return Some(Advice::new(no_sign(), []).at(at..at));
        }
        if let Some(at) = sign.find('＝') {
            let message = text!("this equals sign is full-width", "这个等号是全角的");
            return Some(wide(message, range.start + at..range.start + at + '＝'.len_utf8()));
        }
        (sign != "=").then(|| {
            let message =
                text!("use `=` between a key and its value, not `{sign}`", "名称和内容之间用 `=`，不用 `{sign}`");
            Advice::new(message, []).at(range)
        })
    }

    fn value(&self) -> Option<Advice> {
        let Assignment { value, form, .. } = self.assignment;
        if value.is_empty() {
            let end = self.assignment.sign.end;
            return Some(Advice::new(text!("the value is missing", "等号右边没有内容"), []).at(end..end));
        }
        if self.text[self.assignment.sign.end..value.start].contains('\n') {
            let message = text!("write the value on the same line as its key", "内容要和名称写在同一行");
            return Some(Advice::new(message, []).at(value.clone()));
        }
        let key = self.assignment.meant_key(self.text)?;
        match (keys::kind_of(&key), form) {
            (Some(Kind::List), _) => self.list(&key),
            (Some(Kind::Flag), _) => self.flag(&key),
            (Some(Kind::Number), _) => self.number(&key),
            (_, Form::Quoted { open, close, torn }) => self.quoted(*open, *close, *torn),
            (_, Form::Bare) => self.bare(),
            (_, Form::Triple { is_closed: true }) => None,
            (_, Form::Triple { is_closed: false }) => Some(self.never_closed()),
            (Some(Kind::Text), _) => Some(Advice::new(Kind::Text.mismatch(&key), []).at(value.clone())),
            (Some(Kind::Table) | None, _) => None,
        }
    }

    /// A text in triple quotes.
    fn never_closed(&self) -> Advice {
        let start = self.assignment.value.start;
        let quotes = &self.text[start..start + 3];
        let end = text!("or close it with `{quotes}`", "或者用 `{quotes}` 结束它");
        Advice::new(text!("this text has no closing quotes", "这段文字没有结尾的引号"), [end]).at(start..start + 3)
    }

    fn bare(&self) -> Option<Advice> {
        let range = self.assignment.value.clone();
        let value = &self.text[range.clone()];
        let is_other_value = DeTable::parse(&format!("x = {value}")).is_ok();
        (!is_other_value).then(|| Advice::new(in_quotes(), []).at(range))
    }

    fn quoted(&self, open: Option<char>, close: Option<char>, torn: Option<usize>) -> Option<Advice> {
        let range = self.assignment.value.clone();
        let is_bent = |quote: Option<char>| quote.is_some_and(|quote| !matches!(quote, '"' | '\''));
        let inner = range.start + open.map_or(0, char::len_utf8);
        if torn.is_some() && repair::begins_with_stray_quote(&self.text[inner..range.end]) {
            let quote = self.text[inner..].chars().next().map_or(0, char::len_utf8);
            return Some(a_quote_too_many(inner..inner + quote));
        }
        if let Some(end) = torn {
            let message = text!("the text ended at an earlier quote", "文字中间的引号把这段文字截断了");
            let hint = text!("put `\\` before a quote inside text", "文字里的引号前面要加 `\\`");
            return Some(Advice::new(message, (open == Some('"')).then_some(hint)).at(end..end));
        }
        let Some(open) = open else {
            let message = text!("the opening quote is missing", "文字开头缺少引号");
            return Some(Advice::new(message, []).at(range.start..range.start));
        };
        if is_bent(Some(open)) {
            return Some(not_straight(range));
        }
        let Some(close) = close else {
            let message = text!("the closing quote is missing", "文字末尾缺少引号");
            return Some(Advice::new(message, []).at(range.end..range.end));
        };
        let mark = range.end - close.len_utf8()..range.end;
        if is_bent(Some(close)) {
            let message = text!("the closing quote is not a straight quote", "文字末尾的引号不是英文直引号");
            return Some(Advice::new(message, []).at(mark));
        }
        if open != close {
            let message = text!(
                "the text begins with `{open}` and ends with `{close}`",
                "文字以 `{open}` 开头，却以 `{close}` 结尾"
            );
            return Some(Advice::new(message, []).at(mark));
        }
        if self.ends_with_escape() {
            let message = text!(
                "`\\` makes the quote after it part of the text, so the text does not end",
                "`\\` 把后面的引号变成了文字的一部分，这段文字就没有结尾了"
            );
            let hint = text!(
                "if the text ends with `\\`, write it twice: `\\\\`",
                "如果文字本来就以反斜杠结尾，请写两个：`\\\\`"
            );
            return Some(Advice::new(message, [hint]).at(mark.start - 1..mark.end));
        }
        let is_over_lines = self.text[range.clone()].contains('\n');
        is_over_lines.then(|| {
            let message = text!("text must begin and end on the same line", "一段文字要写在同一行里");
            Advice::new(message, []).at(range)
        })
    }

    /// Whether the quote that was to end the text has a `\` in front of it.
    fn ends_with_escape(&self) -> bool {
        let value = &self.text[self.assignment.value.clone()];
        let inner = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or_default();
        let backslashes = inner.len() - inner.trim_end_matches('\\').len();
        backslashes % 2 == 1 && !inner.contains('\n')
    }

    fn flag(&self, key: &str) -> Option<Advice> {
        let range = self.assignment.value.clone();
        let value = &self.text[range.clone()];
        let message = match value.to_lowercase().as_str() {
            "true" | "false" if value.bytes().all(|b| b.is_ascii_lowercase()) => return None,
            "true" | "false" => text!("write `{value}` in lower case", "`{value}` 要用小写字母"),
            "yes" | "on" | "是" | "对" => text!("for yes, write `true`", "“是”要写成 `true`"),
            "no" | "off" | "否" | "不" => text!("for no, write `false`", "“否”要写成 `false`"),
            _ => Kind::Flag.mismatch(key),
        };
        Some(Advice::new(message, []).at(range))
    }

    fn number(&self, key: &str) -> Option<Advice> {
        let range = self.assignment.value.clone();
        let is_number = self.text[range.clone()].parse::<u32>().is_ok();
        (!is_number).then(|| Advice::new(Kind::Number.mismatch(key), []).at(range))
    }

    fn list(&self, key: &str) -> Option<Advice> {
        let range = self.assignment.value.clone();
        let value = &self.text[range.clone()];
        let odd = value.char_indices().find(|(_, c)| plain(*c) != *c && !is_blank(*c));
        let mark = odd.map(|(at, c)| range.start + at..range.start + at + c.len_utf8());
        match odd.map(|(_, c)| plain(c)).zip(mark) {
            Some(('[' | ']', _)) => return Some(wide_brackets(range)),
            Some((',' | ';', mark)) => {
                let message = text!("this comma is full-width", "这个逗号是全角的");
                return Some(wide(message, mark));
            }
            Some(('"' | '\'', _)) => return Some(not_straight(range)),
            _ => {}
        }
        if !value.starts_with('[') {
            return Some(Advice::new(Kind::List.mismatch(key), []).at(range));
        }
        if self.assignment.open().is_some() {
            return Some(not_closed(range.end));
        }
        let is_right = DeTable::parse(&format!("x = {value}")).is_ok();
        (!is_right).then(|| {
            let message = text!(
                "put each item of a list in quotes, followed by a comma",
                "列表里的每一项都要放在引号里，用逗号隔开"
            );
            Advice::new(message, []).at(range)
        })
    }
}
