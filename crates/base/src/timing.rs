//! How long the stages of a build take.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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

/// The stages that are running, for somebody who waits for them.
#[derive(Debug, Default)]
pub struct Running(Mutex<Vec<String>>);

impl Running {
    /// The stages that are running now, in the order in which they began.
    pub fn stages(&self) -> Vec<String> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, stage: &str) {
        self.lock().push(stage.to_owned());
    }

    fn end(&self, stage: &str) {
        let mut stages = self.lock();
        if let Some(at) = stages.iter().position(|running| running == stage) {
            stages.remove(at);
        }
    }
}

/// Takes the time of stages, which may run side by side.
#[derive(Default)]
pub struct Clock {
    timings: Mutex<Vec<Timing>>,
    running: Arc<Running>,
}

impl Clock {
    /// A clock that tells what runs.
    pub fn watched_by(running: &Arc<Running>) -> Self {
        Self { running: Arc::clone(running), ..Self::default() }
    }

    /// Does the work of a stage.
    pub fn time<T>(&self, stage: &str, work: impl FnOnce() -> T) -> T {
        self.running.begin(stage);
        let start = Instant::now();
        let value = work();
        self.add([Timing { stage: stage.to_owned(), start, time: start.elapsed() }]);
        self.running.end(stage);
        value
    }

    /// Notes the parts of a stage.
    pub fn add_parts(&self, stage: &str, parts: &[Timing]) {
        self.add(parts.iter().map(|part| Timing { stage: format!("{stage}: {}", part.stage), ..part.clone() }));
    }

    fn add(&self, timings: impl IntoIterator<Item = Timing>) {
        self.timings.lock().unwrap_or_else(PoisonError::into_inner).extend(timings);
    }

    /// The stages, in the order in which they began. A part comes after what it is a part of.
    pub fn into_timings(self) -> Vec<Timing> {
        let mut timings = self.timings.into_inner().unwrap_or_else(PoisonError::into_inner);
        timings.sort_by(|a, b| a.start.cmp(&b.start).then(b.time.cmp(&a.time)));
        timings
    }
}
