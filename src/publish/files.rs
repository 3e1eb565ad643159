//! Writing files into folders that are nobody's in particular.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

/// Writes `files` into `folder`, each by rename, so that no reader meets half of one. Leaves all others alone.
///
/// # Errors
/// The first file or folder that cannot be written; the message names it.
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    // One after the other: file systems let one thread at a time change a folder, and the others would wait for it.
    files.iter().try_for_each(|(name, bytes)| replace(&folder.join(name), bytes))
}

/// Makes `types/` in `folder`, which is portalgen's own, hold these files and no other declarations, each under its name
/// with `.d.ts` behind it. What is right already is not touched, so that nobody who watches the files is woken.
///
/// # Errors
/// The first file or folder that cannot be written, read or deleted; the message names it.
pub fn write_types(folder: &Path, types: &BTreeMap<String, String>) -> io::Result<()> {
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
fn remove_others(folder: &Path, current: &BTreeSet<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder).map_err(|error| named("read", folder, &error))? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_dir() {
            remove_others(&path, current)?;
        } else if path.to_string_lossy().ends_with(".d.ts") && !current.contains(&path) {
            fs::remove_file(&path).map_err(|error| named("delete", &path, &error))?;
        }
    }
    // Fails if something is left in it.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Writes a file beside its place and moves it there.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = path.with_file_name(format!(".{name}.{}", std::process::id()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| named("write", folder, &error))?;
    }
    fs::write(&unfinished, bytes)
        .and_then(|()| fs::rename(&unfinished, path))
        .inspect_err(|_| {
            // What went wrong is told; that the rest of it stays is not worth another message.
            let _ = fs::remove_file(&unfinished);
        })
        .map_err(|error| named("write", path, &error))
}

fn named(action: &str, path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {action} {}: {error}", path.display()))
}
