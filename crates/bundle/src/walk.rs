//! Walks over graphs.

use std::{collections::VecDeque, hash::Hash};

use rustc_hash::{FxHashMap, FxHashSet};

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

/// A shortest path from `start` to a node that is a goal, both included. Of several, the one whose steps come first among
/// `next`.
pub(crate) fn shortest_path<Node: Copy + Eq + Hash, Next: IntoIterator<Item = Node>>(
    start: Node,
    next: impl Fn(Node) -> Next,
    is_goal: impl Fn(Node) -> bool,
) -> Option<Vec<Node>> {
    let mut came_from: FxHashMap<Node, Option<Node>> = FxHashMap::from_iter([(start, None)]);
    let mut queue = VecDeque::from([start]);
    while let Some(reached) = queue.pop_front() {
        if is_goal(reached) {
            let back = std::iter::successors(Some(reached), |step| came_from.get(step).copied().flatten());
            let mut path: Vec<Node> = back.collect();
            path.reverse();
            return Some(path);
        }
        for node in next(reached) {
            came_from.entry(node).or_insert_with(|| {
                queue.push_back(node);
                Some(reached)
            });
        }
    }
    None
}

/// The strongly connected components of a graph, each after those that it leads to: in a component, each node leads to all
/// others, directly or not. There are `count` nodes, and `next` says where each of them leads directly. Found by Gabow's
/// algorithm.
pub(crate) fn components<Next: Iterator<Item = usize>>(count: usize, next: impl Fn(usize) -> Next) -> Vec<Vec<usize>> {
    let mut places = vec![Place::Unmet; count];
    // The nodes whose component is not complete, and where among them components may begin.
    let (mut open, mut begins) = (Vec::new(), Vec::new());
    let mut components = Vec::new();
    // An explicit stack: chains may be longer than a thread's stack is deep.
    let mut stack: Vec<(usize, bool)> = (0..count).map(|node| (node, false)).collect();
    while let Some((node, done)) = stack.pop() {
        match places[node] {
            Place::Unmet => {
                places[node] = Place::Open(open.len());
                begins.push(open.len());
                open.push(node);
                stack.push((node, true));
                stack.extend(next(node).map(|next| (next, false)));
            }
            Place::Open(place) if !done => begins.truncate(begins.partition_point(|begin| *begin <= place)),
            Place::Open(place) if begins.last() == Some(&place) => {
                begins.pop();
                let component = open.split_off(place);
                for node in &component {
                    places[*node] = Place::Complete;
                }
                components.push(component);
            }
            Place::Open(_) | Place::Complete => {}
        }
    }
    components
}

/// Progress of the search with a node.
#[derive(Clone, Copy)]
enum Place {
    Unmet,
    /// Its component is not complete; its place among those of which that is so.
    Open(usize),
    Complete,
}
