//! Which modules the remaining code of each module needs to have loaded.

use rustc_hash::FxHashSet;

use super::{
    graph::ModuleGraph,
    link::{Binding, Links},
    module::ModuleId,
    needs::needs,
    shake::{Live, evaluated_imports},
};

/// For each module, the modules that its code needs loaded, in order, without repeats.
pub(super) struct Edges(Vec<Vec<ModuleId>>);

impl Edges {
    /// `roots` are the modules of which all exports are needed.
    pub(super) fn new(graph: &ModuleGraph, links: &Links, live: &Live, roots: &[ModuleId]) -> Self {
        let roots: FxHashSet<ModuleId> = roots.iter().copied().collect();
        let ids = (0..graph.modules.len()).map(ModuleId::at);
        Self(ids.map(|id| edges_of(graph, links, live, id, roots.contains(&id))).collect())
    }

    pub(super) fn of(&self, module: ModuleId) -> &[ModuleId] {
        &self.0[module.index()]
    }

    /// The modules with code that `module` needs, looking through those that have none left.
    pub(super) fn present(&self, module: ModuleId, live: &Live) -> FxHashSet<ModuleId> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([module]);
        let mut stack: Vec<ModuleId> = self.of(module).to_vec();
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if live.module(next) {
                found.insert(next);
            } else {
                stack.extend(self.of(next));
            }
        }
        found
    }
}

fn edges_of(graph: &ModuleGraph, links: &Links, live: &Live, id: ModuleId, is_root: bool) -> Vec<ModuleId> {
    let record = &graph.modules[id.index()].record;
    let mut edges: Vec<ModuleId> = evaluated_imports(&graph.modules, id).collect();
    for statement in live.statements(id) {
        let symbols = needs(&graph.modules, links, id, &record.statements[statement]);
        edges.extend(symbols.into_iter().map(|symbol| symbol.module));
    }
    if is_root {
        let exported = links.exports(id).values().filter_map(Binding::symbol);
        edges.extend(exported.map(|symbol| symbol.module));
    }
    let mut seen = FxHashSet::from_iter([id]);
    edges.retain(|edge| seen.insert(*edge));
    edges
}
