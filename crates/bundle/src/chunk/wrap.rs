//! Wrapping: finds the modules that are evaluated lazily, when something asks for them and not when their chunk is loaded.
//!
//! A chunk holds what several entries share, and runs before the modules that load it. That is too soon for a module that
//! the language would evaluate after one of theirs, and for one that only `require` or `import()` reaches. Such a module
//! is *wrapped*: its code becomes a function `init_x`, which each of its importers calls where its own evaluation begins.
//!
//! Modules to wrap are found by trying: loading is simulated for each entry, and whatever runs too soon is wrapped,
//! until nothing does. With everything wrapped the order is that of the language, so this ends.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    dependencies::Dependencies,
    exec_order::EvaluationOrder,
    included::{Included, required_target},
    init_calls::InitCalls,
    reachability::ModuleSet,
    run::{Prescribed, Run},
    top_level_await::waiting_beside_others,
    wrapped::Wrapped,
};
use crate::{
    graph::ModuleGraph,
    link::Links,
    module::{Evaluation, Format, ModuleId},
};

/// An entry point: a user entry, or the target of an `import()`.
pub(crate) struct EntryPoint<'a> {
    pub module: ModuleId,
    /// The modules that run when it is loaded, in order, unless they are wrapped.
    pub loaded: Vec<ModuleId>,
    /// All modules that it needs.
    pub reached: &'a ModuleSet,
    /// The modules that were loaded before.
    pub available: &'a ModuleSet,
    /// The modules that it loads without a need, for others that need them.
    pub merged: &'a [ModuleId],
    /// True if its chunk is loaded for others, too, so that an `import()` starts it only after loading if it is wrapped.
    pub is_shared: bool,
}

impl EntryPoint<'_> {
    /// The modules that it needs, in the order of the language, and behind them what it loads for others.
    fn in_order(&self, order: &EvaluationOrder) -> impl Iterator<Item = ModuleId> {
        let needed = order.from(self.module).into_iter();
        needed.chain(self.merged.iter().copied()).filter(|module| self.reached.contains(module.index()))
    }
}

/// Finds the modules to wrap.
pub(crate) fn wrap(
    graph: &ModuleGraph,
    links: &Links,
    included: &Included,
    order: &EvaluationOrder,
    dependencies: &Dependencies,
    roots: &[EntryPoint<'_>],
) -> Wrapped {
    let mut search = Search::new(graph, links, included, order, dependencies, roots);
    for root in roots {
        let modules: Vec<ModuleId> = search.reached_in_order(order, root).collect();
        let beside = waiting_beside_others(&graph.modules, &modules, &|module| &search.evaluates[module.index()]);
        search.wrapped.extend(beside);
    }
    let cycle_of = cycle_of(order, included);
    let prescribed: Vec<Prescribed> = roots.iter().map(|root| search.prescribed(order, &cycle_of, root)).collect();
    loop {
        let before = search.wrapped.len();
        for (root, prescribed) in roots.iter().zip(&prescribed) {
            search.simulate(root, prescribed);
        }
        if search.wrapped.len() == before {
            break;
        }
    }
    let required = required_modules(graph, included).flat_map(|module| order.from(module));
    let first = required.filter(|module| search.evaluation(*module) == Evaluation::Inert).collect();
    let starts = ModuleId::all(graph.modules.len()).map(|module| search.starts_of(module)).collect();
    Wrapped::new(&graph.modules, search.wrapped, starts, first)
}

/// The number of the import cycle that a module with code is in.
fn cycle_of(order: &EvaluationOrder, included: &Included) -> FxHashMap<ModuleId, usize> {
    let cycles = order.cycles().into_iter().enumerate();
    let members = cycles.flat_map(|(cycle, members)| members.into_iter().map(move |module| (module, cycle)));
    members.filter(|(module, _)| included.has_module(*module)).collect()
}

struct Search {
    evaluates: Vec<Vec<ModuleId>>,
    evaluations: Vec<Evaluation>,
    wrapped: FxHashSet<ModuleId>,
}

impl Search {
    fn new(
        graph: &ModuleGraph,
        links: &Links,
        included: &Included,
        order: &EvaluationOrder,
        dependencies: &Dependencies,
        roots: &[EntryPoint<'_>],
    ) -> Self {
        let mut evaluations: Vec<Evaluation> = ModuleId::all(graph.modules.len())
            .map(|module| included.evaluation(&graph.modules, links, module))
            .collect();
        // Asking for a module by itself runs what it imports.
        let required: Vec<ModuleId> = required_modules(graph, included).collect();
        let mut asked_for: Vec<ModuleId> =
            roots.iter().map(|root| root.module).chain(required.iter().copied()).collect();
        let calls = InitCalls::new(order, dependencies, &evaluations);
        asked_for.retain(|module| !calls.of(*module).is_empty());
        for module in asked_for {
            let evaluation = &mut evaluations[module.index()];
            *evaluation = Evaluation::max(*evaluation, Evaluation::Observes);
        }
        let calls = InitCalls::new(order, dependencies, &evaluations);
        let evaluates: Vec<Vec<ModuleId>> = ModuleId::all(graph.modules.len()).map(|module| calls.of(module)).collect();
        let mut search = Self { evaluates, evaluations, wrapped: FxHashSet::default() };
        // A `require` may ask for them at any time.
        for module in required {
            search.wrap_all(module);
        }
        search
    }

    /// Wraps a module and all that it evaluates.
    fn wrap_all(&mut self, module: ModuleId) {
        let mut stack = vec![module];
        while let Some(module) = stack.pop() {
            if self.evaluation(module) > Evaluation::Inert && self.wrapped.insert(module) {
                stack.extend(&self.evaluates[module.index()]);
            }
        }
    }

    fn evaluation(&self, module: ModuleId) -> Evaluation {
        self.evaluations[module.index()]
    }

    /// The wrapped modules that the evaluation of `module` begins with.
    fn starts_of(&self, module: ModuleId) -> Vec<ModuleId> {
        if self.evaluation(module) == Evaluation::Inert {
            return Vec::new();
        }
        self.evaluates[module.index()].iter().copied().filter(|next| self.wrapped.contains(next)).collect()
    }

    fn prescribed(
        &self,
        order: &EvaluationOrder,
        cycle_of: &FxHashMap<ModuleId, usize>,
        root: &EntryPoint<'_>,
    ) -> Prescribed {
        Prescribed::new(root.in_order(order), |module| self.evaluation(module), cycle_of)
    }

    /// The modules that a root needs and whose evaluation means something, in the order of the language.
    fn reached_in_order(&self, order: &EvaluationOrder, root: &EntryPoint<'_>) -> impl Iterator<Item = ModuleId> {
        root.in_order(order).filter(|module| self.evaluation(*module) > Evaluation::Inert)
    }

    /// Loads a root, and wraps what runs too soon.
    fn simulate(&mut self, root: &EntryPoint<'_>, prescribed: &Prescribed) {
        let has_run = |module: ModuleId| root.available.contains(module.index()) && !self.wrapped.contains(&module);
        let mut run = Run::new(prescribed, has_run);
        // Other code runs between the loading of a chunk and a start, but not between two modules.
        let starts_late = root.is_shared && self.wrapped.contains(&root.module);
        for &module in &root.loaded {
            if self.wrapped.contains(&module) {
                continue;
            }
            if self.evaluation(module) == Evaluation::Inert {
                run.pass(module);
                continue;
            }
            let started = self.started_by(module, &run);
            let is_late = starts_late && self.evaluation(module) == Evaluation::Changes;
            if is_late || !run.go_on(&started) {
                self.wrapped.insert(module);
            }
        }
    }

    /// The modules that run when `module` does, itself last: before it the wrapped ones it imports, if they have not run.
    fn started_by(&self, module: ModuleId, run: &Run<'_>) -> Vec<ModuleId> {
        let mut started = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![(module, false)];
        while let Some((next, done)) = stack.pop() {
            if done {
                started.push(next);
            } else if !run.has_run(next) && seen.insert(next) {
                stack.push((next, true));
                let before = self.evaluates[next.index()].iter().rev().filter(|before| self.wrapped.contains(before));
                stack.extend(before.map(|before| (*before, false)));
            }
        }
        started
    }
}

/// The ES modules that the remaining code asks for with `require`.
fn required_modules<'a>(graph: &'a ModuleGraph, included: &'a Included) -> impl Iterator<Item = ModuleId> + 'a {
    let statements = graph.modules.iter().enumerate().flat_map(|(index, module)| {
        included.statements(ModuleId::at(index)).map(move |statement| (module, &module.scan.statements[statement]))
    });
    let uses = statements.flat_map(|(module, statement)| statement.uses.iter().map(move |item| (module, item)));
    let required = uses.filter_map(|(module, item)| required_target(module, item));
    required.filter(|target| graph.modules[target.index()].scan.format == Format::Esm)
}
