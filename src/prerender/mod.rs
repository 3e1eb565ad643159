//! Renders pages to HTML: React runs in an embedded JavaScript engine, each page in an engine of its own.
//!
//! The engine's types stay inside this module. Its web globals are in `runtime/engine/`: a virtual clock, a fixed
//! seed and UTC make the output the same wherever and whenever it is made, and no file, network or environment is in
//! reach.

mod engine;
mod failure;
mod host;
mod program;
mod report;
mod scripts;

use rayon::prelude::*;

pub use failure::{Failure, FailureKind, Frame};
pub use program::{Limits, Note, NoteKind, Outcome, Program, Script};
pub use report::uninitialized;

use crate::{
    diagnostic::{Diagnostic, Place},
    text::text,
};

/// A page to render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageJob {
    /// The path that the program's `render` gets.
    pub path: String,
    /// The page's title, for messages.
    pub title: String,
}

/// A page that was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPage {
    /// The path from the [`PageJob`].
    pub path: String,
    /// Everything inside the React root, byte for byte what React produced.
    pub html: String,
}

/// Where a frame's code was written; none for code that is nobody's to mend, such as the runtime that the binary
/// carries.
pub type Locate<'a> = dyn Fn(&Frame) -> Option<Place> + Sync + 'a;

/// The name of the export that renders: `render(path, stalled): Promise<string>`. See [`Program::call`] for
/// `stalled`.
const RENDER: &str = "render";

/// Renders pages side by side on rayon's threads. The result holds the pages that could be rendered, in the given
/// order, and what is to be said: an error for every failure, naming its pages, and a warning for every line that
/// logs a warning or renders what the browser will render differently.
pub fn prerender(
    program: &Program,
    pages: &[PageJob],
    limits: &Limits,
    locate: &Locate<'_>,
) -> (Vec<RenderedPage>, Vec<Diagnostic>) {
    let results: Vec<_> = pages.par_iter().map(|page| render(program, page, limits)).collect();
    let mut rendered = Vec::with_capacity(pages.len());
    let mut report = report::Report::new(locate);
    for (page, result) in pages.iter().zip(results) {
        match result {
            Ok((html, notes)) => {
                for note in notes.iter().filter(|note| may_be_in(&html, note)) {
                    report.note(page, note);
                }
                rendered.push(RenderedPage { path: page.path.clone(), html });
            }
            Err(failure) => report.failure(page, &failure),
        }
    }
    (rendered, report.into_diagnostics())
}

/// Whether what a note is about may be part of the page. Packages make ids that nobody ever sees.
fn may_be_in(html: &str, note: &Note) -> bool {
    let Some(value) = &note.value else { return true };
    let known_part = value.split('-').next().unwrap_or(value);
    html.contains(known_part)
}

fn render(program: &Program, page: &PageJob, limits: &Limits) -> Result<(String, Vec<Note>), Failure> {
    let Outcome { value, notes } = program.call(RENDER, &[&page.path], limits)?;
    let html = serde_json::from_str(&value)
        .map_err(|_| Failure::engine(&text!("`render` gave something else than HTML", "`render` 给出的不是 HTML")))?;
    Ok((html, notes))
}
