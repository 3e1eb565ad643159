//! The headers of responses: how long a file may be kept, and what every response of a portal says.

use std::collections::BTreeMap;

use portalgen_portal::Deploy;

/// Where files lie whose names change with their content.
const ASSETS: &str = "assets/";
/// How long these may be kept: for ever.
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// How long everything else may be kept: it is asked about each time.
pub const REVALIDATED: &str = "no-cache";

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
