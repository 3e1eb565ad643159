//! Publishing that dies, at every step there is.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use portalgen_base::text::Text;

use super::{Guard, PublishError, Report, publish, publish_stepwise};
use crate::output::{OutputKind, OutputSet, Producer};

type Tree = BTreeMap<String, Vec<u8>>;

/// Four builds of one portal. Every page names the one asset it needs. `/move` is a file in one build and a folder in
/// the next, with files of each kind; pages and assets come and go.
fn build(version: usize) -> OutputSet {
    let mut set = OutputSet::new();
    let mut add = |path: &str, kind, text: String| {
        set.insert(path, kind, text, Producer::new(Text::verbatim(format!("build {version}")))).expect("no clash");
    };
    let asset = format!("assets/app-{}.js", version % 3);
    add(&asset, OutputKind::Asset, format!("script {}", version % 3));
    add("assets/same.css", OutputKind::Asset, "style".to_owned());
    for page in ["index.html", "about/index.html", "404.html"] {
        add(page, OutputKind::Page, format!("{page} of {version} needs {asset}"));
    }
    add("robots.txt", OutputKind::Data, format!("robots {}", version / 2));
    if version.is_multiple_of(2) {
        add("move", OutputKind::Page, format!("file of {version} needs {asset}"));
        add("gone/deep/index.html", OutputKind::Page, format!("even {version} needs {asset}"));
        add("back/a", OutputKind::Data, "a".to_owned());
        add("back/deep/b", OutputKind::Data, "b".to_owned());
    } else {
        add("move/index.html", OutputKind::Page, format!("folder of {version} needs move/x.js"));
        add("move/x.js", OutputKind::Asset, format!("moved {version}"));
        add("back", OutputKind::Data, format!("file {version}"));
    }
    set
}

struct Out {
    folder: tempfile::TempDir,
}

impl Out {
    fn new() -> Self {
        let out = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(out.root()).expect("a folder");
        out
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn dist(&self) -> PathBuf {
        self.root().join("dist")
    }

    fn publish(&self, set: &OutputSet) -> Report {
        publish(set, &self.dist(), Guard { root: &self.root(), sources: &[] }).expect("published")
    }

    /// Publishes until before the `limit`th step; `watch` is called before each. Whether it got to the end.
    fn publish_until(&self, set: &OutputSet, limit: usize, watch: &(dyn Fn() + Sync)) -> bool {
        let steps = AtomicUsize::new(0);
        let before_step = || {
            watch();
            if steps.fetch_add(1, Ordering::Relaxed) >= limit { Err(io::Error::other("killed")) } else { Ok(()) }
        };
        let guard = Guard { root: &self.root(), sources: &[] };
        match publish_stepwise(None, set, (&self.dist(), guard), &before_step).map(|(report, _)| report) {
            Ok(_) => true,
            Err(PublishError::Failed(_) | PublishError::Stopped(_)) => false,
            Err(refused) => panic!("refused at step {limit}: {refused}"),
        }
    }

    /// Every file but those in `.portalgen`.
    fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        read_tree(&self.dist(), &self.dist(), &mut tree);
        tree
    }
}

fn read_tree(root: &Path, folder: &Path, tree: &mut Tree) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.strip_prefix(root).expect("below").to_str().expect("UTF-8").to_owned();
        if name == ".portalgen" {
            continue;
        }
        if path.is_dir() {
            read_tree(root, &path, tree);
        } else {
            tree.insert(name, fs::read(&path).expect("read"));
        }
    }
}

fn expected(set: &OutputSet, foreign: &Tree) -> Tree {
    set.iter().map(|(path, file)| (path.clone(), file.content.read().into_owned())).chain(foreign.clone()).collect()
}

fn foreign_files(out: &Out) -> Tree {
    let files = [(".git/HEAD", "ref"), ("CNAME", "x.example"), ("about/notes.txt", "mine"), ("assets/theirs.js", "0")];
    for (path, text) in files {
        let file = out.dist().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        fs::write(file, text).expect("a file");
    }
    files.into_iter().map(|(path, text)| (path.to_owned(), text.into())).collect()
}

/// What must hold at every moment while the folder goes through `builds`.
fn check_moment(tree: &Tree, builds: &[&OutputSet], foreign: &Tree) {
    for (path, bytes) in tree {
        let is_whole = builds.iter().any(|set| set.get(path).is_some_and(|file| *file.content.read() == **bytes));
        assert!(is_whole || foreign.get(path) == Some(bytes), "{path} is neither old nor new");
        let text = String::from_utf8_lossy(bytes);
        if let Some((_, asset)) = text.split_once(" needs ") {
            assert!(tree.contains_key(asset), "{path} needs {asset}");
        }
    }
    assert!(foreign.iter().all(|(path, bytes)| tree.get(path) == Some(bytes)), "somebody else's file was touched");
    let always = |path: &str| builds.iter().all(|set| set.get(path).is_some());
    let paths: BTreeSet<_> = builds.iter().flat_map(|set| set.iter()).map(|(path, _)| path).collect();
    for path in paths.into_iter().filter(|path| always(path)) {
        assert!(tree.contains_key(path), "{path} is missing");
    }
}

#[test]
fn every_step_leaves_a_whole_portal_and_the_next_build_finishes() {
    let builds = [build(0), build(1), build(2)];
    let mut finished = false;
    let mut limit = 0;
    while !finished {
        let out = Out::new();
        out.publish(&builds[0]);
        let foreign = foreign_files(&out);
        let watch = || check_moment(&out.tree(), &[&builds[0], &builds[1]], &foreign);
        finished = out.publish_until(&builds[1], limit, &watch);
        watch();
        // Now one, two and three builds later.
        for next in [&builds[1], &builds[2], &builds[1]] {
            out.publish(next);
            assert_eq!(out.tree(), expected(next, &foreign), "after dying at step {limit}");
        }
        assert!(!out.dist().join(".portalgen/tmp").exists());
        limit += 1;
    }
    assert!(limit > 25, "only {limit} steps: is anything counted?");
}

#[test]
fn dying_twice_in_a_row_loses_track_of_nothing() {
    let builds = [build(0), build(1), build(2), build(3)];
    for first in (1..33).step_by(4) {
        for second in (0..33).step_by(5) {
            let out = Out::new();
            out.publish(&builds[0]);
            let foreign = foreign_files(&out);
            out.publish_until(&builds[1], first, &|| {});
            out.publish_until(&builds[2], second, &|| {});
            check_moment(&out.tree(), &[&builds[0], &builds[1], &builds[2]], &foreign);
            out.publish(&builds[3]);
            assert_eq!(out.tree(), expected(&builds[3], &foreign), "after dying at steps {first} and {second}");
        }
    }
}

#[test]
fn dying_in_the_first_build_leaves_a_folder_the_next_one_accepts() {
    for limit in 0..40 {
        let out = Out::new();
        out.publish_until(&build(1), limit, &|| {});
        out.publish(&build(2));
        assert_eq!(out.tree(), expected(&build(2), &Tree::new()), "after dying at step {limit}");
    }
}

#[test]
fn a_file_put_where_a_dead_build_meant_to_write_is_not_ours() {
    let out = Out::new();
    out.publish(&build(0));
    let mut next = build(3);
    next.insert("new.html", OutputKind::Page, "ours", Producer::new(Text::verbatim("a test"))).expect("no clash");
    // Lock, workshop, record made, record shown: that leaves the intentions on record and nothing done.
    assert!(!out.publish_until(&next, 4, &|| {}));
    let record = || fs::read_to_string(out.dist().join(".portalgen/manifest.json")).expect("a record");
    assert!(record().contains("pending") && record().contains("new.html"));
    let mine = out.dist().join("new.html");
    fs::write(&mine, "mine").expect("a file");
    let refused =
        publish(&next, &out.dist(), Guard { root: &out.root(), sources: &[] }).expect_err("mine is in the way");
    assert!(
        refused.to_string().contains("`dist/new.html` is in the way and was not written by portalgen"),
        "{refused}"
    );
    out.publish(&build(3));
    assert_eq!(fs::read(&mine).expect("still there"), b"mine");
    assert!(!record().contains("pending") && !record().contains("new.html"));
}

#[test]
fn a_file_put_where_a_dead_build_had_removed_ours_is_not_ours() {
    let out = Out::new();
    out.publish(&build(0));
    let mine = out.dist().join("gone/deep/index.html");
    let step = (0..99).find(|&step| out.publish_until(&build(1), step, &|| {}) || !mine.exists()).unwrap_or_default();
    let record = fs::read_to_string(out.dist().join(".portalgen/manifest.json")).expect("a record");
    assert!(record.contains("gone/deep"), "step {step} is not between the removal and the last record");
    fs::create_dir_all(mine.parent().expect("a parent")).expect("folders");
    fs::write(&mine, "mine").expect("a file");
    publish(&build(2), &out.dist(), Guard { root: &out.root(), sources: &[] }).expect_err("mine is in the way");
    assert_eq!(fs::read(&mine).expect("still there"), b"mine");
}

#[test]
fn nothing_is_left_half_made_when_nothing_changes() {
    let out = Out::new();
    out.publish(&build(0));
    let steps = AtomicUsize::new(0);
    let count = || {
        steps.fetch_add(1, Ordering::Relaxed);
    };
    assert!(out.publish_until(&build(0), 10, &count));
    assert_eq!(steps.into_inner(), 1, "opening the lock is all there is to do");
}

#[test]
fn notes_of_others_stay_and_old_ones_of_ours_go() {
    let out = Out::new();
    let noted = |notes: &[&str]| {
        let mut set = build(0);
        for name in notes {
            set.add_note(*name, *name);
        }
        set
    };
    out.publish(&noted(&["a.json", "b.conf", "c.conf"]));
    let note = |name: &str| out.dist().join(".portalgen/deploy").join(name);
    fs::write(note("mine.txt"), "mine").expect("a file");
    fs::write(note("c.conf"), "changed").expect("a file");
    out.publish(&noted(&["a.json"]));
    assert!(note("a.json").is_file() && !note("b.conf").exists(), "ours are those of the last build");
    assert_eq!(fs::read(note("mine.txt")).expect("still there"), b"mine");
    assert_eq!(fs::read(note("c.conf")).expect("still there"), b"changed");
}

#[test]
fn files_of_others_in_the_workshop_stay() {
    let out = Out::new();
    out.publish_until(&build(0), 6, &|| {});
    let workshop = out.dist().join(".portalgen/tmp");
    fs::write(workshop.join("mine.txt"), "mine").expect("a file");
    out.publish(&build(1));
    let left: Vec<_> =
        fs::read_dir(&workshop).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left, ["mine.txt"], "files in the making are gone");
}

#[test]
fn publishing_has_begun_once_something_is_served_that_was_not_there_before() {
    let out = Out::new();
    out.publish(&build(0));
    let before = out.tree();
    let mut has_stopped = false;
    for limit in 0.. {
        let steps = AtomicUsize::new(0);
        let before_step = || {
            if steps.fetch_add(1, Ordering::Relaxed) >= limit { Err(io::Error::other("killed")) } else { Ok(()) }
        };
        let out = Out::new();
        out.publish(&build(0));
        match publish_stepwise(None, &build(1), (&out.dist(), Guard { root: &out.root(), sources: &[] }), &before_step)
        {
            Err(PublishError::Failed(_)) => assert_eq!(out.tree(), before, "step {limit}"),
            Err(PublishError::Stopped(_)) => has_stopped = true,
            Err(refused) => panic!("refused at step {limit}: {refused}"),
            Ok(_) => break,
        }
    }
    assert!(has_stopped);
}
