//! What earlier builds left for later ones, beside the site's packages: where version control does not look, and where
//! CI services keep things from one run to the next.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{cache::ResultCache, diagnostic::Diagnostic, text::text};
use portalgen_release::publish::{self, PublishError};

/// Changes with what decides about results: portalgen's own code for it, and its dependencies.
const VERSION: &str = env!("PORTALGEN_RESULTS");

/// The files in the folder of packages, by what they keep.
const MINIFIED: &str = ".cache/portalgen/minified";
const COMPRESSED: &str = ".cache/portalgen/compressed";

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
        let folder = site.join("node_modules");
        let read = |name| {
            let bytes = publish::read_file(&folder, name).unwrap_or_default();
            Arc::new(ResultCache::from_bytes(VERSION, &bytes))
        };
        let (minified, compressed) = (read(MINIFIED), read(COMPRESSED));
        Self { folder, minified, compressed }
    }

    /// Keeps what the build that used the cache has added. Tells what is in the way of it.
    pub(super) fn save(self) -> Option<Diagnostic> {
        let Self { folder, minified, compressed } = self;
        if !folder.is_dir() {
            return None;
        }
        let files = [(MINIFIED, minified), (COMPRESSED, compressed)].into_iter().filter_map(|(name, cache)| {
            Some((name.to_owned(), Arc::into_inner(cache).and_then(ResultCache::into_bytes)?))
        });
        match publish::write_files(&folder, &files.collect::<Vec<_>>()) {
            Err(PublishError::Refused(refusals)) => refusals.into_iter().next().map(not_kept),
            // The next build is slower without it, and otherwise the same.
            _ => None,
        }
    }
}

fn not_kept(refusal: Diagnostic) -> Diagnostic {
    let reason = refusal.message;
    let note = Diagnostic::note(text!(
        "the next build will be slower, since nothing could be cached: {reason}",
        "缓存没有保存，下次构建会慢一些：{reason}",
        reason
    ));
    Diagnostic { hints: refusal.hints, ..note }
}
