//! Finds the files that a pattern means.
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use portalgen_base::source::Kind;

use super::Loader;
use crate::load::glob::Glob;

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
