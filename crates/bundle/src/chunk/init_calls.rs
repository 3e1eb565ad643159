//! The calls of `init_x()` that the evaluation of a wrapped module begins with, should what it needs be wrapped, too.

use rustc_hash::FxHashSet;

use super::{dependencies::Dependencies, exec_order::EvaluationOrder};
use crate::module::{Evaluation, ModuleId};

/// Finds what the evaluation of modules begins with.
pub(crate) struct InitCalls<'a> {
    order: &'a EvaluationOrder,
    /// For each module, those that it needs and whose evaluation means something. Others are looked through.
    needed: Vec<Vec<ModuleId>>,
}

impl<'a> InitCalls<'a> {
    pub(crate) fn new(order: &'a EvaluationOrder, dependencies: &Dependencies, evaluations: &[Evaluation]) -> Self {
        let modules = ModuleId::all(evaluations.len());
        Self { order, needed: modules.map(|module| needed(dependencies, evaluations, module)).collect() }
    }

    /// The modules that `module` evaluates first, in order.
    pub(crate) fn of(&self, module: ModuleId) -> Vec<ModuleId> {
        let needed: FxHashSet<ModuleId> = self.needed[module.index()].iter().copied().collect();
        if needed.is_empty() {
            return Vec::new();
        }
        let mut direct = self.order.before(module, |next| needed.contains(&next));
        direct.retain(|next| needed.contains(next));
        if direct.len() == needed.len() {
            return direct;
        }
        let mut started = FxHashSet::from_iter([module]);
        started.extend(self.started_by(&direct, &started));
        let all = self.order.before(module, |_| false);
        if all.iter().all(|next| started.contains(next) || !needed.contains(next)) {
            return direct;
        }
        self.in_turn(module, &needed, &direct)
    }

    /// The modules that `module` evaluates first, if the `direct` ones do not start all that it needs.
    ///
    /// A module evaluates only what is observable or what it needs itself. What an importer takes from behind it is
    /// the importer's to evaluate, in its place among what the module does. In an import cycle, a module starts
    /// others that the language has begun by then: these are started first, and come back to it.
    fn in_turn(&self, module: ModuleId, needed: &FxHashSet<ModuleId>, direct: &[ModuleId]) -> Vec<ModuleId> {
        let behind = self.started_behind(module, direct);
        let way = self.order.depth_first(module);
        let mut begun = FxHashSet::from_iter([module]);
        let mut calls = Vec::new();
        for &next in way.order.iter().filter(|next| needed.contains(next) || behind.contains(next)) {
            while let Some(outer) = way.outermost_around(next, self.started_by(&[next], &begun)) {
                begun.extend(self.started_by(&[outer], &begun));
                calls.push(outer);
            }
            let is_new = !begun.contains(&next);
            begun.extend(self.started_by(&[next], &begun));
            if is_new || (needed.contains(&next) && !calls.contains(&next)) {
                calls.push(next);
            }
        }
        calls
    }

    /// Modules that the `direct` ones start, so that what is taken from behind them has its place among these. Some lead
    /// to another direct one and are left to it, unless they are in an import cycle: they show where it is entered.
    fn started_behind(&self, module: ModuleId, direct: &[ModuleId]) -> FxHashSet<ModuleId> {
        let begun = FxHashSet::from_iter([module]);
        let starts_any = |next: ModuleId, others: &[ModuleId]| {
            let started = self.started_by(&[next], &begun);
            others.iter().any(|other| *other != next && started.contains(other))
        };
        let behind = direct.iter().flat_map(|next| {
            let started = &self.needed[next.index()];
            let is_circular = started.iter().any(|other| starts_any(*other, &[*next]));
            started.iter().copied().filter(move |other| is_circular || !starts_any(*other, direct))
        });
        behind.collect()
    }

    /// Modules that start with `modules` when the `begun` ones have been started. A module without `import` starts nothing:
    /// what it requires, its code asks for.
    fn started_by(&self, modules: &[ModuleId], begun: &FxHashSet<ModuleId>) -> FxHashSet<ModuleId> {
        let mut started = FxHashSet::default();
        let mut stack = modules.to_vec();
        while let Some(next) = stack.pop() {
            if !begun.contains(&next) && started.insert(next) && self.order.imports(next) {
                stack.extend(&self.needed[next.index()]);
            }
        }
        started
    }
}

/// The modules that `module` needs and whose evaluation means something, looking through the others.
fn needed(dependencies: &Dependencies, evaluations: &[Evaluation], module: ModuleId) -> Vec<ModuleId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([module]);
    let mut stack: Vec<ModuleId> = dependencies.of(module).to_vec();
    while let Some(next) = stack.pop() {
        if !seen.insert(next) {
            continue;
        }
        if evaluations[next.index()] == Evaluation::Inert {
            stack.extend(dependencies.of(next));
        } else {
            found.push(next);
        }
    }
    found
}
