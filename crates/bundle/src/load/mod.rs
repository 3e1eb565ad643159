//! One module: read, parsed, scanned, and what it asks for resolved.

pub(super) mod address;
mod copies;
mod data_url;
mod estimate;
mod extends;
mod files;
mod glob;
mod glob_call;
pub(super) mod json;
mod matching;
mod mistake;
pub(super) mod nesting;
pub(super) mod parse;
mod patterns;
mod places;
pub(super) mod resolve;
mod resolve_errors;
mod scanning;
mod server_build;
mod set_aside;
pub(super) mod sheet;
mod specifier;
mod tsconfigs;

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use lightningcss::targets::Targets;
use oxc_resolver::TsConfig;
use rustc_hash::FxHashSet;
use swc_core::atoms::Atom;

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    media,
    source::{self, Refused, Sources, display_name, normalize},
    text::text,
};

use self::{
    address::Addressed,
    data_url::{DataUrl, Kind},
    resolve::{BrokenConfig, File, Form, PackageFacts, Resolved, Resolver, ResolverKey, Unresolved},
};
use crate::{
    analyze::scan::scan,
    asset::{self, Asset},
    css::{SheetOptions, conditions::Conditions, tools::Recipe},
    helpers,
    load::sheet::{Part, Sheets},
    module::{Content, External, ImportKind, ImportRecord, Module, Scan, Target, has_extension, project_path},
    module_cache::{files::FileCache, scans::Scanned},
    names::{is_sheet, is_vendor, stem},
    options::{Layout, Options, VirtualModule},
    platform::Platform,
    syntax::{Claim, Dialect, Language, LanguageOptions, ParseOptions, SyntaxTree, place},
};

/// What makes two import records mean the same module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    Virtual(String),
    File(PathBuf),
    /// A style sheet that a script imports.
    Sheet(PathBuf),
    /// A part of a sheet under the conditions of the `@import`s that lead to it.
    SheetPart(PathBuf, Part, Conditions),
    Ignored,
    /// A file whose importer says what it wants of it.
    Formed(PathBuf, Form),
    /// A script asked for with a query, with that.
    Queried(PathBuf, String),
    /// The text of a data URL.
    Data(String),
    /// An external module.
    External(External),
}

impl Key {
    /// The file that the module is made of, if it is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path)
            | Self::Sheet(path)
            | Self::SheetPart(path, ..)
            | Self::Formed(path, _)
            | Self::Queried(path, _) => Some(path),
            Self::Virtual(_) | Self::Ignored | Self::Data(_) | Self::External(_) => None,
        }
    }
}

/// A module whose import records are resolved to keys, not yet to numbers.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub module: Module,
    /// One for each import record.
    pub targets: Vec<Option<Key>>,
    /// The targets that `module` of a package names, and the files that its `main` names.
    pub mains: BTreeMap<Key, Key>,
    pub assets: Vec<Asset>,
    /// The scripts of the workers that it starts, by the index of the import record.
    pub workers: BTreeMap<usize, PathBuf>,
    /// What it asks for and is not there. The rest is loaded all the same, so that one run finds all mistakes.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Where the module asks for the one of `key`, if it does.
    pub(crate) fn place_of_import(&self, key: &Key) -> Option<Place> {
        let record = self.targets.iter().position(|target| target.as_ref() == Some(key))?;
        let record = self.module.scan.import_records.get(record)?;
        // What a sheet asks for has no place in the code that stands for the sheet.
        (!is_sheet(Path::new(&*self.module.name))).then(|| place(&self.module.source, record.span))
    }
}

/// Where a script comes from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    File(&'a Path),
    /// From no file; what it imports is looked for from this folder.
    Made(&'a Path),
}

impl<'a> Origin<'a> {
    /// Where relative specifiers begin.
    fn folder(self) -> &'a Path {
        match self {
            Self::File(path) => path.parent().unwrap_or(path),
            Self::Made(folder) => folder,
        }
    }
}

/// The module that stands for a file that `package.json` switches off for browsers.
const IGNORED: &str = "portalgen:ignored";

/// Loads modules for one target.
pub(crate) struct Loader<'a> {
    pub(crate) sources: &'a Arc<dyn Sources>,
    pub(crate) options: &'a Options,
    pub(crate) virtual_modules: &'a BTreeMap<String, VirtualModule>,
    pub(crate) files: Arc<FileCache>,
    pub(crate) resolver: Arc<Resolver>,
    pub(crate) parse_options: Arc<ParseOptions>,
    pub(crate) sheet_options: SheetOptions,
    pub(crate) sheets: Sheets,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(
        sources: &'a Arc<dyn Sources>,
        options: &'a Options,
        virtual_modules: &'a BTreeMap<String, VirtualModule>,
        targets: Targets,
    ) -> Self {
        let files = options.modules.files(sources);
        Self {
            sources,
            options,
            virtual_modules,
            resolver: files.resolver(ResolverKey {
                folder: options.folder.clone(),
                platform: options.platform,
                mode: options.mode,
                external: options.external.clone(),
                conditions: options.conditions.clone(),
            }),
            files,
            parse_options: Arc::new(options.for_parsing()),
            sheet_options: SheetOptions { minify: options.minify_sheets, targets },
            sheets: Sheets::default(),
        }
    }
}

impl Loader<'_> {
    /// Makes sure that `tsconfig.json` can be used: every import depends on it.
    ///
    /// # Errors
    /// It cannot.
    pub(crate) fn check_tsconfig(&self) -> Result<(), Diagnostic> {
        match self.resolver.broken_tsconfig() {
            Some((path, reason)) => Err(self.broken_config(path, reason)),
            None => Ok(()),
        }
    }

    fn broken_config(&self, path: &Path, reason: BrokenConfig) -> Diagnostic {
        let name = self.name(path);
        match reason {
            BrokenConfig::Syntax(file) => self.broken(&file),
            BrokenConfig::Unreadable(extended) => {
                let source = self.text_named(path, &name).unwrap_or_else(|_| SourceText::new(&*name, ""));
                let error = self.unreadable(
                    &extended,
                    &self.sources.read(&extended).err().unwrap_or_else(|| io::ErrorKind::Other.into()),
                );
                error.at_known(mention_of(&extended, path, &source))
            }
            BrokenConfig::Other(reason) => {
                Diagnostic::error(text!("{name} cannot be used: {reason}", "无法使用 {name}：{reason}", reason))
            }
            BrokenConfig::Missing(missing) => {
                let source = self.text_named(path, &name).unwrap_or_else(|_| SourceText::new(&*name, ""));
                if let Some(place) = mention_of(&missing, path, &source) {
                    let mention = &source.text[place.span.clone()];
                    Diagnostic::error(text!("cannot find `{mention}`", "找不到 `{mention}`")).at(place)
                } else {
                    let missing = self.name(&missing);
                    Diagnostic::error(text!(
                        "{name} needs {missing}, which does not exist",
                        "{name} 需要 {missing}，但它不存在"
                    ))
                }
            }
        }
    }

    /// The module that an entry names.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn entry_key(&self, module: &str) -> Result<Key, Diagnostic> {
        self.resolver
            .resolve(&self.options.folder, module, ImportKind::Static)
            .map(|resolved| key(resolved, &[]))
            .map_err(|_| Diagnostic::error(text!("cannot find the entry `{module}`", "找不到入口 `{module}`")))
    }

    /// Loads the module of a key.
    ///
    /// # Errors
    /// It cannot be read or parsed.
    pub(crate) fn load(&self, key: &Key) -> Result<Loaded, Vec<Diagnostic>> {
        match key {
            Key::Virtual(name) => self.load_virtual(name),
            Key::Ignored => self.made(IGNORED, "module.exports = {};", JAVASCRIPT),
            Key::Formed(path, form) => self.formed(path, *form),
            Key::External(external) => self.external(external),
            Key::Data(url) => self.data(url),
            Key::Sheet(path) => self.sheet(path),
            Key::SheetPart(path, part, conditions) => self.sheet_part(path, part, conditions),
            Key::File(path) => self.file(path, ""),
            Key::Queried(path, query) => self.file(path, query),
        }
    }

    /// What a module is called for those who look at how long it took.
    pub(crate) fn label(&self, key: &Key) -> String {
        match key {
            Key::File(path)
            | Key::Queried(path, _)
            | Key::Formed(path, _)
            | Key::Sheet(path)
            | Key::SheetPart(path, ..) => self.name(path),
            Key::Virtual(name) => name.clone(),
            Key::External(external) => external.to_string(),
            Key::Data(url) => data_url::name(url),
            Key::Ignored => IGNORED.to_owned(),
        }
    }

    fn load_virtual(&self, name: &str) -> Result<Loaded, Vec<Diagnostic>> {
        if name == helpers::NAME {
            let text = helpers::source(self.options.platform == Platform::Node);
            return self.made(name, &text, JAVASCRIPT);
        }
        match self.virtual_modules.get(name) {
            Some(module) => {
                let source = SourceText::new(name, &*module.text);
                self.script(&source, Origin::Made(&module.folder), TSX, Content::Code)
            }
            None => Err(vec![Diagnostic::error(text!("the module `{name}` does not exist", "模块 `{name}` 不存在"))]),
        }
    }

    fn external(&self, external: &External) -> Result<Loaded, Vec<Diagnostic>> {
        let claim = Dialect { claim: Claim::Esm, ..JAVASCRIPT };
        let source = SourceText::new(external.to_string(), "");
        let mut loaded = self.script(&source, Origin::Made(&self.options.folder), claim, Content::Nothing)?;
        loaded.module.external = Some(external.clone());
        // Asking Node.js for one of its own modules changes nothing.
        loaded.module.pure_package = resolve::is_node_builtin(&external.specifier);
        Ok(loaded)
    }

    /// The module that a data URL holds.
    fn data(&self, url: &str) -> Result<Loaded, Vec<Diagnostic>> {
        let name = data_url::name(url);
        let Some(DataUrl { kind, text }) = DataUrl::parse(url) else {
            let url = data_url::beginning(url);
            return Err(vec![Diagnostic::error(text!(
                "`{url}` is not text in the encoding that it declares",
                "`{url}` 的内容不是文本，或者与它声明的编码不符"
            ))]);
        };
        let code = match kind {
            Kind::Script => {
                let dialect = Dialect { claim: Claim::Esm, ..JAVASCRIPT };
                return self.made(&name, &text, dialect);
            }
            Kind::Json => json::to_module(&SourceText::new(&*name, text)).map_err(|diagnostic| vec![diagnostic])?,
            Kind::Text => default_export(&text),
        };
        let source = SourceText::new(name, code);
        self.script(&source, Origin::Made(&self.options.folder), JAVASCRIPT, Content::Data)
    }

    fn file(&self, path: &Path, query: &str) -> Result<Loaded, Vec<Diagnostic>> {
        let name = self.name(path) + query;
        let extension = extension(path);
        let Some(dialect) = extension.as_deref().map_or(Some(JAVASCRIPT), dialect) else {
            return self.other_file(path, &name, extension.as_deref());
        };
        let loaded = self.text_named(path, &name);
        let loaded = loaded.and_then(|source| self.script(&source, Origin::File(path), dialect, Content::Code));
        loaded.map_err(
            |errors| if extension.is_none() { errors.into_iter().map(of_no_extension).collect() } else { errors },
        )
    }

    /// The name of a file's module. Where a workspace keeps its packages is of no interest: below `node_modules` the
    /// name is the same wherever that lies.
    pub(crate) fn name(&self, path: &Path) -> String {
        let name = display_name(&self.options.root, path);
        match name.rfind("/node_modules/") {
            Some(at) if name.starts_with("../") => name[at + 1..].to_owned(),
            _ => name,
        }
    }

    fn other_file(&self, path: &Path, name: &str, extension: Option<&str>) -> Result<Loaded, Vec<Diagnostic>> {
        if extension == Some("json") {
            let source = self.json_module(path, name)?;
            return self.script(&source, Origin::File(path), JAVASCRIPT, Content::Data);
        }
        let Some(media_type) = extension.and_then(media::of_asset) else {
            return Err(vec![not_importable(name)]);
        };
        let bytes = self.read(path)?;
        if asset::is_inlined(media_type, &bytes) {
            return self.made_of_file(name, path, default_export(&asset::data_url(media_type, &bytes)));
        }
        self.address(name, path, bytes)
    }

    /// The text of the module that says what a JSON file holds.
    fn json_module(&self, path: &Path, name: &str) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        self.files.module_text(path, name, || {
            let json = SourceText::decode(name, self.read(path)?).map_err(|error| vec![*error])?;
            json::to_module(&json).map(|code| SourceText::new(name, code)).map_err(|error| vec![error])
        })
    }

    /// A file that is asked for in a form of its own: `./file?raw`.
    fn formed(&self, path: &Path, form: Form) -> Result<Loaded, Vec<Diagnostic>> {
        let name = format!("{}?{}", self.name(path), form.query());
        match form {
            Form::Inline | Form::Url if is_sheet(path) => self.formed_sheet(&name, path, form),
            Form::Raw => self.made_of_file(&name, path, default_export(&self.read_text(path)?.text)),
            Form::Inline => {
                let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
                let media_type = media::of_asset(&extension).unwrap_or(media::UNKNOWN);
                self.made_of_file(&name, path, default_export(&asset::data_url(media_type, &self.read(path)?)))
            }
            Form::Url => self.address(&name, path, self.read(path)?),
        }
    }

    /// A style sheet of which the importer wants the rules as text, or a file with them: it is not linked anywhere.
    fn formed_sheet(&self, name: &str, path: &Path, form: Form) -> Result<Loaded, Vec<Diagnostic>> {
        let (sheet, mut loaded) = if form == Form::Url {
            // As in every file of styles, the files that it refers to lie beside it.
            let sheet = self.whole_sheet(path, |asset| asset.base_name().to_owned())?;
            let loaded = self.address(name, path, sheet.code.clone().into_bytes())?;
            (sheet, loaded)
        } else {
            let sheet = self.whole_sheet(path, |asset| self.address_in_text(asset))?;
            let loaded = self.made_of_file(name, path, text_module(&sheet.code))?;
            (sheet, loaded)
        };
        loaded.assets.extend(sheet.assets);
        loaded.diagnostics.extend(sheet.diagnostics);
        Ok(loaded)
    }

    /// The address of an asset inside a text of which nobody knows to which document it will belong.
    pub(super) fn address_in_text(&self, asset: &Asset) -> String {
        match self.options.layout {
            Layout::Site => format!("{}{}", self.options.base, asset.file_name),
            Layout::Flat => format!("{ADDRESS}{}{ADDRESS}", asset.base_name()),
        }
    }

    /// A module whose default export is the address of a file, and that file.
    fn address(&self, name: &str, path: &Path, bytes: Vec<u8>) -> Result<Loaded, Vec<Diagnostic>> {
        let asset = Asset::new(self.options.layout.prefix(), path, bytes);
        let mut loaded = self.made_of_file(name, path, self.address_module(&asset))?;
        loaded.assets.push(asset);
        Ok(loaded)
    }

    /// The code of a module whose default export is the address of an asset.
    fn address_module(&self, asset: &Asset) -> String {
        match self.options.layout {
            Layout::Site => default_export(&format!("{}{}", self.options.base, asset.file_name)),
            Layout::Flat => {
                let name = json_text(&format!("./{}", asset.base_name()));
                // Written so that it is not taken for an author's request for a file.
                format!("export default /*#__PURE__*/ (() => new URL({name}, import.meta[\"url\"]).href)();")
            }
        }
    }

    /// A module of which `code` says what the file at `path` holds. `require` gives its default export.
    fn made_of_file(&self, name: &str, path: &Path, code: String) -> Result<Loaded, Vec<Diagnostic>> {
        self.script(&SourceText::new(name, code), Origin::File(path), JAVASCRIPT, Content::Data)
    }

    /// A module of code that no file holds.
    fn made(&self, name: &str, code: &str, dialect: Dialect) -> Result<Loaded, Vec<Diagnostic>> {
        self.script(&SourceText::new(name, code), Origin::Made(&self.options.folder), dialect, Content::Code)
    }

    fn script(
        &self,
        source: &Arc<SourceText>,
        origin: Origin<'_>,
        dialect: Dialect,
        content: Content,
    ) -> Result<Loaded, Vec<Diagnostic>> {
        let name = &source.name;
        let (package, project, language) = match origin {
            Origin::File(path) => {
                let project = self.resolver.project(path);
                let project = project.map_err(|(path, reason)| vec![self.broken_config(&path, reason)])?;
                let language = self.resolver.language_options(path, project.as_deref());
                (self.resolver.package_facts(path), project, language)
            }
            Origin::Made(_) => (PackageFacts::default(), None, LanguageOptions::default()),
        };
        let claim = if dialect.claim == Claim::None && package.is_module { Claim::Esm } else { dialect.claim };
        let dialect = Dialect { claim, ..dialect };
        let cached = self.cached_scan(source, dialect, language, content);
        let source = &cached.source;
        let (Scan { facts: scan, trees, identity }, patterns) = match cached.outcome.clone()? {
            Scanned::Closed(scan) => (scan, Vec::new()),
            Scanned::Open(tree) => {
                let mut tree = SyntaxTree::clone(&tree);
                let patterns = self.expand_patterns(&mut tree, origin, project.as_deref(), source);
                (Scan::of_open(scan(tree, content)), patterns)
            }
        };
        let folder = origin.folder();
        let (targets, mains, mut diagnostics) =
            self.resolve_all(folder, project.as_deref(), source, &scan.import_records);
        let Addressed { assets, workers, diagnostics: more, targets: places } =
            self.addressed(folder, source, &scan.import_records);
        diagnostics.extend(more);
        diagnostics.extend(patterns);
        let module = Module {
            name: name.as_str().into(),
            stem: stem(name),
            vendor: is_vendor(name),
            pure_package: package.is_pure,
            node_interop: claim == Claim::Esm
                && (dialect.language == Language::JavaScript || has_extension(name, ".mts")),
            external: None,
            stylesheet: None,
            source: Arc::clone(source),
            scan,
            trees,
            identity,
            targets: places,
            effectful_calls: FxHashSet::default(),
        };
        Ok(Loaded { module, targets, mains, assets, workers, diagnostics })
    }

    /// Resolves what a module asks for, and says what cannot be found.
    fn resolve_all(
        &self,
        folder: &Path,
        project: Option<&TsConfig>,
        source: &Arc<SourceText>,
        records: &[ImportRecord],
    ) -> (Vec<Option<Key>>, BTreeMap<Key, Key>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let mut mains = BTreeMap::new();
        let find =
            |record: &ImportRecord| self.resolver.resolve_within(folder, project, &record.specifier, record.kind);
        let mut resolve = |record: &ImportRecord| match find(record) {
            Ok(resolved) => {
                let main = resolved.main();
                let key = key(resolved, &record.attributes);
                mains.extend(main.map(|main| (key.clone(), Key::File(main))));
                Some(key)
            }
            Err(_) if record.kind == (ImportKind::Require { guarded: true }) => None,
            Err(reason) if record.kind == (ImportKind::Dynamic { guarded: true }) => {
                if !is_vendor(&source.name) {
                    let reason = self.unresolved(folder, &record.specifier, &reason).message;
                    let message = text!(
                        "{reason}, so this `import()` fails when it is called",
                        "{reason}，所以这个 `import()` 调用时会失败",
                        reason
                    );
                    diagnostics.push(Diagnostic::warning(message).at(place(source, record.span)));
                }
                None
            }
            // Builds for servers ask for these where they are called for it, which the engine never does.
            Err(Unresolved::Builtin(_))
                if self.options.platform == Platform::Prerender
                    && matches!(record.kind, ImportKind::Require { .. })
                    && is_vendor(&source.name) =>
            {
                None
            }
            Err(reason) => {
                let diagnostic = self.unresolved(folder, &record.specifier, &reason);
                diagnostics.push(diagnostic.or_at(|| place(source, record.span)));
                None
            }
        };
        let mut targets = Vec::with_capacity(records.len());
        for record in records {
            targets.push(if record.kind.is_of_module() { resolve(record) } else { None });
        }
        (targets, mains, diagnostics)
    }

    /// What `require.resolve` is asked for. What is not there is an exception at run time: code asks in order to find
    /// that out.
    fn named(&self, folder: &Path, record: &ImportRecord) -> Target {
        match self.resolver.resolve(folder, &record.specifier, record.kind) {
            Ok(Resolved::File(file)) => Target::Named(project_path(&self.name(&file.path))),
            Ok(_) => Target::Named(record.specifier.to_string()),
            Err(_) => Target::Unresolved,
        }
    }

    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
        self.files.note_read(path);
        self.sources.read(path).map_err(|error| vec![self.unreadable(path, &error)])
    }

    fn unreadable(&self, path: &Path, error: &io::Error) -> Diagnostic {
        let name = display_name(&self.options.root, path);
        let (reason, hint) = source::explain(error);
        let is_of_system = error.kind() == io::ErrorKind::PermissionDenied && Refused::behind(error).is_none();
        let reason = if is_of_system { text!("permission denied", "没有读取权限") } else { reason };
        Diagnostic::error(text!("cannot read {name}: {reason}", "无法读取 {name}：{reason}", reason)).with_hints(hint)
    }

    pub(crate) fn read_text(&self, path: &Path) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        let name = display_name(&self.options.root, path);
        self.files.text(path, &name, || SourceText::decode(&*name, self.read(path)?).map_err(|error| vec![*error]))
    }

    /// The text of a file under the name of its module.
    pub(crate) fn text_named(&self, path: &Path, name: &str) -> Result<Arc<SourceText>, Vec<Diagnostic>> {
        let source = self.read_text(path)?;
        Ok(if source.name == name { source } else { SourceText::new(name, &*source.text) })
    }
}

/// Where a file of settings names another one.
fn mention_of(named: &Path, file: &Path, source: &Arc<SourceText>) -> Option<Place> {
    let folder = file.parent().unwrap_or(file);
    let mut start = 0;
    for text in source.text.split('"') {
        if Path::new(text) == named || normalize(&folder.join(text)) == named {
            return Some(Place::new(source, start..start + text.len()));
        }
        start += text.len() + 1;
    }
    None
}

pub(crate) const JAVASCRIPT: Dialect = Dialect { language: Language::JavaScript, jsx: false, claim: Claim::None };
const TYPESCRIPT: Dialect = Dialect { language: Language::TypeScript, jsx: false, claim: Claim::None };
const TSX: Dialect = Dialect { jsx: true, ..TYPESCRIPT };

fn dialect(extension: &str) -> Option<Dialect> {
    Some(match extension {
        "tsx" => TSX,
        "ts" => TYPESCRIPT,
        "mts" => Dialect { claim: Claim::Esm, ..TYPESCRIPT },
        "cts" => Dialect { claim: Claim::CommonJs, ..TYPESCRIPT },
        "jsx" | "js" => Dialect { jsx: true, ..JAVASCRIPT },
        "mjs" => Dialect { claim: Claim::Esm, ..JAVASCRIPT },
        "cjs" => Dialect { claim: Claim::CommonJs, ..JAVASCRIPT },
        _ => return None,
    })
}

fn extension(path: &Path) -> Option<String> {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase())
}

fn is_script(path: &Path) -> bool {
    extension(path).as_deref().and_then(dialect).is_some()
}

/// The module that something resolved to, asked for with these attributes. Of files, their names say the same.
fn key(resolved: Resolved, attributes: &[(Atom, Atom)]) -> Key {
    match resolved {
        Resolved::Virtual(name) => Key::Virtual(name),
        Resolved::Ignored => Key::Ignored,
        Resolved::Data(url) => Key::Data(url),
        Resolved::External(specifier) => Key::External(External { specifier, attributes: attributes.to_vec() }),
        Resolved::File(File { path, form: Some(form), .. }) => Key::Formed(path, form),
        Resolved::File(file) if is_sheet(&file.path) => Key::Sheet(file.path),
        Resolved::File(file) if !file.query.is_empty() && is_script(&file.path) => Key::Queried(file.path, file.query),
        Resolved::File(file) => Key::File(file.path),
    }
}

/// What stands on both sides of a file's name in a text where its address will be: no character that has a meaning, so
/// authors do not write it.
const ADDRESS: char = '\u{fdd0}';

/// The code of a module whose default export is a text in which addresses stand as [`Loader::address_in_text`] writes them.
fn text_module(text: &str) -> String {
    if !text.contains(ADDRESS) {
        return default_export(text);
    }
    let parts = text.split(ADDRESS).enumerate().map(|(index, part)| {
        let is_name = index % 2 == 1;
        if is_name { format!("at({})", json_text(&format!("./{part}"))) } else { json_text(part) }
    });
    let parts = parts.collect::<Vec<_>>().join(" + ");
    format!("export default /*#__PURE__*/ ((at) => {parts})((name) => new URL(name, import.meta[\"url\"]).href);")
}

fn default_export(text: &str) -> String {
    format!("export default {};", json_text(text))
}

/// A text as code.
fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Says how such a file was read.
fn of_no_extension(error: Diagnostic) -> Diagnostic {
    error.with_hint(text!(
        "a file without an extension is read as JavaScript; append `?raw` to import its text",
        "没有扩展名的文件按 JavaScript 读取；在文件名后面加上 `?raw` 则导入它的文本"
    ))
}

/// Whether a file is Markdown, perhaps with elements in it.
fn is_mdx(name: &str) -> bool {
    has_extension(name, ".mdx") || has_extension(name, ".md")
}

fn not_importable(name: &str) -> Diagnostic {
    let diagnostic = Diagnostic::error(text!("portalgen cannot import {name}", "portalgen 无法导入 {name}"));
    match Recipe::of_file(name) {
        Some(recipe) => diagnostic.with_hint(recipe.into_hint()).with_hint(text!(
            "CSS supports nesting: if the file uses nothing else, rename it to .css",
            "如果只用了嵌套，把扩展名改为 .css 即可，CSS 本身就支持嵌套"
        )),
        None if is_mdx(name) => diagnostic.with_hint(text!(
            "portalgen does not compile Markdown: write it as a component, in a .tsx file, or import its text with `?raw` behind the \
             name and let a package such as `marked` make HTML of it",
            "portalgen 不编译 Markdown：请改写成 .tsx 文件里的组件；或者在名字后面加上 `?raw` 导入它的文本，再用 `marked` 之类的包转成 HTML"
        )),
        None => diagnostic.with_hint(text!(
            "scripts, .json, .css, images, fonts, audio and video can be imported; put other files into site/public",
            "可以导入脚本、.json、.css、图片、字体、音频和视频；其他文件可以放进 site/public"
        )),
    }
}
