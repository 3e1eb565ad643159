//! The parser's complaints in plain words.
//!
//! The parser says which rule of TOML is broken. An editor needs to know what to type instead, so most of the work here
//! is to look at the line and see what it was meant to be.

use std::{ops::Range, sync::Arc};

use toml::de::Error;

use crate::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{Text, text, write},
};

/// Quotes that word processors put in place of straight ones.
const SMART_QUOTES: &[char] =
    &['“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»', '「', '」', '『', '』', '＂', '＇', '`', '´'];

/// Brackets that keyboards for Chinese and Japanese type in place of `[`.
pub(crate) const WIDE_BRACKETS: &[char] = &['［', '【', '〔'];

/// The line around a mistake.
struct Line<'t> {
    text: &'t str,
    /// Where in the line the parser gave up.
    at: usize,
    /// What it gave up on; often nothing.
    culprit: &'t str,
}

struct Advice {
    message: Text,
    hints: Vec<Text>,
    /// The bytes of the line to point at, where the parser noticed the mistake too late.
    mark: Option<Range<usize>>,
}

impl Advice {
    /// Points at the first `culprit` in the line.
    fn pointing_at(mut self, line: &Line<'_>, culprit: &str) -> Self {
        self.mark = line.text.find(culprit).map(|at| at..at + culprit.len());
        self
    }
}

fn advice(message: Text, hints: impl IntoIterator<Item = Text>) -> Advice {
    Advice { message, hints: hints.into_iter().collect(), mark: None }
}

/// The parser's error as a diagnostic. `line` is the range of the line that it happened in.
pub(crate) fn syntax_error(source: &Arc<SourceText>, line: Range<usize>, error: &Error) -> Diagnostic {
    let span = error.span().unwrap_or(line.start..line.start);
    let place = Place::new(source, span);
    let culprit = &source.text[place.span.clone()];
    let text = source.text[line.clone()].trim_end();
    let shown = Line { text, at: (place.span.start - line.start).min(text.len()), culprit };
    let Advice { message, hints, mark } = explain(&shown, error.message());
    let is_duplicate = rule(error.message()) == "duplicate key";
    let first = if is_duplicate { first_use(source, &line, culprit) } else { None };
    let mark = mark.map(|mark| Place::new(source, line.start + mark.start..line.start + mark.end));
    let mut diagnostic = Diagnostic::error(message).at(mark.unwrap_or(place));
    diagnostic.hints = hints;
    diagnostic.related.extend(first.map(|first| (first, text!("the first one", "第一处"))));
    diagnostic
}

/// How much of the file a mistake makes unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// A value or a key; the parser has read what was probably meant.
    Value,
    /// The whole line.
    Line,
    /// Everything until the next section begins.
    Section,
}

/// What the parser cannot make sense of after this error on this line.
pub(crate) fn damage(line: &str, error: &Error) -> Damage {
    let is_header = line.trim_start().starts_with('[');
    match rule(error.message()) {
        "unclosed table" | "unclosed array table" => Damage::Section,
        // The second kind of header would replace the routes that the first kind has collected.
        "duplicate key" if is_header && line.contains("route") => Damage::Section,
        "string values must be quoted" | "unexpected key or value" | "duplicate key" | "invalid boolean" => {
            Damage::Value
        }
        "missing escaped value" | "too few unicode value digits" | "invalid unquoted key" => Damage::Value,
        rule if rule.ends_with("string") => Damage::Value,
        _ if line.trim_start().starts_with(WIDE_BRACKETS) => Damage::Section,
        _ => Damage::Line,
    }
}

/// The parser's message without the list of what it would have liked instead.
fn rule(message: &str) -> &str {
    message.split_once(", expected").map_or(message, |(rule, _)| rule)
}

/// Where a key or section that is given twice was given first: the parser knows, but does not tell.
fn first_use(source: &Arc<SourceText>, line: &Range<usize>, name: &str) -> Option<Place> {
    let header = source.text[line.clone()].trim();
    let is_header = header.starts_with('[');
    let mut end = line.start;
    while end > 0 {
        let start = source.text[..end - 1].rfind('\n').map_or(0, |newline| newline + 1);
        let text = source.text[start..end].trim_end();
        let indent = text.len() - text.trim_start().len();
        let after_name = text.trim_start().strip_prefix(name).map(str::trim_start);
        if is_header && text.trim_start() == header {
            return Some(Place::new(source, start + indent..start + text.len()));
        }
        if !is_header && after_name.is_some_and(|rest| rest.starts_with('=')) {
            return Some(Place::new(source, start + indent..start + indent + name.len()));
        }
        end = start;
    }
    None
}

fn explain(line: &Line<'_>, message: &str) -> Advice {
    // Whatever the parser stumbles over inside such quotes, they are what is wrong.
    if let Some(value) = value(line).filter(|value| value.starts_with(SMART_QUOTES)) {
        return bent_quotes(line, value);
    }
    match rule(message) {
        "string values must be quoted" => bare_value(line),
        "key with no value" | "invalid key-value pair" => no_value(line),
        "invalid unquoted key" => bare_key(line),
        "unexpected key or value" => leftover(line),
        "duplicate key" => duplicate(line),
        "invalid boolean" => boolean(line),
        "unclosed table" | "unclosed array table" => unclosed_header(line),
        "missing escaped value" | "too few unicode value digits" => backslash(line),
        "carriage return must be followed by newline" => advice(
            text!("this line ends as lines did on very old Macs", "这一行的换行方式是很老的 Mac 上的"),
            [text!(
                "save the file again with the usual line ends (LF or CRLF)",
                "请用常见的换行方式（LF 或 CRLF）重新保存文件"
            )],
        ),
        rule if rule.ends_with("string") => quoted_text(line, message),
        rule if rule.starts_with("unclosed") => {
            let rule = text!("the rule is: {message}", "规则是：{message}");
            advice(text!("a bracket is not closed", "有括号没有闭合"), [rule])
        }
        _ => {
            let rule = text!("the rule is: {message}", "规则是：{message}");
            advice(text!("this line cannot be understood", "这一行看不懂"), [rule])
        }
    }
}

/// `key = …` up to and with the `=`, as the beginning of a corrected line.
fn assignment<'t>(line: &Line<'t>) -> &'t str {
    line.text.find('=').map_or("", |equals| line.text[..equals].trim())
}

/// What stands behind the `=`.
fn value<'t>(line: &Line<'t>) -> Option<&'t str> {
    line.text.split_once('=').map(|(_, value)| value.trim())
}

fn write_line(key: &str, value: &str) -> Text {
    if key.is_empty() { write(value) } else { write(format!("{key} = {value}")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn bare_value(line: &Line<'_>) -> Advice {
    let key = assignment(line);
    let value = value(line).unwrap_or(line.culprit);
    if value.is_empty() {
        return advice(text!("the value is missing", "缺少值"), [write_line(key, "\"…\"")]);
    }
    if let Some(rest) = value.strip_prefix('＝') {
        return full_width(line, key, rest.trim());
    }
    if value.contains(SMART_QUOTES) {
        return bent_quotes(line, value);
    }
    match value.to_ascii_lowercase().as_str() {
        "yes" | "on" => advice(text!("a yes is written `true`", "“是”写成 `true`"), [write_line(key, "true")]),
        "no" | "off" => advice(text!("a no is written `false`", "“否”写成 `false`"), [write_line(key, "false")]),
        _ => advice(text!("text stands in quotes", "文字要放在引号里"), [write_line(key, &quoted(value))]),
    }
}

fn bent_quotes(line: &Line<'_>, value: &str) -> Advice {
    let inner = value.trim_matches(|c| SMART_QUOTES.contains(&c) || c == '"');
    let hints = [write_line(assignment(line), &quoted(inner)), type_quotes_anew()];
    advice(not_straight(), hints).pointing_at(line, value)
}

fn not_straight() -> Text {
    text!("these quotes are not the straight ones", "这里的引号不是英文直引号")
}

fn type_quotes_anew() -> Text {
    text!(
        "word processors bend quotes; type them anew: \"",
        "文字处理软件会把引号换成弯引号，中文输入法打出的也是弯引号；请在英文状态下重新输入：\""
    )
}

fn full_width(line: &Line<'_>, key: &str, value: &str) -> Advice {
    let hints = [
        write_line(key, if value.is_empty() { "…" } else { value }),
        text!("switch the keyboard to half width for signs", "请把输入法切换到半角"),
    ];
    let message = text!("this equals sign is the wide one of Chinese and Japanese keyboards", "这个等号是全角的");
    advice(message, hints).pointing_at(line, "＝")
}

fn no_value(line: &Line<'_>) -> Advice {
    let text = line.text.trim();
    if text.starts_with("//") || text.starts_with("/*") || text.starts_with("--") || text.starts_with("<!--") {
        let note = text.trim_matches(|c: char| "/*-<!> ".contains(c));
        return advice(remarks(), [write(format!("# {note}"))]).pointing_at(line, text);
    }
    if text.starts_with(WIDE_BRACKETS) {
        let name: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let shown = if name == "route" { "[[route]]".to_owned() } else { format!("[{name}]") };
        let message =
            text!("these brackets are the wide ones of Chinese and Japanese keyboards", "这里的方括号是全角的");
        return advice(message, [write(shown)]).pointing_at(line, text);
    }
    if text.starts_with('{') {
        return advice(
            text!("this line is not `key = \"value\"`", "这一行不是 `key = \"value\"` 的形式"),
            [text!("the file is in TOML, not in JSON", "这个文件是 TOML 格式，不是 JSON")],
        );
    }
    if let Some((key, value)) = text.split_once('＝') {
        return full_width(line, key.trim(), value.trim());
    }
    for sign in [":", "："] {
        if let Some((key, value)) = text.split_once(sign) {
            let message =
                text!("`=` stands between a key and its value, not `{sign}`", "名称和值之间用 `=`，不用 `{sign}`");
            return advice(message, [write_line(key.trim(), value.trim())]).pointing_at(line, sign);
        }
    }
    let hint = match text.split_once(char::is_whitespace) {
        Some((key, value)) => write_line(key, value.trim()),
        None if text.contains(['"', '\'']) => {
            text!("a text begins and ends on one line", "一段文字要在同一行里开始和结束")
        }
        None => write_line(text, "\"…\""),
    };
    advice(text!("there is no `=` in this line", "这一行里没有 `=`"), [hint])
}

fn remarks() -> Text {
    text!("a remark begins with `#`", "注释以 `#` 开头")
}

fn bare_key(line: &Line<'_>) -> Advice {
    let is_space = |c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}');
    if line.culprit.chars().all(is_space) {
        return advice(
            text!("there is a space here that is not the usual one", "这里的空格不是普通的空格"),
            [text!("delete it and type a space anew", "请删掉它，重新输入一个空格")],
        );
    }
    if line.culprit.contains(SMART_QUOTES) {
        return advice(not_straight(), [type_quotes_anew()]);
    }
    let culprit = line.culprit;
    advice(
        text!("`{culprit}` cannot be in a key", "名称里不能有 `{culprit}`"),
        [text!(
            "keys are the English words of the format: path, title, redirect, …",
            "`=` 左边的名称是固定的英文单词：path、title、redirect……"
        )],
    )
}

/// Something stands behind a complete value.
fn leftover(line: &Line<'_>) -> Advice {
    let rest = line.text[line.at..].trim();
    let before = line.text[..line.at].trim_end();
    if let Some((key, value)) = line.text.split_once("=＝") {
        return full_width(line, key.trim(), value.trim());
    }
    let behind = || text!("something stands behind the value", "值的后面还有别的内容");
    if rest.contains('=') {
        return advice(
            behind(),
            [text!("each `key = value` has a line of its own", "每个 `key = value` 都要单独写一行")],
        );
    }
    if rest.starts_with([',', ';', '，', '；', '。', '.']) {
        let sign = rest.chars().next().unwrap_or(',');
        let message = text!("no `{sign}` is needed at the end of a line", "行尾不需要 `{sign}`");
        return advice(message, [write(before.trim())]);
    }
    if rest.contains('"') {
        let value = line.text.split_once('=').map_or("", |(_, value)| value).trim();
        let inner = value.strip_prefix('"').unwrap_or(value);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        return advice(
            text!("the text ended at the quote before this", "文字到前面那个引号就结束了"),
            [
                write_line(assignment(line), &quoted(inner)),
                text!("a quote inside a text has `\\` in front of it", "文字里的引号前面要加 `\\`"),
            ],
        );
    }
    advice(behind(), [write(before.trim()), remarks()])
}

fn duplicate(line: &Line<'_>) -> Advice {
    let name = line.culprit;
    if line.text.trim_start().starts_with("[[") {
        return advice(
            text!("`{name}` is also written with single brackets", "`{name}` 也写了单层方括号"),
            [text!("write `[[{name}]]` each time", "每次都请写 `[[{name}]]`")],
        );
    }
    if !line.text.trim_start().starts_with('[') {
        return advice(
            text!("`{name}` is given twice here", "这里写了两次 `{name}`"),
            [
                text!("keep one of the two lines", "两行只留一行"),
                text!("or begin the next route with a line `[[route]]`", "如果这是下一条路由，请先写一行 `[[route]]`"),
            ],
        );
    }
    match name {
        "route" => advice(
            text!("each route begins with double brackets", "每条路由都用双层方括号开头"),
            [text!("write `[[route]]` each time", "每次都请写 `[[route]]`")],
        ),
        _ => advice(
            text!("`[{name}]` stands in the file twice", "文件里有两个 `[{name}]`"),
            [text!("put everything under the first one", "请把内容都写到第一个下面")],
        ),
    }
}

fn boolean(line: &Line<'_>) -> Advice {
    let culprit = line.culprit;
    let right = culprit.to_ascii_lowercase();
    advice(
        text!("`{culprit}` is written in small letters", "`{culprit}` 要用小写字母"),
        [write_line(assignment(line), &right)],
    )
}

fn unclosed_header(line: &Line<'_>) -> Advice {
    let header = line.text.trim();
    let name = header.trim_matches(|c: char| c == '[' || c == ']' || c.is_whitespace());
    let opening = if header.starts_with("[[") { 2 } else { 1 };
    let shown = format!("{}{name}{}", "[".repeat(opening), "]".repeat(opening));
    advice(text!("the bracket is not closed", "方括号没有闭合"), [write(shown)])
}

fn backslash(line: &Line<'_>) -> Advice {
    let value = line.text.split_once('=').map_or("", |(_, value)| value).trim().trim_matches('"');
    let hints = [
        write_line(assignment(line), &format!("\"{}\"", value.replace('\\', "/"))),
        text!("for the sign itself write it twice: `\\\\`", "如果要写反斜杠本身，请写两个：`\\\\`"),
    ];
    advice(text!("`\\` has a special meaning in a text", "`\\` 在文字里有特殊含义"), hints)
}

fn quoted_text(line: &Line<'_>, message: &str) -> Advice {
    if let Some(c) = line.culprit.chars().next().filter(|c| c.is_control()) {
        let what = crate::characters::describe(c);
        return advice(
            text!("{what} cannot be in a text", "文字里不能有{what}", what),
            [text!("delete it; it often comes along when text is copied", "请删掉它；它常在复制文字时混进来")],
        );
    }
    let quote = if message.contains("literal") { "'" } else { "\"" };
    if message.contains("multi-line") {
        let quotes = quote.repeat(3);
        return advice(
            text!("the text is never closed", "这段文字没有结束"),
            [text!("end it with `{quotes}`", "请用 `{quotes}` 结束")],
        );
    }
    let text = line.text[..line.at].trim();
    let straight = text.trim_end_matches(SMART_QUOTES);
    let hint = write(format!("{straight}{quote}"));
    if straight.len() < text.len() {
        let smart = &text[straight.len()..];
        let message = text!("the quote at the end of the text is not a straight one", "文字末尾的引号不是英文直引号");
        return advice(message, [hint]).pointing_at(line, smart);
    }
    advice(text!("the quote at the end of the text is missing", "文字末尾缺少引号"), [hint])
}
