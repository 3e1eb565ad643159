//! Pages rendered by a program: each is one call of a function that the program exports.

use std::{borrow::Borrow, collections::BTreeMap, mem, sync::Arc};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use portalgen_base::{
    blob::{Blob, Spill},
    diagnostic::Place,
    text::text,
    timing::Stage,
};

use super::{
    call::{Limits, Note, NoteKind, Outcome, Variation},
    engine::Call,
    failure::Failure,
    program::Program,
    uses::{self, Locate},
    worker::{Reuse, Workers},
};

/// A page to render.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageJob {
    /// The path that the program's `render` gets.
    pub path: String,
    /// The script with the page, as the entry would import it: what `render` gets besides.
    pub script: String,
    /// The page's title, for messages.
    pub title: String,
    /// Where the page is asked for, for what goes wrong at no line of its own.
    pub place: Option<Place>,
}

/// A page that was rendered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedPage {
    /// The path from the [`PageJob`].
    pub path: String,
    /// Everything inside the React root, byte for byte what React produced.
    pub html: Blob,
    /// Names of the program's scripts that it took, those of `import()` among them. Pages share what they have in common.
    pub scripts: Vec<Arc<str>>,
    /// What the page did that may be worth a word: see [`report`](super::report).
    pub notes: Vec<Note>,
}

impl RenderedPage {
    /// The page as bytes, to be kept.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let scripts: Vec<&str> = self.scripts.iter().map(|script| &**script).collect();
        postcard::to_stdvec(&(&self.path, self.html.text(), scripts, &self.notes)).ok()
    }

    /// A page that was kept. None if the bytes are none.
    pub fn from_bytes(bytes: &[u8], spill: &Spill) -> Option<Self> {
        let (path, html, scripts, notes): (_, &str, Vec<&str>, _) = postcard::from_bytes(bytes).ok()?;
        Some(Self { path, html: spill.keep(html), scripts: scripts.into_iter().map(Arc::from).collect(), notes })
    }
}

impl PageJob {
    /// What the program's `render` gets, in front of the signal.
    fn arguments(&self) -> [&str; 2] {
        [&self.path, &self.script]
    }
}

/// The name of the export that renders: `render(path, script, stalled)`, which promises HTML as a string, or a stream of its bytes. See
/// [`Program::call`] for `stalled`.
const RENDER: &str = "render";
/// The same for a look at a page that something is wrong with.
const RENDER_MARKED: &str = "renderMarked";
/// The name of the export that renders what is around a page.
const RENDER_AROUND: &str = "renderAround";

/// The scripts of so many pages are compiled at once: one by one, each would find the caches of its processor full of a page.
const AHEAD: usize = 64;

/// Renders pages side by side on rayon's threads: the results, in the given order. Their HTML goes to `spill`.
pub fn prerender(
    program: &Program,
    pages: &[impl Borrow<PageJob> + Sync],
    limits: &Limits,
    locate: &Locate<'_>,
    spill: &Spill,
) -> Vec<Result<RenderedPage, Failure>> {
    let threads = rayon::current_num_threads();
    let reuse = if pages.len() > threads { Reuse::On } else { Reuse::Off };
    let workers = program.workers(limits, reuse);
    let stage = Stage::current();
    let render = |page: &PageJob| {
        let render = Render { workers: &workers, page, locate, spill };
        stage.piece(|| page.path.clone(), || render.run())
    };
    let groups = pages.par_chunks(pages.len().div_ceil(threads).clamp(1, AHEAD));
    // Threads that have nothing else left to do take pages of other threads' groups.
    let rendered = groups.flat_map(|group| {
        stage.charge(|| program.compile_ahead(group.iter().map(|page| page.borrow().script.as_str())));
        group.par_iter().map(|page| render(page.borrow()))
    });
    rendered.collect()
}

/// Renders a page once more, with a comment before and behind all HTML that its components give as text.
pub fn marked(program: &Program, path: &str, script: &str, limits: &Limits) -> Option<String> {
    html(program.call(RENDER_MARKED, &[path, script], limits).ok()?)
}

/// The HTML that a call gave; none if it gave something else.
fn html(outcome: Outcome) -> Option<String> {
    match outcome.stream {
        Some(bytes) => String::from_utf8(bytes).ok(),
        None => serde_json::from_str(&outcome.value).ok(),
    }
}

/// What is around a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Around {
    /// The HTML.
    pub html: String,
    /// Whether the page is rendered in there at all.
    pub is_asked: bool,
}

/// Renders what is around a page: the layout, with nothing in it.
pub fn around(program: &Program, path: &str, limits: &Limits) -> Option<Around> {
    serde_json::from_str(&program.call(RENDER_AROUND, &[path], limits).ok()?.value).ok()
}

/// Whether what a note is about may be part of the page. Packages make ids that nobody ever sees.
fn may_be_in(html: &str, note: &Note) -> bool {
    let Some(value) = &note.value else { return true };
    let known_part = value.split('-').next().unwrap_or(value);
    html.contains(known_part)
}

/// Time zones, in minutes ahead of UTC, in one of which the day of any time is another than in UTC.
const ELSEWHERE: [i32; 2] = [-705, 765];

/// The rendering of one page.
struct Render<'a> {
    workers: &'a Workers,
    page: &'a PageJob,
    locate: &'a Locate<'a>,
    spill: &'a Spill,
}

/// What a call of `render` gives.
struct Rendered {
    html: String,
    scripts: Vec<Arc<str>>,
    notes: Vec<Note>,
}

impl Render<'_> {
    /// The page, with what is worth a word about it.
    fn run(&self) -> Result<RenderedPage, Failure> {
        let Rendered { html, scripts, notes } = self.render(Variation::default())?;
        let mut told = Vec::new();
        let mut of_packages: BTreeMap<_, Vec<Note>> = BTreeMap::new();
        for note in notes.into_iter().filter(|note| may_be_in(&html, note)) {
            match uses::package_that_uses(&note, self.locate) {
                Some(user) => of_packages.entry((user, note.kind)).or_default().push(note),
                None => told.push(note),
            }
        }
        let is_told = |(kind, notes): &(NoteKind, Vec<Note>)| self.depends_on(&html, *kind, notes);
        let of_packages = of_packages.into_iter().map(|((_, kind), notes)| (kind, notes));
        told.extend(of_packages.filter(is_told).flat_map(|(_, notes)| notes));
        Ok(RenderedPage { path: self.page.path.clone(), html: self.spill.keep(html), scripts, notes: told })
    }

    /// Whether the page depends on uses by a package: most packages that read a clock do it for themselves. The page is
    /// rendered once more with another result of theirs. Dates that are made and read in the local time zone show the same
    /// in all of them, so for that the page must be another elsewhere, too.
    fn depends_on(&self, html: &str, kind: NoteKind, notes: &[Note]) -> bool {
        // A page that then fails depends on them, too.
        let differs = |variation| self.render(variation).map_or(true, |other| other.html != html);
        let uses = notes.iter().map(Note::used).collect();
        differs(Variation { uses, ..Variation::default() })
            && (kind != NoteKind::TimeZone
                || ELSEWHERE.iter().any(|&zone| differs(Variation { zone, ..Variation::default() })))
    }

    fn render(&self, variation: Variation) -> Result<Rendered, Failure> {
        let mut outcome = self.workers.call(Call::new(RENDER, &self.page.arguments(), variation))?;
        let (scripts, notes) = (mem::take(&mut outcome.loaded), mem::take(&mut outcome.notes));
        let html = html(outcome)
            .ok_or_else(|| Failure::engine(&text!("`render` did not return HTML", "`render` 返回的不是 HTML")))?;
        Ok(Rendered { html, scripts, notes })
    }
}
