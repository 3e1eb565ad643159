//! What `_redirects` and `_headers` and their readers agree about: who reads them, and which assets are named in them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use portalgen_portal::{HostingPlatform, encode_segment};

use super::path::component;
use crate::{
    headers::{self, IMMUTABLE},
    manifest::Manifest,
};

/// How many rules `_headers` may have, according to Cloudflare's “Headers”.
pub(super) const HEADER_RULES: usize = 100;
/// How many characters a line of `_headers` may have.
pub(super) const HEADER_LENGTH: usize = 2_000;

/// Who reads the files that a platform reads.
pub(super) fn readers(manifest: &Manifest, platform: HostingPlatform) -> Vec<HostingPlatform> {
    if are_shared(manifest) { vec![HostingPlatform::Cloudflare, HostingPlatform::Netlify] } else { vec![platform] }
}

/// Whether Cloudflare and Netlify read the same two files.
pub(super) fn are_shared(manifest: &Manifest) -> bool {
    manifest.base == "/"
        && [HostingPlatform::Cloudflare, HostingPlatform::Netlify].iter().all(|reader| is_declared(manifest, *reader))
}

/// Whether the portal is deployed to a platform.
pub(super) fn is_declared(manifest: &Manifest, platform: HostingPlatform) -> bool {
    manifest.platforms.iter().any(|name| name == platform.name())
}

/// The addresses of assets that browsers are told to keep: as many as there is room for.
pub(super) fn kept(manifest: &Manifest, readers: &[HostingPlatform]) -> Vec<String> {
    let room = if readers.contains(&HostingPlatform::Cloudflare) { HEADER_RULES - 1 } else { usize::MAX };
    addresses(manifest, readers).take(room).collect()
}

/// The addresses of all assets, in every spelling that one of the hosts looks for.
pub(super) fn addresses(manifest: &Manifest, readers: &[HostingPlatform]) -> impl Iterator<Item = String> {
    let aliases = |asset: &str| readers.iter().map(|reader| address(manifest, *reader, asset)).collect::<BTreeSet<_>>();
    // A `*` would make a pattern of an address.
    let addresses = assets(manifest).into_iter().flat_map(aliases).filter(|address| !address.contains('*'));
    addresses.collect::<Vec<_>>().into_iter()
}

/// Where a host looks for the rules of a file.
fn address(manifest: &Manifest, reader: HostingPlatform, file: &str) -> String {
    let encode = if reader == HostingPlatform::Cloudflare { component } else { encode_segment };
    let names: Vec<String> = file.split('/').map(encode).collect();
    format!("{}{}", manifest.base, names.join("/"))
}

/// All assets. Those that most pages load come first, since there may not be room for all, and those of earlier builds last.
pub(super) fn assets(manifest: &Manifest) -> Vec<&str> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for file in manifest.routes.iter().flat_map(|route| route.scripts.iter().chain(&route.style_sheets)) {
        *uses.entry(file).or_default() += 1;
    }
    let earlier: BTreeSet<&str> = manifest.earlier.iter().flatten().map(String::as_str).collect();
    let files = manifest.files.keys().map(String::as_str);
    let mut assets: Vec<&str> =
        files.filter(|path| headers::caching(path) == IMMUTABLE && !manifest.is_compressed_form(path)).collect();
    assets.sort_by_key(|path| (earlier.contains(path), Reverse(uses.get(path).copied().unwrap_or_default()), *path));
    assets
}
