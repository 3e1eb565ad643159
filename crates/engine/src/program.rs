//! A program of ES modules, compiled once and run many times.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use super::{
    call::{Limits, MAX_STACK, Outcome, Script, Variation},
    engine::Call,
    failure::Failure,
    scripts::Scripts,
    threads::spawn,
};

/// ES modules as bytecode. Each call runs in an engine of its own, so that nothing leaks from one to the next and
/// no output depends on their order or on the number of threads.
#[derive(Clone)]
pub struct Program {
    scripts: Arc<Scripts>,
    entry: Arc<str>,
}

impl Program {
    /// Compiles the modules; `entry` is the name of the one that [`Program::call`] loads.
    ///
    /// # Errors
    /// The first script, in the given order, that is not valid JavaScript or statically imports what is not there.
    pub fn compile(scripts: &[Script<'_>], entry: &str) -> Result<Self, Failure> {
        let scripts = Scripts::compile(scripts)?;
        if scripts.code(entry).is_none() {
            return Err(Failure::missing_module(entry, "the program"));
        }
        Ok(Self { scripts: Arc::new(scripts), entry: entry.into() })
    }

    /// Loads the entry, calls the function that it exports as `export` and awaits what that returns.
    ///
    /// The function gets `arguments` as strings and after them an `AbortSignal`, which is aborted when nothing is
    /// left to run although the promise is not settled: code that knows what it waits for can then reject with an
    /// error whose stack says so.
    ///
    /// Callable from any thread; the engine runs on a thread of its own, which has the stack it needs.
    ///
    /// # Errors
    /// Everything that kept the call from giving a value; see [`FailureKind`](super::FailureKind).
    pub fn call(&self, export: &str, arguments: &[&str], limits: &Limits) -> Result<Outcome, Failure> {
        self.call_varied(export, arguments, limits, Variation::default())
    }

    /// [`Program::call`], in which what differs between build and browser is another. What then comes out shows whether
    /// the value depends on it.
    pub(super) fn call_varied(
        &self,
        export: &str,
        arguments: &[&str],
        limits: &Limits,
        variation: Variation,
    ) -> Result<Outcome, Failure> {
        let call = Call {
            scripts: Arc::clone(&self.scripts),
            entry: self.entry.to_string(),
            export: export.to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            limits: Limits { stack: limits.stack.min(MAX_STACK), ..*limits },
            variation: Arc::new(variation),
        };
        let deadline = limits.deadline;
        let receiver = spawn(call.limits.stack, move || call.run())?;
        match receiver.recv_timeout(deadline.saturating_mul(2).saturating_add(GRACE)) {
            Ok(result) => result,
            Err(mpsc::RecvTimeoutError::Timeout) => Err(Failure::timed_out(deadline)),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(Failure::lost_thread()),
        }
    }
}

/// The engine stops at its deadline by itself (at the second one when it tells a failed call once more), except
/// inside one of its own long loops, such as a sort of millions. After this long its thread is abandoned.
const GRACE: Duration = Duration::from_secs(2);
