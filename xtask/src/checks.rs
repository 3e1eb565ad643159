//! Formatting, lints and types.

use crate::{
    command::{Outcome, Run, step},
    packages,
};

/// Folder of the tests in the browser.
pub(crate) const BROWSER_TESTS: &str = "tests/browser";

/// Folders with a `tsconfig.json`, and the folder whose compiler checks them.
const TYPESCRIPT: [(&str, &str); 5] = [
    ("site", "site"),
    ("src/runtime", "site"),
    (BROWSER_TESTS, BROWSER_TESTS),
    ("tests/browser/portals", BROWSER_TESTS),
    ("tests/browser/portals/libraries", BROWSER_TESTS),
];

/// Everything that can be checked without running the tests.
pub(crate) fn check() -> Outcome {
    step("formatting", || {
        require_component("rustfmt", "fmt")?;
        Run::cargo(&["fmt", "--all", "--check"]).check()
    })?;
    step("lints", || {
        require_component("clippy", "clippy")?;
        let arguments = ["clippy", "--workspace", "--release", "--all-targets", "--locked", "--", "-D", "warnings"];
        Run::cargo(&arguments).check()
    })?;
    packages::ensure()?;
    step("types", || TYPESCRIPT.iter().try_for_each(|(project, compiler)| types(project, compiler)))
}

fn require_component(name: &str, subcommand: &str) -> Outcome {
    Run::cargo(&[subcommand, "--version"])
        .check_quietly()
        .map_err(|_| format!("{name} is not installed: run `rustup component add {name}`"))
}

fn types(project: &str, compiler: &str) -> Outcome {
    let compiler = format!("{compiler}/node_modules/typescript/bin/tsc");
    Run::new("node", &[&compiler, "--noEmit", "--project", project]).check()
}
