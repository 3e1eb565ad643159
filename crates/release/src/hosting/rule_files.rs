//! `_redirects` and `_headers`, which Cloudflare and Netlify read from the same place, each in its own way.
//!
//! Netlify makes a redirect only where no file is, unless its status ends in `!`, and takes one rule for both forms of an
//! address. Cloudflare always makes it, does not know the `!` (it skips the line and says so when the portal is deployed),
//! and wants a rule for each form. Where both read one file, each redirect has lines for both, Netlify's first: of several
//! rules for one address Netlify follows the first, and Cloudflare the first that it understands.
//!
//! How long browsers keep an asset is told for each by its name. A pattern for the whole folder would be shorter, and would
//! make Cloudflare let browsers keep the answer 404 for a year, too: an asset that is asked for a moment before it is there
//! would be missing ever after.

use std::collections::BTreeMap;

use portalgen_portal::HostingPlatform;

use super::{
    HostFiles, cloudflare, netlify,
    shared::{HEADER_LENGTH, are_shared, is_declared, kept},
};
use crate::{headers::IMMUTABLE, manifest::Manifest};

const HEAD: &str = "# Written by portalgen, anew with each build.";

/// The two files for those of the platforms that read them.
pub(super) fn files(manifest: &Manifest) -> HostFiles {
    let readers = [HostingPlatform::Cloudflare, HostingPlatform::Netlify]
        .map(|reader| is_declared(manifest, reader).then_some(reader));
    let readers: Vec<HostingPlatform> = readers.into_iter().flatten().collect();
    if are_shared(manifest) {
        return HostFiles { published: texts(manifest, &readers, "_"), ..HostFiles::default() };
    }
    let files = readers.into_iter().map(|reader| {
        if manifest.base == "/" {
            return HostFiles { published: texts(manifest, &[reader], "_"), ..HostFiles::default() };
        }
        // Hosts look for the files where what they serve begins, which is above the folder of the portal.
        let deployment = texts(manifest, &[reader], &format!("{}.", reader.name()));
        HostFiles { deployment, ..HostFiles::default() }
    });
    files.fold(HostFiles::default(), HostFiles::and)
}

fn texts(manifest: &Manifest, readers: &[HostingPlatform], prefix: &str) -> BTreeMap<String, String> {
    let texts = [("redirects", redirects(manifest, readers)), ("headers", headers(manifest, readers))];
    texts.into_iter().map(|(name, lines)| (format!("{prefix}{name}"), lines.join("\n") + "\n")).collect()
}

fn redirects(manifest: &Manifest, readers: &[HostingPlatform]) -> Vec<String> {
    let mut lines = vec![HEAD.to_owned()];
    let mut netlify = BTreeMap::new();
    if readers.contains(&HostingPlatform::Netlify) {
        netlify.extend(
            netlify::redirects(manifest).told.iter().map(|redirect| (&*redirect.route.path, netlify::line(redirect))),
        );
    }
    if readers.contains(&HostingPlatform::Cloudflare) {
        for rule in cloudflare::rules(manifest) {
            lines.extend(netlify.remove(&*rule.route.path));
            lines.push(format!("{} {} {}", rule.from, rule.to, rule.status));
        }
    }
    // Cloudflare counts the lines that it skips, so those for Netlify alone stand behind all of its own.
    lines.extend(netlify.into_values());
    if readers.contains(&HostingPlatform::Netlify) {
        lines.extend(netlify::closing_lines(manifest));
    }
    lines
}

fn headers(manifest: &Manifest, readers: &[HostingPlatform]) -> Vec<String> {
    let is_cloudflare = readers.contains(&HostingPlatform::Cloudflare);
    let values = manifest.headers.iter().map(|(name, value)| format!("  {name}: {value}"));
    let values: Vec<String> = values.filter(|line| !is_cloudflare || line.len() <= HEADER_LENGTH).collect();
    let mut lines = vec![HEAD.to_owned()];
    if !values.is_empty() {
        lines.push(format!("{}*", manifest.base));
        lines.extend(values);
    }
    for address in kept(manifest, readers) {
        lines.extend([address, format!("  Cache-Control: {IMMUTABLE}")]);
    }
    lines
}
