//! The lines of a text, and which of them belong together.

use std::ops::Range;

use super::{
    broken::{Broken, Rule},
    intent::{self, Assignment, Form, Meant, Open},
};

/// How many lines a value may go on for. Nobody means more of them by one.
const REACH: usize = 30;

/// Where the lines of a text begin.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// Lines that a mistake is about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// Without the line break at its end.
    pub(super) range: Range<usize>,
    /// Whether the parser takes other lines for a part of it, because something in it is never closed.
    pub(super) swallows: bool,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Which line an offset lies in, counted from 0.
    pub(super) fn index(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The range of the line around an offset, without its line break.
    pub(crate) fn around(&self, offset: usize) -> Range<usize> {
        self.range(self.index(offset))
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = self.starts.get(index).copied().unwrap_or(self.text.len());
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        start..end
    }

    fn line(&self, index: usize) -> &'t str {
        &self.text[self.range(index)]
    }

    fn meant(&self, index: usize) -> Meant {
        intent::read(self.line(index))
    }

    /// From a line to the next one that begins a section, or was meant to.
    pub(super) fn section(&self, offset: usize) -> Range<usize> {
        let first = self.index(offset);
        let next = (first + 1..self.starts.len()).find(|index| matches!(self.meant(*index), Meant::Header(_)));
        self.range(first).start..next.map_or(self.text.len(), |next| self.range(next).start.saturating_sub(1))
    }

    /// From a line to the next one that begins a section, or as far as anybody writes about one route: to look further for
    /// each mistake would take too long in large files.
    pub(super) fn start_of_section(&self, offset: usize) -> Range<usize> {
        let first = self.index(offset);
        let reach = first + 1..self.starts.len().min(first + REACH);
        let next = reach.clone().find(|index| matches!(self.meant(*index), Meant::Header(_)));
        self.range(first).start..self.range(next.unwrap_or(reach.end.max(first + 1))).start
    }

    /// The lines that a complaint of the parser at an offset is about.
    pub(super) fn statement(&self, offset: usize, broken: Broken) -> Statement {
        let index = self.index(offset);
        let alone = |index| Statement { range: self.range(index), swallows: false };
        if let Some(opening) = self.triple_quotes(offset, broken.rule) {
            return Statement { range: self.around(opening), swallows: true };
        }
        let Some((first, open)) = self.opener(index, broken.is_inside) else { return alone(index) };
        match self.last(first, open) {
            Some(last) if last >= index => {
                Statement { range: self.range(first).start..self.range(last).end, swallows: false }
            }
            None if matches!(open, Open::List | Open::Table) => Statement { range: self.range(first), swallows: true },
            _ => alone(index),
        }
    }

    /// Where the text in triple quotes begins that the parser has not seen the end of.
    fn triple_quotes(&self, offset: usize, rule: Rule) -> Option<usize> {
        let Rule::LongText(quotes) = rule else { return None };
        let is_endless = self.text[offset..].trim().is_empty();
        self.text[..offset].rfind(quotes).filter(|_| is_endless)
    }

    /// The line at or above another one that opens something, with nothing between them that begins by itself.
    fn opener(&self, index: usize, is_inside: bool) -> Option<(usize, Open)> {
        for at in (index.saturating_sub(REACH)..=index).rev() {
            match self.meant(at) {
                Meant::Assignment(assignment) => match assignment.open() {
                    Some(open) => return Some((at, open)),
                    // What it holds was complained about, or it was taken for an item of what is opened further above.
                    None if at == index && is_inside && !is_compound(&assignment) => {}
                    None => return None,
                },
                Meant::Header(_) if at < index || !is_inside => return None,
                _ => {}
            }
        }
        None
    }

    /// The line on which what another one opens is closed.
    fn last(&self, first: usize, open: Open) -> Option<usize> {
        for index in first + 1..self.starts.len().min(first + 1 + REACH) {
            match self.meant(index) {
                Meant::Header(_) => return None,
                Meant::Assignment(_) if open != Open::Table => return None,
                Meant::Nothing if matches!(open, Open::Text | Open::Value) => return None,
                _ if open.is_closed_by(self.line(index)) => return Some(index),
                _ => {}
            }
        }
        None
    }
}

fn is_compound(assignment: &Assignment) -> bool {
    matches!(assignment.form, Form::List { .. } | Form::Table { .. })
}
