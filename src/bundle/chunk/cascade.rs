//! In which order the style sheets of a page come: where two rules are equal otherwise, the later one wins.
//!
//! There is one style sheet for each chunk. A page's rules are in the order of its imports as long as those of each chunk
//! come one after another there. Where others come between, the chunk whose last rules come later is the later one, since
//! what a page imports last is mostly meant to overrule. And where two pages import two shared sheets in opposite
//! orders, the one chunk that holds both can have only one of them.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{ChunkGraph, ChunkId};
use crate::bundle::{
    graph::ModuleGraph,
    module::{ModuleId, RequestKind, Target},
};

/// [`ChunkGraph::lazy_styles`] with the chunks of each target of `import()` in the order of its rules.
pub(crate) fn in_import_order(graph: &ModuleGraph, plan: &ChunkGraph) -> BTreeMap<ModuleId, Vec<ChunkId>> {
    let sorted = |(target, chunks): (&ModuleId, &Vec<ChunkId>)| {
        let mut chunks = chunks.clone();
        if chunks.len() > 1 {
            let last = last_sheets(graph, plan, *target);
            chunks.sort_by_key(|chunk| last.get(chunk));
        }
        (*target, chunks)
    };
    plan.lazy_styles.iter().map(sorted).collect()
}

/// For each chunk, when its last sheet comes if the entries run and then `target`.
fn last_sheets(graph: &ModuleGraph, plan: &ChunkGraph, target: ModuleId) -> BTreeMap<ChunkId, usize> {
    let mut last = BTreeMap::new();
    let mut seen = FxHashSet::default();
    let mut position = 0;
    for root in graph.entries.iter().copied().chain([target]) {
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(root, false)];
        while let Some((module, done)) = stack.pop() {
            if done {
                position += 1;
                let has_sheet = graph.modules[module.index()].stylesheet.is_some();
                if let Some(chunk) = plan.chunk_of.get(&module).filter(|_| has_sheet) {
                    last.insert(*chunk, position);
                }
            } else if seen.insert(module) {
                stack.push((module, true));
                stack.extend(imports(graph, module).rev().map(|module| (module, false)));
            }
        }
    }
    last
}

/// What a module asks for at once.
fn imports(graph: &ModuleGraph, module: ModuleId) -> impl DoubleEndedIterator<Item = ModuleId> {
    graph.modules[module.index()].record.requests.iter().filter_map(|request| match request.target {
        Target::Module(target) if request.kind != RequestKind::Dynamic => Some(target),
        _ => None,
    })
}
