//! Loads every module that the entries reach: read, parsed, scanned and resolved, side by side on all cores.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use rayon::Scope;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Entry, Options, VirtualModule,
    asset::Asset,
    css::{self, Conditions, ParsedSheet, SheetUrl, Stylesheet},
    helpers, json,
    module::{Code, Format, Module, ModuleId, Request, RequestKind, Statement, Target},
    parse::{Dialect, ParseOptions, parse, place},
    purity::Effect,
    resolve::{File, Resolved, Resolver, Unresolved},
    scan::scan,
};
use crate::{
    diagnostic::{Diagnostic, SourceText, did_you_mean},
    source::{Sources, display_name},
};

/// Every module that the entries reach, in an order that depends on the sources alone.
pub(super) struct ModuleGraph {
    /// [`ModuleId`] is the index.
    pub modules: Vec<Module>,
    /// The entries' modules, in the order of the entries.
    pub entries: Vec<ModuleId>,
    /// Files that modules and sheets refer to, by name.
    pub assets: BTreeMap<String, Asset>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// What makes two requests mean the same module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Virtual(String),
    File(PathBuf),
    /// A sheet under the conditions of an `@import`.
    Sheet(PathBuf, Conditions),
    Ignored,
}

/// A module whose requests are resolved to keys, not yet to numbers.
struct Loaded {
    module: Module,
    /// One for each request.
    targets: Vec<Option<Key>>,
    assets: Vec<Asset>,
}

/// Loads the graph.
///
/// # Errors
/// Everything wrong with any module: all syntax errors, all specifiers that lead nowhere.
pub(super) fn load(
    sources: &Arc<dyn Sources>,
    options: &Options,
    entries: &[Entry],
    virtual_modules: &BTreeMap<String, VirtualModule>,
) -> Result<ModuleGraph, Vec<Diagnostic>> {
    let loader = Loader {
        sources,
        options,
        virtual_modules,
        resolver: Resolver::new(sources, &options.folder, options.target, options.mode),
        parse_options: ParseOptions { defines: options.defines(), development: options.mode.is_development() },
        state: Mutex::default(),
    };
    let helpers = Key::Virtual(helpers::NAME.to_owned());
    let mut keys = Vec::with_capacity(entries.len());
    for entry in entries {
        keys.push(loader.entry_key(entry).map_err(|diagnostic| vec![diagnostic])?);
    }
    rayon::in_place_scope(|scope| {
        for key in std::iter::once(&helpers).chain(&keys) {
            loader.request(scope, key);
        }
    });
    let State { loaded, mut diagnostics, .. } = loader.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if diagnostics.iter().any(Diagnostic::is_error) {
        crate::diagnostic::sort(&mut diagnostics);
        diagnostics.dedup();
        return Err(diagnostics);
    }
    Ok(number(loaded, &helpers, &keys, diagnostics))
}

#[derive(Default)]
struct State {
    seen: FxHashSet<Key>,
    loaded: FxHashMap<Key, Loaded>,
    diagnostics: Vec<Diagnostic>,
}

struct Loader<'a> {
    sources: &'a Arc<dyn Sources>,
    options: &'a Options,
    virtual_modules: &'a BTreeMap<String, VirtualModule>,
    resolver: Resolver,
    parse_options: ParseOptions,
    state: Mutex<State>,
}

impl<'a> Loader<'a> {
    fn entry_key(&self, entry: &Entry) -> Result<Key, Diagnostic> {
        self.resolver
            .resolve(&self.options.folder, &entry.module, RequestKind::Import)
            .map(|resolved| key(resolved, None))
            .map_err(|_| Diagnostic::error(format!("cannot find the entry `{}`", entry.module)))
    }

    /// Loads the module of `key` once, and then what it asks for.
    fn request<'scope>(&'scope self, scope: &Scope<'scope>, key: &Key) {
        let is_new = self.state().seen.insert(key.clone());
        if !is_new {
            return;
        }
        let key = key.clone();
        scope.spawn(move |scope| match self.load(&key) {
            Ok(loaded) => {
                for target in loaded.targets.iter().flatten() {
                    self.request(scope, target);
                }
                self.state().loaded.insert(key, loaded);
            }
            Err(diagnostics) => self.state().diagnostics.extend(diagnostics),
        });
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self, key: &Key) -> Result<Loaded, Vec<Diagnostic>> {
        match key {
            Key::Virtual(name) => self.load_virtual(name),
            Key::Ignored => self.script("portalgen:ignored", None, "module.exports = {};".into(), JAVASCRIPT),
            Key::Sheet(path, conditions) => self.sheet(path, conditions),
            Key::File(path) => self.file(path),
        }
    }

    fn load_virtual(&self, name: &str) -> Result<Loaded, Vec<Diagnostic>> {
        if name == helpers::NAME {
            return self.script(name, None, helpers::SOURCE.into(), JAVASCRIPT);
        }
        match self.virtual_modules.get(name) {
            Some(module) => self.script(name, None, module.text.clone(), TYPESCRIPT),
            None => Err(vec![Diagnostic::error(format!("there is no module `{name}`"))]),
        }
    }

    fn file(&self, path: &Path) -> Result<Loaded, Vec<Diagnostic>> {
        let name = display_name(&self.options.root, path);
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let Some(dialect) = extension.as_deref().and_then(dialect) else {
            let bytes = self.read(path)?;
            return self.other_file(path, &name, extension.as_deref(), bytes);
        };
        let text = self.read_text(path)?;
        self.script(&name, Some(path), text, dialect)
    }

    fn other_file(
        &self,
        path: &Path,
        name: &str,
        extension: Option<&str>,
        bytes: Vec<u8>,
    ) -> Result<Loaded, Vec<Diagnostic>> {
        if extension == Some("json") {
            let text = String::from_utf8(bytes).map_err(|_| vec![not_utf8(name)])?;
            let source = SourceText::new(name, text);
            let code = json::to_module(&source).map_err(|diagnostic| vec![diagnostic])?;
            return self.script(name, Some(path), code, JAVASCRIPT);
        }
        let asset = Asset::new(path, bytes);
        let url = serde_json::Value::from(format!("{}{}", self.options.base, asset.file_name));
        let mut loaded = self.script(name, Some(path), format!("export default {url};"), JAVASCRIPT)?;
        loaded.assets.push(asset);
        Ok(loaded)
    }

    fn script(&self, name: &str, path: Option<&Path>, text: String, dialect: Dialect) -> Result<Loaded, Vec<Diagnostic>> {
        let package = path.map(|path| self.package_facts(path));
        let dialect = Dialect { module: dialect.module || package.as_ref().is_some_and(|p| p.module_package), ..dialect };
        let source = SourceText::new(name, text);
        let tree = parse(&source, dialect, &self.parse_options)?;
        let record = scan(tree);
        let folder = path.and_then(Path::parent).unwrap_or(&self.options.folder);
        let targets = self.resolve_all(folder, &source, &record.requests)?;
        let module = Module {
            name: name.to_owned(),
            stem: stem(name),
            vendor: is_vendor(name),
            pure_package: package.is_some_and(|package| package.pure_package),
            node_interop: dialect.module && record.format == Format::Esm && !dialect.typescript,
            stylesheet: None,
            source,
            record,
        };
        Ok(Loaded { module, targets, assets: Vec::new() })
    }

    /// What the resolver knows about the package of a file; asking again for the file's own path finds it cached.
    fn package_facts(&self, path: &Path) -> File {
        let folder = path.parent().unwrap_or(path);
        match self.resolver.resolve(folder, &path.to_string_lossy(), RequestKind::Import) {
            Ok(Resolved::File(file)) if file.path == path => file,
            _ => File { path: path.to_path_buf(), pure_package: false, module_package: false },
        }
    }

    fn resolve_all(
        &self,
        folder: &Path,
        source: &Arc<SourceText>,
        requests: &[Request],
    ) -> Result<Vec<Option<Key>>, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let mut targets = Vec::with_capacity(requests.len());
        for request in requests {
            match self.resolver.resolve(folder, &request.specifier, request.kind) {
                Ok(resolved) => targets.push(Some(key(resolved, None))),
                Err(_) if request.kind == (RequestKind::Require { guarded: true }) => targets.push(None),
                Err(reason) => {
                    let place = place(source, request.span);
                    diagnostics.push(self.unresolved(folder, &request.specifier, &reason).at(place));
                }
            }
        }
        if diagnostics.is_empty() { Ok(targets) } else { Err(diagnostics) }
    }

    fn unresolved(&self, folder: &Path, specifier: &str, reason: &Unresolved) -> Diagnostic {
        match reason {
            Unresolved::Builtin(name) => {
                Diagnostic::error(format!("`{specifier}` is a module of Node.js, which browsers do not have"))
                    .with_hint(format!("use a package made for browsers instead of `{name}`"))
            }
            Unresolved::NotExported(subpath) => {
                Diagnostic::error(format!("the package of `{specifier}` does not offer `{subpath}`"))
                    .with_hint("its package.json lists what may be imported under `exports`")
            }
            Unresolved::Other(reason) => Diagnostic::error(format!("cannot resolve `{specifier}`: {reason}")),
            Unresolved::NotFound => self.not_found(folder, specifier),
        }
    }

    fn not_found(&self, folder: &Path, specifier: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(format!("cannot find `{specifier}`"));
        if !specifier.starts_with('.') && !specifier.starts_with('/') {
            let package = package_name(specifier);
            let folder = display_name(&self.options.root, &self.options.folder);
            return diagnostic.with_hint(format!("if it is a package, add it: npm install {package} (in {folder}/)"));
        }
        let wanted = crate::source::normalize(&folder.join(specifier));
        let names = wanted.parent().and_then(|parent| self.sources.list(parent).ok()).unwrap_or_default();
        let typed = wanted.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stems = names.iter().flat_map(|name| [name.as_str(), name.split('.').next().unwrap_or_default()]);
        match did_you_mean(&typed, stems) {
            Some(near) => {
                let folder = specifier.rsplit_once('/').map_or(".", |(folder, _)| folder);
                diagnostic.with_hint(format!("did you mean `{folder}/{near}`?"))
            }
            None => diagnostic,
        }
    }

    fn sheet(&self, path: &Path, conditions: &Conditions) -> Result<Loaded, Vec<Diagnostic>> {
        let name = display_name(&self.options.root, path);
        let source = SourceText::new(&*name, self.read_text(path)?);
        let ParsedSheet { mut sheet, imports, urls, classes } =
            css::parse(&source, path, self.options.minify).map_err(|diagnostic| vec![diagnostic])?;
        let assets = self.sheet_assets(path, &mut sheet, &urls)?;
        let folder = path.parent().unwrap_or(path);

        let mut targets = Vec::new();
        let mut diagnostics = Vec::new();
        let mut code = String::new();
        let mut asked = FxHashSet::default();
        for import in &imports {
            if !asked.insert((&import.specifier, &import.conditions)) {
                continue;
            }
            // A bare `@import "x.css"` means a file beside the sheet before it means a package.
            let relative = format!("./{}", import.specifier);
            let resolve = |specifier: &str| self.resolver.resolve(folder, specifier, RequestKind::Import);
            match resolve(&relative).or_else(|_| resolve(&import.specifier)) {
                Ok(resolved) => {
                    targets.push(Some(key(resolved, Some(conditions.and(&import.conditions)))));
                    let specifier = format!("{} {:?}", import.specifier, import.conditions);
                    code.push_str(&format!("import {};\n", serde_json::Value::from(specifier)));
                }
                Err(_) => diagnostics.push(self.not_found(folder, &relative).at(import.place.clone())),
            }
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        code.push_str(&class_exports(&classes.unwrap_or_default()));
        let names = SourceText::new(&*name, code);
        let tree = parse(&names, Dialect { module: true, ..JAVASCRIPT }, &self.parse_options)?;
        let mut record = scan(tree);
        record.statements.push(Statement {
            code: Code::Stylesheet,
            declares: Vec::new(),
            uses: Vec::new(),
            effect: Effect::Any,
        });
        let module = Module {
            stem: stem(&name),
            vendor: is_vendor(&name),
            name,
            source: names,
            record,
            pure_package: false,
            node_interop: false,
            stylesheet: Some(sheet.under(conditions)),
        };
        Ok(Loaded { module, targets, assets })
    }

    fn sheet_assets(
        &self,
        path: &Path,
        sheet: &mut Stylesheet,
        urls: &[SheetUrl],
    ) -> Result<Vec<Asset>, Vec<Diagnostic>> {
        let folder = path.parent().unwrap_or(path);
        let mut addresses = FxHashMap::default();
        let mut assets = Vec::new();
        let mut diagnostics = Vec::new();
        for url in urls {
            if css::is_elsewhere(&url.url) {
                addresses.insert(url.placeholder.clone(), url.url.clone());
            } else if let Some(public) = url.url.strip_prefix('/') {
                addresses.insert(url.placeholder.clone(), format!("{}{public}", self.options.base));
            } else {
                match self.sheet_asset(folder, &url.url) {
                    Ok((asset, suffix)) => {
                        // A sheet and its assets share a folder, so this holds under every base.
                        addresses.insert(url.placeholder.clone(), format!("{}{suffix}", asset.base_name()));
                        assets.push(asset);
                    }
                    Err(diagnostic) => diagnostics.push(diagnostic.at(url.place.clone())),
                }
            }
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        sheet.place_urls(urls, |url| addresses.get(&url.placeholder).cloned().unwrap_or_default());
        Ok(assets)
    }

    /// The file of a `url()`, and the `?query#fragment` that stays behind its name.
    fn sheet_asset<'u>(&self, folder: &Path, url: &'u str) -> Result<(Asset, &'u str), Diagnostic> {
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let (file, suffix) = url.split_at(end);
        let decoded = percent_encoding::percent_decode_str(file).decode_utf8_lossy();
        let beside = crate::source::normalize(&folder.join(&*decoded));
        let path = if self.sources.is_file(&beside) {
            beside
        } else {
            match self.resolver.resolve(folder, &decoded, RequestKind::Import) {
                Ok(Resolved::File(file)) => file.path,
                _ => return Err(self.not_found(folder, &format!("./{decoded}"))),
            }
        };
        let bytes = self.read(&path).map_err(|mut diagnostics| diagnostics.remove(0))?;
        Ok((Asset::new(&path, bytes), suffix))
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
        self.sources.read(path).map_err(|error| {
            let name = display_name(&self.options.root, path);
            let reason = match error.kind() {
                io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
                _ => error.to_string(),
            };
            vec![Diagnostic::error(format!("cannot read {name}: {reason}"))]
        })
    }

    fn read_text(&self, path: &Path) -> Result<String, Vec<Diagnostic>> {
        let text = String::from_utf8(self.read(path)?)
            .map_err(|_| vec![not_utf8(&display_name(&self.options.root, path))])?;
        Ok(text.strip_prefix('\u{feff}').map(ToOwned::to_owned).unwrap_or(text))
    }
}

const JAVASCRIPT: Dialect = Dialect { typescript: false, jsx: false, module: false, common_js: false };
const TYPESCRIPT: Dialect = Dialect { typescript: true, jsx: true, module: true, common_js: false };

fn dialect(extension: &str) -> Option<Dialect> {
    Some(match extension {
        "tsx" => Dialect { module: false, ..TYPESCRIPT },
        "ts" => Dialect { jsx: false, module: false, ..TYPESCRIPT },
        "mts" => Dialect { jsx: false, ..TYPESCRIPT },
        "cts" => Dialect { jsx: false, module: false, common_js: true, ..TYPESCRIPT },
        "jsx" | "js" => Dialect { jsx: true, ..JAVASCRIPT },
        "mjs" => Dialect { module: true, ..JAVASCRIPT },
        "cjs" => Dialect { common_js: true, ..JAVASCRIPT },
        _ => return None,
    })
}

fn key(resolved: Resolved, conditions: Option<Conditions>) -> Key {
    match resolved {
        Resolved::Virtual(name) => Key::Virtual(name),
        Resolved::Ignored => Key::Ignored,
        Resolved::File(file) => match file.path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("css") => {
                Key::Sheet(file.path, conditions.unwrap_or_default())
            }
            _ => Key::File(file.path),
        },
    }
}

/// `export default` of all class names, and one export for each that is an identifier.
fn class_exports(classes: &[(String, String)]) -> String {
    let all: serde_json::Map<_, _> =
        classes.iter().map(|(name, emitted)| (name.clone(), emitted.clone().into())).collect();
    let mut code = format!("export default {};\n", serde_json::Value::Object(all));
    for (index, (name, emitted)) in classes.iter().enumerate() {
        let value = serde_json::Value::from(emitted.as_str());
        let name = serde_json::Value::from(name.as_str());
        if name != "default" {
            code.push_str(&format!("const c{index} = {value};\nexport {{ c{index} as {name} }};\n"));
        }
    }
    code
}

fn not_utf8(name: &str) -> Diagnostic {
    Diagnostic::error(format!("{name} is not UTF-8 text")).with_hint("save it with the encoding UTF-8")
}

/// `@scope/name` or `name` of a specifier.
fn package_name(specifier: &str) -> String {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    specifier.split('/').take(parts).collect::<Vec<_>>().join("/")
}

fn is_vendor(name: &str) -> bool {
    name == helpers::NAME || name.split('/').any(|part| part == "node_modules")
}

fn stem(name: &str) -> String {
    let file = name.rsplit(['/', ':']).next().unwrap_or(name);
    let stem = file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(file);
    match (stem, name.rsplit('/').nth(1)) {
        ("index", Some(folder)) if folder != "pages" => folder.to_owned(),
        _ => stem.to_owned(),
    }
}

/// Numbers the modules breadth first from the entries, so that the order is that of the sources.
fn number(
    mut loaded: FxHashMap<Key, Loaded>,
    helpers: &Key,
    entries: &[Key],
    warnings: Vec<Diagnostic>,
) -> ModuleGraph {
    let mut ids: FxHashMap<Key, ModuleId> = FxHashMap::default();
    let mut queue: VecDeque<Key> = VecDeque::new();
    let mut id_of = |key: &Key, queue: &mut VecDeque<Key>| {
        let next = ModuleId(u32::try_from(ids.len()).unwrap_or(u32::MAX));
        *ids.entry(key.clone()).or_insert_with(|| {
            queue.push_back(key.clone());
            next
        })
    };
    id_of(helpers, &mut queue);
    let entries = entries.iter().map(|key| id_of(key, &mut queue)).collect();
    let mut modules = Vec::new();
    let mut assets = BTreeMap::new();
    while let Some(key) = queue.pop_front() {
        // Every key was loaded, or `load` would have failed.
        let Some(Loaded { mut module, targets, assets: own }) = loaded.remove(&key) else { continue };
        for (request, target) in module.record.requests.iter_mut().zip(&targets) {
            if let Some(target) = target {
                request.target = Target::Module(id_of(target, &mut queue));
            }
        }
        assets.extend(own.into_iter().map(|asset| (asset.file_name.clone(), asset)));
        modules.push(module);
    }
    ModuleGraph { modules, entries, assets, warnings }
}
