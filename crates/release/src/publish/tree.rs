//! A folder on disk below which no link is followed. Everything that portalgen writes or deletes goes through one.

use std::{
    fmt::Display,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};

use super::{PublishError, guard};

/// Called before every change to the disk; an error stops publishing there.
pub(super) type BeforeStep<'a> = &'a (dyn Fn() -> io::Result<()> + Sync);

/// The name of a file in the making begins like this. It does not contain the name that the file will get, which may be
/// as long as the system allows.
const UNFINISHED: &str = ".portalgen-";
/// How many names are tried for a file in the making. They are taken only where processes of several machines or
/// containers, which share numbers, write to one folder.
const ATTEMPTS: usize = 1000;

/// The root of a tree: a folder that may be written to; it need not exist.
#[derive(Debug)]
pub(super) struct Root {
    /// Absolute, every link resolved.
    pub(super) path: PathBuf,
    /// How people call it.
    pub(super) shown: String,
}

/// What stands at a path below a folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Free,
    File,
    Folder,
    /// A file where the path needs a folder; its path.
    BelowFile(String),
    /// A link, pipe, socket or device at the path or on the way to it; its path.
    Strange(String),
}

/// The folder. Paths are relative to it and use `/`.
pub(super) struct Tree<'a> {
    root: Root,
    before_step: BeforeStep<'a>,
    made: AtomicUsize,
}

impl<'a> Tree<'a> {
    pub(super) fn new(root: Root, before_step: BeforeStep<'a>) -> Self {
        Self { root, before_step, made: AtomicUsize::new(0) }
    }

    /// The folder at `path`, wherever links to it lead; an empty path is the current folder.
    pub(super) fn at(path: &Path) -> Result<Self, PublishError> {
        let shown = path.display().to_string();
        let absolute = std::path::absolute(Path::new(".").join(path)).and_then(|path| guard::resolve(&path));
        let path = absolute.map_err(|error| failure(Doing::Find, &shown, &error))?;
        Ok(Self::new(Root { path, shown }, &|| Ok(())))
    }

    /// How people call the folder.
    pub(super) fn name(&self) -> &str {
        &self.root.shown
    }

    /// How people call a path.
    pub(super) fn shown(&self, path: &str) -> String {
        if self.root.shown.is_empty() { path.to_owned() } else { format!("{}/{path}", self.root.shown) }
    }

    /// Where the folder is.
    pub(super) fn root(&self) -> &Path {
        &self.root.path
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.path.join(Path::new(path))
    }

    /// What stands at `path`.
    pub(super) fn look(&self, path: &str) -> Result<Spot, PublishError> {
        for prefix in prefixes(path) {
            let metadata = match fs::symlink_metadata(self.path(prefix)) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Spot::Free),
                Err(error) => return Err(failure(Doing::LookAt, &self.shown(prefix), &error)),
            };
            if metadata.is_file() {
                return Ok(if prefix == path { Spot::File } else { Spot::BelowFile(prefix.to_owned()) });
            } else if !metadata.is_dir() {
                return Ok(Spot::Strange(prefix.to_owned()));
            }
        }
        Ok(Spot::Folder)
    }

    /// Makes sure that a file can be put at `path`: nothing is there, or a file that it may replace.
    ///
    /// # Errors
    /// [`PublishError::Refused`], with what is in the way.
    pub(super) fn check_free(&self, path: &str) -> Result<(), PublishError> {
        let (at, what) = match self.look(path)? {
            Spot::Free | Spot::File => return Ok(()),
            Spot::Folder => (path.to_owned(), text!("a folder", "文件夹")),
            Spot::BelowFile(at) => (at, text!("a file, not a folder", "文件，不是文件夹")),
            Spot::Strange(at) if self.is_link(&at) => {
                (at, text!("a symbolic link, which portalgen does not follow", "符号链接，portalgen 不会跟随它"))
            }
            Spot::Strange(at) => (at, text!("a pipe, a socket or a device", "管道、套接字或设备")),
        };
        let (path, at) = (self.shown(path), self.shown(&at));
        let error = Diagnostic::error(text!(
            "cannot write `{path}`: `{at}` is in the way and is {what}",
            "无法写入 `{path}`：`{at}` 已经存在，它是{what}",
            what
        ));
        Err(PublishError::refused(error.with_hint(text!("move `{at}` away", "请把 `{at}` 移走"))))
    }

    fn is_link(&self, path: &str) -> bool {
        fs::symlink_metadata(self.path(path)).is_ok_and(|metadata| metadata.is_symlink())
    }

    /// The bytes of the regular file at `path`; [`None`] when something else or nothing is there.
    pub(super) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, PublishError> {
        if self.look(path)? != Spot::File {
            return Ok(None);
        }
        fs::read(self.path(path)).map(Some).map_err(|error| failure(Doing::Read, &self.shown(path), &error))
    }

    /// Whether two paths lead to one file, as they do on disks that ignore letter case.
    pub(super) fn is_same_file(&self, a: &str, b: &str) -> bool {
        matches!((fs::canonicalize(self.path(a)), fs::canonicalize(self.path(b))), (Ok(a), Ok(b)) if a == b)
    }

    /// Everything below the folder at `path` that is no folder, sorted.
    pub(super) fn files_below(&self, path: &str) -> Result<Vec<String>, PublishError> {
        let fail = |error: io::Error| failure(Doing::Read, &self.shown(path), &error);
        let mut files = Vec::new();
        for entry in fs::read_dir(self.path(path)).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let name = format!("{path}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                files.extend(self.files_below(&name)?);
            } else {
                files.push(name);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Puts a file at `path`, in place of the one that is there. No reader meets half of it.
    ///
    /// # Errors
    /// [`PublishError::Refused`] where something else than a file is in the way, [`PublishError::Failed`] when the system
    /// reports an error.
    pub(super) fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
        self.check_free(path)?;
        self.ensure_parents(path)?;
        let target = self.path(path);
        let write = || {
            let unfinished = unfinished(&target, self.made.fetch_add(1, Ordering::Relaxed), bytes)?;
            fs::rename(&unfinished, &target).inspect_err(|_| {
                // What went wrong is told; that the rest of it stays is not worth another message.
                let _ = fs::remove_file(&unfinished);
            })
        };
        self.step(Doing::Write, path, write)
    }

    /// Makes the folders that lead to `path`.
    pub(super) fn ensure_parents(&self, path: &str) -> Result<(), PublishError> {
        let root = &self.root.path;
        if !root.is_dir() {
            self.step(Doing::Create, path, || fs::create_dir_all(root))?;
        }
        path.match_indices('/').try_for_each(|(end, _)| self.ensure_folder(path.get(..end).unwrap_or(path)))
    }

    fn ensure_folder(&self, path: &str) -> Result<(), PublishError> {
        match fs::symlink_metadata(self.path(path)) {
            Ok(metadata) if metadata.is_dir() => Ok(()),
            Ok(_) => Err(failure(Doing::Create, &self.shown(path), &io::ErrorKind::NotADirectory.into())),
            Err(_) => self.step(Doing::Create, path, || match fs::create_dir(self.path(path)) {
                // Another build has been quicker.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && self.is_folder(path) => Ok(()),
                made => made,
            }),
        }
    }

    fn is_folder(&self, path: &str) -> bool {
        fs::symlink_metadata(self.path(path)).is_ok_and(|metadata| metadata.is_dir())
    }

    /// Removes the file at `path`, and then the folders that held nothing else.
    pub(super) fn remove(&self, path: &str) -> Result<(), PublishError> {
        self.step(Doing::Remove, path, || fs::remove_file(self.path(path)))?;
        self.remove_empty_parents(path)
    }

    /// Removes the folders that lead to `path`, as far as they are empty.
    fn remove_empty_parents(&self, path: &str) -> Result<(), PublishError> {
        let parents = path.rmatch_indices('/').filter_map(|(end, _)| path.get(..end));
        for parent in parents {
            if !self.remove_if_empty(parent)? {
                break;
            }
        }
        Ok(())
    }

    /// Removes the folders at and below `path`, which hold no files.
    pub(super) fn remove_empty_folders(&self, path: &str) -> Result<(), PublishError> {
        let fail = |error: io::Error| failure(Doing::Read, &self.shown(path), &error);
        for entry in fs::read_dir(self.path(path)).map_err(fail)? {
            let name = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
            self.remove_empty_folders(&format!("{path}/{name}"))?;
        }
        self.step(Doing::Remove, path, || fs::remove_dir(self.path(path)))
    }

    /// Removes the folder at `path` unless something is in it; whether it is gone.
    pub(super) fn remove_if_empty(&self, path: &str) -> Result<bool, PublishError> {
        let fail = |error: io::Error| failure(Doing::Read, &self.shown(path), &error);
        if fs::read_dir(self.path(path)).map_err(fail)?.next().is_some() {
            return Ok(false);
        }
        // A mount point, or somebody just put something in: an empty folder is not worth failing for.
        self.step(Doing::Remove, path, || Ok(fs::remove_dir(self.path(path)).is_ok()))
    }

    pub(super) fn step<T>(
        &self,
        doing: Doing,
        path: &str,
        change: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, PublishError> {
        (self.before_step)().and_then(|()| change()).map_err(|error| failure(doing, &self.shown(path), &error))
    }
}

/// A path and the folders on the way to it, outermost first.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| end).chain([path.len()]).filter_map(|end| path.get(..end))
}

/// Whether a name is one of a file in the making. Earlier versions numbered them.
pub(super) fn is_unfinished(name: &str) -> bool {
    name.starts_with(UNFINISHED) || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Writes bytes to a new file beside `target`, and tells where. Nothing that is there already is opened.
pub(super) fn unfinished(target: &Path, number: usize, bytes: &[u8]) -> io::Result<PathBuf> {
    for number in number..number + ATTEMPTS {
        let path = target.with_file_name(format!("{UNFINISHED}{}-{number}", process::id()));
        match write_new(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Writes a file where there is none, not even a link.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    file.write_all(bytes).inspect_err(|_| {
        // On a full disk, half a file is the last thing to leave behind.
        let _ = fs::remove_file(path);
    })
}

/// What we do to files and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Create,
    Find,
    Lock,
    LookAt,
    Open,
    Read,
    Remove,
    Write,
}

/// Says that the system refused something.
pub(super) fn refused(doing: Doing, path: impl Display, error: &io::Error) -> Text {
    let verb = match doing {
        Doing::Create => text!("create", "创建"),
        Doing::Find => text!("find", "找到"),
        Doing::Lock => text!("lock", "锁定"),
        Doing::LookAt => text!("inspect", "查看"),
        Doing::Open => text!("open", "打开"),
        Doing::Read => text!("read", "读取"),
        Doing::Remove => text!("remove", "删除"),
        Doing::Write => text!("write", "写入"),
    };
    let error = system::explain(error);
    text!("cannot {verb} `{path}`: {error}", "无法{verb} `{path}`：{error}", verb, error)
}

/// The system's refusal of what we were `doing` to `path`, a path as people call it.
pub(super) fn failure(doing: Doing, path: &str, error: &io::Error) -> PublishError {
    let diagnostic = Diagnostic::error(refused(doing, path, error));
    PublishError::Failed(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => diagnostic.with_hint(text!(
            "free some space and build again; what was published before is still complete",
            "请先腾出一些磁盘空间，再重新构建；之前发布的内容仍然完整"
        )),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => diagnostic.with_hint(text!(
            "check the owner and the permissions of the output folder",
            "请检查输出文件夹的所有者和权限"
        )),
        _ => diagnostic,
    })
}
