//! A tree of files as it would be after some of them were moved or made.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    reach::Refused,
    tree::{Found, Kind, Sources},
};

/// Another tree of files with changes that have not been made yet, so that what follows from them can be seen first.
#[derive(Clone)]
pub struct Planned {
    sources: Arc<dyn Sources>,
    added: BTreeMap<PathBuf, Vec<u8>>,
    removed: BTreeSet<PathBuf>,
}

impl Planned {
    /// `sources`, unchanged.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        Self { sources, added: BTreeMap::new(), removed: BTreeSet::new() }
    }

    /// The same with a file at `path`, absolute.
    #[must_use]
    pub fn with(mut self, path: PathBuf, bytes: Vec<u8>) -> Self {
        self.removed.remove(&path);
        self.added.insert(path, bytes);
        self
    }

    /// The same without the file at `path`.
    #[must_use]
    pub fn without(mut self, path: PathBuf) -> Self {
        self.added.remove(&path);
        self.removed.insert(path);
        self
    }

    /// What is at `path` because of a change.
    fn changed(&self, path: &Path) -> Option<io::Result<Kind>> {
        if self.removed.contains(path) {
            return Some(Err(io::ErrorKind::NotFound.into()));
        }
        if self.added.contains_key(path) {
            return Some(Ok(Kind::File));
        }
        self.added.keys().any(|file| file.starts_with(path)).then_some(Ok(Kind::Folder))
    }
}

impl Sources for Planned {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        Arc::new(Self { sources: self.sources.allowing(folders), ..self.clone() })
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        self.sources.refusal(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.added.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None if self.removed.contains(path) => Err(io::ErrorKind::NotFound.into()),
            None => self.sources.read(path),
        }
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.changed(path).unwrap_or_else(|| self.sources.kind(path))
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        self.changed(path).unwrap_or_else(|| self.sources.link_kind(path))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.sources.read_link(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        match self.changed(path) {
            Some(kind) => kind.map(|_| path.to_owned()),
            None => self.sources.canonicalize(path),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let below = self.added.keys().filter_map(|file| file.strip_prefix(folder).ok()?.components().next());
        let new: BTreeSet<String> = below.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect();
        let known = match self.sources.list(folder) {
            Err(error) if new.is_empty() => return Err(error),
            known => known.unwrap_or_default(),
        };
        let left = known.into_iter().filter(|name| !self.removed.contains(&folder.join(name)));
        Ok(left.chain(new).collect::<BTreeSet<String>>().into_iter().collect())
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let is_left = |found: &Found| !self.removed.contains(&found.path) && !self.added.contains_key(&found.path);
        let mut all: Vec<Found> = self.sources.walk(folder).into_iter().filter(is_left).collect();
        let new = self.added.keys().filter(|file| file.starts_with(folder));
        all.extend(new.map(|file| Found { path: file.clone(), kind: Ok(Kind::File) }));
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    #[test]
    fn a_file_that_would_be_moved_is_found_at_its_new_place_only() {
        let disk = Memory::new([("/p/a/one.tsx", "1"), ("/p/a/two.tsx", "2")]);
        let (old, new) = (PathBuf::from("/p/a/one.tsx"), PathBuf::from("/p/b/three.tsx"));
        let planned = Planned::new(Arc::new(disk)).without(old.clone()).with(new.clone(), b"1".to_vec());
        assert_eq!(planned.kind(&old).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(planned.read(&old).is_err() && planned.is_file(&new));
        assert_eq!(planned.read(&new).unwrap(), b"1");
        assert_eq!(planned.kind(Path::new("/p/b")).unwrap(), Kind::Folder);
        assert_eq!(planned.list(Path::new("/p/a")).unwrap(), ["two.tsx"]);
        assert_eq!(planned.list(Path::new("/p/b")).unwrap(), ["three.tsx"]);
        assert_eq!(planned.list(Path::new("/p")).unwrap(), ["a", "b"]);
        assert_eq!(planned.walk(Path::new("/p")).len(), 2);
    }
}
