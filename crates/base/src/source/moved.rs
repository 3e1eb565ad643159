//! A tree of files that lies in another folder than it does.

use std::{
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use super::{
    reach::Refused,
    tree::{Found, Kind, Sources},
};

/// The folder that everything lies in. None is called so.
const ELSEWHERE: &str = "portalgen-elsewhere";

/// Another tree of files, with every path below one more folder: what is made of it must not depend on where it lies. The
/// whole file system moves, so that ways from the project to what is around it stay the same.
pub struct Moved {
    sources: Arc<dyn Sources>,
}

impl Moved {
    /// Moves `sources`.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        Self { sources }
    }

    /// Where the file at `path`, absolute, seems to be.
    pub fn path(path: &Path) -> PathBuf {
        let is_root = |part: &Component<'_>| matches!(part, Component::Prefix(_) | Component::RootDir);
        let root: PathBuf = path.components().take_while(is_root).collect();
        let names: PathBuf = path.components().skip_while(is_root).collect();
        root.join(ELSEWHERE).join(names)
    }

    /// Where the file is that seems to be at `path`. Others are where they are.
    pub fn real(path: &Path) -> PathBuf {
        path.components().filter(|part| part.as_os_str() != ELSEWHERE).collect()
    }
}

impl Sources for Moved {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| Self::real(folder)).collect();
        Arc::new(Self::new(self.sources.allowing(&folders)))
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        self.sources.refusal(&Self::real(path))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.sources.read(&Self::real(path))
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.sources.kind(&Self::real(path))
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        self.sources.link_kind(&Self::real(path))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let target = self.sources.read_link(&Self::real(path))?;
        Ok(if target.is_absolute() { Self::path(&target) } else { target })
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.sources.canonicalize(&Self::real(path)).map(|real| Self::path(&real))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.sources.list(&Self::real(folder))
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let found = self.sources.walk(&Self::real(folder));
        found.into_iter().map(|found| Found { path: Self::path(&found.path), ..found }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Memory;

    #[test]
    fn everything_is_found_elsewhere_and_nothing_says_where_it_is() {
        let sources = Moved::new(Arc::new(Memory::new([("/p/site/public/a.txt", "text")])));
        let file = Moved::path(Path::new("/p/site/public/a.txt"));
        assert_eq!(file, Path::new("/portalgen-elsewhere/p/site/public/a.txt"));
        assert_eq!(Moved::real(&file), Path::new("/p/site/public/a.txt"));
        assert_eq!(sources.read(&file).unwrap(), b"text");
        assert_eq!(sources.canonicalize(&file).unwrap(), file);
        let walked = sources.walk(&Moved::path(Path::new("/p/site")));
        assert_eq!(walked.into_iter().map(|found| found.path).collect::<Vec<_>>(), [file]);
    }
}
