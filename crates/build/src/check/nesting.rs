//! Elements that stand in others which cannot hold them: browsers take such HTML for another tree than React meant.

use portalgen_base::{
    diagnostic::Diagnostic,
    rules::Rule,
    store::Key,
    text::{Text, text},
};
use portalgen_release::html::{Effect, Misplaced, Part, nesting};

use super::{Subject, pages::Page, shorten};
use crate::head_elements;

/// What browsers put elsewhere in a page than React meant it.
pub(super) fn faults(subject: &Subject<'_>, page: &Page<'_>) -> Vec<Misplaced> {
    look(subject, page).unwrap_or_default()
}

fn look(subject: &Subject<'_>, page: &Page<'_>) -> Option<Vec<Misplaced>> {
    let rendered = subject.rendered.get(page.rendered_as)?;
    let document = &subject.output.get(&page.file)?.content;
    // Most pages are in order, and reading one as browsers do takes longer than to look that up.
    let key = Key::of(&[b"in order", &document.hash().to_le_bytes(), &rendered.hash().to_le_bytes()]);
    if subject.readings.get(key).is_some() {
        return None;
    }
    let (rendered, document) = (rendered.text(), document.text());
    let (_, html) = head_elements::split(&rendered);
    // What is behind it may name a text of it, and what is before it is of any template.
    let before = &document[..document.rfind(html)?];
    let found = nesting(before, html);
    if found.misplaced.is_empty() && !found.is_unbalanced {
        subject.readings.put(key, []);
        return None;
    }
    // HTML that was given as text may be anything, and cannot be told from the rest yet.
    let marked = subject.look.marked(page.rendered_as);
    let found = marked.map_or(found, |marked| nesting(before, head_elements::split(&marked).1));
    Some(found.misplaced.into_iter().collect())
}

/// The complaint.
pub(super) fn explain(fault: &Misplaced) -> Diagnostic {
    let within = &fault.within;
    let message = match (&fault.what, &fault.effect) {
        (_, Effect::EndedByGiven) => text!(
            "the HTML in `dangerouslySetInnerHTML` closes the `<{within}>` around it",
            "`dangerouslySetInnerHTML` 里的 HTML 提前关闭了外面的 `<{within}>`"
        ),
        (_, Effect::SwallowedByGiven) => text!(
            "the HTML in the `dangerouslySetInnerHTML` of a `<{within}>` is not closed",
            "`<{within}>` 的 `dangerouslySetInnerHTML` 里有没有闭合的 HTML"
        ),
        (Part::Text(text), _) => {
            let text = shorten(text);
            text!("text cannot be a child of `<{within}>`: “{text}”", "`<{within}>` 里不能直接写文字：“{text}”")
        }
        (Part::Element { name, .. }, effect) if is_about_children(effect, name == within) => {
            text!("`<{name}>` cannot be a child of `<{within}>`", "`<{within}>` 里不能直接写 `<{name}>`")
        }
        (Part::Element { name, .. }, _) => {
            text!("`<{name}>` cannot be inside `<{within}>`", "`<{within}>` 里面不能有 `<{name}>`")
        }
    };
    Diagnostic::of(Rule::InvalidNesting, message).with_hint(effect(fault)).with_hints(remedy(fault))
}

/// Whether an element could not be a child of the one around it, rather than be anywhere inside.
fn is_about_children(effect: &Effect, is_in_its_like: bool) -> bool {
    match effect {
        Effect::Wrapped(_) | Effect::MovedOut | Effect::KeptApart => true,
        Effect::LeftOut => !is_in_its_like,
        Effect::Ended | Effect::EndedByGiven | Effect::SwallowedByGiven => false,
    }
}

/// What comes of it.
fn effect(fault: &Misplaced) -> Text {
    let within = &fault.within;
    let what = match &fault.what {
        Part::Element { name, .. } => {
            text!("`<{name}>`", "`<{name}>`")
        }
        Part::Text(_) => text!("the text", "这段文字"),
    };
    let does = match &fault.effect {
        Effect::Ended => {
            text!("browsers close the `<{within}>` before {what}", "浏览器会在{what}之前关闭 `<{within}>`", what)
        }
        Effect::MovedOut => {
            text!("browsers move {what} out of the table", "浏览器会把{what}移到表格外面", what)
        }
        Effect::LeftOut => text!("browsers drop {what}", "浏览器会丢掉{what}", what),
        Effect::KeptApart => {
            text!("browsers keep {what} outside the page", "浏览器会把{what}放到页面之外", what)
        }
        Effect::Wrapped(around) => {
            text!("browsers put a `<{around}>` around {what}", "浏览器会在{what}外面加上 `<{around}>`", what)
        }
        Effect::EndedByGiven => text!("the rest ends up outside it", "后面的内容会跑到它的外面"),
        Effect::SwallowedByGiven => {
            text!("browsers treat the rest of the page as part of it", "浏览器会把页面后面的内容都当作它的一部分")
        }
    };
    text!(
        "{does}, so the page differs from what React rendered and hydration fails (validateDOMNesting)",
        "{does}，页面与 React 渲染的结果不一致，水合（hydration）会失败（validateDOMNesting）",
        does
    )
}

/// What to write instead, where that can be known.
fn remedy(fault: &Misplaced) -> Option<Text> {
    let within = fault.within.as_str();
    let name = match &fault.what {
        Part::Element { name, .. } => name.as_str(),
        Part::Text(_) => "",
    };
    Some(match (&fault.effect, within, name) {
        (Effect::EndedByGiven, ..) => text!(
            "check that every end tag in that HTML has a start tag",
            "请检查这段 HTML：每个结束标签都要有对应的开始标签"
        ),
        (Effect::SwallowedByGiven, ..) => text!(
            "close the comment or the element, such as `<textarea>` or `<script>`, in that HTML",
            "请在这段 HTML 里关闭注释，或者关闭 `<textarea>`、`<script>` 之类的元素"
        ),
        (Effect::KeptApart, ..) => text!(
            "set the content of a template with `dangerouslySetInnerHTML`",
            "`<template>` 的内容请用 `dangerouslySetInnerHTML` 写入"
        ),
        (Effect::Wrapped(around), "table", _) => {
            text!("write the `<{around}>` yourself", "请自己写上 `<{around}>`")
        }
        (Effect::MovedOut, ..) => text!(
            "put it into a `<td>`, a `<th>` or the `<caption>`, or outside the table",
            "请放进 `<td>`、`<th>` 或 `<caption>`，或者放到表格外面"
        ),
        (_, "a", "a") => {
            text!("links cannot be nested: place them side by side", "链接不能嵌套：请把它们并排放")
        }
        (_, "button", "button") => {
            text!("buttons cannot be nested: place them side by side", "按钮不能嵌套：请把它们并排放")
        }
        (_, "form", "form") => text!(
            "forms cannot be nested: place them side by side, or link fields to their form with `form=\"…\"`",
            "表单不能嵌套：请把它们并排放，或者在控件上用 `form=\"…\"` 指明所属的表单"
        ),
        (Effect::Ended, "p", _) => text!(
            "a `<p>` can contain only text and inline elements: write `<div>` outside, or `<span>` inside",
            "`<p>` 里只能有文字和行内元素：请把外面改成 `<div>`，或者把里面改成 `<span>`"
        ),
        (Effect::LeftOut, _, "td" | "th") => text!("it belongs in a `<tr>`", "它要写在 `<tr>` 里"),
        (Effect::LeftOut, _, "tr") => text!("it belongs in a `<tbody>`", "它要写在 `<tbody>` 里"),
        (Effect::LeftOut, _, "tbody" | "thead" | "tfoot" | "caption" | "colgroup") => {
            text!("it belongs in a `<table>`", "它要写在 `<table>` 里")
        }
        (Effect::LeftOut, _, "html" | "head" | "body") => {
            text!("the template already has it: render only its content", "模板里已经有它：组件只需要渲染它里面的内容")
        }
        _ => return None,
    })
}
