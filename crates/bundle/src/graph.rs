//! Finds every module that the entries reach, side by side on all cores, and numbers them.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rayon::Scope;
use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::{
    diagnostic::{self, Diagnostic},
    source::Sources,
    text::text,
    timing::Stage,
};

use super::{
    css::browsers,
    load::{
        Key, Loaded, Loader,
        address::{BundleWorker, Workers},
    },
    module::{Format, ImportKind, Module, ModuleId, Target},
};
use crate::{
    asset::Asset,
    helpers,
    load::sheet,
    names::{is_vendor, is_virtual},
    options::{Entry, Layout, Options, VirtualModule},
    output::Bundle,
    platform::Platform,
};

/// Every module that the entries reach, in an order that depends on the sources alone.
pub(super) struct ModuleGraph {
    /// [`ModuleId`] is the index.
    pub modules: Vec<Module>,
    /// The entries' modules, in the order of the entries.
    pub entries: Vec<ModuleId>,
    /// Modules of lazy entries, in the order of their numbers, each once and none of them an entry.
    pub lazy_entries: Vec<ModuleId>,
    /// Files that modules and sheets refer to, by name.
    pub assets: BTreeMap<String, Asset>,
    /// Bundles of the workers that modules start, by the path of their script.
    pub workers: BTreeMap<PathBuf, Arc<Bundle>>,
    /// How the output is laid out, which says whether the modules are of pages.
    pub layout: Layout,
    /// What should be looked at.
    pub warnings: Vec<Diagnostic>,
    /// TypeScript's view of the site's CSS modules, by the names of their files.
    pub css_module_types: BTreeMap<String, String>,
    /// Modules that throw in the place of others, by name, with what is wrong with those.
    pub set_aside: BTreeMap<String, Diagnostic>,
}

/// Loads the graph.
///
/// # Errors
/// Everything wrong with any module: all syntax errors, all specifiers that lead nowhere.
pub(super) fn load(
    sources: &Arc<dyn Sources>,
    options: &Options,
    entries: &[Entry],
    virtual_modules: &BTreeMap<String, VirtualModule>,
    bundle_worker: BundleWorker,
) -> Result<ModuleGraph, Vec<Diagnostic>> {
    let targets = browsers::targets(&**sources, options).map_err(|diagnostic| vec![diagnostic])?;
    let loader = Loader::new(sources, options, virtual_modules, targets);
    let roots = Roots::find(&loader, entries)?;
    let found = Found::search(&loader, roots.all(), &|_| false);
    Ok(found.into_graph(&loader, &roots, bundle_worker)?.graph)
}

/// The modules that a graph begins with.
#[derive(Clone)]
pub(super) struct Roots {
    helpers: Key,
    /// The entries, then the lazy entries.
    pub keys: Vec<Key>,
    /// How many of these are entries.
    pub entries: usize,
}

impl Roots {
    /// Adds an entry behind the others.
    pub(super) fn add_entry(&mut self, key: Key) {
        self.keys.insert(self.entries, key);
        self.entries += 1;
    }

    /// The modules that the caller asks for.
    ///
    /// # Errors
    /// One of them is not there, or `tsconfig.json`, on which every import depends, cannot be used.
    pub(super) fn find(loader: &Loader<'_>, entries: &[Entry]) -> Result<Self, Vec<Diagnostic>> {
        loader.check_tsconfig().map_err(|diagnostic| vec![diagnostic])?;
        let names = entries.iter().map(|entry| &entry.module).chain(&loader.options.lazy_entries);
        let keys = names.map(|name| loader.entry_key(name)).collect::<Result<Vec<Key>, _>>();
        let keys = keys.map_err(|diagnostic| vec![diagnostic])?;
        Ok(Self { helpers: Key::Virtual(helpers::NAME.to_owned()), keys, entries: entries.len() })
    }

    /// All of them, the helpers first.
    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = &Key> {
        std::iter::once(&self.helpers).chain(&self.keys)
    }
}

/// Modules found so far. Which thread finds which is chance; nothing but [`number`] decides about their order.
struct Search<'a> {
    loader: &'a Loader<'a>,
    stage: Stage,
    /// Modules that need not be loaded, nor what these ask for.
    is_known: &'a (dyn Fn(&Key) -> bool + Sync),
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    seen: FxHashSet<Key>,
    found: Found,
}

/// Modules that were loaded.
#[derive(Default)]
pub(super) struct Found {
    pub loaded: FxHashMap<Key, Loaded>,
    /// Modules that could not be loaded, and why.
    pub failed: FxHashMap<Key, Vec<Diagnostic>>,
}

/// A graph, and the numbers of its modules.
pub(super) struct Numbered {
    pub graph: ModuleGraph,
    pub ids: FxHashMap<Key, ModuleId>,
}

impl Found {
    /// Loads the modules of `keys` and all that these ask for, without those that are known.
    pub(super) fn search<'k>(
        loader: &Loader<'_>,
        keys: impl DoubleEndedIterator<Item = &'k Key>,
        is_known: &(dyn Fn(&Key) -> bool + Sync),
    ) -> Self {
        let search = Search { loader, stage: Stage::current(), is_known, state: Mutex::default() };
        rayon::in_place_scope(|scope| {
            search.request_all(scope, keys);
        });
        search.state.into_inner().unwrap_or_else(PoisonError::into_inner).found
    }

    /// The graph of all modules that `roots` lead to.
    ///
    /// # Errors
    /// Everything wrong with any module.
    pub(super) fn into_graph(
        mut self,
        loader: &Loader<'_>,
        roots: &Roots,
        bundle_worker: BundleWorker,
    ) -> Result<Numbered, Vec<Diagnostic>> {
        let workers = loader.bundle_workers(&mut self.loaded, bundle_worker);
        self.unite_packages();
        let mut set_aside = BTreeMap::new();
        if loader.options.platform == Platform::Prerender {
            let roots: Vec<Key> = roots.all().cloned().collect();
            set_aside = loader.set_aside(&roots, &mut self.loaded, &mut self.failed);
        }
        let warnings = self.diagnostics(loader, roots);
        if warnings.iter().any(Diagnostic::is_error) {
            return Err(warnings);
        }
        let css_module_types = loader.css_module_types();
        let Numbered { graph, ids } = number(self.loaded, &workers, roots);
        Ok(Numbered {
            graph: ModuleGraph { layout: loader.options.layout, warnings, css_module_types, set_aside, ..graph },
            ids,
        })
    }

    /// What is wrong with modules or should be looked at, in order.
    pub(super) fn diagnostics(&self, loader: &Loader<'_>, roots: &Roots) -> Vec<Diagnostic> {
        let mut diagnostics = self.located_failures();
        diagnostics.extend(self.loaded.values().flat_map(|loaded| &loaded.diagnostics).cloned());
        diagnostics.extend(loader.copies_of_react(self.loaded.values()));
        diagnostics.extend(sheet::check_namespaces(self.loaded.values().map(|loaded| &loaded.module)));
        if !diagnostics.is_empty() {
            let chains = Chains::new(&self.loaded, &roots.keys);
            diagnostics = diagnostics.into_iter().map(|diagnostic| chains.explain(diagnostic)).collect();
            diagnostic::sort(&mut diagnostics);
            diagnostics.dedup();
        }
        diagnostics
    }

    /// Lets imports lead to the file that `main` of a package names, where something requires that one: the file that its
    /// `module` names would be the same package once more, with a state of its own.
    fn unite_packages(&mut self) {
        // In any order: the outcome is the same.
        let required: FxHashSet<Key> = self.loaded.values().flat_map(required_keys).collect();
        self.loaded.values_mut().for_each(|loaded| {
            for (record, target) in loaded.module.scan.import_records.iter().zip(&mut loaded.targets) {
                let main = target.as_ref().and_then(|target| loaded.mains.get(target));
                if let Some(main) = main.filter(|main| record.kind.is_import() && required.contains(main)) {
                    *target = Some(main.clone());
                }
            }
        });
    }

    /// What is wrong with the modules that could not be loaded. Where that is nothing in their text, it is told at the
    /// import that asks for them.
    fn located_failures(&self) -> Vec<Diagnostic> {
        if self.failed.is_empty() {
            return Vec::new();
        }
        let mut importers: Vec<&Loaded> = self.loaded.values().collect();
        importers.sort_by(|a, b| a.module.name.cmp(&b.module.name));
        let located = self.failed.iter().flat_map(|(key, diagnostics)| {
            let place = importers.iter().find_map(|importer| importer.place_of_import(key));
            diagnostics.iter().cloned().map(move |mut diagnostic| {
                diagnostic.place = diagnostic.place.or_else(|| place.clone());
                diagnostic
            })
        });
        located.collect()
    }
}

/// What a module asks for with `require`.
fn required_keys(loaded: &Loaded) -> impl Iterator<Item = Key> {
    let records = loaded.module.scan.import_records.iter().zip(&loaded.targets);
    let required = records.filter(|(record, _)| matches!(record.kind, ImportKind::Require { .. }));
    required.filter_map(|(_, target)| target.clone())
}

impl ModuleGraph {
    /// Modules that the caller asked for, entries before lazy entries.
    pub(super) fn asked_for(&self) -> impl Iterator<Item = ModuleId> {
        self.entries.iter().chain(&self.lazy_entries).copied()
    }

    /// The numbers of lazy entries among those.
    pub(super) fn lazy_numbers(&self) -> Range<usize> {
        self.entries.len()..self.entries.len() + self.lazy_entries.len()
    }
}

impl Search<'_> {
    /// Loads the modules of `keys`. A thread goes on with what it was asked for last, so the bundle for browsers begins with
    /// the entry and what that asks for first, and the one for the engine at the other end: where the two have modules in
    /// common, they seldom wait for each other.
    fn request_all<'scope, 'k>(&'scope self, scope: &Scope<'scope>, keys: impl DoubleEndedIterator<Item = &'k Key>) {
        let request = |key| self.request(scope, key);
        if self.loader.options.platform == Platform::Prerender {
            keys.for_each(request);
        } else {
            keys.rev().for_each(request);
        }
    }

    /// Loads the module of `key` once, and then what it asks for.
    fn request<'scope>(&'scope self, scope: &Scope<'scope>, key: &Key) {
        let is_new = !(self.is_known)(key) && self.state().seen.insert(key.clone());
        if !is_new {
            return;
        }
        let key = key.clone();
        scope.spawn(move |scope| match self.load(&key) {
            Ok(loaded) => {
                self.request_all(scope, loaded.targets.iter().flatten());
                self.state().found.loaded.insert(key, loaded);
            }
            Err(diagnostics) => {
                self.state().found.failed.insert(key, diagnostics);
            }
        });
    }

    fn load(&self, key: &Key) -> Result<Loaded, Vec<Diagnostic>> {
        self.stage.piece(|| self.loader.label(key), || self.loader.load(key))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets import records of a CommonJS module that only hands on what another one exports lead to that one at once.
fn look_through_forwarding(modules: &mut [Module]) {
    let forwarded: FxHashMap<ModuleId, ModuleId> = modules
        .iter()
        .enumerate()
        .filter_map(|(index, module)| {
            let (_, target) = module.import_records().find(|(record, _)| record.is_forwarded)?;
            let target = target.module()?;
            (modules[target.index()].scan.format == Format::CommonJs).then_some((ModuleId::at(index), target))
        })
        .collect();
    for target in modules.iter_mut().flat_map(|module| &mut module.targets) {
        // Each step is another module, unless they go round in a circle.
        for _ in 0..forwarded.len() {
            match target.module().and_then(|module| forwarded.get(&module)) {
                Some(next) => *target = Target::Module(*next),
                None => break,
            }
        }
    }
}

/// How modules came to be part of the graph.
struct Chains<'a> {
    /// For each module, by name, the one that asked for it first, and where.
    importers: FxHashMap<&'a str, (&'a Loaded, &'a Key)>,
}

impl<'a> Chains<'a> {
    fn new(loaded: &'a FxHashMap<Key, Loaded>, entries: &'a [Key]) -> Self {
        let mut importers = FxHashMap::default();
        let mut seen: FxHashSet<&Key> = entries.iter().collect();
        let mut queue: VecDeque<&Key> = entries.iter().collect();
        while let Some(importer) = queue.pop_front() {
            // What could not be loaded asks for nothing.
            let Some(importer) = loaded.get(importer) else { continue };
            for key in importer.targets.iter().flatten() {
                if seen.insert(key) {
                    queue.push_back(key);
                    if let Some(target) = loaded.get(key) {
                        importers.insert(&*target.module.name, (importer, key));
                    }
                }
            }
        }
        Self { importers }
    }

    /// Says of a mistake in a package how the site came to need that package.
    fn explain(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let Some(place) = &diagnostic.place else { return diagnostic };
        let mut name = place.source.name.clone();
        if !is_vendor(&name) {
            return diagnostic;
        }
        let mut chain = vec![name.clone()];
        while let Some((importer, key)) = self.importers.get(name.as_str()) {
            name = importer.module.name.to_string();
            chain.push(name.clone());
            if !is_vendor(&name) {
                if let Some(place) = importer.place_of_import(key).filter(|_| !is_virtual(&name)) {
                    diagnostic.related.push((place, text!("needed here", "这里需要它")));
                }
                break;
            }
        }
        if chain.len() > 2 {
            chain.reverse();
            let chain = chain.join(" -> ");
            diagnostic.hints.push(text!("import chain: {chain}", "导入链：{chain}"));
        }
        diagnostic
    }
}

/// Numbers the modules by their names, so that no number depends on which others there are in between: what is ordered by
/// numbers stays as it is when an unrelated module comes or goes.
fn number(mut loaded: FxHashMap<Key, Loaded>, bundles: &Workers, roots: &Roots) -> Numbered {
    let keys = sorted_keys(&loaded, roots.all());
    let ids: FxHashMap<Key, ModuleId> =
        keys.iter().enumerate().map(|(index, key)| (key.clone(), ModuleId::at(index))).collect();
    let (mut modules, mut assets, mut workers) = (Vec::with_capacity(keys.len()), BTreeMap::new(), BTreeMap::new());
    for key in &keys {
        let Some(Loaded { mut module, targets, assets: own, workers: started, .. }) = loaded.remove(key) else {
            continue;
        };
        let records = module.scan.import_records.iter().zip(&mut module.targets);
        for ((record, found), target) in records.zip(&targets) {
            if let Some(target) = target {
                *found = match (target, record.kind) {
                    (Key::External(_), ImportKind::Dynamic { .. }) => Target::External,
                    _ => Target::Module(ids[target]),
                };
            }
        }
        let started = started.into_values().filter_map(|script| {
            let bundle = bundles.get(&script)?.as_ref().ok()?;
            Some((script, Arc::clone(bundle)))
        });
        workers.extend(started);
        assets.extend(own.into_iter().map(|asset| (asset.file_name.clone(), asset)));
        modules.push(module);
    }
    look_through_forwarding(&mut modules);
    let (entries, lazy_entries) = roots.keys.split_at(roots.entries);
    let entries: Vec<ModuleId> = entries.iter().map(|entry| ids[entry]).collect();
    let mut lazy_entries: Vec<ModuleId> = lazy_entries.iter().map(|entry| ids[entry]).collect();
    lazy_entries.sort();
    lazy_entries.dedup();
    lazy_entries.retain(|entry| !entries.contains(entry));
    let (layout, warnings, css_module_types, set_aside) = Default::default();
    let graph =
        ModuleGraph { modules, entries, lazy_entries, assets, workers, layout, warnings, css_module_types, set_aside };
    Numbered { graph, ids }
}

/// The modules that the first ones lead to, by name; before them the first one of all, the helpers.
fn sorted_keys<'a>(loaded: &'a FxHashMap<Key, Loaded>, first: impl Iterator<Item = &'a Key>) -> Vec<Key> {
    let mut keys = reached_keys(loaded, first);
    if let Some(others) = keys.get_mut(1..) {
        others.sort_by_cached_key(|key| Arc::clone(&loaded[key].module.name));
    }
    keys
}

/// The modules that the first ones lead to, these in front.
pub(super) fn reached_keys<'a>(loaded: &'a FxHashMap<Key, Loaded>, first: impl Iterator<Item = &'a Key>) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::new();
    let mut seen: FxHashSet<&Key> = FxHashSet::default();
    let mut queue: VecDeque<&Key> = VecDeque::new();
    queue.extend(first.filter(|key| seen.insert(key)));
    while let Some(key) = queue.pop_front() {
        // Every key was loaded, or `load` would have failed.
        let Some(found) = loaded.get(key) else { continue };
        keys.push(key.clone());
        // An external module that only an `import()` asks for stays an address.
        let records = found.module.scan.import_records.iter().zip(&found.targets);
        let targets = records.filter_map(|(record, target)| Some((target.as_ref()?, record.kind)));
        let modules = targets.filter(|target| !matches!(target, (Key::External(_), ImportKind::Dynamic { .. })));
        queue.extend(modules.map(|(target, _)| target).filter(|target| seen.insert(target)));
    }
    keys
}
