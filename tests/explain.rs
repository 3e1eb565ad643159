//! `portalgen explain`: what answers an address.

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
        ("/login/", "200", "login/index.html", "it leads to https://chat.acme.example/login at once"),
        ("/robots.txt", "200", "robots.txt", "the file itself"),
        ("/nothing", "404", "404.html", "the page for unknown addresses, “404”"),
        ("/Login", "404, though there is login/index.html", "404.html", "the page for unknown addresses"),
    ] {
        let outcome = project.run("explain", &[address]);
        assert_eq!(outcome.code, 0, "{address}\n{}", outcome.stderr);
        let lines: Vec<&str> = outcome.stdout.lines().collect();
        assert_eq!(lines[1], format!("  {status}"), "{address}");
        assert!(outcome.stdout.contains(&format!(" {file}, ")), "{address}\n{}", outcome.stdout);
        assert!(lines[2].contains(seen), "{address}\n{}", outcome.stdout);
    }
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
        ("ftp://www.acme.example/", "is not an address that a browser could open"),
    ] {
        let outcome = project.run("explain", &[address]);
        assert_eq!(outcome.code, 1);
        assert!(outcome.stderr.contains(words), "{}", outcome.stderr);
    }
    let outcome = project.run("explain", &["https://www.acme.example/elsewhere"]);
    assert!(outcome.stdout.contains("the portal begins at /app/"), "{}", outcome.stdout);
    assert!(!project.path("dist").exists(), "nothing is published");
}
