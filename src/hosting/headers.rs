//! The headers of responses: what a file is, how long it may be kept, and what every response of a portal says.

use std::collections::{BTreeMap, BTreeSet};

use crate::{bundle, config::Deploy, manifest::Manifest};

/// Where files lie whose names change with their content.
const ASSETS: &str = "assets/";
/// How long these may be kept: for ever.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// How long everything else may be kept: it is asked about each time.
pub const REVALIDATED: &str = "no-cache";

/// What files are that nobody knows more about.
const UNKNOWN: &str = "application/octet-stream";

/// What every response has, errors and redirects among them.
pub(crate) fn of_every_response(deploy: &Deploy) -> BTreeMap<String, String> {
    let fixed = [
        ("Referrer-Policy", "strict-origin-when-cross-origin"),
        ("X-Content-Type-Options", "nosniff"),
        // What `frame-ancestors` of the policy says, for browsers that do not know it.
        ("X-Frame-Options", "DENY"),
    ];
    let secure_transport = deploy.strict_transport_security.as_deref();
    let secure_transport = secure_transport.map(|value| ("Strict-Transport-Security", value));
    let all = fixed.into_iter().chain(secure_transport);
    all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// How long a file may be kept, by its output path.
pub fn caching(file: &str) -> &'static str {
    if file.starts_with(ASSETS) { IMMUTABLE } else { REVALIDATED }
}

/// What a file is, by its output path.
pub fn media_type(file: &str) -> &'static str {
    let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        other => bundle::media_type(other).unwrap_or(UNKNOWN),
    }
}

/// What the files of a portal are, with the endings of their names, in the order of both. Unknown endings are left out, and
/// those of compressed forms.
pub(super) fn media_types(manifest: &Manifest) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut types: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for file in manifest.files.keys() {
        let name = file.rsplit('/').next().unwrap_or_default();
        let Some((_, ending)) = name.rsplit_once('.') else { continue };
        if media_type(file) != UNKNOWN {
            types.entry(media_type(file)).or_default().insert(ending.to_owned());
        }
    }
    types
}
