//! `portalgen plan`: what a build would change, told before it is published.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::project::{Outcome, Project};

const ROUTES: &str = r#"
[portal]
host = "https://chat.acme.example"
origin = "https://www.acme.example"
base = "/app"
allow_hosts = ["pay.acme.example"]

[[route]]
path = "/"
title = "Home"

[[route]]
path = "/about"
title = "About"
description = "Who we are"

[[route]]
path = "/team"
title = "Team"

[[route]]
path = "/team/us"
title = "A part of the team"
component = "pages/team.tsx"

[[route]]
path = "/login"
redirect = "{host}/login"

[deploy]
platform = ["cloudflare", "netlify", "vercel", "s3-cloudfront", "caddy"]
"#;

fn portal() -> Project {
    let project = Project::new(&[
        ("routes.toml", ROUTES),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "export default () => <h1>Home</h1>;"),
        ("site/pages/about.tsx", "import \"./about.css\"; export default () => <h1>About</h1>;"),
        ("site/pages/about.css", "h1 { color: teal; }"),
        ("site/pages/team.tsx", "export default () => <h1>Team</h1>;"),
        ("site/public/terms.pdf", "%PDF-1"),
    ]);
    let outcome = project.build(&[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    project
}

fn edit(project: &Project, from: &str, to: &str) {
    let routes = std::fs::read_to_string(project.path("routes.toml")).unwrap();
    assert!(routes.contains(from), "{from}");
    project.write("routes.toml", &routes.replacen(from, to, 1));
}

fn plan(project: &Project, arguments: &[&str]) -> Outcome {
    let before = project.published();
    let outcome = project.run("plan", arguments);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{}", outcome.stdout);
    assert_eq!(project.published(), before, "a plan changes nothing");
    outcome
}

fn planned(project: &Project) -> Value {
    let result: Value = serde_json::from_str(&plan(project, &["--json"]).stdout).unwrap();
    result["plan"].clone()
}

/// What publishing really changes, by output path.
fn carried_out(project: &Project) -> BTreeSet<String> {
    let before = project.published();
    let outcome = project.build(&[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let after = project.published();
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let changed = paths.into_iter().filter(|path| before.get(*path) != after.get(*path));
    changed.filter(|path| !path.starts_with(".portalgen/")).cloned().collect()
}

fn texts(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn uploads(plan: &Value) -> BTreeSet<String> {
    ["assets", "data", "pages", "delete"].iter().flat_map(|kind| texts(&plan["upload"][kind])).collect()
}

#[test]
fn nothing_is_nothing() {
    let project = portal();
    assert_eq!(plan(&project, &[]).stdout, "Nothing changes.\n");
    assert_eq!(plan(&project, &["--lang", "zh"]).stdout, "没有任何变化。\n");
}

#[test]
fn only_a_title_is_one_page_and_no_script() {
    let project = portal();
    edit(&project, "title = \"About\"", "title = \"About `us` | <b> & @all\"");
    let outcome = plan(&project, &[]);
    assert!(
        outcome.stdout.starts_with("Only the title of `/about` changes: 1 page, 0 scripts.\n"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("- `/about`: `About` → ``About `us` | <b> & @all``\n"), "{}", outcome.stdout);
    let plan = planned(&project);
    assert_eq!(plan["titles"], json!([{ "path": "/about", "before": "About", "after": "About `us` | <b> & @all" }]));
    assert_eq!(plan["pages"], json!(["about/index.html"]));
    for list in ["chunks", "invalidated", "added", "gone", "redirects", "weights", "descriptions"] {
        assert_eq!(plan[list], json!([]), "{list}");
    }
    assert_eq!(
        plan["purge"],
        json!([
            "https://www.acme.example/app/about",
            "https://www.acme.example/app/about/",
            "https://www.acme.example/app/about/index.html",
            "https://www.acme.example/app/about/page.json",
        ])
    );
    // And that is what happens.
    assert_eq!(carried_out(&project), uploads(&plan));
    let files =
        ["about/index.html", "about/index.html.br", "about/index.html.gz", "about/index.html.zst", "about/page.json"];
    assert_eq!(uploads(&plan), files.map(str::to_owned).into());
}

#[test]
fn no_title_is_a_part_of_other_pages() {
    let project = portal();
    for (title, page) in [("Home", "index.html"), ("Team", "team/index.html")] {
        edit(&project, &format!("title = \"{title}\""), "title = \"Another\"");
        let plan = planned(&project);
        assert_eq!(plan["pages"], json!([page]));
        assert_eq!(carried_out(&project), uploads(&plan));
    }
}

#[test]
fn the_dates_of_the_list_of_pages_follow_a_title() {
    let project = portal();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@x.example"]).args(arguments);
        assert!(command.current_dir(project.path("")).output().unwrap().status.success(), "{arguments:?}");
    };
    project.write(".gitignore", "dist\nnode_modules\n");
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "x"]);
    assert_eq!(project.build(&[]).code, 0);
    edit(&project, "title = \"About\"", "title = \"Us\"");
    let outcome = plan(&project, &[]);
    assert!(
        outcome.stdout.starts_with("Only the title of `/about` changes: 1 page, 0 scripts.\n"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("\nsitemap.xml\n"), "{}", outcome.stdout);
}

#[test]
fn titles_of_several_pages() {
    let project = portal();
    edit(&project, "title = \"About\"", "title = \"Us\"");
    edit(&project, "title = \"Team\"", "title = \"People\"");
    let outcome = plan(&project, &["--lang", "zh"]);
    assert!(
        outcome.stdout.starts_with("只有 `/about`、`/team` 的标题有变化：2 个页面，0 个脚本。\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_page_edit_tells_what_browsers_load_anew() {
    let project = portal();
    project.write(
        "site/pages/about.tsx",
        "import \"./about.css\"; export default () => <h1>About all of us and more</h1>;",
    );
    let plan = planned(&project);
    let chunks = texts(&plan["chunks"]);
    assert!(chunks.iter().any(|path| path.starts_with("assets/about-")), "{chunks:?}");
    assert!(!chunks.iter().any(|path| path.contains("vendor-")), "{chunks:?}");
    assert_eq!(chunks.len(), plan["invalidated"].as_array().unwrap().len());
    let weights: Vec<&str> =
        plan["weights"].as_array().unwrap().iter().map(|weight| weight["path"].as_str().unwrap()).collect();
    assert!(weights.contains(&"/about"), "{weights:?}");
    assert_eq!(carried_out(&project), uploads(&plan));
}

#[test]
fn addresses_and_redirects() {
    let project = portal();
    edit(&project, "redirect = \"{host}/login\"", "redirect = \"https://pay.acme.example/in\"");
    edit(&project, "path = \"/team\"\ntitle = \"Team\"", "path = \"/team\"\nredirect = \"/people\"");
    let routes = std::fs::read_to_string(project.path("routes.toml")).unwrap();
    project.write("routes.toml", &format!("{routes}\n[[route]]\npath = \"/people\"\ncomponent = \"pages/team.tsx\"\n"));
    project.remove("site/public/terms.pdf");
    edit(&project, "[[route]]", "[[route]]\npath = \"/terms.pdf\"\nretired = true\n\n[[route]]");
    let outcome = plan(&project, &[]);
    for expected in [
        "- `/login`: `https://chat.acme.example/login` (**`chat.acme.example`**, 302) → \
         `https://pay.acme.example/in` (**`pay.acme.example`**, 302) ⚠️ another host\n",
        "- `/team`: no redirect → `/app/people/` (301)\n",
        "### New addresses\n\n- `/app/people/`\n",
    ] {
        assert!(outcome.stdout.contains(expected), "{expected}\n{}", outcome.stdout);
    }
    let plan = planned(&project);
    assert_eq!(plan["added"], json!(["/app/people/"]));
    let purge = texts(&plan["purge"]);
    for address in ["/app/login", "/app/login/", "/app/team", "/app/team/", "/app/people/", "/app/terms.pdf"] {
        assert!(purge.contains(&format!("https://www.acme.example{address}")), "{address} in {purge:?}");
    }
    assert_eq!(texts(&plan["upload"]["delete"]).iter().filter(|path| path.ends_with("terms.pdf")).count(), 1);
    assert_eq!(carried_out(&project), uploads(&plan));
}

#[test]
fn everything_is_new_where_nothing_is_published() {
    let project = portal();
    std::fs::remove_dir_all(project.path("dist")).unwrap();
    let outcome = project.run("plan", &["--json"]);
    let plan: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(plan["plan"]["added"].as_array().unwrap().len(), 5);
    assert_eq!(plan["plan"]["purge"], json!([]));
    assert!(!project.path("dist").exists());
}

#[test]
fn what_is_published_may_be_named() {
    let project = portal();
    project.write("kept.json", &std::fs::read_to_string(project.path("dist/.portalgen/deploy/portal.json")).unwrap());
    edit(&project, "title = \"About\"", "title = \"Us\"");
    assert_eq!(project.build(&[]).code, 0);
    assert_eq!(plan(&project, &[]).stdout, "Nothing changes.\n");
    for against in ["kept.json", "dist"] {
        let outcome = plan(&project, &["--against", project.path(against).to_str().unwrap()]);
        assert_eq!(outcome.stdout.starts_with("Only the title"), against == "kept.json", "{}", outcome.stdout);
    }
    for (against, expected) in
        [("nowhere", "there is no previous build in"), ("routes.toml", "is not the manifest of a build")]
    {
        let outcome = project.run("plan", &["--against", project.path(against).to_str().unwrap()]);
        assert_eq!(outcome.code, 2);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
}
