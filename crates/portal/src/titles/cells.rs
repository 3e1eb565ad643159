//! Cells of a table, wherever it was read from, and how to complain about them.

use std::{collections::BTreeMap, sync::Arc};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::{Text, text},
};

use crate::Problem;

/// Cells by their columns, counted from 0. Empty ones may be missing.
pub(super) type Row = BTreeMap<usize, Cell>;

/// A table before anything is known about its columns.
pub(super) struct Grid {
    /// The rows that have any cells, by their numbers from 0. The first one names the columns.
    pub(super) rows: BTreeMap<usize, Row>,
    /// Where the table begins.
    pub(super) start: Spot,
}

/// A cell with what is needed to complain about it.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// What it shows, without space around it.
    pub(super) text: String,
    pub(super) spot: Spot,
    /// Why what it shows cannot be relied upon.
    pub(super) problem: Option<Problem>,
}

impl Cell {
    /// Whether nobody has written anything into it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.problem.is_none()
    }

    /// The problem as an error of this cell.
    pub(super) fn error(&self, problem: Problem) -> Diagnostic {
        let range = problem.range.clone();
        let error = self.spot.complain(problem.into_error());
        match (&error.place, range) {
            (Some(place), Some(range)) if place.source.text[place.span.clone()] == self.text => {
                let start = place.span.start;
                let part = Place::new(&place.source, start + range.start..start + range.end);
                error.at(part)
            }
            _ => error,
        }
    }
}

/// Where a cell stands.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    /// In a text.
    Text(Place),
    /// In a workbook, which has no lines.
    Sheet {
        /// What messages call the file, or the sheet in it.
        name: Arc<str>,
        /// `B3`
        cell: String,
    },
}

impl Spot {
    /// The complaint with its place.
    pub(super) fn complain(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self {
            Self::Text(place) => diagnostic.at(place.clone()),
            Self::Sheet { name, cell } => {
                let message = diagnostic.message;
                let message = text!("{name}, cell {cell}: {message}", "{name} 的 {cell} 单元格：{message}", message);
                Diagnostic { message, ..diagnostic }
            }
        }
    }

    /// A complaint with this as a further place.
    pub(super) fn relate(&self, diagnostic: Diagnostic, label: Text) -> Diagnostic {
        match self {
            Self::Text(place) => diagnostic.with_related(place.clone(), label),
            Self::Sheet { cell, .. } => {
                diagnostic.with_hint(text!("{label}: cell {cell}", "{label}：{cell} 单元格", label))
            }
        }
    }
}

/// What spreadsheet programs call a cell, of which row and column are counted from 0: `B3`.
pub(super) fn cell_name(row: usize, column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).unwrap_or(0);
        letters.push(char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    let letters: String = letters.into_iter().rev().collect();
    format!("{letters}{}", row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_called_as_in_spreadsheets() {
        for (row, column, name) in
            [(0, 0, "A1"), (2, 1, "B3"), (9, 25, "Z10"), (0, 26, "AA1"), (0, 701, "ZZ1"), (0, 702, "AAA1")]
        {
            assert_eq!(cell_name(row, column), name);
        }
    }
}
