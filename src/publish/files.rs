//! Writing files into a folder that is nobody's in particular.

use std::{fs, io, path::Path};

/// Writes `files` into `folder`, each by rename, so that no reader meets half of one. Leaves all others alone.
///
/// # Errors
/// The first file or folder that cannot be written; the message names it.
pub fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> io::Result<()> {
    let named = |path: &Path, error: &io::Error| {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    for (name, bytes) in files {
        let path = folder.join(name);
        let unfinished = folder.join(format!(".{name}.{}", std::process::id()));
        fs::write(&unfinished, bytes)
            .and_then(|()| fs::rename(&unfinished, &path))
            .inspect_err(|_| {
                // What went wrong is told; that the rest of it stays is not worth another message.
                let _ = fs::remove_file(&unfinished);
            })
            .map_err(|error| named(&path, &error))?;
    }
    Ok(())
}
