//! What stands in the place of something that portalgen writes: links, pipes and files of somebody else's.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::support::project::{Outcome, Project, Tree, repository, tree};

const PAGE: &str = "import styles from \"../parts/card.module.css\";\n\
                    export default () => <p className={styles.card}>Here</p>;\n";

const ROUTES: &str =
    "[deploy]\nplatform = [\"nginx\"]\n[[route]]\npath = \"/\"\ntitle = \"Home\"\ndescription = \"Here\"\n";
/// A file under this name, in a folder of portalgen's own, is replaced whatever it holds.
const OWN_NAME: &str = "dist/.portalgen/deploy/portal.json";

/// A portal for which everything is written that portalgen writes at all.
fn portal() -> Project {
    let project = Project::new(&[
        ("routes.toml", ROUTES),
        ("site/parts/card.module.css", ".card{top:0}"),
        ("site/pages/index.tsx", PAGE),
        // What a careless program would delete or replace, under the names that it would look for.
        ("victim/root.d.ts", "precious"),
        ("victim/types/old.d.ts", "precious"),
        ("victim/parts/card.module.css.d.ts", "precious"),
        ("victim/card.module.css.d.ts", "precious"),
        ("victim/portal.json", "precious"),
        ("victim/manifest.json", "precious"),
        ("victim/deploy/old.conf", "precious"),
        ("victim/portalgen/results/0.pack", "precious"),
        ("victim/uses", "precious"),
        ("victim/0", "precious"),
        ("victim/index.html", "precious"),
        ("victim/file", "precious"),
    ]);
    let settings = fs::read_to_string(repository().join("site/tsconfig.json")).unwrap();
    project.write("site/tsconfig.json", &settings);
    project
}

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    LinkToFolder,
    LinkToFile,
    Pipe,
    /// A folder full of things that portalgen has never seen.
    Folder,
}

impl Obstacle {
    const ALL: [Self; 4] = [Self::LinkToFolder, Self::LinkToFile, Self::Pipe, Self::Folder];

    fn put(self, project: &Project, path: &str) {
        let at = project.path(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        match self {
            Self::LinkToFolder => symlink(project.path("victim"), at).unwrap(),
            Self::LinkToFile => symlink(project.path("victim/file"), at).unwrap(),
            Self::Pipe => assert!(Command::new("mkfifo").arg(at).status().unwrap().success()),
            Self::Folder => {
                for (name, bytes) in tree(&project.path("victim")) {
                    project.write_bytes(&format!("{path}/{name}"), &bytes);
                }
            }
        }
    }

    /// Whether it is still what it was.
    fn is_untouched(self, project: &Project, path: &str) -> bool {
        let at = project.path(path);
        match self {
            Self::LinkToFolder | Self::LinkToFile => at.is_symlink(),
            Self::Pipe => at.symlink_metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()),
            Self::Folder => {
                let there = tree(&at);
                let is_own = |name: &String| format!("{path}/{name}") == OWN_NAME;
                victim(project).iter().all(|(name, bytes)| is_own(name) || there.get(name) == Some(bytes))
            }
        }
    }
}

/// Runs a command, and fails when it waits for a pipe that nobody writes to.
fn run(project: &Project, command: &str) -> Outcome {
    let mut child = project.command(command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_mins(5);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("`portalgen {command}` hangs");
        }
        thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn victim(project: &Project) -> Tree {
    tree(&project.path("victim"))
}

/// Everything outside of what portalgen owns.
fn sources(project: &Project) -> Tree {
    let is_own = |path: &str| {
        ["dist/", "site/.portalgen/", "site/node_modules/", "routes.lock"].iter().any(|own| path.starts_with(own))
    };
    tree(&project.path("")).into_iter().filter(|(path, _)| !is_own(path)).collect()
}

/// Puts each obstacle in the place of each path, runs a command, and looks at what it did. It tells of the obstacle by
/// the name of the file or folder.
fn obstruct(paths: &[&str], obstacles: &[Obstacle], command: &str) {
    for path in paths {
        for obstacle in obstacles {
            let project = portal();
            obstacle.put(&project, path);
            let before = sources(&project);
            let outcome = run(&project, command);
            let case = format!("{obstacle:?} at {path}, `{command}`: {}{}", outcome.stdout, outcome.stderr);
            assert_eq!(sources(&project), before, "{case}");
            assert!(obstacle.is_untouched(&project, path), "{case}");
            let is_own_folder = *obstacle == Obstacle::Folder && is_folder_of_ours(path);
            assert!(is_own_folder || outcome.stderr.contains(path), "{case}");
            assert!(outcome.code == 0 || outcome.stderr.contains("nothing was published"), "{case}");
            assert!(outcome.code == 0 || !project.path("dist/index.html").is_file(), "{case}");
        }
    }
}

/// Folders that portalgen shares with others: what is theirs stays, and there is nothing to say about it.
fn is_folder_of_ours(path: &str) -> bool {
    let own =
        ["site/.portalgen", "site/node_modules/.cache", "site/node_modules/.cache/portalgen", "dist/.portalgen/deploy"];
    own.contains(&path)
}

#[test]
fn types_are_written_to_a_folder_of_their_own_only() {
    let paths = [
        "site/.portalgen",
        "site/.portalgen/types",
        "site/.portalgen/types/parts",
        "site/.portalgen/types/parts/card.module.css.d.ts",
    ];
    obstruct(&paths, &Obstacle::ALL, "check");
}

#[test]
fn what_a_build_leaves_beside_the_output_goes_through_no_link() {
    obstruct(&["routes.lock", "site/node_modules/.cache"], &[Obstacle::LinkToFolder, Obstacle::Pipe], "build");
    obstruct(&["site/node_modules/.cache/portalgen"], &[Obstacle::LinkToFolder, Obstacle::Folder], "build");
    let folders = ["results", "builds"].map(|name| format!("site/node_modules/.cache/portalgen/{name}"));
    let folders = folders.each_ref().map(String::as_str);
    obstruct(&folders, &[Obstacle::LinkToFolder, Obstacle::LinkToFile, Obstacle::Pipe], "build");
}

#[test]
fn the_output_folder_is_searched_for_what_is_in_the_way_before_anything_is_written() {
    obstruct(&["dist/.portalgen/deploy"], &Obstacle::ALL, "build");
    obstruct(&["dist/.portalgen/deploy/portal.json"], &[Obstacle::LinkToFile, Obstacle::Pipe], "build");
    let paths = ["dist/.portalgen", "dist/.portalgen/lock", "dist/.portalgen/manifest.json"];
    obstruct(&paths, &[Obstacle::LinkToFolder, Obstacle::Pipe], "build");
}

#[test]
fn what_others_put_among_the_types_stays_and_is_told() {
    let project = portal();
    assert_eq!(run(&project, "build").stderr, "");
    let own = "site/.portalgen/types/parts/card.module.css.d.ts";
    let text = fs::read_to_string(project.path(own)).unwrap();
    project.write(own, &format!("{text}// mine\n"));
    project.write("site/.portalgen/types/mine.d.ts", "declare const mine: string;\n");
    project.write("site/.portalgen/types/gone.module.css.d.ts", &text.replace("card", "gone"));
    let outcome = run(&project, "check");
    for path in [own, "site/.portalgen/types/mine.d.ts"] {
        assert!(
            outcome.stderr.contains(&format!("warning: `{path}` was not written by portalgen")),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(outcome.stderr.matches("warning:").count(), 2, "{}", outcome.stderr);
    assert!(fs::read_to_string(project.path(own)).unwrap().ends_with("// mine\n"));
    assert!(!project.path("site/.portalgen/types/gone.module.css.d.ts").exists(), "an old one of ours");
}

#[test]
fn a_bundle_never_takes_the_place_of_its_sources_nor_goes_through_a_link() {
    let files =
        [("src/entry.js", "import \"./other.js\";\n"), ("src/other.js", "console.log(1);\n"), ("victim", "mine")];
    let bundle = |project: &Project, out: &str| project.run("bundle", &["src/entry.js", "--out", out]);
    let project = Project::without_packages(&files);
    symlink("src", project.path("link")).unwrap();
    for out in ["src", "link"] {
        let outcome = bundle(&project, out);
        assert_eq!(outcome.code, 1);
        assert!(
            outcome.stderr.contains(&format!("`{out}/entry.js`: it is one of the source modules")),
            "{}",
            outcome.stderr
        );
    }
    assert_eq!(fs::read_to_string(project.path("src/entry.js")).unwrap(), files[0].1);

    fs::create_dir(project.path("out")).unwrap();
    symlink("../victim", project.path("out/entry.js")).unwrap();
    let outcome = bundle(&project, "out");
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("`out/entry.js` is in the way and is a symbolic link"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nothing was written"), "{}", outcome.stderr);
    assert_eq!(fs::read_to_string(project.path("victim")).unwrap(), "mine");
}

#[test]
fn a_table_is_written_to_a_file_or_not_at_all() {
    let project = Project::without_packages(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"Home\"\n"),
        ("site/pages/index.tsx", ""),
        ("victim", "mine"),
    ]);
    symlink("victim", project.path("table.csv")).unwrap();
    assert!(Command::new("mkfifo").arg(project.path("pipe.csv")).status().unwrap().success());
    for (file, words) in [("table.csv", "is a symbolic link"), ("pipe.csv", "is a pipe"), ("site", "is a folder")] {
        let outcome = project.run("titles", &["export", file]);
        assert_eq!(outcome.code, 2);
        let what = words.trim_start_matches("is ");
        assert!(outcome.stderr.contains(&format!("`{file}` is in the way and is {what}")), "{}", outcome.stderr);
    }
    assert_eq!(fs::read_to_string(project.path("victim")).unwrap(), "mine");
    assert_eq!(project.run("titles", &["export", "new.csv"]).code, 0);
    assert!(is_file(&project.path("new.csv")));
    let folder = project.run("titles", &["export", "."]);
    assert!(folder.code == 2 && folder.stderr.contains("error: `.` is a folder, not a file"), "{}", folder.stderr);
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
}

#[test]
fn a_broken_link_is_not_taken_for_a_file_that_is_missing() {
    let project = Project::without_packages(&[("site/pages/index.tsx", "")]);
    symlink("elsewhere.toml", project.path("routes.toml")).unwrap();
    let result = project.run("routes", &[]);
    assert_eq!(result.code, 1);
    assert!(result.stderr.contains("error: routes.toml is a broken symbolic link"), "{}", result.stderr);
}

/// Files in the making have names of their own, so those of others are neither opened nor followed.
#[test]
fn a_file_beside_the_one_that_is_edited_stays_as_it_is() {
    let project = Project::without_packages(&[
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"Home\"\n"),
        ("site/pages/index.tsx", ""),
        ("victim", "mine"),
    ]);
    let mut child = project.command("title").args(["/", "Start"]).stderr(Stdio::null()).spawn().unwrap();
    let id = child.id();
    for name in [format!(".routes.toml.{id}"), format!(".portalgen-{id}-0")] {
        // It may be there already for a moment: the program does not wait.
        let _ = symlink("victim", project.path(&name));
    }
    child.wait().unwrap();
    assert_eq!(fs::read_to_string(project.path("victim")).unwrap(), "mine");
}
