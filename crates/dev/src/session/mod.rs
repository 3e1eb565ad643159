//! A portal that is being worked on: one build that goes on, and what pages, requests and the terminal are told of it.
//!
//! ```text
//! work      edits ──▶ the next Generation                  one thread, one edit after the other
//! verdict   the pages of a generation, rendered            a thread of its own, that the next edit ends
//! serve     requests ──▶ what the current generation has   on the threads of the server
//! failed    errors of pages ──▶ places in the sources      by what `sent` knows of the scripts that they run
//! ```
//!
//! A [`Generation`] is everything that pages are made of at a moment. It takes the place of the one before as a whole, and only
//! then are pages told, so documents, modules and style sheets are never of two of them.

mod changes;
mod differences;
mod document;
mod failed;
mod generation;
mod sent;
mod serve;
mod state;
mod verdict;
mod warned;
mod work;

use std::{path::Path, sync::Arc, time::Duration};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Language, Text},
};
use portalgen_build::pipeline::{BuildOptions, Session};

use crate::network::Network;

pub use self::{state::DevPortal, work::Work};

/// What to work on, and how.
pub struct Project {
    /// What the process keeps between builds.
    pub session: Session,
    /// How the portal is built.
    pub options: BuildOptions,
    /// Whether documents hold what pages render, and what is wrong with that is told.
    pub prerenders: bool,
    /// The path that the portal is served from, as far as that is known before it is built.
    pub base: String,
    /// Who is answered and what is passed on, which follows `[dev]`; none without a server.
    pub network: Option<Network>,
    /// The language in which pages and the terminal are told what is wrong.
    pub language: Language,
}

/// What happens, for the terminal.
#[derive(Debug)]
pub enum Event {
    /// Everything was built.
    Built {
        /// How many pages there are.
        pages: usize,
        /// How long it took.
        took: Duration,
    },
    /// An edit has reached the pages.
    Updated {
        /// The files that were edited, relative to the project.
        files: Vec<String>,
        /// How long it took from the moment at which the edit was noticed.
        took: Duration,
    },
    /// A page cannot take an update over, and loads the document anew.
    Reloaded {
        /// Why.
        reason: String,
    },
    /// What is wrong now, and was not before.
    Problems(Vec<Diagnostic>),
    /// Nothing is wrong any more.
    Solved,
    /// Somebody wants to see a place in the editor.
    Open {
        /// The file, relative to the project.
        file: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
    },
    /// The server has something to say.
    Note(Text),
    /// routes.toml names another port than before.
    Port(u16),
    /// Somebody has changed a text of `routes.toml` in the panel.
    Edited {
        /// The path of the route.
        path: String,
        /// Which of its texts.
        key: &'static str,
        /// What it was, if it was there.
        old: Option<String>,
        /// What it is now, if it still is there.
        new: Option<String>,
    },
    /// Something has failed in a browser.
    Failed(Diagnostic),
}

/// Who is told what happens.
pub type Tell = Arc<dyn Fn(Event) + Send + Sync>;

/// A path as people are told: relative to the project.
fn shown(root: &Path, path: &Path) -> String {
    portalgen_base::source::display_name(root, path)
}
