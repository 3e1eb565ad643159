//! Files that code asks for by `new URL("file", import.meta.url)`, and scripts that it starts as workers.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    source::{Kind, Sources},
    text::text,
};

use super::{
    Key, Loaded, Loader,
    resolve::{Resolved, Unresolved},
};
use crate::{
    asset::{self, Asset, base_name},
    module::{ImportKind, ImportRecord, Target},
    names::is_vendor,
    options::{Entry, Options, VirtualModule},
    output::Bundle,
    platform::Platform,
    syntax::place,
};

/// What the addresses in a module lead to.
#[derive(Default)]
pub(crate) struct Addressed {
    /// For each import record, what it leads to, unless that is a module of the graph.
    pub targets: Vec<Target>,
    pub assets: Vec<Asset>,
    /// The scripts of workers, by the index of the import record that starts them.
    pub workers: BTreeMap<usize, PathBuf>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Bundles the script of a worker: the bundler itself, which is handed to it as a function.
pub(crate) type BundleWorker =
    fn(&Arc<dyn Sources>, &Options, &[Entry], &BTreeMap<String, VirtualModule>) -> Result<Bundle, Vec<Diagnostic>>;

/// Bundles of workers, by the path of their script.
pub(crate) type Workers = BTreeMap<PathBuf, Result<Arc<Bundle>, Vec<Diagnostic>>>;

impl Loader<'_> {
    /// Finds the files behind the names and addresses among import records, which a module in `folder` makes.
    pub(crate) fn addressed(&self, folder: &Path, source: &Arc<SourceText>, records: &[ImportRecord]) -> Addressed {
        let mut found = Addressed::default();
        for record in records {
            let target = match record.kind {
                ImportKind::Url { of_worker } => self.address_of(folder, source, record, of_worker, &mut found),
                ImportKind::RequireResolve => Ok(self.named(folder, record)),
                _ => Ok(Target::Unresolved),
            };
            let target = target.unwrap_or_else(|diagnostics| {
                found.diagnostics.extend(located(diagnostics, source, record));
                Target::Unresolved
            });
            found.targets.push(target);
        }
        found
    }

    fn address_of(
        &self,
        folder: &Path,
        source: &Arc<SourceText>,
        record: &ImportRecord,
        of_worker: bool,
        found: &mut Addressed,
    ) -> Result<Target, Vec<Diagnostic>> {
        match self.resolve_address(folder, record) {
            Ok(Resolved::File(file)) if of_worker => self.worker(&file.path, found),
            Ok(Resolved::File(file)) => self.addressed_file(&file.path, found),
            // The address of a folder is where code looks for other files when it runs.
            _ if self.sources.kind(&folder.join(&*record.specifier)).is_ok_and(|kind| kind == Kind::Folder) => {
                Ok(Target::Unresolved)
            }
            // Nobody here can mend a package; perhaps the code never runs.
            _ if is_vendor(&source.name) => Ok(Target::Unresolved),
            // It may be the address of something that no file is made of.
            resolved if !record.specifier.starts_with('.') => {
                let warning = self.left_alone(folder, &record.specifier, resolved.err());
                found.diagnostics.push(warning.at(place(source, record.span)));
                Ok(Target::Unresolved)
            }
            _ => Err(vec![self.not_found(folder, &record.specifier)]),
        }
    }

    /// An address is relative to its module, whether it begins with `./` or not. Where there is no such file, it may begin
    /// with the name of a package, as in other bundlers.
    fn resolve_address(&self, folder: &Path, record: &ImportRecord) -> Result<Resolved, Unresolved> {
        let ImportRecord { specifier, kind, .. } = record;
        let resolve = |specifier: &str| self.resolver.resolve(folder, specifier, *kind);
        if specifier.starts_with("./") || specifier.starts_with("../") {
            return resolve(specifier);
        }
        match resolve(&format!("./{specifier}")) {
            Ok(beside) => Ok(beside),
            Err(_) => resolve(specifier),
        }
    }

    fn addressed_file(&self, path: &Path, found: &mut Addressed) -> Result<Target, Vec<Diagnostic>> {
        let asset = Asset::new(self.options.layout.prefix(), path, self.read(path)?);
        let target = self.target_of(&asset.file_name);
        found.assets.push(asset);
        Ok(target)
    }

    /// Bundles the scripts of the workers that modules start, each once, and lets the addresses lead there.
    ///
    /// This waits until all modules are loaded: a thread that waits for a bundle is given other work, and a module that starts
    /// the same worker would wait for that thread.
    pub(crate) fn bundle_workers(&self, loaded: &mut FxHashMap<Key, Loaded>, bundler: BundleWorker) -> Workers {
        let scripts: BTreeSet<&PathBuf> = loaded.values().flat_map(|loaded| loaded.workers.values()).collect();
        let bundle = |script: &&PathBuf| (PathBuf::clone(script), self.worker_bundle(script, bundler).map(Arc::new));
        let workers: Workers = scripts.par_iter().map(bundle).collect();
        #[expect(clippy::iter_over_hash_type, reason = "each is changed by itself")]
        for loaded in loaded.values_mut() {
            self.lead_to_workers(loaded, &workers);
        }
        workers
    }

    fn lead_to_workers(&self, Loaded { module, workers: started, diagnostics, .. }: &mut Loaded, workers: &Workers) {
        for (index, script) in started {
            match &workers[script] {
                Ok(bundle) => module.targets[*index] = self.target_of(bundle.entry_file()),
                Err(found) => {
                    let record = &module.scan.import_records[*index];
                    diagnostics.extend(located(found.clone(), &module.source, record));
                }
            }
        }
    }

    /// The engine has no workers, so it is enough that the address has the form of one.
    fn worker(&self, path: &Path, found: &mut Addressed) -> Result<Target, Vec<Diagnostic>> {
        if self.options.platform == Platform::Prerender {
            let name = asset::readable(&stem(path));
            return Ok(self.target_of(&format!("{}{name}.js", self.options.layout.prefix())));
        }
        if self.options.workers.iter().any(|outer| outer == path) {
            return Err(vec![Diagnostic::error(text!(
                "a worker cannot start itself, directly or through another worker",
                "worker 不能启动自己，也不能通过另一个 worker 启动自己"
            ))]);
        }
        found.workers.insert(found.targets.len(), path.to_path_buf());
        Ok(Target::Unresolved)
    }

    /// A worker has globals and modules of its own, so it is a bundle of its own.
    fn worker_bundle(&self, path: &Path, bundler: BundleWorker) -> Result<Bundle, Vec<Diagnostic>> {
        let mut options = Options {
            clock: self.options.clock.parts_of("workers"),
            hot: false,
            // Pages load those by their addresses, and one that starts this worker would have it start itself.
            lazy_entries: Vec::new(),
            ..Options::clone(self.options)
        };
        options.workers.push(path.to_path_buf());
        let entry = Entry { name: stem(path), module: path.to_string_lossy().into_owned() };
        bundler(self.sources, &options, &[entry], self.virtual_modules)
    }

    fn target_of(&self, file_name: &str) -> Target {
        match self.options.platform {
            Platform::Prerender => Target::Address(format!("{}{file_name}", self.options.base)),
            _ => Target::File(base_name(file_name).to_owned()),
        }
    }

    fn left_alone(&self, folder: &Path, specifier: &str, reason: Option<Unresolved>) -> Diagnostic {
        if let Some(reason @ Unresolved::NotExported(_)) = reason {
            let Diagnostic { message, hints, .. } = self.unresolved(folder, specifier, &reason);
            let message = text!("{message}, so the address is kept as it is", "{message}，因此保留原来的地址", message);
            return Diagnostic { hints, ..Diagnostic::warning(message) };
        }
        let message = text!(
            "there is neither a file `{specifier}` next to this one nor a package of that name, so the address is \
            kept as it is",
            "同一文件夹里没有文件 `{specifier}`，也没有这个名字的包，因此保留原来的地址"
        );
        Diagnostic::warning(message).with_hint(text!(
            "for a page, write `new URL(\"{specifier}\", location.href)`; a file must exist when the portal is built",
            "如果是页面，请写 `new URL(\"{specifier}\", location.href)`；如果是文件，构建时它必须存在"
        ))
    }
}

/// Diagnostics that have no place of their own, at an import record.
fn located<'d>(
    diagnostics: Vec<Diagnostic>,
    source: &'d Arc<SourceText>,
    record: &'d ImportRecord,
) -> impl Iterator<Item = Diagnostic> + 'd {
    diagnostics.into_iter().map(move |diagnostic| diagnostic.or_at(|| place(source, record.span)))
}

/// The name of a file without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
