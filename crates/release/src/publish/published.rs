//! What was published, to see later whether publishing it again would change anything.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, TryLockError},
    path::Path,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use portalgen_base::source::{Stamp, Verdict};

use super::{
    Guard,
    folder::{LOCK_NAME, RECORD_NAME, WORKSHOP, note_path},
    record::Record,
};
use crate::{content_hash::ContentHash, output::RESERVED_FOLDER};

/// The files of an output folder as they were published, the record and the notes among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    files: Vec<PublishedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PublishedFile {
    /// Relative to the folder.
    path: Arc<str>,
    hash: ContentHash,
    /// The file when it was last looked at.
    stamp: Stamp,
}

impl Published {
    /// The files that there are once all of `record` is published. `stamps` are those of files that were looked at.
    pub(super) fn of(record: &Record, stamps: &BTreeMap<&str, Stamp>) -> Self {
        let files = record.files().map(|(path, hash)| {
            let stamp = stamps.get(&**path).copied().unwrap_or_default();
            PublishedFile { path: Arc::clone(path), hash, stamp }
        });
        let named = |path: String, hash| PublishedFile { path: path.into(), hash, stamp: Stamp::default() };
        let notes = record.notes().map(|(name, hash)| named(note_path(name), hash));
        let own = named(format!("{RESERVED_FOLDER}/{RECORD_NAME}"), ContentHash::of(record.text().as_bytes()));
        Self { files: files.chain(notes).chain([own]).collect() }
    }

    /// For each file its hash, and the stamp by which that is known.
    pub(super) fn files(&self) -> BTreeMap<&str, (ContentHash, Stamp)> {
        self.files.iter().map(|file| (&*file.path, (file.hash, file.stamp))).collect()
    }

    /// Compares the files with those in the folder `out`. Where they are the same, publishing them again would succeed and
    /// change nothing.
    pub fn compare(&mut self, out: &Path, guard: Guard<'_>) -> Verdict {
        let Ok(root) = guard.check(out) else { return Verdict::Different };
        let root = root.path;
        // While another build publishes, its files come and go; where this one might not, it says so.
        let Some(_lock) = lock(&root.join(RESERVED_FOLDER).join(LOCK_NAME)) else { return Verdict::Different };
        // Publishing would clear away what is in there.
        if fs::symlink_metadata(root.join(RESERVED_FOLDER).join(WORKSHOP)).is_ok() {
            return Verdict::Different;
        }
        let mut verdict = Verdict::Same;
        let mut folders = BTreeSet::new();
        for file in &mut self.files {
            if !is_below_folders(&root, &file.path, &mut folders) {
                return Verdict::Different;
            }
            match file.compare(&root) {
                Verdict::Same => {}
                Verdict::Renewed => verdict = Verdict::Renewed,
                Verdict::Different => return Verdict::Different,
            }
        }
        verdict
    }
}

impl PublishedFile {
    fn compare(&mut self, root: &Path) -> Verdict {
        let path = root.join(&*self.path);
        // Taken first: what changes while the file is read has another one.
        let Some(stamp) = stamp(&path) else { return Verdict::Different };
        if stamp.proves(&self.stamp) {
            return Verdict::Same;
        }
        if !fs::read(path).is_ok_and(|bytes| ContentHash::of(&bytes) == self.hash) {
            return Verdict::Different;
        }
        if stamp == self.stamp {
            return Verdict::Same;
        }
        self.stamp = stamp;
        Verdict::Renewed
    }
}

/// The stamp of a file; none of anything else.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| Stamp::of(&metadata))
}

/// Locks the folder as a build does, if that can be done at once.
fn lock(path: &Path) -> Option<File> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let file = File::options().write(true).open(path).ok()?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => None,
        _ => Some(file),
    }
}

/// Whether a path leads through folders only, and no links. `known` are folders that were looked at.
pub(super) fn is_below_folders(root: &Path, path: &str, known: &mut BTreeSet<String>) -> bool {
    let Some((folder, _)) = path.rsplit_once('/') else { return true };
    if known.contains(folder) {
        return true;
    }
    let is_folder = fs::symlink_metadata(root.join(folder)).is_ok_and(|metadata| metadata.is_dir());
    is_folder && is_below_folders(root, folder, known) && known.insert(folder.to_owned())
}
