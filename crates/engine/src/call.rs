//! What a call of a program takes and gives.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use super::failure::Frame;

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

pub(super) const MEGABYTE: usize = 1024 * 1024;

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
    /// The value as JSON text; `null` for what JSON cannot say and for a stream, U+FFFD for half a surrogate pair.
    pub value: String,
    /// What came from a `ReadableStream` of bytes that was the value.
    pub stream: Option<Vec<u8>>,
    /// What the code did that deserves a word, in order, each once.
    pub notes: Vec<Note>,
    /// Names of the scripts that were loaded meanwhile, whatever asked for them.
    pub loaded: Vec<Arc<str>>,
}

/// Something that code did while it ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The message that was logged, or the function that was used: `Date.now()`.
    pub text: String,
    /// What the function gave, where that is a text to be known by.
    pub value: Option<String>,
    /// The stack, innermost first, as in [`Failure::frames`](super::Failure::frames).
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

/// The use of something that differs between build and browser, known by its stack as the engine writes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Use {
    pub(super) kind: NoteKind,
    pub(super) text: String,
    pub(super) stack: String,
}
