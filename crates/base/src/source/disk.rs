//! The file system, as far as a project may read it.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use walkdir::{DirEntry, WalkDir};

use super::{
    names::normalize,
    reach::{Reach, Refused, Remedy},
    stamp::Stamp,
    trace::{Trace, Verdict},
    tree::{Found, Kind, Sources, Unwalkable},
};
use crate::{system::Told, text::text};

/// The file system as a project may read it: its own folder, the workspace that it is a member of, the packages that its
/// modules can import, and what its owner allows besides. There is no other, so that no reader can forget to ask.
#[derive(Clone, Debug)]
pub struct Disk {
    reach: Arc<Reach>,
}

impl Disk {
    /// What the portal in the folder `root` may read, as long as its `routes.toml` allows nothing else.
    pub fn of_project(root: &Path) -> Self {
        Self { reach: Arc::new(Reach::of_project(root, Remedy::Setting)) }
    }

    /// What modules may read that are bundled without a portal, from a command line that names `folders`.
    pub fn of_command(root: &Path, folders: &[PathBuf]) -> Self {
        Self { reach: Arc::new(Reach::of_project(root, Remedy::Flag).with(folders)) }
    }

    /// The same disk, of which what lies below `folders` may be read, too.
    pub(super) fn with(&self, folders: &[PathBuf]) -> Self {
        Self { reach: Arc::new(self.reach.with(folders)) }
    }

    /// Where a path leads, if that may be read.
    fn permitted(&self, path: &Path) -> io::Result<PathBuf> {
        let real = fs::canonicalize(path)?;
        self.judge(path, &real)?;
        Ok(real)
    }

    pub(super) fn judge(&self, path: &Path, real: &Path) -> Result<(), Refused> {
        self.reach.judge(real).map_err(|refused| refused.linked(normalize(path) != real))
    }
}

impl Sources for Disk {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        Arc::new(self.with(folders))
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        let real = fs::canonicalize(path).ok()?;
        self.judge(path, &real).err()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Opened is what was judged, and not what a link leads to by then.
        let real = self.permitted(path)?;
        if self.kind(&real)? != Kind::File {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, Told(text!("not a regular file", "不是普通文件"))));
        }
        fs::read(real)
    }

    fn stamp(&self, path: &Path) -> Stamp {
        fs::metadata(path).map(|metadata| Stamp::of(&metadata)).unwrap_or_default()
    }

    fn compare(&self, earlier: &mut Trace) -> Verdict {
        earlier.compare(self)
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(fs::metadata(path)?.file_type().into())
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(fs::symlink_metadata(path)?.file_type().into())
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        fs::read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = fs::read_dir(self.permitted(folder)?)?
            .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let mut entries = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
        let mut all = Vec::new();
        while let Some(entry) = entries.next() {
            let found = match &entry {
                Ok(entry) => self.follow(entry, folder),
                Err(error) => Some(self.unwalkable(folder, error)),
            };
            let refused = found.as_ref().is_some_and(|found| found.kind.is_err());
            if refused && entry.is_ok_and(|entry| entry.file_type().is_dir()) {
                entries.skip_current_dir();
            }
            all.extend(found);
        }
        all
    }
}

impl Disk {
    /// What to say of an entry: nothing of a folder that the walk goes into.
    fn follow(&self, entry: &DirEntry, folder: &Path) -> Option<Found> {
        let path = entry.path().to_path_buf();
        let kind = Kind::from(entry.file_type());
        match entry.path_is_symlink().then(|| self.check_link(&path, folder)) {
            Some(Err(problem)) => Some(Found { path, kind: Err(problem) }),
            _ if kind == Kind::Folder => None,
            _ => Some(Found { path, kind: Ok(kind) }),
        }
    }

    /// Whether a link may be followed on a walk of `folder`.
    fn check_link(&self, link: &Path, folder: &Path) -> Result<(), Unwalkable> {
        let resolve = |path| fs::canonicalize(path).map_err(Unwalkable::Unreadable);
        let target = resolve(link)?;
        self.reach.judge(&target).map_err(Unwalkable::LeavingLink)?;
        if link != folder && resolve(folder)?.starts_with(&target) { Err(Unwalkable::LoopingLink) } else { Ok(()) }
    }

    fn unwalkable(&self, folder: &Path, error: &walkdir::Error) -> Found {
        let path = error.path().unwrap_or(folder).to_path_buf();
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let problem = match error.io_error().map(io::Error::kind) {
            // The walker itself found that the link leads to a folder it is in.
            None => self.check_link(&path, folder).err().unwrap_or(Unwalkable::LoopingLink),
            Some(io::ErrorKind::NotFound) if is_link => Unwalkable::BrokenLink,
            Some(kind) if is_link && kind != io::ErrorKind::PermissionDenied => Unwalkable::LoopingLink,
            Some(kind) => Unwalkable::Unreadable(kind.into()),
        };
        Found { path, kind: Err(problem) }
    }
}
