//! What comes out of a `routes.toml`, and what is said about a bad one: `routes.toml`, `files.txt` with the files that are
//! there (one a line), `expected.txt`, and in some folders `expected.zh.txt` with the same in Chinese.

use std::{fs, path::Path};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Language, Text},
};
use portalgen_portal::Overrides;

use crate::support::{
    fixtures::{Verdict, all, compare},
    portals::{Loaded, ROOT, USUAL_FILES, rendered_in, sources, summary},
};

pub(super) fn judge(fixture: &Path) -> Verdict {
    let routes = fixture.join("routes.toml");
    let routes = fs::read(&routes).map_err(|error| format!("{}: {error}", routes.display()))?;
    let files = fs::read_to_string(fixture.join("files.txt")).unwrap_or_else(|_| USUAL_FILES.to_owned());
    let loaded = portalgen_portal::load(&sources(&routes, &files), Path::new(ROOT), &Overrides::default());
    let english = compare(&fixture.join("expected.txt"), &said_in(Language::English, &loaded));
    let chinese = fixture.join("expected.zh.txt");
    let chinese = chinese.exists().then(|| compare(&chinese, &said_in(Language::Chinese, &loaded)));
    all([english, all_is_said_in_chinese(&loaded)].into_iter().chain(chinese))
}

fn said_in(language: Language, loaded: &Loaded) -> String {
    match loaded {
        Ok((portal, warnings)) => summary(portal) + &rendered_in(language, warnings),
        Err(errors) => rendered_in(language, errors),
    }
}

fn all_is_said_in_chinese(loaded: &Loaded) -> Verdict {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    // What fixtures quote is Chinese here and there; what surrounds it has to be so too.
    let words = |text: &Text| text.in_language(Language::Chinese).split('`').step_by(2).collect::<String>();
    let (Ok((_, told)) | Err(told)) = loaded;
    all(told.iter().flat_map(texts).map(|text| {
        let is_chinese = words(text).contains(is_han);
        if is_chinese { Ok(()) } else { Err(format!("this is not said in Chinese: {text:?}")) }
    }))
}

/// All that a diagnostic says.
fn texts(Diagnostic { message, related, hints, .. }: &Diagnostic) -> impl Iterator<Item = &Text> {
    std::iter::once(message).chain(related.iter().map(|(_, label)| label)).chain(hints)
}
