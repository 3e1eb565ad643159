//! How long the stages of a build take.

mod details;
mod processor;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use serde_json::Value;

use self::details::Details;
pub use self::{details::Stage, processor::processor_time};

/// One stage of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// What it does: `bundle for the browser`, or of a part of that `bundle for the browser: load`.
    pub stage: String,
    /// When it began.
    pub start: Instant,
    /// How long it took.
    pub time: Duration,
    /// What processors did for it, on all threads and its parts included, if the clock was asked to note that.
    pub processor: Option<Duration>,
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

/// Takes the time of stages, which may run side by side. Clones are the same clock.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    shared: Arc<Shared>,
    /// The stage whose parts are timed, if it is not a build.
    whole: Option<Arc<str>>,
}

#[derive(Debug, Default)]
struct Shared {
    running: Arc<Running>,
    timings: Mutex<Vec<Timing>>,
    details: Option<Arc<Details>>,
}

impl Clock {
    /// A clock that notes processor time and single pieces of work, too.
    pub fn with_details() -> Self {
        let shared = Shared { details: Some(Details::new()), ..Shared::default() };
        Self { shared: Arc::new(shared), whole: None }
    }

    /// The clock for the parts of a stage.
    #[must_use]
    pub fn parts_of(&self, stage: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), whole: Some(self.name(stage).into()) }
    }

    /// What runs.
    pub fn running(&self) -> &Arc<Running> {
        &self.shared.running
    }

    /// Does the work of a stage.
    pub fn time<T>(&self, stage: &str, work: impl FnOnce() -> T) -> T {
        let name = self.name(stage);
        self.shared.running.begin(&name);
        let start = Instant::now();
        let value = match &self.shared.details {
            Some(details) => details.stage(&name).piece(|| stage.to_owned(), work),
            None => work(),
        };
        self.shared.running.end(&name);
        self.timings().push(Timing { stage: name, start, time: start.elapsed(), processor: None });
        value
    }

    /// The stages until now, in the order in which they began. A part comes after what it is a part of.
    pub fn stages(&self) -> Vec<Timing> {
        let mut timings = self.timings().clone();
        timings.sort_by(|a, b| a.start.cmp(&b.start).then(b.time.cmp(&a.time)));
        if let Some(details) = &self.shared.details {
            for timing in &mut timings {
                timing.processor = details.spent(&timing.stage);
            }
        }
        timings
    }

    /// All that was done, for Chrome's viewer of traces, if details were noted.
    pub fn trace(&self) -> Option<Value> {
        Some(self.shared.details.as_ref()?.trace())
    }

    fn name(&self, stage: &str) -> String {
        match &self.whole {
            Some(whole) => format!("{whole}: {stage}"),
            None => stage.to_owned(),
        }
    }

    fn timings(&self) -> MutexGuard<'_, Vec<Timing>> {
        self.shared.timings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{processor::thread_time, *};

    fn now() -> Duration {
        thread_time().expect("the time of this thread")
    }

    /// Keeps this thread's processor busy for a while, and tells how long.
    fn toil() -> Duration {
        let start = now();
        loop {
            let spent = now().saturating_sub(start);
            if spent > Duration::from_millis(2) {
                return spent;
            }
        }
    }

    fn processor(clock: &Clock, stage: &str) -> Duration {
        let stages = clock.stages();
        let timing = stages.iter().find(|timing| timing.stage == stage).expect("the stage");
        timing.processor.expect("a clock with details")
    }

    #[test]
    fn a_piece_of_another_stage_is_charged_to_that_one() {
        let clock = Clock::with_details();
        let others = clock.time("others", Stage::current);
        let start = now();
        let (own, of_others) = clock.time("own", || {
            let before = toil();
            let of_others = others.piece(|| "a".to_owned(), toil);
            (before + toil(), of_others)
        });
        let all = now().saturating_sub(start);
        assert!(processor(&clock, "own") >= own && processor(&clock, "others") >= of_others);
        assert!(processor(&clock, "own") + processor(&clock, "others") <= all);
    }

    #[test]
    fn a_stage_includes_what_other_threads_did_for_its_parts() {
        let clock = Clock::with_details();
        let spent = clock.time("whole", || {
            clock.parts_of("whole").time("part", || {
                let stage = Stage::current();
                std::thread::scope(|scope| {
                    let threads = [scope.spawn(|| stage.charge(toil)), scope.spawn(|| stage.piece(String::new, toil))];
                    threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<Duration>()
                })
            })
        });
        assert!(processor(&clock, "whole: part") >= spent);
        assert!(processor(&clock, "whole") >= processor(&clock, "whole: part"));
    }

    #[test]
    fn a_panic_leaves_the_account_as_it_was() {
        let clock = Clock::with_details();
        let broken = clock.time("broken", Stage::current);
        let spent = clock.time("outer", || {
            let piece = || broken.charge(|| panic!("as it must"));
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(piece)).is_err());
            toil()
        });
        assert!(processor(&clock, "outer") >= spent);
    }

    #[test]
    fn without_details_no_piece_has_a_name() {
        let clock = Clock::default();
        let work = || Stage::current().piece(|| unreachable!("it is not noted"), || 1);
        assert_eq!(clock.time("stage", work), 1);
        assert_eq!(clock.stages()[0].processor, None);
        assert!(clock.trace().is_none());
    }
}
