//! Finds the files that a pattern means.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use portalgen_base::source::{Kind, display_name, normalize};

use super::{Loader, places::UNKNOWN};

/// A pattern for files: `./posts/*.tsx`, told apart into a folder and what is searched below it.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    /// Absolute: all before the first part with a sign in it.
    folder: PathBuf,
    /// `**` stands for any number of folders, `*` and `?` for characters of a name, `{a,b}` for alternatives.
    below: String,
}

impl Glob {
    /// Of a pattern that is relative to `folder`.
    pub(super) fn new(folder: &Path, pattern: &str) -> Self {
        let mut folder = folder.to_path_buf();
        let mut below = pattern;
        while let Some((part, rest)) = below.split_once('/').filter(|(part, _)| !part.contains(SIGNS)) {
            folder.push(part);
            below = rest;
        }
        Self { folder: normalize(&folder), below: below.to_owned() }
    }

    pub(super) fn matches(&self, file: &Path) -> bool {
        file.starts_with(&self.folder) && fast_glob::glob_match(&self.below, display_name(&self.folder, file))
    }

    /// How many folders below its own it may lead into.
    fn depth(&self) -> usize {
        let is_deep = self.below.contains("**") || (self.below.contains('{') && self.below.contains('/'));
        if is_deep { DEEPEST } else { self.below.matches('/').count() }
    }

    /// Whether a name that is left out of searches is written in it.
    fn mentions(&self, name: &str) -> bool {
        self.below.split('/').any(|part| part.starts_with('.') && name.starts_with('.') || part == name)
    }
}

/// What begins or ends something else than letters in a pattern.
const SIGNS: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

/// No folder of sources is nested deeper.
const DEEPEST: usize = 64;

/// A pattern that begins with a name for a folder, as a specifier with one unknown part, and the pattern for that. `None`
/// if nothing is unknown.
pub(super) fn with_one_unknown(pattern: &str) -> Option<(String, &str)> {
    let start = pattern.find(SIGNS)?;
    let end = pattern.rfind(SIGNS).unwrap_or(start) + 1;
    Some((format!("{}{UNKNOWN}{}", &pattern[..start], &pattern[end..]), &pattern[start..end]))
}

/// `text` so that a pattern means nothing but its letters.
pub(super) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| SIGNS.contains(&c).then_some('\\').into_iter().chain([c])).collect()
}

impl Loader<'_> {
    /// The files that a pattern matches, sorted. Names with a leading dot and `node_modules` are left out, unless they are
    /// `hidden` ones that are asked for, or part of the pattern. A folder that is not there has none.
    ///
    /// # Errors
    /// A folder may not be read.
    pub(super) fn matching(&self, glob: &Glob, hidden: bool) -> io::Result<BTreeSet<PathBuf>> {
        let mut found = BTreeSet::new();
        let mut folders = vec![(glob.folder.clone(), glob.depth())];
        while let Some((folder, depth)) = folders.pop() {
            let names = match self.sources.list(&folder) {
                Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                    continue;
                }
                names => names?,
            };
            let is_left_out = |name: &str| name.starts_with('.') || name == "node_modules";
            for name in names.into_iter().filter(|name| hidden || !is_left_out(name) || glob.mentions(name)) {
                let path = folder.join(name);
                match self.sources.kind(&path) {
                    Ok(Kind::File) if glob.matches(&path) => _ = found.insert(path),
                    Ok(Kind::Folder) if depth > 0 && !self.leads_back(&path) => folders.push((path, depth - 1)),
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Whether a folder is a link to one that holds it.
    fn leads_back(&self, folder: &Path) -> bool {
        let Ok(Kind::Link) = self.sources.link_kind(folder) else { return false };
        let real = |path: &Path| self.sources.canonicalize(path);
        let parent = folder.parent().unwrap_or(folder);
        matches!((real(folder), real(parent)), (Ok(target), Ok(parent)) if parent.starts_with(&target))
    }
}
