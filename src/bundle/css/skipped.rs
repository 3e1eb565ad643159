//! What is wrong with a style sheet, and what browsers make of it.

use std::{ops::Range, sync::Arc};

use lightningcss::error::{Error, ParserError, SelectorError};

use super::{Reader, css_text};
use crate::diagnostic::{Diagnostic, Place, SourceText};

/// What a reading of the sheet came upon.
pub(crate) struct Problem {
    kind: ProblemKind,
    line: u32,
    column: u32,
}

enum ProblemKind {
    LateImport,
    LateNamespace,
    UnknownAtRule(String),
    UnknownPseudo(String),
    OldNest,
    /// `@value` of CSS modules.
    Value,
    Other(String),
}

/// What a problem comes to.
pub(crate) struct Judged {
    pub warning: Diagnostic,
    /// The range of the source that browsers skip.
    pub skips: Option<Range<usize>>,
}

impl Problem {
    pub(crate) fn new(error: &Error<ParserError<'_>>) -> Self {
        let kind = match &error.kind {
            ParserError::UnexpectedImportRule => ProblemKind::LateImport,
            ParserError::UnexpectedNamespaceRule => ProblemKind::LateNamespace,
            ParserError::AtRuleInvalid(name) => ProblemKind::UnknownAtRule(name.to_string()),
            ParserError::SelectorError(SelectorError::UnsupportedPseudoClass(name)) => {
                ProblemKind::UnknownPseudo(format!(":{name}"))
            }
            ParserError::SelectorError(SelectorError::UnsupportedPseudoElement(name)) => {
                ProblemKind::UnknownPseudo(format!("::{name}"))
            }
            ParserError::DeprecatedNestRule => ProblemKind::OldNest,
            ParserError::DeprecatedCssModulesValueRule => ProblemKind::Value,
            other => ProblemKind::Other(reason(other)),
        };
        let (line, column) = error.loc.as_ref().map_or((0, 1), |location| (location.line, location.column));
        Self { kind, line, column }
    }
}

impl Reader<'_> {
    /// Says what a problem means to browsers. The parser forgets the declarations before one that it cannot read, so
    /// that one has to be taken out of the text.
    ///
    /// # Errors
    /// What would not be CSS to any browser, but was meant for a tool that builds it.
    pub(crate) fn judge(&self, problem: &Problem) -> Result<Judged, Diagnostic> {
        let place = self.place_at(problem.line, problem.column);
        let item = self.outline.item_at(place.span.start);
        let place = item.map_or(place, |item| self.first_line(item.prelude()));
        let prelude = item.map_or("", |item| &self.source.text[item.prelude()]);
        let (message, hint, is_kept) = match &problem.kind {
            ProblemKind::Value => {
                return Err(Diagnostic::error("`@value` is not part of CSS, and portalgen does not replace it")
                    .at(place)
                    .with_hint("use a custom property: `--name: value` in `:root`, and `var(--name)`"));
            }
            ProblemKind::LateImport => (
                "browsers skip this `@import`, which comes after other rules".to_owned(),
                Some("move it to the top of the style sheet".to_owned()),
                false,
            ),
            ProblemKind::LateNamespace => (
                "browsers skip this `@namespace`, which comes after other rules".to_owned(),
                Some("move it to the top, below every `@import`".to_owned()),
                false,
            ),
            ProblemKind::UnknownAtRule(name) if is_known_at_rule(name) => {
                (format!("browsers skip this rule: `@{name}` may not stand here"), None, false)
            }
            ProblemKind::UnknownAtRule(name) => {
                let tool =
                    |tool| format!("it is for {tool}, which portalgen does not run: build that sheet beforehand");
                (format!("browsers do not know `@{name}`"), tool_of(name).map(tool), true)
            }
            ProblemKind::UnknownPseudo(name) => {
                (format!("browsers skip this rule if they do not know `{name}`"), None, true)
            }
            ProblemKind::OldNest => ("browsers do not know `@nest`; write its selector alone".to_owned(), None, true),
            ProblemKind::Other(reason) if self.keeps_condition(prelude) => {
                (format!("browsers may not understand this condition: {reason}"), None, true)
            }
            ProblemKind::Other(reason) => {
                let is_rule = prelude.starts_with('@') || item.is_some_and(|item| item.block.is_some());
                let what = if is_rule { "rule" } else { "declaration" };
                (format!("browsers skip this {what}: {reason}"), None, false)
            }
        };
        let warning = Diagnostic::warning(message).at(place);
        let warning = hint.into_iter().fold(warning, Diagnostic::with_hint);
        Ok(Judged { warning, skips: item.filter(|_| !is_kept).map(|item| item.range.clone()) })
    }
}

/// The parser's words for a mistake, except where they would be about the parser.
fn reason(error: &ParserError<'_>) -> String {
    match error {
        ParserError::UnexpectedToken(token)
        | ParserError::SelectorError(
            SelectorError::BadValueInAttr(token)
            | SelectorError::ClassNeedsIdent(token)
            | SelectorError::ExpectedBarInAttr(token)
            | SelectorError::ExplicitNamespaceUnexpectedToken(token)
            | SelectorError::InvalidQualNameInAttr(token)
            | SelectorError::NoQualifiedNameInAttributeSelector(token)
            | SelectorError::PseudoElementExpectedIdent(token)
            | SelectorError::UnexpectedSelectorAfterPseudoElement(token)
            | SelectorError::UnexpectedTokenInAttributeSelector(token),
        ) => format!("`{}` is not expected here", css_text(token).unwrap_or_default()),
        ParserError::EndOfInput => "something is missing at its end".to_owned(),
        other => sentence(&other.to_string()),
    }
}

/// A message as part of a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.trim_end_matches('.').chars();
    let is_name = message.starts_with("CSS");
    match characters.next() {
        Some(first) if !is_name => first.to_lowercase().chain(characters).collect(),
        _ => message.to_owned(),
    }
}

/// At-rules that the parser knows: it complains of them only where they stand in the wrong place.
fn is_known_at_rule(name: &str) -> bool {
    let known = [
        "charset",
        "container",
        "counter-style",
        "font-face",
        "font-feature-values",
        "font-palette-values",
        "import",
        "keyframes",
        "layer",
        "media",
        "namespace",
        "page",
        "position-try",
        "property",
        "scope",
        "starting-style",
        "supports",
        "view-transition",
        "viewport",
    ];
    let name = name.to_ascii_lowercase();
    let plain = ["-webkit-", "-moz-", "-ms-", "-o-"].iter().find_map(|prefix| name.strip_prefix(prefix));
    known.contains(&plain.unwrap_or(&name))
}

/// The tool that a rule which is no CSS is written for.
fn tool_of(at_rule: &str) -> Option<&'static str> {
    match at_rule {
        "apply" | "config" | "custom-variant" | "plugin" | "screen" | "source" | "tailwind" | "theme" | "utility"
        | "variant" | "variants" | "reference" => Some("Tailwind CSS"),
        "each" | "else" | "extend" | "for" | "forward" | "function" | "if" | "include" | "mixin" | "return" | "use"
        | "while" => Some("Sass"),
        "custom-media" | "custom-selector" => Some("PostCSS"),
        _ => None,
    }
}

pub(crate) fn unclosed(source: &Arc<SourceText>, at: usize) -> Diagnostic {
    Diagnostic::warning("this `{` is never closed, so all that follows is part of its rule")
        .at(Place::new(source, at..at + 1))
        .with_hint("write `}` where the rule ends")
}
