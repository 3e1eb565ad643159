//! The chunks of a bundle for the engine, by their names.

use portalgen_bundle::{Bundle, Chunk};
use portalgen_engine::Texts;

/// A bundle whose chunks can be looked up.
pub(super) struct Chunks {
    pub(super) bundle: Bundle,
    /// The numbers of the chunks, sorted by their names.
    by_name: Vec<usize>,
}

impl Chunks {
    pub(super) fn of(bundle: Bundle) -> Self {
        let mut by_name: Vec<usize> = (0..bundle.chunks.len()).collect();
        by_name.sort_unstable_by_key(|&chunk| &bundle.chunks[chunk].file_name);
        Self { bundle, by_name }
    }

    /// The chunk with this path in the output.
    pub(super) fn named(&self, file: &str) -> Option<&Chunk> {
        self.number(file).map(|chunk| &self.bundle.chunks[chunk])
    }

    /// The number of the chunk that the entry would import as `script`.
    pub(super) fn of_script(&self, script: &str) -> Option<usize> {
        let name = script.strip_prefix("./")?;
        match self.bundle.entry_file().rsplit_once('/') {
            Some((folder, _)) => self.number(&format!("{folder}/{name}")),
            None => self.number(name),
        }
    }

    fn number(&self, file: &str) -> Option<usize> {
        let name = |&chunk: &usize| &*self.bundle.chunks[chunk].file_name;
        let at = self.by_name.binary_search_by_key(&file, name).ok()?;
        Some(self.by_name[at])
    }
}

impl Texts for Chunks {
    fn text(&self, name: &str) -> Option<&str> {
        self.named(name).map(|chunk| &*chunk.code)
    }
}
