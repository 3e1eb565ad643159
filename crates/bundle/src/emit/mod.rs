//! Emission of chunks as files: a blueprint is drafted of each, on its own core; statements are rewritten, joined, minified and
//! printed as it says, unless an earlier build has printed that; then every file is named by its content.

mod bindings;
mod blueprint;
mod closed;
mod context;
mod declared;
mod draft;
mod hash;
mod hoist;
mod linkage;
mod minify;
pub(crate) mod names;
pub(crate) mod print;
pub(crate) mod rewrite;
mod text;
mod writer;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rayon::prelude::*;
use swc_core::{
    atoms::Atom,
    common::{GLOBALS, Globals},
};

use portalgen_base::{diagnostic::Diagnostic, timing::Stage};

use self::{
    blueprint::{Blueprint, Item, ModulePart},
    closed::{Claims, Resolved, unexported},
    context::{Context, Emitted, ModuleCode},
    declared::declared_late,
    draft::Drafter,
    hash::{Placeholders, Unnamed},
    names::{Names, short_name},
    print::Printed,
    text::Text,
    writer::{Written, write},
};
use crate::{
    chunk::{
        css_order::CssOrder,
        plan::{self, ChunkGraph, ChunkId},
    },
    graph::ModuleGraph,
    link::Links,
    module::{ModuleId, Statement, Symbol},
    options::{Options, SourceMaps},
    output::Chunk,
    positions::{Origins, Positions},
    trees::Trees,
};

/// Emits every chunk. `sheets` are the names of the CSS files.
///
/// # Errors
/// Chunks that would not run for a fault of portalgen.
pub(crate) fn emit(
    graph: &ModuleGraph,
    links: &Links,
    plan: &ChunkGraph,
    css_order: &CssOrder,
    sheets: &[Arc<str>],
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
    let mut emitted = chunks.map(emit).collect::<Result<Vec<Emitted>, _>>()?;
    let unbound = emitted.iter().flat_map(|chunk| &chunk.faults).cloned();
    let faults: Vec<Diagnostic> = unbound.chain(unexported(&context, &emitted)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut unnamed: Vec<&mut Unnamed> = emitted.iter_mut().map(|chunk| &mut chunk.unnamed).collect();
    let names = placeholders.name_all(&mut unnamed, options.layout.prefix());
    let mut stylesheets: Vec<Vec<Arc<str>>> = vec![Vec::new(); emitted.len()];
    for (file, name) in css_order.files.iter().zip(sheets) {
        stylesheets[file.chunk.0].push(name.clone());
    }
    let chunks = emitted.into_iter().zip(names).zip(stylesheets).enumerate();
    let chunks = chunks
        .map(|(index, ((emitted, name), stylesheets))| context.finished(ChunkId(index), emitted, name, stylesheets));
    Ok(chunks.collect())
}

fn source_bytes(statements: &[&Statement]) -> usize {
    statements.iter().map(|statement| statement.source_bytes).sum()
}

/// The trees of a chunk's modules, those that are not there yet made side by side.
///
/// # Errors
/// What is wrong with a text that cannot be parsed.
fn trees_of(blueprint: &Blueprint<'_>) -> Result<Vec<Arc<Trees>>, Vec<Diagnostic>> {
    let trees = |part: &ModulePart<'_>| {
        let is_of_trees = part.items.iter().any(Item::is_of_trees);
        if is_of_trees { part.module.trees.get() } else { Ok(Arc::default()) }
    };
    blueprint.modules.par_iter().map(trees).collect()
}

/// The text of a chunk, and the names in it that mean nothing.
///
/// # Errors
/// What is wrong with a text that cannot be parsed.
fn print(drafter: &Drafter<'_>, blueprint: &Blueprint<'_>) -> Result<(Text, Vec<Diagnostic>), Vec<Diagnostic>> {
    let options = drafter.context.options;
    let trees = trees_of(blueprint)?;
    let printed = GLOBALS.set(&Globals::new(), || {
        let Written { program, map, files, comments } = write(blueprint, trees);
        let program = Resolved::new(program);
        let free = drafter.free(&program, &files);
        let declared = match options.source_maps {
            SourceMaps::Lookup => declared_late(&program.program),
            _ => BTreeMap::new(),
        };
        let Printed { code, mappings } = print::print(program, &map, &comments, options);
        let starts = files.iter().map(|(start, _)| start.0).collect();
        (Text { code, origins: Origins::new(starts, &mappings, declared) }, free)
    });
    Ok(printed)
}

/// Short export names, in an order that the sources decide.
fn aliases(symbols: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Atom> {
    symbols.iter().enumerate().map(|(index, symbol)| (symbol.clone(), short_name(index))).collect()
}

impl Context<'_> {
    fn emitted(&self, id: ChunkId) -> Result<Emitted, Vec<Diagnostic>> {
        let code = self.code_of(id);
        let mut drafter = Drafter {
            context: self,
            id,
            names: self.names(id, &code),
            mentioned: self.mentions(id, &code),
            claims: Claims::default(),
        };
        let blueprint = drafter.blueprint(&code);
        let mut faults = drafter.missing();
        let key = blueprint.key(self.placeholders.prefix(), self.options).filter(|_| faults.is_empty());
        let kept = self.options.chunks.as_ref().zip(key);
        let known = kept.and_then(|(chunks, key)| Text::from_bytes(&chunks.get(key)?));
        let text = if let Some(text) = known {
            text
        } else {
            let (text, free) = print(&drafter, &blueprint)?;
            if let Some((chunks, key)) = kept.filter(|_| free.is_empty()) {
                chunks.put(key, text.to_bytes());
            }
            faults.extend(free);
            text
        };
        let Drafter { mentioned, claims, .. } = drafter;
        let positions = Positions::new(blueprint.modules.iter().map(|part| &part.module.source), text.origins);
        Ok(Emitted {
            unnamed: self.unnamed(id, text.code, &positions, mentioned),
            positions,
            module_bytes: code.iter().map(|(_, statements)| source_bytes(statements)).collect(),
            taken: claims.into_taken(),
            exported: blueprint.exports.into_iter().map(|(_, name)| name).collect(),
            faults,
        })
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

    fn finished(&self, id: ChunkId, emitted: Emitted, file_name: String, stylesheets: Vec<Arc<str>>) -> Chunk {
        let Emitted { unnamed: Unnamed { code, source_map, modules, .. }, positions, module_bytes, .. } = emitted;
        Chunk {
            file_name: file_name.into(),
            code: code.into(),
            source_map: source_map.map(Into::into),
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
