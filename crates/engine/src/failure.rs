//! Why a call failed and where, in positions that source maps understand.

use std::{fmt, io, time::Duration};

use serde::{Deserialize, Serialize};

use portalgen_base::{
    system,
    text::{Text, text},
};

use super::sentences;

/// A call that gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong, for choosing advice.
    pub kind: FailureKind,
    /// Whether it was a `TypeError`: a value was used as what it is not.
    pub is_type_error: bool,
    /// One sentence without a full stop: for an exception its name, its message and what caused it.
    pub message: Text,
    /// The stack, innermost first; only frames in the program's own scripts. Empty when nothing is known.
    pub frames: Vec<Frame>,
    /// The components that the program was at work with, if it knows.
    pub at_work: Option<Box<AtWork>>,
    /// What the code asked for before, of which the engine has no data: the last time zone, and all calendars.
    pub lacks: Box<[Lack]>,
}

/// Components, the innermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtWork {
    /// Where each was asked for. Only React's development build knows.
    pub owners: Vec<Frame>,
    /// Some place in each.
    pub components: Vec<Frame>,
}

/// Data that browsers have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Of a named time zone.
    TimeZone(String),
    /// Of a calendar.
    Calendar(String),
}

/// The classes of [`Failure`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The code threw, or its promise was rejected.
    Threw,
    /// The code used a global of this name that does not exist here.
    NotDefined(String),
    /// The code read the variable of this name before its declaration ran.
    Uninitialized(String),
    /// The code waited for something from the network.
    Fetched,
    /// The code opened a connection.
    Connected,
    /// The code made a regular expression that the engine does not take, and browsers may.
    BeyondEngine,
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
        f.write_str(self.message.english())
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub(super) fn new(kind: FailureKind, message: Text) -> Self {
        let (frames, at_work, lacks) = Default::default();
        Self { kind, is_type_error: false, message, frames, at_work, lacks }
    }

    pub(super) fn engine(reason: &Text) -> Self {
        Self::new(
            FailureKind::Engine,
            text!("the JavaScript engine failed: {reason}", "JavaScript 引擎出错：{reason}", reason),
        )
    }

    /// A failure of the engine in its own words.
    pub(super) fn of_engine(error: impl fmt::Display) -> Self {
        Self::engine(&Text::verbatim(error.to_string()))
    }

    pub(super) fn no_thread(error: &io::Error) -> Self {
        let error = system::explain(error);
        Self::engine(&text!("no thread could be started ({error})", "无法启动线程（{error}）", error))
    }

    pub(super) fn lost_thread() -> Self {
        Self::engine(&text!("its thread ended without a result", "它的线程没有返回结果就结束了"))
    }

    pub(super) fn timed_out(deadline: Duration) -> Self {
        Self::new(
            FailureKind::TimedOut,
            text!("it was still running after {deadline:?}", "{deadline:?} 之后仍未运行完"),
        )
    }

    pub(super) fn never_settles() -> Self {
        Self::new(
            FailureKind::NeverSettles,
            text!("it waits for a promise that never settles", "它在等待一个永远不会有结果的 promise"),
        )
    }

    pub(super) fn out_of_memory(limit: usize) -> Self {
        let limit = limit / (1024 * 1024);
        Self::new(
            FailureKind::OutOfMemory,
            text!("it needs more than {limit} MB of memory", "它需要的内存超过 {limit} MB"),
        )
    }

    pub(super) fn missing_module(specifier: &str, importer: &str) -> Self {
        Self::new(FailureKind::MissingModule, missing_module(&format!("{specifier:?}"), importer))
    }

    /// The message of [`Failure::missing_module`], when it is one that a script has passed on.
    pub(super) fn told_missing_module(message: &str) -> Option<Text> {
        let (specifier, importer) = message.strip_prefix(MISSING_MODULE)?.rsplit_once(IMPORTED_BY)?;
        Some(missing_module(specifier, importer))
    }

    /// Whether what was thrown may have been no error: null cannot be told from memory that has run out.
    pub(super) fn may_be_of_no_error(&self) -> bool {
        matches!(self.kind, FailureKind::Threw | FailureKind::OutOfMemory) && self.frames.is_empty()
    }

    #[must_use]
    pub(super) fn with_frames(mut self, frames: Vec<Frame>) -> Self {
        self.frames = frames;
        self
    }

    /// A thrown value, from what the engine's `describe` says about it. `frames` reads a stack.
    pub(super) fn from_description(json: &str, frames: impl Fn(&str) -> Vec<Frame>) -> Self {
        match serde_json::from_str::<Description>(json) {
            Ok(description) => description.into_failure(frames),
            Err(error) => {
                Self::engine(&text!("an exception cannot be read ({error})", "无法读取异常的内容（{error}）"))
            }
        }
    }
}

/// What the message of an import that fails is made of, by which it is known when a script has passed it on.
const MISSING_MODULE: &str = "the bundle has no script ";
const IMPORTED_BY: &str = ", imported by ";

fn missing_module(specifier: &str, importer: &str) -> Text {
    text!("{MISSING_MODULE}{specifier}{IMPORTED_BY}{importer}", "打包结果里没有脚本 {specifier}，它由 {importer} 导入")
}

/// A thrown value in the words of `globals/inspect.js`.
#[derive(Deserialize)]
struct Description {
    /// The error's name; none for a value that is no error.
    name: Option<String>,
    message: String,
    causes: Vec<String>,
    stacks: Vec<String>,
    owners: String,
    components: String,
}

impl Description {
    fn into_failure(self, read: impl Fn(&str) -> Vec<Frame>) -> Failure {
        let frames = self.stacks.iter().map(|stack| read(stack)).find(|frames| !frames.is_empty());
        let at_work = AtWork { owners: read(&self.owners), components: read(&self.components) };
        let at_work = (at_work != AtWork::default()).then(|| Box::new(at_work));
        let is_type_error = self.name.as_deref() == Some("TypeError");
        let (kind, message, frames) = (self.kind(), self.sentence(), frames.unwrap_or_default());
        Failure { kind, is_type_error, message, frames, at_work, lacks: Box::default() }
    }

    fn kind(&self) -> FailureKind {
        let message = self.message.as_str();
        match self.name.as_deref() {
            Some("FetchError") => FailureKind::Fetched,
            Some("ConnectionError") => FailureKind::Connected,
            Some("InternalError") if sentences::is_out_of_memory(message) => FailureKind::OutOfMemory,
            Some("SyntaxError") if sentences::is_limit_of_expressions(message) => FailureKind::BeyondEngine,
            Some("RangeError") if sentences::is_stack_overflow(message) => FailureKind::StackOverflow,
            _ if Failure::told_missing_module(message).is_some() => FailureKind::MissingModule,
            Some("ReferenceError") => match sentences::not_defined(message) {
                Some(name) => FailureKind::NotDefined(name.to_owned()),
                None => self.threw(),
            },
            _ => self.threw(),
        }
    }

    fn threw(&self) -> FailureKind {
        self.uninitialized().map_or(FailureKind::Threw, FailureKind::Uninitialized)
    }

    /// The variable that was read too early, by the error or by what caused it.
    fn uninitialized(&self) -> Option<String> {
        let own = (self.name.as_deref()?, self.message.as_str());
        let errors = self.causes.iter().rev().filter_map(|cause| cause.split_once(": ")).chain([own]);
        let mut names = errors.filter(|(error, _)| *error == "ReferenceError");
        names.find_map(|(_, message)| sentences::not_initialized(message)).map(ToOwned::to_owned)
    }

    fn sentence(&self) -> Text {
        let message = &self.message;
        let headline = match self.name.as_deref() {
            None => text!("it threw {message}", "抛出了 {message}"),
            Some(name) if message.is_empty() => Text::verbatim(name),
            Some(name) => {
                let message = Failure::told_missing_module(message).unwrap_or_else(|| Text::verbatim(message));
                text!("{name}: {message}", "{name}: {message}", message)
            }
        };
        self.causes.iter().fold(headline, |sentence, cause| {
            text!("{sentence}, caused by {cause}", "{sentence}，起因是 {cause}", sentence)
        })
    }
}
