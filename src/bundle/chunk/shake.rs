//! Tree shaking, statement by statement: what runs, and what that needs.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use swc_core::atoms::Atom;

use super::{
    junctions::junctions,
    needs::{lazy_namespace, needs},
    used::live_parts,
};
use crate::bundle::{
    analyze::purity::Effect,
    graph::ModuleGraph,
    is_virtual,
    link::Links,
    module::{Code, Format, Module, ModuleId, Record, Request, RequestKind, Symbol, Target, Use, synthetic},
};

/// How much it matters when a module is evaluated, among modules that do not import each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evaluation {
    /// Not at all: it only declares functions and constants.
    Inert,
    /// Not beyond what it imports: its package says that it has no side effects.
    Free,
    /// It may see what others have changed before it.
    Observes,
    /// It may change what others see.
    Changes,
}

/// What is left of a graph.
pub(crate) struct Live {
    /// For each module, which of its statements stay.
    statements: Vec<Vec<bool>>,
    /// Targets of the `import()`s that stay.
    pub dynamic_entries: BTreeSet<ModuleId>,
    /// For each CommonJS module of which something is left out, which of its parts stay.
    parts: FxHashMap<ModuleId, Vec<bool>>,
    /// See [`junctions`](super::junctions).
    junctions: FixedBitSet,
}

impl Live {
    /// Which parts of a CommonJS module stay. None stands for all of them.
    pub(crate) fn parts(&self, module: ModuleId) -> Option<&[bool]> {
        self.parts.get(&module).map(Vec::as_slice)
    }

    pub(crate) fn statement(&self, module: ModuleId, statement: usize) -> bool {
        self.statements[module.index()][statement]
    }

    /// What the evaluation of what stays of the module amounts to.
    pub(crate) fn evaluation(&self, modules: &[Module], links: &Links, module: ModuleId) -> Evaluation {
        if is_virtual(&modules[module.index()].name) {
            return Evaluation::Inert;
        }
        let statements = &modules[module.index()].record.statements;
        let most = if modules[module.index()].pure_package { Evaluation::Free } else { Evaluation::Changes };
        let of = |statement: usize| match statements[statement].code {
            Code::StarExports(_) if links.open_stars(module).is_empty() => Evaluation::Inert,
            _ => statements[statement].evaluation(),
        };
        let own = self.statements(module).map(of).max().unwrap_or(Evaluation::Inert).min(most);
        if self.is_junction(module) { own.max(Evaluation::Observes) } else { own }
    }

    /// Whether anything of the module stays, be it only its evaluation.
    pub(crate) fn module(&self, module: ModuleId) -> bool {
        self.is_junction(module) || self.statements[module.index()].contains(&true)
    }

    /// Whether the module's own statements change nothing, and yet it matters when it is evaluated.
    pub(crate) fn is_junction(&self, module: ModuleId) -> bool {
        self.junctions.contains(module.index())
    }

    /// The numbers of a module's statements that stay.
    pub(crate) fn statements(&self, module: ModuleId) -> impl Iterator<Item = usize> {
        self.statements[module.index()].iter().enumerate().filter(|(_, live)| **live).map(|(index, _)| index)
    }
}

/// Marks what the entries need. `namespaces` are needed besides, as objects.
pub(crate) fn shake(graph: &ModuleGraph, links: &Links, namespaces: &BTreeSet<Symbol>) -> Live {
    let mut shaker = Shaker::new(graph, links);
    for &entry in &graph.entries {
        shaker.entry(entry);
    }
    for symbol in namespaces {
        shaker.symbol(symbol);
    }
    shaker.run();
    let mut live = Live {
        statements: shaker.live,
        dynamic_entries: shaker.dynamic_entries,
        parts: FxHashMap::default(),
        junctions: FixedBitSet::new(),
    };
    live.parts = live_parts(graph, links, &live);
    live.junctions = junctions(&graph.modules, |module| live.evaluation(&graph.modules, links, module));
    live
}

struct Shaker<'a> {
    modules: &'a [Module],
    links: &'a Links,
    /// For each module, the statements that declare a name or complete the object it is bound to.
    owners: Vec<FxHashMap<&'a Atom, Vec<usize>>>,
    live: Vec<Vec<bool>>,
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
            live: modules.iter().map(|module| vec![false; module.record.statements.len()]).collect(),
            evaluated: vec![false; modules.len()],
            dynamic_entries: BTreeSet::new(),
            queue: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some((module, statement)) = self.queue.pop() {
            let modules = self.modules;
            let record = &modules[module.index()].record;
            for symbol in needs(modules, self.links, module, &record.statements[statement]) {
                self.symbol(&symbol);
            }
            for item in &record.statements[statement].uses {
                if let Some(target) = dynamic_target(record, item) {
                    self.dynamic_entries.insert(target);
                    self.lazy_entry(module, target);
                }
            }
        }
    }

    /// All that a module offers is used, by whoever imports it at run time.
    fn entry(&mut self, module: ModuleId) {
        match self.modules[module.index()].record.format {
            Format::CommonJs => self.symbol(&Symbol::new(module, synthetic::INTEROP_NAMESPACE)),
            Format::Esm => {
                self.evaluate(module);
                self.exports(module);
            }
        }
    }

    /// The same, of what `importer` loads with `import()`.
    fn lazy_entry(&mut self, importer: ModuleId, target: ModuleId) {
        match self.modules[target.index()].record.format {
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
        if self.modules[module.index()].record.format == Format::Esm {
            self.evaluate(module);
        }
        for statement in self.owners[module.index()].get(&symbol.name).cloned().unwrap_or_default() {
            self.statement(module, statement);
        }
    }

    fn statement(&mut self, module: ModuleId, statement: usize) {
        if std::mem::replace(&mut self.live[module.index()][statement], true) {
            return;
        }
        self.queue.push((module, statement));
        let modules = self.modules;
        // Whatever keeps one name of a statement keeps what completes its other names.
        for name in &modules[module.index()].record.statements[statement].declares {
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
            for (index, statement) in modules[module.index()].record.statements.iter().enumerate() {
                if statement.effect == Effect::Any {
                    self.statement(module, index);
                }
            }
            stack.extend(evaluated_imports(modules, module));
        }
    }
}

/// The modules that run because `module` imports them, in order.
pub(crate) fn evaluated_imports(modules: &[Module], module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let requests = &modules[module.index()].record.requests;
    requests.iter().filter_map(|request| match (request.kind, &request.target) {
        (RequestKind::Import, Target::Module(target)) if !modules[target.index()].pure_package => Some(*target),
        _ => None,
    })
}

/// The module that a use loads with `import()`.
pub(crate) fn dynamic_target(record: &Record, item: &Use) -> Option<ModuleId> {
    requested_target(record, item, |kind| matches!(kind, RequestKind::Dynamic { .. }))
}

/// The module that a use asks for with `require`.
pub(crate) fn required_target(record: &Record, item: &Use) -> Option<ModuleId> {
    requested_target(record, item, |kind| matches!(kind, RequestKind::Require { .. }))
}

fn requested_target(record: &Record, item: &Use, is_kind: impl Fn(RequestKind) -> bool) -> Option<ModuleId> {
    let Use::Request(request) = item else { return None };
    let Request { kind, target, .. } = &record.requests[*request];
    match target {
        Target::Module(target) if is_kind(*kind) => Some(*target),
        _ => None,
    }
}

fn owners(module: &Module) -> FxHashMap<&Atom, Vec<usize>> {
    let mut owners: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
    for (index, statement) in module.record.statements.iter().enumerate() {
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
