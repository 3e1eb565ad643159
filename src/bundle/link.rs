//! Connects every imported name to the variable behind it, through re-exports, stars and CommonJS.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{atoms::Atom, common::Span};

use super::{
    analyze::purity::Effect,
    graph::ModuleGraph,
    load::parse::place,
    module::{Export, Format, Import, Module, ModuleId, Picked, Request, RequestKind, Symbol, Target, Use, synthetic},
};
use crate::{
    diagnostic::{Diagnostic, Severity, did_you_mean},
    text::{self, text},
};

/// What a name stands for after linking.
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

/// The bindings of a graph.
pub(super) struct Links {
    /// For each module, what its imported names stand for.
    imports: Vec<FxHashMap<Atom, Binding>>,
    /// What ES modules export of which something asks for all of it, `export *` included.
    exports: FxHashMap<ModuleId, BTreeMap<Atom, Binding>>,
    /// Properties of namespaces, resolved one by one.
    members: Vec<FxHashMap<(Atom, Atom), Binding>>,
    /// For each ES module, the modules it hands on with `export *` whose names show only at run time.
    open_stars: Vec<Vec<ModuleId>>,
}

impl Links {
    /// What an ES module exports, by name, if it is an entry or something asks for all of it.
    pub(super) fn exports(&self, module: ModuleId) -> &BTreeMap<Atom, Binding> {
        const NOTHING: &BTreeMap<Atom, Binding> = &BTreeMap::new();
        self.exports.get(&module).unwrap_or(NOTHING)
    }

    /// The modules that an ES module hands on with `export *`, itself or through others, and whose names show only at run
    /// time.
    pub(super) fn open_stars(&self, module: ModuleId) -> &[ModuleId] {
        &self.open_stars[module.index()]
    }

    /// What a use in `module` stands for; `None` for a request.
    pub(super) fn binding(&self, module: ModuleId, item: &Use) -> Option<Binding> {
        match item {
            Use::Name(name) => Some(self.name(module, name)),
            Use::Member(object, property) => {
                self.member(module, object, property).or_else(|| Some(self.name(module, object)))
            }
            Use::Helper(name) => Some(Binding::Symbol(Symbol::new(ModuleId::HELPERS, *name))),
            Use::Request(_) => None,
        }
    }

    /// What a property of an imported object stands for, if it is more than that.
    pub(super) fn member(&self, module: ModuleId, object: &Atom, property: &Atom) -> Option<Binding> {
        self.members[module.index()].get(&(object.clone(), property.clone())).cloned()
    }

    /// The variables of `module` that it imports from itself, directly or not.
    pub(super) fn own_imports(&self, module: ModuleId) -> impl Iterator<Item = Symbol> {
        let all = self.imports[module.index()].values().chain(self.members[module.index()].values());
        all.filter_map(Binding::symbol).filter(move |symbol| symbol.module == module)
    }

    /// What a top-level name of `module` stands for: an import's variable, or its own.
    pub(super) fn name(&self, module: ModuleId, name: &Atom) -> Binding {
        match self.imports[module.index()].get(name) {
            Some(binding) => binding.clone(),
            None => Binding::Symbol(Symbol::new(module, name.clone())),
        }
    }
}

/// Settles which statements have no effect because what they call is marked so where it is declared.
pub(super) fn settle_calls(graph: &mut ModuleGraph, links: &Links) {
    let harmless: FxHashSet<Symbol> = graph
        .modules
        .iter()
        .enumerate()
        .flat_map(|(index, module)| {
            module.record.harmless.iter().map(move |name| Symbol::new(ModuleId::at(index), name.clone()))
        })
        .collect();
    for (index, module) in graph.modules.iter_mut().enumerate() {
        let is_harmless = |name: &Atom| match links.name(ModuleId::at(index), name) {
            Binding::Symbol(symbol) => harmless.contains(&symbol),
            _ => false,
        };
        for statement in &mut module.record.statements {
            if let Effect::Calls(names) = &statement.effect {
                statement.effect = if names.iter().all(is_harmless) { Effect::None } else { Effect::Any };
            }
        }
    }
}

/// Links the graph.
///
/// # Errors
/// Imports of names that their modules do not export, where the site's own code asks for them.
pub(super) fn link(graph: &ModuleGraph) -> Result<(Links, Vec<Diagnostic>), Vec<Diagnostic>> {
    let linker = Linker::new(&graph.modules);
    let mut links =
        Links { imports: Vec::new(), exports: FxHashMap::default(), members: Vec::new(), open_stars: Vec::new() };
    let whole = asked_for_whole(graph);
    let mut diagnostics = Vec::new();
    for id in linker.ids() {
        let module = linker.module(id);
        let mut imports = FxHashMap::default();
        let mut names: Vec<_> = module.record.imports.iter().collect();
        names.sort_by_key(|(_, import)| import.span.lo);
        for (name, import) in names {
            let binding = linker.import(id, import);
            let missing = linker.check(id, import, &binding);
            diagnostics.extend(missing.filter(|_| !linker.may_be_type(id, name, import)));
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
        diagnostics.extend(module.record.requests.iter().filter_map(|request| linker.waiting_require(id, request)));
        if !module.vendor {
            diagnostics
                .extend(module.record.unknown_requests.iter().map(|(word, span)| unknown_request(module, word, *span)));
        }
        links.imports.push(imports);
        let open_stars = linker.open_stars(id);
        // Which of several has a name shows when the namespace is asked for it.
        if whole.contains(&id) || open_stars.len() > 1 {
            links.exports.insert(id, linker.exports(id));
        }
        links.open_stars.push(open_stars);
        let members = linker.members(id);
        diagnostics.extend(linker.check_members(id, &members));
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
    let mut asked: FxHashSet<ModuleId> = graph.entries.iter().copied().collect();
    for Module { record, .. } in &graph.modules {
        let forwarded = record.exports.values().filter_map(|export| match export {
            Export::Forwarded(import) => Some(import),
            Export::Local(_) => None,
        });
        let picked = record.imports.values().chain(forwarded);
        let namespaces = picked.filter(|import| import.picked == Picked::Namespace).map(|import| import.request);
        let is_object = |request: &Request| request.kind != RequestKind::Import;
        let objects = record.requests.iter().filter(|request| is_object(request));
        let requests = namespaces.filter_map(|request| record.requests.get(request)).chain(objects);
        asked.extend(requests.filter_map(|request| match request.target {
            Target::Module(target) => Some(target),
            _ => None,
        }));
    }
    asked
}

struct Linker<'a> {
    modules: &'a [Module],
    /// For each name, the ES modules that export it other than with `export *`.
    exporters: FxHashMap<&'a Atom, Vec<ModuleId>>,
    /// For each module with `export *`, itself and all modules that these lead to.
    starred: FxHashMap<ModuleId, FxHashSet<ModuleId>>,
    any_waits: bool,
}

/// What the search for an export leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Resolution {
    Found(Binding),
    /// Two different ones, neither of which counts, nor does a third one elsewhere.
    Ambiguous,
    Nothing,
}

impl Resolution {
    fn found(self) -> Option<Binding> {
        match self {
            Self::Found(binding) => Some(binding),
            Self::Ambiguous | Self::Nothing => None,
        }
    }
}

/// The modules and names whose resolution is under way. Coming back to one is a cycle that ends nowhere.
type Resolving = FxHashSet<(ModuleId, Atom)>;

impl<'a> Linker<'a> {
    fn new(modules: &'a [Module]) -> Self {
        let any_waits = modules.iter().any(|module| module.record.top_level_await);
        let mut linker = Self { modules, exporters: FxHashMap::default(), starred: FxHashMap::default(), any_waits };
        for id in linker.ids() {
            for name in modules[id.index()].record.exports.keys() {
                linker.exporters.entry(name).or_default().push(id);
            }
            if linker.stars(id).next().is_some() {
                let reached = linker.reached_by_stars(id);
                linker.starred.insert(id, reached);
            }
        }
        linker
    }

    fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        (0..self.modules.len()).map(ModuleId::at)
    }

    fn module(&self, id: ModuleId) -> &'a Module {
        &self.modules[id.index()]
    }

    fn target(&self, importer: ModuleId, request: usize) -> Option<ModuleId> {
        match self.module(importer).record.requests.get(request)?.target {
            Target::Module(id) => Some(id),
            _ => None,
        }
    }

    fn import(&self, importer: ModuleId, import: &Import) -> Binding {
        self.pick(importer, import, &mut Resolving::default()).found().unwrap_or(Binding::Missing)
    }

    fn pick(&self, importer: ModuleId, import: &Import, resolving: &mut Resolving) -> Resolution {
        let Some(target) = self.target(importer, import.request) else { return Resolution::Nothing };
        if self.module(target).record.format == Format::CommonJs {
            return Resolution::Found(self.common_js(target, &import.picked, self.module(importer).node_interop));
        }
        match &import.picked {
            Picked::Namespace => Resolution::Found(Binding::Symbol(Symbol::new(target, synthetic::NAMESPACE))),
            Picked::Name(name) => self.export(target, name, resolving),
        }
    }

    /// What an import of a CommonJS module stands for.
    fn common_js(&self, module: ModuleId, picked: &Picked, node_interop: bool) -> Binding {
        let symbol = |name: &str| Binding::Symbol(Symbol::new(module, name));
        let known = self.module(module).record.known_exports.as_ref();
        match picked {
            Picked::Name(name) if name == "default" => match known {
                _ if node_interop => symbol(synthetic::EXPORTS),
                Some(known) if known.is_es_module => Binding::Property(module, name.clone()),
                Some(_) => symbol(synthetic::EXPORTS),
                None => symbol(synthetic::INTEROP_DEFAULT),
            },
            Picked::Name(name) => Binding::Property(module, name.clone()),
            Picked::Namespace if node_interop => symbol(synthetic::NODE_NAMESPACE),
            Picked::Namespace => symbol(synthetic::INTEROP_NAMESPACE),
        }
    }

    fn export(&self, module: ModuleId, name: &Atom, resolving: &mut Resolving) -> Resolution {
        if !resolving.insert((module, name.clone())) {
            return Resolution::Nothing;
        }
        if self.module(module).external.is_some() {
            return Resolution::Found(Binding::Symbol(Symbol::new(module, name.clone())));
        }
        match self.module(module).record.exports.get(name) {
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
            (None, _) => self.open_star(module, name),
            (Some(only), None) => match self.export(*only, name, resolving) {
                Resolution::Nothing => self.open_star(module, name),
                certain => certain,
            },
            (Some(_), Some(_)) => self.unambiguous(module, name, resolving),
        }
    }

    fn unambiguous(&self, module: ModuleId, name: &Atom, resolving: &mut Resolving) -> Resolution {
        let mut found = Resolution::Nothing;
        for target in self.stars(module).filter(|target| self.offers(*target, name)) {
            match self.export(target, name, resolving) {
                Resolution::Nothing => {}
                next if found == Resolution::Nothing || found == next => found = next,
                _ => return Resolution::Ambiguous,
            }
        }
        found
    }

    /// Whether a module is certain to export a name, itself or with `export *`.
    fn offers(&self, module: ModuleId, name: &Atom) -> bool {
        let exporters = self.exporters.get(name).map(Vec::as_slice).unwrap_or_default();
        let starred = self.starred.get(&module);
        exporters
            .iter()
            .any(|exporter| *exporter == module || starred.is_some_and(|starred| starred.contains(exporter)))
    }

    fn stars(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        self.module(module).record.stars.iter().filter_map(move |request| self.target(module, *request))
    }

    /// Whether the names that a module exports show only at run time.
    fn is_open(&self, module: ModuleId) -> bool {
        let module = self.module(module);
        module.external.is_some() || module.record.format == Format::CommonJs
    }

    /// What a name of a module whose names show only at run time stands for.
    fn open_name(&self, module: ModuleId, name: &Atom) -> Binding {
        match self.module(module).record.format {
            Format::CommonJs => Binding::Property(module, name.clone()),
            Format::Esm => Binding::Symbol(Symbol::new(module, name.clone())),
        }
    }

    /// A name that may come from a module whose names show only at run time. Which of several has it shows then, too.
    fn open_star(&self, module: ModuleId, name: &Atom) -> Resolution {
        match *self.open_stars(module) {
            [] => Resolution::Nothing,
            [only] => Resolution::Found(self.open_name(only, name)),
            _ => Resolution::Found(Binding::Member(Symbol::new(module, synthetic::NAMESPACE), name.clone())),
        }
    }

    /// Depth first along `export *`, so that what comes first in the text comes first.
    fn open_stars(&self, module: ModuleId) -> Vec<ModuleId> {
        self.along_stars(module).into_iter().filter(|target| *target != module && self.is_open(*target)).collect()
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
                let mut stars: Vec<_> = self.stars(next).collect();
                stars.reverse();
                stack.extend(stars);
            }
        }
        reached
    }

    fn exports(&self, module: ModuleId) -> BTreeMap<Atom, Binding> {
        let mut names: BTreeSet<&Atom> = self.module(module).record.exports.keys().collect();
        let starred = self.starred.get(&module).into_iter().flatten().filter(|target| **target != module);
        // In any order: the outcome is the same.
        names.extend(
            starred.flat_map(|target| self.module(*target).record.exports.keys()).filter(|name| *name != "default"),
        );
        let binding = |name: &Atom| Some((name.clone(), self.export(module, name, &mut Resolving::default()).found()?));
        names.into_iter().filter_map(binding).collect()
    }

    /// What `namespace.property` stands for, for every such use in the module.
    fn members(&self, module: ModuleId) -> FxHashMap<(Atom, Atom), Binding> {
        let names = self.module(module).record.members.keys();
        names.filter_map(|key| Some((key.clone(), self.member(module, key)?))).collect()
    }

    fn member(&self, module: ModuleId, key: &(Atom, Atom)) -> Option<Binding> {
        if let Some(import) = self.picked(module, key) {
            let binding = self.import(module, &import);
            // What stays outside may lack the name, which only an import of the name itself may fail for.
            let is_outside =
                matches!(&binding, Binding::Symbol(symbol) if self.module(symbol.module).external.is_some());
            return (!is_outside).then_some(binding);
        }
        // A default import of a CommonJS module may be all that it exports.
        let import = self.module(module).record.imports.get(&key.0)?;
        match self.import(module, import) {
            Binding::Symbol(Symbol { module, name }) if name == synthetic::EXPORTS => {
                self.module(module).record.known_exports.as_ref()?;
                Some(Binding::Property(module, key.1.clone()))
            }
            _ => None,
        }
    }

    /// `namespace.property` as an import of the property alone.
    fn picked(&self, module: ModuleId, (namespace, property): &(Atom, Atom)) -> Option<Import> {
        let import = self.module(module).record.imports.get(namespace)?;
        (import.picked == Picked::Namespace)
            .then(|| Import { picked: Picked::Name(property.clone()), ..import.clone() })
    }

    /// Warns of properties that namespaces do not have. Reading one is no mistake in the language; packages do it to find
    /// out what there is.
    fn check_members(&self, id: ModuleId, members: &FxHashMap<(Atom, Atom), Binding>) -> Vec<Diagnostic> {
        let module = self.module(id);
        let is_missing = |(_, binding): &(&(Atom, Atom), &Binding)| **binding == Binding::Missing && !module.vendor;
        let mut missing: Vec<_> = members.iter().filter(is_missing).collect();
        missing.sort();
        let missing = missing.into_iter().filter_map(|(key, binding)| {
            let span = module.record.members.get(key).copied()?;
            let import = Import { span, ..self.picked(id, key)? };
            let error = self.check(id, &import, binding)?;
            let reason = &error.message;
            let message = text!("{reason}, so this is undefined", "{reason}，所以这里是 undefined", reason);
            Some(Diagnostic { severity: Severity::Warning, message, ..error })
        });
        missing.collect()
    }

    /// Whether a name that a TypeScript file imports from another one and does nothing with but export it may be a type.
    fn may_be_type(&self, importer: ModuleId, name: &Atom, import: &Import) -> bool {
        let module = self.module(importer);
        // Types of what is written in JavaScript stand beside it.
        let target = self.target(importer, import.request).map(|target| self.module(target));
        let may_have_types = |target: &Module| target.is_typescript() || target.record.format == Format::CommonJs;
        let is_used =
            || module.record.statements.iter().any(|statement| statement.uses.contains(&Use::Name(name.clone())));
        module.is_typescript() && target.is_some_and(may_have_types) && !is_used()
    }

    /// Complains about a `require` of a module whose evaluation waits for something: `require` cannot.
    fn waiting_require(&self, importer: ModuleId, request: &Request) -> Option<Diagnostic> {
        let (RequestKind::Require { guarded: false }, Target::Module(target)) = (request.kind, &request.target) else {
            return None;
        };
        let waits = self.first_waiting(*target)?;
        let name = &waits.name;
        let message = text!(
            "`require` cannot wait for `{name}`, which has an `await` at its top level",
            "`require` 无法等待 `{name}`，它的顶层有 `await`"
        );
        let place = place(&self.module(importer).source, request.span);
        Some(Diagnostic::error(message).at(place).with_hint(text!(
            "write `import` instead of `require`, or `await import(…)`",
            "请用 `import` 代替 `require`，或者写 `await import(…)`"
        )))
    }

    /// The first module with an `await` at its top level among a module and those that it imports.
    fn first_waiting(&self, module: ModuleId) -> Option<&'a Module> {
        if !self.any_waits {
            return None;
        }
        let mut seen = FxHashSet::default();
        let mut stack = vec![module];
        while let Some(next) = stack.pop() {
            let record = &self.module(next).record;
            if record.top_level_await {
                return Some(self.module(next));
            }
            if record.format == Format::Esm && seen.insert(next) {
                let imports = record.requests.iter().filter(|request| request.kind == RequestKind::Import);
                stack.extend(imports.filter_map(|request| match request.target {
                    Target::Module(target) => Some(target),
                    _ => None,
                }));
            }
        }
        None
    }

    /// Complains about an import of something that is not exported.
    fn check(&self, importer: ModuleId, import: &Import, binding: &Binding) -> Option<Diagnostic> {
        let Picked::Name(name) = &import.picked else { return None };
        let target_id = self.target(importer, import.request)?;
        let (module, target) = (self.module(importer), self.module(target_id));
        let names = self.missing_among(target_id, name, binding)?;
        let ambiguity = self.ambiguity(target_id, name);
        // The file that a package leads to is its own affair.
        let from = if target.vendor { &*module.record.requests[import.request].specifier } else { &*target.name };
        let message = match &ambiguity {
            Some(_) => text!(
                "`{from}` takes `{name}` from two modules, so it exports neither",
                "`{from}` 从两个模块取得 `{name}`，所以哪个都不导出"
            ),
            None => text!("`{from}` does not export `{name}`", "`{from}` 没有导出 `{name}`"),
        };
        // A package that asks for what is not there usually works all the same; its user cannot mend it.
        let diagnostic = if module.vendor { Diagnostic::warning(message) } else { Diagnostic::error(message) };
        let diagnostic = diagnostic.at(place(&module.source, import.span));
        if let Some(Ambiguity { module, requests }) = ambiguity {
            let module = self.module(module);
            let stars = requests.map(|request| &module.record.requests[request]);
            let [first, second] = stars.map(|star| place(&module.source, star.span));
            let specifier = &stars[0].specifier;
            return Some(
                diagnostic
                    .with_related(first, text!("one is taken from here", "一个来自这里"))
                    .with_related(second, text!("and one from here", "另一个来自这里"))
                    .with_hint(text!(
                        "say which one is meant: `export {{ {name} }} from \"{specifier}\"`",
                        "请写明要哪一个：`export {{ {name} }} from \"{specifier}\"`"
                    )),
            );
        }
        let names: Vec<&str> = names.iter().map(|name| &**name).collect();
        Some(match did_you_mean(name, names.iter().copied()) {
            Some(near) => diagnostic.with_hint(text::did_you_mean(near)),
            None if name == "default" && !names.is_empty() => {
                let names = names.join(", ");
                diagnostic.with_hint(text!(
                    "it has no default export, but exports {names}",
                    "它没有默认导出，但导出了 {names}"
                ))
            }
            None => diagnostic,
        })
    }

    /// The names that a module exports, if `name` is not one of them and that is told of nobody else.
    fn missing_among(&self, target: ModuleId, name: &Atom, binding: &Binding) -> Option<Vec<Atom>> {
        match binding {
            Binding::Missing => {
                let Module { record, vendor, .. } = self.module(target);
                let is_told_there = !vendor
                    && !self.module(target).is_typescript()
                    && matches!(record.exports.get(name), Some(Export::Forwarded(_)));
                (!is_told_there).then(|| self.exports(target).into_keys().collect())
            }
            // Where another module hands it on, that one is told.
            Binding::Property(module, name) if *module == target => {
                let known = self.module(target).record.known_exports.as_ref()?;
                let names = known.names();
                let is_there = names.contains(name) || ["default", "__esModule"].contains(&&**name);
                (!is_there && !IN_EVERY_OBJECT.contains(&&**name)).then(|| names.into_iter().collect())
            }
            _ => None,
        }
    }

    /// Where `export *` takes a name from two modules that mean different things by it.
    fn ambiguity(&self, module: ModuleId, name: &Atom) -> Option<Ambiguity> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![module];
        while let Some(module) = stack.pop() {
            let is_new = seen.insert(module) && !self.module(module).record.exports.contains_key(name);
            let stars = if is_new { self.module(module).record.stars.as_slice() } else { &[] };
            let mut first: Option<(usize, Binding)> = None;
            for &request in stars {
                let Some(target) = self.target(module, request).filter(|target| self.offers(*target, name)) else {
                    continue;
                };
                match (&first, self.export(target, name, &mut Resolving::default()).found()) {
                    (_, None) => stack.push(target),
                    (None, Some(binding)) => first = Some((request, binding)),
                    (Some((known, other)), Some(binding)) if *other != binding => {
                        return Some(Ambiguity { module, requests: [*known, request] });
                    }
                    _ => {}
                }
            }
        }
        None
    }
}

/// Two `export *` of a module that cancel each other out.
struct Ambiguity {
    module: ModuleId,
    requests: [usize; 2],
}

/// Properties that nobody defines.
const IN_EVERY_OBJECT: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// What a file exports must be known when it is written.
fn unknown_exports(graph: &ModuleGraph, links: &Links, entry: ModuleId) -> Option<Diagnostic> {
    let is_common_js = |star: &&ModuleId| graph.modules[star.index()].record.format == Format::CommonJs;
    let star = links.open_stars(entry).iter().find(is_common_js)?;
    let (module, star) = (&graph.modules[entry.index()], &graph.modules[star.index()]);
    let (module, star) = (&module.name, &star.name);
    let message = text!(
        "`{module}` hands on what `{star}` exports, but which names a CommonJS module has shows only when it runs",
        "`{module}` 转出 `{star}` 的导出，但 CommonJS 模块有哪些名字要到运行时才知道"
    );
    Some(
        Diagnostic::warning(message).with_hint(text!(
            "write the names out: `export {{ a, b }} from`",
            "请逐个写出名字：`export {{ a, b }} from`"
        )),
    )
}

/// Such a file is in no bundle, so its address means nothing on the host.
fn unknown_request(module: &Module, word: &str, span: Span) -> Diagnostic {
    let message = text!(
        "what `{word}` loads here shows only when it runs, so it is not part of the bundle",
        "这里的 `{word}` 加载什么要到运行时才知道，所以没有打包进来"
    );
    Diagnostic::warning(message).at(place(&module.source, span)).with_hint(text!(
        "write the file's name out, one `{word}` for each file",
        "请把文件名完整写出，每个文件各写一个 `{word}`"
    ))
}
