//! An address as a QR code, for the camera of a phone.

use qrcode::{Color, EcLevel, QrCode};

/// How wide the margin must be, in modules.
const MARGIN: usize = 4;

/// A QR code as lines of half blocks, two rows of modules in each, margin included: what is dark has to be drawn in the colour
/// of the letters, and the letters have to be darker than what is behind them. None for texts that are too long.
pub fn drawn(text: &str) -> Option<Vec<String>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
    let (width, colors) = (code.width(), code.to_colors());
    let side = width + 2 * MARGIN;
    let is_dark = |row: usize, column: usize| {
        let inside = |at: usize| at.checked_sub(MARGIN).filter(|at| *at < width);
        let at = inside(row).zip(inside(column)).map(|(row, column)| row * width + column);
        at.and_then(|at| colors.get(at)) == Some(&Color::Dark)
    };
    let block = |row: usize, column: usize| match (is_dark(row, column), is_dark(row + 1, column)) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    };
    Some((0..side).step_by(2).map(|row| (0..side).map(|column| block(row, column)).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn a_code_is_a_square_with_a_margin_and_three_marks() {
        let lines = drawn("http://192.168.100.200:5173/").unwrap();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width));
        assert_eq!(lines.len(), width.div_ceil(2));
        assert!(width <= 40, "{width}");
        assert!(lines[0].trim().is_empty() && lines[1].trim().is_empty());
        // The upper edge of both marks, and the lower one's left edge.
        let of = |line: &str, range: std::ops::Range<usize>| {
            line.chars().skip(range.start).take(range.len()).collect::<String>()
        };
        assert_eq!(of(&lines[2], 4..11), "█▀▀▀▀▀█");
        assert_eq!(of(&lines[2], width - 11..width - 4), "█▀▀▀▀▀█");
        assert!(lines.iter().all(|line| line.starts_with("    ") && line.ends_with("    ")));
        assert_eq!(drawn(&"x".repeat(10_000)), None);
    }
}
