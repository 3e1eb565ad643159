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
    let closing = opening.closing();
    if opening.kind == Kind::Template {
        return diagnostic.with_hint(text!("write a backtick where it ends", "请在它结束的地方写反引号"));
    }
    if before.is_empty() {
        return diagnostic.with_hint(text!("write `{closing}` where it ends", "请在它结束的地方写 `{closing}`"));
    }
    let next = quoted(refused, before);
    diagnostic
        .with_related(refused.place(before.clone()), text!("`{missing}` is missing here", "这里缺少 `{missing}`"))
        .with_hint(text!("write `{missing}` before `{next}`", "请在 `{next}` 前面写 `{missing}`"))
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
