//! Why a call failed and where, in positions that source maps understand.

use std::{fmt, time::Duration};

use serde::Deserialize;

use super::scripts::Scripts;

/// A call that gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong, for choosing advice.
    pub kind: FailureKind,
    /// One sentence without a full stop: for an exception its name, its message and what caused it.
    pub message: String,
    /// The stack, innermost first; only frames in the program's own scripts. Empty when nothing is known.
    pub frames: Vec<Frame>,
}

/// The classes of [`Failure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The code threw, or its promise was rejected.
    Threw,
    /// The code used a global of this name that does not exist here.
    NotDefined(String),
    /// The code waited for something from the network.
    Fetched,
    /// The code ran longer than [`Limits::deadline`](super::Limits::deadline).
    TimedOut,
    /// The code needed more than [`Limits::memory`](super::Limits::memory).
    OutOfMemory,
    /// Calls nested deeper than [`Limits::stack`](super::Limits::stack) allows.
    StackOverflow,
    /// No job and no timer is left, but the promise is not settled and never will be.
    NeverSettles,
    /// A script is not valid JavaScript.
    Syntax,
    /// An import names a script that the program does not have.
    MissingModule,
    /// The engine itself failed: the machine refused a thread or memory, or the engine has a fault.
    Engine,
}

/// One call on the stack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The function's name; none for an anonymous function and for a module's top level.
    pub function: Option<String>,
    /// The script's name, as it was given to [`Program::compile`](super::Program::compile).
    pub script: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 0, in UTF-16 units, as in source maps.
    pub column: u32,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), frames: Vec::new() }
    }

    pub(super) fn engine(message: impl fmt::Display) -> Self {
        Self::new(FailureKind::Engine, format!("the JavaScript engine failed: {message}"))
    }

    pub(super) fn timed_out(deadline: Duration) -> Self {
        Self::new(FailureKind::TimedOut, format!("it was still running after {deadline:?}"))
    }

    pub(super) fn never_settles() -> Self {
        Self::new(FailureKind::NeverSettles, "it waits for a promise that never settles")
    }

    pub(super) fn out_of_memory(limit: usize) -> Self {
        Self::new(FailureKind::OutOfMemory, format!("it needs more than {} MB of memory", limit / (1024 * 1024)))
    }

    pub(super) fn missing_module(specifier: &str, importer: &str) -> Self {
        Self::new(FailureKind::MissingModule, format!("{MISSING_MODULE} {specifier:?}, imported by {importer}"))
    }

    /// Whether the message is that of [`Failure::missing_module`].
    pub(super) fn tells_of_missing_module(message: &str) -> bool {
        message.starts_with(MISSING_MODULE)
    }

    #[must_use]
    pub(super) fn with_frames(mut self, frames: Vec<Frame>) -> Self {
        self.frames = frames;
        self
    }

    /// A thrown value, from what the engine's `describe` says about it.
    pub(super) fn from_description(json: &str, scripts: &Scripts) -> Self {
        match serde_json::from_str::<Description>(json) {
            Ok(description) => description.into_failure(scripts),
            Err(error) => Self::engine(format!("an exception cannot be read ({error})")),
        }
    }
}

/// How the message of an import that fails begins, by which its kind is known when a script has passed it on.
const MISSING_MODULE: &str = "the bundle has no script";

/// A thrown value in the words of `runtime/engine/inspect.js`.
#[derive(Deserialize)]
struct Description {
    /// The error's name; none for a value that is no error.
    name: Option<String>,
    message: String,
    causes: Vec<String>,
    stacks: Vec<String>,
}

impl Description {
    fn into_failure(self, scripts: &Scripts) -> Failure {
        let frames = self.stacks.iter().map(|stack| frames(stack, scripts)).find(|frames| !frames.is_empty());
        let kind = self.kind();
        Failure { kind, message: self.sentence(), frames: frames.unwrap_or_default() }
    }

    fn kind(&self) -> FailureKind {
        match (self.name.as_deref(), self.message.as_str()) {
            (Some("FetchError"), _) => FailureKind::Fetched,
            // The other two: an error whose message no longer fitted, and a string that did not fit on its way to Rust.
            (Some("InternalError"), "out of memory" | "" | "QuickJS library created a unknown error") => {
                FailureKind::OutOfMemory
            }
            (Some("RangeError"), "Maximum call stack size exceeded") => FailureKind::StackOverflow,
            (_, message) if Failure::tells_of_missing_module(message) => FailureKind::MissingModule,
            (Some("ReferenceError"), message) => match message.strip_suffix(" is not defined") {
                Some(name) => FailureKind::NotDefined(name.trim_matches('\'').to_owned()),
                None => FailureKind::Threw,
            },
            _ => FailureKind::Threw,
        }
    }

    fn sentence(&self) -> String {
        let headline = match self.name.as_deref() {
            None => format!("it threw {}", self.message),
            Some(name) if self.message.is_empty() => name.to_owned(),
            Some(name) => format!("{name}: {}", self.message),
        };
        self.causes.iter().fold(headline, |sentence, cause| sentence + ", caused by " + cause)
    }
}

/// The frames of a stack as the engine writes it, without those outside the program's scripts.
pub(super) fn frames(stack: &str, scripts: &Scripts) -> Vec<Frame> {
    stack.lines().filter_map(|line| frame(line.trim().strip_prefix("at ")?, scripts)).collect()
}

/// `function (script:line:column)`, or only `script:line:column` for a syntax error.
fn frame(text: &str, scripts: &Scripts) -> Option<Frame> {
    let (function, position) = match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
        Some((function, position)) => (Some(function), position),
        None => (None, text),
    };
    let (rest, column) = position.rsplit_once(':')?;
    let (script, line) = rest.rsplit_once(':')?;
    let (line, byte_column): (u32, usize) = (line.parse().ok()?, column.parse().ok()?);
    let code = scripts.code(script)?;
    let text = code.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    if byte_column == 1 && function != Some("<eval>") && text.len() > LONG_LINE {
        return None;
    }
    let function = function.filter(|name| !name.starts_with('<')).map(str::to_owned);
    Some(Frame { function, script: script.to_owned(), line, column: utf16_column(text, byte_column) })
}

/// The engine gives column 1 to code in functions that neither call nor read anything. On a line this long, of
/// minified code, that would point anywhere.
const LONG_LINE: usize = 200;

/// The engine counts a column in bytes of UTF-8 and from 1.
fn utf16_column(line: &str, byte_column: usize) -> u32 {
    let before = &line[..line.floor_char_boundary(byte_column.saturating_sub(1).min(line.len()))];
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}
