//! Programs for the embedded engine.

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use portalgen_bundle::Bundle;
use portalgen_engine::{Failure, Frame, Program};

/// The scripts below a folder, by their paths from there.
fn scripts(root: &Path) -> BTreeMap<String, String> {
    fn visit(root: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
        for path in super::fixtures::entries(folder) {
            if path.is_dir() {
                visit(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    visit(root, root, &mut found);
    found
}

/// All scripts below a folder, with one of them as the entry.
pub(crate) fn program_of(folder: &Path, entry: &str) -> Program {
    Program::compile(Arc::new(scripts(folder)), entry).unwrap()
}

/// A program of modules by their names.
pub(crate) fn compile<'m>(
    modules: impl IntoIterator<Item = (&'m str, &'m str)>,
    entry: &str,
) -> Result<Program, Failure> {
    let modules = modules.into_iter().map(|(name, code)| (name.to_owned(), code.to_owned()));
    Program::compile(Arc::new(modules.collect::<BTreeMap<_, _>>()), entry)
}

/// The program of a bundle with one entry.
pub(crate) fn program_of_bundle(bundle: &Bundle) -> Result<Program, Failure> {
    compile(bundle.chunks.iter().map(|chunk| (&*chunk.file_name, &*chunk.code)), bundle.entry_file())
}

/// `function@script:line:column`, as far as the caller wants it.
pub(crate) fn stack(frames: &[Frame]) -> Vec<String> {
    let line = |frame: &Frame| {
        let function = frame.function.as_deref().unwrap_or("-");
        format!("{function}@{}:{}:{}", frame.script, frame.line, frame.column)
    };
    frames.iter().map(line).collect()
}
