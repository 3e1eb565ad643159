//! Hints of the form "write `…`", followed to the letter: each is typed into the place that it is about, and the file is
//! read again. What is left must not be the same mistake.

use std::{fs, ops::Range, path::Path};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    source::Memory,
    text::Language,
};
use portalgen_portal::Overrides;

use crate::support::{
    fixtures::{area, folders, name},
    portals::{ROOT, USUAL_FILES, rendered_in, sources},
};

/// A hint that says what to type, and the complaint that it belongs to.
struct Typed<'d> {
    about: &'d Diagnostic,
    place: &'d Place,
    words: String,
}

#[test]
fn what_a_hint_says_mends_what_it_is_about() {
    let mut typed = 0;
    let mut wrong = Vec::new();
    for fixture in folders(&area("config")) {
        let routes = fs::read(fixture.join("routes.toml")).unwrap();
        let files = fs::read_to_string(fixture.join("files.txt")).unwrap_or_else(|_| USUAL_FILES.to_owned());
        let told = told(&sources(&routes, &files));
        for hint in told.iter().flat_map(hints) {
            typed += 1;
            let text = hint.typed();
            let left = told_of(&text, &files);
            if left.iter().any(|left| hint.is_left(left, &text)) {
                let (fixture, words) = (name(&fixture), &hint.words);
                let [before, after] =
                    [std::slice::from_ref(hint.about), &left].map(|told| rendered_in(Language::English, told));
                wrong.push(format!("{fixture}: `{words}` was typed for\n{before}\nand left\n{after}"));
            }
        }
    }
    assert!(typed > 100, "only {typed} hints were found");
    assert!(wrong.is_empty(), "{} of {typed}\n{}", wrong.len(), wrong.join("\n----\n"));
}

fn told_of(text: &str, files: &str) -> Vec<Diagnostic> {
    told(&sources(text.as_bytes(), files))
}

fn told(sources: &Memory) -> Vec<Diagnostic> {
    match portalgen_portal::load(sources, Path::new(ROOT), &Overrides::default()) {
        Ok((_, told)) | Err(told) => told,
    }
}

fn hints(about: &Diagnostic) -> impl Iterator<Item = Typed<'_>> {
    let place = about.place.iter();
    place.flat_map(move |place| {
        let words = about.hints.iter().filter_map(|hint| words(hint.english()));
        words.map(move |words| Typed { about, place, words })
    })
}

/// What a hint says to type.
fn words(hint: &str) -> Option<String> {
    if let Some(lines) = hint.strip_prefix("write each on a separate line: `").and_then(|rest| rest.strip_suffix('`')) {
        return Some(lines.replace("`, `", "\n"));
    }
    Some(hint.strip_prefix("write `")?.strip_suffix('`')?.to_owned())
}

impl Typed<'_> {
    /// The file with the words where somebody would type them: lines in place of lines, and a value in place of a value.
    fn typed(&self) -> String {
        let mut text = self.place.source.text.clone();
        text.replace_range(self.range(), &self.words);
        text
    }

    fn range(&self) -> Range<usize> {
        let (text, span) = (&self.place.source.text, self.place.span.clone());
        let is_quoted = |range: &str| range.len() > 1 && range.starts_with(['"', '\'']) && range.ends_with(['"', '\'']);
        if is_line(&self.words) {
            return line(text, span);
        }
        // Between the quotes, unless there are some in the words.
        if is_quoted(&text[span.clone()]) && !is_quoted(&self.words) && !self.words.starts_with(['[', '#']) {
            span.start + 1..span.end - 1
        } else {
            span
        }
    }

    /// Whether a complaint says the same of the same line, or of what was typed there says that it cannot be read.
    fn is_left(&self, left: &Diagnostic, text: &str) -> bool {
        let start = self.range().start;
        let typed = start..start + self.words.len();
        let is_there = left.place.as_ref().is_some_and(|Place { span, .. }| {
            let on_typed_line =
                is_line(&self.words) && typed.contains(&span.start) && span.start < line(text, start..start).end;
            on_typed_line || (!self.words.contains('\n') && (typed.contains(&span.start) || typed.contains(&span.end)))
        });
        is_there && left.message == *self.about.message.english()
    }
}

fn is_line(words: &str) -> bool {
    let words = words.lines().next().unwrap_or_default();
    let is_header = words.starts_with('[') && words.ends_with(']') && !words.contains('"');
    let is_assignment = words
        .split_once(" = ")
        .is_some_and(|(key, _)| key.trim_matches('"').chars().all(|c| c.is_ascii_alphanumeric() || "_-/".contains(c)));
    is_header || is_assignment || words.starts_with("# ")
}

/// The whole lines of a range.
fn line(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    start..text[range.end..].find('\n').map_or(text.len(), |length| range.end + length)
}
