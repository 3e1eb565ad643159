//! The headers of responses: what a file is, how long it may be kept, and what every response of a portal says.

use std::collections::BTreeMap;

use crate::{bundle, config::Deploy};

/// Where files lie whose names change with their content.
const ASSETS: &str = "assets/";
/// How long these may be kept: for ever.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// How long everything else may be kept: it is asked about each time.
pub const REVALIDATED: &str = "no-cache";

/// What documents are.
pub(super) const HTML: &str = "text/html; charset=utf-8";
/// What files are that nobody knows more about.
pub(super) const UNKNOWN: &str = "application/octet-stream";

/// What every response has, errors and redirects among them.
pub(crate) fn of_every_response(deploy: &Deploy) -> BTreeMap<String, String> {
    let fixed = [("referrer-policy", "strict-origin-when-cross-origin"), ("x-content-type-options", "nosniff")];
    let secure_transport = deploy.strict_transport_security.as_deref();
    let secure_transport = secure_transport.map(|value| ("strict-transport-security", value));
    // It says what the content security policy says, unless that was changed: only the policy can name other hosts.
    let has_own_frames = deploy.csp.iter().any(|directive| directive.name == "frame-ancestors");
    let frames = (!has_own_frames).then_some(("x-frame-options", "SAMEORIGIN"));
    let all = fixed.into_iter().chain(secure_transport).chain(frames);
    all.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// How long a file may be kept, by its output path.
pub fn caching(file: &str) -> &'static str {
    if file.starts_with(ASSETS) { IMMUTABLE } else { REVALIDATED }
}

/// What a file is, by its output path.
pub fn media_type(file: &str) -> &'static str {
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    media_types().find(|(known, _)| *known == ending).map_or(UNKNOWN, |(_, media_type)| media_type)
}

/// What files are by the endings of their names, each once, with what is written by people before what is only used.
pub(super) fn media_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_written = |ending: &str| WRITTEN.iter().any(|(known, _)| *known == ending);
    let used = bundle::MEDIA_TYPES.iter().filter(move |(ending, _)| !is_written(ending));
    WRITTEN.iter().chain(used).copied()
}

/// What files are that hold text.
const WRITTEN: &[(&str, &str)] = &[
    ("html", HTML),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
];
