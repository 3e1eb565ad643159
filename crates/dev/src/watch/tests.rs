//! Real files in folders of their own, and what is told of them.
//!
//! No test judges time. Where something must be waited for, the patience is longer than any test, or so short that it ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use portalgen_base::{diagnostic::Diagnostic, source::Dependencies};
use tempfile::TempDir;

use super::{
    News, Patience, Settings, Watcher,
    events::{Event, Events, Failure},
    run::Input,
};

/// How long a test waits for what must come, before it fails.
const AT_LAST: Duration = Duration::from_mins(1);
/// Longer than any test.
const NEVER: Duration = Duration::from_hours(1);
const SHORT: Duration = Duration::from_millis(20);

/// A file that every build reads: what happened before it is told has been looked at.
const SENTINEL: &str = "sentinel.txt";

struct Fixture {
    _folder: TempDir,
    root: PathBuf,
    watcher: Watcher,
    news: mpsc::Receiver<News>,
    round: u32,
}

/// Patience that waits for everything that looks unfinished.
fn patient() -> Patience {
    Patience {
        gone: NEVER,
        unreadable: NEVER,
        open: NEVER,
        packages: SHORT,
        storm: SHORT,
        lock: NEVER,
        unwatched: SHORT,
        event: Duration::ZERO,
    }
}

/// Patience that soon takes for finished what looks unfinished.
fn impatient() -> Patience {
    Patience { gone: SHORT, unreadable: SHORT, open: SHORT, ..patient() }
}

/// A project with these files, each with its name in it.
fn project(files: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = fs::canonicalize(folder.path()).unwrap().join("project");
    for file in files.iter().chain(&[SENTINEL]) {
        write(&root.join(file), file);
    }
    settle();
    (folder, root)
}

/// What was written shortly before a build began may have been written while it read.
fn settle() {
    thread::sleep(Duration::from_millis(30));
}

fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn fixture(files: &[&str], patience: Patience) -> Fixture {
    with(files, |settings| settings.patience = patience)
}

fn with(files: &[&str], change: impl FnOnce(&mut Settings)) -> Fixture {
    let (folder, root) = project(files);
    let mut settings =
        Settings { roots: vec![root.clone()], own: Vec::new(), locks: Vec::new(), poll: None, patience: patient() };
    change(&mut settings);
    let (tell, news) = mpsc::channel();
    let watcher = Watcher::start(settings, move |news| drop(tell.send(news)));
    Fixture { _folder: folder, root, watcher, news, round: 0 }
}

impl Fixture {
    fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn paths(&self, names: &[&str]) -> BTreeSet<PathBuf> {
        names.iter().map(|name| self.at(name)).collect()
    }

    /// What a build depends on that reads these files.
    fn reading(&self, names: &[&str]) -> Dependencies {
        let mut read = self.paths(names);
        read.insert(self.at(SENTINEL));
        Dependencies { read, ..Dependencies::default() }
    }

    /// Watches from here on, as after a build.
    fn depend(&self, on: Dependencies) {
        self.watcher.depend(on, Instant::now());
        self.idle();
    }

    fn idle(&self) {
        let (reply, replied) = mpsc::channel();
        self.watcher.tell(Input::Idle(reply));
        replied.recv_timeout(AT_LAST).unwrap();
    }

    fn next(&self) -> News {
        self.news.recv_timeout(AT_LAST).unwrap()
    }

    /// The names of what is told until all of these have been.
    fn told_until(&self, names: &[&str]) -> Vec<PathBuf> {
        let mut wanted = self.paths(names);
        let mut all = Vec::new();
        while !wanted.is_empty() {
            if let News::Changed(changed) = self.next() {
                wanted.retain(|path| !changed.contains(path));
                all.extend(changed);
            }
        }
        all
    }

    /// Everything that is told of what has happened until now.
    fn told(&mut self) -> Vec<PathBuf> {
        self.round += 1;
        fs::write(self.at(SENTINEL), format!("round {}", self.round)).unwrap();
        let mut all = self.told_until(&[SENTINEL]);
        all.retain(|path| !path.ends_with(SENTINEL));
        all
    }
}

/// A way to save a file.
type Save = fn(&Path, &str);

/// The ways in which editors save.
const SAVES: [(&str, Save); 8] = [
    ("in place", |path, content| fs::write(path, content).unwrap()),
    ("by a temporary file", |path, content| {
        let temporary = path.with_extension("tmp");
        fs::write(&temporary, content).unwrap();
        fs::rename(temporary, path).unwrap();
    }),
    ("beside a backup", |path, content| {
        fs::rename(path, path.with_extension("txt~")).unwrap();
        fs::write(path, content).unwrap();
    }),
    ("deleted first", |path, content| {
        fs::remove_file(path).unwrap();
        thread::sleep(Duration::from_millis(80));
        fs::write(path, content).unwrap();
    }),
    ("emptied first", |path, content| {
        fs::write(path, "").unwrap();
        thread::sleep(Duration::from_millis(30));
        fs::write(path, content).unwrap();
    }),
    ("in pieces", |path, content| {
        use std::io::Write as _;
        let mut file = fs::File::create(path).unwrap();
        for piece in content.as_bytes().chunks(3) {
            file.write_all(piece).unwrap();
            thread::sleep(Duration::from_millis(2));
        }
    }),
    ("as another name", |path, content| {
        let other = path.with_extension("other");
        // It may be the same file still.
        drop(fs::remove_file(&other));
        fs::write(&other, content).unwrap();
        fs::remove_file(path).unwrap();
        fs::hard_link(&other, path).unwrap();
    }),
    ("by a moment in which nobody can read it", |path, content| {
        fs::remove_file(path).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(path, path).unwrap();
            thread::sleep(Duration::from_millis(10));
            fs::remove_file(path).unwrap();
        }
        fs::write(path, content).unwrap();
    }),
];

#[test]
fn each_save_is_told_once_with_its_content() {
    let mut project = fixture(&["site/a.txt"], patient());
    project.depend(project.reading(&["site/a.txt"]));
    let path = project.at("site/a.txt");
    for (way, save) in SAVES {
        for round in 0..20 {
            save(&path, &format!("{way} {round}"));
            assert_eq!(project.told(), std::slice::from_ref(&path), "{way} {round}");
        }
    }
}

#[test]
fn a_build_that_follows_news_at_once_gives_no_more_of_them() {
    let mut project = fixture(&["site/a.txt"], patient());
    project.depend(project.reading(&["site/a.txt"]));
    let path = project.at("site/a.txt");
    for (way, save) in SAVES {
        for round in 0..3 {
            save(&path, &format!("{way} {round}"));
            assert_eq!(project.told_until(&["site/a.txt"]), std::slice::from_ref(&path), "{way} {round}");
            project.watcher.depend(project.reading(&["site/a.txt"]), Instant::now());
            project.watcher.built(Instant::now());
            assert_eq!(project.told(), Vec::<PathBuf>::new(), "{way} {round}");
        }
    }
}

#[test]
fn a_save_without_a_change_is_not_told() {
    let mut project = fixture(&["a.txt"], patient());
    project.depend(project.reading(&["a.txt"]));
    // What happens shortly after a build may have been seen by it in another state.
    thread::sleep(Duration::from_millis(200));
    let path = project.at("a.txt");
    for (way, save) in SAVES {
        save(&path, "a.txt");
        assert_eq!(project.told(), Vec::<PathBuf>::new(), "{way}");
    }
}

#[test]
fn nothing_is_called_gone_or_empty_before_its_time_and_everything_then() {
    let mut project = fixture(&["a.txt", "b.txt"], patient());
    project.depend(project.reading(&["a.txt", "b.txt"]));
    fs::remove_file(project.at("a.txt")).unwrap();
    fs::write(project.at("b.txt"), "").unwrap();
    assert_eq!(project.told(), Vec::<PathBuf>::new());

    let project = fixture(&["a.txt", "b.txt", "c.txt"], impatient());
    project.depend(project.reading(&["a.txt", "b.txt", "c.txt"]));
    fs::remove_file(project.at("a.txt")).unwrap();
    fs::write(project.at("b.txt"), "").unwrap();
    fs::remove_file(project.at("c.txt")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(project.at("c.txt"), project.at("c.txt")).unwrap();
    project.told_until(&["a.txt", "b.txt", "c.txt"]);
}

#[test]
fn what_was_missed_is_told_when_it_comes_and_when_it_goes() {
    let project = fixture(&["site/a.txt"], impatient());
    let missed = project.paths(&["site/layout.tsx", "deep/er/b.txt", "../package.json"]);
    project.depend(Dependencies { missed, ..project.reading(&["site/a.txt"]) });
    for _ in 0..3 {
        for name in ["site/layout.tsx", "deep/er/b.txt", "../package.json"] {
            write(&project.at(name), "now");
            project.told_until(&[name]);
            fs::remove_file(project.at(name)).unwrap();
            project.told_until(&[name]);
        }
        fs::remove_dir_all(project.at("deep")).unwrap();
    }
}

#[test]
fn what_nobody_asked_for_is_not_told() {
    let mut project = fixture(&["site/a.txt", "site/parts/b.txt"], impatient());
    let found = project.paths(&["site"]);
    project.depend(Dependencies { found, ..project.reading(&["site/a.txt"]) });
    write(&project.at("site/other.txt"), "new");
    write(&project.at("site/parts/b.txt"), "changed");
    write(&project.at("elsewhere/c.txt"), "new");
    write(&project.at(".npmrc"), "new");
    assert_eq!(project.told(), Vec::<PathBuf>::new());
}

#[test]
fn names_in_folders_that_were_listed_are_told() {
    let mut project = fixture(&["pages/a.txt", "pages/b.txt", "pages/deep/c.txt"], impatient());
    let listed = project.paths(&["pages"]);
    project.depend(Dependencies { listed, ..project.reading(&[]) });
    write(&project.at("pages/new.txt"), "new");
    project.told_until(&["pages/new.txt"]);
    fs::rename(project.at("pages/a.txt"), project.at("pages/z.txt")).unwrap();
    project.told_until(&["pages/a.txt", "pages/z.txt"]);
    // Their content was not read, and what lies deeper was not listed.
    write(&project.at("pages/b.txt"), "changed");
    write(&project.at("pages/deep/d.txt"), "new");
    assert_eq!(project.told(), Vec::<PathBuf>::new());
}

#[test]
fn everything_below_folders_that_were_walked_is_told() {
    let project = fixture(&["public/a.txt", "public/deep/b.txt"], impatient());
    let walked = project.paths(&["public"]);
    project.depend(Dependencies { walked, ..project.reading(&[]) });
    write(&project.at("public/deep/new.txt"), "new");
    project.told_until(&["public/deep/new.txt"]);
    write(&project.at("public/x/y/z.txt"), "new");
    project.told_until(&["public/x/y/z.txt"]);
    write(&project.at("public/x/y/later.txt"), "new");
    project.told_until(&["public/x/y/later.txt"]);
    fs::rename(project.at("public/x"), project.at("public/moved")).unwrap();
    project.told_until(&["public/x/y/z.txt", "public/moved/y/z.txt"]);
    write(&project.at("public/moved/y/more.txt"), "new");
    project.told_until(&["public/moved/y/more.txt"]);
    fs::remove_dir_all(project.at("public")).unwrap();
    project.told_until(&["public/a.txt", "public/deep/b.txt", "public/moved/y/z.txt"]);
    write(&project.at("public/deep/b.txt"), "back");
    project.told_until(&["public/deep/b.txt"]);
}

#[test]
fn folders_that_come_back_are_watched_again() {
    let mut project = fixture(&["site/pages/a.txt"], impatient());
    project.depend(project.reading(&["site/pages/a.txt"]));
    for round in 0..5 {
        fs::rename(project.at("site"), project.at("away")).unwrap();
        project.told_until(&["site/pages/a.txt"]);
        fs::rename(project.at("away"), project.at("site")).unwrap();
        project.told_until(&["site/pages/a.txt"]);
        fs::remove_dir_all(project.at("site")).unwrap();
        write(&project.at("site/pages/a.txt"), &format!("again {round}"));
        project.told_until(&["site/pages/a.txt"]);
        project.told();
        write(&project.at("site/pages/a.txt"), &format!("edited {round}"));
        project.told_until(&["site/pages/a.txt"]);
    }
}

#[test]
fn a_build_that_read_something_else_is_told_so() {
    let project = fixture(&["a.txt", "b.txt"], patient());
    let began = Instant::now();
    thread::sleep(Duration::from_millis(20));
    write(&project.at("a.txt"), "while it was read");
    project.watcher.depend(project.reading(&["a.txt", "b.txt"]), began);
    assert_eq!(project.told_until(&["a.txt"]), [project.at("a.txt")]);

    // Found and gone since, and the reverse.
    let project = fixture(&["a.txt", "b.txt"], impatient());
    let found = project.paths(&["gone.txt"]);
    let missed = project.paths(&["b.txt"]);
    project.depend(Dependencies { found, missed, ..project.reading(&["a.txt"]) });
    project.told_until(&["gone.txt", "b.txt"]);
}

#[test]
fn a_build_that_may_have_read_half_a_file_is_told_of_the_whole_one() {
    let project = fixture(&["a.txt"], patient());
    project.depend(project.reading(&["a.txt"]));
    let began = Instant::now();
    thread::sleep(Duration::from_millis(20));
    fs::write(project.at("a.txt"), "").unwrap();
    // The build reads nothing here.
    fs::write(project.at("a.txt"), "a.txt").unwrap();
    project.watcher.depend(project.reading(&["a.txt"]), began);
    project.told_until(&["a.txt"]);

    let began = Instant::now();
    thread::sleep(Duration::from_millis(20));
    fs::write(project.at("a.txt"), "").unwrap();
    fs::write(project.at("a.txt"), "a.txt").unwrap();
    project.watcher.built(began);
    project.told_until(&["a.txt"]);
}

#[test]
fn what_is_not_depended_on_any_more_is_not_told() {
    let mut project = fixture(&["a.txt", "b.txt"], impatient());
    project.depend(project.reading(&["a.txt", "b.txt"]));
    project.depend(project.reading(&["b.txt"]));
    write(&project.at("a.txt"), "changed");
    assert_eq!(project.told(), Vec::<PathBuf>::new());
    project.depend(project.reading(&["a.txt", "b.txt"]));
    project.told();
    write(&project.at("a.txt"), "changed again");
    assert_eq!(project.told(), [project.at("a.txt")]);
}

#[test]
fn own_writes_are_not_told() {
    let mut project = with(&["site/public/a.txt", "dist/index.html", "routes.toml"], |settings| {
        settings.own = vec![settings.roots[0].join("dist"), settings.roots[0].join("site/cache")];
        settings.patience = impatient();
    });
    #[cfg(unix)]
    std::os::unix::fs::symlink(project.at("dist"), project.at("site/public/out")).unwrap();
    settle();
    let mut read = project.reading(&["routes.toml"]);
    read.walked = project.paths(&["site/public", "dist"]);
    read.listed = project.paths(&["site", "dist"]);
    read.read.extend(project.paths(&["dist/index.html", "site/public/out/index.html"]));
    project.depend(read);
    write(&project.at("dist/index.html"), "built");
    write(&project.at("dist/new/page.html"), "built");
    write(&project.at("site/cache/entry"), "kept");

    project.watcher.expect(&project.at("routes.toml"), b"title = 'new'");
    write(&project.at("routes.toml"), "title = 'new'");
    assert_eq!(project.told(), Vec::<PathBuf>::new());
    write(&project.at("routes.toml"), "title = 'by hand'");
    assert_eq!(project.told(), [project.at("routes.toml")]);
    // Once it was somebody else's, the old content is news.
    write(&project.at("routes.toml"), "title = 'new'");
    assert_eq!(project.told(), [project.at("routes.toml")]);
}

#[cfg(unix)]
#[test]
fn what_is_linked_is_watched_where_it_really_lies() {
    use std::os::unix::fs::symlink;
    let mut project =
        fixture(&["site/a.txt", "../packages/ui/src/Button.tsx", "../packages/ui/src/new/b.txt"], impatient());
    fs::create_dir_all(project.at("site/node_modules/@acme")).unwrap();
    symlink(project.at("../packages/ui"), project.at("site/node_modules/@acme/ui")).unwrap();
    symlink(project.at("../packages/ui/src"), project.at("site/linked")).unwrap();
    settle();
    let real = fs::canonicalize(project.at("../packages/ui/src")).unwrap();
    let mut on = project.reading(&["site/linked/Button.tsx"]);
    on.read.insert(real.join("Button.tsx"));
    on.found.insert(project.at("site/node_modules/@acme/ui"));
    on.listed.insert(project.at("site/linked"));
    project.depend(on);

    write(&real.join("Button.tsx"), "changed");
    let told = project.told();
    assert!(
        told.contains(&real.join("Button.tsx")) && told.contains(&project.at("site/linked/Button.tsx")),
        "{told:?}"
    );
    write(&real.join("Card.tsx"), "new");
    project.told_until(&["site/linked/Card.tsx"]);
    // The link itself leads elsewhere.
    fs::remove_file(project.at("site/linked")).unwrap();
    symlink(real.join("new"), project.at("site/linked")).unwrap();
    project.told_until(&["site/linked/Button.tsx"]);
    write(&real.join("new/c.txt"), "new");
    project.told_until(&["site/linked/c.txt"]);
}

#[test]
fn packages_are_compared_when_their_manager_has_been_there() {
    let index = "site/node_modules/react/index.js";
    let scoped = "site/node_modules/@acme/ui/index.js";
    let project = fixture(&[index, scoped, "site/a.txt"], impatient());
    let missed = project.paths(&["site/node_modules/vue/index.js"]);
    project.depend(Dependencies { missed, ..project.reading(&["site/a.txt", index, scoped]) });
    write(&project.at(index), "next");
    write(&project.at(scoped), "next");
    write(&project.at("site/node_modules/vue/index.js"), "new");
    write(&project.at("site/node_modules/.package-lock.json"), "{}");
    project.told_until(&[index, scoped, "site/node_modules/vue/index.js"]);

    fs::remove_dir_all(project.at("site/node_modules")).unwrap();
    project.told_until(&[index]);
    write(&project.at(index), "installed");
    project.told_until(&[index]);
    write(&project.at(index), "once more");
    write(&project.at("site/node_modules/.package-lock.json"), "{ }");
    project.told_until(&[index]);
}

#[test]
fn what_changes_while_a_program_holds_its_lock_comes_together_afterwards() {
    let mut project =
        with(&["a", "b", "c"], |settings| settings.locks = vec![settings.roots[0].join(".git/index.lock")]);
    project.depend(project.reading(&["a", "b", "c"]));
    write(&project.at(".git/index.lock"), "");
    write(&project.at("a"), "new a");
    // Time enough to be told of it, if it were told.
    settle();
    write(&project.at("b"), "new b");
    settle();
    fs::remove_file(project.at(".git/index.lock")).unwrap();
    let News::Changed(first) = project.next() else { panic!("a warning") };
    assert_eq!(first, project.paths(&["a", "b"]));
    write(&project.at("c"), "new c");
    assert_eq!(project.told(), [project.at("c")]);
}

#[test]
fn a_storm_comes_as_few_news() {
    let names: Vec<String> = (0..2000).map(|number| format!("site/{}/{number}.txt", number % 50)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let patience = Patience { storm: Duration::from_secs(1), ..patient() };
    let project = fixture(&names, patience);
    project.depend(project.reading(&names));
    for name in &names {
        write(&project.at(name), "of another branch");
    }
    let mut left = project.paths(&names);
    let mut news = 0;
    while !left.is_empty() {
        if let News::Changed(changed) = project.next() {
            left.retain(|path| !changed.contains(path));
            news += 1;
        }
    }
    assert!(news <= 5, "{news}");
}

/// Events that a test sends by hand, of a system that watches so many folders.
struct Limited {
    left: usize,
    watched: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Events for Limited {
    fn watch(&mut self, folder: &Path) -> Result<(), Failure> {
        self.left = self.left.checked_sub(1).ok_or(Failure::TooManyFolders)?;
        self.watched.lock().unwrap().insert(folder.to_owned());
        Ok(())
    }

    fn unwatch(&mut self, folder: &Path) {
        self.left += usize::from(self.watched.lock().unwrap().remove(folder));
    }
}

/// A project watched by events that never come, with what is watched, and where to send events after all.
fn silent(files: &[&str], folders: usize) -> (Fixture, Arc<Mutex<BTreeSet<PathBuf>>>) {
    let (folder, root) = project(files);
    let settings =
        Settings { roots: vec![root.clone()], own: Vec::new(), locks: Vec::new(), poll: None, patience: impatient() };
    let (tell, news) = mpsc::channel();
    let on: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
    let events = Limited { left: folders, watched: Arc::clone(&on) };
    let watcher = Watcher::with(settings, move |news| drop(tell.send(news)), |_| Ok(Box::new(events)));
    (Fixture { _folder: folder, root, watcher, news, round: 0 }, on)
}

fn warning(project: &Fixture) -> Diagnostic {
    loop {
        if let News::Warning(warning) = project.next() {
            return warning;
        }
    }
}

#[test]
fn what_is_more_than_the_system_watches_is_polled_and_told() {
    let names: Vec<String> = (0..30).map(|number| format!("site/{number}/a.txt")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (project, watched) = silent(&names, 10);
    project.watcher.depend(project.reading(&names), Instant::now());
    let warning = warning(&project);
    assert!(warning.message.english().contains("22 folders"), "{warning:?}");
    assert!(warning.hints[0].english().contains("sysctl"));
    assert_eq!(watched.lock().unwrap().len(), 10);
    // Those that are watched by these events are not told.
    let unwatched: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| !watched.lock().unwrap().contains(project.at(name).parent().unwrap()))
        .collect();
    for name in &names {
        write(&project.at(name), "changed");
    }
    project.told_until(&unwatched);
}

#[test]
fn without_any_watcher_everything_is_polled_and_told() {
    let (folder, root) = project(&["site/a.txt"]);
    let settings =
        Settings { roots: vec![root.clone()], own: Vec::new(), locks: Vec::new(), poll: None, patience: impatient() };
    let (tell, news) = mpsc::channel();
    let watcher = Watcher::with(settings, move |news| drop(tell.send(news)), |_| Err(Failure::TooManyWatchers));
    let project = Fixture { _folder: folder, root, watcher, news, round: 0 };
    project.watcher.depend(project.reading(&["site/a.txt"]), Instant::now());
    assert!(warning(&project).hints[0].english().contains("max_user_instances"));
    write(&project.at("site/a.txt"), "changed");
    project.told_until(&["site/a.txt"]);
}

#[test]
fn polling_tells_the_same() {
    let mut project =
        with(&["site/a.txt", "pages/b.txt", "public/deep/c.txt", "site/node_modules/react/index.js"], |settings| {
            settings.poll = Some(SHORT);
            settings.patience = impatient();
        });
    let mut on = project.reading(&["site/a.txt", "site/node_modules/react/index.js"]);
    on.listed = project.paths(&["pages"]);
    on.walked = project.paths(&["public"]);
    on.missed = project.paths(&["new/d.txt"]);
    project.depend(on);
    for name in
        ["site/a.txt", "pages/new.txt", "public/deep/er/new.txt", "new/d.txt", "site/node_modules/react/index.js"]
    {
        write(&project.at(name), "changed");
        project.told_until(&[name]);
    }
    fs::remove_file(project.at("pages/b.txt")).unwrap();
    project.told_until(&["pages/b.txt"]);
    thread::sleep(Duration::from_millis(200));
    // By renaming: whoever looks while it is truncated and has so little patience is right to say that it is empty.
    write(&project.at("site/a.tmp"), "changed");
    fs::rename(project.at("site/a.tmp"), project.at("site/a.txt")).unwrap();
    assert_eq!(project.told(), Vec::<PathBuf>::new());
}

#[test]
fn files_that_change_without_events_are_found_by_looking_and_hinted_at() {
    let (project, _) = silent(&["site/a.txt"], 100);
    project.depend(project.reading(&["site/a.txt"]));
    project.watcher.look();
    project.idle();
    write(&project.at("site/a.txt"), "changed");
    project.watcher.look();
    let News::Warning(warning) = project.next() else { panic!("no warning") };
    assert!(warning.hints[0].english().contains("--poll"));
    project.told_until(&["site/a.txt"]);
}

#[test]
fn lost_events_are_made_up_for() {
    let (project, _) = silent(&["site/a.txt", "pages/b.txt"], 100);
    let listed = project.paths(&["pages"]);
    project.depend(Dependencies { listed, ..project.reading(&["site/a.txt"]) });
    write(&project.at("site/a.txt"), "changed");
    write(&project.at("pages/new.txt"), "new");
    project.watcher.tell(Input::Event(Event::Lost));
    project.told_until(&["site/a.txt", "pages/new.txt"]);
}

#[test]
fn real_packages_cost_no_watch() {
    let index = "site/node_modules/react/index.js";
    let (project, watched) = silent(&[index, "site/pages/a.txt"], 100);
    project.depend(project.reading(&[index, "site/pages/a.txt"]));
    let expected = project.paths(&["", "site", "site/pages", "site/node_modules"]);
    assert_eq!(*watched.lock().unwrap(), expected.iter().map(|path| fs::canonicalize(path).unwrap()).collect());
}

/// Numbers that look random, the same ones each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % sides as u64).unwrap()
    }
}

#[test]
fn whatever_is_done_the_last_state_is_told() {
    let names: Vec<String> = (0..10).map(|number| format!("site/{}/{number}.txt", number % 3)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let project = fixture(&names, impatient());
    let mut dice = Dice(7);
    // What a build has read that is made after all news.
    let mut built: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    let read = |built: &mut BTreeMap<PathBuf, Option<String>>| {
        let began = Instant::now();
        let mut on = Dependencies::default();
        for name in &names {
            let path = project.at(name);
            let content = fs::read_to_string(&path).ok();
            if content.is_some() { &mut on.read } else { &mut on.missed }.insert(path.clone());
            built.insert(path, content);
        }
        project.watcher.depend(on, began);
    };
    read(&mut built);
    for round in 0..60 {
        for step in 0..dice.roll(12) {
            let path = project.at(names[dice.roll(names.len())]);
            let content = format!("{round} {step}");
            match dice.roll(SAVES.len() + 4) {
                0 => drop(fs::remove_file(&path)),
                1 => {
                    let folder = path.parent().unwrap();
                    let away = folder.with_extension("away");
                    if fs::rename(folder, &away).is_ok() {
                        fs::rename(away, folder).unwrap();
                    }
                }
                2 => drop(fs::remove_dir_all(path.parent().unwrap())),
                3 => read(&mut built),
                way => {
                    if !path.exists() {
                        write(&path, "back");
                    }
                    SAVES[way - 4].1(&path, &content);
                }
            }
        }
        let is_last = |built: &BTreeMap<PathBuf, Option<String>>| {
            built.iter().all(|(path, content)| fs::read_to_string(path).ok() == *content)
        };
        while !is_last(&built) {
            let News::Changed(_) = project.next() else { continue };
            read(&mut built);
        }
    }
}
