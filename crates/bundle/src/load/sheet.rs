//! Style sheets as modules of the graph: which sheets come before which, what their classes are called, where their
//! files are.
//!
//! Two rules meet here. What scripts import runs once, the first time. Of several `@import`s of one sheet, the last one
//! counts, since that is where the cascade puts its rules. So the sheet that a script imports is a module without rules,
//! whose imports are the parts of all sheets that it leads to, put into order; each part is a module with a piece of CSS.
//! Among `@import`s the last one of a part wins, among the sheets that scripts import the first one.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    source::normalize,
    text::{self, text},
};

use crate::{
    asset::Asset,
    css::{
        self, Class, Head, Namespace, Origin, ParsedSheet, SheetImport, SheetUrl, Stylesheet, conditions::Conditions,
        tools::Recipe, types,
    },
    load::{JAVASCRIPT, Key, Loaded, Loader, resolve::Resolved},
    module::{Content, ImportKind, Module, Scan, Target},
    module_cache::scans::SheetKey,
    names::{is_sheet, is_vendor, stem},
    syntax::{Claim, Dialect},
};

/// A part of a sheet that has its own place in the order of all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Part {
    /// The names of its layers, without rules.
    Layers,
    /// A rule that comes before the rest, by its index.
    Head(usize),
    /// Its rules.
    Body,
}

/// A part of a sheet as text, with the files that it refers to.
struct PartText {
    text: Stylesheet,
    assets: Vec<Asset>,
    diagnostics: Vec<Diagnostic>,
}

/// A sheet with all that it imports, as text, with the files that it refers to.
pub(crate) struct WholeSheet {
    pub code: String,
    pub assets: Vec<Asset>,
    pub diagnostics: Vec<Diagnostic>,
}

type Parsed = Result<Arc<ParsedSheet>, Vec<Diagnostic>>;

/// The sheets that were parsed: each is part of every sheet that imports it, and is parsed once.
#[derive(Default)]
pub(crate) struct Sheets(Mutex<FxHashMap<PathBuf, Arc<OnceLock<Parsed>>>>);

impl Loader<'_> {
    fn parsed(&self, path: &Path) -> Parsed {
        let mut sheets = self.sheets.0.lock().unwrap_or_else(PoisonError::into_inner);
        let cell = Arc::clone(sheets.entry(path.to_path_buf()).or_default());
        drop(sheets);
        cell.get_or_init(|| {
            let name = self.name(path);
            let source = self.text_named(path, &name)?;
            let key = SheetKey::new(&source, self.sheet_options);
            self.options.modules.scans.sheet(&source, &key, self.options.scans.as_ref(), || {
                let parsed = css::parse(&source, path, is_vendor(&name), self.sheet_options);
                parsed.map(Arc::new).map_err(|diagnostic| vec![diagnostic])
            })
        })
        .clone()
    }

    /// For each CSS module of the site that was loaded, by the name of its file, the types of what it exports.
    pub(crate) fn css_module_types(&self) -> BTreeMap<String, String> {
        let sheets = self.sheets.0.lock().unwrap_or_else(PoisonError::into_inner);
        let types = |(path, cell): (&PathBuf, &Arc<OnceLock<Parsed>>)| {
            let classes = cell.get()?.as_ref().ok()?.classes.as_deref()?;
            let name = Some(self.name(path)).filter(|name| !is_vendor(name))?;
            Some((name, types::declarations(classes)))
        };
        sheets.iter().filter_map(types).collect()
    }

    /// Loads the sheet that a script imports, or whose classes another one composes.
    ///
    /// # Errors
    /// It cannot be read or parsed.
    pub(crate) fn sheet(&self, path: &Path) -> Result<Loaded, Vec<Diagnostic>> {
        let sheet = self.parsed(path)?;
        let mut order = ImportOrder::new(self);
        let keys = order.of(path, &sheet);
        let mut composer = Composer { loader: self, done: FxHashMap::default(), open: Vec::new(), found: Vec::new() };
        let classes = composer.classes(path, &sheet);
        let module = self.sheet_module(path, self.name(path), sheet_code(&classes, keys.len()), None)?;
        let mut diagnostics = order.found;
        diagnostics.append(&mut composer.found);
        Ok(loaded(module, keys, Vec::new(), diagnostics))
    }

    /// Loads a part of the sheet at `path`, under the conditions of the `@import`s that lead there.
    ///
    /// # Errors
    /// The sheet cannot be read or parsed.
    pub(crate) fn sheet_part(
        &self,
        path: &Path,
        part: &Part,
        conditions: &Conditions,
    ) -> Result<Loaded, Vec<Diagnostic>> {
        let name = part_name(&self.name(path), part, conditions);
        let PartText { text, assets, diagnostics } =
            self.part_text(path, part, conditions, |asset| self.address_in_sheet(asset))?;
        let module = self.sheet_module(path, name, String::new(), Some(text).filter(|text| !text.is_empty()))?;
        Ok(loaded(module, Vec::new(), assets, diagnostics))
    }

    /// The address of an asset in a linked sheet. The two share a folder, so the name alone holds under every base, unless each
    /// sheet has a file of its own.
    fn address_in_sheet(&self, asset: &Asset) -> String {
        if self.options.hot { self.address_in_text(asset) } else { asset.base_name().to_owned() }
    }

    /// The text of a part, in which files are found at the addresses that `address` gives.
    fn part_text(
        &self,
        path: &Path,
        part: &Part,
        conditions: &Conditions,
        address: impl Fn(&Asset) -> String,
    ) -> Result<PartText, Vec<Diagnostic>> {
        let sheet = self.parsed(path)?;
        let (mut assets, mut diagnostics) = (Vec::new(), Vec::new());
        let text = match part {
            Part::Layers => {
                let body = &sheet.body;
                Stylesheet { code: sheet.layers.clone(), layers: body.layers.clone(), ..Stylesheet::default() }
            }
            Part::Head(index) => match sheet.head.get(*index) {
                Some(Head::Layers(layers)) => layers.clone(),
                Some(Head::Import(import)) => {
                    let imports = self.external_import(import, conditions).into_iter().collect();
                    let layers = conditions.and(&import.conditions).layer().into_iter().collect();
                    let text = Stylesheet { layers, imports, ..Stylesheet::default() };
                    return Ok(PartText { text, assets, diagnostics });
                }
                None => Stylesheet::default(),
            },
            Part::Body => {
                let mut body = sheet.body.clone();
                let folder = path.parent().unwrap_or(path);
                (assets, diagnostics) = self.place_urls(folder, &mut body, &sheet.urls, address);
                diagnostics.extend(sheet.warnings.iter().cloned());
                body
            }
        };
        Ok(PartText { text: text.under(conditions), assets, diagnostics })
    }

    /// All the rules that a sheet leads to, as the text of one file.
    ///
    /// # Errors
    /// One of the sheets cannot be read or parsed.
    pub(crate) fn whole_sheet(
        &self,
        path: &Path,
        address: impl Fn(&Asset) -> String,
    ) -> Result<WholeSheet, Vec<Diagnostic>> {
        let (mut parts, mut assets, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        let mut stack = vec![Key::Sheet(path.to_path_buf())];
        while let Some(key) = stack.pop() {
            if !seen.insert(key.clone()) {
                continue;
            }
            match key {
                Key::Sheet(path) => {
                    let mut order = ImportOrder::new(self);
                    stack.extend(order.of(&path, &*self.parsed(&path)?).into_iter().rev());
                    diagnostics.append(&mut order.found);
                }
                Key::SheetPart(path, part, conditions) => {
                    let mut part = self.part_text(&path, &part, &conditions, &address)?;
                    assets.append(&mut part.assets);
                    diagnostics.append(&mut part.diagnostics);
                    parts.push(part.text);
                }
                // Sheets lead to nothing else.
                _ => {}
            }
        }
        let code = join(&parts.iter().collect::<Vec<_>>()).trim_end().to_owned();
        Ok(WholeSheet { code, assets, diagnostics })
    }

    fn sheet_module(
        &self,
        path: &Path,
        name: String,
        code: String,
        stylesheet: Option<Stylesheet>,
    ) -> Result<Module, Vec<Diagnostic>> {
        let source = SourceText::new(&*name, code);
        let dialect = Dialect { claim: Claim::Esm, ..JAVASCRIPT };
        let content = if stylesheet.is_some() { Content::Stylesheet } else { Content::Code };
        let (source, Scan { facts: scan, trees, identity }) = self.scan_of_made(&source, dialect, content)?;
        Ok(Module {
            stem: stem(&self.name(path)),
            // The packages' chunk comes before the site's own, and a package's sheet may not: it keeps its place.
            vendor: false,
            name: name.into(),
            targets: vec![Target::Unresolved; scan.import_records.len()],
            effectful_calls: FxHashSet::default(),
            source,
            scan,
            trees,
            identity,
            pure_package: false,
            node_interop: false,
            external: None,
            stylesheet,
        })
    }

    /// The `@import` of a sheet that is none of the bundle's.
    fn external_import(&self, import: &SheetImport, conditions: &Conditions) -> Option<String> {
        let url = match import.url.strip_prefix('/') {
            Some(public) if !public.starts_with('/') => format!("{}{public}", self.options.base),
            _ => import.url.clone(),
        };
        conditions.and(&import.conditions).import(&url, self.sheet_options)
    }

    /// The sheet that another one, in `folder`, names.
    fn find_sheet(
        &self,
        folder: &Path,
        specifier: &str,
        place: &Place,
    ) -> Result<(PathBuf, Arc<ParsedSheet>), Vec<Diagnostic>> {
        if let Some(recipe) = Recipe::of_import(specifier) {
            let message =
                text!("`{specifier}` must be generated by Tailwind CSS", "`{specifier}` 要由 Tailwind CSS 生成");
            return Err(vec![Diagnostic::error(message).at(place.clone()).with_hint(recipe.into_hint())]);
        }
        // `x.css` without a dot before it means a file beside the sheet before it means a package.
        let relative = beside(specifier);
        let resolve = |specifier: &str| self.resolver.resolve(folder, specifier, ImportKind::Static);
        let path = match resolve(&relative).or_else(|_| resolve(specifier)) {
            Ok(Resolved::File(file)) if file.form.is_none() && is_sheet(&file.path) => file.path,
            Ok(_) => {
                let message = text!("`{specifier}` is not a style sheet", "`{specifier}` 不是样式表");
                let hint = Recipe::of_file(specifier).map(Recipe::into_hint);
                let error = Diagnostic::error(message).at(place.clone());
                return Err(vec![error.with_hints(hint)]);
            }
            Err(_) => return Err(vec![self.not_found(folder, &relative).at(place.clone())]),
        };
        match self.parsed(&path) {
            Ok(sheet) => Ok((path, sheet)),
            Err(found) => Err(found.into_iter().map(|diagnostic| diagnostic.or_at(|| place.clone())).collect()),
        }
    }

    /// Puts the final addresses of files into a sheet; returns those files that are named by their content.
    fn place_urls(
        &self,
        folder: &Path,
        sheet: &mut Stylesheet,
        urls: &[SheetUrl],
        address: impl Fn(&Asset) -> String,
    ) -> (Vec<Asset>, Vec<Diagnostic>) {
        let (mut assets, mut diagnostics) = (Vec::new(), Vec::new());
        let mut addresses = FxHashMap::default();
        for url in urls {
            let address = if css::is_elsewhere(&url.url) {
                url.url.clone()
            } else if let Some(public) = url.url.strip_prefix('/') {
                format!("{}{public}", self.options.base)
            } else {
                match self.sheet_asset(folder, &url.url) {
                    Ok((asset, suffix)) => {
                        let address = format!("{}{suffix}", address(&asset));
                        assets.push(asset);
                        address
                    }
                    Err(diagnostic) => {
                        diagnostics.push(diagnostic.at(url.place.clone()));
                        continue;
                    }
                }
            };
            addresses.insert(url.placeholder.clone(), address);
        }
        sheet.place_urls(urls, |url| addresses.get(&url.placeholder).cloned().unwrap_or_default());
        (assets, diagnostics)
    }

    /// The file of a `url()`, and the `?query#fragment` that stays behind its name.
    fn sheet_asset<'u>(&self, folder: &Path, url: &'u str) -> Result<(Asset, &'u str), Diagnostic> {
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let (file, suffix) = url.split_at(end);
        let decoded = percent_encoding::percent_decode_str(file).decode_utf8_lossy();
        let file = normalize(&folder.join(&*decoded));
        let path = if self.sources.is_file(&file) {
            file
        } else {
            match self.resolver.resolve(folder, &decoded, ImportKind::Static) {
                Ok(Resolved::File(file)) => file.path,
                _ => return Err(self.not_found(folder, &beside(&decoded))),
            }
        };
        let bytes = self.read(&path).map_err(|mut diagnostics| diagnostics.remove(0))?;
        Ok((Asset::new(self.options.layout.prefix(), &path, bytes), suffix))
    }
}

fn loaded(module: Module, keys: Vec<Key>, assets: Vec<Asset>, diagnostics: Vec<Diagnostic>) -> Loaded {
    let targets = keys.into_iter().map(Some).collect();
    Loaded { module, targets, mains: BTreeMap::new(), assets, workers: BTreeMap::new(), diagnostics }
}

/// The name of the module of a part: one of its own, and different from that of the sheet.
fn part_name(sheet: &str, part: &Part, conditions: &Conditions) -> String {
    let part = match part {
        Part::Layers => "layers".to_owned(),
        Part::Head(index) => format!("head {index}"),
        Part::Body => "rules".to_owned(),
    };
    [format!("{sheet} ({part})"), conditions.describe()].join(" ").trim_end().to_owned()
}

/// Walks from a sheet that a script imports to all that it leads to.
struct ImportOrder<'l> {
    loader: &'l Loader<'l>,
    /// The parts, the last one first.
    keys: Vec<Key>,
    seen: FxHashSet<(PathBuf, Conditions)>,
    externals: FxHashSet<String>,
    /// The sheets that lead to the one being looked at: to import one of them again means nothing.
    chain: Vec<PathBuf>,
    /// A sheet was imported more than once, and earlier ones than the last were left out.
    has_repeats: bool,
    has_layers: bool,
    found: Vec<Diagnostic>,
}

impl<'l> ImportOrder<'l> {
    fn new(loader: &'l Loader<'l>) -> Self {
        Self {
            loader,
            keys: Vec::new(),
            seen: FxHashSet::default(),
            externals: FxHashSet::default(),
            chain: Vec::new(),
            has_repeats: false,
            has_layers: false,
            found: Vec::new(),
        }
    }

    /// The parts of `sheet` and of what it imports, in order.
    fn of(&mut self, path: &Path, sheet: &ParsedSheet) -> Vec<Key> {
        self.chain.push(path.to_path_buf());
        self.visit(path, sheet, &Conditions::default());
        let mut keys = Vec::new();
        if self.has_repeats && self.has_layers {
            // Layers are ranked by where each is first named, which may be in a sheet that is left out there.
            self.declare_layers(path, sheet, &Conditions::default(), &mut FxHashSet::default(), &mut keys);
        }
        keys.extend(self.keys.drain(..).rev());
        let mut seen = FxHashSet::default();
        keys.retain(|key| seen.insert(key.clone()));
        keys
    }

    /// From the end to the start, so that the last of several equal parts is the first to be found.
    fn visit(&mut self, path: &Path, sheet: &ParsedSheet, conditions: &Conditions) {
        if !self.seen.insert((path.to_path_buf(), conditions.clone())) {
            self.has_repeats = true;
            return;
        }
        self.has_layers |= !sheet.layers.is_empty() || conditions.layer().is_some();
        self.keys.push(Key::SheetPart(path.to_path_buf(), Part::Body, conditions.clone()));
        self.visit_compositions(path, sheet);
        for (index, head) in sheet.head.iter().enumerate().rev() {
            let key = Key::SheetPart(path.to_path_buf(), Part::Head(index), conditions.clone());
            match head {
                Head::Layers(_) => {
                    self.has_layers = true;
                    self.keys.push(key);
                }
                Head::Import(import) if is_external(&import.url) => self.visit_external(import, conditions, key),
                Head::Import(import) => {
                    if let Some((path, sheet)) = self.enter(path, import) {
                        self.visit(&path, &sheet, &conditions.and(&import.conditions));
                        self.chain.pop();
                    }
                }
            }
        }
    }

    fn visit_external(&mut self, import: &SheetImport, conditions: &Conditions, key: Key) {
        match self.loader.external_import(import, conditions) {
            Some(text) => {
                if self.externals.insert(text) {
                    self.keys.push(key);
                }
            }
            None => self.found.push(
                Diagnostic::error(text!(
                    "the media query of this `@import` cannot be combined with the one that this style sheet was \
                    imported under",
                    "这个 `@import` 的媒体查询无法与导入本样式表时的媒体查询合并"
                ))
                .at(import.place.clone())
                .with_hint(text!(
                    "write it without `not`, or move the import to the top-level style sheet",
                    "请不要用 `not`，或者移到最上层的样式表里导入"
                )),
            ),
        }
    }

    /// The sheets whose classes a sheet composes come before its own rules, which may override them.
    fn visit_compositions(&mut self, path: &Path, sheet: &ParsedSheet) {
        let composed = sheet.classes.iter().flatten().flat_map(|class| &class.composes);
        let mut keys = Vec::new();
        for composed in composed {
            let Origin::File { specifier, .. } = &composed.from else { continue };
            match self.loader.find_sheet(path.parent().unwrap_or(path), specifier, &composed.place) {
                Ok((other, _)) if other != path => keys.push(Key::Sheet(other)),
                Ok(_) => {}
                Err(diagnostics) => self.found.extend(diagnostics),
            }
        }
        self.keys.extend(keys.into_iter().rev());
    }

    /// The sheet of an `@import`, which then is the last of the chain.
    fn enter(&mut self, path: &Path, import: &SheetImport) -> Option<(PathBuf, Arc<ParsedSheet>)> {
        match self.loader.find_sheet(path.parent().unwrap_or(path), &import.url, &import.place) {
            Ok((path, _)) if self.chain.contains(&path) => None,
            Ok((path, sheet)) => {
                self.chain.push(path.clone());
                Some((path, sheet))
            }
            Err(diagnostics) => {
                self.found.extend(diagnostics);
                None
            }
        }
    }

    /// The layers of all sheets in the order in which they are first named.
    fn declare_layers(
        &mut self,
        path: &Path,
        sheet: &ParsedSheet,
        conditions: &Conditions,
        seen: &mut FxHashSet<(PathBuf, Conditions)>,
        keys: &mut Vec<Key>,
    ) {
        if !seen.insert((path.to_path_buf(), conditions.clone())) {
            return;
        }
        for (index, head) in sheet.head.iter().enumerate() {
            match head {
                Head::Layers(_) => {
                    keys.push(Key::SheetPart(path.to_path_buf(), Part::Head(index), conditions.clone()));
                }
                Head::Import(import) if is_external(&import.url) => {}
                Head::Import(import) => {
                    if let Some((path, sheet)) = self.enter(path, import) {
                        self.declare_layers(&path, &sheet, &conditions.and(&import.conditions), seen, keys);
                        self.chain.pop();
                    }
                }
            }
        }
        if !sheet.layers.is_empty() || conditions.layer().is_some() {
            keys.push(Key::SheetPart(path.to_path_buf(), Part::Layers, conditions.clone()));
        }
    }
}

/// Whether an `@import` names a sheet that is no file of the site's sources.
fn is_external(url: &str) -> bool {
    css::is_elsewhere(url) || url.starts_with('/')
}

/// Follows `composes` from class to class.
struct Composer<'l> {
    loader: &'l Loader<'l>,
    done: FxHashMap<(PathBuf, String), Vec<String>>,
    /// The classes being looked at, each composing the next.
    open: Vec<(PathBuf, String)>,
    found: Vec<Diagnostic>,
}

/// How long a chain of classes may be that compose each other.
const MAX_CHAIN: usize = 500;

impl Composer<'_> {
    /// The classes of a sheet: as written, and all the names that an element gets, separated by spaces.
    fn classes(&mut self, path: &Path, sheet: &ParsedSheet) -> Vec<(String, String)> {
        let classes = sheet.classes.as_deref().unwrap_or_default();
        classes.iter().map(|class| (class.name.clone(), self.names(path, sheet, class).join(" "))).collect()
    }

    fn names(&mut self, path: &Path, sheet: &ParsedSheet, class: &Class) -> Vec<String> {
        let key = (path.to_path_buf(), class.name.clone());
        if let Some(names) = self.done.get(&key) {
            return names.clone();
        }
        self.open.push(key.clone());
        let mut names = vec![class.emitted.clone()];
        for composed in &class.composes {
            let more = match &composed.from {
                Origin::Global(name) => vec![name.clone()],
                Origin::Local(emitted) => self.local(path, sheet, class, emitted, &composed.place),
                Origin::File { name, specifier } => self.foreign(path, name, specifier, &composed.place),
            };
            for name in more {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        self.open.pop();
        self.done.insert(key, names.clone());
        names
    }

    fn local(&mut self, path: &Path, sheet: &ParsedSheet, class: &Class, emitted: &str, place: &Place) -> Vec<String> {
        let classes = sheet.classes.as_deref().unwrap_or_default();
        if let Some(composed) = classes.iter().find(|class| class.emitted == emitted) {
            return self.follow(path, sheet, composed, place);
        }
        let prefix = class.emitted.strip_suffix(&class.name).unwrap_or_default();
        let name = emitted.strip_prefix(prefix).unwrap_or(emitted);
        self.missing(path, classes, name, place);
        Vec::new()
    }

    fn foreign(&mut self, path: &Path, name: &str, specifier: &str, place: &Place) -> Vec<String> {
        // What cannot be found or read was told where the order of imports was made.
        let Ok((other, sheet)) = self.loader.find_sheet(path.parent().unwrap_or(path), specifier, place) else {
            return Vec::new();
        };
        let Some(classes) = &sheet.classes else {
            let other = self.loader.name(&other);
            let message = text!(
                "`{other}` is not a CSS module, so it has no classes to compose",
                "`{other}` 不是 CSS 模块，里面没有可以组合的类"
            );
            self.found.push(Diagnostic::error(message).at(place.clone()).with_hint(text!(
                "rename the file to `….module.css`, or write `composes: {name} from global`",
                "请把文件改名为 `….module.css`，或者写 `composes: {name} from global`"
            )));
            return Vec::new();
        };
        if let Some(class) = classes.iter().find(|class| class.name == name) {
            return self.follow(&other, &sheet, class, place);
        }
        self.missing(&other, classes, name, place);
        Vec::new()
    }

    fn follow(&mut self, path: &Path, sheet: &ParsedSheet, class: &Class, place: &Place) -> Vec<String> {
        let is_open = self.open.iter().any(|(file, name)| file == path && *name == class.name);
        let message = if is_open {
            let name = &class.name;
            text!("`{name}` is composed of itself", "`{name}` 组合了它自己")
        } else if self.open.len() > MAX_CHAIN {
            text!(
                "a chain of `composes` has more than {MAX_CHAIN} classes",
                "`composes` 连续引用的类超过了 {MAX_CHAIN} 个"
            )
        } else {
            return self.names(path, sheet, class);
        };
        self.found.push(Diagnostic::error(message).at(place.clone()));
        Vec::new()
    }

    fn missing(&mut self, path: &Path, classes: &[Class], name: &str, place: &Place) {
        let file = self.loader.name(path);
        let diagnostic =
            Diagnostic::error(text!("the class `{name}` does not exist in {file}", "{file} 里没有类 `{name}`"));
        let near = did_you_mean(name, classes.iter().map(|class| class.name.as_str())).map(text::did_you_mean);
        self.found.push(diagnostic.at(place.clone()).with_hints(near));
    }
}

/// The code of the module that scripts see: an import for each part, `export default` of all class names, and one
/// export for each of them.
fn sheet_code(classes: &[(String, String)], imports: usize) -> String {
    let mut code = String::new();
    for import in 0..imports {
        let _ = writeln!(code, "import \"{import}\";");
    }
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let _ = writeln!(code, "export default {{");
    for (name, value) in classes {
        // Computed, since `__proto__` would otherwise be more than a name.
        let _ = writeln!(code, "[{}]: {},", text(name), text(value));
    }
    let _ = writeln!(code, "}};");
    for (index, (name, value)) in classes.iter().enumerate().filter(|(_, (name, _))| name != "default") {
        let _ = writeln!(code, "const c{index} = {};\nexport {{ c{index} as {} }};", text(value), text(name));
    }
    code
}

/// Joins parts of sheets into one file, in their order. `@import` must come first in a file and the names of its layers
/// before that, so sheets of other servers come before those of the site, wherever they are imported.
pub(crate) fn join(parts: &[&Stylesheet]) -> String {
    let mut code = String::new();
    let last_import = parts.iter().rposition(|part| !part.imports.is_empty()).unwrap_or(0);
    let mut layers: Vec<&str> = parts[..last_import].iter().flat_map(|part| &part.layers).map(String::as_str).collect();
    let mut seen = FxHashSet::default();
    layers.retain(|layer| seen.insert(*layer));
    if !layers.is_empty() {
        let _ = writeln!(code, "@layer {};", layers.join(","));
    }
    for import in parts.iter().flat_map(|part| &part.imports) {
        let _ = writeln!(code, "{import}");
    }
    let mut seen = FxHashSet::default();
    for namespace in parts.iter().flat_map(|part| &part.namespaces) {
        if seen.insert(&namespace.prefix) {
            let _ = writeln!(code, "{}", css::namespace_rule(namespace));
        }
    }
    for part in parts.iter().filter(|part| !part.code.is_empty()) {
        let _ = writeln!(code, "{}", part.code);
    }
    code
}

/// Sheets that end up in one file must agree on what a prefix means.
pub(crate) fn check_namespaces<'m>(modules: impl Iterator<Item = &'m Module>) -> Vec<Diagnostic> {
    let mut namespaces: Vec<&Namespace> =
        modules.filter_map(|module| module.stylesheet.as_ref()).flat_map(|sheet| &sheet.namespaces).collect();
    namespaces.sort_by_key(|namespace| (&namespace.place.source.name, namespace.place.span.start));
    let mut known: FxHashMap<&str, &Namespace> = FxHashMap::default();
    let mut found = Vec::new();
    for namespace in namespaces {
        let first = *known.entry(&namespace.prefix).or_insert(namespace);
        if first.url != namespace.url {
            let prefix = &namespace.prefix;
            found.push(
                Diagnostic::error(text!(
                    "the prefix `{prefix}` has another meaning in another style sheet",
                    "前缀 `{prefix}` 在另一个样式表里含义不同"
                ))
                .at(namespace.place.clone())
                .with_related(first.place.clone(), text!("also declared there", "那里也声明了"))
                .with_hint(text!(
                    "choose another prefix: the two style sheets may end up in one file",
                    "请换一个前缀：两个样式表可能会放进同一个文件"
                )),
            );
        }
    }
    found
}

/// A file name in a sheet as a specifier for the file beside it.
fn beside(name: &str) -> String {
    if name.starts_with('.') { name.to_owned() } else { format!("./{name}") }
}
