//! What is wrong, gathered from steps of which none needs another one.

use crate::diagnostic::{self, Diagnostic};

/// Everything that is wrong with what several steps were given.
#[derive(Debug, Default)]
pub struct Problems(Vec<Diagnostic>);

impl Problems {
    /// The value of a step. What is wrong in its place is gathered.
    pub fn take<T>(&mut self, result: Result<T, impl IntoIterator<Item = Diagnostic>>) -> Option<T> {
        result.map_err(|problems| self.add(problems)).ok()
    }

    /// Gathers more.
    pub fn add(&mut self, problems: impl IntoIterator<Item = Diagnostic>) {
        self.0.extend(problems);
    }

    /// Goes on if nothing is wrong.
    ///
    /// # Errors
    /// What was gathered, as [`Problems::into_diagnostics`] gives it.
    pub fn finish(self) -> Result<(), Vec<Diagnostic>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.into_diagnostics()) }
    }

    /// What was gathered, in the order of the files and each once: steps that read the same files find the same mistakes.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let Self(mut problems) = self;
        diagnostic::sort(&mut problems);
        problems.dedup();
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::Problems;
    use crate::{
        diagnostic::{Diagnostic, Place, SourceText},
        text::Text,
    };

    #[test]
    fn problems_of_all_steps_come_in_the_order_of_their_places_and_once() {
        let source = SourceText::new("routes.toml", "ab");
        let error = |at: usize| Diagnostic::error(Text::verbatim("wrong")).at(Place::new(&source, at..at + 1));
        let mut problems = Problems::default();
        assert_eq!(problems.take::<u8>(Err(vec![error(1), error(0)])), None);
        assert_eq!(problems.take(Ok::<_, Vec<_>>(7)), Some(7));
        assert_eq!(problems.take::<u8>(Err([error(1)])), None);
        assert_eq!(problems.finish(), Err(vec![error(0), error(1)]));
        assert_eq!(Problems::default().finish(), Ok(()));
    }
}
