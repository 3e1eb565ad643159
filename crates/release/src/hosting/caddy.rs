//! Caddy: a file to import into the block of the site that has the portal among its files, and what that site then answers.
//!
//! The file names no folder and no host, so it need not be edited. Caddy's matcher `path` does not tell upper from lower
//! case, its file server forgets the query when it adds a slash, and what it calls a file depends on the machine: so paths
//! are looked up in a `map` or matched by `path_regexp`, and slashes and types are said.

use std::fmt::Write as _;

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

const BEHAVIOUR: Behaviour = Behaviour {
    codings: &[("zstd", ".zst"), ("br", ".br"), ("gzip", ".gz")],
    cuts_compressed: true,
    trusts_dates: false,
    dates_as_plain: true,
    etag,
};

/// The file to import.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    HostFiles::note("Caddyfile", text(manifest))
}

/// What Caddy answers with that file.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if path::has_broken_escape(&request.path) {
        return Response::of(400);
    }
    let Some(path) = path::decode(&request.path) else {
        return serve::with_headers(site, serve::not_found(site, request, 404, &BEHAVIOUR));
    };
    if !path::without_dots(&path).is_some_and(|path| site.has(&path)) {
        return Response::of(404);
    }
    serve::with_headers(site, answer(site, request, &path).with("vary", "Accept-Encoding"))
}

fn answer(site: &Site, request: &Request, path: &str) -> Response {
    match site.rules.get(path) {
        Some(Rule::Gone) => serve::not_found(site, request, 410, &BEHAVIOUR),
        Some(Rule::Redirect { to, status }) => {
            Response::redirect(*status, rules::with_query(to, request.query.as_deref()))
        }
        None if !serve::is_reading(&request.method) => serve::method_not_allowed(),
        None => found(site, request, path).unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR)),
    }
}

fn found(site: &Site, request: &Request, path: &str) -> Option<Response> {
    if path::has_odd_slash(&request.path) || path::without_dots(path).as_deref() != Some(path) {
        return None;
    }
    let address = site.below_base(path)?;
    serve::found(site, request, address, site.is_flat(), &BEHAVIOUR, || serve::with_slash(request))
}

fn etag(_: &Site, _: &str, info: FileInfo) -> String {
    format!("\"{}{}\"", in_base_36(info.seconds()), in_base_36(info.size))
}

fn in_base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(u32::try_from(number % 36).unwrap_or_default(), 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

/// A text in quotes, in a place where Caddy looks for placeholders.
fn value(text: &str) -> String {
    quoted(&text.replace('{', "%7B").replace('}', "%7D"))
}

/// A regular expression for a text.
fn literal(text: &str) -> String {
    text.chars().fold(String::new(), |mut expression, c| {
        let _ = match c {
            // Braces have a meaning of their own in Caddy's files.
            '{' | '}' | '$' | '"' | '\\' => write!(expression, "\\x{:02X}", u32::from(c)),
            c if c.is_ascii_punctuation() && c != '/' => write!(expression, "[{c}]"),
            c => write!(expression, "{c}"),
        };
        expression
    })
}

fn text(manifest: &Manifest) -> String {
    let base = path::decode(&manifest.base).unwrap_or_else(|| manifest.base.clone());
    let below = |path: &str| format!("\"^{}{path}\"", literal(&base));
    let home = base.trim_end_matches('/');
    let headers =
        |indent: &str| template::lines(&manifest.headers, |(name, text)| format!("{indent}{name} {}", value(text)));
    template::fill(include_str!("Caddyfile"), |gap| match gap {
        "folder" => manifest.base.clone(),
        "within" => format!("\"^{}(/|$)\"", literal(home)),
        "headers" => headers("\t\t\t"),
        "error headers" => headers("\t\t"),
        "revalidated" => quoted(headers::REVALIDATED),
        "immutable" => quoted(headers::IMMUTABLE),
        "rules" => template::lines(Rules::of(manifest).iter(), |(path, rule)| format!("\t\t\t{}", row(path, rule))),
        "reserved" => below(&format!("{}(/|$)", literal(RESERVED_FOLDER))),
        "page" if manifest.slash == "never" => PAGE.to_owned(),
        "assets" => below("assets/"),
        "types" => template::lines(media::media_types(), |(ending, kind)| {
            format!("\t\t\t\"~(?i)[.]{ending}$\" {}", quoted(kind))
        }),
        "html" => quoted(media::HTML),
        "unknown" => quoted(media::UNKNOWN),
        "not found" => quoted(&format!("{base}{NOT_FOUND}")),
        _ => String::new(),
    })
}

/// Where an address leads that is no page: where to, the status, what stands before a query, and the hash.
fn row(path: &str, rule: &Rule) -> String {
    let (to, status, joint, hash) = match rule {
        Rule::Gone => ("-", 410, "", ""),
        Rule::Redirect { to, status } => {
            let (address, hash) = to.split_at(to.find('#').unwrap_or(to.len()));
            (address, *status, rules::query_separator(address), hash)
        }
    };
    // What stands in braces would be replaced, so such a path is written as an expression, and `$` twice behind it.
    let (path, doubled) =
        if path.contains(['{', '}']) { (format!("~^{}$", literal(path)), "$$") } else { (path.to_owned(), "$") };
    let columns = [path, to.replace('$', doubled), status.to_string(), joint.to_owned(), hash.replace('$', doubled)];
    columns.map(|column| quoted(&column)).join(" ")
}

/// A page that is a file of its own.
const PAGE: &str = "
\t\t# A page.
\t\t@page {
\t\t\tnot path_regexp \"/$\"
\t\t\tnot file
\t\t\tfile {path}.html
\t\t}
\t\trewrite @page {path}.html
";
