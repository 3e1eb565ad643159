//! Pages that earlier builds rendered, by all that they were made of.
//!
//! A page is a function of its path and of the code that it may load: that of the entry of the program, that of its own script,
//! and what either of them imports or may ask for with `import()`. Nothing else reaches the engine. So a page is kept under a
//! hash of these, and what comes out of the engine is what was kept, its notes included; where these were written is looked up
//! in the bundle at hand.

use std::collections::{BTreeMap, BTreeSet};

use portalgen_base::store::{Key, Results};
use portalgen_bundle::{Bundle, Chunk};
use portalgen_engine::{PageJob, RenderedPage};
use rayon::prelude::*;

use super::render::script_of;

/// The pages that are known, for the programs of one bundle.
pub(super) struct KeptPages<'a> {
    results: Results,
    bundle: &'a Bundle,
    /// For each chunk, a hash of it by itself.
    chunks: Vec<Key>,
    /// What the entry may load.
    of_entry: BTreeSet<usize>,
    entry: Key,
    /// The chunks of lazy modules, by their scripts as the entry would import them.
    scripts: BTreeMap<String, usize>,
}

impl<'a> KeptPages<'a> {
    pub(super) fn of(results: Results, bundle: &'a Bundle) -> Self {
        let chunks: Vec<Key> = bundle.chunks.par_iter().map(key_of_chunk).collect();
        let lazy = bundle.lazy.values().map(|module| module.chunk);
        let scripts = lazy.map(|chunk| (script_of(&bundle.chunks[chunk].file_name), chunk)).collect();
        let mut kept = Self { results, bundle, chunks, of_entry: BTreeSet::new(), entry: Key::of(&[]), scripts };
        kept.of_entry = kept.reached(bundle.entries.iter().copied());
        kept.entry = kept.key_of_chunks(&kept.of_entry);
        kept
    }

    /// The page, as it was rendered before.
    pub(super) fn get(&self, job: &PageJob) -> Option<RenderedPage> {
        RenderedPage::from_bytes(&self.results.get(self.key(job)?)?)
    }

    /// Keeps a page for later builds.
    pub(super) fn put(&self, job: &PageJob, page: &RenderedPage) {
        if let Some((key, bytes)) = self.key(job).zip(page.to_bytes()) {
            self.results.put(key, bytes);
        }
    }

    /// The name of a page. None if its script is not there.
    fn key(&self, job: &PageJob) -> Option<Key> {
        let script = self.scripts.get(job.script.as_str())?;
        let own = self.key_of_chunks(&self.reached([*script]));
        Some(Key::of(&[job.path.as_bytes(), job.script.as_bytes(), &self.entry.to_bytes(), &own.to_bytes()]))
    }

    fn key_of_chunks(&self, chunks: &BTreeSet<usize>) -> Key {
        let mut keys: Vec<[u8; 16]> = chunks.iter().map(|chunk| self.chunks[*chunk].to_bytes()).collect();
        keys.sort_unstable();
        Key::of(&keys.iter().map(<[u8; 16]>::as_slice).collect::<Vec<_>>())
    }

    /// The chunks that code of `starts` may load, at once or later, without those that the entry may load.
    fn reached(&self, starts: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut stack: Vec<usize> = starts.into_iter().collect();
        while let Some(chunk) = stack.pop() {
            if !self.of_entry.contains(&chunk) && reached.insert(chunk) {
                let Chunk { imports, lazy_imports, .. } = &self.bundle.chunks[chunk];
                stack.extend(imports.iter().chain(lazy_imports));
            }
        }
        reached
    }
}

/// A hash of a chunk's code, and of the names of its modules: what a note is about is decided by whose code it was.
fn key_of_chunk(chunk: &Chunk) -> Key {
    let parts = [&chunk.file_name, &chunk.code].into_iter().chain(&chunk.modules);
    Key::of(&parts.map(String::as_bytes).collect::<Vec<_>>())
}
