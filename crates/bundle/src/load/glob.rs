//! Patterns for files.

use std::path::{Path, PathBuf};

use portalgen_base::source::{display_name, normalize};

/// A pattern for files: `./posts/*.tsx`, told apart into a folder and what is searched below it.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    /// Absolute: all before the first part with a sign in it.
    pub(super) folder: PathBuf,
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
    pub(super) fn depth(&self) -> usize {
        let is_deep = self.below.contains("**") || (self.below.contains('{') && self.below.contains('/'));
        if is_deep { DEEPEST } else { self.below.matches('/').count() }
    }

    /// Whether a name that is left out of searches is written in it.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.below.split('/').any(|part| part.starts_with('.') && name.starts_with('.') || part == name)
    }
}

/// A pattern that begins with a name for a folder, as a specifier with one unknown part, and the pattern for that. `None`
/// if nothing is unknown.
pub(crate) fn with_one_unknown(pattern: &str) -> Option<(String, &str)> {
    let start = pattern.find(SIGNS)?;
    let end = pattern.rfind(SIGNS).unwrap_or(start) + 1;
    Some((format!("{}{UNKNOWN}{}", &pattern[..start], &pattern[end..]), &pattern[start..end]))
}

/// `text` so that a pattern means nothing but its letters.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| SIGNS.contains(&c).then_some('\\').into_iter().chain([c])).collect()
}

/// Stands for the unknown part of a specifier: no character, so no file has it in its name.
pub(crate) const UNKNOWN: &str = "\u{fdd1}";

/// What begins or ends something else than letters in a pattern.
pub(crate) const SIGNS: [char; 8] = ['*', '?', '[', ']', '{', '}', '!', '\\'];

/// No folder of sources is nested deeper.
pub(crate) const DEEPEST: usize = 64;
