//! What chunks take from each other: variables, namespaces for `import()`, style sheets.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::{
    Added, ChunkId, ChunkPlan, Division, EntryFile,
    defer::Deferred,
    needs::{entry_exports, lazy_namespace, needs},
    reach::{EntrySet, dynamic_targets},
    shake::{Live, evaluated_imports, required_target},
};
use crate::bundle::{
    graph::ModuleGraph,
    link::{Binding, Links},
    module::{Code, Format, ModuleId, Symbol, synthetic},
};

/// What an `import()` of a module turns into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DynamicImport {
    pub chunk: ChunkId,
    /// The variables of that chunk that hold the module's namespace, one for each kind of importer. None, if the chunk's
    /// own namespace is it.
    pub namespaces: BTreeSet<Symbol>,
    /// The function of that chunk that evaluates the module, if loading the chunk does not.
    pub init: Option<Symbol>,
}

/// The parts of a [`ChunkGraph`](super::ChunkGraph) that are about more than one chunk.
pub(crate) struct Exchange {
    pub needed: Vec<BTreeSet<Symbol>>,
    pub exported: Vec<BTreeSet<Symbol>>,
    pub dynamic: BTreeMap<ModuleId, DynamicImport>,
    pub styled: BTreeSet<ModuleId>,
    pub externals: Vec<Vec<ModuleId>>,
    pub lazy_targets: Vec<BTreeSet<ModuleId>>,
    /// Namespaces of targets of `import()` that have no code so far.
    pub missing: Vec<Symbol>,
}

/// The helper that loads style sheets beside a lazy chunk.
pub(crate) fn style_loader() -> Symbol {
    Symbol::new(ModuleId::HELPERS, "withStyles")
}

/// The helper that makes the function which evaluates a deferred module.
pub(crate) fn deferral(deferred: &Deferred, module: ModuleId) -> Symbol {
    let name = if deferred.is_async(module) { "deferredWaiting" } else { "deferred" };
    Symbol::new(ModuleId::HELPERS, name)
}

/// The function that evaluates a deferred module.
pub(crate) fn init_of(module: ModuleId) -> Symbol {
    Symbol::new(module, synthetic::INIT)
}

impl Exchange {
    /// Settles who takes what from whom. User entries whose files would export more than their modules do get files of
    /// their own.
    pub(crate) fn settle(
        graph: &ModuleGraph,
        links: &Links,
        live: &Live,
        division: &mut Division,
        loads_styles: bool,
    ) -> Self {
        let mut namespaces: BTreeMap<ModuleId, BTreeSet<Symbol>> = BTreeMap::new();
        for importer in (0..graph.modules.len()).map(ModuleId::at) {
            for target in dynamic_targets(graph, live, importer) {
                namespaces.entry(target).or_default().insert(lazy_namespace(&graph.modules, importer, target));
            }
        }
        let context = Context { graph, links, live, namespaces };
        let mut exchange = context.exchange(division, loads_styles);
        if context.separate_user_entries(division, &exchange.exported) {
            exchange = context.exchange(division, loads_styles);
        }
        exchange
    }

    /// What must stay in the graph because of the division into chunks.
    pub(crate) fn adds(&self, graph: &ModuleGraph, live: &Live, deferred: &Deferred) -> Added {
        let namespaces = self.dynamic.values().flat_map(|import| import.namespaces.iter().cloned());
        let mut symbols: BTreeSet<Symbol> = namespaces.chain(self.missing.iter().cloned()).collect();
        let mut helped: BTreeSet<ModuleId> = deferred.modules().collect();
        symbols.extend(helped.iter().map(|module| deferral(deferred, *module)));
        let ids = (0..graph.modules.len()).map(ModuleId::at);
        let loads_styles =
            |module: &ModuleId| dynamic_targets(graph, live, *module).any(|target| self.styled.contains(&target));
        let loaders: Vec<ModuleId> = ids.filter(loads_styles).collect();
        symbols.extend((!loaders.is_empty()).then(style_loader));
        helped.extend(loaders);
        Added { symbols, helped }
    }
}

struct Context<'a> {
    graph: &'a ModuleGraph,
    links: &'a Links,
    live: &'a Live,
    /// For each target of `import()`, the variables that hold its namespace.
    namespaces: BTreeMap<ModuleId, BTreeSet<Symbol>>,
}

impl Context<'_> {
    fn exchange(&self, division: &Division, loads_styles: bool) -> Exchange {
        let styled = if loads_styles { self.styled(division) } else { BTreeSet::new() };
        let lazy_targets: Vec<_> = division.chunks.iter().map(|chunk| self.lazy_targets(chunk)).collect();
        let mut needed: Vec<_> = division.chunks.iter().map(|chunk| self.needed_symbols(division, chunk)).collect();
        for (targets, symbols) in lazy_targets.iter().zip(&mut needed) {
            if !targets.is_disjoint(&styled) {
                symbols.insert(style_loader());
            }
        }
        let mut exported = vec![BTreeSet::new(); division.chunks.len()];
        for (index, symbols) in needed.iter().enumerate() {
            for symbol in symbols {
                if let Some(owner) = division.chunk_of.get(&symbol.module).filter(|owner| owner.0 != index) {
                    exported[owner.0].insert(symbol.clone());
                }
            }
        }
        let dynamic = self.dynamic_imports(division, &lazy_targets, &mut exported);
        let externals = division.chunks.iter().zip(&needed).map(|(chunk, needed)| self.externals(chunk, needed));
        let externals = externals.collect();
        let targets = self.live.dynamic_entries.iter().filter(|target| !dynamic.contains_key(target));
        let missing = targets.flat_map(|target| self.namespaces_of(*target)).collect();
        Exchange { needed, exported, dynamic, styled, externals, lazy_targets, missing }
    }

    /// The variables that a chunk's code mentions, its own and those of other chunks.
    fn needed_symbols(&self, division: &Division, chunk: &ChunkPlan) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        for &module in &chunk.modules {
            let record = &self.graph.modules[module.index()].record;
            for statement in self.live.statements(module).map(|statement| &record.statements[statement]) {
                symbols.extend(needs(&self.graph.modules, self.links, module, statement));
                let required = statement.uses.iter().filter_map(|item| required_target(record, item));
                symbols.extend(required.filter(|target| division.deferred.contains(*target)).map(init_of));
            }
            symbols.extend(division.deferred.started_by(module).map(init_of));
            if division.deferred.contains(module) {
                symbols.extend([init_of(module), deferral(&division.deferred, module)]);
            }
        }
        if let Some(entry) = chunk.entry {
            symbols.extend(entry_exports(&self.graph.modules, self.links, entry).values().filter_map(Binding::symbol));
            symbols.extend(division.deferred.started_by_entry(entry, self.live).into_iter().map(init_of));
        }
        symbols
    }

    /// What stays outside and a chunk imports, in the order in which its modules mention it.
    fn externals(&self, chunk: &ChunkPlan, needed: &BTreeSet<Symbol>) -> Vec<ModuleId> {
        let modules = &self.graph.modules;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let starts = chunk.modules.iter().copied().chain(chunk.entry);
        for start in starts {
            let mut stack = vec![start];
            while let Some(module) = stack.pop() {
                let is_passed = module == start || !self.live.module(module);
                if !is_passed || !seen.insert(module) {
                    continue;
                }
                found.extend(modules[module.index()].external.is_some().then_some(module));
                let mut imported: Vec<ModuleId> = evaluated_imports(modules, module).collect();
                imported.reverse();
                stack.extend(imported);
            }
        }
        let used =
            needed.iter().map(|symbol| symbol.module).filter(|module| modules[module.index()].external.is_some());
        found.extend(used.filter(|module| seen.insert(*module)).collect::<Vec<_>>());
        found
    }

    /// Gives files of their own to user entries whose module shares its chunk with other entries, or whose chunk would
    /// export names that the module does not. Returns whether there are any.
    fn separate_user_entries(&self, division: &mut Division, exported: &[BTreeSet<Symbol>]) -> bool {
        let mut any = false;
        for (number, &entry) in self.graph.entries.iter().enumerate() {
            let own = division.chunks.iter().position(|chunk| chunk.entry == Some(entry));
            let has_exports = !entry_exports(&self.graph.modules, self.links, entry).is_empty();
            let is_fine = own.is_some_and(|chunk| exported[chunk].is_empty() || !has_exports);
            if is_fine || self.graph.entries[..number].contains(&entry) {
                continue;
            }
            any = true;
            if let Some(own) = own {
                division.chunks[own].entry = None;
                division.chunks[own].is_user_entry = false;
            }
            let EntryFile { name, requires } = &division.entry_files[number];
            division.requires.push(requires.clone());
            division.chunks.push(ChunkPlan {
                name: name.clone(),
                entry: Some(entry),
                is_user_entry: true,
                loaded_by: EntrySet::default(),
                modules: Vec::new(),
            });
        }
        any
    }

    /// The targets of `import()` for which style sheets are loaded.
    fn styled(&self, division: &Division) -> BTreeSet<ModuleId> {
        let has_styles = |chunk: &&ChunkPlan| {
            chunk.modules.iter().any(|module| self.graph.modules[module.index()].stylesheet.is_some())
        };
        let mut numbers = EntrySet::with_capacity(division.roots.len());
        division.chunks.iter().filter(has_styles).for_each(|chunk| numbers.union_with(&chunk.loaded_by));
        let styled = numbers.ones().map(|number| division.roots[number]);
        styled.filter(|root| self.live.dynamic_entries.contains(root)).collect()
    }

    /// The modules that the code of a chunk loads with `import()`.
    fn lazy_targets(&self, chunk: &ChunkPlan) -> BTreeSet<ModuleId> {
        chunk.modules.iter().flat_map(|module| dynamic_targets(self.graph, self.live, *module)).collect()
    }

    fn dynamic_imports(
        &self,
        division: &Division,
        lazy_targets: &[BTreeSet<ModuleId>],
        exported: &mut [BTreeSet<Symbol>],
    ) -> BTreeMap<ModuleId, DynamicImport> {
        let is_loaded_from_outside = |target: &ModuleId, own: ChunkId| {
            lazy_targets.iter().enumerate().any(|(chunk, targets)| chunk != own.0 && targets.contains(target))
        };
        // An export for one `import()` keeps the chunk's own namespace from being what another one gives.
        loop {
            let targets = self.live.dynamic_entries.iter().copied();
            let imports: BTreeMap<_, _> =
                targets.filter_map(|target| Some((target, self.dynamic_import(division, exported, target)?))).collect();
            let before: usize = exported.iter().map(BTreeSet::len).sum();
            for (target, DynamicImport { chunk, namespaces, init }) in &imports {
                if is_loaded_from_outside(target, *chunk) {
                    exported[chunk.0].extend(namespaces.iter().chain(init).cloned());
                }
            }
            if exported.iter().map(BTreeSet::len).sum::<usize>() == before {
                return imports;
            }
        }
    }

    fn dynamic_import(
        &self,
        division: &Division,
        exported: &[BTreeSet<Symbol>],
        target: ModuleId,
    ) -> Option<DynamicImport> {
        let own = division.chunks.iter().position(|chunk| chunk.entry == Some(target)).map(ChunkId);
        let is_plain = self.graph.modules[target.index()].record.format == Format::Esm
            && !self.has_namespace_object(target)
            && self.links.open_stars(target).is_empty()
            && self.links.exports(target).values().all(|binding| matches!(binding, Binding::Symbol(_)));
        if let Some(own) = own.filter(|own| is_plain && exported[own.0].is_empty()) {
            return Some(DynamicImport { chunk: own, namespaces: BTreeSet::new(), init: None });
        }
        let chunk = *division.chunk_of.get(&target)?;
        // A chunk that is loaded for this module alone evaluates it.
        let is_lazy = division.deferred.contains(target) && own != Some(chunk);
        let namespaces = self.namespaces_of(target);
        Some(DynamicImport { chunk, namespaces, init: is_lazy.then(|| init_of(target)) })
    }

    fn namespaces_of(&self, target: ModuleId) -> BTreeSet<Symbol> {
        self.namespaces.get(&target).cloned().unwrap_or_default()
    }

    /// Whether code gets at an object for the namespace of an ES module, which is the only one then.
    fn has_namespace_object(&self, module: ModuleId) -> bool {
        let statements = &self.graph.modules[module.index()].record.statements;
        self.live.statements(module).any(|statement| matches!(statements[statement].code, Code::Namespace))
    }
}
