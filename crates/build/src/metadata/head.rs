//! What the head of a page's document says to others than visitors: Open Graph, X's cards, icons, and other languages.
//!
//! It is said once, by the document. When a visitor goes on within the app, only the title changes, and with it the
//! canonical link, by which browsers name a page that is shared. The rest may stay as it is: it is read by programs that
//! load each address by itself and run no script, or leave when they have read the page.

use serde::Serialize;
use serde_json::Value;

use portalgen_portal::{Portal, Route};

use super::{
    common::{is_listed, name},
    icons::Icons,
    languages, structured, web_manifest,
};

/// What stands in a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// URL of the icon.
    pub icon: Option<String>,
    /// Elements `<link>`.
    pub links: Vec<Link>,
    /// Elements `<meta>`.
    pub metas: Vec<Meta>,
    /// JSON-LD.
    pub structured: Option<Value>,
}

/// An element `<link>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// What the address is to the page.
    pub rel: &'static str,
    /// The address.
    pub href: String,
    /// The language of what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hreflang: Option<String>,
    /// The sizes of the images that are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sizes: Option<&'static str>,
}

/// An element `<meta>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Meta {
    /// The attribute that holds the key: `property` for Open Graph, and `name` for all others.
    pub attribute: &'static str,
    /// What is said something of.
    pub key: &'static str,
    /// What is said.
    pub content: String,
}

impl Head {
    /// What the document of a page says.
    pub fn of_page(portal: &Portal, route: &Route, icons: Option<&Icons>) -> Self {
        let mut head = Self::of_any(portal, icons);
        let versions = languages::versions(portal, route);
        head.links.extend(versions.into_iter().map(|version| Link {
            rel: "alternate",
            href: version.url,
            hreflang: Some(version.lang),
            sizes: None,
        }));
        head.metas.extend(shared(portal, route));
        head.structured = structured::of_page(portal, route);
        head
    }

    /// What every document says, also that of the not-found page, which nobody shares.
    pub fn of_any(portal: &Portal, icons: Option<&Icons>) -> Self {
        let file = |path: &str| portal.urls.file(path);
        let link = |rel, path: &str, sizes| Link { rel, href: file(path), hreflang: None, sizes };
        let links = icons.into_iter().flat_map(|icons| {
            // Browsers that can draw do not ask for this one then.
            let raster = icons.vector.as_ref().map(|_| link("icon", &icons.favicon.path, Some("32x32")));
            let others =
                [link("apple-touch-icon", &icons.touch.file_name, None), link("manifest", web_manifest::FILE, None)];
            raster.into_iter().chain(others)
        });
        let color = portal.site.theme_color.map(|color| named("theme-color", color.to_string()));
        let icon = icons.map(|icons| file(icons.main()));
        Self { icon, links: links.collect(), metas: color.into_iter().collect(), structured: None }
    }
}

/// What is shown where a page is shared.
fn shared(portal: &Portal, route: &Route) -> Vec<Meta> {
    let image = route.image.as_ref().or(portal.site.image.as_ref()).and_then(|image| image.absolute(&portal.urls));
    let card = if image.is_some() { "summary_large_image" } else { "summary" };
    let site = name(portal);
    let required = [
        Some(property("og:type", "website")),
        Some(property("og:title", &*route.title)),
        route.description.as_ref().map(|description| property("og:description", &**description)),
        portal.urls.canonical(&route.path).map(|url| property("og:url", url)),
        image.map(|image| property("og:image", image)),
        Some(property("og:site_name", site)).filter(|_| !site.is_empty()),
        locale(&route.lang).map(|locale| property("og:locale", locale)),
    ];
    let others = route.translations.iter().filter_map(|path| portal.route(path)).filter(|other| is_listed(other));
    let others = others.filter_map(|other| Some(property("og:locale:alternate", locale(&other.lang)?)));
    // X takes titles, descriptions and images from the others.
    let twitter = [
        Some(named("twitter:card", card)),
        portal.site.twitter.as_ref().map(|account| named("twitter:site", &**account)),
    ];
    required.into_iter().flatten().chain(others).chain(twitter.into_iter().flatten()).collect()
}

fn property(key: &'static str, content: impl Into<String>) -> Meta {
    Meta { attribute: "property", key, content: content.into() }
}

fn named(key: &'static str, content: impl Into<String>) -> Meta {
    Meta { attribute: "name", key, content: content.into() }
}

/// A language with its territory, as Open Graph has them: `zh_CN`. It knows none without a territory.
fn locale(tag: &str) -> Option<String> {
    let mut parts = tag.split('-');
    let language = parts.next()?.to_ascii_lowercase();
    let territory = parts.find(|part| part.len() == 2 && part.bytes().all(|b| b.is_ascii_alphabetic()))?;
    Some(format!("{language}_{}", territory.to_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::locale;

    #[test]
    fn locales_of_open_graph() {
        for (tag, expected) in [
            ("zh-CN", Some("zh_CN")),
            ("zh-Hans-CN", Some("zh_CN")),
            ("pt-br", Some("pt_BR")),
            ("en", None),
            ("zh-Hant", None),
            ("es-419", None),
        ] {
            assert_eq!(locale(tag).as_deref(), expected, "{tag}");
        }
    }
}
