//! Time that processors have spent.

use std::time::Duration;

/// What processors have done for all threads of this process, on systems that tell it.
pub fn processor_time() -> Option<Duration> {
    clock::of_process()
}

/// What a processor has done for this thread.
pub(super) fn thread_time() -> Option<Duration> {
    clock::of_thread()
}

#[cfg(unix)]
mod clock {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn of_process() -> Option<Duration> {
        clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
    }

    pub(super) fn of_thread() -> Option<Duration> {
        clock_gettime(ClockId::ThreadCPUTime).try_into().ok()
    }
}

#[cfg(not(unix))]
mod clock {
    use std::time::Duration;

    pub(super) fn of_process() -> Option<Duration> {
        None
    }

    pub(super) fn of_thread() -> Option<Duration> {
        None
    }
}
