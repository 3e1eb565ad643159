//! Diagnostics as the panel shows them.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::{Language, Text},
};
use serde::Serialize;

/// What is wrong, in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<String>,
    /// `file:line:column`
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

impl Finding {
    /// A diagnostic, as people who speak `language` are told.
    pub(super) fn of(diagnostic: &Diagnostic, language: Language) -> Self {
        let say = |text: &Text| text.in_language(language).to_owned();
        Self {
            severity: diagnostic.severity.name(),
            rule: diagnostic.rule.map(portalgen_base::rules::Rule::name),
            message: say(&diagnostic.message),
            hints: diagnostic.hints.iter().map(say).collect(),
            place: diagnostic.place.as_ref().map(Place::to_string),
        }
    }

    /// All of them.
    pub(super) fn all<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, language: Language) -> Vec<Self> {
        diagnostics.into_iter().map(|diagnostic| Self::of(diagnostic, language)).collect()
    }
}
