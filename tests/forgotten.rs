//! Files of tests and fixtures that no program runs.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use crate::support::{fixtures, project::repository};

/// Fixtures that are read by name and not area by area.
const NAMED: [&str; 2] = ["engine", "source-map"];

#[test]
fn every_file_is_a_module_of_a_program() {
    let tests = repository().join("tests");
    let mut modules = BTreeSet::new();
    for program in ["all.rs", "fixtures.rs"] {
        add_modules(&tests.join(program), &tests, &mut modules);
    }
    let forgotten: Vec<PathBuf> = sources(&tests).into_iter().filter(|file| !modules.contains(file)).collect();
    assert!(forgotten.is_empty(), "no `mod` leads to {forgotten:#?}");
}

/// All of Rust below a folder, but not what npm has installed or tests read.
fn sources(tests: &Path) -> Vec<PathBuf> {
    let folders = ["node_modules", "fixtures", "browser"];
    let walk = WalkDir::new(tests).into_iter().filter_entry(|entry| {
        !(entry.file_type().is_dir() && folders.into_iter().any(|folder| entry.file_name() == folder))
    });
    let files = walk.map(|entry| entry.unwrap().into_path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Adds `file` and those that its `mod name;` name, which lie in `folder`.
fn add_modules(file: &Path, folder: &Path, modules: &mut BTreeSet<PathBuf>) {
    modules.insert(file.to_path_buf());
    let text = fs::read_to_string(file).unwrap();
    let names = text.lines().filter_map(|line| line.split_once("mod ")?.1.strip_suffix(';'));
    for name in names.filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
        let inner = folder.join(name);
        let files = [folder.join(format!("{name}.rs")), inner.join("mod.rs")];
        if let Some(file) = files.into_iter().find(|file| file.is_file()) {
            add_modules(&file, &inner, modules);
        }
    }
}

#[test]
fn every_folder_of_fixtures_is_read() {
    let areas = fs::read_to_string(repository().join("tests/areas/mod.rs")).unwrap();
    for folder in fixtures::folders(&fixtures::area("")) {
        let name = fixtures::name(&folder);
        let is_read = areas.contains(&format!("name: \"{name}\"")) || NAMED.contains(&&*name);
        assert!(is_read, "nothing reads tests/fixtures/{name}");
    }
}
