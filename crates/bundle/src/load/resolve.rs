//! From a specifier and its importer to a file, by Node's rules and those that bundlers added to them.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use nodejs_built_in_modules::is_nodejs_builtin_module;
use oxc_resolver::{
    CompilerOptions, JSONError, PackageJson, PackageType, Resolution, ResolveContext, ResolveError, ResolveOptions,
    ResolverGeneric, SideEffects, TsConfig, TsconfigDiscovery, TsconfigOptions, TsconfigReferences,
};
use rustc_hash::FxHashMap;

use portalgen_base::{
    source::Sources,
    text::{Text, text},
};

use super::{data_url, files::Files, places::places_of, server_build::needs_node, tsconfigs::Tsconfigs};
use crate::{
    module::ImportKind,
    names::{VIRTUAL, is_in_packages, is_package_name, package_name},
    platform::{Mode, Platform},
    syntax::{LanguageOptions, UnusedImports},
};

/// What a specifier leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolved {
    File(File),
    /// A module that the binary carries or makes: `portalgen:routes`.
    Virtual(String),
    /// A data URL that holds a module.
    Data(String),
    /// Stays an import of this specifier.
    External(String),
    /// Switched off for browsers by `"browser": { "x": false }`: an empty module.
    Ignored,
}

impl Resolved {
    /// See [`File::main`].
    pub(crate) fn main(&self) -> Option<PathBuf> {
        match self {
            Self::File(file) => file.main.clone(),
            _ => None,
        }
    }
}

/// A file that a specifier leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Absolute, links resolved.
    pub path: PathBuf,
    /// What of it is asked for, if not what files of its kind give.
    pub form: Option<Form>,
    /// Query and fragment that mean nothing else: each makes a module of its own of a script.
    pub query: String,
    /// The file of the package that `main` names, where its `module` names this one instead.
    pub main: Option<PathBuf>,
}

/// What the nearest package.json says about a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PackageFacts {
    /// `sideEffects` excludes it.
    pub is_pure: bool,
    /// `"type": "module"`
    pub is_module: bool,
}

/// What a specifier such as `./file?raw` asks for. Other queries mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// The file's text.
    Raw,
    /// The address of a copy of the file.
    Url,
    /// A data URL with the file's bytes.
    Inline,
}

impl Form {
    fn parse(query: &str) -> Option<Self> {
        match query.trim_start_matches('?') {
            "raw" => Some(Self::Raw),
            "url" => Some(Self::Url),
            "inline" => Some(Self::Inline),
            _ => None,
        }
    }

    /// The query that asks for it.
    pub(crate) fn query(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Url => "url",
            Self::Inline => "inline",
        }
    }
}

/// Why a specifier leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unresolved {
    /// A module of Node's own, such as `fs`.
    Builtin(String),
    /// No such file or package.
    NotFound,
    /// The package is there, and does not offer this path.
    NotExported(NotExported),
    /// A `tsconfig.json` or `package.json` on the way cannot be read.
    Broken(BrokenFile),
    /// Anything else, in the resolver's words.
    Other(String),
}

/// A path of a package that `exports` in its package.json does not list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotExported {
    /// `./x`
    pub subpath: String,
    pub package_json: PathBuf,
}

/// A file of settings that is not the JSON it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BrokenFile {
    pub path: PathBuf,
    pub message: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
}

/// Why a `tsconfig.json` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BrokenConfig {
    /// A file that it extends or refers to is not there: its path, or what names it in a package.
    Missing(PathBuf),
    Syntax(BrokenFile),
    /// A file that it extends or refers to is there, and cannot be read.
    Unreadable(PathBuf),
    Other(Text),
}

/// Extensions that specifiers may leave out, in the order in which they are tried.
const SOURCES: &[&str] = &[".tsx", ".ts", ".jsx", ".mts"];
const COMPILED: &[&str] = &[".js", ".mjs", ".cjs", ".json"];

/// What decides about where specifiers lead, besides the files that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResolverKey {
    /// The folder of the site.
    pub folder: PathBuf,
    pub platform: Platform,
    pub mode: Mode,
    pub external: Vec<String>,
    pub conditions: Vec<String>,
}

/// Resolves specifiers for one target.
pub(crate) struct Resolver {
    import: ResolverGeneric<Files>,
    require: ResolverGeneric<Files>,
    /// As `import`, but asks packages for their `main` first.
    main: ResolverGeneric<Files>,
    /// Ignores what packages replace for browsers. Only for the engine.
    server: Option<ResolverGeneric<Files>>,
    sources: Arc<dyn Sources>,
    external: Vec<String>,
    platform: Platform,
    tsconfig: Option<PathBuf>,
    /// What a path begins at that begins with `/`.
    site: PathBuf,
    tsconfigs: Arc<Tsconfigs>,
    /// The package.json of folders inside packages, if there is one.
    inner_packages: Arc<Mutex<FxHashMap<PathBuf, Option<Arc<PackageJson>>>>>,
    /// Builds of packages for servers, and whether they need Node.js.
    node_builds: Mutex<FxHashMap<PathBuf, bool>>,
    /// Whether `tsconfig.json` refers to others.
    has_projects: bool,
}

impl Resolver {
    /// A resolver that shares what it finds of files with a `sibling`, of the same sources and the same folder.
    pub(crate) fn new(sources: &Arc<dyn Sources>, options: &ResolverKey, sibling: Option<&Self>) -> Self {
        let tsconfig = match sibling {
            Some(sibling) => sibling.tsconfig.clone(),
            None => Some(options.folder.join("tsconfig.json")).filter(|path| sources.is_file(path)),
        };
        let import = resolve_options(tsconfig.clone(), options, "import");
        let require = resolve_options(tsconfig.clone(), options, "require");
        let import = match sibling {
            Some(sibling) => sibling.import.clone_with_options(import),
            None => ResolverGeneric::new_with_file_system(Files(Arc::clone(sources)), import),
        };
        let main_fields = require.main_fields.clone();
        let main = resolve_options(tsconfig.clone(), options, "import");
        let main = import.clone_with_options(ResolveOptions { main_fields, ..main });
        let require = import.clone_with_options(require);
        let server = (options.platform == Platform::Prerender).then(|| {
            let unmapped = resolve_options(tsconfig.clone(), options, "import");
            import.clone_with_options(ResolveOptions {
                alias_fields: Vec::new(),
                main_fields: vec!["module".to_owned(), "main".to_owned()],
                ..unmapped
            })
        });
        let external = options.external.clone();
        let read = tsconfig.as_ref().and_then(|path| import.resolve_tsconfig(path).ok());
        let has_projects = read.is_some_and(|read| !read.references_resolved.is_empty());
        Self {
            import,
            require,
            main,
            server,
            sources: Arc::clone(sources),
            external,
            platform: options.platform,
            tsconfig,
            site: options.folder.clone(),
            tsconfigs: sibling.map_or_else(
                || Arc::new(Tsconfigs::new(sources, &options.folder)),
                |sibling| Arc::clone(&sibling.tsconfigs),
            ),
            inner_packages: sibling.map_or_else(Arc::default, |sibling| Arc::clone(&sibling.inner_packages)),
            node_builds: Mutex::default(),
            has_projects,
        }
    }

    /// The settings of the project that a file belongs to, if these are not those of the site's `tsconfig.json` itself.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn project(&self, file: &Path) -> Result<Option<Arc<TsConfig>>, (PathBuf, BrokenConfig)> {
        match self.tsconfigs.of(file) {
            Some(project) => project.config(file).map_err(|error| (project.path.clone(), broken_config(error))),
            None if self.has_projects => Ok(self.import.find_tsconfig(file).ok().flatten()),
            None => Ok(None),
        }
    }

    /// Resolves `specifier` as named by a module in `folder`.
    pub(crate) fn resolve(&self, folder: &Path, specifier: &str, kind: ImportKind) -> Result<Resolved, Unresolved> {
        self.resolve_within(folder, None, specifier, kind)
    }

    /// The same, with the `paths` of the module's project.
    pub(crate) fn resolve_within(
        &self,
        folder: &Path,
        project: Option<&TsConfig>,
        specifier: &str,
        kind: ImportKind,
    ) -> Result<Resolved, Unresolved> {
        if specifier.starts_with(VIRTUAL) {
            return Ok(Resolved::Virtual(specifier.to_owned()));
        }
        if self.is_external(specifier) {
            return Ok(Resolved::External(specifier.to_owned()));
        }
        if data_url::holds_module(specifier) {
            return Ok(Resolved::Data(specifier.to_owned()));
        }
        if let Some(path) = specifier.strip_prefix('/')
            && let Ok(found) = self.resolve(&self.site, &format!("./{path}"), kind)
        {
            return Ok(found);
        }
        let resolver = self.resolver(kind);
        let resolve = |resolver: &ResolverGeneric<Files>| match project {
            None => resolver.resolve(folder, specifier),
            project => resolver.resolve_with_context(folder, specifier, project, &mut ResolveContext::default()),
        };
        let found = again(resolver, resolve(resolver), resolve);
        if matches!(found, Err(ResolveError::NotFound(_)))
            && self.is_beside_site(folder, specifier)
            && let Ok(found) = self.resolve(&self.site, specifier, kind)
        {
            return Ok(found);
        }
        match found {
            Ok(resolution) => {
                let form = resolution.query().and_then(Form::parse);
                if let Some(server) = self.server_build(folder, specifier, &resolution) {
                    return Ok(Resolved::File(file(server.path())));
                }
                let main = if kind.is_import() { self.main_of(folder, specifier, &resolution) } else { None };
                let query = if form.is_none() { address_end(&resolution) } else { String::new() };
                Ok(Resolved::File(File { form, query, main, ..file(resolution.path()) }))
            }
            Err(ResolveError::Ignored(_)) => Ok(Resolved::Ignored),
            Err(ResolveError::Builtin { resolved, .. }) if self.platform == Platform::Node => {
                Ok(Resolved::External(resolved))
            }
            Err(ResolveError::NotFound(_)) if is_nodejs_builtin_module(specifier) => {
                Err(Unresolved::Builtin(specifier.to_owned()))
            }
            Err(error) => Err(unresolved(error)),
        }
    }

    /// Whether a package is asked for by sources that lie outside of the site. A folder that is linked to, or reached by
    /// `paths`, has none of the packages that the site is to bring along.
    fn is_beside_site(&self, folder: &Path, specifier: &str) -> bool {
        !is_in_packages(folder) && !folder.starts_with(&self.site) && is_package_name(&package_name(specifier))
    }

    fn resolver(&self, kind: ImportKind) -> &ResolverGeneric<Files> {
        match kind {
            ImportKind::Require { .. } | ImportKind::RequireResolve => &self.require,
            _ => &self.import,
        }
    }

    /// The paths that a specifier leads to of which a part is [`UNKNOWN`](crate::load::glob::UNKNOWN), in the order in which
    /// they are looked for.
    pub(crate) fn places(
        &self,
        folder: &Path,
        project: Option<&TsConfig>,
        specifier: &str,
        kind: ImportKind,
    ) -> Vec<PathBuf> {
        if specifier.starts_with(VIRTUAL) || self.is_external(specifier) {
            return Vec::new();
        }
        match specifier.strip_prefix('/') {
            Some(path) => vec![self.site.join(path)],
            None => places_of(specifier, folder, project, &self.sources, self.resolver(kind).options()),
        }
    }

    /// The site's `tsconfig.json`, if there is one, and whatever keeps it from being used.
    pub(crate) fn broken_tsconfig(&self) -> Option<(&Path, BrokenConfig)> {
        let path = self.tsconfig.as_deref()?;
        let error = self.import.resolve_tsconfig(path).err()?;
        Some((path, broken_config(error)))
    }

    /// What the project of a file, or else the site's `tsconfig.json`, says about the language.
    pub(crate) fn language_options(&self, file: &Path, project: Option<&TsConfig>) -> LanguageOptions {
        let of_site = || self.tsconfig.as_ref().and_then(|_| self.import.find_tsconfig(file).ok().flatten());
        match project {
            Some(project) => language_options(&project.compiler_options),
            None => of_site().map_or_else(LanguageOptions::default, |read| language_options(&read.compiler_options)),
        }
    }

    /// What packages say about a file. Asking again for its own path finds it cached.
    pub(crate) fn package_facts(&self, path: &Path) -> PackageFacts {
        let folder = path.parent().unwrap_or(path);
        let found = self.import.resolve(folder, &path.to_string_lossy()).ok().filter(|found| found.path() == path);
        let Some(outer) = found.as_ref().and_then(Resolution::package_json) else { return PackageFacts::default() };
        let package = self.inner_package(folder, outer).unwrap_or_else(|| Arc::clone(outer));
        PackageFacts {
            is_pure: excludes_effects(&package, path),
            is_module: package.r#type() == Some(PackageType::Module),
        }
    }

    /// The package.json of a folder inside a package that has one of its own.
    fn inner_package(&self, folder: &Path, outer: &PackageJson) -> Option<Arc<PackageJson>> {
        if !folder.starts_with(outer.directory()) {
            return None;
        }
        let mut inner = self.inner_packages.lock().unwrap_or_else(PoisonError::into_inner);
        let folders = folder.ancestors().take_while(|folder| *folder != outer.directory());
        folders.into_iter().find_map(|folder| {
            let read = || {
                let path = folder.join("package.json");
                let text = self.sources.read(&path).ok()?;
                let package = PackageJson::parse(&Files(Arc::clone(&self.sources)), path.clone(), path, text);
                package.ok().map(Arc::new)
            };
            inner.entry(folder.to_path_buf()).or_insert_with(read).clone()
        })
    }

    /// The file that `main` of a package names, where an import was given the one that `module` names. What `exports` says
    /// is the same for both.
    fn main_of(&self, folder: &Path, specifier: &str, chosen: &Resolution) -> Option<PathBuf> {
        if names_file(specifier, chosen.path()) {
            return None;
        }
        let main = self.main.resolve(folder, specifier).ok()?;
        (main.path() != chosen.path()).then(|| main.into_path_buf())
    }

    /// The main file of a package made for React that replaces it by another one in browsers: the one replaced renders on
    /// servers, the other one counts on a document. Of packages that know nothing of React, the engine needs the same file
    /// as browsers, and so it does where the one replaced needs Node.js.
    fn server_build(&self, folder: &Path, specifier: &str, chosen: &Resolution) -> Option<Resolution> {
        let is_package = !specifier.starts_with(['.', '/', '#']);
        let server = self.server.as_ref().filter(|_| is_package)?.resolve(folder, specifier).ok()?;
        let package = server.package_json().filter(|_| server.path() != chosen.path())?;
        let text = self.sources.read_to_string(package.path()).ok()?;
        let package: serde_json::Value = serde_json::from_str(&text).ok()?;
        let is_of_react = package["peerDependencies"]["react"].is_string();
        (is_of_react && !self.needs_node(server.path())).then_some(server)
    }

    /// Whether a build for servers is one for Node.js, so that only the one for browsers can run in the engine.
    fn needs_node(&self, path: &Path) -> bool {
        let known = |path: &Path| self.node_builds.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied();
        known(path).unwrap_or_else(|| {
            let read = |path: &Path| self.sources.read_to_string(path).ok();
            let resolver = self.server.as_ref().unwrap_or(&self.import);
            let resolve =
                |folder: &Path, specifier: &str| Some(resolver.resolve(folder, specifier).ok()?.path().to_path_buf());
            let needs_node = needs_node(path, read, resolve);
            self.node_builds.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_path_buf(), needs_node);
            needs_node
        })
    }

    /// Whether a specifier is one of those that stay, or lies below one that is a package.
    pub(super) fn is_external(&self, specifier: &str) -> bool {
        let is_below = |external: &str| specifier.strip_prefix(external).is_some_and(|rest| rest.starts_with('/'));
        let is_it = |external: &String| match external.split_once('*') {
            Some((start, end)) => specifier.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
            None => specifier == external || is_below(external),
        };
        self.external.iter().any(is_it) || (is_address(specifier) && !data_url::holds_module(specifier))
    }
}

fn broken_config(error: ResolveError) -> BrokenConfig {
    match error {
        ResolveError::TsconfigNotFound(path) => BrokenConfig::Missing(path),
        ResolveError::TsconfigCircularExtend(_) => BrokenConfig::Other(text!("it extends itself", "它继承了自己")),
        ResolveError::TsconfigSelfReference(_) => BrokenConfig::Other(text!("it refers to itself", "它引用了自己")),
        ResolveError::TsconfigLoadFailed { path, source } if matches!(*source, ResolveError::IOError(_)) => {
            BrokenConfig::Unreadable(path)
        }
        error => match unresolved(error) {
            Unresolved::Broken(file) => BrokenConfig::Syntax(file),
            Unresolved::Other(reason) => BrokenConfig::Other(Text::verbatim(reason)),
            reason => BrokenConfig::Other(Text::verbatim(format!("{reason:?}"))),
        },
    }
}

fn language_options(options: &CompilerOptions) -> LanguageOptions {
    let is_classic = options.jsx.as_deref() == Some("react");
    LanguageOptions {
        assigned_fields: !defines_fields(options),
        unused_imports: unused_imports(options),
        legacy_decorators: options.experimental_decorators == Some(true),
        decorator_metadata: options.emit_decorator_metadata == Some(true),
        jsx_import_source: options.jsx_import_source.clone(),
        jsx_factory: is_classic.then(|| options.jsx_factory.clone().unwrap_or("React.createElement".to_owned())),
        jsx_fragment_factory: options.jsx_fragment_factory.clone(),
    }
}

/// Whether fields are defined as in JavaScript. A target from before there were any says that they are not.
fn defines_fields(options: &CompilerOptions) -> bool {
    let is_old = |target: &String| {
        let target = target.to_lowercase();
        let year = target.strip_prefix("es").and_then(|version| version.parse::<u32>().ok());
        year.is_some_and(|year| year < 2022)
    };
    options.use_define_for_class_fields.unwrap_or(!options.target.as_ref().is_some_and(is_old))
}

fn unused_imports(options: &CompilerOptions) -> UnusedImports {
    let are_kept_by_name = matches!(options.imports_not_used_as_values.as_deref(), Some("preserve" | "error"));
    if options.verbatim_module_syntax == Some(true) {
        UnusedImports::Kept
    } else if options.preserve_value_imports == Some(true) || are_kept_by_name {
        UnusedImports::Loaded
    } else {
        UnusedImports::Dropped
    }
}

/// `https://…`, `//…` and `data:…`, which no file can be.
fn is_address(specifier: &str) -> bool {
    ["http://", "https://", "//", "data:"].iter().any(|scheme| specifier.starts_with(scheme))
}

/// Whether an external specifier, as the resolver writes it, names a module of Node.js.
pub(crate) fn is_node_builtin(specifier: &str) -> bool {
    specifier.starts_with("node:")
}

/// Whether a specifier is the path of a file, and not that of a package.
fn names_file(specifier: &str, path: &Path) -> bool {
    let typed = specifier.rsplit('/').next().filter(|_| specifier.starts_with(['.', '/']));
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    typed.is_some_and(|typed| !typed.is_empty() && file.starts_with(typed))
}

/// Query and fragment, as they are written.
fn address_end(resolution: &Resolution) -> String {
    [resolution.query(), resolution.fragment()].into_iter().flatten().collect()
}

fn unresolved(error: ResolveError) -> Unresolved {
    match error {
        ResolveError::Builtin { resolved, .. } => Unresolved::Builtin(resolved),
        ResolveError::NotFound(_)
        | ResolveError::MatchedAliasNotFound(..)
        | ResolveError::ExtensionAlias(..)
        | ResolveError::PackageImportNotDefined(..) => Unresolved::NotFound,
        ResolveError::PackagePathNotExported { subpath, package_json_path: package_json, .. } => {
            Unresolved::NotExported(NotExported { subpath, package_json })
        }
        ResolveError::TsconfigLoadFailed { source, .. } => unresolved(*source),
        ResolveError::Json(JSONError { path, message, line, column }) => {
            Unresolved::Broken(BrokenFile { path, message, line, column })
        }
        other => Unresolved::Other(other.to_string()),
    }
}

fn file(path: &Path) -> File {
    File { path: path.to_path_buf(), form: None, query: String::new(), main: None }
}

/// What a resolver finds with other options, where what it `found` is not what a package means.
fn again(
    resolver: &ResolverGeneric<Files>,
    found: Result<Resolution, ResolveError>,
    resolve: impl Fn(&ResolverGeneric<Files>) -> Result<Resolution, ResolveError>,
) -> Result<Resolution, ResolveError> {
    let options = resolver.options();
    match &found {
        // What a package wants to have replaced for browsers may be there when the replacement is not.
        Err(ResolveError::NotFound(_)) if !options.alias_fields.is_empty() => {
            let unmapped = ResolveOptions { alias_fields: Vec::new(), ..options.clone() };
            resolve(&resolver.clone_with_options(unmapped)).or(found)
        }
        // Packages are published with their sources beside what was made of them.
        Ok(resolution) if is_source_of_package(resolution.path()) => {
            let extensions = [COMPILED, SOURCES].concat().into_iter().map(ToOwned::to_owned).collect();
            resolve(&resolver.clone_with_options(ResolveOptions { extensions, ..options.clone() })).or(found)
        }
        _ => found,
    }
}

fn is_source_of_package(path: &Path) -> bool {
    let is_typescript =
        path.extension().is_some_and(|extension| ["ts", "tsx", "mts"].iter().any(|ts| extension == *ts));
    is_typescript && is_in_packages(path)
}

/// Whether `sideEffects` in the package says that evaluating the file changes nothing.
fn excludes_effects(package: &PackageJson, path: &Path) -> bool {
    let relative = path.strip_prefix(package.directory()).unwrap_or(path);
    let relative = relative.to_string_lossy().replace('\\', "/");
    let listed = |pattern: &str| glob_matches(pattern, &relative);
    match package.side_effects() {
        None => false,
        Some(SideEffects::Bool(effects)) => !effects,
        Some(SideEffects::String(pattern)) => !listed(pattern),
        Some(SideEffects::Array(patterns)) => !patterns.into_iter().any(listed),
    }
}

/// A pattern without a slash names files in every folder, as in webpack, which the field comes from.
fn glob_matches(pattern: &str, relative: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let pattern = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
    fast_glob::glob_match(pattern, relative)
}

fn resolve_options(tsconfig: Option<PathBuf>, options: &ResolverKey, syntax: &str) -> ResolveOptions {
    let strings = |list: &[&str]| list.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
    // Browsers and the engine must run the same files, or pages differ. Only where a package has a build for runtimes
    // with web streams and nothing of Node, as React DOM's server has, the engine takes that.
    let platform: &[&str] = match options.platform {
        Platform::Browser => &["browser"],
        Platform::Prerender => &["edge-light", "browser"],
        Platform::Node => &["node"],
        Platform::Neutral => &[],
    };
    let is_for_browsers = platform.contains(&"browser");
    // `module` names an ES module, which `require` would have to be given as an object, and which Node.js knows nothing of.
    let prefers_module = syntax == "import" && options.platform != Platform::Node;
    let (first, last) = if prefers_module { ("module", "main") } else { ("main", "module") };
    let main_fields = if is_for_browsers { vec!["browser", first, last] } else { vec![first, last] };
    let given: Vec<&str> = options.conditions.iter().map(String::as_str).collect();
    let conditions = [&given, platform, &[syntax, "module", options.mode.name(), "default"]].concat();
    ResolveOptions {
        // Without one, what is said of a file by the one beside it still has to be looked at.
        tsconfig: Some(tsconfig.map_or(TsconfigDiscovery::Auto, |config_file| {
            TsconfigDiscovery::Manual(TsconfigOptions { config_file, references: TsconfigReferences::Auto })
        })),
        alias_fields: if is_for_browsers { vec![strings(&["browser"])] } else { Vec::new() },
        // Elsewhere, what a package puts in their place or has of the same name comes first.
        builtin_modules: options.platform == Platform::Node,
        condition_names: strings(&conditions),
        extension_alias: [
            (".js", [".js", ".ts", ".tsx"]),
            (".jsx", [".jsx", ".tsx", ".ts"]),
            (".mjs", [".mjs", ".mts", ".ts"]),
            (".cjs", [".cjs", ".cts", ".ts"]),
        ]
        .map(|(written, tried)| (written.to_owned(), strings(&tried)))
        .to_vec(),
        extensions: strings(&[SOURCES, COMPILED].concat()),
        main_fields: strings(&main_fields),
        ..ResolveOptions::default()
    }
}
