//! Tree shaking, statement by statement: includes what runs, and what that references.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use swc_core::atoms::Atom;

use super::{
    included::{Included, IncludedStatements, dynamic_target, evaluated_imports},
    order_sensitive::order_sensitive,
    references::{lazy_namespace, references},
    used_exports::included_parts,
};
use crate::{
    effect::Effect,
    graph::ModuleGraph,
    link::Links,
    module::{Format, Module, ModuleId, Symbol, synthetic},
};

/// Includes what the entries need. `namespaces` are needed besides, as objects.
pub(crate) fn shake(graph: &ModuleGraph, links: &Links, namespaces: &BTreeSet<Symbol>) -> Included {
    let mut shaker = Shaker::new(graph, links);
    for entry in graph.asked_for() {
        shaker.entry(entry);
    }
    let is_common_js = |entry: &&ModuleId| graph.modules[entry.index()].scan.format == Format::CommonJs;
    for &entry in graph.lazy_entries.iter().filter(is_common_js) {
        shaker.symbol(&Symbol::new(entry, synthetic::INTEROP_DEFAULT));
    }
    for symbol in namespaces {
        shaker.symbol(symbol);
    }
    shaker.run();
    let Shaker { included, dynamic_entries, .. } = shaker;
    let statements = IncludedStatements(included);
    let parts = included_parts(graph, links, &statements, &dynamic_entries);
    let order_sensitive =
        order_sensitive(&graph.modules, |module| statements.evaluation(&graph.modules, links, module));
    Included { statements, dynamic_entries, parts, order_sensitive }
}

struct Shaker<'a> {
    modules: &'a [Module],
    links: &'a Links,
    /// For each module, the statements that declare a name or complete the object it is bound to.
    owners: Vec<FxHashMap<&'a Atom, Vec<usize>>>,
    included: Vec<Vec<bool>>,
    evaluated: Vec<bool>,
    dynamic_entries: BTreeSet<ModuleId>,
    queue: Vec<(ModuleId, usize)>,
}

impl<'a> Shaker<'a> {
    fn new(graph: &'a ModuleGraph, links: &'a Links) -> Self {
        let modules = &graph.modules;
        Self {
            modules,
            links,
            owners: modules.iter().map(owners).collect(),
            included: modules.iter().map(|module| vec![false; module.scan.statements.len()]).collect(),
            evaluated: vec![false; modules.len()],
            dynamic_entries: BTreeSet::new(),
            queue: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some((module, statement)) = self.queue.pop() {
            let modules = self.modules;
            let importer = &modules[module.index()];
            let statement = &importer.scan.statements[statement];
            for symbol in references(modules, self.links, module, statement) {
                self.symbol(&symbol);
            }
            for item in &statement.uses {
                if let Some(target) = dynamic_target(importer, item) {
                    self.dynamic_entries.insert(target);
                    self.lazy_entry(module, target);
                }
            }
        }
    }

    /// All that a module exports is used, by what imports it at run time.
    fn entry(&mut self, module: ModuleId) {
        match self.modules[module.index()].scan.format {
            Format::CommonJs => self.symbol(&Symbol::new(module, synthetic::INTEROP_NAMESPACE)),
            Format::Esm => {
                self.evaluate(module);
                self.exports(module);
            }
        }
    }

    /// The same, of what `importer` loads with `import()`.
    fn lazy_entry(&mut self, importer: ModuleId, target: ModuleId) {
        match self.modules[target.index()].scan.format {
            Format::CommonJs => self.symbol(&lazy_namespace(self.modules, importer, target)),
            Format::Esm => self.entry(target),
        }
    }

    fn exports(&mut self, module: ModuleId) {
        for binding in self.links.exports(module).values() {
            if let Some(symbol) = binding.symbol() {
                self.symbol(&symbol);
            }
        }
    }

    fn symbol(&mut self, symbol: &Symbol) {
        let module = symbol.module;
        if self.modules[module.index()].scan.format == Format::Esm {
            self.evaluate(module);
        }
        for statement in self.owners[module.index()].get(&symbol.name).cloned().unwrap_or_default() {
            self.statement(module, statement);
        }
    }

    fn statement(&mut self, module: ModuleId, statement: usize) {
        if std::mem::replace(&mut self.included[module.index()][statement], true) {
            return;
        }
        self.queue.push((module, statement));
        let modules = self.modules;
        // A statement kept for one of its names keeps what completes its other names.
        for name in &modules[module.index()].scan.statements[statement].declares {
            for owner in self.owners[module.index()].get(name).cloned().unwrap_or_default() {
                self.statement(module, owner);
            }
        }
    }

    /// The module runs: its effects stay, and those of the modules it imports.
    fn evaluate(&mut self, module: ModuleId) {
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![module];
        while let Some(module) = stack.pop() {
            if std::mem::replace(&mut self.evaluated[module.index()], true) {
                continue;
            }
            let modules = self.modules;
            let evaluated = &modules[module.index()];
            for statement in 0..evaluated.scan.statements.len() {
                if evaluated.has_effect(statement) {
                    self.statement(module, statement);
                }
            }
            stack.extend(evaluated_imports(modules, module));
        }
    }
}

fn owners(module: &Module) -> FxHashMap<&Atom, Vec<usize>> {
    let mut owners: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
    for (index, statement) in module.scan.statements.iter().enumerate() {
        let completed = match &statement.effect {
            Effect::On(name) => Some(name),
            Effect::None | Effect::Calls(_) | Effect::Any => None,
        };
        for name in statement.declares.iter().chain(completed) {
            owners.entry(name).or_default().push(index);
        }
    }
    owners
}
