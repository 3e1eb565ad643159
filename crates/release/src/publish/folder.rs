//! The output folder on disk, with what portalgen keeps for itself in it: lock, record, notes, and files in the making.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io,
    ops::Deref,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use portalgen_base::{blob::Blob, diagnostic::Diagnostic, text::text};

use super::{
    PublishError,
    record::Record,
    tree::{BeforeStep, Doing, Root, Spot, Tree, failure, is_unfinished, unfinished},
};
use crate::output::{NOTES_FOLDER, RESERVED_FOLDER};

/// The record's name in [`RESERVED_FOLDER`].
pub(super) const RECORD_NAME: &str = "manifest.json";
/// Where files are made, in [`RESERVED_FOLDER`].
pub(super) const WORKSHOP: &str = "tmp";
pub(super) const LOCK_NAME: &str = "lock";
/// Publishing takes milliseconds; who holds the lock for longer than this is stuck.
const PATIENCE: Duration = Duration::from_secs(10);
const LOCK_POLL: Duration = Duration::from_millis(20);

/// A file in the making.
#[must_use]
pub(super) struct Staged(PathBuf);

/// Holds off other builds while it lives.
pub(super) struct Lock(#[expect(dead_code, reason = "closing it unlocks")] File);

pub(super) struct Folder<'a> {
    tree: Tree<'a>,
    staged: AtomicUsize,
    is_changed: AtomicBool,
}

impl<'a> Deref for Folder<'a> {
    type Target = Tree<'a>;

    fn deref(&self) -> &Tree<'a> {
        &self.tree
    }
}

impl<'a> Folder<'a> {
    /// Opens the folder, making it if need be.
    pub(super) fn open(root: Root, before_step: BeforeStep<'a>) -> Result<Self, PublishError> {
        let folder = Self {
            tree: Tree::new(root, before_step),
            staged: AtomicUsize::new(0),
            is_changed: AtomicBool::new(false),
        };
        for name in [LOCK_NAME, RECORD_NAME] {
            folder.check_free(&own_name(name))?;
        }
        if folder.look(RESERVED_FOLDER)? == Spot::Free {
            let own = folder.path(RESERVED_FOLDER);
            folder.step(Doing::Create, RESERVED_FOLDER, || fs::create_dir_all(&own))?;
        }
        Ok(folder)
    }

    /// Waits for other builds to leave the folder alone.
    pub(super) fn lock(&self) -> Result<Lock, PublishError> {
        let name = own_name(LOCK_NAME);
        let open = || File::options().create(true).truncate(false).write(true).open(self.path(&name));
        let file = self.step(Doing::Open, &name, open)?;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock(file)),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_POLL),
                Err(TryLockError::WouldBlock) => return Err(self.busy()),
                // Some network file systems have no locks; there a build is no worse off than without this one.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => return Ok(Lock(file)),
                Err(TryLockError::Error(error)) => return Err(failure(Doing::Lock, &self.shown(&name), &error)),
            }
        }
    }

    fn busy(&self) -> PublishError {
        let shown = self.name();
        let error = Diagnostic::error(text!(
            "another build is still publishing to `{shown}`; gave up waiting",
            "另一个构建还在向 `{shown}` 发布，等待超时"
        ));
        PublishError::Failed(
            error.with_hint(text!("let it finish or stop it, and build again", "请等它完成或者停掉它，然后重新构建")),
        )
    }

    /// Throws away what an interrupted build left half made, and nothing else.
    pub(super) fn clear_workshop(&self) -> Result<(), PublishError> {
        let name = own_name(WORKSHOP);
        let path = self.path(&name);
        match self.look(&name)? {
            Spot::Folder => {
                self.step(Doing::Remove, &name, || remove_unfinished(&path))?;
                self.remove_if_empty(&name).map(drop)
            }
            // Nothing behind it is touched.
            Spot::Strange(_) if path.is_symlink() => self.step(Doing::Remove, &name, || fs::remove_file(&path)),
            Spot::Free => Ok(()),
            _ => self.check_free(&format!("{name}/0")),
        }
    }

    /// Makes a file without showing it.
    pub(super) fn stage(&self, path: &str, bytes: &[u8]) -> Result<Staged, PublishError> {
        let number = self.staged.fetch_add(1, Ordering::Relaxed);
        let workshop = self.path(&own_name(WORKSHOP));
        if number == 0 && !workshop.is_dir() {
            self.step(Doing::Create, &own_name(WORKSHOP), || fs::create_dir(&workshop))?;
        }
        let write = || unfinished(&workshop.join(WORKSHOP), number, bytes);
        self.step(Doing::Write, path, write).map(Staged)
    }

    /// Shows a file at `path`, in place of the one that is there.
    pub(super) fn show(&self, staged: &Staged, path: &str) -> Result<(), PublishError> {
        self.ensure_parents(path)?;
        self.step(Doing::Write, path, || fs::rename(&staged.0, self.path(path)))?;
        self.note_change(path);
        Ok(())
    }

    /// Removes the file at `path`, and then the folders that held nothing else.
    pub(super) fn remove(&self, path: &str) -> Result<(), PublishError> {
        self.note_change(path);
        self.tree.remove(path)
    }

    /// Whether anything that is served has changed.
    pub(super) fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Relaxed)
    }

    fn note_change(&self, path: &str) {
        let is_own = path.split('/').next() == Some(RESERVED_FOLDER);
        self.is_changed.fetch_or(!is_own, Ordering::Relaxed);
    }

    /// The record's bytes, when there is one.
    pub(super) fn read_record(&self) -> Result<Option<Vec<u8>>, PublishError> {
        self.read(&own_name(RECORD_NAME))
    }

    /// Replaces the record.
    pub(super) fn write_record(&self, bytes: &[u8]) -> Result<(), PublishError> {
        let name = own_name(RECORD_NAME);
        let staged = self.stage(&name, bytes)?;
        self.show(&staged, &name)
    }

    /// Writes the notes, and removes those of earlier builds that were left as they were.
    pub(super) fn keep_notes(&self, notes: &BTreeMap<String, Blob>, before: &Record) -> Result<(), PublishError> {
        for (name, note) in notes {
            let (path, note) = (note_path(name), note.read());
            if self.read(&path)?.is_none_or(|there| *there != *note) {
                self.show(&self.stage(&path, &note)?, &path)?;
            }
        }
        for name in before.notes().map(|(name, _)| name).filter(|name| !notes.contains_key(*name)) {
            let path = note_path(name);
            if self.read(&path)?.is_some_and(|bytes| before.wrote_note(name, &bytes)) {
                self.remove(&path)?;
            }
        }
        Ok(())
    }
}

/// The path of a note, by its name.
pub(super) fn note_path(name: &str) -> String {
    format!("{NOTES_FOLDER}/{name}")
}

/// Removes the files of a workshop. Whatever else is in it belongs to somebody else.
fn remove_unfinished(workshop: &Path) -> io::Result<()> {
    for entry in fs::read_dir(workshop)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && is_unfinished(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn own_name(name: &str) -> String {
    format!("{RESERVED_FOLDER}/{name}")
}
