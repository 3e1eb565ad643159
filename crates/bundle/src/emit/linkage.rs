//! Imports and exports of a chunk.

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use swc_core::{
    atoms::Atom,
    common::DUMMY_SP,
    ecma::ast::{ModuleItem, Stmt},
};

use super::{draft::Drafter, rewrite::Access};
use crate::{
    ast,
    chunk::{
        plan::{ChunkId, DynamicImport},
        references::entry_exports,
    },
    module::{ModuleId, Symbol, synthetic},
    walk::postorder,
};

/// Characters that are escaped in a specifier.
const URL_UNSAFE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'?').add(b'`').add(b'\\');

impl Drafter<'_> {
    /// True if a chunk that this one requires waits for something (top-level `await`).
    pub(super) fn needs_waiting_chunk(&self) -> bool {
        let plan = self.context.plan;
        let waits = |chunk: ChunkId| {
            let mut modules = plan.outline(chunk).modules.iter();
            modules.any(|module| self.context.modules[module.index()].scan.top_level_await)
        };
        postorder(&[self.id], |chunk| &plan.outline(chunk).requires)
            .into_iter()
            .any(|chunk| chunk != self.id && waits(chunk))
    }

    pub(super) fn imports(&self) -> Vec<ModuleItem> {
        let context = self.context;
        let mut names: BTreeMap<ChunkId, Vec<(Atom, Atom)>> = BTreeMap::new();
        for symbol in &context.plan.chunk(self.id).needed {
            let owner = context.chunk_of(symbol);
            if owner == Some(self.id) || context.modules[symbol.module.index()].external.is_some() {
                continue;
            }
            match owner.and_then(|owner| self.alias(owner, symbol)).zip(self.names.get(symbol)) {
                Some(((owner, alias), local)) => names.entry(owner).or_default().push((alias, local.clone())),
                None => self.claims.miss(symbol),
            }
        }
        let required = &context.plan.outline(self.id).requires;
        let from_chunks = required
            .iter()
            .map(|chunk| ast::import(&self.specifier(*chunk).into(), names.remove(chunk).unwrap_or_default()));
        self.external_imports().into_iter().chain(from_chunks).collect()
    }

    /// The name that another chunk exports a variable under, if this chunk imports from there.
    fn alias(&self, owner: ChunkId, symbol: &Symbol) -> Option<(ChunkId, Atom)> {
        let is_required = self.context.plan.outline(self.id).requires.contains(&owner);
        let alias = self.context.aliases[owner.0].get(symbol).filter(|_| is_required)?;
        self.claims.take(owner, alias);
        Some((owner, alias.clone()))
    }

    /// The specifier of another chunk in `import … from` and `import()`.
    pub(super) fn specifier(&self, chunk: ChunkId) -> String {
        let name = &self.context.plan.outline(chunk).name;
        if self.context.has_plain_name(chunk) {
            return format!("./{}.js", utf8_percent_encode(name, URL_UNSAFE));
        }
        let number = self.mentioned.iter().position(|other| *other == chunk).unwrap_or_default();
        format!("./{}", self.context.placeholders.file_name(name, number))
    }

    /// Imports of external modules, in the order in which the language runs them.
    fn external_imports(&self) -> Vec<ModuleItem> {
        let context = self.context;
        let mut names: BTreeMap<ModuleId, Vec<(Atom, Atom)>> = BTreeMap::new();
        let mut items = Vec::new();
        for symbol in &context.plan.chunk(self.id).needed {
            let module = &context.modules[symbol.module.index()];
            let Some(external) = &module.external else { continue };
            let Some(local) = self.names.get(symbol) else { continue };
            if symbol.name == synthetic::NAMESPACE {
                items.push(ast::import_namespace(external, local));
            } else {
                names.entry(symbol.module).or_default().push((symbol.name.clone(), local.clone()));
            }
        }
        for id in &context.plan.chunk(self.id).externals {
            let module = &context.modules[id.index()];
            let Some(external) = &module.external else { continue };
            let names = names.remove(id).unwrap_or_default();
            let is_named = !names.is_empty();
            if is_named || !module.pure_package {
                items.push(ast::import(external, names));
            }
        }
        items
    }

    /// `export * from "…"` for external modules that a user entry re-exports.
    pub(super) fn external_stars(&self) -> Vec<ModuleItem> {
        let plan = self.context.plan.outline(self.id);
        let entry = plan.entry.filter(|_| plan.user_entry.is_some());
        let stars = entry.into_iter().flat_map(|entry| self.context.links.dynamic_star_exports(entry));
        let externals = stars.filter_map(|star| self.context.modules[star.index()].external.as_ref());
        externals.map(ast::export_star).collect()
    }

    /// The exports of the chunk: those of the module it is loaded for, and variables for other chunks; and the
    /// variables that must be made for that.
    pub(super) fn exports(&mut self) -> (Vec<Stmt>, Vec<(Atom, Atom)>) {
        let context = self.context;
        let plan = context.plan.outline(self.id);
        let (mut snapshots, mut exports) = (Vec::new(), Vec::new());
        let is_own = |entry: &ModuleId| {
            let direct = |import: &DynamicImport| import.chunk == self.id && import.namespaces.is_empty();
            plan.user_entry.is_some() || context.plan.dynamic.get(entry).is_some_and(direct)
        };
        if let Some(entry) = plan.entry.filter(is_own) {
            for (name, binding) in entry_exports(context.modules, context.links, entry, plan.user_entry) {
                match self.access(Some(&binding)) {
                    Access::Variable(local) => exports.push((local, name)),
                    // The properties of a CommonJS module are exported as they are when it has run.
                    access @ (Access::Property(..) | Access::OptionalProperty(..)) => {
                        let local = self.names.fresh(&format!("export_{}", snapshots.len()));
                        snapshots.push(ast::declare(&local, access.expr(DUMMY_SP)));
                        exports.push((local, name));
                    }
                    Access::Undefined => {}
                }
            }
        }
        for (symbol, alias) in &context.aliases[self.id.0] {
            if let Some(local) = self.names.get(symbol) {
                exports.push((local.clone(), alias.clone()));
            }
        }
        (snapshots, exports)
    }
}
