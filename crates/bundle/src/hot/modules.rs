//! The modules that are kept between updates: as they were loaded, and as a graph.
//!
//! An edit mostly leaves alone which modules a module asks for. Then it is loaded again and takes its old place, and nothing else
//! is looked at. Otherwise the graph is made anew of what was loaded, without loading any of it again.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::diagnostic::Diagnostic;

use crate::{
    asset::is_named_after,
    graph::{Found, ModuleGraph, Numbered, Roots, reached_keys},
    load::{Key, Loaded, Loader, address::BundleWorker},
    module::{ImportKind, ImportRecord, Module, ModuleId, Target},
    names::{file_of, is_sheet},
};

/// The modules of a graph.
pub(super) struct Modules {
    loaded: FxHashMap<Key, Loaded>,
    ids: FxHashMap<Key, ModuleId>,
    /// The modules that are made of each file.
    of_file: FxHashMap<PathBuf, Vec<Key>>,
    pub graph: ModuleGraph,
    /// For each module, those that ask for it in any way.
    pub importers: Vec<Vec<ModuleId>>,
}

/// What an update has made of the modules.
pub(super) enum Reloaded {
    /// Some are other ones, and all lead where they led.
    InPlace(Replaced),
    /// The graph is another one.
    Anew(Box<Modules>),
}

/// Modules that have taken the places of others.
pub(super) struct Replaced {
    pub ids: Vec<ModuleId>,
    /// What was there before.
    old: Vec<(Key, ModuleId, Module, Loaded)>,
    /// What is to be told of all modules, if that may be something else now.
    warnings: Option<Vec<Diagnostic>>,
}

impl Replaced {
    /// The modules that were there before.
    pub(super) fn old(&self) -> impl Iterator<Item = (ModuleId, &Module)> {
        self.old.iter().map(|(_, id, module, _)| (*id, module))
    }
}

impl Modules {
    /// Loads everything that `roots` lead to.
    ///
    /// # Errors
    /// Everything wrong with any module.
    pub(super) fn load(
        loader: &Loader<'_>,
        roots: &Roots,
        bundle_worker: BundleWorker,
    ) -> Result<Self, Vec<Diagnostic>> {
        let found = Found::search(loader, roots.all(), &|_| false);
        Self::of(found, loader, roots, bundle_worker)
    }

    fn of(
        found: Found,
        loader: &Loader<'_>,
        roots: &Roots,
        bundle_worker: BundleWorker,
    ) -> Result<Self, Vec<Diagnostic>> {
        let reached: FxHashSet<Key> = reached_keys(&found.loaded, roots.all()).into_iter().collect();
        let Found { mut loaded, failed } = found;
        loaded.retain(|key, _| reached.contains(key));
        let Numbered { graph, ids } =
            Found { loaded: loaded.clone(), failed }.into_graph(loader, roots, bundle_worker)?;
        let mut of_file: FxHashMap<PathBuf, Vec<Key>> = FxHashMap::default();
        for (key, path) in ids.keys().filter_map(|key| Some((key, key.path()?))) {
            of_file.entry(path.to_path_buf()).or_default().push(key.clone());
        }
        let mut importers = vec![Vec::new(); graph.modules.len()];
        for (index, module) in graph.modules.iter().enumerate() {
            for (_, target) in module.imported_modules() {
                let importers: &mut Vec<ModuleId> = &mut importers[target.index()];
                if importers.last() != Some(&ModuleId::at(index)) {
                    importers.push(ModuleId::at(index));
                }
            }
        }
        Ok(Self { loaded, ids, of_file, graph, importers })
    }

    /// The modules that have to be loaded again when files have changed, of which the caches know. `None`, if that does not show
    /// in the modules: what specifiers lead to may have changed.
    pub(super) fn stale<'p>(&self, loader: &Loader<'_>, files: impl Iterator<Item = &'p PathBuf>) -> Option<Vec<Key>> {
        let mut stale = Vec::new();
        for file in files {
            let is_config = file.file_name().is_some_and(|name| is_config(&name.to_string_lossy()));
            let own = self.of_file.get(file).filter(|_| !is_config && loader.sources.is_file(file))?;
            stale.extend(own.iter().cloned());
            stale.extend(if is_sheet(file) { self.made_of_sheet(file) } else { self.addressing(file) });
        }
        let mut seen = FxHashSet::default();
        stale.retain(|key| seen.insert(key.clone()));
        Some(stale)
    }

    /// The sheets that lead to one, and those whose text code imports: in which sheets these have come together is not known.
    fn made_of_sheet(&self, file: &Path) -> Vec<Key> {
        let leads_there = |loaded: &Loaded| loaded.targets.iter().flatten().any(|key| key.path() == Some(file));
        let is_made_of_it = |(key, loaded): &(&Key, &Loaded)| match key {
            Key::Sheet(_) => leads_there(loaded),
            Key::Formed(path, _) => is_sheet(path),
            _ => false,
        };
        self.loaded.iter().filter(is_made_of_it).map(|(key, _)| key.clone()).collect()
    }

    /// The modules that refer to a file by its address.
    fn addressing(&self, file: &Path) -> Vec<Key> {
        let name = file.to_string_lossy();
        let refers = |loaded: &Loaded| loaded.assets.iter().any(|asset| is_named_after(&asset.file_name, &name));
        self.loaded.iter().filter(|(_, loaded)| refers(loaded)).map(|(key, _)| key.clone()).collect()
    }

    /// Whether a module is part of the graph.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.loaded.contains_key(key)
    }

    /// Loads some modules again, and what they and `roots` ask for besides.
    ///
    /// # Errors
    /// Everything wrong with any module. The graph stays as it was.
    pub(super) fn reload(
        &mut self,
        loader: &Loader<'_>,
        stale: &[Key],
        (roots, are_others): (&Roots, bool),
        bundle_worker: BundleWorker,
    ) -> Result<Reloaded, Vec<Diagnostic>> {
        let stale_keys: FxHashSet<&Key> = stale.iter().collect();
        let is_known = |key: &Key| self.loaded.contains_key(key) && !stale_keys.contains(key);
        let roots_too = if are_others { roots.keys.as_slice() } else { &[] };
        let found = Found::search(loader, stale.iter().chain(roots_too), &is_known);
        if !are_others && self.fits(&found) && !self.are_in_workers(stale) {
            return self.replaced(loader, found, roots).map(Reloaded::InPlace);
        }
        let mut all = self.loaded.clone();
        all.retain(|key, _| !stale_keys.contains(key));
        all.extend(found.loaded);
        let found = Found { loaded: all, failed: found.failed };
        let mut modules = Self::of(found, loader, roots, bundle_worker)?;
        // Only sheets that were loaded again were looked at.
        let mut types = self.graph.css_module_types.clone();
        types.append(&mut modules.graph.css_module_types);
        let names: FxHashSet<&str> = modules.graph.modules.iter().map(|module| &*module.name).collect();
        types.retain(|name, _| names.contains(name.as_str()));
        modules.graph.css_module_types = types;
        Ok(Reloaded::Anew(Box::new(modules)))
    }

    /// Whether modules can take the places of those that were there.
    fn fits(&self, found: &Found) -> bool {
        let fits = |(key, new): (&Key, &Loaded)| {
            self.loaded.get(key).is_some_and(|old| leads_as(new, old))
                && !new.diagnostics.iter().any(Diagnostic::is_error)
        };
        found.failed.is_empty() && found.loaded.iter().all(fits)
    }

    /// Whether the bundle of a worker has one of these modules as well.
    fn are_in_workers(&self, keys: &[Key]) -> bool {
        let bundles = &self.graph.workers;
        let is_in = |name: &str| {
            let mut modules = bundles.values().flat_map(|bundle| &bundle.modules);
            modules.any(|module| file_of(&module.name) == file_of(name))
        };
        !bundles.is_empty()
            && keys.iter().filter_map(|key| self.loaded.get(key)).any(|loaded| is_in(&loaded.module.name))
    }

    fn replaced(&mut self, loader: &Loader<'_>, found: Found, roots: &Roots) -> Result<Replaced, Vec<Diagnostic>> {
        let has_warnings =
            |(key, new): (&Key, &Loaded)| !new.diagnostics.is_empty() || !self.loaded[key].diagnostics.is_empty();
        let mut may_warn = found.loaded.iter().any(has_warnings);
        let mut replaced = Replaced { ids: Vec::new(), old: Vec::new(), warnings: None };
        #[expect(clippy::iter_over_hash_type, reason = "each takes a place of its own")]
        for (key, new) in found.loaded {
            let Some(&id) = self.ids.get(&key) else { continue };
            let place = &mut self.graph.modules[id.index()];
            let module = Module { targets: targets_in_place(&new.module, place), ..new.module.clone() };
            may_warn |= place.stylesheet != module.stylesheet;
            let old = std::mem::replace(place, module);
            replaced.ids.push(id);
            replaced.old.extend(self.loaded.insert(key.clone(), new).map(|loaded| (key, id, old, loaded)));
        }
        replaced.ids.sort();
        if may_warn {
            let all = Found { loaded: std::mem::take(&mut self.loaded), failed: FxHashMap::default() };
            let warnings = all.diagnostics(loader, roots);
            self.loaded = all.loaded;
            if warnings.iter().any(Diagnostic::is_error) {
                self.put_back(replaced);
                return Err(warnings);
            }
            replaced.warnings = Some(warnings);
        }
        Ok(replaced)
    }

    /// Lets the modules that were there before take their places again.
    pub(super) fn put_back(&mut self, replaced: Replaced) {
        for (key, id, module, loaded) in replaced.old {
            self.graph.modules[id.index()] = module;
            self.loaded.insert(key, loaded);
        }
    }

    /// Lets the modules that are there now stay.
    pub(super) fn keep(&mut self, loader: &Loader<'_>, replaced: Replaced) {
        for (key, ..) in &replaced.old {
            let assets = self.loaded[key].assets.iter().map(|asset| (asset.file_name.clone(), asset.clone()));
            self.graph.assets.extend(assets);
        }
        self.graph.css_module_types.extend(loader.css_module_types());
        if let Some(warnings) = replaced.warnings {
            self.graph.warnings = warnings;
        }
    }
}

/// What the import records of a module lead to that takes the place of an old one which leads to the same modules.
fn targets_in_place(new: &Module, old: &Module) -> Vec<Target> {
    let records = new.import_records().zip(&old.targets);
    let target = |((record, new), old): ((&ImportRecord, &Target), &Target)| {
        let is_of_graph = record.kind.is_of_module() || record.kind == (ImportKind::Url { of_worker: true });
        if is_of_graph { old.clone() } else { new.clone() }
    };
    records.map(target).collect()
}

/// Whether a module leads to the same ones as another one, in the same ways, and has rules if that has some.
fn leads_as(new: &Loaded, old: &Loaded) -> bool {
    let (new_records, old_records) = (&new.module.scan.import_records, &old.module.scan.import_records);
    let is_alike =
        |(new, old): (&ImportRecord, &ImportRecord)| new.kind == old.kind && new.is_forwarded == old.is_forwarded;
    new_records.len() == old_records.len()
        && new_records.iter().zip(old_records).all(is_alike)
        && new.targets == old.targets
        && new.mains == old.mains
        && new.workers == old.workers
        && new.module.scan.format == old.module.scan.format
        && new.module.name == old.module.name
        && new.module.stylesheet.is_some() == old.module.stylesheet.is_some()
}

/// Whether files of this name decide about what others mean.
fn is_config(name: &str) -> bool {
    name == "package.json" || name == ".browserslistrc" || (name.starts_with("tsconfig") && name.ends_with(".json"))
}
