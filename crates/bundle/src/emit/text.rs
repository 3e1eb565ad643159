//! The text of a chunk, as it is kept for later builds.

use serde::{Deserialize, Serialize};

use crate::positions::Origins;

/// The text of a chunk, with where each piece of it came from.
#[derive(Serialize, Deserialize)]
pub(super) struct Text {
    pub code: String,
    pub origins: Origins,
}

impl Text {
    /// The text that [`Text::to_bytes`] was called for.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory does not fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }
}
