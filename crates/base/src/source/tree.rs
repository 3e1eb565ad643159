//! The interface to a tree of files.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    reach::Refused,
    stamp::Stamp,
    trace::{Trace, Verdict},
    watched::Watched,
};
use crate::{system, text::Text};

/// What a path names, without following a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, whatever it leads to.
    Link,
    /// A pipe, socket or device: reading one could wait for ever.
    Other,
}

impl From<fs::FileType> for Kind {
    fn from(file_type: fs::FileType) -> Self {
        if file_type.is_file() {
            Self::File
        } else if file_type.is_dir() {
            Self::Folder
        } else if file_type.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }
}

/// Something that [`Sources::walk`] came across.
#[derive(Debug)]
pub struct Found {
    /// Where: the walked folder's path and the names below it, links not resolved.
    pub path: PathBuf,
    /// What is there, links followed; never [`Kind::Folder`] or [`Kind::Link`].
    pub kind: Result<Kind, Unwalkable>,
}

/// Why a walk went no further.
#[derive(Debug)]
pub enum Unwalkable {
    /// A link to nothing.
    BrokenLink,
    /// A link to itself or to a folder that holds it.
    LoopingLink,
    /// A link to what may not be read.
    LeavingLink(Refused),
    /// The system refused to say what is there.
    Unreadable(io::Error),
}

/// A read-only tree of files. Paths are absolute.
///
/// What is read can be published, so a tree refuses what does not belong to its project, whoever asks and by whatever
/// path. Its names and kinds it tells of everything.
///
/// Errors are the operating system's: [`io::ErrorKind::NotFound`] for what is not there. One that holds a [`Refused`] is
/// the tree's own.
pub trait Sources: Send + Sync {
    /// The same tree, which no longer refuses what lies below `folders`.
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources>;

    /// Why what is at `path` may not be read. `None`, too, of what is not there.
    fn refusal(&self, path: &Path) -> Option<Refused>;

    /// The bytes of a regular file, links followed.
    ///
    /// # Errors
    /// As the system reports them; a folder, pipe or socket is an error too, never a wait, and so is a refusal.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// What `path` is, links followed.
    ///
    /// # Errors
    /// As the system reports them.
    fn kind(&self, path: &Path) -> io::Result<Kind>;

    /// What `path` is itself, links not followed.
    ///
    /// # Errors
    /// As the system reports them.
    fn link_kind(&self, path: &Path) -> io::Result<Kind>;

    /// What a symbolic link holds.
    ///
    /// # Errors
    /// As the system reports them.
    fn read_link(&self, path: &Path) -> io::Result<PathBuf>;

    /// The path with every link resolved.
    ///
    /// # Errors
    /// As the system reports them.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;

    /// The names in a folder, sorted.
    ///
    /// # Errors
    /// As the system reports them, or a refusal.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// All that lies below `folder`, at any depth, in the order of the paths; folders are not mentioned themselves.
    /// Links are followed to what may be read. Nothing is opened but folders.
    fn walk(&self, folder: &Path) -> Vec<Found>;

    /// The text of a file.
    ///
    /// # Errors
    /// As for [`Sources::read`]; [`io::ErrorKind::InvalidData`] when it is not UTF-8.
    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        String::from_utf8(self.read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// What the system says of the file at `path`, links followed, besides its content.
    fn stamp(&self, _path: &Path) -> Stamp {
        Stamp::default()
    }

    /// Compares what was answered before with what is answered now, which takes less than asking again. A tree that cannot
    /// tell calls everything different.
    fn compare(&self, _earlier: &mut Trace) -> Verdict {
        Verdict::Different
    }

    /// The tree itself, if it notes what it is asked for.
    fn watched(&self) -> Option<&Watched> {
        None
    }

    /// Whether `path` names a regular file, links followed.
    fn is_file(&self, path: &Path) -> bool {
        matches!(self.kind(path), Ok(Kind::File))
    }
}

/// Why something could not be read, as a clause that follows a colon, and what can be done about it.
pub fn explain(error: &io::Error) -> (Text, Option<Text>) {
    match Refused::behind(error) {
        Some(refused) => (refused.reason(), refused.hint()),
        None => (system::explain(error), None),
    }
}
