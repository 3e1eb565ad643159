//! Division of modules among chunks, and which of them are wrapped.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    dependencies::Dependencies,
    exec_order::EvaluationOrder,
    included::Included,
    plan::{ChunkId, ChunkOutline},
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
}

/// The modules divided among chunks.
pub(crate) struct Partition {
    pub chunks: Vec<ChunkOutline>,
    pub roots: Vec<ModuleId>,
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    /// For each user entry, what a file of its own would be.
    pub entry_files: Vec<EntryFile>,
}

/// A file that only re-exports what a user entry exports.
pub(crate) struct EntryFile {
    /// Readable part of its name.
    pub name: String,
    /// The chunks that it takes from, in order.
    pub requires: Vec<ChunkId>,
}

/// Divides the modules with code among chunks. Those of packages have one apart if `has_vendor_chunk`.
pub(crate) fn divide(
    graph: &ModuleGraph,
    links: &Links,
    entries: &[Entry],
    included: &Included,
    demands: &Demands,
    has_vendor_chunk: bool,
) -> Division {
    let roots = roots(graph, included);
    let dependencies = Dependencies::new(graph, links, included, &roots, &demands.helped);
    let evaluation = EvaluationOrder::new(graph);
    let all = evaluation.of_all(graph, &roots);
    let position = all.iter().enumerate().map(|(at, module)| (*module, at)).collect();
    let order: Vec<ModuleId> = all.into_iter().filter(|module| included.has_module(*module)).collect();
    let reachability = Reachability::new(graph, &dependencies, &roots, included);
    let vendor = if has_vendor_chunk {
        vendor_modules(graph, included, &dependencies, &order, &reachability)
    } else {
        FxHashSet::default()
    };

    let divider = Divider { graph, links, entries, included, dependencies, evaluation, reachability, position };
    let groups = divider.groups(&order, &vendor);
    let mut partition = divider.partition(roots, groups);
    let wrapped = divider.wrap(&mut partition);
    Division { partition, wrapped, position: divider.position }
}

/// The entries asked for, then the targets of `import()`.
fn roots(graph: &ModuleGraph, included: &Included) -> Vec<ModuleId> {
    let dynamic = included.dynamic_entries.iter().filter(|module| !graph.entries.contains(module));
    graph.entries.iter().chain(dynamic).copied().collect()
}

/// Key of a chunk: two modules share a chunk if theirs are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChunkKey {
    roots: EntrySet,
    /// Packages that an entry needs at once: they change less often than the site's own code.
    vendor: bool,
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
    /// Position of each module in the order of execution.
    position: FxHashMap<ModuleId, usize>,
}

impl Divider<'_> {
    /// The modules of each chunk, in order.
    fn groups(&self, order: &[ModuleId], vendor: &FxHashSet<ModuleId>) -> BTreeMap<ChunkKey, Vec<ModuleId>> {
        let Self { graph, reachability, .. } = self;
        let mut groups: BTreeMap<ChunkKey, Vec<ModuleId>> = BTreeMap::new();
        for &module in order {
            let key = ChunkKey { roots: reachability.entries_of(module).clone(), vendor: vendor.contains(&module) };
            groups.entry(key).or_default().push(module);
        }
        // An entry whose own code is gone still needs a file to be loaded by.
        for entry in graph.entries.iter().filter(|entry| reachability.entries_of(**entry).count_ones(..) == 1) {
            groups.entry(ChunkKey { roots: reachability.entries_of(*entry).clone(), vendor: false }).or_default();
        }
        groups
    }

    fn partition(&self, roots: Vec<ModuleId>, groups: BTreeMap<ChunkKey, Vec<ModuleId>>) -> Partition {
        let members = groups.values().enumerate();
        let chunk_of: BTreeMap<ModuleId, ChunkId> =
            members.flat_map(|(index, modules)| modules.iter().map(move |module| (*module, ChunkId(index)))).collect();
        let chunks = groups.into_iter().enumerate();
        let chunks =
            chunks.map(|(index, (key, modules))| self.outline(&roots, &chunk_of, ChunkId(index), key, modules));
        Partition { chunks: chunks.collect(), entry_files: self.entry_files(&chunk_of), roots, chunk_of }
    }

    fn outline(
        &self,
        roots: &[ModuleId],
        chunk_of: &BTreeMap<ModuleId, ChunkId>,
        id: ChunkId,
        key: ChunkKey,
        modules: Vec<ModuleId>,
    ) -> ChunkOutline {
        let graph = self.graph;
        let only_root = key.roots.minimum().filter(|_| key.roots.count_ones(..) == 1 && !key.vendor);
        let is_user = |entry: ModuleId| graph.entries.contains(&entry);
        let is_here = |entry: &ModuleId| modules.contains(entry) || (modules.is_empty() && is_user(*entry));
        let entry = only_root.map(|root| roots[root]).filter(is_here);
        let is_user_entry = entry.is_some_and(is_user);
        let name = match (entry, only_root) {
            (Some(_), Some(root)) if is_user_entry => self.entries[root].name.clone(),
            (Some(entry), _) => graph.modules[entry.index()].stem.clone(),
            _ if key.vendor => "vendor".to_owned(),
            _ => modules.last().map_or("shared", |module| &graph.modules[module.index()].stem).to_owned(),
        };
        let mut requires = self.required_by(chunk_of, modules.iter().copied().chain(entry));
        requires.retain(|required| *required != id);
        ChunkOutline { name: asset::readable(&name), entry, is_user_entry, loaded_by: key.roots, modules, requires }
    }

    fn entry_files(&self, chunk_of: &BTreeMap<ModuleId, ChunkId>) -> Vec<EntryFile> {
        let names = self.entries.iter().map(|entry| asset::readable(&entry.name));
        let files = self.graph.entries.iter().zip(names).map(|(entry, name)| {
            let own = chunk_of.get(entry).copied();
            let others = self.required_by(chunk_of, [*entry]).into_iter().filter(|chunk| Some(*chunk) != own);
            // Its own chunk comes first, which loads the others in its order.
            EntryFile { name, requires: own.into_iter().chain(others).collect() }
        });
        files.collect()
    }

    /// The chunks that hold what `modules` need, in the order in which they must run.
    fn required_by(
        &self,
        chunk_of: &BTreeMap<ModuleId, ChunkId>,
        modules: impl IntoIterator<Item = ModuleId>,
    ) -> Vec<ChunkId> {
        let needed: FxHashSet<ModuleId> =
            modules.into_iter().flat_map(|module| self.dependencies.present(module, self.included)).collect();
        let mut needed: Vec<ModuleId> = needed.into_iter().collect();
        needed.sort_by_key(|module| (self.position.get(module), *module));
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
                is_shared: self.is_shared(partition, *root),
            }
        };
        partition.roots.iter().enumerate().map(entry_point).collect()
    }

    /// True if an `import()` of a module may load its chunk for the sake of others. What is an entry besides may yet get a
    /// file of its own.
    fn is_shared(&self, partition: &Partition, module: ModuleId) -> bool {
        let has_own = !self.graph.entries.contains(&module) && partition.own_chunk(module).is_some();
        !has_own && self.included.dynamic_entries.contains(&module)
    }
}

impl Partition {
    /// The chunk that is loaded for a module alone.
    pub(crate) fn own_chunk(&self, module: ModuleId) -> Option<ChunkId> {
        self.chunks.iter().position(|chunk| chunk.entry == Some(module)).map(ChunkId)
    }

    /// The chunk that is loaded for a module.
    fn loaded_for(&self, module: ModuleId) -> Option<ChunkId> {
        self.own_chunk(module).or_else(|| self.chunk_of.get(&module).copied())
    }

    /// Lets every chunk require those whose modules it starts. Behind modules that only declare something, they may be in
    /// chunks that it requires by way of others, and a name comes only from a chunk that is imported itself. Returns
    /// whether that adds anything.
    fn require_started(&mut self, wrapped: &Wrapped, included: &Included) -> bool {
        let Self { chunks, chunk_of, entry_files, roots } = self;
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
