//! Chunks to files: statements are rewritten, joined, minified and printed, each chunk on its own core; then every
//! file is named by its content.

mod boundary;
mod early_reads;
mod effects;
mod hash;
mod hoist;
mod names;
pub(super) mod positions;
mod print;
mod references;
mod rewrite;
mod writer;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rayon::prelude::*;
use swc_core::{
    atoms::Atom,
    common::{BytePos, GLOBALS, Globals, SourceMap, comments::SingleThreadedComments, sync::Lrc},
};

use self::{
    hash::{Placeholders, Unnamed},
    names::{Names, short_name},
    positions::Positions,
    print::Printed,
    writer::ChunkWriter,
};
use crate::bundle::{
    Chunk, Layout, Options, SourceMaps,
    chunk::{ChunkGraph, ChunkId, cascade::Cascade},
    graph::ModuleGraph,
    link::Links,
    module::{Module, ModuleId, Statement, Symbol},
};

/// Emits every chunk. `sheets` are the names of the cascade's files.
pub(crate) fn emit(
    mut graph: ModuleGraph,
    links: &Links,
    plan: &ChunkGraph,
    cascade: &Cascade,
    sheets: &[String],
    options: &Options,
) -> Vec<Chunk> {
    let statements: Vec<Vec<Statement>> =
        graph.modules.iter_mut().map(|module| std::mem::take(&mut module.record.statements)).collect();
    let aliases: Vec<BTreeMap<Symbol, Atom>> = plan.exported.iter().map(aliases).collect();
    let texts: Vec<&str> = graph.modules.iter().map(|module| module.source.text.as_str()).collect();
    let placeholders = Placeholders::new(&texts);
    let context = Context {
        modules: &graph.modules,
        links,
        plan,
        aliases: &aliases,
        cascade,
        sheets,
        options,
        placeholders: &placeholders,
    };
    let per_chunk = distribute(statements, plan);
    let unnamed: Vec<Unnamed> =
        per_chunk.into_par_iter().enumerate().map(|(index, code)| context.chunk(ChunkId(index), code)).collect();
    placeholders.name_all(unnamed, options.layout.prefix())
}

/// Short export names, in an order that the sources decide.
fn aliases(symbols: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Atom> {
    symbols.iter().enumerate().map(|(index, symbol)| (symbol.clone(), short_name(index))).collect()
}

type ModuleCode = (ModuleId, Vec<Statement>);

/// Hands every chunk the statements that stay of its modules, in order.
fn distribute(statements: Vec<Vec<Statement>>, plan: &ChunkGraph) -> Vec<Vec<ModuleCode>> {
    let mut statements: Vec<Option<Vec<Statement>>> = statements.into_iter().map(Some).collect();
    let mut of_module = |module: ModuleId| {
        let all = statements[module.index()].take().unwrap_or_default();
        let live = all.into_iter().enumerate().filter(|(index, _)| plan.live.statement(module, *index));
        (module, live.map(|(_, statement)| statement).collect())
    };
    plan.chunks.iter().map(|chunk| chunk.modules.iter().map(|module| of_module(*module)).collect()).collect()
}

struct Context<'a> {
    modules: &'a [Module],
    links: &'a Links,
    plan: &'a ChunkGraph,
    aliases: &'a [BTreeMap<Symbol, Atom>],
    cascade: &'a Cascade,
    sheets: &'a [String],
    options: &'a Options,
    placeholders: &'a Placeholders,
}

impl Context<'_> {
    fn chunk(&self, id: ChunkId, code: Vec<ModuleCode>) -> Unnamed {
        GLOBALS.set(&Globals::new(), || {
            let names = self.names(id, &code);
            let source_bytes = |statements: &Vec<Statement>| statements.iter().map(Statement::source_bytes).sum();
            let module_bytes = code.iter().map(|(_, statements)| source_bytes(statements)).collect();
            let mut writer = ChunkWriter {
                context: self,
                id,
                names,
                map: Lrc::new(SourceMap::default()),
                files: Vec::new(),
                comments: SingleThreadedComments::default(),
                hoisted: Vec::new(),
                body: Vec::new(),
                mentioned: RefCell::default(),
            };
            for (module, statements) in code {
                writer.module(module, statements);
            }
            let program = writer.program();
            let ChunkWriter { map, files, comments, mentioned, .. } = writer;
            let printed = print::print(program, &map, &comments, self.options);
            let mentioned = mentioned.into_inner().into_iter().map(|chunk| chunk.0).collect();
            let chunk = Chunk { module_bytes, ..self.unnamed_chunk(id, printed, files) };
            Unnamed { chunk, has_plain_name: self.has_plain_name(id), mentioned }
        })
    }

    fn unnamed_chunk(&self, id: ChunkId, printed: Printed, files: Vec<(BytePos, ModuleId)>) -> Chunk {
        let Printed { code, mappings } = printed;
        let plan = &self.plan.chunks[id.0];
        let files =
            files.into_iter().map(|(start, module)| (start.0, Arc::clone(&self.modules[module.index()].source)));
        let positions = Positions::new(files.collect(), &mappings);
        Chunk {
            file_name: plan.name.clone(),
            code,
            source_map: (self.options.source_maps == SourceMaps::File).then(|| positions.source_map()),
            positions,
            stylesheets: self.stylesheets(id),
            imports: self.plan.requires[id.0].iter().map(|chunk| chunk.0).collect(),
            lazy_imports: self.lazy_imports(id),
            modules: plan.modules.iter().map(|module| self.modules[module.index()].name.clone()).collect(),
            module_bytes: Vec::new(),
        }
    }

    fn stylesheets(&self, id: ChunkId) -> Vec<String> {
        let files = self.cascade.files.iter().zip(self.sheets);
        files.filter(|(file, _)| file.chunk == id).map(|(_, name)| name.clone()).collect()
    }

    fn lazy_imports(&self, id: ChunkId) -> Vec<usize> {
        let targets = self.plan.lazy_targets[id.0].iter();
        let chunks: BTreeSet<usize> =
            targets.filter_map(|target| Some(self.plan.dynamic.get(target)?.chunk.0)).collect();
        chunks.into_iter().filter(|chunk| *chunk != id.0).collect()
    }

    /// Names for all that the chunk declares or takes from others.
    fn names(&self, id: ChunkId, code: &[ModuleCode]) -> Names {
        let declared = code.iter().flat_map(|(module, statements)| {
            let names = statements.iter().flat_map(|statement| &statement.declares);
            names.map(|name| Symbol::new(*module, name.clone()))
        });
        let needed = self.plan.needed[id.0].iter().cloned();
        Names::assign(self.modules, self.links, &self.plan.chunks[id.0], declared.chain(needed))
    }

    fn chunk_of(&self, symbol: &Symbol) -> Option<ChunkId> {
        self.plan.chunk_of.get(&symbol.module).copied()
    }

    /// Whether a chunk's file is named like its entry, without a hash.
    fn has_plain_name(&self, chunk: ChunkId) -> bool {
        self.options.layout == Layout::Flat
            && self.options.workers.is_empty()
            && self.plan.chunks[chunk.0].is_user_entry
    }
}
