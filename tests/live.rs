//! `portalgen deploy-check` against servers that do as they should, and against such that do not.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    sync::Arc,
    thread,
};

use serde_json::Value;

use crate::support::project::{Outcome, Project, Tree};

const ROUTES: &str = r#"
[portal]
host = "https://chat.acme.example"
origin = "https://www.acme.example"

[deploy]
platform = ["nginx"]

[not_found]
title = "Nothing here"

[[route]]
path = "/"
title = "Home & <more>"

[[route]]
path = "/关于"
title = "About"
component = "pages/index.tsx"

[[route]]
path = "/login"
redirect = "{host}/login"

[[route]]
path = "/old"
redirect = "/关于#x"

[[route]]
path = "/gone"
retired = true
"#;

fn portal() -> Project {
    let project = Project::new(&[
        ("routes.toml", ROUTES),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", "import \"./home.css\"; export default () => <h1>Home</h1>;"),
        ("site/pages/home.css", "h1 { color: teal; }"),
        ("site/public/terms.pdf", "%PDF-1"),
    ]);
    let outcome = project.build(&[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    project
}

/// What a server answers: status, headers, body.
struct Reply {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

/// A server of one portal, which a test can have make mistakes.
struct Host {
    files: Tree,
    redirects: BTreeMap<String, (u16, String)>,
    headers: BTreeMap<String, String>,
}

impl Host {
    fn of(project: &Project) -> Self {
        let files = project.published();
        let manifest: Value = serde_json::from_slice(&files[".portalgen/deploy/portal.json"]).unwrap();
        let headers = manifest["headers"].as_object().unwrap().iter();
        let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
        Self { files, redirects: BTreeMap::new(), headers }
    }

    /// Answers as a good server does.
    fn reply(&self, target: &str) -> Reply {
        let (path, query) =
            target.split_once('?').map_or((target, String::new()), |(path, query)| (path, format!("?{query}")));
        if let Some((status, to)) = self.redirects.get(path) {
            let (to, hash) = to.split_once('#').map_or((&**to, String::new()), |(to, hash)| (to, format!("#{hash}")));
            return self.with(*status, &[("location", &format!("{to}{query}{hash}"))], Vec::new());
        }
        let decoded = percent_encoding::percent_decode_str(&path[1..]).decode_utf8().unwrap().into_owned();
        let is_hidden = decoded.starts_with(".portalgen");
        let file =
            if decoded.is_empty() || decoded.ends_with('/') { format!("{decoded}index.html") } else { decoded.clone() };
        match self.files.get(&file).filter(|_| !is_hidden) {
            Some(bytes) => {
                let caching =
                    if file.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
                let kind = match file.rsplit('.').next().unwrap() {
                    "html" => "text/html; charset=utf-8",
                    "js" => "text/javascript",
                    "css" => "text/css",
                    "json" => "application/json",
                    "pdf" => "application/pdf",
                    "txt" => "text/plain",
                    "xml" => "text/xml",
                    _ => "application/octet-stream",
                };
                self.with(200, &[("content-type", kind), ("cache-control", caching)], bytes.clone())
            }
            None if self.files.contains_key(&format!("{decoded}/index.html")) => {
                self.with(301, &[("location", &format!("{path}/{query}"))], Vec::new())
            }
            None => self.with(404, &[("content-type", "text/html")], self.files["404.html"].clone()),
        }
    }

    fn with(&self, status: u16, headers: &[(&str, &str)], body: Vec<u8>) -> Reply {
        let own = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Reply { status, headers: self.headers.clone().into_iter().chain(own).collect(), body }
    }

    /// Serves on a port that the system chooses until the test ends.
    fn start(self, change: impl Fn(&str, Reply) -> Reply + Send + Sync + 'static) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (host, change) = (Arc::new(self), Arc::new(change));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (host, change) = (Arc::clone(&host), Arc::clone(&change));
                thread::spawn(move || answer(stream, |target| change(target, host.reply(target))));
            }
        });
        format!("http://{address}")
    }
}

fn answer(mut stream: TcpStream, reply: impl Fn(&str) -> Reply) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
    let _: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let Reply { status, headers, body } = reply(&target);
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    let head = format!("HTTP/1.1 {status} x\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes());
    if method != "HEAD" {
        let _ = stream.write_all(&body);
    }
}

fn check(project: &Project, url: &str) -> Outcome {
    project.run("deploy-check", &[url])
}

#[test]
fn a_good_server_has_nothing_to_hear() {
    let project = portal();
    for (redirects, by_server) in [(false, 0), (true, 2)] {
        let mut host = Host::of(&project);
        if redirects {
            for path in ["/login", "/login/"] {
                host.redirects.insert(path.to_owned(), (302, "https://chat.acme.example/login".to_owned()));
            }
            for path in ["/old", "/old/"] {
                host.redirects.insert(path.to_owned(), (301, "/%E5%85%B3%E4%BA%8E/#x".to_owned()));
            }
        }
        let url = host.start(|_, reply| reply);
        let outcome = check(&project, &url);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.starts_with("no problems found; "), "{}", outcome.stderr);
        let result = project.run("deploy-check", &[&url, "--json"]);
        let result: Value = serde_json::from_str(&result.stdout).unwrap();
        assert_eq!(result["redirects"]["by_server"], by_server, "{result}");
        assert_eq!(result["redirects"]["by_stub"], 2 - by_server, "{result}");
        assert!(result["requests"].as_u64().unwrap() > 25, "{result}");
    }
}

/// What a server does to its answers.
type Change = Box<dyn Fn(&str, Reply) -> Reply + Send + Sync>;

/// The same without values of its own.
type SmallChange = fn(&str, Reply) -> Reply;

#[test]
fn every_fault_is_told() {
    let project = portal();
    let about = "/%E5%85%B3%E4%BA%8E";
    let faults: Vec<(&str, Change, &str)> = vec![
        (
            "soft 404",
            Box::new(|_, r| Reply { status: if r.status == 404 { 200 } else { r.status }, ..r }),
            "the status is 200 instead of 404",
        ),
        (
            "a page is missing",
            Box::new(move |t, r| if t == format!("{about}/") { Reply { status: 404, ..r } } else { r }),
            "the status is 404 instead of 200",
        ),
        (
            "no slash redirect",
            Box::new(move |t, r| if t == about { Reply { status: 200, ..r } } else { r }),
            "the same page is served at two addresses",
        ),
        (
            "the query is lost",
            Box::new(|_, mut r| {
                r.headers.entry("location".to_owned()).and_modify(|to| to.truncate(to.find('?').unwrap_or(to.len())));
                r
            }),
            "/?portalgen=1&next=%2Fa`",
        ),
        (
            "an old build",
            Box::new(|_, r| Reply {
                body: String::from_utf8_lossy(&r.body).replace("Home &amp;", "Old &amp;").into_bytes(),
                ..r
            }),
            "the title is “Old & <more>” instead of “Home & <more>”",
        ),
        (
            "another origin",
            Box::new(|_, r| Reply {
                body: String::from_utf8_lossy(&r.body).replace("www.acme", "staging.acme").into_bytes(),
                ..r
            }),
            "the canonical link is `https://staging.acme.example/`",
        ),
        (
            "a stub for something else",
            Box::new(|_, r| Reply {
                body: String::from_utf8_lossy(&r.body).replace("chat.acme", "evil.acme").into_bytes(),
                ..r
            }),
            "this page does not redirect to `https://chat.acme.example/login`",
        ),
        (
            "scripts as text",
            Box::new(|t, mut r| {
                if t.ends_with(".js") {
                    r.headers.insert("content-type".to_owned(), "text/plain".to_owned());
                }
                r
            }),
            "the content type is `text/plain` instead of `text/javascript`",
        ),
        (
            "hidden from search",
            Box::new(|_, mut r| {
                r.headers.insert("x-robots-tag".to_owned(), "noindex".to_owned());
                r
            }),
            "keeps search engines away",
        ),
        (
            "the retired one is back",
            Box::new(|t, r| if t.starts_with("/gone") { Reply { status: 200, ..r } } else { r }),
            "the address is retired (`retired` in routes.toml)",
        ),
    ];
    for (name, change, expected) in faults {
        let url = Host::of(&project).start(change);
        let outcome = check(&project, &url);
        assert_eq!(outcome.code, 1, "{name}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{name}: {expected}\n{}", outcome.stderr);
    }
}

#[test]
fn what_only_costs_is_a_warning() {
    let project = portal();
    let faults: [(SmallChange, &str); 5] = [
        (
            |_, mut r| {
                r.headers.remove("content-security-policy");
                r
            },
            "the header `content-security-policy` is missing",
        ),
        (
            |_, mut r| {
                r.headers.insert("cache-control".to_owned(), "max-age=86400".to_owned());
                r
            },
            "visitors may see the old content for a long time",
        ),
        (
            |_, mut r| {
                r.headers.insert("cache-control".to_owned(), "no-cache".to_owned());
                r
            },
            "browsers are not told to cache it",
        ),
        (
            |t, r| if t.starts_with("/.portalgen") { Reply { status: 200, ..r } } else { r },
            "anyone can read these files",
        ),
        (
            |_, r| Reply { body: if r.status == 404 { b"nope".to_vec() } else { r.body }, ..r },
            "this is not the portal's not-found page",
        ),
    ];
    for (change, expected) in faults {
        let url = Host::of(&project).start(change);
        let outcome = check(&project, &url);
        assert_eq!(outcome.code, 0, "{expected}: {}", outcome.stderr);
        assert!(
            outcome.stderr.contains(&format!("warning: {url}")) && outcome.stderr.contains(expected),
            "{expected}\n{}",
            outcome.stderr
        );
        assert!(
            outcome.stderr.contains(" more: ") || outcome.stderr.matches("http://").count() < 12,
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn who_cannot_be_asked_is_told() {
    let project = portal();
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outcome = check(&project, &format!("http://{free}"));
    assert_eq!(outcome.code, 1);
    assert!(outcome.stderr.contains("no answer: "), "{}", outcome.stderr);
    for (url, expected) in [
        ("ftp://a.example", "is not the address of a website"),
        ("", "`<URL>` needs a value"),
        ("https://a.example/app/", "the portal was built for the folder `/`, not for `/app/`"),
    ] {
        let outcome = check(&project, url);
        assert_eq!(outcome.code, 2, "{url}");
        assert!(outcome.stderr.contains(expected), "{url}: {}", outcome.stderr);
    }
    std::fs::remove_dir_all(project.path("dist")).unwrap();
    let outcome = check(&project, "http://127.0.0.1:1");
    assert!(
        outcome.code == 2 && outcome.stderr.contains("there is no build in `dist` to compare with"),
        "{}",
        outcome.stderr
    );
}
