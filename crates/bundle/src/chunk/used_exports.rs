//! Exports of CommonJS modules that the included code uses, and so the parts of those modules that it needs.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::atoms::Atom;

use super::included::IncludedStatements;
use crate::{
    graph::ModuleGraph,
    link::{Binding, Links},
    module::{Code, Format, ImportKind, ImportRecord, Module, ModuleId, Statement, Symbol, Target, Use, synthetic},
};

/// For each CommonJS module of which something can be left out, which of its parts stay.
pub(crate) fn included_parts(
    graph: &ModuleGraph,
    links: &Links,
    included: &IncludedStatements,
    dynamic_entries: &BTreeSet<ModuleId>,
) -> FxHashMap<ModuleId, Vec<bool>> {
    let mut used = UsedExports { graph, links, names: FxHashMap::default(), whole: FxHashSet::default() };
    for id in ModuleId::all(graph.modules.len()) {
        let statements = &graph.modules[id.index()].scan.statements;
        included.of(id).for_each(|statement| used.statement(id, &statements[statement]));
    }
    for root in graph.asked_for().chain(dynamic_entries.iter().copied()) {
        used.root(root);
    }
    used.included_parts()
}

struct UsedExports<'a> {
    graph: &'a ModuleGraph,
    links: &'a Links,
    names: FxHashMap<ModuleId, FxHashSet<Atom>>,
    /// Modules whose exports go where they cannot be followed.
    whole: FxHashSet<ModuleId>,
}

impl UsedExports<'_> {
    fn statement(&mut self, id: ModuleId, statement: &Statement) {
        for item in &statement.uses {
            match item {
                Use::ImportRecord(record) => self.import_record(id, *record),
                item => {
                    if let Some(binding) = self.links.binding(id, item) {
                        self.binding(id, &binding);
                    }
                }
            }
        }
        match statement.code {
            Code::Namespace => self.exports(id),
            Code::StarExports(_) => self.whole.extend(self.links.dynamic_star_exports(id)),
            Code::InteropDefault | Code::InteropNamespace { .. } => {
                self.whole.insert(id);
            }
            _ => {}
        }
    }

    fn import_record(&mut self, id: ModuleId, record: usize) {
        let Module { scan, targets, .. } = &self.graph.modules[id.index()];
        let (Target::Module(target), ImportRecord { kind: ImportKind::Require { .. }, members, .. }) =
            (&targets[record], &scan.import_records[record])
        else {
            return;
        };
        match members {
            Some(names) => self.names.entry(*target).or_default().extend(names.iter().cloned()),
            None => {
                self.whole.insert(*target);
            }
        }
    }

    fn binding(&mut self, user: ModuleId, binding: &Binding) {
        match binding {
            Binding::Property(module, name) => {
                self.names.entry(*module).or_default().insert(name.clone());
            }
            Binding::Symbol(Symbol { module, name }) if *module != user && *name == synthetic::EXPORTS => {
                self.whole.insert(*module);
            }
            Binding::Symbol(_) | Binding::Member(..) | Binding::Missing => {}
        }
    }

    fn exports(&mut self, module: ModuleId) {
        let links = self.links;
        links.exports(module).values().for_each(|binding| self.binding(module, binding));
    }

    /// All that an entry exports is used by what loads it.
    fn root(&mut self, root: ModuleId) {
        match self.graph.modules[root.index()].scan.format {
            Format::CommonJs => {
                self.whole.insert(root);
            }
            Format::Esm => self.exports(root),
        }
    }

    fn included_parts(&self) -> FxHashMap<ModuleId, Vec<bool>> {
        let nothing = FxHashSet::default();
        let modules = self.graph.modules.iter().enumerate().map(|(index, module)| (ModuleId::at(index), module));
        let partial = modules.filter(|(id, _)| !self.whole.contains(id)).filter_map(|(id, module)| {
            let used = self.names.get(&id).unwrap_or(&nothing);
            Some((id, module.scan.known_exports.as_ref()?.live_parts(used)))
        });
        partial.collect()
    }
}
