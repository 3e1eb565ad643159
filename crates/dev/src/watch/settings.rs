//! How to watch, and what comes of it.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use portalgen_base::diagnostic::Diagnostic;

/// How to watch.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folders that are watched from their top: the project's and its workspace's. Elsewhere, folders above those with
    /// dependencies are not watched.
    pub roots: Vec<PathBuf>,
    /// Folders that are written by portalgen itself: nothing in them is ever news.
    pub own: Vec<PathBuf>,
    /// Files that are there while a program changes many others, such as `index.lock` of Git: what changes meanwhile is told when
    /// they are gone.
    pub locks: Vec<PathBuf>,
    /// How often to look, instead of waiting for events.
    pub poll: Option<Duration>,
    /// How long to wait for what.
    pub patience: Patience,
}

/// How long to wait for what.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For a file that is gone or empty to come back.
    pub gone: Duration,
    /// For a file to become readable.
    pub unreadable: Duration,
    /// For a writer to close a file, since it last wrote.
    pub open: Duration,
    /// For a package manager to go on.
    pub packages: Duration,
    /// After news, for everything that belongs to them.
    pub storm: Duration,
    /// For a program to remove its lock.
    pub lock: Duration,
    /// Between two looks at what cannot be watched.
    pub unwatched: Duration,
    /// For an event of something that was found to have happened.
    pub event: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            gone: Duration::from_millis(150),
            unreadable: Duration::from_millis(400),
            open: Duration::from_millis(100),
            packages: Duration::from_millis(300),
            storm: Duration::from_millis(30),
            lock: Duration::from_secs(10),
            unwatched: Duration::from_secs(1),
            event: Duration::from_secs(2),
        }
    }
}

/// What a watcher has to tell.
#[derive(Clone, Debug)]
pub enum News {
    /// Paths at which something differs from what it was: files with another content, and whatever has come or gone.
    Changed(BTreeSet<PathBuf>),
    /// Something that the owner of the machine should know.
    Warning(Diagnostic),
}
