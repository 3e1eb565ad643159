//! Netlify.
//!
//! No program of Netlify's serves files the way its network does, so the model follows what is written and measured of it:
//!
//! | What | From where |
//! | --- | --- |
//! | which rule is for an address: raw, to the byte, with or without a slash at its end | Netlify's own matcher, the package `netlify-redirector`, which the tests ask |
//! | `!`: a redirect also where a file is | Netlify's documentation, “Shadowing” |
//! | statuses 301 and 302 only: 307 “is currently unsupported” | Netlify's documentation, “Redirect options” |
//! | the query of the request goes to the target | Netlify's documentation, “Query parameters” |
//! | `/folder` leads to `/folder/`, `/file/` to `/file`; `/file.html` and `/folder/index.html` are shown | measurements of the public `slorber/trailing-slash-guide`, row “Netlify, default” |
//! | `404.html` at the top for what is missing, with status 404 | Netlify's documentation, “Custom 404 page handling” |
//! | `public, max-age=0, must-revalidate` where nothing else is said | Netlify's documentation on caching |
//! | methods, conditions, parts | taken from other servers: nothing is written about them |

use portalgen_portal::HostingPlatform;

use super::{
    HostFiles,
    http::{Request, Response},
    path,
    plain::BEHAVIOUR,
    redirects::{Reason, Redirect, Redirects, has_query, other_form, parsed_target},
    rules, serve, shared,
    site::{HostConfig, Site},
};
use crate::{headers::IMMUTABLE, manifest::Manifest, output::RESERVED_FOLDER, static_server::NOT_FOUND};

/// Where Netlify's documentation begins to advise against single rules; it names no limit.
const RULES: usize = 10_000;
/// What Netlify says of everything that it is told nothing about.
pub(super) const REVALIDATED: &str = "public, max-age=0, must-revalidate";

/// The redirects that Netlify makes.
pub(super) fn redirects(manifest: &Manifest) -> Redirects<'_> {
    Redirects::of(manifest, objection).at_most(RULES)
}

fn objection(redirect: &Redirect) -> Option<Reason> {
    if has_query(&redirect.to) {
        Some(Reason::Query)
    } else if redirect.route.url.split('/').any(|name| name.starts_with(':') || name.contains('*')) {
        Some(Reason::Syntax)
    } else {
        None
    }
}

/// What Netlify cannot do.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    HostFiles { warnings: redirects(manifest).warning("Netlify").into_iter().collect(), ..HostFiles::default() }
}

/// The line of `_redirects` for a redirect.
pub(super) fn line(redirect: &Redirect) -> String {
    format!("{} {} {}!", redirect.route.url, parsed_target(&redirect.to), status(redirect))
}

/// The status that Netlify can send. That a browser keeps the method of a request is not to be had; it matters for forms only.
fn status(redirect: &Redirect) -> u16 {
    match redirect.status {
        307 => 302,
        308 => 301,
        other => other,
    }
}

/// Rules that come last: portalgen's own notes are nobody's business, and Netlify looks for the document for what is missing
/// only where what it serves begins.
pub(super) fn closing_lines(manifest: &Manifest) -> Vec<String> {
    let base = &manifest.base;
    let mut lines = vec![format!("{base}{RESERVED_FOLDER}/* {base}{NOT_FOUND} 404!")];
    if base != "/" {
        lines.push(format!("{base}* {base}{NOT_FOUND} 404"));
    }
    lines
}

/// The configuration that Netlify reads.
pub(super) fn host_config(manifest: &Manifest) -> HostConfig {
    let entry =
        |redirect: &Redirect| (bare(&redirect.route.url).to_owned(), (parsed_target(&redirect.to), status(redirect)));
    HostConfig {
        redirects: redirects(manifest).told.iter().map(entry).collect(),
        kept: shared::kept(manifest, &shared::readers(manifest, HostingPlatform::Netlify)).into_iter().collect(),
    }
}

fn bare(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// What Netlify answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    let host_config = site.host_config(HostingPlatform::Netlify, host_config);
    if let Some((to, status)) = host_config.redirects.get(bare(&request.path)) {
        return Response::redirect(*status, rules::with_query(to, request.query.as_deref()));
    }
    if !serve::is_reading(&request.method) {
        return serve::method_not_allowed();
    }
    let mut response = find(site, request).unwrap_or_else(|| missing(site, request));
    let is_kept = host_config.kept.contains(&request.path);
    response.headers.set("cache-control", if is_kept { IMMUTABLE } else { REVALIDATED });
    if request.path.starts_with(&site.manifest.base) { serve::with_headers(site, response) } else { response }
}

fn missing(site: &Site, request: &Request) -> Response {
    if request.path.starts_with(&site.manifest.base) {
        serve::not_found(site, request, 404, &BEHAVIOUR)
    } else {
        Response::of(404)
    }
}

fn find(site: &Site, request: &Request) -> Option<Response> {
    let path = path::decoded(&request.path)?;
    let lead =
        || Some(Response::redirect(301, rules::with_query(&other_form(&request.path)?, request.query.as_deref())));
    if site.is_base_without_slash(&path) {
        return lead();
    }
    let file = site.below_base(&path)?;
    let show = |file: &str| serve::file(site, request, file, &BEHAVIOUR);
    let is_there = |file: &str| site.file(file).is_some();
    match file.strip_suffix('/') {
        None if file.is_empty() => show("index.html"),
        None => {
            let page = format!("{file}.html");
            let folder = || lead().filter(|_| is_there(&format!("{file}/index.html")));
            show(file).or_else(|| show(&page)).or_else(folder)
        }
        Some(bare) if is_there(&format!("{bare}.html")) => lead(),
        Some(bare) => show(&format!("{bare}/index.html")),
    }
}
