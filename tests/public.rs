//! Copying `site/public`.

use std::{
    fs, io,
    os::unix::{ffi::OsStrExt, fs::symlink, net::UnixListener},
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use portalgen_base::source::{Disk, Found, Kind, Memory, Refused, Sources, Unwalkable};
use portalgen_build::public_files::{self, PublicFile};

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir_all(project.public()).expect("site/public");
        project
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn public(&self) -> PathBuf {
        self.root().join("site/public")
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let file = self.public().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("folders");
        fs::write(file, bytes).expect("a file");
    }

    /// Collects on another thread, so that a hang is a failure and not a hang.
    fn collect(&self) -> (Vec<String>, Vec<String>) {
        let (sender, receiver) = mpsc::channel();
        let (root, public) = (self.root(), self.public());
        thread::spawn(move || sender.send(public_files::collect(&Disk::of_project(&root), &root, &public)));
        let (files, warnings) = receiver.recv_timeout(Duration::from_mins(1)).expect("collecting must not hang");
        (
            files.into_iter().map(|file| file.path).collect(),
            warnings.into_iter().map(|d| d.message.english().to_owned()).collect(),
        )
    }
}

#[test]
fn files_are_copied_byte_for_byte_in_path_order() {
    let project = Project::new();
    project.write("robots.txt", b"User-agent: *\r\n");
    project.write("img/\u{6807}\u{5fd7} 1.bin", &[0, 255, 10, 13]);
    project.write("a-b/x", b"");
    project.write("a/x", b"");
    let (files, warnings) =
        public_files::collect(&Disk::of_project(&project.root()), &project.root(), &project.public());
    assert_eq!(warnings, []);
    let expected: [(&str, &[u8]); 4] = [
        ("a/x", b""),
        ("a-b/x", b""),
        ("img/\u{6807}\u{5fd7} 1.bin", &[0, 255, 10, 13]),
        ("robots.txt", b"User-agent: *\r\n"),
    ];
    let expected = expected.map(|(path, bytes)| PublicFile { path: path.to_owned(), bytes: bytes.to_vec() });
    assert_eq!(files, expected);
}

#[test]
fn a_missing_folder_holds_nothing_and_a_file_in_its_place_is_reported() {
    let project = Project::new();
    fs::remove_dir(project.public()).expect("removed");
    assert_eq!(project.collect(), (vec![], vec![]));
    fs::write(project.public(), "").expect("a file");
    let (files, warnings) = project.collect();
    assert_eq!(files, [""; 0]);
    assert_eq!(warnings, ["`site/public` is not a folder, so nothing was copied from it"]);
    fs::remove_file(project.public()).expect("removed");
    symlink("nowhere", project.public()).expect("a link");
    assert_eq!(project.collect().1.len(), 1, "a broken link in the folder's place is reported");
}

#[test]
fn names_with_a_leading_dot_are_reported_once_and_only_well_known_is_copied() {
    let project = Project::new();
    for path in [".DS_Store", ".git/HEAD", ".git/refs/x", "a/.env", ".well-known/security.txt", "a/.well-known/x"] {
        project.write(path, b"x");
    }
    project.write(".well-known/.secret", b"x");
    project.write(".well-known.bak", b"x");
    let (files, warnings) = project.collect();
    assert_eq!(files, [".well-known/security.txt"]);
    let named: Vec<_> =
        warnings.iter().filter_map(|w| w.strip_suffix(" begins with a dot and was not copied")).collect();
    assert_eq!(
        named,
        [
            "`site/public/.DS_Store`",
            "`site/public/.git`",
            "`site/public/.well-known/.secret`",
            "`site/public/.well-known.bak`",
            "`site/public/a/.env`",
            "`site/public/a/.well-known`"
        ]
    );
}

#[test]
fn pipes_sockets_and_devices_are_reported_and_never_opened() {
    let project = Project::new();
    project.write("ok.txt", b"ok");
    let made = Command::new("mkfifo").arg(project.public().join("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    symlink("pipe", project.public().join("to-pipe")).expect("a link");
    let _socket = UnixListener::bind(project.public().join("socket")).expect("a socket");
    let (files, warnings) = project.collect();
    assert_eq!(files, ["ok.txt"]);
    let expected = ["pipe", "socket", "to-pipe"]
        .map(|name| format!("`site/public/{name}` is a pipe, socket or device and was not copied"));
    assert_eq!(warnings, expected);
}

#[test]
fn links_inside_the_project_are_followed_and_others_reported() {
    let project = Project::new();
    project.write("real/a.txt", b"a");
    fs::write(project.root().join("LICENSE"), "licence").expect("a file");
    fs::create_dir(project.folder.path().join("outside")).expect("a folder");
    fs::write(project.folder.path().join("outside/secret"), "secret").expect("a file");
    let link = |target: &str, name: &str| symlink(target, project.public().join(name)).expect("a link");
    link("real", "b-folder");
    link("../../LICENSE", "b-licence.txt");
    link("nowhere", "c-broken");
    link("d-self", "d-self");
    link("..", "e-up");
    link("../..", "e-up-two");
    link("..", "real/up");
    link("../../../outside", "f-out");
    link("../../../outside/secret", "f-out-file");
    link("/", "f-root");
    link("/dev/zero", "f-zero");
    project.write("z.txt", b"z");
    let (files, warnings) = project.collect();
    assert_eq!(files, ["b-folder/a.txt", "b-licence.txt", "real/a.txt", "z.txt"]);
    let about = |name: &str| warnings.iter().find(|w| w.starts_with(&format!("`site/public/{name}`"))).expect(name);
    assert!(about("c-broken").contains("broken symbolic link"));
    for name in ["d-self", "e-up", "e-up-two", "real/up", "b-folder/up"] {
        assert!(about(name).contains("points back to itself"), "{name}: {}", about(name));
    }
    for name in ["f-out", "f-out-file", "f-root", "f-zero"] {
        assert!(about(name).contains("out of the project"), "{name}: {}", about(name));
    }
    assert_eq!(warnings.len(), 10);
}

#[test]
fn a_public_folder_that_is_a_link_is_followed_inside_the_project_only() {
    let project = Project::new();
    fs::remove_dir(project.public()).expect("removed");
    fs::create_dir(project.root().join("static")).expect("a folder");
    fs::write(project.root().join("static/a.txt"), "a").expect("a file");
    symlink("../static", project.public()).expect("a link");
    assert_eq!(project.collect(), (vec!["a.txt".to_owned()], vec![]));
    fs::remove_file(project.public()).expect("removed");
    symlink("/", project.public()).expect("a link");
    let (files, warnings) = project.collect();
    assert_eq!(files, [""; 0]);
    assert_eq!(warnings, ["`site/public` is a symbolic link out of the project and was not followed"]);
}

#[test]
fn names_no_url_can_spell_are_reported() {
    let project = Project::new();
    project.write("a\\b.txt", b"x");
    project.write("line\nfeed", b"x");
    fs::write(project.public().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt")), "x").expect("a file");
    project.write("ok", b"x");
    let (files, warnings) = project.collect();
    assert_eq!(files, ["ok"]);
    assert_eq!(
        warnings,
        [
            "`site/public/a\\b.txt` was not copied: a backslash separates folders on Windows but not on other systems",
            "`site/public/caf\u{fffd}.txt` was not copied: its name is not UTF-8",
            "`site/public/line\u{fffd}feed` was not copied: the path contains a control character",
        ]
    );
}

/// Memory with entries that a disk would refuse to give.
struct Refusing(Memory);

impl Sources for Refusing {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path.ends_with("locked.txt") { Err(io::ErrorKind::PermissionDenied.into()) } else { self.0.read(path) }
    }
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.0.kind(path)
    }
    fn link_kind(&self, path: &Path) -> io::Result<Kind> {
        self.0.link_kind(path)
    }
    fn read_link(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.read_link(path)
    }
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonicalize(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }
    fn allowing(&self, _folders: &[PathBuf]) -> Arc<dyn Sources> {
        Arc::new(Self(self.0.clone()))
    }
    fn refusal(&self, _path: &Path) -> Option<Refused> {
        None
    }
    fn walk(&self, folder: &Path) -> Vec<Found> {
        let mut found = self.0.walk(folder);
        let denied = Unwalkable::Unreadable(io::ErrorKind::PermissionDenied.into());
        found.push(Found { path: folder.join("shut"), kind: Err(denied) });
        found
    }
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_copied() {
    let sources = Refusing(Memory::new([("/p/site/public/locked.txt", "x"), ("/p/site/public/open.txt", "open")]));
    let (files, warnings) = public_files::collect(&sources, Path::new("/p"), Path::new("/p/site/public"));
    assert_eq!(files, [PublicFile { path: "open.txt".to_owned(), bytes: b"open".to_vec() }]);
    let messages: Vec<_> = warnings.iter().map(|w| w.message.english()).collect();
    assert_eq!(
        messages,
        [
            "`site/public/locked.txt` cannot be read and was not copied: permission denied",
            "`site/public/shut` cannot be read and was not copied: permission denied",
        ]
    );
    assert!(warnings.iter().all(|w| !w.is_error()));
}
