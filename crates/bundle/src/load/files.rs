//! The resolver's view of [`Sources`].

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use oxc_resolver::{FileMetadata, FileSystem, ResolveError};

use portalgen_base::source::{Kind, Memory, Sources};

use super::extends::with_found_bases;
use crate::load::glob::UNKNOWN;

/// The files that there are.
pub(super) struct Files(pub(super) Arc<dyn Sources>);

impl FileSystem for Files {
    /// Of nothing: a resolver is given its files.
    fn new() -> Self {
        Self(Arc::new(Memory::default()))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    /// Asked for each `tsconfig.json`, and for nothing else.
    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        Ok(with_found_bases(&self.0, path, self.0.read_to_string(path)?))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.kind(path).map(metadata)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.link_kind(path).map(metadata)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        self.0.read_link(path).map_err(ResolveError::from)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonicalize(path)
    }
}

fn metadata(kind: Kind) -> FileMetadata {
    FileMetadata::new(kind == Kind::File, kind == Kind::Folder, kind == Kind::Link)
}

/// These files, and besides them every one that a specifier with an unknown part could mean.
pub(super) struct Supposed {
    pub(super) files: Files,
    /// What is not supposed to be there, since it was found before.
    pub(super) found: Vec<PathBuf>,
}

impl FileSystem for Supposed {
    fn new() -> Self {
        Self { files: Files::new(), found: Vec::new() }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        self.files.read_to_string(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        if path.to_string_lossy().contains(UNKNOWN) {
            let is_new = self.found.iter().all(|found| found != path);
            return if is_new { Ok(metadata(Kind::File)) } else { Err(io::ErrorKind::NotFound.into()) };
        }
        self.files.metadata(path)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        if path.to_string_lossy().contains(UNKNOWN) { self.metadata(path) } else { self.files.symlink_metadata(path) }
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        self.files.read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.canonicalize(path)
    }
}
