//! What those need who listen to a page instead of looking at it.

use super::shorten;
use crate::{
    diagnostic::Diagnostic,
    document::{Document, Heading, Image},
    rules::Rule,
    text::text,
};

/// What is wrong with a page for those who listen to it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    /// An image without words.
    Mute(Image),
    /// A heading that is more than one level below the one before it, or below the page.
    Deep { level: u32, text: String },
}

impl Fault {
    /// The rule that is broken.
    pub(super) fn rule(&self) -> Rule {
        match self {
            Self::Mute(_) => Rule::MissingAlt,
            Self::Deep { .. } => Rule::SkippedHeading,
        }
    }

    /// What is wrong with a document.
    pub(super) fn all(document: &Document) -> Vec<Self> {
        let images = document.mute_images.iter().cloned().map(Self::Mute);
        images.chain(deep_headings(&document.headings)).collect()
    }

    /// The complaint.
    pub(super) fn explain(&self) -> Diagnostic {
        match self {
            Self::Mute(image) => mute(image),
            Self::Deep { level, text } => deep(*level, text),
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
            "`<{element} role=\"img\">` has no words for those who do not see it",
            "`<{element} role=\"img\">` 没有文字说明，读屏软件无法读出"
        );
        return Diagnostic::of(Rule::MissingAlt, message).with_hint(text!(
            "add `aria-label=\"…\"`; what only decorates is hidden with `aria-hidden=\"true\"`",
            "请加上 `aria-label=\"…\"`；只起装饰作用的，用 `aria-hidden=\"true\"` 隐藏"
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
        "say what it shows: `alt=\"…\"`; of what only decorates: `alt=\"\"`",
        "请写出图片的内容：`alt=\"…\"`；只起装饰作用的写 `alt=\"\"`"
    ))
}

fn deep(level: u32, heading: &str) -> Diagnostic {
    let (heading, above) = (shorten(heading), level - 1);
    let message = text!(
        "the heading “{heading}” is an `<h{level}>` without an `<h{above}>` before it",
        "标题“{heading}”是 `<h{level}>`，前面却没有 `<h{above}>`"
    );
    Diagnostic::of(Rule::SkippedHeading, message).with_hint(text!(
        "go down one level at a time; how large a heading looks is for its style to say",
        "标题层级要逐级向下；看起来多大由样式决定"
    ))
}
