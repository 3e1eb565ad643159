//! What a build depends on, with what was seen of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::{Instant, SystemTime},
};

use portalgen_base::source::Dependencies;

use super::{
    folders::packages,
    seen::{Interest, Seen},
};

/// Everything that a build depends on.
#[derive(Debug, Default)]
pub(super) struct Known {
    entries: BTreeMap<PathBuf, Entry>,
    /// Folders whose names count.
    listed: BTreeSet<PathBuf>,
    /// Folders of which everything counts that is in them, at any depth.
    walked: BTreeSet<PathBuf>,
}

/// A path, and what was seen there.
#[derive(Clone, Debug)]
struct Entry {
    seen: Seen,
    interest: Interest,
    /// Whether it was asked for by its path, and not by a folder that it lies in.
    is_asked: bool,
    /// When it was last found to have been written without any change.
    rewritten: Option<Instant>,
}

/// What to look at for the first time.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    paths: Vec<(PathBuf, Interest, Expected)>,
    folders: Vec<PathBuf>,
}

/// What a build has found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Something,
    Nothing,
}

impl Unseen {
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(|(path, ..)| path.as_path())
    }
}

impl Known {
    /// Takes over what another build depends on. What was seen before is kept; what was not has to be [seen](Self::see).
    pub(super) fn replace(&mut self, on: Dependencies, is_own: impl Fn(&Path) -> bool) -> Unseen {
        let mut own_folders: BTreeMap<PathBuf, bool> = BTreeMap::new();
        let mut is_own = |folder: &Path| *own_folders.entry(folder.to_owned()).or_insert_with(|| is_own(folder));
        let Dependencies { read, mut listed, mut walked, found, missed } = on;
        let mut asked: BTreeMap<PathBuf, (Interest, Expected)> = BTreeMap::new();
        asked.extend(missed.into_iter().map(|path| (path, (Interest::Presence, Expected::Nothing))));
        let present = found.into_iter().chain(listed.iter().cloned()).chain(walked.iter().cloned());
        asked.extend(present.map(|path| (path, (Interest::Presence, Expected::Something))));
        asked.extend(read.into_iter().map(|path| (path, (Interest::Content, Expected::Something))));

        let mut before = std::mem::take(self);
        let mut unseen = Unseen::default();
        for (path, (interest, expected)) in asked {
            match before.entries.remove(&path).filter(|entry| entry.interest >= interest) {
                Some(entry) => drop(self.entries.insert(path, Entry { is_asked: true, interest, ..entry })),
                None if is_own(path.parent().unwrap_or(&path)) => {}
                None => unseen.paths.push((path, interest, expected)),
            }
        }
        listed.retain(|folder| !is_own(folder));
        walked.retain(|folder| !is_own(folder));
        let is_new = |folder: &&PathBuf| !before.listed.contains(*folder) && !before.walked.contains(*folder);
        unseen.folders = listed.iter().chain(&walked).filter(is_new).cloned().collect();
        // What has become a folder to walk has not been walked.
        unseen
            .folders
            .extend(walked.difference(&before.walked).filter(|folder| before.listed.contains(*folder)).cloned());
        (self.listed, self.walked) = (listed, walked);
        // Names in folders that count as before.
        for (path, entry) in before.entries {
            let counts = (before.listed.contains(path.parent().unwrap_or(&path)) || is_below(&before.walked, &path))
                && self.counts_by_folder(&path);
            if counts && entry.seen.is_something() {
                self.entries.insert(path, Entry { is_asked: false, interest: Interest::Presence, ..entry });
            }
        }
        unseen
    }

    /// Looks at what was not seen before. Returned is what may have changed since a build began to read at `began`: first
    /// what certainly is news, then what has to be looked at once more.
    pub(super) fn see(&mut self, unseen: Unseen, began: SystemTime) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let (mut news, mut doubts) = (Vec::new(), Vec::new());
        for (path, interest, expected) in unseen.paths {
            let mut seen = Seen::at(&path, Interest::Presence, None);
            if interest == Interest::Content && seen.is_since(began) {
                // What it holds is known before it is told, so that whoever reads it then reads that or something newer.
                seen = Seen::at(&path, interest, None);
                news.push(path.clone());
            } else if seen.is_something() != (expected == Expected::Something) {
                seen = if expected == Expected::Nothing { Seen::NOTHING } else { Seen::SOMETHING };
                doubts.push(path.clone());
            }
            self.entries.insert(path, Entry { seen, interest, is_asked: true, rewritten: None });
        }
        for folder in unseen.folders {
            if fs::metadata(&folder).and_then(|metadata| metadata.modified()).is_ok_and(|modified| modified >= began) {
                news.push(folder.clone());
            }
            for path in self.in_folder(&folder) {
                let look = || Entry {
                    seen: Seen::at(&path, Interest::Presence, None),
                    interest: Interest::Presence,
                    is_asked: false,
                    rewritten: None,
                };
                self.entries.entry(path.clone()).or_insert_with(look);
            }
        }
        (news, doubts)
    }

    /// What there is now in a folder that counts.
    pub(super) fn in_folder(&self, folder: &Path) -> Vec<PathBuf> {
        let mut all = Vec::new();
        if self.walked.contains(folder) {
            walk(folder, &mut all);
        } else if self.listed.contains(folder) {
            all = names(folder);
        }
        all
    }

    /// What counts and lies in a folder below one that is walked.
    pub(super) fn in_new_folder(&self, folder: &Path) -> Vec<PathBuf> {
        let mut all = Vec::new();
        if is_below(&self.walked, folder) {
            walk(folder, &mut all);
        }
        all
    }

    /// What may have changed if something happened at a path.
    pub(super) fn concerned(&self, path: &Path) -> Vec<PathBuf> {
        let below = self.entries.range(path.to_path_buf()..).map(|(below, _)| below);
        let mut all: Vec<PathBuf> = below.take_while(|below| below.starts_with(path)).cloned().collect();
        if !self.entries.contains_key(path) && self.counts_by_folder(path) {
            all.push(path.to_owned());
        }
        all
    }

    /// Whether something at a path counts.
    pub(super) fn counts(&self, path: &Path) -> bool {
        self.entries.contains_key(path) || self.counts_by_folder(path)
    }

    fn counts_by_folder(&self, path: &Path) -> bool {
        path.parent().is_some_and(|folder| self.listed.contains(folder)) || is_below(&self.walked, path)
    }

    /// What was seen at a path, and what interest there is in it. None, if nothing there counts.
    pub(super) fn at(&self, path: &Path) -> Option<(&Seen, Interest)> {
        match self.entries.get(path) {
            Some(entry) => Some((&entry.seen, entry.interest)),
            None => self.counts_by_folder(path).then_some((&Seen::NOTHING, Interest::Presence)),
        }
    }

    /// Notes what was seen at a path.
    pub(super) fn set(&mut self, path: PathBuf, seen: Seen) {
        match self.entries.get_mut(&path) {
            Some(entry) if entry.is_asked || seen.is_something() => entry.seen = seen,
            Some(_) => drop(self.entries.remove(&path)),
            None if seen.is_something() => {
                let entry = Entry { seen, interest: Interest::Presence, is_asked: false, rewritten: None };
                self.entries.insert(path, entry);
            }
            None => {}
        }
    }

    /// Notes that a path was written without any change.
    pub(super) fn rewritten(&mut self, path: &Path, now: Instant) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.rewritten = Some(now);
        }
    }

    /// What was written without any change at this time or later.
    pub(super) fn rewritten_since(&self, time: Instant) -> Vec<PathBuf> {
        let is_since = |entry: &Entry| entry.rewritten.is_some_and(|rewritten| rewritten >= time);
        self.entries.iter().filter(|(_, entry)| is_since(entry)).map(|(path, _)| path.clone()).collect()
    }

    /// Files of which the content counts and was not read yet.
    pub(super) fn unread(&self) -> impl Iterator<Item = &Path> {
        let is_unread = |entry: &Entry| entry.interest == Interest::Content && entry.seen.is_unread();
        self.entries.iter().filter(move |(_, entry)| is_unread(entry)).map(|(path, _)| path.as_path())
    }

    /// Every path that was asked for.
    pub(super) fn asked(&self) -> impl Iterator<Item = &Path> {
        self.entries.iter().filter(|(_, entry)| entry.is_asked).map(|(path, _)| path.as_path())
    }

    /// Every path of which something is known.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.entries.keys().map(PathBuf::as_path)
    }

    /// Everything in folders of packages.
    pub(super) fn packages(&self) -> impl Iterator<Item = &Path> {
        self.paths().filter(|path| packages(path).is_some())
    }

    /// Folders whose names count: those listed and walked, and all below the latter.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = self.listed.iter().cloned().collect();
        for folder in &self.walked {
            all.push(folder.clone());
            walk_folders(folder, &mut all);
        }
        all
    }
}

/// Whether a path lies below one of these folders.
fn is_below(folders: &BTreeSet<PathBuf>, path: &Path) -> bool {
    !folders.is_empty() && path.ancestors().skip(1).any(|folder| folders.contains(folder))
}

/// What lies in a folder. One that cannot be read has nothing in it.
fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Adds everything below a folder. Links are not followed: what they lead to is asked for by its own path.
fn walk(folder: &Path, all: &mut Vec<PathBuf>) {
    for path in names(folder) {
        if is_folder(&path) {
            walk(&path, all);
        }
        all.push(path);
    }
}

/// Adds all folders below a folder.
fn walk_folders(folder: &Path, all: &mut Vec<PathBuf>) {
    for path in names(folder).into_iter().filter(|path| is_folder(path)) {
        walk_folders(&path, all);
        all.push(path);
    }
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}
