//! In which order code runs.

use rustc_hash::FxHashSet;

use super::{ChunkId, edges::Edges, shake::Live};
use crate::bundle::{
    graph::ModuleGraph,
    module::{Format, Module, ModuleId, RequestKind, Target},
};

/// Which modules must have been evaluated before which, and so the order that the language prescribes.
pub(crate) struct EvaluationOrder {
    /// For each module, those that its `import`s evaluate, in order. Modules without code are looked through.
    before: Vec<Vec<ModuleId>>,
}

impl EvaluationOrder {
    /// `edges` say which modules the code of each module needs: what a package without side effects would evaluate for
    /// nobody is left out.
    pub(crate) fn new(graph: &ModuleGraph, edges: &Edges, live: &Live) -> Self {
        let search = Search { modules: &graph.modules, edges, live };
        Self { before: ids(graph).map(|module| search.before(module)).collect() }
    }

    /// The modules with code whose evaluation `module` begins with, in order.
    pub(crate) fn before(&self, module: ModuleId) -> &[ModuleId] {
        &self.before[module.index()]
    }

    /// Depth first along `import`s from `root`, as the language says. `root` comes last.
    pub(crate) fn from(&self, root: ModuleId) -> Vec<ModuleId> {
        let mut walk = self.walk();
        walk.visit(root);
        walk.order
    }

    /// An order for all modules with code that agrees with what the language says of each of `roots` wherever these
    /// agree. What only `require` reaches comes after.
    pub(crate) fn of_all(&self, graph: &ModuleGraph, live: &Live, roots: &[ModuleId]) -> Vec<ModuleId> {
        let mut walk = self.walk();
        for root in std::iter::once(ModuleId::HELPERS).chain(roots.iter().copied()) {
            walk.visit(root);
        }
        let mut next = 0;
        while let Some(&module) = walk.order.get(next) {
            for (target, _) in targets(&graph.modules, module) {
                walk.visit(target);
            }
            next += 1;
        }
        for module in ids(graph) {
            walk.visit(module);
        }
        walk.order.retain(|module| live.module(*module));
        walk.order
    }

    fn walk(&self) -> Walk<'_> {
        Walk { before: &self.before, seen: FxHashSet::default(), order: Vec::new() }
    }
}

fn ids(graph: &ModuleGraph) -> impl Iterator<Item = ModuleId> + use<> {
    (0..graph.modules.len()).map(ModuleId::at)
}

struct Search<'a> {
    modules: &'a [Module],
    edges: &'a Edges,
    live: &'a Live,
}

impl Search<'_> {
    fn before(&self, module: ModuleId) -> Vec<ModuleId> {
        if self.modules[module.index()].record.format == Format::CommonJs {
            return Vec::new();
        }
        let mut needed = self.edges.present(module, self.live);
        let direct = self.imports(module, |next| self.live.module(next));
        let direct: Vec<ModuleId> = direct.into_iter().filter(|next| needed.contains(next)).collect();
        let all = self.imports(module, |next| self.live.module(next) && !self.modules[next.index()].pure_package);
        if direct.len() == all.iter().filter(|next| needed.contains(next)).count() {
            return direct;
        }
        // A package without side effects evaluates only what it needs itself. What an importer takes from behind it is the
        // importer's to evaluate, in its place among what the package does.
        for &next in &direct {
            needed.extend(self.edges.present(next, self.live));
        }
        all.into_iter().filter(|next| needed.contains(next)).collect()
    }

    /// The modules with code that are met depth first along `import`s, those that others lead to before these; no further
    /// than what `is_end` says.
    fn imports(&self, module: ModuleId, is_end: impl Fn(ModuleId) -> bool) -> Vec<ModuleId> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::from_iter([module]);
        let mut stack: Vec<(ModuleId, bool)> = self.imported(module).rev().map(|next| (next, false)).collect();
        while let Some((next, done)) = stack.pop() {
            if done {
                found.push(next);
            } else if seen.insert(next) {
                if self.live.module(next) {
                    stack.push((next, true));
                }
                if !is_end(next) {
                    stack.extend(self.imported(next).rev().map(|next| (next, false)));
                }
            }
        }
        found
    }

    fn imported(&self, module: ModuleId) -> impl DoubleEndedIterator<Item = ModuleId> {
        targets(self.modules, module).filter(|(_, kind)| *kind == RequestKind::Import).map(|(target, _)| target)
    }
}

struct Walk<'a> {
    before: &'a [Vec<ModuleId>],
    seen: FxHashSet<ModuleId>,
    order: Vec<ModuleId>,
}

impl Walk<'_> {
    fn visit(&mut self, root: ModuleId) {
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(root, false)];
        while let Some((module, done)) = stack.pop() {
            if done {
                self.order.push(module);
            } else if self.seen.insert(module) {
                stack.push((module, true));
                stack.extend(self.before[module.index()].iter().rev().map(|module| (*module, false)));
            }
        }
    }
}

/// The modules that a module asks for.
fn targets(modules: &[Module], module: ModuleId) -> impl DoubleEndedIterator<Item = (ModuleId, RequestKind)> {
    modules[module.index()].record.requests.iter().filter_map(|request| match request.target {
        Target::Module(target) => Some((target, request.kind)),
        _ => None,
    })
}

/// A chunk and all that it requires, in the order in which they run.
pub(crate) fn loading_order(chunk: ChunkId, requires: &[Vec<ChunkId>]) -> Vec<ChunkId> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
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
