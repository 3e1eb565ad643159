//! What the system says of a file without its content, and when that is enough to know that it is the same.

use std::fs;

use serde::{Deserialize, Serialize};

/// What is known of a file besides its content.
///
/// Two stamps with equal times are of one file that was not changed in between. Where that cannot be said, since the file
/// was changed so short a time before that the next change may have the same time, or since the system keeps no such times,
/// a stamp has none, and content decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Whether the file may be run as a program, which version control tells apart.
    pub is_executable: bool,
    times: Option<Times>,
}

/// Programs can set the first time as they like, and none can set the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Times {
    modified: (i64, i64),
    changed: (i64, i64),
    size: u64,
    inode: u64,
    device: u64,
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
        let times = Times {
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            size: metadata.size(),
            inode: metadata.ino(),
            device: metadata.dev(),
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let latest = times.modified.0.max(times.changed.0);
        let is_settled = i64::try_from(now).is_ok_and(|now| latest.saturating_add(SETTLED) < now);
        Self { is_executable: metadata.mode() & 0o111 != 0, times: is_settled.then_some(times) }
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
