//! Texts that can be shown and are still not what their authors want to be read: quotes around the whole, what a
//! spreadsheet program has put in the place of a text, and placeholders as other tools write them.

use portalgen_base::text::{text, write};

use super::{portal::Portal, template::Values, value::Problem};

/// What spreadsheet programs show in the place of a value that they cannot work out.
const SHEET_ERRORS: [&str; 14] = [
    "#NAME?",
    "#REF!",
    "#VALUE!",
    "#DIV/0!",
    "#N/A",
    "#NUM!",
    "#NULL!",
    "#SPILL!",
    "#CALC!",
    "#FIELD!",
    "#BLOCKED!",
    "#CONNECT!",
    "#UNKNOWN!",
    "#GETTING_DATA",
];

/// Quotes that belong together, as keyboards, word processors and spreadsheet programs set them.
const QUOTES: [(char, char); 8] =
    [('“', '”'), ('”', '”'), ('„', '“'), ('„', '”'), ('"', '"'), ('‘', '’'), ('\'', '\''), ('＂', '＂')];

/// How placeholders are written elsewhere: what stands around the name.
const ELSEWHERE: [(&str, &str); 8] =
    [("${", "}"), ("#{", "}"), ("%{", "}"), ("{{{", "}}}"), ("{{", "}}"), ("<%=", "%>"), ("[[", "]]"), ("%", "%")];

/// What placeholders are called elsewhere, as far as they would be that of the product here.
const PRODUCTS: [&str; 7] = ["product", "productname", "product_name", "brand", "site_name", "sitename", "appname"];

/// The problem with what nobody means as a text: an error or a formula of a spreadsheet program, signs in place of
/// letters that were lost, and quotes around the whole.
pub fn spoiled(text: &str) -> Option<Problem> {
    let text = text.trim();
    if let Some(error) = SHEET_ERRORS.iter().find(|error| text.eq_ignore_ascii_case(error)) {
        return Some(
            Problem::new(text!("`{error}` is a spreadsheet error, not text", "`{error}` 是表格软件的错误值，不是文字"))
                .hint(text!("type the text again", "请重新输入这段文字")),
        );
    }
    if is_formula(text) {
        return Some(
            Problem::new(text!(
                "this begins with `=`, like a spreadsheet formula",
                "这里以 `=` 开头，像是表格里的公式"
            ))
            .hint(text!("write the text for visitors", "请写上给访问者看的文字")),
        );
    }
    lost(text).or_else(|| quoted(text))
}

/// `=` at the beginning of a text may be meant; before a name, a number, a sign or a bracket it begins a formula.
fn is_formula(text: &str) -> bool {
    let rest = text.strip_prefix('=').map(str::trim_start);
    rest.and_then(|rest| rest.chars().next()).is_some_and(|c| c.is_ascii_alphanumeric() || "+-(\"'$@{".contains(c))
}

/// Programs write `?` for letters that their character set does not have, and `#` where a column is too narrow.
fn lost(text: &str) -> Option<Problem> {
    let is_all = |sign: char, least: usize| text.len() >= least && text.chars().all(|c| c == sign || c == ' ');
    if is_all('#', 4) {
        return Some(
            Problem::new(text!(
                "`{text}` is what a spreadsheet shows if a column is too narrow",
                "`{text}` 是列宽不够时显示的内容，不是文字"
            ))
            .hint(text!("type the text again", "请重新输入这段文字")),
        );
    }
    let is_lost = is_all('?', 2) || text.contains(char::REPLACEMENT_CHARACTER);
    is_lost.then(|| {
        Problem::new(text!(
            "characters of this text were lost when it was saved",
            "这段文字在保存时丢失了字符，变成了问号"
        ))
        .hint(text!("type it again, and save it as UTF-8", "请重新输入，并用 UTF-8 编码保存"))
    })
}

fn quoted(text: &str) -> Option<Problem> {
    let (open, close) = QUOTES.into_iter().find(|(open, close)| {
        let inside = text.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close));
        inside.is_some_and(|inside| !inside.trim().is_empty() && !inside.contains([*open, *close]))
    })?;
    let inside = text[open.len_utf8()..text.len() - close.len_utf8()].trim();
    Some(
        Problem::new(text!(
            "the quotes around this text would be shown to visitors",
            "整段文字的引号会原样显示给访问者"
        ))
        .hint(write(inside)),
    )
}

/// The problem with a placeholder as other tools write it. `written` is a text as the file has it, in which `{{` stands
/// for one brace.
pub fn foreign_placeholder(written: &str, portal: &Portal) -> Option<Problem> {
    foreign(written, Values::of(portal))
}

/// The same before there is a portal.
pub(crate) fn foreign(written: &str, values: Values<'_>) -> Option<Problem> {
    let (found, name) = placeholder(written)?;
    let problem =
        Problem::new(text!("`{found}` is placeholder syntax of another tool", "`{found}` 是其他工具填入内容的写法"));
    Some(match (translated(written, values), our_name(name)) {
        (Some(ours), _) => problem.hint(write(ours)),
        (None, Some("product")) if values.product.is_none() => problem.hint(text!(
            "write the product's name, or add `product = \"…\"` under `[portal]` and write `{{product}}` here",
            "请直接写产品的名字；或者在 `[portal]` 下写 `product = \"…\"`，这里写 `{{product}}`"
        )),
        _ => problem.hint(text!(
            "write the text itself: the only placeholders are `{{product}}` and `{{host}}`",
            "请直接写文字：占位符只有 `{{product}}` 和 `{{host}}`"
        )),
    })
}

/// The text with all placeholders as they are written here, if there is a value for each.
fn translated(written: &str, values: Values<'_>) -> Option<String> {
    let mut text = written.to_owned();
    while let Some((found, name)) = placeholder(&text) {
        let name = our_name(name)?;
        let value = if name == "product" { values.product } else { values.host };
        text = text.replacen(found, &format!("{{{}}}", value.map(|_| name)?), 1);
    }
    Some(text)
}

/// The first placeholder of another tool in a text, and the name in it.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let found = ELSEWHERE.iter().enumerate().filter_map(|(rank, (open, close))| {
        let mut starts = text.match_indices(open).map(|(start, _)| start);
        starts.find_map(|start| {
            let inside = &text[start + open.len()..];
            let length = inside.find(close)?;
            let name = inside[..length].trim();
            // A percent sign is common in texts, and so are brackets.
            let is_plain = matches!(*open, "%" | "[[");
            let is_name = if is_plain { our_name(name).is_some() } else { is_name(name) };
            is_name.then(|| ((start, rank), (&text[start..start + open.len() + length + close.len()], name)))
        })
    });
    found.min_by_key(|(place, _)| *place).map(|(_, found)| found)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-$".contains(c))
}

/// What a value is called here.
fn our_name(name: &str) -> Option<&'static str> {
    let name = name.rsplit(['.', '$']).next().unwrap_or(name).to_ascii_lowercase();
    match name.as_str() {
        "host" => Some("host"),
        name if PRODUCTS.contains(&name) => Some("product"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_means_as_a_text() {
        for text in [
            "#NAME?",
            "#ref!",
            "=1+1",
            "=A2&\" - Lanyu\"",
            "=SUM(A1:A3)",
            "= B2",
            "#####",
            "????",
            "?? ??",
            "caf\u{fffd}",
            "“关于我们”",
            "\"About\"",
            "”About”",
            "‘About’",
            "'About'",
            "“ 关于 ”",
        ] {
            assert!(spoiled(text).is_some(), "{text}");
        }
        for text in [
            "关于我们",
            "=> or ->",
            "== in JavaScript",
            "#1 in Berlin",
            "What?",
            "What??",
            "C#",
            "“A” and “B”",
            "“A”: a story",
            "'tis",
            "“”",
            "#",
            "=",
            "- a dash",
            "@all",
            "《三体》",
            "「引用」",
        ] {
            assert_eq!(spoiled(text), None, "{text}");
        }
        assert_eq!(spoiled("“关于我们”").and_then(|problem| problem.hints.first().cloned()), Some(write("关于我们")));
    }

    #[test]
    fn placeholders_of_other_tools() {
        for (text, found) in [
            ("关于${product}", Some(("${product}", "product"))),
            ("关于{{product}}", Some(("{{product}}", "product"))),
            ("{{ site.title }} | x", Some(("{{ site.title }}", "site.title"))),
            ("{{{product}}}", Some(("{{{product}}}", "product"))),
            ("<%= brand %>", Some(("<%= brand %>", "brand"))),
            ("#{product}", Some(("#{product}", "product"))),
            ("100%{product}", Some(("%{product}", "product"))),
            ("%product% and %brand%", Some(("%product%", "product"))),
            ("{product}", None),
            ("10% to 20% off", None),
            ("100 % {product} %", None),
            ("[[link]]", None),
            ("{{ }}", None),
            ("a {{1}}", None),
            ("${", None),
        ] {
            assert_eq!(placeholder(text), found, "{text}");
        }
    }
}
