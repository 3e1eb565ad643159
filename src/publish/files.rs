//! Writing files into a folder that is nobody's in particular.

use std::{fs, io, path::Path};

use rayon::prelude::*;

/// Writes `files` into `folder`, side by side, each by rename, so that no reader meets half of one. Leaves all others
/// alone.
///
/// # Errors
/// A file or folder that cannot be written; the message names it.
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    files.par_iter().try_for_each(|(name, bytes)| {
        let path = folder.join(name);
        let unfinished = folder.join(format!(".{name}.{}", std::process::id()));
        fs::write(&unfinished, bytes)
            .and_then(|()| fs::rename(&unfinished, &path))
            .inspect_err(|_| {
                // What went wrong is told; that the rest of it stays is not worth another message.
                let _ = fs::remove_file(&unfinished);
            })
            .map_err(|error| named(&path, &error))
    })
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}
