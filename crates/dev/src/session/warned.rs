//! Which warnings the terminal has had: one that stays after an edit is not told again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use portalgen_base::diagnostic::Diagnostic;

/// Who has found something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finder {
    /// The build of the sources.
    Build,
    /// The rendering of pages.
    Render,
}

/// What a warning says, and of which file. Its place there moves with each edit.
type Said = (String, Option<String>);

/// The last warnings of each finder.
#[derive(Default)]
pub(super) struct Warned(Mutex<BTreeMap<Finder, BTreeSet<Said>>>);

impl Warned {
    /// What is to be told of everything that was found now: all errors, and the warnings that are new.
    pub(super) fn news(&self, finder: Finder, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let now = found.iter().filter(|found| !found.is_error()).map(said).collect();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.insert(finder, now).unwrap_or_default();
        drop(all);
        found.into_iter().filter(|found| found.is_error() || !known.contains(&said(found))).collect()
    }
}

fn said(warning: &Diagnostic) -> Said {
    let file = warning.place.as_ref().map(|place| place.source.name.clone());
    (warning.message.english().to_owned(), file)
}

#[cfg(test)]
mod tests {
    use portalgen_base::{diagnostic::Diagnostic, text::Text};

    use super::{Finder, Warned};

    #[test]
    fn a_warning_is_told_when_it_comes_and_an_error_each_time() {
        let warned = Warned::default();
        let warning = |text: &str| Diagnostic::warning(Text::verbatim(text));
        let news = |finder, found: &[&Diagnostic]| warned.news(finder, found.iter().copied().cloned().collect()).len();
        let (first, second, error) = (warning("a"), warning("b"), Diagnostic::error(Text::verbatim("c")));
        assert_eq!(news(Finder::Build, &[&first, &error]), 2);
        assert_eq!(news(Finder::Build, &[&first, &second, &error]), 2);
        assert_eq!(news(Finder::Render, &[&first]), 1);
        assert_eq!(news(Finder::Build, &[]), 0);
        assert_eq!(news(Finder::Build, &[&first]), 1);
    }
}
