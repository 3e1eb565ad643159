//! Files that code asks for by `new URL("file", import.meta.url)`, and scripts that it starts as workers.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    source::{Kind, Sources},
    text::text,
};

use super::{
    Loader,
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
    /// Bundles of workers, by the path of their script.
    pub workers: BTreeMap<PathBuf, Arc<Bundle>>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Bundles of workers. Several modules may start the same one.
#[derive(Default)]
pub(crate) struct Workers(Mutex<BTreeMap<PathBuf, Arc<OnceLock<WorkerBundle>>>>);

/// Bundles the script of a worker: the bundler itself, which the loader gets as a function.
pub(crate) type BundleWorker =
    fn(&Arc<dyn Sources>, &Options, &[Entry], &BTreeMap<String, VirtualModule>) -> Result<Bundle, Vec<Diagnostic>>;

type WorkerBundle = Result<Arc<Bundle>, Vec<Diagnostic>>;

impl Workers {
    fn get(&self, path: &Path, make: impl FnOnce() -> WorkerBundle) -> WorkerBundle {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(cells.entry(path.to_path_buf()).or_default())
        };
        cell.get_or_init(make).clone()
    }
}

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
                found.diagnostics.extend(diagnostics.into_iter().map(|mut diagnostic| {
                    diagnostic.place.get_or_insert_with(|| place(source, record.span));
                    diagnostic
                }));
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

    /// The engine has no workers, so it is enough that the address has the form of one.
    fn worker(&self, path: &Path, found: &mut Addressed) -> Result<Target, Vec<Diagnostic>> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if self.options.platform == Platform::Prerender {
            return Ok(self.target_of(&format!("{}{}.js", self.options.layout.prefix(), asset::readable(&stem))));
        }
        if self.options.workers.iter().any(|outer| outer == path) {
            return Err(vec![Diagnostic::error(text!(
                "a worker cannot start itself, directly or through another one",
                "worker 不能启动自己，无论是直接还是经由另一个 worker"
            ))]);
        }
        let worker = self.workers.get(path, || self.worker_bundle(path, stem).map(Arc::new))?;
        let entry = worker.entries.first().and_then(|entry| worker.chunks.get(*entry));
        let target = self.target_of(entry.map(|chunk| chunk.file_name.as_str()).unwrap_or_default());
        found.workers.insert(path.to_path_buf(), worker);
        Ok(target)
    }

    /// A worker has globals and modules of its own, so it is a bundle of its own.
    fn worker_bundle(&self, path: &Path, name: String) -> Result<Bundle, Vec<Diagnostic>> {
        let mut options = Options::clone(self.options);
        options.workers.push(path.to_path_buf());
        let entry = Entry { name, module: path.to_string_lossy().into_owned() };
        (self.bundle_worker)(self.sources, &options, &[entry], self.virtual_modules)
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
            let message = text!("{message}, so the address stays as it is", "{message}，所以这个地址原样保留", message);
            return Diagnostic { hints, ..Diagnostic::warning(message) };
        }
        let message = text!(
            "there is no file `{specifier}` beside this one and no such package, so the address stays as it is",
            "旁边没有 `{specifier}` 这个文件，也没有这样的包，所以这个地址原样保留"
        );
        Diagnostic::warning(message).with_hint(text!(
            "for a page write `new URL(\"{specifier}\", location.href)`; a file must be there when the portal is built",
            "如果是页面，请写 `new URL(\"{specifier}\", location.href)`；如果是文件，生成时它必须存在"
        ))
    }
}
