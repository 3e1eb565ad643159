//! Where fixtures are, and the texts that are expected of them.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::project::repository;

/// What is wrong with a fixture, for people.
pub(crate) type Verdict = Result<(), String>;

/// The folder of an area, such as `bundle`.
pub(crate) fn area(name: &str) -> PathBuf {
    repository().join("tests/fixtures").join(name)
}

/// The folders in `parent`, sorted.
pub(crate) fn folders(parent: &Path) -> Vec<PathBuf> {
    let mut entries = entries(parent);
    entries.retain(|path| path.is_dir());
    entries
}

/// What lies in `parent`, sorted.
pub(crate) fn entries(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|error| panic!("{}: {error}", parent.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The last name of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Whether expected texts are to be written and not compared.
pub(crate) fn is_update() -> bool {
    env::var_os("UPDATE").is_some()
}

/// Compares what came out with what a file says. With `UPDATE` set, writes the file anew.
pub(crate) fn compare(expected: &Path, actual: &str) -> Verdict {
    if is_update() {
        return fs::write(expected, actual).map_err(|error| format!("{}: {error}", expected.display()));
    }
    let text = fs::read_to_string(expected).map_err(|error| format!("{}: {error}", expected.display()))?;
    let shown = || format!("{}\n--- expected\n{text}\n--- actual\n{actual}", expected.display());
    if text == actual { Ok(()) } else { Err(shown()) }
}

/// All that is wrong, or nothing.
pub(crate) fn all(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    let wrong: Vec<String> = verdicts.into_iter().filter_map(Result::err).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n\n")) }
}
