//! Caddy: a file to import into the block of the site that has the portal among its files, and what that site then answers.
//!
//! The file names no folder and no host, so it need not be edited. Caddy's matcher `path` does not tell upper from lower
//! case, its file server forgets the query when it adds a slash, and what it calls a file depends on the machine: so paths
//! are looked up in a `map` or matched by `path_regexp`, and slashes and types are said.

use std::{fmt::Write as _, time::SystemTime};

use super::{
    HostFiles, INDEX,
    headers::{self, IMMUTABLE, REVALIDATED},
    http::{Request, Response},
    path,
    rules::{self, Rule, Rules},
    serve::{self, Habits},
    site::{FileInfo, Site},
};
use crate::{answer::NOT_FOUND, manifest::Manifest, output::RESERVED_FOLDER};

const HABITS: Habits = Habits { codings: &[("zstd", ".zst"), ("br", ".br"), ("gzip", ".gz")], etag };

/// The file to import.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    HostFiles::note("Caddyfile", Configuration::of(manifest).text())
}

/// What Caddy answers with that file.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if path::has_broken_escape(&request.path) {
        return Response::of(400);
    }
    let response = match path::decode(&request.path) {
        Some(path) => answer(site, request, &path),
        None => serve::not_found(site, request, 404, &HABITS),
    };
    serve::with_headers(site, response.with("vary", "Accept-Encoding"))
}

fn answer(site: &Site, request: &Request, path: &str) -> Response {
    match site.rules.get(path) {
        Some(Rule::Gone) => serve::not_found(site, request, 410, &HABITS),
        Some(Rule::Redirect { to, status }) => {
            Response::redirect(*status, rules::with_query(to, request.query.as_deref()))
        }
        None if site.is_base_without_slash(path) => {
            let base = &site.manifest.base;
            Response::redirect(301, rules::with_query(base, request.query.as_deref()))
        }
        None if !serve::is_reading(&request.method) => serve::method_not_allowed(),
        None => found(site, request, path).unwrap_or_else(|| serve::not_found(site, request, 404, &HABITS)),
    }
}

fn found(site: &Site, request: &Request, path: &str) -> Option<Response> {
    if path::has_odd_slash(&request.path) || path::without_dots(path).as_deref() != Some(path) {
        return None;
    }
    let file = site.below_base(path)?;
    let send = |file: &str| serve::file(site, request, file, &HABITS);
    if file.is_empty() || file.ends_with('/') {
        return send(&format!("{file}{INDEX}"));
    }
    let folder = || {
        site.file(&format!("{file}/{INDEX}"))?;
        let address = format!("{}/", request.path);
        Some(Response::redirect(301, rules::with_query(&address, request.query.as_deref())))
    };
    let page = || send(&format!("{file}.html")).filter(|_| site.is_flat());
    send(file).or_else(page).or_else(folder)
}

fn etag(_: &Site, _: &str, info: FileInfo) -> Option<String> {
    let modified = info.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    Some(format!("\"{}{}\"", in_base_36(modified), in_base_36(info.size)))
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

/// What the file is made of.
struct Configuration<'m> {
    manifest: &'m Manifest,
    rules: Rules,
    /// The folder of the portal, decoded, with a slash at both ends.
    base: String,
}

impl<'m> Configuration<'m> {
    fn of(manifest: &'m Manifest) -> Self {
        let base = path::decode(&manifest.base).unwrap_or_else(|| manifest.base.clone());
        Self { manifest, rules: Rules::of(manifest), base }
    }

    fn text(&self) -> String {
        let home = literal(self.base.trim_end_matches('/'));
        let not_found = quoted(&format!("{}{NOT_FOUND}", self.base));
        let root = format!("/srv/portal{}", self.manifest.base);
        let lines = [
            INTRODUCTION.replace("{folder}", &root),
            format!("@portal path_regexp \"^{home}(/|$)\""),
            "handle @portal {".to_owned(),
            indented(&format!("route {{\n{}}}\n", indented(&self.route()))),
            "}".to_owned(),
            String::new(),
            "handle_errors {".to_owned(),
            format!("\t@portal path_regexp \"^{home}(/|$)\""),
            indented(&self.headers("@portal ")),
            "\t@missing {".to_owned(),
            format!("\t\tpath_regexp \"^{home}(/|$)\""),
            "\t\texpression `{err.status_code} in [404, 410]`".to_owned(),
            "\t}".to_owned(),
            "\theader @missing Content-Type \"text/html; charset=utf-8\"".to_owned(),
            "\trequest_header @missing -If-*".to_owned(),
            "\trequest_header @missing -Range".to_owned(),
            format!("\trewrite @missing {not_found}"),
            "\tmethod @missing GET".to_owned(),
            "\tfile_server @missing {".to_owned(),
            "\t\tprecompressed zstd br gzip".to_owned(),
            "\t}".to_owned(),
            "}".to_owned(),
        ];
        lines.join("\n") + "\n"
    }

    /// Sets the headers of every response, and how long what is no asset may be kept.
    fn headers(&self, matcher: &str) -> String {
        let all = [("Cache-Control", REVALIDATED)].into_iter();
        let all = all.chain(self.manifest.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let lines: String = all.map(|(name, value)| format!("\t{name} {}\n", quoted(value))).collect();
        // Caddy says what a response varies by with files that it sends compressed, and not with others.
        format!("header {matcher}{{\n{lines}}}\nheader {matcher}{{\n\tVary Accept-Encoding\n\tdefer\n}}\n")
    }

    /// What is done with a request, step by step.
    fn route(&self) -> String {
        let base = literal(&self.base);
        let types: String = headers::media_types(self.manifest)
            .iter()
            .flat_map(|(media_type, endings)| endings.iter().map(move |ending| (ending, media_type)))
            .map(|(ending, media_type)| format!("\t{} {}\n", quoted(&format!(".{ending}")), quoted(media_type)))
            .collect();
        let page = if self.manifest.slash == "never" { PAGE } else { "" };
        let among_pages = if page.is_empty() { "" } else { " {path}.html" };
        format!(
            "{}{}{MOVED}{METHODS}\
             @hidden path_regexp \"^{base}[.]{}(/|$)\"\nerror @hidden 404\n{ODD}{page}\
             @folder {{\n\tnot path_regexp \"/$\"\n\tnot file {{path}}{among_pages}\n\tfile {{path}}/{INDEX}\n}}\n{FOLDER}\
             @assets path_regexp \"^{base}assets/\"\nheader @assets Cache-Control {}\n\
             map {{file.ext}} {{portal.type}} {{\n{types}\tdefault \"\"\n}}\n{FILES}",
            self.headers(""),
            self.map(),
            RESERVED_FOLDER.trim_start_matches('.'),
            quoted(IMMUTABLE),
        )
    }

    /// Where addresses lead that are no pages: where to, the status, what stands before a query, and the hash.
    fn map(&self) -> String {
        let home = self
            .base
            .strip_suffix('/')
            .filter(|home| !home.is_empty())
            .map(|home| (home.to_owned(), Rule::Redirect { to: self.manifest.base.clone(), status: 301 }));
        let rules = self.rules.iter().map(|(path, rule)| (path.to_owned(), rule.clone()));
        let rows: String =
            home.into_iter().chain(rules).map(|(path, rule)| format!("\t{}\n", row(&path, &rule))).collect();
        format!(
            "map {{path}} {{portal.to}} {{portal.status}} {{portal.joint}} {{portal.hash}} {{\n{rows}\t\
             default \"\" \"\" \"\" \"\"\n}}\n"
        )
    }
}

fn row(path: &str, rule: &Rule) -> String {
    let (to, status, joint, hash) = match rule {
        Rule::Gone => ("-", 410, "", ""),
        Rule::Redirect { to, status } => {
            let (address, hash) = to.split_at(to.find('#').unwrap_or(to.len()));
            (address, *status, rules::joint(address), hash)
        }
    };
    // What stands in braces would be replaced, so such a path is written as an expression, and `$` twice behind it.
    let (path, doubled) =
        if path.contains(['{', '}']) { (format!("~^{}$", literal(path)), "$$") } else { (path.to_owned(), "$") };
    let columns = [path, to.replace('$', doubled), status.to_string(), joint.to_owned(), hash.replace('$', doubled)];
    columns.map(|column| quoted(&column)).join(" ")
}

/// The lines one step further in.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("\t{line}\n")).collect()
}

const INTRODUCTION: &str = "\
# Made by portalgen. Import this file into the site whose root holds the portal:
#
#     www.example.com {
#         root * /srv/portal
#         import {folder}.portalgen/deploy/Caddyfile
#     }
#
# A portal with a base lies in the folder of that name below the root.
";

/// Leads on, with the query of the request behind that of the target.
const MOVED: &str = "\
@gone vars {portal.status} 410
error @gone 410
@asked {
	not vars {portal.status} \"\"
	not vars {query} \"\"
}
redir @asked \"{portal.to}{portal.joint}{query}{portal.hash}\" {portal.status}
@moved not vars {portal.status} \"\"
redir @moved \"{portal.to}{portal.hash}\" {portal.status}
";

const METHODS: &str = "\
@writing not method GET HEAD
header @writing Allow \"GET, HEAD\"
error @writing 405
";

/// What servers understand in different ways, and no browser sends.
const ODD: &str = "\
@odd vars_regexp {uri} \"(?i)^[^?]*(//|%2f|%00|/([.]|%2e){1,2}([/?]|$))\"
error @odd 404
";

/// A page that is a file of its own.
const PAGE: &str = "\
@page {
	not path_regexp \"/$\"
	not file
	file {path}.html
}
rewrite @page {path}.html
";

/// Leads from a folder to the same with a slash, as it was written.
const FOLDER: &str = "\
map {uri} {portal.folder} {portal.query} {
	\"~^([^?]*)(.*)$\" \"$1/\" \"$2\"
}
redir @folder \"{portal.folder}{portal.query}\" 301
";

/// Sends a file, whole or one part of it.
const FILES: &str = "\
@typed not vars {portal.type} \"\"
header @typed Content-Type {portal.type}
@parts {
	header Range *
	not header_regexp Range \"^bytes=[^,]*$\"
}
request_header @parts -Range
file_server {
	precompressed zstd br gzip
	index index.html
	disable_canonical_uris
}
";
