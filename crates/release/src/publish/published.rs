//! What was published, to see later whether publishing it again would change anything.

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    path::Path,
};

use serde::{Deserialize, Serialize};

use portalgen_base::source::{Stamp, Verdict};

use super::{
    Guard,
    folder::{LOCK_NAME, RECORD_NAME, WORKSHOP, note_path},
    record::Record,
};
use crate::{
    manifest::hash_of,
    output::{OutputSet, RESERVED_FOLDER},
};

/// The files of an output folder as they were published, the record and the notes among them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    files: Vec<PublishedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PublishedFile {
    /// Relative to the folder.
    path: String,
    hash: String,
    /// The file when it was last looked at.
    stamp: Stamp,
}

impl Published {
    /// The files that there are once `output` is published.
    pub fn of(output: &OutputSet) -> Self {
        let files = output.iter().map(|(path, file)| PublishedFile::new(path.clone(), &file.bytes));
        let notes = output.notes().iter().map(|(name, bytes)| PublishedFile::new(note_path(name), bytes));
        let record = Record::of(output).text();
        let record = PublishedFile::new(format!("{RESERVED_FOLDER}/{RECORD_NAME}"), record.as_bytes());
        Self { files: files.chain(notes).chain([record]).collect() }
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
    fn new(path: String, bytes: &[u8]) -> Self {
        Self { path, hash: hash_of(bytes), stamp: Stamp::default() }
    }

    fn compare(&mut self, root: &Path) -> Verdict {
        let path = root.join(&self.path);
        let Some(metadata) = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file) else {
            return Verdict::Different;
        };
        // Taken first: what changes while the file is read has another one.
        let stamp = Stamp::of(&metadata);
        if stamp.proves(&self.stamp) {
            return Verdict::Same;
        }
        if !fs::read(path).is_ok_and(|bytes| hash_of(&bytes) == self.hash) {
            return Verdict::Different;
        }
        if stamp == self.stamp {
            return Verdict::Same;
        }
        self.stamp = stamp;
        Verdict::Renewed
    }
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
fn is_below_folders(root: &Path, path: &str, known: &mut BTreeSet<String>) -> bool {
    let Some((folder, _)) = path.rsplit_once('/') else { return true };
    if known.contains(folder) {
        return true;
    }
    let is_folder = fs::symlink_metadata(root.join(folder)).is_ok_and(|metadata| metadata.is_dir());
    is_folder && is_below_folders(root, folder, known) && known.insert(folder.to_owned())
}
