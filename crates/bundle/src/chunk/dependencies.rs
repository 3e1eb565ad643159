//! Dependencies: the modules that the included code of each module needs to have loaded.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::{
    included::{Included, evaluated_imports},
    references::references,
};
use crate::{
    graph::ModuleGraph,
    link::{Binding, Links},
    module::ModuleId,
};

/// For each module, the modules that its code needs, in order, without repeats.
pub(crate) struct Dependencies(Vec<Vec<ModuleId>>);

impl Dependencies {
    /// Modules whose evaluation is observable, and those that declare what the code mentions. `roots` are the modules
    /// of which all exports are needed, `helped` those that need helpers besides.
    pub(crate) fn new(
        graph: &ModuleGraph,
        links: &Links,
        included: &Included,
        roots: &[ModuleId],
        helped: &BTreeSet<ModuleId>,
    ) -> Self {
        let roots: FxHashSet<ModuleId> = roots.iter().copied().collect();
        let noticed = noticed(graph, included);
        let dependencies_of = |id: ModuleId| {
            let mut used = used_modules(graph, links, included, id, roots.contains(&id));
            used.extend(helped.contains(&id).then_some(ModuleId::HELPERS));
            distinct(id, noticed_imports(graph, &noticed, id), used)
        };
        Self(ModuleId::all(graph.modules.len()).map(dependencies_of).collect())
    }

    pub(crate) fn of(&self, module: ModuleId) -> &[ModuleId] {
        &self.0[module.index()]
    }

    /// The modules with code that `module` needs, looking through those that have none left.
    pub(crate) fn present(&self, module: ModuleId, included: &Included) -> FxHashSet<ModuleId> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([module]);
        let mut stack: Vec<ModuleId> = self.of(module).to_vec();
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if included.has_module(next) {
                found.insert(next);
            } else {
                stack.extend(self.of(next));
            }
        }
        found
    }
}

/// The modules whose evaluation may change what other code sees, or the order in which others do.
fn noticed(graph: &ModuleGraph, included: &Included) -> FixedBitSet {
    let is_noticed = |id: &ModuleId| {
        let module = &graph.modules[id.index()];
        let changes = |statement: usize| module.has_effect(statement);
        module.external.is_some() || included.is_order_sensitive(*id) || included.statements(*id).any(changes)
    };
    ModuleId::all(graph.modules.len()).filter(is_noticed).map(ModuleId::index).collect()
}

/// The `noticed` modules among those that `id` imports and those these import. The evaluation of the others is
/// unobservable, unless something needs what they declare.
fn noticed_imports(graph: &ModuleGraph, noticed: &FixedBitSet, id: ModuleId) -> Vec<ModuleId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([id]);
    let next = |id| evaluated_imports(&graph.modules, id).collect::<Vec<_>>().into_iter().rev();
    let mut stack: Vec<ModuleId> = next(id).collect();
    while let Some(module) = stack.pop() {
        if !seen.insert(module) {
            continue;
        }
        if noticed.contains(module.index()) {
            found.push(module);
        } else {
            stack.extend(next(module));
        }
    }
    found
}

/// The modules that declare what the remaining statements of a module mention and, if it is a root, what it exports.
fn used_modules(graph: &ModuleGraph, links: &Links, included: &Included, id: ModuleId, is_root: bool) -> Vec<ModuleId> {
    let statements = &graph.modules[id.index()].scan.statements;
    let needed = |statement: usize| references(&graph.modules, links, id, &statements[statement]);
    let exported = is_root.then(|| links.exports(id).values().filter_map(Binding::symbol)).into_iter().flatten();
    included.statements(id).flat_map(needed).chain(exported).map(|symbol| symbol.module).collect()
}

/// The dependencies of a module, each once.
fn distinct(id: ModuleId, mut imported: Vec<ModuleId>, used: Vec<ModuleId>) -> Vec<ModuleId> {
    imported.extend(used);
    let mut seen = FxHashSet::from_iter([id]);
    imported.retain(|dependency| seen.insert(*dependency));
    imported
}
