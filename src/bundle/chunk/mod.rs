//! Which module lives in which chunk, and in which order the modules of a chunk run.
//!
//! Every target of an `import()` is an entry. A module's chunk is the set of entries that reach it, so shared
//! code lives once; what an importer has loaded in any case does not count for the lazy entry.

pub(super) mod cascade;
pub(super) mod defer;
pub(super) mod edges;
pub(super) mod exchange;
pub(super) mod junctions;
pub(super) mod needs;
pub(super) mod order;
pub(super) mod reach;
pub(super) mod shake;
pub(super) mod used;
pub(super) mod waiting;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use self::{
    defer::{Deferred, Root, deferred},
    edges::Edges,
    exchange::{DynamicImport, Exchange},
    order::{EvaluationOrder, loading_order},
    reach::{EntrySet, Reach},
    shake::{Live, shake},
};
use crate::bundle::{
    Entry, Layout, Options, Platform,
    analyze::purity::Effect,
    graph::ModuleGraph,
    is_virtual,
    link::Links,
    load::asset,
    module::{Code, ModuleId, Symbol},
};

/// A chunk's number in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChunkId(pub usize);

/// A file of code to be.
#[derive(Clone, Debug)]
pub(crate) struct ChunkPlan {
    /// Readable part of the file name.
    pub name: String,
    /// The module that the chunk is loaded for, when it is.
    pub entry: Option<ModuleId>,
    /// The entry is one that the caller asked for.
    pub is_user_entry: bool,
    /// The roots that load it, by their numbers.
    pub loaded_by: EntrySet,
    /// In the order in which they run. Empty in a chunk that only hands on what a user entry exports.
    pub modules: Vec<ModuleId>,
}

/// The chunks of a graph, ready to be emitted.
pub(crate) struct ChunkGraph {
    pub chunks: Vec<ChunkPlan>,
    /// What loads chunks: the entries asked for, then the targets of `import()`.
    pub roots: Vec<ModuleId>,
    /// For each module that stays.
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    /// For each target of `import()`.
    pub dynamic: BTreeMap<ModuleId, DynamicImport>,
    /// For each chunk, the chunks whose modules must run before its own, in order.
    pub requires: Vec<Vec<ChunkId>>,
    /// For each chunk, what stays outside and it imports, in order.
    pub externals: Vec<Vec<ModuleId>>,
    /// For each chunk, the modules that its code loads with `import()`.
    pub lazy_targets: Vec<BTreeSet<ModuleId>>,
    /// For each chunk, the variables that its code mentions, its own and those of other chunks.
    pub needed: Vec<BTreeSet<Symbol>>,
    /// For each chunk, the variables that other chunks use.
    pub exported: Vec<BTreeSet<Symbol>>,
    /// The targets of `import()` that bring style sheets along.
    pub styled: BTreeSet<ModuleId>,
    pub deferred: Deferred,
    pub live: Live,
}

/// Shakes and divides the graph. Cannot fail: every graph that links can be divided.
///
/// In browsers lazy chunks bring their style sheets along. Packages have a chunk apart in a site, whose visitors come back.
pub(crate) fn chunk(graph: &ModuleGraph, links: &Links, entries: &[Entry], options: &Options) -> ChunkGraph {
    let loads_styles = options.platform == Platform::Browser;
    let mut added = Added::default();
    loop {
        let live = shake(graph, links, &added.symbols);
        let mut division = divide(graph, links, entries, &live, &added, options.layout == Layout::Site);
        let exchange = Exchange::settle(graph, links, &live, &mut division, loads_styles);
        if !added.extend(exchange.adds(graph, &live, &division.deferred)) {
            let Division { chunks, roots, chunk_of, requires, deferred, .. } = division;
            let Exchange { needed, exported, dynamic, styled, externals, lazy_targets, .. } = exchange;
            return ChunkGraph {
                chunks,
                roots,
                chunk_of,
                dynamic,
                requires,
                externals,
                lazy_targets,
                needed,
                exported,
                styled,
                deferred,
                live,
            };
        }
    }
}

/// What division adds to the code, which needs code of its own to stay and to be loaded.
#[derive(Default)]
pub(crate) struct Added {
    /// The namespace of a module whose chunk exports other things, too; helpers.
    pub symbols: BTreeSet<Symbol>,
    /// Modules that need helpers because they are deferred or load lazy styles.
    pub helped: BTreeSet<ModuleId>,
}

impl Added {
    /// Returns whether anything of `more` is new.
    fn extend(&mut self, more: Self) -> bool {
        let count = |added: &Self| added.symbols.len() + added.helped.len();
        let before = count(self);
        self.symbols.extend(more.symbols);
        self.helped.extend(more.helped);
        count(self) > before
    }
}

/// The modules divided among chunks.
pub(crate) struct Division {
    pub chunks: Vec<ChunkPlan>,
    pub roots: Vec<ModuleId>,
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    pub requires: Vec<Vec<ChunkId>>,
    pub deferred: Deferred,
    /// For each user entry, what a file of its own would be.
    pub entry_files: Vec<EntryFile>,
}

/// A file that only hands on what a user entry exports.
pub(crate) struct EntryFile {
    /// Readable part of its name.
    pub name: String,
    /// The chunks that it takes from, in order.
    pub requires: Vec<ChunkId>,
}

impl Division {
    /// The chunk that is loaded for a module.
    pub(crate) fn loaded_for(&self, module: ModuleId) -> Option<ChunkId> {
        let own = self.chunks.iter().position(|chunk| chunk.entry == Some(module)).map(ChunkId);
        own.or_else(|| self.chunk_of.get(&module).copied())
    }

    /// Whether an `import()` of a module may load its chunk for the sake of others. What is an entry besides may yet get a
    /// file of its own.
    fn is_shared(&self, graph: &ModuleGraph, live: &Live, module: ModuleId) -> bool {
        let has_own = !graph.entries.contains(&module) && self.chunks.iter().any(|chunk| chunk.entry == Some(module));
        !has_own && live.dynamic_entries.contains(&module)
    }
}

fn divide(
    graph: &ModuleGraph,
    links: &Links,
    entries: &[Entry],
    live: &Live,
    added: &Added,
    has_vendor_chunk: bool,
) -> Division {
    let roots = roots(graph, live);
    let edges = Edges::new(graph, links, live, &roots, &added.helped);
    let evaluation = EvaluationOrder::new(graph);
    let order = evaluation.of_all(graph, live, &roots);
    let reach = Reach::new(graph, &edges, &roots, live);

    let vendor =
        if has_vendor_chunk { vendor_modules(graph, live, &edges, &order, &reach) } else { FxHashSet::default() };
    let mut by_key: BTreeMap<ChunkKey, Vec<ModuleId>> = BTreeMap::new();
    for &module in &order {
        let key = ChunkKey { roots: reach.entries_of(module).clone(), vendor: vendor.contains(&module) };
        by_key.entry(key).or_default().push(module);
    }
    // An entry whose own code is gone still needs a file to be loaded by.
    for entry in graph.entries.iter().filter(|entry| reach.entries_of(**entry).count_ones(..) == 1) {
        by_key.entry(ChunkKey { roots: reach.entries_of(*entry).clone(), vendor: false }).or_default();
    }

    let mut chunks = Vec::new();
    let mut chunk_of = BTreeMap::new();
    for (key, modules) in by_key {
        let id = ChunkId(chunks.len());
        chunk_of.extend(modules.iter().map(|module| (*module, id)));
        chunks.push(plan(graph, entries, &roots, key, modules));
    }
    let position = order.iter().enumerate().map(|(at, module)| (*module, at)).collect();
    let requirements = Requirements { edges: &edges, live, position, chunk_of: &chunk_of };
    let requires = chunks
        .iter()
        .enumerate()
        .map(|(index, chunk)| {
            let starts = chunk.modules.iter().copied().chain(chunk.entry);
            let others = requirements.of(starts).into_iter();
            others.filter(|required| required.0 != index).collect()
        })
        .collect();
    let names = entries.iter().map(|entry| asset::readable(&entry.name));
    let entry_files = graph.entries.iter().zip(names).map(|(entry, name)| {
        let own = chunk_of.get(entry).copied();
        let others = requirements.of([*entry]).into_iter().filter(|chunk| Some(*chunk) != own);
        // Its own chunk comes first, which loads the others in its order.
        EntryFile { name, requires: own.into_iter().chain(others).collect() }
    });
    let entry_files = entry_files.collect();
    let deferred_later = Deferred::default();
    let mut division = Division { chunks, roots, chunk_of, requires, deferred: deferred_later, entry_files };
    let loading = division.roots.iter().enumerate().map(|(number, root)| {
        // An entry without code of its own has a file that only loads others.
        let file = || division.entry_files.get(number).map(|file| file.requires.clone());
        let chunks = division.loaded_for(*root).map(|chunk| vec![chunk]).or_else(file).unwrap_or_default();
        let chunks = loading_order(&chunks, &division.requires).into_iter();
        let new = chunks.filter(|chunk| division.chunks[chunk.0].loaded_by.contains(number));
        let loaded = new.flat_map(|chunk| division.chunks[chunk.0].modules.iter().copied()).collect();
        Root {
            module: *root,
            loaded,
            reached: &reach.reached[number],
            available: &reach.available[number],
            is_shared: division.is_shared(graph, live, *root),
        }
    });
    let loading: Vec<Root<'_>> = loading.collect();
    division.deferred = deferred(graph, links, live, &evaluation, &edges, &loading);
    division
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
    edges: &Edges,
    order: &[ModuleId],
    reach: &Reach,
) -> FxHashSet<ModuleId> {
    let user_entries = graph.entries.len();
    let of_user_entry = |module: ModuleId| reach.entries_of(module).ones().any(|root| root < user_entries);
    let is_package = |module: ModuleId| graph.modules[module.index()].vendor && !graph.entries.contains(&module);
    let is_harmless = |module: ModuleId| {
        is_package(module) || is_virtual(&graph.modules[module.index()].name) || !has_effects(graph, live, module)
    };
    let first = order.iter().copied().filter(|module| of_user_entry(*module)).take_while(|module| is_harmless(*module));
    // What only `require` reaches runs when it is asked for: it goes where those who ask are.
    let mut vendor = FxHashSet::default();
    let mut stack: Vec<ModuleId> = first.filter(|module| is_package(*module)).collect();
    while let Some(module) = stack.pop() {
        if vendor.insert(module) {
            stack.extend(edges.of(module).iter().filter(|target| is_package(**target) && of_user_entry(**target)));
        }
    }
    without_outside_needs(vendor, edges, live)
}

/// Leaves out the modules that need one outside the set: two chunks that need each other cannot both run first.
fn without_outside_needs(mut modules: FxHashSet<ModuleId>, edges: &Edges, live: &Live) -> FxHashSet<ModuleId> {
    loop {
        let is_closed = |module: &ModuleId| edges.present(*module, live).is_subset(&modules);
        let closed: FxHashSet<ModuleId> = modules.iter().copied().filter(is_closed).collect();
        if closed.len() == modules.len() {
            return modules;
        }
        modules = closed;
    }
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
    key: ChunkKey,
    modules: Vec<ModuleId>,
) -> ChunkPlan {
    let only_root = key.roots.minimum().filter(|_| key.roots.count_ones(..) == 1 && !key.vendor);
    let is_user = |entry: ModuleId| graph.entries.contains(&entry);
    let is_here = |entry: &ModuleId| modules.contains(entry) || (modules.is_empty() && is_user(*entry));
    let entry = only_root.map(|root| roots[root]).filter(is_here);
    let is_user_entry = entry.is_some_and(is_user);
    let name = match (entry, only_root) {
        (Some(_), Some(root)) if is_user_entry => entries[root].name.clone(),
        (Some(entry), _) => graph.modules[entry.index()].stem.clone(),
        _ if key.vendor => "vendor".to_owned(),
        _ => modules.last().map_or("shared", |module| &graph.modules[module.index()].stem).to_owned(),
    };
    ChunkPlan { name: asset::readable(&name), entry, is_user_entry, loaded_by: key.roots, modules }
}

/// Finds the chunks that modules need.
struct Requirements<'a> {
    edges: &'a Edges,
    live: &'a Live,
    /// Where each module stands in the order of execution.
    position: FxHashMap<ModuleId, usize>,
    chunk_of: &'a BTreeMap<ModuleId, ChunkId>,
}

impl Requirements<'_> {
    /// The chunks that hold what `modules` need, in the order in which they must run.
    fn of(&self, modules: impl IntoIterator<Item = ModuleId>) -> Vec<ChunkId> {
        let needed: FxHashSet<ModuleId> =
            modules.into_iter().flat_map(|module| self.edges.present(module, self.live)).collect();
        let mut needed: Vec<ModuleId> = needed.into_iter().collect();
        needed.sort_by_key(|module| (self.position.get(module), *module));
        let mut chunks: Vec<ChunkId> = Vec::new();
        for chunk in needed.iter().filter_map(|module| self.chunk_of.get(module).copied()) {
            if !chunks.contains(&chunk) {
                chunks.push(chunk);
            }
        }
        chunks
    }
}
