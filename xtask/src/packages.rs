//! Packages from npm.

use std::{fs, path::Path, time::SystemTime};

use crate::command::{Outcome, Run, root, step};

/// Installs the packages of a folder, given from the repository's, unless they are there and as its lockfile says.
pub(crate) fn ensure(folder: &Path) -> Outcome {
    let lockfile = modified(&root().join(folder).join("package-lock.json"));
    // npm writes it last.
    let installed = modified(&root().join(folder).join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lockfile {
        return Ok(());
    }
    step(&format!("packages of {}", folder.display()), || {
        Run::new("npm", &["ci", "--no-audit", "--no-fund"]).within(folder).check_quietly()
    })
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}
