//! Which folders may be published to.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use super::{
    Guard, PublishError,
    folder::{Place, RECORD_NAME, failure},
};
use crate::{diagnostic::Diagnostic, output::RESERVED_FOLDER, source};

impl Guard<'_> {
    /// Where `out` really is, if it may be published to.
    pub(super) fn check(&self, out: &Path) -> Result<Place, PublishError> {
        let out = self.root.join(out);
        let shown = source::display_name(self.root, &out);
        let path = resolve(&out).map_err(|error| failure("find", &shown, &error))?;
        let refuse = |reason: String| {
            Err(PublishError::refused(Diagnostic::error(reason).with_hint("choose another output folder with --out")))
        };
        if let Some(reason) = self.conflict(&path) {
            return refuse(format!("cannot publish to `{shown}`: {reason}"));
        }
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => refuse(format!("`{shown}` is a link that leads nowhere")),
            Ok(metadata) if !metadata.is_dir() => refuse(format!("`{shown}` is not a folder")),
            Ok(_) => check_owner(&path, &shown).map(|()| Place { path, shown }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Place { path, shown }),
            Err(error) => Err(failure("look at", &shown, &error)),
        }
    }

    /// Why the project would suffer from files being written and deleted in `out`.
    fn conflict(&self, out: &Path) -> Option<String> {
        let root = resolve(self.root).unwrap_or_else(|_| self.root.to_path_buf());
        if out.parent().is_none() {
            return Some("it is the root of the file system".to_owned());
        }
        if root.starts_with(out) {
            let is_root = root == out;
            return Some(if is_root { "it is the project itself" } else { "it holds the project" }.to_owned());
        }
        self.sources.iter().find_map(|folder| {
            let shown = source::display_name(self.root, folder);
            let folder = resolve(folder).unwrap_or_else(|_| folder.clone());
            if out.starts_with(&folder) {
                Some(format!("it is in `{shown}`, among the sources"))
            } else {
                folder.starts_with(out).then(|| format!("it holds `{shown}`, which are sources"))
            }
        })
    }
}

/// Refuses a folder that holds anything when portalgen has no record of having made it.
fn check_owner(path: &Path, shown: &str) -> Result<(), PublishError> {
    let entries = fs::read_dir(path).map_err(|error| failure("read", shown, &error))?;
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
            let message = format!("`{shown}` holds files that portalgen did not make, among them `{first}`");
            Err(PublishError::refused(
                Diagnostic::error(message).with_hint("choose another output folder with --out, or empty this one"),
            ))
        }
        _ => Ok(()),
    }
}

/// `path` with every link resolved, as far as it exists.
fn resolve(path: &Path) -> io::Result<PathBuf> {
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
