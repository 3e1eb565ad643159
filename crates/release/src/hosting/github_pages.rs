//! GitHub Pages, which reads no settings: no redirects but those of the small pages, no headers, ten minutes of caching.
//!
//! No program of it is to be had, so the model follows what is written and measured of it:
//!
//! | What | From where |
//! | --- | --- |
//! | `/folder` leads to `/folder/` with status 301; `/file` shows `file.html`, `/file/` is missing; `/file.html` and `/folder/index.html` are shown | measurements of the public `slorber/trailing-slash-guide`, row “GitHub Pages” |
//! | `404.html` at the top for what is missing, with status 404 | GitHub's documentation, “Creating a custom 404 page” |
//! | `max-age=600` with every file | responses of `*.github.io`; GitHub offers no setting for it |
//! | `.nojekyll`: files and folders that begin with `_` are published | GitHub's documentation, “Static site generators” |
//! | conditions and parts | nginx, by which GitHub Pages calls itself |

use portalgen_base::{diagnostic::Diagnostic, rules::Rule, text::text};

use super::{
    HostFiles,
    http::{Request, Response},
    path,
    plain::BEHAVIOUR,
    serve,
    site::Site,
};
use crate::manifest::Manifest;

/// How long GitHub lets everything be kept.
const TEN_MINUTES: &str = "max-age=600";

/// The one thing that GitHub Pages can be told.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    let mut files = HostFiles::default();
    files.published.insert(".nojekyll".to_owned(), String::new());
    let secure_transport = manifest.headers.keys().find(|name| name.eq_ignore_ascii_case("strict-transport-security"));
    files.warnings.extend(secure_transport.map(|_| {
        let message = text!(
            "GitHub Pages does not send custom headers, so `strict_transport_security` has no effect there",
            "GitHub Pages 不支持自定义响应头，`strict_transport_security` 在那里不起作用"
        );
        let hint = text!(
            "turn on “Enforce HTTPS” in the repository settings to redirect visitors to `https:`",
            "请在仓库设置里打开 “Enforce HTTPS”，让访问者转到 `https:`"
        );
        Diagnostic::of(Rule::HostLimit, message).with_hint(hint)
    }));
    files
}

/// What GitHub Pages answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if !serve::is_reading(&request.method) {
        return Response::of(405);
    }
    let response = find(site, request).unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR));
    if response.headers.get("cache-control").is_some() { response.with("cache-control", TEN_MINUTES) } else { response }
}

fn find(site: &Site, request: &Request) -> Option<Response> {
    let path = path::decoded(&request.path)?;
    if site.is_base_without_slash(&path) {
        return Some(serve::with_slash(request));
    }
    let address = site.below_base(&path)?;
    serve::found(site, request, address, true, &BEHAVIOUR, || serve::with_slash(request))
}
