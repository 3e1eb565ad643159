//! Requests that servers are known to answer in different ways.

use super::client::Request;

/// The table for a portal below a base.
pub(crate) fn all(base: &str) -> Vec<Request> {
    let at = |path: &str| format!("{base}{path}");
    let mut all: Vec<Request> = PATHS.iter().map(|path| Request::get(at(path))).collect();
    all.extend(OUTSIDE.iter().map(|path| Request::get(*path)));
    all.extend(QUERIES.iter().map(|target| Request::get(at(target))));
    for method in ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let paths =
            ["", "about", "about/", "nothing", "login", "gone/", "assets/app-1a2b3c4d.js", "404.html", "docs//a"];
        all.extend(paths.map(|path| Request { method, ..Request::get(at(path)) }));
    }
    for path in
        ["", "assets/app-1a2b3c4d.js", "assets/app-5e6f7a8b.css", "favicon.svg", "robots.txt", "nothing", "gone"]
    {
        all.extend(ENCODINGS.iter().map(|accepted| Request::get(at(path)).with("Accept-Encoding", accepted)));
    }
    for conditions in CONDITIONS {
        for path in ["", "robots.txt", "assets/app-1a2b3c4d.js", "nothing", "login/"] {
            let request = Request::get(at(path));
            let request = conditions.iter().fold(request, |request, (name, value)| request.with(name, value));
            all.push(Request { method: "HEAD", ..request.clone() });
            all.push(request);
        }
    }
    for range in RANGES {
        for path in ["robots.txt", "nothing"] {
            all.push(Request::get(at(path)).with("Range", range));
        }
        all.push(Request { method: "HEAD", ..Request::get(at("robots.txt")).with("Range", range) });
        all.push(Request::get(at("assets/app-1a2b3c4d.js")).with("Range", range).with("Accept-Encoding", "gzip"));
        for condition in ["ETAG", "W/ETAG", "\"other\"", "MODIFIED", "Thu, 01 Jan 1970 00:00:00 GMT"] {
            all.push(Request::get(at("robots.txt")).with("Range", range).with("If-Range", condition));
        }
    }
    all
}

/// Paths below the base, without the slash between.
const PATHS: &[&str] = &[
    // Pages in every spelling (B-46).
    "",
    "index.html",
    "index",
    "about",
    "about/",
    "about.html",
    "about.html/",
    "about/index.html",
    "about/index",
    "about/index.html/",
    "docs",
    "docs/",
    "docs.html",
    "docs/a",
    "docs/a/",
    "docs/a.html",
    "docs/index.html",
    "404",
    "404.html",
    "404/",
    // Dots (B-41).
    "release/2.1",
    "release/2.1/",
    "release/2.1.html",
    "release",
    "release/",
    "v1.0",
    "v1.0/",
    "v1.0.html",
    "legal.html",
    "legal.html/",
    "legal",
    "legal.html.html",
    // Characters (B-37).
    "c%23",
    "c%23/",
    "c%23.html",
    "c%2523",
    "c%2523/",
    "100%25",
    "100%25/",
    "100%",
    "100%2",
    "%zz",
    "a%20b",
    "a%20b/",
    "a+b",
    "a+b/",
    "a%2Bb/",
    "a%2bb",
    "a'b/",
    "a%27b",
    "a$b",
    "a$b/",
    "a%24b",
    "$uri",
    "$uri/",
    "%7Bpath%7D",
    "%7Bpath%7D/",
    "%7B$HOME%7D",
    "%7B$HOME%7D/",
    "a(b)c",
    "a(b)c/",
    "a%5Bb%5D",
    "a%5Bb%5D/",
    "a;b",
    "a;b/",
    "a~b/",
    "a%7Eb",
    "x@y",
    "x%40y/",
    "apples-&-oranges",
    "apples-&-oranges/",
    "%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC",
    "%E5%85%B3%E4%BA%8E/%E6%88%91%E4%BB%AC/",
    "%e5%85%b3%e4%ba%8e/%e6%88%91%e4%bb%ac",
    "%E5%85%B3%E4%BA%8E/",
    "caf%C3%A9",
    "caf%C3%A9/",
    "cafe%CC%81/",
    "%ff",
    "%E5%85",
    "about%00",
    "%61bout",
    "%61bout/",
    // Upper and lower case (B-54).
    "About",
    "ABOUT/",
    "readme",
    "README",
    "README/",
    "Robots.txt",
    "LOGIN",
    "Gone",
    "Assets/app-1a2b3c4d.js",
    // Slashes.
    "/",
    "/about",
    "/about/",
    "about//",
    "docs//a",
    "docs//a/",
    "docs//../about/",
    "docs/..//about",
    "/login/",
    "login//",
    "docs%2Fa",
    "docs%2Fa/",
    "docs%5Ca",
    "login%2F",
    "about%2Findex.html",
    // Dot segments.
    "./about/",
    "about/.",
    "about/..",
    "docs/../about/",
    "docs/../about",
    "docs/../login/",
    "docs/%2e%2e/about/",
    "docs/.%2e/%2e/about/",
    "...",
    "..a/",
    // Redirects in every spelling.
    "login",
    "login/",
    "login/index.html",
    "login.html",
    "sign",
    "sign/",
    "open",
    "mark/",
    "moved",
    "moved/",
    "part",
    "part/",
    "both",
    "file/",
    "r",
    "r/",
    "r/deep",
    "r/deep/er",
    "r/deep/er/",
    "r%23",
    "r%23/",
    "r%20b",
    "r%20b/",
    "r$1",
    "r$1/",
    "r$%7Bx%7D",
    "r$%7Bx%7D/",
    "r%7Bpath%7D",
    "r%7Bpath%7D/",
    "r%7B$HOME%7D",
    "r%7B$HOME%7D/",
    "r(a)%5Bb%5D*+;",
    "r(a)%5Bb%5D*+;/",
    "r(a)b;",
    "r'q",
    "r~%5E/",
    "%E7%99%BB%E5%BD%95",
    "%E7%99%BB%E5%BD%95/",
    "l%6Fgin",
    // What was given up.
    "gone",
    "gone/",
    "gone.html",
    "gone/index.html",
    "gone/by",
    "gone/bye",
    "%E5%8E%BB%20%E5%B9%B4",
    "%E5%8E%BB%20%E5%B9%B4/",
    "g%7B1%7D$",
    // Files, and what is none (B-97).
    "robots.txt",
    "robots.txt/",
    "favicon.svg",
    "demo",
    "demo/",
    "demo/index.html",
    "demo.html",
    "demo/data.json",
    "demo%20page",
    "demo%20page/",
    "data",
    "data/",
    "data/odd%20name%20%5B1%5D.txt",
    "data/odd%20name%20*",
    "data/x%7By%7D.csv",
    "data/unknown.xyz",
    "data/noending",
    ".well-known/security.txt",
    ".well-known/",
    "assets",
    "assets/",
    "assets/app-1a2b3c4d.js",
    "assets/app-1a2b3c4d.js/",
    "assets/app-1a2b3c4d.js.map",
    "assets/app-1a2b3c4d.js.gz",
    "assets/app-5e6f7a8b.css",
    "assets/font-9c0d1e2f.woff2",
    "assets/nothing.js",
    "assets/*",
    "assets/..",
    "assets/../about/",
    "nothing",
    "nothing/",
    "nothing.html",
    "about/nothing",
    // What portalgen keeps.
    ".portalgen",
    ".portalgen/",
    ".portalgen/manifest.json",
    ".portalgen/deploy/portal.json",
    ".portalgen/deploy/Caddyfile",
    "%2eportalgen/manifest.json",
    "%2Eportalgen/deploy/portal.json",
    "about/../.portalgen/manifest.json",
    ".Portalgen/manifest.json",
    // Somebody else's.
    "blog",
    "blog/",
];

/// Paths that need not lie below the base.
const OUTSIDE: &[&str] = &["/app", "/app?x=1", "/%61pp", "/app%2F", "/App/", "/apple", "/app.html"];

/// Paths with queries (B-11).
const QUERIES: &[&str] = &[
    "?",
    "?x=1",
    "about?code=1",
    "about/?code=1",
    "about?",
    "about/?",
    "about.html?code=1",
    "about?next=/a//b&c=%2F%23",
    "about?a=//",
    "docs?x=%E5%85%B3",
    "a%20b?x=a%20b",
    "demo?x=$1",
    "nothing?x=1",
    "login?next=%2Fpay",
    "login/?next=%2Fpay&utm_source=a",
    "login?",
    "login?0",
    "sign?x=1",
    "sign?from=b&x=$uri",
    "open/?x=1",
    "mark?x=1",
    "moved?x=1",
    "part?x=1",
    "both/?y=2",
    "r$1?x=$1&y=$args",
    "r%7Bpath%7D?{path}=1",
    "r%7B$HOME%7D/?x={query}",
    "login?q={http.request.uri}",
    "%E7%99%BB%E5%BD%95?x=1",
    "gone?x=1",
    "robots.txt?v=2",
    "assets/app-1a2b3c4d.js?v=2",
];

const ENCODINGS: &[&str] = &[
    "gzip",
    "br",
    "zstd",
    "gzip, deflate, br, zstd",
    "br;q=0.5, gzip",
    "gzip;q=0",
    "gzip;q=0.0, br;q=0",
    "GZIP",
    "*",
    "identity",
    "gzip;q=1.0, identity;q=0.5, *;q=0",
    "x-gzip",
];

const CONDITIONS: &[&[(&str, &str)]] = &[
    &[("If-None-Match", "ETAG")],
    &[("If-None-Match", "W/ETAG")],
    &[("If-None-Match", "\"other\", ETAG")],
    &[("If-None-Match", "\"other\"")],
    &[("If-None-Match", "*")],
    &[("If-Modified-Since", "MODIFIED")],
    &[("If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")],
    &[("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")],
    &[("If-Modified-Since", "yesterday")],
    &[("If-None-Match", "\"other\""), ("If-Modified-Since", "MODIFIED")],
    &[("If-None-Match", "ETAG"), ("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")],
    &[("If-None-Match", "ETAG"), ("Accept-Encoding", "gzip")],
    &[("If-Match", "ETAG")],
    &[("If-Match", "\"other\"")],
    &[("If-Match", "*")],
    &[("If-Unmodified-Since", "MODIFIED")],
    &[("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")],
];

/// Without `bytes=-0`: to that Caddy sends a part that ends before it begins.
const RANGES: &[&str] = &[
    "bytes=0-9",
    "bytes=5-",
    "bytes=-5",
    "bytes=0-",
    "bytes=0-99999",
    "bytes=99999-",
    "bytes=-99999",
    "bytes=9-5",
    "bytes=a-b",
    "bytes=",
    "bytes=0-1,4-5",
    "items=0-1",
    "0-1",
];
