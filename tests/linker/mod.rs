//! Fuzzes the linker: random programs of ES modules must do the same when bundled as when the engine loads their
//! modules one by one.
//!
//! `PORTALGEN_FUZZ_GRAPHS` says how many programs are tried, `PORTALGEN_FUZZ_SEED` is the seed of the first, and
//! `PORTALGEN_FUZZ_FEATURES` switches features on and off, see `features.rs`. A divergence is reported with the smallest
//! program that still shows it.

mod draft;
mod effects;
mod features;
mod generate;
mod graph;
mod names;
mod run;
mod shrink;
mod statements;
mod topology;

use std::env;

use rayon::prelude::*;

use self::{
    features::Features,
    run::{Divergence, Verdict, compare, compare_all},
};

/// Always the same programs. `cargo xtask fuzz` tries others.
const GRAPHS: u64 = 1200;

/// How many programs one engine runs. Starting it takes longer than most of them.
const AT_ONCE: usize = 16;

/// How many divergences are shrunk and shown.
const SHOWN: u64 = 5;

fn setting(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

#[test]
fn bundles_do_what_their_modules_do() {
    let features = Features::parse(&env::var("PORTALGEN_FUZZ_FEATURES").unwrap_or_default());
    let first = setting("PORTALGEN_FUZZ_SEED", 1);
    let seeds = first..first + setting("PORTALGEN_FUZZ_GRAPHS", GRAPHS);
    let count = seeds.end - seeds.start;
    let seeds: Vec<u64> = seeds.collect();
    let results: Vec<(u64, Verdict)> = seeds
        .par_chunks(AT_ONCE)
        .flat_map(|seeds| {
            let graphs: Vec<_> = seeds.iter().map(|seed| generate::generate(*seed, &features)).collect();
            seeds.iter().copied().zip(compare_all(&graphs, &features)).collect::<Vec<_>>()
        })
        .filter(|(_, verdict)| *verdict != Verdict::Equal)
        .collect();
    let invalid: Vec<String> = results
        .iter()
        .filter_map(|(seed, verdict)| match verdict {
            Verdict::Invalid(reason) => {
                Some(format!("==== seed {seed}: {reason}\n{}", generate::generate(*seed, &features).describe()))
            }
            Verdict::Equal | Verdict::Diverges(_) => None,
        })
        .collect();
    assert!(invalid.is_empty(), "{} of {count} graphs are no programs\n{}", invalid.len(), invalid.join("\n"));
    let shown: Vec<String> = results
        .par_iter()
        .take(usize::try_from(setting("PORTALGEN_FUZZ_SHOWN", SHOWN)).unwrap())
        .map(|(seed, verdict)| report(*seed, verdict, &features))
        .collect();
    let seeds: Vec<String> = results.iter().map(|(seed, _)| seed.to_string()).collect();
    assert!(
        results.is_empty(),
        "{} of {count} graphs diverge: {}\n\n{}",
        results.len(),
        seeds.join(" "),
        shown.join("\n\n")
    );
}

fn report(seed: u64, verdict: &Verdict, features: &Features) -> String {
    let Verdict::Diverges(divergence) = verdict else { return String::new() };
    let graph = generate::generate(seed, features);
    let (graph, divergence) = shrink::shrink(graph, divergence.clone(), &|graph| compare(graph, features));
    let Divergence { minified, expected, got, chunks } = divergence;
    let got = match got {
        Ok(log) => log.join("\n"),
        Err(failure) => failure,
    };
    format!(
        "==== seed {seed}, minified: {minified}, ordered: {}\n{}---- chunks\n{chunks}---- expected\n{}\n---- got\n{got}",
        graph.ordered,
        graph.describe(),
        expected.join("\n")
    )
}
