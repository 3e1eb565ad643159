//! How long the stages of a build take.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// One stage of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// What it does: `bundle for the browser`, or of a part of that `bundle for the browser: load`.
    pub stage: String,
    /// When it began.
    pub start: Instant,
    /// How long it took.
    pub time: Duration,
}

/// Takes the time of stages, which may run side by side.
#[derive(Default)]
pub(crate) struct Clock(Mutex<Vec<Timing>>);

impl Clock {
    /// Does the work of a stage.
    pub(crate) fn time<T>(&self, stage: &str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let value = work();
        self.add([Timing { stage: stage.to_owned(), start, time: start.elapsed() }]);
        value
    }

    /// Notes the parts of a stage.
    pub(crate) fn add_parts(&self, stage: &str, parts: &[Timing]) {
        self.add(parts.iter().map(|part| Timing { stage: format!("{stage}: {}", part.stage), ..part.clone() }));
    }

    fn add(&self, timings: impl IntoIterator<Item = Timing>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(timings);
    }

    /// The stages, in the order in which they began. A part comes after what it is a part of.
    pub(crate) fn into_timings(self) -> Vec<Timing> {
        let mut timings = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        timings.sort_by(|a, b| a.start.cmp(&b.start).then(b.time.cmp(&a.time)));
        timings
    }
}
