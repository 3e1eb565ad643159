//! A graph, and what follows from it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use swc_core::atoms::Atom;

use portalgen_base::{
    diagnostic::{self, Diagnostic, Place},
    text::text,
};

use super::{
    HotOrigins, HotScript, HotSheet, HotUpdate,
    definition::Definition,
    definitions::{Definitions, Redefined, defining, has_definition, is_reshaped},
    files::{self, key_of},
    modules::{Modules, Reloaded, Replaced},
    registry::{REGISTRY, registry},
    script::lines,
    styles::{Styles, at_once, loaded_by, reach},
};
use crate::{
    bundler::{add_chunks, bundle, module_infos, names_of_virtual_modules},
    graph::{ModuleGraph, Roots},
    link,
    load::{Key, Loader, resolve::Resolved},
    module::{Export, ImportKind, Module, ModuleId, Target},
    options::{Entry, Options, VirtualModule},
    output::{Bundle, Chunk, LazyModule},
    positions::Positions,
};

/// What React Refresh consists of.
const REFRESH: &str = "react-refresh/runtime";

/// What the caller of an update wants.
pub(super) struct Asked<'a> {
    pub loader: &'a Loader<'a>,
    pub entries: &'a [Entry],
}

impl Asked<'_> {
    fn options(&self) -> &Options {
        self.loader.options
    }

    /// The entries, and before they run, React Refresh.
    fn roots(&self) -> Result<Roots, Vec<Diagnostic>> {
        let mut roots = Roots::find(self.loader, self.entries)?;
        if self.options().mode.is_development() {
            let found = self.loader.resolver.resolve(&self.options().folder, REFRESH, ImportKind::Static);
            if let Ok(Resolved::File(file)) = found {
                roots.add_entry(Key::File(file.path));
            }
        }
        Ok(roots)
    }
}

/// A graph, and what follows from it.
pub(super) struct State {
    /// All that modules depend on besides their text.
    settings: String,
    options: Options,
    entries: Vec<Entry>,
    virtual_modules: BTreeMap<String, VirtualModule>,
    roots: Roots,
    modules: Modules,
    /// What linking has found that should be looked at, by the names of modules.
    link_warnings: BTreeMap<Arc<str>, Vec<Diagnostic>>,
    definitions: Definitions,
    registry: String,
    /// Counts the updates with definitions.
    revision: u64,
    /// The modules that scripts are made for: the entries, the lazy entries, and the targets of `import()`.
    scripts: Vec<ModuleId>,
    /// For each of them but the entries, its key.
    of_key: FxHashMap<Arc<str>, ModuleId>,
    /// The modules that the entries reach at once.
    of_entries: OnceLock<FixedBitSet>,
    styles: Styles,
}

impl State {
    /// Loads everything. `before` is what was there, of which what is the same is taken over.
    pub(super) fn load(asked: &Asked<'_>, before: Option<&Self>) -> Result<Self, Vec<Diagnostic>> {
        let roots = asked.roots()?;
        let (modules, registry) = rayon::join(
            || Modules::load(asked.loader, &roots, bundle),
            || registry(asked.loader.sources, asked.options()),
        );
        Self::of(asked, roots, modules?, registry?, before)
    }

    fn of(
        asked: &Asked<'_>,
        roots: Roots,
        modules: Modules,
        registry: String,
        before: Option<&Self>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let graph = &modules.graph;
        let link_warnings = checked(graph, ModuleId::all(graph.modules.len()))?;
        let scripts = scripts(graph);
        let key = |id: &ModuleId| (key_of(&graph.modules[id.index()].name), *id);
        let of_key = scripts[graph.entries.len()..].iter().map(key).collect();
        let settings = asked.options().shown_of_modules();
        let same_settings = before.filter(|before| before.settings == settings);
        let known = Unchanged::new(same_settings);
        let definitions =
            Definitions::new(graph, asked.entries.len(), same_settings.map(|before| &before.definitions), |id| {
                known.number(graph, id)
            });
        Ok(Self {
            settings,
            options: asked.options().clone(),
            entries: asked.entries.to_vec(),
            virtual_modules: asked.loader.virtual_modules.clone(),
            link_warnings: link_warnings.into_iter().filter(|(_, warnings)| !warnings.is_empty()).collect(),
            definitions,
            registry,
            revision: before.map_or(0, |before| before.revision),
            styles: Styles::new(graph, &scripts),
            scripts,
            of_key,
            of_entries: OnceLock::new(),
            roots,
            modules,
        })
    }

    /// Whether modules are the same with these options.
    pub(super) fn is_of(&self, options: &Options) -> bool {
        self.settings == options.shown_of_modules()
    }

    /// Brings the graph to what files are now, of which some have changed.
    pub(super) fn update(
        &mut self,
        asked: &Asked<'_>,
        files: &BTreeSet<PathBuf>,
    ) -> Result<HotUpdate, Vec<Diagnostic>> {
        let Some(mut stale) = self.modules.stale(asked.loader, files.iter()) else {
            let new = Self::load(asked, Some(self))?;
            return Ok(self.replace_with(new));
        };
        let given = asked.loader.virtual_modules;
        let rewritten = given.iter().filter(|(name, module)| self.virtual_modules.get(*name) != Some(*module));
        let rewritten = rewritten.map(|(name, _)| Key::Virtual(name.clone())).filter(|key| self.modules.has(key));
        stale.extend(rewritten.collect::<Vec<_>>());
        let are_others = self.entries != asked.entries || self.options.lazy_entries != asked.options().lazy_entries;
        let new_roots = if are_others { Some(asked.roots()?) } else { None };
        let roots = new_roots.as_ref().unwrap_or(&self.roots);
        match self.modules.reload(asked.loader, &stale, (roots, are_others), bundle)? {
            Reloaded::InPlace(replaced) => self.replace_modules(asked, replaced),
            Reloaded::Anew(modules) => {
                let roots = new_roots.unwrap_or_else(|| self.roots.clone());
                let new = Self::of(asked, roots, *modules, self.registry.clone(), Some(self))?;
                Ok(self.replace_with(new))
            }
        }
    }

    pub(super) fn replace_with(&mut self, new: Self) -> HotUpdate {
        let update = new.since(self);
        *self = new;
        self.count(&update);
        update
    }

    /// Lets scripts that are made from now on be newer than an update.
    fn count(&mut self, update: &HotUpdate) {
        self.revision += u64::from(!update.changed.is_empty());
    }

    /// Goes on with modules that have taken the places of others.
    fn replace_modules(&mut self, asked: &Asked<'_>, replaced: Replaced) -> Result<HotUpdate, Vec<Diagnostic>> {
        match self.checked_in_place(&replaced) {
            Err(errors) => {
                self.modules.put_back(replaced);
                Err(errors)
            }
            Ok((warnings, redefined)) => {
                let styles = self.styles.refresh(&self.modules.graph, &replaced.ids);
                self.modules.keep(asked.loader, replaced);
                self.virtual_modules.clone_from(asked.loader.virtual_modules);
                for (name, warnings) in warnings {
                    self.link_warnings.insert(name, warnings);
                }
                self.link_warnings.retain(|_, warnings| !warnings.is_empty());
                let others = || redefined.iter().filter(|redefined| redefined.is_other);
                let update = HotUpdate {
                    styles,
                    warnings: self.warnings(),
                    ..self.telling_of(others().map(|redefined| (redefined.id(), redefined.definition())))
                };
                self.definitions.take(redefined);
                self.count(&update);
                Ok(update)
            }
        }
    }

    /// Looks at modules that have taken the places of others, and at all that may depend on what they export.
    fn checked_in_place(&self, replaced: &Replaced) -> Result<(Warnings, Vec<Redefined>), Vec<Diagnostic>> {
        let graph = &self.modules.graph;
        let new = |id: ModuleId| &graph.modules[id.index()];
        let other_exports = replaced.old().filter(|(id, old)| !exports_as(old, new(*id))).map(|(id, _)| id);
        let mut looked_at: BTreeSet<ModuleId> = replaced.ids.iter().copied().collect();
        looked_at.extend(self.dependents(other_exports));
        let warnings = checked(graph, looked_at)?;
        let mut redefined: BTreeSet<ModuleId> = replaced.ids.iter().copied().collect();
        for (id, _) in replaced.old().filter(|(id, old)| is_reshaped(old, new(*id))) {
            redefined.extend(&self.modules.importers[id.index()]);
        }
        let redefined: Vec<ModuleId> = redefined.into_iter().collect();
        Ok((warnings, self.definitions.redefined(graph, &redefined, &self.options)?))
    }

    /// The modules that import from some others, be it through those that hand on what these export.
    fn dependents(&self, modules: impl Iterator<Item = ModuleId>) -> FxHashSet<ModuleId> {
        let mut found = FxHashSet::default();
        let mut stack: Vec<ModuleId> = modules.collect();
        while let Some(module) = stack.pop() {
            for &importer in &self.modules.importers[module.index()] {
                if found.insert(importer) && hands_on(&self.modules.graph.modules[importer.index()]) {
                    stack.push(importer);
                }
            }
        }
        found
    }

    /// What has changed since another graph.
    pub(super) fn since(&self, before: &Self) -> HotUpdate {
        let (graph, old) = (&self.modules.graph, &before.modules.graph);
        let known = Unchanged::new(Some(before).filter(|before| before.settings == self.settings));
        let ids = ModuleId::all(graph.modules.len()).filter(|id| has_definition(graph, *id));
        let new: Vec<ModuleId> = ids.filter(|id| known.number(graph, *id).is_none()).collect();
        let numbers = numbers(old);
        let earlier = |id: ModuleId| numbers.get(&*graph.modules[id.index()].name).copied();
        let lacking = self.lacking(before, &new, earlier);
        self.definitions.make_all(graph, &new, &self.options);
        let is_other = |id: &ModuleId| {
            // What was never made nobody has.
            let known = earlier(*id).and_then(|id| before.definitions.known(id));
            known.is_some_and(|known| known.hash != self.definition(*id).hash)
        };
        let changed: BTreeSet<ModuleId> = new.into_iter().filter(is_other).chain(lacking).collect();
        let present: FxHashSet<&str> = graph.modules.iter().map(|module| &*module.name).collect();
        let gone = old
            .modules
            .iter()
            .enumerate()
            .filter(|(id, module)| has_definition(old, ModuleId::at(*id)) && !present.contains(&*module.name));
        let (styles, roots) = self.styles.changes(&before.styles);
        HotUpdate {
            removed: gone.map(|(_, module)| Arc::clone(&module.name)).collect(),
            styles,
            roots,
            warnings: self.warnings(),
            ..self.telling_of(changed.iter().map(|id| (*id, self.definition(*id))))
        }
    }

    /// An update that holds definitions of modules, and nothing else.
    fn telling_of<'d>(&self, changed: impl Iterator<Item = (ModuleId, &'d Definition)>) -> HotUpdate {
        let changed: Vec<(ModuleId, &Definition)> = changed.collect();
        HotUpdate {
            definitions: self.strict_script(&changed, self.revision + 1),
            changed: changed.iter().map(|(id, _)| self.name(*id)).collect(),
            ..HotUpdate::default()
        }
    }

    /// Where definitions were written that follow each other from a line on.
    fn origins<'d>(&'d self, line: u32, definitions: impl Iterator<Item = (ModuleId, &'d Definition)>) -> HotOrigins {
        let module = |(id, definition): (ModuleId, _)| (&self.modules.graph.modules[id.index()], definition);
        HotOrigins::of(line, definitions.map(module))
    }

    /// See [`HotGraph::locate`](super::HotGraph::locate).
    pub(super) fn locate(&self, script: &HotOrigins, line: u32, column: u32) -> Option<(Place, bool)> {
        let part = script.part(line)?;
        let modules = &self.modules.graph.modules;
        let number = modules.iter().position(|module| module.name == part.name);
        let newest = number.and_then(|number| {
            let definition = self.definitions.known(ModuleId::at(number))?;
            part.newest(&modules[number], definition)
        });
        Some((newest.as_ref().unwrap_or(part).locate(line, column)?, newest.is_some()))
    }

    /// Definitions as a script that is strict like a module.
    fn strict_script(&self, definitions: &[(ModuleId, &Definition)], revision: u64) -> HotScript {
        if definitions.is_empty() {
            return HotScript::default();
        }
        let code = defining(definitions.iter().map(|(_, definition)| &*definition.text), revision);
        // `"use strict"` and `define([` come before the first one.
        let origins = self.origins(2, definitions.iter().copied());
        HotScript { code: format!("\"use strict\";\n{code}"), origins }
    }

    /// The modules that clients may lack which had everything that was asked for before: `changed` modules ask for them now.
    /// `earlier` gives the number of a module in the old graph.
    fn lacking(
        &self,
        before: &Self,
        changed: &[ModuleId],
        earlier: impl Fn(ModuleId) -> Option<ModuleId>,
    ) -> Vec<ModuleId> {
        let (graph, old) = (&self.modules.graph, &before.modules.graph);
        let all = ModuleId::all(graph.modules.len());
        let is_there = |id: &ModuleId| earlier(*id).is_some_and(|id| before.of_entries().contains(id.index()));
        let mut there: FixedBitSet = all.filter(is_there).map(ModuleId::index).collect();
        there.grow(graph.modules.len());
        let mut lacking = Vec::new();
        for id in changed {
            // Who has the old module has all that it led to.
            let known = earlier(*id).map(|id| reach(old, id, before.of_entries()));
            let known: FxHashSet<&str> =
                known.iter().flat_map(FixedBitSet::ones).map(|id| &*old.modules[id].name).collect();
            let is_known = |id: &ModuleId| known.contains(&*graph.modules[id.index()].name);
            for target in at_once(graph, *id).filter(|target| !is_known(target)) {
                let more = reach(graph, target, &there);
                let more: Vec<ModuleId> = more.ones().map(ModuleId::at).filter(|id| !is_known(id)).collect();
                lacking.extend(more.into_iter().filter(|id| has_definition(graph, *id)));
            }
        }
        lacking
    }

    /// Everything that should be looked at.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        let graph = &self.modules.graph;
        let linked = self.link_warnings.values().flatten();
        let of_workers = graph.workers.values().flat_map(|bundle| &bundle.warnings);
        let mut warnings: Vec<Diagnostic> =
            graph.warnings.iter().chain(linked).chain(&self.styles.warnings).chain(of_workers).cloned().collect();
        let wants_refresh = self.options.mode.is_development() && !self.refreshes() && self.has_react();
        warnings.extend(wants_refresh.then(|| refresh_is_missing(&self.options)));
        diagnostic::sort(&mut warnings);
        warnings.dedup();
        warnings
    }

    fn has_react(&self) -> bool {
        let mut records = self.modules.graph.modules.iter().flat_map(|module| &module.scan.import_records);
        records.any(|record| record.specifier == "react")
    }

    /// See [`HotGraph::refreshes`](super::HotGraph::refreshes).
    pub(super) fn refreshes(&self) -> bool {
        self.roots.entries > self.entries.len()
    }

    fn name(&self, id: ModuleId) -> Arc<str> {
        Arc::clone(&self.modules.graph.modules[id.index()].name)
    }

    fn definition(&self, id: ModuleId) -> &Definition {
        self.definitions.get(&self.modules.graph, id, &self.options)
    }

    fn of_entries(&self) -> &FixedBitSet {
        self.of_entries.get_or_init(|| {
            let graph = &self.modules.graph;
            let mut reached = FixedBitSet::with_capacity(graph.modules.len());
            for entry in &graph.entries {
                let more = reach(graph, *entry, &reached);
                reached.union_with(&more);
            }
            reached
        })
    }

    /// The modules of a script with definitions, those of the entries if there is no root.
    fn modules_of(&self, root: Option<ModuleId>) -> Vec<ModuleId> {
        let graph = &self.modules.graph;
        let reached = match root {
            None => self.of_entries().clone(),
            Some(root) => reach(graph, root, self.of_entries()),
        };
        reached.ones().map(ModuleId::at).filter(|id| has_definition(graph, *id)).collect()
    }

    /// The definitions of modules.
    fn made(&self, modules: &[ModuleId]) -> Vec<(ModuleId, &Definition)> {
        self.definitions.make_all(&self.modules.graph, modules, &self.options);
        modules.iter().map(|id| (*id, self.definition(*id))).collect()
    }

    /// A script that begins with some code and defines modules behind it.
    fn script_of(&self, before: &str, modules: &[ModuleId]) -> HotScript {
        let made = self.made(modules);
        let definitions = defining(made.iter().map(|(_, definition)| &*definition.text), self.revision);
        let code = format!("{before}{definitions}");
        // The line of `define([` comes before the first one.
        HotScript { code, origins: self.origins(lines(before) + 1, made.into_iter()) }
    }

    pub(super) fn entry_script(&self) -> HotScript {
        let graph = &self.modules.graph;
        let mut whole = self.script_of(&self.registry, &self.modules_of(None));
        let script = &mut whole.code;
        let (entries, refresh) = graph.entries.split_at(self.entries.len());
        for entry in entries {
            script.push_str(&self.telling(*entry, false));
        }
        let name = |id: &ModuleId| self.name(*id).to_string();
        let start = json!({
            "entries": entries.iter().map(name).collect::<Vec<_>>(),
            "refresh": refresh.first().map(name),
        });
        let _ = writeln!(script, "await {REGISTRY}.start({start});");
        whole
    }

    pub(super) fn script(&self, key: &str) -> Option<HotScript> {
        let root = *self.of_key.get(key)?;
        let is_page = self.modules.graph.lazy_entries.contains(&root);
        let mut whole = self.script_of("", &self.modules_of(Some(root)));
        let script = &mut whole.code;
        script.push_str(&self.telling(root, is_page));
        if is_page {
            let name = Value::from(&*self.name(root));
            let _ = writeln!(script, "export default await {REGISTRY}.page({name});");
        }
        Some(whole)
    }

    /// Code that tells the registry which style sheets a root needs.
    fn telling(&self, root: ModuleId, is_page: bool) -> String {
        let name = self.name(root);
        let sheets: Value = self.styles.of(&name).iter().map(in_json).collect();
        format!("{REGISTRY}.root({}, {sheets}, {is_page});\n", Value::from(&*name))
    }

    pub(super) fn style(&self, key: &str) -> Option<Arc<str>> {
        Some(Arc::clone(&self.styles.sheet(key)?.text))
    }

    pub(super) fn definitions(&self, names: &[&str]) -> HotScript {
        let numbers = numbers(&self.modules.graph);
        let known = names.iter().filter_map(|name| numbers.get(name).copied());
        let known: Vec<ModuleId> = known.filter(|id| has_definition(&self.modules.graph, *id)).collect();
        self.strict_script(&self.made(&known), self.revision)
    }

    pub(super) fn bundle(&self) -> Bundle {
        let graph = &self.modules.graph;
        let mut chunk_of: Vec<Option<usize>> = vec![None; graph.modules.len()];
        let lazy = &self.scripts[graph.entries.len()..];
        let chunk_of_script = lazy.iter().enumerate().map(|(index, root)| (*root, index + 1)).collect();
        let mut chunk = |number, root, file| self.chunk(number, root, file, &chunk_of_script, &mut chunk_of);
        let entry = chunk(0, None, files::entry_file());
        let lazy_chunks = lazy.iter().enumerate().map(|(index, root)| {
            let key = key_of(&graph.modules[root.index()].name);
            chunk(index + 1, Some(*root), files::script_file(&key))
        });
        let mut chunks: Vec<Chunk> = std::iter::once(entry).chain(lazy_chunks.collect::<Vec<_>>()).collect();
        let mut assets = graph.assets.clone();
        for worker in graph.workers.values() {
            add_chunks(&mut chunks, &worker.chunks);
            assets.extend(worker.assets.iter().map(|asset| (asset.file_name.clone(), asset.clone())));
        }
        let files = |root: &ModuleId| -> Vec<Arc<str>> {
            self.styles.of(&graph.modules[root.index()].name).into_iter().filter_map(|sheet| sheet.file).collect()
        };
        let lazy_module = |(index, root): (usize, &ModuleId)| {
            (self.name(*root), LazyModule { chunk: index + 1, styles: files(root) })
        };
        let own_entries = &graph.entries[..self.entries.len()];
        Bundle {
            chunks,
            assets: assets.into_values().collect(),
            entries: own_entries.iter().map(|_| 0).collect(),
            style_sheets: self.styles.sheets.iter().map(|sheet| Arc::clone(&sheet.file)).collect(),
            sheet_places: self.styles.sheets.iter().map(|sheet| sheet.place).collect(),
            entry_styles: own_entries.iter().map(files).collect(),
            lazy: lazy.iter().enumerate().map(lazy_module).collect(),
            css_module_types: graph.css_module_types.clone(),
            set_aside: graph.set_aside.clone(),
            modules: module_infos(graph, |id| chunk_of[id.index()]),
            virtual_modules: names_of_virtual_modules(graph),
            warnings: self.warnings(),
        }
    }

    /// The chunk of a script. A module in several of them counts for the first.
    fn chunk(
        &self,
        number: usize,
        root: Option<ModuleId>,
        file_name: Arc<str>,
        chunk_of_script: &FxHashMap<ModuleId, usize>,
        chunk_of: &mut [Option<usize>],
    ) -> Chunk {
        let graph = &self.modules.graph;
        let modules = self.modules_of(root);
        for id in &modules {
            chunk_of[id.index()].get_or_insert(number);
        }
        let targets = modules.iter().flat_map(|id| loaded_by(graph, *id));
        let lazy: BTreeSet<usize> = targets.filter_map(|target| chunk_of_script.get(&target).copied()).collect();
        Chunk {
            file_name,
            code: Arc::default(),
            source_map: None,
            stylesheets: Vec::new(),
            imports: if number == 0 { Vec::new() } else { vec![0] },
            modules: modules.iter().map(|id| self.name(*id)).collect(),
            module_bytes: modules.iter().map(|id| graph.modules[id.index()].source.text.len()).collect(),
            lazy_imports: lazy.into_iter().filter(|chunk| *chunk != number).collect(),
            positions: Positions::default(),
        }
    }
}

/// What linking has found that should be looked at, by the names of modules.
type Warnings = Vec<(Arc<str>, Vec<Diagnostic>)>;

/// Looks at what modules import and export.
///
/// # Errors
/// Imports of names that are not exported, where the site's own code asks for them, and lazy entries without a default
/// export.
fn checked(graph: &ModuleGraph, ids: impl IntoIterator<Item = ModuleId>) -> Result<Warnings, Vec<Diagnostic>> {
    let (mut warnings, mut errors) = (Warnings::new(), Vec::new());
    for (id, found) in link::check(graph, ids) {
        let (wrong, right): (Vec<_>, Vec<_>) = found.into_iter().partition(Diagnostic::is_error);
        errors.extend(wrong);
        warnings.push((Arc::clone(&graph.modules[id.index()].name), right));
    }
    errors.dedup();
    if errors.is_empty() { Ok(warnings) } else { Err(errors) }
}

/// Whether a module exports the same names in the same way as another one.
fn exports_as(old: &Module, new: &Module) -> bool {
    let (old, new) = (&*old.scan, &*new.scan);
    let names = |export: (&Atom, &Export)| match export {
        (name, Export::Local(_)) => (name.clone(), None),
        (name, Export::Forwarded(import)) => (name.clone(), Some((import.record, import.imported.clone()))),
    };
    old.format == new.format
        && old.top_level_await == new.top_level_await
        && old.star_exports == new.star_exports
        && old.known_exports == new.known_exports
        && old.exports.iter().map(names).eq(new.exports.iter().map(names))
}

/// Whether a module exports what it has from others.
fn hands_on(module: &Module) -> bool {
    let mut exports = module.scan.exports.values();
    !module.scan.star_exports.is_empty() || exports.any(|export| matches!(export, Export::Forwarded(_)))
}

/// The entries, the lazy entries, then the targets of `import()`.
fn scripts(graph: &ModuleGraph) -> Vec<ModuleId> {
    let asked: FxHashSet<ModuleId> = graph.asked_for().collect();
    let all = ModuleId::all(graph.modules.len());
    let dynamic: BTreeSet<ModuleId> =
        all.flat_map(|id| loaded_by(graph, id)).filter(|id| !asked.contains(id)).collect();
    graph.asked_for().chain(dynamic).collect()
}

fn numbers(graph: &ModuleGraph) -> FxHashMap<&str, ModuleId> {
    graph.modules.iter().enumerate().map(|(index, module)| (&*module.name, ModuleId::at(index))).collect()
}

/// Finds the modules that are the same as in an older graph.
struct Unchanged<'a> {
    old: Option<(&'a ModuleGraph, FxHashMap<&'a str, ModuleId>)>,
}

impl<'a> Unchanged<'a> {
    /// Compares with the graph of a state, which none is like if there is no state.
    fn new(before: Option<&'a State>) -> Self {
        Self { old: before.map(|before| (&before.modules.graph, numbers(&before.modules.graph))) }
    }

    /// The number that a module has in the older graph, if its definition is the same.
    fn number(&self, graph: &ModuleGraph, id: ModuleId) -> Option<ModuleId> {
        let (old, numbers) = self.old.as_ref()?;
        let module = &graph.modules[id.index()];
        let known = *numbers.get(&*module.name)?;
        let earlier = &old.modules[known.index()];
        let leads_as = |(new, old_target): (&Target, &Target)| match (new, old_target) {
            (Target::Module(new), Target::Module(target)) => {
                let (new, target) = (&graph.modules[new.index()], &old.modules[target.index()]);
                new.name == target.name && !is_reshaped(target, new)
            }
            (new, target) => new == target,
        };
        let is_same = Arc::ptr_eq(&module.scan, &earlier.scan)
            && module.node_interop == earlier.node_interop
            && module.targets.len() == earlier.targets.len()
            && module.targets.iter().zip(&earlier.targets).all(leads_as);
        is_same.then_some(known)
    }
}

/// A sheet as the registry takes it.
fn in_json(sheet: &HotSheet) -> Value {
    json!([&*sheet.key, sheet.file.as_deref(), sheet.place])
}

fn refresh_is_missing(options: &Options) -> Diagnostic {
    let site = portalgen_base::source::display_name(&options.root, &options.folder);
    Diagnostic::warning(text!(
        "without the package `react-refresh`, editing a component resets its state",
        "没有安装 `react-refresh`，修改组件时它的状态会丢失"
    ))
    .with_hint(text!(
        "install it in {site}/: npm install --save-dev react-refresh",
        "请在 {site}/ 里安装：npm install --save-dev react-refresh"
    ))
}
