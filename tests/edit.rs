//! Changes to `routes.toml` from the command line: what they change, and that they change nothing else.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use portalgen_base::source::Memory;
use portalgen_portal::{
    Overrides, Portal, RoutePath,
    edit::{self, Edit, Key},
};

use crate::support::project::Project;

const ROUTES: &str = "\
# the portal
[portal]
product = \"Acme\"
host = \"https://chat.acme.example\"

[[route]]   # home
path = '/'\t# first
title    =   'Welcome'   # a remark about the title

  [[route]]
  title = \"About\"
  path = \"/about\"

[[route]]
path = \"/login\"
redirect = \"{host}/login\"
[check]
no-home = \"off\"
";

const PAGES: [(&str, &str); 2] = [
    ("site/pages/index.tsx", "export default () => <h1>Home</h1>;\n"),
    ("site/pages/about.tsx", "export default () => <h1>About</h1>;\n"),
];

fn project(routes: &str) -> Project {
    let files: Vec<_> = PAGES.into_iter().chain([("routes.toml", routes)]).collect();
    Project::without_packages(&files)
}

fn routes(project: &Project) -> String {
    fs::read_to_string(project.path("routes.toml")).unwrap()
}

fn portal(text: &str) -> Portal {
    let root = Path::new("/portal");
    let files = PAGES.map(|(path, _)| (root.join(path), Vec::new()));
    let loaded = portalgen_portal::load_text(text, &Memory::new(files), root, &Overrides::default());
    loaded.unwrap_or_else(|errors| panic!("{errors:#?}\n{text}")).0
}

fn path(text: &str) -> RoutePath {
    RoutePath::parse(text).unwrap()
}

#[test]
fn one_value_changes_and_every_other_byte_stays() {
    for (arguments, old, new) in [
        (vec!["title", "/", "Hello"], "'Welcome'   # a remark", "\"Hello\"   # a remark"),
        (vec!["title", "about", "关于“我们”"], "\"About\"", "\"关于“我们”\""),
        (vec!["title", "/about/", r#"A "B" \ C"#], "\"About\"", r#""A \"B\" \\ C""#),
        (vec!["redirect", "/login", "{host}/signin?x=1"], "\"{host}/login\"", "\"{host}/signin?x=1\""),
        (vec!["title", "/login", "Sign in"], "path = \"/login\"\n", "path = \"/login\"\ntitle = \"Sign in\"\n"),
        (
            vec!["redirect", "/old place", "/about"],
            "no-home = \"off\"\n",
            "no-home = \"off\"\n\n[[route]]\npath = \"/old place\"\nredirect = \"/about\"\n",
        ),
    ] {
        for variant in [ROUTES.to_owned(), ROUTES.replace('\n', "\r\n"), format!("\u{feff}{ROUTES}")] {
            let line_end = if variant.contains('\r') { "\r\n" } else { "\n" };
            let project = project(&variant);
            let outcome = project.run(arguments[0], &arguments[1..]);
            assert_eq!(outcome.code, 0, "{arguments:?}\n{}", outcome.stderr);
            let (old, new) = (old.replace('\n', line_end), new.replace('\n', line_end));
            assert_eq!(variant.matches(&old).count(), 1, "{old}");
            assert_eq!(routes(&project), variant.replace(&old, &new), "{arguments:?}");
        }
    }
}

#[test]
fn a_new_key_of_an_indented_route_is_indented_like_its_path() {
    let project = project("[[route]]\n\t path = '/' # home");
    assert_eq!(project.run("title", &["/", "x"]).code, 0);
    assert_eq!(routes(&project), "[[route]]\n\t path = '/' # home\n\t title = \"x\"");
}

#[test]
fn routes_in_a_list_are_edited_within_it() {
    let text = "route = [{ path = '/' }, { title = 'About', path = '/about', noindex = true }]\n";
    let project = project(text);
    assert_eq!(project.run("title", &["/", "Home"]).code, 0);
    assert_eq!(project.run("title", &["/about", "Us"]).code, 0);
    let expected = "route = [{ path = '/', title = \"Home\" }, { title = \"Us\", path = '/about', noindex = true }]\n";
    assert_eq!(routes(&project), expected);
    let refused = project.run("redirect", &["/old", "/about"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert_eq!(routes(&project), expected);
}

#[test]
fn what_would_break_the_portal_is_refused() {
    for (arguments, words) in [
        (vec!["title", "/", ""], "TITLE: this text is empty"),
        (vec!["title", "/", " x"], "there are spaces around this value"),
        (vec!["title", "/", "a\nb"], "a line break is hidden in this value"),
        (vec!["title", "/", "a\u{202e}b"], "the text-direction character U+202E"),
        (vec!["title", "/", "{prodct}"], "there is no placeholder `{prodct}`"),
        (vec!["title", "/abuot", "x"], "did you mean `/about`?"),
        (vec!["title", "", "x"], "PATH: a path cannot be empty"),
        (vec!["redirect", "/login", ""], "this redirect has no target"),
        (vec!["title", "/a//b", "x"], "PATH: a path cannot contain `//`"),
        (vec!["title", "C:/Program Files/Git/about", "x"], "PATH: "),
        (vec!["redirect", "/login", "/nowhere"], "redirect-nowhere"),
        (vec!["redirect", "/login", "https://evil.example"], "redirect-host"),
        (vec!["redirect", "/login", "javascript:alert(1)"], "unsafe-redirect"),
        (vec!["redirect", "/login", "/login"], "redirect-loop"),
        (vec!["redirect", "/about", "/"], "`/about` is a page"),
        (vec!["redirect", "/About", "/"], "duplicate-path"),
        (vec!["redirect", "/404", "/"], "reserved-path"),
    ] {
        let project = project(ROUTES);
        let modified = fs::metadata(project.path("routes.toml")).unwrap().modified().unwrap();
        let outcome = project.run(arguments[0], &arguments[1..]);
        assert_eq!(outcome.code, 1, "{arguments:?}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains(words), "{arguments:?}\n{}", outcome.stderr);
        assert!(outcome.stderr.ends_with("1 error; routes.toml was not changed\n"), "{}", outcome.stderr);
        assert_eq!(routes(&project), ROUTES);
        assert_eq!(fs::metadata(project.path("routes.toml")).unwrap().modified().unwrap(), modified);
    }
}

#[test]
fn a_file_with_mistakes_is_not_edited() {
    let project = project(&ROUTES.replace("'Welcome'", "“Welcome”"));
    let outcome = project.run("title", &["/about", "x"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("these quotes are not straight quotes"), "{}", outcome.stderr);
    assert!(routes(&project).contains("“Welcome”"));
}

#[test]
fn nothing_is_written_when_nothing_changes_or_only_a_rehearsal_was_asked_for() {
    let project = project(ROUTES);
    let modified = || fs::metadata(project.path("routes.toml")).unwrap().modified().unwrap();
    let before = modified();
    let outcome = project.run("title", &["/about", "About"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, "nothing to change\n"));
    let outcome = project.run("title", &["/about", "Us", "--dry-run"]);
    assert_eq!(outcome.stderr, "routes.toml would change like this:\n  /about  title: “About” -> “Us”\n");
    assert_eq!((routes(&project).as_str(), modified()), (ROUTES, before));
}

#[test]
fn what_an_edit_has_changed_is_told() {
    let project = project(ROUTES);
    let outcome = project.run("title", &["/about", "Welcome"]);
    assert_eq!(outcome.code, 0);
    assert!(outcome.stderr.contains("2 pages have the title “Welcome”"), "{}", outcome.stderr);
    assert!(outcome.stderr.ends_with("routes.toml was changed:\n  /about  title: “About” -> “Welcome”\n"));
    let json = project.run("title", &["/about", "About", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["changes"][0]["old"], "Welcome");
    assert_eq!((&json["ok"], &json["written"]), (&true.into(), &true.into()));
    let chinese = project.command("title").args(["/about", "关于", "--lang", "zh"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&chinese.stderr), "routes.toml 已修改：\n  /about  title：“About” -> “关于”\n");
}

#[test]
fn the_file_keeps_its_permissions_and_the_link_to_it_stays_a_link() {
    let project = project("");
    project.write("shared/routes.toml", ROUTES);
    let real = project.path("shared/routes.toml");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    project.remove("routes.toml");
    std::os::unix::fs::symlink("shared/routes.toml", project.path("routes.toml")).unwrap();
    let outcome = project.run("title", &["/about", "Us"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(fs::symlink_metadata(project.path("routes.toml")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&real).unwrap().mode() & 0o7777, 0o640);
    assert_eq!(routes(&project), ROUTES.replace("\"About\"", "\"Us\""));
    assert_eq!(fs::read_dir(project.path("shared")).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_read_only_file_is_left_alone() {
    let project = project(ROUTES);
    fs::set_permissions(project.path("routes.toml"), fs::Permissions::from_mode(0o444)).unwrap();
    let outcome = project.run("title", &["/about", "Us"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("it is read-only"), "{}", outcome.stderr);
    assert_eq!(routes(&project), ROUTES);
}

#[test]
fn what_somebody_else_writes_meanwhile_is_not_lost() {
    let project = project(ROUTES);
    let file = project.path("routes.toml");
    let replaced = portalgen_release::publish::replace_file(&file, b"something else", b"new");
    assert!(matches!(replaced, Err(portalgen_release::publish::NotReplaced::Changed)));
    assert_eq!(routes(&project), ROUTES);
}

/// Whatever the text, it is there afterwards, and nothing else has changed.
#[test]
fn any_text_survives() {
    let before = portal(ROUTES);
    for text in
        ["x", "\"", "\\", "\\u0041", "'''", "\"\"\"", "# no remark", "关于 👨‍👩‍👧", "a = 1", "[x]", "100 %", "\u{1f600}"]
    {
        for (route, key) in [("/", Key::Title), ("/about", Key::Description), ("/login", Key::Title)] {
            let edit = Edit { path: path(route), key, text: text.to_owned() };
            let (edited, changes) = edit::apply(&before, std::slice::from_ref(&edit)).unwrap();
            assert_eq!(changes.len(), 1);
            let after = portal(&edited);
            let route = after.routes.iter().find(|route| route.path == edit.path).unwrap();
            assert_eq!(key.of(route).unwrap().text, text);
            let (again, changes) = edit::apply(&after, &[edit]).unwrap();
            assert_eq!((again, changes.len()), (edited, 0));
        }
    }
}

#[test]
fn several_edits_at_once() {
    let edit = |route: &str, key, text: &str| Edit { path: path(route), key, text: text.to_owned() };
    let edits = [
        edit("/login", Key::Title, "Sign in"),
        edit("/login", Key::Description, "Where to sign in"),
        edit("/about", Key::Title, "Us"),
        edit("/a", Key::Redirect, "/about"),
        edit("/b", Key::Redirect, "/about"),
    ];
    let (text, changes) = edit::apply(&portal(ROUTES), &edits).unwrap();
    assert_eq!(changes.len(), edits.len());
    assert!(text.contains("path = \"/login\"\ntitle = \"Sign in\"\ndescription = \"Where to sign in\"\nredirect"));
    assert_eq!(portal(&text).routes.len(), 5);
}

#[test]
fn routes_are_listed_in_the_order_of_the_file() {
    let project = project(ROUTES);
    let listed = project.run("routes", &[]);
    assert_eq!(
        listed.stdout,
        "/       Welcome  site/pages/index.tsx\n\
         /about  About    site/pages/about.tsx\n\
         /login  Acme     -> https://chat.acme.example/login\n"
    );
    let json: serde_json::Value = serde_json::from_str(&project.run("routes", &["--json"]).stdout).unwrap();
    assert_eq!(json["routes"][1]["component"], "site/pages/about.tsx");
    assert_eq!(json["routes"][2]["redirect"], "https://chat.acme.example/login");
    assert_eq!(json["routes"][2]["line"], 15);
}
