//! Cloudflare: Workers with static assets, and Pages, which read the same files.
//!
//! The model is that of Workers as its local runtime has it, with `html_handling = "auto-trailing-slash"` and
//! `not_found_handling = "404-page"`, which the generated `wrangler.jsonc` asks for. Pages differs in this: it leads to the
//! address that a page has with status 308 in place of 307, and says `no-store` with every 404.

use percent_encoding::percent_decode_str;
use serde_json::json;

use portalgen_base::{diagnostic::Diagnostic, media, rules::Rule, text::text};
use portalgen_portal::HostingPlatform;

use super::{
    HostFiles,
    http::{Body, Request, Response},
    path::component,
    redirects::{Reason, Redirect, Redirects, has_query, other_form, pages_without_ending, parsed_target},
    rules, serve,
    shared::{self, HEADER_LENGTH, HEADER_RULES},
    site::{HostConfig, Site},
};
use crate::{
    headers::IMMUTABLE,
    manifest::{Manifest, ManifestRoute},
    output::RESERVED_FOLDER,
    static_server::{NOT_FOUND, as_sent},
};

const NAME: &str = "Cloudflare";
/// How many rules without patterns `_redirects` may have. This and the length are in Cloudflare's “Redirects”; the 100
/// rules with patterns beside them are not needed here.
const REDIRECT_RULES: usize = 2_000;
/// How many characters a line of `_redirects` may have.
const REDIRECT_LENGTH: usize = 1_000;
/// What Cloudflare says of everything that it is told nothing about.
const REVALIDATED: &str = "public, max-age=0, must-revalidate";
/// A date after which Cloudflare's runtime changed nothing that matters here.
const COMPATIBILITY_DATE: &str = "2025-04-01";
/// Files that Cloudflare reads and does not serve.
const SETTINGS: [&str; 3] = ["_headers", "_redirects", ".assetsignore"];

/// A rule of `_redirects`.
pub(super) struct RedirectRule<'m> {
    /// The route that redirects.
    pub(super) route: &'m ManifestRoute,
    /// One form of its address.
    pub(super) from: String,
    /// The target as Cloudflare will say it.
    pub(super) to: String,
    pub(super) status: u16,
}

/// What Cloudflare reads, besides `_redirects` and `_headers`.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    let mut files = HostFiles::default();
    let directory = if manifest.base == "/" {
        // What Wrangler shall not upload.
        files.published.insert(".assetsignore".to_owned(), format!("{RESERVED_FOLDER}\n"));
        "dist"
    } else {
        // Where the documentation puts the portal together with what belongs above it.
        "deploy"
    };
    files.deployment.insert("cloudflare.wrangler.jsonc".to_owned(), settings(directory));
    files.warnings.extend(redirects(manifest).warning(NAME));
    files.warnings.extend(pages_without_ending(manifest, NAME));
    files.warnings.extend(long_headers(manifest));
    files.warnings.extend(assets_without_rule(manifest));
    files
}

fn settings(directory: &str) -> String {
    let settings = json!({
        "name": "portal",
        "compatibility_date": COMPATIBILITY_DATE,
        "assets": {
            "directory": directory,
            "html_handling": "auto-trailing-slash",
            "not_found_handling": "404-page",
        },
    });
    format!(
        "// Copy this once to `wrangler.jsonc`, beside `routes.toml`, and give it the name that you like.\n{settings:#}\n"
    )
}

/// The redirects that Cloudflare makes. It finds each under the form of its address that has a rule, and leads from the other
/// form to that of the small page, so one rule for each is enough, and there is room for so many.
pub(super) fn redirects(manifest: &Manifest) -> Redirects<'_> {
    Redirects::of(manifest, objection).at_most(REDIRECT_RULES / lines_for_each(manifest))
}

/// Where Netlify reads the same file, its line counts as well.
fn lines_for_each(manifest: &Manifest) -> usize {
    shared::readers(manifest, HostingPlatform::Cloudflare).len()
}

fn objection(redirect: &Redirect) -> Option<Reason> {
    let from = &redirect.route.url;
    let line = format!("{from}/ {} {}", parsed_target(&redirect.to), redirect.status);
    if has_query(&redirect.to) {
        Some(Reason::Query)
    } else if is_pattern(from) || is_taken_for_a_loop(&redirect.to) {
        Some(Reason::Syntax)
    } else if line.len() > REDIRECT_LENGTH {
        Some(Reason::Length(REDIRECT_LENGTH))
    } else {
        None
    }
}

/// Whether an address would stand for others as well: for those that have something else in place of a `*`, or of a `:` and
/// the word behind it.
fn is_pattern(from: &str) -> bool {
    from.contains('*') || from.split(':').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Cloudflare refuses a rule that leads from a folder to a file that it would not show under that address.
fn is_taken_for_a_loop(to: &str) -> bool {
    to.starts_with('/') && (to.ends_with("/index") || to.ends_with("/index.html"))
}

/// The rules in their order: first one for each redirect, then those for the other forms of the addresses, as many as fit.
pub(super) fn rules(manifest: &Manifest) -> Vec<RedirectRule<'_>> {
    let told = redirects(manifest).told;
    let first = told.iter().map(|redirect| RedirectRule::at(redirect.route.url.clone(), redirect));
    let others = told.iter().filter_map(|redirect| Some(RedirectRule::at(other_form(&redirect.route.url)?, redirect)));
    let room = REDIRECT_RULES - told.len() * lines_for_each(manifest);
    first.chain(others.take(room)).collect()
}

impl<'m> RedirectRule<'m> {
    fn at(from: String, redirect: &Redirect<'m>) -> Self {
        Self { route: redirect.route, from, to: parsed_target(&redirect.to), status: redirect.status }
    }
}

fn long_headers(manifest: &Manifest) -> Option<Diagnostic> {
    let is_long = |name: &str, value: &str| name.len() + value.len() + "  : ".len() > HEADER_LENGTH;
    let (name, _) = manifest.headers.iter().find(|(name, value)| is_long(name, value))?;
    let message = text!(
        "`{name}` is longer than Cloudflare's limit of {HEADER_LENGTH} characters, so it is not sent there",
        "`{name}` 超过 Cloudflare 的 {HEADER_LENGTH} 个字符上限，在那里不会发送"
    );
    Some(Diagnostic::of(Rule::HostLimit, message))
}

fn assets_without_rule(manifest: &Manifest) -> Option<Diagnostic> {
    let readers = shared::readers(manifest, HostingPlatform::Cloudflare);
    let (all, kept) = (shared::addresses(manifest, &readers).count(), shared::kept(manifest, &readers).len());
    let message = text!(
        "Cloudflare accepts {HEADER_RULES} header rules, so browsers cache {kept} of {all} assets and revalidate the \
        others each time",
        "Cloudflare 最多接受 {HEADER_RULES} 条响应头规则，所以 {all} 个资源中只有 {kept} 个会长期缓存，其余的浏览器每\
        次都会重新验证"
    );
    let hint = text!(
        "this is slower but works; to hide this warning, write `host-limit = \"off\"` under `[check]`",
        "这样会慢一些，但不影响使用；不想再看到这条警告，可以在 `[check]` 下写 `host-limit = \"off\"`"
    );
    (kept < all).then(|| Diagnostic::of(Rule::HostLimit, message).with_hint(hint))
}

/// What Cloudflare is told by `_redirects` and `_headers`.
fn host_config(manifest: &Manifest) -> HostConfig {
    let redirects = rules(manifest).into_iter().map(|rule| (rule.from, (rule.to, rule.status))).collect();
    let readers = shared::readers(manifest, HostingPlatform::Cloudflare);
    HostConfig { redirects, kept: shared::kept(manifest, &readers).into_iter().collect() }
}

/// What Cloudflare answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    let path = as_sent(&request.path);
    let host_config = site.host_config(HostingPlatform::Cloudflare, host_config);
    let mut response = match host_config.redirects.get(&path) {
        Some((to, status)) => Response::redirect(*status, rules::with_query(to, request.query.as_deref())),
        None => find(site, request, &path),
    };
    if path.starts_with(&site.manifest.base) {
        for (name, value) in &site.manifest.headers {
            response.headers.set(name, value.as_str());
        }
    }
    if host_config.kept.contains(&path) {
        response.headers.set("cache-control", IMMUTABLE);
    }
    response
}

/// What is to be done about a path that no rule is for.
enum Intent {
    Show { file: String, status: u16 },
    Lead { to: String },
}

fn find(site: &Site, request: &Request, path: &str) -> Response {
    let decoded = decoded(path);
    let Some(intent) = intent(site, &decoded, true).or_else(|| missing(site, &decoded)) else {
        return Response::of(404);
    };
    if !serve::is_reading(&request.method) {
        return Response::of(405);
    }
    let lead = |to: &str| {
        let names: Vec<String> = to.split('/').map(component).collect();
        Response::redirect(307, rules::with_query(&names.join("/"), request.query.as_deref()))
    };
    match intent {
        Intent::Lead { to } => lead(&to),
        // Whatever is there has one spelling, what is not there, too.
        Intent::Show { .. } if decoded.split('/').map(component).collect::<Vec<_>>().join("/") != path => {
            lead(&decoded)
        }
        Intent::Show { file, status } => show(site, request, &file, status),
    }
}

/// A path whose names are decoded, as far as they can be, and that has no empty ones.
fn decoded(path: &str) -> String {
    let decode = |name: &str| percent_decode_str(name).decode_utf8().map_or_else(|_| name.to_owned(), Into::into);
    let mut joined = path.split('/').map(decode).collect::<Vec<String>>().join("/");
    while joined.contains("//") {
        joined = joined.replace("//", "/");
    }
    joined
}

/// The output path of the file with an address, if it is there.
fn file_at(site: &Site, path: &str) -> Option<String> {
    let file = site.below_base(path)?;
    let is_setting = site.manifest.base == "/" && SETTINGS.contains(&file);
    (!is_setting && site.file(file).is_some()).then(|| file.to_owned())
}

fn intent(site: &Site, path: &str, may_lead: bool) -> Option<Intent> {
    let at = |path: &str| file_at(site, path);
    let show = |path: &str| at(path).map(|file| Intent::Show { file, status: 200 });
    // A file is shown under one address only: others lead to it, provided that it is what will be found there.
    let lead = |file: &str, to: &str| {
        let file = at(file).filter(|_| may_lead && at(to).is_none())?;
        let is_found = matches!(intent(site, to, false), Some(Intent::Show { file: found, .. }) if found == file);
        is_found.then(|| Intent::Lead { to: to.to_owned() })
    };
    let by_ending = if let Some(folder) = path.strip_suffix("/index") {
        show(path)
            .or_else(|| lead(&format!("{path}.html"), &format!("{folder}/")))
            .or_else(|| lead(&format!("{folder}.html"), folder))
    } else if let Some(folder) = path.strip_suffix("/index.html") {
        lead(path, &format!("{folder}/")).or_else(|| lead(&format!("{folder}.html"), folder))
    } else if let Some(bare) = path.strip_suffix('/') {
        show(&format!("{path}index.html")).or_else(|| lead(&format!("{bare}.html"), bare))
    } else if let Some(bare) = path.strip_suffix(".html") {
        lead(path, bare).or_else(|| lead(&format!("{bare}/index.html"), &format!("{bare}/")))
    } else {
        None
    };
    by_ending
        .or_else(|| show(path))
        .or_else(|| show(&format!("{path}.html")))
        .or_else(|| lead(&format!("{path}/index.html"), &format!("{path}/")))
}

/// The next document for what is missing: in the folder that was asked in, or in one above it.
fn missing(site: &Site, path: &str) -> Option<Intent> {
    let mut folder = path;
    while let Some((above, _)) = folder.rsplit_once('/') {
        folder = above;
        if let Some(file) = file_at(site, &format!("{folder}/{NOT_FOUND}")) {
            return Some(Intent::Show { file, status: 404 });
        }
    }
    None
}

/// A file, or word that the browser has it already. Parts of files are not sent.
fn show(site: &Site, request: &Request, file: &str, status: u16) -> Response {
    let mut response = Response::of(status);
    if let Some(media_type) = media_type(file) {
        response.headers.set("content-type", media_type);
    }
    // An answer to such a request is not to be shown to others.
    if request.headers.get("authorization").is_none() && request.headers.get("range").is_none() {
        response.headers.set("cache-control", REVALIDATED);
    }
    let Some(etag) = site.hash(file).map(|hash| format!("\"{hash}\"")) else { return response };
    let is_known = request.headers.get("if-none-match").is_some_and(|known| known.trim_start_matches("W/") == etag);
    response.headers.set("etag", etag);
    if is_known {
        return Response { status: 304, ..response };
    }
    let length = site.file(file).map_or(0, |info| info.size);
    Response { body: Body::File { path: file.to_owned(), range: 0..length }, ..response }
}

/// What Cloudflare calls a file. It is silent about those whose ending it does not know.
fn media_type(file: &str) -> Option<&'static str> {
    match media::media_type(file) {
        "image/x-icon" => Some("image/vnd.microsoft.icon"),
        "text/csv" => Some("text/csv; charset=utf-8"),
        "application/octet-stream" => None,
        known => Some(known),
    }
}
