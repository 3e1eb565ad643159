//! `manifest.webmanifest`: what home screens show of a portal.

use serde_json::json;

use portalgen_portal::{Portal, RoutePath};

use super::{
    common::{SiteFile, name, site_section},
    icons::Icons,
};

/// The output path of the manifest.
pub(super) const FILE: &str = "manifest.webmanifest";

/// The manifest, as the W3C's “Web Application Manifest” has it.
pub(super) fn file(portal: &Portal, icons: &Icons) -> SiteFile {
    let home = portal.urls.page(&RoutePath::root());
    let description = portal.route(&RoutePath::root()).and_then(|home| home.description.as_deref());
    let icon = |icon: &super::icons::HomeIcon| {
        let size = format!("{0}x{0}", icon.size);
        let purpose = if icon.is_maskable { "maskable" } else { "any" };
        json!({ "src": portal.urls.file(&icon.path), "sizes": size, "type": "image/png", "purpose": purpose })
    };
    let mut manifest = json!({
        "id": home,
        "name": name(portal),
        "lang": portal.lang,
        "start_url": home,
        "scope": home,
        // A portal leads to other sites, and visitors want back from there.
        "display": "minimal-ui",
        "icons": icons.of_home_screens.iter().map(icon).collect::<Vec<_>>(),
    });
    let colors = [("theme_color", portal.site.theme_color), ("background_color", portal.site.background_color)];
    let colors = colors.into_iter().filter_map(|(key, color)| Some((key, color?.to_string())));
    let optional = colors.chain(description.map(|text| ("description", text.to_owned())));
    for (key, value) in optional {
        manifest[key] = value.into();
    }
    SiteFile::new(FILE, format!("{manifest:#}\n"), site_section())
}
