//! Programs for the embedded engine.

use std::{fs, path::Path};

use portalgen_engine::{Frame, Program, Script};

/// The scripts below a folder, by their paths from there.
fn scripts(root: &Path) -> Vec<(String, String)> {
    fn visit(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
        for path in super::fixtures::entries(folder) {
            if path.is_dir() {
                visit(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let mut found = Vec::new();
    visit(root, root, &mut found);
    found.sort();
    found
}

/// All scripts below a folder, with one of them as the entry.
pub(crate) fn program_of(folder: &Path, entry: &str) -> Program {
    let files = scripts(folder);
    let scripts: Vec<Script<'_>> = files.iter().map(|(name, code)| Script { name, code }).collect();
    Program::compile(&scripts, entry).unwrap()
}

/// `function@script:line:column`, as far as the caller wants it.
pub(crate) fn stack(frames: &[Frame]) -> Vec<String> {
    let line = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or("-");
        format!("{function}@{}:{}:{}", frame.script, frame.line, frame.column)
    };
    frames.iter().map(line).collect()
}
