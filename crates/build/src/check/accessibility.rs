//! What those need who listen to a page instead of looking at it.

use portalgen_base::{diagnostic::Diagnostic, rules::Rule, text::text};
use portalgen_release::html::{Document, Heading, Image};

use super::shorten;

/// What is wrong with a page for those who listen to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// An image without words.
    Mute(Image),
    /// A heading that is more than one level below the one before it, or below the page.
    Deep { level: u32, text: String },
    /// An id that several elements have.
    Repeated(String),
    /// The id of a field that a label is for, and no element has.
    Unlabelled(String),
}

impl Fault {
    /// The rule that is broken.
    pub(super) fn rule(&self) -> Rule {
        match self {
            Self::Mute(_) => Rule::MissingAlt,
            Self::Deep { .. } => Rule::SkippedHeading,
            Self::Repeated(_) => Rule::DuplicateId,
            Self::Unlabelled(_) => Rule::LabelWithoutField,
        }
    }

    /// What is wrong with a document.
    pub(super) fn all(document: &Document) -> Vec<Self> {
        let images = document.mute_images.iter().cloned().map(Self::Mute);
        let repeated = document.repeated_ids.iter().cloned().map(Self::Repeated);
        let unlabelled = document.labelled.difference(&document.ids).cloned().map(Self::Unlabelled);
        images.chain(deep_headings(&document.headings)).chain(repeated).chain(unlabelled).collect()
    }

    /// The complaint.
    pub(super) fn explain(&self) -> Diagnostic {
        match self {
            Self::Mute(image) => mute(image),
            Self::Deep { level, text } => deep(*level, text),
            Self::Repeated(id) => repeated(id),
            Self::Unlabelled(id) => unlabelled(id),
        }
    }
}

/// Headings that leave a level out. A page may begin with its second level: what stands in front of its title, a notice for
/// example, belongs to it too.
fn deep_headings(headings: &[Heading]) -> impl Iterator<Item = Fault> + '_ {
    let before = std::iter::once(1).chain(headings.iter().map(|heading| heading.level));
    let deep = before.zip(headings).filter(|(before, heading)| heading.level > before.saturating_add(1));
    deep.map(|(_, heading)| Fault::Deep { level: heading.level, text: heading.text.clone() })
}

fn mute(image: &Image) -> Diagnostic {
    let element = &image.element;
    if element != "img" && element != "input" {
        let message = text!(
            "`<{element} role=\"img\">` has no text alternative",
            "`<{element} role=\"img\">` 没有文字说明，读屏软件读不出它是什么"
        );
        return Diagnostic::of(Rule::MissingAlt, message).with_hint(text!(
            "add `aria-label=\"…\"`, or `aria-hidden=\"true\"` if it is decorative",
            "请加上 `aria-label=\"…\"`；如果只是装饰，请写 `aria-hidden=\"true\"`"
        ));
    }
    let message = match &image.address {
        Some(address) => {
            // What an image is made of tells nobody which one it is.
            let inlined = address.split_once(',').filter(|_| address.starts_with("data:"));
            let address = inlined.map_or_else(|| shorten(address), |(kind, _)| format!("{kind},…"));
            text!("the image `{address}` has no `alt`", "图片 `{address}` 没有 `alt`")
        }
        None => text!("an image has no `alt`", "有一张图片没有 `alt`"),
    };
    Diagnostic::of(Rule::MissingAlt, message).with_hint(text!(
        "describe what it shows: `alt=\"…\"`; if it is decorative: `alt=\"\"`",
        "请写出图片的内容：`alt=\"…\"`；如果只是装饰，请写 `alt=\"\"`"
    ))
}

fn deep(level: u32, heading: &str) -> Diagnostic {
    let (heading, above) = (shorten(heading), level - 1);
    let message = text!(
        "the heading “{heading}” is an `<h{level}>` without an `<h{above}>` before it",
        "标题“{heading}”用了 `<h{level}>`，前面却没有 `<h{above}>`"
    );
    Diagnostic::of(Rule::SkippedHeading, message).with_hint(text!(
        "go down one level at a time; use CSS to change the size of a heading",
        "标题要逐级使用；字号大小请用 CSS 调整"
    ))
}

fn repeated(id: &str) -> Diagnostic {
    let id = shorten(id);
    let message = text!("several elements have the id `{id}`", "有多个元素的 id 都是 `{id}`");
    Diagnostic::of(Rule::DuplicateId, message).with_hint(text!(
        "links and labels find only the first one: give each element a unique id; in a component that is used more \
        than once, take it from `useId()`",
        "链接和 label 只会找到第一个：请让每个元素的 id 各不相同；会多次使用的组件请用 `useId()`"
    ))
}

fn unlabelled(id: &str) -> Diagnostic {
    let id = shorten(id);
    let message = text!(
        "a label refers to `{id}`, but no element has that id",
        "有一个 label 指向 `{id}`，但没有 id 为 `{id}` 的元素"
    );
    Diagnostic::of(Rule::LabelWithoutField, message).with_hint(text!(
        "give the field that id, or put the field inside the label",
        "请给对应的输入框加上这个 id，或者把输入框放进 label 里"
    ))
}
