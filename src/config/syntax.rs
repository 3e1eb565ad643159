//! From bytes to a TOML tree: every mistake of spelling at once, in words for people who have never heard of TOML.

use std::{borrow::Cow, io, ops::Range, path::Path, sync::Arc};

use toml::de::{DeTable, Error};

use super::{
    explain::{self, Damage},
    findings::Findings,
};
use crate::{
    diagnostic::{Diagnostic, Place, SourceText},
    source::Sources,
    text::{Text, text},
};

/// The name of the configuration, in the root folder of a portal.
pub const FILE: &str = "routes.toml";

/// A thousand times what a large portal needs. The parser takes up to 50 bytes of memory for each byte of the file.
const LARGEST_FILE: usize = 32 << 20;
/// How much text after the first mistake is searched for more: a binary file of this size would make millions.
const SEARCHED: usize = 1 << 20;
/// How many mistakes of spelling are kept, for each pass.
const KEPT: usize = 100;
const PASSES: usize = 3;

/// Reads the file's text, without a byte order mark.
///
/// # Errors
/// The file cannot be read, or is not meant to be text in UTF-8. A stray byte is only added to `findings`.
pub(crate) fn read(sources: &dyn Sources, root: &Path, findings: &mut Findings) -> Result<Arc<SourceText>, Diagnostic> {
    let bytes = sources.read(&root.join(FILE)).map_err(|error| unreadable(&error, root))?;
    if bytes.len() > LARGEST_FILE {
        let (size, limit) = (bytes.len() >> 20, LARGEST_FILE >> 20);
        return Err(Diagnostic::error(text!(
            "{FILE} has {size} MB; more than {limit} MB are not read",
            "{FILE} 有 {size} MB；超过 {limit} MB 就不读了"
        )));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let place = Place::new(&SourceText::new(FILE, ""), 0..0);
        let error = Diagnostic::error(text!("{FILE} is stored as UTF-16", "{FILE} 是用 UTF-16 编码保存的"));
        return Err(error.at(place).with_hint(save_as_utf8()));
    }
    Ok(decode(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes), findings))
}

fn save_as_utf8() -> Text {
    text!("save the file again with the encoding UTF-8", "请用 UTF-8 编码重新保存这个文件")
}

fn unreadable(error: &io::Error, root: &Path) -> Diagnostic {
    if error.kind() == io::ErrorKind::NotFound {
        let root = root.display();
        return Diagnostic::error(text!("there is no {FILE} in {root}", "{root} 里没有 {FILE}")).with_hint(text!(
            "go to the folder of your portal, or name it with `--root`",
            "请先进入门户所在的文件夹，或用 `--root` 指定它"
        ));
    }
    Diagnostic::error(text!("{FILE} cannot be read: {error}", "无法读取 {FILE}：{error}"))
}

/// Replaces what is not UTF-8, complains about the first such byte and distrusts every line with one.
fn decode(bytes: &[u8], findings: &mut Findings) -> Arc<SourceText> {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            invalid.push(text.len()..text.len() + char::REPLACEMENT_CHARACTER.len_utf8());
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let source = SourceText::new(FILE, text);
    let Some(first) = invalid.first() else { return source };
    let message = match invalid.len() {
        1 => text!("this character is not stored as UTF-8", "这个字符不是 UTF-8 编码"),
        many => text!(
            "{many} characters are not stored as UTF-8, this is the first",
            "有 {many} 个字符不是 UTF-8 编码，这是第一个"
        ),
    };
    findings.add(Diagnostic::error(message).at(Place::new(&source, first.clone())).with_hint(save_as_utf8()));
    let lines = Lines::of(&source.text);
    for range in invalid {
        findings.distrust(lines.around(range.start));
    }
    source
}

/// Notes every mistake of spelling, and returns the text with what cannot be understood blanked out: same length, same
/// lines. What [`DeTable::parse_recoverable`] makes of that is as much as can be known about the file.
///
/// The parser overlooks some mistakes behind one that stops it, hence the passes.
pub(crate) fn check<'s>(source: &'s Arc<SourceText>, findings: &mut Findings) -> Cow<'s, str> {
    let lines = Lines::of(&source.text);
    let mut text = Cow::Borrowed(bounded(&source.text));
    for _ in 0..PASSES {
        let errors = errors_of(&text, &lines, findings);
        if errors.is_empty() {
            break;
        }
        for error in errors {
            note(source, &lines, &error, &mut text, findings);
        }
    }
    text
}

/// Adds one mistake to the findings and blanks what it makes unreadable.
fn note(source: &Arc<SourceText>, lines: &Lines<'_>, error: &Error, text: &mut Cow<'_, str>, findings: &mut Findings) {
    let line = lines.around(start_of(error));
    let damage = explain::damage(&source.text[line.clone()], error);
    let range = if damage == Damage::Section { lines.section(line.start) } else { line.clone() };
    if damage != Damage::Value {
        blank(text.to_mut(), range.clone());
    }
    findings.add_damage(explain::syntax_error(source, line, error), range);
}

fn start_of(error: &Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// Writes a space over every byte that is not a line break.
fn blank(text: &mut String, range: Range<usize>) {
    let range = range.start.min(text.len())..range.end.min(text.len());
    let spaces = text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
    text.replace_range(range, &spaces);
}

/// The text, or only its beginning when it is large and wrong: the parser needs 200 bytes for each mistake.
fn bounded(text: &str) -> &str {
    if text.len() <= SEARCHED {
        return text;
    }
    let Err(error) = DeTable::parse(text) else { return text };
    let first = start_of(&error);
    let end = text.floor_char_boundary((first + SEARCHED).min(text.len()));
    let line_end = text[..end].rfind('\n').filter(|line_end| *line_end > first);
    &text[..line_end.unwrap_or(end)]
}

/// Mistakes on lines without a known one, the first of each line.
fn errors_of(text: &str, lines: &Lines<'_>, findings: &Findings) -> Vec<Error> {
    let mut errors = DeTable::parse_recoverable(text).1;
    errors.retain(|error| !findings.is_damaged(start_of(error)));
    errors.sort_by_key(|error| lines.index(start_of(error)));
    errors.dedup_by_key(|error| lines.index(start_of(error)));
    errors.truncate(KEPT);
    errors
}

/// Where the lines of a text begin.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// Which line an offset lies in, counted from 0.
    fn index(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The range of the line around an offset, without its line break.
    fn around(&self, offset: usize) -> Range<usize> {
        self.range(self.index(offset))
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = self.starts.get(index).copied().unwrap_or(self.text.len());
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        start..end
    }

    /// From a line to the next one that begins a section.
    fn section(&self, offset: usize) -> Range<usize> {
        let first = self.index(offset);
        let begins = |index: &usize| is_header(&self.text[self.range(*index)]);
        let next = (first + 1..self.starts.len()).find(begins);
        self.range(first).start..next.map_or(self.text.len(), |next| self.range(next).start.saturating_sub(1))
    }
}

/// Whether a section begins on this line, or was meant to.
fn is_header(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('[') || line.starts_with(explain::WIDE_BRACKETS)
}
