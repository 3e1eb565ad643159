//! When to tell what has changed.
//!
//! The first change is told at once. Others that follow shortly after news wait until there is quiet, since they belong to
//! something larger: a branch that is switched to, a formatter, a package manager.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    time::{Duration, Instant},
};

/// After news, how many times longer than quiet has to last what comes counts as belonging to them.
const AFTERMATH: u32 = 4;
/// How many times longer than quiet has to last nothing is kept back in any case.
const LONGEST: u32 = 60;

/// Changes that are not told yet.
#[derive(Debug)]
pub(super) struct Calm {
    quiet: Duration,
    changed: BTreeSet<PathBuf>,
    /// When the first and the last of them were found.
    found: Option<(Instant, Instant)>,
    told: Option<Instant>,
}

impl Calm {
    /// After news, `quiet` has to last so long before others are told.
    pub(super) fn new(quiet: Duration) -> Self {
        Self { quiet, changed: BTreeSet::new(), found: None, told: None }
    }

    pub(super) fn add(&mut self, path: PathBuf, now: Instant) {
        self.changed.insert(path);
        let first = self.found.map_or(now, |(first, _)| first);
        self.found = Some((first, now));
    }

    /// Keeps what is not told waiting, since there is more to come.
    pub(super) fn stir(&mut self, now: Instant) {
        if let Some((_, last)) = &mut self.found {
            *last = now;
        }
    }

    /// Waits for quiet before what there is is told, as after news.
    pub(super) fn wait(&mut self, now: Instant) {
        self.found = self.found.map(|_| (now, now));
        self.told = Some(now);
    }

    /// When to tell them.
    pub(super) fn due(&self) -> Option<Instant> {
        let (first, last) = self.found?;
        let is_aftermath = self.told.is_some_and(|told| first < told + self.quiet * AFTERMATH);
        Some(if is_aftermath { (last + self.quiet).min(first + self.quiet * LONGEST) } else { first })
    }

    /// The changes to tell now, if it is time.
    pub(super) fn take(&mut self, now: Instant) -> Option<BTreeSet<PathBuf>> {
        self.due().filter(|due| *due <= now)?;
        self.found = None;
        self.told = Some(now);
        Some(std::mem::take(&mut self.changed))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Calm;

    const QUIET: Duration = Duration::from_millis(30);

    /// What is told if a file changes at each of these milliseconds: when, and how many.
    fn told(changes: &[u64]) -> Vec<(u64, usize)> {
        let start = Instant::now();
        let mut calm = Calm::new(QUIET);
        let mut all = Vec::new();
        for at in 0..20_000 {
            let now = start + Duration::from_millis(at);
            if changes.contains(&at) {
                calm.add(format!("/{at}").into(), now);
            }
            if let Some(changed) = calm.take(now) {
                all.push((at, changed.len()));
            }
        }
        assert_eq!(calm.due(), None);
        all
    }

    #[test]
    fn a_save_is_told_at_once() {
        assert_eq!(told(&[5]), [(5, 1)]);
        assert_eq!(told(&[5, 1000, 2000]), [(5, 1), (1000, 1), (2000, 1)]);
    }

    #[test]
    fn what_follows_shortly_after_comes_together() {
        assert_eq!(told(&[5, 10, 15, 40]), [(5, 1), (70, 3)]);
        let storm: Vec<u64> = (0..1000).collect();
        assert_eq!(told(&storm), [(0, 1), (1029, 999)]);
    }

    #[test]
    fn what_has_to_wait_is_told_when_it_is_quiet() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let mut calm = Calm::new(QUIET);
        calm.add("/a".into(), start);
        calm.wait(after(5000));
        calm.stir(after(5020));
        assert_eq!((calm.take(after(5049)), calm.due()), (None, Some(after(5050))));
        assert_eq!(calm.take(after(5050)).map(|changed| changed.len()), Some(1));
    }

    #[test]
    fn a_storm_without_end_is_told_all_the_same() {
        let storm: Vec<u64> = (0..10_000).collect();
        let all = told(&storm);
        assert!(all.len() < 10, "{all:?}");
        assert_eq!(all.iter().map(|(_, count)| count).sum::<usize>(), 10_000);
    }
}
