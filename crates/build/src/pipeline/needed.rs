//! Which parts of the bundle for browsers each page needs.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use portalgen_base::date::Date;
use portalgen_bundle::{Bundle, Chunk, ImportGraph, LazyModule};
use portalgen_engine::RenderedPage;
use portalgen_portal::{
    RoutePath,
    history::{History, PageSources},
};
use portalgen_release::manifest::PageFiles;

use super::expand::Site;
use crate::runtime;

/// The modules that `import()` brought while each page was rendered.
#[derive(Default)]
pub struct LazyParts(BTreeMap<String, Vec<String>>);

impl LazyParts {
    /// Those of pages that were rendered by a bundle for the engine.
    pub fn of(bundle: &Bundle, rendered: &[RenderedPage]) -> Self {
        let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, module) in &bundle.lazy {
            if let Some(chunk) = bundle.chunks.get(module.chunk) {
                modules.entry(&chunk.file_name).or_default().push(name);
            }
        }
        let parts = rendered.iter().map(|page| {
            let loaded = page.scripts.iter().filter_map(|script| modules.get(&**script)).flatten();
            let loaded: BTreeSet<&str> = loaded.copied().collect();
            (page.path.clone(), loaded.into_iter().map(str::to_owned).collect())
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
    /// The style sheets of the bundle.
    pub(super) sheets: &'a SheetNumbers<'a>,
}

/// The style sheets of a bundle by their paths in the output, each with its number in the order of their rules: a page has few of
/// many.
pub(super) struct SheetNumbers<'a>(BTreeMap<&'a str, usize>);

impl<'a> SheetNumbers<'a> {
    pub(super) fn of(bundle: &'a Bundle) -> Self {
        Self(bundle.style_sheets.iter().enumerate().map(|(number, sheet)| (&**sheet, number)).collect())
    }

    /// The numbers of some sheets, in order and each once.
    fn sorted(&self, sheets: impl Iterator<Item = &'a Arc<str>>) -> BTreeSet<usize> {
        sheets.filter_map(|sheet| self.0.get(&**sheet).copied()).collect()
    }
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
    pub(super) fn sheets(self, component: Option<&Path>, path: &str) -> Vec<&'a Arc<str>> {
        let of_modules = self.modules(component, path).flat_map(|module| &module.styles);
        let wanted = self.sheets.sorted(self.bundle.entry_styles.iter().flatten().chain(of_modules));
        wanted.into_iter().map(|number| &self.bundle.style_sheets[number]).collect()
    }

    /// What the page of `component` is made of besides what all pages have, for the code that loads it.
    pub(super) fn own_files(self, component: Option<&Path>) -> OwnFiles<'a> {
        let name = self.site.module_name(component);
        let module = self.bundle.lazy.get(name);
        let script = self.bundle.lazy_file(name).unwrap_or_default();
        // What all pages have comes first.
        let imports = self.loaded(module).into_iter().skip(self.loaded(None).len());
        let imports = imports.map(|chunk| &*chunk.file_name).filter(|file| *file != script);
        let styles = self.sheets.sorted(module.into_iter().flat_map(|module| &module.styles)).into_iter();
        let Bundle { style_sheets, sheet_places, .. } = self.bundle;
        let styles = styles.map(|number| (&*style_sheets[number], sheet_places[number]));
        OwnFiles { script, imports: imports.collect(), styles: styles.collect() }
    }

    /// Scripts and style sheets that every page has.
    pub(super) fn files_of_all(self) -> impl Iterator<Item = &'a str> {
        let scripts = self.loaded(None).into_iter().map(|chunk| &*chunk.file_name);
        scripts.chain(self.bundle.entry_styles.iter().flatten().map(|sheet| &**sheet))
    }

    /// Scripts and style sheets that code of the site loads with `import()`, wherever that is.
    pub(super) fn files_of_parts(self) -> BTreeSet<&'a str> {
        let Self { site, bundle, .. } = self;
        let pages: BTreeSet<&str> = site.modules_of_pages().collect();
        let parts = bundle.lazy.iter().filter(|(name, _)| !pages.contains(&***name)).map(|(_, module)| module);
        let parts: Vec<&LazyModule> = parts.collect();
        let scripts = self.loaded(parts.iter().copied()).into_iter().map(|chunk| &*chunk.file_name);
        scripts.chain(parts.iter().flat_map(|module| module.styles.iter().map(|sheet| &**sheet))).collect()
    }

    /// For each page, by the path of its route, what it loads before it works.
    pub(super) fn page_files(self) -> BTreeMap<&'a str, PageFiles> {
        let of_pages = self.site.pages().map(|(route, component)| {
            let path = route.path.as_str();
            let chunks = self.chunks(Some(component)).into_iter();
            let files = PageFiles {
                scripts: chunks.map(|chunk| chunk.file_name.clone()).collect(),
                style_sheets: self.sheets(Some(component), path).into_iter().cloned().collect(),
            };
            (path, files)
        });
        of_pages.collect()
    }

    /// The day on which each page was last changed, as far as the history of its sources tells.
    pub(super) fn last_changes(self, history: &History) -> BTreeMap<RoutePath, Date> {
        // By imports and not by chunks, since small modules of some pages are in chunks that all pages load.
        let graph = ImportGraph::of(self.bundle);
        let in_every_page = graph.reach([runtime::BROWSER], &BTreeSet::new());
        let pages = self.site.pages().map(|(route, component)| {
            let lazy = self.lazy.of_page(route.path.as_str()).iter().map(String::as_str);
            let starts = std::iter::once(self.site.module_name(Some(component))).chain(lazy);
            let modules =
                graph.reach(starts, &in_every_page).into_iter().filter(|name| portalgen_bundle::is_of_site(name));
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

/// What a page is made of besides what all pages have: paths in the output.
pub(super) struct OwnFiles<'a> {
    pub(super) script: &'a str,
    /// The scripts that it imports, in the order in which they run.
    pub(super) imports: Vec<&'a str>,
    /// Its style sheets, with their places among all, in order.
    pub(super) styles: Vec<(&'a str, usize)>,
}
