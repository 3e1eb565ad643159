//! In which order code runs.

use std::collections::BTreeSet;

use super::{
    chunk::ChunkId,
    graph::ModuleGraph,
    module::{Format, Module, ModuleId, RequestKind, Target},
};

/// Depth first along `import`s from each root, as the language says; then what only `require` reaches, which
/// runs when it is called.
pub(super) fn execution_order(graph: &ModuleGraph, roots: &[ModuleId]) -> Vec<ModuleId> {
    let mut walk = Walk { modules: &graph.modules, seen: vec![false; graph.modules.len()], order: Vec::new() };
    walk.visit(ModuleId::HELPERS);
    for &root in roots {
        walk.visit(root);
    }
    let mut next = 0;
    while let Some(&module) = walk.order.get(next) {
        for (target, _) in targets(&graph.modules, module) {
            walk.visit(target);
        }
        next += 1;
    }
    walk.order
}

struct Walk<'a> {
    modules: &'a [Module],
    seen: Vec<bool>,
    order: Vec<ModuleId>,
}

impl Walk<'_> {
    fn visit(&mut self, root: ModuleId) {
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(root, false)];
        while let Some((module, done)) = stack.pop() {
            if done {
                self.order.push(module);
                continue;
            }
            if std::mem::replace(&mut self.seen[module.index()], true) {
                continue;
            }
            stack.push((module, true));
            let before = match self.modules[module.index()].record.format {
                Format::Esm => self.imported(module),
                Format::CommonJs => self.required_esm(module),
            };
            stack.extend(before.into_iter().rev().map(|module| (module, false)));
        }
    }

    fn imported(&self, module: ModuleId) -> Vec<ModuleId> {
        let imports = targets(self.modules, module).filter(|(_, kind)| *kind == RequestKind::Import);
        imports.map(|(target, _)| target).collect()
    }

    /// The ES modules that a CommonJS module may ask for while it runs, itself or through others of its kind.
    fn required_esm(&self, module: ModuleId) -> Vec<ModuleId> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::from([module]);
        let mut stack = vec![module];
        while let Some(next) = stack.pop() {
            if self.modules[next.index()].record.format == Format::Esm {
                found.push(next);
                continue;
            }
            let required: Vec<_> = targets(self.modules, next)
                .filter(|(target, kind)| matches!(kind, RequestKind::Require { .. }) && seen.insert(*target))
                .map(|(target, _)| target)
                .collect();
            stack.extend(required.into_iter().rev());
        }
        found
    }
}

/// The modules that a module asks for.
fn targets(modules: &[Module], module: ModuleId) -> impl Iterator<Item = (ModuleId, RequestKind)> {
    modules[module.index()].record.requests.iter().filter_map(|request| match request.target {
        Target::Module(target) => Some((target, request.kind)),
        Target::Unresolved => None,
    })
}

/// A chunk and all that it requires, in the order in which they run.
pub(super) fn loading_order(chunk: ChunkId, requires: &[Vec<ChunkId>]) -> Vec<ChunkId> {
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    let mut stack = vec![(chunk, false)];
    while let Some((chunk, done)) = stack.pop() {
        if done {
            order.push(chunk);
        } else if seen.insert(chunk) {
            stack.push((chunk, true));
            stack.extend(requires[chunk.0].iter().rev().map(|required| (*required, false)));
        }
    }
    order
}
