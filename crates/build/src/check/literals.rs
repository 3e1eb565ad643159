//! Where in the sources of a page something stands that its document shows: an address, the text of a heading.
//!
//! Sources are not parsed for that. Whatever stands between two quotes, two brackets or two tags is taken for a text that
//! somebody may have written; what is none is not looked for either.

use std::{borrow::Cow, collections::BTreeMap, ops::Range, path::Path, sync::Arc};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    source::Sources,
};
use portalgen_bundle::is_named_after;

/// Texts longer than this, in bytes, are neither addresses nor headings.
const LONGEST: usize = 2_000;

/// How something may be written in a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spelling {
    /// Just so.
    Whole(String),
    /// As the path of a file that this asset was made from.
    Asset(String),
}

/// The texts in some sources.
#[derive(Default)]
pub(super) struct Literals {
    sources: Vec<Arc<SourceText>>,
    /// For each text, the sources that have it and where it begins and ends there, in order.
    found: BTreeMap<String, Vec<(usize, usize, usize)>>,
}

impl Literals {
    /// Reads files by their names, which are relative to `root`. What is no text has none in it.
    pub(super) fn read<'n>(sources: &dyn Sources, root: &Path, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut literals = Self::default();
        for name in names {
            // A module may be a file and how to take it: `terms.md?raw`.
            let file = name.split('?').next().unwrap_or(name);
            if let Ok(text) = sources.read_to_string(&root.join(file)) {
                literals.add(SourceText::new(file, text));
            }
        }
        literals
    }

    fn add(&mut self, source: Arc<SourceText>) {
        let at = self.sources.len();
        let text = &source.text;
        let remarks = remarks(text);
        let is_remark = |start: usize| {
            let before = remarks.partition_point(|remark| remark.start <= start);
            before > 0 && start < remarks[before - 1].end
        };
        let texts =
            quoted(text).chain(between_tags(text)).chain(bracketed(text)).filter(|(start, _)| !is_remark(*start));
        for (start, end) in texts.flat_map(|(start, end)| listed(text, start, end).chain([(start, end)])) {
            let text = single_spaced(&text[start..end]);
            if let Some(places) = self.found.get_mut(&*text) {
                places.push((at, start, end));
            } else {
                self.found.insert(text.into_owned(), vec![(at, start, end)]);
            }
        }
        self.sources.push(source);
    }

    /// Every place that has the first of these spellings that there is at all in the sources of the given names.
    pub(super) fn places(&self, spellings: &[Spelling], is_meant: impl Fn(&str) -> bool) -> Vec<Place> {
        let found = spellings.iter().map(|spelling| {
            let found =
                self.found_as(spelling).into_iter().filter(|(source, ..)| is_meant(&self.sources[*source].name));
            let mut found: Vec<_> = found.collect();
            found.sort_unstable();
            found
        });
        let found = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        found.into_iter().map(|(source, start, end)| Place::new(&self.sources[source], start..end)).collect()
    }

    fn found_as(&self, spelling: &Spelling) -> Vec<(usize, usize, usize)> {
        match spelling {
            Spelling::Whole(text) => self.found.get(text).cloned().unwrap_or_default(),
            Spelling::Asset(asset) => {
                let is_its_file = |text: &str| is_named_after(asset, text.split('?').next().unwrap_or(text));
                self.found.iter().filter(|(text, _)| is_its_file(text)).flat_map(|(_, found)| found).copied().collect()
            }
        }
    }
}

/// As much of a text as is looked through for the end of what begins there.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

/// Remarks that begin a line: elsewhere `//` and `/*` may be part of an address or of a pattern.
pub(super) fn remarks(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let inside = line.trim_start();
        let is_within = found.last().is_some_and(|remark| start < remark.end);
        if inside.starts_with("//") && !is_within {
            found.push(start..start + line.len());
        } else if inside.trim_start_matches('{').starts_with("/*") && !is_within {
            let end = text[start..].find("*/").map_or(text.len(), |length| start + length);
            found.push(start..end);
        }
        start += line.len();
    }
    found
}

/// What stands between a quote and the next one of its kind on the same line, whether the first one opens or closes.
fn quoted(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    text.match_indices(['"', '\'', '`']).filter_map(|(at, quote)| {
        let rest = shortened(&text[at + 1..]);
        let length = rest.find([char::from(quote.as_bytes()[0]), '\n'])?;
        (length > 0 && rest[length..].starts_with(quote)).then_some((at + 1, at + 1 + length))
    })
}

/// Addresses in brackets, as Markdown has them.
fn bracketed(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    text.match_indices("](").filter_map(|(at, _)| {
        let start = at + 2;
        let length = shortened(&text[start..]).find(|c: char| c == ')' || c.is_whitespace())?;
        (length > 0).then_some((start, start + length))
    })
}

/// Paths in a list with spaces in it, as `srcset` is one.
fn listed(text: &str, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let list = Some(&text[start..end]).filter(|list| list.contains(' ')).unwrap_or_default();
    list.match_indices('/').filter(|(at, _)| *at == 0 || list[..*at].ends_with([' ', ','])).map(move |(at, _)| {
        let path = list[at..].split(' ').next().unwrap_or_default().trim_end_matches(',');
        (start + at, start + at + path.len())
    })
}

/// What stands behind a tag or an expression in braces and before the next one, without space around it.
fn between_tags(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let marks = |c| matches!(c, '<' | '>' | '{' | '}');
    text.match_indices(['>', '}']).filter_map(move |(at, _)| {
        let rest = shortened(&text[at + 1..]);
        let length = rest.find(marks)?;
        let inside = rest[..length].trim();
        let start = at + 1 + (length - rest[..length].trim_start().len());
        let is_open = rest[length..].starts_with(['<', '{']);
        (is_open && !inside.is_empty()).then_some((start, start + inside.len()))
    })
}

/// A text as it shows when it is written over several lines.
fn single_spaced(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        return text.split_whitespace().collect::<Vec<_>>().join(" ").into();
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::source::Memory;

    fn literals(text: &str) -> Literals {
        let files = Memory::new([("/p/a.tsx", text)]);
        Literals::read(&files, Path::new("/p"), ["a.tsx", "missing.tsx"])
    }

    fn lines(literals: &Literals, spelling: Spelling) -> Vec<(usize, usize)> {
        literals.places(&[spelling], |name| name == "a.tsx").iter().map(Place::line_column).collect()
    }

    fn whole(text: &str) -> Spelling {
        Spelling::Whole(text.to_owned())
    }

    #[test]
    fn addresses_and_texts_are_found_where_they_stand() {
        let literals = literals(
            "import photo from '../photo.png?url';\n\
             const a = { to: \"/about#team\", b: '/关于', c: `/c` };\n\
             <a href=\"/about\">We don't know {name} <b>Who we are</b></a>\n\
             <h2>\n  A long\n  heading\n</h2> <p>It's \"/quoted\"</p>\n\
             <img srcSet=\"/small.png 1x,/large,x.png 2x, /last.png\" accept=\"image/*\" />\n\
             {/* <a href=\"/gone\">\n */} '/back'\n  // '/gone'\nconst d = '//host.example'; // '/kept'\n\
             see [the table](/markdown \"Table\")\n",
        );
        for (spelling, place) in [
            (whole("/about"), (3, 10)),
            (whole("/about#team"), (2, 18)),
            (whole("/关于"), (2, 36)),
            (whole("/c"), (2, 46)),
            (whole("Who we are"), (3, 42)),
            (whole("A long heading"), (5, 3)),
            (whole("/quoted"), (7, 16)),
            (whole("/small.png"), (8, 14)),
            (whole("/large,x.png"), (8, 28)),
            (whole("/last.png"), (8, 45)),
            (whole("/back"), (10, 7)),
            (whole("//host.example"), (12, 12)),
            (whole("/kept"), (12, 33)),
            (whole("/markdown"), (13, 17)),
            (Spelling::Asset("assets/photo-00000000.png".to_owned()), (1, 20)),
        ] {
            assert_eq!(lines(&literals, spelling.clone()), [place], "{spelling:?}");
        }
        for absent in ["/abou", "bout", "team", "heading", "photo.png", "/gone"] {
            assert!(lines(&literals, whole(absent)).is_empty(), "{absent}");
        }
        for absent in ["photo-0.png", "photo-00000000.jpg", "hoto-00000000.png", "photo.png"] {
            assert!(lines(&literals, Spelling::Asset(format!("assets/{absent}"))).is_empty(), "{absent}");
        }
    }

    #[test]
    fn the_first_spelling_that_is_there_counts() {
        let literals = literals("'/a/' '/a' '/a'");
        let columns = |spellings: &[Spelling]| -> Vec<usize> {
            literals.places(spellings, |_| true).iter().map(|place| place.line_column().1).collect()
        };
        assert!(literals.places(&[whole("/a")], |name| name == "b.tsx").is_empty());
        assert_eq!(columns(&[whole("/b"), whole("/a"), whole("/a/")]), [8, 13]);
        assert_eq!(columns(&[whole("/b")]), [0; 0]);
    }

    /// A source of nothing but beginnings would otherwise be read to its end from each of them.
    #[test]
    fn long_sources_take_no_longer_for_each_letter() {
        for (before, after) in [("\"", "\""), ("'", "'"), ("`", "`"), ("](", ")"), (">", "<"), ("}", "{")] {
            let is_found = |length: usize| {
                let text = "x".repeat(length);
                !lines(&literals(&format!("{before}{text}{after}")), whole(&text)).is_empty()
            };
            assert!(is_found(LONGEST - 1), "{before}");
            assert!(!is_found(LONGEST), "{before}");
        }
        for source in ["/*\n", "{/*\n", "/* */\n", "// /*\n", "/* //\n*/ /*\n"].map(|part| part.repeat(100)) {
            let remarks = remarks(&source);
            assert!(remarks.is_sorted_by(|one, next| one.end <= next.start), "{source}: {remarks:?}");
        }
    }
}
