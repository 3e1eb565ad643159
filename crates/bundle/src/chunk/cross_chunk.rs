//! Cross-chunk links: variables, namespaces for `import()` and style sheets that chunks take from each other.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    divide::{Demands, Division, EntryFile, Partition},
    included::{Included, evaluated_imports, required_target},
    plan::{Chunk, ChunkGraph, ChunkId, ChunkOutline, DynamicImport},
    reachability::{EntrySet, dynamic_targets},
    references::{entry_exports, lazy_namespace, references},
    wrapped::Wrapped,
};
use crate::{
    graph::ModuleGraph,
    helpers::Helper,
    link::{Binding, Links},
    module::{Code, Format, ModuleId, Symbol, synthetic},
};

/// Extras of loading a lazy chunk.
#[derive(Clone, Copy)]
pub(crate) struct Loading {
    /// The style sheets of what it holds.
    pub styles: bool,
    /// A second attempt where the first one fails.
    pub retries: bool,
}

/// The helper that makes the function `init_x` which evaluates a wrapped module.
pub(crate) fn wrapper(wrapped: &Wrapped, module: ModuleId) -> Helper {
    if wrapped.is_async(module) { Helper::DeferredWaiting } else { Helper::Deferred }
}

/// The function that evaluates a wrapped module.
pub(crate) fn init_of(module: ModuleId) -> Symbol {
    Symbol::new(module, synthetic::INIT)
}

/// Computes the imports and exports of chunks. User entries whose files would export more than their modules do get files
/// of their own.
pub(crate) fn link_chunks(
    graph: &ModuleGraph,
    links: &Links,
    included: Included,
    division: Division,
    loading: Loading,
) -> ChunkGraph {
    let Division { mut partition, wrapped, position, sheet_roots } = division;
    let namespaces = namespaces(graph, &included);
    let styled = if loading.styles { styled(graph, &partition.roots, &sheet_roots) } else { BTreeSet::new() };
    let mut context = Context { graph, links, included: &included, wrapped: &wrapped, position, namespaces, styled };
    let mut cross_chunk = context.cross_chunk(&partition, loading);
    if context.separate_user_entries(&mut partition, &cross_chunk.linkages) {
        cross_chunk = context.cross_chunk(&partition, loading);
    }
    let CrossChunk { linkages, dynamic } = cross_chunk;
    let Partition { chunks, roots, chunk_of, .. } = partition;
    let chunks = chunks.into_iter().zip(linkages).map(|(outline, linkage)| context.chunk(outline, linkage)).collect();
    let styled = std::mem::take(&mut context.styled);
    ChunkGraph { chunks, roots, chunk_of, dynamic, styled, sheet_roots, wrapped, included }
}

/// For each target of `import()`, the variables that hold its namespace.
fn namespaces(graph: &ModuleGraph, included: &Included) -> BTreeMap<ModuleId, BTreeSet<Symbol>> {
    let mut namespaces: BTreeMap<ModuleId, BTreeSet<Symbol>> = BTreeMap::new();
    for importer in ModuleId::all(graph.modules.len()) {
        for target in dynamic_targets(graph, included, importer) {
            namespaces.entry(target).or_default().insert(lazy_namespace(&graph.modules, importer, target));
        }
    }
    namespaces
}

/// The targets of `import()` and lazy entries for which style sheets are loaded. What an entry brings is linked by its
/// document.
fn styled(graph: &ModuleGraph, roots: &[ModuleId], sheet_roots: &BTreeMap<ModuleId, EntrySet>) -> BTreeSet<ModuleId> {
    let numbers = sheet_roots.values().flat_map(EntrySet::iter);
    numbers.filter(|number| *number >= graph.entries.len()).map(|number| roots[number]).collect()
}

/// Code that must stay in the graph because of the division into chunks.
pub(crate) fn demands(graph: &ModuleGraph, plan: &ChunkGraph, loading: Loading) -> Demands {
    let namespaces = plan.dynamic.values().flat_map(|import| import.namespaces.iter().cloned());
    let mut symbols: BTreeSet<Symbol> = namespaces.collect();
    let mut helped: BTreeSet<ModuleId> = plan.wrapped.modules().collect();
    symbols.extend(helped.iter().map(|module| Symbol::helper(wrapper(&plan.wrapped, *module))));
    for module in ModuleId::all(graph.modules.len()) {
        let targets: BTreeSet<ModuleId> = dynamic_targets(graph, &plan.included, module).collect();
        // Targets of `import()` that have no code so far.
        let missing = targets.iter().filter(|target| !plan.dynamic.contains_key(target));
        symbols.extend(missing.map(|target| lazy_namespace(&graph.modules, module, *target)));
        let mut helpers = loading_helpers(&targets, &plan.styled, loading.retries).peekable();
        helped.extend(helpers.peek().map(|_| module));
        symbols.extend(helpers);
    }
    Demands { symbols, helped }
}

/// The helpers of code that loads `targets` with `import()`.
fn loading_helpers(
    targets: &BTreeSet<ModuleId>,
    styled: &BTreeSet<ModuleId>,
    retries: bool,
) -> impl Iterator<Item = Symbol> + use<> {
    let for_styles = (!targets.is_disjoint(styled)).then(|| Symbol::helper(Helper::WithStyles));
    let for_failures = (retries && !targets.is_empty()).then(|| Symbol::helper(Helper::Twice));
    for_styles.into_iter().chain(for_failures)
}

/// Imports and exports of one chunk.
struct Linkage {
    /// The modules that its code loads with `import()`.
    lazy_targets: BTreeSet<ModuleId>,
    /// The variables that its code mentions, its own and those of other chunks.
    needed: BTreeSet<Symbol>,
    /// The variables that other chunks use.
    exported: BTreeSet<Symbol>,
}

/// Imports and exports of all chunks.
struct CrossChunk {
    /// For each chunk.
    linkages: Vec<Linkage>,
    dynamic: BTreeMap<ModuleId, DynamicImport>,
}

struct Context<'a> {
    graph: &'a ModuleGraph,
    links: &'a Links,
    included: &'a Included,
    wrapped: &'a Wrapped,
    /// Position of each module in the order of execution.
    position: FxHashMap<ModuleId, usize>,
    /// For each target of `import()`, the variables that hold its namespace.
    namespaces: BTreeMap<ModuleId, BTreeSet<Symbol>>,
    /// The roots that bring style sheets along, unless these are linked by documents.
    styled: BTreeSet<ModuleId>,
}

impl Context<'_> {
    fn cross_chunk(&self, partition: &Partition, loading: Loading) -> CrossChunk {
        let lazy_targets: Vec<_> = partition.chunks.iter().map(|chunk| self.lazy_targets(chunk)).collect();
        let needed = partition.chunks.iter().zip(&lazy_targets).map(|(chunk, targets)| {
            let mut needed = self.needed_symbols(chunk);
            needed.extend(loading_helpers(targets, &self.styled, loading.retries));
            needed
        });
        let needed: Vec<BTreeSet<Symbol>> = needed.collect();
        let exported = exported(partition, &needed);
        let (dynamic, exported) = self.dynamic_imports(partition, &lazy_targets, exported);
        let linkages = lazy_targets.into_iter().zip(needed).zip(exported);
        let linkages =
            linkages.map(|((lazy_targets, needed), exported)| Linkage { lazy_targets, needed, exported }).collect();
        CrossChunk { linkages, dynamic }
    }

    fn chunk(&self, outline: ChunkOutline, linkage: Linkage) -> Chunk {
        let Linkage { lazy_targets, needed, exported } = linkage;
        Chunk { externals: self.externals(&outline, &needed), outline, needed, exported, lazy_targets }
    }

    /// The variables that a chunk's code mentions, its own and those of other chunks.
    fn needed_symbols(&self, chunk: &ChunkOutline) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        for &module in &chunk.modules {
            let importer = &self.graph.modules[module.index()];
            for statement in self.included.statements(module).map(|statement| &importer.scan.statements[statement]) {
                symbols.extend(references(&self.graph.modules, self.links, module, statement));
                let required = statement.uses.iter().filter_map(|item| required_target(importer, item));
                symbols.extend(required.filter(|target| self.wrapped.contains(*target)).map(init_of));
            }
            symbols.extend(self.wrapped.started_by(module).map(init_of));
            if self.wrapped.contains(module) {
                symbols.extend([init_of(module), Symbol::helper(wrapper(self.wrapped, module))]);
            }
        }
        if let Some(entry) = chunk.entry {
            let exports = entry_exports(&self.graph.modules, self.links, entry, chunk.user_entry);
            symbols.extend(exports.values().filter_map(Binding::symbol));
            symbols.extend(self.wrapped.started_by_entry(entry, self.included).into_iter().map(init_of));
        }
        symbols
    }

    /// The external modules that a chunk imports, in the order of the language.
    fn externals(&self, chunk: &ChunkOutline, needed: &BTreeSet<Symbol>) -> Vec<ModuleId> {
        let modules = &self.graph.modules;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let starts = chunk.modules.iter().copied().chain(chunk.entry);
        for start in starts {
            let mut stack = vec![start];
            while let Some(module) = stack.pop() {
                let is_passed = module == start || !self.included.has_module(module);
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
        found.sort_by_key(|module| self.position.get(module).copied().unwrap_or(usize::MAX));
        found
    }

    /// Gives files of their own to user entries whose module shares its chunk with other entries, or whose chunk would
    /// export names that the module does not. Returns whether there are any.
    fn separate_user_entries(&self, partition: &mut Partition, linkages: &[Linkage]) -> bool {
        let mut any = false;
        let mut seen = FxHashSet::default();
        for (number, entry) in self.graph.asked_for().enumerate().filter(|(_, entry)| seen.insert(*entry)) {
            let EntryFile { name, requires, asked } = partition.entry_files[number].clone();
            let own = partition.own_chunk(entry);
            let has_exports = !entry_exports(&self.graph.modules, self.links, entry, Some(asked)).is_empty();
            if own.is_some_and(|own| linkages[own.0].exported.is_empty() || !has_exports) {
                continue;
            }
            any = true;
            partition.separate(
                own,
                entry,
                ChunkOutline {
                    name,
                    entry: Some(entry),
                    user_entry: Some(asked),
                    loaded_by: EntrySet::default(),
                    modules: Vec::new(),
                    requires,
                },
            );
        }
        any
    }

    /// The modules that the code of a chunk loads with `import()`.
    fn lazy_targets(&self, chunk: &ChunkOutline) -> BTreeSet<ModuleId> {
        chunk.modules.iter().flat_map(|module| dynamic_targets(self.graph, self.included, *module)).collect()
    }

    /// The code that every `import()` turns into, and the variables that each chunk exports with those for `import()`.
    fn dynamic_imports(
        &self,
        partition: &Partition,
        lazy_targets: &[BTreeSet<ModuleId>],
        mut exported: Vec<BTreeSet<Symbol>>,
    ) -> (BTreeMap<ModuleId, DynamicImport>, Vec<BTreeSet<Symbol>>) {
        let is_loaded_from_outside = |target: &ModuleId, own: ChunkId| {
            lazy_targets.iter().enumerate().any(|(chunk, targets)| chunk != own.0 && targets.contains(target))
        };
        // An export for one `import()` keeps the chunk's own namespace from being what another one gives.
        loop {
            let targets = self.included.dynamic_entries.iter().copied();
            let imports: BTreeMap<_, _> = targets
                .filter_map(|target| Some((target, self.dynamic_import(partition, &exported, target)?)))
                .collect();
            let before: usize = exported.iter().map(BTreeSet::len).sum();
            for (target, DynamicImport { chunk, namespaces, init }) in &imports {
                if is_loaded_from_outside(target, *chunk) {
                    exported[chunk.0].extend(namespaces.iter().chain(init).cloned());
                }
            }
            if exported.iter().map(BTreeSet::len).sum::<usize>() == before {
                return (imports, exported);
            }
        }
    }

    fn dynamic_import(
        &self,
        partition: &Partition,
        exported: &[BTreeSet<Symbol>],
        target: ModuleId,
    ) -> Option<DynamicImport> {
        let own = partition.own_chunk(target);
        let is_plain = self.graph.modules[target.index()].scan.format == Format::Esm
            && !self.has_namespace_object(target)
            && self.links.dynamic_star_exports(target).is_empty()
            && self.links.exports(target).values().all(|binding| matches!(binding, Binding::Symbol(_)));
        if let Some(own) = own.filter(|own| is_plain && exported[own.0].is_empty()) {
            return Some(DynamicImport { chunk: own, namespaces: BTreeSet::new(), init: None });
        }
        let chunk = *partition.chunk_of.get(&target)?;
        // A chunk that is loaded for this module alone evaluates it.
        let is_lazy = self.wrapped.contains(target) && own != Some(chunk);
        let namespaces = self.namespaces_of(target);
        Some(DynamicImport { chunk, namespaces, init: is_lazy.then(|| init_of(target)) })
    }

    fn namespaces_of(&self, target: ModuleId) -> BTreeSet<Symbol> {
        self.namespaces.get(&target).cloned().unwrap_or_default()
    }

    /// True if code gets at an object for the namespace of an ES module, which is the only one then.
    fn has_namespace_object(&self, module: ModuleId) -> bool {
        let statements = &self.graph.modules[module.index()].scan.statements;
        self.included.statements(module).any(|statement| matches!(statements[statement].code, Code::Namespace))
    }
}

/// For each chunk, the variables that the code of others mentions.
fn exported(partition: &Partition, needed: &[BTreeSet<Symbol>]) -> Vec<BTreeSet<Symbol>> {
    let mut exported = vec![BTreeSet::new(); partition.chunks.len()];
    for (index, symbols) in needed.iter().enumerate() {
        for symbol in symbols {
            if let Some(owner) = partition.chunk_of.get(&symbol.module).filter(|owner| owner.0 != index) {
                exported[owner.0].insert(symbol.clone());
            }
        }
    }
    exported
}
