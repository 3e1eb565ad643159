//! The output folder on disk. Every change to it goes through here, one step at a time, and never through a link.

use std::{
    cell::Cell,
    collections::BTreeMap,
    fmt::Display,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::PublishError;
use crate::{
    diagnostic::Diagnostic,
    output::{NOTES_FOLDER, RESERVED_FOLDER},
    text::{Text, text},
};

/// The record's name in [`RESERVED_FOLDER`].
pub(super) const RECORD_NAME: &str = "manifest.json";
/// Where files are made, in [`RESERVED_FOLDER`].
const WORKSHOP: &str = "tmp";
const LOCK_NAME: &str = "lock";
/// Publishing takes milliseconds; who holds the lock for longer than this is stuck.
const PATIENCE: Duration = Duration::from_secs(10);
const LOCK_POLL: Duration = Duration::from_millis(20);

/// Called before every change to the disk; an error stops publishing there.
pub(super) type BeforeStep<'a> = &'a dyn Fn() -> io::Result<()>;

/// An output folder that may be published to; it need not exist.
#[derive(Debug)]
pub(super) struct Place {
    /// Absolute, every link resolved.
    pub(super) path: PathBuf,
    /// How people call it.
    pub(super) shown: String,
}

/// What stands at a path in the output folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Free,
    File,
    Folder,
    /// A file where the path needs a folder; its output path.
    BelowFile(String),
    /// A link, pipe, socket or device at the path or on the way to it; its output path.
    Strange(String),
}

/// A file in the making.
#[must_use]
pub(super) struct Staged(PathBuf);

/// Holds off other builds while it lives.
pub(super) struct Lock(#[expect(dead_code, reason = "closing it unlocks")] File);

pub(super) struct Folder<'a> {
    place: Place,
    before_step: BeforeStep<'a>,
    staged: Cell<usize>,
}

impl<'a> Folder<'a> {
    /// Opens the folder, making it if need be.
    pub(super) fn open(place: Place, before_step: BeforeStep<'a>) -> Result<Self, PublishError> {
        let folder = Self { place, before_step, staged: Cell::new(0) };
        let own = folder.path(RESERVED_FOLDER);
        match fs::symlink_metadata(&own) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                let shown = folder.shown(RESERVED_FOLDER);
                let error = Diagnostic::error(text!(
                    "`{shown}` is in the way: portalgen keeps a folder there",
                    "`{shown}` 挡了路：portalgen 要在那里放一个文件夹"
                ));
                return Err(PublishError::refused(error.with_hint(text!("move it away", "请把它移走"))));
            }
            Err(_) => folder.step(Doing::Create, RESERVED_FOLDER, || fs::create_dir_all(&own))?,
        }
        Ok(folder)
    }

    /// Waits for other builds to leave the folder alone.
    pub(super) fn lock(&self) -> Result<Lock, PublishError> {
        let name = own_name(LOCK_NAME);
        if let Spot::Strange(_) | Spot::Folder = self.look(&name)? {
            let shown = self.shown(&name);
            let error = Diagnostic::error(text!(
                "`{shown}` is in the way: portalgen keeps a lock there",
                "`{shown}` 挡了路：portalgen 要在那里放一个锁文件"
            ));
            return Err(PublishError::refused(error.with_hint(text!("remove it", "请删掉它"))));
        }
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
        let shown = &self.place.shown;
        let error = Diagnostic::error(text!(
            "another build has been publishing to `{shown}` for too long",
            "另一个构建一直在向 `{shown}` 发布，等待超时"
        ));
        PublishError::Failed(
            error.with_hint(text!("wait for it, or stop it, and build again", "请等它完成，或者停掉它，然后重新构建")),
        )
    }

    /// Throws away what an interrupted build left half made.
    pub(super) fn clear_workshop(&self) -> Result<(), PublishError> {
        let name = own_name(WORKSHOP);
        let path = self.path(&name);
        if fs::symlink_metadata(&path).is_ok() {
            self.step(Doing::Remove, &name, || fs::remove_dir_all(&path))
        } else {
            Ok(())
        }
    }

    /// What stands at `path`.
    pub(super) fn look(&self, path: &str) -> Result<Spot, PublishError> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        for prefix in ends.filter_map(|end| path.get(..end)) {
            let metadata = match fs::symlink_metadata(self.path(prefix)) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Spot::Free),
                Err(error) => return Err(failure(Doing::LookAt, &self.shown(prefix), &error)),
            };
            if metadata.is_file() {
                return Ok(if prefix == path { Spot::File } else { Spot::BelowFile(prefix.to_owned()) });
            } else if !metadata.is_dir() {
                return Ok(Spot::Strange(prefix.to_owned()));
            }
        }
        Ok(Spot::Folder)
    }

    /// The bytes of the regular file at `path`; [`None`] when something else or nothing is there.
    pub(super) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, PublishError> {
        if self.look(path)? != Spot::File {
            return Ok(None);
        }
        fs::read(self.path(path)).map(Some).map_err(|error| failure(Doing::Read, &self.shown(path), &error))
    }

    /// Whether two output paths lead to one file, as they do on disks that ignore letter case.
    pub(super) fn is_same_file(&self, a: &str, b: &str) -> bool {
        matches!((fs::canonicalize(self.path(a)), fs::canonicalize(self.path(b))), (Ok(a), Ok(b)) if a == b)
    }

    /// Everything below the folder at `path` that is no folder, sorted.
    pub(super) fn files_below(&self, path: &str) -> Result<Vec<String>, PublishError> {
        let entries = fs::read_dir(self.path(path)).map_err(|error| failure(Doing::Read, &self.shown(path), &error))?;
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| failure(Doing::Read, &self.shown(path), &error))?;
            let name = format!("{path}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                files.extend(self.files_below(&name)?);
            } else {
                files.push(name);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Makes a file without showing it.
    pub(super) fn stage(&self, path: &str, bytes: &[u8]) -> Result<Staged, PublishError> {
        let workshop = self.path(&own_name(WORKSHOP));
        if self.staged.get() == 0 {
            self.step(Doing::Create, &own_name(WORKSHOP), || fs::create_dir(&workshop))?;
        }
        let file = workshop.join(self.staged.get().to_string());
        self.staged.set(self.staged.get() + 1);
        let write = || {
            fs::write(&file, bytes).inspect_err(|_| {
                // On a full disk, half a file is the last thing to leave behind.
                let _ = fs::remove_file(&file);
            })
        };
        self.step(Doing::Write, path, write)?;
        Ok(Staged(file))
    }

    /// Shows a file at `path`, in place of the one that is there.
    pub(super) fn show(&self, staged: &Staged, path: &str) -> Result<(), PublishError> {
        for (end, _) in path.match_indices('/') {
            self.ensure_folder(path.get(..end).unwrap_or(path))?;
        }
        self.step(Doing::Write, path, || fs::rename(&staged.0, self.path(path)))
    }

    fn ensure_folder(&self, path: &str) -> Result<(), PublishError> {
        match fs::symlink_metadata(self.path(path)) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => Err(failure(Doing::Create, &self.shown(path), &io::ErrorKind::NotADirectory.into())),
            Err(_) => self.step(Doing::Create, path, || fs::create_dir(self.path(path))),
        }
    }

    /// Removes the file at `path`, and then the folders that held nothing else.
    pub(super) fn remove(&self, path: &str) -> Result<(), PublishError> {
        self.step(Doing::Remove, path, || fs::remove_file(self.path(path)))?;
        let parents = path.rmatch_indices('/').filter_map(|(end, _)| path.get(..end));
        for parent in parents {
            if !self.remove_if_empty(parent)? {
                break;
            }
        }
        Ok(())
    }

    /// Removes the folders at and below `path`, which hold no files.
    pub(super) fn remove_empty_folders(&self, path: &str) -> Result<(), PublishError> {
        let fail = |error: io::Error| failure(Doing::Read, &self.shown(path), &error);
        for entry in fs::read_dir(self.path(path)).map_err(fail)? {
            let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
            self.remove_empty_folders(&format!("{path}/{name}"))?;
        }
        self.step(Doing::Remove, path, || fs::remove_dir(self.path(path)))
    }

    fn remove_if_empty(&self, path: &str) -> Result<bool, PublishError> {
        let fail = |error: io::Error| failure(Doing::Read, &self.shown(path), &error);
        if fs::read_dir(self.path(path)).map_err(fail)?.next().is_some() {
            return Ok(false);
        }
        // A mount point, or somebody just put something in: an empty folder is not worth failing for.
        self.step(Doing::Remove, path, || Ok(fs::remove_dir(self.path(path)).is_ok()))
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

    /// Makes the folder of notes hold these and nothing else.
    pub(super) fn keep_notes(&self, notes: &BTreeMap<String, Vec<u8>>) -> Result<(), PublishError> {
        let path = |name: &str| format!("{NOTES_FOLDER}/{name}");
        for (name, bytes) in notes {
            let path = path(name);
            if self.read(&path)?.as_ref() != Some(bytes) {
                self.show(&self.stage(&path, bytes)?, &path)?;
            }
        }
        if self.look(NOTES_FOLDER)? == Spot::Folder {
            let is_old = |file: &String| !notes.keys().any(|name| *file == path(name));
            for old in self.files_below(NOTES_FOLDER)?.iter().filter(|file| is_old(file)) {
                self.remove(old)?;
            }
        }
        Ok(())
    }

    /// How people call an output path.
    pub(super) fn shown(&self, path: &str) -> String {
        format!("{}/{path}", self.place.shown)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.place.path.join(Path::new(path))
    }

    fn step<T>(&self, doing: Doing, path: &str, change: impl FnOnce() -> io::Result<T>) -> Result<T, PublishError> {
        (self.before_step)().and_then(|()| change()).map_err(|error| failure(doing, &self.shown(path), &error))
    }
}

fn own_name(name: &str) -> String {
    format!("{RESERVED_FOLDER}/{name}")
}

/// What we do to files and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Create,
    Find,
    Lock,
    LookAt,
    Open,
    Read,
    Remove,
    Write,
}

/// Says that the system refused something.
pub(super) fn refused(doing: Doing, path: impl Display, error: &io::Error) -> Text {
    let verb = match doing {
        Doing::Create => text!("create", "创建"),
        Doing::Find => text!("find", "找到"),
        Doing::Lock => text!("lock", "锁定"),
        Doing::LookAt => text!("look at", "查看"),
        Doing::Open => text!("open", "打开"),
        Doing::Read => text!("read", "读取"),
        Doing::Remove => text!("remove", "删除"),
        Doing::Write => text!("write", "写入"),
    };
    text!("cannot {verb} `{path}`: {error}", "无法{verb} `{path}`：{error}", verb)
}

/// The system's refusal of what we were `doing` to `path`, a path as people call it.
pub(super) fn failure(doing: Doing, path: &str, error: &io::Error) -> PublishError {
    let diagnostic = Diagnostic::error(refused(doing, path, error));
    PublishError::Failed(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => diagnostic.with_hint(text!(
            "free some space and build again; what was published before is still whole",
            "请腾出一些空间再构建；之前发布的内容仍然完整"
        )),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => diagnostic.with_hint(text!(
            "check who owns the output folder and whether it may be written to",
            "请检查输出文件夹属于谁、能否写入"
        )),
        _ => diagnostic,
    })
}
