//! How the text of a style sheet is divided: blocks, and the rules and declarations in them, as CSS Syntax says.
//!
//! This is no second parser: it knows brackets, strings, comments and `url()`, and nothing of what they mean. The sheet
//! parser needs it for what it does not do itself: to refuse what would overflow the stack, and to find the end of what a
//! browser would skip.

use std::ops::Range;

/// A rule or a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// From its first character to its end, the `;` or `}` included.
    pub range: Range<usize>,
    /// Where the `{` of its block stands.
    pub block: Option<usize>,
    /// What is said of an item that ends because that around it does is often said of the bracket there.
    reach: usize,
}

impl Item {
    /// What comes before the block.
    pub(crate) fn prelude(&self) -> Range<usize> {
        self.range.start..self.block.unwrap_or(self.range.end)
    }
}

/// `url(…)` in the value of a custom property, or of a descriptor of a font.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CustomUrl {
    /// What stands between the brackets.
    pub range: Range<usize>,
    pub url: String,
}

/// The structure of a sheet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// In the order of their ends: what is inside another item comes before it.
    items: Vec<Item>,
    pub custom_urls: Vec<CustomUrl>,
    /// The innermost `{` that is open at the end.
    pub unclosed: Option<usize>,
}

impl Outline {
    /// Divides `text`.
    ///
    /// # Errors
    /// The bracket that is the first to be more than `max_depth` deep.
    pub(crate) fn of(text: &str, max_depth: usize) -> Result<Self, usize> {
        let levels = vec![Level { closer: 0, holds_items: true, item: None, at: 0 }];
        let mut scanner = Scanner { text, at: 0, levels, outline: Self::default() };
        while scanner.at < text.len() {
            scanner.step();
            if scanner.levels.len() > max_depth + 1 {
                return Err(scanner.levels.last().map_or(0, |level| level.at));
            }
        }
        Ok(scanner.finish())
    }

    /// All rules and declarations; what is inside another one comes before it.
    pub(crate) fn items(&self) -> impl DoubleEndedIterator<Item = &Item> {
        self.items.iter()
    }

    /// The innermost rule or declaration at an offset.
    pub(crate) fn item_at(&self, offset: usize) -> Option<&Item> {
        let first = self.items.partition_point(|item| item.range.end < offset);
        self.items[first..].iter().find(|item| item.range.start <= offset && offset < item.reach)
    }
}

/// What is between two brackets, or the whole sheet.
struct Level {
    closer: u8,
    /// It is a list of rules and declarations, and no part of a value.
    holds_items: bool,
    item: Option<OpenItem>,
    /// Where its bracket stands.
    at: usize,
}

struct OpenItem {
    start: usize,
    kind: ItemKind,
    block: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemKind {
    AtRule,
    CustomProperty,
    Other,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Never empty: the sheet itself is the first.
    levels: Vec<Level>,
    outline: Outline,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if let Some(comment) = rest.strip_prefix("/*") {
            self.at += comment.find("*/").map_or(rest.len(), |end| end + 4);
            return;
        }
        let is_between_rules = self.levels.len() == 1 && self.levels.iter().all(|level| level.item.is_none());
        if let Some(mark) = ["<!--", "-->"].into_iter().find(|mark| is_between_rules && rest.starts_with(mark)) {
            self.at += mark.len();
            return;
        }
        match first {
            c if c.is_ascii_whitespace() => self.at += 1,
            ';' => self.semicolon(),
            '(' | '[' | '{' => self.open(first),
            ')' | ']' | '}' => self.close(first),
            '"' | '\'' => {
                self.begin_item();
                self.at = string_end(self.text, self.at);
            }
            c if is_name(c) || c == '\\' => {
                self.begin_item();
                self.name();
            }
            c => {
                self.begin_item();
                self.at += c.len_utf8();
            }
        }
    }

    /// Whatever comes first in a list of items begins one.
    fn begin_item(&mut self) {
        let start = self.at;
        let kind = item_kind(self.rest());
        let is_sheet = self.levels.len() == 1;
        if let Some(level) = self.levels.last_mut()
            && level.holds_items
            && level.item.is_none()
        {
            let kind = if is_sheet && kind == ItemKind::CustomProperty { ItemKind::Other } else { kind };
            level.item = Some(OpenItem { start, kind, block: None });
        }
    }

    fn end_item(&mut self, end: usize, reach: usize) {
        if let Some(item) = self.levels.last_mut().and_then(|level| level.item.take()) {
            self.outline.items.push(Item { range: item.start..end, block: item.block, reach });
        }
    }

    fn semicolon(&mut self) {
        let is_sheet = self.levels.len() == 1;
        if is_sheet {
            self.begin_item();
        }
        self.at += 1;
        let Some(level) = self.levels.last() else { return };
        // Between rules, `;` ends nothing but an at-rule: elsewhere it is part of the selector that follows.
        let ends = level.item.as_ref().is_some_and(|item| !is_sheet || item.kind == ItemKind::AtRule);
        if level.holds_items && ends {
            self.end_item(self.at, self.at);
        }
    }

    fn open(&mut self, bracket: char) {
        self.begin_item();
        let at = self.at;
        let closer = match bracket {
            '(' => b')',
            '[' => b']',
            _ => b'}',
        };
        let mut holds_items = false;
        if let Some(level) = self.levels.last_mut()
            && let Some(item) = &mut level.item
            && bracket == '{'
            && level.holds_items
            && item.kind != ItemKind::CustomProperty
        {
            item.block = Some(at);
            holds_items = true;
        }
        self.levels.push(Level { closer, holds_items, item: None, at });
        self.at += 1;
    }

    fn close(&mut self, bracket: char) {
        let is_closer = self.levels.last().is_some_and(|level| char::from(level.closer) == bracket);
        if !is_closer {
            self.begin_item();
            self.at += 1;
            return;
        }
        self.end_item(self.at, self.at + 1);
        self.at += 1;
        if self.levels.pop().is_some_and(|level| level.holds_items) {
            self.end_item(self.at, self.at);
        }
    }

    /// A name, which may be that of a function whose argument is read by rules of its own.
    fn name(&mut self) {
        let start = self.at;
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\\' => self.at += 1 + self.rest()[1..].chars().next().map_or(0, char::len_utf8),
                c if is_name(c) => self.at += c.len_utf8(),
                _ => break,
            }
        }
        if self.text[start..self.at].eq_ignore_ascii_case("url") && self.rest().starts_with('(') {
            self.url();
        }
    }

    /// `(…)` after `url`.
    fn url(&mut self) {
        let start = self.at + 1;
        let inside = &self.text[start..];
        let first = start + (inside.len() - inside.trim_start().len());
        let is_quoted = self.text[first..].starts_with(['"', '\'']);
        let (value, end) = if is_quoted {
            let end = string_end(self.text, first);
            let close = end + (self.text[end..].len() - self.text[end..].trim_start().len());
            (first + 1..end.saturating_sub(1), close)
        } else {
            let end = url_end(self.text, first);
            (first..first + self.text[first..end].trim_end().len(), end)
        };
        if !self.text[end..].starts_with(')') {
            // Something else than a URL: an ordinary function, or the end of the sheet.
            if is_quoted {
                self.open('(');
            } else {
                self.at = end;
            }
            return;
        }
        if self.is_in_custom_property() {
            let url = unescape(self.text.get(value).unwrap_or_default());
            self.outline.custom_urls.push(CustomUrl { range: start..end, url });
        }
        self.at = end + 1;
    }

    /// Whether browsers may know what stands here, and lightningcss may not.
    fn is_in_custom_property(&self) -> bool {
        let name = "@font-face";
        let is_font = |item: &OpenItem| {
            self.text[item.start..].get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        if self.levels.iter().filter_map(|level| level.item.as_ref()).any(is_font) {
            return true;
        }
        let level = self.levels.iter().rev().find(|level| level.holds_items);
        let item = level.and_then(|level| level.item.as_ref());
        item.is_some_and(|item| item.kind == ItemKind::CustomProperty)
    }

    /// Closes what is open at the end, as browsers do.
    fn finish(mut self) -> Outline {
        let end = self.text.len();
        self.outline.unclosed = self.levels.iter().rev().find(|level| level.closer == b'}').map(|level| level.at);
        while !self.levels.is_empty() {
            self.end_item(end, end + 1);
            self.levels.pop();
        }
        self.outline
    }
}

fn item_kind(text: &str) -> ItemKind {
    if text.starts_with('@') {
        return ItemKind::AtRule;
    }
    let name_end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    if text.starts_with("--") && text[name_end..].trim_start().starts_with(':') {
        ItemKind::CustomProperty
    } else {
        ItemKind::Other
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii()
}

/// The end of the string that begins at `start`; one that is not closed ends with its line.
pub(super) fn string_end(text: &str, start: usize) -> usize {
    let mut characters = text[start..].char_indices();
    let quote = characters.next().map(|(_, quote)| quote);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            '\n' | '\r' | '\u{c}' => return start + at,
            c if Some(c) == quote => return start + at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Where the `)` of an unquoted URL stands, or the end of the text.
fn url_end(text: &str, start: usize) -> usize {
    let mut characters = text[start..].char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => drop(characters.next()),
            ')' => return start + at,
            _ => {}
        }
    }
    text.len()
}

/// The text that a string or a URL with escapes stands for.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let code = u32::from_str_radix(&after[..digits], 16).unwrap_or_default();
            plain.push(char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &after[digits..];
            rest = rest
                .strip_prefix("\r\n")
                .or_else(|| rest.strip_prefix(|c: char| c.is_ascii_whitespace()))
                .unwrap_or(rest);
        } else if let Some(after) = after.strip_prefix("\r\n").or_else(|| after.strip_prefix(['\n', '\r', '\u{c}'])) {
            rest = after;
        } else {
            let escaped = after.chars().next().map_or(0, char::len_utf8);
            plain.push_str(&after[..escaped]);
            rest = &after[escaped..];
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Outline, unescape};

    fn item(text: &str, mark: &str) -> String {
        let outline = Outline::of(text, 100).unwrap();
        text[outline.item_at(text.find(mark).unwrap()).unwrap().range.clone()].to_owned()
    }

    #[test]
    fn the_innermost_rule_or_declaration_is_found() {
        let sheet =
            "@charset \"x;y\"; a { color: red; *zoom: 1; b:is(c, {d}) { top: 0 } --x: { y: z; w }; left: 1 } c {}";
        for (mark, expected) in [
            ("charset", "@charset \"x;y\";"),
            ("color", "color: red;"),
            ("zoom", "*zoom: 1;"),
            (" 1; b", "*zoom: 1;"),
            ("top", "top: 0 "),
            ("d}", "b:is(c, {d}) { top: 0 }"),
            ("y: z", "--x: { y: z; w };"),
            ("left", "left: 1 "),
            ("c {}", "c {}"),
        ] {
            assert_eq!(item(sheet, mark), expected, "{mark}");
        }
    }

    #[test]
    fn a_semicolon_between_rules_is_part_of_the_next_one() {
        assert_eq!(item("a{} color: red; b {} c {}", "b {"), "color: red; b {}");
        assert_eq!(item("; b {} c {}", "b {"), "; b {}");
        assert_eq!(item("a{}} b {} c {}", "b {"), "} b {}");
    }

    #[test]
    fn strings_comments_and_urls_hide_brackets() {
        let sheet = "a { b: \"{\\\"{\" /* { */ '}' url( x{y\\)z ) url(\"{\"); c: \"{\n } d { }";
        let outline = Outline::of(sheet, 1).unwrap();
        assert_eq!(outline.unclosed, None);
        assert_eq!(item(sheet, "c: "), "c: \"{\n ");
        assert_eq!(Outline::of("a { b { c", 9).unwrap().unclosed, Some(6));
    }

    #[test]
    fn brackets_are_counted_wherever_they_stand() {
        for (text, at) in [("a{b{c{}}}", 5), ("a(((", 3), ("a{b:c([x])}", 6)] {
            assert_eq!(Outline::of(text, 2).unwrap_err(), at, "{text}");
            assert!(Outline::of(text, 3).is_ok());
        }
        assert!(Outline::of(&"a{}(){}[]".repeat(1_000), 2).is_ok());
    }

    #[test]
    fn urls_in_custom_properties_are_found() {
        let sheet = "a { --b: url(x.png) f(URL( 'y\\'z' )); c: url(no); --d: url(\"e\\\nf\" g); h: i } --j: url(k) {}";
        let outline = Outline::of(sheet, 9).unwrap();
        let found: Vec<_> = outline.custom_urls.iter().map(|url| (&sheet[url.range.clone()], &*url.url)).collect();
        assert_eq!(found, [("x.png", "x.png"), (" 'y\\'z' ", "y'z")]);
    }

    #[test]
    fn escapes_stand_for_characters() {
        assert_eq!(unescape("a\\ b\\29 c\\00e9\\\nd\\0\\g"), "a b)cé\\d�g".replace('\\', ""));
    }
}
