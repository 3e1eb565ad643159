//! What `portalgen check` says about a portal: a project, and `expected.txt` with the exit code and all that is printed.
//! `command.txt` may hold options, and variables of the environment in front of them.

use std::{fs, path::Path};

use crate::support::{
    fixtures::{Verdict, all, compare},
    project::{Outcome, Project},
};

pub(super) fn judge(fixture: &Path) -> Verdict {
    let project = Project::copy_of(fixture);
    let Outcome { code, stdout, stderr } = check(&project, fixture);
    let actual = format!("exit code {code}\n\n{stderr}{stdout}");
    let is_published = project.path("dist").exists();
    let published = if is_published { Err("something was published".to_owned()) } else { Ok(()) };
    all([compare(&fixture.join("expected.txt"), &actual), published])
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
