//! Random programs and damaged files, others each time. The tests try the same ones always.

use std::hash::{BuildHasher, RandomState};

use crate::{
    command::{Outcome, Run},
    packages,
    steps::Steps,
};

/// What a round tries: programs through the bundler, and damaged files of each kind that users write. Some minutes' work.
const COUNTS: [(&str, &str); 2] = [("PORTALGEN_FUZZ_GRAPHS", "20000"), ("PORTALGEN_FUZZ_INPUTS", "20000")];

/// Goes on until something fails, or `rounds` are over. Each begins with a seed of its own, which is named: all that follows
/// comes of it.
pub(crate) fn fuzz(rounds: u32, steps: &Steps) -> Outcome {
    packages::ensure_in(packages::SITE, steps)?;
    steps.take("the program", || cargo_test(&["--no-run"]).check())?;
    (0..rounds).try_for_each(|_| {
        let seed = random().to_string();
        let tests = cargo_test(&["--", "linker::", "fuzz::"]).env("PORTALGEN_FUZZ_SEED", &seed);
        let tests = COUNTS.iter().fold(tests, |tests, (variable, count)| tests.env(variable, count));
        steps.take(&format!("from PORTALGEN_FUZZ_SEED={seed}"), || tests.check())
    })
}

fn cargo_test(arguments: &[&str]) -> Run {
    Run::cargo(&[&["test", "--release", "--locked", "--test", "all"], arguments].concat())
}

/// A number that is easily copied.
fn random() -> u64 {
    RandomState::new().hash_one(()) % 1_000_000_000
}
