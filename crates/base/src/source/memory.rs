//! Files in memory.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    names::normalize,
    reach::Refused,
    tree::{Found, Kind, Sources},
};

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
