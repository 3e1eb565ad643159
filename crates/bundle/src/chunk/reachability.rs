//! Reachability: the modules that each entry point loads.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use super::{
    dependencies::Dependencies,
    included::{Included, dynamic_target},
    number_set::NumberSet,
};
use crate::{graph::ModuleGraph, module::ModuleId};

/// Entries, by their numbers among the roots.
pub(crate) type EntrySet = NumberSet;
/// Modules, by their numbers.
pub(crate) type ModuleSet = NumberSet;

/// The modules that each root loads.
pub(crate) struct Reachability {
    /// For each module, the roots that load it and would not have it otherwise.
    pub entries: Vec<EntrySet>,
    /// For each root, all modules that it needs.
    pub reached: Vec<ModuleSet>,
    /// For each root, the modules that are certain to be loaded before it.
    pub available: Vec<ModuleSet>,
}

impl Reachability {
    /// The entries load `merged` modules as well.
    pub(crate) fn new(
        graph: &ModuleGraph,
        dependencies: &Dependencies,
        roots: &[ModuleId],
        included: &Included,
        merged: &[ModuleId],
    ) -> Self {
        let modules = graph.modules.len();
        let with_merged = |(number, root): (usize, &ModuleId)| {
            let merged = if number < graph.entries.len() { merged } else { &[] };
            closure(merged.iter().copied().chain([*root]).collect(), dependencies, modules)
        };
        let reached: Vec<ModuleSet> = roots.iter().enumerate().map(with_merged).collect();
        let available = available(graph, roots, &reached, |module| dynamic_targets(graph, included, module).collect());
        let mut entries = vec![EntrySet::default(); modules];
        for (root, (reached, available)) in reached.iter().zip(&available).enumerate() {
            for module in reached.difference(available) {
                entries[module].insert(root);
            }
        }
        Self { entries, reached, available }
    }

    /// The roots that load a module and would not have it otherwise.
    pub(crate) fn entries_of(&self, module: ModuleId) -> &EntrySet {
        &self.entries[module.index()]
    }
}

fn closure(mut stack: Vec<ModuleId>, dependencies: &Dependencies, modules: usize) -> ModuleSet {
    let (mut seen, mut reached) = (FixedBitSet::with_capacity(modules), Vec::new());
    while let Some(module) = stack.pop() {
        if !seen.put(module.index()) {
            reached.push(module.index());
            stack.extend(dependencies.of(module));
        }
    }
    reached.into_iter().collect()
}

/// For each root, the modules that are certain to be loaded before it: what all of its importers have. `loads` gives the modules
/// that the code of a module loads with `import()`.
pub(crate) fn available(
    graph: &ModuleGraph,
    roots: &[ModuleId],
    reached: &[ModuleSet],
    loads: impl Fn(ModuleId) -> Vec<ModuleId>,
) -> Vec<ModuleSet> {
    let importers = importing_roots(graph, roots, reached, loads);
    let user_entries = graph.entries.len();
    let waits: Vec<bool> =
        reached.iter().map(|modules| modules.iter().any(|module| graph.modules[module].scan.top_level_await)).collect();
    // Starts from everything, which is `None`, and takes away until nothing changes, so that cycles of lazy imports settle.
    let is_loaded = |root: usize| root >= user_entries && !importers[root].is_empty();
    let mut available: Vec<Option<ModuleSet>> =
        (0..roots.len()).map(|root| if is_loaded(root) { None } else { Some(ModuleSet::default()) }).collect();
    let importing: FixedBitSet = importers.iter().flat_map(EntrySet::iter).collect();
    // What is there for others once a root is, of those that load any. A chunk that awaits an `import()` is not there before
    // what it waits for is.
    let after = |root: usize, before: &ModuleSet| {
        importing.contains(root).then(|| if waits[root] { before.clone() } else { before.union(&reached[root]) })
    };
    let before = available.iter().enumerate();
    let mut loaded: Vec<Option<ModuleSet>> = before.map(|(root, before)| after(root, before.as_ref()?)).collect();
    loop {
        let mut changed = false;
        for root in (user_entries..roots.len()).filter(|root| is_loaded(*root)) {
            let known = importers[root].iter().filter_map(|importer| loaded[importer].as_ref());
            let common = known.fold(None, |common: Option<ModuleSet>, has| match common {
                None => Some(has.clone()),
                Some(common) => Some(common.intersection(has).collect()),
            });
            if common != available[root] {
                loaded[root] = common.as_ref().and_then(|common| after(root, common));
                available[root] = common;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let everything = || reached.iter().flat_map(ModuleSet::iter).collect();
    available.into_iter().map(|modules| modules.unwrap_or_else(everything)).collect()
}

/// For each root, the roots that load it: those that reach an `import()` of it, and the entries if it is a lazy one.
fn importing_roots(
    graph: &ModuleGraph,
    roots: &[ModuleId],
    reached: &[ModuleSet],
    loads: impl Fn(ModuleId) -> Vec<ModuleId>,
) -> Vec<EntrySet> {
    let number: FxHashMap<ModuleId, usize> = roots.iter().enumerate().map(|(index, root)| (*root, index)).collect();
    let targets: Vec<Vec<usize>> = (0..graph.modules.len())
        .map(|module| loads(ModuleId::at(module)).into_iter().map(|target| number[&target]).collect())
        .collect();
    let mut importers = vec![EntrySet::default(); roots.len()];
    // Any entry may load a lazy one.
    for lazy in &graph.lazy_entries {
        importers[number[lazy]] = (0..graph.entries.len()).collect();
    }
    for (importer, modules) in reached.iter().enumerate() {
        for target in modules.iter().flat_map(|module| &targets[module]) {
            importers[*target].insert(importer);
        }
    }
    importers
}

/// The modules that the remaining code of a module loads with `import()`.
pub(crate) fn dynamic_targets<'a>(
    graph: &'a ModuleGraph,
    included: &'a Included,
    module: ModuleId,
) -> impl Iterator<Item = ModuleId> + 'a {
    let importer = &graph.modules[module.index()];
    let uses = included.statements(module).flat_map(|statement| &importer.scan.statements[statement].uses);
    uses.filter_map(|item| dynamic_target(importer, item))
}
