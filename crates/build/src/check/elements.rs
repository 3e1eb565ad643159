//! Where in the sources of a page an element is written.
//!
//! Sources are not parsed for that: whatever looks like a tag of JSX is taken for one. Types between angle brackets look
//! like tags without an end, which are left out again when one around them ends.

use std::{collections::BTreeSet, ops::Range, path::Path, sync::Arc};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    source::Sources,
};
use portalgen_release::html::{Misplaced, Part};

use super::literals::remarks;

/// An element as it is written.
struct Written {
    source: usize,
    name: String,
    /// The `<` and the name.
    start: Range<usize>,
    /// All between `<` and `>`.
    tag: Range<usize>,
    /// What stands between its tags; empty if it has but one.
    content: Range<usize>,
}

/// The elements in some sources.
#[derive(Default)]
pub(super) struct Elements {
    sources: Vec<Arc<SourceText>>,
    written: Vec<Written>,
}

impl Elements {
    /// Reads files by their names, which are relative to `root`. What is no text has none in it.
    pub(super) fn read(sources: &dyn Sources, root: &Path, names: &BTreeSet<String>) -> Self {
        let mut elements = Self::default();
        let is_code = |name: &&String| [".tsx", ".jsx", ".ts", ".js", ".mdx"].iter().any(|end| name.ends_with(end));
        for name in names.iter().filter(is_code) {
            if let Ok(text) = sources.read_to_string(&root.join(name)) {
                elements.add(SourceText::new(name, text));
            }
        }
        elements
    }

    fn add(&mut self, source: Arc<SourceText>) {
        let at = self.sources.len();
        let mut open: Vec<usize> = Vec::new();
        for mark in marks(&source.text) {
            match mark {
                Mark::Start { name, start, end, is_whole } => {
                    if !is_whole {
                        open.push(self.written.len());
                    }
                    let tag = start..end;
                    let start = start..start + 1 + name.len();
                    self.written.push(Written { source: at, name: name.to_owned(), start, tag, content: end..end });
                }
                Mark::End { name, start } => {
                    if let Some(found) = open.iter().rposition(|index| self.written[*index].name == name) {
                        self.written[open[found]].content.end = start;
                        open.truncate(found);
                    }
                }
            }
        }
        self.sources.push(source);
    }

    /// Where something misplaced may be written: the likeliest places, if any are likelier than others.
    pub(super) fn places(&self, fault: &Misplaced, is_meant: impl Fn(&str) -> bool) -> Vec<Place> {
        let written = self.written.iter().filter(|written| is_meant(&self.sources[written.source].name));
        let scored = written.filter_map(|written| Some((self.likelihood(written, fault)?, self.place(written))));
        let scored: Vec<(u32, Place)> = scored.collect();
        let best = scored.iter().map(|(score, _)| *score).max().unwrap_or_default();
        let is_only_one = scored.len() == 1;
        let likely = scored.into_iter().filter(|(score, _)| *score == best && (best > 0 || is_only_one));
        likely.map(|(_, place)| place).collect()
    }

    fn place(&self, written: &Written) -> Place {
        Place::new(&self.sources[written.source], written.start.clone())
    }

    /// How likely an element is to be the one; none if it cannot be.
    fn likelihood(&self, written: &Written, fault: &Misplaced) -> Option<u32> {
        let text = &self.sources[written.source].text;
        let tag = &text[written.tag.clone()];
        if fault.is_given {
            let is_it = written.name == fault.within && tag.contains("dangerouslySetInnerHTML");
            return is_it.then_some(1);
        }
        match &fault.what {
            Part::Element { name, marks } if *name == written.name => {
                Some(of_tag(tag, marks)? + self.of_surroundings(written, &fault.within))
            }
            Part::Text(words) if written.name == fault.within => {
                let holds = !words.is_empty() && text[written.content.clone()].contains(words);
                Some(u32::from(holds))
            }
            _ => None,
        }
    }

    /// How likely it is by what stands around it.
    fn of_surroundings(&self, written: &Written, within: &str) -> u32 {
        let holds = |around: &&Written| {
            around.source == written.source
                && around.content.start <= written.start.start
                && written.start.end <= around.content.end
        };
        let around: Vec<&Written> = self.written.iter().filter(holds).collect();
        let is_within = around.iter().any(|around| around.name == within);
        let is_right_within = around.last().is_some_and(|around| around.name == within);
        // A component may stand for the element around it.
        let is_in_component = around.last().is_some_and(|around| around.name.starts_with(char::is_uppercase));
        4 * u32::from(is_within) + 2 * u32::from(is_right_within) + u32::from(is_in_component)
    }
}

/// How likely a tag makes an element with these values of attributes; none if it cannot.
fn of_tag(tag: &str, marks: &[String]) -> Option<u32> {
    let known = marks.iter().filter(|mark| !mark.is_empty() && tag.contains(mark.as_str())).count();
    // What stands in braces may be anything.
    let is_computed = tag.contains('{');
    let has_marks = ["className=", "class=", "id=", "href=", "src="].iter().any(|name| tag.contains(name));
    let is_another = if marks.is_empty() { has_marks } else { known == 0 };
    (is_computed || !is_another).then(|| 8 * u32::from(known > 0))
}

enum Mark<'t> {
    Start { name: &'t str, start: usize, end: usize, is_whole: bool },
    End { name: &'t str, start: usize },
}

/// What looks like a tag, in order.
fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    let remarks = remarks(text);
    let is_remark = move |at: usize| remarks.iter().any(|remark| remark.contains(&at));
    let tags = text.match_indices('<').filter(move |(at, _)| !is_remark(*at));
    tags.filter_map(|(start, _)| {
        let rest = &text[start + 1..];
        let name =
            |rest: &'_ str| rest.find(|c: char| !c.is_alphanumeric() && !".-:_$".contains(c)).unwrap_or(rest.len());
        if let Some(rest) = rest.strip_prefix('/') {
            return Some(Mark::End { name: &rest[..name(rest)], start });
        }
        let name = &rest[..name(rest)];
        name.starts_with(char::is_alphabetic).then_some(())?;
        let from = start + 1 + name.len();
        let end = from + tag_end(&text[from..])?;
        Some(Mark::Start { name, start, end, is_whole: text[..end].ends_with("/>") })
    })
}

/// How far the longest tag is looked through for its end, in bytes.
const LONGEST_TAG: usize = 4_000;

/// The length of what is left of a tag behind its name, with its `>`.
fn tag_end(text: &str) -> Option<usize> {
    let mut braces = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices().take_while(|(at, _)| *at < LONGEST_TAG) {
        if quote.is_some() {
            quote = quote.filter(|open| *open != c);
            continue;
        }
        match c {
            '"' | '\'' | '`' => quote = Some(c),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '>' if braces == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}
