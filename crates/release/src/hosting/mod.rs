//! What hosts do with a portal: the files that tell each of them what to do, and what each then answers.
//!
//! One module for each platform, with two functions: `files` writes what the platform reads, within its limits, and
//! `respond` answers a request as the platform does. Both work from the [`Manifest`] of a build, so that what is written
//! for a host and what a preview of it shows cannot drift apart; tests compare the answers with those of the real programs
//! wherever these run.

use std::collections::BTreeMap;

use portalgen_base::diagnostic::Diagnostic;
use portalgen_portal::HostingPlatform;

use crate::manifest::Manifest;

mod caddy;
mod cloudflare;
mod github_pages;
pub mod http;
mod netlify;
mod nginx;
mod path;
mod plain;
mod policy;
mod redirects;
mod rule_files;
mod rules;
mod s3_cloudfront;
mod serve;
mod shared;
mod site;
mod template;
mod vercel;

pub(crate) use redirects::other_form;
pub(crate) use rules::with_query;

pub use http::{Body, Headers, Request, Response};
pub use policy::policy;
pub use serve::Asked;
pub use site::{FileInfo, Files, Site};

/// Files for hosts.
#[derive(Clone, Debug, Default)]
pub struct HostFiles {
    /// Output paths and texts: read by the host from among the files that it serves.
    pub published: BTreeMap<String, String>,
    /// Names and texts for whoever sets the host up; no visitor gets to see them. Kept in `.portalgen/deploy/` of the
    /// output folder.
    pub deployment: BTreeMap<String, String>,
    /// What the host cannot do, with numbers where there is a limit.
    pub warnings: Vec<Diagnostic>,
}

impl HostFiles {
    /// One text for whoever sets the host up.
    fn note(name: &str, text: String) -> Self {
        Self { deployment: BTreeMap::from([(name.to_owned(), text)]), ..Self::default() }
    }

    fn and(mut self, others: Self) -> Self {
        self.published.extend(others.published);
        self.deployment.extend(others.deployment);
        self.warnings.extend(others.warnings);
        self
    }
}

/// The files for all platforms that the portal is deployed to.
pub fn files(manifest: &Manifest) -> HostFiles {
    let platforms = manifest.platforms.iter().filter_map(|name| HostingPlatform::of_name(name));
    platforms.map(|platform| files_for(platform, manifest)).fold(rule_files::files(manifest), HostFiles::and)
}

fn files_for(platform: HostingPlatform, manifest: &Manifest) -> HostFiles {
    match platform {
        HostingPlatform::Cloudflare => cloudflare::files(manifest),
        HostingPlatform::Netlify => netlify::files(manifest),
        HostingPlatform::Vercel => vercel::files(manifest),
        HostingPlatform::GithubPages => github_pages::files(manifest),
        HostingPlatform::S3Cloudfront => s3_cloudfront::files(manifest),
        HostingPlatform::Nginx => nginx::files(manifest),
        HostingPlatform::Caddy => caddy::files(manifest),
    }
}

/// What a platform answers to a request; without one, what a server does that was told nothing about the portal.
pub fn respond(platform: Option<HostingPlatform>, site: &Site, request: &Request) -> Response {
    if !request.path.starts_with('/') {
        return Response::of(400);
    }
    match platform {
        Some(HostingPlatform::Cloudflare) => cloudflare::respond(site, request),
        Some(HostingPlatform::Netlify) => netlify::respond(site, request),
        Some(HostingPlatform::Vercel) => vercel::respond(site, request),
        Some(HostingPlatform::GithubPages) => github_pages::respond(site, request),
        Some(HostingPlatform::S3Cloudfront) => s3_cloudfront::respond(site, request),
        Some(HostingPlatform::Nginx) => nginx::respond(site, request),
        Some(HostingPlatform::Caddy) => caddy::respond(site, request),
        None => plain::respond(site, request),
    }
}
