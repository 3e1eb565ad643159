//! Which folders may be published to.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source,
    text::{Text, text},
};

use super::{
    Guard, PublishError,
    folder::RECORD_NAME,
    tree::{Doing, Root, failure},
};
use crate::output::RESERVED_FOLDER;

impl Guard<'_> {
    /// Where `out` really is, if it may be published to.
    pub(super) fn check(&self, out: &Path) -> Result<Root, PublishError> {
        let out = self.root.join(out);
        let shown = source::display_name(self.root, &out);
        let path = resolve(&out).map_err(|error| failure(Doing::Find, &shown, &error))?;
        let refuse = |message: Text| {
            let hint = text!("choose another output folder with --out", "请用 --out 指定另一个输出文件夹");
            Err(PublishError::refused(Diagnostic::error(message).with_hint(hint)))
        };
        if let Some(reason) = self.conflict(&path) {
            return refuse(text!("cannot publish to `{shown}`: {reason}", "不能发布到 `{shown}`：{reason}", reason));
        }
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                refuse(text!("`{shown}` is a broken symbolic link", "`{shown}` 是失效的符号链接"))
            }
            Ok(metadata) if !metadata.is_dir() => refuse(text!("`{shown}` is not a folder", "`{shown}` 不是文件夹")),
            Ok(_) => check_owner(&path, &shown).map(|()| Root { path, shown }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Root { path, shown }),
            Err(error) => Err(failure(Doing::LookAt, &shown, &error)),
        }
    }

    /// Why the project would suffer from files being written and deleted in `out`.
    fn conflict(&self, out: &Path) -> Option<Text> {
        let root = resolve(self.root).unwrap_or_else(|_| self.root.to_path_buf());
        if out.parent().is_none() {
            return Some(text!("it is the root of the file system", "它是文件系统的根目录"));
        }
        if root == out {
            return Some(text!("it is the project itself", "它就是项目本身"));
        }
        if root.starts_with(out) {
            return Some(text!("it contains the project", "项目就在它里面"));
        }
        self.sources.iter().find_map(|folder| {
            let shown = source::display_name(self.root, folder);
            let folder = resolve(folder).unwrap_or_else(|_| folder.clone());
            if out.starts_with(&folder) {
                Some(text!("it is inside the source folder `{shown}`", "它在源文件夹 `{shown}` 里"))
            } else {
                let holds = || text!("it contains the source folder `{shown}`", "它里面有源文件夹 `{shown}`");
                folder.starts_with(out).then(holds)
            }
        })
    }
}

/// Refuses a folder that holds anything when portalgen has no record of having made it.
fn check_owner(path: &Path, shown: &str) -> Result<(), PublishError> {
    let entries = fs::read_dir(path).map_err(|error| failure(Doing::Read, shown, &error))?;
    let mut others: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name != RESERVED_FOLDER)
        .collect();
    others.sort();
    // Asked last: another build that begins right now writes its record before its first file.
    let is_ours = path.join(RESERVED_FOLDER).join(RECORD_NAME).is_file();
    match others.first() {
        Some(first) if !is_ours => {
            let error = Diagnostic::error(text!(
                "`{shown}` contains files that portalgen did not write, for example `{first}`",
                "`{shown}` 里有不是 portalgen 生成的文件，例如 `{first}`"
            ));
            Err(PublishError::refused(error.with_hint(text!(
                "choose another output folder with --out, or empty this one",
                "请用 --out 指定另一个输出文件夹，或者清空这个文件夹"
            ))))
        }
        _ => Ok(()),
    }
}

/// `path` with every link resolved, as far as it exists.
pub(super) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            other => resolved.push(other),
        }
        match fs::canonicalize(&resolved) {
            Ok(real) => resolved = real,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(resolved)
}
