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
    /// The files that were read.
    read: FxHashMap<PathBuf, Texts>,
    resolvers: Vec<(ResolverKey, Arc<Resolver>)>,
}

/// What was made of a file that was read.
#[derive(Default)]
struct Texts {
    /// Its text.
    own: Option<Arc<SourceText>>,
    /// The text of a module that says what the file holds. The file's own is not needed beside it.
    module: Option<Arc<SourceText>>,
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
        self.kept(path, name, |texts| &mut texts.own, read)
    }

    /// The same of a module that `make` writes from a file.
    ///
    /// # Errors
    /// Those of `make`; they are not kept.
    pub(crate) fn module_text(
        &self,
        path: &Path,
        name: &str,
        make: impl FnOnce() -> Result<Arc<SourceText>, Vec<Diagnostic>>,
    ) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        self.kept(path, name, |texts| &mut texts.module, make)
    }

    fn kept(
        &self,
        path: &Path,
        name: &str,
        of: fn(&mut Texts) -> &mut Option<Arc<SourceText>>,
        make: impl FnOnce() -> Result<Arc<SourceText>, Vec<Diagnostic>>,
    ) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        let has_name = |text: &&Arc<SourceText>| text.name == name;
        if let Some(known) =
            self.state().read.get_mut(path).and_then(|texts| of(texts).as_ref().filter(has_name).cloned())
        {
            return Ok(known);
        }
        let new = make()?;
        let mut state = self.state();
        let kept = of(state.read.entry(path.to_path_buf()).or_default());
        // Another bundle may have been sooner: there is to be one text of a file.
        let text = kept.take().filter(|text| text.name == name).unwrap_or(new);
        Ok(Arc::clone(kept.insert(text)))
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
