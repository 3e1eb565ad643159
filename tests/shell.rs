//! The documents of pages and stubs, read back by an HTML parser.

use std::path::Path;

use serde_json::json;

use portalgen_base::{diagnostic::Diagnostic, source::Memory};
use portalgen_build::{
    metadata::{Link, Meta},
    shell::{PageShell, Shells, StubShell},
};

use crate::support::outline::Outline;

fn load(files: &[(&str, &str)]) -> Result<Shells, Vec<Diagnostic>> {
    let files = files.iter().map(|(name, text)| (format!("/p/templates/{name}"), *text));
    Shells::load(&Memory::new(files), Path::new("/p"))
}

fn defaults() -> Shells {
    load(&[]).expect("the defaults are right")
}

#[track_caller]
fn load_error(files: &[(&str, &str)]) -> Vec<Diagnostic> {
    load(files).expect_err("should be refused")
}

fn shown(diagnostic: &Diagnostic) -> String {
    let place = diagnostic.place.as_ref().map_or("nowhere".to_owned(), ToString::to_string);
    format!("{place}: {}", diagnostic.message.english())
}

const HOSTILE: &str = "Cost $1 & $& </title><script>\"'`{{ lang }}\u{9996}\u{9875}";

#[test]
fn a_page_has_exactly_the_expected_elements_whatever_its_values() {
    let data = json!({ "title": HOSTILE, "n": 1.5, "list": ["<!--", "<script", null, true] });
    let urls = ["/a\"b.css".to_owned(), "/b.css".to_owned()];
    let link = |rel, href: &str| Link { rel, href: href.to_owned(), ..Link::default() };
    let links = [
        Link { sizes: Some("32x32"), ..link("icon", "/favicon.ico") },
        Link { hreflang: Some("zh-CN".to_owned()), ..link("alternate", "https://x.example/a?b&c='\"") },
        link("manifest", "/m"),
    ];
    let meta = |attribute, key| Meta { attribute, key, content: HOSTILE.to_owned() };
    let metas = [meta("property", "og:title"), meta("name", "twitter:card")];
    let page = PageShell {
        lang: "zh-CN",
        title: HOSTILE,
        description: Some(HOSTILE),
        canonical: Some("https://x.example/a?b=1&c='2'"),
        noindex: true,
        base: "/app/",
        stylesheets: &urls,
        preloads: &["/m.js".to_owned()],
        entry: Some("/app/assets/entry.js?a&b"),
        recovery: Some("/r.js?a&b"),
        icon: Some("/icon.svg"),
        integrity: None,
        import_map: None,
        links: &links,
        metas: &metas,
        structured: Some(&data),
        html: "<main>React's \"own\" &amp; <!-- --> bytes</main>",
        data: Some(&data),
    };
    let html = defaults().page(&page).expect("a page");
    assert!(html.starts_with("<!doctype html>\n<html lang=\"zh-CN\">\n<head>\n<meta charset=\"utf-8\">"), "{html}");
    assert!(html.contains("<div id=\"root\"><main>React's \"own\" &amp; <!-- --> bytes</main></div>"));
    assert!(html.contains("href=\"https://x.example/a?b=1&amp;c=&#39;2&#39;\""), "slashes stay readable: {html}");
    let outline = Outline::of(&html);
    let json_line = outline.last().expect("lines").trim().to_owned();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json_line).expect("JSON"), data);
    assert!(!json_line.contains('<'));
    let expected = [
        "html lang=[zh-CN]",
        "head",
        "meta charset=[utf-8]",
        "meta name=[viewport] content=[width=device-width, initial-scale=1]",
        "title",
        &format!("  {HOSTILE}"),
        &format!("meta name=[description] content=[{HOSTILE}]"),
        "meta name=[robots] content=[noindex]",
        "link rel=[canonical] href=[https://x.example/a?b=1&c='2']",
        &format!("meta property=[og:title] content=[{HOSTILE}]"),
        &format!("meta name=[twitter:card] content=[{HOSTILE}]"),
        "link rel=[icon] sizes=[32x32] href=[/favicon.ico]",
        "link rel=[alternate] hreflang=[zh-CN] href=[https://x.example/a?b&c='\"]",
        "link rel=[manifest] href=[/m]",
        "link rel=[icon] href=[/icon.svg]",
        "link rel=[stylesheet] href=[/a\"b.css]",
        "link rel=[stylesheet] href=[/b.css]",
        "link rel=[modulepreload] href=[/m.js] fetchpriority=[low]",
        "script type=[module] src=[/app/assets/entry.js?a&b] fetchpriority=[low]",
        "script async=[] src=[/r.js?a&b] fetchpriority=[low]",
        "script type=[application/ld+json]",
        &format!("  {json_line}"),
        "body",
        "div id=[root]",
        "main",
        "  React's \"own\" &  bytes",
        "script type=[application/json] id=[portal-data]",
        &format!("  {json_line}"),
    ];
    assert_eq!(outline, expected);
}

#[test]
fn what_a_page_says_of_itself_counts_more() {
    let meta = |attribute, key| Meta { attribute, key, content: "of the portal".to_owned() };
    let metas = [meta("property", "og:title"), meta("property", "og:type"), meta("name", "twitter:card")];
    let html = "<meta property=\"og:title\" content=\"of the page\"/><main></main>";
    let document = defaults().page(&PageShell { metas: &metas, html, ..PageShell::default() }).expect("a page");
    let lines = Outline::of(&document);
    let found: Vec<_> = lines.iter().filter(|line| line.contains(" content=[of the")).collect();
    assert_eq!(
        found,
        [
            "meta property=[og:type] content=[of the portal]",
            "meta name=[twitter:card] content=[of the portal]",
            "meta property=[og:title] content=[of the page]",
        ]
    );
}

#[test]
fn a_page_without_optional_values_says_nothing_of_them() {
    let page = PageShell { lang: "en", base: "/", ..PageShell::default() };
    let html = defaults().page(&page).expect("a page");
    for word in ["None", "none", "undefined", "null", "True", "False"] {
        assert!(!html.contains(word), "{word} in {html}");
    }
    let expected = [
        "html lang=[en]",
        "head",
        "meta charset=[utf-8]",
        "meta name=[viewport] content=[width=device-width, initial-scale=1]",
        "title",
        "body",
        "div id=[root]",
    ];
    assert_eq!(Outline::of(&html), expected);
    assert!(html.contains("<div id=\"root\"></div>"));
}

#[test]
fn a_stub_has_exactly_the_expected_elements_whatever_its_target() {
    let targets = [
        "https://h.example/?q=\"><img src=x onerror=alert(1)>",
        "https://h.example/a;b='c';url=d?e=f&g=h#i",
        "/app/new?a=1&b=</script>",
        "'https://quoted.example'",
    ];
    for target in targets {
        let stub = StubShell {
            lang: "zh-CN",
            title: HOSTILE,
            target,
            script: "/assets/redirect-1.js",
            ..StubShell::default()
        };
        let html = defaults().stub(&stub).expect("a stub");
        let expected = [
            "html lang=[zh-CN]",
            "head",
            "meta charset=[utf-8]",
            "meta name=[color-scheme] content=[light dark]",
            &format!("script src=[/assets/redirect-1.js] data-to=[{target}]"),
            &format!("meta http-equiv=[refresh] content=[0; url={target}]"),
            "meta name=[viewport] content=[width=device-width, initial-scale=1]",
            "meta name=[robots] content=[noindex]",
            &format!("link rel=[canonical] href=[{target}]"),
            "title",
            &format!("  {HOSTILE}"),
            "body",
            &format!("a href=[{target}]"),
            &format!("  {HOSTILE}"),
        ];
        assert_eq!(Outline::of(&html), expected);
    }
}

#[test]
fn a_stub_without_a_title_shows_its_target() {
    let stub = StubShell {
        lang: "en",
        title: "",
        target: "/x?a&b",
        script: "/s.js",
        icon: Some("/i.svg"),
        ..StubShell::default()
    };
    let html = defaults().stub(&stub).expect("a stub");
    assert!(html.contains("<a href=\"/x?a&amp;b\">/x?a&amp;b</a>"), "{html}");
    assert!(html.contains("<link rel=\"icon\" href=\"/i.svg\">"), "{html}");
}

#[test]
fn the_projects_templates_override_the_defaults_and_may_include_each_other() {
    let shells = load(&[
        (
            "shell.html",
            "\u{feff}{% include 'parts/head.html' %}<p>{{ description }}{{ noindex and title }}</p><i>{{ html }}</i>",
        ),
        ("parts/head.html", "<title>{{ title }}</title>"),
        ("unrelated.txt", "{{ not a template"),
    ])
    .expect("templates");
    let page = PageShell { lang: "en", title: "a/b<", html: "<b>", ..PageShell::default() };
    let html = shells.page(&page).expect("a page");
    assert_eq!(html, "<title>a/b&lt;</title><p>False</p><i><b></i>");
    assert!(shells.stub(&StubShell::default()).expect("the default stub").contains("http-equiv"));
}

#[test]
fn a_syntax_error_is_placed() {
    let errors = load_error(&[
        ("shell.html", "<p>\n{% if title %}\n<b>{{ html }}</b>\n{% endfi %}\n"),
        ("redirect.html", "{{ title"),
    ]);
    let all: Vec<_> = errors.iter().map(shown).collect();
    assert_eq!(all.len(), 2, "every template's first error: {all:?}");
    assert!(all[0].starts_with("templates/redirect.html:1:"), "{all:?}");
    assert!(all[1].starts_with("templates/shell.html:4:4: template: syntax error"), "{all:?}");
}

#[test]
fn an_unknown_variable_is_placed_and_a_known_one_suggested() {
    let errors = load_error(&[("shell.html", "<html>\n<title>{{ titel }}</title>\n<b>{{ html }}</b>")]);
    assert_eq!(errors.len(), 1, "once, not once a page");
    assert!(
        shown(&errors[0]).starts_with("templates/shell.html:2:11: template: undefined value"),
        "{}",
        shown(&errors[0])
    );
    assert_eq!(errors[0].hints[0], "did you mean `title`?");
    assert!(errors[0].hints[1].english().contains("canonical, data, description"), "{:?}", errors[0].hints);
}

#[test]
fn an_error_in_an_include_is_placed_there_and_tells_who_included_it() {
    let shell = "<b>{{ html }}</b>\n{% include 'foot.html' %}";
    let errors = load_error(&[("shell.html", shell), ("foot.html", "\n\n{{ titel }}")]);
    assert!(shown(&errors[0]).starts_with("templates/foot.html:3:4: "), "{}", shown(&errors[0]));
    assert_eq!(errors[0].related[0].0.to_string(), "templates/shell.html:2:4");
    assert!(!errors[0].hints.is_empty());
}

#[test]
fn a_missing_include_is_placed() {
    for name in ["nope.html", "../routes.toml", "/etc/passwd", "unrelated.txt"] {
        let shell = format!("<b>{{{{ html }}}}</b>\n{{% include '{name}' %}}");
        let errors = load_error(&[("shell.html", &shell), ("unrelated.txt", "x")]);
        assert!(shown(&errors[0]).starts_with("templates/shell.html:2:4: "), "{}", shown(&errors[0]));
        assert!(errors[0].message.english().contains(name), "{}", errors[0].message.english());
        assert!(errors[0].hints[0].english().contains("in `templates`"));
    }
}

#[test]
fn a_template_that_sets_reacts_html_apart_is_refused() {
    for shell in
        ["<b>nothing</b>", "<b>\n{{ html }}\n</b>", "<b>{{ html }} </b>", "<b>{{ html|escape }}</b>x{{ html }}"]
    {
        let errors = load_error(&[("shell.html", shell)]);
        assert!(errors[0].message.english().contains("{{ html }}"), "{}", errors[0].message.english());
        assert!(errors[0].place.is_some());
    }
}

#[test]
fn a_template_that_includes_itself_is_an_error() {
    let errors = load_error(&[("shell.html", "<b>{{ html }}</b>{% include 'shell.html' %}")]);
    assert!(errors[0].is_error());
}

#[test]
fn a_template_that_is_not_text_is_named() {
    let files = [("/p/templates/shell.html", b"\xff\xfe".to_vec())];
    let errors = Shells::load(&Memory::new(files), Path::new("/p")).expect_err("not UTF-8");
    let place = errors[0].place.as_ref().map(ToString::to_string);
    assert_eq!(place.as_deref(), Some("templates/shell.html:1:1"));
    assert_eq!(errors[0].message, "this file is not stored as UTF-8");
}

#[test]
fn a_template_that_would_take_for_ever_is_stopped() {
    for (code, words) in [
        ("{{ [1] * 100000000 }}", "a list has no text of its own"),
        ("{{ ([1] * 100000000)|join }}", "fuel"),
        ("{{ 'ab' * 50000000 }}", "fuel"),
        ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "fuel"),
    ] {
        let template = format!("<head></head><div>{{{{ html }}}}</div>{code}");
        let sources = Memory::new([(Path::new("/p/templates/shell.html").to_owned(), template.into_bytes())]);
        let errors = Shells::load(&sources, Path::new("/p")).expect_err(code);
        assert!(errors[0].message.english().contains(words), "{code}: {}", errors[0].message.english());
        assert!(errors[0].place.is_some() && !errors[0].hints.is_empty(), "{:?}", errors[0]);
    }
}
