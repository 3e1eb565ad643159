//! What the system says of a file without its content, and when that is enough to know that it is the same.

use std::fs;

use serde::{Deserialize, Serialize};

use super::hash::Hash;

/// What is known of a file besides its content.
///
/// Two stamps with equal times are of one file that was not changed in between. Where that cannot be said, since the file
/// was changed so short a time before that the next change may have the same time, or since the system keeps no such times,
/// a stamp has none, and content decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Whether the file may be run as a program, which version control tells apart.
    pub is_executable: bool,
    /// The time of the last change of content, that of the last change of anything, size, inode and device. Programs can set
    /// the first time as they like, and none can set the second.
    times: Option<Hash>,
}

impl Stamp {
    /// The stamp of a file as it is now.
    #[cfg(unix)]
    pub fn of(metadata: &fs::Metadata) -> Self {
        use std::{
            os::unix::fs::MetadataExt as _,
            time::{SystemTime, UNIX_EPOCH},
        };
        /// Seconds that a file must have been left alone for: some disks count times in twos, and clocks differ a little.
        const SETTLED: i64 = 3;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let latest = metadata.mtime().max(metadata.ctime());
        let is_settled = i64::try_from(now).is_ok_and(|now| latest.saturating_add(SETTLED) < now);
        let times = || {
            let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
            let file = [metadata.size(), metadata.ino(), metadata.dev()];
            Hash::of(
                [times.map(i64::to_le_bytes).as_flattened(), file.map(u64::to_le_bytes).as_flattened()]
                    .concat()
                    .as_slice(),
            )
        };
        Self { is_executable: metadata.mode() & 0o111 != 0, times: is_settled.then(times) }
    }

    /// The stamp of a file as it is now.
    #[cfg(not(unix))]
    pub fn of(_metadata: &fs::Metadata) -> Self {
        // There is no time that programs cannot set.
        Self::default()
    }

    /// Whether the file with this stamp is surely the one that had the `earlier` one, unchanged.
    pub fn proves(&self, earlier: &Self) -> bool {
        self.times.is_some() && self == earlier
    }
}
