//! The image that icons are made of, read and found to be good for it.

use std::{
    collections::HashMap,
    io::{self, Cursor},
    path::Path,
    sync::Arc,
};

use image::{ImageFormat, ImageReader};
use resvg::{
    tiny_skia::Rect,
    usvg::{
        self, Group, ImageHrefResolver, Node, Tree,
        roxmltree::{self, NodeId, ParsingOptions},
    },
};

use super::drawing::Drawing;
use crate::{
    config::IconSource,
    diagnostic::{Diagnostic, Place, SourceText},
    source::{Sources, display_name},
    text::{Text, text},
};

/// The width of the largest icon.
const LEAST_WIDTH: u32 = 512;
/// A width that no icon needs, and whose pixels still fit into memory.
const GREATEST_WIDTH: u32 = 4096;
/// How many elements a drawing may come to when each is drawn wherever it is used.
const MOST_ELEMENTS: u64 = 100_000;

/// How far outside of its square, in widths, a drawing may reach: whatever is cut off there has to be found first, with
/// numbers that are not meant for such distances.
const FARTHEST: f32 = 20.0;

/// The drawing, and its bytes if browsers can draw it themselves.
pub(super) fn read(
    sources: &dyn Sources,
    root: &Path,
    source: &IconSource,
) -> Result<(Drawing, Option<Vec<u8>>), Vec<Diagnostic>> {
    let name = display_name(root, &source.file);
    let reader = Reader { name: &name, named: &source.place };
    let bytes = sources.read(&source.file).map_err(|error| vec![reader.unreadable(&error)])?;
    let is_vector = source.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    let (drawing, vector) = if is_vector {
        (reader.vector(bytes.clone())?, Some(bytes))
    } else {
        (reader.raster(&bytes).map_err(|error| vec![error])?, None)
    };
    if drawing.is_blank() {
        let message = text!("nothing of the icon `{name}` can be seen", "图标 `{name}` 里什么都看不见");
        return Err(vec![Diagnostic::error(message).at(source.place.clone())]);
    }
    Ok((drawing, vector))
}

struct Reader<'a> {
    /// The file, as messages name it.
    name: &'a str,
    /// Where `routes.toml` names it.
    named: &'a Place,
}

impl Reader<'_> {
    fn unreadable(&self, error: &io::Error) -> Diagnostic {
        let name = self.name;
        self.error(text!("cannot read the icon `{name}`: {error}", "无法读取图标 `{name}`：{error}"))
    }

    fn error(&self, message: Text) -> Diagnostic {
        Diagnostic::error(message).at(self.named.clone())
    }

    fn raster(&self, bytes: &[u8]) -> Result<Drawing, Diagnostic> {
        let name = self.name;
        let reader = || ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
        let broken = |error: image::ImageError| {
            self.error(text!("the icon `{name}` is no whole PNG: {error}", "图标 `{name}` 不是完整的 PNG：{error}"))
        };
        // The head of the file is enough for this: one that is too large is never unpacked.
        let (width, height) = reader().into_dimensions().map_err(broken)?;
        if width != height {
            return Err(self.not_square(&format!("{width} × {height}")));
        }
        if width < LEAST_WIDTH {
            let message = text!("the icon `{name}` is only {width} pixels wide", "图标 `{name}` 只有 {width} 像素宽");
            return Err(self.error(message).with_hint(text!(
                "use an SVG, or a PNG of at least {LEAST_WIDTH} × {LEAST_WIDTH} pixels",
                "请用 SVG，或者至少 {LEAST_WIDTH} × {LEAST_WIDTH} 像素的 PNG"
            )));
        }
        if width > GREATEST_WIDTH {
            let message = text!("the icon `{name}` is {width} pixels wide", "图标 `{name}` 有 {width} 像素宽");
            return Err(self.error(message).with_hint(text!(
                "{LEAST_WIDTH} × {LEAST_WIDTH} pixels are enough, and more than {GREATEST_WIDTH} are too many",
                "{LEAST_WIDTH} × {LEAST_WIDTH} 像素就够了，最多不能超过 {GREATEST_WIDTH} 像素宽"
            )));
        }
        reader().decode().map(|image| Drawing::of_pixels(&image)).map_err(broken)
    }

    fn vector(&self, bytes: Vec<u8>) -> Result<Drawing, Vec<Diagnostic>> {
        let source = SourceText::decode(self.name, bytes).map_err(|error| vec![self.related(*error)])?;
        let options = ParsingOptions { allow_dtd: true, nodes_limit: 200_000, ..ParsingOptions::default() };
        let document = roxmltree::Document::parse_with_options(&source.text, options).map_err(|error| {
            let position = error.pos();
            let line_column = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
            let place = Place::at_line_column(&source, line_column(position.row), line_column(position.col));
            vec![self.within(place, text!("this SVG is broken: {error}", "这个 SVG 有错误：{error}"))]
        })?;
        let undrawn = self.undrawn(&document, &source);
        if !undrawn.is_empty() {
            return Err(undrawn);
        }
        let root = document.root_element();
        let at_root = |message| self.within(Place::new(&source, start_tag(root)), message);
        if elements_drawn(&document) > MOST_ELEMENTS {
            let message = text!(
                "this SVG comes to more than {MOST_ELEMENTS} elements, each drawn wherever it is used",
                "这个 SVG 展开之后超过 {MOST_ELEMENTS} 个元素"
            );
            return Err(vec![at_root(message)]);
        }
        let tree = Tree::from_xmltree(&document, &drawing_options())
            .map_err(|error| vec![at_root(text!("this SVG cannot be drawn: {error}", "这个 SVG 画不出来：{error}"))])?;
        let (width, height) = (tree.size().width(), tree.size().height());
        // What programs write as a size is a little off now and then.
        if (width - height).abs() > 0.01 * width.max(height) {
            return Err(vec![self.not_square(&format!("{width} × {height}"))]);
        }
        if !stays_near(tree.root(), FARTHEST * width.max(height)) {
            let message = text!("this SVG draws far outside of its square", "这个 SVG 画到了正方形外面很远的地方");
            return Err(vec![at_root(message)]);
        }
        Ok(Drawing::Vector(Box::new(tree)))
    }

    /// Complaints about elements that browsers draw and this program does not: they would be missing in some icons.
    fn undrawn(&self, document: &roxmltree::Document<'_>, source: &Arc<SourceText>) -> Vec<Diagnostic> {
        let elements = document.descendants().filter(roxmltree::Node::is_element);
        let complaint = |node: roxmltree::Node<'_, '_>| {
            let hint = match node.tag_name().name() {
                "text" => text!("turn the text into paths, or use a PNG", "请把文字转成路径，或者改用 PNG"),
                "image" | "foreignObject" => text!("draw it with shapes, or use a PNG", "请用图形来画，或者改用 PNG"),
                _ => return None,
            };
            let name = node.tag_name().name();
            let message = text!("icons cannot be made of `<{name}>`", "图标里不能用 `<{name}>`");
            Some(self.within(Place::new(source, start_tag(node)), message).with_hint(hint))
        };
        elements.filter_map(complaint).collect()
    }

    /// An error in the text of the image.
    fn within(&self, place: Place, message: Text) -> Diagnostic {
        self.related(Diagnostic::error(message).at(place))
    }

    fn related(&self, diagnostic: Diagnostic) -> Diagnostic {
        let label = text!("icons are made of this file", "图标由这个文件生成");
        diagnostic.with_related(self.named.clone(), label)
    }

    fn not_square(&self, size: &str) -> Diagnostic {
        let name = self.name;
        let message = text!("the icon `{name}` is not square: {size}", "图标 `{name}` 不是正方形：{size}");
        self.error(message).with_hint(text!(
            "icons are as wide as high; leave some space at two sides",
            "图标的宽和高要相等；可以在两侧留出空白"
        ))
    }
}

/// Nothing outside of the drawing is looked at.
fn drawing_options() -> usvg::Options<'static> {
    let nothing = ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    usvg::Options { image_href_resolver: nothing, ..usvg::Options::default() }
}

/// Whether every line and surface lies within some distance of the origin, and is no thicker than that.
fn stays_near(group: &Group, distance: f32) -> bool {
    let is_near = |bounds: Rect| {
        [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()].iter().all(|edge| edge.abs() <= distance)
    };
    let stays = |node: &Node| match node {
        Node::Group(group) => stays_near(group, distance),
        Node::Path(path) => {
            let (x, y) = path.abs_transform().get_scale();
            let is_thin = |stroke: &usvg::Stroke| stroke.width().get() * x.max(y) <= distance;
            is_near(path.abs_stroke_bounding_box()) && path.stroke().is_none_or(is_thin)
        }
        Node::Image(_) | Node::Text(_) => true,
    };
    let mut within = true;
    for node in group.children() {
        node.subroots(|group| within &= stays_near(group, distance));
    }
    within && group.children().iter().all(stays)
}

/// The bytes of the tag that an element begins with.
fn start_tag(node: roxmltree::Node<'_, '_>) -> std::ops::Range<usize> {
    let range = node.range();
    let end = node.children().next().map_or(range.end, |first| first.range().start);
    range.start..end
}

/// How many elements have to be drawn when each counts as often as it is used, by way of whatever.
fn elements_drawn(document: &roxmltree::Document<'_>) -> u64 {
    let ids = document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    Uses { ids, counts: HashMap::new() }.count(document.root_element())
}

struct Uses<'a, 'input> {
    ids: HashMap<&'a str, roxmltree::Node<'a, 'input>>,
    counts: HashMap<NodeId, u64>,
}

impl<'a, 'input> Uses<'a, 'input> {
    fn count(&mut self, node: roxmltree::Node<'a, 'input>) -> u64 {
        if let Some(known) = self.counts.get(&node.id()) {
            return *known;
        }
        // Of a circle nothing is drawn.
        self.counts.insert(node.id(), 0);
        let used: Vec<_> =
            node.attributes().filter_map(|attribute| self.ids.get(id_in(attribute.value())?)).copied().collect();
        let below = node.children().filter(roxmltree::Node::is_element).chain(used);
        let count = below.fold(1_u64, |sum, node| sum.saturating_add(self.count(node)));
        self.counts.insert(node.id(), count);
        count
    }
}

/// The id that a value refers to: `#shape`, `url(#gradient)`, `fill: url('#gradient')`.
fn id_in(value: &str) -> Option<&str> {
    let quoted = |c: char| matches!(c, '"' | '\'' | ' ');
    match value.strip_prefix('#') {
        Some(id) => Some(id),
        None => value.split_once("url(")?.1.split(')').next()?.trim_matches(quoted).strip_prefix('#'),
    }
}
