//! What a drawing may take to be drawn. The renderer cannot be interrupted, so work and memory are estimated first: on the
//! text, for the parser of drawings, and then on what the parser made of it.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use resvg::usvg::{
    self, Group, Node, Paint, Tree, filter,
    roxmltree::{self, NodeId},
};

use super::{
    circles::circle_in,
    svg::{elements_by_id, ids_in, is_drawn, is_svg, sheets_in, start_tag},
};

/// How many elements a drawing may come to when each is drawn wherever it is used.
pub(super) const MOST_ELEMENTS: u64 = 100_000;
/// How deep elements may lie in each other, by way of whatever uses them.
const DEEPEST: usize = 500;
/// Bytes of style sheets times elements.
const MOST_RULES: usize = 200_000_000;
/// The largest number in the data of a path. Arcs are divided into the more pieces the larger they are.
const LARGEST: f64 = 1e10;
/// The width of the largest icon, which is what the estimates are made for.
const WIDTH: f32 = 512.0;
/// Layers reach beyond the icon, as far as the renderer lets them.
const LARGEST_LAYER: f32 = 25.0 * WIDTH * WIDTH;
/// Steps of the renderer for a drawing; a second has about a thousand million.
const MOST_WORK: f64 = 4e9;
/// Bytes of all layers that are there at once.
const MOST_MEMORY: f64 = 256e6;
const BYTES_PER_PIXEL: f64 = 4.0;

/// What is the matter with a text, and where.
pub(super) enum Excess {
    /// A number, as it is written.
    Number(String, Range<usize>),
    /// Elements that use each other.
    Elements,
    /// An element that is drawn inside of itself, by way of what it uses.
    Circle(Range<usize>),
    /// Rules of style sheets, each of which is held against each element.
    Rules,
}

/// Looks for what the parser of drawings would take too long for.
pub(super) fn check_text(document: &roxmltree::Document<'_>) -> Result<(), Excess> {
    let lines = document.descendants().filter_map(|node| node.attribute_node("d"));
    for line in lines {
        if let Some(range) = large_number(line.value()) {
            let number = line.value()[range.clone()].to_owned();
            let start = line.range_value().start;
            return Err(Excess::Number(number, start + range.start..start + range.end));
        }
    }
    if is_too_deep(document) || elements_drawn(document) > MOST_ELEMENTS {
        return Err(Excess::Elements);
    }
    if rules_tried(document) > MOST_RULES {
        return Err(Excess::Rules);
    }
    circle_in(document).map_or(Ok(()), |node| Err(Excess::Circle(start_tag(node))))
}

/// How many bytes of style sheets are held against elements.
fn rules_tried(document: &roxmltree::Document<'_>) -> usize {
    let bytes: usize = sheets_in(document).map(str::len).sum();
    bytes.saturating_mul(document.descendants().filter(roxmltree::Node::is_element).count())
}

/// Where a number stands in the data of a path that is too large.
fn large_number(data: &str) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(found) = data[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + found;
        let end = end_of_number(data, start);
        if data[start..end].parse::<f64>().is_ok_and(|number| number > LARGEST) {
            return Some(start..end);
        }
        at = end;
    }
    None
}

/// The end of the number that begins with a digit.
fn end_of_number(text: &str, start: usize) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(start);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    let exponent = text[end..].strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    match exponent {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => digits(text.len() - rest.len()),
        _ => end,
    }
}

fn is_too_deep(document: &roxmltree::Document<'_>) -> bool {
    let mut depths: HashMap<NodeId, usize> = HashMap::new();
    // Parents come before their children.
    document.descendants().any(|node| {
        let depth = node.parent().and_then(|parent| depths.get(&parent.id())).map_or(0, |depth| depth + 1);
        depths.insert(node.id(), depth);
        depth > DEEPEST
    })
}

/// How many elements have to be drawn when each counts as often as it is used, by way of whatever.
fn elements_drawn(document: &roxmltree::Document<'_>) -> u64 {
    let ids = elements_by_id(document);
    // Which elements a rule is for is not found out here: it may be for each.
    let used: BTreeSet<&str> = sheets_in(document).flat_map(ids_in).collect();
    let styled = used.into_iter().filter_map(|id| ids.get(id).copied()).filter(|node| !is_gradient(*node)).collect();
    let vertices = document.descendants().map(vertices).sum();
    Uses { ids, styled, vertices, counts: HashMap::new() }.count(document.root_element(), 0).0
}

/// Gradients draw nothing.
fn is_gradient(node: roxmltree::Node<'_, '_>) -> bool {
    is_svg(node, "linearGradient") || is_svg(node, "radialGradient")
}

/// How many corners a line may have, each of which may be marked.
fn vertices(node: roxmltree::Node<'_, '_>) -> u64 {
    let length =
        ["d", "points"].iter().filter_map(|name| node.attribute(*name)).map(str::len).max().unwrap_or_default();
    // A corner takes a sign and a number at least.
    u64::try_from(length / 2 + 2).unwrap_or(u64::MAX)
}

struct Uses<'a, 'input> {
    ids: HashMap<&'a str, roxmltree::Node<'a, 'input>>,
    /// What rules of style sheets refer to.
    styled: Vec<roxmltree::Node<'a, 'input>>,
    /// Corners of all lines.
    vertices: u64,
    counts: HashMap<NodeId, (u64, usize)>,
}

impl<'a, 'input> Uses<'a, 'input> {
    /// How many elements an element comes to, and how deep they lie in each other.
    fn count(&mut self, node: roxmltree::Node<'a, 'input>, depth: usize) -> (u64, usize) {
        if let Some(known) = self.counts.get(&node.id()) {
            return *known;
        }
        if depth > 2 * DEEPEST {
            return (u64::MAX, 0);
        }
        // Circles are found elsewhere.
        self.counts.insert(node.id(), (0, 0));
        let named = node.attributes().flat_map(|attribute| ids_in(attribute.value()));
        let mut used: Vec<_> = named.filter_map(|id| self.ids.get(id)).copied().collect();
        if is_drawn(node) {
            used.extend(&self.styled);
        }
        let below = node.children().filter(roxmltree::Node::is_element);
        let (mut sum, mut deepest) = (1_u64, 0);
        for node in below.chain(used) {
            // A marker that is inherited may stand at every corner there is.
            let times = if is_svg(node, "marker") { self.vertices } else { 1 };
            let (count, depth) = self.count(node, depth + 1);
            sum = sum.saturating_add(count.saturating_mul(times));
            deepest = deepest.max(depth + 1);
        }
        let count = (if deepest > 2 * DEEPEST { u64::MAX } else { sum }, deepest);
        self.counts.insert(node.id(), count);
        count
    }
}

/// Whether a drawing takes no more work and memory than there is for one.
pub(super) fn is_affordable(tree: &Tree) -> bool {
    let scale = WIDTH / tree.size().width().max(tree.size().height());
    let mut estimate = Estimate { scale, work: 0.0 };
    estimate.group(tree.root(), 0.0).is_some()
}

struct Estimate {
    /// Pixels for each unit of the drawing.
    scale: f32,
    work: f64,
}

impl Estimate {
    /// Adds work; none where it becomes too much.
    fn spend(&mut self, work: f64) -> Option<()> {
        self.work += work;
        (self.work <= MOST_WORK).then_some(())
    }

    /// The pixels of a layer with a width and a height in the units of the drawing.
    fn pixels(&self, width: f32, height: f32) -> f64 {
        // Some are added at each edge.
        f64::from(((width * self.scale + 4.0) * (height * self.scale + 4.0)).min(LARGEST_LAYER))
    }

    /// Adds what a group takes while layers of `memory` bytes are there already.
    fn group(&mut self, group: &Group, memory: f64) -> Option<()> {
        let bounds = group.abs_layer_bounding_box();
        let pixels = self.pixels(bounds.width(), bounds.height());
        let mut memory = memory;
        self.spend(100.0)?;
        if group.should_isolate() {
            let primitives: usize = group.filters().iter().map(|filter| filter.primitives().len()).sum();
            // Each part of a filter keeps its result.
            let layers = 2 + u32::try_from(primitives).ok()?;
            memory += f64::from(layers) * pixels * BYTES_PER_PIXEL;
            self.spend(3.0 * pixels)?;
        }
        if memory > MOST_MEMORY {
            return None;
        }
        for filter in group.filters() {
            filter.primitives().iter().try_for_each(|primitive| self.primitive(primitive.kind(), pixels))?;
        }
        for node in group.children() {
            self.node(node, memory)?;
        }
        // What only masks and clips draw into layers of their own.
        let mut result = Some(());
        let mut visit =
            |root: &Group| result = result.and_then(|()| self.group(root, memory + pixels * BYTES_PER_PIXEL));
        subroots_of(group, &mut visit);
        result
    }

    fn node(&mut self, node: &Node, memory: f64) -> Option<()> {
        match node {
            Node::Group(group) => self.group(group, memory),
            Node::Path(path) => self.path(path, memory),
            // Both are refused before.
            Node::Image(_) | Node::Text(_) => Some(()),
        }
    }

    fn path(&mut self, path: &usvg::Path, memory: f64) -> Option<()> {
        let bounds = path.abs_stroke_bounding_box();
        let pixels = self.pixels(bounds.width(), bounds.height()).min(f64::from(WIDTH * WIDTH));
        let segments = 300.0 * f64::from(u32::try_from(path.data().len()).ok()?);
        self.spend(1000.0 + segments + pixels + 100.0 * crossings(path))?;
        if let Some(dashes) = path.stroke().and_then(usvg::Stroke::dasharray) {
            let period: f32 = dashes.iter().sum();
            self.spend(f64::from(length_of(path) / period) * 2000.0)?;
        }
        let paints = [path.fill().map(usvg::Fill::paint), path.stroke().map(usvg::Stroke::paint)];
        for paint in paints.into_iter().flatten() {
            if let Paint::Pattern(pattern) = paint {
                self.pattern(pattern, path.abs_transform(), memory)?;
            }
        }
        Some(())
    }

    /// A pattern is drawn once for each path, as large as it shows there.
    fn pattern(&mut self, pattern: &usvg::Pattern, around: usvg::Transform, memory: f64) -> Option<()> {
        let (x, y) = around.pre_concat(pattern.transform()).get_scale();
        let (width, height) = (pattern.rect().width() * x * self.scale, pattern.rect().height() * y * self.scale);
        let pixels = f64::from(width + 1.0) * f64::from(height + 1.0);
        let memory = memory + pixels * BYTES_PER_PIXEL;
        if memory > MOST_MEMORY {
            return None;
        }
        self.spend(pixels)?;
        self.group(pattern.root(), memory)
    }

    fn primitive(&mut self, kind: &filter::Kind, pixels: f64) -> Option<()> {
        let for_each_pixel = match kind {
            filter::Kind::Turbulence(turbulence) => 400.0 * f64::from(turbulence.num_octaves().max(1)),
            filter::Kind::ConvolveMatrix(matrix) => {
                10.0 * f64::from(matrix.matrix().columns()) * f64::from(matrix.matrix().rows())
            }
            filter::Kind::Morphology(morphology) => {
                let reach = |radius: f32| f64::from((2.0 * radius * self.scale + 1.0).min(5.0 * WIDTH));
                10.0 * reach(morphology.radius_x().get()) * reach(morphology.radius_y().get())
            }
            filter::Kind::DiffuseLighting(_) | filter::Kind::SpecularLighting(_) => 100.0,
            _ => 40.0,
        };
        self.spend(for_each_pixel * pixels)
    }
}

/// The drawings beside its children that a group needs.
fn subroots_of(group: &Group, visit: &mut dyn FnMut(&Group)) {
    let mut clip = group.clip_path();
    while let Some(path) = clip {
        visit(path.root());
        clip = path.clip_path();
    }
    let mut mask = group.mask();
    while let Some(layer) = mask {
        visit(layer.root());
        mask = layer.mask();
    }
    for primitive in group.filters().iter().flat_map(|filter| filter.primitives()) {
        if let filter::Kind::Image(image) = primitive.kind() {
            visit(image.root());
        }
    }
}

/// How many pairs of a path's lines may cross at most: the renderer keeps those of each row of pixels sorted. A stroke has
/// two sides, and each corner of it is as large as it is wide.
fn crossings(path: &usvg::Path) -> f64 {
    let points = path.data().points();
    let (bounds, width) = (path.data().bounds(), path.stroke().map_or(0.0, |stroke| stroke.width().get()));
    let lines =
        f64::from(u32::try_from(points.len()).unwrap_or(u32::MAX)) * if path.stroke().is_some() { 2.0 } else { 1.0 };
    let steps = || points.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    let high: f64 = steps().map(|(from, to)| f64::from((from.y - to.y).abs() + width)).sum();
    let wide: f64 = steps().map(|(from, to)| f64::from((from.x - to.x).abs() + width)).sum();
    // Lines that are there at once.
    let share = |sum: f64, extent: f32| (sum / f64::from(extent + width).max(f64::MIN_POSITIVE)).min(lines);
    share(high, bounds.height()).max(share(wide, bounds.width())) * lines
}

/// How long a line is at most: by the points that its curves are made with.
fn length_of(path: &usvg::Path) -> f32 {
    let points = path.data().points();
    points.windows(2).filter_map(|pair| Some(pair.first()?.distance(*pair.get(1)?))).sum()
}

#[cfg(test)]
mod tests {
    use super::large_number;

    #[test]
    fn large_numbers_are_found_wherever_they_stand() {
        for (text, number) in [
            ("M5 26V15a11 11 0 0 1 121e38 0v11z", Some("121e38")),
            ("M0,0l-.5-1e+11", Some("1e+11")),
            ("h99999999999.5", Some("99999999999.5")),
            ("1.5.5e2-3E-20 1e10", None),
            ("1e", None),
            ("é9e99", Some("9e99")),
        ] {
            assert_eq!(large_number(text).map(|range| &text[range]), number, "{text}");
        }
    }
}
