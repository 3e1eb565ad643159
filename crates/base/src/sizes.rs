//! Sizes as people read them.

/// A size in a sentence: with one digit behind the point, rounded.
pub fn rounded_kilobytes(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let tenths = (bytes + 50) / 100;
    format!("{}.{} kB", tenths / 10, tenths % 10)
}

/// A size in a column of sizes: with two digits behind the point, cut off there.
pub fn cut_kilobytes(bytes: usize) -> String {
    format!("{}.{:02} kB", bytes / 1000, bytes % 1000 / 10)
}
