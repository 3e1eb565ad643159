//! Diagnostics for programs.

use serde_json::{Value, json};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    rules::Rule,
    text::{Language, Text},
};

use super::parts::end_of;

/// Diagnostics for programs: a list of objects with `severity`, `rule` (a name or `null`), `message`, `file`, `line`,
/// `column`, `endLine`, `endColumn`, `hints` and `related` (objects with a `label` and the same five fields of a place).
///
/// Lines and columns count from 1, columns in characters; the end is behind the last character. Without a place its
/// five fields are `null`. Sentences are in `language`.
pub fn json(diagnostics: &[Diagnostic], language: Language) -> Value {
    diagnostics.iter().map(|diagnostic| one(diagnostic, language)).collect()
}

fn one(diagnostic: &Diagnostic, language: Language) -> Value {
    let say = |text: &Text| text.in_language(language).to_owned();
    let related = diagnostic.related.iter().map(|(place, label)| {
        let mut object = json!({ "label": say(label) });
        add_place(&mut object, Some(place));
        object
    });
    let mut object = json!({
        "severity": diagnostic.severity.name(),
        "rule": diagnostic.rule.map(Rule::name),
        "message": say(&diagnostic.message),
    });
    add_place(&mut object, diagnostic.place.as_ref());
    object["hints"] = diagnostic.hints.iter().map(say).collect();
    object["related"] = related.collect();
    object
}

fn add_place(object: &mut Value, place: Option<&Place>) {
    let start = place.map(Place::line_column).unzip();
    let end = place.map(|place| end_of(place).line_column()).unzip();
    object["file"] = json!(place.map(|place| &place.source.name));
    object["line"] = json!(start.0);
    object["column"] = json!(start.1);
    object["endLine"] = json!(end.0);
    object["endColumn"] = json!(end.1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use portalgen_base::diagnostic::SourceText;

    #[test]
    fn both_ends_are_told() {
        let source = SourceText::new("routes.toml", "a = 1\n关于 = '👋'\nb = 2");
        let start = source.text.find('\'').expect("a quote");
        let place = Place::new(&source, start..start + 6);
        let diagnostics = [
            Diagnostic::of(Rule::LongTitle, Text::verbatim("w")).at(place).with_hint(Text::verbatim("h")),
            Diagnostic::error(Text::verbatim("e")),
        ];
        assert_eq!(
            json(&diagnostics, Language::English),
            json!([
                { "severity": "warning", "rule": "long-title", "message": "w", "file": "routes.toml", "line": 2,
                  "column": 6, "endLine": 2, "endColumn": 9, "hints": ["h"], "related": [] },
                { "severity": "error", "rule": null, "message": "e", "file": null, "line": null, "column": null,
                  "endLine": null, "endColumn": null, "hints": [], "related": [] },
            ])
        );
    }
}
