//! Amazon S3 behind CloudFront. S3 keeps the files and knows neither pages nor redirects; a function that CloudFront runs for
//! each request does all that.
//!
//! No program of Amazon's is to be had. The function itself is run by the tests, for the same requests as the model; the
//! rest follows what is written:
//!
//! | What | From where |
//! | --- | --- |
//! | a function has at most 10 KB | Amazon's “Quotas on CloudFront Functions” |
//! | `rawQueryString()`: the query as it was sent, or nothing | Amazon's “General helper methods” |
//! | S3 answers 403 to what is missing unless it may be listed, and CloudFront shows `404.html` with status 404 for both | Amazon's “Custom error responses” |
//! | a `+` in a path is a space to S3 | Amazon's “Object key naming guidelines” |
//! | 403 to methods that a distribution does not let through | Amazon's “Allowed HTTP methods” |
//! | conditions and parts | Amazon's reference of `GetObject` |

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

use portalgen_base::media;
use portalgen_portal::{HostingPlatform, INDEX, check_escapes};

use super::{
    HostFiles,
    http::{Body, Request, Response},
    plain::BEHAVIOUR,
    redirects::{Reason, Redirects},
    rules, serve,
    site::{HostConfig, Site},
};
use crate::{
    headers::{self, IMMUTABLE},
    manifest::Manifest,
    output::RESERVED_FOLDER,
    static_server::NOT_FOUND,
};

/// How many bytes the code of a function may have.
const FUNCTION_SIZE: usize = 10_240;
/// The function, with a place for what it has to know.
const FUNCTION: &str = include_str!("s3_cloudfront.js");
const PORTAL: &str = "__PORTAL__";

/// What CloudFront and S3 are set up with.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    let redirects = redirects(manifest);
    let deployment = [
        ("s3-cloudfront.function.js", function(manifest, &redirects)),
        ("s3-cloudfront.headers.json", format!("{:#}\n", headers_policy(manifest))),
        ("s3-cloudfront.errors.json", format!("{:#}\n", error_responses(manifest))),
        ("s3-cloudfront.upload.sh", upload(manifest)),
    ];
    HostFiles {
        deployment: deployment.into_iter().map(|(name, text)| (name.to_owned(), text)).collect(),
        warnings: redirects.warning("CloudFront").into_iter().collect(),
        ..HostFiles::default()
    }
}

/// The redirects that the function has room for.
fn redirects(manifest: &Manifest) -> Redirects<'_> {
    let redirects = Redirects::of(manifest, |_| None::<Reason>);
    let mut room = FUNCTION_SIZE.saturating_sub(function(manifest, &Redirects::default()).len());
    let fits = |size: usize| {
        room = room.checked_sub(size)?;
        Some(())
    };
    // Each has quotes, a colon and a comma around it, and the first of a status the status and braces.
    let size = |name: &str, to: &str| json!(name).to_string().len() + json!(to).to_string().len() + 2;
    let statuses: BTreeSet<u16> = redirects.told.iter().map(|redirect| redirect.status).collect();
    let sizes = [statuses.len() * "\"301\":{},".len()].into_iter();
    let sizes = sizes.chain(redirects.told.iter().map(|redirect| size(name_of(&redirect.route.path), &redirect.to)));
    let count = sizes.map_while(fits).count().saturating_sub(1);
    redirects.at_most(count)
}

fn name_of(path: &str) -> &str {
    path.strip_prefix('/').unwrap_or(path)
}

/// The code of the function.
fn function(manifest: &Manifest, redirects: &Redirects) -> String {
    let mut by_status: BTreeMap<String, BTreeMap<&str, &str>> = BTreeMap::new();
    for redirect in &redirects.told {
        by_status.entry(redirect.status.to_string()).or_default().insert(name_of(&redirect.route.path), &redirect.to);
    }
    let known = Known::of(manifest);
    let portal = json!({
        "base": known.base,
        "home": manifest.base,
        "flat": known.is_flat,
        "odd": known.odd,
        "folders": known.folders,
        "retired": known.retired,
        "redirects": by_status,
    });
    FUNCTION.replace(PORTAL, &portal.to_string())
}

/// What the function knows of a portal besides its redirects.
struct Known {
    /// Decoded, with a slash at both ends.
    base: String,
    is_flat: bool,
    /// Pages with a dot in the last name of their address, and files without one.
    odd: BTreeSet<String>,
    /// Folders that are shown by their `index.html` where pages are files.
    folders: BTreeSet<String>,
    /// Addresses that were given up.
    retired: BTreeSet<String>,
}

impl Known {
    fn of(manifest: &Manifest) -> Self {
        let is_flat = manifest.slash == "never";
        let has_dot = |name: &str| name.rsplit('/').next().unwrap_or_default().contains('.');
        let pages = manifest.routes.iter().filter_map(|route| Some((name_of(&route.path), route.file.as_deref()?)));
        // The file of a page may be what its address says already.
        let odd_pages = pages.filter(|(name, file)| has_dot(name) && name != file).map(|(name, _)| name);
        let files = manifest.files.keys().map(String::as_str);
        let odd_files = files.clone().filter(|file| !has_dot(file));
        let folders = files.filter_map(|file| file.strip_suffix(INDEX)?.strip_suffix('/'));
        let folders = folders.filter(|folder| is_flat && !manifest.files.contains_key(&format!("{folder}.html")));
        let retired = manifest.routes.iter().filter(|route| route.file.is_none() && route.redirect.is_none());
        Self {
            base: percent_decode_str(&manifest.base).decode_utf8_lossy().into_owned(),
            is_flat,
            odd: odd_pages.chain(odd_files).map(ToOwned::to_owned).collect(),
            folders: folders.map(ToOwned::to_owned).collect(),
            retired: retired.map(|route| name_of(&route.path).to_owned()).collect(),
        }
    }
}

/// A response headers policy for `aws cloudfront create-response-headers-policy`. CloudFront has a place of its own for each
/// header about security, and takes the others as they are.
fn headers_policy(manifest: &Manifest) -> Value {
    let mut security = Map::new();
    let mut custom = Vec::new();
    for (name, value) in &manifest.headers {
        match security_header(name, value) {
            Some((key, mut setting)) => {
                setting["Override"] = json!(true);
                security.insert(key.to_owned(), setting);
            }
            None => custom.push(json!({ "Header": name, "Value": value, "Override": true })),
        }
    }
    let mut policy = json!({ "Name": "portal", "SecurityHeadersConfig": security });
    if !custom.is_empty() {
        policy["CustomHeadersConfig"] = json!({ "Quantity": custom.len(), "Items": custom });
    }
    policy
}

fn security_header(name: &str, value: &str) -> Option<(&'static str, Value)> {
    Some(match &*name.to_ascii_lowercase() {
        "content-security-policy" => ("ContentSecurityPolicy", json!({ "ContentSecurityPolicy": value })),
        "x-content-type-options" if value == "nosniff" => ("ContentTypeOptions", json!({})),
        "x-frame-options" => ("FrameOptions", json!({ "FrameOption": value })),
        "referrer-policy" => ("ReferrerPolicy", json!({ "ReferrerPolicy": value })),
        "strict-transport-security" => ("StrictTransportSecurity", strict_transport_security(value)),
        _ => return None,
    })
}

fn strict_transport_security(value: &str) -> Value {
    let directives: Vec<String> = value.split(';').map(|directive| directive.trim().to_ascii_lowercase()).collect();
    let has = |name: &str| directives.iter().any(|directive| directive == name);
    let age =
        directives.iter().find_map(|directive| directive.strip_prefix("max-age=")?.trim_matches('"').parse().ok());
    json!({
        "AccessControlMaxAgeSec": age.unwrap_or(0_u32),
        "IncludeSubdomains": has("includesubdomains"),
        "Preload": has("preload"),
    })
}

/// The part of a distribution's configuration that shows `404.html` for what S3 does not have.
fn error_responses(manifest: &Manifest) -> Value {
    let page = format!("{}{NOT_FOUND}", manifest.base);
    let item = |code: u16| json!({ "ErrorCode": code, "ResponsePagePath": page, "ResponseCode": "404", "ErrorCachingMinTTL": 0 });
    json!({ "Quantity": 2, "Items": [item(403), item(404)] })
}

/// The commands that upload a portal, in the order in which no page refers to what is not there yet.
fn upload(manifest: &Manifest) -> String {
    let folder = percent_decode_str(&manifest.base).decode_utf8_lossy().into_owned();
    let mut script = String::from(UPLOAD_HEAD);
    let _ = writeln!(script, "TARGET=\"s3://$BUCKET\"{}\n", quoted(folder.trim_end_matches('/')));
    for (title, group) in [
        ("Assets: named by their content, so what is there is right.", Group::Assets),
        ("Everything else that is no page.", Group::Data),
        ("Pages.", Group::Pages),
    ] {
        let _ = writeln!(script, "# {title}");
        for (media_type, endings) in endings(manifest, group) {
            script.push_str(&command(group, media_type, &endings));
        }
        script.push('\n');
    }
    let _ = writeln!(
        script,
        "# What is no longer part of the portal.\naws s3 sync dist \"$TARGET\" --delete --size-only --exclude '{RESERVED_FOLDER}/*'\n"
    );
    let _ = writeln!(
        script,
        "# What CloudFront keeps of it.\naws cloudfront create-invalidation --distribution-id \"$DISTRIBUTION\" --paths {}",
        quoted(&format!("{}*", manifest.base))
    );
    script
}

const UPLOAD_HEAD: &str = "#!/bin/sh
# Written by portalgen, anew with each build. Run it in the folder that holds `dist`:
#   BUCKET=my-bucket DISTRIBUTION=E123 sh dist/.portalgen/deploy/s3-cloudfront.upload.sh
set -eu
";

/// What is uploaded at once.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Assets,
    Data,
    Pages,
}

impl Group {
    fn of(file: &str) -> Self {
        if headers::caching(file) == IMMUTABLE {
            Self::Assets
        } else if file.ends_with(".html") {
            Self::Pages
        } else {
            Self::Data
        }
    }
}

/// The endings of the names in a group, by what such files are. A name without one stands for itself.
fn endings(manifest: &Manifest, group: Group) -> BTreeMap<&'static str, BTreeSet<&str>> {
    let mut endings: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in manifest.files.keys().filter(|file| Group::of(file) == group) {
        let name = file.rsplit('/').next().unwrap_or(file);
        let path = file.strip_prefix("assets/").filter(|_| group == Group::Assets).unwrap_or(file);
        let ending = name.rfind('.').filter(|at| *at > 0).map_or(path, |at| &name[at..]);
        endings.entry(media::media_type(file)).or_default().insert(ending);
    }
    endings
}

/// The command that uploads the files of a group that have one type. The tool guesses types from the machine it runs on, so
/// each is named.
fn command(group: Group, media_type: &str, endings: &BTreeSet<&str>) -> String {
    // What is there of an asset is right. Everything else is sent whatever is there: an older portal may have files that are
    // as long and newer.
    let (start, last) = match group {
        Group::Assets => ("aws s3 sync dist/assets \"$TARGET/assets\" --size-only", ""),
        // Of filters the last one counts.
        Group::Data | Group::Pages => ("aws s3 cp dist \"$TARGET\" --recursive", " --exclude 'assets/*'"),
    };
    let included: String = endings.iter().fold(String::new(), |mut filters, ending| {
        let pattern = if ending.starts_with('.') { format!("*{ending}") } else { (*ending).to_owned() };
        let _ = write!(filters, " --include {}", quoted(&pattern));
        filters
    });
    let caching = if group == Group::Assets { IMMUTABLE } else { headers::REVALIDATED };
    format!(
        "{start} --exclude '*'{included}{last} --exclude '{RESERVED_FOLDER}/*' --content-type {} \
         --cache-control '{caching}'\n",
        quoted(media_type)
    )
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn host_config(manifest: &Manifest) -> HostConfig {
    let redirects = redirects(manifest).told.into_iter();
    let by_name = redirects.map(|redirect| (name_of(&redirect.route.path).to_owned(), (redirect.to, redirect.status)));
    HostConfig { redirects: by_name.collect(), ..HostConfig::default() }
}

/// What CloudFront answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if !serve::is_reading(&request.method) {
        return Response::of(403);
    }
    match run(site, request) {
        Outcome::Answer(response) => serve::with_headers(site, response),
        Outcome::Fetch(path) => {
            let found = path.and_then(|path| serve::file(site, request, site.below_base(&path)?, &BEHAVIOUR));
            serve::with_headers(site, found.unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR)))
        }
    }
}

/// What comes of the function: an answer, or the decoded path that S3 is asked for.
enum Outcome {
    Answer(Response),
    Fetch(Option<String>),
}

/// The same as the function does, in the same order.
fn run(site: &Site, request: &Request) -> Outcome {
    let raw = &request.path;
    let query = request.query.as_deref();
    let lead = |status, to: &str| {
        Outcome::Answer(Response::redirect(status, carried(to, query)).with("cache-control", headers::REVALIDATED))
    };
    let Some(path) = decoded(raw).filter(|_| !raw.contains("//") && !raw.contains('\\')) else {
        return Outcome::Fetch(None);
    };
    if site.is_base_without_slash(&path) {
        return lead(301, &format!("{raw}/"));
    }
    let Some(name) = site.below_base(&path) else { return Outcome::Fetch(Some(path)) };
    let is_folder = name.is_empty() || name.ends_with('/');
    let bare = name.strip_suffix('/').unwrap_or(name);
    let host_config = site.host_config(HostingPlatform::S3Cloudfront, host_config);
    if let Some((to, status)) = host_config.redirects.get(bare) {
        return lead(*status, to);
    }
    let known = Known::of(&site.manifest);
    if known.retired.contains(bare) {
        let home = &site.manifest.base;
        let body = Body::Text(format!(
            "<!doctype html><meta charset=\"utf-8\"><title>410</title><h1>410</h1><a href=\"{home}\">{home}</a>"
        ));
        let response = Response::of(410).with("content-type", "text/html; charset=utf-8");
        return Outcome::Answer(Response { body, ..response.with("cache-control", headers::REVALIDATED) });
    }
    let has_index = !known.is_flat || name.is_empty() || known.folders.contains(bare);
    let has_dot = name.rsplit('/').next().unwrap_or_default().contains('.');
    let is_page = has_dot == known.odd.contains(bare);
    match (is_folder, is_page) {
        (true, _) if has_index => Outcome::Fetch(Some(format!("{path}{INDEX}"))),
        (true, _) => lead(301, raw.strip_suffix('/').unwrap_or(raw)),
        (false, true) if has_index => lead(301, &format!("{raw}/")),
        (false, true) => Outcome::Fetch(Some(format!("{path}.html"))),
        (false, false) => Outcome::Fetch(Some(path)),
    }
}

/// A target with the query of a request, by the rule that browsers follow on the small pages: the target's own values win,
/// and everything else is appended as it came.
fn carried(to: &str, query: Option<&str>) -> String {
    let (address, _) = to.split_at(to.find('#').unwrap_or(to.len()));
    let own = address.split_once('?').map_or("", |(_, own)| own);
    let own: BTreeSet<String> = own.split('&').filter(|pair| !pair.is_empty()).map(name_in).collect();
    let pairs = query.unwrap_or_default().split('&');
    let added: Vec<&str> = pairs.filter(|pair| pair.is_empty() || !own.contains(&name_in(pair))).collect();
    rules::with_query(to, Some(&added.join("&")))
}

/// The name in a pair of a name and a value, decoded where it can be.
fn name_in(pair: &str) -> String {
    let name = pair.split('=').next().unwrap_or_default();
    decoded(&name.replace('+', " ")).unwrap_or_else(|| name.to_owned())
}

/// What `decodeURIComponent` makes of a text, if it takes it.
fn decoded(text: &str) -> Option<String> {
    check_escapes(text).ok()?;
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}
