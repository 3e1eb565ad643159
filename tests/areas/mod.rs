//! What each area of fixtures must keep.

mod bundle;
mod check;
mod config;
mod errors;
mod globals;

use std::path::Path;

use libtest_mimic::Trial;

use crate::support::fixtures::{self, Verdict};

/// A folder of `tests/fixtures` in which each folder is a test.
struct Area {
    name: &'static str,
    /// Fewer are a sign that they were not found.
    least: usize,
    judge: fn(&Path) -> Verdict,
}

/// Those that take longest come first, so that no core is idle in the end.
const AREAS: [Area; 5] = [
    Area { name: "errors", least: 11, judge: errors::judge },
    Area { name: "check", least: 11, judge: check::judge },
    Area { name: "bundle", least: 21, judge: bundle::judge },
    // If none is left, remove the area.
    Area { name: "bundle-faults", least: 1, judge: bundle::judge_fault },
    Area { name: "config", least: 21, judge: config::judge },
];

/// A test for each fixture, named after its folder: `bundle/dynamic-imports`.
pub(crate) fn trials() -> Vec<Trial> {
    AREAS.iter().flat_map(trials_of).chain(globals::trials()).collect()
}

fn trials_of(area: &Area) -> Vec<Trial> {
    let Area { name, least, judge } = *area;
    let folders = fixtures::folders(&fixtures::area(name));
    assert!(folders.len() >= least, "only {} fixtures of {name} were found", folders.len());
    folders
        .into_iter()
        .map(|folder| trial(format!("{name}/{}", fixtures::name(&folder)), move || judge(&folder)))
        .collect()
}

/// A test that fails with what its verdict says.
fn trial(name: String, judge: impl FnOnce() -> Verdict + Send + 'static) -> Trial {
    Trial::test(name, || judge().map_err(Into::into))
}
