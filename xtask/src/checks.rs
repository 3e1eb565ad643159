//! Formatting, lints and types.

use std::collections::BTreeSet;

use crate::{
    command::{Outcome, Run},
    packages,
    steps::{Steps, beside},
};

/// Folder of the tests in the browser.
pub(crate) const BROWSER_TESTS: &str = "tests/browser";

/// Folders with a `tsconfig.json`, and the folder whose compiler checks them.
const TYPESCRIPT: [(&str, &str); 8] = [
    ("site", "site"),
    ("crates/build/src/runtime", "site"),
    ("crates/bundle/src/runtime/hot", "site"),
    ("crates/dev/src/client", "site"),
    ("crates/dev/src/panel/page", "site"),
    (BROWSER_TESTS, BROWSER_TESTS),
    ("tests/browser/portals", BROWSER_TESTS),
    ("tests/browser/portals/libraries", BROWSER_TESTS),
];

/// Everything that can be checked without running the tests.
pub(crate) fn check(steps: &Steps) -> Outcome {
    quick(steps)?;
    beside(|| packages::ensure(steps).and_then(|()| types(steps)), || lints(steps))
}

/// What takes a moment and needs nothing.
pub(crate) fn quick(steps: &Steps) -> Outcome {
    steps.take("formatting", || {
        require_component("rustfmt", "fmt")?;
        Run::cargo(&["fmt", "--all", "--check"]).check()
    })?;
    steps.take("features", features)
}

pub(crate) fn lints(steps: &Steps) -> Outcome {
    steps.take("lints", || {
        require_component("clippy", "clippy")?;
        let arguments = ["clippy", "--workspace", "--release", "--all-targets", "--locked", "--", "-D", "warnings"];
        Run::cargo(&arguments).check()
    })
}

fn require_component(name: &str, subcommand: &str) -> Outcome {
    Run::cargo(&[subcommand, "--version"])
        .check_quietly()
        .map_err(|_| format!("{name} is not installed: run `rustup component add {name}`"))
}

pub(crate) fn types(steps: &Steps) -> Outcome {
    steps.take("types", || TYPESCRIPT.iter().try_for_each(|(project, compiler)| types_of(project, compiler)))
}

fn types_of(project: &str, compiler: &str) -> Outcome {
    let compiler = format!("{compiler}/node_modules/typescript/bin/tsc");
    Run::new("node", &[&compiler, "--noEmit", "--project", project]).check_quietly()
}

/// Whether the program's dependencies have the same features in the tests as when it ships. Cargo turns on what any of the
/// selected packages asks for, be it for its tests: these would then run on something else, and all be compiled twice.
fn features() -> Outcome {
    let shipped = dependencies(&["--edges", "normal,build"])?;
    let tested = dependencies(&["--edges", "normal,build,dev", "--workspace"])?;
    let other: Vec<&str> = shipped.difference(&tested).map(String::as_str).collect();
    if other.is_empty() {
        return Ok(());
    }
    Err(format!(
        "dev-dependencies turn on more features of these than the program ships with; add what `cargo tree --edges features,dev` \
         shows to its own dependencies: {}",
        other.join(", ")
    ))
}

/// Every package with its features, as one line.
fn dependencies(arguments: &[&str]) -> Result<BTreeSet<String>, String> {
    let all = [&["tree", "--locked", "--quiet", "--prefix", "none", "--format", "{p} {f}"], arguments].concat();
    let lines = Run::cargo(&all).output()?;
    Ok(lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect())
}
