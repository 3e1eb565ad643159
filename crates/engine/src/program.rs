//! A program of ES modules, compiled once and run many times.

use std::{
    collections::BTreeSet,
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use super::{
    engine::Call,
    failure::{Failure, Frame},
    host::Use,
    scripts::Scripts,
};

/// ES modules as bytecode. Each call runs in an engine of its own, so that nothing leaks from one to the next and
/// no output depends on their order or on the number of threads.
#[derive(Clone)]
pub struct Program {
    scripts: Arc<Scripts>,
    entry: Arc<str>,
}

/// A module's source.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    /// A path such as `assets/index-abc.js`. Modules import each other by specifiers relative to it.
    pub name: &'a str,
    /// The text of the module.
    pub code: &'a str,
}

/// How far a call may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the engine's heap.
    pub memory: usize,
    /// Bytes of stack for nested calls; at most 16 MB count.
    pub stack: usize,
    /// Wall time of one call, loading included.
    pub deadline: Duration,
}

const MEGABYTE: usize = 1024 * 1024;

/// The engine takes a larger stack limit for none at all.
pub(super) const MAX_STACK: usize = 16 * MEGABYTE;

impl Default for Limits {
    /// Far more than a page needs: some 5 MB of heap, 32 kB of stack and 7 ms.
    fn default() -> Self {
        Self { memory: 256 * MEGABYTE, stack: 4 * MEGABYTE, deadline: Duration::from_secs(10) }
    }
}

/// What is to be another than in the build.
#[derive(Clone, Debug, Default)]
pub(super) struct Variation {
    /// Uses that are to give something else: another time, another random number.
    pub(super) uses: BTreeSet<Use>,
    /// How many minutes the local time zone is ahead of UTC.
    pub(super) zone: i32,
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The value as JSON text; `null` for what JSON cannot say, U+FFFD for half a surrogate pair.
    pub value: String,
    /// What the code did that deserves a word, in order, each once.
    pub notes: Vec<Note>,
    /// Names of the scripts that were loaded meanwhile, whatever asked for them.
    pub loaded: Vec<String>,
}

/// Something that code did while it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The message that was logged, or the function that was used: `Date.now()`.
    pub text: String,
    /// What the function gave, where that is a text to be known by.
    pub value: Option<String>,
    /// The stack, innermost first, as in [`Failure::frames`].
    pub frames: Vec<Frame>,
    /// The stack as the engine wrote it.
    pub(super) stack: String,
}

impl Note {
    pub(super) fn used(&self) -> Use {
        Use { kind: self.kind, text: self.text.clone(), stack: self.stack.clone() }
    }
}

/// The kinds of [`Note`]. Those about what differs between build and browser are taken only after the entry has
/// been loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// `console.error` and a failed `console.assert`.
    Error,
    /// `console.warn`.
    Warning,
    /// Every other message to the console.
    Log,
    /// An error in a timer, a microtask or a listener, or a rejected promise, that nobody caught.
    Uncaught,
    /// The current time was read.
    Clock,
    /// The local time zone was used.
    TimeZone,
    /// Random numbers were used.
    Random,
    /// Text was made or compared in the way of the visitor's locale.
    Locale,
    /// Text was made in the way of a locale of which the engine knows too little.
    Data,
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

/// What a thread needs beyond the engine's limit: the frames of the engine's own functions and of ours.
const STACK_MARGIN: usize = MEGABYTE;

/// Runs `work` on a thread of its own with `stack` bytes for the engine; the result arrives through the channel.
fn spawn<T: Send + 'static>(
    stack: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<mpsc::Receiver<T>, Failure> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let run = move || {
        // Whoever asked may have given up waiting.
        let _ = sender.send(work());
    };
    let thread = thread::Builder::new().name("prerender".to_owned()).stack_size(stack + STACK_MARGIN).spawn(run);
    thread.map_err(|error| Failure::no_thread(&error))?;
    Ok(receiver)
}

/// Runs `work` on a thread of its own with `stack` bytes for the engine, and waits for the result.
pub(super) fn run_on_stack<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(stack + STACK_MARGIN).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Failure::no_thread(&error))?;
        thread.join().map_err(|_| Failure::lost_thread())
    })
}
