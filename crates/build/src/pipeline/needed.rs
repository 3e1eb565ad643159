//! Which parts of the bundle for browsers each page needs.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use portalgen_base::date::Date;
use portalgen_bundle::{Bundle, Chunk, LazyModule};
use portalgen_engine::RenderedPage;
use portalgen_portal::{
    RoutePath,
    history::{History, PageSources},
};
use portalgen_release::manifest::PageFiles;

use super::expand::Site;

/// The modules that `import()` brought while each page was rendered.
#[derive(Default)]
pub struct LazyParts(BTreeMap<String, Vec<String>>);

impl LazyParts {
    /// Those of pages that were rendered by a bundle for the engine.
    pub fn of(bundle: &Bundle, rendered: &[RenderedPage]) -> Self {
        let is_loaded = |page: &RenderedPage, chunk: usize| {
            bundle.chunks.get(chunk).is_some_and(|chunk| page.scripts.contains(&chunk.file_name))
        };
        let parts = rendered.iter().map(|page| {
            let loaded = bundle.lazy.iter().filter(|(_, module)| is_loaded(page, module.chunk));
            (page.path.clone(), loaded.map(|(name, _)| name.clone()).collect())
        });
        Self(parts.collect())
    }

    fn of_page(&self, path: &str) -> &[String] {
        self.0.get(path).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Looks up what pages need. A component of `None` stands for the not-found page of a site that has no own.
#[derive(Clone, Copy)]
pub(super) struct Needed<'a> {
    /// The portal whose pages they are.
    pub(super) site: &'a Site,
    /// Its scripts and style sheets.
    pub(super) bundle: &'a Bundle,
    /// What was loaded while the pages were rendered.
    pub(super) lazy: &'a LazyParts,
}

impl<'a> Needed<'a> {
    /// The chunks that the page of `component` needs before it shows, in the order in which they run.
    pub(super) fn chunks(self, component: Option<&Path>) -> Vec<&'a Chunk> {
        let module = self.bundle.lazy.get(self.site.module_name(component));
        self.loaded(module)
    }

    /// The same, and those of the lazy parts that were rendered with the page at `path`.
    pub(super) fn rendered_chunks(self, component: Option<&Path>, path: &str) -> Vec<&'a Chunk> {
        self.loaded(self.modules(component, path))
    }

    /// The style sheets of the page at `path`, in the order of their rules: those of its component and of the lazy parts
    /// that were rendered with it.
    pub(super) fn sheets(self, component: Option<&Path>, path: &str) -> Vec<&'a str> {
        let of_modules = self.modules(component, path).flat_map(|module| &module.styles);
        let wanted: BTreeSet<&String> = self.bundle.entry_styles.iter().flatten().chain(of_modules).collect();
        self.bundle.style_sheets.iter().filter(|sheet| wanted.contains(sheet)).map(String::as_str).collect()
    }

    /// For each page, by the path of its route, what it loads before it works.
    pub(super) fn page_files(self) -> BTreeMap<String, PageFiles> {
        let of_pages = self.site.pages().map(|(route, component)| {
            let path = route.path.as_str();
            let chunks = self.chunks(Some(component)).into_iter();
            let files = PageFiles {
                scripts: chunks.map(|chunk| chunk.file_name.clone()).collect(),
                style_sheets: self.sheets(Some(component), path).into_iter().map(str::to_owned).collect(),
            };
            (path.to_owned(), files)
        });
        of_pages.collect()
    }

    /// The day on which each page was last changed, as far as the history of its sources tells.
    pub(super) fn last_changes(self, history: &History) -> BTreeMap<RoutePath, Date> {
        let in_every_page: BTreeSet<&str> = self.loaded(None).into_iter().flat_map(modules_of).collect();
        let pages = self.site.pages().map(|(route, component)| {
            let chunks = self.rendered_chunks(Some(component), route.path.as_str());
            let modules = chunks
                .into_iter()
                .flat_map(modules_of)
                .filter(|name| portalgen_bundle::is_of_site(name) && !in_every_page.contains(name));
            PageSources { route, modules: modules.map(portalgen_bundle::file_of).collect() }
        });
        history.last_changes(&self.site.portal, &pages.collect::<Vec<_>>())
    }

    /// The module of a page, and the lazy parts that were rendered with it.
    fn modules(self, component: Option<&Path>, path: &str) -> impl Iterator<Item = &'a LazyModule> {
        let lazy = self.lazy.of_page(path).iter().map(String::as_str);
        let names = std::iter::once(self.site.module_name(component)).chain(lazy);
        names.filter_map(|name| self.bundle.lazy.get(name))
    }

    /// The chunks of the entry and of `modules`, in the order in which they run.
    fn loaded(self, modules: impl IntoIterator<Item = &'a LazyModule>) -> Vec<&'a Chunk> {
        let starts = self.bundle.entries.iter().copied().chain(modules.into_iter().map(|module| module.chunk));
        let mut order = Vec::new();
        for chunk in starts.flat_map(|start| self.bundle.loading_order(start)) {
            if !order.contains(&chunk) {
                order.push(chunk);
            }
        }
        order.into_iter().filter_map(|chunk| self.bundle.chunks.get(chunk)).collect()
    }
}

fn modules_of(chunk: &Chunk) -> impl Iterator<Item = &str> {
    chunk.modules.iter().map(String::as_str)
}
