//! Whether news are held back, since whoever changes files has not finished and says so.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// How often to look whether somebody is still there.
const OFTEN: Duration = Duration::from_millis(5);

/// Files that are there for as long as a program changes many others, such as `index.lock` of Git.
#[derive(Debug)]
pub(super) struct Held {
    locks: Vec<PathBuf>,
    /// For how long. A program that was killed leaves its lock.
    patience: Duration,
    /// Since when, while the locks are the same.
    since: Option<Instant>,
    /// When to look again.
    next: Option<Instant>,
}

impl Held {
    pub(super) fn by(locks: Vec<PathBuf>, patience: Duration) -> Self {
        Self { locks, patience, since: None, next: None }
    }

    /// Whether to hold back what there is to tell.
    pub(super) fn is_held(&mut self, now: Instant) -> bool {
        if !self.locks.iter().any(|lock| lock.exists()) {
            (self.since, self.next) = (None, None);
            return false;
        }
        let since = *self.since.get_or_insert(now);
        self.next = (now < since + self.patience).then(|| now + OFTEN);
        self.next.is_some()
    }

    /// When to look again, while something is held back.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        time::{Duration, Instant},
    };

    use super::Held;

    #[test]
    fn news_are_held_until_the_lock_goes_or_for_as_long_as_there_is_patience() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("index.lock");
        let mut held = Held::by(vec![lock.clone()], Duration::from_secs(5));
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert!(!held.is_held(start) && held.next().is_none());
        fs::write(&lock, "").unwrap();
        assert!(held.is_held(after(1)) && held.next().is_some());
        assert!(held.is_held(after(5)));
        assert!(!held.is_held(after(7)) && held.next().is_none());
        assert!(!held.is_held(after(8)));
        fs::remove_file(&lock).unwrap();
        assert!(!held.is_held(after(9)));
        fs::write(&lock, "").unwrap();
        assert!(held.is_held(after(10)));
    }
}
