//! What comes out of the bundler.

pub(crate) mod bytes;
mod kept;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    packages,
};

use crate::{
    asset::{self, Asset},
    names::{is_vendor, is_virtual},
    options::SourceMapForm,
    positions::Positions,
    walk::{postorder, shortest_path},
};

/// What came out.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Bundle {
    /// Files of code. Chunks refer to each other by index.
    pub chunks: Vec<Chunk>,
    /// Style sheets and the files that code and sheets refer to, by name.
    pub assets: Vec<Asset>,
    /// For each entry, its chunk.
    pub entries: Vec<usize>,
    /// All style sheets in the one order that every document keeps: paths in the output.
    pub style_sheets: Vec<Arc<str>>,
    /// For each style sheet, its place among all: rules of a sheet with a higher one come later. It does not depend on how many
    /// others there are.
    pub sheet_places: Vec<usize>,
    /// For each entry, its style sheets in the order of their rules: paths in the output.
    pub entry_styles: Vec<Vec<Arc<str>>>,
    /// The modules that are lazy entries or targets of `import()`, by name.
    pub lazy: BTreeMap<Arc<str>, LazyModule>,
    /// For each CSS module of the site, by its path relative to the project, declarations of its exports in TypeScript.
    pub css_module_types: BTreeMap<String, String>,
    /// Modules that throw in the place of ones which only an `import()` asks for and which cannot be loaded for
    /// [`Platform::Prerender`](crate::Platform::Prerender): by their names, with what is wrong.
    #[serde(with = "kept::named_diagnostics")]
    pub set_aside: BTreeMap<String, Diagnostic>,
    /// Every module of the graph, those of which nothing is left among them.
    pub modules: Vec<ModuleInfo>,
    /// The names of the virtual modules that it was made of, those of its workers included.
    pub virtual_modules: BTreeSet<Arc<str>>,
    /// What should be looked at.
    #[serde(with = "kept::diagnostics")]
    pub warnings: Vec<Diagnostic>,
}

impl Bundle {
    /// The path in the output of the first entry's script. Empty if nothing was asked for.
    pub fn entry_file(&self) -> &str {
        let entry = self.entries.first().and_then(|entry| self.chunks.get(*entry));
        entry.map(|chunk| &*chunk.file_name).unwrap_or_default()
    }

    /// The path in the output of the script that is loaded for a lazy module, by the name of that.
    pub fn lazy_file(&self, module: &str) -> Option<&str> {
        let chunk = self.chunks.get(self.lazy.get(module)?.chunk)?;
        Some(&chunk.file_name)
    }

    /// The shortest way from a module of the site to a module of a package: the modules on it, or of packages their names.
    /// Empty, if there is none or the module is the site's own.
    pub fn import_chain(&self, module: &str) -> Vec<String> {
        if !is_vendor(module) {
            return Vec::new();
        }
        let importers = self.importers();
        let importers_of = |name| importers.get(name).into_iter().flatten().copied();
        let back = shortest_path(module, importers_of, |name| !is_vendor(name)).unwrap_or_default();
        let along = back.into_iter().rev().map(|name| packages::package_of(name).unwrap_or(name).to_owned());
        let mut chain: Vec<String> = along.collect();
        chain.dedup();
        chain
    }

    /// The shortest way from a module that is loaded by itself, such as a page, to one of the site: the modules on it. Empty, if
    /// there is none.
    pub fn loading_chain(&self, module: &str) -> Vec<String> {
        let importers = self.importers();
        let importers_of = |name| importers.get(name).into_iter().flatten().copied();
        let back = shortest_path(module, importers_of, |name| self.lazy.contains_key(name)).unwrap_or_default();
        back.into_iter().rev().map(ToOwned::to_owned).collect()
    }

    /// The modules of the site and of packages that import each module, by their names.
    fn importers(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut importers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for importer in self.modules.iter().filter(|importer| !is_virtual(&importer.name)) {
            for target in importer.imports.iter().filter_map(|import| import.target) {
                importers.entry(&self.modules[target].name).or_default().push(&importer.name);
            }
        }
        importers
    }

    /// Where the variable that emitted code calls `name` is declared, if that is in one module other than `reader`. Always
    /// `None` without [`SourceMaps::Lookup`].
    pub fn declaration(&self, name: &str, reader: &str) -> Option<Place> {
        let found = self.chunks.iter().filter_map(|chunk| chunk.positions.declaration(name));
        let mut found = found.filter(|place| place.source.name != reader && !is_virtual(&place.source.name));
        found.next().filter(|_| found.next().is_none())
    }

    /// The shortest way from a module to another one along static imports, both included.
    pub fn import_path(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let graph = ImportGraph::of(self);
        let imports_of = |name| graph.by_name.get(name).into_iter().flat_map(|module| graph.imports(module));
        let path = shortest_path(from, imports_of, |name| name == to)?;
        Some(path.into_iter().map(ToOwned::to_owned).collect())
    }

    /// The chunks that run when `chunk` is loaded, itself last.
    pub fn loading_order(&self, chunk: usize) -> Vec<usize> {
        postorder(&[chunk], |chunk| &self.chunks[chunk].imports)
    }
}

/// Static imports among the modules of a bundle, of which some code is left.
pub struct ImportGraph<'a> {
    modules: &'a [ModuleInfo],
    by_name: BTreeMap<&'a str, &'a ModuleInfo>,
}

impl<'a> ImportGraph<'a> {
    /// The graph of a bundle.
    pub fn of(bundle: &'a Bundle) -> Self {
        let modules = &*bundle.modules;
        Self { modules, by_name: modules.iter().map(|module| (&*module.name, module)).collect() }
    }

    /// The modules that are loaded with one.
    fn imports(&self, module: &'a ModuleInfo) -> impl Iterator<Item = &'a str> {
        let modules = self.modules;
        let imports = module.imports.iter().filter(|import| import.kind != ModuleImportKind::Dynamic);
        imports.filter_map(|import| import.target).map(|target| &*modules[target].name)
    }

    /// The modules that `starts` lead to, themselves included, in order; those of `known` and what these lead to left out.
    pub fn reach(&self, starts: impl IntoIterator<Item = &'a str>, known: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
        let mut reached = BTreeSet::new();
        let mut stack: Vec<&str> = starts.into_iter().collect();
        while let Some(name) = stack.pop() {
            let Some(module) = self.by_name.get(name).filter(|_| !known.contains(name)) else { continue };
            if reached.insert(name) {
                stack.extend(self.imports(module));
            }
        }
        reached.retain(|name| self.by_name[name].chunk.is_some());
        reached
    }
}

/// A file of code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// Path in the output: `assets/vendor-3k2j9x0q.js`.
    pub file_name: Arc<str>,
    /// An ES module.
    pub code: Arc<str>,
    /// A source map in its version 3, as JSON, if [`SourceMaps::File`] was asked for.
    pub source_map: Option<Arc<str>>,
    /// Paths of the chunk's style sheets in the output. Which ones a page needs in which order is said by
    /// [`Bundle::entry_styles`] and [`LazyModule::styles`].
    pub stylesheets: Vec<Arc<str>>,
    /// Chunks that must run before this one, in order.
    pub imports: Vec<usize>,
    /// Names of the modules inside, in the order in which they run.
    pub modules: Vec<Arc<str>>,
    /// For each of them, how many bytes of its source are left: what nothing needs is not counted.
    pub module_bytes: Vec<usize>,
    /// Chunks that this one may load later, in no particular order.
    pub lazy_imports: Vec<usize>,
    pub(crate) positions: Positions,
}

impl Chunk {
    /// The files to write for the chunk, with their output paths: its code, and its source map in the given form.
    pub fn files(&self, form: Option<SourceMapForm>) -> Vec<(String, Arc<str>)> {
        let mut code = Arc::clone(&self.code);
        let mut files = Vec::new();
        if let (Some(form), Some(map)) = (form, &self.source_map) {
            let name = format!("{}.map", self.file_name);
            let url = match form {
                SourceMapForm::Linked => Some(asset::base_name(&name).to_owned()),
                SourceMapForm::Hidden => None,
                SourceMapForm::Inline => Some(asset::data_url("application/json", map.as_bytes())),
            };
            if let Some(url) = url {
                code = format!("{code}\n//# sourceMappingURL={url}\n").into();
            }
            if form != SourceMapForm::Inline {
                files.push((name, map.clone()));
            }
        }
        files.push((self.file_name.to_string(), code));
        files
    }

    /// Where the code at a line and column came from; both are counted from 0, the column in UTF-16 units.
    ///
    /// Always `None` without [`SourceMaps`].
    pub fn locate(&self, line: u32, column: u32) -> Option<Place> {
        self.positions.locate(line, column)
    }
}

/// A module that is loaded when it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LazyModule {
    /// The chunk that holds it.
    pub chunk: usize,
    /// The style sheets that it brings along, in the order of their rules: paths in the output. Empty unless the code is
    /// for browsers.
    pub styles: Vec<Arc<str>>,
}

/// A module of the graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleInfo {
    /// Path relative to the project, or what stands for one.
    pub name: Arc<str>,
    /// Size of its source text.
    pub bytes: usize,
    /// Whether it is CommonJS.
    pub is_common_js: bool,
    /// Whether it is external: imported by the output.
    pub is_external: bool,
    /// What it asks for.
    pub imports: Vec<ModuleImport>,
    /// The chunk that holds what is left of it.
    pub chunk: Option<usize>,
}

/// What a module asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleImport {
    /// As the module writes it.
    pub specifier: Arc<str>,
    /// How it asks.
    pub kind: ModuleImportKind,
    /// The module that this leads to, by its place in [`Bundle::modules`].
    pub target: Option<usize>,
}

/// How a module asks for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ModuleImportKind {
    /// `import … from` and `export … from`
    Static,
    /// `import(…)`
    Dynamic,
    /// `require(…)`
    Require,
}
