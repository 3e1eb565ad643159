//! The module cache: what bundles have in common, be they of one build or of builds one after the other.
//!
//! | Kept | Used again as long as |
//! | --- | --- |
//! | `scans`: facts of modules, trees for which there is room, and parsed style sheets | text, dialect and the options that mattered are the same |
//! | `kept_scans`: facts of modules and parsed style sheets, in the store | the same, and the program is the same |
//! | `files`: texts of files, and resolvers with what they found | [`ModuleCache::changed`] does not name a file |
//!
//! A scan depends on nothing else, so it needs no word of what changed, and bundles that run side by side share it: a module that
//! one of them is scanning is not scanned by another one, which waits for it. To scan a module is to wait for nothing, so the waiting
//! ends.

pub(crate) mod files;
mod kept_scans;
pub(crate) mod scans;

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use portalgen_base::source::Sources;

use self::{files::FileCache, scans::ScanCache};

/// Scanned modules, texts and resolvers, for all bundles that are given the same one.
#[derive(Default)]
pub struct ModuleCache {
    pub(crate) scans: ScanCache,
    /// Of the sources that the last bundle was made from.
    files: Mutex<Option<Arc<FileCache>>>,
}

impl ModuleCache {
    /// A cache that holds the syntax trees of at most so many bytes of text. The others are made again to be printed.
    pub fn with_room(bytes: usize) -> Self {
        Self { scans: ScanCache::with_room(bytes), files: Mutex::default() }
    }

    /// Forgets what was read of files that have changed, appeared or gone since, at these paths. What is not named here is
    /// taken to be as it was, as long as bundles are made from the same [`Sources`] object.
    pub fn changed(&self, paths: &[PathBuf]) {
        if let Some(files) = &*self.files.lock().unwrap_or_else(PoisonError::into_inner) {
            files.changed(paths);
        }
    }

    /// The same, for when it is not known which files have changed.
    pub fn everything_changed(&self) {
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Forgets everything, to give back its memory.
    pub fn forget(&self) {
        self.everything_changed();
        self.scans.forget();
        // swc keeps each name and text that a thread has ever met, until that thread looks which of them nobody holds any more.
        rayon::spawn_broadcast(|_| hstr::global_atom_store_gc());
    }

    /// How many modules and style sheets have been scanned.
    pub fn scans(&self) -> usize {
        self.scans.count()
    }

    /// How often a module has been parsed only to be printed: its facts were known from earlier processes, or there was no room
    /// for its trees.
    pub fn trees(&self) -> usize {
        self.scans.trees()
    }

    /// What is known of the files of `sources`.
    pub(crate) fn files(&self, sources: &Arc<dyn Sources>) -> Arc<FileCache> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let known = files.take().filter(|files| files.is_of(sources));
        Arc::clone(files.insert(known.unwrap_or_else(|| Arc::new(FileCache::new(sources)))))
    }
}

impl fmt::Debug for ModuleCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModuleCache").field("scans", &self.scans()).finish_non_exhaustive()
    }
}
