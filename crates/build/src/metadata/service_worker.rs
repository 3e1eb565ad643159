//! The end of service workers that an earlier site has left with its visitors: browsers ask for a worker's script whenever
//! they open a page, but one that is gone changes nothing, and goes on answering with the pages of then.

use portalgen_portal::Portal;

use super::common::{SiteFile, site_section};

/// The names under which most sites had theirs: Create React App and Workbox, then Gatsby, next-pwa and Vite, then Angular.
const NAMES: [&str; 3] = ["service-worker.js", "sw.js", "ngsw-worker.js"];

/// A worker under each of these names that takes the earlier one away, if that is asked for.
pub(super) fn files(portal: &Portal) -> impl Iterator<Item = SiteFile> {
    let names = NAMES.iter().filter(|_| portal.site.removes_service_worker);
    names.map(|name| SiteFile::new(*name, include_str!("service_worker.js"), site_section()))
}
