//! What a page is, in words of schema.org: data for search engines, as JSON-LD.

use serde_json::{Value, json};

use super::{is_listed, name};
use crate::config::{Portal, Route, RoutePath};

/// What is said of a page: that it is one, of which site, and which pages lead to it. None for pages that shall not be
/// listed, and where the origin is not known, by which things have their names.
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
    let mut graph = vec![
        json!({ "@type": "WebSite", "@id": site_id, "url": home, "name": name(portal), "inLanguage": portal.lang }),
    ];
    let trail = trail(portal, route);
    if trail.len() > 1 {
        let id = format!("{url}#breadcrumb");
        page["breadcrumb"] = json!({ "@id": id });
        graph.push(json!({ "@type": "BreadcrumbList", "@id": id, "itemListElement": trail }));
    }
    graph.insert(1, page);
    Some(json!({ "@context": "https://schema.org", "@graph": graph }))
}

/// The listed pages on the way from the home page to a page, and the page.
fn trail(portal: &Portal, route: &Route) -> Vec<Value> {
    let folders = route.path.folders();
    let above: Vec<&Route> = folders.filter_map(|path| portal.route(&path)).filter(|route| is_listed(route)).collect();
    let pages = above.into_iter().chain([route]).filter_map(|page| Some((page, portal.urls.canonical(&page.path)?)));
    let item = |(at, (page, url)): (usize, (&Route, String))| json!({ "@type": "ListItem", "position": at + 1, "name": page.title, "item": url });
    pages.enumerate().map(item).collect()
}
