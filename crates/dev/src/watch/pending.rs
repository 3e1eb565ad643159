//! When to look at what.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::{seen::Change, settings::Patience};

/// How often to look whether a file can be read again: not every system tells.
const RETRY: Duration = Duration::from_millis(20);
/// How many times longer than for its closing a file that is written to without end is waited for.
const WITHOUT_END: u32 = 10;

/// Paths that are to be looked at.
#[derive(Debug, Default)]
pub(super) struct Pending(BTreeMap<PathBuf, Appointment>);

#[derive(Clone, Copy, Debug)]
pub(super) struct Appointment {
    due: Instant,
    /// Since when there is something to wait for.
    begun: Instant,
    /// Since when it has not looked as if it were finished.
    doubted: Option<Instant>,
    /// Whether it is news even if it has not changed, since a build may have seen it in between.
    pub(super) is_news: bool,
}

/// Why to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Something has happened, and is over.
    Done,
    /// Somebody is writing.
    Writing,
}

impl Pending {
    /// Arranges to look at a path.
    pub(super) fn add(&mut self, path: PathBuf, reason: Reason, now: Instant, patience: &Patience) {
        let new = Appointment { due: now, begun: now, doubted: None, is_news: false };
        let appointment = self.0.entry(path).or_insert(new);
        appointment.due = match reason {
            Reason::Done => now,
            Reason::Writing => (now + patience.open).min(appointment.begun + patience.open * WITHOUT_END),
        };
    }

    /// Makes whatever is looked at next news.
    pub(super) fn must_tell(&mut self) {
        self.0.values_mut().for_each(|appointment| appointment.is_news = true);
    }

    /// Forgets paths of which nobody wants to know any more.
    pub(super) fn retain(&mut self, is_wanted: impl Fn(&Path) -> bool) {
        self.0.retain(|path, _| is_wanted(path));
    }

    /// When the next look is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.values().map(|appointment| appointment.due).min()
    }

    /// Takes out what is to be looked at now.
    pub(super) fn take(&mut self, now: Instant) -> Vec<(PathBuf, Appointment)> {
        self.0.extract_if(.., |_, appointment| appointment.due <= now).collect()
    }

    /// Whether a change counts that was found. If not, the path is looked at again when it does.
    pub(super) fn counts(
        &mut self,
        path: &Path,
        mut appointment: Appointment,
        change: Change,
        now: Instant,
        patience: &Patience,
    ) -> bool {
        let doubted = *appointment.doubted.get_or_insert(now);
        let until = match change {
            Change::None => return appointment.is_news,
            Change::Certain => return true,
            Change::PerhapsGone => doubted + patience.gone,
            Change::PerhapsUnreadable => doubted + patience.unreadable,
        };
        if until <= now {
            return true;
        }
        appointment.due = if change == Change::PerhapsUnreadable { until.min(now + RETRY) } else { until };
        self.0.insert(path.to_owned(), appointment);
        false
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::Path,
        time::{Duration, Instant},
    };

    use super::{Change, Patience, Pending, Reason};

    const PATIENCE: Patience = Patience {
        gone: Duration::from_millis(150),
        unreadable: Duration::from_millis(400),
        open: Duration::from_millis(100),
        packages: Duration::ZERO,
        storm: Duration::ZERO,
        lock: Duration::ZERO,
        unwatched: Duration::ZERO,
        event: Duration::ZERO,
    };

    /// When a path is looked at, if this happens to it, in milliseconds; of the looks, the first ones find these changes.
    fn looks(happens: &[(u64, Reason)], finds: &[Change]) -> (Vec<u64>, Option<u64>) {
        let start = Instant::now();
        let mut pending = Pending::default();
        let (mut looks, mut counted) = (Vec::new(), None);
        for at in 0..5000 {
            let now = start + Duration::from_millis(at);
            for (_, reason) in happens.iter().filter(|(when, _)| *when == at) {
                pending.add("/a".into(), *reason, now, &PATIENCE);
            }
            for (path, appointment) in pending.take(now) {
                let change = finds.get(looks.len()).or(finds.last()).copied().unwrap();
                looks.push(at);
                if pending.counts(&path, appointment, change, now, &PATIENCE) {
                    counted.get_or_insert(at);
                }
            }
        }
        assert_eq!(pending.next(), None);
        (looks, counted)
    }

    #[test]
    fn what_is_over_is_looked_at_at_once() {
        assert_eq!(looks(&[(7, Reason::Done)], &[Change::Certain]), (vec![7], Some(7)));
        assert_eq!(looks(&[(7, Reason::Done)], &[Change::None]), (vec![7], None));
        let save = [(7, Reason::Writing), (7, Reason::Writing), (8, Reason::Done)];
        assert_eq!(looks(&save, &[Change::Certain]), (vec![8], Some(8)));
    }

    #[test]
    fn writers_are_waited_for_and_not_without_end() {
        assert_eq!(looks(&[(7, Reason::Writing), (50, Reason::Writing)], &[Change::Certain]), (vec![150], Some(150)));
        let log: Vec<_> = (0..300).map(|at| (at * 10, Reason::Writing)).collect();
        let (looks, _) = looks(&log, &[Change::Certain]);
        assert_eq!(looks[0], 1000);
    }

    #[test]
    fn what_is_gone_or_empty_has_time_to_come_back() {
        assert_eq!(looks(&[(7, Reason::Done)], &[Change::PerhapsGone]), (vec![7, 157], Some(157)));
        let save = [(7, Reason::Done), (87, Reason::Done)];
        assert_eq!(looks(&save, &[Change::PerhapsGone, Change::Certain]), (vec![7, 87], Some(87)));
        assert_eq!(looks(&save, &[Change::PerhapsGone, Change::None]), (vec![7, 87], None));
    }

    #[test]
    fn what_cannot_be_read_is_tried_again() {
        let (all, counted) = looks(&[(0, Reason::Done)], &[Change::PerhapsUnreadable]);
        assert_eq!((all.len(), counted), (21, Some(400)));
        let once = [Change::PerhapsUnreadable, Change::Certain];
        assert_eq!(looks(&[(0, Reason::Done)], &once), (vec![0, 20], Some(20)));
    }

    #[test]
    fn what_a_build_may_have_seen_unfinished_is_news_though_it_has_not_changed() {
        let now = Instant::now();
        let mut pending = Pending::default();
        pending.add("/a".into(), Reason::Done, now, &PATIENCE);
        pending.must_tell();
        let [(path, appointment)] = pending.take(now).try_into().unwrap();
        assert!(pending.counts(&path, appointment, Change::None, now, &PATIENCE));
        pending.add("/b".into(), Reason::Done, now, &PATIENCE);
        pending.retain(|path| path != Path::new("/b"));
        assert_eq!(pending.next(), None);
    }
}
