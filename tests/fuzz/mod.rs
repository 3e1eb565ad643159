//! Whatever bytes somebody puts into `routes.toml`, a template, a page, a style sheet or an icon: no panic, no hang, no gluttony,
//! and every message says where.
//!
//! Inputs are made from the files of this repository by cutting, copying and mixing them with pieces that mean something
//! in their language. `PORTALGEN_FUZZ_INPUTS` is how many of each kind are tried, `PORTALGEN_FUZZ_SEED` the seed of the
//! first. What fails is written to the folder for temporary files and named with its seed.

mod inputs;
mod kinds;
mod limits;

use std::panic::{AssertUnwindSafe, catch_unwind};

use portalgen::cli::report::{self, Look};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::Language,
};

use self::{
    inputs::Corpus,
    kinds::{Kind, Verdict},
    limits::Watch,
};
use crate::support::{alone::alone, random::Random};

// Memory is counted for a whole process, and what hangs is ended with its process: each kind has one of its own.

/// Always the same inputs, enough to meet every kind of mistake some times. `cargo xtask fuzz` tries others.
const INPUTS: usize = 1_500;

#[test]
fn routes() {
    alone("fuzz::routes", || fuzz(Kind::Routes, INPUTS));
}

#[test]
fn templates() {
    alone("fuzz::templates", || fuzz(Kind::Template, INPUTS));
}

#[test]
fn pages() {
    alone("fuzz::pages", || fuzz(Kind::Page, INPUTS));
}

#[test]
fn style_sheets() {
    // Each is two sheets, and one of them is a CSS module.
    alone("fuzz::style_sheets", || fuzz(Kind::StyleSheet, INPUTS / 4));
}

#[test]
fn tables() {
    alone("fuzz::tables", || fuzz(Kind::Table, INPUTS));
}

#[test]
fn drawings() {
    // Icons in every size take their time.
    alone("fuzz::drawings", || fuzz(Kind::Drawing, INPUTS / 5));
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn fuzz(kind: Kind, inputs: usize) {
    let inputs = number("PORTALGEN_FUZZ_INPUTS").unwrap_or(inputs as u64);
    let first = number("PORTALGEN_FUZZ_SEED").unwrap_or(1);
    let corpus = Corpus::of(kind);
    let watch = Watch::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(limits::STACK).build().unwrap();
    let (mut refused, mut accepted) = (0_usize, 0_usize);
    for seed in first..first + inputs {
        let input = corpus.input(&mut Random::new(seed));
        let round = watch.begin(kind, seed, &input);
        let verdict = pool.install(|| catch_unwind(AssertUnwindSafe(|| kind.judge(&input))));
        let verdict = verdict.unwrap_or_else(|_| round.fail("it panics"));
        let found = match verdict {
            Verdict::Accepted(found) => {
                accepted += 1;
                found
            }
            Verdict::Refused(found) => {
                refused += 1;
                if !found.iter().any(Diagnostic::is_error) {
                    round.fail("it is refused without an error");
                }
                found
            }
        };
        for diagnostic in &found {
            if let Err(problem) = check(diagnostic) {
                round.fail(&format!("{problem}: {diagnostic:#?}"));
            }
        }
        round.end();
    }
    // Inputs that are all nonsense, or all in order, would test little.
    let least = usize::try_from(inputs / 15).map_or(20, |part| part.min(20));
    let is_mixed = refused > least && accepted > least;
    assert!(inputs < 60 || is_mixed, "{kind:?}: {accepted} accepted, {refused} refused");
}

/// What every message must be: placed, within its text, and harmless to a terminal.
fn check(diagnostic: &Diagnostic) -> Result<(), &'static str> {
    let Some(place) = &diagnostic.place else { return Err("a message has no place") };
    let places = std::iter::once(place).chain(diagnostic.related.iter().map(|(place, _)| place));
    if !places.into_iter().all(is_within) {
        return Err("a place lies outside of its text");
    }
    let diagnostics = std::slice::from_ref(diagnostic);
    for language in Language::ALL {
        let shown = report::human(diagnostic, Look { language, color: false });
        if shown.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}') {
            return Err("a message steers the terminal");
        }
        if shown.len() > 100_000 {
            return Err("a message is endless");
        }
        if report::github(diagnostics, language, "").lines().count() != 1 {
            return Err("an annotation takes more than a line");
        }
        report::json(diagnostics, language).to_string();
    }
    Ok(())
}

fn is_within(place: &Place) -> bool {
    place.source.text.get(place.span.clone()).is_some()
}
