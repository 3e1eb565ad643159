//! Why a call failed and where, in positions that source maps understand.

use std::{fmt, io, time::Duration};

use serde::Deserialize;

use portalgen_base::text::{Text, text};

use super::{regex::is_limit, scripts::Scripts};
/// A call that gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong, for choosing advice.
    pub kind: FailureKind,
    /// One sentence without a full stop: for an exception its name, its message and what caused it.
    pub message: Text,
    /// The stack, innermost first; only frames in the program's own scripts. Empty when nothing is known.
    pub frames: Vec<Frame>,
    /// What the code asked for before, of which the engine has no data: the last time zone, and all calendars.
    pub lacks: Vec<Lack>,
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
        f.write_str(self.message.english())
    }
}

impl std::error::Error for Failure {}

impl Failure {
    pub(super) fn new(kind: FailureKind, message: Text) -> Self {
        Self { kind, message, frames: Vec::new(), lacks: Vec::new() }
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
        Self::engine(&text!("no thread could be started ({error})", "无法启动线程（{error}）"))
    }

    pub(super) fn lost_thread() -> Self {
        Self::engine(&text!("its thread ended without a result", "它的线程没有给出结果就结束了"))
    }

    pub(super) fn timed_out(deadline: Duration) -> Self {
        Self::new(
            FailureKind::TimedOut,
            text!("it was still running after {deadline:?}", "过了 {deadline:?} 还没有运行完"),
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

    /// A thrown value, from what the engine's `describe` says about it.
    pub(super) fn from_description(json: &str, scripts: &Scripts) -> Self {
        match serde_json::from_str::<Description>(json) {
            Ok(description) => description.into_failure(scripts),
            Err(error) => Self::engine(&text!("an exception cannot be read ({error})", "读不出异常的内容（{error}）")),
        }
    }
}

/// What the message of an import that fails is made of, by which it is known when a script has passed it on.
const MISSING_MODULE: &str = "the bundle has no script ";
const IMPORTED_BY: &str = ", imported by ";

fn missing_module(specifier: &str, importer: &str) -> Text {
    text!("{MISSING_MODULE}{specifier}{IMPORTED_BY}{importer}", "打包结果里没有脚本 {specifier}，它由 {importer} 导入")
}

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
        Failure { kind, message: self.sentence(), frames: frames.unwrap_or_default(), lacks: Vec::new() }
    }

    fn kind(&self) -> FailureKind {
        match (self.name.as_deref(), self.message.as_str()) {
            (Some("FetchError"), _) => FailureKind::Fetched,
            (Some("ConnectionError"), _) => FailureKind::Connected,
            // The other two: an error whose message no longer fitted, and a string that did not fit on its way to Rust.
            (Some("InternalError"), "out of memory" | "" | "QuickJS library created a unknown error") => {
                FailureKind::OutOfMemory
            }
            (Some("SyntaxError"), message) if is_limit(message) => FailureKind::BeyondEngine,
            (Some("RangeError"), "Maximum call stack size exceeded") => FailureKind::StackOverflow,
            (_, message) if Failure::told_missing_module(message).is_some() => FailureKind::MissingModule,
            (Some("ReferenceError"), message) => match message.strip_suffix(" is not defined") {
                Some(name) => FailureKind::NotDefined(name.trim_matches('\'').to_owned()),
                None => FailureKind::Threw,
            },
            _ => FailureKind::Threw,
        }
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
