//! A tree of files that notes what it is asked for and what it answers, so that a watcher can be told what a build depends
//! on, and a later build whether anything has changed.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rustc_hash::FxHashMap;

use super::{
    reach::Refused,
    stamp::Stamp,
    trace::{Answer, Answers, Content, Trace, Verdict, hash_of},
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
    /// The number of the tree, and what it allows besides.
    tree: usize,
    allowed: Vec<PathBuf>,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default)]
struct Asked {
    trees: Vec<Vec<PathBuf>>,
    answers: FxHashMap<(PathBuf, usize), Answers>,
    /// Whether one question had two answers.
    is_inconsistent: bool,
}

impl Watched {
    /// Notes what `sources` are asked for from now on.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        Self { sources, tree: 0, allowed: Vec::new(), asked: Arc::default() }
    }

    /// All questions and answers; none if one question had two answers, since something has changed in between.
    pub fn trace(&self) -> Option<Trace> {
        let asked = self.asked();
        let answers = asked.answers.iter().map(|((path, tree), answers)| (path.clone(), *tree, answers.clone()));
        let mut answers: Vec<_> = answers.collect();
        // By their bytes, so that paths in one folder are beside each other.
        answers.sort_unstable_by(|a, b| (a.0.as_os_str(), a.1).cmp(&(b.0.as_os_str(), b.1)));
        (!asked.is_inconsistent).then(|| Trace { allowed: asked.trees.clone(), asked: answers })
    }

    /// Everything that was asked for.
    pub fn dependencies(&self) -> Dependencies {
        let mut all = Dependencies::default();
        let asked: Vec<_> =
            self.asked().answers.iter().map(|((path, _), answers)| (path.clone(), answers.clone())).collect();
        for (path, answers) in asked {
            self.sort(&path, &answers, &mut all);
        }
        all
    }

    /// Notes in which ways a path was asked for, and of one behind a link also what that leads to.
    fn sort(&self, path: &Path, answers: &Answers, all: &mut Dependencies) {
        let is_there = || self.sources.kind(path).is_ok();
        let [read, listed, others @ ..] = answers.succeeded();
        let walked = answers.walked.map(|_| is_there());
        let found = others.into_iter().chain([answers.refusal.map(|_| is_there())]);
        let found: Vec<Option<bool>> = found.collect();
        let is_missed = found.iter().chain(&[read, listed, walked]).any(|succeeded| *succeeded == Some(false));

        let target = self.sources.canonicalize(path).ok().filter(|target| target != path);
        // What may not be read, or is of another kind, is there.
        let is_found_all_the_same = is_missed && (target.is_some() || self.sources.link_kind(path).is_ok());
        let ways = [
            (read == Some(true), &mut all.read),
            (listed == Some(true), &mut all.listed),
            (walked == Some(true), &mut all.walked),
            (found.contains(&Some(true)) || is_found_all_the_same, &mut all.found),
        ];
        for (_, set) in ways.into_iter().filter(|(is_so, _)| *is_so) {
            set.extend([path.to_owned()].into_iter().chain(target.clone()));
        }
        if is_missed && !is_found_all_the_same {
            all.missed.insert(path.to_owned());
        }
    }

    /// Notes all questions of a trace of this tree.
    fn note_all(&self, trace: &Trace) {
        let mut asked = self.asked();
        let others = trace.allowed.iter().map(|folders| asked.tree(&[&self.allowed[..], folders].concat()));
        let trees: Vec<usize> = [self.tree].into_iter().chain(others).collect();
        for (path, tree, answers) in &trace.asked {
            let Some(tree) = trees.get(*tree) else { continue };
            let known = asked.answers.entry((path.clone(), *tree)).or_default();
            let agrees = known.add(answers);
            asked.is_inconsistent |= !agrees;
        }
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an answer.
    fn note<T: PartialEq>(&self, path: &Path, field: impl Fn(&mut Answers) -> &mut Option<T>, answer: T) {
        let mut asked = self.asked();
        let known = field(asked.answers.entry((path.to_owned(), self.tree)).or_default());
        let is_other = known.as_ref().is_some_and(|known| *known != answer);
        known.get_or_insert(answer);
        asked.is_inconsistent |= is_other;
    }
}

impl Asked {
    /// The number of the tree that allows this besides what the first one does.
    fn tree(&mut self, allowed: &[PathBuf]) -> usize {
        let known = self.trees.iter().position(|tree| tree == allowed);
        1 + known.unwrap_or_else(|| {
            self.trees.push(allowed.to_vec());
            self.trees.len() - 1
        })
    }
}

/// What an answer is noted as.
fn noted<T, N>(answer: &io::Result<T>, note: impl FnOnce(&T) -> N) -> Answer<N> {
    match answer {
        Ok(answer) => Answer::Is(note(answer)),
        Err(error) => Answer::failed(error),
    }
}

impl Sources for Watched {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        let allowed = [&self.allowed, folders].concat();
        let tree = self.asked().tree(&allowed);
        let sources = self.sources.allowing(folders);
        Arc::new(Self { sources, tree, allowed, asked: Arc::clone(&self.asked) })
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        let refusal = self.sources.refusal(path);
        self.note(path, |answers| &mut answers.refusal, hash_of(&refusal));
        refusal
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Taken first: what changes while the file is read has another one.
        let stamp = self.sources.stamp(path);
        let answer = self.sources.read(path);
        self.note(path, |answers| &mut answers.content, noted(&answer, |bytes| Content::new(bytes, stamp)));
        answer
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let answer = self.sources.kind(path);
        self.note(path, |answers| &mut answers.kind, noted(&answer, |kind| *kind));
        answer
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        let answer = self.sources.link_kind(path);
        self.note(path, |answers| &mut answers.link_kind, noted(&answer, |kind| *kind));
        answer
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let answer = self.sources.read_link(path);
        self.note(path, |answers| &mut answers.link, noted(&answer, |link| hash_of(link)));
        answer
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let answer = self.sources.canonicalize(path);
        let real = noted(&answer, |real| (real != path).then(|| real.clone()));
        self.note(path, |answers| &mut answers.canonical, real);
        answer
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let answer = self.sources.list(folder);
        self.note(folder, |answers| &mut answers.names, noted(&answer, |names| hash_of(names)));
        answer
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let found = self.sources.walk(folder);
        // What a link in it leads to may lie elsewhere.
        for file in &found {
            let _ = self.kind(&file.path);
        }
        self.note(folder, |answers| &mut answers.walked, hash_of(&found));
        found
    }

    fn stamp(&self, path: &Path) -> Stamp {
        self.sources.stamp(path)
    }

    fn compare(&self, earlier: &mut Trace) -> Verdict {
        let verdict = self.sources.compare(earlier);
        if verdict != Verdict::Different {
            self.note_all(earlier);
        }
        verdict
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
