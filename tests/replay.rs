//! Builds that are not made again, since nothing has changed: they must tell and leave what a build would.

mod bundles;
mod edits;
mod together;

use std::{
    fs::{self, File},
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};

use serde_json::Value;

use crate::support::project::{Outcome, Project, Tree, tree};

const CACHE: &str = "site/node_modules/.cache";

const ROUTES: &str = "[portal]\nlang = \"en\"\nproduct = \"Acme\"\n\n\
    [[route]]\npath = \"/\"\ntitle = \"Home\"\ndescription = \"All\"\n\n\
    [[route]]\npath = \"/about\"\ntitle = \"About\"\ndescription = \"About all\"\n";

/// A portal that builds twice before it is replayed: the first build writes the ledger.
fn portal() -> Project {
    let project = Project::new(&[
        ("routes.toml", ROUTES),
        ("site/pages/index.tsx", "import { word } from \"part\";\nexport default () => <h1>{word}</h1>;\n"),
        ("site/pages/about.tsx", "import data from \"./about.json\";\nexport default () => <h1>{data.title}</h1>;\n"),
        ("site/pages/about.json", "{ \"title\": \"About us\" }\n"),
        ("site/public/robots.txt", "User-agent: *\n"),
    ]);
    install(&project, "first");
    project
}

/// Installs a version of the package that a page uses.
fn install(project: &Project, word: &str) {
    project.write("site/node_modules/part/index.js", &format!("export const word = \"{word}\";\n"));
    let package =
        format!("{{ \"name\": \"part\", \"version\": \"{word}\", \"type\": \"module\", \"main\": \"index.js\" }}\n");
    project.write("site/node_modules/part/package.json", &package);
}

/// A portal that was built, and whose next build is replayed.
fn built() -> Project {
    let project = portal();
    for _ in 0..2 {
        assert_succeeds(&project.build(&[]));
    }
    assert!(is_replayed(&project, &[]));
    project
}

fn assert_succeeds(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}

/// Builds, and tells whether it was an earlier build's turn to speak.
fn is_replayed(project: &Project, arguments: &[&str]) -> bool {
    let outcome = project.build(&[arguments, &["--timings"]].concat());
    assert_succeeds(&outcome);
    assert!(outcome.stderr.contains("compare with the last build"), "{}", outcome.stderr);
    !outcome.stderr.contains("  documents\n")
}

/// What a result for programs holds besides times.
fn without_times(outcome: &Outcome) -> Value {
    let mut result: Value = serde_json::from_str(&outcome.stdout).unwrap();
    result.as_object_mut().unwrap().remove("milliseconds");
    result
}

fn set_modified(path: &Path, time: SystemTime) {
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

/// What the project would publish without anything of earlier builds.
fn clean(project: &Project) -> Tree {
    let kept = project.path("kept");
    fs::create_dir_all(&kept).unwrap();
    for (path, name) in [(CACHE, "cache"), ("dist", "dist")] {
        if project.path(path).exists() {
            fs::rename(project.path(path), kept.join(name)).unwrap();
        }
    }
    assert_succeeds(&project.build(&[]));
    let published = project.published();
    for (path, name) in [(CACHE, "cache"), ("dist", "dist")] {
        let _ = fs::remove_dir_all(project.path(path));
        if kept.join(name).exists() {
            fs::rename(kept.join(name), project.path(path)).unwrap();
        }
    }
    published
}

#[test]
fn what_is_told_is_what_a_build_would_tell() {
    let project = portal();
    let titles = ROUTES.replace("About\"\nd", "Home\"\nd");
    project.write("routes.toml", &titles);
    project.write("site/parts/card.module.css", ".card { top: 0 }\n");
    for command in ["build", "check"] {
        let forms: [&[&str]; 6] = [
            &[],
            &["--lang", "zh"],
            &["--format", "github"],
            &["--json"],
            &["--deny", "warnings"],
            &["--deny", "warnings", "--json", "--lang", "zh"],
        ];
        // The first builds change what there is to tell: the ledger is written.
        assert_succeeds(&project.run(command, &[]));
        for form in forms {
            let arguments = form.iter().copied();
            let first = project.run(command, &arguments.clone().collect::<Vec<_>>());
            let second = project.run(command, &arguments.clone().collect::<Vec<_>>());
            fs::remove_dir_all(project.path(CACHE)).unwrap();
            let third = project.run(command, &arguments.collect::<Vec<_>>());
            for outcome in [&second, &third] {
                assert_eq!((first.code, &first.stderr), (outcome.code, &outcome.stderr), "{command} {form:?}");
                if form.contains(&"--json") {
                    assert_eq!(without_times(&first), without_times(outcome), "{command} {form:?}");
                } else {
                    assert_eq!(first.stdout, outcome.stdout, "{command} {form:?}");
                }
            }
        }
    }
    let warned = project.run("check", &[]);
    assert!(warned.stderr.contains("warning"), "there was something to tell: {}", warned.stderr);
}

#[test]
fn other_options_are_another_build() {
    let project = built();
    let options: [&[&str]; 6] = [
        &["--no-minify"],
        &["--base", "/app/"],
        &["--mode", "development"],
        &["--sourcemap"],
        &["--out", "other"],
        &["--host", "https://chat.example.com"],
    ];
    for arguments in options {
        assert!(!is_replayed(&project, arguments), "{arguments:?}");
    }
    let mut command = project.command("build");
    let outcome = Outcome::of(command.args(["--timings"]).env("PORTALGEN_PUBLIC_NAME", "value"));
    assert!(outcome.stderr.contains("  documents\n"), "{}", outcome.stderr);
    assert!(!is_replayed(&project, &["--verify"]), "to verify is to build");
    // With the folder as it was published, and only then.
    assert_succeeds(&project.build(&[]));
    assert!(is_replayed(&project, &["--jobs", "1"]), "as many threads as there are make the same");
    assert!(is_replayed(&project, &["--deny", "warnings"]));
    assert!(is_replayed(&project, &["--locked"]));
}

#[test]
fn new_times_alone_are_no_change() {
    let project = built();
    let files = tree(&project.path("site/pages")).into_keys().map(|name| format!("site/pages/{name}"));
    let files: Vec<String> = files.chain(["routes.toml".into(), "dist/index.html".into()]).collect();
    let now = SystemTime::now();
    for time in [now, now - Duration::from_hours(1), now + Duration::from_hours(1), SystemTime::UNIX_EPOCH] {
        for file in &files {
            set_modified(&project.path(file), time);
        }
        assert!(is_replayed(&project, &[]), "{time:?}");
    }
    // As a checkout leaves them: other files with the same content, and what was kept beside them.
    for (path, bytes) in tree(&project.path("site/pages")) {
        project.remove(&format!("site/pages/{path}"));
        project.write_bytes(&format!("site/pages/{path}"), &bytes);
    }
    assert!(is_replayed(&project, &[]));
}

#[test]
fn no_edit_hides_behind_the_time_or_the_size_of_a_file() {
    let project = built();
    // Long enough after the edits before for times to be trusted.
    std::thread::sleep(Duration::from_secs(4));
    assert!(is_replayed(&project, &[]) && is_replayed(&project, &[]));
    for (file, from, to) in [
        ("site/pages/about.json", "About us", "About me"),
        ("routes.toml", "About all", "About one"),
        ("site/node_modules/part/index.js", "first", "later"),
        ("site/public/robots.txt", "agent: *", "agent: x"),
    ] {
        let path = project.path(file);
        let (text, time) = (fs::read_to_string(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
        fs::write(&path, text.replace(from, to)).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), text.len() as u64, "of the same size");
        set_modified(&path, time);
        assert!(!is_replayed(&project, &[]), "{file}");
        assert_eq!(project.published(), clean(&project), "{file}");
    }
}

type Change = fn(&Project);

#[test]
fn what_was_published_must_still_be_there() {
    let project = built();
    let whole = project.published();
    let edits: [(&str, Change); 7] = [
        ("a page that is gone", |project| project.remove("dist/index.html")),
        ("another page", |project| project.write("dist/index.html", "mine")),
        ("a note that is gone", |project| project.remove("dist/.portalgen/deploy/portal.json")),
        ("the folder that is gone", |project| fs::remove_dir_all(project.path("dist")).unwrap()),
        ("a file in the making", |project| project.write("dist/.portalgen/tmp/.portalgen-1-1", "half")),
        ("another record", |project| {
            let record = fs::read_to_string(project.path("dist/.portalgen/manifest.json")).unwrap();
            project.write("dist/.portalgen/manifest.json", &format!("{record}\n"));
        }),
        ("a link in the place of a folder", |project| {
            fs::rename(project.path("dist/about"), project.path("about")).unwrap();
            std::os::unix::fs::symlink("../about", project.path("dist/about")).unwrap();
        }),
    ];
    for (name, edit) in edits {
        edit(&project);
        let outcome = project.build(&[]);
        if name.starts_with("a link") {
            assert!(outcome.stderr.contains("`dist/about` is in the way"), "{}", outcome.stderr);
            continue;
        }
        assert_succeeds(&outcome);
        assert_eq!(project.published(), whole, "{name}");
        assert!(is_replayed(&project, &[]), "{name}");
    }
}

#[test]
fn files_of_others_in_the_output_folder_are_no_change() {
    let project = built();
    project.write("dist/mine.txt", "mine");
    assert!(is_replayed(&project, &[]));
}

#[test]
fn a_failed_build_is_made_again() {
    let project = built();
    project.write("site/pages/about.json", "{ \"title\": }\n");
    let (first, second) = (project.build(&[]), project.build(&[]));
    assert_eq!((first.code, &first.stderr), (1, &second.stderr));
    project.write("site/pages/about.json", "{ \"title\": \"About us\" }\n");
    assert!(is_replayed(&project, &[]), "what was built before is as it was");
}

/// Branches with other versions of a package, and what is left of one while the other is checked out.
#[test]
fn packages_are_compared_and_not_their_lockfile() {
    let project = built();
    let checkout = |word: &str| project.write("site/package-lock.json", &format!("{{ \"part\": \"{word}\" }}\n"));
    let steps: [(&str, &dyn Fn()); 7] = [
        ("the other branch, nothing installed", &|| checkout("second")),
        ("installed", &|| install(&project, "second")),
        ("back, nothing installed", &|| checkout("first")),
        ("installed", &|| install(&project, "first")),
        ("the lockfile edited by hand", &|| checkout("third")),
        ("the other branch, installed", &|| (checkout("second"), install(&project, "second")).1),
        ("without the package", &|| fs::remove_dir_all(project.path("site/node_modules/part")).unwrap()),
    ];
    for (name, step) in steps {
        step();
        let outcome = project.build(&[]);
        if name.starts_with("without") {
            assert!(outcome.code == 1 && outcome.stderr.contains("part"), "{}", outcome.stderr);
        } else {
            assert_succeeds(&outcome);
            assert_eq!(project.published(), clean(&project), "{name}");
        }
    }
}

fn git(project: &Project, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
    let output = command.current_dir(project.path("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_git_says_is_compared() {
    let project = portal();
    project.write("routes.toml", &ROUTES.replace("[portal]", "[portal]\norigin = \"https://www.example.com\""));
    project.write(".gitignore", "node_modules\ndist\n");
    git(&project, &["init", "--quiet"]);
    for _ in 0..2 {
        assert_succeeds(&project.build(&[]));
    }
    assert!(is_replayed(&project, &[]), "nothing is committed");
    let commit = || {
        git(&project, &["add", "--all"]);
        git(&project, &["commit", "--quiet", "--message", "all"]);
    };
    commit();
    assert!(!is_replayed(&project, &[]), "pages have a day now");
    let sitemap = fs::read_to_string(project.path("dist/sitemap.xml")).unwrap();
    assert!(sitemap.contains("<lastmod>"), "{sitemap}");
    assert!(is_replayed(&project, &[]));

    // Git writes its index anew, and has nothing else to say.
    set_modified(&project.path("site/pages/index.tsx"), SystemTime::UNIX_EPOCH);
    git(&project, &["status"]);
    assert!(is_replayed(&project, &[]) && is_replayed(&project, &[]));
    project.write("site/pages/about.json", "{ \"title\": \"About us all\" }\n");
    commit();
    assert!(!is_replayed(&project, &[]));
    assert_eq!(project.published(), clean(&project));
}
