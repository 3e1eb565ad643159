//! What outlives a build.

use std::sync::Arc;

use portalgen_base::{source::Sources, store::Store};
use portalgen_bundle::ModuleCache;

/// What several builds of one process share. Its owner is the command that builds: stages read it and add results to its
/// caches, so a build with a new session makes the same files and takes longer.
#[derive(Clone)]
pub struct Session {
    /// Where the project is read from, before `[build] allow` adds to it.
    pub sources: Arc<dyn Sources>,
    /// Results of slow work, for the builds that come after.
    pub store: Arc<Store>,
    /// Scanned modules, with what was read of files: it is to be told which of them have changed since.
    pub modules: Arc<ModuleCache>,
    /// No other build follows, so modules may be forgotten once they are bundled.
    pub is_for_one_build: bool,
}

impl Session {
    /// A session without results of earlier builds.
    pub fn new(sources: Arc<dyn Sources>) -> Self {
        Self { sources, store: Arc::default(), modules: Arc::default(), is_for_one_build: false }
    }
}
