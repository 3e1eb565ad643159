//! What programs are told of diagnostics in every form.

use portalgen_base::{diagnostic::Place, rules::Severity};

/// What programs know a severity by.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// The empty place behind a place.
pub(super) fn end_of(place: &Place) -> Place {
    Place::new(&place.source, place.span.end..place.span.end)
}
