//! Tree shaking, statement by statement: what runs, and what that needs.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use swc_core::atoms::Atom;

use super::{
    graph::ModuleGraph,
    link::Links,
    module::{Format, Module, ModuleId, Record, Request, RequestKind, Symbol, Target, Use, synthetic},
    needs::needs,
    purity::Effect,
};

/// What is left of a graph.
pub(super) struct Live {
    /// For each module, which of its statements stay.
    statements: Vec<Vec<bool>>,
    /// Targets of the `import()`s that stay.
    pub dynamic_entries: BTreeSet<ModuleId>,
}

impl Live {
    pub(super) fn statement(&self, module: ModuleId, statement: usize) -> bool {
        self.statements[module.index()][statement]
    }

    /// Whether anything of the module stays.
    pub(super) fn module(&self, module: ModuleId) -> bool {
        self.statements[module.index()].contains(&true)
    }

    /// The numbers of a module's statements that stay.
    pub(super) fn statements(&self, module: ModuleId) -> impl Iterator<Item = usize> {
        self.statements[module.index()].iter().enumerate().filter(|(_, live)| **live).map(|(index, _)| index)
    }
}

/// Marks what the entries need. `namespaces` are needed besides, as objects.
pub(super) fn shake(graph: &ModuleGraph, links: &Links, namespaces: &BTreeSet<Symbol>) -> Live {
    let mut shaker = Shaker::new(graph, links);
    for &entry in &graph.entries {
        shaker.entry(entry);
    }
    for symbol in namespaces {
        shaker.symbol(symbol);
    }
    shaker.run();
    Live { statements: shaker.live, dynamic_entries: shaker.dynamic_entries }
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
                    self.entry(target);
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
pub(super) fn evaluated_imports(modules: &[Module], module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let requests = &modules[module.index()].record.requests;
    requests.iter().filter_map(|request| match (request.kind, &request.target) {
        (RequestKind::Import, Target::Module(target)) if !modules[target.index()].pure_package => Some(*target),
        _ => None,
    })
}

/// The module that a use loads with `import()`.
pub(super) fn dynamic_target(record: &Record, item: &Use) -> Option<ModuleId> {
    let Use::Request(request) = item else { return None };
    match &record.requests[*request] {
        Request { kind: RequestKind::Dynamic, target: Target::Module(target), .. } => Some(*target),
        _ => None,
    }
}

fn owners(module: &Module) -> FxHashMap<&Atom, Vec<usize>> {
    let mut owners: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
    for (index, statement) in module.record.statements.iter().enumerate() {
        let completed = match &statement.effect {
            Effect::On(name) => Some(name),
            Effect::None | Effect::Any => None,
        };
        for name in statement.declares.iter().chain(completed) {
            owners.entry(name).or_default().push(index);
        }
    }
    owners
}

/// For each module that stays, the modules that its code needs loaded before it runs, in order, without repeats.
pub(super) fn static_edges(graph: &ModuleGraph, links: &Links, live: &Live) -> BTreeMap<ModuleId, Vec<ModuleId>> {
    (0..graph.modules.len()).map(ModuleId::at).map(|id| (id, edges_of(graph, links, live, id))).collect()
}

fn edges_of(graph: &ModuleGraph, links: &Links, live: &Live, id: ModuleId) -> Vec<ModuleId> {
    let record = &graph.modules[id.index()].record;
    let mut edges: Vec<ModuleId> = evaluated_imports(&graph.modules, id).collect();
    for statement in live.statements(id) {
        let symbols = needs(&graph.modules, links, id, &record.statements[statement]);
        edges.extend(symbols.into_iter().map(|symbol| symbol.module));
    }
    let mut seen = BTreeSet::from([id]);
    edges.retain(|edge| seen.insert(*edge));
    edges
}
