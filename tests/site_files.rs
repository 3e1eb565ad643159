//! What others than visitors find in a portal, seen from outside: a small project is built, and each file is read by a
//! parser of its format.

use std::{collections::BTreeSet, fmt::Write as _, io::Cursor, process::Command};

use image::{ColorType, GenericImageView as _, ImageFormat, Rgba, RgbaImage};
use serde_json::Value;

use portalgen_build::metadata::{SitemapEntry, sitemaps};

use crate::support::{
    outline::Outline,
    project::{Outcome, Project, Tree, tree},
};

const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="12" fill="#f00"/></svg>"##;
const PAGE: &str = "export default () => <h1>Page</h1>;\n";

/// A project with a `routes.toml`, pages for those of `/`, `/about` and `/more` that it names, and what else is given.
fn project(routes: &str, files: &[(&str, &str)]) -> Project {
    let usual = [("routes.toml", routes), ("site/package.json", r#"{ "type": "module" }"#)];
    let pages = [("/", "site/pages/index.tsx"), ("/about", "site/pages/about.tsx"), ("/more", "site/pages/more.tsx")];
    let is_named = |(path, file): &&(&str, &str)| {
        routes.contains(&format!("path = \"{path}\"")) || routes.contains(file.trim_start_matches("site/"))
    };
    let named = pages.iter().filter(is_named);
    let named: Vec<_> = named.map(|(_, file)| (*file, PAGE)).collect();
    Project::new(&[&usual, &*named, files].concat())
}

fn built(project: &Project, arguments: &[&str]) -> Tree {
    let result = project.build(arguments);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    project.published()
}

fn text<'t>(files: &'t Tree, path: &str) -> &'t str {
    let bytes = files.get(path).unwrap_or_else(|| panic!("{path} is not among {:?}", files.keys()));
    std::str::from_utf8(bytes).unwrap()
}

/// The `href` of the one `<link>` with a `rel`.
fn link<'o>(outline: &'o [String], rel: &str) -> Option<&'o str> {
    let found: Vec<_> = outline.iter().filter_map(|line| line.strip_prefix(&format!("link rel=[{rel}]"))).collect();
    assert!(found.len() < 2, "{found:?}");
    found.first()?.split_once("href=[")?.1.strip_suffix(']')
}

/// What the one `<meta>` with a key says.
fn meta<'o>(outline: &'o [String], key: &str) -> Option<&'o str> {
    let keys = ["property", "name"].map(|attribute| format!("meta {attribute}=[{key}] content=["));
    let of = |line: &'o String| keys.iter().find_map(|key| line.strip_prefix(key.as_str()));
    let found: Vec<_> = outline.iter().filter_map(of).collect();
    assert!(found.len() < 2, "{found:?}");
    found.first()?.strip_suffix(']')
}

/// What follows a start tag.
fn text_in<'o>(outline: &'o [String], tag: &str) -> Option<&'o str> {
    let at = outline.iter().position(|line| line == tag)?;
    outline.get(at + 1)?.strip_prefix("  ")
}

fn structured(outline: &[String]) -> Option<Value> {
    Some(serde_json::from_str(text_in(outline, "script type=[application/ld+json]")?).unwrap())
}

fn of_type<'v>(graph: &'v Value, kind: &str) -> Option<&'v Value> {
    graph["@graph"].as_array().unwrap().iter().find(|thing| thing["@type"] == kind)
}

/// The `<loc>` of every `<url>`, in order.
fn listed(sitemap: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(sitemap).unwrap();
    assert_eq!(document.root_element().tag_name().namespace(), Some("http://www.sitemaps.org/schemas/sitemap/0.9"));
    let locs = document.descendants().filter(|node| node.tag_name().name() == "loc");
    locs.map(|node| node.text().unwrap().to_owned()).collect()
}

/// For each page its `<lastmod>`.
fn dates(sitemap: &str) -> Vec<(String, Option<String>)> {
    let document = roxmltree::Document::parse(sitemap).unwrap();
    let child = |node: roxmltree::Node<'_, '_>, name: &str| {
        let child = node.children().find(|child| child.tag_name().name() == name)?;
        child.text().map(str::to_owned)
    };
    let urls = document.descendants().filter(|node| node.tag_name().name() == "url");
    urls.map(|url| (child(url, "loc").unwrap(), child(url, "lastmod"))).collect()
}

const HOSTILE: &str = "Cost $1 & $& </title><script>\"'`{{ lang }} </script><!--\u{9996}\u{9875}";

#[test]
fn every_syntax_says_literally_what_routes_toml_says() {
    let product = Value::from(HOSTILE).to_string();
    let quoted = product.replace('{', "{{").replace('}', "}}");
    let routes = format!(
        r#"
[portal]
origin = "https://www.acme.example"
product = {product}
[check]
unportable-path = "off"
[site]
icon = "a & b'.svg"
image = "s & h'.png"
[[route]]
path = "/"
title = {quoted}
description = {quoted}
[[route]]
path = "/apples-&-oranges"
title = {quoted}
description = {quoted}
component = "pages/about.tsx"
[[route]]
path = "/apples-&-oranges/a'b <c>\""
title = {quoted}
component = "pages/about.tsx"
lang = "zh-CN"
translations = ["/apples-&-oranges"]
"#
    );
    let project = project(&routes, &[("site/a & b'.svg", SQUARE), ("site/public/s & h'.png", "")]);
    let files = built(&project, &[]);
    let urls = ["", "apples-&-oranges/", "apples-&-oranges/a'b%20%3Cc%3E%22/"]
        .map(|path| format!("https://www.acme.example/{path}"));
    assert_eq!(listed(text(&files, "sitemap.xml")), urls);
    let documents = ["index.html", "apples-&-oranges/index.html", "apples-&-oranges/a'b <c>\"/index.html"];
    for (document, url) in documents.iter().zip(&urls) {
        let outline = Outline::of(text(&files, document));
        let described = !document.contains("<c>");
        assert_eq!(text_in(&outline, "title"), Some(HOSTILE));
        assert_eq!(link(&outline, "canonical"), Some(url.as_str()));
        assert_eq!(meta(&outline, "og:title"), Some(HOSTILE));
        assert_eq!(meta(&outline, "og:site_name"), Some(HOSTILE));
        assert_eq!(meta(&outline, "og:description"), Some(HOSTILE).filter(|_| described));
        assert_eq!(meta(&outline, "og:url"), Some(url.as_str()));
        assert_eq!(meta(&outline, "og:image"), Some("https://www.acme.example/s%20&%20h'.png"));
        let graph = structured(&outline).unwrap();
        assert_eq!(of_type(&graph, "WebSite").unwrap()["name"], HOSTILE);
        let page = of_type(&graph, "WebPage").unwrap();
        assert_eq!((page["name"].as_str(), page["url"].as_str()), (Some(HOSTILE), Some(url.as_str())));
        assert!(of_type(&graph, "BreadcrumbList").is_none(), "titles of other pages");
        assert_eq!(page["description"].as_str(), Some(HOSTILE).filter(|_| described));
    }
    let manifest: Value = serde_json::from_str(text(&files, "manifest.webmanifest")).unwrap();
    assert_eq!((manifest["name"].as_str(), manifest["description"].as_str()), (Some(HOSTILE), Some(HOSTILE)));
}

const ROUTES: &str = r#"
[portal]
product = "Acme"
origin = "https://www.acme.example"
[[route]]
path = "/"
[[route]]
path = "/about"
[[route]]
path = "/v1.0"
component = "pages/more.tsx"
[[route]]
path = "/hidden"
component = "pages/more.tsx"
noindex = true
[[route]]
path = "/old"
redirect = "/about"
[[route]]
path = "/gone"
retired = true
"#;

#[test]
fn the_sitemap_has_the_canonical_links_of_pages_and_nothing_else() {
    let project = project(ROUTES, &[]);
    for (slash, base) in [("always", "/"), ("never", "/"), ("always", "/app/"), ("never", "app")] {
        project.write(
            "routes.toml",
            &ROUTES.replace("origin", &format!("slash = \"{slash}\"\nbase = \"{base}\"\norigin")),
        );
        let files = built(&project, &[]);
        let listed = listed(text(&files, "sitemap.xml"));
        let pages = if slash == "always" {
            ["index.html", "about/index.html", "v1.0/index.html"]
        } else {
            ["index.html", "about.html", "v1.0.html"]
        };
        let canonical = pages.map(|page| link(&Outline::of(text(&files, page)), "canonical").unwrap().to_owned());
        assert_eq!(listed, canonical, "{slash} {base}");
        // Below a folder of a host, nobody looks for it.
        let robots = files.get("robots.txt").map(|bytes| std::str::from_utf8(bytes).unwrap());
        let expected = "User-agent: *\nAllow: /\n\nSitemap: https://www.acme.example/sitemap.xml\n";
        assert_eq!(robots, Some(expected).filter(|_| base == "/"));
    }
}

#[test]
fn without_an_origin_nothing_is_said_that_needs_one() {
    let routes = ROUTES
        .replace("origin", "# origin")
        .replace("[[route]]\npath = \"/\"", "[site]\nimage = \"s.png\"\n[[route]]\npath = \"/\"");
    let files = built(&project(&routes, &[("site/public/s.png", "")]), &[]);
    assert!(!files.contains_key("sitemap.xml") && !files.contains_key("robots.txt"));
    let outline = Outline::of(text(&files, "index.html"));
    assert_eq!(meta(&outline, "og:title"), Some("Acme"));
    for key in ["og:url", "og:image"] {
        assert_eq!(meta(&outline, key), None, "{key}");
    }
    assert_eq!((structured(&outline), meta(&outline, "twitter:card")), (None, Some("summary")));
}

#[test]
fn pages_that_shall_not_be_listed_are_not_described_to_search_engines() {
    let files = built(&project(ROUTES, &[]), &[]);
    for (document, is_shared) in [("hidden/index.html", true), ("404.html", false), ("old/index.html", false)] {
        let outline = Outline::of(text(&files, document));
        assert_eq!(structured(&outline), None, "{document}");
        assert_eq!(meta(&outline, "og:title").is_some(), is_shared, "{document}");
    }
}

#[test]
fn long_lists_are_divided() {
    let entry = |at: usize| SitemapEntry { url: format!("https://a.example/{at}/"), ..SitemapEntry::default() };
    let url_of = |file: &str| format!("https://a.example/x&y/{file}");
    for (count, lists) in [(0, 0), (1, 1), (50_000, 1), (50_001, 3), (120_000, 4)] {
        let entries: Vec<_> = (0..count).map(entry).collect();
        let files = sitemaps(&entries, url_of);
        assert_eq!(files.len(), lists, "{count}");
        if lists < 2 {
            assert_eq!(files.iter().flat_map(|(_, text)| listed(text)).count(), count);
            continue;
        }
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"][..lists]);
        let index = roxmltree::Document::parse(&files[0].1).unwrap();
        assert_eq!(index.root_element().tag_name().name(), "sitemapindex");
        assert_eq!(listed(&files[0].1), names[1..].iter().map(|name| url_of(name)).collect::<Vec<_>>());
        let all: Vec<String> = files[1..].iter().flat_map(|(_, text)| listed(text)).collect();
        assert_eq!(all, entries.iter().map(|entry| entry.url.clone()).collect::<Vec<_>>());
        assert!(files[1..].iter().all(|(_, text)| listed(text).len() <= 50_000));
    }
}

#[test]
fn lists_that_are_large_for_their_versions_are_divided_too() {
    const MOST: usize = 50 * 1024 * 1024;
    let versions: Vec<_> =
        (0..20).map(|at| (format!("x-l{at}"), format!("https://a.example/{}", "p".repeat(2_000)))).collect();
    let entries: Vec<_> = (0..1_500)
        .map(|at| SitemapEntry {
            url: format!("https://a.example/{at}"),
            versions: versions.clone(),
            ..SitemapEntry::default()
        })
        .collect();
    let files = sitemaps(&entries, str::to_owned);
    assert_eq!(files.len(), 3);
    assert!(
        files.iter().all(|(_, text)| text.len() <= MOST),
        "{:?}",
        files.iter().map(|(_, text)| text.len()).collect::<Vec<_>>()
    );
    assert!(files[1].1.len() > MOST - 100_000, "the first is as full as it can be");
    assert_eq!(files[1..].iter().map(|(_, text)| listed(text).len()).sum::<usize>(), 1_500);
}

const EVERYTHING: &str = r##"
[portal]
product = "Acme"
origin = "https://www.acme.example"
[site]
icon = "icon.svg"
image = "share.png"
twitter = "@acme"
theme_color = "#0a6c74"
background_color = "#12f"
service_worker = "remove"
[security]
contact = ["mailto:security@acme.example", "https://acme.example/report"]
expires = "2030-12-31"
policy = "https://acme.example/policy"
[[route]]
path = "/"
title = "Home"
image = "https://cdn.example/home.png"
[[route]]
path = "/about"
title = "About"
"##;

#[test]
fn what_somebody_put_into_public_is_what_they_want() {
    let theirs =
        ["robots.txt", "sitemap.xml", ".well-known/security.txt", "manifest.webmanifest", "favicon.ico", "sw.js"];
    let files: Vec<_> = theirs.iter().map(|file| (format!("site/public/{file}"), "theirs")).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let more = [("site/icon.svg", SQUARE), ("site/public/share.png", "")];
    let files = built(&project(EVERYTHING, &[&files[..], &more].concat()), &[]);
    for file in theirs {
        assert_eq!(text(&files, file), "theirs");
    }
    assert!(!files.keys().any(|path| path.starts_with("sitemap-")));
    // A list of theirs has to be found as well.
    let project = project(ROUTES, &[("site/public/sitemap.xml", "theirs")]);
    assert!(text(&built(&project, &[]), "robots.txt").contains("\nSitemap: https://www.acme.example/sitemap.xml\n"));
}

#[test]
fn workers_of_earlier_sites_are_removed_under_the_names_that_they_had() {
    let names = ["service-worker.js", "sw.js", "ngsw-worker.js"];
    let project = project(EVERYTHING, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    let files = built(&project, &[]);
    for name in names {
        assert!(text(&files, name).contains("self.registration.unregister()"), "{name}");
    }
    project.write("routes.toml", &EVERYTHING.replace("service_worker = \"remove\"\n", ""));
    let files = built(&project, &[]);
    assert!(names.iter().all(|name| !files.contains_key(*name)));
}

#[test]
fn pages_are_shared_with_an_image() {
    let (site, rest) = EVERYTHING.split_once("[security]").unwrap();
    let routes = format!("{site}{}", &rest[rest.find("[[route]]").unwrap()..]);
    let project = project(&routes, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    let files = built(&project, &["--base", "/app"]);
    for (document, image) in
        [("index.html", "https://cdn.example/home.png"), ("about/index.html", "https://www.acme.example/app/share.png")]
    {
        let outline = Outline::of(text(&files, document));
        assert_eq!(meta(&outline, "og:image"), Some(image));
        assert_eq!(meta(&outline, "og:type"), Some("website"));
        assert_eq!(meta(&outline, "twitter:card"), Some("summary_large_image"));
        assert_eq!(meta(&outline, "twitter:site"), Some("@acme"));
        assert_eq!(meta(&outline, "theme-color"), Some("#0a6c74"));
    }
}

#[test]
fn a_contact_for_security_is_found_where_the_standard_has_it() {
    let project = project(EVERYTHING, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    let files = built(&project, &[]);
    let lines: Vec<_> = text(&files, ".well-known/security.txt").lines().collect();
    let expected = [
        "Contact: mailto:security@acme.example",
        "Contact: https://acme.example/report",
        "Expires: 2030-12-31T23:59:59Z",
        "Preferred-Languages: en",
        "Canonical: https://www.acme.example/.well-known/security.txt",
        "Policy: https://acme.example/policy",
    ];
    assert_eq!(lines, expected);

    let below = project.build(&["--base", "/app"]);
    assert!(below.code == 0 && below.stderr.contains("`security.txt` is not generated"), "{}", below.stderr);
    assert!(!project.published().contains_key(".well-known/security.txt"));
}

#[test]
fn only_a_check_looks_at_the_calendar() {
    let routes = EVERYTHING.replace("2030-12-31", "2020-02-29");
    let project = project(&routes, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    built(&project, &["--deny", "warnings"]);
    let told = project.run("check", &[]).stderr;
    assert!(told.contains("warning[expired-security]: `security.txt` expired on 2020-02-29"), "{told}");
    assert!(told.contains("--> routes.toml:14:11"), "{told}");
}

#[test]
fn versions_in_other_languages_know_each_other() {
    let routes = r#"
[portal]
origin = "https://www.acme.example"
lang = "en"
[[route]]
path = "/"
[[route]]
path = "/zh"
lang = "zh-CN"
translations = ["/", "/ja", "/de"]
component = "pages/index.tsx"
[[route]]
path = "/ja"
lang = "ja"
component = "pages/index.tsx"
[[route]]
path = "/de"
lang = "de"
noindex = true
component = "pages/index.tsx"
[[route]]
path = "/about"
translations = ["/zh/about"]
[[route]]
path = "/zh/about"
lang = "zh-CN"
component = "pages/about.tsx"
[[route]]
path = "/fr/more"
lang = "fr"
component = "pages/more.tsx"
translations = ["/zh/more"]
[[route]]
path = "/zh/more"
lang = "zh-CN"
component = "pages/more.tsx"
[[route]]
path = "/alone"
component = "pages/more.tsx"
"#;
    let files = built(&project(routes, &[]), &[]);
    let url = |path: &str| format!("https://www.acme.example{path}");
    let home = vec![("en", url("/")), ("ja", url("/ja/")), ("zh-CN", url("/zh/")), ("x-default", url("/"))];
    let about = vec![("en", url("/about/")), ("zh-CN", url("/zh/about/")), ("x-default", url("/about/"))];
    // No version is in the portal's language.
    let more = vec![("fr", url("/fr/more/")), ("zh-CN", url("/zh/more/")), ("x-default", url("/fr/more/"))];
    let sitemap = roxmltree::Document::parse(text(&files, "sitemap.xml")).unwrap();
    for (document, versions) in [
        ("index.html", &home),
        ("zh/index.html", &home),
        ("ja/index.html", &home),
        ("about/index.html", &about),
        ("zh/about/index.html", &about),
        ("fr/more/index.html", &more),
        ("zh/more/index.html", &more),
        ("alone/index.html", &Vec::new()),
        ("de/index.html", &Vec::new()),
    ] {
        let outline = Outline::of(text(&files, document));
        let alternates: Vec<_> =
            outline.iter().filter(|line| line.starts_with("link rel=[alternate]")).cloned().collect();
        let expected =
            versions.iter().map(|(lang, url)| format!("link rel=[alternate] hreflang=[{lang}] href=[{url}]"));
        assert_eq!(alternates, expected.collect::<Vec<_>>(), "{document}");

        let canonical = link(&outline, "canonical").unwrap();
        let entry = sitemap.descendants().filter(|node| node.tag_name().name() == "url");
        let entry = entry.into_iter().find(|node| node.descendants().any(|node| node.text() == Some(canonical)));
        let listed =
            entry.into_iter().flat_map(|entry| entry.children()).filter(|node| node.tag_name().name() == "link");
        let listed: Vec<_> = listed
            .map(|node| (node.attribute("hreflang").unwrap(), node.attribute("href").unwrap().to_owned()))
            .collect();
        assert_eq!(listed, *versions, "{document}");
    }
    let outline = Outline::of(text(&files, "about/index.html"));
    assert_eq!((meta(&outline, "og:locale"), meta(&outline, "og:locale:alternate")), (None, Some("zh_CN")));
}

/// The files of a build that a web manifest and a document name as icons, by what they are for.
fn icons(files: &Tree) -> Vec<(String, String)> {
    let outline = Outline::of(text(files, "index.html"));
    let manifest: Value =
        serde_json::from_str(text(files, link(&outline, "manifest").unwrap().trim_start_matches('/'))).unwrap();
    let of_manifest = manifest["icons"].as_array().unwrap().iter().map(|icon| {
        let size = icon["sizes"].as_str().unwrap();
        (format!("{} {size}", icon["purpose"].as_str().unwrap()), icon["src"].as_str().unwrap()[1..].to_owned())
    });
    let of_document = outline.iter().filter_map(|line| {
        let (rel, rest) = line.strip_prefix("link rel=[")?.split_once(']')?;
        let href = rest.split_once("href=[/")?.1.strip_suffix(']')?;
        rel.contains("icon").then(|| (format!("{rel} {}", href.rsplit('.').next().unwrap()), href.to_owned()))
    });
    of_document.chain(of_manifest).collect()
}

fn decoded(files: &Tree, path: &str) -> image::DynamicImage {
    image::load_from_memory_with_format(&files[path], ImageFormat::Png).unwrap()
}

/// The widths of the images in an ICO.
fn sizes_in(ico: &[u8]) -> Vec<u8> {
    assert_eq!(ico[..4], [0, 0, 1, 0]);
    ico[6..].chunks(16).take(usize::from(ico[4])).map(|entry| entry[0]).collect()
}

#[test]
fn icons_are_made_of_one_drawing() {
    let project = project(EVERYTHING, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    let files = built(&project, &[]);
    let icons = icons(&files);
    let uses: Vec<&str> = icons.iter().map(|(used_for, _)| used_for.as_str()).collect();
    let expected = ["icon ico", "apple-touch-icon png", "icon svg", "any 192x192", "any 512x512", "maskable 512x512"];
    assert_eq!(uses, expected);
    let path = |used_for: &str| icons.iter().find(|(other, _)| other == used_for).unwrap().1.as_str();
    assert!(icons.iter().skip(1).all(|(_, path)| path.starts_with("assets/")), "{icons:?}");
    assert_eq!(text(&files, path("icon svg")), SQUARE);
    assert_eq!(path("icon ico"), "favicon.ico");
    assert_eq!(sizes_in(&files["favicon.ico"]), [16, 32, 48]);
    let ico = image::load_from_memory_with_format(&files["favicon.ico"], ImageFormat::Ico).unwrap();
    assert_eq!(
        (ico.dimensions(), ico.get_pixel(0, 0), ico.get_pixel(24, 24)),
        ((48, 48), Rgba([0; 4]), Rgba([255, 0, 0, 255]))
    );

    let red = Rgba([255, 0, 0, 255]);
    for (used_for, size, edge) in [
        ("apple-touch-icon png", 180, Rgba([0x11, 0x22, 0xff, 255])),
        ("any 192x192", 192, Rgba([0; 4])),
        ("any 512x512", 512, Rgba([0; 4])),
        ("maskable 512x512", 512, Rgba([0x11, 0x22, 0xff, 255])),
    ] {
        let icon = decoded(&files, path(used_for));
        assert_eq!((icon.dimensions(), icon.get_pixel(size / 2, size / 2)), ((size, size), red), "{used_for}");
        assert_eq!((icon.get_pixel(0, 0), icon.get_pixel(size - 1, size - 1)), (edge, edge), "{used_for}");
        assert_eq!(icon.color() == ColorType::Rgb8, edge.0[3] == 255, "{used_for}");
    }
    // Nothing of the image lies outside of the circle that no shape cuts.
    let maskable = decoded(&files, path("maskable 512x512")).to_rgba8();
    let reaches = |(x, y, pixel): (u32, u32, &Rgba<u8>)| {
        let distance = f64::from(x) - 255.5;
        (distance.hypot(f64::from(y) - 255.5) > 0.4 * 512.0 && pixel.0[0] > 0x11).then_some((x, y))
    };
    assert_eq!(maskable.enumerate_pixels().find_map(reaches), None);

    let again = built(&project, &["--jobs", "1"]);
    assert!(files.iter().all(|(path, bytes)| again.get(path) == Some(bytes)), "the same source gives the same bytes");
}

fn png_of(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn icons_are_made_of_one_image() {
    // White, on what is transparent and black: an edge must not get grey.
    let image = RgbaImage::from_fn(640, 640, |x, _| if x < 320 { Rgba([255; 4]) } else { Rgba([0; 4]) });
    let project = project(&EVERYTHING.replace("icon.svg", "icon.png"), &[("site/public/share.png", "")]);
    project.write_bytes("site/icon.png", &png_of(&image));
    let files = built(&project, &[]);
    let uses: Vec<String> = icons(&files).into_iter().map(|(used_for, _)| used_for).collect();
    assert_eq!(uses, ["apple-touch-icon png", "icon ico", "any 192x192", "any 512x512", "maskable 512x512"]);
    let ico = image::load_from_memory_with_format(&files["favicon.ico"], ImageFormat::Ico).unwrap().to_rgba8();
    assert_eq!((ico.get_pixel(0, 0), ico.get_pixel(47, 0).0[3]), (&Rgba([255; 4]), 0));
    assert!(ico.pixels().all(|pixel| pixel.0[3] == 0 || pixel.0[..3] == [255; 3]), "white at any opacity");
}

#[test]
fn without_an_image_for_icons_the_public_one_stays() {
    let project = project(ROUTES, &[("site/public/favicon.svg", SQUARE)]);
    let files = built(&project, &[]);
    for document in ["index.html", "404.html", "old/index.html"] {
        let outline = Outline::of(text(&files, document));
        assert_eq!(link(&outline, "icon"), Some("/favicon.svg"), "{document}");
    }
    assert!(!files.contains_key("favicon.ico") && !files.contains_key("manifest.webmanifest"));
}

#[test]
fn drawings_of_every_kind_are_small_enough() {
    let blur = r#"<filter id="f"><feGaussianBlur stdDeviation="0.3"/><feTurbulence numOctaves="3"/><feBlend in2="SourceGraphic"/></filter>"#;
    let more = format!(
        "{blur}<style>.a {{ fill: url(#g) }}</style><linearGradient id=\"g\"><stop/></linearGradient>\
         <pattern id=\"p\" width=\"0.1\" height=\"0.1\"><rect width=\"1\" height=\"1\"/></pattern>\
         <mask id=\"m\"><circle r=\"4\" fill=\"#fff\"/></mask>{}<path d=\"M1 1h7\" stroke=\"red\" stroke-dasharray=\"1 0.1\"/>",
        "<g mask=\"url(#m)\" opacity=\"0.5\" filter=\"url(#f)\"><path class=\"a\" d=\"M0 0h9v9z\"/><path fill=\"url(#p)\" d=\"M0 0h9v9z\"/></g>"
            .repeat(5)
    );
    let many = "<path d=\"M1 1c1 1 2 2 3 1l1-1z\"/>".repeat(5000);
    // As programs write it: classes for what is cut out and tiled, which what lies in there has as well.
    let classes = "<style>.a{clip-path:url(#c)} .b{fill:url(#p)} .d{fill:none}</style><a id=\"t\" href=\"#t\"><clipPath id=\"c\">\
                   <rect class=\"d\" width=\"9\" height=\"9\"/></clipPath><pattern id=\"p\" width=\"1\" height=\"1\"><rect class=\"d\" \
                   width=\"9\" height=\"9\"/></pattern><g class=\"a\" fill=\"url(#p)\"><rect class=\"b\" width=\"9\" height=\"9\"/><pattern \
                   id=\"q\" width=\"1\" height=\"1\"><rect fill=\"red\" width=\"9\" height=\"9\"/></pattern></g></a>\
                   <rect fill=\"url(#q)\" width=\"9\" height=\"9\"/>";
    // As programs trace pictures: many short lines that hardly cross.
    let traced: Vec<String> =
        (0..20_000).map(|at| format!("l{} {}", ["0.1", "-0.1"][at / 50 % 2], ["0.004", "-0.003"][at % 2])).collect();
    let traced = format!("<path d=\"M1 1{}z\"/>", traced.concat());
    for inside in [more, many, classes.to_owned(), traced] {
        let project = project(EVERYTHING, &[("site/public/share.png", "")]);
        project.write(
            "site/icon.svg",
            &format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>"#),
        );
        let outcome = project.build(&[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
}

#[test]
fn bad_images_for_icons_are_refused() {
    let svg = |inside: &str| {
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>"#).into_bytes()
    };
    let pixels = |width, height| png_of(&RgbaImage::from_pixel(width, height, Rgba([9; 4])));
    // Each shape shows the one before it ten times: 10^10 of them at the end.
    let mut nested = String::from(r#"<rect id="s0" width="9" height="9"/>"#);
    for at in 0..10 {
        let uses = format!(r##"<use href="#s{at}"/>"##).repeat(10);
        let _ = write!(nested, r#"<g id="s{}">{uses}</g>"#, at + 1);
    }
    let huge = {
        // The head of a file of 40,000 × 40,000 pixels: 6.4 GB.
        let mut bytes = pixels(600, 600);
        bytes[16..24].copy_from_slice(&[0, 0, 0x9c, 0x40, 0, 0, 0x9c, 0x40]);
        let sum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.to_be_bytes());
        bytes
    };
    let cut = pixels(600, 600)[..60].to_vec();
    let shape = r#"<rect width="9" height="9"/>"#;
    let filtered =
        |primitives: &str| svg(&format!(r#"<filter id="f">{primitives}</filter><g filter="url(#f)">{shape}</g>"#));
    // Each layer has to be there until those in it are drawn.
    let layers = format!("{}{shape}{}", r#"<g opacity="0.9">"#.repeat(400), "</g>".repeat(400));
    let dashes = r#"<path d="M0 0h9v9h-9z" stroke="red" stroke-dasharray="0.00001"/>"#.repeat(50);
    let line = format!("M0 0{}", "h1v1h-1v-1".repeat(1000));
    let marked = format!(
        r#"<marker id="m" markerWidth="3" markerHeight="3">{}</marker><g marker-mid="url(#m)"><path d="{line}"/></g>"#,
        shape.repeat(100)
    );
    let style = "<style>rect { mask: url( '#m') }</style>";
    let styled = format!("{style}<mask id=\"m\">{}</mask>{}", shape.repeat(1000), shape.repeat(1000));
    let tiles = format!(
        r#"<pattern id="p" width="1" height="1" patternTransform="scale(4e5)">{shape}</pattern><rect width="9" height="9" fill="url(#p)"/>"#
    );
    // Of which each shows the next one, and the last the first.
    let circle = |element: &str, property: &str, ids: [&str; 3]| {
        let [a, b, c] = ids;
        let one = |id: &str, next: &str| {
            format!(
                r#"<{element} id="{id}" width="9" height="9"><g><rect width="9" height="9" {property}="url(#{next})"/></g></{element}>"#
            )
        };
        let all = [one(a, b), one(b, c), one(c, a)].concat();
        svg(&format!(r#"{shape}{all}<rect width="9" height="9" {property}="url(#{a})"/>"#))
    };
    let circles = [
        circle("pattern", "fill", ["a", "b", "c"]),
        circle("mask", "mask", ["a", "b", "c"]),
        svg(
            r##"<filter id="f"><feImage href="#r"/></filter><g id="r"><rect width="9" height="9" filter="url(#f)"/></g>"##,
        ),
        svg(
            r#"<style>.r{mask:url(#m)} .s{mask:url(#n)}</style><mask id="m"><path class="s" d="M0 0h9v9z"/></mask><mask id="n"><path class="r" d="M0 0h9v9z"/></mask><path class="r" d="M0 0h9v9z"/>"#,
        ),
        svg(
            r#"<g fill="url(#p)"><pattern id="p" width="9" height="9"><path d="M0 0h9v9z"/></pattern><path d="M0 0h9v9z"/></g>"#,
        ),
    ];
    // One project for all, whose scripts are minified once.
    let project = project(EVERYTHING, &[("site/icon.svg", SQUARE), ("site/public/share.png", "")]);
    built(&project, &[]);
    for bytes in circles {
        project.write_bytes("site/icon.svg", &bytes);
        let result = project.build(&[]);
        assert_eq!(result.code, 1, "{}: {}", String::from_utf8_lossy(&bytes), result.stderr);
        assert!(
            result.stderr.starts_with("error: this element contains a reference to itself\n --> site/icon.svg:1:"),
            "{}",
            result.stderr
        );
    }
    let chain: Vec<String> = (1..5000)
        .map(|at| format!(r#"<mask id="m{at}" mask="url(#m{})"><path d="M0 0h9v9z"/></mask>"#, at - 1))
        .collect();
    let chain = format!(r#"<mask id="m0"/>{}<path d="M0 0h9v9z" mask="url(#m4999)"/>"#, chain.concat());
    let zigzag: Vec<String> = (0_u64..50_000).map(|at| format!("L{} {}", at * 7919 % 9, at * 104_729 % 9)).collect();
    let zigzag = format!(r#"<path d="M0 0{}z"/>"#, zigzag.concat());
    let rules = format!("<style>{}</style>{}", "rect rect rect { fill: red }".repeat(4000), shape.repeat(3000));
    for (name, bytes, told) in [
        ("icon.svg", b"\x1f\x8b\x08\0".to_vec(), "error: the icon `site/icon.svg` is compressed"),
        ("icon.svg", svg(&chain), "error: this SVG expands to more"),
        ("icon.svg", svg(&zigzag), "error: drawing this SVG takes too"),
        ("icon.svg", svg(&rules), "error: the style sheet of this SVG is too large"),
        ("icon.png", pixels(600, 500), "error: the icon `site/icon.png` is not square: 600 × 500"),
        ("icon.png", pixels(64, 64), "error: the icon `site/icon.png` is only 64 pixels wide"),
        ("icon.png", huge, "error: the icon `site/icon.png` is 40000 pixels wide"),
        ("icon.png", b"GIF89a".to_vec(), "error: the icon `site/icon.png` is not a complete PNG"),
        ("icon.png", cut, "error: the icon `site/icon.png` is not a complete PNG"),
        ("icon.png", png_of(&RgbaImage::new(600, 600)), "error: nothing in the icon `site/icon.png` is visible"),
        ("icon.svg", svg(""), "error: nothing in the icon `site/icon.svg` is visible"),
        ("icon.svg", svg("<text>A</text>"), "error: icons cannot contain `<text>`\n --> site/icon.svg:1:59"),
        ("icon.svg", svg(r#"<image href="/etc/passwd"/>"#), "error: icons cannot contain `<image>`"),
        ("icon.svg", svg("<g>"), "error: this SVG is broken"),
        ("icon.svg", b"<svg viewBox='0 0 9 5'/>".to_vec(), "error: "),
        (
            "icon.svg",
            svg(r#"<path d="M0 0h9" stroke="red" stroke-width="1e30"/>"#),
            "error: this SVG draws far outside",
        ),
        ("icon.svg", svg(r#"<rect x="-1e9" width="2e9" height="9"/>"#), "error: this SVG draws far outside"),
        ("icon.svg", svg(&nested), "error: this SVG expands to more than 100000 elements"),
        ("icon.svg", b"\xff\xfe<svg/>".to_vec(), "error: this file is not stored as UTF-8"),
        ("icon.svg", svg(&"<g>".repeat(50_000)), "error: this SVG"),
        (
            "icon.svg",
            svg(&format!("{}{}", "<g>".repeat(50_000), "</g>".repeat(50_000))),
            "error: this SVG expands to more",
        ),
        ("icon.svg", svg(r#"<path d="M1 1a6 6 0 0 1 121e38 0v11z"/>"#), "error: the number 121e38 is too large"),
        ("icon.svg", vec![b' '; 2 << 20], "error: the icon `site/icon.svg` is larger than 1 MB"),
        (
            "icon.svg",
            filtered(r#"<feTurbulence numOctaves="100000000" baseFrequency="0.5"/>"#),
            "error: drawing this SVG takes too",
        ),
        (
            "icon.svg",
            filtered(r#"<feMorphology operator="dilate" radius="500"/>"#),
            "error: drawing this SVG takes too",
        ),
        ("icon.svg", filtered(&"<feOffset dx='1'/>".repeat(2000)), "error: drawing this SVG takes too"),
        ("icon.svg", svg(&layers), "error: drawing this SVG takes too"),
        ("icon.svg", svg(&dashes), "error: drawing this SVG takes too"),
        ("icon.svg", svg(&marked), "error: this SVG expands to more"),
        ("icon.svg", svg(&styled), "error: this SVG expands to more"),
        ("icon.svg", svg(&tiles), "error: drawing this SVG takes too"),
    ] {
        project.write("routes.toml", &EVERYTHING.replace("icon.svg", name));
        project.write_bytes(&format!("site/{name}"), &bytes);
        let result = project.build(&[]);
        assert_eq!(result.code, 1, "{told}: {}", result.stderr);
        assert!(result.stderr.starts_with(told), "{told}: {}", result.stderr);
        assert!(result.stderr.contains("routes.toml:6:8"), "{told}: {}", result.stderr);
    }
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

#[test]
fn a_template_that_knows_nothing_of_all_this_still_works() {
    let shell = "<!doctype html><html><head><title>{{ title }}</title>{% if icon %}<link rel=\"icon\" href=\"{{ icon }}\">\
                 {% endif %}</head><body><div>{{ html }}</div></body></html>";
    let project = project(
        EVERYTHING,
        &[("site/icon.svg", SQUARE), ("site/public/share.png", ""), ("templates/shell.html", shell)],
    );
    let outline = Outline::of(text(&built(&project, &[]), "index.html"));
    assert!(link(&outline, "icon").is_some_and(|icon| icon.starts_with("/assets/icon-") && icon.ends_with(".svg")));
}

/// Runs Git in a project, as somebody at noon of a day.
fn git(project: &Project, day: &str, arguments: &[&str]) {
    let time = format!("{day}T12:00:00Z");
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.current_dir(project.path("")).env("GIT_AUTHOR_DATE", &time).env("GIT_COMMITTER_DATE", &time);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command.args(["-c", "user.name=A", "-c", "user.email=a@a.example"]).args(arguments);
    let result = Outcome::of(&mut command);
    assert_eq!(result.code, 0, "git {arguments:?}: {}", result.stderr);
}

fn commit(project: &Project, day: &str) {
    git(project, day, &["add", "."]);
    git(project, day, &["commit", "-q", "-m", day]);
}

const DATED: &str = r#"[portal]
origin = "https://www.acme.example"

# The home page.
[[route]]
path = "/"
title = "Home"

# The second one.
[[route]]
path = "/about"
title = "About"

[[route]]
path = "/more"
title = "More"
"#;

/// A project under version control, committed on one day of each month.
fn dated() -> Project {
    let import = |name: &str| format!("import \"./{name}\";\n{PAGE}");
    let project = project(
        DATED,
        &[
            (".gitignore", "node_modules\ndist\n"),
            (
                "site/layout.tsx",
                "import \"./layout.css\";\nexport default ({ children }) => <main>{children}</main>;\n",
            ),
            ("site/layout.css", "main { color: red }\n"),
            ("site/pages/index.tsx", &import("home.css")),
            ("site/pages/home.css", "h1 { color: red }\n"),
            ("site/pages/about.tsx", "import { Both } from \"../Both\";\nexport default () => <Both/>;\n"),
            ("site/pages/more.tsx", "import { Both } from \"../Both\";\nexport default () => <p><Both/></p>;\n"),
            ("site/Both.tsx", "export const Both = () => <b>both</b>;\n"),
        ],
    );
    git(&project, "2024-01-15", &["init", "-q", "-b", "main"]);
    commit(&project, "2024-01-15");
    project
}

fn days(project: &Project) -> Vec<Option<String>> {
    dates(text(&built(project, &["--deny", "warnings"]), "sitemap.xml")).into_iter().map(|(_, day)| day).collect()
}

#[test]
fn pages_have_the_day_of_their_last_change() {
    let project = dated();
    let is = |days: Vec<Option<String>>, expected: [Option<&str>; 3], what: &str| {
        assert_eq!(days.iter().map(Option::as_deref).collect::<Vec<_>>(), expected, "{what}");
    };
    let january = Some("2024-01-15");
    is(days(&project), [january; 3], "nothing has changed");

    project.write("site/pages/home.css", "h1 { color: blue }\n");
    is(days(&project), [None, january, january], "a sheet of the home page is changed and not committed");
    commit(&project, "2024-02-15");
    let february = Some("2024-02-15");
    is(days(&project), [february, january, january], "it is committed");

    project.write("site/layout.css", "main { color: blue }\n");
    is(days(&project), [february, january, january], "what all pages have is changed and not committed");
    commit(&project, "2024-03-15");
    is(days(&project), [february, january, january], "and committed");

    project.write("site/Both.tsx", "export const Both = () => <b>new</b>;\n");
    commit(&project, "2024-04-15");
    let april = Some("2024-04-15");
    is(days(&project), [february, april, april], "what two pages have");

    let retitled = DATED.replace("\"About\"", "\"About us\"").replace("# The home page.", "# This is the home page.");
    project.write("routes.toml", &retitled);
    is(days(&project), [february, None, april], "a title is changed and not committed, and a remark");
    commit(&project, "2024-05-15");
    let may = Some("2024-05-15");
    is(days(&project), [february, may, april], "and committed");

    project.write("routes.toml", &retitled.replace("# The second one.", "# It is about us."));
    commit(&project, "2024-06-15");
    is(days(&project), [february, may, april], "a remark between two routes");

    project.write("site/pages/more.tsx", &format!("import \"./new.css\";\n{PAGE}"));
    project.write("site/pages/new.css", "h1 { color: green }\n");
    git(&project, "2024-07-15", &["commit", "-q", "-m", "Without the new file", "site/pages/more.tsx"]);
    is(days(&project), [february, may, None], "a file was never committed");
}

#[test]
fn what_many_pages_share_is_a_change_of_none() {
    let names = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "b5"];
    let mut routes = "[portal]\norigin = \"https://www.acme.example\"\n".to_owned();
    for name in names {
        let _ = write!(routes, "[[route]]\npath = \"/{name}\"\n");
    }
    let project = project(&routes, &[(".gitignore", "node_modules\ndist\n"), ("site/public/index.html", "")]);
    for name in names {
        let page = format!("import \"../{}.css\";\nexport default () => <h1>{name}</h1>;\n", &name[..1]);
        project.write(&format!("site/pages/{name}.tsx"), &page);
    }
    project.write("site/a.css", "h1 { color: red }\n");
    project.write("site/b.css", "h1 { margin: 0 }\n");
    git(&project, "2024-01-15", &["init", "-q"]);
    commit(&project, "2024-01-15");
    project.write("site/a.css", "h1 { color: blue }\n");
    project.write("site/b.css", "h1 { margin: 1px }\n");
    commit(&project, "2024-02-15");
    let [january, february] = ["2024-01-15", "2024-02-15"].map(|day| Some(day.to_owned()));
    let expected = [vec![february; 4], vec![january; 5]].concat();
    assert_eq!(days(&project), expected);
}

#[test]
fn a_portal_in_a_folder_of_its_repository() {
    let project = project("", &[]);
    project.remove("routes.toml");
    let inner = dated();
    for (path, bytes) in tree(&inner.path("site")) {
        project.write_bytes(&format!("web/portal/site/{path}"), &bytes);
    }
    project.write("web/portal/routes.toml", DATED);
    project.write(".gitignore", "node_modules\ndist\n");
    std::fs::rename(project.path("site/node_modules"), project.path("web/portal/site/node_modules")).unwrap();
    git(&project, "2024-01-15", &["init", "-q"]);
    commit(&project, "2024-01-15");
    project.write("web/portal/site/pages/about.tsx", PAGE);
    commit(&project, "2024-02-15");
    project.write("web/portal/site/pages/more.tsx", "export default () => <i>changed</i>;\n");
    let result = project.build(&["--root", "web/portal"]);
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    let sitemap = std::fs::read_to_string(project.path("web/portal/dist/sitemap.xml")).unwrap();
    let days: Vec<_> = dates(&sitemap).into_iter().map(|(_, day)| day).collect();
    assert_eq!(days, [Some("2024-01-15".to_owned()), Some("2024-02-15".to_owned()), None]);
}

#[test]
fn where_the_repository_belongs_to_somebody_else_no_day_is_told() {
    let project = dated();
    // Git has this for its own tests: it stands for a folder of another user.
    let other = [("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null")];
    let result = Outcome::of(project.command("build").args(["--deny", "warnings"]).envs(other));
    assert_eq!(result.code, 0, "{}", result.stderr);
    for words in ["note: the sitemap has no modification dates", "another user", "safe.directory"] {
        assert_eq!(result.stderr.matches(words).count(), 1, "{}", result.stderr);
    }
}

#[test]
fn where_the_history_is_cut_off_no_day_is_told() {
    let project = dated();
    project.write("site/pages/about.tsx", PAGE);
    commit(&project, "2024-02-15");
    let clone = Project::without_packages(&[]);
    let address = format!("file://{}", project.path("").display());
    git(&clone, "2024-03-15", &["clone", "-q", "--depth", "1", &address, "."]);
    std::fs::create_dir_all(clone.path("site")).unwrap();
    std::os::unix::fs::symlink(project.path("site/node_modules"), clone.path("site/node_modules")).unwrap();
    let result = clone.build(&["--deny", "warnings"]);
    assert_eq!(result.code, 0, "{}", result.stderr);
    assert_eq!(result.stderr.matches("note: the sitemap has no modification dates").count(), 1, "{}", result.stderr);
    let published = clone.published();
    assert!(dates(text(&published, "sitemap.xml")).iter().all(|(_, day)| day.is_none()));
    let json = clone.build(&["--json"]);
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&report["ok"], &report["diagnostics"][0]["severity"]), (&Value::Bool(true), &Value::from("note")));
    let github = clone.build(&["--format", "github"]);
    assert!(github.stdout.starts_with("::notice "), "{}", github.stdout);
}

#[test]
fn without_git_no_day_is_told() {
    let project = dated();
    let nowhere = tempfile::tempdir().unwrap();
    let result = Outcome::of(project.command("build").env("PATH", nowhere.path()));
    assert_eq!((result.code, result.stderr.as_str()), (0, ""));
    let days: BTreeSet<_> = dates(text(&project.published(), "sitemap.xml")).into_iter().map(|(_, day)| day).collect();
    assert_eq!(days, BTreeSet::from([None]));
}
