//! What earlier builds left for later ones, beside the site's packages: where version control does not look, and where
//! CI services keep things from one run to the next.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    cache::{ResultCache, VERSION},
    publish,
};

/// The files, by what they keep.
const MINIFIED: &str = "minified";
const COMPRESSED: &str = "compressed";

/// The cache of the site in a folder. There is none, and no reason to say so, where the site's packages are elsewhere or
/// cannot be written beside.
pub(super) struct Cache {
    folder: PathBuf,
    /// What minifying made of scripts.
    pub(super) minified: Arc<ResultCache>,
    /// What compressing made of files.
    pub(super) compressed: Arc<ResultCache>,
}

impl Cache {
    pub(super) fn open(site: &Path) -> Self {
        let folder = site.join("node_modules/.cache/portalgen");
        let read = |name| {
            let bytes = fs::read(folder.join(name)).unwrap_or_default();
            Arc::new(ResultCache::from_bytes(VERSION, &bytes))
        };
        let (minified, compressed) = (read(MINIFIED), read(COMPRESSED));
        Self { folder, minified, compressed }
    }

    /// Keeps what the build that used the cache has added.
    pub(super) fn save(self) {
        let Self { folder, minified, compressed } = self;
        if !folder.ancestors().nth(2).is_some_and(Path::is_dir) {
            return;
        }
        for (name, cache) in [(MINIFIED, minified), (COMPRESSED, compressed)] {
            if let Some(bytes) = Arc::into_inner(cache).and_then(ResultCache::into_bytes) {
                // The next build is slower without it, and otherwise the same.
                let _ = publish::write_files(&folder, &[(name.to_owned(), bytes)]);
            }
        }
    }
}
