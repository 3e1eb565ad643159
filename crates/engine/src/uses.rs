//! Where code was written that uses what differs in browsers, and which package that is.

use portalgen_base::{diagnostic::Place, packages};

use super::{
    call::{Note, NoteKind},
    failure::Frame,
};

/// The place where a frame's code was written. None for code that users cannot mend, such as the runtime that the binary
/// carries.
pub type Locate<'a> = dyn Fn(&Frame) -> Option<Place> + Sync + 'a;

/// Who uses what differs in browsers.
pub(super) struct Used {
    /// The innermost frame in the site's own files, or in the package where there is none.
    pub(super) place: Place,
    /// The package that uses it; none for the site itself.
    pub(super) package: Option<String>,
    /// Whether the site's own code is at work below.
    pub(super) is_called: bool,
}

impl Used {
    /// None if React itself is at work: what it does with a clock never reaches the page.
    pub(super) fn find(frames: &[Frame], locate: &Locate<'_>) -> Option<Self> {
        let mut places = frames.iter().filter_map(locate);
        let innermost = places.next()?;
        let user = package(&innermost).map(ToOwned::to_owned);
        if is_of_renderer(&innermost) || is_only_compared(&innermost) {
            return None;
        }
        let is_own = user.is_none();
        let caller = if is_own { Some(innermost.clone()) } else { places.find(|place| package(place).is_none()) };
        let is_called = caller.is_some();
        Some(Self { place: caller.unwrap_or(innermost), package: user, is_called })
    }
}

/// The package that uses what differs in browsers, and whether the site's own code calls it; none if the site or React
/// does.
pub(super) fn package_that_uses(note: &Note, locate: &Locate<'_>) -> Option<(String, bool)> {
    let differs = match note.kind {
        NoteKind::Clock | NoteKind::TimeZone | NoteKind::Random | NoteKind::Locale | NoteKind::Data => true,
        NoteKind::Error | NoteKind::Warning | NoteKind::Log | NoteKind::Uncaught => false,
    };
    let used = differs.then(|| Used::find(&note.frames, locate)).flatten()?;
    Some((used.package?, used.is_called))
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

/// Whether a place is in what renders pages.
pub(super) fn is_of_renderer(place: &Place) -> bool {
    package(place).is_some_and(|package| RENDERERS.contains(&package))
}

/// The npm package that a place is in; none for the site's own files.
pub(super) fn package(place: &Place) -> Option<&str> {
    packages::package_of(&place.source.name)
}
