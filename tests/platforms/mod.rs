//! What a preview answers beside what the programs of the hosts do, given the files that were written for them. Where the two
//! differ, the preview is wrong.

pub(crate) mod portal;
mod server;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use portalgen_portal::HostingPlatform;
use portalgen_release::hosting::{self, Body, Response, Site};

use self::{
    portal::{LAYOUTS, Portal, request},
    server::{Answer, Server},
};
use crate::support::project::repository;

fn folder() -> PathBuf {
    repository().join("tests/platforms")
}

/// Runs one of the scripts beside the portal with what it shall know, and returns what it found out.
fn run(script: &str, input: &Value) -> Value {
    assert!(folder().join("node_modules").exists(), "run `npm ci` in tests/platforms, or `cargo xtask check`");
    let mut command = Command::new("node");
    command.arg(script).current_dir(folder()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("Node.js");
    child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// All that differs, in one failure.
fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
}

fn respond(platform: HostingPlatform, site: &Site, method: &str, address: &str) -> Response {
    hosting::respond(Some(platform), site, &request(method, address))
}

/// Addresses with a query, beside those without one.
fn addresses(portal: &Portal) -> Vec<String> {
    let paths = portal.paths();
    let queries = ["?x=1&y=%2F", "?from=new&x=%41", "?", "?q=a?b"];
    let redirects = portal.manifest.routes.iter().filter(|route| route.redirect.is_some());
    let with_queries = redirects.flat_map(|route| queries.map(|query| format!("{}{query}", route.url)));
    let mut all: Vec<String> = paths.iter().cloned().chain(with_queries).collect();
    all.extend(queries.map(|query| format!("{}about{query}", portal.manifest.base)));
    all
}

// Cloudflare.

fn wrangler(arguments: &[&str], within: &Path) -> Command {
    let program = folder().join("node_modules/wrangler/bin/wrangler.js");
    assert!(program.exists(), "run `npm ci` in tests/platforms, or `cargo xtask check`");
    let mut command = Command::new("node");
    command.arg(program).args(arguments).current_dir(within);
    let settings = [
        ("CI", "1"),
        ("NO_COLOR", "1"),
        ("WRANGLER_HIDE_BANNER", "true"),
        ("WRANGLER_SEND_METRICS", "false"),
        // Nothing here is worth asking Cloudflare's network for.
        ("CLOUDFLARE_CF_FETCH_ENABLED", "false"),
    ];
    command.envs(settings);
    command
}

/// What `docs/deploy/cloudflare.md` says to do.
fn workers(portal: &Portal) -> Server {
    put_settings(portal);
    fs::write(portal.project().join("wrangler.jsonc"), portal.note("cloudflare.wrangler.jsonc")).unwrap();
    Server::start(|port| {
        let port = port.to_string();
        wrangler(&["dev", "--ip", "127.0.0.1", "--port", &port, "--inspector-port", "0"], portal.project())
    })
}

fn put_settings(portal: &Portal) {
    portal.settings("_redirects", "cloudflare.redirects");
    portal.settings("_headers", "cloudflare.headers");
}

/// What is seen of an answer.
fn seen(status: u16, header: impl Fn(&str) -> Option<String>, body: Option<&str>) -> Value {
    let is_file = body.is_some();
    json!({
        "status": status,
        "location": header("location"),
        "caching": header("cache-control"),
        "type": header("content-type").filter(|_| is_file),
        "etag": header("etag").is_some(),
        "policy": header("content-security-policy"),
        "frames": header("x-frame-options"),
        "referrer": header("referrer-policy"),
        "sniffing": header("x-content-type-options"),
        "body": body,
    })
}

fn seen_in_preview(response: &Response) -> Value {
    let body = match &response.body {
        Body::File { path, .. } => Some(format!("{path}\n")),
        Body::Text(_) | Body::Nothing => None,
    };
    seen(response.status, |name| response.headers.get(name).map(ToOwned::to_owned), body.as_deref())
}

fn seen_from(answer: &Answer) -> Value {
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    let body = Some(body).filter(|_| matches!(answer.status, 200 | 404) && !answer.body.is_empty());
    seen(answer.status, |name| answer.header(name).map(ToOwned::to_owned), body.as_deref())
}

#[test]
fn cloudflare_workers() {
    let mut differences = Vec::new();
    for layout in LAYOUTS {
        let portal = Portal::new(layout, &["cloudflare"]);
        let (site, server) = (portal.site(), workers(&portal));
        let mut compare = |method: &str, address: &str| {
            let real = seen_from(&server.send(method, address, &[]));
            let shown = seen_in_preview(&respond(HostingPlatform::Cloudflare, &site, method, address));
            if real != shown {
                differences.push(format!("{layout:?} {method} {address}\n  real  {real}\n  shown {shown}"));
            }
        };
        for address in addresses(&portal) {
            compare("GET", &address);
        }
        for method in ["POST", "OPTIONS", "DELETE"] {
            for path in ["about/", "old/", "nothing", ""] {
                compare(method, &format!("{}{path}", layout.base));
            }
        }
        let (log, redirects) = (server.log(), fs::read_to_string(portal.deployed().join("_redirects")).unwrap());
        let rules = redirects.lines().filter(|line| line.starts_with('/')).count();
        assert!(log.contains(&format!("Parsed {rules} valid redirect rules")) && !log.contains("invalid"), "{log}");
    }
    assert_none(&differences);
}

#[test]
fn cloudflare_workers_know_what_a_browser_has() {
    let portal = Portal::new(LAYOUTS[0], &["cloudflare"]);
    let (site, server) = (portal.site(), workers(&portal));
    let mut differences = Vec::new();
    for path in ["/", "/about/", "/assets/portal-1a2b3c4d.js", "/nothing", "/robots.txt", "/old"] {
        let real_tag = server.send("GET", path, &[]).header("etag").unwrap_or("\"none\"").to_owned();
        let shown_tag = respond(HostingPlatform::Cloudflare, &site, "GET", path)
            .headers
            .get("etag")
            .unwrap_or("\"none\"")
            .to_owned();
        let conditions = [
            ("If-None-Match", "TAG"),
            ("If-None-Match", "W/TAG"),
            ("If-None-Match", "\"another\""),
            ("If-None-Match", "*"),
            ("If-None-Match", "\"another\", TAG"),
            ("Range", "bytes=0-1"),
            ("Authorization", "Basic YTpi"),
        ];
        for (name, value) in conditions {
            for method in ["GET", "HEAD"] {
                let real = seen_from(&server.send(method, path, &[(name, &value.replace("TAG", &real_tag))]));
                let mut asked = request(method, path);
                asked.headers.set(name, value.replace("TAG", &shown_tag));
                let mut shown = seen_in_preview(&hosting::respond(Some(HostingPlatform::Cloudflare), &site, &asked));
                if method == "HEAD" {
                    shown["body"] = Value::Null;
                    shown["type"] = Value::Null;
                }
                if real != shown {
                    differences.push(format!("{method} {path} {name}: {value}\n  real  {real}\n  shown {shown}"));
                }
            }
        }
    }
    assert_none(&differences);
}

/// Pages reads the same files. What it does otherwise is what the model says of it.
#[test]
fn cloudflare_pages() {
    let mut differences = Vec::new();
    for layout in [LAYOUTS[0], LAYOUTS[3]] {
        let portal = Portal::new(layout, &["cloudflare"]);
        put_settings(&portal);
        let folder = portal.deployed();
        let server = Server::start(|port| {
            let (port, folder) = (port.to_string(), folder.to_str().unwrap().to_owned());
            let arguments = ["pages", "dev", &folder, "--ip", "127.0.0.1", "--port", &port, "--inspector-port", "0"];
            wrangler(&[&arguments[..], &["--compatibility-date", "2025-04-01"]].concat(), portal.project())
        });
        let site = portal.site();
        for route in &portal.manifest.routes {
            for address in [route.url.clone(), format!("{}?x=1", route.url)] {
                let shown = respond(HostingPlatform::Cloudflare, &site, "GET", &address);
                let answer = server.send("GET", &address, &[]);
                // Pages leads to the address of a page with another status, and writes none anew: it shows at once what is
                // there under any spelling.
                let is_told = route.redirect.as_ref().is_some_and(|redirect| redirect.status == 307);
                let expected: &[u16] = match shown.status {
                    307 if !is_told => &[200, 308],
                    status => &[status],
                };
                let is_same = expected.contains(&answer.status)
                    && (answer.status / 100 != 3 || answer.header("location") == shown.headers.get("location"))
                    && (answer.status != 404 || answer.header("cache-control") == Some("no-store"));
                if !is_same {
                    differences.push(format!(
                        "{layout:?} {address}\n  real  {}\n  shown {}",
                        seen_from(&answer),
                        seen_in_preview(&shown)
                    ));
                }
            }
        }
        for asset in portal.manifest.files.keys().filter(|file| file.starts_with("assets/") && file.is_ascii()) {
            let answer = server.send("GET", &format!("{}{}", layout.base, asset.replace('@', "%40")), &[]);
            let caching = answer.header("cache-control");
            if (answer.status, caching) != (200, Some("public, max-age=31536000, immutable")) {
                differences.push(format!("{layout:?} {asset}: {} {caching:?}", answer.status));
            }
        }
    }
    assert_none(&differences);
}

// Netlify.

fn inputs(addresses: &[String]) -> Value {
    addresses
        .iter()
        .map(|address| request("GET", address))
        .map(|asked| json!({ "path": asked.path, "query": asked.query }))
        .collect()
}

#[test]
fn netlify_finds_the_same_rules() {
    let mut differences = Vec::new();
    for platforms in [&["netlify"][..], &["cloudflare", "netlify"]] {
        for layout in LAYOUTS {
            let portal = Portal::new(layout, platforms);
            let (site, addresses) = (portal.site(), addresses(&portal));
            let found = run(
                "netlify.mjs",
                &json!({
                    "redirects": portal.settings("_redirects", "netlify.redirects"),
                    "headers": portal.settings("_headers", "netlify.headers"),
                    "requests": inputs(&addresses),
                }),
            );
            assert_eq!(found["errors"], json!([]), "{layout:?}");
            for (address, rule) in addresses.iter().zip(found["answers"].as_array().unwrap()) {
                let shown = respond(HostingPlatform::Netlify, &site, "GET", address);
                let is_forced = rule["force"] == true;
                let real = (rule["status"].as_u64(), rule["to"].as_str().map(|to| with_query(to, address)));
                let location = shown.headers.get("location").map(ToOwned::to_owned);
                // Where no rule is forced, Netlify looks for a file.
                let is_same = match real {
                    (Some(status @ 300..400), to) if is_forced => u64::from(shown.status) == status && location == to,
                    (Some(404), _) if is_forced => shown.status == 404,
                    _ => !matches!(shown.status, 300..400) || leads_to_other_form(address, &location.clone().unwrap()),
                };
                if !is_same {
                    differences.push(format!(
                        "{platforms:?} {layout:?} {address}\n  real  {rule}\n  shown {}",
                        seen_in_preview(&shown)
                    ));
                }
            }
            for (name, value) in &portal.manifest.headers {
                let rules = found["headers"].as_array().unwrap();
                let everywhere =
                    rules.iter().find(|rule| rule["for"] == format!("{}*", layout.base)).expect("a rule for all");
                assert_eq!(everywhere["values"][name], **value, "{layout:?} {name}");
            }
        }
    }
    assert_none(&differences);
}

/// A target with the query of a request, which Netlify appends.
fn with_query(to: &str, address: &str) -> String {
    let query = address.split_once('?').map(|(_, query)| query).filter(|query| !query.is_empty());
    let (page, hash) = to.split_once('#').map_or((to, String::new()), |(page, hash)| (page, format!("#{hash}")));
    query.map_or_else(|| to.to_owned(), |query| format!("{page}?{query}{hash}"))
}

fn leads_to_other_form(address: &str, location: &str) -> bool {
    let path = |url: &str| url.split('?').next().unwrap().to_owned();
    path(address).trim_end_matches('/') == path(location).trim_end_matches('/')
}

// Vercel.

#[test]
fn vercel_follows_the_same_routes() {
    let mut differences = Vec::new();
    for layout in LAYOUTS {
        let portal = Portal::new(layout, &["vercel"]);
        let site = portal.site();
        // As the documentation says: Vercel looks for it at the top.
        fs::write(portal.deployed().join("404.html"), "404.html\n").unwrap();
        // What its server for files takes for something else than Vercel does is left out, or leads nowhere in either.
        let addresses: Vec<String> = addresses(&portal).into_iter().filter(|address| !is_odd(address)).collect();
        let found = run(
            "vercel.mjs",
            &json!({
                "settings": portal.settings("vercel.json", "vercel.json"),
                "folder": portal.deployed(),
                "requests": inputs(&addresses),
            }),
        );
        assert_eq!(found["error"], Value::Null, "{layout:?}");
        for (address, real) in addresses.iter().zip(found["answers"].as_array().unwrap()) {
            let shown = respond(HostingPlatform::Vercel, &site, "GET", address);
            let seen = seen_in_preview(&shown);
            let location = real["location"].as_str().map(|to| appended(to, address));
            let is_kept = real["headers"]["Cache-Control"] == "public, max-age=31536000, immutable";
            let is_same = real["status"] == shown.status
                && json!(location) == seen["location"]
                && (shown.status != 200
                    || (real["body"] == seen["body"]
                        && is_kept == (seen["caching"] == real["headers"]["Cache-Control"])))
                && (shown.status / 100 == 3 || real["headers"]["X-Frame-Options"] == seen["frames"]);
            if !is_same {
                differences.push(format!("{layout:?} {address}\n  real  {real}\n  shown {seen}"));
            }
        }
    }
    assert_none(&differences);
}

/// A target with the query of a request behind its own.
fn appended(to: &str, address: &str) -> String {
    let Some((_, query)) = address.split_once('?').filter(|(_, query)| !query.is_empty()) else { return to.to_owned() };
    let (page, hash) = to.split_once('#').map_or((to, String::new()), |(page, hash)| (page, format!("#{hash}")));
    let joint = if page.contains('?') { "&" } else { "?" };
    format!("{page}{joint}{query}{hash}")
}

fn is_odd(address: &str) -> bool {
    let path = address.split('?').next().unwrap().to_ascii_lowercase();
    ["//", "%2f", "%5c", "/./", "/../", "%2e", "%zz", "%ff", "100%/", "/."].iter().any(|odd| path.contains(odd)) || path.ends_with("/..")
        // Its server for files finds these without the ending, as it does with pages.
        || ["/404", "/index"].iter().any(|name| path.trim_end_matches('/').ends_with(name))
}

// CloudFront.

#[test]
fn the_function_does_what_the_preview_shows() {
    let mut differences = Vec::new();
    for layout in LAYOUTS {
        let portal = Portal::new(layout, &["s3-cloudfront"]);
        let (site, addresses) = (portal.site(), addresses(&portal));
        let code = portal.project().join("function.js");
        fs::write(&code, portal.note("s3-cloudfront.function.js")).unwrap();
        let found = run("cloudfront.mjs", &json!({ "code": code, "requests": inputs(&addresses) }));
        for (address, real) in addresses.iter().zip(found["answers"].as_array().unwrap()) {
            let seen = seen_in_preview(&respond(HostingPlatform::S3Cloudfront, &site, "GET", address));
            let is_same = match real["uri"].as_str() {
                None => real["status"] == seen["status"] && real["location"] == seen["location"],
                Some(uri) => match object(&portal, uri) {
                    Some(file) => seen["status"] == 200 && seen["body"] == format!("{file}\n"),
                    None => seen["status"] == 404 && seen["body"] == "404.html\n",
                },
            };
            if !is_same {
                differences.push(format!("{layout:?} {address}\n  real  {real}\n  shown {seen}"));
            }
        }
    }
    assert_none(&differences);
}

/// What S3 has under an address: it decodes it once, and takes a plus sign for a space.
fn object(portal: &Portal, uri: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(&uri.replace('+', " ")).decode_utf8().ok()?.into_owned();
    let file = decoded.strip_prefix(&portal.manifest.base)?;
    portal.manifest.files.contains_key(file).then(|| file.to_owned())
}
