//! Pages that come and pages that move, from the command line: what changes, what is told, and what is refused.

use std::fs;

use serde_json::Value;

use crate::support::project::{Outcome, Project, tree};

const ROUTES: &str = "\
# the portal
[[route]]   # home
path = '/'
title = 'Welcome'

[[route]]
path = \"/about\"   # us
title = \"About\"

[[route]]
path = \"/company\"
redirect = \"/about\"
";

const HOME: &str = "export default () => <a href=\"/about#team\">About</a>;\n";
const ABOUT: &str = "export default () => <h1>About</h1>;\n";

fn portal(routes: &str) -> Project {
    Project::without_packages(&[
        ("routes.toml", routes),
        ("site/pages/index.tsx", HOME),
        ("site/pages/about.tsx", ABOUT),
    ])
}

fn read(project: &Project, path: &str) -> String {
    fs::read_to_string(project.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[track_caller]
fn succeeds(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

/// Runs a command that must be refused, and returns what it says. It changes nothing.
#[track_caller]
fn refused(project: &Project, command: &str, arguments: &[&str]) -> String {
    let before = tree(&project.path(""));
    let Outcome { code, stderr, .. } = project.run(command, arguments);
    assert_eq!(code, 1, "{arguments:?}\n{stderr}");
    assert_eq!(tree(&project.path("")), before, "{arguments:?}");
    stderr
}

// --- add ---

#[test]
fn a_page_gets_a_file_and_a_route() {
    for (path, title, file, route, heading) in [
        ("/prices", "Prices", "prices.tsx", "path = \"/prices\"\ntitle = \"Prices\"", "<h1>Prices</h1>"),
        ("prices/", "Prices", "prices.tsx", "path = \"/prices\"\ntitle = \"Prices\"", "<h1>Prices</h1>"),
        (
            "/blog/2026/first",
            "First",
            "blog/2026/first.tsx",
            "path = \"/blog/2026/first\"\ntitle = \"First\"",
            "First()",
        ),
        ("/联系我们", "联系我们", "联系我们.tsx", "path = \"/联系我们\"\ntitle = \"联系我们\"", "<h1>联系我们</h1>"),
        ("/FAQ", "Questions", "FAQ.tsx", "path = \"/FAQ\"\ntitle = \"Questions\"", "function FAQ()"),
        ("/v1.0", "Version 1", "v1.0.tsx", "path = \"/v1.0\"\ntitle = \"Version 1\"", "function V10()"),
        ("/2026", "News", "2026.tsx", "path = \"/2026\"\ntitle = \"News\"", "function Page2026()"),
        ("/a", r#"A "B" \ C"#, "a.tsx", r#"title = "A \"B\" \\ C""#, r#"<h1>A "B" \ C</h1>"#),
        ("/b", "A & {{b}} <i>", "b.tsx", r#"title = "A & {{b}} <i>""#, r#"<h1>{"A & {b} <i>"}</h1>"#),
    ] {
        let project = portal(ROUTES);
        let outcome = project.run("add", &[path, title]);
        succeeds(&outcome);
        assert!(outcome.stderr.contains(&format!("site/pages/{file} was created\n")), "{}", outcome.stderr);
        let routes = read(&project, "routes.toml");
        let added = routes.strip_prefix(ROUTES).expect("all else stays");
        assert!(added.starts_with("\n[[route]]\n") && added.contains(route), "{added}");
        let page = read(&project, &format!("site/pages/{file}"));
        assert!(page.starts_with("export default function ") && page.contains(heading), "{page}");
    }
}

#[test]
fn a_page_that_is_there_gets_a_route_only() {
    let project = portal(ROUTES);
    project.write("site/pages/prices.jsx", ABOUT);
    let outcome = project.run("add", &["/prices", "Prices"]);
    succeeds(&outcome);
    assert!(!outcome.stderr.contains("was created"), "{}", outcome.stderr);
    assert_eq!(read(&project, "site/pages/prices.jsx"), ABOUT);
    project.write("site/pages/PriceList.tsx", ABOUT);
    succeeds(&project.run("add", &["/list", "List", "--component", "pages/PriceList.tsx"]));
    assert!(read(&project, "routes.toml").ends_with("title = \"List\"\ncomponent = \"pages/PriceList.tsx\"\n"));
    let told = refused(&project, "add", &["/x", "X", "--component", "pages/nothing.tsx"]);
    assert!(told.contains("the file `site/pages/nothing.tsx` does not exist"), "{told}");
}

#[test]
fn a_page_is_written_in_what_the_others_are() {
    for (others, expected) in [
        (&["index.jsx"][..], "site/pages/prices.jsx"),
        (&["index.js"], "site/pages/prices.js"),
        (&["index.jsx", "about.tsx"], "site/pages/prices.tsx"),
    ] {
        let route =
            |file: &&str| format!("[[route]]\npath = \"/{file}\"\ntitle = \"{file}\"\ncomponent = \"pages/{file}\"\n");
        let routes = others.iter().map(route).collect::<Vec<_>>().concat();
        let project = Project::without_packages(&[("routes.toml", &routes)]);
        for file in others {
            project.write(&format!("site/pages/{file}"), ABOUT);
        }
        succeeds(&project.run("add", &["/prices", "Prices"]));
        assert!(project.path(expected).is_file(), "{expected}");
    }
}

/// The folders of a site come with its first page, and the class of its heading with that of the others.
#[test]
fn a_page_fits_what_is_there() {
    let routes = "[[route]]\npath = \"/login\"\nredirect = \"https://id.example/\"\n";
    let allowed = "[portal]\nhost = \"https://id.example\"\n\n";
    let project = Project::without_packages(&[("routes.toml", &format!("{allowed}{routes}"))]);
    succeeds(&project.run("add", &["/", "Home"]));
    assert!(read(&project, "routes.toml").ends_with("/\"\n\n[[route]]\npath = \"/\"\ntitle = \"Home\"\n"));
    assert!(read(&project, "site/pages/index.tsx").contains("<article>\n      <h1>Home</h1>"));
    let made = Project::without_packages(&[]);
    succeeds(&made.run("init", &[]));
    succeeds(&made.run("add", &["/prices", "Prices of {product}"]));
    let page = read(&made, "site/pages/prices.tsx");
    assert!(page.contains("className=\"wrap page\"") && !page.contains("{product}"), "{page}");
}

#[test]
fn what_cannot_be_a_page_is_not_made() {
    let project = portal(ROUTES);
    for (path, title, words) in [
        ("/about", "x", "the route `/about` already exists"),
        ("/about", "x", "to change its title, run `portalgen title /about \"…\"`"),
        ("/company", "x", "to put a page there, first remove this route from routes.toml"),
        ("/About", "x", "duplicate-path"),
        ("/404", "x", "reserved-path"),
        ("/blog/:slug", "x", "`:slug` looks like a parameter"),
        ("/blog/[slug]", "x", "`[slug]` looks like a parameter"),
        ("/docs/*", "x", "looks like a parameter"),
        ("", "x", "PATH: a path cannot be empty"),
        ("/a//b", "x", "PATH: "),
        ("/new", "", "TITLE: this text is empty"),
        ("Prices", "/prices", "run `portalgen add /prices \"Prices\"`"),
        ("/new", "{prodct}", "there is no placeholder `{prodct}`"),
    ] {
        let told = refused(&project, "add", &[path, title]);
        assert!(told.contains(words), "{path} {title}: {words}\n{told}");
        assert!(told.ends_with("routes.toml was not changed\n"), "{told}");
    }
    let routes = "route = [{ path = '/' }, { path = '/about' }]\n";
    let project = portal(routes);
    refused(&project, "add", &["/new", "New"]);
}

#[test]
fn a_rehearsal_makes_nothing_and_programs_are_told() {
    let project = portal(ROUTES);
    let before = tree(&project.path(""));
    let outcome = project.run("add", &["/prices", "Prices", "--dry-run"]);
    let expected = "site/pages/prices.tsx would be created\nroutes.toml would change: route /prices, “Prices”\n";
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, expected));
    assert_eq!(tree(&project.path("")), before);
    let told: Value = serde_json::from_str(&project.run("add", &["/prices", "About", "--json"]).stdout).unwrap();
    assert_eq!(
        (&told["ok"], &told["written"], &told["file"]),
        (&true.into(), &true.into(), &"site/pages/prices.tsx".into())
    );
    assert_eq!(told["diagnostics"][0]["rule"], "duplicate-title", "{told:#}");
}

// --- move ---

#[test]
fn a_page_moves_with_its_file_and_its_old_address_leads_there() {
    for variant in [ROUTES.to_owned(), ROUTES.replace('\n', "\r\n")] {
        let line_end = if variant.contains('\r') { "\r\n" } else { "\n" };
        let project = portal(&variant);
        let outcome = project.run("move", &["/about", "/team"]);
        succeeds(&outcome);
        let expected = variant
            .replace("path = \"/about\"", "path = \"/team\"")
            .replace("redirect = \"/about\"", "redirect = \"/team\"")
            + &"\n[[route]]\npath = \"/about\"\nredirect = \"/team\"\n".replace('\n', line_end);
        assert_eq!(read(&project, "routes.toml"), expected);
        assert_eq!(read(&project, "site/pages/team.tsx"), ABOUT);
        assert!(!project.path("site/pages/about.tsx").exists());
        for words in [
            "the page /about is now at /team",
            "its file site/pages/about.tsx is now site/pages/team.tsx",
            "/about leads to /team",
            "  site/pages/index.tsx:1:31\n",
        ] {
            assert!(outcome.stderr.contains(words), "{words}\n{}", outcome.stderr);
        }
        let back = project.run("move", &["/team", "/about"]);
        succeeds(&back);
        assert!(read(&project, "routes.toml").starts_with(&variant), "{}", read(&project, "routes.toml"));
        assert_eq!(read(&project, "site/pages/about.tsx"), ABOUT);
    }
}

/// A file that something else than its address leads to stays, and the route names it.
#[test]
fn a_file_that_others_need_stays() {
    let home = "import About from \"./about\";\nexport default () => <About />;\n";
    for (from, to, component, changed) in [
        ("/about", "/team", "pages/about.tsx", ("site/pages/index.tsx", home)),
        ("/about", "/us/team", "pages/about.tsx", ("site/styles.css", "")),
        ("/about", "/team", "pages/about.tsx", ("site/pages/team.tsx", ABOUT)),
        ("/", "/start", "pages/index.tsx", ("site/styles.css", "")),
    ] {
        let project = portal(ROUTES);
        project.write(changed.0, changed.1);
        let outcome = project.run("move", &[from, to]);
        succeeds(&outcome);
        let routes = read(&project, "routes.toml");
        let is_named = routes.contains(&format!("component = \"{component}\"\n"));
        assert!(is_named && project.path(&format!("site/{component}")).is_file(), "{from} {to}\n{routes}");
        assert!(routes.ends_with(&format!("path = \"{from}\"\nredirect = \"{to}\"\n")), "{routes}");
        assert!(outcome.stderr.contains("its file stays where it is"), "{}", outcome.stderr);
    }
    let named = ROUTES.replace("title = \"About\"", "title = \"About\"\ncomponent = \"pages/about.tsx\"");
    let project = portal(&named);
    succeeds(&project.run("move", &["/about", "/team"]));
    assert_eq!(read(&project, "routes.toml").matches("component").count(), 1);
    assert!(project.path("site/pages/about.tsx").is_file());
}

#[test]
fn whatever_names_the_old_path_in_routes_names_the_new_one() {
    let routes = "\
[[route]]
path = \"/about\"
title = \"About\"
lang = \"en\"
translations = [\"/关于\"]

[[route]]
path = \"/关于\"
title = \"关于\"
lang = \"zh\"
component = \"pages/about.tsx\"
translations = [\"/about\"]

[[route]]
path = \"/a\"
redirect = \"/about?from=a#top\"

[[route]]
path = \"/b\"
redirect = \"/about-us\"

[[route]]
path = \"/about-us\"
title = \"Us\"
component = \"pages/index.tsx\"
";
    let project = portal(routes);
    succeeds(&project.run("move", &["/about", "/关于/team"]));
    let moved = read(&project, "routes.toml");
    for words in [
        "path = \"/关于/team\"\ncomponent = \"pages/about.tsx\"\n",
        "translations = [\"/关于/team\"]",
        "redirect = \"/关于/team?from=a#top\"",
        "redirect = \"/about-us\"",
        "path = \"/about\"\nredirect = \"/关于/team\"\n",
    ] {
        assert!(moved.contains(words), "{words}\n{moved}");
    }
}

#[test]
fn what_cannot_move_stays() {
    let by_hand = ROUTES.replace("path = \"/about\"   # us", "path = \"/team\"\ncomponent = \"pages/about.tsx\"");
    let by_hand = by_hand.replace("redirect = \"/about\"", "redirect = \"/team\"");
    for (routes, from, to, words) in [
        (ROUTES, "/abuot", "/team", "did you mean `/about`?"),
        (ROUTES, "/about", "/about", "`/about` already has this address"),
        (ROUTES, "/about", "/", "the route `/` already exists"),
        (ROUTES, "/company", "/firm", "`portalgen redirect /firm \"/about\"`"),
        (ROUTES, "/about", "/404", "reserved-path"),
        (ROUTES, "/about", "/:team", "PATH: "),
        (ROUTES, "/about", "", "PATH: a path cannot be empty"),
        (&by_hand, "/about", "/team", "the page is already at `/team`"),
        (&by_hand, "/about", "/team", "run `portalgen redirect /about /team`"),
    ] {
        let told = refused(&portal(routes), "move", &[from, to]);
        assert!(told.contains(words), "{from} {to}: {words}\n{told}");
    }
    let project = portal(&by_hand);
    succeeds(&project.run("redirect", &["/about", "/team"]));
}

#[test]
fn a_redirect_to_the_page_makes_way_for_it() {
    let project = portal(ROUTES);
    succeeds(&project.run("move", &["/about", "/company"]));
    let routes = read(&project, "routes.toml");
    assert!(routes.contains("path = \"/company\"   # us\ntitle = \"About\"\n"), "{routes}");
    assert!(routes.ends_with("path = \"/about\"\nredirect = \"/company\"\n"), "{routes}");
}

#[test]
fn a_rehearsal_moves_nothing_and_programs_are_told_of_links() {
    let project = portal(ROUTES);
    let before = tree(&project.path(""));
    let outcome = project.run("move", &["/about", "/team", "--dry-run"]);
    succeeds(&outcome);
    assert!(outcome.stderr.starts_with("routes.toml would change like this:\n"), "{}", outcome.stderr);
    assert_eq!(tree(&project.path("")), before);
    let told: Value = serde_json::from_str(&project.run("move", &["/about", "/team", "--json"]).stdout).unwrap();
    assert_eq!(told["file"]["new"], "site/pages/team.tsx");
    assert_eq!(told["links"], serde_json::json!(["site/pages/index.tsx:1:31"]));
    let chinese = project.command("move").args(["/team", "/us", "--lang", "zh"]).output().unwrap();
    let told = String::from_utf8(chinese.stderr).unwrap();
    assert!(told.contains("页面 /team 现在的网址是 /us\n"), "{told}");
}

// --- pages without a route ---

#[test]
fn page_files_without_a_route_are_told_by_builds_and_checks() {
    let files = [
        ("routes.toml", "[[route]]\npath = \"/\"\ntitle = \"Home\"\n"),
        ("site/pages/index.tsx", "import Card from \"./Card\";\nexport default () => <Card />;\n"),
        ("site/pages/Card.tsx", "export default () => <h1>Home</h1>;\n"),
        ("site/pages/prices.tsx", "export default function Prices() {\n  return <h1>Our prices</h1>;\n}\n"),
        ("site/pages/blog/index.tsx", "import Entry from \"./entry\";\nexport default () => <Entry />;\n"),
        ("site/pages/blog/entry.tsx", "export default () => <p>An entry</p>;\n"),
        ("site/pages/blog/[slug].tsx", "export default () => <p>A post</p>;\n"),
        ("site/pages/AboutUs.jsx", "export { About as default } from \"../about\";\n"),
        ("site/pages/_app.tsx", "export default () => null;\n"),
        ("site/pages/_hidden.tsx", "export default () => null;\n"),
        ("site/pages/prices.test.tsx", "export default () => null;\n"),
        ("site/pages/prices.stories.tsx", "export default {};\n"),
        ("site/pages/format.ts", "export default String;\n"),
        ("site/pages/parts.tsx", "export const Part = () => <p />;\n"),
        ("site/pages/404.tsx", "export default () => <h1>Lost</h1>;\n"),
        ("site/about.tsx", "export const About = () => <h1>About</h1>;\n"),
    ];
    let project = Project::new(&files);
    for command in ["build", "check"] {
        let outcome = project.run(command, &["--offline"]);
        succeeds(&outcome);
        let told: Vec<&str> = outcome.stderr.lines().filter(|line| line.starts_with("warning[unused-page]")).collect();
        let expected = [
            "warning[unused-page]: `site/pages/AboutUs.jsx` has no route, so it is not published",
            "warning[unused-page]: `site/pages/_app.tsx` is not used",
            "warning[unused-page]: `site/pages/blog/[slug].tsx` has no route, so it is not published",
            "warning[unused-page]: `site/pages/blog/index.tsx` has no route, so it is not published",
            "warning[unused-page]: `site/pages/prices.tsx` has no route, so it is not published",
        ];
        assert_eq!(told, expected, "{command}\n{}", outcome.stderr);
        for hint in [
            "run `portalgen add /prices \"Our prices\"`",
            "run `portalgen add /about-us \"About us\" --component pages/AboutUs.jsx`",
            "run `portalgen add /blog \"Blog\"`",
            "portalgen uses `site/layout.tsx` for what Next.js has in `_app`",
            "`component = \"pages/blog/[slug].tsx\"`",
        ] {
            assert!(outcome.stderr.contains(hint), "{hint}\n{}", outcome.stderr);
        }
    }
    // What the hints say mends it.
    succeeds(&project.run("add", &["/prices", "Our prices"]));
    succeeds(&project.run("add", &["/about-us", "About us", "--component", "pages/AboutUs.jsx"]));
    succeeds(&project.run("add", &["/blog", "Blog"]));
    let outcome = project.run("build", &["--offline"]);
    succeeds(&outcome);
    assert_eq!(outcome.stderr.matches("[unused-page]").count(), 2, "{}", outcome.stderr);
    for (level, code, count) in [("off", 0, 0), ("error", 1, 2)] {
        let routes = read(&project, "routes.toml");
        project.write("routes.toml", &format!("{routes}\n[check]\nunused-page = \"{level}\"\n"));
        let outcome = project.run("build", &["--offline"]);
        assert_eq!(
            (outcome.code, outcome.stderr.matches("[unused-page]").count()),
            (code, count),
            "{}",
            outcome.stderr
        );
        project.write("routes.toml", &routes);
    }
}

// --- pages that can be looked at before they are mended ---

#[test]
fn a_tolerant_build_publishes_what_its_owner_may_decide_about() {
    let project = Project::new(&[
        (
            "routes.toml",
            "[[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/old\"\nredirect = \"/gone\"\n",
        ),
        ("site/pages/index.tsx", "export default () => <a href=\"/nowhere\">Home</a>;\n"),
    ]);
    let outcome = project.build(&["--offline"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(!project.path("dist").exists());
    for _ in 0..2 {
        let outcome = project.build(&["--offline", "--tolerant"]);
        succeeds(&outcome);
        for rule in ["redirect-nowhere", "broken-link"] {
            assert!(outcome.stderr.contains(&format!("warning[{rule}]")), "{rule}\n{}", outcome.stderr);
        }
        assert!(project.published().contains_key("index.html"));
    }
    let again = project.build(&["--offline"]);
    assert_eq!(again.code, 1, "what was tolerated once is not for good: {}", again.stderr);
    project.write("routes.toml", "[[route]]\npath = \"/a//b\"\ntitle = \"Home\"\n");
    let outcome = project.build(&["--offline", "--tolerant"]);
    assert_eq!(outcome.code, 1, "nobody may decide about this: {}", outcome.stderr);
}

#[test]
fn a_folder_without_a_portal_is_told_as_that() {
    let empty = Project::without_packages(&[("below/keep.txt", "")]);
    for command in ["build", "check", "routes", "dev", "plan"] {
        let outcome = empty.run(command, &[]);
        let expected = "error: there is no portal in this folder\n  = hint: run `portalgen init` to create one here, or \
                        `portalgen init my-portal` to create it in a new folder\n\n";
        assert_eq!((outcome.code, outcome.stderr.as_str()), (1, expected), "{command}");
        let chinese = empty.command(command).args(["--lang", "zh"]).output().unwrap();
        let told = String::from_utf8(chinese.stderr).unwrap();
        assert!(told.starts_with("错误：当前文件夹里没有门户\n"), "{told}");
    }
    empty.write("routes.toml", "");
    let mut below = empty.command("check");
    let outcome = Outcome::of(below.current_dir(empty.path("below")));
    assert!(
        outcome.stderr.contains("there is one in `..`: add `--root ..`, or change to that folder"),
        "{}",
        outcome.stderr
    );
    let outcome = empty.run("check", &["--root", "below"]);
    assert!(outcome.stderr.contains("there is no portal in `below`"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("there is one in `.`: add `--root .`"), "{}", outcome.stderr);
}
