//! Linking: connects every imported name to the variable behind it, through re-exports, `export *` and CommonJS.

mod check;
mod class_names;
mod doubts;
mod lazy_entry;
mod linker;
mod page_exports;
mod routers;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::atoms::Atom;

use portalgen_base::diagnostic::Diagnostic;

use self::{check::unknown_exports, doubts::doubts, linker::Linker, routers::second_router};
use super::{
    graph::ModuleGraph,
    module::{Export, ImportKind, Imported, ModuleId, Symbol, Use, synthetic},
};
use crate::{effect::Effect, options::Layout};

/// The meaning of a name after linking.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// A top-level variable.
    Symbol(Symbol),
    /// A property of the exports of a CommonJS module, read at each use.
    Property(ModuleId, Atom),
    /// A property of an object, read at each use.
    Member(Symbol, Atom),
    /// Nothing: the export does not exist.
    Missing,
}

impl Binding {
    /// The variable that must exist for the binding to work.
    pub(super) fn symbol(&self) -> Option<Symbol> {
        match self {
            Self::Symbol(symbol) | Self::Member(symbol, _) => Some(symbol.clone()),
            Self::Property(module, _) => Some(Symbol::new(*module, synthetic::EXPORTS)),
            Self::Missing => None,
        }
    }
}

/// An imported name, and the names of a property of it, of one of that, and so on.
type Member = (Atom, Vec<Atom>);

/// The bindings of a graph.
pub(super) struct Links {
    /// For each module, what its imported names stand for.
    imports: Vec<FxHashMap<Atom, Binding>>,
    /// Exports of the ES modules of which something asks for all of them, `export *` included.
    exports: FxHashMap<ModuleId, BTreeMap<Atom, Binding>>,
    /// Properties of namespaces, resolved one by one.
    members: Vec<FxHashMap<Member, Binding>>,
    /// For each ES module, the modules it re-exports with `export *` whose names show only at run time.
    dynamic_star_exports: Vec<Vec<ModuleId>>,
}

impl Links {
    /// The exports of an ES module, by name, if it is an entry or something asks for all of it.
    pub(super) fn exports(&self, module: ModuleId) -> &BTreeMap<Atom, Binding> {
        const NOTHING: &BTreeMap<Atom, Binding> = &BTreeMap::new();
        self.exports.get(&module).unwrap_or(NOTHING)
    }

    /// The modules that an ES module re-exports with `export *`, itself or through others, and whose names show only at run
    /// time.
    pub(super) fn dynamic_star_exports(&self, module: ModuleId) -> &[ModuleId] {
        &self.dynamic_star_exports[module.index()]
    }

    /// The binding of a use in `module`; `None` for an import record.
    pub(super) fn binding(&self, module: ModuleId, item: &Use) -> Option<Binding> {
        match item {
            Use::Name(name) => Some(self.name(module, name)),
            Use::Member(object, path) => {
                let member = self.member(module, object, path).map(|(_, binding)| binding);
                member.or_else(|| Some(self.name(module, object)))
            }
            Use::Helper(helper) => Some(Binding::Symbol(Symbol::helper(*helper))),
            Use::ImportRecord(_) => None,
        }
    }

    /// The binding of a property of an imported object, or of a property of that, if it is more than a property; and
    /// how much of the path that is.
    pub(super) fn member(&self, module: ModuleId, object: &Atom, path: &[Atom]) -> Option<(usize, Binding)> {
        let members = &self.members[module.index()];
        let found = |length: usize| members.get(&(object.clone(), path[..length].to_vec())).cloned();
        (1..=path.len()).rev().find_map(|length| Some((length, found(length)?)))
    }

    /// The variables of `module` that it imports from itself, directly or not.
    pub(super) fn own_imports(&self, module: ModuleId) -> impl Iterator<Item = Symbol> {
        let all = self.imports[module.index()].values().chain(self.members[module.index()].values());
        all.filter_map(Binding::symbol).filter(move |symbol| symbol.module == module)
    }

    /// The binding of a top-level name of `module`: an import's variable, or its own.
    pub(super) fn name(&self, module: ModuleId, name: &Atom) -> Binding {
        match self.imports[module.index()].get(name) {
            Some(binding) => binding.clone(),
            None => Binding::Symbol(Symbol::new(module, name.clone())),
        }
    }
}

/// Settles which statements have an effect, among those that do nothing but call functions: calls have none of a function
/// that is marked so where it is declared.
pub(super) fn settle_calls(graph: &mut ModuleGraph, links: &Links) {
    let pure_functions: FxHashSet<Symbol> = graph
        .modules
        .iter()
        .enumerate()
        .flat_map(|(index, module)| {
            module.scan.pure_functions.iter().map(move |name| Symbol::new(ModuleId::at(index), name.clone()))
        })
        .collect();
    for (index, module) in graph.modules.iter_mut().enumerate() {
        let is_pure = |name: &Atom| match links.name(ModuleId::at(index), name) {
            Binding::Symbol(symbol) => pure_functions.contains(&symbol),
            _ => false,
        };
        let statements = module.scan.statements.iter().enumerate();
        let effectful = statements
            .filter(|(_, statement)| matches!(&statement.effect, Effect::Calls(names) if !names.iter().all(is_pure)));
        module.effectful_calls = effectful.map(|(index, _)| index).collect();
    }
}

/// What is wrong with what some modules import and export, or should be looked at: with each of them that by itself.
pub(super) fn check<'g>(
    graph: &'g ModuleGraph,
    ids: impl IntoIterator<Item = ModuleId> + 'g,
) -> impl Iterator<Item = (ModuleId, Vec<Diagnostic>)> + 'g {
    let linker = Linker::new(&graph.modules);
    ids.into_iter().map(move |id| (id, linker.linked(graph, id).diagnostics))
}

/// The names that a module imports.
struct Linked {
    imports: FxHashMap<Atom, Binding>,
    members: FxHashMap<Member, Binding>,
    diagnostics: Vec<Diagnostic>,
}

impl Linker<'_> {
    fn linked(&self, graph: &ModuleGraph, id: ModuleId) -> Linked {
        let (imports, mut diagnostics) = self.imports(id);
        diagnostics.extend(self.check_module(id));
        if graph.lazy_entries.binary_search(&id).is_ok() {
            diagnostics.extend(self.check_lazy_entry(id));
            diagnostics.extend(self.exports_of_other_frameworks(id));
        }
        let members = self.members(id);
        diagnostics.extend(self.check_members(id, &members));
        diagnostics.extend(self.check_class_names(id));
        diagnostics.extend(doubts(graph, id));
        if graph.layout == Layout::Site {
            diagnostics.extend(second_router(self.module(id)));
        }
        Linked { imports, members, diagnostics }
    }
}

/// Links the graph.
///
/// # Errors
/// Imports of names that their modules do not export, where the site's own code asks for them, and lazy entries without a
/// default export.
pub(super) fn link(graph: &ModuleGraph) -> Result<(Links, Vec<Diagnostic>), Vec<Diagnostic>> {
    let linker = Linker::new(&graph.modules);
    let mut links = Links {
        imports: Vec::new(),
        exports: FxHashMap::default(),
        members: Vec::new(),
        dynamic_star_exports: Vec::new(),
    };
    let whole = asked_for_whole(graph);
    let mut diagnostics = Vec::new();
    for id in linker.ids() {
        let Linked { imports, members, diagnostics: found } = linker.linked(graph, id);
        links.imports.push(imports);
        diagnostics.extend(found);
        let dynamic_star_exports = linker.dynamic_star_exports(id);
        // Which of several has a name shows when the namespace is asked for it.
        if whole.contains(&id) || dynamic_star_exports.len() > 1 {
            links.exports.insert(id, linker.exports(id));
        }
        links.dynamic_star_exports.push(dynamic_star_exports);
        links.members.push(members);
    }
    diagnostics.extend(graph.entries.iter().filter_map(|entry| unknown_exports(graph, &links, *entry)));
    diagnostics.dedup();
    let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(Diagnostic::is_error);
    if errors.is_empty() { Ok((links, warnings)) } else { Err(errors) }
}

/// The modules of which all that they export is of interest: entries, and those that something has an object for. With
/// many `export *`, what every module exports would be more than the program.
fn asked_for_whole(graph: &ModuleGraph) -> FxHashSet<ModuleId> {
    let mut asked: FxHashSet<ModuleId> = graph.asked_for().collect();
    for module in &graph.modules {
        let scan = &module.scan;
        let forwarded = scan.exports.values().filter_map(|export| match export {
            Export::Forwarded(import) => Some(import),
            Export::Local(_) => None,
        });
        let imports = scan.imports.values().chain(forwarded);
        let namespaces = imports.filter(|import| import.imported == Imported::Namespace).map(|import| import.record);
        asked.extend(namespaces.filter_map(|record| module.targets.get(record)?.module()));
        let objects = module.imported_modules().filter(|(record, _)| record.kind != ImportKind::Static);
        asked.extend(objects.map(|(_, target)| target));
    }
    asked
}
