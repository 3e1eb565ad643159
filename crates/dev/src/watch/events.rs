//! Events of the system. They say where something may have happened, and no more is taken from them.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use notify::{
    EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode, CreateKind, ModifyKind},
};

use super::pending::Reason;
use portalgen_base::{
    system,
    text::{Text, text},
};

/// Watches folders, without those in them. Paths are real ones.
pub(super) trait Events {
    /// Begins to tell of a folder and of what lies in it.
    fn watch(&mut self, folder: &Path) -> Result<(), Failure>;

    /// Tells no more of it. It need not be there any more.
    fn unwatch(&mut self, folder: &Path);
}

/// Why a folder, or any, cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The system watches as many folders as it may.
    TooManyFolders,
    /// It has as many watchers as it may.
    TooManyWatchers,
    /// The folder is not there any more, or is somebody else's.
    Unreachable,
    /// In the system's words.
    Other(Text),
}

/// Something that may have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// At a path in a folder that is watched, or at that folder.
    At {
        path: PathBuf,
        reason: Reason,
        /// Whether something may have come, gone or been renamed there.
        is_move: bool,
    },
    /// Anywhere: there were more events than the system keeps.
    Lost,
}

struct System(RecommendedWatcher);

/// The events of the system.
pub(super) fn of_system(tell: impl Fn(Event) + Send + 'static) -> Result<Box<dyn Events>, Failure> {
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| match event {
        Ok(event) => understood(event, &tell),
        // Whatever was lost by that is looked for.
        Err(_) => tell(Event::Lost),
    });
    Ok(Box::new(System(watcher.map_err(|error| Failure::of(&error))?)))
}

impl Events for System {
    fn watch(&mut self, folder: &Path) -> Result<(), Failure> {
        self.0.watch(folder, RecursiveMode::NonRecursive).map_err(|error| Failure::of(&error))
    }

    fn unwatch(&mut self, folder: &Path) {
        // The system forgets by itself what is gone, and says then that it does not know it.
        let _ = self.0.unwatch(folder);
    }
}

impl Failure {
    fn of(error: &notify::Error) -> Self {
        /// "Too many open files", which stands for too many watchers as well.
        const TOO_MANY_OPEN: i32 = 24;
        match &error.kind {
            notify::ErrorKind::MaxFilesWatch => Self::TooManyFolders,
            notify::ErrorKind::PathNotFound => Self::Unreachable,
            notify::ErrorKind::Io(error) if error.raw_os_error() == Some(TOO_MANY_OPEN) => Self::TooManyWatchers,
            notify::ErrorKind::Io(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) =>
            {
                Self::Unreachable
            }
            notify::ErrorKind::Io(error) => Self::Other(system::explain(error)),
            _ => Self::Other(text!("{error}", "系统拒绝了请求")),
        }
    }
}

fn understood(event: notify::Event, tell: &impl Fn(Event)) {
    if event.need_rescan() {
        tell(Event::Lost);
    }
    for path in event.paths {
        let (reason, is_move) = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) | EventKind::Modify(ModifyKind::Metadata(_)) => {
                (Reason::Done, false)
            }
            EventKind::Access(_) => continue,
            EventKind::Create(kind) => (created(kind, &path), true),
            EventKind::Modify(ModifyKind::Data(_)) => (writing(), false),
            EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Any | EventKind::Other => (Reason::Done, true),
        };
        tell(Event::At { path, reason, is_move });
    }
}

/// Where the system does not tell when a file is closed, every write may be the last one.
fn writing() -> Reason {
    if cfg!(target_os = "linux") { Reason::Writing } else { Reason::Done }
}

/// A file that was created is about to be written, unless it is another name of one that was there before.
fn created(kind: CreateKind, path: &Path) -> Reason {
    let is_new = kind != CreateKind::Folder
        && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && has_one_name(&metadata));
    if is_new { writing() } else { Reason::Done }
}

#[cfg(unix)]
fn has_one_name(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.nlink() == 1
}

#[cfg(not(unix))]
fn has_one_name(_metadata: &fs::Metadata) -> bool {
    true
}
