//! Chunks to be emitted: the modules of each, its imports and its exports.

use std::collections::{BTreeMap, BTreeSet};

use super::{included::Included, reachability::EntrySet, wrapped::Wrapped};
use crate::module::{ModuleId, Symbol};

/// A chunk's number in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChunkId(pub usize);

/// How the caller asked for a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UserEntry {
    /// As an entry.
    Initial,
    /// As a lazy entry, which code of an initial one loads by its address.
    Lazy,
}

/// A file of code to be: its modules, and the chunks that run before it.
#[derive(Clone, Debug)]
pub(crate) struct ChunkOutline {
    /// Readable part of the file name.
    pub name: String,
    /// The module that the chunk is loaded for, when it is.
    pub entry: Option<ModuleId>,
    /// How the caller asked for the entry, if it did.
    pub user_entry: Option<UserEntry>,
    /// The roots that load it, by their numbers.
    pub loaded_by: EntrySet,
    /// In the order in which they run. Empty in a chunk that only re-exports what a user entry exports.
    pub modules: Vec<ModuleId>,
    /// The chunks whose modules must run before its own, in order.
    pub requires: Vec<ChunkId>,
}

/// A chunk, ready to be emitted.
pub(crate) struct Chunk {
    pub outline: ChunkOutline,
    /// The variables that its code mentions, its own and those of other chunks.
    pub needed: BTreeSet<Symbol>,
    /// The variables that other chunks use.
    pub exported: BTreeSet<Symbol>,
    /// The external modules that it imports, in order.
    pub externals: Vec<ModuleId>,
    /// The modules that its code loads with `import()`.
    pub lazy_targets: BTreeSet<ModuleId>,
}

/// The chunks of a graph.
pub(crate) struct ChunkGraph {
    pub chunks: Vec<Chunk>,
    /// The modules that chunks are loaded for: the entries asked for, then the targets of `import()`.
    pub roots: Vec<ModuleId>,
    /// For each module that stays.
    pub chunk_of: BTreeMap<ModuleId, ChunkId>,
    /// For each target of `import()`.
    pub dynamic: BTreeMap<ModuleId, DynamicImport>,
    /// The targets of `import()` and lazy entries that bring style sheets along.
    pub styled: BTreeSet<ModuleId>,
    /// For each style sheet, the roots that need it and would not have it otherwise, by their numbers.
    pub sheet_roots: BTreeMap<ModuleId, EntrySet>,
    pub wrapped: Wrapped,
    pub included: Included,
}

impl ChunkGraph {
    pub(crate) fn chunk(&self, id: ChunkId) -> &Chunk {
        &self.chunks[id.0]
    }

    pub(crate) fn outline(&self, id: ChunkId) -> &ChunkOutline {
        &self.chunks[id.0].outline
    }

    pub(crate) fn outlines(&self) -> impl Iterator<Item = &ChunkOutline> {
        self.chunks.iter().map(|chunk| &chunk.outline)
    }
}

/// The code that an `import()` of a module turns into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DynamicImport {
    pub chunk: ChunkId,
    /// The variables of that chunk that hold the module's namespace, one for each kind of importer. None, if the chunk's
    /// own namespace is it.
    pub namespaces: BTreeSet<Symbol>,
    /// The function of that chunk that evaluates the module, if loading the chunk does not.
    pub init: Option<Symbol>,
}
