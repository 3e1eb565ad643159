//! Packages from npm.

use std::{fs, path::Path, time::SystemTime};

use crate::{
    checks,
    command::{Outcome, Run, root, step},
};

/// Folders with a `package-lock.json`, below the repository's.
const FOLDERS: [&str; 4] = ["site", checks::BROWSER_TESTS, "tests/browser/portals/libraries/site", "tests/platforms"];

/// Installs the packages of every folder that has some, unless they are there and as the lockfile says.
pub(crate) fn ensure() -> Outcome {
    FOLDERS.iter().try_for_each(|folder| ensure_in(Path::new(folder)))
}

/// Installs the packages of one folder, unless they are there and as its lockfile says.
pub(crate) fn ensure_in(folder: &Path) -> Outcome {
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
