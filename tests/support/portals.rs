//! What comes out of a `routes.toml`, as texts.

use std::{fmt::Write as _, path::Path};

use portalgen::cli::report::{self, Look};

use portalgen_base::{diagnostic::Diagnostic, source::Memory, text::Language};
use portalgen_portal::{DevServer, Portal, Proxy, RouteKind, RoutePath, SecurityContact, SiteInfo, Slash};

pub(crate) const ROOT: &str = "/portal";
pub(crate) const USUAL_FILES: &str = "site/pages/index.tsx\nsite/pages/about.tsx\n";

pub(crate) type Loaded = Result<(Portal, Vec<Diagnostic>), Vec<Diagnostic>>;

/// A project in memory with this `routes.toml`, and with empty files, one a line.
pub(crate) fn sources(routes: &[u8], files: &str) -> Memory {
    let root = Path::new(ROOT);
    let files = files.lines().map(|file| (root.join(file), Vec::new()));
    Memory::new(files.chain([(root.join("routes.toml"), routes.to_vec())]))
}

pub(crate) fn rendered_in(language: Language, diagnostics: &[Diagnostic]) -> String {
    let look = Look { language, ..Look::default() };
    diagnostics.iter().map(|diagnostic| report::human(diagnostic, look) + "\n").collect()
}

/// A portal as a reviewer reads it: one line a route.
pub(crate) fn summary(portal: &Portal) -> String {
    let Portal { lang, product, host, urls, .. } = portal;
    let slash = if urls.slash == Slash::Never { ", no slash" } else { "" };
    let mut out = format!("lang {lang}, base {}{slash}\n", urls.base);
    let _ = writeln!(out, "product {product:?}, host {host:?}, origin {:?}", urls.origin);
    let _ = writeln!(out, "not found {:?} {:?}", portal.not_found.title, portal.not_found.component);
    out += &told(portal);
    out.push('\n');
    for route in &portal.routes {
        let _ = writeln!(out, "{} -> {}", urls.page(&route.path), urls.document(&route.path));
        let _ = writeln!(out, "    title {:?}, name {:?}, noindex {}", route.title, route.name, route.noindex);
        let names: Vec<&str> = route.translations.iter().map(RoutePath::as_str).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "    lang {}, translations {}", route.lang, names.join(" "));
        }
        if let Some(budget) = &route.budget {
            let _ = writeln!(out, "    budget {}", budget.size);
        }
        if let Some(image) = &route.image {
            let _ = writeln!(out, "    image {:?}", image.absolute(urls));
        }
        if let Some(description) = &route.description {
            let _ = writeln!(out, "    description {description:?}");
        }
        let _ = match &route.kind {
            RouteKind::Page { component } => writeln!(out, "    page {}", component.display()),
            RouteKind::Redirect { target, status } => writeln!(out, "    {status} {}", target.href(urls)),
            RouteKind::Retired => writeln!(out, "    retired"),
        };
    }
    out + "\n"
}

/// What others than visitors are told.
fn told(portal: &Portal) -> String {
    let mut out = String::new();
    let SiteInfo { icon, image, twitter, theme_color, background_color, removes_service_worker } = &portal.site;
    if portal.site != SiteInfo::default() {
        let icon = icon.as_ref().map(|icon| icon.file.display());
        let image = image.as_ref().and_then(|image| image.absolute(&portal.urls));
        let colors = [theme_color, background_color].map(|color| color.map(|color| color.to_string()));
        let _ = writeln!(out, "site icon {icon:?}, image {image:?}, twitter {twitter:?}, colours {colors:?}");
        if *removes_service_worker {
            out.push_str("site removes service workers\n");
        }
    }
    let DevServer { port, hosts, socket, proxies } = &portal.dev;
    if portal.dev != DevServer::default() {
        let proxies: Vec<_> = proxies.iter().map(|Proxy { path, backend }| format!("{path} to {backend}")).collect();
        let _ = writeln!(out, "dev port {port:?}, hosts {hosts:?}, socket {socket:?}, proxies {proxies:?}");
    }
    if let Some(SecurityContact { contact, expires, policy, .. }) = &portal.security {
        let _ = writeln!(out, "security {contact:?}, until {expires}, policy {policy:?}");
    }
    out
}
