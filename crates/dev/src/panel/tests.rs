//! Requests as pages send them, and as others might.

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
};

use portalgen_base::text::Language;
use portalgen_portal::Overrides;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Around, Changed, Panel};
use crate::content::{Method, Request, Response};

const ROUTES: &str = "\
# the portal
[portal]
product = \"Acme\"
origin = \"https://www.acme.example\"

[[route]]   # home
path = '/'\t# first
title    =   'Welcome to {product}'   # a remark about the title

[[route]]
path = \"/about\"
title = \"About\"
description = \"What we do.\"

[[route]]
path = \"/old\"
redirect = \"/about\"

[[route]]
path = \"/gone\"
retired = true

[not_found]
title = \"Nothing here\"
";

/// A panel of a project of its own.
struct Fixture {
    _folder: TempDir,
    root: PathBuf,
    panel: Panel,
    told: RefCell<Vec<Changed>>,
}

impl Fixture {
    fn of(routes: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("site/pages")).unwrap();
        for page in ["index", "about"] {
            fs::write(root.join(format!("site/pages/{page}.tsx")), "export default () => null;\n").unwrap();
        }
        fs::write(root.join("routes.toml"), routes).unwrap();
        let panel = Panel::new(root.clone(), Overrides::default(), Language::English);
        Self { _folder: folder, root, panel, told: RefCell::default() }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.root.join("routes.toml")).unwrap()
    }

    fn write(&self, routes: &str) {
        fs::write(self.root.join("routes.toml"), routes).unwrap();
    }

    fn ask(&self, method: Method, path: &str, query: Option<&str>, body: &[u8]) -> Option<Response> {
        let tell = |changed: Changed| self.told.borrow_mut().push(changed);
        let around = Around { base: "/", token: "the<token>", portal: None, problems: &[], tell: &tell };
        let query = query.map(ToOwned::to_owned);
        let request = Request { method, query, body: body.to_vec(), ..Request::default() };
        self.panel.answer(path, &request, around)
    }

    fn list(&self) -> Value {
        json_of(&self.ask(Method::Get, "panel/list", None, b"").unwrap()).1
    }

    fn post(&self, name: &str, body: &Value) -> (u16, Value) {
        json_of(&self.ask(Method::Post, &format!("panel/{name}"), None, body.to_string().as_bytes()).unwrap())
    }

    fn edit(&self, path: &str, key: &str, seen: impl Into<Value>, text: &str) -> (u16, Value) {
        let wanted = json!({ "key": key, "text": text, "seen": seen.into() });
        self.post("edit", &json!({ "path": path, "texts": [wanted] }))
    }

    fn undo(&self) -> (u16, Value) {
        self.post("undo", &json!({}))
    }

    fn judge(&self, path: &str, key: &str, text: &str) -> Value {
        let wanted = json!({ "key": key, "text": text });
        self.post("judge", &json!({ "path": path, "texts": [wanted] })).1["drafts"][0].clone()
    }
}

fn json_of(response: &Response) -> (u16, Value) {
    (response.status, serde_json::from_slice(&response.body).unwrap())
}

fn route<'a>(list: &'a Value, path: &str) -> &'a Value {
    list["routes"].as_array().unwrap().iter().find(|route| route["path"] == path).unwrap()
}

fn messages(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|finding| finding["message"].as_str().unwrap()).collect()
}

#[test]
fn routes_are_listed_as_the_file_has_them() {
    let fixture = Fixture::of(ROUTES);
    let list = fixture.list();
    let paths: Vec<&Value> = list["routes"].as_array().unwrap().iter().map(|route| &route["path"]).collect();
    assert_eq!(paths, ["/", "/about", "/old", "/gone", "404"]);
    let home = route(&list, "/");
    assert_eq!(home["title"]["written"], "Welcome to {product}");
    assert_eq!(home["title"]["shown"], "Welcome to Acme");
    assert_eq!(home["title"]["width"], 15);
    assert_eq!(home["url"], "https://www.acme.example/");
    assert_eq!(home["file"], "site/pages/index.tsx");
    assert_eq!(home["description"]["written"], Value::Null);
    assert_eq!(messages(&home["description"]["findings"]), ["`/` has no description"]);
    assert_eq!(messages(&home["findings"]), [""; 0]);
    let old = route(&list, "/old");
    assert_eq!((&old["kind"], &old["status"]), (&json!("redirect"), &json!(301)));
    assert_eq!((&old["redirect"]["written"], &old["redirect"]["shown"]), (&json!("/about"), &json!("/about/")));
    assert_eq!((&route(&list, "/gone")["kind"], &route(&list, "/gone")["address"]), (&json!("retired"), &Value::Null));
    assert_eq!(route(&list, "404")["title"]["shown"], "Nothing here");
    assert_eq!(list["rooms"]["title"], json!({ "inResults": 60, "widest": 90 }));
    assert_eq!((&list["undo"], &list["name"]), (&Value::Null, &json!("Acme")));
}

#[test]
fn what_is_found_is_told_beside_the_text_that_it_is_about() {
    let fixture = Fixture::of(&ROUTES.replace("\"About\"", "\"Welcome to Acme\"").replace("What we do.", "TODO"));
    let list = fixture.list();
    for path in ["/", "/about"] {
        let title = &route(&list, path)["title"];
        assert_eq!(messages(&title["findings"]), ["2 pages have the title “Welcome to Acme”"], "{path}");
        assert_eq!(title["findings"][0]["rule"], "duplicate-title");
    }
    assert_eq!(route(&list, "/about")["description"]["findings"][0]["rule"], "placeholder-text");
    assert_eq!(messages(&route(&list, "/about")["findings"]), [""; 0]);
    assert_eq!(messages(&list["general"]), [""; 0]);
}

#[test]
fn a_title_is_edited_where_it_stands_and_the_terminal_hears_of_it() {
    let fixture = Fixture::of(ROUTES);
    let (status, outcome) = fixture.edit("/", "title", "Welcome to {product}", "Hello");
    assert_eq!((status, messages(&outcome["refused"]).len()), (200, 0));
    let expected = ROUTES.replace("'Welcome to {product}'", "\"Hello\"");
    assert_eq!(fixture.text(), expected);
    assert_eq!(route(&outcome["list"], "/")["title"]["written"], "Hello");
    let told = fixture.told.borrow();
    let changed = Changed {
        path: "/".to_owned(),
        key: "title",
        old: Some("Welcome to {product}".to_owned()),
        new: Some("Hello".to_owned()),
    };
    assert_eq!(*told, [changed]);
    assert_eq!(outcome["list"]["undo"][0]["old"], "Hello");
}

#[test]
fn texts_of_a_route_are_saved_together_or_not_at_all() {
    let fixture = Fixture::of(ROUTES);
    let texts = |title: &str| {
        json!({ "path": "/about", "texts": [
            { "key": "title", "text": title, "seen": "About" },
            { "key": "description", "text": "Us.", "seen": "What we do." },
        ] })
    };
    assert_eq!(fixture.post("edit", &texts("")).0, 422);
    assert_eq!(fixture.text(), ROUTES);
    assert_eq!(fixture.post("edit", &texts("Us")).0, 200);
    assert_eq!(fixture.text(), ROUTES.replace("\"About\"", "\"Us\"").replace("What we do.", "Us."));
    assert_eq!(fixture.undo().0, 200);
    assert_eq!(fixture.text(), ROUTES);
}

#[test]
fn whatever_is_typed_becomes_one_text_of_toml_or_is_refused() {
    for text in
        ["\"]] [[route]] path = \"/x", "</script><script>alert(1)</script>", "a\\b'c", "]]", "'''", "# x", "关于“我们”"]
    {
        let fixture = Fixture::of(ROUTES);
        let (status, outcome) = fixture.edit("/about", "title", "About", text);
        assert_eq!(status, 200, "{text}: {outcome}");
        assert_eq!(fixture.text().lines().count(), ROUTES.lines().count(), "{text}");
        let list = fixture.list();
        assert_eq!(route(&list, "/about")["title"]["shown"], text);
        assert_eq!(list["routes"].as_array().unwrap().len(), 5, "{text}");
    }
    for (key, text, words) in [
        ("title", "", "this text is empty"),
        ("title", " x", "there are spaces around this value"),
        ("title", "a\nb", "a line break is hidden in this value"),
        ("title", "a\u{202e}b", "the text-direction character U+202E"),
        ("title", "a\u{0}b", "U+0000"),
        ("description", "{prodct}", "there is no placeholder `{prodct}`"),
        ("redirect", "/", "`/about` is a page"),
    ] {
        let fixture = Fixture::of(ROUTES);
        let seen = if key == "description" { json!("What we do.") } else { json!("About") };
        let seen = if key == "redirect" { Value::Null } else { seen };
        let (status, outcome) = fixture.edit("/about", key, seen, text);
        assert_eq!(status, 422, "{text}: {outcome}");
        assert!(messages(&outcome["refused"])[0].contains(words), "{outcome}");
        assert_eq!(fixture.judge("/about", key, text)["refused"], true);
        assert_eq!(fixture.text(), ROUTES);
        assert!(fixture.told.borrow().is_empty());
    }
}

#[test]
fn redirects_lead_where_they_may() {
    for (target, rule) in [
        ("javascript:alert(1)", "unsafe-redirect"),
        ("//evil.example", "unsafe-redirect"),
        ("https://evil.example", "redirect-host"),
        ("/nowhere", "redirect-nowhere"),
        ("/old", "redirect-loop"),
    ] {
        let fixture = Fixture::of(ROUTES);
        let (status, outcome) = fixture.edit("/old", "redirect", "/about", target);
        assert_eq!((status, &outcome["refused"][0]["rule"]), (422, &json!(rule)), "{target}");
        assert_eq!(fixture.text(), ROUTES);
    }
    let fixture = Fixture::of(ROUTES);
    assert_eq!(fixture.edit("/old", "redirect", "/about", "/").0, 200);
    assert_eq!(fixture.text(), ROUTES.replace("redirect = \"/about\"", "redirect = \"/\""));
}

#[test]
fn only_three_texts_of_routes_that_exist_are_changed() {
    let fixture = Fixture::of(ROUTES);
    let (status, outcome) = fixture.edit("/abuot", "title", Value::Null, "x");
    assert_eq!((status, &outcome["refused"][0]["hints"][0]), (404, &json!("did you mean `/about`?")));
    for path in ["/new", "404", "", "/../etc/passwd", "/404", "routes.toml"] {
        assert_eq!(fixture.edit(path, "redirect", Value::Null, "/about").0, 404, "{path}");
    }
    for body in [
        json!({ "path": "/about", "texts": [{ "key": "component", "text": "../../x", "seen": null }] }),
        json!({ "path": "/about", "texts": [{ "key": "title", "text": 1 }] }),
        json!({ "path": "/about", "texts": [{ "key": "title", "text": "x", "file": "/etc/passwd" }] }),
        json!({ "path": "/about", "texts": "x" }),
        json!({ "path": ["/about"], "texts": [] }),
        json!([]),
        json!(null),
    ] {
        let (status, outcome) = fixture.post("edit", &body);
        assert_eq!(status, 400, "{body}");
        assert_eq!(messages(&outcome["refused"]), ["the server does not understand this request"]);
        assert_eq!(fixture.post("judge", &body).0, 400);
    }
    for body in ["{".to_owned(), String::new(), "\u{feff}{}".to_owned(), "[".repeat(100_000)] {
        assert_eq!(fixture.ask(Method::Post, "panel/edit", None, body.as_bytes()).unwrap().status, 400);
    }
    assert_eq!(fixture.text(), ROUTES);
}

#[test]
fn a_text_has_a_limit() {
    let fixture = Fixture::of(ROUTES);
    let (status, outcome) = fixture.edit("/about", "title", "About", &"x".repeat(900_000));
    assert_eq!(status, 422);
    assert_eq!(messages(&outcome["refused"]), ["this text has 900000 bytes; the limit is 10000"]);
    assert!(outcome.to_string().len() < 10_000);
    assert_eq!(fixture.text(), ROUTES);
}

#[test]
fn a_draft_is_judged_as_it_would_be_saved_and_nothing_is_written() {
    let fixture = Fixture::of(ROUTES);
    let judged = fixture.judge("/about", "title", "Welcome to {product}");
    assert_eq!((&judged["refused"], &judged["shown"]), (&json!(false), &json!("Welcome to Acme")));
    assert_eq!(judged["findings"][0]["rule"], "duplicate-title");
    let judged = fixture.judge("/about", "title", &"关于".repeat(25));
    assert_eq!((&judged["width"], &judged["findings"][0]["rule"]), (&json!(100), &json!("long-title")));
    assert_eq!(judged["inResults"], format!("{}关…", "关于".repeat(14)));
    let judged = fixture.judge("/old", "redirect", "/#x");
    assert_eq!((&judged["refused"], &judged["shown"]), (&json!(false), &json!("/#x")));
    assert_eq!((fixture.text().as_str(), fixture.told.borrow().len()), (ROUTES, 0));
}

#[test]
fn edits_are_undone_newest_first_as_often_as_there_are() {
    let fixture = Fixture::of(ROUTES);
    let mut texts = vec![ROUTES.to_owned()];
    for (key, seen, text) in [
        ("title", json!("About"), "Us"),
        ("title", json!("Us"), "关于"),
        ("description", json!("What we do."), "All of it."),
    ] {
        assert_eq!(fixture.edit("/about", key, seen, text).0, 200);
        texts.push(fixture.text());
    }
    assert_eq!(fixture.edit("/", "description", Value::Null, "Acme").0, 200);
    while let Some(text) = texts.pop() {
        assert_eq!(fixture.undo().0, 200);
        assert_eq!(fixture.text(), text);
    }
    let (status, outcome) = fixture.undo();
    assert_eq!((status, messages(&outcome["refused"])), (409, vec!["there is nothing to undo"]));
    let last = fixture.told.borrow().last().cloned().unwrap();
    assert_eq!((last.old.as_deref(), last.new.as_deref()), (Some("Us"), Some("About")));
}

#[test]
fn what_was_changed_again_stays_and_what_was_before_can_still_be_undone() {
    let fixture = Fixture::of(ROUTES);
    fixture.edit("/", "title", "Welcome to {product}", "Hello");
    fixture.edit("/about", "title", "About", "Us");
    fixture.write(&fixture.text().replace("\"Us\"", "\"Our team\"").replace("# the portal", "# our portal"));
    let (status, outcome) = fixture.undo();
    assert_eq!(status, 422);
    assert_eq!(messages(&outcome["refused"]), ["the title of `/about` has been changed again since then"]);
    assert_eq!(fixture.undo().0, 200);
    let expected =
        ROUTES.replace("'Welcome to {product}'", "\"Welcome to {product}\"").replace("\"About\"", "\"Our team\"");
    assert_eq!(fixture.text(), expected.replace("# the portal", "# our portal"));
}

#[test]
fn nobody_is_overwritten() {
    let fixture = Fixture::of(ROUTES);
    fixture.write(&ROUTES.replace("\"About\"", "\"Our team\""));
    let (status, outcome) = fixture.edit("/about", "title", "About", "Us");
    assert_eq!(status, 409);
    let words = "somebody else has changed this text in the meantime; it is now “Our team”";
    assert_eq!(messages(&outcome["refused"]), [words]);
    assert_eq!(fixture.text(), ROUTES.replace("\"About\"", "\"Our team\""));
    assert_eq!(fixture.edit("/about", "title", "Our team", "Us").0, 200);
    assert_eq!(fixture.edit("/about", "title", "About", "Us").0, 200, "what is wanted is there");
}

#[test]
fn a_broken_file_keeps_its_last_list_and_takes_no_edits() {
    let fixture = Fixture::of(ROUTES);
    fixture.edit("/about", "title", "About", "Us");
    let broken = fixture.text().replace("\"Us\"", "“Us”");
    fixture.write(&broken);
    let list = fixture.list();
    assert_eq!(messages(&list["broken"]), ["these quotes are not straight quotes"]);
    assert_eq!(list["broken"][0]["place"], "routes.toml:12:9");
    assert_eq!(route(&list, "/about")["title"]["written"], "Us");
    for (status, outcome) in [fixture.edit("/", "title", "Welcome to {product}", "x"), fixture.undo()] {
        assert_eq!((status, messages(&outcome["refused"])), (409, vec!["these quotes are not straight quotes"]));
    }
    assert_eq!(fixture.text(), broken);
    fixture.write(&broken.replace("“Us”", "\"Us\""));
    assert_eq!(messages(&fixture.list()["broken"]), [""; 0]);
    assert_eq!(fixture.undo().0, 200, "an undo that was refused is not lost");
    assert_eq!(fixture.text(), ROUTES);
}

#[test]
fn what_is_said_is_in_the_language_that_is_asked_for() {
    let fixture = Fixture::of(ROUTES);
    let body = json!({ "path": "/abuot", "texts": [] }).to_string();
    let said = |query| {
        let (_, outcome) = json_of(&fixture.ask(Method::Post, "panel/edit", query, body.as_bytes()).unwrap());
        outcome["refused"][0]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(said(None), "there is no route `/abuot`");
    assert_eq!(said(Some("lang=zh")), "没有 `/abuot` 这个网址");
    assert_eq!(said(Some("lang=%00")), said(Some("lang=en")));
}

#[test]
fn without_packages_the_page_says_what_to_do() {
    let fixture = Fixture::of(ROUTES);
    let page = fixture.ask(Method::Get, "", None, b"").unwrap();
    let html = String::from_utf8(page.body.to_vec()).unwrap();
    assert_eq!(page.status, 500);
    assert!(html.contains("npm install") && html.contains("react"), "{html}");
    assert!(!html.contains("<script"), "{html}");
    assert!(
        page.headers.get("content-security-policy").is_some_and(|policy| policy.contains("frame-ancestors 'none'"))
    );
}

#[test]
fn nothing_is_looked_up_by_a_path() {
    let fixture = Fixture::of(ROUTES);
    for path in [
        "panel/../../routes.toml",
        "panel/routes.toml",
        "panel//etc/passwd",
        "panel/main.js.map",
        "panel/",
        "panel",
        "panel/edit",
        "panel/undo",
    ] {
        assert!(fixture.ask(Method::Get, path, None, b"").is_none(), "{path}");
    }
    for path in ["", "panel/list", "panel/panel.css", "panel/", "socket"] {
        assert!(fixture.ask(Method::Post, path, None, b"{}").is_none(), "{path}");
    }
}

#[test]
fn the_document_cannot_be_left_by_what_stands_in_it() {
    let fixture = Fixture::of(ROUTES);
    let tell = |_| {};
    let around = Around { base: "/a</script>/", token: "<", portal: None, problems: &[], tell: &tell };
    let html = super::document::page(Language::Chinese, around);
    assert_eq!(html.matches("</script>").count(), 2, "{html}");
    assert!(html.contains("<html lang=\"zh-CN\">") && html.contains("\\u003c/script>"), "{html}");
    assert!(Path::new(&fixture.root).exists());
}
