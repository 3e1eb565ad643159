//! `[build] integrity`: documents say what their scripts and style sheets must be.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256, Sha384};

use crate::support::project::{Project, Tree};

const ROUTES: &str = r#"
[portal]
base = "/app"

[build]
integrity = true

[deploy]
platform = ["nginx"]

[[route]]
path = "/"

[[route]]
path = "/about"

[[route]]
path = "/old"
redirect = "/about"
"#;

fn portal() -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "import \"./home.css\"; export default () => <h1>Home</h1>;"),
        ("site/pages/home.css", "h1 { color: red; }"),
        ("site/pages/about.tsx", "import \"./about.css\"; export default () => <h1>About</h1>;"),
        ("site/pages/about.css", "h1 { color: teal; }"),
    ])
}

fn built(project: &Project) -> Tree {
    let outcome = project.build(&[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    project.published()
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    text.split_once(start).unwrap_or_else(|| panic!("no {start} in {text}")).1.split_once(end).unwrap().0
}

fn document<'t>(files: &'t Tree, path: &str) -> &'t str {
    std::str::from_utf8(&files[path]).unwrap()
}

fn sha384(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}

#[test]
fn every_script_and_style_sheet_is_named_with_its_hash() {
    let files = built(&portal());
    let expected: BTreeMap<String, String> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".js") || path.ends_with(".css"))
        .map(|(path, bytes)| (format!("/app/{path}"), sha384(bytes)))
        .collect();
    assert!(expected.len() >= 6, "{expected:?}");
    let mut maps = Vec::new();
    for page in ["index.html", "about/index.html", "404.html"] {
        let html = document(&files, page);
        let map = between(html, "<script type=\"importmap\">", "</script>");
        let integrity: BTreeMap<String, String> =
            serde_json::from_value(serde_json::from_str::<serde_json::Value>(map).unwrap()["integrity"].clone())
                .unwrap();
        let of_all = expected.iter().filter(|(url, _)| url.contains("/portal-") || url.contains("/vendor-"));
        let of_all: BTreeMap<String, String> = of_all.map(|(url, hash)| (url.clone(), hash.clone())).collect();
        assert_eq!(integrity, of_all, "{page}: what every page has, and no part of some of them");
        let data = between(html, "id=\"portal-data\">", "</script>");
        let own: serde_json::Value = serde_json::from_str(data).unwrap();
        let own: BTreeMap<String, String> = serde_json::from_value(own["integrity"].clone()).unwrap();
        assert!(!own.is_empty() && own.iter().all(|(url, hash)| expected[url] == *hash), "{page}: {data}");
        for tag in html.split('<').filter(|tag| tag.contains("/app/assets/") && !tag.starts_with("script type=")) {
            let url = between(tag, "\"/app/assets/", "\"");
            let hash = &expected[&format!("/app/assets/{url}")];
            assert!(tag.contains(&format!(" integrity=\"{hash}\"")), "{page}: {tag}");
        }
        assert!(html.find("importmap") < html.find("modulepreload"), "{html}");
        maps.push(map);
    }
    assert!(maps.iter().all(|map| *map == maps[0]));
    // The policy for the headers allows the map by its text.
    let manifest: serde_json::Value = serde_json::from_slice(&files[".portalgen/deploy/portal.json"]).unwrap();
    let policy = manifest["headers"]["content-security-policy"].as_str().unwrap();
    let hash = STANDARD.encode(Sha256::digest(maps[0].as_bytes()));
    assert!(policy.contains(&format!("script-src 'self' 'sha256-{hash}';")), "{policy}");

    let stub = document(&files, "old/index.html");
    let script = between(stub, "<script src=\"/app/", "\"");
    assert!(stub.contains(&format!(" integrity=\"{}\"", sha384(&files[script]))), "{stub}");
}

#[test]
fn a_title_leaves_it_alone_and_without_it_there_is_none() {
    let project = portal();
    let before = built(&project);
    project.write("routes.toml", &ROUTES.replace("path = \"/about\"\n", "path = \"/about\"\ntitle = \"Us\"\n"));
    let after = built(&project);
    let changed: Vec<&String> = after.keys().filter(|path| before[*path] != after[*path]).collect();
    let pages: Vec<_> = changed.into_iter().filter(|path| !path.starts_with(".portalgen")).collect();
    assert!(pages.iter().all(|path| path.starts_with("about/")), "{pages:?}");

    project.write("routes.toml", &ROUTES.replace("integrity = true", "integrity = false"));
    for (path, bytes) in built(&project).iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        assert!(!html.contains("integrity") && !html.contains("importmap"), "{path}: {html}");
    }
}

#[test]
fn a_template_without_it_is_refused() {
    let project = portal();
    project.write(
        "templates/shell.html",
        "<!doctype html><html><head><title>{{ title }}</title></head><body><div id=\"root\">{{ html }}</div>\
         <script type=\"module\" src=\"{{ entry }}\"></script></body></html>",
    );
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("the template lacks what `integrity` in `[build]` needs"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("templates/shell.html:1:1"), "{}", outcome.stderr);
}
