//! A portal with addresses of every kind, as a manifest and as files in a folder, and requests for them.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use portalgen_portal::{BasePath, RoutePath, Slash, Urls};
use portalgen_release::{
    content_hash::ContentHash,
    hosting::{self, FileInfo, HostFiles, Request, Site},
    manifest::Manifest,
};

/// Pages with names that one host or the other could misunderstand.
pub const PAGES: &[&str] = &[
    "/",
    "/about",
    "/docs/start",
    "/c%23",
    "/100%25",
    "/a b",
    "/a+b",
    "/x@y",
    "/a(b)",
    "/a$b",
    "/a:b",
    "/a*b",
    "/a;b=c,d",
    "/关于/我们",
    "/café",
    "/v1.0",
    "/legal.html",
    "/release/2.1",
    "/it's",
    "/apples-&-oranges",
    "/100%2525",
];

/// Redirects: the address, the target, the status.
pub const REDIRECTS: &[(&str, &str, u16)] = &[
    ("/old", "/about", 301),
    ("/temporary", "/about", 302),
    ("/same-method", "/about", 307),
    ("/for-ever", "/docs/start", 308),
    ("/hash", "/about#team", 301),
    ("/own-query", "/about?from=old", 302),
    ("/elsewhere", "https://chat.acme.example", 302),
    ("/port", "https://chat.acme.example:8443/login", 302),
    ("/login", "https://id.acme.example/sign-in?client=portal#top", 302),
    ("/chinese", "https://聊天.example/登录", 302),
    ("/signs", "https://h.example/a:b/(c)/d+e/*f/$g", 302),
    ("/dollar", "https://h.example/$1/${name}", 302),
    ("/names", "https://h.example/:splat/:name?x=:y", 302),
    ("/to-odd", "/c%23", 301),
    ("/to-chinese", "/关于/我们", 301),
    ("/旧", "/about", 301),
    ("/old page", "/about", 301),
    ("/old%23", "/about", 301),
    ("/50%25", "/about", 301),
    ("/pl+us", "/about", 301),
    ("/a@t", "/about", 301),
    ("/par(en)", "/about", 301),
    ("/d$llar", "/about", 301),
    ("/co:lon", "/about", 301),
    ("/12:30", "/about", 301),
    ("/st*ar", "/about", 301),
    ("/[brackets]s", "/about", 301),
    ("/que?stion", "/about", 301),
    ("/legacy.html", "/about", 301),
    ("/v0.9", "/v1.0", 301),
    ("/deep/er/old", "/about", 301),
];

/// An address that was given up.
pub const RETIRED: &str = "/gone";

/// Files that lie beside the pages.
pub const FILES: &[&str] = &[
    "404.html",
    "404.json",
    "assets/portal-1a2b3c4d.js",
    "assets/about-5e6f7a8b.css",
    "assets/logo@2x-9c0d1e2f.png",
    "assets/海-3a4b5c6d.svg",
    "assets/font-1.woff2",
    "assets/font-2.ttf",
    "assets/code-3.wasm",
    "assets/portal-1a2b3c4d.js.map",
    "assets/all-4.zip",
    "assets/list-5.csv",
    "assets/film-6.mp4",
    "assets/sound-7.mp3",
    "assets/sea-8.avif",
    "assets/sea-9.webp",
    "assets/sea-10.jpg",
    "assets/sea-11.gif",
    "assets/paper-12.pdf",
    "assets/notes-13.txt",
    "favicon.ico",
    "demo/index.html",
    "demo/data.json",
    "robots.txt",
    "sitemap.xml",
    "site.webmanifest",
    "terms.pdf",
    "LICENSE",
    ".well-known/security.txt",
    ".well-known/change-password",
];

/// How a portal is served.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub slash: &'static str,
    pub base: &'static str,
}

pub const LAYOUTS: [Layout; 4] = [
    Layout { slash: "always", base: "/" },
    Layout { slash: "never", base: "/" },
    Layout { slash: "always", base: "/app/" },
    Layout { slash: "never", base: "/app/" },
];

/// A portal on a disk.
pub struct Portal {
    pub manifest: Manifest,
    pub files: HostFiles,
    layout: Layout,
    folder: TempDir,
}

impl Portal {
    /// The portal with addresses of every kind.
    pub fn new(layout: Layout, platforms: &[&str]) -> Self {
        Self::of(manifest(layout, platforms, PAGES, REDIRECTS), layout)
    }

    /// A portal of which this is known.
    pub fn of(manifest: Manifest, layout: Layout) -> Self {
        let files = hosting::files(&manifest);
        let portal = Self { manifest, files, layout, folder: TempDir::new().unwrap() };
        for (path, text) in contents(&portal.manifest).iter().chain(&portal.files.published) {
            write(&portal.dist().join(path), text);
        }
        // Below a base, the documentation says to leave them out.
        for (name, text) in portal.files.deployment.iter().filter(|_| layout.base == "/") {
            write(&portal.dist().join(".portalgen/deploy").join(name), text);
        }
        portal
    }

    /// The folder of the project.
    pub fn project(&self) -> &Path {
        self.folder.path()
    }

    /// The folder that a host is given: `dist`, or one that holds it under the name of the base.
    pub fn deployed(&self) -> PathBuf {
        self.folder.path().join(if self.layout.base == "/" { "dist" } else { "deploy" })
    }

    fn dist(&self) -> PathBuf {
        self.deployed().join(&self.layout.base[1..])
    }

    /// A text for whoever deploys the portal.
    pub fn note(&self, name: &str) -> &str {
        self.files.deployment.get(name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// A file that a host reads from where what it serves begins: published there, or put there by whoever deploys it.
    pub fn settings(&self, name: &str, note: &str) -> PathBuf {
        let file = self.deployed().join(name);
        if !self.files.published.contains_key(name) {
            write(&file, self.note(note));
        }
        file
    }

    /// What a preview knows of it.
    pub fn site(&self) -> Site {
        let contents = contents(&self.manifest);
        let published = self.files.published.iter().map(|(path, text)| (path.clone(), text.clone()));
        let files: BTreeMap<String, FileInfo> = contents
            .into_iter()
            .chain(published)
            .map(|(path, text)| (path, FileInfo { size: text.len() as u64, modified: SystemTime::UNIX_EPOCH }))
            .collect();
        Site::new(self.manifest.clone(), files)
    }

    /// Paths as browsers and others send them, beginning with the base, and some that lie outside of it.
    pub fn paths(&self) -> Vec<String> {
        let base = &self.manifest.base;
        let mut paths: Vec<String> = ODD_PATHS.iter().map(|path| format!("{base}{path}")).collect();
        for route in &self.manifest.routes {
            let url = route.url.trim_end_matches('/');
            paths.extend([url.to_owned(), format!("{url}/"), format!("{url}.html"), format!("{url}/index.html")]);
            paths.extend([url.to_uppercase(), format!("{url}//")]);
        }
        let urls = urls(self.layout);
        paths.extend(self.manifest.files.keys().map(|file| urls.file(file)));
        paths.extend(["/", "/elsewhere/", "/elsewhere"].map(ToOwned::to_owned));
        paths.retain(|path| path.starts_with('/'));
        paths.sort();
        paths.dedup();
        paths
    }
}

/// What is not an address of the portal, or one in another spelling.
const ODD_PATHS: &[&str] = &[
    "nothing",
    "nothing/",
    "nothing.html",
    "nothing+at+all",
    "docs",
    "docs/",
    "index",
    "index/",
    "index.html/",
    "assets",
    "assets/",
    "assets/nothing.js",
    "assets/nothing-1a2b3c4d.css",
    "/about",
    "//about/",
    "./about/",
    "about/../old",
    "about/./",
    "%2e/about/",
    "%61bout/",
    "%6fld",
    "%e5%85%b3%e4%ba%8e/%e6%88%91%e4%bb%ac/",
    "about%2Fpage.json",
    "old%2F",
    "about/page.json/",
    "robots.txt/",
    "100%/",
    "%ff/",
    "%zz",
    "a%2Bb/",
    "x%40y/",
    "pl%2Bus",
    "a%40t",
    ".portalgen/deploy/portal.json",
    ".portalgen/",
    "_redirects",
    "_headers",
    ".assetsignore",
    "404",
    "404/",
    "LICENSE/",
    "legal",
    "legal/",
    "demo",
    "demo/",
    "demo/index",
    "cafe%CC%81/",
    "/evil.example/..",
    "/evil.example",
    "/evil.example/",
    "%2F%2Fevil.example/",
    "%5Cevil.example",
    "constructor",
    "__proto__/",
];

fn urls(layout: Layout) -> Urls {
    let slash = if layout.slash == "never" { Slash::Never } else { Slash::Always };
    Urls { origin: None, base: BasePath::parse(layout.base).unwrap(), slash }
}

/// A manifest with pages and redirects, and the files that belong to them.
pub fn manifest(layout: Layout, platforms: &[&str], pages: &[&str], redirects: &[(&str, &str, u16)]) -> Manifest {
    let urls = urls(layout);
    // As a browser asks for them and as people write them, `?` belongs to a name here.
    let path = |written: &str| RoutePath::parse(&written.replace('?', "%3F")).unwrap();
    let mut routes = BTreeMap::new();
    let mut files = BTreeMap::new();
    let mut file = |path: &str, kind: &str| {
        files.insert(
            path.to_owned(),
            json!({ "kind": kind, "size": path.len() + 1, "hash": ContentHash::of(path.as_bytes()) }),
        );
    };
    let mut add = |written: &str, redirect: Value| {
        let path = path(written);
        let document = urls.document(&path);
        file(&document, "page");
        let mut route = json!({ "path": path.as_str(), "url": urls.page(&path), "file": document, "title": written });
        if redirect.is_null() {
            file(&urls.data(&path), "data");
        } else {
            route["redirect"] = redirect;
        }
        routes.insert(path.as_str().to_owned(), route);
    };
    for page in pages {
        add(page, Value::Null);
    }
    for (written, target, status) in redirects {
        let to = match target.split_once(['?', '#']) {
            _ if !target.starts_with('/') => (*target).to_owned(),
            Some((page, _)) => urls.page(&path(page)) + &target[page.len()..],
            None => urls.page(&path(target)),
        };
        add(written, json!({ "to": to, "status": status }));
    }
    let retired = path(RETIRED);
    routes.insert(RETIRED.to_owned(), json!({ "path": RETIRED, "url": urls.page(&retired), "title": "Gone" }));
    for path in FILES {
        let kind = if path.starts_with("assets/") {
            "asset"
        } else if path.ends_with(".html") {
            "page"
        } else {
            "data"
        };
        file(path, kind);
    }
    let manifest = json!({
        "version": 1,
        "base": urls.base.url(),
        "slash": layout.slash,
        "platforms": platforms,
        "headers": {
            "Content-Security-Policy": "default-src 'self'; connect-src 'self' https://api.acme.example:8443; object-src 'none'",
            "Referrer-Policy": "strict-origin-when-cross-origin",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        },
        "routes": routes.values().collect::<Vec<_>>(),
        "modules": {},
        "files": files,
    });
    Manifest::parse(manifest.to_string().as_bytes()).expect("a manifest")
}

/// What stands in each file of a portal: its own name.
pub fn contents(manifest: &Manifest) -> BTreeMap<String, String> {
    manifest.files.keys().map(|path| (path.clone(), format!("{path}\n"))).collect()
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A request without a body.
pub fn request(method: &str, address: &str) -> Request {
    let (path, query) = address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.map(ToOwned::to_owned),
        ..Request::default()
    }
}
