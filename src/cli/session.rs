//! The session of a command. What earlier processes left of it lies beside the site's packages: where version control does
//! not look, and where CI services keep things from one run to the next.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::Disk,
    store::{self, Bounds, Store},
    text::text,
};
use portalgen_build::pipeline::{SITE, Session};
use portalgen_release::publish;

/// Changes with the program: with its own code, and with that of others in it.
pub(super) const IDENTITY: &str = env!("PORTALGEN_IDENTITY");

/// The folder of results, in that of the packages.
const STORE: &str = ".cache/portalgen";

/// Begins to work on the project in the folder `root`, with what earlier processes left. That is nothing, and no reason to
/// say so, where the site's packages are elsewhere.
pub(super) fn open(root: &Path) -> Session {
    let session = Session::new(Arc::new(Disk::of_project(root)));
    // The process ends with it, and takes all modules along at once; to take each apart is a twentieth of a build.
    std::mem::forget(Arc::clone(&session.modules));
    Session { store: Arc::new(store(root)), is_for_one_build: true, ..session }
}

/// What earlier processes left.
pub(super) fn store(root: &Path) -> Store {
    Store::open(&packages(root).join(STORE), IDENTITY, Bounds::default())
}

/// Keeps for later processes what builds of the session have added. Tells what is in the way of it.
pub(super) fn save(session: &Session, root: &Path) -> Option<Diagnostic> {
    let folder = packages(root);
    if !folder.is_dir() || !session.store.has_news() {
        return None;
    }
    let names = store::written_by(IDENTITY).map(|name| format!("{STORE}/{name}"));
    let refusal = publish::in_the_way(&folder, &names);
    if refusal.is_none() {
        // Whether the system goes along is not worth a word: the next build is slower without it, and otherwise the same.
        session.store.save();
    }
    refusal.map(not_kept)
}

fn packages(root: &Path) -> PathBuf {
    root.join(SITE).join("node_modules")
}

fn not_kept(refusal: Diagnostic) -> Diagnostic {
    let reason = refusal.message;
    let note = Diagnostic::note(text!(
        "the next build will be slower because the cache could not be saved: {reason}",
        "缓存没有保存，下次构建会慢一些：{reason}",
        reason
    ));
    Diagnostic { hints: refusal.hints, ..note }
}
