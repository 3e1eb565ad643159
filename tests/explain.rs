//! `portalgen explain`: what answers an address, and what a rule is about.

use serde_json::Value;

use crate::support::project::Project;

fn portal() -> Project {
    Project::new(&[
        (
            "routes.toml",
            "[portal]\nhost = \"https://chat.acme.example\"\norigin = \"https://www.acme.example\"\nbase = \"app\"\n\n\
             [[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/关于\"\ntitle = \"About\"\n\
             component = \"pages/about.tsx\"\n\n[[route]]\npath = \"/login\"\nredirect = \"{host}/login\"\n",
        ),
        ("site/pages/index.tsx", "export default () => <h1>Home</h1>;\n"),
        ("site/pages/about.tsx", "import \"./about.css\";\nexport default () => <h1>About</h1>;\n"),
        ("site/pages/about.css", "h1 { color: red }\n"),
        ("site/public/robots.txt", "User-agent: *\n"),
    ])
}

#[test]
fn addresses_are_answered_as_a_server_would() {
    let project = portal();
    for (address, status, file, seen) in [
        ("/", "200", "index.html", "the page “Home”"),
        ("关于", "301 -> /app/%E5%85%B3%E4%BA%8E/", "关于/index.html", "the page “About”"),
        ("/关于/", "200", "关于/index.html", "the page “About”"),
        ("https://www.acme.example/app/%E5%85%B3%E4%BA%8E/?a=/b#c", "200", "关于/index.html", "the page “About”"),
        ("/login/", "200", "login/index.html", "a redirect to https://chat.acme.example/login, which keeps"),
        ("/robots.txt", "200", "robots.txt", "the file itself"),
        ("/nothing", "404", "404.html", "the page for unknown addresses, “404”"),
        ("/Login", "404, but login/index.html exists", "404.html", "the page for unknown addresses"),
    ] {
        let outcome = project.run("explain", &[address, "--verbose"]);
        assert_eq!(outcome.code, 0, "{address}\n{}", outcome.stderr);
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert_eq!(lines[1], format!("  {status}"), "{address}");
        assert!(outcome.stdout.contains(&format!(" {file}, ")), "{address}\n{}", outcome.stdout);
        assert!(lines[2].contains(seen), "{address}\n{}", outcome.stdout);
    }
}

#[test]
fn editors_are_told_what_matters() {
    let project = portal();
    project.write("routes.toml", &{
        let routes = std::fs::read_to_string(project.path("routes.toml")).unwrap();
        routes.replace("title = \"About\"\n", "title = \"About\"\ndescription = \"Who we are\"\n")
    });
    for (address, expected) in [
        (
            "/关于/",
            "/app/关于/\n  opens              yes\n  a visitor sees     the page “About”\n  in search results  Who we are\n  \
             route              /关于 (routes.toml:11:8)\n  page file          site/pages/about.tsx\n\n\
             Files, headers and other spellings: portalgen explain /app/关于/ --verbose\n",
        ),
        ("/关于", "  opens              yes, the server first redirects to /app/%E5%85%B3%E4%BA%8E/\n"),
        ("/", "  in search results  listed without a description\n"),
        ("/login/", "  in search results  not listed, because it redirects\n"),
        ("/nothing", "  opens           no, nothing is there (404)\n"),
        ("/Login", "  opens           no (404), but login/index.html exists, which is spelled differently\n"),
    ] {
        let outcome = project.run("explain", &[address]);
        assert_eq!(outcome.code, 0, "{address}\n{}", outcome.stderr);
        assert!(outcome.stdout.contains(expected), "{address}\n{}", outcome.stdout);
        assert!(outcome.stdout.lines().count() <= 8, "{}", outcome.stdout);
    }
    let chinese = project.run("explain", &["/关于/", "--lang", "zh"]);
    let expected = "  能否打开    能\n  访问者看到  页面“About”\n  搜索结果    Who we are\n";
    assert!(chinese.stdout.contains(expected), "{}", chinese.stdout);
}

#[test]
fn a_rule_is_explained_in_the_language_of_messages() {
    // No portal is needed for that.
    let nowhere = Project::without_packages(&[]);
    for (lang, words) in [
        ("en", &["duplicate-title\n\nNo two pages have the same title.\n", "Why.", "\n    title = \"重置\"\n"][..]),
        ("zh", &["duplicate-title\n\n几个页面用了同一个标题", "\n- 逐条核对"]),
    ] {
        for name in ["duplicate-title", "[duplicate-title]"] {
            let outcome = nowhere.run("explain", &[name, "--lang", lang]);
            assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{name}");
            for words in words {
                assert!(outcome.stdout.contains(words), "{words}\n{}", outcome.stdout);
            }
        }
    }
    let told: Value = serde_json::from_str(&nowhere.run("explain", &["no-home", "--json"]).stdout).unwrap();
    assert_eq!((&told["rule"], &told["level"]), (&"no-home".into(), &"warning".into()));
}

#[test]
fn what_is_neither_a_rule_nor_a_route_is_told_as_that() {
    let project = portal();
    let outcome = project.run("explain", &["dublicate-title"]);
    assert_eq!(outcome.code, 2);
    for words in [
        "neither a rule `dublicate-title` nor a route `/dublicate-title`",
        "did you mean `duplicate-title`?",
        "the rules are path-syntax, duplicate-path, ",
        "run `portalgen explain /dublicate-title`",
    ] {
        assert!(outcome.stderr.contains(words), "{words}\n{}", outcome.stderr);
    }
    // A route whose path was typed without its slash.
    assert!(project.run("explain", &["login"]).stdout.starts_with("/app/login\n"));
}

#[test]
fn programs_are_told_everything() {
    let outcome = portal().run("explain", &["/关于", "--json"]);
    let told: Value = serde_json::from_str(&outcome.stdout).unwrap();
    for (key, value) in [
        ("status", Value::from(301)),
        ("location", "/app/%E5%85%B3%E4%BA%8E/".into()),
        ("route", "/关于".into()),
        ("line", 11.into()),
        ("component", "site/pages/about.tsx".into()),
        ("title", "About".into()),
    ] {
        assert_eq!(told[key], value, "{key} of {told:#}");
    }
    let loads: Vec<&str> = told["loads"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
    let named = |start: &str, end: &str| loads.iter().any(|file| file.starts_with(start) && file.ends_with(end));
    assert!(named("assets/portal-", ".js") && named("assets/about-", ".js") && named("assets/about-", ".css"));
    assert_eq!(told["headers"]["cache-control"], "no-cache");
    assert_eq!(told["headers"]["x-content-type-options"], "nosniff");
    let variants: Vec<_> = told["variants"].as_array().unwrap().iter().map(|v| (&v["path"], &v["status"])).collect();
    assert!(variants.contains(&(&"/app/关于/".into(), &200.into())), "{variants:?}");
    assert!(variants.contains(&(&"/app/关于.html".into(), &404.into())), "{variants:?}");
}

#[test]
fn what_is_no_address_of_the_portal_is_refused() {
    let project = portal();
    for (address, words) in [
        ("https://evil.example/app/", "`evil.example` is not where this portal is served"),
        ("ftp://www.acme.example/", "is not an address that browsers can open"),
    ] {
        let outcome = project.run("explain", &[address]);
        assert_eq!(outcome.code, 1);
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
    let outcome = project.run("explain", &["https://www.acme.example/elsewhere"]);
    assert!(outcome.stdout.contains("the portal begins at /app/"), "{}", outcome.stdout);
    assert!(!project.path("dist").exists(), "nothing is published");
}
