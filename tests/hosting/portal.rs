//! A portal with everything in its addresses that could go wrong on a host.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

use portalgen_base::{source::Memory, text::Text};
use portalgen_portal::{Overrides, RouteKind};
use portalgen_release::{
    hosting,
    manifest::{self, Manifest},
    output::{OutputKind, OutputSet, Producer},
    publish::{Guard, publish},
};

use crate::support::project::Project;

/// How the addresses of a portal are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub slash: &'static str,
    pub base: &'static str,
}

/// A portal in the folder of a server, which goes when the value does.
pub(crate) struct Portal {
    folder: TempDir,
    form: Form,
}

/// Addresses of pages, as they stand in `routes.toml`.
const PAGES: &[&str] = &[
    "/",
    "/about",
    "/docs",
    "/docs/a",
    "/release/2.1",
    "/v1.0",
    "/legal.html",
    "/c%23",
    "/100%25",
    "/c%2523",
    "/a b",
    "/a+b",
    "/a'b",
    "/a$b",
    "/$uri",
    "/{{path}}",
    "/{{$HOME}}",
    "/a(b)c",
    "/a%5Bb%5D",
    "/a;b",
    "/a~b",
    "/x@y",
    "/apples-&-oranges",
    "/README",
    "/关于/我们",
    "/caf\u{e9}",
];

/// Addresses of redirects, where they lead, and the status.
const REDIRECTS: &[(&str, &str, u16)] = &[
    ("/login", "https://chat.example/login", 302),
    ("/sign", "https://chat.example/signUp?from=portal", 302),
    ("/open", "https://chat.example/?a=1&", 307),
    ("/mark", "https://chat.example/?", 302),
    ("/moved", "/about", 301),
    ("/part", "/docs#part", 308),
    ("/both", "/docs/a?x=1#part", 302),
    ("/file", "/robots.txt", 302),
    ("/r/deep/er", "/c%23", 302),
    ("/r%23", "/a b", 301),
    ("/r b", "/关于/我们", 301),
    ("/r$1", "/a$b", 301),
    ("/r${{x}}", "/$uri", 301),
    ("/r{{path}}", "https://chat.example/$1", 302),
    ("/r{{$HOME}}", "/{{path}}", 302),
    ("/r(a)[b]*+;", "/a(b)c", 302),
    ("/r'q", "/a'b", 302),
    ("/r~^", "https://chat.example/'~'", 302),
    ("/登录", "https://聊天.example/登录?下=1#x", 302),
];

const RETIRED: &[&str] = &["/gone", "/gone/by", "/去 年", "/g{{1}}$"];

/// Files of `site/public`, and what the bundler makes.
const FILES: &[&str] = &[
    "robots.txt",
    "favicon.svg",
    "demo/index.html",
    "demo/data.json",
    "demo page/index.html",
    "data/odd name [1].txt",
    "data/x{y}.csv",
    "data/unknown.xyz",
    "data/noending",
    ".well-known/security.txt",
    "assets/app-1a2b3c4d.js",
    "assets/app-1a2b3c4d.js.map",
    "assets/app-5e6f7a8b.css",
    "assets/font-9c0d1e2f.woff2",
];

/// Files with compressed forms beside them.
const COMPRESSED: &[(&str, &[&str])] = &[
    ("assets/app-1a2b3c4d.js", &["br", "gz", "zst"]),
    ("assets/app-5e6f7a8b.css", &["gz"]),
    ("favicon.svg", &["br"]),
    ("index.html", &["br", "gz", "zst"]),
    ("404.html", &["br", "gz", "zst"]),
];

impl Portal {
    pub(crate) fn new(form: Form) -> Self {
        Self::of(form, &routes(form))
    }

    /// A portal with other routes than the usual ones.
    pub(crate) fn of(form: Form, routes: &str) -> Self {
        let portal = Self { folder: tempfile::tempdir().unwrap(), form };
        portal.publish(routes);
        portal
    }

    /// What a project is built to.
    pub(crate) fn built(form: Form, project: &Project) -> Self {
        let portal = Self { folder: tempfile::tempdir().unwrap(), form };
        fs::create_dir_all(portal.root()).unwrap();
        let outcome = project.build(&["--out", portal.dist().to_str().unwrap()]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        portal
    }

    /// Puts a build with these routes into the folder.
    pub(crate) fn publish(&self, routes: &str) {
        let guard = Guard { root: self.folder.path(), sources: &[] };
        publish(&output(routes), &self.dist(), guard).unwrap();
        self.age_plain_forms();
    }

    /// Gives the plain forms of compressed files a date of their own, since a build may write both within one second or not.
    fn age_plain_forms(&self) {
        for (path, _) in COMPRESSED {
            let file = File::options().write(true).open(self.dist().join(path)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
        }
    }

    /// The folder that a server has for its root: that of the portal is the one that its base names.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    pub(crate) fn dist(&self) -> PathBuf {
        self.root().join(self.form.base.trim_matches('/'))
    }

    pub(crate) fn note(&self, name: &str) -> PathBuf {
        self.dist().join(".portalgen/deploy").join(name)
    }
}

fn routes(form: Form) -> String {
    let Form { slash, base } = form;
    let mut routes = format!(
        "[portal]\nhost = \"https://chat.example\"\nallow_hosts = [\"聊天.example\"]\nbase = \"{base}\"\n\
         slash = \"{slash}\"\n\n[deploy]\nplatform = [\"nginx\", \"caddy\"]\n\
         strict_transport_security = \"max-age=31536000\"\n"
    );
    for path in PAGES {
        let _ = write!(routes, "\n[[route]]\npath = \"{path}\"\ncomponent = \"pages/index.tsx\"\n");
    }
    for (path, target, status) in REDIRECTS {
        let _ = write!(routes, "\n[[route]]\npath = \"{path}\"\nredirect = \"{target}\"\nstatus = {status}\n");
    }
    for path in RETIRED {
        let _ = write!(routes, "\n[[route]]\npath = \"{path}\"\nretired = true\n");
    }
    routes
}

fn output(routes: &str) -> OutputSet {
    let root = Path::new("/portal");
    let files = [("routes.toml", routes), ("site/pages/index.tsx", ""), ("site/public/robots.txt", "")];
    let sources = Memory::new(files.map(|(path, text)| (root.join(path), text)));
    let portal = match portalgen_portal::load(&sources, root, &Overrides::default()) {
        Ok((portal, _)) => portal,
        Err(errors) => panic!("{:?}", errors.iter().map(|error| error.message.english()).collect::<Vec<_>>()),
    };
    let mut output = OutputSet::new();
    let mut add = |path: &str, kind, text: String| {
        output.insert(path, kind, text, Producer::new(Text::verbatim("the test"))).unwrap();
    };
    for route in portal.routes.iter().filter(|route| route.kind != RouteKind::Retired) {
        let path = portal.urls.document(&route.path);
        let text = format!("<!doctype html><title>{path}</title>\n");
        add(&path, OutputKind::Page, text);
    }
    add("404.html", OutputKind::Page, "<!doctype html><title>not found</title>\n".to_owned());
    for path in FILES {
        let kind = if path.starts_with("assets/") { OutputKind::Asset } else { OutputKind::Data };
        add(path, kind, format!("what is in {path}\n").repeat(20));
    }
    for (path, endings) in COMPRESSED {
        // Servers do not look into it.
        endings
            .iter()
            .for_each(|ending| add(&format!("{path}.{ending}"), OutputKind::Data, format!("{ending} of {path}")));
    }
    let mut manifest = Manifest::of(&portal, &BTreeMap::new(), &[]).with_files(&output);
    manifest.headers.insert("content-security-policy".to_owned(), "default-src 'self'; style-src 'none'".to_owned());
    for (name, text) in hosting::files(&manifest).deployment {
        output.add_note(name, text);
    }
    output.add_note(manifest::FILE, manifest.to_json());
    output
}

/// Puts somebody else's files among those of the portal.
pub(crate) fn add_foreign_files(portal: &Portal) {
    fs::create_dir_all(portal.dist().join("blog")).unwrap();
    fs::write(portal.dist().join("blog/index.html"), "somebody's blog").unwrap();
}
