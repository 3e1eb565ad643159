//! A finished HTML document, reduced to what rules, content security policies and live checks look at.
//!
//! The document is read as a browser without scripts reads it: what `<noscript>` holds is there, what `<template>` holds is
//! not. `html5gum` takes it apart into tags and texts, by the standard's rules; which elements are open, and which of them
//! are SVG or `MathML`, is kept here. Elements whose end tags are left out last until one around them ends. html5gum's types
//! stay in here.

pub mod nesting;
mod shown;
mod stack;

use std::{borrow::Cow, collections::BTreeSet, convert::Infallible};

use html5gum::{
    Emitter, ForwardingEmitter, Span, State, Tokenizer,
    emitters::callback::{Callback, CallbackEmitter, CallbackEvent},
};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

pub use nesting::{Effect, Misplaced, Part, nesting};
pub use shown::shown;

/// What a document has.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What its addresses are relative to, if not to its own address.
    pub base: Option<String>,
    /// Addresses that it links or embeds, each once, as they stand there.
    pub references: BTreeSet<Reference>,
    /// What links to a part of it can name.
    pub ids: BTreeSet<String>,
    /// Ids that several elements of HTML have.
    pub repeated_ids: BTreeSet<String>,
    /// Ids of the fields that labels are for.
    pub labelled: BTreeSet<String>,
    /// Headings that are not hidden from those who listen, in order.
    pub headings: Vec<Heading>,
    /// Images that have something to say and no words for it.
    pub mute_images: BTreeSet<Image>,
    /// The text of its first title.
    pub(crate) title: Option<String>,
    /// The URL that search engines shall know it by.
    pub(crate) canonical: Option<String>,
    /// What runs or styles without being fetched.
    pub(crate) inline: Inline,
}

/// What a document brings along itself, and a content security policy has to allow by its text.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Inline {
    /// Texts of scripts that run, and of import maps.
    pub(crate) scripts: BTreeSet<String>,
    /// Texts of style sheets.
    pub(crate) styles: BTreeSet<String>,
    /// Whether an element has a `style`.
    pub(crate) has_style_attributes: bool,
    /// Whether an element has an `onclick` or its like.
    pub(crate) has_handlers: bool,
}

/// An address that a document mentions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// As the document writes it, character references read.
    pub address: String,
    /// What it is for.
    pub destination: Destination,
}

impl Reference {
    /// Whether visitors follow it. What is not a link is fetched to be shown or run.
    pub fn is_link(&self) -> bool {
        self.destination == Destination::Link
    }
}

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Destination {
    /// To be followed by visitors.
    Link,
    /// A script, or a module that is loaded ahead.
    Script,
    /// A style sheet.
    Style,
    /// An image or an icon.
    Image,
    /// Audio, video or subtitles.
    Media,
    /// A font.
    Font,
    /// A document in a frame.
    Frame,
    /// `<object>` or `<embed>`.
    Object,
    /// A web app manifest.
    Manifest,
    /// Where forms are sent.
    Form,
    /// Nothing that a browser fetches by itself.
    Mention,
}

/// A heading.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// 1 for `<h1>`.
    pub level: u32,
    /// Its text, with single spaces.
    pub text: String,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Image {
    /// The name of its element.
    pub element: String,
    /// Where it comes from, if from elsewhere.
    pub address: Option<String>,
}

impl Document {
    /// Reads a document.
    pub fn read(html: &str) -> Self {
        stack::with_stack_for(html, || Self::read_here(html))
    }

    fn read_here(html: &str) -> Self {
        let mut reader = Reader::default();
        let Ok(()) = Tokenizer::new_with_emitter(html, Parser(CallbackEmitter::new(&mut reader))).finish();
        reader.finish()
    }
}

/// Whether a document with these ids has something that a link with this fragment leads to: an id as it stands there or decoded,
/// or the top.
pub fn has_part(ids: &BTreeSet<String>, fragment: &str) -> bool {
    let decoded = percent_decode_str(fragment).decode_utf8_lossy();
    fragment.is_empty() || ids.contains(fragment) || ids.contains(&*decoded) || decoded.eq_ignore_ascii_case("top")
}

/// Whether an element of HTML cannot hold anything.
fn is_void(name: &str) -> bool {
    const VOID: [&str; 15] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source",
        "track", "wbr",
    ];
    VOID.contains(&name)
}

/// What `role="heading"` means without a level.
const UNLEVELLED: u32 = 2;

/// How many elements may stand in each other; browsers leave out deeper ones too.
const DEEPEST: usize = 512;

/// The tokenizer's output, with the part that a tree of elements has in what comes next.
struct Parser<'r>(CallbackEmitter<&'r mut Reader>);

impl ForwardingEmitter for Parser<'_> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.0
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        // It would only guess.
        let _ = self.0.emit_current_tag();
        self.0.callback_mut().content.take()
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.0.callback_mut().open.last().is_some_and(|element| element.is_foreign)
    }

    fn should_emit_errors(&mut self) -> bool {
        false
    }
}

/// An element that has begun.
struct Open {
    name: String,
    /// Whether it is SVG or `MathML`.
    is_foreign: bool,
    /// Whether what it holds is.
    holds_foreign: bool,
    /// Whether it is kept from those who listen.
    is_hidden: bool,
    /// The place of the heading that it is a part of.
    heading: Option<usize>,
    /// The place of the image that a `<title>` in it would give a name.
    image: Option<usize>,
}

/// A start tag.
#[derive(Default)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

#[derive(Default)]
struct Reader {
    document: Document,
    /// The elements around what comes next, outermost first.
    open: Vec<Open>,
    /// How many of them are templates.
    templates: usize,
    tag: Tag,
    /// How the tokenizer has to read what the element holds that has just begun.
    content: Option<State>,
    /// Whether the script that has just begun is run.
    runs: bool,
    /// The text of the script or style sheet so far.
    inline: String,
    /// Images without words, unless a `<title>` inside follows.
    images: Vec<Option<Image>>,
}

impl Callback<Infallible, ()> for &mut Reader {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => self.tag = Tag { name: text(name), attributes: Vec::new() },
            CallbackEvent::AttributeName { name } => self.tag.attributes.push((text(name), String::new())),
            CallbackEvent::AttributeValue { value } => {
                if let Some((_, last)) = self.tag.attributes.last_mut() {
                    *last = text(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => self.begin(self_closing),
            CallbackEvent::EndTag { name } => self.end(&String::from_utf8_lossy(name)),
            CallbackEvent::String { value } => self.say(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Tag {
    /// The value of an attribute; empty where it has none. Of two with one name the first counts.
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.get(name).is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    }

    /// The level, if this is a heading.
    fn heading(&self) -> Option<u32> {
        let own = self.name.strip_prefix('h').filter(|level| level.len() == 1).and_then(|level| level.parse().ok());
        let own = own.filter(|level| (1..=6).contains(level));
        match self.get("role").map(str::trim).filter(|role| !role.is_empty()) {
            None => own,
            Some("heading") => {
                self.get("aria-level").and_then(|level| level.trim().parse().ok()).or(own).or(Some(UNLEVELLED))
            }
            Some(_) => None,
        }
    }

    /// Whether words for it stand in an attribute that every element may have.
    fn has_name(&self) -> bool {
        let names = ["aria-label", "aria-labelledby", "title"];
        names.iter().any(|name| self.get(name).is_some_and(|value| !value.trim().is_empty()))
    }

    /// Whether it is an image, and nothing in the tag says what it shows or that it only decorates.
    fn is_mute_image(&self) -> bool {
        let is_image_by_role = self.is("role", "img");
        let is_image = self.name == "img" || is_image_by_role || self.name == "input" && self.is("type", "image");
        let is_decoration = self.is("role", "presentation") || self.is("role", "none");
        // An empty one says that there is nothing to say; an image by its role has none.
        let has_alt = self.get("alt").is_some() && (self.name == "img" || self.name == "input");
        is_image && !is_decoration && !has_alt && !self.has_name()
    }

    /// How a parser reads what an HTML element with that name holds, when it is not elements.
    fn content(&self) -> Option<State> {
        match self.name.as_str() {
            "title" | "textarea" => Some(State::RcData),
            "style" | "xmp" | "iframe" | "noembed" | "noframes" => Some(State::RawText),
            "script" => Some(State::ScriptData),
            "plaintext" => Some(State::PlainText),
            _ => None,
        }
    }

    /// What a `<link>` leads to.
    fn link_destination(&self) -> Destination {
        let is = |rel: &str| {
            self.get("rel").is_some_and(|rels| rels.split_whitespace().any(|other| other.eq_ignore_ascii_case(rel)))
        };
        if is("stylesheet") {
            Destination::Style
        } else if is("modulepreload") {
            Destination::Script
        } else if is("icon") || is("apple-touch-icon") || is("mask-icon") {
            Destination::Image
        } else if is("manifest") {
            Destination::Manifest
        } else if is("preload") {
            match self.get("as").unwrap_or_default().to_ascii_lowercase().as_str() {
                "script" => Destination::Script,
                "style" => Destination::Style,
                "image" => Destination::Image,
                "font" => Destination::Font,
                "audio" | "video" | "track" => Destination::Media,
                _ => Destination::Mention,
            }
        } else {
            Destination::Mention
        }
    }

    /// Whether a browser runs what stands in this `<script>`, or lets it decide what runs.
    fn runs(&self) -> bool {
        let kind = self.get("type").unwrap_or_default().trim().to_ascii_lowercase();
        let is_javascript = kind.is_empty() || kind.ends_with("javascript") || kind.ends_with("ecmascript");
        self.get("src").is_none()
            && (is_javascript || matches!(kind.as_str(), "module" | "importmap" | "speculationrules"))
    }

    /// The addresses in the tag, and what they are for.
    fn references(&self, is_foreign: bool) -> Vec<Reference> {
        use Destination::{Form, Frame, Image, Link, Media, Object, Script};
        let to = |name, destination| self.get(name).map(|address| (Cow::Borrowed(address), destination));
        let candidates = |name| {
            let images = self.get(name).map(image_candidates).unwrap_or_default();
            images.into_iter().map(|address| (Cow::Borrowed(address), Image))
        };
        let mut found: Vec<(Cow<'_, str>, Destination)> = Vec::new();
        match self.name.as_str() {
            "a" => found.extend(to("href", Link).or_else(|| to("xlink:href", Link).filter(|_| is_foreign))),
            "area" => found.extend(to("href", Link)),
            "script" if is_foreign => found.extend(to("href", Script).or_else(|| to("xlink:href", Script))),
            _ if is_foreign => found.extend(to("href", Image).or_else(|| to("xlink:href", Image))),
            "link" => found.extend(to("href", self.link_destination()).into_iter().chain(candidates("imagesrcset"))),
            "img" => found.extend(to("src", Image).into_iter().chain(candidates("srcset"))),
            "source" => found.extend(to("src", Media).into_iter().chain(candidates("srcset"))),
            "script" => found.extend(to("src", Script)),
            "iframe" => found.extend(to("src", Frame)),
            "embed" => found.extend(to("src", Object)),
            "audio" | "track" => found.extend(to("src", Media)),
            "input" => found.extend(to("src", Image).filter(|_| self.is("type", "image"))),
            "video" => found.extend([to("src", Media), to("poster", Image)].into_iter().flatten()),
            "object" => found.extend(to("data", Object)),
            "form" => found.extend(to("action", Form)),
            "button" => found.extend(to("formaction", Form)),
            _ => {}
        }
        // An empty address is the document itself to links, and nothing to the rest.
        let found = found.into_iter().filter(|(address, kind)| *kind == Link || !address.trim().is_empty());
        found.map(|(address, destination)| Reference { address: address.into_owned(), destination }).collect()
    }
}

impl Reader {
    fn begin(&mut self, is_self_closing: bool) {
        let tag = std::mem::take(&mut self.tag);
        let around = self.open.last();
        let is_foreign = tag.name == "svg" || tag.name == "math" || around.is_some_and(|open| open.holds_foreign);
        let is_hidden = around.is_some_and(|open| open.is_hidden) || tag.is("aria-hidden", "true");
        let mut open = Open {
            is_foreign,
            holds_foreign: is_foreign && !holds_html(&tag.name),
            is_hidden,
            heading: around.and_then(|open| open.heading),
            image: None,
            name: String::new(),
        };
        if self.templates == 0 {
            self.note(&tag, &mut open);
        }
        let is_empty = if is_foreign { is_self_closing } else { is_void(&tag.name) };
        if is_empty || self.open.len() == DEEPEST {
            return;
        }
        self.content = tag.content().filter(|_| !is_foreign);
        self.runs = tag.name == "script" && tag.runs();
        self.inline.clear();
        self.templates += usize::from(tag.name == "template");
        open.name = tag.name;
        self.open.push(open);
    }

    fn note(&mut self, tag: &Tag, open: &mut Open) {
        // Whoever has scripts has nothing of it.
        let is_without_scripts = self.open.iter().any(|open| open.name == "noscript");
        let document = &mut self.document;
        if let Some(id) =
            tag.get("id").filter(|id| !open.is_foreign && !is_without_scripts && document.ids.contains(*id))
        {
            document.repeated_ids.insert(id.to_owned());
        }
        document.labelled.extend(tag.get("for").filter(|_| tag.name == "label").map(ToOwned::to_owned));
        let name = tag.get("name").filter(|_| tag.name == "a");
        document.ids.extend(tag.get("id").into_iter().chain(name).filter(|id| !id.is_empty()).map(ToOwned::to_owned));
        document.references.extend(tag.references(open.is_foreign));
        if tag.name == "base" && document.base.is_none() {
            document.base = tag.get("href").map(ToOwned::to_owned);
        }
        if tag.name == "link" && tag.is("rel", "canonical") && document.canonical.is_none() {
            document.canonical = tag.get("href").map(ToOwned::to_owned);
        }
        document.inline.has_style_attributes |= tag.get("style").is_some();
        document.inline.has_handlers |= tag.attributes.iter().any(|(name, _)| name.starts_with("on"));
        if open.is_hidden {
            return;
        }
        if let Some(level) = tag.heading() {
            open.heading = Some(document.headings.len());
            document.headings.push(Heading { level, text: String::new() });
        }
        if tag.is_mute_image() {
            open.image = Some(self.images.len()).filter(|_| open.is_foreign);
            let address = tag.get("src").map(ToOwned::to_owned);
            self.images.push(Some(Image { element: tag.name.clone(), address }));
        }
        if let (Some(heading), Some(alt)) = (open.heading, tag.get("alt").filter(|_| tag.name == "img")) {
            document.headings[heading].text.push_str(alt);
        }
    }

    fn end(&mut self, name: &str) {
        let Some(at) = self.open.iter().rposition(|open| open.name == name) else { return };
        let inline = std::mem::take(&mut self.inline);
        match name {
            _ if self.templates > 0 || inline.is_empty() => {}
            "script" if self.runs => _ = self.document.inline.scripts.insert(inline),
            "style" => _ = self.document.inline.styles.insert(inline),
            _ => {}
        }
        let ended = self.open.drain(at..).filter(|open| open.name == "template").count();
        self.templates -= ended;
    }

    fn say(&mut self, words: &str) {
        let Some((within, around)) = self.open.split_last() else { return };
        if matches!(within.name.as_str(), "script" | "style") {
            self.inline.push_str(words);
            return;
        }
        if self.templates > 0 {
            return;
        }
        if within.name == "title" && !within.is_foreign {
            self.document.title.get_or_insert_default().push_str(words);
        }
        if let Some(heading) = within.heading {
            self.document.headings[heading].text.push_str(words);
        }
        let is_name = within.name == "title" && !words.trim().is_empty();
        if let Some(image) = around.last().and_then(|around| around.image).filter(|_| is_name) {
            self.images[image] = None;
        }
    }

    fn finish(mut self) -> Document {
        for heading in &mut self.document.headings {
            heading.text = heading.text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self.document.mute_images = self.images.into_iter().flatten().collect();
        self.document
    }
}

/// Whether an element of SVG or `MathML` holds HTML.
fn holds_html(name: &str) -> bool {
    matches!(name, "foreignobject" | "desc" | "title" | "mi" | "mo" | "mn" | "ms" | "mtext" | "annotation-xml")
}

/// The addresses in a `srcset`. They may have commas in them, though none at their end.
fn image_candidates(srcset: &str) -> Vec<&str> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let mut found = Vec::new();
    let mut rest = srcset.trim_start_matches(|c| is_space(c) || c == ',');
    while !rest.is_empty() {
        let end = rest.find(is_space).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let address = word.trim_end_matches(',');
        found.push(address);
        let after = if address.len() < word.len() { after } else { &after[descriptors(after)..] };
        rest = after.trim_start_matches(|c| is_space(c) || c == ',');
    }
    found
}

/// The length of the descriptors that `text` begins with: `1x`, `400w`, and what may come, with commas in brackets.
fn descriptors(text: &str) -> usize {
    let mut depth = 0_usize;
    let end = text.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(html: &str) -> Vec<String> {
        let found = Document::read(html).references.into_iter().filter(Reference::is_link);
        found.map(|reference| reference.address).collect()
    }

    fn embedded(html: &str) -> Vec<String> {
        let found = Document::read(html)
            .references
            .into_iter()
            .filter(|reference| !reference.is_link() && reference.destination != Destination::Form);
        found.map(|reference| reference.address).collect()
    }

    fn ids(html: &str) -> Vec<String> {
        Document::read(html).ids.into_iter().collect()
    }

    /// `1 Title` for each heading.
    fn headings(html: &str) -> Vec<String> {
        let found = Document::read(html).headings.into_iter();
        found.map(|heading| format!("{} {}", heading.level, heading.text)).collect()
    }

    /// The elements of images without words.
    fn mute(html: &str) -> Vec<String> {
        Document::read(html).mute_images.into_iter().map(|image| image.element).collect()
    }

    #[test]
    fn addresses_that_are_followed() {
        for (html, expected) in [
            ("<a href=/a>x</a><A HREF='/b'>y</A>", vec!["/a", "/b"]),
            (r#"<a href="/a?x=1&amp;y=2&#x23;z">x</a>"#, vec!["/a?x=1&y=2#z"]),
            (r#"<a href="">here</a>"#, vec![""]),
            ("<a>no link</a><a name=x>nor this</a>", vec![]),
            (r#"<map><area href="/a"></map>"#, vec!["/a"]),
            (r#"<a href="/first" href="/second">x</a>"#, vec!["/first"]),
            (r#"<svg><a href="/a"></a><a xlink:href="/b"></a></svg><a xlink:href="/c"></a>"#, vec!["/a", "/b"]),
            (r#"<!-- <a href="/no"> --><a href="/关于">x</a>"#, vec!["/关于"]),
            (r#"<script>"<a href='/no'>"</script><style><a href="/no"></style><a href="/a">"#, vec!["/a"]),
            (r#"<textarea><a href="/no"></textarea><title><a href="/no"></title>"#, vec![]),
            // Without scripts, which is when it counts, this is an element like any other.
            (r#"<noscript><a href="/a">x</a></noscript>"#, vec!["/a"]),
            (r#"<template><a href="/no"></template><a href="/a">"#, vec!["/a"]),
            (r#"<template><template></template><a href="/no"></template><a href="/a">"#, vec!["/a"]),
            // In SVG these hold elements, and end with their slash.
            (r#"<svg><style/><title/></svg><a href="/a">"#, vec!["/a"]),
            (r#"<svg><script>1<a href="/a"></a></script></svg>"#, vec!["/a"]),
            (r#"<svg><![CDATA[<a href="/no">]]></svg><a href="/a">"#, vec!["/a"]),
            (r#"<svg><foreignObject><style><a href="/no"></style></foreignObject></svg><a href="/a">"#, vec!["/a"]),
            // And in HTML they do not.
            (r#"<script/><a href="/no"></script><a href="/a">"#, vec!["/a"]),
            (r#"<iframe src="/x"><a href="/no"></iframe>"#, vec![]),
        ] {
            assert_eq!(links(html), expected, "{html}");
        }
    }

    #[test]
    fn addresses_that_are_fetched() {
        for (html, expected) in [
            (r#"<img src="/a.png"><img src="">"#, vec!["/a.png"]),
            (r#"<link rel="stylesheet" href="/a.css"><script src="/a.js"></script>"#, vec!["/a.css", "/a.js"]),
            (r#"<video src="/a.mp4" poster="/a.jpg"><source src="/b.webm"><track src="/a.vtt"></video>"#, {
                vec!["/a.jpg", "/a.mp4", "/a.vtt", "/b.webm"]
            }),
            (r#"<audio src="/a.mp3"></audio><iframe src="/f/"></iframe>"#, vec!["/a.mp3", "/f/"]),
            (r#"<object data="/a.pdf"></object><embed src="/b.pdf">"#, vec!["/a.pdf", "/b.pdf"]),
            (r#"<input type=IMAGE src="/a.png"><input src="/no">"#, vec!["/a.png"]),
            (r#"<svg><use href="/a.svg#x"/><image xlink:href="/a.png"/></svg>"#, vec!["/a.png", "/a.svg#x"]),
            (r#"<picture><source srcset="/a.avif, /b.avif 2x"><img src="/a.png"></picture>"#, {
                vec!["/a.avif", "/a.png", "/b.avif"]
            }),
            (r#"<link rel=preload as=image imagesrcset="/a.png 1x, /b.png 2x">"#, vec!["/a.png", "/b.png"]),
            (r#"<form action="/send"></form><blockquote cite="/x"></blockquote>"#, vec![]),
        ] {
            assert_eq!(embedded(html), expected, "{html}");
        }
    }

    #[test]
    fn what_addresses_are_for() {
        use Destination::{Font, Form, Frame, Image, Manifest, Media, Mention, Object, Script, Style};
        for (html, expected) in [
            ("<script src=/a></script>", Script),
            ("<link rel=modulepreload href=/a>", Script),
            ("<link rel='preload stylesheet' href=/a>", Style),
            ("<link rel=preload as=font href=/a>", Font),
            ("<link rel=preload as=fetch href=/a>", Mention),
            ("<link rel='shortcut ICON' href=/a>", Image),
            ("<link rel=manifest href=/a>", Manifest),
            ("<link rel=canonical href=/a>", Mention),
            ("<svg><image href=/a /></svg>", Image),
            ("<svg><script href=/a></script></svg>", Script),
            ("<video poster=/a></video>", Image),
            ("<track src=/a>", Media),
            ("<iframe src=/a></iframe>", Frame),
            ("<embed src=/a>", Object),
            ("<form action=/a></form>", Form),
            ("<button formaction=/a></button>", Form),
        ] {
            let found: Vec<_> = Document::read(html).references.into_iter().map(|found| found.destination).collect();
            assert_eq!(found, [expected], "{html}");
        }
    }

    #[test]
    fn what_stands_in_the_document_itself() {
        let inline = |html| Document::read(html).inline;
        for html in [
            "<script>a</script>",
            "<script type=module>a</script>",
            "<script type='text/JavaScript'>a</script>",
            "<script type=importmap>a</script>",
        ] {
            assert_eq!(inline(html).scripts, BTreeSet::from(["a".to_owned()]), "{html}");
        }
        for html in [
            "<script type=application/json>a</script>",
            "<script type=application/ld+json>a</script>",
            "<script src=/a.js>a</script>",
            "<script></script>",
            "<template><script>a</script></template>",
            "a",
        ] {
            assert_eq!(inline(html), Inline::default(), "{html}");
        }
        let found = inline("<style>a</style><p>x</p><style> b\n</style><script>'<p style=x onclick=y>'</script>");
        assert_eq!(found.styles, BTreeSet::from(["a".to_owned(), " b\n".to_owned()]));
        assert_eq!((found.has_style_attributes, found.has_handlers), (false, false));
        let found = inline("<p STYLE='a'></p><p onClick=b></p>");
        assert_eq!((found.has_style_attributes, found.has_handlers), (true, true));
    }

    #[test]
    fn what_it_is_called() {
        let document = Document::read(
            "<title>A &amp; B</title><svg><title>no</title></svg><link rel=canonical href=/a/><link rel=canonical href=/no>",
        );
        assert_eq!((document.title.as_deref(), document.canonical.as_deref()), (Some("A & B"), Some("/a/")));
    }

    #[test]
    fn candidates_of_srcset() {
        for (srcset, expected) in [
            ("", vec![]),
            (" , ", vec![]),
            ("/a.png", vec!["/a.png"]),
            ("/a.png 1x, /b.png 2x", vec!["/a.png", "/b.png"]),
            ("/a.png 400w,/b.png 800w", vec!["/a.png", "/b.png"]),
            ("/a.png, /b.png", vec!["/a.png", "/b.png"]),
            ("/a,b.png 1x, /c,d.png", vec!["/a,b.png", "/c,d.png"]),
            ("/a.png,/b.png", vec!["/a.png,/b.png"]),
            ("data:image/png;base64,AA== 1x, /b.png 2x", vec!["data:image/png;base64,AA==", "/b.png"]),
            ("/a.png foo(1, 2) 2x, /b.png", vec!["/a.png", "/b.png"]),
            ("/a.png 1x,, \n\t/b.png\n2x ,", vec!["/a.png", "/b.png"]),
            ("/关于.png 1x, /关,于.png 2x", vec!["/关于.png", "/关,于.png"]),
        ] {
            assert_eq!(image_candidates(srcset), expected, "{srcset}");
        }
    }

    #[test]
    fn parts_that_links_can_name() {
        for (html, expected) in [
            (r#"<h2 id="团队">x</h2><p id="a b"></p><p id=""></p>"#, vec!["a b", "团队"]),
            (r#"<a name="old">x</a><input name="no">"#, vec!["old"]),
            (r#"<svg><g id="shape"/></svg>"#, vec!["shape"]),
            (r#"<template id="t"><p id="no"></p></template>"#, vec!["t"]),
            (r#"<p id="a&amp;b"></p>"#, vec!["a&b"]),
        ] {
            assert_eq!(ids(html), expected, "{html}");
        }
    }

    #[test]
    fn fragments_lead_to_parts() {
        let document = Document::read(r#"<p id="团队"></p><p id="a b"></p><p id="50%25"></p><a name="Old"></a>"#);
        for fragment in ["", "top", "TOP", "团队", "%E5%9B%A2%E9%98%9F", "a%20b", "50%25", "50%2525", "Old"] {
            assert!(has_part(&document.ids, fragment), "{fragment}");
        }
        for fragment in ["old", "%E5%9B%A2", "50%", "a", "%zz", "tops"] {
            assert!(!has_part(&document.ids, fragment), "{fragment}");
        }
    }

    #[test]
    fn headings_as_they_are_heard() {
        for (html, expected) in [
            ("<h1>A <b>big</b> <i>one</i></h1><h2>\n B\n</h2>", vec!["1 A big one", "2 B"]),
            (r#"<h1><img src="/logo.svg" alt="Lanyu"></h1>"#, vec!["1 Lanyu"]),
            (r#"<h1 aria-hidden="true">no</h1><div aria-hidden=true><h2>no</h2></div><h3>C</h3>"#, vec!["3 C"]),
            (r#"<h2 role="presentation">no</h2><p role="heading" aria-level="4">D</p>"#, vec!["4 D"]),
            (r#"<p role="heading">E</p><h3 role="heading">F</h3>"#, vec!["2 E", "3 F"]),
            (r#"<p role="heading" aria-level="4294967295">H</p>"#, vec!["4294967295 H"]),
            ("<header>x</header><hr><h7>no</h7><h1>G", vec!["1 G"]),
            ("<template><h1>no</h1></template><h1>a<script>b</script>c</h1>", vec!["1 ac"]),
        ] {
            assert_eq!(headings(html), expected, "{html}");
        }
    }

    #[test]
    fn images_without_words() {
        for html in [
            r#"<img src="/a.png" alt="A">"#,
            r#"<img src="/a.png" alt="">"#,
            r#"<img src="/a.png" alt>"#,
            r#"<img src="/a.png" role="presentation">"#,
            r#"<img src="/a.png" role=none>"#,
            r#"<img src="/a.png" aria-hidden="true">"#,
            r#"<div aria-hidden="true"><p><img src="/a.png"></p></div>"#,
            r#"<img src="/a.png" aria-label="A">"#,
            r#"<img src="/a.png" title="A">"#,
            "<svg><path/></svg>",
            r#"<svg role="img" aria-label="A"></svg>"#,
            r#"<svg role="img"><title>A</title></svg>"#,
            r#"<svg role="img" aria-hidden="true"></svg>"#,
            r#"<span role="img" aria-label="celebration">🎉</span>"#,
            r#"<template><img src="/a.png"></template>"#,
            r#"<input type="image" src="/a.png" alt="Send">"#,
            r#"<input src="/a.png">"#,
        ] {
            assert_eq!(mute(html), [""; 0], "{html}");
        }
        for (html, element) in [
            (r#"<img src="/a.png">"#, "img"),
            (r#"<div aria-hidden="false"><img src="/a.png"></div>"#, "img"),
            (r#"<div aria-hidden="true"></div><img src="/a.png">"#, "img"),
            (r#"<img src="/a.png" aria-label=" ">"#, "img"),
            (r#"<svg role="img"><path/></svg>"#, "svg"),
            (r#"<svg role="img"><title> </title></svg>"#, "svg"),
            (r#"<svg role="img"><g><title>a part of it</title></g></svg>"#, "svg"),
            (r#"<span role="img">🎉</span>"#, "span"),
            (r#"<input type="image" src="/a.png">"#, "input"),
            (r#"<noscript><img src="/a.png"></noscript>"#, "img"),
        ] {
            assert_eq!(mute(html), [element], "{html}");
        }
    }

    #[test]
    fn the_first_base_counts() {
        let document = Document::read(r#"<base target="_top"><base href="/app/"><base href="/no/">"#);
        assert_eq!(document.base.as_deref(), Some("/app/"));
    }

    #[test]
    fn anything_can_be_read() {
        for html in
            ["", "<", "<a", "<a href", "</", "<!", "<svg></template></svg></svg>", "\0<a href=\"\0\">", "</a b=c>"]
        {
            Document::read(html);
        }
        let deep = "<div>".repeat(100_000);
        assert_eq!(Document::read(&deep), Document::default());
    }
}
