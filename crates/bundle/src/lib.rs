//! The bundler: entries and what they import, to chunks, style sheets and assets with content-hashed names.
//!
//! Begin with [`bundle`] and [`Options`], then read `module.rs`: the data that all steps work on. There are four steps, each with
//! files of its own.
//!
//! | Step | Where | What happens |
//! | --- | --- | --- |
//! | load | `graph`, `load/` | every module is found, read and parsed; files that code addresses, and the bundles of workers, are made |
//! | | `lower/` | types, JSX, decorators and `using` go, and scripts become what an ES module may hold |
//! | | `scopes` | names are told apart by the variables that they mean: what swc's resolver does, and what it misses in the cases of a `switch` |
//! | | `analyze/` | early errors are told, constants are folded, and scripts reduced to what a module asks for, what it exports, and for each top-level statement what that declares, uses and does |
//! | | `css/` | style sheets are parsed as browsers take them, and become modules that import each other; what Lightning CSS would give another meaning passes through it as written |
//! | link | `link/` | imported names become the variables behind them, through re-exports, stars and CommonJS |
//! | chunk | `chunk/`: `tree_shaking`, `used_exports`, `references`, `included` | statements that nothing needs are dropped, and parts of CommonJS modules that nothing asks for |
//! | | `dependencies`, `reachability`, `vendor`, `divide`, `cross_chunk`, `css_order` | modules are assigned to chunks (code splitting); their imports from each other are computed, and the order of style sheets |
//! | | `exec_order`, `cycles`, `order_sensitive`, `wrap`, `init_calls`, `run`, `top_level_await` | what would run too soon, because its chunk is loaded before its turn, is wrapped |
//! | emit | `emit/` | statements are rewritten, joined, minified (`minify/`) and printed, chunk by chunk; then files get their names |
//!
//! Link and chunk never look at a syntax tree. What the bundler adds to a program is kept in `runtime/helpers.js`, a module of the
//! graph like any other, so a chunk that needs no helper has none. Of the engine it asks one thing, through
//! [`Options::regex_judge`]: what that makes of a regular expression.
//!
//! # Closed chunks
//!
//! A name that a chunk neither declares nor imports would show only in a browser, as a page that stays empty. So every chunk is
//! checked before it is minified (`emit/closed`): each free name is a global that one of its modules names, each needed variable
//! comes from a chunk that is imported, and what is imported is exported there. Anything else is a fault of portalgen and ends the
//! build. The resolver of the minifier has done most of this work anyway.
//!
//! # Order
//!
//! Within a chunk, modules run in the order of the language. Across chunks that is not enough: a shared chunk is loaded before
//! those that load it, and `require` and `import()` run modules when they are called. `wrap` simulates how each entry loads, and
//! wraps every module that would run too soon: its code becomes a function `init_x`, which its importers call where their own
//! evaluation begins (`init_calls` finds in which order). Modules that only declare functions and constants are never wrapped, nor
//! are those of packages without side effects, unless what they import is, or entries come into an import cycle at different
//! places: then each of them has its own order for the members of that cycle, which may read each other. `order_sensitive` finds
//! the modules that do nothing but decide about the order of others, and `top_level_await` those with a top-level `await` beside
//! which others go on: what several of them are started for waits for all at once.
//!
//! What does not hold: an entry need not run a module that only looks at what others have changed as long as nothing of the entry
//! needs it, so it may run later than in the language. If a lazy chunk fails while it is evaluated, so does every chunk that takes
//! code from it, and of a cycle of wrapped modules those that had run before the failure count as evaluated. A namespace shows its
//! exports as getters, since a `Proxy` would make every read slower, and a function that is called as `namespace.f()` gets no
//! `this`, since that would keep all other exports of its module.
//!
//! # Cache
//!
//! Minifying is most of the work, so its results are kept for the next build, by the code they were made from and by the version
//! of the minifier. A chunk's code counts the chunks that it names by itself, so a page more or less leaves the others' results as
//! they are.

mod analyze;
mod build;
mod callee;
mod chunk;
mod css;
mod emit;
mod graph;
mod link;
mod load;
mod lower;
mod module;
mod scopes;
mod vars;

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    path::PathBuf,
    sync::Arc,
};

use swc_core::atoms::Atom;

use portalgen_base::{
    cache::ResultCache,
    diagnostic::{Diagnostic, Place},
    packages,
    source::Sources,
    timing::{Clock, Timing},
};

pub use self::css::is_declarations;
pub use self::load::asset::{Asset, is_named_after};
use self::{
    analyze::fold::Defines,
    chunk::{
        css_order::{CssOrder, SheetFile},
        exec_order::loading_order,
        plan::{ChunkGraph, ChunkId, ChunkOutline},
    },
    css::sheet,
    emit::positions::Positions,
    graph::ModuleGraph,
    link::Links,
    load::{asset, parse, resolve},
    module::{Format, ModuleId, Request, RequestKind},
};

/// Where the code will run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// In a visitor's browser.
    Browser,
    /// In the embedded engine, while the site is built.
    Prerender,
    /// In Node.js, whose own modules stay outside.
    Node,
    /// Anywhere: nothing is taken for granted.
    Neutral,
}

/// How files are named, and how code refers to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In `assets/`, every file named by its content; addresses of assets start with the base.
    #[default]
    Site,
    /// In one folder that may lie anywhere. The file of an entry is named like the entry; addresses of assets are
    /// relative to the files that mention them.
    Flat,
}

impl Layout {
    /// What the output path of a file begins with.
    fn prefix(self) -> &'static str {
        match self {
            Self::Site => "assets/",
            Self::Flat => "",
        }
    }
}

/// Which of a package's builds is taken, and what `process.env.NODE_ENV` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Small and fast.
    #[default]
    Production,
    /// With React's warnings.
    Development,
}

impl Mode {
    fn is_development(self) -> bool {
        self == Self::Development
    }

    /// The value of `process.env.NODE_ENV`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Development => "development",
        }
    }
}

/// What is kept of where code came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SourceMaps {
    /// Nothing.
    #[default]
    None,
    /// Enough for [`Chunk::locate`].
    Lookup,
    /// That, and the text of a source map file.
    File,
}

/// How a source map comes to those who want it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceMapForm {
    /// In a file beside the script, which names it.
    Linked,
    /// In a file that nothing names, to be kept from visitors.
    Hidden,
    /// Inside the script.
    Inline,
}

/// What the engine that prerenders makes of a regular expression literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegexSupport {
    /// Its parser takes the literal.
    Literal,
    /// Its parser does not, and browsers may: the constructor has to be called, which makes the expression or throws
    /// where it is used.
    Constructor,
    /// No engine takes it, for this reason.
    Invalid(String),
}

/// Judges a regular expression literal by its pattern and its flags. swc does not read patterns, and one that is invalid
/// would keep a whole chunk from running.
pub type RegexJudge = fn(pattern: &str, flags: &str) -> RegexSupport;

/// How to bundle.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct Options {
    /// The project's folder; names in messages and source maps are relative to it.
    pub root: PathBuf,
    /// The folder of the site's sources, with `tsconfig.json` and `node_modules`.
    pub folder: PathBuf,
    /// Where the code will run.
    pub platform: Platform,
    /// Production or development.
    pub mode: Mode,
    /// Compress and shorten scripts.
    pub minify: bool,
    /// Compress style sheets. What code gets of them as text must be the same in browsers and in the engine.
    pub minify_sheets: bool,
    /// Source maps.
    pub source_maps: SourceMaps,
    /// The URL path that the output is served under, with a slash at both ends: `/` or `/app/`.
    pub base: String,
    /// How files are named.
    pub layout: Layout,
    /// Packages, with everything below them, and other specifiers that stay imports.
    pub external: Vec<String>,
    /// Conditions of `exports` and `imports` in package.json, besides those of the platform and the mode.
    pub conditions: Vec<String>,
    /// Constants that code asks for by a dotted name, such as `process.env.API`, and their values.
    pub defines: Vec<(String, Define)>,
    /// What `import.meta.env` has besides `MODE` and its like.
    pub env: BTreeMap<String, String>,
    /// Whether documents have an import map with the hashes of scripts and style sheets, to check them by.
    pub integrity: bool,
    /// Whether what an `import()` loads is asked for once more when that fails, as networks do.
    pub retries: bool,
    /// What to make of regular expressions.
    pub regex_judge: RegexJudge,
    /// What the minifier made of code in earlier builds, and where to keep what it makes now.
    pub minified: Option<Arc<ResultCache>>,
    /// The scripts of the workers that this bundle is part of, outermost first. Empty unless the bundler calls itself.
    pub workers: Vec<PathBuf>,
}

/// What a constant stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// A value.
    Value(serde_json::Value),
    /// Another name: `globalThis`.
    Name(String),
    /// No value.
    Undefined,
}

impl Options {
    /// Options for code of `folder` in the project `root`; everything else is as a site in production has it.
    pub fn new(root: impl Into<PathBuf>, folder: impl Into<PathBuf>, platform: Platform) -> Self {
        Self {
            root: root.into(),
            folder: folder.into(),
            platform,
            mode: Mode::Production,
            minify: false,
            minify_sheets: false,
            source_maps: SourceMaps::None,
            base: "/".to_owned(),
            layout: Layout::Site,
            external: Vec::new(),
            conditions: Vec::new(),
            defines: Vec::new(),
            env: BTreeMap::new(),
            integrity: false,
            retries: false,
            regex_judge: |_, _| RegexSupport::Literal,
            minified: None,
            workers: Vec::new(),
        }
    }

    fn defines(&self) -> Defines {
        let mut defines = vec![("process.env.NODE_ENV".to_owned(), Define::Value(self.mode.name().into()))];
        defines.push(("import.meta.hot".to_owned(), Define::Undefined));
        if self.platform != Platform::Node {
            // Node's name, which many packages use.
            defines.push(("global".to_owned(), Define::Name("globalThis".to_owned())));
        }
        let env: serde_json::Map<_, _> = self.import_meta_env().collect();
        for (name, value) in &env {
            defines.push((format!("import.meta.env.{name}"), Define::Value(value.clone())));
        }
        defines.push(("import.meta.env".to_owned(), Define::Value(env.into())));
        defines.extend(self.defines.iter().cloned());
        defines.into_iter().collect()
    }

    fn import_meta_env(&self) -> impl Iterator<Item = (String, serde_json::Value)> {
        let own = [
            ("MODE", self.mode.name().into()),
            ("PROD", (!self.mode.is_development()).into()),
            ("DEV", self.mode.is_development().into()),
            ("SSR", (self.platform == Platform::Prerender).into()),
            ("BASE_URL", self.base.as_str().into()),
            ("INTEGRITY", self.integrity.into()),
        ];
        let given = self.env.iter().map(|(name, value)| (name.clone(), value.as_str().into()));
        given.chain(own.map(|(name, value)| (name.to_owned(), value)))
    }
}

/// A module that the output is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Readable part of its file's name.
    pub name: String,
    /// What to import, as a module in [`Options::folder`] would write it.
    pub module: String,
}

/// A module whose text comes from the caller.
///
/// Its evaluation must neither change what modules in files see nor depend on what they have changed: it may run before
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VirtualModule {
    /// Source text: TSX.
    pub text: String,
    /// The folder from which its imports are resolved.
    pub folder: PathBuf,
}

/// What came out.
#[derive(Debug, Default)]
pub struct Bundle {
    /// Files of code. Chunks refer to each other by index.
    pub chunks: Vec<Chunk>,
    /// Style sheets and the files that code and sheets refer to, by name.
    pub assets: Vec<Asset>,
    /// For each entry, its chunk.
    pub entries: Vec<usize>,
    /// All style sheets in the one order that every document keeps: paths in the output.
    pub style_sheets: Vec<String>,
    /// For each entry, its style sheets in the order of their rules: paths in the output.
    pub entry_styles: Vec<Vec<String>>,
    /// The modules that are targets of `import()`, by name.
    pub lazy: BTreeMap<String, LazyModule>,
    /// For each CSS module of the site, by its path relative to the project, declarations of its exports in TypeScript.
    pub css_module_types: BTreeMap<String, String>,
    /// Every module of the graph, those of which nothing is left among them.
    pub modules: Vec<ModuleInfo>,
    /// What should be looked at.
    pub warnings: Vec<Diagnostic>,
    /// How long each step took.
    pub timings: Vec<Timing>,
}

/// A module of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleInfo {
    /// Path relative to the project, or what stands for one.
    pub name: String,
    /// Size of its source text.
    pub bytes: usize,
    /// Whether it is CommonJS.
    pub is_common_js: bool,
    /// Whether it stays outside.
    pub is_external: bool,
    /// What it asks for: as it writes it, how, and the name of the module that this leads to.
    pub imports: Vec<(String, ImportKind, Option<String>)>,
    /// The chunk that holds what is left of it.
    pub chunk: Option<usize>,
}

/// How a module asks for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    /// `import … from` and `export … from`
    Static,
    /// `import(…)`
    Dynamic,
    /// `require(…)`
    Require,
}

/// A module that is loaded when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LazyModule {
    /// The chunk that holds it.
    pub chunk: usize,
    /// Whether it has a default export; a CommonJS module always does.
    pub has_default: bool,
    /// The style sheets that it brings along, in the order of their rules: paths in the output. Empty unless the code is
    /// for browsers.
    pub styles: Vec<String>,
}

/// A file of code.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Path in the output: `assets/vendor-3k2j9x0q.js`.
    pub file_name: String,
    /// An ES module.
    pub code: String,
    /// A source map in its version 3, as JSON, if [`SourceMaps::File`] was asked for.
    pub source_map: Option<String>,
    /// Paths of the chunk's style sheets in the output. Which ones a page needs in which order is said by
    /// [`Bundle::entry_styles`] and [`LazyModule::styles`].
    pub stylesheets: Vec<String>,
    /// Chunks that must run before this one, in order.
    pub imports: Vec<usize>,
    /// Names of the modules inside, in the order in which they run.
    pub modules: Vec<String>,
    /// For each of them, how many bytes of its source are left: what nothing needs is not counted.
    pub module_bytes: Vec<usize>,
    /// Chunks that this one may load later, in no particular order.
    pub lazy_imports: Vec<usize>,
    positions: Positions,
}

impl Chunk {
    /// The files to write for the chunk, with their output paths: its code, and its source map in the given form.
    pub fn files(&self, form: Option<SourceMapForm>) -> Vec<(String, String)> {
        let mut code = self.code.clone();
        let mut files = Vec::new();
        if let (Some(form), Some(map)) = (form, &self.source_map) {
            let name = format!("{}.map", self.file_name);
            let url = match form {
                SourceMapForm::Linked => Some(asset::base_name(&name).to_owned()),
                SourceMapForm::Hidden => None,
                SourceMapForm::Inline => Some(asset::data_url("application/json", map.as_bytes())),
            };
            if let Some(url) = url {
                let _ = write!(code, "\n//# sourceMappingURL={url}\n");
            }
            if form != SourceMapForm::Inline {
                files.push((name, map.clone()));
            }
        }
        files.push((self.file_name.clone(), code));
        files
    }

    /// Where the code at a line and column came from; both are counted from 0, the column in UTF-16 units.
    ///
    /// Always `None` without [`SourceMaps`].
    pub fn locate(&self, line: u32, column: u32) -> Option<Place> {
        self.positions.locate(line, column)
    }
}

impl Bundle {
    /// The shortest way from a module of the site to a module of a package: the modules on it, or of packages their names.
    /// Empty, if there is none or the module is the site's own.
    pub fn import_chain(&self, module: &str) -> Vec<String> {
        let mut importers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for importer in self.modules.iter().filter(|importer| !is_virtual(&importer.name)) {
            for (_, _, target) in &importer.imports {
                importers.entry(target.as_deref().unwrap_or_default()).or_default().push(&importer.name);
            }
        }
        let mut next: BTreeMap<&str, Option<&str>> = BTreeMap::from([(module, None)]);
        let mut queue = VecDeque::from([module]);
        while let Some(reached) = queue.pop_front().filter(|_| load::is_vendor(module)) {
            if !load::is_vendor(reached) {
                let along = std::iter::successors(Some(reached), |step| next.get(step).copied().flatten());
                let mut chain: Vec<String> =
                    along.map(|name| packages::package_of(name).unwrap_or(name).to_owned()).collect();
                chain.dedup();
                return chain;
            }
            for importer in importers.get(reached).into_iter().flatten() {
                if !next.contains_key(importer) {
                    next.insert(importer, Some(reached));
                    queue.push_back(importer);
                }
            }
        }
        Vec::new()
    }

    /// Where the variable that emitted code calls `name` is declared, if that is in one module other than `reader`. Always
    /// `None` without [`SourceMaps`].
    pub fn declaration(&self, name: &str, reader: &str) -> Option<Place> {
        let declares = |line: &str, keyword: &str| {
            let at = line.find(&format!("{keyword} {name}"))? + keyword.len() + 1;
            let is_whole = line[at + name.len()..].starts_with([' ', ';', '=', ',', '{']);
            (is_whole && !line.starts_with(char::is_whitespace)).then_some(at)
        };
        let found = self.chunks.iter().flat_map(|chunk| {
            chunk.code.lines().enumerate().filter_map(move |(number, line)| {
                let at = ["let", "const", "class", "var"].iter().find_map(|keyword| declares(line, keyword))?;
                let column = line[..at].encode_utf16().count();
                chunk.locate(u32::try_from(number).ok()?, u32::try_from(column).ok()?)
            })
        });
        let mut found = found.filter(|place| place.source.name != reader && !is_virtual(&place.source.name));
        found.next().filter(|_| found.next().is_none())
    }

    /// The shortest way from a module to another one along static imports, both included.
    pub fn import_path(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let modules: BTreeMap<&str, &ModuleInfo> =
            self.modules.iter().map(|module| (module.name.as_str(), module)).collect();
        let mut came_from: BTreeMap<&str, Option<&str>> = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(reached) = queue.pop_front() {
            if reached == to {
                let back = std::iter::successors(Some(reached), |step| came_from.get(step).copied().flatten());
                let mut path: Vec<String> = back.map(ToOwned::to_owned).collect();
                path.reverse();
                return Some(path);
            }
            let imports = modules.get(reached).into_iter().flat_map(|module| &module.imports);
            for (_, _, target) in imports.filter(|(_, kind, _)| *kind != ImportKind::Dynamic) {
                let Some(target) = target.as_deref().filter(|target| !came_from.contains_key(target)) else { continue };
                came_from.insert(target, Some(reached));
                queue.push_back(target);
            }
        }
        None
    }

    /// The chunks that run when `chunk` is loaded, itself last.
    pub fn loading_order(&self, chunk: usize) -> Vec<usize> {
        let requires: Vec<Vec<ChunkId>> =
            self.chunks.iter().map(|chunk| chunk.imports.iter().map(|index| ChunkId(*index)).collect()).collect();
        loading_order(&[ChunkId(chunk)], |chunk| &requires[chunk.0]).into_iter().map(|chunk| chunk.0).collect()
    }
}

/// Bundles `entries`.
///
/// # Errors
/// Everything wrong with the sources: files that cannot be read, syntax errors, specifiers that lead nowhere,
/// imports of names that do not exist. Or a fault of portalgen, if the chunks that it made would not run.
pub fn bundle(
    sources: &Arc<dyn Sources>,
    options: &Options,
    entries: &[Entry],
    virtual_modules: &BTreeMap<String, VirtualModule>,
) -> Result<Bundle, Vec<Diagnostic>> {
    let clock = Clock::default();
    let mut graph = clock.time("load", || graph::load(sources, options, entries, virtual_modules))?;
    let (links, mut warnings) = clock.time("link", || link::link(&graph))?;
    link::settle_calls(&mut graph, &links);
    let plan = clock.time("chunk", || chunk::chunk(&graph, &links, entries, options));
    let css_order = clock.time("cascade", || CssOrder::new(&graph, &plan));

    let (mut assets, sheet_names) = assets_of(&mut graph, &plan, &css_order, options.layout.prefix());
    let styles_of = |root: &ModuleId| -> Vec<String> {
        css_order.of_root.get(root).into_iter().flatten().map(|file| sheet_names[*file].clone()).collect()
    };
    let entries = graph.entries.iter().map(|entry| entry_chunk(&plan, *entry)).collect();
    let entry_styles = graph.entries.iter().map(styles_of).collect();
    let lazy = lazy_modules(&graph, &links, &plan, styles_of);
    let modules = module_infos(&graph, &plan);
    let css_module_types = std::mem::take(&mut graph.css_module_types);
    let workers = std::mem::take(&mut graph.workers);
    warnings.append(&mut graph.warnings);
    let mut chunks = clock.time("emit", || emit::emit(graph, &links, &plan, &css_order, &sheet_names, options))?;
    // The engine does not show anything.
    warnings.extend(css_order.warnings.into_iter().filter(|_| options.platform != Platform::Prerender));
    for worker in workers.into_values() {
        add_chunks(&mut chunks, &worker.chunks);
        assets.extend(worker.assets.iter().map(|asset| (asset.file_name.clone(), asset.clone())));
        warnings.extend(worker.warnings.iter().cloned());
    }
    Ok(Bundle {
        chunks,
        assets: assets.into_values().collect(),
        entries,
        style_sheets: sheet_names,
        entry_styles,
        lazy,
        css_module_types,
        modules,
        warnings,
        timings: clock.into_timings(),
    })
}

/// The files beside the code, by their names, and the names of those with style sheets, in the order of their rules.
fn assets_of(
    graph: &mut ModuleGraph,
    plan: &ChunkGraph,
    css_order: &CssOrder,
    prefix: &str,
) -> (BTreeMap<String, Asset>, Vec<String>) {
    let mut assets = std::mem::take(&mut graph.assets);
    let sheets: Vec<Asset> = css_order.files.iter().map(|file| file_of_styles(graph, file, prefix)).collect();
    let sheet_names = sheets.iter().map(|sheet| sheet.file_name.clone()).collect();
    let licences = plan.outlines().filter_map(|chunk| chunk_licences(graph, plan, chunk, prefix));
    assets.extend(sheets.into_iter().chain(licences).map(|asset| (asset.file_name.clone(), asset)));
    (assets, sheet_names)
}

/// Adds the chunks of another bundle. Where two bundles have a file in common, it is named by its content.
fn add_chunks(chunks: &mut Vec<Chunk>, others: &[Chunk]) {
    let mut places: Vec<usize> = Vec::with_capacity(others.len());
    let mut next = chunks.len();
    for other in others {
        let known = chunks.iter().position(|chunk| chunk.file_name == other.file_name);
        places.push(known.unwrap_or(next));
        next += usize::from(known.is_none());
    }
    let moved = |indices: &[usize]| indices.iter().map(|index| places[*index]).collect();
    let new = others.iter().zip(&places).filter(|(_, place)| **place >= chunks.len()).map(|(other, _)| Chunk {
        imports: moved(&other.imports),
        lazy_imports: moved(&other.lazy_imports),
        ..other.clone()
    });
    let new: Vec<Chunk> = new.collect();
    chunks.extend(new);
}

/// The comments in a chunk's sources that licences ask to be handed on, each once.
fn chunk_licences(graph: &ModuleGraph, plan: &ChunkGraph, chunk: &ChunkOutline, prefix: &str) -> Option<Asset> {
    let modules = chunk.modules.iter().filter(|module| plan.included.has_module(**module));
    let comments = modules.flat_map(|module| &graph.modules[module.index()].record.comments);
    let mut licences: Vec<String> = Vec::new();
    for (_, comment) in comments.filter(|(_, comment)| parse::is_licence(comment)) {
        let text = format!("/*{}*/", comment.text);
        if !licences.contains(&text) {
            licences.push(text);
        }
    }
    let name = PathBuf::from(format!("{}.LICENSE.txt", chunk.name));
    (!licences.is_empty()).then(|| Asset::new(prefix, &name, (licences.join("\n\n") + "\n").into_bytes()))
}

/// Whether a name is that of a module that the site's authors wrote: in a file, and not in one of a package.
pub fn is_of_site(name: &str) -> bool {
    !is_virtual(name) && !load::is_vendor(name)
}

/// The name of the file that a module was made of: a style sheet is made into several, and of a file there may be other
/// forms, such as `file.svg?raw`.
pub fn file_of(name: &str) -> &str {
    let file = sheet::file_of_part(name);
    file.split_once('?').map_or(file, |(file, _)| file)
}

/// Whether a name is that of a module without a file.
pub fn is_virtual(name: &str) -> bool {
    name.starts_with(resolve::VIRTUAL)
}

fn file_of_styles(graph: &ModuleGraph, file: &SheetFile, prefix: &str) -> Asset {
    let sheets: Vec<_> =
        file.modules.iter().filter_map(|module| graph.modules[module.index()].stylesheet.as_ref()).collect();
    Asset::new(prefix, &PathBuf::from(format!("{}.css", file.name)), sheet::join(&sheets).into_bytes())
}

fn module_infos(graph: &ModuleGraph, plan: &ChunkGraph) -> Vec<ModuleInfo> {
    let import = |request: &Request| {
        let kind = match request.kind {
            RequestKind::Import => ImportKind::Static,
            RequestKind::Dynamic { .. } => ImportKind::Dynamic,
            RequestKind::Require { .. } => ImportKind::Require,
            RequestKind::Name | RequestKind::Address { .. } => return None,
        };
        let target = match request.target {
            module::Target::Module(target) => Some(graph.modules[target.index()].name.clone()),
            _ => None,
        };
        Some((request.specifier.to_string(), kind, target))
    };
    let info = |(index, module): (usize, &module::Module)| ModuleInfo {
        name: module.name.clone(),
        bytes: module.source.text.len(),
        is_common_js: module.record.format == Format::CommonJs,
        is_external: module.external.is_some(),
        imports: module.record.requests.iter().filter_map(import).collect(),
        chunk: plan.chunk_of.get(&ModuleId::at(index)).map(|chunk| chunk.0),
    };
    graph.modules.iter().enumerate().map(info).collect()
}

fn entry_chunk(plan: &ChunkGraph, entry: ModuleId) -> usize {
    let own = plan.outlines().position(|chunk| chunk.entry == Some(entry));
    own.or_else(|| plan.chunk_of.get(&entry).map(|chunk| chunk.0)).unwrap_or_default()
}

fn lazy_modules(
    graph: &ModuleGraph,
    links: &Links,
    plan: &ChunkGraph,
    styles_of: impl Fn(&ModuleId) -> Vec<String>,
) -> BTreeMap<String, LazyModule> {
    let lazy = |target: &ModuleId| {
        let module = &graph.modules[target.index()];
        let has_default =
            module.record.format == Format::CommonJs || links.exports(*target).contains_key(&Atom::from("default"));
        let styles = plan.styled.get(target).map(&styles_of).unwrap_or_default();
        Some((module.name.clone(), LazyModule { chunk: plan.chunk_of.get(target)?.0, has_default, styles }))
    };
    plan.included.dynamic_entries.iter().filter_map(lazy).collect()
}
