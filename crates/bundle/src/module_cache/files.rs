//! Texts of files and resolvers, as long as the files are what they were.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustc_hash::FxHashMap;

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    source::Sources,
};

use crate::load::resolve::{Resolver, ResolverKey};

/// What is known of the files of some sources.
pub(crate) struct FileCache {
    sources: Arc<dyn Sources>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The files that were read, each with its text if it was read as one.
    read: FxHashMap<PathBuf, Option<Arc<SourceText>>>,
    resolvers: Vec<(ResolverKey, Arc<Resolver>)>,
}

impl FileCache {
    pub(super) fn new(sources: &Arc<dyn Sources>) -> Self {
        Self { sources: Arc::clone(sources), state: Mutex::default() }
    }

    /// True if these are the very sources. They are kept, so no others can be at their address.
    pub(super) fn is_of(&self, sources: &Arc<dyn Sources>) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.sources), Arc::as_ptr(sources))
    }

    /// Forgets files that have changed. Other text in a file leaves what specifiers lead to as it was, unless it is one of
    /// those that say so. A file that was not read before may be new or gone, and with it what they lead to.
    pub(super) fn changed(&self, paths: &[PathBuf]) {
        let mut state = self.state();
        let decides = |path: &PathBuf, was_read: bool| {
            let is_of_package = path.iter().any(|part| part == "node_modules");
            let is_config = path.extension().is_some_and(|extension| extension == "json");
            is_of_package || is_config || !was_read || !self.sources.is_file(path)
        };
        for path in paths {
            let was_read = state.read.remove(path).is_some();
            if decides(path, was_read) {
                state.resolvers.clear();
            }
        }
    }

    /// The text of a file, which `read` decodes under `name`, unless it was read before.
    ///
    /// # Errors
    /// Those of `read`; they are not kept.
    pub(crate) fn text(
        &self,
        path: &Path,
        name: &str,
        read: impl FnOnce() -> Result<Arc<SourceText>, Vec<Diagnostic>>,
    ) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        let known = self.state().read.get(path).cloned().flatten();
        if let Some(text) = known.filter(|text| text.name == name) {
            return Ok(text);
        }
        let text = read()?;
        self.state().read.insert(path.to_path_buf(), Some(Arc::clone(&text)));
        Ok(text)
    }

    /// Notes that a file was read.
    pub(crate) fn note_read(&self, path: &Path) {
        self.state().read.entry(path.to_path_buf()).or_default();
    }

    /// The resolver for a target. All of a site look at its files once.
    pub(crate) fn resolver(&self, key: ResolverKey) -> Arc<Resolver> {
        let mut state = self.state();
        if let Some((_, known)) = state.resolvers.iter().find(|(known, _)| *known == key) {
            return Arc::clone(known);
        }
        let sibling = state.resolvers.iter().find(|(known, _)| known.folder == key.folder);
        let resolver = Arc::new(Resolver::new(&self.sources, &key, sibling.map(|(_, resolver)| &**resolver)));
        state.resolvers.push((key, Arc::clone(&resolver)));
        resolver
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
