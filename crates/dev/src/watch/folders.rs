//! Which folders are watched.
//!
//! The system knows a folder by one path. So folders are watched by where they really are, and events are told by every path
//! by which a build asked.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::events::{Events, Failure};

/// The folders that are watched.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// By where each really is, the paths by which it is asked for.
    watched: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Those that cannot be watched, as they are asked for.
    unwatched: BTreeSet<PathBuf>,
}

/// What changed when other folders were to be watched.
#[derive(Debug, Default)]
pub(super) struct Renewed {
    /// Folders that were not watched before, as they are asked for.
    pub(super) new: BTreeSet<PathBuf>,
    /// Why one could not be watched.
    pub(super) failure: Option<Failure>,
}

impl Folders {
    /// Watches these folders, as far as they are there, and no others. Without `events`, none is watched.
    pub(super) fn renew(
        &mut self,
        wanted: &BTreeSet<PathBuf>,
        is_own: impl Fn(&Path) -> bool,
        mut events: Option<&mut (dyn Events + 'static)>,
    ) -> Renewed {
        let mut by_place: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for folder in wanted {
            if let Some(place) = fs::canonicalize(folder).ok().filter(|place| !is_own(place)) {
                by_place.entry(place).or_default().insert(folder.clone());
            }
        }
        for place in self.watched.keys().filter(|place| !by_place.contains_key(*place)) {
            if let Some(events) = events.as_deref_mut() {
                events.unwatch(place);
            }
        }
        let mut renewed = Renewed::default();
        let mut watched = BTreeMap::new();
        self.unwatched.clear();
        for (place, folders) in by_place {
            let known = self.watched.remove(&place);
            let result = match (&known, events.as_deref_mut()) {
                (Some(_), _) => Ok(()),
                (None, Some(events)) => events.watch(&place),
                (None, None) => Err(Failure::Unreachable),
            };
            if let Err(failure) = result {
                if failure != Failure::Unreachable {
                    renewed.failure = Some(failure);
                }
                self.unwatched.extend(folders);
                continue;
            }
            let known = known.unwrap_or_default();
            renewed.new.extend(folders.difference(&known).cloned());
            watched.insert(place, folders);
        }
        self.watched = watched;
        renewed
    }

    /// Knows no more of a folder that was moved or removed, nor of those in it: what is there now is another one.
    pub(super) fn forget(&mut self, place: &Path, events: &mut (dyn Events + 'static)) -> bool {
        let gone: Vec<PathBuf> = below(&self.watched, place).cloned().collect();
        for place in &gone {
            self.watched.remove(place);
            events.unwatch(place);
        }
        !gone.is_empty()
    }

    /// All paths by which a place of an event may have been asked for.
    pub(super) fn spellings(&self, place: &Path) -> BTreeSet<PathBuf> {
        let itself = self.watched.get(place).into_iter().flatten().cloned();
        let name = place.file_name().unwrap_or_default();
        let folders = place.parent().and_then(|folder| self.watched.get(folder)).into_iter().flatten();
        let within = folders.map(|folder| folder.join(name));
        itself.chain(within).chain([place.to_owned()]).collect()
    }

    /// Those that are not watched, as they are asked for.
    pub(super) fn unwatched(&self) -> &BTreeSet<PathBuf> {
        &self.unwatched
    }
}

/// The keys at a path and below.
fn below<'a, V>(map: &'a BTreeMap<PathBuf, V>, path: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
    map.range(path.to_path_buf()..).map(|(key, _)| key).take_while(move |key| key.starts_with(path))
}

/// The folder of packages in which something lies; of several, the one that holds the others.
pub(super) fn packages(path: &Path) -> Option<&Path> {
    path.ancestors().filter(|folder| folder.file_name() == Some(OsStr::new("node_modules"))).last()
}

/// The folders to watch so that nothing is missed at these paths: those in which they lie, or would if there were any, and
/// within a root those above. Of folders whose names count, themselves.
pub(super) fn wanted<'a>(
    paths: impl Iterator<Item = &'a Path>,
    counted: impl Iterator<Item = PathBuf>,
    roots: &[PathBuf],
) -> BTreeSet<PathBuf> {
    let counted: BTreeSet<PathBuf> = counted.collect();
    let mut folders: BTreeSet<&Path> = BTreeSet::new();
    for path in paths {
        // What package managers write is compared as a whole: their folder says when.
        match packages(path) {
            Some(packages) => folders.extend([Some(packages), packages.parent()].into_iter().flatten()),
            None => folders.extend(path.parent()),
        }
    }
    let is_above = |folder: &Path| roots.iter().any(|root| folder.starts_with(root));
    let mut all: BTreeSet<PathBuf> = BTreeSet::new();
    for folder in folders.into_iter().chain(counted.iter().filter_map(|folder| folder.parent())) {
        let Some(there) = folder.ancestors().find(|folder| folder.is_dir()) else { continue };
        let above = there.ancestors().skip(1).take_while(|folder| is_above(folder));
        all.extend([there].into_iter().chain(above).map(Path::to_path_buf));
    }
    all.extend(counted.into_iter().filter(|folder| packages(folder).is_none() && folder.is_dir()));
    all
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::packages;

    #[test]
    fn packages_lie_in_one_folder() {
        for (path, folder) in [
            ("/p/site/node_modules/react/index.js", Some("/p/site/node_modules")),
            ("/p/node_modules/.pnpm/a@1/node_modules/a/index.js", Some("/p/node_modules")),
            ("/p/node_modules", Some("/p/node_modules")),
            ("/p/node_modules.txt", None),
            ("/p/site/pages/index.tsx", None),
        ] {
            assert_eq!(packages(Path::new(path)), folder.map(Path::new), "{path}");
        }
    }
}
