//! Walks over graphs.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// Postorder of a depth-first walk: each node after those that it requires. Of chunks, this is the order in which they run
/// when `starts` are loaded.
pub(crate) fn postorder<'a, Node: Copy + Eq + Hash + 'a>(
    starts: &[Node],
    requires: impl Fn(Node) -> &'a [Node],
) -> Vec<Node> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<(Node, bool)> = starts.iter().rev().map(|node| (*node, false)).collect();
    while let Some((node, done)) = stack.pop() {
        if done {
            order.push(node);
        } else if seen.insert(node) {
            stack.push((node, true));
            stack.extend(requires(node).iter().rev().map(|required| (*required, false)));
        }
    }
    order
}
