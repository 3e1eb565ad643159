//! The elements of a drawing, as far as several checks look at them.

use std::collections::HashMap;

use resvg::usvg::roxmltree;

/// Whether an element is one of SVG's with this name.
pub(super) fn is_svg(node: roxmltree::Node<'_, '_>, name: &str) -> bool {
    node.tag_name().name() == name
}

/// The elements that others may use.
pub(super) fn elements_by_id<'a, 'input>(
    document: &'a roxmltree::Document<'input>,
) -> HashMap<&'a str, roxmltree::Node<'a, 'input>> {
    document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect()
}

/// The texts of the style sheets in a drawing.
pub(super) fn sheets_in<'a>(document: &'a roxmltree::Document<'_>) -> impl Iterator<Item = &'a str> {
    let is_style =
        |node: &roxmltree::Node<'_, '_>| node.is_text() && node.parent().is_some_and(|node| is_svg(node, "style"));
    document.descendants().filter(is_style).filter_map(|node| node.text())
}

/// The ids that a text refers to: `#shape`, `url(#gradient)`, `fill: url('#gradient'); mask: url(#mask)`.
pub(super) fn ids_in(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| matches!(c, ')' | '"' | '\'' | ' ' | ';');
    let whole = text.strip_prefix('#').into_iter();
    let parts = text.split("url(").skip(1);
    whole.chain(parts.filter_map(move |part| {
        let part = part.trim_start_matches(['"', '\'', ' ']);
        part.strip_prefix('#')?.split(is_end).next()
    }))
}

/// Whether rules of style sheets can make an element use another one.
pub(super) fn is_drawn(node: roxmltree::Node<'_, '_>) -> bool {
    let names = ["g", "use", "svg", "a", "switch", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"];
    names.contains(&node.tag_name().name())
}

/// The bytes of the tag that an element begins with.
pub(super) fn start_tag(node: roxmltree::Node<'_, '_>) -> std::ops::Range<usize> {
    let range = node.range();
    let end = node.children().next().map_or(range.end, |first| first.range().start);
    range.start..end
}
