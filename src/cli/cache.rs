//! What earlier builds left for later ones, beside the site's packages: where version control does not look, and where
//! CI services keep things from one run to the next.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{bundle::MinifierCache, publish};

const FILE: &str = "minified";

/// The cache of the site in a folder. There is none, and no reason to say so, where the site's packages are elsewhere or
/// cannot be written beside.
pub(super) struct Cache {
    folder: PathBuf,
    minifier: Arc<MinifierCache>,
}

impl Cache {
    pub(super) fn open(site: &Path) -> Self {
        let folder = site.join("node_modules/.cache/portalgen");
        let bytes = fs::read(folder.join(FILE)).unwrap_or_default();
        Self { folder, minifier: Arc::new(MinifierCache::from_bytes(&bytes)) }
    }

    pub(super) fn minifier(&self) -> Arc<MinifierCache> {
        Arc::clone(&self.minifier)
    }

    /// Keeps what the build that used the cache has added.
    pub(super) fn save(self) {
        let Self { folder, minifier } = self;
        let has_packages = folder.ancestors().nth(2).is_some_and(Path::is_dir);
        if let Some(bytes) = Arc::into_inner(minifier).and_then(MinifierCache::into_bytes).filter(|_| has_packages) {
            // The next build is slower without it, and otherwise the same.
            let _ = publish::write_files(&folder, &[(FILE.to_owned(), bytes)]);
        }
    }
}
