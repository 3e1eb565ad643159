//! nginx.

use super::{
    HostFiles,
    http::{Request, Response},
    plain,
    site::Site,
};
use crate::manifest::Manifest;

/// What nginx reads.
pub(super) fn files(_manifest: &Manifest) -> HostFiles {
    HostFiles::default()
}

/// What nginx answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    plain::respond(site, request)
}
