//! What people see when a portal cannot be built. Each folder in `fixtures/errors` is a project with mistakes, and
//! `expected.txt` what `portalgen build` says about them. `UPDATE=1` writes these files anew, for review.

#![allow(clippy::unwrap_used)]

mod project;

use project::{Project, compare, fixtures};

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
        let actual = format!("exit code {}\n\n{}", result.code, result.stderr);
        compare(&fixture.join("expected.txt"), &actual, &mut failures);
        assert_eq!(result.stdout, "", "{}", fixture.display());
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
