//! The parser's complaints in plain words.
//!
//! The parser says which rule of TOML is broken. An editor needs to know what to type instead, so what a line was
//! [meant](super::intent) to be is looked at first.

use std::{ops::Range, sync::Arc};

use toml::de::Error;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    invisible,
    text::{Text, text, write},
};

use super::{
    advice::{self, Advice},
    broken::{Broken, Rule},
    intent::{self, Meant},
    lines::Statement,
};
use crate::{keys, kind::Kind};

/// A mistake of spelling.
pub(crate) struct Mistake {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) repair: Repair,
}

/// What the parser shall read in place of the lines with the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// The same: it has read what was probably meant.
    Nothing,
    /// This, if it fits in, and otherwise nothing.
    Lines(String),
    /// The first of these that fits in, and otherwise nothing until the next section begins.
    Section(Vec<String>),
}

/// The parser's error as a mistake in the lines that it is about.
pub(crate) fn mistake(source: &Arc<SourceText>, statement: &Statement, error: &Error) -> Mistake {
    let range = statement.range.clone();
    let place = Place::new(source, error.span().unwrap_or(range.start..range.start));
    let text = source.text[range.clone()].trim_end();
    let at = place.span.start.saturating_sub(range.start).min(text.len());
    let Broken { rule, .. } = Broken::of(error);
    let complaint = Complaint { text, at, culprit: &source.text[place.span.clone()], rule, message: error.message() };
    let meant = intent::read(text);
    let advice = advice::advise(text, &meant).unwrap_or_else(|| complaint.explain());
    let repair = repair(text, &meant, advice.corrected, &complaint, statement.swallows);
    let place = advice.mark.map_or(place, |mark| Place::new(source, range.start + mark.start..range.start + mark.end));
    let mut diagnostic = Diagnostic::error(advice.message).at(place);
    diagnostic.hints = advice.hints;
    if rule == Rule::DuplicateKey {
        let first = first_use(source, &range, complaint.culprit);
        diagnostic.related.extend(first.map(|first| (first, text!("the first one", "第一处"))));
    }
    Mistake { diagnostic, repair }
}

fn repair(text: &str, meant: &Meant, corrected: Option<String>, complaint: &Complaint<'_>, swallows: bool) -> Repair {
    let is_header = matches!(meant, Meant::Header(_));
    let is_kept = match complaint.rule {
        // The second kind of header would replace the routes that the first kind has collected.
        Rule::DuplicateKey => !(is_header && complaint.culprit == "route"),
        Rule::Escape | Rule::Text | Rule::LongText(_) | Rule::MissingComma | Rule::ExtraComma => true,
        Rule::Unclosed | Rule::Depth | Rule::Other => false,
    };
    match (corrected, meant) {
        (None, _) if is_kept && !swallows => Repair::Nothing,
        (corrected, Meant::Header(header)) => {
            Repair::Section(corrected.into_iter().chain(header.brief(text)).collect())
        }
        (corrected, _) => Repair::Lines(corrected.unwrap_or_default()),
    }
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

/// What the parser has to say of lines whose signs are as they should be.
struct Complaint<'t> {
    text: &'t str,
    /// Where the parser gave up.
    at: usize,
    /// What it gave up on; often nothing.
    culprit: &'t str,
    rule: Rule,
    message: &'t str,
}

impl Complaint<'_> {
    fn explain(&self) -> Advice {
        let culprit = self.text[self.at..].chars().next();
        if let Some(c) = culprit.filter(|c| c.is_control() && !matches!(c, '\n' | '\r')) {
            return control_character(c).at(self.at..self.at + c.len_utf8());
        }
        match self.rule {
            Rule::DuplicateKey => self.duplicate(),
            Rule::Escape => self.backslash(),
            Rule::MissingComma => Advice::new(text!("a comma is missing before this", "这里的前面缺少逗号"), []),
            Rule::ExtraComma => Advice::new(text!("there is an extra comma here", "这里多了一个逗号"), []),
            Rule::Depth => Advice::new(text!("this is nested too deeply", "这里的嵌套太深了"), []),
            Rule::Unclosed => Advice::new(text!("a bracket is not closed", "有括号没有闭合"), [self.words_of_parser()]),
            Rule::Text | Rule::LongText(_) | Rule::Other => self.reversed().unwrap_or_else(|| {
                Advice::new(text!("this line cannot be understood", "这一行无法识别"), [self.words_of_parser()])
            }),
        }
    }

    /// `"/about" = path`
    fn reversed(&self) -> Option<Advice> {
        let (value, key) = self.text.split_once('=')?;
        let key = keys::keys().find(|known| *known == key.trim())?;
        let value = value.trim().trim_matches(|c| matches!(c, '"' | '\''));
        let line = format!("{key} = {}", Kind::Text.written(&[value.to_owned()])?);
        let message =
            text!("the key stands in front of the `=`, and its value behind it", "等号左边写名称，右边写内容");
        let advice = Advice::new(message, [write(&line)]).at(0..self.text.len());
        Some(Advice { corrected: Some(line), ..advice })
    }

    fn words_of_parser(&self) -> Text {
        let message = self.message;
        text!("the rule is: {message}", "请检查引号、括号、逗号和等号：有没有少写或多写，是不是英文半角")
    }

    fn duplicate(&self) -> Advice {
        let name = self.culprit;
        let line = self.text.trim_start();
        if line.starts_with("[[") {
            return Advice::new(
                text!("`{name}` also appears in single brackets", "别处的 `{name}` 只有一层方括号"),
                [text!("write `[[{name}]]` each time", "每次都请写 `[[{name}]]`")],
            );
        }
        if !line.starts_with('[') {
            let next =
                text!("or begin the next route with a line `[[route]]`", "如果这是下一个网址，请先写一行 `[[route]]`");
            let keep = text!("keep one of the lines", "请只保留其中一行");
            let is_of_route = keys::is_key_of_route(name);
            let hints = std::iter::once(keep).chain(is_of_route.then_some(next));
            return Advice::new(text!("duplicate key `{name}`", "这里写了两次 `{name}`"), hints);
        }
        match name {
            "route" => Advice::new(
                text!("routes are written in double brackets", "`[[route]]` 要用两层方括号"),
                [text!("write `[[route]]` each time", "每次都请写 `[[route]]`")],
            ),
            _ => Advice::new(
                text!("the section `[{name}]` appears twice", "文件里有两个 `[{name}]`"),
                [text!("put all lines under the first one", "请把内容合并到第一个下面")],
            ),
        }
    }

    fn backslash(&self) -> Advice {
        let (key, value) = self.text.split_once('=').unwrap_or_default();
        let (key, value) = (key.trim(), value.trim().trim_matches('"'));
        let message = text!("`\\` has a special meaning in text", "`\\` 在文字里有特殊含义");
        let twice = text!("for the sign itself, write it twice: `\\\\`", "如果要写反斜杠本身，请写两个：`\\\\`");
        if keys::is_prose(key) {
            let right = Kind::Text.written(&[value.to_owned()]).unwrap_or_default();
            return Advice::new(message, [write(format!("{key} = {right}")), twice]);
        }
        let right = value.replace('\\', "/");
        Advice::new(message, [write(format!("{key} = \"{right}\"")), twice])
    }
}

fn control_character(c: char) -> Advice {
    let what = invisible::describe(c);
    Advice::new(text!("text cannot contain {what}", "文字里不能有{what}", what), [advice::delete_it()])
}
