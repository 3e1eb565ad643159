//! JavaScript without a browser: pages are rendered to HTML by React in an embedded engine (QuickJS-NG, through rquickjs), with
//! bounds on memory, stack and time. Each page finds an engine in which nothing has happened but that the program was loaded.
//!
//! ```text
//! program.rs, scripts.rs    Program: a set of modules, compiled when they are asked for, and kept as long as that is likely
//! library.rs, recent.rs     their texts, and what is kept of them
//! bytecode.rs, loader.rs    how a module is compiled, and how it gets into an engine
//! call.rs, failure.rs       what a call of one takes and gives
//! worker.rs                 threads that make calls, each in an engine that has made none before
//! engine.rs                 one call: modules are loaded, timers and jobs run until nothing is left to do
//! memory.rs                 the memory of an engine, which is put back to what it was between calls
//! host.rs, globals          the web globals: JavaScript, with Rust for what that does better
//! record.rs                 what a call leaves behind outside of the engine
//! page.rs                   the calls that render pages
//! report.rs                 what went wrong, in words for people who write pages
//! uses.rs, missing.rs       whose code it was, and what it asked for
//! sentences.rs              the engine's own messages, as far as decisions depend on them
//! ```
//!
//! Engines are expensive to make: most of a page's time would go into it. So a worker makes one, loads the program, and saves all of
//! the engine's memory; before each further call it copies that back.
//!
//! Begin with [`Program`], then [`prerender`], which calls one for every page, and [`report`], which puts failures and notes
//! into words. A virtual clock, a fixed seed and UTC make the output the same wherever and whenever it is made, and no file,
//! network or environment is in reach. What a page reads of them all the same is noted, since browsers would show something
//! else; whether the page depends on it is found out by rendering it once more with another result.
//!
//! The crate knows neither bundler nor portal: it asks for texts of scripts by their names, calls one exported function for each page,
//! and asks a closure where a stack frame was written. Types of the engine do not leave it.

mod bytecode;
mod bytes;
mod call;
mod engine;
mod failure;
mod globals;
mod host;
mod library;
mod loader;
mod memory;
mod missing;
mod page;
mod program;
mod recent;
mod record;
mod regex;
mod report;
mod scripts;
mod sentences;
mod threads;
mod uses;
mod worker;

pub use call::{Limits, Note, NoteKind, Outcome};
pub use failure::{AtWork, Failure, FailureKind, Frame, Lack};
pub use library::Texts;
pub use page::{Around, PageJob, RenderedPage, around, marked, prerender};
pub use program::Program;
pub use regex::{Expression, judge_expression};
pub use report::{Reported, is_vague, outside_of_component, report, report_program};
pub use uses::Locate;
