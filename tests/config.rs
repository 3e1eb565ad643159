//! The configuration stage seen from outside: what comes out of a `routes.toml`, and what is said about a bad one.
//!
//! Every folder of `tests/fixtures/config` is a test: `routes.toml`, `files.txt` with the files that are there (one a
//! line), `expected.txt`, and in some of them `expected.zh.txt` with the same in Chinese. `UPDATE=1 cargo test --test
//! config` writes those that are there anew, to be read before they are kept.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use portalgen::{
    cli::report::{self, Look},
    config::{self, Overrides, Portal, RouteKind, RoutePath, SecurityContact, SiteInfo, Slash},
    diagnostic::Diagnostic,
    source::Memory,
    text::{Language, Text},
};

const ROOT: &str = "/portal";
const USUAL_FILES: &str = "site/pages/index.tsx\nsite/pages/about.tsx\n";

type Loaded = Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>>;

fn sources(routes: &[u8], files: &str) -> Memory {
    let root = Path::new(ROOT);
    let files = files.lines().map(|file| (root.join(file), Vec::new()));
    Memory::new(files.chain([(root.join("routes.toml"), routes.to_vec())]))
}

fn load_with(routes: &str, files: &str, overrides: &Overrides) -> Loaded {
    config::load(&sources(routes.as_bytes(), files), Path::new(ROOT), overrides)
}

fn load(routes: &str) -> Loaded {
    load_with(routes, USUAL_FILES, &Overrides::default())
}

fn rendered(diagnostics: &[Diagnostic]) -> String {
    rendered_in(Language::English, diagnostics)
}

fn rendered_in(language: Language, diagnostics: &[Diagnostic]) -> String {
    let look = Look { language, ..Look::default() };
    diagnostics.iter().map(|diagnostic| report::human(diagnostic, look) + "\n").collect()
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

/// A portal as a reviewer reads it: one line a route.
fn summary(portal: &Portal) -> String {
    let Portal { lang, product, host, urls, .. } = portal;
    let slash = if urls.slash == Slash::Never { ", no slash" } else { "" };
    let mut out = format!("lang {lang}, base {}{slash}\n", urls.base);
    let _ = writeln!(out, "product {product:?}, host {host:?}, origin {:?}", urls.origin);
    let _ = writeln!(out, "not found {:?} {:?}", portal.not_found.title, portal.not_found.component);
    out += &told(portal);
    out.push('\n');
    for route in &portal.routes {
        let _ = writeln!(out, "{} -> {}", urls.page(&route.path), urls.document(&route.path));
        let _ = writeln!(out, "    title {:?}, name {:?}, noindex {}", route.title, route.name, route.noindex);
        let names: Vec<&str> = route.translations.iter().map(RoutePath::as_str).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "    lang {}, translations {}", route.lang, names.join(" "));
        }
        if let Some(budget) = &route.budget {
            let _ = writeln!(out, "    budget {}", budget.size);
        }
        if let Some(image) = &route.image {
            let _ = writeln!(out, "    image {:?}", image.absolute(urls));
        }
        if let Some(description) = &route.description {
            let _ = writeln!(out, "    description {description:?}");
        }
        let _ = match &route.kind {
            RouteKind::Page { component } => writeln!(out, "    page {}", component.display()),
            RouteKind::Redirect { target, status } => writeln!(out, "    {status} {}", target.href(urls)),
            RouteKind::Retired => writeln!(out, "    retired"),
        };
    }
    out + "\n"
}

/// What others than visitors are told.
fn told(portal: &Portal) -> String {
    let mut out = String::new();
    let SiteInfo { icon, image, twitter, theme_color, background_color } = &portal.site;
    if portal.site != SiteInfo::default() {
        let icon = icon.as_ref().map(|icon| icon.file.display());
        let image = image.as_ref().and_then(|image| image.absolute(&portal.urls));
        let colors = [theme_color, background_color].map(|color| color.map(|color| color.to_string()));
        let _ = writeln!(out, "site icon {icon:?}, image {image:?}, twitter {twitter:?}, colours {colors:?}");
    }
    if let Some(SecurityContact { contact, expires, policy, .. }) = &portal.security {
        let _ = writeln!(out, "security {contact:?}, until {expires}, policy {policy:?}");
    }
    out
}

/// The folders of the fixtures, sorted.
fn fixture_folders() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/config");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&folder).expect("the fixtures").filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    assert!(folders.len() > 20, "the fixtures are not where they should be: {}", folder.display());
    folders
}

fn load_fixture(folder: &Path) -> Loaded {
    let routes = fs::read(folder.join("routes.toml")).expect("routes.toml");
    let files = fs::read_to_string(folder.join("files.txt")).unwrap_or_else(|_| USUAL_FILES.to_owned());
    config::load(&sources(&routes, &files), Path::new(ROOT), &Overrides::default())
}

#[test]
fn fixtures() {
    let failed: Vec<String> = fixture_folders().iter().flat_map(|folder| check_fixture(folder)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn check_fixture(folder: &Path) -> impl Iterator<Item = String> {
    let loaded = load_fixture(folder);
    let said_in = |language| match &loaded {
        Ok((portal, warnings)) => summary(portal) + &rendered_in(language, warnings),
        Err(errors) => rendered_in(language, errors),
    };
    let chinese = folder.join("expected.zh.txt");
    let chinese = chinese.exists().then(|| (chinese, said_in(Language::Chinese)));
    let english = (folder.join("expected.txt"), said_in(Language::English));
    std::iter::once(english).chain(chinese).filter_map(|(expected, actual)| {
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            fs::write(&expected, &actual).expect("an expected file");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        (wanted != actual).then(|| format!("{}\n{actual}", expected.display()))
    })
}

#[test]
fn everything_is_said_in_chinese() {
    let is_han = |c: char| ('\u{4e00}'..='\u{9fff}').contains(&c);
    // What fixtures quote is Chinese here and there; what surrounds it has to be so too.
    let words = |text: &Text| text.in_language(Language::Chinese).split('`').step_by(2).collect::<String>();
    for folder in fixture_folders() {
        let told = load_fixture(&folder).map_or_else(|errors| errors, |(_, warnings)| warnings);
        for Diagnostic { message, related, hints, .. } in &told {
            let labels = related.iter().map(|(_, label)| label);
            for text in std::iter::once(message).chain(labels).chain(hints) {
                assert!(words(text).contains(is_han), "{}: {text:?}", folder.display());
            }
        }
    }
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
    };
    let portal = portal(load_with(VALID, USUAL_FILES, &overrides));
    assert_eq!(portal.urls.canonical(&portal.routes[1].path).as_deref(), Some("https://staging.lanyu.example/about/"));
    let login = portal.routes[2].redirect().expect("login is a redirect");
    assert_eq!(login.href(&portal.urls), "http://localhost:3000/login?from=portal#top");

    let wrong = Overrides { host: Some("chat".into()), origin: Some("https://x/y".into()), base: Some("a//b".into()) };
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
    let load = |bytes: &[u8]| config::load(&sources(bytes, USUAL_FILES), Path::new(ROOT), &Overrides::default());
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
    let found = errors(config::load(&nothing, Path::new(ROOT), &Overrides::default()));
    assert_eq!(found[0].message, "there is no routes.toml in /portal");
    let folder = Memory::new([("/portal/routes.toml/x", "")]);
    assert!(config::load(&folder, Path::new(ROOT), &Overrides::default()).is_err());
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
        config::load(&portalgen::source::Disk, &root, &Overrides::default())
    };
    let found = errors(load("[[route]]\npath = \"/\"\n"));
    assert!(found[0].hints[0].english().contains("upper and lower case"), "{}", rendered(&found));
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
