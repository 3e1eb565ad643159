//! Closed chunks: makes sure that whatever their code names is declared there, imported, or a global that their sources
//! name, and whatever they import is exported. Sources that link leave nothing open, so anything else is a fault of
//! portalgen, which must not wait for a visitor to meet it.

use std::{cell::RefCell, collections::BTreeSet};

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{BytePos, Mark, SyntaxContext},
    ecma::{
        ast::{ExportNamedSpecifier, Ident, ImportDecl, Program},
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use portalgen_base::{diagnostic::Diagnostic, text::text};

use super::{
    context::{Context, Emitted},
    draft::Drafter,
};
use crate::{
    chunk::plan::ChunkId,
    module::{ModuleId, Symbol},
    scopes::resolve_names,
};

/// Globals that the bundler itself names.
const OWN_GLOBALS: [&str; 3] = ["Promise", "URL", "undefined"];

/// A chunk's program in which every name is known to be declared in it or not.
#[derive(Clone)]
pub(super) struct Resolved {
    pub program: Program,
    pub unresolved: Mark,
    pub top_level: Mark,
}

impl Resolved {
    pub(super) fn new(mut program: Program) -> Self {
        let (unresolved, top_level) = (Mark::new(), Mark::new());
        resolve_names(&mut program, (unresolved, top_level), false);
        Self { program, unresolved, top_level }
    }

    /// The names that nothing in the program declares or imports, each once, with where it stands first.
    fn free_names(&self) -> Vec<(Atom, BytePos)> {
        let unresolved = SyntaxContext::empty().apply_mark(self.unresolved);
        let mut search = FreeNames { unresolved, seen: FxHashSet::default(), found: Vec::new() };
        self.program.visit_with(&mut search);
        search.found
    }
}

struct FreeNames {
    unresolved: SyntaxContext,
    seen: FxHashSet<Atom>,
    found: Vec<(Atom, BytePos)>,
}

impl Visit for FreeNames {
    noop_visit_type!();

    /// The name that importers use is no name of the program.
    fn visit_export_named_specifier(&mut self, specifier: &ExportNamedSpecifier) {
        specifier.orig.visit_with(self);
    }

    fn visit_import_decl(&mut self, _: &ImportDecl) {}

    fn visit_ident(&mut self, ident: &Ident) {
        if ident.ctxt == self.unresolved && !self.seen.contains(&ident.sym) {
            self.seen.insert(ident.sym.clone());
            self.found.push((ident.sym.clone(), ident.span.lo));
        }
    }
}

/// Claims of a chunk on others, gathered while it is drafted.
#[derive(Default)]
pub(super) struct Claims {
    /// Imports from other chunks, by the names that these export.
    taken: RefCell<BTreeSet<(ChunkId, Atom)>>,
    /// Variables that its code needs and cannot get at.
    missing: RefCell<BTreeSet<Symbol>>,
}

impl Claims {
    pub(super) fn take(&self, chunk: ChunkId, alias: &Atom) {
        self.taken.borrow_mut().insert((chunk, alias.clone()));
    }

    pub(super) fn miss(&self, symbol: &Symbol) {
        self.missing.borrow_mut().insert(symbol.clone());
    }

    pub(super) fn into_taken(self) -> BTreeSet<(ChunkId, Atom)> {
        self.taken.into_inner()
    }
}

impl Drafter<'_> {
    /// Variables that the chunk's code needs and cannot get at.
    pub(super) fn missing(&self) -> Vec<Diagnostic> {
        let missing = self.claims.missing.borrow();
        missing.iter().map(|symbol| self.unbound(Some(symbol.module), &symbol.name)).collect()
    }

    /// Free names of the chunk's code that nothing declares or imports. `files` are the starts of the modules' texts in
    /// the chunk's source map.
    pub(super) fn free(&self, resolved: &Resolved, files: &[(BytePos, ModuleId)]) -> Vec<Diagnostic> {
        let plan = self.context.plan.outline(self.id);
        let is_known = |name: &Atom| {
            let mut scans = plan.modules.iter().map(|module| &self.context.modules[module.index()].scan);
            OWN_GLOBALS.contains(&&**name) || scans.any(|scan| scan.globals.contains(name))
        };
        let free = resolved.free_names().into_iter().filter(|(name, _)| !is_known(name));
        let free = free.map(|(name, position)| {
            let owner = self.names.symbol(&name).map(|symbol| symbol.module);
            self.unbound(owner.or_else(|| module_at(files, position)), &name)
        });
        free.collect()
    }

    fn unbound(&self, module: Option<ModuleId>, name: &str) -> Diagnostic {
        let chunk = &self.context.plan.outline(self.id).name;
        let module = module.map_or("?", |module| &*self.context.modules[module.index()].name);
        Diagnostic::own_fault(&text!(
            "the chunk `{chunk}` uses `{name}` of `{module}`, but neither declares nor imports it",
            "代码块 `{chunk}` 用到 `{module}` 的 `{name}`，但既没有声明它，也没有导入它"
        ))
    }
}

/// The module whose text has a position of the chunk's source map.
fn module_at(files: &[(BytePos, ModuleId)], position: BytePos) -> Option<ModuleId> {
    let file = files.iter().rfind(|(start, _)| *start <= position);
    file.filter(|_| !position.is_dummy()).map(|(_, module)| *module)
}

/// Imports from chunks that do not export the name.
pub(super) fn unexported(context: &Context<'_>, chunks: &[Emitted]) -> Vec<Diagnostic> {
    let name = |chunk: ChunkId| &context.plan.outline(chunk).name;
    let missing = chunks.iter().enumerate().flat_map(|(importer, chunk)| {
        let open = chunk.taken.iter().filter(|(owner, alias)| !chunks[owner.0].exported.contains(alias));
        open.map(move |(owner, alias)| (ChunkId(importer), *owner, alias))
    });
    let fault = |(importer, owner, alias): (ChunkId, ChunkId, &Atom)| {
        let (importer, owner) = (name(importer), name(owner));
        Diagnostic::own_fault(&text!(
            "the chunk `{importer}` imports `{alias}` from the chunk `{owner}`, which does not export it",
            "代码块 `{importer}` 从代码块 `{owner}` 导入了 `{alias}`，但后者没有导出它"
        ))
    };
    missing.map(fault).collect()
}
