//! Writing files into folders that are nobody's in particular.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use super::folder::{Doing, refused};
use crate::{diagnostic::Diagnostic, text::text};

/// Writes `files` into `folder`, each by rename, so that no reader meets half of one. Leaves all others alone.
///
/// # Errors
/// The first file or folder that cannot be written.
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Diagnostic> {
    // One after the other: file systems let one thread at a time change a folder, and the others would wait for it.
    files.iter().try_for_each(|(name, bytes)| replace(&folder.join(name), bytes))
}

/// Writes a file by rename, so that no reader meets half of it.
///
/// # Errors
/// The file or its folder cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    replace(path, bytes)
}

/// Why a file was left as it was.
#[derive(Debug)]
pub enum NotReplaced {
    /// Somebody else has changed it in the meantime.
    Changed,
    /// The system refused.
    Failed(Diagnostic),
}

/// Puts `new` in place of `old` into a file that belongs to people: the file that a link leads to, not the link, with the
/// owner and the permissions that it has. No reader meets half of it.
///
/// # Errors
/// The file holds something else than `old`, is read-only, or cannot be written.
pub fn replace_file(path: &Path, old: &[u8], new: &[u8]) -> Result<(), NotReplaced> {
    let failed = |error: &io::Error| NotReplaced::Failed(failure(Doing::Write, path, error));
    let real = fs::canonicalize(path).map_err(|error| failed(&error))?;
    let metadata = fs::metadata(&real).map_err(|error| failed(&error))?;
    if metadata.permissions().readonly() {
        let path = path.display();
        let message = text!("cannot write `{path}`: it is read-only", "无法写入 `{path}`：它是只读的");
        return Err(NotReplaced::Failed(Diagnostic::error(message)));
    }
    let unfinished = unfinished(&real);
    let written = fs::write(&unfinished, new).and_then(|()| take_after(&unfinished, &metadata));
    let replaced = written.map_err(|error| failed(&error)).and_then(|()| {
        // As late as can be: what happens between this and the next step is lost.
        match fs::read(&real) {
            Ok(current) if current == old => fs::rename(&unfinished, &real).map_err(|error| failed(&error)),
            Ok(_) => Err(NotReplaced::Changed),
            Err(error) => Err(failed(&error)),
        }
    });
    replaced.inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })
}

/// Gives a file the permissions of another one, and its owner where one may do that.
fn take_after(path: &Path, other: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let own = fs::metadata(path)?;
        if (own.uid(), own.gid()) != (other.uid(), other.gid()) {
            // Only root may give files away; whoever else edits a file of somebody else becomes its owner.
            let _ = chown(path, Some(other.uid()), Some(other.gid()));
        }
    }
    fs::set_permissions(path, other.permissions())?;
    fs::File::open(path)?.sync_all()
}

/// Makes `types/` in `folder`, which is portalgen's own, hold these files and no other declarations, each under its name
/// with `.d.ts` behind it. What is right already is not touched, so that nobody who watches the files is woken.
///
/// # Errors
/// The first file or folder that cannot be written, read or deleted.
pub fn write_types(folder: &Path, types: &BTreeMap<String, String>) -> Result<(), Diagnostic> {
    // What is made from other files belongs into no repository.
    let ignored = folder.join(".gitignore");
    if !types.is_empty() && !ignored.exists() {
        replace(&ignored, b"*\n")?;
    }
    let folder = folder.join("types");
    let mut current = BTreeSet::new();
    for (name, text) in types {
        let path = folder.join(format!("{name}.d.ts"));
        if fs::read(&path).map_or(true, |known| known != text.as_bytes()) {
            replace(&path, text.as_bytes())?;
        }
        current.insert(path);
    }
    if folder.is_dir() { remove_others(&folder, &current) } else { Ok(()) }
}

/// Deletes the declarations below `folder` that are not `current`, and the folders that are empty then.
fn remove_others(folder: &Path, current: &BTreeSet<PathBuf>) -> Result<(), Diagnostic> {
    let unreadable = |error: io::Error| failure(Doing::Read, folder, &error);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
        if kind.is_dir() {
            remove_others(&path, current)?;
        } else if path.to_string_lossy().ends_with(".d.ts") && !current.contains(&path) {
            fs::remove_file(&path).map_err(|error| failure(Doing::Remove, &path, &error))?;
        }
    }
    // Fails if something is left in it.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Writes a file beside its place and moves it there.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let unfinished = unfinished(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failure(Doing::Write, folder, &error))?;
    }
    fs::write(&unfinished, bytes)
        .and_then(|()| fs::rename(&unfinished, path))
        .inspect_err(|_| {
            // What went wrong is told; that the rest of it stays is not worth another message.
            let _ = fs::remove_file(&unfinished);
        })
        .map_err(|error| failure(Doing::Write, path, &error))
}

/// Where the new content of a file is written first.
fn unfinished(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

fn failure(doing: Doing, path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::error(refused(doing, path.display(), error))
}
