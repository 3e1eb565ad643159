//! What to write in place of a line.

use toml::de::DeTable;

use super::intent::{self, Assignment, Form, Header, Meant, Rest};
use crate::{
    keys,
    kind::Kind,
    signs::{is_blank, is_closing, is_opening, is_quote, narrow, plain},
};

impl Rest {
    /// A corrected line, and those that are made of what stands behind it.
    fn append_corrected(&self, text: &str, first: String) -> Option<Vec<String>> {
        let Self::Second(range) = self else { return Some(vec![first]) };
        let second = &text[range.clone()];
        let Meant::Assignment(assignment) = intent::read(second) else { return None };
        Some([vec![first], assignment.corrected_lines(second)?].concat())
    }
}

impl Header {
    /// The header as it should be, and the line for each key behind it.
    pub(super) fn corrected_lines(&self, text: &str) -> Option<Vec<String>> {
        self.rest.append_corrected(text, self.corrected(text)?)
    }

    /// A header that is read like the right one and takes less room. What has double brackets was meant to be a route.
    pub(super) fn brief(&self, text: &str) -> Option<String> {
        let is_route = || self.brackets(text) > 1;
        let section = intent::section(&text[self.name.clone()]).or_else(|| is_route().then_some("route"))?;
        keys::brief_header(section)
    }

    fn brackets(&self, text: &str) -> usize {
        text[self.span.clone()].chars().take_while(|c| plain(*c) == '[').count()
    }

    /// The header as it should be.
    fn corrected(&self, text: &str) -> Option<String> {
        let name = &text[self.name.clone()];
        let brackets = self.brackets(text);
        let is_plain = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
        intent::section(name).map(keys::header).or_else(|| {
            let brackets = if brackets > 1 { 2 } else { 1 };
            is_plain.then(|| format!("{}{name}{}", "[".repeat(brackets), "]".repeat(brackets)))
        })
    }
}

impl Assignment {
    /// The key that was meant.
    pub(super) fn meant_key(&self, text: &str) -> Option<String> {
        let written = &text[self.key.clone()];
        let is_plain = !written.is_empty() && written.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b));
        intent::key(written).map(str::to_owned).or_else(|| is_plain.then(|| written.to_owned()))
    }

    /// The lines as they should be, one for each key, as far as all of that can be known.
    pub(super) fn corrected_lines(&self, text: &str) -> Option<Vec<String>> {
        self.rest.append_corrected(text, self.corrected(text)?)
    }

    /// The line as it should be, as far as that can be known.
    fn corrected(&self, text: &str) -> Option<String> {
        let key = self.meant_key(text)?;
        let kind = keys::kind_of(&key).unwrap_or(Kind::Text);
        let words = self.words(text, kind);
        let words = if keys::is_prose(&key) { words } else { words.iter().map(|word| narrow(word)).collect() };
        let value = kind.written(&words)?;
        let line = format!("{key} = {value}");
        DeTable::parse(&line).is_ok().then_some(line)
    }

    /// What was written as the value, without quotes: each item of a list, one of anything else, and `…` for nothing.
    fn words(&self, text: &str, kind: Kind) -> Vec<String> {
        let value = &text[self.value.clone()];
        match self.form {
            _ if value.is_empty() => vec!["…".to_owned()],
            Form::Quoted { open, close, .. } => {
                let start = open.map_or(0, char::len_utf8);
                let end = value.len() - close.map_or(0, char::len_utf8);
                vec![joined(without_quotes(&value[start..end.max(start)]))]
            }
            Form::Triple { .. } => vec![joined(value.trim_matches(is_quote))],
            Form::List { .. } if kind == Kind::List => items(value),
            Form::List { .. } | Form::Table { .. } => vec!["…".to_owned()],
            Form::Bare => vec![joined(value)],
        }
    }
}

/// A text that was put into quotes twice without the inner ones, or that begins with a quote too many.
fn without_quotes(text: &str) -> &str {
    let inner = text.strip_prefix(is_quote).and_then(|text| text.strip_suffix(is_quote));
    let alone = || text.strip_prefix(is_quote).filter(|inner| !inner.contains(is_quote));
    inner.or_else(alone).unwrap_or(text)
}

/// Whether what follows the quote at the beginning of a text is another one, which has no partner before the quote at its
/// end.
pub(super) fn begins_with_stray_quote(text: &str) -> bool {
    text.starts_with(is_quote) && text.matches(is_quote).count() == 2 && text.ends_with(is_quote)
}

/// A text over several lines as one: with a blank where words would run together.
fn joined(text: &str) -> String {
    let mut whole = String::new();
    // A `\` at the end of a line takes its line break away.
    for line in text.split('\n').map(|line| line.trim_matches(is_blank).trim_end_matches('\\')) {
        let meets_word = whole.ends_with(|c: char| c.is_ascii_alphanumeric())
            && line.starts_with(|c: char| c.is_ascii_alphanumeric());
        if meets_word {
            whole.push(' ');
        }
        whole.push_str(line);
    }
    whole
}

/// The items of a list, whatever stands around and between them.
pub(crate) fn items(list: &str) -> Vec<String> {
    let is_between =
        |c: char| is_blank(c) || is_quote(c) || is_opening(c) || is_closing(c) || matches!(plain(c), ',' | ';');
    let without_remarks = list.lines().map(|line| line.split(['#', '＃']).next().unwrap_or_default());
    without_remarks.flat_map(|line| line.split(is_between)).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(line: &str) -> String {
        match intent::read(line) {
            Meant::Header(header) => header.corrected_lines(line).unwrap_or_default().join(" / "),
            Meant::Assignment(assignment) => assignment.corrected_lines(line).unwrap_or_default().join(" / "),
            Meant::Remark(words) => format!("# {}", &line[words]),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn lines_are_understood_whatever_their_signs() {
        for (line, right) in [
            ("ｔｉｔｌｅ ＝ ＂关于＂", "title = \"关于\""),
            ("title = “关于我们\"", "title = \"关于我们\""),
            ("title = \"关于我们”", "title = \"关于我们\""),
            ("title = 关于我们 # 标题", "title = \"关于我们\""),
            ("title = '关于我们\"", "title = \"关于我们\""),
            ("title：“关于我们”", "title = \"关于我们\""),
            ("title = “关于\"我们\"”", "title = \"关于\\\"我们\\\"\""),
            ("title = ''关于''", "title = \"关于\""),
            ("title = \"关于\"，noindex = true", "title = \"关于\" / noindex = true"),
            ("title = “关于”，path=/a；noindex：否", "title = \"关于\" / path = \"/a\" / noindex = false"),
            ("title = \"关于\n我们\"", "title = \"关于我们\""),
            ("title = \"About\nus\"", "title = \"About us\""),
            ("title　=　\"关于\"", "title = \"关于\""),
            ("＃ 注释", "# 注释"),
            ("——— 注释 ———", "# 注释"),
            ("标题 = \"关于\"", "title = \"关于\""),
            ("- title: 关于", "title = \"关于\""),
            ("1. **标题**：「关于」", "title = \"关于\""),
            ("title == \"关于\"", "title = \"关于\""),
            ("title => \"关于\",", "title = \"关于\""),
            ("title -> 关于。", "title = \"关于\""),
            ("title = 关于\"", "title = \"关于\""),
            ("title = \"\"关于\"\"", "title = \"关于\""),
            ("title = \"\"关于\"", "title = \"关于\""),
            ("title = \"\"关于\"我们\"", "title = \"\\\"关于\\\"我们\""),
            ("title = \"关于\\\"", "title = \"关于\""),
            ("title = 'It's us'", "title = \"It's us\""),
            ("title", "title = \"…\""),
            ("title \"关于\"", "title = \"关于\""),
            ("path = /about # home", "path = \"/about\""),
            ("redirect = https://a.example//b", "redirect = \"https://a.example//b\""),
            ("noindex = 是", "noindex = true"),
            ("noindex：“否”", "noindex = false"),
            ("noindex = ture。", "noindex = true"),
            ("allow hosts = 【“a.example”，“b.example”】", "allow_hosts = [\"a.example\", \"b.example\"]"),
            ("allow_hosts = \"a.example\", \"b.example\"", "allow_hosts = [\"a.example\", \"b.example\"]"),
            ("allow_hosts = [a.example b.example", "allow_hosts = [\"a.example\", \"b.example\"]"),
            ("【【route】】", "[[route]]"),
            ("[[route】】", "[[route]]"),
            ("[ [route] ]", "[[route]]"),
            ("[[[route]]]：", "[[route]]"),
            ("[route] path：“/”", "[[route]] / path = \"/\""),
            ("「路由」", "[[route]]"),
            ("route", "[[route]]"),
            ("\u{feff}[portal", "[portal]"),
            ("[not found]", "[not_found]"),
            ("[deploy", "[deploy]"),
            ("这里是关于页面", "Words"),
            ("※ 注意：这里不要改", "# 注意：这里不要改"),
            ("https://www.example.com", "Words"),
            ("<title>关于</title>", "Words"),
            ("\"/about\",\"关于\"", "Words"),
        ] {
            assert_eq!(corrected(line), right, "{line}: {:?}", intent::read(line));
        }
    }
}
