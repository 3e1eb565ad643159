//! Routers of a site's own: portalgen has one around every page.

use portalgen_base::{diagnostic::Diagnostic, text::text};

use crate::{
    module::{Imported, Module},
    syntax::place,
};

/// What makes a router of the browser's address, each of which refuses to be inside another one.
const ROUTERS: [&str; 4] = ["BrowserRouter", "HashRouter", "createBrowserRouter", "createHashRouter"];

const PACKAGES: [&str; 3] = ["react-router", "react-router-dom", "react-router/dom"];

/// Complains about a module of the site that brings a router.
pub(super) fn second_router(module: &Module) -> Option<Diagnostic> {
    if module.vendor {
        return None;
    }
    let routers = module.scan.imports.values().filter_map(|import| {
        let from = &module.scan.import_records.get(import.record)?.specifier;
        match &import.imported {
            Imported::Name(name) if ROUTERS.contains(&&**name) && PACKAGES.contains(&&**from) => {
                Some((import.span, name))
            }
            _ => None,
        }
    });
    let (span, name) = routers.min_by_key(|(span, _)| span.lo)?;
    let message = text!(
        "portalgen already renders every page inside a router, so `{name}` cannot be used",
        "portalgen 已经在每个页面外层加了 Router，里面不能再用 `{name}`"
    );
    Some(Diagnostic::error(message).at(place(&module.source, span)).with_hint(text!(
        "write a file in pages/ and a [[route]] in routes.toml for each page, and delete the router; `Link` and `useNavigate` \
         work without it",
        "请为每个页面在 pages/ 里写一个文件，并在 routes.toml 里写一个 [[route]]，然后删掉这个 Router；\
         `Link` 和 `useNavigate` 不需要它也能用"
    )))
}
