//! Connects every imported name to the variable behind it, through re-exports, stars and CommonJS.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{atoms::Atom, common::Span};

use super::{
    graph::ModuleGraph,
    module::{Export, Format, Import, Module, ModuleId, Picked, Symbol, Target, Use, synthetic},
    parse::place,
};
use crate::diagnostic::{Diagnostic, did_you_mean};

/// What a name stands for after linking.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// A top-level variable.
    Symbol(Symbol),
    /// A property of the exports of a CommonJS module, read at each use.
    Property(ModuleId, Atom),
    /// Nothing: the export does not exist.
    Missing,
}

impl Binding {
    /// The variable that must exist for the binding to work.
    pub(super) fn symbol(&self) -> Option<Symbol> {
        match self {
            Self::Symbol(symbol) => Some(symbol.clone()),
            Self::Property(module, _) => Some(Symbol::new(*module, synthetic::EXPORTS)),
            Self::Missing => None,
        }
    }
}

/// The bindings of a graph.
pub(super) struct Links {
    /// For each module, what its imported names stand for.
    imports: Vec<FxHashMap<Atom, Binding>>,
    /// For each ES module, what it exports, `export *` included.
    exports: Vec<BTreeMap<Atom, Binding>>,
    /// Properties of namespaces, resolved one by one.
    members: Vec<FxHashMap<(Atom, Atom), Binding>>,
}

impl Links {
    /// What an ES module exports, by name.
    pub(super) fn exports(&self, module: ModuleId) -> &BTreeMap<Atom, Binding> {
        &self.exports[module.index()]
    }

    /// What a use in `module` stands for; `None` for a request.
    pub(super) fn binding(&self, module: ModuleId, item: &Use) -> Option<Binding> {
        match item {
            Use::Name(name) => Some(self.name(module, name)),
            Use::Member(namespace, property) => {
                self.members[module.index()].get(&(namespace.clone(), property.clone())).cloned()
            }
            Use::Helper(name) => Some(Binding::Symbol(Symbol::new(ModuleId::HELPERS, *name))),
            Use::Request(_) => None,
        }
    }

    /// What a top-level name of `module` stands for: an import's variable, or its own.
    pub(super) fn name(&self, module: ModuleId, name: &Atom) -> Binding {
        match self.imports[module.index()].get(name) {
            Some(binding) => binding.clone(),
            None => Binding::Symbol(Symbol::new(module, name.clone())),
        }
    }
}

/// Links the graph.
///
/// # Errors
/// Imports of names that their modules do not export, where the site's own code asks for them.
pub(super) fn link(graph: &ModuleGraph) -> Result<(Links, Vec<Diagnostic>), Vec<Diagnostic>> {
    let linker = Linker { modules: &graph.modules };
    let mut links = Links { imports: Vec::new(), exports: Vec::new(), members: Vec::new() };
    let mut diagnostics = Vec::new();
    for id in linker.ids() {
        let module = linker.module(id);
        let mut imports = FxHashMap::default();
        let mut names: Vec<_> = module.record.imports.iter().collect();
        names.sort_by_key(|(_, import)| import.span.lo);
        for (name, import) in names {
            let binding = linker.import(id, import);
            diagnostics.extend(linker.check(id, import, &binding));
            imports.insert(name.clone(), binding);
        }
        for export in module.record.exports.values() {
            // What a TypeScript file hands on may be a type, of which nothing is left.
            if let Export::Forwarded(import) = export
                && !module.is_typescript()
            {
                diagnostics.extend(linker.check(id, import, &linker.import(id, import)));
            }
        }
        if !module.vendor {
            diagnostics.extend(module.record.unknown_imports.iter().map(|span| unknown_import(module, *span)));
        }
        links.imports.push(imports);
        links.exports.push(linker.exports(id));
        links.members.push(linker.members(id));
    }
    diagnostics.dedup();
    let (errors, warnings): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(Diagnostic::is_error);
    if errors.is_empty() { Ok((links, warnings)) } else { Err(errors) }
}

struct Linker<'a> {
    modules: &'a [Module],
}

impl<'a> Linker<'a> {
    fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        (0..self.modules.len()).map(ModuleId::at)
    }

    fn module(&self, id: ModuleId) -> &'a Module {
        &self.modules[id.index()]
    }

    fn target(&self, importer: ModuleId, request: usize) -> Option<ModuleId> {
        match self.module(importer).record.requests.get(request)?.target {
            Target::Module(id) => Some(id),
            Target::Unresolved => None,
        }
    }

    fn import(&self, importer: ModuleId, import: &Import) -> Binding {
        self.pick(importer, import, &mut FxHashSet::default()).unwrap_or(Binding::Missing)
    }

    /// `seen` holds the exports being resolved: coming back to one is a cycle that ends nowhere.
    fn pick(&self, importer: ModuleId, import: &Import, seen: &mut FxHashSet<(ModuleId, Atom)>) -> Option<Binding> {
        let target = self.target(importer, import.request)?;
        if self.module(target).record.format == Format::CommonJs {
            return Some(common_js(target, &import.picked, self.module(importer).node_interop));
        }
        match &import.picked {
            Picked::Namespace => Some(Binding::Symbol(Symbol::new(target, synthetic::NAMESPACE))),
            Picked::Name(name) => self.export(target, name, seen),
        }
    }

    fn export(&self, module: ModuleId, name: &Atom, seen: &mut FxHashSet<(ModuleId, Atom)>) -> Option<Binding> {
        if !seen.insert((module, name.clone())) {
            return None;
        }
        let record = &self.module(module).record;
        match record.exports.get(name) {
            Some(Export::Local(local)) => Some(Binding::Symbol(Symbol::new(module, local.clone()))),
            Some(Export::Forwarded(import)) => self.pick(module, import, seen),
            // `export *` leaves the default out.
            None if name == "default" => None,
            None => self.starred(module, name, seen),
        }
    }

    /// A name that one of the module's `export *` offers; two different ones of that name cancel out.
    fn starred(&self, module: ModuleId, name: &Atom, seen: &mut FxHashSet<(ModuleId, Atom)>) -> Option<Binding> {
        let mut found: Option<Binding> = None;
        let mut fallback = None;
        for target in self.stars(module) {
            if self.module(target).record.format == Format::CommonJs {
                // Which names it has shows only when it runs; what an ES module offers for certain comes first.
                fallback = fallback.or(Some(Binding::Property(target, name.clone())));
            } else if let Some(binding) = self.export(target, name, &mut seen.clone()) {
                match &found {
                    Some(other) if *other != binding => return None,
                    _ => found = Some(binding),
                }
            }
        }
        found.or(fallback)
    }

    fn stars(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        self.module(module).record.stars.iter().filter_map(move |request| self.target(module, *request))
    }

    fn exports(&self, module: ModuleId) -> BTreeMap<Atom, Binding> {
        let mut names = FxHashSet::default();
        self.export_names(module, &mut names, &mut FxHashSet::default());
        let mut exports = BTreeMap::new();
        for name in sorted(names) {
            if let Some(binding) = self.export(module, &name, &mut FxHashSet::default()) {
                exports.insert(name, binding);
            }
        }
        exports
    }

    fn export_names(&self, module: ModuleId, names: &mut FxHashSet<Atom>, seen: &mut FxHashSet<ModuleId>) {
        if !seen.insert(module) {
            return;
        }
        names.extend(self.module(module).record.exports.keys().cloned());
        for target in self.stars(module) {
            let mut starred = FxHashSet::default();
            self.export_names(target, &mut starred, seen);
            starred.remove(&Atom::from("default"));
            names.extend(starred);
        }
    }

    /// What `namespace.property` stands for, for every such use in the module.
    fn members(&self, module: ModuleId) -> FxHashMap<(Atom, Atom), Binding> {
        let record = &self.module(module).record;
        let uses = record.statements.iter().flat_map(|statement| &statement.uses);
        let mut members = FxHashMap::default();
        for item in uses {
            let Use::Member(namespace, property) = item else { continue };
            let Some(import) = record.imports.get(namespace) else { continue };
            let picked = Import { picked: Picked::Name(property.clone()), ..import.clone() };
            members.insert((namespace.clone(), property.clone()), self.import(module, &picked));
        }
        members
    }

    /// Complains about an import of something that is not exported.
    fn check(&self, importer: ModuleId, import: &Import, binding: &Binding) -> Option<Diagnostic> {
        let (Binding::Missing, Picked::Name(name)) = (binding, &import.picked) else { return None };
        let target = self.module(self.target(importer, import.request)?);
        let module = self.module(importer);
        let message = format!("`{}` does not export `{name}`", target.name);
        // A package that asks for what is not there usually works all the same; its user cannot mend it.
        let diagnostic = if module.vendor { Diagnostic::warning(message) } else { Diagnostic::error(message) };
        let diagnostic = diagnostic.at(place(&module.source, import.span));
        let mut names: Vec<&str> = target.record.exports.keys().map(|name| &**name).collect();
        names.sort_unstable();
        Some(match did_you_mean(name, names.iter().copied()) {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None if name == "default" && !names.is_empty() => {
                diagnostic.with_hint(format!("it has no default export, but exports {}", names.join(", ")))
            }
            None => diagnostic,
        })
    }
}

/// Such a file is in no bundle, so its address means nothing on the host.
fn unknown_import(module: &Module, span: Span) -> Diagnostic {
    Diagnostic::warning("what `import()` loads here shows only when it runs, so it is not part of the bundle")
        .at(place(&module.source, span))
        .with_hint("write the file's name out, one `import()` for each file")
}

fn common_js(module: ModuleId, picked: &Picked, node_interop: bool) -> Binding {
    let symbol = |name: &str| Binding::Symbol(Symbol::new(module, name));
    match picked {
        Picked::Name(name) if name == "default" && node_interop => symbol(synthetic::EXPORTS),
        Picked::Name(name) if name == "default" => symbol(synthetic::INTEROP_DEFAULT),
        Picked::Name(name) => Binding::Property(module, name.clone()),
        Picked::Namespace if node_interop => symbol(synthetic::NODE_NAMESPACE),
        Picked::Namespace => symbol(synthetic::INTEROP_NAMESPACE),
    }
}

fn sorted(names: FxHashSet<Atom>) -> Vec<Atom> {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    names
}
