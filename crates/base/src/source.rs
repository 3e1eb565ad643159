//! Where inputs come from. Stages read through [`Sources`], so that the same code builds from a disk, from
//! memory in a test, and from an editor's unsaved buffers.

mod disk;
mod reach;
mod workspace;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

pub use self::{
    disk::Disk,
    reach::{Refused, is_of_system},
};
use crate::text::Text;

/// What a path names, without following a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Whether `path` names a regular file, links followed.
    fn is_file(&self, path: &Path) -> bool {
        matches!(self.kind(path), Ok(Kind::File))
    }
}

/// Files in memory: what tests and small tools build from.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// A tree of `(absolute path, text)`.
    pub fn new<P: Into<PathBuf>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, T)>) -> Self {
        Self { files: files.into_iter().map(|(path, text)| (path.into(), text.into())).collect() }
    }
}

impl Sources for Memory {
    fn allowing(&self, _folders: &[PathBuf]) -> Arc<dyn Sources> {
        Arc::new(self.clone())
    }

    fn refusal(&self, _path: &Path) -> Option<Refused> {
        None
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        if self.files.contains_key(path) {
            return Ok(Kind::File);
        }
        let inside = self.files.range(path.to_path_buf()..).find(|(file, _)| file.as_path() != path);
        match inside {
            Some((file, _)) if file.starts_with(path) => Ok(Kind::Folder),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        self.kind(path)
    }

    fn read_link(&self, _path: &Path) -> io::Result<PathBuf> {
        Err(io::ErrorKind::InvalidInput.into())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let path = normalize(path);
        self.kind(&path).map(|_| path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names: Vec<String> = self
            .files
            .range(folder.to_path_buf()..)
            .map_while(|(file, _)| file.strip_prefix(folder).ok())
            .filter_map(|rest| Some(rest.components().next()?.as_os_str().to_string_lossy().into_owned()))
            .collect();
        names.dedup();
        Ok(names)
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let below = self.files.range(folder.to_path_buf()..).map_while(|(file, _)| {
            let inside = file.starts_with(folder) && file != folder;
            inside.then(|| Found { path: file.clone(), kind: Ok(Kind::File) })
        });
        below.collect()
    }
}

/// Why something could not be read, as a clause that follows a colon, and what can be done about it.
pub fn explain(error: &io::Error) -> (Text, Option<Text>) {
    match Refused::behind(error) {
        Some(refused) => (refused.reason(), refused.hint()),
        None => (Text::verbatim(error.to_string()), None),
    }
}

/// Resolves `.` and `..` by the letters of the path alone.
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// `path` as people see it: relative to `root`, with `/` on every system. Outside of it, a workspace's packages for
/// example, it begins with `..`, so that the same layout has the same names wherever it lies.
pub fn display_name(root: &Path, path: &Path) -> String {
    let common = root.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    // Two drives of Windows share nothing.
    if common == 0 {
        return path.to_string_lossy().into_owned();
    }
    let up = root.components().skip(common).map(|_| "..".into());
    let down = path.components().skip(common).map(|component| component.as_os_str().to_string_lossy());
    let names: Vec<std::borrow::Cow<'_, str>> = up.chain(down).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}
