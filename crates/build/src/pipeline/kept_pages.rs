//! Pages that earlier builds rendered, by all that they were made of.
//!
//! A page is a function of its path and of the code that it may load: that of the entry of the program, that of its own script,
//! and what either of them imports or may ask for with `import()`. Nothing else reaches the engine. So a page is kept under a
//! hash of these, and what comes out of the engine is what was kept, its notes included; where these were written is looked up
//! in the bundle at hand.

use std::collections::BTreeSet;

use portalgen_base::{
    blob::Spill,
    store::{Key, Results},
};
use portalgen_bundle::{Bundle, Chunk};
use portalgen_engine::{PageJob, RenderedPage};
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use super::chunks::Chunks;

/// What pages of a bundle are made of.
pub(super) struct PageKeys {
    /// For each chunk, a hash of it by itself.
    chunks: Vec<Key>,
    /// What the entry may load.
    of_entry: BTreeSet<usize>,
    entry: Key,
}

/// The pages that are known, for the programs of one bundle.
pub(super) struct KeptPages<'a> {
    pub(super) pages: Results,
    pub(super) sights: Results,
    pub(super) chunks: &'a Chunks,
    pub(super) keys: &'a PageKeys,
}

/// What is kept of a page besides itself.
#[derive(Clone, Copy)]
pub(super) enum Sight {
    /// With comments around HTML that was given as text.
    Marked,
    /// What is around it.
    Around,
}

impl PageKeys {
    pub(super) fn of(bundle: &Bundle) -> Self {
        let chunks: Vec<Key> = bundle.chunks.par_iter().map(key_of_chunk).collect();
        let mut keys = Self { chunks, of_entry: BTreeSet::new(), entry: Key::of(&[]) };
        keys.of_entry = keys.reached(bundle, bundle.entries.iter().copied());
        keys.entry = keys.of_chunks(&keys.of_entry);
        keys
    }

    /// The name of what is made of a page's script. None if that is not there.
    fn of_script(&self, chunks: &Chunks, path: &str, script: &str) -> Option<Key> {
        let own = self.of_chunks(&self.reached(&chunks.bundle, [chunks.of_script(script)?]));
        Some(Key::of(&[path.as_bytes(), script.as_bytes(), &self.entry.to_bytes(), &own.to_bytes()]))
    }

    fn of_chunks(&self, chunks: &BTreeSet<usize>) -> Key {
        let mut keys: Vec<[u8; 16]> = chunks.iter().map(|chunk| self.chunks[*chunk].to_bytes()).collect();
        keys.sort_unstable();
        Key::of(&keys.iter().map(<[u8; 16]>::as_slice).collect::<Vec<_>>())
    }

    /// The chunks that code of `starts` may load, at once or later, without those that the entry may load.
    fn reached(&self, bundle: &Bundle, starts: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut stack: Vec<usize> = starts.into_iter().collect();
        while let Some(chunk) = stack.pop() {
            if !self.of_entry.contains(&chunk) && reached.insert(chunk) {
                let Chunk { imports, lazy_imports, .. } = &bundle.chunks[chunk];
                stack.extend(imports.iter().chain(lazy_imports));
            }
        }
        reached
    }
}

impl KeptPages<'_> {
    /// The page, as it was rendered before.
    pub(super) fn get(&self, job: &PageJob, spill: &Spill) -> Option<RenderedPage> {
        RenderedPage::from_bytes(&self.pages.get(self.key(job)?)?, spill)
    }

    /// Keeps a page for later builds.
    pub(super) fn put(&self, job: &PageJob, page: &RenderedPage) {
        if let Some((key, bytes)) = self.key(job).zip(page.to_bytes()) {
            self.pages.put(key, bytes);
        }
    }

    fn key(&self, job: &PageJob) -> Option<Key> {
        self.keys.of_script(self.chunks, &job.path, &job.script)
    }

    /// Another look at a page, as it was, or as `look` finds it. The entry alone renders what is around it.
    pub(super) fn sight<T: Serialize + DeserializeOwned>(
        &self,
        sight: Sight,
        (path, script): (&str, &str),
        look: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let key = match sight {
            Sight::Marked => Key::of(&[b"marked", &self.keys.of_script(self.chunks, path, script)?.to_bytes()]),
            Sight::Around => Key::of(&[b"around", path.as_bytes(), &self.keys.entry.to_bytes()]),
        };
        let known = self.sights.get(key).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        known.or_else(|| {
            let seen = look()?;
            self.sights.put(key, postcard::to_stdvec(&seen).ok()?);
            Some(seen)
        })
    }
}

/// A hash of a chunk's code, and of the names of its modules: what a note is about is decided by whose code it was.
fn key_of_chunk(chunk: &Chunk) -> Key {
    let parts = [&*chunk.file_name, &*chunk.code].into_iter().chain(chunk.modules.iter().map(|name| &**name));
    Key::of(&parts.map(str::as_bytes).collect::<Vec<_>>())
}
