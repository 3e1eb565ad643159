//! Which modules must not run when their chunk is loaded, but when something asks for them.
//!
//! A chunk holds what several entries share, and runs before the modules that load it. That is too soon for a module that
//! the language would evaluate after one of theirs, and for one that only `require` or `import()` reaches. Such a module
//! is *deferred*: its code becomes a function, which each of its importers calls where its own evaluation begins.
//!
//! What must be deferred is found by trying: loading is simulated for each entry, and whatever runs too soon is deferred,
//! until nothing does. With everything deferred the order is that of the language, so this ends.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    edges::Edges,
    order::EvaluationOrder,
    shake::{Evaluation, Live, required_target},
    waiting::{waiting, waiting_beside_others},
};
use crate::bundle::{
    graph::ModuleGraph,
    link::Links,
    module::{Format, ModuleId},
};

/// One way into the graph: a user entry, or the target of an `import()`.
pub(crate) struct Root<'a> {
    pub module: ModuleId,
    /// The modules that run when it is loaded, in order, unless they are deferred.
    pub loaded: Vec<ModuleId>,
    /// All modules that it needs.
    pub reached: &'a FixedBitSet,
    /// The modules that were loaded before.
    pub available: &'a FixedBitSet,
    /// Whether its chunk is loaded for others, too, so that an `import()` starts it only after loading if it is deferred.
    pub is_shared: bool,
}

/// The modules that are deferred, and who runs them.
#[derive(Default)]
pub(crate) struct Deferred {
    modules: FxHashSet<ModuleId>,
    /// For each module, what its evaluation begins with, in order. Modules whose evaluation means nothing are looked
    /// through.
    evaluates: Vec<Vec<ModuleId>>,
    inert: Vec<bool>,
    first: FxHashSet<ModuleId>,
    /// Those whose evaluation waits for something.
    waiting: FxHashSet<ModuleId>,
}

impl Deferred {
    pub(crate) fn contains(&self, module: ModuleId) -> bool {
        self.modules.contains(&module)
    }

    /// Whether evaluating a deferred module waits for something (top-level `await`).
    pub(crate) fn is_async(&self, module: ModuleId) -> bool {
        self.waiting.contains(&module)
    }

    /// The deferred modules, in no particular order.
    pub(crate) fn modules(&self) -> impl Iterator<Item = ModuleId> {
        self.modules.iter().copied()
    }

    /// Whether a module must run before all others, because a `require` may ask for it at any time. It means nothing to
    /// the others.
    pub(crate) fn runs_first(&self, module: ModuleId) -> bool {
        self.first.contains(&module)
    }

    /// The deferred modules that run when `module` does, before it, in order.
    pub(crate) fn started_by(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        let evaluates = if self.inert[module.index()] { &[] } else { self.evaluates[module.index()].as_slice() };
        evaluates.iter().copied().filter(|module| self.contains(*module))
    }

    /// The deferred modules that the file of an entry runs, after the modules that are in it.
    pub(crate) fn started_by_entry(&self, entry: ModuleId, live: &Live) -> Vec<ModuleId> {
        if self.contains(entry) {
            vec![entry]
        } else if live.module(entry) {
            Vec::new()
        } else {
            self.started_by(entry).collect()
        }
    }
}

/// Finds the modules to defer.
pub(crate) fn deferred(
    graph: &ModuleGraph,
    links: &Links,
    live: &Live,
    order: &EvaluationOrder,
    edges: &Edges,
    roots: &[Root<'_>],
) -> Deferred {
    let mut search = Search::new(graph, links, live, order, edges, roots);
    for root in roots {
        let modules: Vec<ModuleId> = search.reached_in_order(order, root).collect();
        let beside = waiting_beside_others(&graph.modules, &modules, &|module| &search.evaluates[module.index()]);
        search.deferred.extend(beside);
    }
    let prescribed: Vec<Prescribed> = roots.iter().map(|root| search.prescribed(order, root)).collect();
    loop {
        let before = search.deferred.len();
        for (root, prescribed) in roots.iter().zip(&prescribed) {
            search.simulate(root, prescribed);
        }
        if search.deferred.len() == before {
            break;
        }
    }
    let inert = search.evaluations.iter().map(|evaluation| *evaluation == Evaluation::Inert).collect();
    let required = required_modules(graph, live).flat_map(|module| order.from(module));
    let first = required.filter(|module| search.evaluation(*module) == Evaluation::Inert).collect();
    let Search { deferred: modules, evaluates, .. } = search;
    let mut deferred = Deferred { modules, evaluates, inert, first, waiting: FxHashSet::default() };
    deferred.waiting = waiting(&graph.modules, &deferred);
    deferred
}

fn ids(graph: &ModuleGraph) -> impl Iterator<Item = ModuleId> + use<> {
    (0..graph.modules.len()).map(ModuleId::at)
}

/// What the language says of a root: the modules that matter, in order.
struct Prescribed {
    modules: Vec<ModuleId>,
    position: FxHashMap<ModuleId, usize>,
}

struct Search {
    evaluates: Vec<Vec<ModuleId>>,
    evaluations: Vec<Evaluation>,
    deferred: FxHashSet<ModuleId>,
}

impl Search {
    fn new(
        graph: &ModuleGraph,
        links: &Links,
        live: &Live,
        order: &EvaluationOrder,
        edges: &Edges,
        roots: &[Root<'_>],
    ) -> Self {
        let mut evaluations: Vec<Evaluation> =
            ids(graph).map(|module| live.evaluation(&graph.modules, links, module)).collect();
        let begins = Beginnings { order, edges, evaluations: &evaluations };
        let evaluates: Vec<Vec<ModuleId>> = ids(graph).map(|module| begins.of(module)).collect();
        // Whoever asks for a module by itself runs what it imports.
        let required: Vec<ModuleId> = required_modules(graph, live).collect();
        for module in roots.iter().map(|root| root.module).chain(required.iter().copied()) {
            if !evaluates[module.index()].is_empty() {
                let evaluation = &mut evaluations[module.index()];
                *evaluation = Evaluation::max(*evaluation, Evaluation::Observes);
            }
        }
        let mut search = Self { evaluates, evaluations, deferred: FxHashSet::default() };
        // When a `require` asks for them shows only when it runs.
        for module in required {
            search.defer_all(module);
        }
        search
    }

    /// Defers a module and all that it evaluates.
    fn defer_all(&mut self, module: ModuleId) {
        let mut stack = vec![module];
        while let Some(module) = stack.pop() {
            if self.evaluation(module) > Evaluation::Inert && self.deferred.insert(module) {
                stack.extend(&self.evaluates[module.index()]);
            }
        }
    }

    fn evaluation(&self, module: ModuleId) -> Evaluation {
        self.evaluations[module.index()]
    }

    fn prescribed(&self, order: &EvaluationOrder, root: &Root<'_>) -> Prescribed {
        let matters = |module: &ModuleId| self.evaluation(*module) > Evaluation::Free;
        let modules: Vec<ModuleId> = self.reached_in_order(order, root).filter(matters).collect();
        let position = modules.iter().enumerate().map(|(position, module)| (*module, position)).collect();
        Prescribed { modules, position }
    }

    /// The modules that a root needs and whose evaluation means something, in the order of the language.
    fn reached_in_order(&self, order: &EvaluationOrder, root: &Root<'_>) -> impl Iterator<Item = ModuleId> {
        let all = order.from(root.module).into_iter();
        all.filter(|module| self.evaluation(*module) > Evaluation::Inert && root.reached.contains(module.index()))
    }

    /// Loads a root, and defers what runs too soon.
    fn simulate(&mut self, root: &Root<'_>, prescribed: &Prescribed) {
        let mut run = Run::new(self, root, prescribed);
        // Other code runs between the loading of a chunk and a start, but not between two modules.
        let starts_late = root.is_shared && self.deferred.contains(&root.module);
        for &module in &root.loaded {
            if self.deferred.contains(&module) || self.evaluation(module) == Evaluation::Inert {
                continue;
            }
            let started = self.started_by(module, &run);
            let is_late = starts_late && self.evaluation(module) == Evaluation::Changes;
            if is_late || !run.go_on(self, prescribed, &started) {
                self.deferred.insert(module);
            }
        }
    }

    /// The modules that run when `module` does, itself last: before it the deferred ones it imports, if they have not run.
    fn started_by(&self, module: ModuleId, run: &Run) -> Vec<ModuleId> {
        let mut started = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(module, false)];
        while let Some((next, done)) = stack.pop() {
            if done {
                started.push(next);
            } else if !run.done.contains(&next) && seen.insert(next) {
                stack.push((next, true));
                let before = self.evaluates[next.index()].iter().rev().filter(|before| self.deferred.contains(before));
                stack.extend(before.map(|before| (*before, false)));
            }
        }
        started
    }
}

/// Finds what the evaluation of modules begins with. Modules whose own evaluation means nothing are looked through.
struct Beginnings<'a> {
    order: &'a EvaluationOrder,
    edges: &'a Edges,
    evaluations: &'a [Evaluation],
}

impl Beginnings<'_> {
    /// The modules that `module` evaluates first, in order.
    fn of(&self, module: ModuleId) -> Vec<ModuleId> {
        let mut needed = self.needed_by(module);
        if needed.is_empty() {
            return Vec::new();
        }
        let found_before = |needed: &FxHashSet<ModuleId>, ends: bool| -> Vec<ModuleId> {
            let found = self.order.before(module, |next| ends && needed.contains(&next));
            found.into_iter().filter(|next| needed.contains(next)).collect()
        };
        let direct = found_before(&needed, true);
        let started = self.started_by(module, &direct);
        if found_before(&needed, false).iter().all(|next| started.contains(next)) {
            return direct;
        }
        // A module evaluates only what somebody may notice or what it needs itself. What an importer takes from behind it
        // is the importer's to evaluate, in its place among what the module does. In a circle, only the module itself can
        // start the others, since it must have been begun by then.
        let leads_back = |next: &ModuleId| {
            let started = self.started_by(module, &[*next]);
            direct.iter().any(|direct| direct != next && started.contains(direct))
        };
        let others = direct.iter().flat_map(|next| self.needed_by(*next));
        needed.extend(others.filter(|next| !leads_back(next)));
        found_before(&needed, false)
    }

    /// What `module` starts with `direct`. A module without `import` starts nothing: what it requires, its code asks for.
    fn started_by(&self, module: ModuleId, direct: &[ModuleId]) -> FxHashSet<ModuleId> {
        let mut started = FxHashSet::from_iter([module]);
        let mut stack = direct.to_vec();
        while let Some(next) = stack.pop() {
            if started.insert(next) && self.order.imports(next) {
                stack.extend(self.needed_by(next));
            }
        }
        started
    }

    fn needed_by(&self, module: ModuleId) -> FxHashSet<ModuleId> {
        let mut found = FxHashSet::default();
        let mut seen = FxHashSet::from_iter([module]);
        let mut stack: Vec<ModuleId> = self.edges.of(module).to_vec();
        while let Some(next) = stack.pop() {
            if !seen.insert(next) {
                continue;
            }
            if self.evaluations[next.index()] == Evaluation::Inert {
                stack.extend(self.edges.of(next));
            } else {
                found.insert(next);
            }
        }
        found
    }
}

/// The ES modules that the remaining code asks for with `require`.
fn required_modules<'a>(graph: &'a ModuleGraph, live: &'a Live) -> impl Iterator<Item = ModuleId> + 'a {
    let statements = graph.modules.iter().enumerate().flat_map(|(index, module)| {
        live.statements(ModuleId::at(index))
            .map(move |statement| (&module.record, &module.record.statements[statement]))
    });
    let uses = statements.flat_map(|(record, statement)| statement.uses.iter().map(move |item| (record, item)));
    let required = uses.filter_map(|(record, item)| required_target(record, item));
    required.filter(|target| graph.modules[target.index()].record.format == Format::Esm)
}

/// How far a simulated run has come.
struct Run {
    done: FxHashSet<ModuleId>,
    /// The first module of the prescribed ones that has not run.
    next: usize,
    /// The first one of these that changes what others see.
    next_change: usize,
}

impl Run {
    fn new(search: &Search, root: &Root<'_>, prescribed: &Prescribed) -> Self {
        let has_run =
            |module: &&ModuleId| root.available.contains(module.index()) && !search.deferred.contains(*module);
        let done = prescribed.modules.iter().filter(has_run).copied().collect();
        let mut run = Self { done, next: 0, next_change: 0 };
        run.advance(search, prescribed);
        run
    }

    fn advance(&mut self, search: &Search, prescribed: &Prescribed) {
        let modules = &prescribed.modules;
        while modules.get(self.next).is_some_and(|module| self.done.contains(module)) {
            self.next += 1;
        }
        let is_passed =
            |module: &ModuleId| self.done.contains(module) || search.evaluation(*module) != Evaluation::Changes;
        while modules.get(self.next_change).is_some_and(is_passed) {
            self.next_change += 1;
        }
    }

    /// Runs `modules`, unless one of them would come too soon.
    fn go_on(&mut self, search: &Search, prescribed: &Prescribed, modules: &[ModuleId]) -> bool {
        let (next, next_change) = (self.next, self.next_change);
        for (count, module) in modules.iter().enumerate() {
            let missed = match search.evaluation(*module) {
                Evaluation::Inert | Evaluation::Free => None,
                Evaluation::Observes => Some(self.next_change),
                Evaluation::Changes => Some(self.next),
            };
            let comes_after = |missed| prescribed.position.get(module).is_none_or(|position| *position > missed);
            if missed.is_some_and(comes_after) {
                modules[..count].iter().for_each(|module| {
                    self.done.remove(module);
                });
                (self.next, self.next_change) = (next, next_change);
                return false;
            }
            self.done.insert(*module);
            self.advance(search, prescribed);
        }
        true
    }
}
