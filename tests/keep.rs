//! `[build] keep`: the assets of earlier builds stay for pages that are still open.

use serde_json::Value;

use crate::support::project::{Project, Tree, tree};

fn portal(keep: u32) -> Project {
    let project = Project::new(&[
        ("site/package.json", "{}"),
        (
            "site/pages/index.tsx",
            "import { n } from \"../n\"; import \"./home.css\"; export default () => <h1>{n}</h1>;",
        ),
        ("site/pages/home.css", "h1 { color: red; }"),
        ("site/pages/about.tsx", "import { n } from \"../n\"; export default () => <p>{n}</p>;"),
    ]);
    configure(&project, keep);
    project
}

fn configure(project: &Project, keep: u32) {
    let routes = "[[route]]\npath = \"/\"\n[[route]]\npath = \"/about\"\n";
    project.write("routes.toml", &format!("[build]\nkeep = {keep}\n{routes}"));
}

/// Builds the portal with another number in the middle of it, and gives what is published.
fn release(project: &Project, number: u32, arguments: &[&str]) -> Tree {
    project.write("site/n.ts", &format!("export const n = {number};"));
    let outcome = project.build(arguments);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{}", outcome.stdout);
    let out = arguments.iter().skip_while(|argument| **argument != "--out").nth(1).unwrap_or(&"dist");
    tree(&project.path(out))
}

fn assets(tree: &Tree) -> Vec<&str> {
    tree.keys().map(String::as_str).filter(|path| path.starts_with("assets/")).collect()
}

/// The assets that `old` has and `new` has not.
fn lost(old: &Tree, new: &Tree) -> usize {
    assets(old).into_iter().filter(|path| !new.contains_key(*path)).count()
}

fn manifest(tree: &Tree) -> Value {
    serde_json::from_slice(&tree[".portalgen/deploy/portal.json"]).unwrap()
}

#[test]
fn assets_stay_for_as_many_builds_as_asked_for() {
    let project = portal(2);
    let builds: Vec<Tree> = (1..=5).map(|number| release(&project, number, &[])).collect();
    for (at, build) in builds.iter().enumerate() {
        for (older, earlier) in builds[..at].iter().enumerate() {
            assert_eq!(has_all_of(earlier, build), at - older <= 2, "{older} in {at}");
        }
    }
    assert_eq!(manifest(&builds[4])["earlier"].as_array().unwrap().len(), 2);
    let total = assets(&builds[4]).len();
    configure(&project, 0);
    let last = release(&project, 5, &[]);
    assert!(assets(&last).len() < total && manifest(&last)["earlier"].is_null());
}

/// Whether a build has every asset that an earlier one made itself.
fn has_all_of(earlier: &Tree, build: &Tree) -> bool {
    let manifest = manifest(earlier);
    let lists = manifest["earlier"].as_array().into_iter().flatten();
    let older: Vec<&Value> = lists.flat_map(|list| list.as_array().unwrap()).collect();
    let own = assets(earlier).into_iter().filter(|path| !older.iter().any(|older| older == path));
    own.into_iter().all(|path| build.contains_key(path))
}

#[test]
fn the_same_build_again_is_no_release() {
    let project = portal(1);
    let first = release(&project, 1, &[]);
    let second = release(&project, 2, &[]);
    assert_eq!(lost(&first, &second), 0);
    for _ in 0..3 {
        assert_eq!(release(&project, 2, &[]), second);
    }
    // Nor is one that was never published.
    project.write("site/n.ts", "export const n = ;");
    assert_eq!(project.build(&[]).code, 1);
    assert_eq!(release(&project, 2, &[]), second);
}

#[test]
fn an_earlier_build_may_lie_elsewhere() {
    let project = portal(1);
    let first = release(&project, 1, &["--out", "old"]);
    let second = release(&project, 2, &["--out", "new", "--previous", "old"]);
    assert_eq!(lost(&first, &second), 0);
    assert!(assets(&second).len() > assets(&first).len());
    let without = release(&project, 2, &["--out", "fresh"]);
    assert!(assets(&without).len() < assets(&second).len());
}

#[test]
fn what_cannot_be_kept_is_told() {
    let project = portal(1);
    release(&project, 1, &["--out", "old"]);
    let asset = assets(&tree(&project.path("old")))[0].to_owned();
    project.write(&format!("old/{asset}"), "changed");
    project.write("site/n.ts", "export const n = 2;");
    let outcome = project.build(&["--out", "new", "--previous", "old"]);
    assert_eq!(outcome.code, 0);
    assert!(outcome.stderr.contains("1 of the files of earlier builds cannot be kept"), "{}", outcome.stderr);
    assert!(!project.path(&format!("new/{asset}")).exists());

    let outcome = project.build(&["--out", "other", "--previous", "nowhere"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("there is no previous build in `nowhere`"), "{}", outcome.stderr);
}
