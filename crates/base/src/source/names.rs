//! Paths as people and stages write them.

use std::path::{Component, Path, PathBuf};

/// Resolves `.` and `..` by the letters of the path alone.
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// `path` as people see it: relative to `root`, with `/` on every system. Outside of it, a workspace's packages for
/// example, it begins with `..`, so that the same layout has the same names wherever it lies.
pub fn display_name(root: &Path, path: &Path) -> String {
    let common = root.components().zip(path.components()).take_while(|(a, b)| a == b).count();
    // Two drives of Windows share nothing.
    if common == 0 {
        return path.to_string_lossy().into_owned();
    }
    let up = root.components().skip(common).map(|_| "..".into());
    let down = path.components().skip(common).map(|component| component.as_os_str().to_string_lossy());
    let names: Vec<std::borrow::Cow<'_, str>> = up.chain(down).collect();
    if names.is_empty() { ".".to_owned() } else { names.join("/") }
}
