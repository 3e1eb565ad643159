//! Writing the first files of a folder: all of them or, as far as the system goes along, none.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};

use super::{PublishError, tree::BeforeStep};

/// What a folder may hold and still count as empty: what version control, file managers and editors put there by themselves.
const OVERLOOKED: [&str; 8] =
    [".git", ".DS_Store", ".gitignore", ".gitattributes", ".editorconfig", ".github", ".idea", ".vscode"];

/// The same of what a repository begins with, in any spelling: `README.md`, `License`.
const OVERLOOKED_TEXTS: [&str; 9] =
    ["readme", "license", "licence", "copying", "notice", "changelog", "contributing", "code_of_conduct", "security"];

/// What a repository has once only, whatever its extension.
const README: &str = "README.md";

/// How many of the things that are in the way are named.
const SHOWN: usize = 3;

/// Makes `folder` hold `files`, each under a path with `/`. The folder must be new, empty, or hold nothing but what a repository
/// begins with; those that lead to it are made as well. A symbolic link in place of it is followed. Gives the paths of files that
/// were there already, and are as they were.
///
/// Nothing that is there is replaced and no link inside the folder followed, even if they come in at the same moment.
///
/// # Errors
/// [`PublishError::Refused`] when something is in the way, [`PublishError::Failed`] when the system reports an error.
/// What had been made until then is gone again.
pub fn create_files(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<Vec<String>, PublishError> {
    create_stepwise(folder, files, &|| Ok(()))
}

/// [`create_files`] with something to do before every change to the disk; tests fail there.
fn create_stepwise(
    folder: &Path,
    files: &[(String, Vec<u8>)],
    before_step: BeforeStep<'_>,
) -> Result<Vec<String>, PublishError> {
    if let Some(obstacle) = obstacle(folder)? {
        return Err(PublishError::refused(Diagnostic::error(obstacle).with_hint(text!(
            "choose a folder that does not exist yet, or move its content somewhere else",
            "请换一个还不存在的文件夹，或者先把已有的内容移到别处"
        ))));
    }
    let is_there = |name: &str| has_readme(folder, name) || fs::symlink_metadata(folder.join(name)).is_ok();
    let (there, new): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| is_there(name));
    let mut made = Made { folders: Vec::new(), files: Vec::new(), before_step };
    made.everything(folder, &new).inspect_err(|_| made.undo())?;
    Ok(there.into_iter().map(|(name, _)| name.clone()).collect())
}

/// Whether this is a README, and the folder has one under another name.
fn has_readme(folder: &Path, name: &str) -> bool {
    let is_readme = |name: &String| is_text(name, "readme");
    name == README && fs::metadata(folder).is_ok() && entries(folder).is_ok_and(|names| names.iter().any(is_readme))
}

/// Whether a file with this name is what repositories call so.
fn is_text(name: &str, stem: &str) -> bool {
    let name = name.to_lowercase();
    name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
}

fn is_overlooked(name: &str) -> bool {
    OVERLOOKED.contains(&name) || OVERLOOKED_TEXTS.iter().any(|stem| is_text(name, stem))
}

/// What keeps `folder` from being one that is empty or not there.
fn obstacle(folder: &Path) -> Result<Option<Text>, PublishError> {
    let shown = folder.display();
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => {
            let names = names(folder).map_err(|error| {
                let reason = system::explain(&error);
                failure(text!("cannot read `{shown}`: {reason}", "无法读取 `{shown}`：{reason}", reason), &error)
            })?;
            Ok((!names.is_empty()).then(|| not_empty(folder, &names)))
        }
        Ok(_) => Ok(Some(text!("`{shown}` is not a folder", "`{shown}` 不是文件夹"))),
        Err(_) if fs::symlink_metadata(folder).is_ok() => {
            Ok(Some(text!("`{shown}` is a broken symbolic link", "`{shown}` 是失效的符号链接")))
        }
        // What else is wrong with it shows when it is made.
        Err(_) => Ok(None),
    }
}

/// What is in a folder.
fn entries(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// What is in the way in a folder, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = entries(folder)?;
    names.retain(|name| !is_overlooked(name));
    names.sort();
    Ok(names)
}

fn not_empty(folder: &Path, names: &[String]) -> Text {
    let (folder, total) = (folder.display(), names.len());
    let quoted: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let (english, chinese) = (quoted.join(", "), quoted.join("、"));
    match total - quoted.len() {
        0 => text!("`{folder}` is not empty: it contains {english}", "`{folder}` 不是空文件夹：里面有 {chinese}"),
        others => text!(
            "`{folder}` is not empty: it contains {english} and {others} more",
            "`{folder}` 不是空文件夹：里面有 {chinese} 等 {total} 项"
        ),
    }
}

/// What has been made so far, in this order.
struct Made<'a> {
    folders: Vec<PathBuf>,
    files: Vec<PathBuf>,
    before_step: BeforeStep<'a>,
}

impl Made<'_> {
    fn everything(&mut self, folder: &Path, files: &[&(String, Vec<u8>)]) -> Result<(), PublishError> {
        let missing = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && fs::metadata(path).is_err());
        for path in missing.collect::<Vec<_>>().into_iter().rev() {
            // `new/../other` is there as soon as `new` is.
            if !path.is_dir() {
                self.folder(path)?;
            }
        }
        for (name, bytes) in files {
            for (end, _) in name.match_indices('/') {
                self.folder(&folder.join(&name[..end]))?;
            }
            self.file(&folder.join(name), bytes)?;
        }
        Ok(())
    }

    /// Makes a folder, unless there is one. A link to one is in the way.
    fn folder(&mut self, path: &Path) -> Result<(), PublishError> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(());
        }
        self.step(path, || fs::create_dir(path))?;
        self.folders.push(path.to_path_buf());
        Ok(())
    }

    fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), PublishError> {
        // Fails if anything is there, a link included.
        let mut file = self.step(path, || OpenOptions::new().write(true).create_new(true).open(path))?;
        self.files.push(path.to_path_buf());
        self.step(path, || file.write_all(bytes))
    }

    fn step<T>(&self, path: &Path, change: impl FnOnce() -> io::Result<T>) -> Result<T, PublishError> {
        (self.before_step)().and_then(|()| change()).map_err(|error| {
            let path = path.display();
            let reason = system::explain(&error);
            failure(text!("cannot create `{path}`: {reason}", "无法创建 `{path}`：{reason}", reason), &error)
        })
    }

    /// Removes what was made. What went wrong is told; that something of it stays is not worth another message.
    fn undo(&self) {
        for file in self.files.iter().rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn failure(message: Text, error: &io::Error) -> PublishError {
    let diagnostic = Diagnostic::error(message);
    PublishError::Failed(match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            diagnostic.with_hint(text!("free some space and try again", "请先腾出一些磁盘空间"))
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => diagnostic.with_hint(text!(
            "choose a folder that you may write to, or check the permissions of this one",
            "请换一个有写入权限的文件夹，或者检查这个文件夹的权限"
        )),
        _ => diagnostic,
    })
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use walkdir::WalkDir;

    use super::*;

    fn files() -> Vec<(String, Vec<u8>)> {
        let paths = [".gitignore", "a/b/c.txt", "a/b/d.txt", "a/e.txt", "f/g.txt"];
        paths.map(|path| (path.to_owned(), path.as_bytes().to_vec())).to_vec()
    }

    fn listing(folder: &Path) -> BTreeSet<PathBuf> {
        WalkDir::new(folder).into_iter().map(|entry| entry.expect("an entry").into_path()).collect()
    }

    /// Creates files until so many steps are done; whether that was all.
    fn create_until(folder: &Path, limit: usize) -> bool {
        let steps = AtomicUsize::new(0);
        let before_step = || {
            if steps.fetch_add(1, Ordering::Relaxed) >= limit { Err(io::Error::other("stopped")) } else { Ok(()) }
        };
        create_stepwise(folder, &files(), &before_step).is_ok()
    }

    #[test]
    fn a_failure_at_any_step_leaves_nothing_behind() {
        for path in ["new/portal", "there"] {
            let outside = tempfile::tempdir().expect("a temporary folder");
            fs::create_dir_all(outside.path().join("there/.git")).expect("a folder");
            let before = listing(outside.path());
            let folder = outside.path().join(path);
            let mut limit = 0;
            while !create_until(&folder, limit) {
                assert_eq!(listing(outside.path()), before, "{path}, {limit} steps");
                limit += 1;
            }
            assert!(limit >= 2 * files().len(), "{limit} steps");
            for (name, bytes) in files() {
                assert_eq!(fs::read(folder.join(name)).expect("a file"), bytes);
            }
        }
    }

    #[test]
    fn what_the_system_refuses_is_told_with_what_to_do() {
        let outside = tempfile::tempdir().expect("a temporary folder");
        for (kind, hints) in [
            (
                io::ErrorKind::PermissionDenied,
                &["choose a folder that you may write to, or check the permissions of this one"][..],
            ),
            (io::ErrorKind::StorageFull, &["free some space and try again"]),
            (io::ErrorKind::Interrupted, &[]),
        ] {
            let error = create_stepwise(&outside.path().join("portal"), &files(), &|| Err(kind.into()));
            let Err(PublishError::Failed(diagnostic)) = error else { panic!("{error:?}") };
            assert!(diagnostic.message.english().contains(&format!("portal`: {}", io::Error::from(kind))));
            assert_eq!(diagnostic.hints, hints);
        }
    }

    /// Something that comes in while files are made is neither replaced nor followed, nor removed.
    #[cfg(unix)]
    #[test]
    fn what_comes_in_meanwhile_stays_as_it_is() {
        for (intruder, is_link) in [("f", true), ("a/e.txt", true), ("a/e.txt", false)] {
            let outside = tempfile::tempdir().expect("a temporary folder");
            let (folder, elsewhere) = (outside.path().join("portal"), outside.path().join("elsewhere"));
            fs::create_dir(&elsewhere).expect("a folder");
            let path = folder.join(intruder);
            let before_step = || {
                if path.parent().is_some_and(Path::is_dir) && fs::symlink_metadata(&path).is_err() {
                    return if is_link {
                        std::os::unix::fs::symlink(&elsewhere, &path)
                    } else {
                        fs::write(&path, "mine")
                    };
                }
                Ok(())
            };
            let error = create_stepwise(&folder, &files(), &before_step).expect_err("something is in the way");
            assert!(error.is_system_failure() && error.to_string().contains(intruder), "{error}");
            let kept: BTreeSet<PathBuf> =
                path.ancestors().take_while(|path| path.starts_with(&folder)).map(Path::to_path_buf).collect();
            assert_eq!(listing(&folder), kept, "{intruder}");
            assert_eq!(listing(&elsewhere).len(), 1);
            assert!(is_link || fs::read(&path).expect("a file") == b"mine");
        }
    }
}
