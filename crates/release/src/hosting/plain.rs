//! A server that was told nothing about the portal but where its files are: the strictest one of [`crate::static_server`].

use super::{
    http::{Request, Response},
    path,
    serve::{self, Behaviour},
    site::{FileInfo, Site},
};

/// How a server sends files of which nothing else is known.
pub(super) const BEHAVIOUR: Behaviour =
    Behaviour { codings: &[], cuts_compressed: true, trusts_dates: false, dates_as_plain: false, etag: content_hash };

/// The answer to a request.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    if !serve::is_reading(&request.method) {
        return serve::method_not_allowed();
    }
    found(site, request).unwrap_or_else(|| serve::not_found(site, request, 404, &BEHAVIOUR))
}

fn found(site: &Site, request: &Request) -> Option<Response> {
    let path = path::decoded(&request.path)?;
    if site.is_base_without_slash(&path) {
        return Some(serve::with_slash(request));
    }
    let address = site.below_base(&path)?;
    serve::found(site, request, address, site.is_flat(), &BEHAVIOUR, || serve::with_slash(request))
}

/// The content itself stands for it where the build made the file, and else what is known without reading it.
pub(super) fn content_hash(site: &Site, path: &str, info: FileInfo) -> String {
    let known = site.hash(path).map(|hash| hash.to_string());
    format!("\"{}\"", known.unwrap_or_else(|| format!("{:x}-{:x}", info.seconds(), info.size)))
}
