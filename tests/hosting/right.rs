//! What is right, whatever the host: addresses and what they must give, each tried on the real servers and in previews.

use super::{
    client::Request,
    forms,
    portal::{self, Form, Portal},
    server::Server,
};

/// An address below the base, and what it gives: a status, and where to or a part of the document.
type Case = (&'static str, u16, &'static str);

const WITH_SLASH: &[Case] = &[
    // The query stays with a redirect to the slash (B-11).
    ("about?code=1", 301, "/about/?code=1"),
    ("about", 301, "/about/"),
    ("about/", 200, "about/index.html"),
    ("about/index.html", 301, "/about/"),
    ("index.html", 301, "/"),
    // Paths are decoded (B-37).
    ("%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC/", 200, "关于/我们/index.html"),
    ("%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC", 301, "/%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC/"),
    ("c%23/", 200, "c#/index.html"),
    ("100%25/", 200, "100%/index.html"),
    // A dot makes no file of a page (B-41).
    ("release/2.1", 301, "/release/2.1/"),
    ("release/2.1/", 200, "release/2.1/index.html"),
    ("v1.0/", 200, "v1.0/index.html"),
    ("login", 302, "https://chat.example/login"),
    ("login/?next=%2Fpay", 302, "https://chat.example/login?next=%2Fpay"),
    ("moved", 301, "/about/"),
    ("part?x=1", 308, "/docs/?x=1#part"),
    ("r$1/", 301, "/a$b/"),
];

const WITHOUT_SLASH: &[Case] = &[
    // A page is where its links lead, without a redirect on the way (B-46).
    ("about", 200, "about.html"),
    ("about/", 301, "/about"),
    ("about/?code=1", 301, "/about?code=1"),
    ("about.html", 301, "/about"),
    ("index.html", 301, "/"),
    ("docs", 200, "docs.html"),
    ("docs/", 301, "/docs"),
    ("docs/a", 200, "docs/a.html"),
    ("legal.html", 200, "legal.html"),
    ("%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC", 200, "关于/我们.html"),
    ("c%23", 200, "c#.html"),
    ("release/2.1", 200, "release/2.1.html"),
    ("v1.0", 200, "v1.0.html"),
    ("login/", 302, "https://chat.example/login"),
    ("login.html?a", 302, "https://chat.example/login?a"),
    ("moved/", 301, "/about"),
    ("part?x=1", 308, "/docs?x=1#part"),
];

const IN_ANY_CASE: &[Case] = &[
    ("", 200, "index.html"),
    ("?x=1", 200, "index.html"),
    ("sign?x=1", 302, "https://chat.example/signUp?from=portal&x=1"),
    ("r%7Bpath%7D/", 302, "https://chat.example/$1"),
    ("%E7%99%BB%E5%BD%95", 302, "https://xn--rss932g.example/%E7%99%BB%E5%BD%95?%E4%B8%8B=1#x"),
    ("gone", 410, "not found"),
    ("gone/", 410, "not found"),
    // What is not there is not there (B-97), in a browser's eyes as well.
    ("nothing", 404, "not found"),
    ("assets/nothing.js", 404, "not found"),
    ("assets/", 404, "not found"),
    ("assets", 404, "not found"),
    // Upper and lower case are two (B-54).
    ("About", 404, "not found"),
    ("about/INDEX.html", 404, "not found"),
    ("LOGIN", 404, "not found"),
    ("/about/", 404, "not found"),
    ("about//", 404, "not found"),
    ("docs%2Fa", 404, "not found"),
    (".portalgen/manifest.json", 404, "not found"),
    (".portalgen/deploy/portal.json", 404, "not found"),
    ("demo", 301, "/demo/"),
    ("demo/", 200, "demo/index.html"),
    ("demo%20page?x", 301, "/demo%20page/?x"),
    ("robots.txt", 200, "what is in robots.txt"),
    // Somebody else's folder among the portal's files.
    ("blog", 301, "/blog/"),
    ("blog/", 200, "somebody's blog"),
];

#[test]
fn addresses_give_what_they_should() {
    forms().for_each(|form| {
        let portal = Portal::new(form);
        portal::add_foreign_files(&portal);
        let servers = [
            ("nginx", Server::nginx(&portal)),
            ("Caddy", Server::caddy(&portal)),
            ("nginx's preview", Server::preview(&portal, "nginx")),
            ("Caddy's preview", Server::preview(&portal, "caddy")),
        ];
        let own = if form.slash == "never" { WITHOUT_SLASH } else { WITH_SLASH };
        let cases = own.iter().chain(IN_ANY_CASE);
        let wrong: Vec<String> = cases
            .flat_map(|case| servers.iter().filter_map(|(name, server)| Some((*name, wrong(case, form, server)?))))
            .map(|(name, wrong)| format!("{name}: {wrong}"))
            .collect();
        assert!(wrong.is_empty(), "slash {} below {}:\n{}", form.slash, form.base, wrong.join("\n"));
    });
}

fn wrong(&(path, status, expected): &Case, form: Form, server: &Server) -> Option<String> {
    let target = format!("{}{path}", form.base);
    let answer = server.answer(&Request::get(&target));
    let got = match answer.header("location") {
        Some(location) => location.to_owned(),
        None => String::from_utf8_lossy(&answer.body).into_owned(),
    };
    // Where a `$` cannot be written, it is encoded, which leads to the same page.
    let got = got.replace("%24", "$");
    let is_right = match status {
        301..=399 if expected.starts_with('/') => got == format!("{}{}", form.base, &expected[1..]),
        301..=399 => got == expected,
        _ => got.contains(expected),
    };
    (answer.status != status || !is_right).then(|| format!("{target} gave {} {got}", answer.status))
}

#[test]
fn two_thousand_redirects() {
    let form = Form { slash: "always", base: "/" };
    let redirect = |number| {
        let (path, target) = (format!("/an/address/that/was/given/up/{number}"), format!("https://h.example/{number}"));
        format!("[[route]]\npath = \"{path}\"\nredirect = \"{target}\"\n")
    };
    let redirects: Vec<String> = (0..2000).map(redirect).collect();
    let routes = format!(
        "[portal]\nallow_hosts = [\"h.example\"]\n[deploy]\nplatform = [\"nginx\", \"caddy\"]\n\
         [[route]]\npath = \"/\"\n{}",
        redirects.concat()
    );
    let portal = Portal::of(form, &routes);
    for server in [Server::nginx(&portal), Server::caddy(&portal), Server::preview(&portal, "nginx")] {
        for number in [0, 999, 1999] {
            for ending in ["", "/", "/index.html"] {
                let answer = server.answer(&Request::get(format!("/an/address/that/was/given/up/{number}{ending}?x")));
                assert_eq!(answer.header("location"), Some(format!("https://h.example/{number}?x").as_str()));
            }
        }
    }
}
