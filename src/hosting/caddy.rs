//! Caddy.

use super::{
    HostFiles,
    http::{Request, Response},
    plain,
    site::Site,
};
use crate::manifest::Manifest;

/// What Caddy reads.
pub(super) fn files(_manifest: &Manifest) -> HostFiles {
    HostFiles::default()
}

/// What Caddy answers.
pub(super) fn respond(site: &Site, request: &Request) -> Response {
    plain::respond(site, request)
}
