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
    hash::Hash,
    reach::Refused,
    stamp::Stamp,
    trace::{Answer, Answers, Content, NO_TREE, News, Noted, Outcome, Trace, Verdict},
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
    /// Adds what others have asked for.
    pub fn extend(&mut self, others: &Self) {
        let Self { read, listed, walked, found, missed } = self;
        let sets = [(read, &others.read), (listed, &others.listed), (walked, &others.walked)];
        for (set, others) in sets.into_iter().chain([(found, &others.found), (missed, &others.missed)]) {
            set.extend(others.iter().cloned());
        }
    }

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
    tree: u32,
    allowed: Vec<PathBuf>,
    asked: Arc<Mutex<Asked>>,
}

#[derive(Default)]
struct Asked {
    trees: Vec<Vec<PathBuf>>,
    answers: FxHashMap<Arc<Path>, Answers>,
    /// Whether one question had two answers.
    is_inconsistent: bool,
    /// Counts what was new, apart from contents.
    revision: u64,
    /// What others have noted apart that watch one of the trees, and what that one allows besides: it counts here, too.
    apart: Vec<(Vec<PathBuf>, Arc<Mutex<Asked>>)>,
}

impl Watched {
    /// Notes what `sources` are asked for from now on. If that is noted already, it stands in one place only.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        let asked: Arc<Mutex<Asked>> = Arc::default();
        let outer = sources.watched().map(|outer| {
            lock(&outer.asked).apart.push((outer.allowed.clone(), Arc::clone(&asked)));
            Arc::clone(&outer.sources)
        });
        Self { sources: outer.unwrap_or(sources), tree: 0, allowed: Vec::new(), asked }
    }

    /// All questions and answers; none if one question had two answers, since something has changed in between.
    pub fn trace(&self) -> Option<Trace> {
        let Asked { trees, answers, is_inconsistent, .. } = Asked::all(&self.asked);
        let mut asked: Vec<_> = answers.into_iter().collect();
        // By their bytes, so that paths in one folder are beside each other.
        asked.sort_unstable_by(|a, b| a.0.as_os_str().cmp(b.0.as_os_str()));
        (!is_inconsistent).then_some(Trace { allowed: trees, asked })
    }

    /// Another number whenever a question was asked for the first time, or what it leads to had come, gone or become something else.
    pub fn revision(&self) -> u64 {
        Asked::revision(&self.asked)
    }

    /// Everything that was asked for, by the last answers.
    pub fn dependencies(&self) -> Dependencies {
        let mut all = Dependencies::default();
        let mut asked: Vec<_> = Asked::all(&self.asked).answers.into_iter().collect();
        asked.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (path, answers) in asked {
            self.sort(&path, &answers, &mut all);
        }
        all
    }

    /// Notes in which ways a path was asked for, and of one behind a link also what that leads to.
    fn sort(&self, path: &Path, answers: &Answers, all: &mut Dependencies) {
        let (mut is_read, mut is_listed, mut is_walked, mut is_found, mut is_missed) = Default::default();
        for Noted { answer, .. } in answers.iter() {
            let way = match answer {
                Answer::Content(_) => &mut is_read,
                Answer::Names(_) => &mut is_listed,
                Answer::Walked(_) => &mut is_walked,
                _ => &mut is_found,
            };
            let is_there = answer.succeeded().unwrap_or_else(|| self.sources.kind(path).is_ok());
            *if is_there { way } else { &mut is_missed } = true;
        }

        let target = self.sources.canonicalize(path).ok().filter(|target| target != path);
        // What may not be read, or is of another kind, is there.
        let is_found_all_the_same = is_missed && (target.is_some() || self.sources.link_kind(path).is_ok());
        let ways = [
            (is_read, &mut all.read),
            (is_listed, &mut all.listed),
            (is_walked, &mut all.walked),
            (is_found || is_found_all_the_same, &mut all.found),
        ];
        for (_, set) in ways.into_iter().filter(|(is_so, _)| *is_so) {
            set.extend([path.to_owned()].into_iter().chain(target.clone()));
        }
        if is_missed && !is_found_all_the_same {
            all.missed.insert(path.to_owned());
        }
    }

    /// Notes an answer.
    fn note(&self, path: &Path, answer: Answer) {
        let mut asked = lock(&self.asked);
        let noted = Noted { tree: self.tree, answer };
        let news = if let Some(known) = asked.answers.get_mut(path) {
            known.renew(noted)
        } else {
            asked.answers.insert(path.into(), Answers::of(noted));
            News::Question
        };
        asked.is_inconsistent |= matches!(news, News::Answer | News::Content);
        asked.revision += u64::from(matches!(news, News::Question | News::Answer));
    }
}

impl Asked {
    /// All that was noted, there and apart.
    fn all(asked: &Mutex<Self>) -> Self {
        let asked = lock(asked);
        let mut all = Self {
            trees: asked.trees.clone(),
            answers: asked.answers.clone(),
            is_inconsistent: asked.is_inconsistent,
            revision: 0,
            apart: Vec::new(),
        };
        for (allowed, apart) in &asked.apart {
            let Self { trees, answers, is_inconsistent, .. } = Self::all(apart);
            all.is_inconsistent |= is_inconsistent;
            all.add(allowed, &trees, answers.iter());
        }
        all
    }

    fn revision(asked: &Mutex<Self>) -> u64 {
        let asked = lock(asked);
        let apart: u64 = asked.apart.iter().map(|(_, apart)| Self::revision(apart)).sum();
        asked.revision + apart
    }

    /// Adds answers of the tree that allows this besides what the first one does, and of those that allow even more.
    fn add<'a>(
        &mut self,
        allowed: &[PathBuf],
        wider: &[Vec<PathBuf>],
        answers: impl Iterator<Item = (&'a Arc<Path>, &'a Answers)>,
    ) {
        let wider = wider.iter().map(|folders| [allowed, folders].concat());
        let trees: Vec<u32> = [allowed.to_vec()].into_iter().chain(wider).map(|allowed| self.tree(&allowed)).collect();
        for (path, answers) in answers {
            let answers = answers.with_trees(&trees);
            if let Some(known) = self.answers.get_mut(path) {
                for noted in answers.iter() {
                    self.is_inconsistent |= !known.add(noted.clone());
                }
            } else {
                self.answers.insert(Arc::clone(path), answers);
            }
        }
    }

    /// The number of the tree that allows this besides what the first one does.
    fn tree(&mut self, allowed: &[PathBuf]) -> u32 {
        if allowed.is_empty() {
            return 0;
        }
        let known = self.trees.iter().position(|tree| tree == allowed);
        let place = known.unwrap_or_else(|| {
            self.trees.push(allowed.to_vec());
            self.trees.len() - 1
        });
        u32::try_from(1 + place).unwrap_or(NO_TREE)
    }
}

fn lock(asked: &Mutex<Asked>) -> MutexGuard<'_, Asked> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sources for Watched {
    fn allowing(&self, folders: &[PathBuf]) -> Arc<dyn Sources> {
        let allowed = [&self.allowed, folders].concat();
        let tree = lock(&self.asked).tree(&allowed);
        let sources = self.sources.allowing(folders);
        Arc::new(Self { sources, tree, allowed, asked: Arc::clone(&self.asked) })
    }

    fn refusal(&self, path: &Path) -> Option<Refused> {
        let refusal = self.sources.refusal(path);
        self.note(path, Answer::Refusal(Hash::of_shown(&refusal)));
        refusal
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        // Taken first: what changes while the file is read has another one.
        let stamp = self.sources.stamp(path);
        let answer = self.sources.read(path);
        self.note(path, Answer::Content(Outcome::of(&answer, |bytes| Content::new(bytes, stamp))));
        answer
    }

    fn kind(&self, path: &Path) -> io::Result<Kind> {
        let answer = self.sources.kind(path);
        self.note(path, Answer::Kind(Outcome::of(&answer, |kind| *kind)));
        answer
    }

    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        let answer = self.sources.link_kind(path);
        self.note(path, Answer::LinkKind(Outcome::of(&answer, |kind| *kind)));
        answer
    }

    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        let answer = self.sources.read_link(path);
        self.note(path, Answer::Link(Outcome::of(&answer, |target| Hash::of_path(target))));
        answer
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let answer = self.sources.canonicalize(path);
        self.note(path, Answer::Canonical(Outcome::of(&answer, |real| Hash::of_path(real))));
        answer
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let answer = self.sources.list(folder);
        self.note(folder, Answer::Names(Outcome::of(&answer, |names| Hash::of_shown(names))));
        answer
    }

    fn walk(&self, folder: &Path) -> Vec<Found> {
        let found = self.sources.walk(folder);
        // What a link in it leads to may lie elsewhere.
        for file in &found {
            let _ = self.kind(&file.path);
        }
        self.note(folder, Answer::Walked(Hash::of_shown(&found)));
        found
    }

    fn stamp(&self, path: &Path) -> Stamp {
        self.sources.stamp(path)
    }

    fn compare(&self, earlier: &mut Trace) -> Verdict {
        let verdict = self.sources.compare(earlier);
        if verdict != Verdict::Different {
            let Trace { allowed, asked } = &*earlier;
            let answers = asked.iter().map(|(path, answers)| (path, answers));
            lock(&self.asked).add(&self.allowed, allowed, answers);
        }
        verdict
    }

    fn watched(&self) -> Option<&Watched> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

    use super::{Dependencies, Watched, lock};
    use crate::source::{Disk, Memory, Sources};

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
    fn the_last_answer_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        let watched = Watched::new(Arc::new(Disk::of_project(&root)));
        let (file, names) = (root.join("a.txt"), root.join("names"));
        let ask = || drop((watched.read(&file), watched.list(&names)));
        let mut revisions = vec![watched.revision()];
        let mut dependencies = Vec::new();
        let write = || fs::write(&file, "a").expect("a file");
        let steps: [&dyn Fn(); 5] = [
            &|| {},
            &|| {},
            &|| (write(), fs::create_dir(&names).expect("a folder")).1,
            &|| (fs::write(&file, "b").expect("a file"), fs::write(names.join("c"), "").expect("a file")).1,
            &|| fs::remove_file(&file).expect("no file"),
        ];
        for step in steps {
            step();
            ask();
            revisions.push(watched.revision());
            let Dependencies { read, listed, missed, .. } = watched.dependencies();
            dependencies.push([read.contains(&file), listed.contains(&names), missed.contains(&file)]);
        }
        let is_new: Vec<bool> = revisions.windows(2).map(|pair| pair[0] != pair[1]).collect();
        assert_eq!(is_new, [true, false, true, false, true]);
        assert_eq!(dependencies[1], [false, false, true]);
        assert_eq!(dependencies[2..4], [[true, true, false]; 2]);
        assert_eq!(dependencies[4], [false, true, true]);
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
    fn what_is_noted_apart_counts_for_both_and_stands_in_one_place() {
        let outer = watched();
        assert!(outer.read(Path::new("/p/routes.toml")).is_ok());
        let inner = Watched::new(outer.allowing(&["/elsewhere".into()]));
        assert!(inner.read(Path::new("/p/site/pages/index.tsx")).is_ok());
        let even_wider = inner.allowing(&["/other".into()]);
        assert!(even_wider.read(Path::new("/p/site/pages/index.tsx")).is_ok());

        let read = |watched: &Watched| watched.dependencies().read;
        assert_eq!(read(&inner), BTreeSet::from(["/p/site/pages/index.tsx".into()]));
        assert_eq!(read(&outer), BTreeSet::from(["/p/routes.toml".into(), "/p/site/pages/index.tsx".into()]));
        assert_eq!(lock(&outer.asked).answers.len(), 1);

        let allowed = |watched: &Watched| watched.trace().unwrap().allowed;
        assert_eq!(allowed(&inner), [[Path::new("/other")]]);
        assert_eq!(
            allowed(&outer),
            [vec![Path::new("/elsewhere")], vec![Path::new("/elsewhere"), Path::new("/other")]]
        );
        let trees = |watched: &Watched| {
            let trace = watched.trace().unwrap();
            let answers = trace.asked.iter().filter(|(path, _)| path.ends_with("index.tsx"));
            answers.flat_map(|(_, answers)| answers.iter().map(|noted| noted.tree)).collect::<Vec<_>>()
        };
        assert_eq!((trees(&inner), trees(&outer)), (vec![0, 1], vec![1, 2]));
    }

    #[test]
    fn two_answers_to_one_question_are_no_trace_wherever_they_were_noted() {
        let changing = |texts: [&'static str; 2]| {
            let outer = Watched::new(Arc::new(Memory::new([("/p/a.txt", texts[0])])));
            assert!(outer.read(Path::new("/p/a.txt")).is_ok());
            let mut inner = Watched::new(Arc::new(outer.clone()));
            inner.sources = Arc::new(Memory::new([("/p/a.txt", texts[1])]));
            assert!(inner.read(Path::new("/p/a.txt")).is_ok());
            (outer.trace().is_some(), inner.trace().is_some())
        };
        assert_eq!(changing(["text", "text"]), (true, true));
        assert_eq!(changing(["text", "next"]), (false, true));
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
