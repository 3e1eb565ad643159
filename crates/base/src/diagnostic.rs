//! What portalgen has to say about an input: a sentence, where it applies, and what to do about it.
//!
//! Every stage returns its complaints as values; nothing below `cli` prints.

use std::{fmt, ops::Range, sync::Arc};

mod kept;

pub use kept::Kept;

use crate::{
    rules::{Level, Levels, Rule, Severity},
    text::{Text, text},
};

/// A text that diagnostics point into.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name shown to people: a path relative to the project root with `/`, or a virtual module's name.
    pub name: String,
    /// The whole text, as it was read.
    pub text: String,
}

impl SourceText {
    /// A text under the name that diagnostics show for it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into() })
    }

    /// The text of a file, without the byte order mark in front of it.
    ///
    /// # Errors
    /// The bytes are not UTF-8; the complaint points at the first that is not.
    pub fn decode(name: impl Into<String>, bytes: Vec<u8>) -> Result<Arc<Self>, Box<Diagnostic>> {
        let mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        match String::from_utf8(bytes) {
            Ok(text) if mark == 0 => Ok(Self::new(name, text)),
            Ok(text) => Ok(Self::new(name, &text[mark..])),
            Err(error) => {
                let start = error.utf8_error().valid_up_to();
                let source = Self::new(name, String::from_utf8_lossy(error.as_bytes()));
                let place = Place::new(&source, start..start + char::REPLACEMENT_CHARACTER.len_utf8());
                let message = text!("this file is not stored as UTF-8", "这个文件不是用 UTF-8 编码保存的");
                let hint = text!("save it again with UTF-8 encoding", "请用 UTF-8 编码重新保存");
                Err(Box::new(Diagnostic::error(message).at(place).with_hint(hint)))
            }
        }
    }
}

/// A range of bytes in a [`SourceText`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text pointed into.
    pub source: Arc<SourceText>,
    /// Byte offsets into [`SourceText::text`]; always on character boundaries and within the text.
    pub span: Range<usize>,
}

impl Place {
    /// Points at `span`, moved inwards to the nearest character boundaries when it cuts a character or overshoots.
    pub fn new(source: &Arc<SourceText>, span: Range<usize>) -> Self {
        let text = &source.text;
        let start = text.floor_char_boundary(span.start.min(text.len()));
        let end = text.ceil_char_boundary(span.end.min(text.len())).max(start);
        Self { source: Arc::clone(source), span: start..end }
    }

    /// Points at the character at a line and a column, both counted from 1, the column in UTF-16 units as most parsers
    /// count them. Beyond the end of a line it points at that end.
    pub fn at_line_column(source: &Arc<SourceText>, line: usize, column: usize) -> Self {
        let text = &source.text;
        let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let mut units = column.saturating_sub(1);
        let mut offset = start.min(text.len());
        for character in text[offset..].lines().next().unwrap_or_default().chars() {
            if units == 0 {
                break;
            }
            units = units.saturating_sub(character.len_utf16());
            offset += character.len_utf8();
        }
        let width = text[offset..].chars().next().filter(|c| !matches!(c, '\r' | '\n')).map_or(0, char::len_utf8);
        Self::new(source, offset..offset + width)
    }

    /// The last declaration of a name before this place or on its line, in JavaScript: the name in it.
    pub fn declaration_before(&self, name: &str) -> Option<Self> {
        let text = &self.source.text;
        let end = text[self.span.start..].find('\n').map_or(text.len(), |length| self.span.start + length);
        let before = &text[..end];
        let is_end = |end: usize| !before[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let starts = ["function ", "class ", "const ", "let ", "var "].into_iter().filter_map(|keyword| {
            let declared = format!("{keyword}{name}");
            let mut starts = before.rmatch_indices(&declared).map(|(start, _)| start);
            Some(starts.find(|start| is_end(start + declared.len()))? + keyword.len())
        });
        let start = starts.max().filter(|_| !name.is_empty())?;
        Some(Self::new(&self.source, start..start + name.len()))
    }

    /// Line and column of the start, both counted from 1; the column counts characters.
    pub fn line_column(&self) -> (usize, usize) {
        let before = &self.source.text[..self.span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for Place {
    /// `file:line:column`, which terminals and editors turn into a link.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.line_column();
        write!(f, "{}:{line}:{column}", self.source.name)
    }
}

/// One complaint about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the build can go on.
    pub severity: Severity,
    /// The rule that was broken, when it is one that the portal's owner may have an opinion about or look up.
    pub rule: Option<Rule>,
    /// One sentence without a full stop that says what is wrong.
    pub message: Text,
    /// Where it is wrong, when a place in a text is to blame.
    pub place: Option<Place>,
    /// Further places that belong to the story, each with a few words: `first used here`.
    pub related: Vec<(Place, Text)>,
    /// What to do about it, most useful first.
    pub hints: Vec<Text>,
}

impl Diagnostic {
    /// An error without a place; add one with [`Diagnostic::at`].
    pub fn error(message: Text) -> Self {
        Self::new(Severity::Error, message)
    }

    /// An error that is nobody's but portalgen's.
    pub fn own_fault(details: &Text) -> Self {
        Self::error(text!("portalgen stopped because of an internal error", "portalgen 出现内部错误，已停止"))
            .with_hint(text!(
                "please report it with these details: {details}",
                "请报告这个问题，并附上以下信息：{details}",
                details
            ))
    }

    /// A warning without a place; add one with [`Diagnostic::at`].
    pub fn warning(message: Text) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// A note.
    pub fn note(message: Text) -> Self {
        Self::new(Severity::Note, message)
    }

    /// A broken rule, with the weight that it has where nobody decided otherwise.
    pub fn of(rule: Rule, message: Text) -> Self {
        Self::new(rule.default_severity(), message).under(rule)
    }

    fn new(severity: Severity, message: Text) -> Self {
        Self { severity, rule: None, message, place: None, related: Vec::new(), hints: Vec::new() }
    }

    /// Says which rule is behind it, and keeps the weight.
    #[must_use]
    pub fn under(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Says where, if that is known.
    #[must_use]
    pub fn at_known(self, place: Option<Place>) -> Self {
        match place {
            Some(place) => self.at(place),
            None => self,
        }
    }

    /// Says where, unless it has a place already.
    #[must_use]
    pub fn or_at(mut self, place: impl FnOnce() -> Place) -> Self {
        self.place.get_or_insert_with(place);
        self
    }

    /// Adds a further place with a few words about it.
    #[must_use]
    pub fn with_related(mut self, place: Place, label: Text) -> Self {
        self.related.push((place, label));
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn with_hint(mut self, hint: Text) -> Self {
        self.hints.push(hint);
        self
    }

    /// Adds all the advice that there is.
    #[must_use]
    pub fn with_hints(mut self, hints: impl IntoIterator<Item = Text>) -> Self {
        self.hints.extend(hints);
        self
    }

    /// The same as no more than a warning, if the portal's owner may decide about its rule.
    #[must_use]
    pub fn tolerated(mut self) -> Self {
        if self.rule.is_some_and(Rule::can_change) {
            self.severity = self.severity.max(Severity::Warning);
        }
        self
    }

    /// The same with the weight that the portal's owner gives its rule; none when that is off. What no rule is behind stays
    /// as it is, and so does the weight of a rule that was not decided about: it may depend on the case.
    pub fn weighed(self, levels: &Levels) -> Option<Self> {
        let severity = match self.rule.and_then(|rule| levels.decided(rule)) {
            None => self.severity,
            Some(Level::Error) => Severity::Error,
            Some(Level::Warning) => Severity::Warning,
            Some(Level::Off) => return None,
        };
        Some(Self { severity, ..self })
    }

    /// Whether this stops the build.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Order for showing: by file and position, so that two runs print the same list whatever ran first.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| d.place.as_ref().map(|p| (p.source.name.clone(), p.span.start));
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
}

/// The candidate closest to what was typed, when it is close enough to be a slip of the fingers or its beginning.
pub fn did_you_mean<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let similarity = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        // Two words that begin alike are similar to the first measure, however little of the longer one is in the other.
        let is_much_of_it = strsim::normalized_damerau_levenshtein(&typed, &candidate) >= 0.4;
        let is_its_beginning = typed.len() >= 3 && candidate.starts_with(&typed);
        let similarity = strsim::jaro_winkler(&typed, &candidate);
        (similarity > 0.8 && (is_much_of_it || is_its_beginning)).then_some(similarity)
    };
    let similar = candidates.into_iter().filter_map(|candidate| Some((similarity(candidate)?, candidate)));
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_fingers() {
        for (typed, meant) in [
            ("titel", Some("title")),
            ("Path", Some("path")),
            ("desc", Some("description")),
            ("/abuot", Some("/about")),
            ("redirct", Some("redirect")),
            ("url", None),
            ("/about-our-team-and-us", None),
        ] {
            let known = ["path", "title", "description", "redirect", "/a", "/about"];
            assert_eq!(did_you_mean(typed, known), meant, "{typed}");
        }
    }

    #[test]
    fn the_owner_decides() {
        let mut levels = Levels::default();
        let complaint = || Diagnostic::of(Rule::DuplicateTitle, Text::verbatim("x"));
        assert_eq!(complaint().weighed(&levels).map(|complaint| complaint.severity), Some(Severity::Warning));
        levels.set(Rule::DuplicateTitle, Level::Error);
        assert_eq!(complaint().weighed(&levels).map(|complaint| complaint.severity), Some(Severity::Error));
        levels.set(Rule::DuplicateTitle, Level::Off);
        assert_eq!(complaint().weighed(&levels), None);
        assert!(Diagnostic::error(Text::verbatim("x")).weighed(&levels).is_some());
    }
}
