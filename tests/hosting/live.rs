//! A built portal on every host, as `portalgen deploy-check` finds it there.

use portalgen_portal::HostingPlatform;

use super::{
    forms,
    portal::{Form, Portal},
    server::Server,
};
use crate::support::project::Project;

fn project(form: Form) -> Project {
    let Form { slash, base } = form;
    let platforms: Vec<String> = HostingPlatform::NAMES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
    let platforms = platforms.join(", ");
    let routes = format!(
        r#"
[portal]
product = "Acme"
host = "https://chat.acme.example"
origin = "https://www.acme.example"
base = "{base}"
slash = "{slash}"

[build]
integrity = true

[deploy]
platform = [{platforms}]

[[route]]
path = "/"
title = "Cost $1 & $& </title><script>"

[[route]]
path = "/关于/我们"
component = "pages/index.tsx"

[[route]]
path = "/c%23"
component = "pages/index.tsx"

[[route]]
path = "/v1.0"
component = "pages/index.tsx"

[[route]]
path = "/login"
redirect = "{{host}}/login"

[[route]]
path = "/moved"
redirect = "/v1.0#x"

[[route]]
path = "/gone"
retired = true
"#
    );
    Project::new(&[
        ("routes.toml", &routes),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "import \"./home.css\"; export default () => <a href=\"#x\" id=\"x\">Home</a>;"),
        ("site/pages/home.css", "a { color: teal; }"),
        ("site/public/terms.txt", "The terms."),
    ])
}

#[test]
fn a_live_portal_is_as_it_was_built() {
    for form in forms() {
        let project = project(form);
        let portal = Portal::built(form, &project);
        let servers = [("nginx", Server::nginx(&portal)), ("Caddy", Server::caddy(&portal))];
        let previews = HostingPlatform::NAMES.map(|(name, _)| (name, Server::preview(&portal, name)));
        for (name, server) in servers.iter().chain(&previews) {
            let url = format!("http://{}{}", server.address(), form.base);
            let outcome = project.run("deploy-check", &[&url, "--against", portal.dist().to_str().unwrap()]);
            let what = format!("{name}, slash {} below {}\n{}", form.slash, form.base, outcome.stderr);
            assert_eq!(outcome.code, 0, "{what}");
            // Pages on GitHub have no headers of their own, and no redirects.
            let expected = if *name == "github-pages" { " warnings; " } else { "no problems found; " };
            assert!(outcome.stderr.contains(expected), "{what}");
        }
    }
}
