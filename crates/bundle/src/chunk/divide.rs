//! Division of modules among chunks, and which of them are wrapped.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    dependencies::Dependencies,
    exec_order::EvaluationOrder,
    included::Included,
    merge::merged_modules,
    plan::{ChunkId, ChunkOutline, UserEntry},
    reachability::{EntrySet, Reachability},
    vendor::vendor_modules,
    wrap::{EntryPoint, wrap},
    wrapped::Wrapped,
};
use crate::{
    asset,
    graph::ModuleGraph,
    link::Links,
    module::{ModuleId, Symbol},
    options::Entry,
    walk::postorder,
};

/// Code that the division asks for, which must stay and be loaded like any other.
#[derive(Default)]
pub(crate) struct Demands {
    /// The namespace of a module whose chunk exports other things, too; helpers.
    pub symbols: BTreeSet<Symbol>,
    /// Modules that need helpers because they are wrapped or load lazy chunks.
    pub helped: BTreeSet<ModuleId>,
}

impl Demands {
    /// Returns whether anything of `more` is new.
    pub(crate) fn extend(&mut self, more: Self) -> bool {
        let count = |demands: &Self| demands.symbols.len() + demands.helped.len();
        let before = count(self);
        self.symbols.extend(more.symbols);
        self.helped.extend(more.helped);
        count(self) > before
    }
}

/// The modules divided among chunks, and those that are wrapped.
pub(crate) struct Division {
    pub partition: Partition,
    pub wrapped: Wrapped,
    /// Position of each module in the order of execution, external ones among them.
    pub position: FxHashMap<ModuleId, usize>,
    /// For each style sheet, the roots that need it and would not have it otherwise.
    pub sheet_roots: BTreeMap<ModuleId, EntrySet>,
}

/// The modules divided among chunks.
pub(crate) struct Partition {
    pub chunks: Vec<ChunkOutline>,
    pub roots: Vec<ModuleId>,
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    /// For each user entry, what a file of its own would be.
    pub entry_files: Vec<EntryFile>,
    /// For each root that has one, the chunk that is loaded for it alone.
    own_chunks: FxHashMap<ModuleId, ChunkId>,
}

/// A file that only re-exports what a user entry exports.
#[derive(Clone)]
pub(crate) struct EntryFile {
    /// Readable part of its name.
    pub name: String,
    pub asked: UserEntry,
    /// The chunks that it takes from, in order.
    pub requires: Vec<ChunkId>,
}

/// Divides the modules with code among chunks. In a site, whose visitors come back, those of packages have one apart, and so
/// have those that pages share with the entry.
pub(crate) fn divide(
    graph: &ModuleGraph,
    links: &Links,
    entries: &[Entry],
    included: &Included,
    demands: &Demands,
    is_site: bool,
) -> Division {
    let roots = roots(graph, included);
    let dependencies = Dependencies::new(graph, links, included, &roots, &demands.helped);
    let evaluation = EvaluationOrder::new(graph);
    let all = evaluation.of_all(graph, &roots);
    let position = all.iter().enumerate().map(|(at, module)| (*module, at)).collect();
    let order: Vec<ModuleId> = all.into_iter().filter(|module| included.has_module(*module)).collect();
    let mut reachability = Reachability::new(graph, &dependencies, &roots, included, &[]);
    let sheet_roots = sheet_roots(graph, &reachability);
    let (mut vendor, mut merged) = (FxHashSet::default(), Vec::new());
    if is_site {
        merged = merged_modules(graph, links, included, &dependencies, &reachability, &order);
        if !merged.is_empty() {
            reachability = Reachability::new(graph, &dependencies, &roots, included, &merged);
        }
        vendor = vendor_modules(graph, included, &dependencies, &order, &reachability);
    }

    let divider = Divider { graph, links, entries, included, dependencies, evaluation, reachability, merged, position };
    let shared = if is_site { divider.shared_modules(&roots) } else { FixedBitSet::new() };
    let groups = divider.groups(&order, &vendor, &shared);
    let mut partition = divider.partition(roots, groups);
    let wrapped = divider.wrap(&mut partition);
    Division { partition, wrapped, position: divider.position, sheet_roots }
}

/// The entries asked for, the lazy ones, then the targets of `import()`.
fn roots(graph: &ModuleGraph, included: &Included) -> Vec<ModuleId> {
    let asked: FxHashSet<ModuleId> = graph.asked_for().collect();
    let dynamic = included.dynamic_entries.iter().copied().filter(|module| !asked.contains(module));
    graph.asked_for().chain(dynamic).collect()
}

fn sheet_roots(graph: &ModuleGraph, reachability: &Reachability) -> BTreeMap<ModuleId, EntrySet> {
    let sheets = ModuleId::all(graph.modules.len()).filter(|id| graph.modules[id.index()].stylesheet.is_some());
    let sheets = sheets.map(|sheet| (sheet, reachability.entries_of(sheet).clone()));
    sheets.filter(|(_, roots)| !roots.is_empty()).collect()
}

/// Key of a chunk: two modules share a chunk if theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChunkKey {
    roots: EntrySet,
    part: Part,
}

/// A part of what the same roots load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Packages that an entry needs at once: they change less often than the site's own code.
    Vendor,
    /// Code of an entry that lazy chunks use as well. In a file of its own, it keeps these from importing the file of the
    /// entry, whose name changes with the layout and with everything else that only the entry needs.
    Shared,
    Rest,
}

/// Inputs of the division.
struct Divider<'a> {
    graph: &'a ModuleGraph,
    links: &'a Links,
    entries: &'a [Entry],
    included: &'a Included,
    dependencies: Dependencies,
    evaluation: EvaluationOrder,
    reachability: Reachability,
    /// Modules that the entries load without a need.
    merged: Vec<ModuleId>,
    /// Position of each module in the order of execution.
    position: FxHashMap<ModuleId, usize>,
}

impl Divider<'_> {
    /// The modules of each chunk, in order.
    fn groups(
        &self,
        order: &[ModuleId],
        vendor: &FxHashSet<ModuleId>,
        shared: &FixedBitSet,
    ) -> BTreeMap<ChunkKey, Vec<ModuleId>> {
        let Self { graph, reachability, .. } = self;
        let mut groups: BTreeMap<ChunkKey, Vec<ModuleId>> = BTreeMap::new();
        for &module in order {
            let part = match module {
                module if vendor.contains(&module) => Part::Vendor,
                module if shared.contains(module.index()) => Part::Shared,
                _ => Part::Rest,
            };
            groups.entry(ChunkKey { roots: reachability.entries_of(module).clone(), part }).or_default().push(module);
        }
        // An entry whose own code is gone still needs a file to be loaded by.
        for entry in graph.asked_for().filter(|entry| reachability.entries_of(*entry).len() == 1) {
            let key = ChunkKey { roots: reachability.entries_of(entry).clone(), part: Part::Rest };
            groups.entry(key).or_default();
        }
        groups
    }

    /// The modules that only entries load, but that other roots use when they come. None, if one of these uses an entry: two
    /// chunks that need each other cannot both run first.
    fn shared_modules(&self, roots: &[ModuleId]) -> FixedBitSet {
        let Self { graph, reachability, .. } = self;
        let entries = graph.entries.len();
        let mut shared = FixedBitSet::with_capacity(graph.modules.len());
        for (reached, available) in reachability.reached[entries..].iter().zip(&reachability.available[entries..]) {
            reached.intersection(available).for_each(|module| shared.insert(module));
        }
        let is_of_entries = |module: &usize| reachability.entries[*module].iter().all(|root| root < entries);
        let shared: FixedBitSet = shared.ones().filter(is_of_entries).collect();
        let has_entry = roots[..entries].iter().any(|entry| shared.contains(entry.index()));
        if has_entry { FixedBitSet::new() } else { shared }
    }

    fn partition(&self, roots: Vec<ModuleId>, groups: BTreeMap<ChunkKey, Vec<ModuleId>>) -> Partition {
        let members = groups.values().enumerate();
        let chunk_of: BTreeMap<ModuleId, ChunkId> =
            members.flat_map(|(index, modules)| modules.iter().map(move |module| (*module, ChunkId(index)))).collect();
        let chunks = groups.into_iter().enumerate();
        let chunks: Vec<ChunkOutline> = chunks
            .map(|(index, (key, modules))| self.outline(&roots, &chunk_of, ChunkId(index), key, modules))
            .collect();
        let own_chunks = chunks.iter().enumerate().filter_map(|(index, chunk)| Some((chunk.entry?, ChunkId(index))));
        Partition {
            own_chunks: own_chunks.collect(),
            entry_files: self.entry_files(&chunk_of),
            chunks,
            roots,
            chunk_of,
        }
    }

    fn outline(
        &self,
        roots: &[ModuleId],
        chunk_of: &BTreeMap<ModuleId, ChunkId>,
        id: ChunkId,
        key: ChunkKey,
        mut modules: Vec<ModuleId>,
    ) -> ChunkOutline {
        let first_root = key.roots.minimum();
        let only_root = key.roots.only().filter(|_| key.part == Part::Rest);
        let asked = only_root.and_then(|root| self.asked(root));
        let is_here = |entry: &ModuleId| modules.contains(entry) || (modules.is_empty() && asked.is_some());
        let entry = only_root.map(|root| roots[root]).filter(is_here);
        let user_entry = asked.filter(|_| entry.is_some());
        let order = first_root.map(|root| self.order_for(roots[root])).unwrap_or_default();
        modules.sort_by_key(|module| self.turn(&order, *module));
        let name = match (entry, only_root, key.part) {
            (Some(_), Some(root), _) if user_entry.is_some() => self.name_of(root),
            (Some(entry), ..) => self.stem(entry),
            (_, _, Part::Vendor) => "vendor".to_owned(),
            (_, _, Part::Shared) => "shared".to_owned(),
            (_, _, Part::Rest) => modules.last().map_or_else(|| "shared".to_owned(), |module| self.stem(*module)),
        };
        let mut requires = self.required_by(chunk_of, &order, modules.iter().copied().chain(entry));
        requires.retain(|required| *required != id);
        ChunkOutline { name, entry, user_entry, loaded_by: key.roots, modules, requires }
    }

    /// How the caller asked for a root.
    fn asked(&self, root: usize) -> Option<UserEntry> {
        let lazy = self.graph.lazy_numbers();
        match root {
            root if root < lazy.start => Some(UserEntry::Initial),
            root if root < lazy.end => Some(UserEntry::Lazy),
            _ => None,
        }
    }

    /// The readable part of the name that the file of a root has which the caller asked for.
    fn name_of(&self, root: usize) -> String {
        let ModuleGraph { entries, lazy_entries, .. } = self.graph;
        match self.entries.get(root) {
            Some(entry) => asset::readable(&entry.name),
            None => self.stem(lazy_entries[root - entries.len()]),
        }
    }

    fn stem(&self, module: ModuleId) -> String {
        asset::readable(&self.graph.modules[module.index()].stem)
    }

    /// The turns of modules when a root is evaluated. A chunk goes by the first root that loads it, so that no other one has
    /// a say in what its file looks like.
    fn order_for(&self, root: ModuleId) -> FxHashMap<ModuleId, usize> {
        self.evaluation.from(root).into_iter().enumerate().map(|(turn, module)| (module, turn)).collect()
    }

    /// When a module has its turn. What the root does not import comes last, in the order of all.
    fn turn(&self, order: &FxHashMap<ModuleId, usize>, module: ModuleId) -> (bool, Option<usize>, ModuleId) {
        let turn = order.get(&module);
        (turn.is_none(), turn.or_else(|| self.position.get(&module)).copied(), module)
    }

    fn entry_files(&self, chunk_of: &BTreeMap<ModuleId, ChunkId>) -> Vec<EntryFile> {
        let files = self.graph.asked_for().enumerate().filter_map(|(root, entry)| {
            let own = chunk_of.get(&entry).copied();
            let others = self.required_by(chunk_of, &self.order_for(entry), [entry]);
            let others = others.into_iter().filter(|chunk| Some(*chunk) != own);
            // Its own chunk comes first, which loads the others in its order.
            let requires = own.into_iter().chain(others).collect();
            Some(EntryFile { name: self.name_of(root), asked: self.asked(root)?, requires })
        });
        files.collect()
    }

    /// The chunks that hold what `modules` need, in the order in which they must run.
    fn required_by(
        &self,
        chunk_of: &BTreeMap<ModuleId, ChunkId>,
        order: &FxHashMap<ModuleId, usize>,
        modules: impl IntoIterator<Item = ModuleId>,
    ) -> Vec<ChunkId> {
        let needed: FxHashSet<ModuleId> =
            modules.into_iter().flat_map(|module| self.dependencies.present(module, self.included)).collect();
        let mut needed: Vec<ModuleId> = needed.into_iter().collect();
        needed.sort_by_key(|module| self.turn(order, *module));
        let mut chunks: Vec<ChunkId> = Vec::new();
        for chunk in needed.iter().filter_map(|module| chunk_of.get(module).copied()) {
            if !chunks.contains(&chunk) {
                chunks.push(chunk);
            }
        }
        chunks
    }

    /// Wraps what would run too soon. What a chunk starts may change which chunks it requires, and so their order.
    fn wrap(&self, partition: &mut Partition) -> Wrapped {
        let Self { graph, links, included, evaluation, dependencies, .. } = self;
        loop {
            let entry_points = self.entry_points(partition);
            let wrapped = wrap(graph, links, included, evaluation, dependencies, &entry_points);
            if !partition.require_started(&wrapped, included) {
                return wrapped;
            }
        }
    }

    /// The entry point of each root, with the modules that are loaded for it.
    fn entry_points(&self, partition: &Partition) -> Vec<EntryPoint<'_>> {
        let chunks = &partition.chunks;
        let entry_point = |(number, root): (usize, &ModuleId)| {
            // An entry without code of its own has a file that only loads others.
            let file = || partition.entry_files.get(number).map(|file| file.requires.clone());
            let loaded = partition.loaded_for(*root).map(|chunk| vec![chunk]).or_else(file).unwrap_or_default();
            let loaded = postorder(&loaded, |chunk| &chunks[chunk.0].requires).into_iter();
            let new = loaded.filter(|chunk| chunks[chunk.0].loaded_by.contains(number));
            EntryPoint {
                module: *root,
                loaded: new.flat_map(|chunk| chunks[chunk.0].modules.iter().copied()).collect(),
                reached: &self.reachability.reached[number],
                available: &self.reachability.available[number],
                merged: if number < self.graph.entries.len() { &self.merged } else { &[] },
                is_shared: self.is_shared(partition, number),
            }
        };
        partition.roots.iter().enumerate().map(entry_point).collect()
    }

    /// True if an `import()` of a module may load its chunk for the sake of others. What is an entry besides may yet get a
    /// file of its own.
    fn is_shared(&self, partition: &Partition, root: usize) -> bool {
        let module = partition.roots[root];
        let has_own = self.asked(root).is_none() && partition.own_chunk(module).is_some();
        !has_own && self.included.dynamic_entries.contains(&module)
    }
}

impl Partition {
    /// The chunk that is loaded for a module alone.
    pub(crate) fn own_chunk(&self, module: ModuleId) -> Option<ChunkId> {
        self.own_chunks.get(&module).copied()
    }

    /// Gives an entry a file of its own instead of the chunk `own`.
    pub(crate) fn separate(&mut self, own: Option<ChunkId>, entry: ModuleId, file: ChunkOutline) {
        if let Some(own) = own {
            self.chunks[own.0].entry = None;
            self.chunks[own.0].user_entry = None;
        }
        self.own_chunks.insert(entry, ChunkId(self.chunks.len()));
        self.chunks.push(file);
    }

    /// The chunk that is loaded for a module.
    fn loaded_for(&self, module: ModuleId) -> Option<ChunkId> {
        self.own_chunk(module).or_else(|| self.chunk_of.get(&module).copied())
    }

    /// Lets every chunk require those whose modules it starts. Behind modules that only declare something, they may be in
    /// chunks that it requires by way of others, and a name comes only from a chunk that is imported itself. Returns
    /// whether that adds anything.
    fn require_started(&mut self, wrapped: &Wrapped, included: &Included) -> bool {
        let Self { chunks, chunk_of, entry_files, roots, .. } = self;
        let mut any = false;
        let mut require = |requires: &mut Vec<ChunkId>, own: Option<ChunkId>, started: Vec<ModuleId>| {
            for chunk in started.iter().filter_map(|module| chunk_of.get(module).copied()) {
                if Some(chunk) != own && !requires.contains(&chunk) {
                    requires.push(chunk);
                    any = true;
                }
            }
        };
        for (index, chunk) in chunks.iter_mut().enumerate() {
            let of_modules = chunk.modules.iter().flat_map(|module| wrapped.started_by(*module));
            let of_entry = chunk.entry.into_iter().flat_map(|entry| wrapped.started_by_entry(entry, included));
            let started = of_modules.chain(of_entry).collect();
            require(&mut chunk.requires, Some(ChunkId(index)), started);
        }
        for (file, entry) in entry_files.iter_mut().zip(roots) {
            require(&mut file.requires, None, wrapped.started_by_entry(*entry, included));
        }
        any
    }
}
