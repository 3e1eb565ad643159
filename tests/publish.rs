//! What meets in the output set, and what publishing does to a folder.

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Stdio,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    text::Text,
};
use portalgen_release::{
    output::{OutputKind, OutputSet, Producer},
    publish::{Guard, PublishError, Published, Report, publish, publish_over},
};

use crate::support::alone;

fn set_of(files: &[(&str, &str)]) -> OutputSet {
    let mut set = OutputSet::new();
    for (path, text) in files {
        set.insert(*path, OutputKind::Page, *text, Producer::new(Text::verbatim("a test"))).expect("no clash");
    }
    set
}

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        for folder in ["site/pages", "templates", "node_modules"] {
            fs::create_dir_all(project.root().join(folder)).expect("folders");
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn dist(&self, path: &str) -> PathBuf {
        self.root().join("dist").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        fs::write(file, text).expect("a file");
    }

    fn publish_to(&self, out: impl AsRef<Path>, files: &[(&str, &str)]) -> Result<Report, PublishError> {
        let sources = ["site", "templates", "node_modules"].map(|folder| self.root().join(folder));
        publish(&set_of(files), out.as_ref(), Guard { root: &self.root(), sources: &sources })
    }

    fn publish(&self, files: &[(&str, &str)]) -> Report {
        self.publish_to("dist", files).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Publishes with what is known of an earlier time.
    fn publish_over(&self, earlier: Option<&Published>, files: &[(&str, &str)]) -> (Report, Published) {
        let guard = Guard { root: &self.root(), sources: &[] };
        publish_over(earlier, &set_of(files), Path::new("dist"), guard).unwrap_or_else(|error| panic!("{error}"))
    }

    #[track_caller]
    fn refused(&self, out: impl AsRef<Path>, files: &[(&str, &str)]) -> Vec<String> {
        match self.publish_to(out, files) {
            Err(PublishError::Refused(diagnostics)) => {
                diagnostics.into_iter().map(|d| d.message.english().to_owned()).collect()
            }
            other => panic!("should be refused: {other:?}"),
        }
    }

    /// Every path below the project's `dist`, folders with a slash, but for `.portalgen`.
    fn listing(&self) -> Vec<String> {
        let mut names = Vec::new();
        list(&self.dist(""), "", &mut names);
        names.sort();
        names
    }
}

fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a type").is_dir() && name != ".portalgen" {
            names.push(format!("{name}/"));
            list(&entry.path(), &format!("{name}/"), names);
        } else if name != ".portalgen" {
            names.push(name);
        }
    }
}

// --- the output set ---

#[test]
fn a_path_that_is_no_output_path_is_refused() {
    let bad =
        ["", "/a", "a//b", "a/", "./a", "a/./b", "../a", "a/..", "a\\b", "a\nb", "a\0", ".portalgen/x", ".PortalGen"];
    for path in bad {
        let error = OutputSet::new()
            .insert(path, OutputKind::Data, "x", Producer::new(Text::verbatim("route \"/x\"")))
            .expect_err(&format!("{path:?} should be refused"));
        assert!(error.message.english().starts_with("route \"/x\" cannot produce"), "{}", error.message.english());
    }
    let good = ["a", "a/b", "..a", "a..", ".nojekyll", "v1.0/index.html", "\u{9996}\u{9875}/index.html", "a b"];
    for path in good {
        OutputSet::new().insert(path, OutputKind::Data, "x", Producer::new(Text::verbatim("x"))).expect(path);
    }
}

#[test]
fn two_producers_of_one_path_are_both_named() {
    let text = SourceText::new("routes.toml", "path = \"/a\"\npath = \"/robots.txt\"\n");
    let mut set = OutputSet::new();
    let first = Producer::new(Text::verbatim("route \"/robots.txt\"")).at(Place::new(&text, 19..32));
    set.insert("robots.txt", OutputKind::Data, "1", first).expect("the first");
    let error = set
        .insert("robots.txt", OutputKind::Data, "2", Producer::new(Text::verbatim("site/public/robots.txt")))
        .expect_err("a clash");
    assert_eq!(
        error.message,
        "`robots.txt` is produced twice: by route \"/robots.txt\" (routes.toml:2:8) and by site/public/robots.txt"
    );
    assert_eq!(error.related[0].0.line_column(), (2, 8));
    assert_eq!(set.get("robots.txt").expect("the first").content.text(), "1", "the set stays as it was");
}

#[test]
fn paths_that_some_disks_take_for_one_clash() {
    let pairs = [
        ("README.txt", "Readme.txt"),
        ("docs/a", "Docs/b"),
        ("caf\u{e9}/index.html", "cafe\u{301}/index.html"),
        ("\u{c9}", "e\u{301}"),
        ("a", "a/b"),
        ("a/b", "a"),
        ("A", "a/b"),
        ("x/y/z", "x/y"),
    ];
    for (first, second) in pairs {
        let mut set = OutputSet::new();
        set.insert(first, OutputKind::Page, "", Producer::new(Text::verbatim("the first one"))).expect(first);
        let error = set
            .insert(second, OutputKind::Page, "", Producer::new(Text::verbatim("the second one")))
            .expect_err("should clash");
        for part in ["the first one", "the second one", first, second] {
            assert!(error.message.english().contains(part), "{part:?} is not in {:?}", error.message.english());
        }
        assert_eq!(set.len(), 1);
    }
    let mut set = set_of(&[("a/b", ""), ("a/c", ""), ("a-b", ""), ("a.b", "")]);
    set.insert("ab", OutputKind::Page, "", Producer::new(Text::verbatim("x"))).expect("no clash");
    let paths: Vec<_> = set.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["a-b", "a.b", "a/b", "a/c", "ab"]);
}

// --- what publishing does ---

/// What is known spares reading files, and hides nothing that has become of them.
#[test]
fn what_was_published_before_hides_no_change() {
    let project = Project::new();
    let names = ["bytes", "link", "gone", "a/folder", "other"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, "one")).collect();
    project.publish_over(None, &files);
    // Until then times prove nothing.
    thread::sleep(Duration::from_secs(5));
    let (report, earlier) = project.publish_over(None, &files);
    assert_eq!(report.unchanged.len(), files.len());
    assert_eq!(project.publish_over(Some(&earlier), &files), (report, earlier.clone()));

    let time = fs::metadata(project.dist("bytes")).and_then(|file| file.modified()).expect("a time");
    project.write("dist/bytes", "two");
    fs::File::options().append(true).open(project.dist("bytes")).and_then(|file| file.set_modified(time)).expect("set");
    fs::remove_file(project.dist("gone")).expect("removed");
    let mut changed = files.clone();
    changed[4].1 = "new";
    let (report, _) = project.publish_over(Some(&earlier), &changed);
    assert_eq!(report.written, ["bytes", "gone", "other"]);
    assert_eq!(report.overwritten, ["bytes"]);
    assert_eq!(report.unchanged, ["a/folder", "link"]);
    assert_eq!(fs::read(project.dist("bytes")).expect("a file"), b"one");

    for link in ["link", "a"] {
        fs::rename(project.dist(link), project.root().join("moved")).expect("moved");
        symlink(project.root().join("moved"), project.dist(link)).expect("a link");
        let guard = Guard { root: &project.root(), sources: &[] };
        let refused = publish_over(Some(&earlier), &set_of(&changed), Path::new("dist"), guard);
        assert!(matches!(refused, Err(PublishError::Refused(_))), "{link}: {refused:?}");
        fs::remove_file(project.dist(link)).expect("removed");
        fs::rename(project.root().join("moved"), project.dist(link)).expect("moved back");
    }
}

#[test]
fn a_build_replaces_the_one_before_and_reports_it() {
    let project = Project::new();
    let first = project.publish(&[("index.html", "1"), ("old/deep/index.html", "1"), ("same.txt", "s")]);
    assert_eq!(first.written, ["index.html", "old/deep/index.html", "same.txt"]);
    let stamp = || fs::metadata(project.dist("same.txt")).expect("a file").modified().expect("a time");
    let before = stamp();
    thread::sleep(Duration::from_millis(20));
    let second = project.publish(&[("index.html", "2"), ("new/index.html", "2"), ("same.txt", "s")]);
    let strings = |paths: &[&str]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = Report {
        written: strings(&["index.html", "new/index.html"]),
        unchanged: strings(&["same.txt"]),
        removed: strings(&["old/deep/index.html"]),
        ..Report::default()
    };
    assert_eq!(second, expected);
    assert_eq!(stamp(), before, "an unchanged file is not written again");
    assert_eq!(project.listing(), ["index.html", "new/", "new/index.html", "same.txt"]);
}

#[test]
fn the_same_build_gives_the_same_record_wherever_and_whenever() {
    let files = [("index.html", "1"), ("a/b.txt", "2")];
    let record = |project: &Project| {
        let own = project.dist(".portalgen");
        let mut names: Vec<_> = fs::read_dir(&own).expect("ours").map(|e| e.expect("an entry").file_name()).collect();
        names.sort();
        (names, fs::read(own.join("manifest.json")).expect("a record"))
    };
    let (one, two) = (Project::new(), Project::new());
    one.publish(&[("other", "x")]);
    one.publish(&files);
    two.publish(&files);
    assert_eq!(record(&one), record(&two));
    assert_eq!(record(&one).0, ["lock", "manifest.json"]);
}

#[test]
fn files_of_others_are_never_touched() {
    let project = Project::new();
    project.publish(&[("index.html", "1"), ("gone/index.html", "1")]);
    let theirs = ["dist/.git/HEAD", "dist/CNAME", "dist/gone/notes.txt"];
    for path in theirs {
        project.write(path, "theirs");
    }
    fs::create_dir(project.dist("empty")).expect("a folder");
    let report = project.publish(&[("index.html", "2")]);
    assert_eq!(report.removed, ["gone/index.html"]);
    for path in theirs {
        assert_eq!(fs::read_to_string(project.root().join(path)).expect(path), "theirs");
    }
    assert_eq!(project.listing(), [".git/", ".git/HEAD", "CNAME", "empty/", "gone/", "gone/notes.txt", "index.html"]);
}

#[test]
fn an_old_file_somebody_changed_is_kept_and_reported() {
    let project = Project::new();
    project.publish(&[("index.html", "1"), ("a/old.html", "1"), ("b.html", "1")]);
    project.write("dist/a/old.html", "edited");
    project.write("dist/index.html", "edited");
    fs::remove_file(project.dist("b.html")).expect("removed");
    let report = project.publish(&[("index.html", "1")]);
    assert_eq!(report.kept, ["a/old.html"]);
    assert_eq!(report.overwritten, ["index.html"]);
    assert_eq!(report.written, ["index.html"]);
    assert_eq!(report.removed, [""; 0]);
    assert_eq!(fs::read_to_string(project.dist("a/old.html")).expect("kept"), "edited");
    assert_eq!(fs::read_to_string(project.dist("index.html")).expect("ours"), "1");
    // It is theirs from now on.
    assert_eq!(project.publish(&[("index.html", "1")]).kept, [""; 0]);
    let messages = project.refused("dist", &[("a/old.html", "2")]);
    assert_eq!(
        messages,
        ["cannot write `dist/a/old.html`: `dist/a/old.html` is in the way and was not written by portalgen"]
    );
}

#[test]
fn every_foreign_file_in_the_way_is_named_and_nothing_written() {
    let project = Project::new();
    project.publish(&[("index.html", "1"), ("mine", "1")]);
    project.write("dist/about", "theirs");
    project.write("dist/feed/x/y.xml", "theirs");
    project.write("dist/mine.html", "theirs");
    project.write("dist/mine", "edited");
    let new = [("index.html", "2"), ("about/index.html", "2"), ("feed", "2"), ("mine.html", "2"), ("mine/a", "2")];
    let messages = project.refused("dist", &new);
    assert_eq!(
        messages,
        [
            "cannot write `dist/about/index.html`: `dist/about` is in the way and was not written by portalgen",
            "cannot write `dist/feed`: `dist/feed/x/y.xml` is in the way and was not written by portalgen",
            "cannot write `dist/mine.html`: `dist/mine.html` is in the way and was not written by portalgen",
            "cannot write `dist/mine/a`: `dist/mine` is in the way and was changed after portalgen wrote it",
        ]
    );
    assert_eq!(fs::read_to_string(project.dist("index.html")).expect("a page"), "1");
}

#[test]
fn a_file_becomes_a_folder_and_a_folder_a_file() {
    let project = Project::new();
    let one = [("a", "file"), ("b/x/1", "in"), ("b/2", "in"), ("c/index.html", "c"), ("c/d/e", "e")];
    let two = [("a/index.html", "in"), ("a/y/z", "in"), ("b", "file"), ("c/d", "file")];
    project.publish(&one);
    let report = project.publish(&two);
    assert_eq!(report.removed, ["a", "b/2", "b/x/1", "c/d/e", "c/index.html"]);
    assert_eq!(project.listing(), ["a/", "a/index.html", "a/y/", "a/y/z", "b", "c/", "c/d"]);
    project.publish(&one);
    assert_eq!(project.listing(), ["a", "b/", "b/2", "b/x/", "b/x/1", "c/", "c/d/", "c/d/e", "c/index.html"]);
    fs::create_dir_all(project.dist("new.html/empty/deep")).expect("folders");
    project.publish(&[("new.html", "file")]);
    assert_eq!(project.listing(), ["new.html"], "a folder without files stands in nobody's way");
}

// --- where publishing is refused ---

#[test]
fn folders_that_must_not_be_published_to_are_refused() {
    let project = Project::new();
    project.write("site/pages/index.tsx", "x");
    let parent = project.folder.path().to_path_buf();
    let cases: [(PathBuf, &str); 11] = [
        ("/".into(), "the root of the file system"),
        (".".into(), "the project itself"),
        ("".into(), "the project itself"),
        ("dist/..".into(), "the project itself"),
        ("..".into(), "it contains the project"),
        (parent, "it contains the project"),
        ("site".into(), "inside the source folder"),
        ("site/new/dist".into(), "inside the source folder"),
        ("templates".into(), "inside the source folder"),
        ("node_modules/.dist".into(), "inside the source folder"),
        ("dist/../site/pages".into(), "inside the source folder"),
    ];
    for (out, reason) in cases {
        let messages = project.refused(&out, &[("index.html", "1")]);
        assert!(messages[0].contains(reason), "{}: {messages:?}", out.display());
    }
    assert_eq!(fs::read_dir(project.root().join("site")).expect("site").count(), 1, "nothing was written");
}

#[test]
fn a_link_to_a_refused_folder_is_refused_and_other_links_are_followed() {
    let project = Project::new();
    symlink("site", project.root().join("to-site")).expect("a link");
    symlink("..", project.root().join("to-parent")).expect("a link");
    symlink("nowhere", project.root().join("to-nowhere")).expect("a link");
    symlink("loop", project.root().join("loop")).expect("a link");
    assert!(project.refused("to-site", &[])[0].contains("inside the source folder"));
    assert!(project.refused("to-site/x", &[])[0].contains("inside the source folder"));
    assert!(project.refused("to-parent", &[])[0].contains("contains the project"));
    assert!(project.refused("to-nowhere", &[])[0].contains("broken symbolic link"));
    assert!(project.publish_to("loop", &[]).expect_err("a loop").is_system_failure());
    let elsewhere = project.folder.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    symlink(&elsewhere, project.root().join("dist")).expect("a link");
    project.publish(&[("index.html", "1")]);
    project.publish(&[("index.html", "2")]);
    assert_eq!(fs::read_to_string(elsewhere.join("index.html")).expect("a page"), "2");
    assert!(fs::symlink_metadata(project.dist("").parent().expect("root").join("dist")).expect("dist").is_symlink());
}

#[test]
fn a_folder_that_portalgen_did_not_make_is_refused_unless_empty() {
    let project = Project::new();
    project.write("holiday/photo.jpg", "x");
    project.write("a-file", "x");
    let messages = project.refused("holiday", &[("index.html", "1")]);
    assert_eq!(messages, ["`holiday` contains files that portalgen did not write, for example `photo.jpg`"]);
    assert!(project.refused("a-file", &[])[0].contains("is not a folder"));
    assert!(project.publish_to("a-file/x", &[]).is_err());
    assert_eq!(fs::read_dir(project.root().join("holiday")).expect("a folder").count(), 1, "untouched");
    fs::create_dir(project.dist("")).expect("an empty folder");
    project.publish(&[("index.html", "1")]);
    fs::remove_file(project.dist(".portalgen/manifest.json")).expect("removed");
    assert_eq!(project.refused("dist", &[]).len(), 1, "without its record the folder is a stranger's");
}

#[test]
fn a_damaged_or_hostile_record_is_refused() {
    let project = Project::new();
    project.write("precious", "x");
    project.publish(&[("index.html", "1")]);
    let hash = "0".repeat(32);
    let records = [
        String::new(),
        "{".to_owned(),
        r#"{"version":2,"files":{}}"#.to_owned(),
        format!(r#"{{"version":1,"files":{{"../precious":"{hash}"}}}}"#),
        format!(r#"{{"version":1,"files":{{}},"pending":{{"/etc/passwd":"{hash}"}}}}"#),
    ];
    for record in records {
        project.write("dist/.portalgen/manifest.json", &record);
        assert!(project.refused("dist", &[("a", "b")])[0].contains("damaged"), "{record}");
    }
    assert!(project.root().join("precious").exists());
}

#[test]
fn no_link_in_the_folder_leads_out_of_it() {
    let project = Project::new();
    let first = [("index.html", "1"), ("docs/a.html", "1"), ("docs/b.html", "1"), ("old.html", "1")];
    project.publish(&first);
    let outside = project.folder.path().join("outside");
    fs::create_dir(&outside).expect("a folder");
    for name in ["a.html", "b.html", "old.html"] {
        fs::write(outside.join(name), "1").expect("a file with the very bytes we wrote");
    }
    fs::remove_dir_all(project.dist("docs")).expect("removed");
    symlink(&outside, project.dist("docs")).expect("a link");
    fs::remove_file(project.dist("old.html")).expect("removed");
    symlink(outside.join("old.html"), project.dist("old.html")).expect("a link");

    let messages = project.refused("dist", &[("docs/a.html", "2"), ("old.html", "2"), ("index.html", "2")]);
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("`dist/docs` is in the way") && messages[1].contains("`dist/old.html` is in the way"));

    let report = project.publish(&[("index.html", "2")]);
    assert_eq!(report.kept, ["docs/a.html", "docs/b.html", "old.html"]);
    assert_eq!(fs::read_dir(&outside).expect("outside").count(), 3, "nothing was deleted through a link");
    for name in ["a.html", "b.html", "old.html"] {
        assert_eq!(fs::read_to_string(outside.join(name)).expect("a file"), "1");
    }
}

#[test]
fn links_in_place_of_our_own_files_are_refused_or_dropped() {
    let project = Project::new();
    project.publish(&[("index.html", "1")]);
    let victim = project.folder.path().join("victim");
    fs::create_dir(&victim).expect("a folder");
    fs::write(victim.join("keep"), "x").expect("a file");
    symlink(&victim, project.dist(".portalgen/tmp")).expect("a link");
    project.publish(&[("index.html", "2")]);
    assert!(victim.join("keep").exists(), "the workshop was a link and only the link is gone");
    fs::remove_file(project.dist(".portalgen/lock")).expect("removed");
    symlink(victim.join("made"), project.dist(".portalgen/lock")).expect("a link");
    assert!(project.refused("dist", &[("index.html", "3")])[0].contains("is in the way"));
    assert!(!victim.join("made").exists());
}

#[test]
fn a_failing_system_names_the_path_and_leaves_the_folder_whole() {
    let project = Project::new();
    project.publish(&[("index.html", "1")]);
    let long = format!("{}/index.html", "x".repeat(300));
    let error = project.publish_to("dist", &[("index.html", "2"), (&long, "2")]).expect_err("no such name");
    assert!(error.is_system_failure());
    assert!(error.to_string().contains(&format!("`dist/{}", "x".repeat(300))), "{error}");
    assert_eq!(fs::read_to_string(project.dist("index.html")).expect("whole"), "1");
    project.publish(&[("index.html", "3")]);
    assert_eq!(project.listing(), ["index.html"]);
}

// --- while others look, build and kill ---

/// Version `n` of a portal whose pages each name the asset they need.
fn version(n: usize) -> OutputSet {
    let mut set = OutputSet::new();
    let mut add = |path: String, kind, text: String| {
        set.insert(path, kind, text, Producer::new(Text::verbatim("a test"))).expect("no clash");
    };
    let asset = format!("assets/app-{n}.js");
    let body = format!("{n} ").repeat(20_000);
    for page in ["index.html", "about/index.html", "404.html"] {
        add(page.to_owned(), OutputKind::Page, format!("{asset}\n{body}"));
    }
    add(asset, OutputKind::Asset, body.clone());
    set
}

/// Whether a page's text is whole; the asset it names.
fn asset_of(page: &str) -> &str {
    let (asset, body) = page.split_once('\n').expect("a whole first line");
    let n = asset.trim_start_matches("assets/app-").trim_end_matches(".js");
    assert!(body.len() == (n.len() + 1) * 20_000 && body.split_whitespace().all(|word| word == n), "a torn page");
    asset
}

#[test]
fn a_reader_never_meets_a_missing_or_partial_page() {
    let project = Project::new();
    let (root, dist) = (project.root(), project.root().join("dist"));
    let publish_version = |n| publish(&version(n), &dist, Guard { root: &root, sources: &[] }).expect("published");
    publish_version(0);
    let (done, reads) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for page in ["index.html", "about/index.html", "404.html"] {
                    let read = || fs::read_to_string(dist.join(page)).expect("a page is always there");
                    let text = read();
                    let asset_is_there = dist.join(asset_of(&text)).exists();
                    // Gone only if the page that names it was replaced in the meantime.
                    assert!(asset_is_there || read() != text, "{page} names a missing asset");
                    reads.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        // Until the reader, too, had its turns.
        let is_enough = |n| n >= 80 && reads.load(Ordering::Relaxed) > 100;
        for n in (1..).take_while(|n| !is_enough(*n)) {
            publish_version(n);
            if reader.is_finished() {
                break;
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn two_builds_at_once_end_in_one_of_them() {
    let project = Project::new();
    let (root, dist) = (project.root(), project.root().join("dist"));
    thread::scope(|scope| {
        for n in 0..4 {
            let (root, dist) = (&root, &dist);
            scope.spawn(move || {
                for round in 0..5 {
                    let set = version(n * 10 + round);
                    publish(&set, dist, Guard { root, sources: &[] }).expect("published");
                }
            });
        }
    });
    let pages =
        ["index.html", "about/index.html", "404.html"].map(|page| fs::read_to_string(dist.join(page)).expect("a page"));
    assert!(pages.iter().all(|page| *page == pages[0]), "pages of different builds");
    assert_eq!(
        project.listing(),
        ["404.html", "about/", "about/index.html", "assets/", asset_of(&pages[0]), "index.html"]
    );
}

const OUT_VARIABLE: &str = "PORTALGEN_TEST_OUT";

/// What the child of [`killed_builds_leave_a_whole_portal`] does until it is killed.
fn publish_for_ever(dist: &Path) {
    let root = dist.parent().expect("a parent");
    for n in 0.. {
        publish(&version(n % 7), dist, Guard { root, sources: &[] }).expect("published");
    }
}

#[test]
fn killed_builds_leave_a_whole_portal() {
    // The test starts itself as the child to be killed.
    if let Some(dist) = env::var_os(OUT_VARIABLE) {
        return publish_for_ever(Path::new(&dist));
    }
    let project = Project::new();
    let dist = project.root().join("dist");
    let publish_version = |n| publish(&version(n), &dist, Guard { root: &project.root(), sources: &[] });
    publish_version(0).expect("published");
    project.write("dist/theirs", "theirs");
    for round in 0..12 {
        let mut child = alone::child("publish::killed_builds_leave_a_whole_portal")
            .env(OUT_VARIABLE, &dist)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        thread::sleep(Duration::from_micros(30_000 + round * 3_777));
        child.kill().expect("killed");
        assert!(child.wait().expect("it ends").code().is_none(), "the child ended by itself");
        for page in ["index.html", "about/index.html", "404.html"] {
            let text = fs::read_to_string(dist.join(page)).expect("a page is always there");
            assert!(dist.join(asset_of(&text)).exists(), "{page} names a missing asset");
        }
    }
    publish_version(9).expect("published");
    let listing = ["404.html", "about/", "about/index.html", "assets/", "assets/app-9.js", "index.html", "theirs"];
    assert_eq!(project.listing(), listing);
}
