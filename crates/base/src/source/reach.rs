//! Which files of a disk a project may read: what it reads can be published.
//!
//! Judged are canonical paths, so that a link is judged by what it leads to.

use std::{
    collections::BTreeSet,
    error::Error,
    fmt, fs, io,
    path::{Component, Path, PathBuf},
    sync::OnceLock,
};

use super::{names::display_name, workspace::Workspace};
use crate::text::{Text, text};

/// Folders in which the system shows its own state as files: the environment of every process, for one.
const SYSTEM: &[&str] = &["/proc", "/sys", "/dev"];

/// The one folder among those that holds files of people.
const SHARED_MEMORY: &str = "/dev/shm";

/// Folders and files that hold passwords and tokens: on build servers, `.git/config` has one for the repository.
const PRIVATE: &[&str] = &[".git", ".hg", ".svn", ".env", ".npmrc", ".yarnrc.yml", ".netrc", ".ssh", ".aws"];

/// Files that settle how modules are read, and are looked for in all folders above a module.
const SETTINGS: &[&str] = &["package.json", "tsconfig.json"];

/// How the owner of a project lets it read more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// `[build] allow` in `routes.toml`.
    Setting,
    /// `--allow`.
    Flag,
}

/// Why a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    System,
    Private,
    Outside,
}

/// A file that is there and that the project may not read. It comes inside of an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    reason: Reason,
    /// What would be opened, relative to the project; of the system's files the whole path.
    target: String,
    /// Whether a link leads there.
    is_linked: bool,
    /// The folder that would have to be allowed, relative to the project.
    folder: String,
    remedy: Remedy,
}

impl Refused {
    /// Whether the file is one of the project, which keeps secrets in it.
    pub fn is_private(&self) -> bool {
        self.reason == Reason::Private
    }

    /// The refusal behind an error.
    pub fn behind(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// The same, with what else a link to it is called.
    pub(super) fn linked(mut self, is_linked: bool) -> Self {
        self.is_linked = is_linked;
        self
    }

    /// Why: a clause that follows a colon.
    pub(crate) fn reason(&self) -> Text {
        let target = &self.target;
        match (self.reason, self.is_linked) {
            (Reason::System, false) => {
                text!("it is a system file; portalgen never reads those", "它是系统文件，portalgen 不会读取")
            }
            (Reason::System, true) => text!(
                "`{target}` is a system file; portalgen never reads those",
                "`{target}` 是系统文件，portalgen 不会读取"
            ),
            (Reason::Private, _) => text!(
                "`{target}` may contain secrets; portalgen never reads such files",
                "`{target}` 可能含有密钥，portalgen 不会读取"
            ),
            (Reason::Outside, true) => text!(
                "it is a symbolic link to `{target}`, outside the project",
                "它是指向项目之外的符号链接：`{target}`"
            ),
            (Reason::Outside, false) => text!("it is outside the project", "它在项目之外"),
        }
    }

    /// What to do so that it is read, where something can be done.
    pub fn hint(&self) -> Option<Text> {
        let folder = &self.folder;
        (self.reason == Reason::Outside).then(|| match self.remedy {
            Remedy::Setting => text!(
                "imported files are published; to allow this folder, write `allow = [\"{folder}\"]` under `[build]` \
                in routes.toml",
                "导入的文件会被发布；要允许这个文件夹，请在 routes.toml 的 `[build]` 下写 `allow = [\"{folder}\"]`"
            ),
            Remedy::Flag => {
                text!("to allow this folder, add `--allow {folder}`", "要允许这个文件夹，请加上 `--allow {folder}`")
            }
        })
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason().english())
    }
}

impl Error for Refused {}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        Self::new(io::ErrorKind::PermissionDenied, refused)
    }
}

/// Whether a canonical path is one of the system's own, which no project reads.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder)) && !path.starts_with(SHARED_MEMORY)
}

/// The files of a disk that a project may read.
#[derive(Debug)]
pub(super) struct Reach {
    project: PathBuf,
    remedy: Remedy,
    workspace: Option<Workspace>,
    /// All below them is the project's own, or allowed.
    roots: Vec<PathBuf>,
    /// Where packages are looked for from, apart from the members of the workspace.
    importers: Vec<PathBuf>,
    /// The folders of the packages that modules in those folders can import. Found when something is asked for that lies
    /// elsewhere.
    packages: OnceLock<BTreeSet<PathBuf>>,
}

impl Reach {
    pub(super) fn of_project(project: &Path, remedy: Remedy) -> Self {
        let project = fs::canonicalize(project).unwrap_or_else(|_| project.to_path_buf());
        let site = project.join("site");
        let workspace = Workspace::of(&project, &site);
        let roots = std::iter::once(&project).chain(workspace.as_ref().map(|workspace| &workspace.root)).cloned();
        let roots = roots.collect();
        Self { importers: vec![site, project.clone()], remedy, workspace, roots, project, packages: OnceLock::new() }
    }

    /// The same, with more folders. What is not there allows nothing.
    pub(super) fn with(&self, folders: &[PathBuf]) -> Self {
        let mut wider = Self::of_project(&self.project, self.remedy);
        let more = folders.iter().filter_map(|folder| fs::canonicalize(folder).ok());
        wider.roots = self.roots.iter().cloned().chain(more).collect();
        wider.importers = [&self.importers, &wider.roots[..]].concat();
        wider
    }

    /// Whether the file or folder at a canonical path may be read.
    pub(super) fn judge(&self, path: &Path) -> Result<(), Refused> {
        let reason = if is_of_system(path) {
            Reason::System
        } else if self.is_below_root(path) {
            return Ok(());
        } else if let Some(package) = path.ancestors().find(|folder| self.packages().contains(*folder)) {
            if !is_private(path.strip_prefix(package).unwrap_or(path)) {
                return Ok(());
            }
            Reason::Private
        } else if self.is_setting_above(path) {
            return Ok(());
        } else if self.roots.iter().any(|root| path.starts_with(root)) {
            Reason::Private
        } else {
            Reason::Outside
        };
        Err(self.refused(path, reason))
    }

    fn refused(&self, path: &Path, reason: Reason) -> Refused {
        let name = |path: &Path| display_name(&self.project, path);
        let target = if reason == Reason::System { path.to_string_lossy().into_owned() } else { name(path) };
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        Refused { reason, target, is_linked: false, folder: name(folder), remedy: self.remedy }
    }

    fn is_below_root(&self, path: &Path) -> bool {
        let relative = self.roots.iter().filter_map(|root| path.strip_prefix(root).ok());
        relative.into_iter().any(|relative| !is_private(relative))
    }

    /// Whether it is a `package.json` or `tsconfig.json` of a folder that holds the project.
    fn is_setting_above(&self, path: &Path) -> bool {
        let is_setting = path.file_name().is_some_and(|name| SETTINGS.iter().any(|setting| name == *setting));
        is_setting && path.parent().is_some_and(|folder| self.importers.iter().any(|from| from.starts_with(folder)))
    }

    fn packages(&self) -> &BTreeSet<PathBuf> {
        self.packages.get_or_init(|| {
            let members = self.workspace.iter().flat_map(Workspace::members);
            let mut importers: Vec<PathBuf> = self.importers.iter().cloned().chain(members).collect();
            let (mut found, mut seen) = (BTreeSet::new(), BTreeSet::new());
            while let Some(importer) = importers.pop() {
                // Where one `node_modules` was looked into before, so were all above it.
                let modules = importer.ancestors().map(|folder| folder.join("node_modules"));
                for modules in modules.take_while(|modules| seen.insert(modules.clone())) {
                    importers.extend(packages_in(&modules).filter(|package| found.insert(package.clone())));
                }
            }
            found
        })
    }
}

/// Whether the path of something in a folder is one of those that hold secrets.
fn is_private(path: &Path) -> bool {
    path.components().any(|component| {
        let Component::Normal(name) = component else { return false };
        // Disks of some systems find `.GIT` as well.
        let name = name.to_string_lossy().to_lowercase();
        PRIVATE.contains(&&*name) || name.starts_with(".env.")
    })
}

/// The folders of the packages in a `node_modules`, links resolved.
fn packages_in(modules: &Path) -> impl Iterator<Item = PathBuf> {
    let names = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        entries.map(|entry| entry.path()).filter(|path| !starts_with(path, '.')).collect::<Vec<_>>()
    };
    let folders = names(modules).into_iter();
    let folders = folders.flat_map(move |folder| if starts_with(&folder, '@') { names(&folder) } else { vec![folder] });
    let real = folders.filter_map(|folder| fs::canonicalize(folder).ok());
    real.filter(|folder| folder.parent().is_some() && folder.join("package.json").is_file())
}

fn starts_with(path: &Path, character: char) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(character))
}
