//! What `portalgen check` says about a portal. Each folder in `fixtures/check` is a project, and `expected.txt` the exit code
//! and all that is printed. `command.txt` may hold options, and variables of the environment in front of them. `UPDATE=1`
//! writes the expectations anew, for review.

#![allow(clippy::unwrap_used)]

mod project;

use std::{fs, path::Path};

use project::{Outcome, Project, compare, fixtures};

#[test]
fn what_breaks_a_rule_is_told_with_its_place() {
    let mut failures = Vec::new();
    let folders = fixtures("check");
    assert!(folders.len() > 10, "the fixtures were not found");
    for fixture in folders {
        let project = Project::copy_of(&fixture);
        let Outcome { code, stdout, stderr } = check(&project, &fixture);
        let actual = format!("exit code {code}\n\n{stderr}{stdout}");
        compare(&fixture.join("expected.txt"), &actual, &mut failures);
        assert!(!project.path("dist").exists(), "{}: something was published", fixture.display());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(project: &Project, fixture: &Path) -> Outcome {
    let words = fs::read_to_string(fixture.join("command.txt")).unwrap_or_default();
    let mut command = project.command("check");
    for word in words.split_whitespace() {
        match word.split_once('=').filter(|_| !word.starts_with('-')) {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    Outcome::of(&mut command)
}
