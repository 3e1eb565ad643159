//! nginx: a file to include in the `server` that has the portal among its files, and what that server then answers.
//!
//! The file names no folder and no host, so it need not be edited. It keeps to what nginx allows inside of a `server`: there
//! a `$` cannot be escaped (`map` and `geo`, which know a way, belong elsewhere), so in texts it is written `%24`.

use std::{fmt::Write as _, time::SystemTime};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

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

/// Debian's nginx has no module for other codings than gzip unless one installs it.
const HABITS: Habits = Habits { codings: &[("gzip", ".gz")], etag };

/// The file to include.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    HostFiles::note("nginx.conf", Configuration::of(manifest).text())
}

/// What nginx answers with that file.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if path::is_malformed(&request.path) {
        return Response::of(400);
    }
    let Some(path) = path::decode(&request.path) else { return serve::not_found(site, request, 404, &HABITS) };
    match path::without_dots(&path) {
        Some(path) => serve::with_headers(site, answer(site, request, &path)),
        None => Response::of(400),
    }
}

fn answer(site: &Site, request: &Request, path: &str) -> Response {
    match site.rules.get(path) {
        Some(Rule::Gone) => serve::not_found(site, request, 410, &HABITS),
        Some(Rule::Redirect { to, status }) => {
            Response::redirect(*status, rules::with_query(&without_dollar(to), request.query.as_deref()))
        }
        None if !serve::is_reading(&request.method) => serve::method_not_allowed(),
        None => found(site, request, path).unwrap_or_else(|| serve::not_found(site, request, 404, &HABITS)),
    }
}

fn found(site: &Site, request: &Request, path: &str) -> Option<Response> {
    let file = site.below_base(path).filter(|_| !path::has_odd_slash(&request.path))?;
    let send = |file: &str| serve::file(site, request, file, &HABITS);
    if file.is_empty() || file.ends_with('/') {
        return send(&format!("{file}{INDEX}"));
    }
    let folder = || {
        site.file(&format!("{file}/{INDEX}"))?;
        let address = utf8_percent_encode(path, ESCAPED).to_string() + "/";
        Some(Response::redirect(301, rules::with_query(&address, request.query.as_deref())))
    };
    let page = || send(&format!("{file}.html")).filter(|_| site.is_flat());
    send(file).or_else(page).or_else(folder)
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

fn etag(_: &Site, _: &str, info: FileInfo) -> Option<String> {
    let modified = info.modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    Some(format!("\"{modified:x}-{:x}\"", info.size))
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
        let base = &self.base;
        let mut out = INTRODUCTION.to_owned();
        if let Some(folder) = base.strip_suffix('/').filter(|folder| !folder.is_empty()) {
            let _ = write!(
                out,
                "\nlocation = {} {{\n{}    return 301 {}$is_args$args;\n}}\n",
                quoted(folder),
                self.headers(REVALIDATED, "    "),
                value(&self.manifest.base)
            );
        }
        let _ = write!(out, "\nlocation {} {{\n", quoted(base));
        out.push_str(&self.settings());
        out.push_str(&self.files());
        out.push_str(&self.redirects());
        out.push_str("}\n");
        out
    }

    /// What holds for everything below the base.
    fn settings(&self) -> String {
        let not_found = value(&format!("{}{NOT_FOUND}", self.manifest.base));
        let types: String =
            headers::media_types(self.manifest).iter().fold(String::new(), |types, (media_type, endings)| {
                types
                    + &format!(
                        "        {} {};\n",
                        quoted(media_type),
                        endings.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
                    )
            });
        format!(
            "    types {{\n{types}    }}\n    default_type application/octet-stream;\n    error_page 404 410 {not_found};\n    \
             gzip off;\n    gzip_static on;\n    gzip_vary on;\n    gzip_proxied any;\n    etag on;\n    \
             if_modified_since before;\n    max_ranges 1;\n\n{}",
            self.headers(REVALIDATED, "    ")
        )
    }

    /// A response has the headers of the innermost location that sets any.
    fn headers(&self, caching: &str, indent: &str) -> String {
        let all = [("Cache-Control", caching)].into_iter();
        let all = all.chain(self.manifest.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let line = |(name, text): (&str, &str)| format!("{indent}add_header {name} {} always;\n", value(text));
        all.map(line).collect::<String>() + indent + "add_header Allow $portal_allow always;\n"
    }

    /// Which file is sent.
    fn files(&self) -> String {
        let base = &self.base;
        let page = if self.manifest.slash == "never" { " $uri.html" } else { "" };
        let guard = |indent: &str| format!("{METHODS}\n{indent}{SLASHES}");
        let mut out = format!("\n    {}\n    try_files ${{uri}}{INDEX} =404;\n", guard("    "));
        let _ = write!(
            out,
            "\n    location ~ \"[^/]$\" {{\n        {}\n        \
             # nginx leads to folders by itself where nothing else is tried.\n        \
             if (-f $request_filename/{INDEX}) {{ break; }}\n        try_files $uri{page} =404;\n    }}\n",
            guard("        "),
        );
        let _ = write!(
            out,
            "\n    location ^~ {} {{\n{}        {}\n        try_files $uri =404;\n    }}\n",
            quoted(&format!("{base}assets/")),
            self.headers(IMMUTABLE, "        "),
            guard("        "),
        );
        let _ = write!(out, "\n    location = {} {{ {METHODS} }}\n", quoted(&format!("{base}{NOT_FOUND}")));
        let _ = writeln!(out, "    location ^~ {} {{ return 404; }}", quoted(&format!("{base}{RESERVED_FOLDER}/")));
        out
    }

    fn redirects(&self) -> String {
        let line = |(path, rule): (&str, &Rule)| {
            let action = match rule {
                Rule::Gone => "410".to_owned(),
                Rule::Redirect { to, status } => format!("{status} {}", target(to)),
            };
            format!("    location = {} {{ return {action}; }}\n", quoted(path))
        };
        self.rules.iter().map(line).collect()
    }
}

/// A target with the query of the request behind its own.
fn target(to: &str) -> String {
    let (address, hash) = to.split_at(to.find('#').unwrap_or(to.len()));
    let query = match rules::joint(address) {
        "?" => "$is_args$args",
        "&" => "$portal_more",
        _ => "$args",
    };
    format!("\"{}{query}{}\"", without_dollar(address), without_dollar(hash))
}

const INTRODUCTION: &str = "\
# Made by portalgen. Include this file in the server whose root holds the portal:
#
#     server {
#         listen 80;
#         root /srv/portal;
#         include /srv/portal/.portalgen/deploy/nginx.conf;
#     }
#
# A portal with a base lies in the folder of that name below the root.

absolute_redirect off;
merge_slashes off;
set $portal_allow \"\";
set $portal_more \"\";
if ($is_args) { set $portal_more \"&$args\"; }
";

/// What is refused, whatever file there may be.
const METHODS: &str = "if ($request_method !~ \"^(?:GET|HEAD)$\") { set $portal_allow \"GET, HEAD\"; return 405; }";
/// What servers understand in different ways, and no browser sends.
const SLASHES: &str = "if ($request_uri ~* \"^[^?]*(?://|%2f)\") { return 404; }";
