//! Text as a terminal may show it: nothing in it steers the terminal, nor the services that run builds.

use portalgen_base::invisible;

/// Tabs are shown as this many spaces, wherever they stand.
pub(super) const TAB: &str = "    ";

/// The text as a terminal may show it.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match invisible::visible(c) {
            _ if c == '\t' => shown.push_str(TAB),
            Some(number) => shown.push_str(&number),
            None => shown.push(c),
        }
    }
    shown
}

/// The text with control and direction characters shown as `<U+001B>`, but for line breaks, tabs and colours, and without
/// lines that services which run builds would obey: `::error::`, `##[error]`, `##vso[…]`, `##teamcity[…]`.
pub(super) fn inert(text: &str) -> String {
    text.split_inclusive('\n').map(|line| without_command(&shown(line))).collect()
}

fn shown(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\n' | '\t' => 1,
            '\u{1b}' => color(rest).unwrap_or(0),
            _ => 0,
        };
        let (part, others) = rest.split_at(length.max(c.len_utf8()));
        if length == 0 {
            shown.push_str(&visible(part));
        } else {
            shown.push_str(part);
        }
        rest = others;
    }
    shown
}

/// How long the sequence is that text begins with, if it only sets a colour.
fn color(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[end..].starts_with('m').then_some("\u{1b}[".len() + end + 1)
}

fn without_command(line: &str) -> String {
    // Space in front of a command makes no difference to those who look for it.
    let text = line.trim_start();
    let space = &line[..line.len() - text.len()];
    let text = match text.strip_prefix("::") {
        Some(rest) => format!(": :{rest}"),
        None => text.to_owned(),
    };
    let is_command = |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('[');
    let mut parted = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c == '#' && parted.ends_with('#') && is_command(&text[at + 1..]) {
            parted.push(' ');
        }
        parted.push(c);
    }
    format!("{space}{parted}")
}

/// A path as it is typed in a shell.
pub(super) fn shell_word(path: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '~') || std::path::is_separator(c);
    let path = if path.starts_with(['-', '~']) { format!("./{path}") } else { path.to_owned() };
    match path {
        plain if plain.chars().all(is_plain) => plain,
        // There, names have no double quotes, and single ones mean nothing.
        other if cfg!(windows) => format!("\"{other}\""),
        other => format!("'{}'", other.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn no_line_is_a_command() {
        for (text, expected) in [
            ("::error::x\n", ": :error::x\n"),
            ("a\n  ::set-env name=x::y\nb::c", "a\n  : :set-env name=x::y\nb::c"),
            (
                "see ##[add-path]/tmp ###[x] ##vso[task] ##teamcity[x]",
                "see # #[add-path]/tmp ## #[x] # #vso[task] # #teamcity[x]",
            ),
            ("## Heading [a] ## b", "## Heading [a] ## b"),
            ("\r::error::x", "<U+000D>::error::x"),
            ("\u{2028}::error::x", "<U+2028>::error::x"),
            ("", ""),
        ] {
            assert_eq!(inert(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nothing_but_colours_reaches_a_terminal() {
        let colors = "\u{1b}[1m\u{1b}[38;5;1mred\u{1b}[0m\tand\n";
        assert_eq!(inert(colors), colors);
        assert_eq!(inert("\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{9b}"), "<U+001B>[2J<U+001B>]0;x<U+0007><U+202E><U+009B>");
        assert_eq!(inert("\u{1b}[1"), "<U+001B>[1");
        assert_eq!(inert("\u{1b}"), "<U+001B>");
    }
}
