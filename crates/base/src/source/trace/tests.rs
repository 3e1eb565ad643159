//! What a trace sees of changes to the disk.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::{
    os::unix::fs::{PermissionsExt as _, symlink},
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

use super::*;
use crate::source::Watched;

/// A project with a file of each sort, and another one beside it.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        for path in ["p/a.txt", "p/folder/b.txt", "p/folder/c.txt", "p/public/deep/d.txt", "other/b.txt"] {
            let path = project.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        symlink("folder/b.txt", project.path("p/link.txt")).unwrap();
        symlink("folder", project.path("p/linked")).unwrap();
        project
    }

    fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap().join(path)
    }

    fn disk(&self) -> Disk {
        Disk::of_project(&self.path("p"))
    }

    /// What a build asks, by every question there is.
    fn trace(&self) -> Trace {
        let watched = Watched::new(Arc::new(self.disk()));
        for path in ["a.txt", "link.txt", "linked/c.txt", "folder", "missing.txt", "a.txt/x", "folder/later/x"] {
            let path = &self.path(&format!("p/{path}"));
            let _ = (watched.read(path), watched.kind(path), watched.link_kind(path), watched.read_link(path));
            let _ = (watched.canonicalize(path), watched.refusal(path), watched.read(path));
        }
        let _ = (watched.list(&self.path("p/folder")), watched.walk(&self.path("p/public")));
        let _ = watched.read(&self.path("other/b.txt"));
        let wider = watched.allowing(&[self.path("other")]);
        assert!(wider.read(&self.path("other/b.txt")).is_ok());
        let trace = watched.trace().unwrap();
        assert_eq!(postcard::from_bytes::<Trace>(&postcard::to_stdvec(&trace).unwrap()).as_ref(), Ok(&trace));
        trace
    }

    fn compare(&self, trace: &Trace) -> Verdict {
        trace.clone().compare(&self.disk())
    }
}

type Change = Box<dyn FnOnce(&Project)>;

/// Makes a change, and tells what comparing says then.
fn after(change: impl FnOnce(&Project)) -> Verdict {
    let project = Project::new();
    let trace = project.trace();
    assert_eq!(project.compare(&trace), Verdict::Same);
    change(&project);
    project.compare(&trace)
}

#[test]
fn each_change_that_can_be_seen_is_seen() {
    let write = |path: &'static str, text: &'static str| {
        Box::new(move |project: &Project| {
            fs::create_dir_all(project.path(path).parent().unwrap()).unwrap();
            fs::write(project.path(path), text).unwrap();
        }) as Change
    };
    let relink = |path: &'static str, target: &'static str| {
        Box::new(move |project: &Project| {
            fs::remove_file(project.path(path)).unwrap();
            symlink(target, project.path(path)).unwrap();
        }) as Change
    };
    let changes: Vec<(&str, Change)> = vec![
        ("another text of the same length", write("p/a.txt", "next")),
        ("a longer text", write("p/a.txt", "longer text")),
        ("another text behind a link", write("p/folder/b.txt", "next")),
        ("another text behind a folder's link", write("p/folder/c.txt", "next")),
        ("a file that was missed", write("p/missing.txt", "")),
        ("a file in a folder that was missed", write("p/folder/later/x", "")),
        ("a name in a folder that was listed", write("p/folder/new.txt", "")),
        ("a file in a folder that was walked", write("p/public/deep/new.txt", "")),
        ("a text that is allowed elsewhere", write("other/b.txt", "next")),
        ("another target", relink("p/link.txt", "folder/c.txt")),
        ("a target outside", relink("p/link.txt", "../other/b.txt")),
        ("a folder outside", relink("p/linked", "../other")),
        ("a file in the place of a folder's link", relink("p/linked", "a.txt")),
        ("no file", Box::new(|project| fs::remove_file(project.path("p/a.txt")).unwrap())),
        (
            "a link to the same text in the place of a file",
            Box::new(|project| {
                fs::rename(project.path("p/a.txt"), project.path("p/b.txt")).unwrap();
                symlink("b.txt", project.path("p/a.txt")).unwrap();
            }),
        ),
        (
            "a folder in the place of a file",
            Box::new(|project| {
                fs::remove_file(project.path("p/a.txt")).unwrap();
                fs::create_dir(project.path("p/a.txt")).unwrap();
            }),
        ),
        (
            "a program",
            Box::new(|project| {
                fs::set_permissions(project.path("p/a.txt"), fs::Permissions::from_mode(0o755)).unwrap();
            }),
        ),
        (
            "the same length and an older time",
            Box::new(|project| {
                fs::write(project.path("p/a.txt"), "next").unwrap();
                set_modified(&project.path("p/a.txt"), SystemTime::UNIX_EPOCH);
            }),
        ),
    ];
    for (name, change) in changes {
        assert_eq!(after(change), Verdict::Different, "{name}");
    }
}

fn set_modified(path: &Path, time: SystemTime) {
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn what_changes_nothing_is_no_change() {
    assert_eq!(after(|project| fs::write(project.path("p/a.txt"), "text").unwrap()), Verdict::Same);
    assert_eq!(after(|project| fs::write(project.path("p/unasked.txt"), "text").unwrap()), Verdict::Same);
    let times = [SystemTime::now(), SystemTime::now() + Duration::from_hours(1), SystemTime::UNIX_EPOCH];
    for time in times {
        assert_eq!(after(|project| set_modified(&project.path("p/a.txt"), time)), Verdict::Same);
    }
    // As after a checkout: the same files, and other inodes.
    let replaced = after(|project| {
        fs::copy(project.path("p/a.txt"), project.path("p/copy.txt")).unwrap();
        fs::rename(project.path("p/copy.txt"), project.path("p/a.txt")).unwrap();
    });
    assert_eq!(replaced, Verdict::Same);
}

#[test]
fn times_save_reading_once_they_are_old_and_hide_no_change() {
    let project = Project::new();
    let mut trace = project.trace();
    // Until then a change might have the time that is there already.
    thread::sleep(Duration::from_millis(4200));
    assert_eq!(trace.compare(&project.disk()), Verdict::Renewed);
    assert_eq!(trace.compare(&project.disk()), Verdict::Same);

    let path = project.path("p/a.txt");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "next").unwrap();
    set_modified(&path, time);
    assert_eq!(
        trace.compare(&project.disk()),
        Verdict::Different,
        "the same size, and the same time of the last change"
    );
    fs::write(&path, "text").unwrap();
    assert_eq!(trace.compare(&project.disk()), Verdict::Renewed, "the same content at another time");
}

#[test]
fn what_is_no_longer_allowed_is_different() {
    let project = Project::new();
    let mut trace = project.trace();
    trace.allowed[0] = Vec::new();
    assert_eq!(project.compare(&trace), Verdict::Different);
}

#[test]
fn a_file_that_changes_while_a_build_reads_it_leaves_no_trace() {
    let project = Project::new();
    let watched = Watched::new(Arc::new(project.disk()));
    watched.read(&project.path("p/a.txt")).unwrap();
    fs::write(project.path("p/a.txt"), "next").unwrap();
    watched.read(&project.path("p/a.txt")).unwrap();
    assert!(watched.trace().is_none());
}
