//! What pages are made of at a moment.

use std::sync::Arc;

use portalgen_base::diagnostic::Diagnostic;
use portalgen_build::pipeline::{LiveParts, LivePortal};

/// One state of the portal.
#[derive(Clone, Default)]
pub(crate) struct Generation {
    /// Counts states from 1 on; 0 is the one before the first build.
    pub number: u64,
    /// The last portal that could be built.
    pub portal: Option<Arc<LivePortal>>,
    /// What keeps the sources of now from being built.
    pub problems: Vec<Diagnostic>,
}

impl Generation {
    /// The parts of the portal, if one could be built.
    pub(crate) fn parts(&self) -> Option<&LiveParts> {
        self.portal.as_deref().map(LivePortal::parts)
    }
}
