//! The steps that a command takes, with their times.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use crate::command::Outcome;

/// What has been done so far, perhaps by threads beside each other.
pub(crate) struct Steps {
    start: Instant,
    ended: Mutex<Vec<Step>>,
}

struct Step {
    name: String,
    time: Duration,
    outcome: Outcome,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), ended: Mutex::default() }
    }

    /// Announces a step, takes it, and says how long it took. After a step that failed, in whatever thread, none is begun.
    pub(crate) fn take(&self, name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
        if let Some(failed) = self.ended().iter().find(|step| step.outcome.is_err()) {
            return failed.outcome.clone();
        }
        eprintln!("==> {name}");
        let start = Instant::now();
        let outcome = work();
        let time = start.elapsed();
        let failed = if outcome.is_err() { "failed after " } else { "" };
        eprintln!("    {name}: {failed}{:.1} s", time.as_secs_f64());
        self.ended().push(Step { name: name.to_owned(), time, outcome: outcome.clone() });
        outcome
    }

    /// The table of the steps in the order in which they ended, and the time since the first was begun, which is less than
    /// their sum where some went on beside others. Nothing where there is nothing to compare.
    pub(crate) fn table(&self) -> String {
        let ended = self.ended();
        if ended.len() < 2 {
            return String::new();
        }
        let rows = ended.iter().map(|step| (&*step.name, step.time)).chain([("all", self.start.elapsed())]);
        let rows = rows.map(|(name, time)| format!("{:>8.1} s  {name}\n", time.as_secs_f64()));
        format!("\n{}", rows.collect::<String>())
    }

    fn ended(&self) -> MutexGuard<'_, Vec<Step>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `aside` in a thread of its own while `work` runs, and waits for both.
pub(crate) fn beside(aside: impl FnOnce() -> Outcome + Send, work: impl FnOnce() -> Outcome) -> Outcome {
    thread::scope(|scope| {
        let aside = scope.spawn(aside);
        let outcome = work();
        outcome.and(aside.join().unwrap_or_else(|_| Err("a thread of this program panicked".to_owned())))
    })
}
