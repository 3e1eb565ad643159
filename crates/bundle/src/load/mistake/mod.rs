//! What is wrong with a text that the parser refused, in the words of those who write pages.
//!
//! The parser says which token it could not go on with. What people want to know is what they forgot: [`outline`] finds what
//! was opened and not closed, [`kinds`] puts the parser's other errors into words. One mistake is told once: the errors
//! that only follow from another one are left out.

mod kinds;
mod outline;
mod structure;

use std::{ops::Range, sync::Arc};

use swc_core::{
    common::Spanned,
    ecma::parser::error::{Error, SyntaxError},
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{Text, text},
};

use crate::syntax::{Dialect, Language, place};

/// A text that the parser refused.
struct Refused<'a> {
    source: &'a Arc<SourceText>,
    jsx: bool,
}

impl Refused<'_> {
    fn text(&self) -> &str {
        &self.source.text
    }

    fn place(&self, span: Range<usize>) -> Place {
        Place::new(self.source, span)
    }
}

/// Puts the errors of a parser into words. `parses` says whether the text would be right in another dialect.
pub(super) fn tell(
    source: &Arc<SourceText>,
    dialect: Dialect,
    errors: &[Error],
    parses: impl Fn(Dialect) -> bool,
) -> Vec<Diagnostic> {
    let refused = Refused { source, jsx: dialect.jsx };
    if let Some(conflict) = errors.iter().find(|error| matches!(error.kind(), SyntaxError::TS1185)) {
        return vec![kinds::tell(&refused, conflict)];
    }
    if let Some(other) = other_dialect(dialect).filter(|other| parses(*other)) {
        return vec![of_other_dialect(source, other, errors)];
    }
    if let Some(front) = front_matter(&source.text) {
        return vec![of_front_matter(&refused, front)];
    }
    let foreign: Vec<_> = errors.iter().filter(|error| is_foreign_character(error)).collect();
    if foreign.is_empty()
        && !errors.iter().any(|error| ends_at_quote(&refused, error))
        && errors.iter().any(may_follow_from_structure)
        && let Some(fault) = outline::fault(&source.text, dialect.jsx)
    {
        return vec![structure::tell(&refused, &fault)];
    }
    let chosen = if foreign.is_empty() { errors.iter().collect() } else { foreign };
    one_of_each_line(chosen.iter().map(|error| kinds::tell(&refused, error)))
}

/// The lines between `---` and `---` that a text begins with.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let inside = text.strip_prefix("---")?;
    let line_end = inside.find('\n').filter(|end| inside[..*end].trim().is_empty())?;
    let end = inside[line_end..].find("\n---")? + line_end;
    Some(0..3 + end + 4)
}

fn of_front_matter(refused: &Refused, front: Range<usize>) -> Diagnostic {
    let message = text!(
        "what stands between `---` and `---` is for Markdown and Astro, and no code here",
        "`---` 和 `---` 之间的内容属于 Markdown 和 Astro，在这里不是代码"
    );
    Diagnostic::error(message).at(refused.place(front.start..3)).with_hint(text!(
        "delete these lines: code goes into the component, and title and description into the [[route]] in routes.toml",
        "请删掉这几行：代码写进组件，标题和描述写进 routes.toml 的 [[route]]"
    ))
}

/// `，` and other characters that no code has.
fn is_foreign_character(error: &Error) -> bool {
    matches!(error.kind(), SyntaxError::UnexpectedChar { .. })
}

/// Whether code goes on right behind the end of a text: `'it's'`.
fn ends_at_quote(refused: &Refused, error: &Error) -> bool {
    let start = place(refused.source, error.span()).span.start;
    matches!(error.kind(), SyntaxError::TS1005 | SyntaxError::ExpectedSemi)
        && refused.text()[..start].ends_with(['\'', '"'])
        && refused.text()[start..].starts_with(char::is_alphabetic)
}

/// Whether an error may come from something that was opened or closed at another place.
fn may_follow_from_structure(error: &Error) -> bool {
    use SyntaxError as E;
    !matches!(
        error.kind(),
        E::AwaitInFunction
            | E::ConstDeclarationsRequireInitialization
            | E::IdentAfterNum
            | E::InvalidIdentInStrict(_)
            | E::NullishCoalescingWithLogicalOp
            | E::MultipleDefault { .. }
            | E::InvalidAssignTarget
            | E::TS2406
            | E::TS1014
            | E::LegacyOctal
            | E::TS1085
    )
}

/// The language of the same text with what is missing: types, or elements.
fn other_dialect(dialect: Dialect) -> Option<Dialect> {
    match dialect.language {
        Language::JavaScript => Some(Dialect { language: Language::TypeScript, jsx: dialect.jsx, ..dialect }),
        Language::TypeScript if !dialect.jsx => Some(Dialect { jsx: true, ..dialect }),
        Language::TypeScript => None,
    }
}

/// A file whose name promises less than it holds.
fn of_other_dialect(source: &Arc<SourceText>, other: Dialect, errors: &[Error]) -> Diagnostic {
    let name = source.name.split('?').next().unwrap_or(&source.name);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let stem = stem.rsplit('/').next().unwrap_or(stem);
    let new = if other.jsx { "tsx" } else { "ts" };
    let message = if extension == "ts" || extension == "mts" || extension == "cts" {
        text!(
            "this file contains JSX, which .{extension} files cannot",
            "这个文件里有 JSX，而 .{extension} 文件不能写 JSX"
        )
    } else {
        text!(
            "this is TypeScript, but the file is read as JavaScript",
            "这里用了 TypeScript 的语法，而这个文件按 JavaScript 读取"
        )
    };
    let first = errors.iter().map(Spanned::span).min_by_key(|span| span.lo);
    let diagnostic = Diagnostic::error(message).at_known(first.map(|span| place(source, span)));
    diagnostic.with_hint(text!("rename it to {stem}.{new}", "请把文件改名为 {stem}.{new}"))
}

/// Errors on a line where there is one already follow from that.
fn one_of_each_line(diagnostics: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut all: Vec<_> = diagnostics.collect();
    all.sort_by_key(|diagnostic| diagnostic.place.as_ref().map(|place| place.span.start));
    let line = |diagnostic: &Diagnostic| diagnostic.place.as_ref().map(|place| place.line_column().0);
    all.dedup_by(|second, first| line(second) == line(first));
    all
}

/// Names what was opened, and what it is for those who read about it.
fn opened_here() -> Text {
    text!("opened here", "从这里开始")
}
