//! The rules of TOML that the parser finds broken. It has no codes for them: its messages are all that tells its errors apart,
//! so its version is pinned, and each message that matters is tested here.

use toml::de::Error;

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) rule: Rule,
    /// Whether the parser was inside of a list or of an inline table.
    pub(super) is_inside: bool,
}

/// The rules that something follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// A key or section is given once.
    DuplicateKey,
    /// A backslash begins an escape.
    Escape,
    /// A text has an end, and no control characters.
    Text,
    /// The same of one between triple quotes, which are these.
    LongText(&'static str),
    /// Items are set apart by commas.
    MissingComma,
    /// No comma stands where nothing follows.
    ExtraComma,
    /// Brackets are closed.
    Unclosed,
    /// Nesting has a limit.
    Depth,
    /// Any other.
    Other,
}

const OUTSIDE: bool = false;
const INSIDE: bool = true;

/// The parser's messages up to what it says it expected.
const MESSAGES: [(&str, Rule, bool); 24] = [
    ("duplicate key", Rule::DuplicateKey, OUTSIDE),
    ("missing escaped value", Rule::Escape, OUTSIDE),
    ("too few unicode value digits", Rule::Escape, OUTSIDE),
    ("invalid basic string", Rule::Text, OUTSIDE),
    ("invalid literal string", Rule::Text, OUTSIDE),
    ("invalid multi-line basic string", Rule::LongText("\"\"\""), OUTSIDE),
    ("invalid multi-line literal string", Rule::LongText("'''"), OUTSIDE),
    ("missing comma between array elements", Rule::MissingComma, INSIDE),
    ("missing comma between key-value pairs", Rule::MissingComma, INSIDE),
    ("extra comma in array", Rule::ExtraComma, INSIDE),
    ("extra comma in inline table", Rule::ExtraComma, INSIDE),
    ("unclosed table", Rule::Unclosed, OUTSIDE),
    ("unclosed array table", Rule::Unclosed, OUTSIDE),
    ("unclosed array", Rule::Unclosed, INSIDE),
    ("unclosed inline table", Rule::Unclosed, INSIDE),
    ("cannot recurse further; max recursion depth met", Rule::Depth, OUTSIDE),
    ("missing array opening", Rule::Other, INSIDE),
    ("missing inline table opening", Rule::Other, INSIDE),
    ("unexpected `=` in array", Rule::Other, INSIDE),
    ("missing key for inline table element", Rule::Other, INSIDE),
    ("invalid inline table element", Rule::Other, INSIDE),
    ("missing assignment between key-value pairs", Rule::Other, INSIDE),
    ("extra assignment between key-value pairs", Rule::Other, INSIDE),
    ("cannot extend value of type array with a dotted key", Rule::Other, INSIDE),
];

impl Broken {
    /// The rule that an error is about.
    pub(super) fn of(error: &Error) -> Self {
        let message = without_expectations(error.message());
        let known = MESSAGES.iter().find(|(known, ..)| *known == message);
        known.map_or(Self { rule: Rule::Other, is_inside: OUTSIDE }, |&(_, rule, is_inside)| Self { rule, is_inside })
    }
}

/// A message of the parser without the list of what it would have liked instead.
fn without_expectations(message: &str) -> &str {
    message.split_once(", expected").map_or(message, |(rule, _)| rule)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use toml::de::DeTable;

    use super::{MESSAGES, without_expectations};

    #[test]
    fn the_parser_says_what_is_listed_here() {
        let nested = "a = ".to_owned() + &"[".repeat(200);
        let texts = [
            "a = 1\na = 2",
            "a = \"\\q\"",
            "a = \"\\u12\"",
            "a = \"b",
            "a = 'b",
            "a = \"\"\"b",
            "a = '''b",
            "a = [1 2]",
            "a = { b = 1 c = 2 }",
            "a = [1,, 2]",
            "a = { b = 1,, c = 2 }",
            "[a",
            "[[a]",
            "a = [1",
            "a = { b = 1",
            &nested,
            "a = 1]",
            "a = 1}",
            "a = [b = 1]",
            "a = { = 1 }",
            "a = { b = 1 ] }",
            "a = { b }",
            "a = { b, c = 1 }",
            "a = { b c = 1 }",
            "a = { b { c = 1 }",
            "a = { b [1] }",
            "a = { b = = 1 }",
            "a = [1]\na.b = 2",
            "a = ]",
            "a = }",
            "a = { [1] }",
            "a = { b = 1, [ }",
        ];
        let errors = texts.iter().flat_map(|text| DeTable::parse_recoverable(text).1);
        let said: Vec<String> = errors.map(|error| without_expectations(error.message()).to_owned()).collect();
        let said: BTreeSet<&str> = said.iter().map(String::as_str).collect();
        let unsaid: Vec<&str> =
            MESSAGES.iter().map(|(known, ..)| *known).filter(|known| !said.contains(known)).collect();
        assert_eq!(unsaid, [""; 0], "the parser says {said:#?}");
    }
}
