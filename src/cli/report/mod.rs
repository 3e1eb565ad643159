//! How diagnostics look: to people in a terminal, to programs, and to reviewers of a change.

mod excerpt;
mod github;
mod human;
mod inert;
mod json;

use portalgen_base::{diagnostic::Place, rules::Severity, text::Language};

pub(super) use self::{excerpt::visible, inert::inert};
pub use self::{github::github, human::human, json::json};

/// How people like messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// In which language.
    pub language: Language,
    /// Whether with ANSI sequences for colours.
    pub color: bool,
}

/// What programs know a severity by.
fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The empty place behind a place.
fn end_of(place: &Place) -> Place {
    Place::new(&place.source, place.span.end..place.span.end)
}
