//! Packages from npm.

use std::{fs, path::Path, time::SystemTime};

use crate::{
    checks,
    command::{Outcome, Run, root},
    steps::Steps,
};

/// Folders with a `package-lock.json`, below the repository's.
const FOLDERS: [&str; 5] =
    [SITE, checks::BROWSER_TESTS, "tests/browser/portals/libraries/site", "tests/platforms", BENCH];

/// Folder of the portal's own pages.
pub(crate) const SITE: &str = "site";

/// Folder of the comparison with other bundlers.
pub(crate) const BENCH: &str = "bench";

/// Folder of the comparison with other programs that build sites.
pub(crate) const BENCH_BUILD: &str = "bench/build";

/// Installs the packages of every folder that has some, unless they are there and as the lockfile says.
pub(crate) fn ensure(steps: &Steps) -> Outcome {
    FOLDERS.iter().try_for_each(|folder| ensure_in(folder, steps))
}

/// Installs the packages of one folder, unless they are there and as its lockfile says.
pub(crate) fn ensure_in(folder: &str, steps: &Steps) -> Outcome {
    let name = format!("packages of {folder}");
    let folder = Path::new(folder);
    let lockfile = modified(&root().join(folder).join("package-lock.json"));
    // npm writes it last.
    let installed = modified(&root().join(folder).join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= lockfile {
        return Ok(());
    }
    steps.take(&name, || Run::new("npm", &["ci", "--no-audit", "--no-fund"]).within(folder).check_quietly())
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}
