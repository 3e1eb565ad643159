//! The table: what to ask a live portal for, and what must come back.

use portalgen_portal::encode_path;

use crate::{
    hosting::other_form,
    manifest::{FileKind, Manifest, ManifestRedirect, ManifestRoute},
    output::NOTES_FOLDER,
};

/// A row of the table.
#[derive(Debug)]
pub(super) struct Request<'m> {
    pub method: &'static str,
    /// The path and query, encoded.
    pub path: String,
    pub expected: Expected<'m>,
}

/// What must come back.
#[derive(Debug)]
pub(super) enum Expected<'m> {
    /// The document of a page.
    Page(&'m ManifestRoute),
    /// A redirect to another form of a page's address.
    OtherForm { to: String },
    /// A redirect of the portal, or its stub.
    Redirect(&'m ManifestRedirect, &'m ManifestRoute),
    /// 410 or 404.
    Gone,
    /// The document for what is not there, with status 404.
    NotFound,
    /// A file, with a type that fits and the caching of its kind.
    File { path: &'m str, kind: FileKind },
    /// The portal over an encrypted connection.
    Encrypted,
    /// Not what is kept for those who deploy.
    Hidden,
}

/// What no portal has: nobody writes this on purpose.
const NOWHERE: &str = "portalgen-nothing-is-here";
/// A query that must survive every redirect.
const QUERY: &str = "?portalgen=1&next=%2Fa";

/// What to ask for.
pub(super) fn table(manifest: &Manifest) -> Vec<Request<'_>> {
    let routes = manifest.routes.iter().flat_map(|route| of_route(manifest, route));
    let files =
        manifest.files.iter().filter(|(path, file)| is_asked_for(manifest, path, file.kind)).map(|(path, file)| {
            let expected = Expected::File { path, kind: file.kind };
            Request { method: "HEAD", path: under(manifest, path), expected }
        });
    let nothing = [
        ("GET", NOWHERE.to_owned(), Expected::NotFound),
        ("GET", format!("{NOWHERE}/{NOWHERE}/"), Expected::NotFound),
        ("GET", format!("assets/{NOWHERE}.js"), Expected::NotFound),
        ("HEAD", NOWHERE.to_owned(), Expected::NotFound),
        ("GET", format!("{NOTES_FOLDER}/{}", crate::manifest::FILE), Expected::Hidden),
        ("GET", String::new(), Expected::Encrypted),
    ];
    let nothing = nothing.map(|(method, path, expected)| Request { method, path: under(manifest, &path), expected });
    routes.chain(files).chain(nothing).collect()
}

fn under(manifest: &Manifest, path: &str) -> String {
    format!("{}{}", manifest.base, encode_path(path))
}

fn of_route<'m>(manifest: &Manifest, route: &'m ManifestRoute) -> Vec<Request<'m>> {
    let get = |path: String, expected| Request { method: "GET", path, expected };
    // The portal's own address has no other form.
    let Some(other) = other_form(&route.url).filter(|_| route.url != manifest.base) else {
        return vec![get(route.url.clone(), Expected::Page(route))];
    };
    match &route.redirect {
        Some(redirect) => [&route.url, &other]
            .into_iter()
            .flat_map(|url| [url.clone(), format!("{url}{QUERY}")])
            .map(|url| get(url, Expected::Redirect(redirect, route)))
            .collect(),
        None if route.file.is_none() => vec![get(route.url.clone(), Expected::Gone), get(other, Expected::Gone)],
        None => vec![
            get(route.url.clone(), Expected::Page(route)),
            get(format!("{}{QUERY}", route.url), Expected::Page(route)),
            get(other.clone(), Expected::OtherForm { to: route.url.clone() }),
            get(format!("{other}{QUERY}"), Expected::OtherForm { to: format!("{}{QUERY}", route.url) }),
        ],
    }
}

/// Documents are asked for as routes. What hosts read, and compressed forms, are not for visitors.
fn is_asked_for(manifest: &Manifest, path: &str, kind: FileKind) -> bool {
    let is_hidden = path.starts_with('.') && !path.starts_with(".well-known/");
    let is_for_hosts = is_hidden || matches!(path, "_headers" | "_redirects" | "vercel.json" | "CNAME");
    kind != FileKind::Page && !is_for_hosts && !manifest.is_compressed_form(path)
}
