//! The configuration stage where a folder in `tests/fixtures/config` cannot show it.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use portalgen_base::{diagnostic::Diagnostic, source::Memory, text::Language};
use portalgen_portal::{Overrides, Portal, RouteKind};

use crate::support::portals::{Loaded, ROOT, USUAL_FILES, rendered_in, sources, summary};

fn load_with(routes: &str, files: &str, overrides: &Overrides) -> Loaded {
    portalgen_portal::load(&sources(routes.as_bytes(), files), Path::new(ROOT), overrides)
}

fn load(routes: &str) -> Loaded {
    load_with(routes, USUAL_FILES, &Overrides::default())
}

fn rendered(diagnostics: &[Diagnostic]) -> String {
    rendered_in(Language::English, diagnostics)
}

fn errors(loaded: Loaded) -> Vec<Diagnostic> {
    loaded.expect_err("this must be refused")
}

fn messages(loaded: Loaded) -> Vec<String> {
    errors(loaded).into_iter().map(|diagnostic| diagnostic.message.english().to_owned()).collect()
}

fn portal(loaded: Loaded) -> Portal {
    loaded.unwrap_or_else(|errors| panic!("{}", rendered(&errors))).0
}

const VALID: &str = r#"
[portal]
product = "Lanyu"
host = "https://chat.lanyu.example"
origin = "https://www.lanyu.example"
base = "app"
lang = "zh-CN"
[not_found]
title = "页面不存在"
[[route]]
path = "/"
title = "首页"
[[route]]
path = "/about"
name = "about"
title = "关于 {product} 👨‍👩‍👧"
description = "我们是谁"
noindex = true
component = "pages/about.tsx"
[[route]]
path = "/login"
redirect = "{host}/login?from=portal#top"
[[route]]
path = "/old"
redirect = '/about'
"#;

#[test]
fn overrides_beat_the_file_and_name_their_flag() {
    let overrides = Overrides {
        host: Some("http://localhost:3000/".to_owned()),
        origin: Some("https://staging.lanyu.example".to_owned()),
        base: Some(String::new()),
        is_tolerant: false,
    };
    let portal = portal(load_with(VALID, USUAL_FILES, &overrides));
    assert_eq!(portal.urls.canonical(&portal.routes[1].path).as_deref(), Some("https://staging.lanyu.example/about/"));
    let login = portal.routes[2].redirect().expect("login is a redirect");
    assert_eq!(login.href(&portal.urls), "http://localhost:3000/login?from=portal#top");

    let (host, origin, base) = (Some("chat".into()), Some("https://x/y".into()), Some("a//b".into()));
    let wrong = Overrides { host, origin, base, is_tolerant: false };
    let errors = errors(load_with(VALID, USUAL_FILES, &wrong));
    assert_eq!(errors.len(), 3, "{}", rendered(&errors));
    for (error, flag) in errors.iter().zip(["--base", "--host", "--origin"]) {
        assert!(error.message.english().starts_with(flag) && error.place.is_none(), "{error:?}");
    }
}

#[test]
fn the_order_of_routes_means_nothing() {
    let (head, routes) = VALID.split_once("[[route]]").expect("routes");
    let mut routes: Vec<&str> = routes.split("[[route]]").collect();
    let paths = |portal: &Portal| portal.routes.iter().map(|route| route.path.to_string()).collect::<Vec<_>>();
    let first = portal(load(VALID));
    for _ in 0..routes.len() {
        routes.rotate_left(1);
        let text = format!("{head}[[route]]\n{}\n", routes.join("\n[[route]]\n"));
        let portal = portal(load(&text));
        assert_eq!(summary(&portal), summary(&first));
        assert_eq!(paths(&portal), ["/", "/about", "/login", "/old"]);
    }
}

#[test]
fn line_ends_and_byte_order_marks_change_nothing() {
    let first = summary(&portal(load(VALID)));
    for text in [VALID.replace('\n', "\r\n"), format!("\u{feff}{VALID}"), VALID.replace(" = ", "\t=\t")] {
        assert_eq!(summary(&portal(load(&text))), first);
    }
    let wrong = load(&format!("\u{feff}path = 1\r\n{}", VALID.replace('\n', "\r\n")));
    let place = errors(wrong)[0].place.clone().expect("a place");
    assert_eq!(place.to_string(), "routes.toml:1:1");
}

#[test]
fn what_is_not_text_is_said_with_its_line() {
    let load =
        |bytes: &[u8]| portalgen_portal::load(&sources(bytes, USUAL_FILES), Path::new(ROOT), &Overrides::default());
    let gbk = b"[[route]]\npath = \"/\"\ntitle = \"\xca\xd7\xd2\xb3\"\npth = 1\n";
    let found = errors(load(gbk));
    let lines: Vec<usize> = found.iter().filter_map(|error| Some(error.place.as_ref()?.line_column().0)).collect();
    assert_eq!(lines, [3, 4], "{}", rendered(&found));
    let utf16: Vec<u8> = "\u{feff}[[route]]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(messages(load(&utf16)), ["routes.toml is stored as UTF-16"]);
    assert!(load(b"").is_err() && load(b"\xef\xbb\xbf").is_err() && load(b"\0").is_err());
}

#[test]
fn a_missing_file_says_where_it_was_looked_for() {
    let nothing = Memory::new([("/portal/readme.md", "")]);
    let found = errors(portalgen_portal::load(&nothing, Path::new(ROOT), &Overrides::default()));
    assert_eq!(found[0].message, "there is no routes.toml in /portal");
    let folder = Memory::new([("/portal/routes.toml/x", "")]);
    assert!(portalgen_portal::load(&folder, Path::new(ROOT), &Overrides::default()).is_err());
}

#[test]
fn case_matters_on_every_system() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = fs::canonicalize(folder.path()).expect("a root");
    fs::create_dir_all(root.join("site/pages")).expect("pages");
    fs::write(root.join("site/pages/Index.tsx"), "").expect("a page");
    fs::write(root.join("site/pages/cafe\u{301}.tsx"), "").expect("a page with a decomposed name");
    let load = |text: &str| {
        fs::write(root.join("routes.toml"), text).expect("routes.toml");
        portalgen_portal::load(&portalgen_base::source::Disk::of_project(&root), &root, &Overrides::default())
    };
    let found = errors(load("[[route]]\npath = \"/\"\n"));
    assert!(found[0].hints[0].english().contains("only in case"), "{}", rendered(&found));
    let portal = portal(load("[[route]]\npath = \"/caf\u{e9}\"\n"));
    let RouteKind::Page { component } = &portal.routes[0].kind else { panic!("a page") };
    assert!(component.is_file());
}

/// Long enough for a slow machine, far too short for anything quadratic.
const SOON: Duration = Duration::from_mins(1);

#[test]
fn huge_and_deep_files_are_answered_soon() {
    let many = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let cases: Vec<(&str, String)> = vec![
        ("brackets", "[".repeat(2_000_000)),
        ("nested lists", format!("a = {}", "[".repeat(1_000_000))),
        ("nested tables", format!("a = {}", "{a=".repeat(300_000))),
        ("dotted keys", format!("{}a = 1", "a.".repeat(1_000_000))),
        ("equals signs", "=".repeat(2_000_000)),
        ("lines without a value", "x\n".repeat(800_000)),
        ("one key", "a=1\n".repeat(200_000)),
        ("bad quotes", many(20_000, &|n| format!("[[route]]\npath = “/p{n}”\n"))),
        ("pages without files", many(20_000, &|n| format!("[[route]]\npath = \"/page{n}\"\n"))),
        ("redirects to nowhere", many(20_000, &|n| format!("[[route]]\npath = \"/r{n}\"\nredirect = \"/x{n}\"\n"))),
        ("a chain", many(20_000, &|n| format!("[[route]]\npath = \"/r{n}\"\nredirect = \"/r{}\"\n", n + 1))),
        (
            "a circle",
            many(20_000, &|n| format!("[[route]]\npath = \"/r{n}\"\nredirect = \"/r{}\"\n", (n + 1) % 20_000)),
        ),
        ("one path", many(20_000, &|_| "[[route]]\npath = \"/a\"\nredirect = \"https://h.example\"\n".to_owned())),
        ("zeros", "\0".repeat(2_000_000)),
        ("many keys on a line", format!("[[route]]\npath = \"/\" {}\n", "title=“x”；".repeat(300))),
        ("one key on many lines", format!("[[route]]\npath = “/\n{}", "x\n".repeat(300_000))),
        ("lists never closed", many(2_000, &|n| format!("[[route]]\npath = [\"/p{n}\"\n"))),
        ("texts never closed", many(2_000, &|n| format!("[[route]]\npath = \"\"\"/p{n}\n"))),
        ("sections without brackets", "route\npath：“/a”\n".repeat(20_000)),
        ("ten megabytes", format!("{}[[route]]\npath：“/”\n", "# a remark\n".repeat(1_000_000))),
        ("a long line", format!("[[route]]\npath = \"/\"\ntitel = \"{}\"\n", "长".repeat(1_000_000))),
    ];
    for (name, text) in cases {
        let start = Instant::now();
        let found = errors(load(&text));
        assert!(found.len() <= 101, "{name}: {} complaints", found.len());
        let shown = rendered(&found);
        assert!(start.elapsed() < SOON, "{name} took {:?}", start.elapsed());
        assert!(shown.len() < 100_000, "{name}: {} bytes of report", shown.len());
    }
}
