//! Order of execution: that of modules in the language, and that of chunks.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles::cycles;
use crate::{
    graph::ModuleGraph,
    module::{ImportKind, Module, ModuleId},
};

/// The order that the language prescribes: depth first along `import`s.
///
/// Modules of which nothing is left are part of the way, too. In an import cycle, it is they that decide which of the
/// others comes first.
pub(crate) struct EvaluationOrder {
    /// For each module, those that it imports, in order.
    imports: Vec<Vec<ModuleId>>,
}

impl EvaluationOrder {
    pub(crate) fn new(graph: &ModuleGraph) -> Self {
        let imported = |module: ModuleId| {
            let targets = targets(&graph.modules, module);
            targets.filter(|(_, kind)| *kind == ImportKind::Static).map(|(target, _)| target).collect()
        };
        Self { imports: ModuleId::all(graph.modules.len()).map(imported).collect() }
    }

    /// True if a module imports others.
    pub(crate) fn imports(&self, module: ModuleId) -> bool {
        !self.imports[module.index()].is_empty()
    }

    /// The cycles that imports form.
    pub(crate) fn cycles(&self) -> Vec<Vec<ModuleId>> {
        cycles(self.imports.len(), |module| self.imports[module.index()].iter().copied())
    }

    /// The modules that `root` leads to, in order. `root` comes last.
    pub(crate) fn from(&self, root: ModuleId) -> Vec<ModuleId> {
        let mut walk = self.walk();
        walk.visit(root, |_| false);
        walk.order
    }

    /// The modules that `module` leads to, itself left out, in order; no further than what `is_end` says.
    pub(crate) fn before(&self, module: ModuleId, is_end: impl Fn(ModuleId) -> bool) -> Vec<ModuleId> {
        let mut walk = self.walk();
        walk.visit(module, |next| next != module && is_end(next));
        walk.order.pop();
        walk.order
    }

    /// A depth-first walk from `root` along all imports.
    pub(crate) fn depth_first(&self, root: ModuleId) -> DepthFirst {
        let mut walk = self.walk();
        walk.visit(root, |_| false);
        let number = |modules: &[ModuleId]| modules.iter().enumerate().map(|(at, module)| (*module, at)).collect();
        DepthFirst { entered: number(&walk.entered), left: number(&walk.order), order: walk.order }
    }

    /// An order for all modules that agrees with what the language says of each of `roots` wherever these agree. What only
    /// `require` reaches comes after.
    pub(crate) fn of_all(&self, graph: &ModuleGraph, roots: &[ModuleId]) -> Vec<ModuleId> {
        let mut walk = self.walk();
        for root in std::iter::once(ModuleId::HELPERS).chain(roots.iter().copied()) {
            walk.visit(root, |_| false);
        }
        let mut next = 0;
        while let Some(&module) = walk.order.get(next) {
            for (target, _) in targets(&graph.modules, module) {
                walk.visit(target, |_| false);
            }
            next += 1;
        }
        walk.order
    }

    fn walk(&self) -> Walk<'_> {
        Walk { imports: &self.imports, seen: FxHashSet::default(), entered: Vec::new(), order: Vec::new() }
    }
}

struct Walk<'a> {
    imports: &'a [Vec<ModuleId>],
    seen: FxHashSet<ModuleId>,
    /// Preorder.
    entered: Vec<ModuleId>,
    /// Postorder: the order of evaluation.
    order: Vec<ModuleId>,
}

/// A depth-first walk along imports.
pub(crate) struct DepthFirst {
    /// Postorder: the order of evaluation.
    pub order: Vec<ModuleId>,
    /// Times at which each module was entered and left.
    entered: FxHashMap<ModuleId, usize>,
    left: FxHashMap<ModuleId, usize>,
}

impl DepthFirst {
    /// Of `modules`, the first one whose evaluation the language has begun and not ended when it comes to `module`.
    pub(crate) fn outermost_around(
        &self,
        module: ModuleId,
        modules: impl IntoIterator<Item = ModuleId>,
    ) -> Option<ModuleId> {
        let is_around = |other: &ModuleId| {
            self.entered.get(other) < self.entered.get(&module) && self.left.get(other) > self.left.get(&module)
        };
        modules.into_iter().filter(is_around).min_by_key(|other| self.entered.get(other))
    }
}

impl Walk<'_> {
    fn visit(&mut self, root: ModuleId, is_end: impl Fn(ModuleId) -> bool) {
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(root, false)];
        while let Some((module, done)) = stack.pop() {
            if done {
                self.order.push(module);
            } else if self.seen.insert(module) {
                self.entered.push(module);
                stack.push((module, true));
                if !is_end(module) {
                    stack.extend(self.imports[module.index()].iter().rev().map(|module| (*module, false)));
                }
            }
        }
    }
}

/// The modules that a module asks for.
fn targets(modules: &[Module], module: ModuleId) -> impl DoubleEndedIterator<Item = (ModuleId, ImportKind)> {
    modules[module.index()].imported_modules().map(|(record, target)| (target, record.kind))
}
