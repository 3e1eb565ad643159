//! Faults of brackets and elements in words.

use std::ops::Range;

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

use super::{
    Refused, opened_here,
    outline::{Fault, Kind, Opening},
};

/// Elements that have no content in HTML, and are therefore often written without an end.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

pub(super) fn tell(refused: &Refused, fault: &Fault) -> Diagnostic {
    match fault {
        Fault::Unclosed { opening, before, missing } => unclosed(refused, opening, before, missing),
        Fault::WrongClosing { opening, closing } => wrong_closing(refused, opening, closing),
        Fault::Surplus { closing } => surplus(refused, closing),
        Fault::MissingSlash { opening } => missing_slash(refused, opening),
        Fault::Crossed { inner, closings } => crossed(refused, inner, closings),
        Fault::ValueBehindReturn { keyword } => value_behind_return(refused, keyword),
        Fault::Adjacent { first, second } => adjacent(refused, first, second),
        Fault::HtmlComment(span) => html_comment(refused, span),
        Fault::UnclosedString(span) => unclosed_string(refused, span),
        Fault::UnclosedComment(span) => Diagnostic::error(text!("this comment is not closed", "这段注释没有闭合"))
            .at(refused.place(span.clone()))
            .with_hint(text!("write `*/` where it ends", "请在注释结束的地方写 `*/`")),
    }
}

/// What stands at a place, short enough to be quoted.
fn quoted<'a>(refused: &'a Refused, span: &Range<usize>) -> &'a str {
    &refused.text()[span.clone()]
}

fn unclosed(refused: &Refused, opening: &Opening, before: &Range<usize>, missing: &str) -> Diagnostic {
    let place = refused.place(opening.span.start..opening.span.end.min(line_end(refused.text(), opening.span.start)));
    let message = match &opening.kind {
        Kind::Tag(name) => text!("the tag `<{name}` has no `>`", "标签 `<{name}` 缺少 `>`"),
        Kind::Element(name) => text!("`<{name}>` is not closed", "`<{name}>` 没有闭合"),
        Kind::Template => text!("this template literal is not closed", "这个模板字符串没有闭合"),
        Kind::Bracket(_) | Kind::Substitution => {
            let bracket = quoted(refused, &opening.span);
            text!("`{bracket}` is not closed", "`{bracket}` 没有闭合")
        }
    };
    let diagnostic = Diagnostic::error(message).at(place);
    if let Kind::Element(name) = &opening.kind
        && VOID.contains(&name.as_str())
    {
        return diagnostic.with_hint(text!(
            "in JSX, elements without content need a closing slash: `<{name} />`",
            "JSX 里没有内容的元素要自闭合：`<{name} />`"
        ));
    }
    if let Kind::Element(name) = &opening.kind
        && is_type_parameter(&refused.text()[opening.span.end..])
    {
        return type_parameter(diagnostic, name);
    }
    let closing = opening.closing();
    if opening.kind == Kind::Template {
        return diagnostic.with_hint(text!("write a backtick where it ends", "请在它结束的地方写反引号"));
    }
    if before.is_empty() {
        return diagnostic.with_hint(text!("write `{closing}` where it ends", "请在它结束的地方写 `{closing}`"));
    }
    let next = quoted(refused, before);
    if next == "`" {
        return diagnostic.with_hint(text!("write `{missing}` before the backtick", "请在反引号之前写 `{missing}`"));
    }
    diagnostic
        .with_related(refused.place(before.clone()), text!("`{missing}` is missing here", "这里缺少 `{missing}`"))
        .with_hint(text!("write `{missing}` before `{next}`", "请在 `{next}` 前面写 `{missing}`"))
}

/// Whether what follows `<T>` are the parameters of a function.
fn is_type_parameter(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    line.starts_with('(') && line.contains("=>")
}

fn type_parameter(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    let message =
        text!("in a file with JSX, `<{name}>` starts an element", "在有 JSX 的文件里，`<{name}>` 是元素的开头");
    Diagnostic { message, ..diagnostic }
        .with_hint(text!("for a type parameter, write `<{name},>`", "如果是类型参数，请写 `<{name},>`"))
}

fn wrong_closing(refused: &Refused, opening: &Opening, closing: &Range<usize>) -> Diagnostic {
    let (found, right) = (quoted(refused, closing), opening.closing());
    let opened = match &opening.kind {
        Kind::Element(name) => format!("<{name}>"),
        _ => quoted(refused, &opening.span).to_owned(),
    };
    Diagnostic::error(text!("`{opened}` is closed by `{found}`", "`{opened}` 却用 `{found}` 闭合"))
        .at(refused.place(closing.clone()))
        .with_related(
            refused.place(opening.span.start..opening.span.end.min(line_end(refused.text(), opening.span.start))),
            opened_here(),
        )
        .with_hint(text!("write `{right}` instead of `{found}`", "请把 `{found}` 改成 `{right}`"))
}

fn missing_slash(refused: &Refused, opening: &Opening) -> Diagnostic {
    let (opened, closing) = (quoted(refused, &opening.span), opening.closing());
    Diagnostic::error(text!(
        "`{opened}` opens another element where a closing tag is expected",
        "这里应该是结束标签，`{opened}` 却又打开了一个元素"
    ))
    .at(refused.place(opening.span.clone()))
    .with_hint(text!("write `{closing}` instead", "请改成 `{closing}`"))
}

fn crossed(refused: &Refused, inner: &Opening, closings: &Range<usize>) -> Diagnostic {
    let (written, right) = (quoted(refused, closings), inner.closing());
    let outer = written.trim_end_matches(&*right).trim_end();
    Diagnostic::error(text!("`{outer}` comes before the inner element is closed", "`{outer}` 写在了内层元素结束之前"))
        .at(refused.place(closings.clone()))
        .with_related(refused.place(inner.span.clone()), opened_here())
        .with_hint(text!("write `{right}{outer}`", "请写 `{right}{outer}`"))
}

fn value_behind_return(refused: &Refused, keyword: &Range<usize>) -> Diagnostic {
    Diagnostic::error(text!("`return` ends at its line break", "`return` 到行末就结束了"))
        .at(refused.place(keyword.clone()))
        .with_hint(text!("write `return (`", "请写 `return (`"))
}

fn surplus(refused: &Refused, closing: &Range<usize>) -> Diagnostic {
    let found = quoted(refused, closing);
    Diagnostic::error(text!("`{found}` closes nothing", "多了一个 `{found}`"))
        .at(refused.place(closing.clone()))
        .with_hint(text!(
            "delete it, or check above for something that is closed too early",
            "请删掉它，或者检查上面有没有提前闭合的地方"
        ))
}

fn adjacent(refused: &Refused, first: &Range<usize>, second: &Range<usize>) -> Diagnostic {
    let end = first.end.min(line_end(refused.text(), first.start));
    Diagnostic::error(text!("adjacent elements need a parent element", "并列的元素外面要有一个父元素"))
        .at(refused.place(second.clone()))
        .with_related(refused.place(first.start..end), text!("the first one", "第一个元素"))
        .with_hint(text!("wrap them in `<>` and `</>`", "请用 `<>` 和 `</>` 把它们包起来"))
}

fn html_comment(refused: &Refused, span: &Range<usize>) -> Diagnostic {
    let comment = quoted(refused, span);
    let inner = comment.trim_start_matches("<!--").trim_end_matches("-->").trim();
    let hint: Text = if inner.is_empty() || inner.contains('\n') || inner.contains("*/") {
        text!("replace `<!--` with `{{/*`, and `-->` with `*/}}`", "请把 `<!--` 改成 `{{/*`，把 `-->` 改成 `*/}}`")
    } else {
        text!("write `{{/* {inner} */}}`", "请写 `{{/* {inner} */}}`")
    };
    Diagnostic::error(text!("HTML comments are not allowed in JSX", "JSX 里不能写 HTML 注释"))
        .at(refused.place(span.clone()))
        .with_hint(hint)
}

fn unclosed_string(refused: &Refused, span: &Range<usize>) -> Diagnostic {
    let quote = &refused.text()[span.start..=span.start];
    let before = refused.text()[..span.start].chars().next_back();
    let diagnostic = Diagnostic::error(text!("this string has no closing `{quote}`", "这个字符串缺少结尾的 `{quote}`"))
        .at(refused.place(span.clone()));
    if before == Some('=') && refused.jsx {
        return diagnostic.with_hint(text!("write `{quote}` where the value ends", "请在属性值结束的地方写 `{quote}`"));
    }
    if before.is_some_and(char::is_alphanumeric) {
        return diagnostic.with_hint(text!(
            "if the quote is part of the text, use the other kind of quotes around it: `\"it's\"`",
            "如果这个引号是文字的一部分，请换用另一种引号包住字符串：`\"it's\"`"
        ));
    }
    diagnostic.with_hint(text!(
        "write `{quote}` where the string ends; use backticks for text of several lines",
        "请在字符串结束的地方写 `{quote}`；多行文字请用反引号"
    ))
}

/// Where the line of a position ends.
fn line_end(text: &str, position: usize) -> usize {
    text[position..].find('\n').map_or(text.len(), |length| position + length)
}
