//! A server that was told nothing about the portal but where its files are: the strictest one of [`crate::answer`].

use super::{
    INDEX,
    http::{Request, Response},
    path, rules,
    serve::{self, Habits},
    site::{FileInfo, Site},
};

/// How a server sends files of which nothing else is known.
pub(super) const HABITS: Habits =
    Habits { codings: &[], cuts_compressed: true, trusts_dates: false, etag: content_hash };

/// The answer to a request.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if !serve::is_reading(&request.method) {
        return serve::method_not_allowed();
    }
    found(site, request).unwrap_or_else(|| serve::not_found(site, request, 404, &HABITS))
}

fn found(site: &Site, request: &Request) -> Option<Response> {
    let path = path::decoded(&request.path)?;
    let redirect =
        || Response::redirect(301, rules::with_query(&format!("{}/", request.path), request.query.as_deref()));
    if site.is_base_without_slash(&path) {
        return Some(redirect());
    }
    let file = site.below_base(&path)?;
    let send = |file: &str| serve::file(site, request, file, &HABITS);
    if file.is_empty() || file.ends_with('/') {
        return send(&format!("{file}{INDEX}"));
    }
    let page = || send(&format!("{file}.html")).filter(|_| site.is_flat());
    let folder = || site.file(&format!("{file}/{INDEX}")).map(|_| redirect());
    send(file).or_else(page).or_else(folder)
}

/// The content itself stands for it where the build made the file, and else what is known without reading it.
pub(super) fn content_hash(site: &Site, path: &str, info: FileInfo) -> String {
    let known = site.hash(path).map(ToOwned::to_owned);
    format!("\"{}\"", known.unwrap_or_else(|| format!("{:x}-{:x}", info.seconds(), info.size)))
}
