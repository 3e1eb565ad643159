//! Threads with the stack that the engine needs.

use std::thread;

use portalgen_base::timing::Stage;

use super::{call::MEGABYTE, failure::Failure};

/// What a thread needs beyond the engine's limit: the frames of the engine's own functions and of ours.
const STACK_MARGIN: usize = MEGABYTE;

/// Runs `work` on a thread of its own with `stack` bytes for the engine.
pub(super) fn spawn(stack: usize, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().name("prerender".to_owned()).stack_size(stack + STACK_MARGIN).spawn(work);
    thread.map(drop).map_err(|error| Failure::no_thread(&error))
}

/// Runs `work` on a thread of its own with `stack` bytes for the engine, and waits for the result.
pub(super) fn run_on_stack<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let stage = Stage::current();
    let work = || stage.charge(work);
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack + STACK_MARGIN).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Failure::no_thread(&error))?;
        thread.join().map_err(|_| Failure::lost_thread())
    })
}
