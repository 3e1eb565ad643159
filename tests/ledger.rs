//! `routes.lock`: what was published once is not lost by accident.

use std::fs;

use crate::support::project::{Outcome, Project};

fn routes(paths: &[&str]) -> String {
    let route = |path| format!("[[route]]\npath = \"{path}\"\ncomponent = \"pages/index.tsx\"\n");
    paths.iter().map(route).collect::<Vec<_>>().concat()
}

fn portal(paths: &[&str]) -> Project {
    Project::new(&[
        ("routes.toml", &routes(paths)),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "export default () => <h1>Home</h1>;"),
    ])
}

fn locked(project: &Project) -> Vec<String> {
    let text = fs::read_to_string(project.path("routes.lock")).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn assert_built(outcome: &Outcome) {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}

#[test]
fn a_build_adds_what_it_publishes() {
    let project = portal(&["/", "/about", "/关于/我们", "/a b", "/c%23"]);
    project.write("site/public/terms.pdf", "%PDF");
    project.write("site/public/old/index.html", "<!doctype html><title>x</title>");
    project.write("site/public/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    project.write("site/public/.well-known/x.html", "x");
    project.write("site/public/notes.txt", &"What a server compresses is still one file.\n".repeat(100));
    project.write("site/public/table.csv", &"a,b\n".repeat(1000));
    let plain = fs::read_to_string(project.path("routes.toml")).unwrap();
    project.write("routes.toml", &format!("[deploy]\nplatform = [\"caddy\"]\n{plain}"));
    assert_built(&project.build(&[]));
    assert_eq!(locked(&project), ["/", "/a b", "/about", "/c%23", "/old", "/table.csv", "/terms.pdf", "/关于/我们"]);
    assert!(project.path("dist/table.csv.br").exists());
    let before = fs::metadata(project.path("routes.lock")).unwrap().modified().unwrap();
    assert_built(&project.build(&[]));
    assert_eq!(fs::metadata(project.path("routes.lock")).unwrap().modified().unwrap(), before, "nothing is new");
    project.write("routes.toml", &routes(&["/", "/about", "/关于/我们", "/a b", "/c%23", "/new"]));
    assert_built(&project.build(&[]));
    assert!(locked(&project).contains(&"/new".to_owned()));
}

#[test]
fn what_is_lost_is_told_with_what_to_do() {
    let project = portal(&["/", "/about", "/team", "/docs", "/docs/a", "/gone"]);
    assert_built(&project.build(&[]));
    let published = project.published();
    project.write("routes.toml", &routes(&["/", "/about", "/teams", "/docs"]));
    for command in ["build", "check"] {
        let outcome = project.run(command, &[]);
        assert_eq!(outcome.code, 1, "{command}");
        for expected in [
            "error[dropped-url]: `/team` was published before, but no longer exists",
            "run `portalgen redirect /team /teams`",
            "run `portalgen redirect /docs/a /docs`",
            "run `portalgen redirect /gone /`",
            "if the page is gone for good, add these lines to routes.toml: `[[route]]`, `path = \"/gone\"`, `retired = true`",
            "--> routes.lock:8:1",
        ] {
            assert!(outcome.stderr.contains(expected), "{command}: {expected}\n{}", outcome.stderr);
        }
    }
    assert_eq!(project.published(), published);
    let lock = locked(&project);
    assert!(lock.contains(&"/gone".to_owned()) && !lock.contains(&"/teams".to_owned()), "{lock:?}");

    // What the hints propose works.
    assert_eq!(project.run("redirect", &["/team", "/teams"]).code, 0);
    assert_eq!(project.run("redirect", &["/docs/a", "/docs"]).code, 0);
    let edited = fs::read_to_string(project.path("routes.toml")).unwrap();
    project.write("routes.toml", &format!("{edited}\n[[route]]\npath = \"/gone\"\nretired = true\n"));
    assert_built(&project.build(&[]));
    assert!(project.path("dist/team/index.html").exists() && !project.path("dist/gone").exists());
    assert!(locked(&project).contains(&"/teams".to_owned()));
}

#[test]
fn a_file_that_is_gone_counts_too() {
    let project = portal(&["/"]);
    project.write("site/public/terms.pdf", "%PDF");
    assert_built(&project.build(&[]));
    project.remove("site/public/terms.pdf");
    assert!(project.build(&[]).stderr.contains("`/terms.pdf` was published before, but no longer exists"));
    assert_eq!(project.run("redirect", &["/terms.pdf", "/"]).code, 0);
    assert_built(&project.build(&[]));
}

#[test]
fn the_level_may_be_changed() {
    let project = portal(&["/", "/about"]);
    assert_built(&project.build(&[]));
    project.write("routes.toml", &format!("[check]\ndropped-url = \"warning\"\n{}", routes(&["/"])));
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 0);
    assert!(outcome.stderr.contains("warning[dropped-url]: `/about`"), "{}", outcome.stderr);
    assert!(locked(&project).contains(&"/about".to_owned()), "it stays in the ledger");
    project.write("routes.toml", &format!("[check]\ndropped-url = \"off\"\n{}", routes(&["/"])));
    assert_built(&project.build(&[]));
}

#[test]
fn a_locked_build_adds_nothing() {
    let project = portal(&["/"]);
    let outcome = project.build(&["--locked"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("`routes.lock` does not list all addresses of the portal"), "{}", outcome.stderr);
    assert!(!project.path("routes.lock").exists() && !project.path("dist").exists());
    assert_built(&project.build(&[]));
    assert_built(&project.build(&["--locked"]));
}

#[test]
fn a_damaged_ledger_is_told_and_left_alone() {
    let project = portal(&["/"]);
    let damaged = "/\n<<<<<<< ours\n/a\n=======\nabout\n>>>>>>> theirs\n/x?y\n";
    project.write("routes.lock", damaged);
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 1);
    for expected in
        ["routes.lock:2:1", "this is a merge conflict", "routes.lock:5:1", "routes.lock:7:1", "this is not a path"]
    {
        assert!(outcome.stderr.contains(expected), "{expected}\n{}", outcome.stderr);
    }
    assert_eq!(fs::read_to_string(project.path("routes.lock")).unwrap(), damaged);

    // Windows, blank lines, comments, and lines out of order are no damage.
    project.write("routes.lock", "\u{feff}# mine\r\n\r\n/b\r\n/\r\n/b\r\n");
    let outcome = project.build(&[]);
    assert!(
        outcome.stderr.contains("`/b` was published") && outcome.stderr.contains("routes.lock:3:1"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_ledger_that_cannot_be_written_is_no_reason_to_fail() {
    let project = portal(&["/"]);
    fs::create_dir(project.path("routes.lock")).unwrap();
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 1, "a folder in its place can be mended");
    assert!(outcome.stderr.contains("cannot read `routes.lock`"), "{}", outcome.stderr);
}

#[test]
fn whoever_denies_warnings_is_told_of_addresses_that_were_not_added() {
    for (arguments, code) in [(&[][..], 0), (&["--deny", "warnings"], 1)] {
        let project = portal(&["/"]);
        std::os::unix::fs::symlink("nowhere", project.path("routes.lock")).unwrap();
        let outcome = project.build(arguments);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("warning: new addresses could not be recorded"), "{}", outcome.stderr);
        assert!(project.path("dist/index.html").is_file() && !project.path("nowhere").exists());
        assert_eq!(outcome.stderr.contains("published, but the command fails because warnings are denied"), code == 1);
        assert!(!outcome.stderr.contains("nothing was published"), "{}", outcome.stderr);
    }
}
