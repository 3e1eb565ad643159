//! Writing files into folders that are nobody's in particular.

use std::{collections::BTreeMap, ffi::OsStr, fs, io, path::Path};

use portalgen_base::{diagnostic::Diagnostic, text::text};

use super::{
    PublishError,
    tree::{Doing, Spot, Tree, refused, unfinished},
};

/// Folder in that of a site for types of CSS modules.
const TYPES: &str = ".portalgen/types";
const IGNORED: &str = ".portalgen/.gitignore";

/// Writes `files` into `folder`, each by rename, so that no reader meets half of one. Leaves all others alone. A symbolic
/// link in place of the folder is followed; one inside it never is.
///
/// # Errors
/// [`PublishError::Refused`], before anything is written, where something else than a file is in the way of one;
/// [`PublishError::Failed`] for the first that cannot be written.
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), PublishError> {
    let folder = Tree::at(folder)?;
    files.iter().try_for_each(|(name, _)| folder.check_free(name))?;
    // One after the other: file systems let one thread at a time change a folder, and the others would wait for it.
    files.iter().try_for_each(|(name, bytes)| folder.replace(name, bytes))
}

/// Writes a file by rename, so that no reader meets half of it. A link in its place is not followed.
///
/// # Errors
/// Something else than a file is in its place, or it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    let Some(name) = path.file_name().map(OsStr::to_string_lossy) else {
        let shown = path.display().to_string();
        return Err(Diagnostic::error(text!("`{shown}` is a folder, not a file", "`{shown}` 是文件夹，不是文件")));
    };
    let folder = path.parent().unwrap_or(path);
    Tree::at(folder).and_then(|folder| folder.replace(&name, bytes)).map_err(first)
}

/// What keeps files from being written under these names in `folder`: something else than a file is in the place of one.
pub fn in_the_way(folder: &Path, names: &[String]) -> Option<Diagnostic> {
    let checked = Tree::at(folder).and_then(|folder| names.iter().try_for_each(|name| folder.check_free(name)));
    match checked {
        Err(PublishError::Refused(refusals)) => refusals.into_iter().next(),
        _ => None,
    }
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
    let failed =
        |error: &io::Error| NotReplaced::Failed(Diagnostic::error(refused(Doing::Write, path.display(), error)));
    let real = fs::canonicalize(path).map_err(|error| failed(&error))?;
    let metadata = fs::metadata(&real).map_err(|error| failed(&error))?;
    if metadata.permissions().readonly() {
        let path = path.display();
        let message = text!("cannot write `{path}`: it is read-only", "无法写入 `{path}`：它是只读的");
        return Err(NotReplaced::Failed(Diagnostic::error(message)));
    }
    let unfinished = unfinished(&real, 0, new).map_err(|error| failed(&error))?;
    let replaced = take_after(&unfinished, &metadata).map_err(|error| failed(&error)).and_then(|()| {
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

/// Makes `.portalgen/types` in the folder of a site hold these declarations and no others of ours, each under its name
/// with `.d.ts` behind it. What is right already is not touched, so that nobody who watches the files is woken. `is_ours`
/// tells what portalgen wrote from what others did; that is left alone, and returned by its path in the site.
///
/// # Errors
/// The first thing in the way, or the first file that cannot be written, read or deleted.
pub fn write_types(
    site: &Path,
    types: &BTreeMap<String, String>,
    is_ours: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<String>, Diagnostic> {
    let written = Tree::at(site).and_then(|site| {
        site.check_free(&format!("{TYPES}/*.d.ts"))?;
        // What is made from other files belongs into no repository.
        if !types.is_empty() && site.look(IGNORED)? == Spot::Free {
            site.replace(IGNORED, b"*\n")?;
        }
        let current: BTreeMap<String, &str> =
            types.iter().map(|(name, text)| (format!("{TYPES}/{name}.d.ts"), text.as_str())).collect();
        let mut left = Vec::new();
        for (path, text) in &current {
            match site.read(path)? {
                Some(known) if known == text.as_bytes() => {}
                Some(known) if !is_ours(&known) => left.push(path.clone()),
                _ => site.replace(path, text.as_bytes())?,
            }
        }
        left.extend(remove_others(&site, &current, is_ours)?);
        Ok(left)
    });
    written.map_err(first)
}

/// Deletes our declarations that are not `current`, and the folders that are empty then. Tells which are not ours.
fn remove_others(
    site: &Tree<'_>,
    current: &BTreeMap<String, &str>,
    is_ours: &dyn Fn(&[u8]) -> bool,
) -> Result<Vec<String>, PublishError> {
    if site.look(TYPES)? != Spot::Folder {
        return Ok(Vec::new());
    }
    let mut left = Vec::new();
    for path in site.files_below(TYPES)?.into_iter().filter(|path| !current.contains_key(path)) {
        if path.ends_with(".d.ts") && site.read(&path)?.is_some_and(|bytes| is_ours(&bytes)) {
            site.remove(&path)?;
        } else {
            left.push(path);
        }
    }
    Ok(left)
}

/// What those are told who write one thing.
fn first(error: PublishError) -> Diagnostic {
    let fallback = || Diagnostic::error(text!("nothing was written", "什么都没有写入"));
    error.into_diagnostics().into_iter().next().unwrap_or_else(fallback)
}
