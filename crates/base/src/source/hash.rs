//! What stands for something that is only ever compared.

use std::{fmt::Debug, path::Path};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A hash, as bytes: so it takes no more room for lying beside something small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hash([u8; 16]);

impl Hash {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes).to_le_bytes())
    }

    pub(super) fn of_path(path: &Path) -> Self {
        Self::of(path.as_os_str().as_encoded_bytes())
    }

    /// The hash of something that is told apart by how it is shown to programmers.
    pub(super) fn of_shown(value: &dyn Debug) -> Self {
        Self::of(format!("{value:?}").as_bytes())
    }
}
