//! Resolution of imports and exports: through re-exports, `export *` and CommonJS.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::atoms::Atom;

use portalgen_base::diagnostic::Diagnostic;

use super::{Binding, Member};
use crate::module::{Export, Format, Import, Imported, Module, ModuleId, Symbol, synthetic};

/// Finds the variables behind names.
pub(super) struct Linker<'a> {
    pub modules: &'a [Module],
    /// For each name, the ES modules that export it other than with `export *`.
    exporters: FxHashMap<&'a Atom, Vec<ModuleId>>,
    /// For each module with `export *`, itself and all modules that these lead to.
    starred: FxHashMap<ModuleId, FxHashSet<ModuleId>>,
    pub any_waits: bool,
}

/// The result of the search for an export, as of `ResolveExport` in ECMAScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolution {
    Found(Binding),
    /// Two different ones, neither of which counts, nor does a third one elsewhere.
    Ambiguous,
    Nothing,
}

impl Resolution {
    pub(super) fn found(self) -> Option<Binding> {
        match self {
            Self::Found(binding) => Some(binding),
            Self::Ambiguous | Self::Nothing => None,
        }
    }
}

/// The modules and names whose resolution is under way. Coming back to one is a cycle that ends nowhere.
pub(super) type Resolving = FxHashSet<(ModuleId, Atom)>;

impl<'a> Linker<'a> {
    pub(super) fn new(modules: &'a [Module]) -> Self {
        let any_waits = modules.iter().any(|module| module.scan.top_level_await);
        let mut linker = Self { modules, exporters: FxHashMap::default(), starred: FxHashMap::default(), any_waits };
        for id in linker.ids() {
            for name in modules[id.index()].scan.exports.keys() {
                linker.exporters.entry(name).or_default().push(id);
            }
            if linker.star_exports(id).next().is_some() {
                let reached = linker.reached_by_stars(id);
                linker.starred.insert(id, reached);
            }
        }
        linker
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        ModuleId::all(self.modules.len())
    }

    pub(super) fn module(&self, id: ModuleId) -> &'a Module {
        &self.modules[id.index()]
    }

    pub(super) fn target(&self, importer: ModuleId, record: usize) -> Option<ModuleId> {
        self.module(importer).targets.get(record)?.module()
    }

    /// The bindings of a module's imported names, and what is wrong with them.
    pub(super) fn imports(&self, id: ModuleId) -> (FxHashMap<Atom, Binding>, Vec<Diagnostic>) {
        let mut names: Vec<_> = self.module(id).scan.imports.iter().collect();
        names.sort_by_key(|(_, import)| import.span.lo);
        let (mut imports, mut faults) = (FxHashMap::default(), Vec::new());
        for (name, import) in names {
            let binding = self.import(id, import);
            let missing = self.check(id, import, &binding);
            faults.extend(missing.filter(|_| !self.may_be_type(id, name, import)));
            imports.insert(name.clone(), binding);
        }
        (imports, faults)
    }

    pub(super) fn import(&self, importer: ModuleId, import: &Import) -> Binding {
        self.pick(importer, import, &mut Resolving::default()).found().unwrap_or(Binding::Missing)
    }

    fn pick(&self, importer: ModuleId, import: &Import, resolving: &mut Resolving) -> Resolution {
        let Some(target) = self.target(importer, import.record) else { return Resolution::Nothing };
        if self.module(target).scan.format == Format::CommonJs {
            return Resolution::Found(self.common_js(target, &import.imported, self.module(importer).node_interop));
        }
        match &import.imported {
            Imported::Namespace => Resolution::Found(Binding::Symbol(Symbol::new(target, synthetic::NAMESPACE))),
            Imported::Name(name) => self.export(target, name, resolving),
        }
    }

    /// The binding of an import of a CommonJS module.
    fn common_js(&self, module: ModuleId, imported: &Imported, node_interop: bool) -> Binding {
        let symbol = |name: &str| Binding::Symbol(Symbol::new(module, name));
        let known = self.module(module).scan.known_exports.as_ref();
        match imported {
            Imported::Name(name) if name == "default" => match known {
                _ if node_interop => symbol(synthetic::EXPORTS),
                Some(known) if known.is_es_module => match known.defines(name) {
                    Some(true) => Binding::Property(module, name.clone()),
                    Some(false) => symbol(synthetic::INTEROP_DEFAULT),
                    None => symbol(synthetic::EXPORTS),
                },
                Some(_) => symbol(synthetic::EXPORTS),
                None => symbol(synthetic::INTEROP_DEFAULT),
            },
            Imported::Name(name) => Binding::Property(module, name.clone()),
            Imported::Namespace if node_interop => symbol(synthetic::NODE_NAMESPACE),
            Imported::Namespace => symbol(synthetic::INTEROP_NAMESPACE),
        }
    }

    pub(super) fn export(&self, module: ModuleId, name: &Atom, resolving: &mut Resolving) -> Resolution {
        if !resolving.insert((module, name.clone())) {
            return Resolution::Nothing;
        }
        if self.module(module).external.is_some() {
            return Resolution::Found(Binding::Symbol(Symbol::new(module, name.clone())));
        }
        match self.module(module).scan.exports.get(name) {
            Some(Export::Local(local)) => Resolution::Found(Binding::Symbol(Symbol::new(module, local.clone()))),
            Some(Export::Forwarded(import)) => self.pick(module, import, resolving),
            // `export *` leaves the default out.
            None if name == "default" => Resolution::Nothing,
            None => self.starred(module, name, resolving),
        }
    }

    /// A name that one of the module's `export *` offers; two different ones of that name cancel out.
    fn starred(&self, module: ModuleId, name: &Atom, resolving: &mut Resolving) -> Resolution {
        let Some(reached) = self.starred.get(&module) else { return Resolution::Nothing };
        let exporters = self.exporters.get(name).map(Vec::as_slice).unwrap_or_default();
        let mut candidates = exporters.iter().filter(|exporter| reached.contains(exporter));
        match (candidates.next(), candidates.next()) {
            // Which names the others have shows only when they run; what is certain comes first.
            (None, _) => self.dynamic_star_export(module, name),
            (Some(only), None) => match self.export(*only, name, resolving) {
                Resolution::Nothing => self.dynamic_star_export(module, name),
                certain => certain,
            },
            (Some(_), Some(_)) => self.unambiguous(module, name, resolving),
        }
    }

    fn unambiguous(&self, module: ModuleId, name: &Atom, resolving: &mut Resolving) -> Resolution {
        let mut found = Resolution::Nothing;
        for target in self.star_exports(module).filter(|target| self.offers(*target, name)) {
            match self.export(target, name, resolving) {
                Resolution::Nothing => {}
                next if found == Resolution::Nothing || found == next => found = next,
                _ => return Resolution::Ambiguous,
            }
        }
        found
    }

    /// True if a module is certain to export a name, itself or with `export *`.
    pub(super) fn offers(&self, module: ModuleId, name: &Atom) -> bool {
        let exporters = self.exporters.get(name).map(Vec::as_slice).unwrap_or_default();
        let starred = self.starred.get(&module);
        exporters
            .iter()
            .any(|exporter| *exporter == module || starred.is_some_and(|starred| starred.contains(exporter)))
    }

    fn star_exports(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        self.module(module).scan.star_exports.iter().filter_map(move |record| self.target(module, *record))
    }

    /// True if the names that a module exports show only at run time.
    fn has_dynamic_exports(&self, module: ModuleId) -> bool {
        let module = self.module(module);
        module.external.is_some() || module.scan.format == Format::CommonJs
    }

    /// The binding of a name of a module whose names show only at run time.
    fn dynamic_export(&self, module: ModuleId, name: &Atom) -> Binding {
        match self.module(module).scan.format {
            Format::CommonJs => Binding::Property(module, name.clone()),
            Format::Esm => Binding::Symbol(Symbol::new(module, name.clone())),
        }
    }

    /// A name that may come from a module whose names show only at run time. Which of several has it shows then, too.
    fn dynamic_star_export(&self, module: ModuleId, name: &Atom) -> Resolution {
        match *self.dynamic_star_exports(module) {
            [] => Resolution::Nothing,
            [only] => Resolution::Found(self.dynamic_export(only, name)),
            _ => Resolution::Found(Binding::Member(Symbol::new(module, synthetic::NAMESPACE), name.clone())),
        }
    }

    /// Depth first along `export *`, so that what comes first in the text comes first.
    pub(super) fn dynamic_star_exports(&self, module: ModuleId) -> Vec<ModuleId> {
        self.along_stars(module)
            .into_iter()
            .filter(|target| *target != module && self.has_dynamic_exports(*target))
            .collect()
    }

    fn reached_by_stars(&self, module: ModuleId) -> FxHashSet<ModuleId> {
        self.along_stars(module).into_iter().collect()
    }

    fn along_stars(&self, module: ModuleId) -> Vec<ModuleId> {
        let mut reached = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![module];
        while let Some(next) = stack.pop() {
            if seen.insert(next) {
                reached.push(next);
                let mut stars: Vec<_> = self.star_exports(next).collect();
                stars.reverse();
                stack.extend(stars);
            }
        }
        reached
    }

    pub(super) fn exports(&self, module: ModuleId) -> BTreeMap<Atom, Binding> {
        let mut names: BTreeSet<&Atom> = self.module(module).scan.exports.keys().collect();
        let starred = self.starred.get(&module).into_iter().flatten().filter(|target| **target != module);
        // In any order: the outcome is the same.
        names.extend(
            starred.flat_map(|target| self.module(*target).scan.exports.keys()).filter(|name| *name != "default"),
        );
        let binding = |name: &Atom| Some((name.clone(), self.export(module, name, &mut Resolving::default()).found()?));
        names.into_iter().filter_map(binding).collect()
    }

    /// The bindings of `namespace.property`, for every such use in the module.
    pub(super) fn members(&self, module: ModuleId) -> FxHashMap<Member, Binding> {
        let names = self.module(module).scan.members.keys();
        names.filter_map(|key| Some((key.clone(), self.member(module, key)?))).collect()
    }

    fn member(&self, module: ModuleId, (object, path): &Member) -> Option<Binding> {
        let (first, rest) = path.split_first()?;
        let first = if let Some(import) = self.member_import(module, object, first) {
            self.inside(self.import(module, &import))?
        } else {
            let import = self.module(module).scan.imports.get(object)?;
            self.property(&self.import(module, import), first)?
        };
        rest.iter().try_fold(first, |object, name| self.of_namespace(&object, name))
    }

    /// A property of what a name stands for.
    fn property(&self, object: &Binding, name: &Atom) -> Option<Binding> {
        match object {
            // A default import of a CommonJS module may be all that it exports.
            Binding::Symbol(Symbol { module, name: variable }) if *variable == synthetic::EXPORTS => {
                self.module(*module).scan.known_exports.as_ref()?;
                Some(Binding::Property(*module, name.clone()))
            }
            object => self.of_namespace(object, name),
        }
    }

    /// A property of a namespace that a module re-exports, as in `import * as z from "./all.js"; export { z };`.
    fn of_namespace(&self, object: &Binding, name: &Atom) -> Option<Binding> {
        match object {
            Binding::Symbol(Symbol { module, name: variable }) if *variable == synthetic::NAMESPACE => {
                let found = self.export(*module, name, &mut Resolving::default()).found();
                self.inside(found.unwrap_or(Binding::Missing))
            }
            _ => None,
        }
    }

    /// A binding, unless it is of an external module: that may lack the name, which only an import of the name itself may
    /// fail for.
    fn inside(&self, binding: Binding) -> Option<Binding> {
        let is_external = matches!(&binding, Binding::Symbol(symbol) if self.module(symbol.module).external.is_some());
        (!is_external).then_some(binding)
    }

    /// `namespace.property` as an import of the property alone.
    pub(super) fn member_import(&self, module: ModuleId, namespace: &Atom, property: &Atom) -> Option<Import> {
        let import = self.module(module).scan.imports.get(namespace)?;
        (import.imported == Imported::Namespace)
            .then(|| Import { imported: Imported::Name(property.clone()), ..import.clone() })
    }
}
