//! Threads with the stack that the engine needs.

use std::thread;

use super::{call::MEGABYTE, failure::Failure};

/// What a thread needs beyond the engine's limit: the frames of the engine's own functions and of ours.
const STACK_MARGIN: usize = MEGABYTE;

/// Runs `work` on a thread of its own, called `name`, with `stack` bytes for the engine.
pub(super) fn spawn(name: &str, stack: usize, work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    let thread = thread::Builder::new().name(name.to_owned()).stack_size(stack + STACK_MARGIN).spawn(work);
    thread.map(drop).map_err(|error| Failure::no_thread(&error))
}
