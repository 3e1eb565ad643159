//! Threads on which a program is called.

use std::{
    sync::{Mutex, PoisonError, mpsc},
    time::Duration,
};

use portalgen_base::timing::Stage;

use super::{
    call::Outcome,
    engine::{Call, Engine, Setup, Tracing},
    failure::{Failure, FailureKind, Frame},
    library::Library,
    threads::spawn,
};

type CallResult = Result<Outcome, Failure>;

/// A thread that makes calls, one after the other, each in an engine that has made none before.
pub(super) struct Worker {
    calls: mpsc::Sender<Call>,
    results: mpsc::Receiver<CallResult>,
    setup: Setup,
}

/// How a worker comes by an engine that has made no call yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    /// A new engine for each call: the better choice for a single one.
    Off,
    /// One engine, put back to the state after loading: a copy of its memory at first, and later calls cost a fraction.
    On,
}

impl Worker {
    pub(super) fn start(setup: &Setup, reuse: Reuse) -> Result<Self, Failure> {
        let (calls, to_make) = mpsc::channel();
        let (made, results) = mpsc::channel();
        let of_thread = setup.clone();
        let stage = Stage::current();
        let work = move || {
            let mut bench = Bench { setup: of_thread, reuse, engine: None };
            // Both ends are gone when the caller has given up waiting.
            while let Ok(call) = to_make.recv()
                && made.send(stage.charge(|| bench.run(&call))).is_ok()
            {}
        };
        spawn("prerender", setup.limits.stack, work)?;
        Ok(Self { calls, results, setup: setup.clone() })
    }

    /// What came of the call, and the worker if it can take another one.
    ///
    /// An engine stops at its deadline by itself (at the second one when it tells a failed call once more), except inside
    /// one of its own long loops, such as a sort of millions. Then its thread is abandoned, and with it all of its memory.
    pub(super) fn call(self, call: Call) -> (CallResult, Option<Self>) {
        if self.calls.send(call).is_err() {
            return (Err(Failure::lost_thread()), None);
        }
        let deadline = self.setup.limits.deadline;
        match self.results.recv_timeout(deadline.saturating_mul(2).saturating_add(GRACE)) {
            Ok(result) => (result, Some(self)),
            Err(mpsc::RecvTimeoutError::Timeout) => (Err(Failure::timed_out(deadline)), None),
            Err(mpsc::RecvTimeoutError::Disconnected) => (Err(Failure::lost_thread()), None),
        }
    }
}

const GRACE: Duration = Duration::from_secs(2);

/// What a worker's thread has at hand.
struct Bench {
    setup: Setup,
    reuse: Reuse,
    /// An engine that was saved when it had loaded the program.
    engine: Option<Engine>,
}

impl Bench {
    /// Makes a call, and once more if that tells more about why it failed.
    fn run(&mut self, call: &Call) -> CallResult {
        match self.attempt(call, Tracing::Off) {
            Err(failure) if failure.may_be_of_no_error() => {
                // For the stack of a thrown value that is no error and so has none.
                let traced = self.attempt(call, Tracing::On).err();
                Err(traced.filter(|traced| self.tells_more(traced, &failure)).unwrap_or(failure))
            }
            result => result,
        }
    }

    /// Makes a call. The engine is made and called from this one place, so that the stack below is of one height, and a page
    /// that fills it gets equally far in every engine.
    fn attempt(&mut self, call: &Call, tracing: Tracing) -> CallResult {
        let zone = call.variation.zone;
        let is_usual = tracing == Tracing::Off && zone == 0;
        let mut engine = match self.engine.take_if(|_| is_usual) {
            Some(engine) => engine,
            None => Engine::start(&self.setup, zone, tracing)?,
        };
        let keeps = is_usual && self.reuse == Reuse::On;
        if keeps && !engine.restore() {
            engine.save();
        }
        let result = engine.call(call);
        if keeps {
            self.engine = Some(engine);
        }
        result
    }

    /// Whether a traced call tells more about what was thrown than one that was not traced. The engine itself throws
    /// null when memory has run out, and scripts that catch it throw it on.
    fn tells_more(&self, traced: &Failure, failure: &Failure) -> bool {
        let throws_null =
            || traced.frames.first().is_some_and(|frame| throws_null(frame, self.setup.scripts.library()));
        traced.kind == FailureKind::Threw && (failure.kind == FailureKind::Threw || throws_null())
    }
}

/// Whether a script says `throw null` where a frame points: at the value, or at the start of a line whose function neither
/// calls nor reads anything.
fn throws_null(frame: &Frame, library: &Library) -> bool {
    let line = usize::try_from(frame.line).ok().and_then(|line| line.checked_sub(1));
    let code = library.text_of_program(&frame.script).zip(line).and_then(|(code, line)| code.split('\n').nth(line));
    let units: Vec<u16> = code.unwrap_or_default().encode_utf16().collect();
    let Some((before, after)) = usize::try_from(frame.column).ok().and_then(|at| units.split_at_checked(at)) else {
        return false;
    };
    let (before, after) = (String::from_utf16_lossy(before), String::from_utf16_lossy(after));
    let is_at_value = before.trim_end().ends_with("throw") && after.starts_with("null");
    is_at_value || (before.is_empty() && after.contains("throw null"))
}

/// Workers for calls from several threads at once.
pub(super) struct Workers {
    setup: Setup,
    reuse: Reuse,
    idle: Mutex<Vec<Worker>>,
}

impl Workers {
    pub(super) const fn new(setup: Setup, reuse: Reuse) -> Self {
        Self { setup, reuse, idle: Mutex::new(Vec::new()) }
    }

    /// Makes a call with an idle worker, or with another one.
    pub(super) fn call(&self, call: Call) -> CallResult {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let worker = worker.map_or_else(|| Worker::start(&self.setup, self.reuse), Ok)?;
        let (result, worker) = worker.call(call);
        idle().extend(worker);
        result
    }
}
