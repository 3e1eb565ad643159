//! Projects in temporary folders, built with the program as its users run it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

use tempfile::TempDir;

/// The folder of this repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A project in a folder of its own, which goes when the value does.
pub(crate) struct Project {
    folder: TempDir,
}

/// What a run of the program gave.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    /// Runs a program to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Paths and contents below a folder.
pub(crate) type Tree = BTreeMap<String, Vec<u8>>;

impl Project {
    /// A project with these files, and the packages of the repository's own portal.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let project = Self::without_packages(files);
        project.link_packages();
        project
    }

    /// A project with these files.
    pub(crate) fn without_packages(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    /// A copy of the folder `from`, with the packages of the repository's own portal.
    pub(crate) fn copy_of(from: &Path) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        for (path, bytes) in tree(from) {
            project.write_bytes(&path, &bytes);
        }
        project.link_packages();
        project
    }

    fn link_packages(&self) {
        if self.path("site").is_dir() && !self.path("site/node_modules").exists() {
            self.add_packages();
        }
    }

    /// Adds the packages of the repository's own portal to those that are there.
    pub(crate) fn add_packages(&self) {
        let packages = repository().join("site/node_modules");
        assert!(packages.join("react").is_dir(), "run `npm ci` in site/ first: the tests build with its React");
        // A folder of the project's own: what builds keep beside the packages is not for other projects.
        let folder = self.path("site/node_modules");
        fs::create_dir_all(&folder).unwrap();
        for package in fs::read_dir(packages).unwrap().map(|entry| entry.unwrap()) {
            if !package.file_name().to_string_lossy().starts_with('.') {
                std::os::unix::fs::symlink(package.path(), folder.join(package.file_name())).unwrap();
            }
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.write_bytes(path, text.as_bytes());
    }

    pub(crate) fn write_bytes(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// Runs `portalgen build` with further arguments.
    pub(crate) fn build(&self, arguments: &[&str]) -> Outcome {
        self.run("build", arguments)
    }

    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(command).args(arguments))
    }

    /// The program, in the project's folder and with nothing of the caller's settings.
    pub(crate) fn command(&self, command: &str) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_portalgen"));
        program.arg(command).current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PORTALGEN_") || name == "CLICOLOR_FORCE" {
                program.env_remove(name);
            }
        }
        // Whoever runs the tests may like another language.
        program.env("PORTALGEN_LANG", "en");
        program
    }

    /// Puts a small published portal there, so that there is something that a failed build could damage.
    pub(crate) fn publish_something(&self) -> Tree {
        // Built once for all.
        static SOMETHING: LazyLock<Tree> = LazyLock::new(small_portal);
        for (path, bytes) in &*SOMETHING {
            self.write_bytes(&format!("dist/{path}"), bytes);
        }
        self.published()
    }

    /// The published files.
    pub(crate) fn published(&self) -> Tree {
        tree(&self.path("dist"))
    }
}

fn small_portal() -> Tree {
    let project = Project::new(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"Before\"\n"),
        ("site/pages/index.tsx", "export default () => <h1>Before</h1>;\n"),
    ]);
    let result = project.build(&[]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    project.published()
}

/// All files below `folder`, links not followed.
pub(crate) fn tree(folder: &Path) -> Tree {
    let mut files = Tree::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap().map(|entry| entry.unwrap()) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let path = entry.path().strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
                files.insert(path, fs::read(entry.path()).unwrap());
            }
        }
    }
    files
}
