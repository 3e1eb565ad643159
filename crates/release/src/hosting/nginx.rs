//! nginx: a file to include in the `server` that has the portal among its files, and what that server then answers.
//!
//! The file names no folder and no host, so it need not be edited. It keeps to what nginx allows inside of a `server`: there
//! a `$` cannot be escaped (`map` and `geo`, which know a way, belong elsewhere), so in texts it is written `%24`.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use portalgen_base::media;

use super::{
    HostFiles,
    http::{Request, Response},
    path,
    rules::{self, Rule, Rules},
    serve::{self, Behaviour},
    site::{FileInfo, Site},
    template,
};
use crate::{headers, manifest::Manifest, output::RESERVED_FOLDER, static_server::NOT_FOUND};

/// Debian's nginx has no module for other codings than gzip unless one installs it.
const BEHAVIOUR: Behaviour =
    Behaviour { codings: &[("gzip", ".gz")], cuts_compressed: false, trusts_dates: true, dates_as_plain: false, etag };

/// The file to include.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    HostFiles::note("nginx.conf", text(manifest))
}

/// What nginx answers with that file.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    // What is no path, and what leads above the root.
    let Some(path) = path::decode(&request.path).and_then(|path| path::without_dots(&path)) else {
        return Response::of(400);
    };
    if !site.has(&path) {
        return Response::of(404);
    }
    serve::with_headers(site, answer(site, request, &path))
}

fn answer(site: &Site, request: &Request, path: &str) -> Response {
    match site.rules.get(path) {
        Some(Rule::Gone) => serve::not_found(site, request, 410, &BEHAVIOUR),
        Some(Rule::Redirect { to, status }) => {
            Response::redirect(*status, rules::with_query(&without_dollar(to), request.query.as_deref()))
        }
        None if !serve::is_reading(&request.method) => serve::method_not_allowed(),
        None => found(site, request, path).unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR)),
    }
}

fn found(site: &Site, request: &Request, path: &str) -> Option<Response> {
    let address = site.below_base(path).filter(|_| !path::has_odd_slash(&request.path))?;
    let to_folder = || {
        let folder = utf8_percent_encode(path, ESCAPED).to_string() + "/";
        Response::redirect(301, rules::with_query(&folder, request.query.as_deref()))
    };
    serve::found(site, request, address, site.is_flat(), &BEHAVIOUR, to_folder)
}

/// What nginx encodes when it writes the address of a folder.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

fn etag(_: &Site, _: &str, info: FileInfo) -> String {
    format!("\"{:x}-{:x}\"", info.seconds(), info.size)
}

fn without_dollar(text: &str) -> String {
    text.replace('$', "%24")
}

/// A text in quotes, in a place where nginx looks for variables.
fn value(text: &str) -> String {
    quoted(&without_dollar(text))
}

/// A text in quotes, in a place where a `$` is a `$`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn text(manifest: &Manifest) -> String {
    let base = path::decode(&manifest.base).unwrap_or_else(|| manifest.base.clone());
    let below = |path: &str| quoted(&format!("{base}{path}"));
    let headers = || {
        let header = |(name, text): (&String, &String)| format!("    add_header {name} {} always;", value(text));
        template::lines(&manifest.headers, header)
    };
    let rules = Rules::of(manifest);
    let is_outside = |(path, _): &(&str, &Rule)| !path.starts_with(&base);
    template::fill(include_str!("nginx.conf"), |gap| match gap {
        "folder" => manifest.base.clone(),
        "home" => rules.iter().filter(is_outside).map(|(path, rule)| home(path, rule, &headers())).collect(),
        "base" => below(""),
        "types" => {
            template::lines(media::media_types(), |(ending, kind)| format!("        {} {ending};", quoted(kind)))
        }
        "unknown" => media::UNKNOWN.to_owned(),
        "not found" => below(NOT_FOUND),
        "headers" => headers(),
        "methods" => METHODS.to_owned(),
        "slashes" => SLASHES.to_owned(),
        "page" if manifest.slash == "never" => " $uri.html".to_owned(),
        "assets" => below("assets/"),
        "immutable" => quoted(headers::IMMUTABLE),
        "reserved" => below(&format!("{RESERVED_FOLDER}/")),
        "rules" => {
            let inside = rules.iter().filter(|rule| !is_outside(rule));
            template::lines(inside, |(path, rule)| format!("    location = {} {{ {} }}", quoted(path), action(rule)))
        }
        _ => String::new(),
    })
}

/// The rule for the folder of the portal, which lies outside of what is below it.
fn home(path: &str, rule: &Rule, headers: &str) -> String {
    let own = "    absolute_redirect off;\n    add_header Cache-Control $portal_caching always;\n";
    format!("\nlocation = {} {{\n{own}{headers}    {}\n}}\n", quoted(path), action(rule))
}

fn action(rule: &Rule) -> String {
    match rule {
        Rule::Gone => "return 410;".to_owned(),
        Rule::Redirect { to, status } => format!("return {status} {};", target(to)),
    }
}

/// A target with the query of the request behind its own.
fn target(to: &str) -> String {
    let (address, hash) = to.split_at(to.find('#').unwrap_or(to.len()));
    let query = match rules::query_separator(address) {
        "?" => "$is_args$args",
        "&" => "$portal_more",
        _ => "$args",
    };
    format!("\"{}{query}{}\"", without_dollar(address), without_dollar(hash))
}

/// Nothing is done with a method but reading.
const METHODS: &str = "if ($request_method !~ \"^(?:GET|HEAD)$\") { set $portal_allow \"GET, HEAD\"; return 405; }";
/// What servers understand in different ways, and no browser sends, is not there.
const SLASHES: &str = "if ($request_uri ~* \"^[^?]*(?://|%2f)\") { return 404; }";
