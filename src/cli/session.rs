//! The session of a command. What earlier processes left of it lies beside the site's packages: where version control does
//! not look, and where CI services keep things from one run to the next.

use std::{path::Path, sync::Arc};

use portalgen_base::{cache::ResultCache, diagnostic::Diagnostic, source::Disk, text::text};
use portalgen_build::pipeline::{SITE, Session};
use portalgen_release::publish::{self, PublishError};

/// Changes with what decides about results: portalgen's own code for it, and its dependencies.
const VERSION: &str = env!("PORTALGEN_RESULTS");

/// The files in the folder of packages, by what they keep.
const MINIFIED: &str = ".cache/portalgen/minified";
const COMPRESSED: &str = ".cache/portalgen/compressed";

/// Begins to work on the project in the folder `root`, with what earlier processes left. That is nothing, and no reason to
/// say so, where the site's packages are elsewhere.
pub(super) fn open(root: &Path) -> Session {
    let folder = root.join(SITE).join("node_modules");
    let read = |name| {
        let bytes = publish::read_file(&folder, name).unwrap_or_default();
        Arc::new(ResultCache::from_bytes(VERSION, &bytes))
    };
    let (minified, compressed) = (read(MINIFIED), read(COMPRESSED));
    Session { minified, compressed, ..Session::new(Arc::new(Disk::of_project(root))) }
}

/// Keeps for later processes what builds of the session have added. Tells what is in the way of it.
pub(super) fn save(session: &Session, root: &Path) -> Option<Diagnostic> {
    let folder = root.join(SITE).join("node_modules");
    if !folder.is_dir() {
        return None;
    }
    let files = [(MINIFIED, &session.minified), (COMPRESSED, &session.compressed)];
    let files = files.into_iter().filter_map(|(name, cache)| Some((name.to_owned(), cache.to_bytes()?)));
    match publish::write_files(&folder, &files.collect::<Vec<_>>()) {
        Err(PublishError::Refused(refusals)) => refusals.into_iter().next().map(not_kept),
        // The next build is slower without it, and otherwise the same.
        _ => None,
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
