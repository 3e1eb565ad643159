//! What people see when a portal cannot be built. Each folder in `fixtures/errors` is a project with mistakes, and
//! `expected.txt` what `portalgen build` says about them; some have an `expected.zh.txt` with the same in Chinese.
//! `UPDATE=1` writes these files anew, for review.

#![allow(clippy::unwrap_used)]

mod project;

use std::path::Path;

use project::{Outcome, Project, compare, fixtures};

#[test]
fn every_mistake_is_told_with_its_place() {
    let mut failures = Vec::new();
    let folders = fixtures("errors");
    assert!(folders.len() > 10, "the fixtures were not found");
    for fixture in folders {
        let project = Project::copy_of(&fixture);
        let before = project.publish_something();
        let result = project.build(&[]);
        assert_eq!(project.published(), before, "{}: a failed build changed the output folder", fixture.display());
        check(&fixture.join("expected.txt"), &result, &mut failures);
        let chinese = fixture.join("expected.zh.txt");
        if chinese.exists() {
            let result = project.build(&["--lang", "zh"]);
            check(&chinese, &result, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check(path: &Path, result: &Outcome, failures: &mut Vec<String>) {
    assert_eq!(result.stdout, "", "{}", path.display());
    compare(path, &format!("exit code {}\n\n{}", result.code, result.stderr), failures);
}
