//! Puts failures and notes into words for the people who write pages.

use super::{
    Locate, PageJob,
    failure::{Failure, FailureKind, Frame},
    program::{Note, NoteKind},
};
use crate::{
    diagnostic::{Diagnostic, Place},
    packages,
};

/// The variable that a failure's message says was read before its module declared it.
pub fn uninitialized(message: &str) -> Option<&str> {
    let (_, error) = message.rsplit_once("ReferenceError: ")?;
    error.split_once(" is not initialized").map(|(name, _)| name)
}

/// Gathers what pages have to report and says each thing once, however many pages share it: one broken line in a
/// layout is one mistake.
pub(super) struct Report<'a> {
    locate: &'a Locate<'a>,
    entries: Vec<Entry>,
}

struct Entry {
    subject: Subject,
    place: Option<Place>,
    /// What was used, where the subject is the use of something.
    uses: Vec<String>,
    pages: Vec<PageJob>,
}

#[derive(PartialEq)]
enum Subject {
    Failure {
        kind: FailureKind,
        message: String,
    },
    /// What a page says while it renders.
    Message {
        kind: NoteKind,
        text: String,
    },
    /// The use of what differs in browsers, by the page itself or by a package.
    Use {
        kind: NoteKind,
        package: Option<String>,
    },
}

impl<'a> Report<'a> {
    pub(super) fn new(locate: &'a Locate<'a>) -> Self {
        Self { locate, entries: Vec::new() }
    }

    pub(super) fn failure(&mut self, page: &PageJob, failure: &Failure) {
        let place = self.place_to_mend(&failure.frames);
        let subject = Subject::Failure { kind: failure.kind.clone(), message: failure.message.clone() };
        self.add(page, subject, place);
    }

    pub(super) fn note(&mut self, page: &PageJob, note: &Note) {
        let Note { kind, ref text, ref frames, .. } = *note;
        match kind {
            NoteKind::Log => {}
            NoteKind::Error | NoteKind::Warning | NoteKind::Uncaught => {
                let place = self.place_to_mend(frames);
                self.add(page, Subject::Message { kind, text: text.clone() }, place);
            }
            NoteKind::Clock | NoteKind::TimeZone | NoteKind::Random | NoteKind::Locale | NoteKind::Data => {
                if let Some((place, package)) = self.place_that_uses(frames) {
                    let entry = self.add(page, Subject::Use { kind, package }, Some(place));
                    if !entry.uses.contains(text) {
                        entry.uses.push(text.clone());
                    }
                }
            }
        }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let (failures, notes): (Vec<_>, Vec<_>) =
            self.entries.into_iter().partition(|entry| matches!(entry.subject, Subject::Failure { .. }));
        failures.into_iter().chain(notes).map(Entry::into_diagnostic).collect()
    }

    fn add(&mut self, page: &PageJob, subject: Subject, place: Option<Place>) -> &mut Entry {
        // What a package does, it does wherever it is called, and there is one way to mend that.
        let is_of_package = matches!(subject, Subject::Use { package: Some(_), .. });
        let is_same = |entry: &Entry| {
            entry.subject == subject && (is_of_package || same_line(entry.place.as_ref(), place.as_ref()))
        };
        let index = self.entries.iter().position(is_same).unwrap_or_else(|| {
            self.entries.push(Entry { subject, place, uses: Vec::new(), pages: Vec::new() });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        if !entry.pages.contains(page) {
            entry.pages.push(page.clone());
        }
        entry
    }

    /// The innermost frame in the site's own files, or else the innermost of all: a mistake shows inside a library,
    /// but is made outside.
    fn place_to_mend(&self, frames: &[Frame]) -> Option<Place> {
        let mut innermost = None;
        for place in frames.iter().filter_map(self.locate) {
            if package(&place).is_none() {
                return Some(place);
            }
            innermost.get_or_insert(place);
        }
        innermost
    }

    /// The innermost frame in the site's own files, and the package that it calls, if it does. None if React itself is at
    /// work below it: what React does with a clock never reaches the page. What a library does by itself may not either,
    /// and nobody here could mend it.
    fn place_that_uses(&self, frames: &[Frame]) -> Option<(Place, Option<String>)> {
        let mut places = frames.iter().filter_map(self.locate).peekable();
        let innermost = places.peek()?;
        let user = package(innermost).map(ToOwned::to_owned);
        if user.as_deref().is_some_and(|package| RENDERERS.contains(&package)) || is_only_compared(innermost) {
            return None;
        }
        Some((places.find(|place| package(place).is_none())?, user))
    }
}

/// Whether the code at a place makes the text of a date only to look at it, as in `date.toString() === "Invalid Date"`:
/// it does not get to the page.
fn is_only_compared(place: &Place) -> bool {
    let text = place.source.text.get(place.span.start..).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let after = line.split_once("toString()").filter(|(before, _)| before.len() < "date.".len());
    after.is_some_and(|(_, after)| ["==", "!="].iter().any(|comparison| after.trim_start().starts_with(comparison)))
}

const RENDERERS: [&str; 5] = ["react", "react-dom", "react-router", "react-router-dom", "scheduler"];

/// The npm package that a place is in; none for the site's own files.
fn package(place: &Place) -> Option<&str> {
    packages::package_of(&place.source.name)
}

/// Whether two places are on one line, which is where an author looks.
fn same_line(left: Option<&Place>, right: Option<&Place>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => {
            left.source.name == right.source.name && left.line_column().0 == right.line_column().0
        }
        (None, None) => true,
        _ => false,
    }
}

impl Entry {
    fn into_diagnostic(self) -> Diagnostic {
        let pages = names(&self.pages);
        let library = self.place.as_ref().and_then(package);
        let diagnostic = match &self.subject {
            Subject::Failure { kind, message } => failure_diagnostic(&pages, kind, message, library),
            Subject::Message { kind, text } => message_diagnostic(&pages, *kind, text),
            Subject::Use { kind, package } => use_diagnostic(&pages, *kind, &listed(&self.uses, package.as_deref())),
        };
        match self.place {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }
    }
}

/// How many pages a message names before it counts.
const NAMED_PAGES: usize = 3;

/// `/about (关于我们)`, or `/a, /b, /c and 7 more`.
fn names(pages: &[PageJob]) -> String {
    match pages {
        [page] if page.title.is_empty() => page.path.clone(),
        [page] => format!("{} ({})", page.path, page.title),
        _ => {
            let named: Vec<&str> = pages.iter().take(NAMED_PAGES).map(|page| page.path.as_str()).collect();
            let more = pages.len() - named.len();
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            named.join(", ") + &rest
        }
    }
}

fn failure_diagnostic(pages: &str, kind: &FailureKind, message: &str, library: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("rendering {pages} failed: {message}"));
    // What packages do wrong is not for the site's author to mend.
    let hints = if library.is_some() && matches!(kind, FailureKind::NotDefined(_)) { Vec::new() } else { hints(kind) };
    let diagnostic = hints.into_iter().fold(diagnostic, Diagnostic::with_hint);
    match library {
        Some(library) => diagnostic.with_hint(format!(
            "the package {library} may need a browser: load what needs it with `clientOnly(() => import(\"./Part\"))` \
             of \"portalgen:client-only\""
        )),
        None => diagnostic,
    }
}

fn hints(kind: &FailureKind) -> Vec<String> {
    let fixed: &[&str] = match kind {
        FailureKind::NotDefined(name) => return vec![missing_global(name)],
        FailureKind::Threw | FailureKind::Syntax | FailureKind::Engine => &[],
        FailureKind::Fetched => {
            &["pages are rendered while the portal is built, without a network: fetch in useEffect, which runs in the \
             browser only, or keep the data in a JSON file and import it"]
        }
        FailureKind::NeverSettles => &[
            "a component waits, in use() or lazy(), for a promise that nothing will ever settle; what only a browser \
             can answer belongs into useEffect",
        ],
        FailureKind::TimedOut => &[
            "look for a loop without an end, or a component that renders itself",
            "the clock stands still while code runs: a loop that waits for Date.now() to change never ends",
        ],
        FailureKind::OutOfMemory => &["look for a list that grows without an end, or a component that renders itself"],
        FailureKind::StackOverflow => &["look for a function that calls itself without an end"],
        FailureKind::MissingModule => {
            &["import() needs a path written out in full, or the build cannot know which file is meant"]
        }
    };
    fixed.iter().map(|&hint| hint.to_owned()).collect()
}

/// Globals that exist only where there is a page to look at.
const BROWSER: &[&str] = &[
    "addEventListener",
    "alert",
    "Audio",
    "cancelAnimationFrame",
    "confirm",
    "customElements",
    "document",
    "DOMParser",
    "Element",
    "getComputedStyle",
    "getSelection",
    "history",
    "HTMLElement",
    "Image",
    "innerHeight",
    "innerWidth",
    "IntersectionObserver",
    "localStorage",
    "location",
    "matchMedia",
    "MutationObserver",
    "navigator",
    "Node",
    "open",
    "print",
    "prompt",
    "requestAnimationFrame",
    "requestIdleCallback",
    "ResizeObserver",
    "screen",
    "scroll",
    "scrollTo",
    "self",
    "sessionStorage",
    "top",
    "visualViewport",
    "window",
];

/// Globals of Node.
const NODE: &[&str] = &["__dirname", "__filename", "Buffer", "exports", "global", "module", "process", "require"];

/// Web interfaces that the engine could have but does not.
const WEB: &[&str] = &[
    "Blob",
    "BroadcastChannel",
    "caches",
    "CompressionStream",
    "DecompressionStream",
    "EventSource",
    "File",
    "FileReader",
    "FormData",
    "indexedDB",
    "MessageChannel",
    "MessageEvent",
    "MessagePort",
    "Notification",
    "SharedWorker",
    "TextDecoderStream",
    "TextEncoderStream",
    "TransformStream",
    "WebAssembly",
    "WebSocket",
    "Worker",
    "WritableStream",
    "XMLHttpRequest",
];

fn missing_global(name: &str) -> String {
    if BROWSER.contains(&name) {
        format!(
            "pages are rendered while the portal is built, where there is no browser and no `{name}`: use it in \
             useEffect or in an event handler, which run in the browser only"
        )
    } else if WEB.contains(&name) {
        format!(
            "the engine that renders pages while the portal is built has no `{name}`: use it in useEffect or in an \
             event handler, which run in the browser only"
        )
    } else if NODE.contains(&name) {
        format!("`{name}` is Node's; a page runs in browsers and in the build, and neither has it")
    } else {
        format!("is `{name}` spelled right, and declared or imported in this file?")
    }
}

/// How many uses a message names before it counts.
const NAMED_USES: usize = 3;

/// `getDate(), getDay(), getMonth() and 4 more in date-fns`
fn listed(uses: &[String], package: Option<&str>) -> String {
    let named: Vec<&str> = uses.iter().take(NAMED_USES).map(String::as_str).collect();
    let more = uses.len() - named.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let package = package.map(|package| format!(" in the package {package}")).unwrap_or_default();
    named.join(", ") + &rest + &package
}

fn message_diagnostic(pages: &str, kind: NoteKind, text: &str) -> Diagnostic {
    Diagnostic::warning(match kind {
        NoteKind::Warning => format!("rendering {pages} logged a warning: {text}"),
        NoteKind::Uncaught => format!("an error was not caught while rendering {pages}: {text}"),
        _ => format!("rendering {pages} logged an error: {text}"),
    })
}

fn use_diagnostic(pages: &str, kind: NoteKind, text: &str) -> Diagnostic {
    const ELSE: &str = "the browser will render something else";
    const ADVICE: &str = "render it in the browser only: keep it in state and set it in useEffect";
    let (message, hint) = match kind {
        NoteKind::Clock => (format!("rendering {pages} reads the clock with {text}; {ELSE}"), ADVICE),
        NoteKind::Random => (
            format!("rendering {pages} uses random numbers from {text}; {ELSE}"),
            "for an id use useId(); for anything else set it in useEffect",
        ),
        NoteKind::TimeZone => (
            format!("rendering {pages} uses the local time zone with {text}; {ELSE} for visitors outside UTC"),
            "use the UTC methods, such as getUTCHours(), or set it in useEffect",
        ),
        NoteKind::Locale => (
            format!("rendering {pages} uses the locale with {text}, which is another in each browser"),
            "write the format out or name the locale, or set it in useEffect",
        ),
        // The rest are messages, which are no uses.
        _ => (
            format!("rendering {pages} uses {text}, of which the engine knows too little; {ELSE}"),
            "write the format out, or set it in useEffect",
        ),
    };
    Diagnostic::warning(message).with_hint(hint)
}
