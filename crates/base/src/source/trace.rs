//! Everything that was asked of a disk, with what it answered: whoever gets the same answers again need not work again.
//!
//! A trace is compared with the disk question by question. Most are answered by one look at each path: what is at it, and
//! whether a file still has the [`Stamp`] that it had. Where that leaves a doubt, the file is read; what may be read is
//! judged anew.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    disk::Disk,
    stamp::Stamp,
    tree::{Kind, Sources},
};

/// Questions and answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// What each tree of files allows besides what the first one does.
    pub(super) allowed: Vec<Vec<PathBuf>>,
    /// What was asked about each path, with the number of the tree that was asked; in the order of the paths.
    pub(super) asked: Vec<(PathBuf, usize, Answers)>,
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

/// What was answered about a path, as far as it was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answers {
    pub(super) kind: Option<Answer<Kind>>,
    pub(super) link_kind: Option<Answer<Kind>>,
    /// None inside for the path itself.
    pub(super) canonical: Option<Answer<Option<PathBuf>>>,
    pub(super) content: Option<Answer<Content>>,
    /// A hash of the names.
    pub(super) names: Option<Answer<u128>>,
    /// Hashes of what was found, of where a link leads, and of why something is refused.
    pub(super) walked: Option<u128>,
    pub(super) link: Option<Answer<u128>>,
    pub(super) refusal: Option<u128>,
}

/// An answer, or the hash of the error that there was instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Answer<T> {
    Is(T),
    Failed(u128),
}

/// The content of a file.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Content {
    pub(super) hash: u128,
    pub(super) stamp: Stamp,
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        (self.hash, self.stamp.is_executable) == (other.hash, other.stamp.is_executable)
    }
}

impl Eq for Content {}

impl<T> Answer<T> {
    pub(super) fn new(answer: io::Result<T>) -> Self {
        match answer {
            Ok(answer) => Self::Is(answer),
            Err(error) => Self::failed(&error),
        }
    }

    pub(super) fn failed(error: &io::Error) -> Self {
        Self::Failed(hash_of(error))
    }
}

/// The hash of something that is told apart by how it is shown to programmers.
pub(super) fn hash_of(value: &dyn std::fmt::Debug) -> u128 {
    xxh3_128(format!("{value:?}").as_bytes())
}

impl Answers {
    /// What was asked for and was there: content, names, and all that is known without reading.
    pub(super) fn succeeded(&self) -> [Option<bool>; 6] {
        fn is<T>(answer: Option<&Answer<T>>) -> Option<bool> {
            answer.map(|answer| matches!(answer, Answer::Is(_)))
        }
        let Self { kind, link_kind, canonical, content, names, link, walked: _, refusal: _ } = self;
        let looks = [is(kind.as_ref()), is(link_kind.as_ref()), is(canonical.as_ref()), is(link.as_ref())];
        let [kind, link_kind, canonical, link] = looks;
        [is(content.as_ref()), is(names.as_ref()), kind, link_kind, canonical, link]
    }

    /// Adds answers to other questions. False, if one question has another answer already.
    pub(super) fn add(&mut self, others: &Self) -> bool {
        fn add<T: Clone + PartialEq>(known: &mut Option<T>, other: Option<&T>) -> bool {
            other.is_none_or(|other| known.get_or_insert_with(|| other.clone()) == other)
        }
        let Self { kind, link_kind, canonical, content, names, walked, link, refusal } = others;
        [
            add(&mut self.kind, kind.as_ref()),
            add(&mut self.link_kind, link_kind.as_ref()),
            add(&mut self.canonical, canonical.as_ref()),
            add(&mut self.content, content.as_ref()),
            add(&mut self.names, names.as_ref()),
            add(&mut self.walked, walked.as_ref()),
            add(&mut self.link, link.as_ref()),
            add(&mut self.refusal, refusal.as_ref()),
        ]
        .iter()
        .all(|agrees| *agrees)
    }
}

impl Content {
    pub(super) fn new(bytes: &[u8], stamp: Stamp) -> Self {
        Self { hash: xxh3_128(bytes), stamp }
    }
}

impl Trace {
    /// Compares the trace with the disk that it is a trace of.
    pub fn compare(&mut self, disk: &Disk) -> Verdict {
        let disks = self.allowed.iter().map(|folders| disk.with(folders));
        let mut now = Now { disks: [disk.clone()].into_iter().chain(disks).collect(), folder: None };
        let mut verdict = Verdict::Same;
        for (path, tree, answers) in &mut self.asked {
            match now.compare(path, *tree, answers) {
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

impl Now {
    fn compare(&mut self, path: &Path, tree: usize, answers: &mut Answers) -> Verdict {
        let Some(disk) = self.disks.get(tree).cloned() else { return Verdict::Different };
        let metadata = fs::symlink_metadata(path);
        let (kind, real) = match &metadata {
            Ok(metadata) if !metadata.is_symlink() => (Ok(metadata.file_type().into()), self.real(path)),
            Ok(_) => (disk.kind(path), fs::canonicalize(path)),
            // No link leads further from there.
            Err(error) => (Err(copy_of(error)), Err(copy_of(error))),
        };
        let link_kind = metadata.as_ref().map(|metadata| metadata.file_type().into()).map_err(copy_of);
        let is_same = is_same(answers.kind.as_ref(), || kind)
            && is_same(answers.link_kind.as_ref(), || link_kind)
            && is_same(answers.canonical.as_ref(), || match &real {
                Ok(real) => Ok((real.as_os_str() != path.as_os_str()).then(|| real.clone())),
                Err(error) => Err(copy_of(error)),
            })
            && is_same(answers.names.as_ref(), || disk.list(path).map(|names| hash_of(&names)))
            && is_same(answers.link.as_ref(), || disk.read_link(path).map(|link| hash_of(&link)))
            && answers.walked.is_none_or(|walked| walked == hash_of(&disk.walk(path)))
            && answers.refusal.is_none_or(|refusal| refusal == hash_of(&disk.refusal(path)));
        match &mut answers.content {
            _ if !is_same => Verdict::Different,
            None => Verdict::Same,
            Some(Answer::Failed(error)) => same_if(disk.read(path).is_err_and(|now| hash_of(&now) == *error)),
            Some(Answer::Is(content)) => match real {
                Ok(real) => {
                    // Of what is no link, one look has told everything.
                    let known = metadata.ok().filter(|metadata| !metadata.is_symlink());
                    let stamp = known.map_or_else(|| disk.stamp(&real), |metadata| Stamp::of(&metadata));
                    compare_content(&disk, path, &real, stamp, content)
                }
                Err(_) => Verdict::Different,
            },
        }
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

fn is_same<T: PartialEq>(answered: Option<&Answer<T>>, now: impl FnOnce() -> io::Result<T>) -> bool {
    answered.is_none_or(|answered| Answer::new(now()) == *answered)
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
