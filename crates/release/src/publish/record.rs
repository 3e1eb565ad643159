//! The record of what portalgen wrote, kept in the output folder.
//!
//! It is written twice in a build: before the first file, with all that the build is about to do, and after the last.
//! So whenever a build is interrupted, a file of ours is always in the record, and a file of somebody else's, put where
//! we had only meant to write, is told apart by its bytes.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use portalgen_base::{diagnostic::Diagnostic, text::text};

use super::{PublishError, folder::Folder};
use crate::{
    content_hash::ContentHash,
    output::{self, OutputSet, RESERVED_FOLDER},
};

const VERSION: u32 = 1;

/// Which files in the output folder are portalgen's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    version: u32,
    /// Output paths that are ours, and the hash of what we last wrote there.
    files: BTreeMap<Arc<str>, ContentHash>,
    /// Output paths that a build under way writes or removes: ours if the hash agrees.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pending: BTreeMap<Arc<str>, ContentHash>,
    /// Names of notes and the hash of what we last wrote there, or are about to write.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<Arc<str>, ContentHash>,
}

impl Default for Record {
    fn default() -> Self {
        Self { version: VERSION, files: BTreeMap::new(), pending: BTreeMap::new(), notes: BTreeMap::new() }
    }
}

impl Record {
    /// The folder's record, with an interrupted build's intentions compared to what it got done.
    pub(super) fn load(folder: &Folder<'_>) -> Result<Self, PublishError> {
        let Some(bytes) = folder.read_record()? else { return Ok(Self::default()) };
        let mut record = Self::parse(&bytes).ok_or_else(|| damaged(folder))?;
        for (path, hash) in std::mem::take(&mut record.pending) {
            if folder.read(&path)?.is_some_and(|bytes| ContentHash::of(&bytes) == hash) {
                record.files.insert(path, hash);
            }
        }
        Ok(record)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let record: Self = serde_json::from_slice(bytes).ok()?;
        let mut paths = record.files.keys().chain(record.pending.keys()).chain(record.notes.keys());
        // A path that leaves the folder would let whoever wrote it have us delete files elsewhere.
        (record.version == VERSION && paths.all(|path| output::check_path(path).is_ok())).then_some(record)
    }

    /// What is on record once all of `output` is published.
    pub(super) fn of(output: &OutputSet) -> Self {
        let files = output.iter().map(|(path, file)| (path.as_str().into(), file.hash())).collect();
        let notes =
            output.notes().iter().map(|(name, note)| (name.as_str().into(), ContentHash(note.hash()))).collect();
        Self { files, notes, ..Self::default() }
    }

    /// What is on record while a folder goes from `self` to `next`.
    pub(super) fn towards(&self, next: &Self) -> Self {
        let notes = self.notes.iter().chain(&next.notes).map(|(name, hash)| (name.clone(), *hash)).collect();
        let mut between = Self { notes, ..Self::default() };
        for (path, hash) in &self.files {
            let stays = next.files.contains_key(path);
            if stays { &mut between.files } else { &mut between.pending }.insert(path.clone(), *hash);
        }
        let changes = next.files.iter().filter(|(path, hash)| self.files.get(*path) != Some(hash));
        between.pending.extend(changes.map(|(path, hash)| (path.clone(), *hash)));
        between
    }

    /// The output paths that are ours, sorted.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(|path| &**path)
    }

    /// Whether `path` is ours, whatever became of its bytes.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether `bytes` is what we wrote to `path`.
    pub(super) fn wrote(&self, path: &str, bytes: &[u8]) -> bool {
        self.files.get(path).is_some_and(|hash| *hash == ContentHash::of(bytes))
    }

    /// The output paths that are ours, with the hashes of what we wrote there.
    pub(super) fn files(&self) -> impl Iterator<Item = (&Arc<str>, ContentHash)> {
        self.files.iter().map(|(path, hash)| (path, *hash))
    }

    /// The hash of what we wrote to `path`.
    pub(super) fn hash(&self, path: &str) -> Option<ContentHash> {
        self.files.get(path).copied()
    }

    /// The names of notes that are ours, sorted, with the hashes of what we wrote.
    pub(super) fn notes(&self) -> impl Iterator<Item = (&str, ContentHash)> {
        self.notes.iter().map(|(name, hash)| (&**name, *hash))
    }

    /// Whether `bytes` is what we wrote to a note.
    pub(super) fn wrote_note(&self, name: &str, bytes: &[u8]) -> bool {
        self.notes.get(name).is_some_and(|hash| *hash == ContentHash::of(bytes))
    }

    /// What the file of the record holds.
    pub(super) fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Puts the record on disk unless it is there already.
    pub(super) fn save(&self, folder: &Folder<'_>) -> Result<(), PublishError> {
        let text = self.text();
        if folder.read_record()?.is_some_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        folder.write_record(text.as_bytes())
    }
}

fn damaged(folder: &Folder<'_>) -> PublishError {
    let shown = folder.shown(RESERVED_FOLDER);
    let error = Diagnostic::error(text!(
        "the record in `{shown}` is damaged or from another version of portalgen",
        "`{shown}` 里的记录已损坏，或来自另一个版本的 portalgen"
    ));
    PublishError::refused(error.with_hint(text!(
        "empty the output folder, or choose another one with --out",
        "请清空输出文件夹，或者用 --out 指定另一个"
    )))
}
