//! The `tsconfig.json` that applies to a file: the nearest one above it, as editors and the compiler have it.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use oxc_resolver::{
    ResolveError, ResolveOptions, ResolverGeneric, TsConfig, TsconfigDiscovery, TsconfigOptions, TsconfigReferences,
};
use rustc_hash::FxHashMap;

use portalgen_base::source::Sources;

use super::files::Files;
use crate::names::is_in_packages;

/// A `tsconfig.json` apart from that of the site.
pub(super) struct Project {
    pub path: PathBuf,
    /// Only to read it: the cache of a resolver has room for one `tsconfig.json`.
    reader: ResolverGeneric<Files>,
}

impl Project {
    /// What it says of a file, or the project that it refers to and that includes the file.
    pub(super) fn config(&self, file: &Path) -> Result<Option<Arc<TsConfig>>, ResolveError> {
        self.reader.find_tsconfig(file)
    }
}

/// The projects of files, each read once.
pub(super) struct Tsconfigs {
    sources: Arc<dyn Sources>,
    /// The folder of the site, whose own `tsconfig.json` is none of these.
    site: PathBuf,
    of_folder: Mutex<FxHashMap<PathBuf, Option<Arc<Project>>>>,
}

impl Tsconfigs {
    pub(super) fn new(sources: &Arc<dyn Sources>, site: &Path) -> Self {
        Self { sources: Arc::clone(sources), site: site.to_path_buf(), of_folder: Mutex::default() }
    }

    /// The project of a file. `None` is the site's.
    pub(super) fn of(&self, file: &Path) -> Option<Arc<Project>> {
        let folder = file.parent().filter(|_| !is_in_packages(file))?;
        let mut of_folder = self.of_folder.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown = Vec::new();
        let mut found = None;
        for folder in folder.ancestors().take_while(|folder| *folder != self.site) {
            if let Some(known) = of_folder.get(folder) {
                found.clone_from(known);
                break;
            }
            unknown.push(folder);
            found = self.in_folder(folder);
            if found.is_some() {
                break;
            }
        }
        of_folder.extend(unknown.into_iter().map(|folder| (folder.to_path_buf(), found.clone())));
        found
    }

    fn in_folder(&self, folder: &Path) -> Option<Arc<Project>> {
        let path = folder.join("tsconfig.json");
        let is_project = self.sources.is_file(&path) && self.sources.refusal(&path).is_none();
        is_project.then(|| {
            let options = TsconfigOptions { config_file: path.clone(), references: TsconfigReferences::Auto };
            let tsconfig = Some(TsconfigDiscovery::Manual(options));
            let files = Files(Arc::clone(&self.sources));
            let reader =
                ResolverGeneric::new_with_file_system(files, ResolveOptions { tsconfig, ..ResolveOptions::default() });
            Arc::new(Project { path, reader })
        })
    }
}
