//! Inputs of emission: the graph and the plan.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use swc_core::atoms::Atom;

use portalgen_base::diagnostic::Diagnostic;

use super::hash::{Placeholders, Unnamed};
use crate::{
    chunk::{
        css_order::CssOrder,
        included::dynamic_target,
        plan::{ChunkGraph, ChunkId, UserEntry},
        references::lazy_namespace,
    },
    link::Links,
    module::{Module, ModuleId, Statement, Symbol},
    options::{Layout, Options},
    positions::Positions,
};

/// A module, and its statements that stay.
pub(super) type ModuleCode<'a> = (ModuleId, Vec<&'a Statement>);

/// Inputs of emission, the same for all chunks.
pub(super) struct Context<'a> {
    pub modules: &'a [Module],
    pub links: &'a Links,
    pub plan: &'a ChunkGraph,
    /// For each chunk, the names that it exports variables under.
    pub aliases: &'a [BTreeMap<Symbol, Atom>],
    pub css_order: &'a CssOrder,
    pub sheets: &'a [Arc<str>],
    pub options: &'a Options,
    pub placeholders: &'a Placeholders,
}

/// The code of a chunk, with its imports and exports.
pub(super) struct Emitted {
    pub unnamed: Unnamed,
    pub positions: Positions,
    /// For each module of the chunk, how many bytes of its source are left.
    pub module_bytes: Vec<usize>,
    /// Imports from other chunks, by the names that these export.
    pub taken: BTreeSet<(ChunkId, Atom)>,
    /// The names that it exports.
    pub exported: BTreeSet<Atom>,
    /// Names that mean nothing in it.
    pub faults: Vec<Diagnostic>,
}

impl Context<'_> {
    pub(super) fn chunk_of(&self, symbol: &Symbol) -> Option<ChunkId> {
        self.plan.chunk_of.get(&symbol.module).copied()
    }

    /// True if a chunk's file is named like its entry, without a hash.
    pub(super) fn has_plain_name(&self, chunk: ChunkId) -> bool {
        self.options.layout == Layout::Flat
            && self.options.workers.is_empty()
            && self.plan.outline(chunk).user_entry == Some(UserEntry::Initial)
    }

    /// The chunk that an `import()` of `target` loads where `importer` in the chunk `id` asks for it. None, if the
    /// module is there already and only its evaluation may have to be started.
    pub(super) fn loaded_chunk(&self, id: ChunkId, importer: ModuleId, target: ModuleId) -> Option<ChunkId> {
        let import = self.plan.dynamic.get(&target)?;
        let is_namespace_of_chunk = !import.namespaces.contains(&lazy_namespace(self.modules, importer, target));
        let is_entry = self.plan.outline(import.chunk).entry == Some(target);
        (is_namespace_of_chunk || is_entry || import.chunk != id).then_some(import.chunk)
    }

    /// The chunks that a chunk's code names by placeholders, each under its place in the list.
    pub(super) fn mentions(&self, id: ChunkId, code: &[ModuleCode<'_>]) -> Vec<ChunkId> {
        let loaded = code.iter().flat_map(|(importer, statements)| {
            let uses = statements.iter().flat_map(|statement| &statement.uses);
            let targets = uses.filter_map(|item| dynamic_target(&self.modules[importer.index()], item));
            targets.filter_map(|target| self.loaded_chunk(id, *importer, target))
        });
        let all = loaded.chain(self.plan.outline(id).requires.iter().copied());
        let mut seen = BTreeSet::new();
        all.filter(|chunk| !self.has_plain_name(*chunk) && seen.insert(*chunk)).collect()
    }
}
