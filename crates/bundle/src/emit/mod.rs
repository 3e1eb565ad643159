//! Emission of chunks as files: statements are rewritten, joined, minified and printed, each chunk on its own core;
//! then every file is named by its content.

mod bindings;
mod closed;
mod context;
mod declared;
mod hash;
mod hoist;
mod linkage;
mod minify;
mod names;
mod print;
mod rewrite;
mod writer;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, LazyLock},
};

use rayon::prelude::*;
use swc_core::{
    atoms::Atom,
    common::{BytePos, GLOBALS, Globals, LineCol, SourceMap, comments::SingleThreadedComments, sync::Lrc},
};

use portalgen_base::{diagnostic::Diagnostic, timing::Stage};

use self::{
    closed::{Claims, Resolved, unexported},
    context::{Context, Emitted, ModuleCode},
    declared::declared_late,
    hash::{Named, Placeholders, Unnamed},
    names::{Names, short_name},
    print::Printed,
    writer::ChunkWriter,
};
use crate::{
    chunk::{
        css_order::CssOrder,
        plan::{self, ChunkGraph, ChunkId},
    },
    graph::ModuleGraph,
    link::Links,
    module::{ModuleId, Statement, Symbol, Trees},
    options::{Options, SourceMaps},
    output::Chunk,
    positions::Positions,
};

/// Of a module whose statements the bundler writes.
static NO_TREES: Trees = Trees { body: Vec::new(), annotations: Vec::new() };

/// Emits every chunk. `sheets` are the names of the CSS files.
///
/// # Errors
/// Chunks that would not run for a fault of portalgen.
pub(crate) fn emit(
    graph: &ModuleGraph,
    links: &Links,
    plan: &ChunkGraph,
    css_order: &CssOrder,
    sheets: &[String],
    options: &Options,
) -> Result<Vec<Chunk>, Vec<Diagnostic>> {
    let aliases: Vec<BTreeMap<Symbol, Atom>> = plan.chunks.iter().map(|chunk| aliases(&chunk.exported)).collect();
    let texts: Vec<&str> = graph.modules.iter().map(|module| module.source.text.as_str()).collect();
    let placeholders = Placeholders::new(&texts);
    let context = Context {
        modules: &graph.modules,
        links,
        plan,
        aliases: &aliases,
        css_order,
        sheets,
        options,
        placeholders: &placeholders,
    };
    // One by one: while a large chunk is minified, no other one waits behind it.
    let chunks = (0..plan.chunks.len()).into_par_iter().with_max_len(1).map(ChunkId);
    let stage = Stage::current();
    let emit = |id| stage.piece(|| plan.outline(id).name.clone(), || context.emitted(id));
    let emitted = chunks.map(emit).collect::<Result<Vec<Emitted>, _>>()?;
    let unbound = emitted.iter().flat_map(|chunk| &chunk.faults).cloned();
    let faults: Vec<Diagnostic> = unbound.chain(unexported(&context, &emitted)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let unnamed: Vec<&Unnamed> = emitted.iter().map(|chunk| &chunk.unnamed).collect();
    let named = placeholders.name_all(&unnamed, options.layout.prefix());
    let mut stylesheets: Vec<Vec<String>> = vec![Vec::new(); emitted.len()];
    for (file, name) in css_order.files.iter().zip(sheets) {
        stylesheets[file.chunk.0].push(name.clone());
    }
    let chunks = emitted.into_iter().zip(named).zip(stylesheets).enumerate();
    let chunks = chunks
        .map(|(index, ((emitted, named), stylesheets))| context.finished(ChunkId(index), emitted, named, stylesheets));
    Ok(chunks.collect())
}

/// Short export names, in an order that the sources decide.
fn aliases(symbols: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Atom> {
    symbols.iter().enumerate().map(|(index, symbol)| (symbol.clone(), short_name(index))).collect()
}

impl Context<'_> {
    fn emitted(&self, id: ChunkId) -> Result<Emitted, Vec<Diagnostic>> {
        let code = self.code_of(id);
        let trees = self.trees_of(&code)?;
        GLOBALS.set(&Globals::new(), || {
            let source_bytes =
                |statements: &Vec<&Statement>| statements.iter().map(|statement| statement.source_bytes).sum();
            let module_bytes = code.iter().map(|(_, statements)| source_bytes(statements)).collect();
            let mut writer = ChunkWriter {
                context: self,
                id,
                names: self.names(id, &code),
                map: Lrc::new(SourceMap::default()),
                files: Vec::new(),
                comments: SingleThreadedComments::default(),
                hoisted: Vec::new(),
                body: Vec::new(),
                mentioned: self.mentions(id, &code),
                claims: Claims::default(),
            };
            for ((module, statements), trees) in code.iter().zip(trees) {
                writer.module(*module, statements, trees);
            }
            let (program, exported) = writer.program();
            let program = Resolved::new(program);
            let faults = writer.unbound(&program);
            let is_looked_up = self.options.source_maps == SourceMaps::Lookup;
            let declared = if is_looked_up { declared_late(&program.program) } else { BTreeMap::new() };
            let ChunkWriter { map, files, comments, mentioned, claims, .. } = writer;
            let Printed { code, mappings } = print::print(program, &map, &comments, self.options);
            let positions = self.positions(files, &mappings, declared);
            let unnamed = self.unnamed(id, code, &positions, mentioned);
            Ok(Emitted { unnamed, positions, module_bytes, taken: claims.into_taken(), exported, faults })
        })
    }

    /// The trees of a chunk's modules, those that are not there yet made side by side.
    ///
    /// # Errors
    /// What is wrong with a text that cannot be parsed.
    fn trees_of(&self, code: &[ModuleCode<'_>]) -> Result<Vec<&Trees>, Vec<Diagnostic>> {
        let trees = |(module, statements): &ModuleCode<'_>| {
            if !statements.iter().any(|statement| statement.code.is_of_trees()) {
                return Ok(&NO_TREES);
            }
            LazyLock::force(&self.modules[module.index()].trees).as_ref().map_err(Clone::clone)
        };
        code.par_iter().map(trees).collect()
    }

    fn positions(
        &self,
        files: Vec<(BytePos, ModuleId)>,
        mappings: &[(BytePos, LineCol)],
        declared: BTreeMap<String, BytePos>,
    ) -> Positions {
        let files =
            files.into_iter().map(|(start, module)| (start.0, Arc::clone(&self.modules[module.index()].source)));
        Positions::new(files.collect(), mappings, declared)
    }

    fn unnamed(&self, id: ChunkId, code: String, positions: &Positions, mentioned: Vec<ChunkId>) -> Unnamed {
        let outline = self.plan.outline(id);
        Unnamed {
            name: outline.name.clone(),
            has_plain_name: self.has_plain_name(id),
            code,
            source_map: (self.options.source_maps == SourceMaps::File).then(|| positions.source_map()),
            modules: outline.modules.iter().map(|module| self.modules[module.index()].name.clone()).collect(),
            mentioned: mentioned.into_iter().map(|chunk| chunk.0).collect(),
        }
    }

    fn finished(&self, id: ChunkId, emitted: Emitted, named: Named, stylesheets: Vec<String>) -> Chunk {
        let Named { file_name, code } = named;
        let Emitted { unnamed: Unnamed { source_map, modules, .. }, positions, module_bytes, .. } = emitted;
        Chunk {
            file_name,
            code,
            source_map,
            positions,
            stylesheets,
            imports: self.plan.outline(id).requires.iter().map(|chunk| chunk.0).collect(),
            lazy_imports: self.lazy_imports(id),
            modules,
            module_bytes,
        }
    }

    fn lazy_imports(&self, id: ChunkId) -> Vec<usize> {
        let targets = self.plan.chunk(id).lazy_targets.iter();
        let chunks: BTreeSet<usize> =
            targets.filter_map(|target| Some(self.plan.dynamic.get(target)?.chunk.0)).collect();
        chunks.into_iter().filter(|chunk| *chunk != id.0).collect()
    }

    /// The statements that stay of a chunk's modules, in order.
    fn code_of(&self, id: ChunkId) -> Vec<ModuleCode<'_>> {
        let of_module = |module: &ModuleId| {
            let statements = &self.modules[module.index()].scan.statements;
            (*module, self.plan.included.statements(*module).map(|index| &statements[index]).collect())
        };
        self.plan.outline(id).modules.iter().map(of_module).collect()
    }

    /// Names for all that the chunk declares or takes from others.
    fn names(&self, id: ChunkId, code: &[ModuleCode<'_>]) -> Names {
        let declared = code.iter().flat_map(|(module, statements)| {
            let names = statements.iter().flat_map(|statement| &statement.declares);
            names.map(|name| Symbol::new(*module, name.clone()))
        });
        let plan::Chunk { outline, needed, .. } = self.plan.chunk(id);
        Names::assign(self.modules, self.links, &outline.modules, declared.chain(needed.iter().cloned()))
    }
}
