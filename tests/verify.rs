//! `portalgen build --verify`.

use std::{fs, os::unix::fs::PermissionsExt, process::Command};

use crate::support::project::{Outcome, Project};

const ROUTES: &str = "[portal]\norigin = \"https://acme.example\"\n\n[deploy]\nplatform = [\"nginx\"]\n\n\
    [build]\nkeep = 1\n\n[[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/about\"\ntitle = \"About\"\n";

fn portal() -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/pages/index.tsx", "import \"../home.css\";\n\nexport default () => <h1>home</h1>;\n"),
        ("site/home.css", "h1 { color: navy }\n"),
        (
            "site/pages/about.tsx",
            "import lines from \"../data/lines.txt?raw\";\n\nexport default () => <p>{lines}</p>;\n",
        ),
        ("site/data/lines.txt", "first\n"),
        ("site/public/robots.txt", "User-agent: *\n"),
    ])
}

/// The build, with a Git in front of the real one that does something else first.
fn build_while(project: &Project, script: &str, arguments: &[&str]) -> Outcome {
    let path = std::env::var("PATH").unwrap();
    let git = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    project.write("bin/git", &format!("#!/bin/sh\n{script}\nexec {} \"$@\"\n", git.display()));
    fs::set_permissions(project.path("bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{path}", project.path("bin").display());
    Outcome::of(project.command("build").args(arguments).env("PATH", path))
}

fn git(project: &Project, arguments: &[&str]) {
    let author = ["-c", "user.name=a", "-c", "user.email=a@acme.example"];
    let git = Command::new("git").args(author).args(arguments).current_dir(project.path("")).output().unwrap();
    assert!(git.status.success(), "{git:?}");
}

#[test]
fn a_build_that_gives_the_same_bytes_is_published() {
    let project = portal();
    git(&project, &["init", "--quiet"]);
    git(&project, &["add", "routes.toml", "site/pages", "site/data"]);
    git(&project, &["commit", "--quiet", "--message", "all"]);
    assert_eq!(project.build(&[]).code, 0);
    // One asset less: the second build keeps it for visitors of the first.
    project.write("site/home.css", "h1 { color: teal }\n");
    let plain = project.build(&[]);
    assert_eq!(plain.code, 0, "{}", plain.stderr);
    let published = project.published();
    for jobs in ["1", "2"] {
        let verified = project.build(&["--verify", "--jobs", jobs]);
        assert_eq!((verified.code, verified.stderr.as_str()), (0, ""));
        assert_eq!(project.published(), published);
    }
    let calls = project.path("calls");
    let script = format!("echo \"$PWD $*\" >> {}", calls.display());
    assert_eq!(build_while(&project, &script, &["--verify"]).code, 0);
    let calls = fs::read_to_string(calls).unwrap();
    let mut calls: Vec<&str> = calls.lines().collect();
    let half = calls.len() / 2;
    let (first, second) = calls.split_at_mut(half);
    // A build asks Git several things at once, in any order.
    first.sort_unstable();
    second.sort_unstable();
    assert!(!first.is_empty());
    assert_eq!(first, second, "both builds ask for the history, at the same place");
}

/// Stages read `routes.toml` before they ask Git, so the first build does not see the change, and the second one does.
#[test]
fn the_first_byte_that_differs_is_shown_and_nothing_is_published() {
    let project = portal();
    let before = project.publish_something();
    let result = build_while(&project, "sed -i s/Home/Haven/ routes.toml", &["--verify"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    let shown = result.stderr.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert!(shown.starts_with("error: two builds of the same sources differ: `index.html`, from byte "));
    for expected in
        ["<title>Home</title>", "<title>Haven</title>", "the second build", "= hint: make sure that nothing"]
    {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(shown.ends_with("1 error; nothing was published"), "{shown}");
    assert_eq!(project.published(), before);
}

#[test]
fn mistakes_that_only_the_second_build_has_are_told() {
    let project = portal();
    let result = build_while(&project, "echo oops >> routes.toml", &["--verify"]);
    assert_eq!(result.code, 1, "{}", result.stderr);
    assert!(result.stderr.contains("--> routes.toml:"), "{}", result.stderr);
    assert!(!project.path("dist").exists());
}
