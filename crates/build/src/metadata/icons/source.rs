//! The image that icons are made of, read and found to be good for it.

use std::{
    io::{self, Cursor},
    path::Path,
    sync::Arc,
};

use image::{ImageFormat, ImageReader, Limits};
use resvg::{
    tiny_skia::Rect,
    usvg::{
        self, Group, ImageHrefResolver, Node, Tree,
        roxmltree::{self, ParsingOptions},
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    source::{self, Sources, display_name},
    store::Key,
    text::{Text, text},
};
use portalgen_portal::{Color, IconSource};

use super::{
    drawing::Drawing,
    limits::{self, Excess, MOST_ELEMENTS},
    svg::start_tag,
};

/// The width of the largest icon.
const LEAST_WIDTH: u32 = 512;
/// Bytes that no drawing of an icon needs.
const LARGEST_VECTOR: usize = 1 << 20;
const LARGEST_RASTER: usize = 64 << 20;
/// What gzip begins files with.
const COMPRESSED: [u8; 2] = [0x1f, 0x8b];
/// A width that no icon needs, and whose pixels still fit into memory.
const GREATEST_WIDTH: u32 = 4096;
/// Bytes of such an image with the most that a pixel can have. Profiles of colours are packed as well.
const MOST_UNPACKED: u64 = 8 * 4096 * 4096 + (1 << 20);

/// How far outside of its square, in widths, a drawing may reach: whatever is cut off there has to be found first, with
/// numbers that are not meant for such distances.
const FARTHEST: f32 = 20.0;

/// The file that icons are made of.
pub(super) struct Image {
    /// As messages name it.
    name: String,
    /// Where `routes.toml` names it.
    named: Place,
    is_vector: bool,
    bytes: Vec<u8>,
}

impl Image {
    /// Reads the file; `root` is the folder that names of files in messages are relative to.
    pub(super) fn read(sources: &dyn Sources, root: &Path, source: &IconSource) -> Result<Self, Diagnostic> {
        let is_vector = source.file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        let name = display_name(root, &source.file);
        let image = Self { name, named: source.place.clone(), is_vector, bytes: Vec::new() };
        let bytes = sources.read(&source.file).map_err(|error| image.unreadable(&error))?;
        let (most, limit) = if is_vector { (LARGEST_VECTOR, "1 MB") } else { (LARGEST_RASTER, "64 MB") };
        if bytes.len() > most {
            let name = &image.name;
            let message = text!("the icon `{name}` is larger than {limit}", "图标 `{name}` 超过 {limit}");
            return Err(image.error(message));
        }
        Ok(Self { bytes, ..image })
    }

    /// What icons of this image and with this background are kept by.
    pub(super) fn key(&self, background: Option<Color>) -> Key {
        let form = format!("{} {background:?}", self.is_vector);
        Key::of(&[form.as_bytes(), &self.bytes])
    }

    /// The drawing, and its bytes if browsers can draw it themselves.
    pub(super) fn drawing(&self) -> Result<(Drawing, Option<Vec<u8>>), Vec<Diagnostic>> {
        let (drawing, vector) = if self.is_vector {
            (self.vector(self.bytes.clone())?, Some(self.bytes.clone()))
        } else {
            (self.raster(&self.bytes).map_err(|error| vec![error])?, None)
        };
        if drawing.is_blank() {
            let name = &self.name;
            return Err(vec![
                self.error(text!("nothing in the icon `{name}` is visible", "图标 `{name}` 里没有任何可见的内容")),
            ]);
        }
        Ok((drawing, vector))
    }

    /// Says that icons were not finished in time.
    pub(super) fn unfinished(&self) -> Diagnostic {
        let name = &self.name;
        self.error(text!("drawing the icon `{name}` takes too long", "绘制图标 `{name}` 耗时太长"))
            .with_hint(text!("use a simpler drawing, or a PNG", "请把图形简化，或者改用 PNG"))
    }

    fn unreadable(&self, error: &io::Error) -> Diagnostic {
        let name = &self.name;
        let (reason, hint) = source::explain(error);
        self.error(text!("cannot read the icon `{name}`: {reason}", "无法读取图标 `{name}`：{reason}", reason))
            .with_hints(hint)
    }

    fn error(&self, message: Text) -> Diagnostic {
        Diagnostic::error(message).at(self.named.clone())
    }

    fn raster(&self, bytes: &[u8]) -> Result<Drawing, Diagnostic> {
        let name = &self.name;
        let reader = || {
            let mut limits = Limits::default();
            limits.max_alloc = Some(MOST_UNPACKED);
            let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
            reader.limits(limits);
            reader
        };
        let broken = |error: image::ImageError| {
            self.error(text!("the icon `{name}` is not a complete PNG: {error}", "图标 `{name}` 不是完整的 PNG"))
        };
        // The head of the file is enough for this: one that is too large is never unpacked.
        let (width, height) = reader().into_dimensions().map_err(broken)?;
        if width != height {
            return Err(self.not_square(&format!("{width} × {height}")));
        }
        if width < LEAST_WIDTH {
            let message = text!("the icon `{name}` is only {width} pixels wide", "图标 `{name}` 宽度只有 {width} 像素");
            return Err(self.error(message).with_hint(text!(
                "use an SVG, or a PNG of at least {LEAST_WIDTH} × {LEAST_WIDTH} pixels",
                "请用 SVG，或者至少 {LEAST_WIDTH} × {LEAST_WIDTH} 像素的 PNG"
            )));
        }
        if width > GREATEST_WIDTH {
            let message = text!("the icon `{name}` is {width} pixels wide", "图标 `{name}` 宽度为 {width} 像素");
            return Err(self.error(message).with_hint(text!(
                "{LEAST_WIDTH} × {LEAST_WIDTH} pixels are enough; {GREATEST_WIDTH} is the maximum",
                "{LEAST_WIDTH} × {LEAST_WIDTH} 像素就够了，宽度不能超过 {GREATEST_WIDTH} 像素"
            )));
        }
        reader().decode().map(|image| Drawing::of_pixels(&image)).map_err(broken)
    }

    fn vector(&self, bytes: Vec<u8>) -> Result<Drawing, Vec<Diagnostic>> {
        if bytes.starts_with(&COMPRESSED) {
            return Err(vec![self.compressed()]);
        }
        let source = SourceText::decode(&*self.name, bytes).map_err(|error| vec![self.related(*error)])?;
        let options = ParsingOptions { allow_dtd: true, nodes_limit: 200_000, ..ParsingOptions::default() };
        let document = roxmltree::Document::parse_with_options(&source.text, options).map_err(|error| {
            let position = error.pos();
            let line_column = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
            let place = Place::at_line_column(&source, line_column(position.row), line_column(position.col));
            vec![self.within(place, text!("this SVG is broken: {error}", "这个 SVG 的写法有误"))]
        })?;
        let undrawn = self.undrawn(&document, &source);
        if !undrawn.is_empty() {
            return Err(undrawn);
        }
        let root = document.root_element();
        let at_root = |message| self.within(Place::new(&source, start_tag(root)), message);
        limits::check_text(&document).map_err(|excess| vec![self.excessive(excess, &source, root)])?;
        let tree = Tree::from_xmltree(&document, &drawing_options())
            .map_err(|error| vec![at_root(text!("this SVG cannot be drawn: {error}", "这个 SVG 无法绘制"))])?;
        let (width, height) = (tree.size().width(), tree.size().height());
        // What programs write as a size is a little off now and then.
        if (width - height).abs() > 0.01 * width.max(height) {
            return Err(vec![self.not_square(&format!("{width} × {height}"))]);
        }
        if !stays_near(tree.root(), FARTHEST * width.max(height)) {
            let message = text!("this SVG draws far outside its square", "这个 SVG 的图形远远超出了画布");
            return Err(vec![at_root(message)]);
        }
        if !limits::is_affordable(&tree) {
            let message = text!("drawing this SVG takes too much time or memory", "绘制这个 SVG 需要太多时间或内存");
            return Err(vec![at_root(message).with_hint(text!(
                "use fewer filters, masks, patterns and layers, or a PNG",
                "请减少滤镜、蒙版、图案和图层，或者改用 PNG"
            ))]);
        }
        Ok(Drawing::Vector(Box::new(tree)))
    }

    fn compressed(&self) -> Diagnostic {
        let name = &self.name;
        let message = text!("the icon `{name}` is compressed", "图标 `{name}` 是压缩过的");
        self.error(message).with_hint(text!(
            "decompress it, for example with `gunzip`: an .svgz file is a gzipped SVG",
            "请先解压，例如用 `gunzip`：.svgz 文件是用 gzip 压缩的 SVG"
        ))
    }

    /// What to say about a drawing that would take the parser too long.
    fn excessive(&self, excess: Excess, source: &Arc<SourceText>, root: roxmltree::Node<'_, '_>) -> Diagnostic {
        let at_root = |message| self.within(Place::new(source, start_tag(root)), message);
        match excess {
            Excess::Number(number, range) => self.within(
                Place::new(source, range),
                text!("the number {number} is too large for an icon", "数字 {number} 太大，不能用在图标里"),
            ),
            Excess::Circle(range) => self
                .within(
                    Place::new(source, range),
                    text!("this element contains a reference to itself", "这个元素引用了它自己"),
                )
                .with_hint(text!(
                    "follow its references (`url(#…)` and `href`), and remove one of them",
                    "请顺着 `url(#…)` 和 `href` 引用查看，去掉其中一处"
                )),
            Excess::Rules => at_root(text!(
                "the style sheet of this SVG is too large for its number of elements",
                "这个 SVG 元素太多，样式表也太大"
            ))
            .with_hint(text!("export it with attributes instead of styles", "请在绘图软件里改用属性而不是样式表导出")),
            Excess::Elements => at_root(text!(
                "this SVG expands to more than {MOST_ELEMENTS} elements",
                "这个 SVG 展开之后超过 {MOST_ELEMENTS} 个元素"
            )),
        }
    }

    /// Complaints about elements that browsers draw and this program does not: they would be missing in some icons.
    fn undrawn(&self, document: &roxmltree::Document<'_>, source: &Arc<SourceText>) -> Vec<Diagnostic> {
        let elements = document.descendants().filter(roxmltree::Node::is_element);
        let complaint = |node: roxmltree::Node<'_, '_>| {
            let hint = match node.tag_name().name() {
                "text" => text!("convert the text to paths, or use a PNG", "请把文字转成路径，或者改用 PNG"),
                "image" | "foreignObject" => text!("draw it with shapes, or use a PNG", "请用图形来画，或者改用 PNG"),
                _ => return None,
            };
            let name = node.tag_name().name();
            let message = text!("icons cannot contain `<{name}>`", "图标里不能有 `<{name}>`");
            Some(self.within(Place::new(source, start_tag(node)), message).with_hint(hint))
        };
        elements.filter_map(complaint).collect()
    }

    /// An error in the text of the image.
    fn within(&self, place: Place, message: Text) -> Diagnostic {
        self.related(Diagnostic::error(message).at(place))
    }

    fn related(&self, diagnostic: Diagnostic) -> Diagnostic {
        let label = text!("icons are generated from this file", "图标由这个文件生成");
        diagnostic.with_related(self.named.clone(), label)
    }

    fn not_square(&self, size: &str) -> Diagnostic {
        let name = &self.name;
        let message = text!("the icon `{name}` is not square: {size}", "图标 `{name}` 不是正方形：{size}");
        self.error(message).with_hint(text!(
            "an icon must be square; add empty space on two sides",
            "图标的宽和高要相等；可以在两侧补上空白"
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
