//! A tree of files that notes what it is asked for, so that a watcher can be told what a build depends on.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    reach::Refused,
    tree::{Found, Kind, Sources},
};

/// What was asked of a tree of files. A path stands in several sets if it was asked for in several ways; of one behind a
/// link, both the path and what the link leads to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// Files whose content was read.
    pub read: BTreeSet<PathBuf>,
    /// Folders whose names were listed.
    pub listed: BTreeSet<PathBuf>,
    /// Folders of which everything at any depth was looked at.
    pub walked: BTreeSet<PathBuf>,
    /// Paths that were found to be there, whatever they are.
    pub found: BTreeSet<PathBuf>,
    /// Paths at which nothing was, or nothing that could be reached.
    pub missed: BTreeSet<PathBuf>,
}

impl Dependencies {
    /// Every path, however it was asked for, in order and once.
    pub fn paths(&self) -> BTreeSet<&Path> {
        let Self { read, listed, walked, found, missed } = self;
        [read, listed, walked, found, missed].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Whether a change at `path` may change what was answered: it was asked for, or lies in a folder that was.
    pub fn concern(&self, path: &Path) -> bool {
        let Self { read, listed, walked, found, missed } = self;
        let is_asked_for = [read, listed, walked, found, missed].into_iter().any(|paths| paths.contains(path));
        is_asked_for
            || path.parent().is_some_and(|folder| listed.contains(folder))
            || path.ancestors().any(|folder| walked.contains(folder))
            // A folder that comes or goes takes what was looked for in it along.
            || [read, found, missed].into_iter().any(|paths| {
                paths.range(path.to_path_buf()..).take_while(|below| below.starts_with(path)).next().is_some()
            })
    }
}

/// Another tree of files, and a note of what it was asked for. Trees that allow more note it in the same place. What the
/// tree itself looks at, to judge what may be read, is not noted.
#[derive(Clone)]
pub struct Watched {
    sources: Arc<dyn Sources>,
    asked: Arc<Mutex<Dependencies>>,
}

impl Watched {
    /// Notes what `sources` are asked for from now on.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        Self { sources, asked: Arc::default() }
    }

    /// Everything that was asked for.
    pub fn dependencies(&self) -> Dependencies {
        self.asked().clone()
    }

    fn asked(&self) -> MutexGuard<'_, Dependencies> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that `path` was asked for in a way, or missed, and what it leads to.
    fn note<T>(
        &self,
        path: &Path,
        way: impl Fn(&mut Dependencies) -> &mut BTreeSet<PathBuf>,
        answer: io::Result<T>,
    ) -> io::Result<T> {
        let real = self.sources.canonicalize(path).ok().filter(|real| real != path);
        let mut asked = self.asked();
        match &answer {
            Ok(_) => way(&mut asked).extend([path.to_owned()].into_iter().chain(real)),
            // What may not be read, or is of another kind, is there.
            Err(_) if real.is_some() || self.sources.link_kind(path).is_ok() => {
                asked.found.extend([path.to_owned()].into_iter().chain(real));
            }
            Err(_) => drop(asked.missed.insert(path.to_owned())),
        }
        answer
    }
}

impl Sources for Watched {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        Arc::new(Self { sources: self.sources.allowing(folders), asked: Arc::clone(&self.asked) })
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        let refusal = self.sources.refusal(path);
        // Only of what is there can it be said.
        let _ = self.kind(path);
        refusal
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.note(path, |asked| &mut asked.read, self.sources.read(path))
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.note(path, |asked| &mut asked.found, self.sources.kind(path))
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        self.note(path, |asked| &mut asked.found, self.sources.link_kind(path))
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(path, |asked| &mut asked.found, self.sources.read_link(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(path, |asked| &mut asked.found, self.sources.canonicalize(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.note(folder, |asked| &mut asked.listed, self.sources.list(folder))
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let found = self.sources.walk(folder);
        // What a link in it leads to may lie elsewhere.
        for file in &found {
            let _ = self.kind(&file.path);
        }
        let _ = self.note(folder, |asked| &mut asked.walked, self.sources.kind(folder));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, path::Path, sync::Arc};

    use super::{Dependencies, Watched};
    use crate::source::{Memory, Sources};

    fn watched() -> Watched {
        let files = ["/p/routes.toml", "/p/site/pages/index.tsx", "/p/site/public/a/b.txt"];
        Watched::new(Arc::new(Memory::new(files.map(|file| (file, "")))))
    }

    fn asked(work: impl Fn(&dyn Sources)) -> Dependencies {
        let watched = watched();
        work(&watched);
        watched.dependencies()
    }

    #[test]
    fn each_way_of_asking_is_noted() {
        let dependencies = asked(|sources| {
            let _ = (sources.read(Path::new("/p/routes.toml")), sources.read(Path::new("/p/routes.lock")));
            let _ = (sources.list(Path::new("/p/site/pages")), sources.kind(Path::new("/p/site")));
            assert!(!sources.is_file(Path::new("/p/site/layout.tsx")));
            assert_eq!(sources.walk(Path::new("/p/site/public")).len(), 1);
        });
        let set = |paths: &[&str]| -> BTreeSet<_> { paths.iter().map(|path| Path::new(path).to_owned()).collect() };
        let expected = Dependencies {
            read: set(&["/p/routes.toml"]),
            listed: set(&["/p/site/pages"]),
            walked: set(&["/p/site/public"]),
            found: set(&["/p/site", "/p/site/public/a/b.txt"]),
            missed: set(&["/p/routes.lock", "/p/site/layout.tsx"]),
        };
        assert_eq!(dependencies, expected);
        assert_eq!(dependencies.paths().len(), 7);
    }

    #[test]
    fn what_is_read_with_more_allowed_is_noted_too() {
        let watched = watched();
        let wider = watched.allowing(&["/elsewhere".into()]);
        assert!(wider.read(Path::new("/p/routes.toml")).is_ok());
        assert!(watched.dependencies().read.contains(Path::new("/p/routes.toml")));
    }

    #[test]
    fn a_change_concerns_what_was_asked_for_and_what_is_in_its_folders() {
        let dependencies = asked(|sources| {
            let _ = (sources.read(Path::new("/p/routes.toml")), sources.read(Path::new("/p/templates/shell.html")));
            let _ = (sources.list(Path::new("/p/site/pages")), sources.walk(Path::new("/p/site/public")));
        });
        let concerned =
            ["/p/routes.toml", "/p/templates", "/p/site/pages/new.tsx", "/p/site/public", "/p/site/public/x/y/z.txt"];
        assert!(concerned.iter().all(|path| dependencies.concern(Path::new(path))));
        let others = ["/p/README.md", "/p/site/pages/deeper/new.tsx", "/p/site/parts/a.tsx", "/p/templates/mail.html"];
        assert!(others.iter().all(|path| !dependencies.concern(Path::new(path))));
    }
}
