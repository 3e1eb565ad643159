//! Which module lives in which chunk, and in which order the modules of a chunk run.
//!
//! Every target of an `import()` is an entry. A module's chunk is the set of entries that reach it, so shared
//! code lives once; what an importer has loaded in any case does not count for the lazy entry.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Entry,
    graph::ModuleGraph,
    is_virtual,
    link::{Binding, Links},
    module::{Code, Format, ModuleId, Symbol, synthetic},
    needs::needs,
    order::{execution_order, loading_order},
    purity::Effect,
    reach::{EntrySet, dynamic_targets, entry_sets},
    shake::{Live, shake, static_edges},
};

/// A chunk's number in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ChunkId(pub usize);

/// A file of code to be.
#[derive(Debug)]
pub(super) struct ChunkPlan {
    /// Readable part of the file name.
    pub name: String,
    /// The module that the chunk is loaded for, when it is.
    pub entry: Option<ModuleId>,
    /// The entry is one that the caller asked for.
    pub is_user_entry: bool,
    /// In the order in which they run.
    pub modules: Vec<ModuleId>,
}

/// Where `import()` of a module leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DynamicImport {
    /// The chunk's own namespace is the module's.
    Chunk(ChunkId),
    /// The chunk exports the module's namespace as a variable.
    Variable(ChunkId, Symbol),
}

/// The chunks of a graph, ready to be emitted.
pub(super) struct ChunkGraph {
    pub chunks: Vec<ChunkPlan>,
    /// For each module that stays.
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    pub dynamic: BTreeMap<ModuleId, DynamicImport>,
    /// For each chunk, the chunks whose modules must run before its own, in order.
    pub requires: Vec<Vec<ChunkId>>,
    /// For each chunk, the variables that its code mentions, its own and those of other chunks.
    pub needed: Vec<BTreeSet<Symbol>>,
    /// For each chunk, the variables that other chunks use.
    pub exported: Vec<BTreeSet<Symbol>>,
    /// For each target of `import()`, the chunks whose style sheets are loaded with it.
    pub lazy_styles: BTreeMap<ModuleId, Vec<ChunkId>>,
    pub live: Live,
}

/// Shakes and divides the graph. Cannot fail: every graph that links can be divided.
///
/// `loads_styles` says whether lazy chunks bring their style sheets along.
pub(super) fn chunk(graph: &ModuleGraph, links: &Links, entries: &[Entry], loads_styles: bool) -> ChunkGraph {
    // A module whose chunk also exports variables to other chunks is imported through a namespace object of its
    // own. That object, and the loader of lazy styles, are found to be needed only here, and need code of their own
    // to stay: hence the loop.
    let mut extra = BTreeSet::new();
    loop {
        let live = shake(graph, links, &extra);
        let divided = divide(graph, links, entries, live, loads_styles);
        let is_direct = |module| matches!(divided.dynamic.get(module), Some(DynamicImport::Chunk(_)));
        let indirect = divided.live.dynamic_entries.iter().filter(|module| !is_direct(module));
        let mut needed: BTreeSet<Symbol> = indirect.map(|module| namespace_of(graph, *module)).collect();
        if divided.lazy_styles.values().any(|chunks| !chunks.is_empty()) {
            needed.insert(style_loader());
        }
        if needed.is_subset(&extra) {
            return divided;
        }
        extra.extend(needed);
    }
}

/// The helper that loads style sheets beside a lazy chunk.
pub(super) fn style_loader() -> Symbol {
    Symbol::new(ModuleId::HELPERS, "withStyles")
}

fn divide(graph: &ModuleGraph, links: &Links, entries: &[Entry], live: Live, loads_styles: bool) -> ChunkGraph {
    let edges = static_edges(graph, links, &live);
    let roots = roots(graph, &live);
    let order = execution_order(graph, &roots);
    let sets = entry_sets(graph, &edges, &roots, &live);

    let user_entries = graph.entries.len();
    let vendor = vendor_modules(graph, &live, &edges, &order, &sets, user_entries);
    let key = |module: &ModuleId| ChunkKey { roots: sets[module].clone(), vendor: vendor.contains(module) };
    let mut by_key: BTreeMap<ChunkKey, Vec<ModuleId>> = BTreeMap::new();
    for &module in order.iter().filter(|&&module| live.module(module)) {
        by_key.entry(key(&module)).or_default().push(module);
    }
    // An entry whose own code is gone still needs a file to be loaded by.
    for root in &graph.entries {
        by_key.entry(key(root)).or_default();
    }

    let mut chunks = Vec::new();
    let mut chunk_of = BTreeMap::new();
    for (key, modules) in by_key {
        let id = ChunkId(chunks.len());
        chunk_of.extend(modules.iter().map(|module| (*module, id)));
        chunks.push(plan(graph, entries, &roots, &key, modules));
    }
    let requires = required_chunks(&edges, &order, &chunks, &chunk_of);
    let mut exported = vec![BTreeSet::new(); chunks.len()];
    let lazy_styles =
        if loads_styles { lazy_styles(graph, &live, &chunks, &chunk_of, &requires) } else { BTreeMap::new() };
    let mut needed: Vec<_> = chunks.iter().map(|chunk| needed_symbols(graph, links, &live, chunk)).collect();
    for (chunk, symbols) in chunks.iter().zip(&mut needed) {
        if loads_lazy_styles(graph, &live, chunk, &lazy_styles) {
            symbols.insert(style_loader());
        }
    }
    for (index, symbols) in needed.iter().enumerate() {
        for symbol in symbols {
            if let Some(owner) = chunk_of.get(&symbol.module).filter(|owner| owner.0 != index) {
                exported[owner.0].insert(symbol.clone());
            }
        }
    }
    let dynamic = dynamic_imports(graph, links, &live, &chunks, &chunk_of, &mut exported);
    ChunkGraph { chunks, chunk_of, dynamic, requires, needed, exported, lazy_styles, live }
}

/// The entries asked for, then the targets of `import()`.
fn roots(graph: &ModuleGraph, live: &Live) -> Vec<ModuleId> {
    let dynamic = live.dynamic_entries.iter().filter(|module| !graph.entries.contains(module));
    graph.entries.iter().chain(dynamic).copied().collect()
}

/// What two modules must agree on to share a chunk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChunkKey {
    roots: EntrySet,
    /// Packages that an entry needs at once: they change less often than the site's own code.
    vendor: bool,
}

/// The packages that an entry needs at once. Their chunk runs before the site's own code, so a package that follows code
/// of the site with effects, a polyfill for example, is not one of them.
fn vendor_modules(
    graph: &ModuleGraph,
    live: &Live,
    edges: &BTreeMap<ModuleId, Vec<ModuleId>>,
    order: &[ModuleId],
    sets: &BTreeMap<ModuleId, EntrySet>,
    user_entries: usize,
) -> BTreeSet<ModuleId> {
    let of_user_entry = |module: &&ModuleId| sets[*module].iter().any(|root| *root < user_entries);
    let is_package = |module: &ModuleId| graph.modules[module.index()].vendor && !graph.entries.contains(module);
    let is_harmless = |module: &&ModuleId| {
        is_package(module) || is_virtual(&graph.modules[module.index()].name) || !has_effects(graph, live, **module)
    };
    let first = order.iter().filter(of_user_entry).take_while(is_harmless).filter(|module| is_package(module));
    // What only `require` reaches runs when it is asked for: it goes where those who ask are.
    let mut vendor = BTreeSet::new();
    let mut stack: Vec<ModuleId> = first.copied().collect();
    while let Some(module) = stack.pop() {
        if vendor.insert(module) {
            stack.extend(edges[&module].iter().filter(|target| is_package(target) && of_user_entry(target)));
        }
    }
    vendor
}

/// Whether running what is left of a module may change what other code sees.
fn has_effects(graph: &ModuleGraph, live: &Live, module: ModuleId) -> bool {
    let statements = &graph.modules[module.index()].record.statements;
    live.statements(module)
        .map(|statement| &statements[statement])
        .any(|statement| statement.effect == Effect::Any && !matches!(statement.code, Code::Stylesheet))
}

fn plan(
    graph: &ModuleGraph,
    entries: &[Entry],
    roots: &[ModuleId],
    key: &ChunkKey,
    modules: Vec<ModuleId>,
) -> ChunkPlan {
    let only_root = match (key.roots.len(), key.roots.first()) {
        (1, Some(root)) if !key.vendor => Some(*root),
        _ => None,
    };
    let entry = only_root.map(|root| roots[root]).filter(|entry| modules.contains(entry) || is_user(graph, *entry));
    let is_user_entry = entry.is_some_and(|entry| is_user(graph, entry));
    let name = match (entry, only_root) {
        (Some(_), Some(root)) if is_user_entry => entries[root].name.clone(),
        (Some(entry), _) => graph.modules[entry.index()].stem.clone(),
        _ if key.vendor => "vendor".to_owned(),
        _ => modules.last().map_or("shared", |module| &graph.modules[module.index()].stem).to_owned(),
    };
    ChunkPlan { name: super::asset::readable(&name), entry, is_user_entry, modules }
}

fn is_user(graph: &ModuleGraph, module: ModuleId) -> bool {
    graph.entries.contains(&module)
}

/// For each chunk, the others that its modules need, in the order in which they must run.
fn required_chunks(
    edges: &BTreeMap<ModuleId, Vec<ModuleId>>,
    order: &[ModuleId],
    chunks: &[ChunkPlan],
    chunk_of: &BTreeMap<ModuleId, ChunkId>,
) -> Vec<Vec<ChunkId>> {
    let position: BTreeMap<ModuleId, usize> = order.iter().enumerate().map(|(at, module)| (*module, at)).collect();
    chunks
        .iter()
        .enumerate()
        .map(|(index, chunk)| {
            let starts = chunk.modules.iter().copied().chain(chunk.entry);
            let mut needed: BTreeSet<ModuleId> = BTreeSet::new();
            for start in starts {
                needed.extend(present_targets(start, edges, chunk_of));
            }
            let mut needed: Vec<ModuleId> = needed.into_iter().collect();
            needed.sort_by_key(|module| position.get(module));
            let mut required: Vec<ChunkId> = Vec::new();
            for chunk in needed.iter().map(|module| chunk_of[module]) {
                if chunk != ChunkId(index) && !required.contains(&chunk) {
                    required.push(chunk);
                }
            }
            required
        })
        .collect()
}

/// The modules with code that `start` needs, looking through those that have none left.
fn present_targets(
    start: ModuleId,
    edges: &BTreeMap<ModuleId, Vec<ModuleId>>,
    chunk_of: &BTreeMap<ModuleId, ChunkId>,
) -> Vec<ModuleId> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([start]);
    let mut stack: Vec<ModuleId> = edges.get(&start).cloned().unwrap_or_default();
    while let Some(module) = stack.pop() {
        if !seen.insert(module) {
            continue;
        }
        if chunk_of.contains_key(&module) {
            found.push(module);
        } else {
            stack.extend(edges.get(&module).into_iter().flatten());
        }
    }
    found
}

/// For each target of `import()`, the chunks with style sheets that no entry has loaded.
fn lazy_styles(
    graph: &ModuleGraph,
    live: &Live,
    chunks: &[ChunkPlan],
    chunk_of: &BTreeMap<ModuleId, ChunkId>,
    requires: &[Vec<ChunkId>],
) -> BTreeMap<ModuleId, Vec<ChunkId>> {
    let has_styles = |chunk: &ChunkId| {
        chunks[chunk.0].modules.iter().any(|module| graph.modules[module.index()].stylesheet.is_some())
    };
    let entry_chunks = (0..chunks.len()).map(ChunkId).filter(|chunk| chunks[chunk.0].is_user_entry);
    let loaded: BTreeSet<ChunkId> = entry_chunks.flat_map(|chunk| loading_order(chunk, requires)).collect();
    let targets = live.dynamic_entries.iter().filter_map(|target| Some((*target, *chunk_of.get(target)?)));
    targets
        .map(|(target, chunk)| {
            let order = loading_order(chunk, requires).into_iter();
            (target, order.filter(|chunk| !loaded.contains(chunk) && has_styles(chunk)).collect())
        })
        .collect()
}

fn loads_lazy_styles(
    graph: &ModuleGraph,
    live: &Live,
    chunk: &ChunkPlan,
    lazy_styles: &BTreeMap<ModuleId, Vec<ChunkId>>,
) -> bool {
    let targets = chunk.modules.iter().flat_map(|module| dynamic_targets(graph, live, *module));
    targets.into_iter().any(|target| lazy_styles.get(&target).is_some_and(|chunks| !chunks.is_empty()))
}

/// The variables that a chunk's code mentions, its own and those of other chunks.
fn needed_symbols(graph: &ModuleGraph, links: &Links, live: &Live, chunk: &ChunkPlan) -> BTreeSet<Symbol> {
    let mut symbols = BTreeSet::new();
    for &module in &chunk.modules {
        let statements = &graph.modules[module.index()].record.statements;
        let needed = |statement: usize| needs(&graph.modules, links, module, &statements[statement]);
        symbols.extend(live.statements(module).flat_map(needed));
    }
    if let Some(entry) = chunk.entry {
        symbols.extend(links.exports(entry).values().filter_map(Binding::symbol));
    }
    symbols
}

/// The variable that holds the namespace of a module that `import()` names.
fn namespace_of(graph: &ModuleGraph, module: ModuleId) -> Symbol {
    match graph.modules[module.index()].record.format {
        Format::Esm => Symbol::new(module, synthetic::NAMESPACE),
        Format::CommonJs => Symbol::new(module, synthetic::INTEROP_NAMESPACE),
    }
}

fn dynamic_imports(
    graph: &ModuleGraph,
    links: &Links,
    live: &Live,
    chunks: &[ChunkPlan],
    chunk_of: &BTreeMap<ModuleId, ChunkId>,
    exported: &mut [BTreeSet<Symbol>],
) -> BTreeMap<ModuleId, DynamicImport> {
    let mut imports = BTreeMap::new();
    for &target in &live.dynamic_entries {
        let Some(&chunk) = chunk_of.get(&target) else { continue };
        let is_own = chunks[chunk.0].entry == Some(target) && exported[chunk.0].is_empty();
        let is_plain = graph.modules[target.index()].record.format == Format::Esm
            && links.exports(target).values().all(|binding| matches!(binding, Binding::Symbol(_)));
        let import = if is_own && is_plain {
            DynamicImport::Chunk(chunk)
        } else {
            DynamicImport::Variable(chunk, namespace_of(graph, target))
        };
        imports.insert(target, import);
    }
    for import in imports.values() {
        if let DynamicImport::Variable(chunk, symbol) = import {
            exported[chunk.0].insert(symbol.clone());
        }
    }
    imports
}
