//! What people see when a portal cannot be built: a project with mistakes, and `expected.txt` with what `portalgen build`
//! says about them, perhaps `expected.zh.txt` with the same in Chinese.

use std::path::Path;

use crate::support::{
    fixtures::{Verdict, all, compare},
    project::{Outcome, Project},
};

pub(super) fn judge(fixture: &Path) -> Verdict {
    let project = Project::copy_of(fixture);
    let before = project.publish_something();
    let english = check(&fixture.join("expected.txt"), &project.build(&[]));
    let is_unchanged = project.published() == before;
    let unchanged = if is_unchanged { Ok(()) } else { Err("a failed build changed the output folder".to_owned()) };
    let chinese = fixture.join("expected.zh.txt");
    let chinese = chinese.exists().then(|| check(&chinese, &project.build(&["--lang", "zh"])));
    all([english, unchanged].into_iter().chain(chinese))
}

fn check(expected: &Path, result: &Outcome) -> Verdict {
    let Outcome { code, stdout, stderr } = result;
    let silent = if stdout.is_empty() { Ok(()) } else { Err(format!("it printed {stdout}")) };
    all([silent, compare(expected, &format!("exit code {code}\n\n{stderr}"))])
}
