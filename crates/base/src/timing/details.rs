//! What a clock notes if it is asked for more than the time of stages: every span of work with its thread, and the processor
//! time of each stage.
//!
//! Stages run side by side, and a thread that waits for the parts of one takes over parts of another. So processor time is
//! taken for each thread, and belongs to the stage whose piece of work runs on it innermost: what a thread does for another
//! stage meanwhile is that one's. Work that a stage gives to other threads without taking its [`Stage`] along is counted for the
//! stage that is around it there, or for none.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::processor::thread_time;

#[derive(Debug)]
pub(super) struct Details {
    start: Instant,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// Nanoseconds that processors spent, by stage.
    spent: BTreeMap<Arc<str>, Arc<AtomicU64>>,
    spans: Vec<Span>,
    threads: FxHashMap<ThreadId, usize>,
    thread_names: Vec<String>,
}

/// Work that one thread has done without a break.
#[derive(Debug)]
struct Span {
    name: String,
    stage: Arc<str>,
    thread: usize,
    start: Instant,
    time: Duration,
    /// What the processor did for this thread, spans within this one included.
    processor: Option<Duration>,
}

/// The stage that a thread is at work for, to be taken along by work that goes to other threads. It is none, and costs
/// nothing, where no details are noted.
#[derive(Clone, Debug, Default)]
pub struct Stage(Option<Charged>);

#[derive(Clone, Debug)]
struct Charged {
    details: Arc<Details>,
    name: Arc<str>,
    spent: Arc<AtomicU64>,
}

/// What the processor works for on this thread, and since when in the thread's own time.
#[derive(Default)]
struct Account {
    stage: Stage,
    since: Duration,
}

thread_local! {
    static ACCOUNT: RefCell<Account> = RefCell::default();
}

impl Stage {
    /// The stage that this thread is at work for.
    pub fn current() -> Self {
        ACCOUNT.with_borrow(|account| account.stage.clone())
    }

    /// Does a piece of its work, such as one of its files, on whatever thread this is. The name is made where it is noted only.
    pub fn piece<T>(&self, name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
        let Some(charged) = &self.0 else { return work() };
        let (name, before, start) = (name(), thread_time(), Instant::now());
        let value = self.charge(work);
        let time = start.elapsed();
        let processor = before.zip(thread_time()).map(|(before, after)| after.saturating_sub(before));
        let mut notes = charged.details.notes();
        let thread = notes.thread();
        notes.spans.push(Span { name, stage: Arc::clone(&charged.name), thread, start, time, processor });
        value
    }

    /// Does work for it that is not worth a name.
    pub fn charge<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.0.is_none() {
            return work();
        }
        let _outer = Outer(switch(self.clone()));
        work()
    }
}

impl Details {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), notes: Mutex::default() })
    }

    pub(super) fn stage(self: &Arc<Self>, name: &str) -> Stage {
        let name: Arc<str> = name.into();
        let spent = Arc::clone(self.notes().spent.entry(Arc::clone(&name)).or_default());
        Stage(Some(Charged { details: Arc::clone(self), name, spent }))
    }

    /// What processors spent on a stage and its parts, where the system tells.
    pub(super) fn spent(&self, stage: &str) -> Option<Duration> {
        thread_time()?;
        let notes = self.notes();
        let spent = notes.spent.iter().filter(|(name, _)| is_of(name, stage));
        Some(spent.map(|(_, spent)| Duration::from_nanos(spent.load(Ordering::Relaxed))).sum())
    }

    /// All spans in the trace event format of Chrome, which its viewer and Perfetto show.
    pub(super) fn trace(&self) -> Value {
        let notes = self.notes();
        let names = notes.thread_names.iter().enumerate().map(|(thread, name)| {
            json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": thread, "args": { "name": name } })
        });
        let spans = notes.spans.iter().map(|span| self.event(span));
        json!({ "displayTimeUnit": "ms", "traceEvents": names.chain(spans).collect::<Vec<_>>() })
    }

    fn event(&self, span: &Span) -> Value {
        let mut event = json!({
            "ph": "X",
            "name": span.name,
            "cat": &*span.stage,
            "pid": 1,
            "tid": span.thread,
            "ts": microseconds(span.start.saturating_duration_since(self.start)),
            "dur": microseconds(span.time),
        });
        if let Some(processor) = span.processor {
            event["tdur"] = microseconds(processor).into();
        }
        event
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notes {
    /// The number of the thread that asks.
    fn thread(&mut self) -> usize {
        let next = self.thread_names.len();
        let thread = thread::current();
        let number = *self.threads.entry(thread.id()).or_insert(next);
        if number == next {
            self.thread_names.push(thread.name().unwrap_or("thread").to_owned());
        }
        number
    }
}

/// Charges what the processor did since it was last looked at, and lets it work for `stage` from now on. Gives what it worked
/// for.
fn switch(stage: Stage) -> Stage {
    let now = thread_time().unwrap_or_default();
    ACCOUNT.with_borrow_mut(|account| {
        if let Stage(Some(charged)) = &account.stage {
            let time = u64::try_from(now.saturating_sub(account.since).as_nanos()).unwrap_or(u64::MAX);
            charged.spent.fetch_add(time, Ordering::Relaxed);
        }
        account.since = now;
        std::mem::replace(&mut account.stage, stage)
    })
}

/// What the processor goes on with after a piece of work, be it that this one panics.
struct Outer(Stage);

impl Drop for Outer {
    fn drop(&mut self) {
        switch(std::mem::take(&mut self.0));
    }
}

/// Whether `name` is a stage or a part of it.
fn is_of(name: &str, stage: &str) -> bool {
    name.strip_prefix(stage).is_some_and(|rest| rest.is_empty() || rest.starts_with(": "))
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
