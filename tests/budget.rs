//! `[budget]`: a page that loads too much is not published, and the message says what made it so large.

use std::fmt::Write as _;

use crate::support::project::{Outcome, Project};

const ROUTES: &str = "[[route]]\npath = \"/\"\n\n[[route]]\npath = \"/about\"\n";

fn portal() -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "export default () => <h1>Home</h1>;"),
        ("site/pages/about.tsx", "import { data } from \"../data\"; export default () => <h1>{data}</h1>;"),
        ("site/data.ts", "export const data = \"small\";\nexport const unused = \"x\";"),
    ])
}

/// Text that hardly gets smaller.
fn noise(length: usize) -> String {
    let mut state = 1_u64;
    let mut text = String::new();
    while text.len() < length {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let _ = write!(text, "{:x}", state >> 32);
    }
    text
}

fn build(project: &Project, settings: &str) -> Outcome {
    project.write("routes.toml", &format!("{settings}\n{ROUTES}"));
    project.build(&[])
}

fn assert_tells(outcome: &Outcome, expected: &[&str]) {
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    for expected in expected {
        assert!(outcome.stderr.contains(expected), "{expected}\n{}", outcome.stderr);
    }
}

#[test]
fn a_module_that_grew_is_named() {
    let project = portal();
    let settings = "[budget]\njs = \"110 kB\"\n";
    let outcome = build(&project, settings);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let published = project.published();
    project.write("site/data.ts", &format!("export const data = \"{}\";", noise(90_000)));
    let outcome = build(&project, settings);
    assert_tells(
        &outcome,
        &[
            "error: the scripts of `/about` are ",
            " kB, over the budget of 110 kB\n",
            "--> routes.toml:2:6",
            "source code that grew since the last build: `site/data.ts` 21 B -> 90.0 kB",
            "most of their source code comes from `node_modules/react-dom/",
        ],
    );
    assert_eq!(project.published(), published);

    // What nothing uses does not count.
    project
        .write("site/data.ts", &format!("export const data = \"small\"; export const unused = \"{}\";", noise(90_000)));
    assert_eq!(build(&project, settings).code, 0);
    // A development build, or one that is not minified, is not what visitors get.
    assert_eq!(project.run("check", &[]).code, 0);
}

#[test]
fn a_module_that_is_new_is_named() {
    let project = portal();
    assert_eq!(build(&project, "").code, 0);
    project.write("site/big.ts", &format!("export const big = \"{}\";", noise(60_000)));
    project.write("site/pages/about.tsx", "import { big } from \"../big\"; export default () => <h1>{big}</h1>;");
    let outcome = build(&project, "[budget]\njs = \"90 kB\"");
    assert_tells(&outcome, &["`site/big.ts` (new) 60.0 kB"]);
}

#[test]
fn a_page_may_have_a_budget_of_its_own() {
    let project = portal();
    project.write("site/data.ts", &format!("export const data = \"{}\";", noise(90_000)));
    let own = ROUTES.replace("path = \"/about\"", "path = \"/about\"\nbudget = \"1 MB\"");
    project.write("routes.toml", &format!("[budget]\njs = \"110 kB\"\n{own}"));
    assert_eq!(project.build(&[]).code, 0);
    project.write("routes.toml", &format!("[budget]\njs = \"1 MB\"\n{}", own.replace("1 MB", "95 kB")));
    assert_tells(
        &project.build(&[]),
        &["the scripts of `/about` are ", " kB, over the budget of 95 kB", "--> routes.toml:8:10"],
    );
}

#[test]
fn all_pages_are_told_at_once() {
    let outcome = build(&portal(), "[budget]\njs = \"1 kB\"\ncss = \"1 kB\"");
    assert_tells(&outcome, &["over the budget of 1 kB; so are those of 1 other page"]);
    assert_eq!(outcome.stderr.matches("error").count(), 2, "{}", outcome.stderr);
}

#[test]
fn style_sheets_have_a_budget_too() {
    let project = portal();
    let rules: String = (0..400).fold(String::new(), |mut css, n| {
        let _ = write!(css, ".a{n} {{ color: #{:06x}; }}", n * 40_503 % 0xff_ffff);
        css
    });
    project.write("site/pages/about.css", &rules);
    project.write("site/pages/about.tsx", "import \"./about.css\"; export default () => <h1>About</h1>;");
    let outcome = build(&project, "[budget]\ncss = \"1 kB\"");
    assert_tells(&outcome, &["the style sheets of `/about` are ", "the largest are `assets/about-"]);
}
