//! What programs are told of diagnostics in every form.

use portalgen_base::diagnostic::Place;

/// The empty place behind a place.
pub(super) fn end_of(place: &Place) -> Place {
    Place::new(&place.source, place.span.end..place.span.end)
}
