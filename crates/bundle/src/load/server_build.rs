//! Whether a build of a package that is made for servers can run in the engine, which is no Node.js.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use nodejs_built_in_modules::is_nodejs_builtin_module;

/// How many modules are looked at. What needs Node.js says so early.
const MOST_MODULES: usize = 200;

/// Whether the module at `path`, or one of its package that it loads, loads a module of Node.js at once.
///
/// `read` gives the text of a module, and `resolve` the file that a specifier in a folder leads to. Texts are searched and
/// not parsed: at worst a package's build for browsers runs where the other one could.
pub(super) fn needs_node(
    path: &Path,
    read: impl Fn(&Path) -> Option<String>,
    resolve: impl Fn(&Path, &str) -> Option<PathBuf>,
) -> bool {
    let mut seen = BTreeSet::from([path.to_path_buf()]);
    let mut queue = vec![path.to_path_buf()];
    while let Some(path) = queue.pop().filter(|_| seen.len() < MOST_MODULES) {
        let Some(text) = read(&path) else { continue };
        let folder = path.parent().unwrap_or(&path);
        for specifier in specifiers(&text) {
            // There may be a package of the name.
            let file = resolve(folder, specifier);
            match file {
                None if is_nodejs_builtin_module(specifier) => return true,
                Some(file) if specifier.starts_with('.') && seen.insert(file.clone()) => queue.push(file),
                _ => {}
            }
        }
    }
    false
}

/// What a module loads when it is evaluated: by `import`, `export … from`, and `require` outside of indented code.
fn specifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_code = |line: &&str| !line.trim_start().starts_with(['*', '/']);
    text.lines().filter(is_code).flat_map(|line| {
        let is_top_level = !line.starts_with([' ', '\t']);
        let quotes = line.match_indices(['"', '\'']);
        quotes.filter_map(move |(at, quote)| {
            let before = line[..at].trim_end();
            let is_import = ends_with_word(before, "from") || ends_with_word(before, "import");
            let is_require = before.strip_suffix('(').is_some_and(|call| ends_with_word(call.trim_end(), "require"));
            let (specifier, _) = line[at + 1..].split_once(quote)?;
            (is_import || (is_require && is_top_level)).then_some(specifier)
        })
    })
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_suffix(word);
    rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || "_$.".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_found_in_every_form() {
        let text = "import fs from 'fs';\nimport{a}from\"./a.js\"; export * from './b';\nimport './c';\n\
                    const x = require('d');\n  const y = require('not');\n// import e from 'not'\nimport('not');\n\
                    obj.from 'not'\nconst from = 'not', g = notrequire('not');\n";
        assert_eq!(specifiers(text).collect::<Vec<_>>(), ["fs", "./a.js", "./b", "./c", "d"]);
    }
}
