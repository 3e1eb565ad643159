//! Columns as wide as a terminal needs them, where a Chinese character takes the room of two letters.

use unicode_width::UnicodeWidthStr;

/// Fills every cell with spaces up to the width of its column.
pub(super) fn align<const COLUMNS: usize>(rows: &mut [[String; COLUMNS]]) {
    for column in 0..COLUMNS {
        let width = rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
        for row in &mut *rows {
            let missing = width - row[column].width();
            row[column].push_str(&" ".repeat(missing));
        }
    }
}

/// Rows as lines, with two spaces between columns.
pub(super) fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let mut rows = rows.to_vec();
    align(&mut rows);
    rows.iter().flat_map(|row| [row.join("  ").trim_end().to_owned(), "\n".to_owned()]).collect()
}
