//! Everything a run has to complain about, without the echoes.

use std::{collections::BTreeMap, ops::Range};

use portalgen_base::{
    diagnostic::{self, Diagnostic},
    rules::Levels,
    text::text,
};

/// How many complaints are worth printing; whoever has more mends the first ones first.
const SHOWN: usize = 100;

/// In bytes; a sentence that quotes a URL in Chinese may be long.
const LONGEST_SENTENCE: usize = 1000;

/// Collects complaints and drops those that only follow from an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    found: Vec<Diagnostic>,
    levels: Levels,
    is_tolerant: bool,
    /// Start and end of what could not be read properly: anything said about it later is an echo.
    damaged: BTreeMap<usize, usize>,
}

impl Findings {
    /// Adds a complaint, unless it is about something already known to be damaged.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        let Some(mut diagnostic) = diagnostic.weighed(&self.levels) else { return };
        if self.is_tolerant {
            diagnostic = diagnostic.tolerated();
        }
        for sentence in std::iter::once(&mut diagnostic.message).chain(&mut diagnostic.hints) {
            *sentence = std::mem::take(sentence).map(abbreviate);
        }
        let echo = diagnostic.place.as_ref().is_some_and(|place| self.is_damaged(place.span.start));
        if !echo {
            self.found.push(diagnostic);
        }
    }

    /// Adds what there is to complain about.
    pub(crate) fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        diagnostics.into_iter().for_each(|diagnostic| self.add(diagnostic));
    }

    /// From now on complaints weigh what the portal's owner has decided.
    pub(crate) fn weigh_by(&mut self, levels: Levels) {
        self.levels = levels;
    }

    /// From now on nothing is an error that the portal's owner may decide about.
    pub(crate) fn tolerate(&mut self) {
        self.is_tolerant = true;
    }

    /// Adds a complaint after which nothing else said about `range` can be trusted.
    pub(crate) fn add_damage(&mut self, diagnostic: Diagnostic, range: Range<usize>) {
        self.add(diagnostic);
        self.distrust(range);
    }

    /// Takes whatever is said about `range` from now on for an echo.
    pub(crate) fn distrust(&mut self, range: Range<usize>) {
        let covering = self.damaged.range(..=range.start).next_back().map_or(0, |(_, end)| *end);
        let covered: Vec<usize> = self.damaged.range(range.clone()).map(|(start, _)| *start).collect();
        let end = covered.iter().filter_map(|start| self.damaged.remove(start)).max().unwrap_or(0);
        self.damaged.insert(range.start, range.end.max(covering).max(end));
    }

    /// The value of a result, or nothing after noting its complaint.
    pub(crate) fn value<T>(&mut self, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|diagnostic| self.add(diagnostic)).ok()
    }

    /// Whether the text at this offset could not be read properly.
    pub(crate) fn is_damaged(&self, offset: usize) -> bool {
        self.damaged.range(..=offset).next_back().is_some_and(|(_, end)| offset <= *end)
    }

    /// Whether something in this range could not be read properly.
    pub(crate) fn is_damaged_within(&self, range: Range<usize>) -> bool {
        range.start < range.end && (self.is_damaged(range.start) || self.damaged.range(range).next().is_some())
    }

    /// Whether there is an error so far.
    pub(crate) fn have_errors(&self) -> bool {
        self.found.iter().any(Diagnostic::is_error)
    }

    /// Whether more advice would go unread: looking for similar names costs time that grows with every complaint.
    pub(crate) fn are_many(&self) -> bool {
        self.found.len() >= SHOWN
    }

    /// The warnings, or everything when there is an error among them; in the order of the file.
    pub(crate) fn into_result(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        diagnostic::sort(&mut self.found);
        if self.found.iter().any(Diagnostic::is_error) { Err(shorten(self.found)) } else { Ok(shorten(self.found)) }
    }
}

/// Cuts a sentence that quotes an endless value.
fn abbreviate(mut sentence: String) -> String {
    if sentence.len() > LONGEST_SENTENCE {
        sentence.truncate(sentence.floor_char_boundary(LONGEST_SENTENCE));
        sentence.push('…');
    }
    sentence
}

/// Errors first when not everything can be shown, and a last line that says how much is not.
fn shorten(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if found.len() <= SHOWN {
        return found;
    }
    found.sort_by_key(|diagnostic| diagnostic.severity);
    let hidden = found.split_off(SHOWN);
    let count = hidden.len();
    let mut rest = Diagnostic::warning(text!(
        "{count} more problems are not shown; fix these first",
        "还有 {count} 个问题没有显示；请先改好上面这些"
    ));
    rest.place = hidden.into_iter().find_map(|diagnostic| diagnostic.place);
    diagnostic::sort(&mut found);
    found.push(rest);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::text::Text;

    #[test]
    fn damage_covers_what_lies_within() {
        for ranges in [[0..100, 20..30], [20..30, 0..100], [0..50, 40..100]] {
            let mut findings = Findings::default();
            for range in ranges {
                findings.distrust(range);
            }
            assert!([0, 25, 50, 100].into_iter().all(|offset| findings.is_damaged(offset)));
            assert!(!findings.is_damaged(101));
            assert!(findings.is_damaged_within(90..200) && !findings.is_damaged_within(101..200));
        }
    }

    #[test]
    fn a_flood_is_cut_with_the_errors_first() {
        let mut findings = Findings::default();
        (0..300).for_each(|_| findings.add(Diagnostic::warning(Text::verbatim("w"))));
        findings.add(Diagnostic::error(Text::verbatim("e")));
        let shown = findings.into_result().expect_err("there is an error");
        assert_eq!(shown.len(), SHOWN + 1);
        assert!(shown.iter().any(Diagnostic::is_error));
        assert_eq!(
            shown.last().map(|last| last.message.english()),
            Some("201 more problems are not shown; fix these first")
        );
    }
}
