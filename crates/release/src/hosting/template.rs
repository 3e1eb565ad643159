//! Texts with gaps.

/// The text with `«name»` replaced by what `value` has for the name, and nothing in that replaced again.
pub(super) fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split(['«', '»']);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    while let (Some(name), Some(text)) = (parts.next(), parts.next()) {
        filled.push_str(&value(name));
        filled.push_str(text);
    }
    filled
}

/// Lines, one for each item.
pub(super) fn lines<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    items.into_iter().map(|item| line(item) + "\n").collect()
}
