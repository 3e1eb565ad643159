//! What a page is, in words of schema.org: data for search engines, as JSON-LD.
//!
//! It says nothing of other pages, such as the trail that leads to this one: the edit of a title changes one document.

use serde_json::{Value, json};

use portalgen_portal::{Portal, Route, RoutePath};

use super::common::{is_listed, name};

/// What is said of a page: that it is one, and of which site. None for pages that shall not be listed, and where the origin
/// is not known, by which things have their names.
pub(super) fn of_page(portal: &Portal, route: &Route) -> Option<Value> {
    let url = portal.urls.canonical(&route.path).filter(|_| is_listed(route))?;
    let home = portal.urls.canonical(&RoutePath::root())?;
    let site_id = format!("{home}#website");
    let mut page = json!({
        "@type": "WebPage",
        "@id": url,
        "url": url,
        "name": route.title,
        "inLanguage": route.lang,
        "isPartOf": { "@id": site_id },
    });
    if let Some(description) = &route.description {
        page["description"] = description.as_str().into();
    }
    let site = json!({
        "@type": "WebSite",
        "@id": site_id,
        "url": home,
        "name": name(portal),
        "inLanguage": portal.lang,
    });
    Some(json!({ "@context": "https://schema.org", "@graph": [site, page] }))
}
