//! The panel: the titles, descriptions and redirects of a portal in the browser, for those who write them.
//!
//! ```text
//! document   the page, or a page that says why there is none
//! script     the page's code, bundled with the React of the site; `page/` has its sources
//! listing    GET  …/panel/list    all routes, and what is wrong with each
//! drafts     POST …/panel/judge   what saving would say, nothing is written
//! changing   POST …/panel/edit, …/panel/undo
//! ```
//!
//! Whoever asks has been admitted by the server, and for a `POST` has shown the token. What may be changed are three texts of
//! routes that exist; no request names a file.

mod changing;
mod document;
mod drafts;
mod finding;
mod listing;
mod request;
mod script;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
    text::Language,
};
use portalgen_build::pipeline::LivePortal;
use portalgen_portal::{Overrides, Portal};
use portalgen_release::edit::{RoutesFile, Written};
use serde::Serialize;

use self::script::Script;
use crate::content::{Method, Request, Response};

/// Where its files are, below the folder of the server's own.
const FOLDER: &str = "panel/";

/// The panel of a project.
pub(crate) struct Panel {
    root: PathBuf,
    overrides: Overrides,
    language: Language,
    sources: Arc<dyn Sources>,
    script: Script,
    /// The last portal that could be read.
    known: Mutex<Option<Arc<Portal>>>,
    /// What was written, the newest last. Whoever holds it is alone in changing the file.
    written: Mutex<Vec<Written>>,
}

/// What is around the panel at the moment.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// The path that the portal is served from.
    pub base: &'a str,
    /// What requests prove themselves with.
    pub token: &'a str,
    /// The last portal that could be built.
    pub portal: Option<&'a LivePortal>,
    /// What keeps the sources of now from being built.
    pub problems: &'a [Diagnostic],
    /// Told of each text that was changed.
    pub tell: &'a dyn Fn(Changed),
}

/// A text that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Changed {
    pub path: String,
    pub key: &'static str,
    pub old: Option<String>,
    pub new: Option<String>,
}

impl Panel {
    pub(crate) fn new(root: PathBuf, overrides: Overrides, language: Language) -> Self {
        let sources = Arc::new(Disk::of_project(&root));
        let (script, known, written) = Default::default();
        Self { root, overrides, language, sources, script, known, written }
    }

    /// Answers a request to a path below the server's own folder, if that is the panel's.
    pub(crate) fn answer(&self, path: &str, request: &Request, around: Around<'_>) -> Option<Response> {
        let language = self.language_of(request);
        let response = match (request.method, path.strip_prefix(FOLDER)) {
            (Method::Get, None) if path.is_empty() => self.document(request, around),
            (Method::Get, Some("list")) => request::json(200, &self.list(language, around)),
            (Method::Get, Some("panel.css")) => {
                Response::new(200, "text/css; charset=utf-8", document::STYLE.as_bytes())
            }
            (Method::Get, Some(name)) => {
                let code = self.script.files(self, around).ok()?.get(name).map(Arc::clone)?;
                Response::new(200, "text/javascript; charset=utf-8", code)
            }
            (Method::Post, Some("judge")) => self.judge(request, language),
            (Method::Post, Some("edit")) => self.edit(request, language, around),
            (Method::Post, Some("undo")) => self.undo(language, around),
            _ => return None,
        };
        Some(response.with("x-content-type-options", "nosniff"))
    }

    /// The language that the panel is read in, which may be another one than that of the terminal.
    fn language_of(&self, request: &Request) -> Language {
        match request.query.as_deref() {
            Some("lang=zh") => Language::Chinese,
            Some("lang=en") => Language::English,
            _ => self.language,
        }
    }

    /// The portal as its file is now, with the warnings about it.
    fn load(&self) -> Result<(Arc<Portal>, Vec<Diagnostic>), Vec<Diagnostic>> {
        let (portal, warnings) = portalgen_portal::load(&*self.sources, &self.root, &self.overrides)?;
        let portal = Arc::new(portal);
        *lock(&self.known) = Some(Arc::clone(&portal));
        Ok((portal, warnings))
    }

    fn file(&self) -> RoutesFile<'_> {
        RoutesFile { root: &self.root, sources: &*self.sources, overrides: &self.overrides }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
