//! Vercel.
//!
//! `vercel.json` has switches for both kinds of slashes. `trailingSlash` is not used here: it takes `/v1.0/` for a file and
//! leads away from it, and it acts before redirects do, which would cost each of these a second request. Rules that say the
//! same stand behind the redirects instead.
//!
//! No program of Vercel's serves files the way its network does. Its own package `@vercel/routing-utils` makes of
//! `vercel.json` the routes that the network follows, and the tests compare the model with these. The rest of the model
//! follows what is written and measured of Vercel:
//!
//! | What | From where |
//! | --- | --- |
//! | which rule is for an address, and where it leads | `@vercel/routing-utils` |
//! | redirects come before files, whatever the case of letters | Vercel's documentation: “Routing”, `caseSensitive` of routes |
//! | the query of the request goes behind that of the target | Vercel's guide “How do I perform Vercel redirects based on query strings?” |
//! | `/folder` and `/folder/` show `folder/index.html`, `/file` shows nothing unless `cleanUrls` | measurements of the public `slorber/trailing-slash-guide`, rows “Vercel” |
//! | `404.html` at the top for what is missing, with status 404 | Vercel's documentation, “Custom 404 page” |
//! | `public, max-age=0, must-revalidate` where nothing else is said | Vercel's documentation, “Cache-Control headers” |
//! | methods, conditions, parts | taken from other servers: nothing is written about them |

use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use portalgen_portal::{HostingPlatform, encode_segment};

use super::{
    HostFiles,
    http::{Request, Response},
    path,
    plain::BEHAVIOUR,
    redirects::{Reason, Redirect, Redirects, pages_without_ending},
    rules, serve, shared,
    site::{HostConfig, Site},
};
use crate::{
    headers::IMMUTABLE,
    manifest::{Manifest, ManifestRoute},
    output::RESERVED_FOLDER,
};

const NAME: &str = "Vercel";
/// How many redirects `vercel.json` may have, and how many rules for headers: `maxItems` in its schema.
const RULES: usize = 2_048;
/// How many characters a source or a destination may have: `maxLength` in the schema.
const LENGTH: usize = 4_096;
/// What Vercel says of everything that it is told nothing about.
const REVALIDATED: &str = "public, max-age=0, must-revalidate";

/// What Vercel reads.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    let redirects = redirects(manifest);
    let warnings = redirects.warning(NAME).into_iter().chain(pages_without_ending(manifest, NAME));
    let mut files = HostFiles { warnings: warnings.collect(), ..HostFiles::default() };
    let settings = format!("{:#}\n", settings(manifest, &redirects));
    if manifest.base == "/" {
        files.published.insert("vercel.json".to_owned(), settings);
        // What is not uploaded.
        files.published.insert(".vercelignore".to_owned(), format!("{RESERVED_FOLDER}\n"));
    } else {
        // Vercel looks for it where what it serves begins, which is above the folder of the portal.
        files.deployment.insert("vercel.json".to_owned(), settings);
    }
    files
}

fn settings(manifest: &Manifest, redirects: &Redirects) -> Value {
    let told = redirects.told.iter().map(|redirect| {
        let source = format!("{}{{/}}?", escaped(bare(&redirect.route.url)));
        rule(if source == "{/}?" { "/" } else { &source }, &redirect.to, redirect.status)
    });
    json!({
        "$schema": "https://openapi.vercel.sh/vercel.json",
        "cleanUrls": is_flat(manifest),
        "redirects": told.chain(slash_rules(manifest)).collect::<Vec<_>>(),
        "headers": headers(manifest),
    })
}

fn rule(source: &str, destination: &str, status: u16) -> Value {
    json!({ "source": source, "destination": destination, "statusCode": status })
}

fn is_flat(manifest: &Manifest) -> bool {
    manifest.slash == "never"
}

/// The redirects that Vercel makes.
pub(super) fn redirects(manifest: &Manifest) -> Redirects<'_> {
    Redirects::of(manifest, objection).at_most(RULES.saturating_sub(slash_rules(manifest).len()))
}

fn objection(redirect: &Redirect) -> Option<Reason> {
    if escaped(&redirect.route.url).len() + "{/}?".len() > LENGTH || redirect.to.len() > LENGTH {
        Some(Reason::Length(LENGTH))
    } else if is_pattern(&redirect.to) {
        Some(Reason::Syntax)
    } else {
        None
    }
}

/// Whether Vercel would look for names and groups in a target, or put something in place of a `$`. It reads the values of
/// the query decoded.
fn is_pattern(to: &str) -> bool {
    const SIGNS: [char; 8] = [':', '(', ')', '{', '}', '*', '+', '\\'];
    let rest = to.split_once("://").filter(|_| !to.starts_with('/')).map_or(to, |(_, rest)| {
        // A port is not part of the pattern.
        &rest[rest.find(['/', '?', '#']).unwrap_or(rest.len())..]
    });
    let (address, _) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let query = percent_decode_str(&query.replace('+', " ")).decode_utf8_lossy().into_owned();
    to.contains('$') || path.contains(SIGNS) || query.contains(SIGNS) || query.contains('?')
}

/// A path that stands for itself where a pattern is expected.
fn escaped(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, ':' | '(' | ')' | '{' | '}' | '*' | '+' | '?' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A text that stands for itself within a regular expression.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '.' | '+' | '*' | '?' | '^' | '$' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '\\') {
            literal.push('\\');
        }
        literal.push(c);
    }
    literal
}

/// Rules that lead from every form of an address to the one that pages have.
fn slash_rules(manifest: &Manifest) -> Vec<Value> {
    let base = &manifest.base;
    let mut rules = Vec::new();
    if base != "/" {
        rules.push(rule(&escaped(bare(base)), base, 308));
    }
    // What stands for the base would be read as a pattern in the destination, too; pages are then found under both forms.
    if is_pattern(base) {
        return rules;
    }
    if is_flat(manifest) {
        rules.push(rule(&format!("{base}:path((?:[^/]+/)*[^/]+)/"), &format!("{base}:path"), 308));
        return rules;
    }
    let dotted = manifest.routes.iter().filter(|route| is_page(route) && has_dot(&route.url));
    rules.extend(dotted.map(|route| rule(&escaped(bare(&route.url)), &route.url, 308)));
    let files = bare_files(manifest).map(|file| format!("{}$", literal(&file)));
    let excepted: Vec<String> = [r"\.well-known/".to_owned()].into_iter().chain(files).collect();
    let pattern = format!("(?!{})(?:[^/]+/)*[^/.]+", excepted.join("|"));
    rules.push(rule(&format!("{base}:path({pattern})"), &format!("{base}:path/"), 308));
    rules
}

fn is_page(route: &ManifestRoute) -> bool {
    route.file.is_some() && !is_pattern(&route.url)
}

fn has_dot(url: &str) -> bool {
    bare(url).rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// Files whose names have no ending, as links have them, below the base: they are no pages.
fn bare_files(manifest: &Manifest) -> impl Iterator<Item = String> {
    let is_bare = |file: &&String| !file.starts_with('.') && !file.rsplit('/').next().unwrap_or_default().contains('.');
    let files = manifest.files.keys().filter(is_bare);
    files.map(|file| file.split('/').map(encode_segment).collect::<Vec<_>>().join("/"))
}

fn headers(manifest: &Manifest) -> Vec<Value> {
    let base = escaped(&manifest.base);
    let values: Vec<Value> =
        manifest.headers.iter().map(|(key, value)| json!({ "key": key, "value": value })).collect();
    let mut headers = Vec::new();
    if !values.is_empty() {
        headers.push(json!({ "source": format!("{base}(.*)"), "headers": values }));
    }
    headers.extend(
        asset_sources(manifest, &base)
            .into_iter()
            .map(|source| json!({ "source": source, "headers": [{ "key": "Cache-Control", "value": IMMUTABLE }] })),
    );
    headers
}

/// Patterns for just the assets that there are, as many in one as its length allows: what holds for the whole folder would
/// hold for the answer that one is missing, too.
fn asset_sources(manifest: &Manifest, base: &str) -> Vec<String> {
    let mut sources = Vec::new();
    let mut group: Vec<String> = Vec::new();
    let mut length = base.len() + "()".len();
    for asset in asset_addresses(manifest) {
        let asset = literal(&asset);
        if length + asset.len() + 1 > LENGTH {
            sources.push(format!("{base}({})", group.join("|")));
            group.clear();
            length = base.len() + "()".len();
        }
        length += asset.len() + 1;
        group.push(asset);
    }
    if !group.is_empty() {
        sources.push(format!("{base}({})", group.join("|")));
    }
    sources.truncate(RULES - 1);
    sources
}

/// The assets below the base, as links have them.
fn asset_addresses(manifest: &Manifest) -> impl Iterator<Item = String> {
    let assets = shared::assets(manifest).into_iter();
    assets.map(|asset| asset.split('/').map(encode_segment).collect::<Vec<_>>().join("/"))
}

fn bare(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// The configuration that Vercel reads.
fn host_config(manifest: &Manifest) -> HostConfig {
    let redirects = redirects(manifest).told.into_iter();
    HostConfig {
        redirects: redirects.map(|redirect| (key(&redirect.route.url), (redirect.to, redirect.status))).collect(),
        kept: asset_addresses(manifest).map(|asset| key(&format!("{}{asset}", manifest.base))).collect(),
    }
}

/// Vercel compares addresses without regard to the case of letters.
fn key(path: &str) -> String {
    bare(path).to_ascii_lowercase()
}

/// What Vercel answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    let host_config = site.host_config(HostingPlatform::Vercel, host_config);
    let lead = |status, to: &str| Response::redirect(status, rules::with_query(to, request.query.as_deref()));
    if let Some(clean) = clean(&request.path).filter(|_| site.is_flat()) {
        return lead(308, &clean);
    }
    if let Some((to, status)) = host_config.redirects.get(&key(&request.path)) {
        return lead(*status, to);
    }
    if let Some(other) = other_slash(site, &request.path) {
        return lead(308, &other);
    }
    if !serve::is_reading(&request.method) {
        return serve::method_not_allowed();
    }
    let found = find(site, request);
    let mut response = found.unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR));
    let is_kept = host_config.kept.contains(&request.path.to_ascii_lowercase());
    response.headers.set("cache-control", if is_kept { IMMUTABLE } else { REVALIDATED });
    if below(&site.manifest.base, &request.path).is_some() { serve::with_headers(site, response) } else { response }
}

/// What follows the base.
fn below<'p>(base: &str, path: &'p str) -> Option<&'p str> {
    let (start, rest) = path.split_at_checked(base.len())?;
    start.eq_ignore_ascii_case(base).then_some(rest)
}

/// Where `cleanUrls` leads to: the address without the name of a file.
fn clean(path: &str) -> Option<String> {
    let bare = bare(path);
    let without = |text: &str, ending: &str| {
        let (start, end) = text.split_at_checked(text.len().checked_sub(ending.len())?)?;
        end.eq_ignore_ascii_case(ending).then(|| start.to_owned())
    };
    let file = without(bare, ".html");
    let page = file.clone().unwrap_or_else(|| bare.to_owned());
    match without(&page, "/index") {
        Some(folder) if folder.is_empty() => Some("/".to_owned()),
        Some(folder) => Some(folder),
        None => file,
    }
}

/// The address that the rules about slashes lead to.
fn other_slash(site: &Site, path: &str) -> Option<String> {
    let Manifest { base, routes, .. } = &site.manifest;
    if base != "/" && path.eq_ignore_ascii_case(bare(base)) {
        return Some(base.clone());
    }
    let rest = below(base, path).filter(|rest| !rest.is_empty() && !is_pattern(base))?;
    let names = bare(rest);
    if names.split('/').any(str::is_empty) {
        return None;
    }
    match (site.is_flat(), rest.ends_with('/')) {
        (true, true) => Some(format!("{base}{names}")),
        (true, false) | (false, true) => None,
        (false, false) if has_dot(path) => {
            let mut pages = routes.iter().filter(|route| is_page(route) && has_dot(&route.url));
            pages.find(|route| key(&route.url) == key(path)).map(|route| route.url.clone())
        }
        (false, false) => {
            let is_excepted = below(".well-known/", rest).is_some()
                || bare_files(&site.manifest).any(|file| file.eq_ignore_ascii_case(rest));
            (!is_excepted).then(|| format!("{base}{rest}/"))
        }
    }
}

fn find(site: &Site, request: &Request) -> Option<Response> {
    let path = path::decoded(&request.path)?;
    let file = bare(site.below_base(&path)?);
    let show = |file: &str| serve::file(site, request, file, &BEHAVIOUR);
    let index = || if file.is_empty() { show("index.html") } else { show(&format!("{file}/index.html")) };
    let page = || show(&format!("{file}.html")).filter(|_| site.is_flat() && !file.is_empty());
    let exact = || if path.ends_with('/') { None } else { show(file) };
    exact().or_else(page).or_else(index)
}
