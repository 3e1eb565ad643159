//! Everything that was asked of a disk, with what it answered: whoever gets the same answers again need not work again.
//!
//! A trace is compared with the disk question by question. Most are answered by one look at each path: what is at it, and
//! whether a file still has the [`Stamp`] that it had. Where that leaves a doubt, the file is read; what may be read is
//! judged anew.

use std::{
    fs, io,
    mem::discriminant,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    disk::Disk,
    hash::Hash,
    stamp::Stamp,
    tree::{Kind, Sources},
};

/// Questions and answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// What each tree of files allows besides what the first one does.
    pub(super) allowed: Vec<Vec<PathBuf>>,
    /// What was answered about each path; in the order of the paths.
    pub(super) asked: Vec<(Arc<Path>, Answers)>,
}

/// What comparing a trace with a disk gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every answer is the same.
    Same,
    /// So it is, and the next comparison has less to read: the trace has changed.
    Renewed,
    /// Some answer is another one.
    Different,
}

/// The number of none, of which there is no answer.
pub(super) const NO_TREE: u32 = u32::MAX;

/// What was answered about a path, each question once. Most paths are asked one or two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answers(Arc<[Noted]>);

/// What a tree of files, known by its number, has answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Noted {
    pub(super) tree: u32,
    pub(super) answer: Answer,
}

/// A question about a path, and its answer. What is large is there as its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer {
    Kind(Outcome<Kind>),
    LinkKind(Outcome<Kind>),
    Canonical(Outcome<Hash>),
    Content(Outcome<Content>),
    /// The names in a folder.
    Names(Outcome<Hash>),
    /// Everything that was found below a folder.
    Walked(Hash),
    /// Where a link leads.
    Link(Outcome<Hash>),
    /// Why it may not be read.
    Refusal(Hash),
}

/// What the system gave, or the hash of the error that there was instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Outcome<T> {
    Is(T),
    Failed(Hash),
}

/// The content of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Content {
    hash: Hash,
    stamp: Stamp,
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        (self.hash, self.stamp.is_executable) == (other.hash, other.stamp.is_executable)
    }
}

impl Eq for Content {}

impl<T> Outcome<T> {
    pub(super) fn of<R>(result: &io::Result<R>, note: impl FnOnce(&R) -> T) -> Self {
        match result {
            Ok(result) => Self::Is(note(result)),
            Err(error) => Self::Failed(Hash::of_shown(error)),
        }
    }

    fn succeeded(&self) -> bool {
        matches!(self, Self::Is(_))
    }
}

impl Answer {
    /// What is new about an answer to the same question, which is another one.
    fn news(&self, newer: &Self) -> News {
        let is_of_content = matches!(self, Self::Content(_) | Self::Names(_) | Self::Walked(_));
        if is_of_content && self.succeeded() == newer.succeeded() { News::Content } else { News::Answer }
    }

    /// Whether what was asked for was there; of what has no errors, nothing is known.
    pub(super) fn succeeded(&self) -> Option<bool> {
        match self {
            Self::Kind(kind) | Self::LinkKind(kind) => Some(kind.succeeded()),
            Self::Content(content) => Some(content.succeeded()),
            Self::Canonical(hash) | Self::Names(hash) | Self::Link(hash) => Some(hash.succeeded()),
            Self::Walked(_) | Self::Refusal(_) => None,
        }
    }
}

/// What was new about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    None,
    Question,
    /// There is something else than before, or nothing.
    Answer,
    /// Something else is in what is there.
    Content,
}

impl Answers {
    pub(super) fn of(first: Noted) -> Self {
        Self(Arc::new([first]))
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Noted> {
        self.0.iter()
    }

    /// Adds an answer. False, if the question has another one already.
    pub(super) fn add(&mut self, noted: Noted) -> bool {
        if let Some(known) = self.to_the_same(&noted) {
            return self.0[known] == noted;
        }
        self.0 = self.iter().cloned().chain([noted]).collect();
        true
    }

    /// Notes an answer in the place of the last one to the same question. What was new about it is returned.
    pub(super) fn renew(&mut self, noted: Noted) -> News {
        match self.to_the_same(&noted) {
            None => {
                self.add(noted);
                News::Question
            }
            Some(known) if self.0[known] == noted => News::None,
            Some(known) => {
                let news = self.0[known].answer.news(&noted.answer);
                let others = self.iter().enumerate().filter(|(number, _)| *number != known);
                self.0 = others.map(|(_, other)| other.clone()).chain([noted]).collect();
                news
            }
        }
    }

    /// The number of the answer to the question that another one is to.
    fn to_the_same(&self, noted: &Noted) -> Option<usize> {
        let is_asked =
            |known: &Noted| known.tree == noted.tree && discriminant(&known.answer) == discriminant(&noted.answer);
        self.iter().position(is_asked)
    }

    /// The same answers of trees that have other numbers.
    pub(super) fn with_trees(&self, trees: &[u32]) -> Self {
        let number = |tree| usize::try_from(tree).ok().and_then(|tree| trees.get(tree)).copied().unwrap_or(NO_TREE);
        if self.iter().all(|noted| number(noted.tree) == noted.tree) {
            return self.clone();
        }
        Self(self.iter().map(|noted| Noted { tree: number(noted.tree), ..noted.clone() }).collect())
    }
}

impl Content {
    pub(super) fn new(bytes: &[u8], stamp: Stamp) -> Self {
        Self { hash: Hash::of(bytes), stamp }
    }
}

impl Trace {
    /// Compares the trace with the disk that it is a trace of.
    pub fn compare(&mut self, disk: &Disk) -> Verdict {
        let disks = self.allowed.iter().map(|folders| disk.with(folders));
        let mut now = Now { disks: [disk.clone()].into_iter().chain(disks).collect(), folder: None };
        let mut verdict = Verdict::Same;
        for (path, answers) in &mut self.asked {
            match now.compare(path, answers) {
                Verdict::Same => {}
                Verdict::Renewed => verdict = Verdict::Renewed,
                Verdict::Different => return Verdict::Different,
            }
        }
        verdict
    }
}

/// The disk as it is.
struct Now {
    disks: Vec<Disk>,
    /// The folder that was looked at last, and where it really is: most paths lie in the one of the path before.
    folder: Option<(PathBuf, PathBuf)>,
}

/// What one look at a path has told.
struct Look<'a> {
    path: &'a Path,
    metadata: io::Result<fs::Metadata>,
    real: io::Result<PathBuf>,
}

impl Now {
    fn compare(&mut self, path: &Path, answers: &mut Answers) -> Verdict {
        let look = self.look(path);
        let mut verdict = Verdict::Same;
        for Noted { tree, answer } in Arc::make_mut(&mut answers.0) {
            let disk = usize::try_from(*tree).ok().and_then(|tree| self.disks.get(tree));
            match disk.map_or(Verdict::Different, |disk| look.compare(disk, answer)) {
                Verdict::Same => {}
                Verdict::Renewed => verdict = Verdict::Renewed,
                Verdict::Different => return Verdict::Different,
            }
        }
        verdict
    }

    fn look<'a>(&mut self, path: &'a Path) -> Look<'a> {
        let metadata = fs::symlink_metadata(path);
        let real = match &metadata {
            Ok(metadata) if !metadata.is_symlink() => self.real(path),
            Ok(_) => fs::canonicalize(path),
            // No link leads further from there.
            Err(error) => Err(copy_of(error)),
        };
        Look { path, metadata, real }
    }

    /// Where a path leads that is no link itself.
    fn real(&mut self, path: &Path) -> io::Result<PathBuf> {
        match (path.parent(), path.file_name()) {
            // Elsewhere a path may be spelled in other letters than its file.
            (Some(folder), Some(name)) if cfg!(target_os = "linux") => Ok(self.real_folder(folder)?.join(name)),
            _ => fs::canonicalize(path),
        }
    }

    fn real_folder(&mut self, folder: &Path) -> io::Result<&Path> {
        let known = self.folder.take().filter(|(last, _)| last.as_os_str() == folder.as_os_str());
        let found = match known {
            Some(found) => found,
            None => (folder.to_owned(), fs::canonicalize(folder)?),
        };
        Ok(&self.folder.insert(found).1)
    }
}

impl Look<'_> {
    /// Compares an answer with what the disk says now.
    fn compare(&self, disk: &Disk, answer: &mut Answer) -> Verdict {
        let path = self.path;
        let is_same = match answer {
            Answer::Kind(kind) => *kind == self.kind(disk),
            Answer::LinkKind(kind) => *kind == self.link_kind(),
            Answer::Canonical(real) => *real == Outcome::of(&self.real, |real| Hash::of_path(real)),
            Answer::Content(content) => return self.compare_content(disk, content),
            Answer::Names(names) => *names == Outcome::of(&disk.list(path), |names| Hash::of_shown(names)),
            Answer::Walked(found) => *found == Hash::of_shown(&disk.walk(path)),
            Answer::Link(target) => *target == Outcome::of(&disk.read_link(path), |target| Hash::of_path(target)),
            Answer::Refusal(refusal) => *refusal == Hash::of_shown(&disk.refusal(path)),
        };
        same_if(is_same)
    }

    fn kind(&self, disk: &Disk) -> Outcome<Kind> {
        match &self.metadata {
            Ok(metadata) if metadata.is_symlink() => Outcome::of(&disk.kind(self.path), |kind| *kind),
            _ => self.link_kind(),
        }
    }

    fn link_kind(&self) -> Outcome<Kind> {
        Outcome::of(&self.metadata, |metadata| metadata.file_type().into())
    }

    fn compare_content(&self, disk: &Disk, content: &mut Outcome<Content>) -> Verdict {
        match (content, &self.real) {
            (Outcome::Is(content), Ok(real)) => {
                // Of what is no link, one look has told everything.
                let known = self.metadata.as_ref().ok().filter(|metadata| !metadata.is_symlink());
                let stamp = known.map_or_else(|| disk.stamp(real), Stamp::of);
                compare_content(disk, self.path, real, stamp, content)
            }
            (Outcome::Is(_), Err(_)) => Verdict::Different,
            (failed, _) => {
                same_if(*failed == Outcome::of(&disk.read(self.path), |bytes| Content::new(bytes, Stamp::default())))
            }
        }
    }
}

/// Compares a file with what it was, and renews its stamp if it had to be read for that.
fn compare_content(disk: &Disk, path: &Path, real: &Path, stamp: Stamp, content: &mut Content) -> Verdict {
    if disk.judge(path, real).is_err() {
        return Verdict::Different;
    }
    if stamp.proves(&content.stamp) {
        return Verdict::Same;
    }
    let Ok(bytes) = disk.read(path) else { return Verdict::Different };
    let now = Content::new(&bytes, stamp);
    if now != *content {
        return Verdict::Different;
    }
    let is_renewed = now.stamp != content.stamp;
    *content = now;
    if is_renewed { Verdict::Renewed } else { Verdict::Same }
}

fn same_if(is_same: bool) -> Verdict {
    if is_same { Verdict::Same } else { Verdict::Different }
}

/// The same error of the system once more.
fn copy_of(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error.kind().into(),
    }
}

#[cfg(all(test, unix))]
mod tests;
