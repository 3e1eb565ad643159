//! Which entries bring which modules to a visitor.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    graph::ModuleGraph,
    module::ModuleId,
    shake::{Live, dynamic_target},
};

/// Entries, by their numbers among the roots.
pub(super) type EntrySet = BTreeSet<usize>;

/// For each module, the roots that load it and would not have it otherwise.
pub(super) fn entry_sets(
    graph: &ModuleGraph,
    edges: &BTreeMap<ModuleId, Vec<ModuleId>>,
    roots: &[ModuleId],
    live: &Live,
) -> BTreeMap<ModuleId, EntrySet> {
    let reached: Vec<BTreeSet<ModuleId>> = roots.iter().map(|root| closure(*root, edges)).collect();
    let available = available(graph, roots, &reached, live);
    let mut sets: BTreeMap<ModuleId, EntrySet> = edges.keys().map(|module| (*module, EntrySet::new())).collect();
    for (root, modules) in reached.iter().enumerate() {
        for module in modules {
            if !available[root].contains(module) {
                sets.entry(*module).or_default().insert(root);
            }
        }
    }
    sets
}

fn closure(root: ModuleId, edges: &BTreeMap<ModuleId, Vec<ModuleId>>) -> BTreeSet<ModuleId> {
    let mut reached = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(module) = stack.pop() {
        if reached.insert(module) {
            stack.extend(edges.get(&module).into_iter().flatten());
        }
    }
    reached
}

/// For each root, the modules that are certain to be loaded before it: what all of its importers have.
fn available(
    graph: &ModuleGraph,
    roots: &[ModuleId],
    reached: &[BTreeSet<ModuleId>],
    live: &Live,
) -> Vec<BTreeSet<ModuleId>> {
    let importers = importing_roots(graph, roots, reached, live);
    let user_entries = graph.entries.len();
    let all: BTreeSet<ModuleId> = reached.iter().flatten().copied().collect();
    // Starts from "everything" and takes away until nothing changes, so that cycles of lazy imports settle.
    let mut available: Vec<BTreeSet<ModuleId>> =
        (0..roots.len()).map(|root| if root < user_entries { BTreeSet::new() } else { all.clone() }).collect();
    loop {
        let mut changed = false;
        for root in user_entries..roots.len() {
            let mut common: Option<BTreeSet<ModuleId>> = None;
            for &importer in &importers[root] {
                let has: BTreeSet<_> = reached[importer].union(&available[importer]).copied().collect();
                common = Some(common.map_or_else(|| has.clone(), |common| &common & &has));
            }
            let common = common.unwrap_or_default();
            if common != available[root] {
                available[root] = common;
                changed = true;
            }
        }
        if !changed {
            return available;
        }
    }
}

/// For each root, the roots that reach an `import()` of it.
fn importing_roots(
    graph: &ModuleGraph,
    roots: &[ModuleId],
    reached: &[BTreeSet<ModuleId>],
    live: &Live,
) -> Vec<BTreeSet<usize>> {
    let number: BTreeMap<ModuleId, usize> = roots.iter().enumerate().map(|(index, root)| (*root, index)).collect();
    let mut importers = vec![BTreeSet::new(); roots.len()];
    for (importer, modules) in reached.iter().enumerate() {
        for &module in modules {
            for target in dynamic_targets(graph, live, module) {
                importers[number[&target]].insert(importer);
            }
        }
    }
    importers
}

/// The modules that the remaining code of a module loads with `import()`.
pub(super) fn dynamic_targets<'a>(
    graph: &'a ModuleGraph,
    live: &'a Live,
    module: ModuleId,
) -> impl Iterator<Item = ModuleId> + 'a {
    let record = &graph.modules[module.index()].record;
    let uses = live.statements(module).flat_map(|statement| &record.statements[statement].uses);
    uses.filter_map(|item| dynamic_target(record, item))
}
