//! Diagnostics as data, for processes that show them later.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Diagnostic, Place, SourceText};
use crate::{
    rules::{Rule, Severity},
    text::Text,
};

/// Diagnostics that can be stored. Each text that they point into is there once.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Kept {
    texts: Vec<(String, String)>,
    diagnostics: Vec<KeptDiagnostic>,
}

#[derive(Debug, Serialize, Deserialize)]
struct KeptDiagnostic {
    severity: Severity,
    rule: Option<Rule>,
    message: Text,
    place: Option<KeptPlace>,
    related: Vec<(KeptPlace, Text)>,
    hints: Vec<Text>,
}

/// The number of a text, and a range in it.
#[derive(Debug, Serialize, Deserialize)]
struct KeptPlace(usize, usize, usize);

impl Kept {
    /// The diagnostics as data.
    pub fn new(diagnostics: &[Diagnostic]) -> Self {
        let mut texts: Vec<Arc<SourceText>> = Vec::new();
        let mut keep = |place: &Place| {
            let known = texts.iter().rposition(|text| Arc::ptr_eq(text, &place.source) || *text == place.source);
            let number = known.unwrap_or_else(|| {
                texts.push(Arc::clone(&place.source));
                texts.len() - 1
            });
            KeptPlace(number, place.span.start, place.span.end)
        };
        let kept = diagnostics.iter().map(|diagnostic| {
            let Diagnostic { severity, rule, message, place, related, hints } = diagnostic;
            KeptDiagnostic {
                severity: *severity,
                rule: *rule,
                message: message.clone(),
                place: place.as_ref().map(&mut keep),
                related: related.iter().map(|(place, label)| (keep(place), label.clone())).collect(),
                hints: hints.clone(),
            }
        });
        let diagnostics = kept.collect();
        Self { texts: texts.iter().map(|text| (text.name.clone(), text.text.clone())).collect(), diagnostics }
    }

    /// The diagnostics again. None if this is not what [`Kept::new`] made.
    pub fn diagnostics(self) -> Option<Vec<Diagnostic>> {
        let texts: Vec<_> = self.texts.into_iter().map(|(name, text)| SourceText::new(name, text)).collect();
        let place = |KeptPlace(number, start, end)| {
            let source = texts.get(number).filter(|source| source.text.get(start..end).is_some())?;
            Some(Place { source: Arc::clone(source), span: start..end })
        };
        let diagnostic = |kept: KeptDiagnostic| {
            let KeptDiagnostic { severity, rule, message, place: at, related, hints } = kept;
            let at = match at {
                Some(at) => Some(place(at)?),
                None => None,
            };
            let related: Option<_> = related.into_iter().map(|(at, label)| Some((place(at)?, label))).collect();
            Some(Diagnostic { severity, rule, message, place: at, related: related?, hints })
        };
        self.diagnostics.into_iter().map(diagnostic).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::text;

    #[test]
    fn diagnostics_come_back_as_they_were() {
        let [one, two] = ["one", "two"].map(|name| SourceText::new(name, "some 文字"));
        let message = text!("no page", "没有页面");
        let diagnostics = [
            Diagnostic::of(Rule::DuplicateTitle, message.clone())
                .at(Place::new(&one, 5..11))
                .with_related(Place::new(&two, 0..4), message.clone())
                .with_hint(Text::verbatim("x")),
            Diagnostic::note(message).at(Place::new(&one, 0..0)),
            Diagnostic::error(Text::default()),
        ];
        let kept = Kept::new(&diagnostics);
        assert_eq!(kept.texts.len(), 2);
        let bytes = postcard::to_stdvec(&kept).expect("bytes");
        let kept: Kept = postcard::from_bytes(&bytes).expect("diagnostics");
        assert_eq!(kept.diagnostics().as_deref(), Some(&diagnostics[..]));
        let cut = Kept { texts: Vec::new(), ..Kept::new(&diagnostics) };
        assert_eq!(cut.diagnostics(), None);
    }
}
