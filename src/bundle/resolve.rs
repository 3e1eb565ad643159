//! From a specifier and its importer to a file, by Node's rules and those that bundlers added to them.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use oxc_resolver::{
    FileMetadata, FileSystem, JSONError, PackageJson, PackageType, ResolveError, ResolveOptions, ResolverGeneric,
    SideEffects, TsconfigDiscovery, TsconfigOptions, TsconfigReferences,
};

use super::{Mode, Target, module::RequestKind};
use crate::source::{Kind, Sources};

/// What a specifier leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    File(File),
    /// A module that the binary carries or makes: `portalgen:routes`.
    Virtual(String),
    /// Switched off for browsers by `"browser": { "x": false }`: an empty module.
    Ignored,
}

/// A file that a specifier leads to, with what its package says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Absolute, links resolved.
    pub path: PathBuf,
    /// `sideEffects` of its package excludes it.
    pub pure_package: bool,
    /// Its package is `"type": "module"`.
    pub module_package: bool,
}

/// Why a specifier leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unresolved {
    /// A module of Node's own, such as `fs`.
    Builtin(String),
    /// No such file or package.
    NotFound,
    /// The package is there, and does not offer this path.
    NotExported(String),
    /// A `tsconfig.json` or `package.json` on the way cannot be read.
    Broken(BrokenFile),
    /// Anything else, in the resolver's words.
    Other(String),
}

/// A file of settings that is not the JSON it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenFile {
    pub path: PathBuf,
    pub message: String,
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1.
    pub column: usize,
}

/// Prefix of the names of virtual modules.
pub(super) const VIRTUAL: &str = "portalgen:";

/// Resolves specifiers for one target.
pub(super) struct Resolver {
    import: ResolverGeneric<Files>,
    require: ResolverGeneric<Files>,
}

impl Resolver {
    /// `folder` holds the site's sources, its `tsconfig.json` and its `node_modules`.
    pub(super) fn new(sources: &Arc<dyn Sources>, folder: &Path, target: Target, mode: Mode) -> Self {
        let tsconfig = folder.join("tsconfig.json");
        let tsconfig = sources.is_file(&tsconfig).then_some(tsconfig);
        let import = options(tsconfig.clone(), target, mode, "import");
        let require = options(tsconfig, target, mode, "require");
        let import = ResolverGeneric::new_with_file_system(Files(Arc::clone(sources)), import);
        let require = import.clone_with_options(require);
        Self { import, require }
    }

    /// Resolves `specifier` as named by a module in `folder`.
    pub(super) fn resolve(&self, folder: &Path, specifier: &str, kind: RequestKind) -> Result<Resolved, Unresolved> {
        if specifier.starts_with(VIRTUAL) {
            return Ok(Resolved::Virtual(specifier.to_owned()));
        }
        let resolver = match kind {
            RequestKind::Require { .. } => &self.require,
            RequestKind::Import | RequestKind::Dynamic => &self.import,
        };
        match resolver.resolve(folder, specifier) {
            Ok(resolution) => Ok(Resolved::File(file(resolution.path(), resolution.package_json()))),
            Err(ResolveError::Ignored(_)) => Ok(Resolved::Ignored),
            Err(error) => Err(unresolved(error)),
        }
    }
}

fn unresolved(error: ResolveError) -> Unresolved {
    match error {
        ResolveError::Builtin { resolved, .. } => Unresolved::Builtin(resolved),
        ResolveError::NotFound(_) | ResolveError::MatchedAliasNotFound(..) | ResolveError::ExtensionAlias(..) => {
            Unresolved::NotFound
        }
        ResolveError::PackagePathNotExported { subpath, .. } => Unresolved::NotExported(subpath),
        ResolveError::TsconfigLoadFailed { source, .. } => unresolved(*source),
        ResolveError::Json(JSONError { path, message, line, column }) => {
            Unresolved::Broken(BrokenFile { path, message, line, column })
        }
        other => Unresolved::Other(other.to_string()),
    }
}

fn file(path: &Path, package: Option<&Arc<PackageJson>>) -> File {
    File {
        path: path.to_path_buf(),
        pure_package: package.is_some_and(|package| excludes_effects(package, path)),
        module_package: package.is_some_and(|package| package.r#type() == Some(PackageType::Module)),
    }
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

fn options(tsconfig: Option<PathBuf>, target: Target, mode: Mode, syntax: &str) -> ResolveOptions {
    let strings = |list: &[&str]| list.iter().map(|&item| item.to_owned()).collect::<Vec<_>>();
    // Browsers and the engine must run the same files, or pages differ. Only where a package has a build for runtimes
    // with web streams and nothing of Node, as React DOM's server has, the engine takes that.
    let platform: &[&str] = match target {
        Target::Browser => &["browser"],
        Target::Prerender => &["edge-light", "browser"],
    };
    // `module` names an ES module, which `require` would have to be given as an object.
    let (first, last) = if syntax == "import" { ("module", "main") } else { ("main", "module") };
    let conditions = [platform, &[syntax, "module", mode.name(), "default"]].concat();
    ResolveOptions {
        tsconfig: tsconfig.map(|config_file| {
            TsconfigDiscovery::Manual(TsconfigOptions { config_file, references: TsconfigReferences::Auto })
        }),
        alias_fields: vec![strings(&["browser"])],
        builtin_modules: true,
        condition_names: strings(&conditions),
        extension_alias: [
            (".js", [".js", ".ts", ".tsx"]),
            (".jsx", [".jsx", ".tsx", ".ts"]),
            (".mjs", [".mjs", ".mts", ".ts"]),
            (".cjs", [".cjs", ".cts", ".ts"]),
        ]
        .map(|(written, tried)| (written.to_owned(), strings(&tried)))
        .to_vec(),
        extensions: strings(&[".tsx", ".ts", ".jsx", ".mts", ".js", ".mjs", ".cjs", ".json"]),
        main_fields: strings(&["browser", first, last]),
        ..ResolveOptions::default()
    }
}

/// The resolver's view of [`Sources`].
struct Files(Arc<dyn Sources>);

impl FileSystem for Files {
    fn new() -> Self {
        Self(Arc::new(crate::source::Disk))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        self.0.read_to_string(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.kind(path).map(metadata)
    }

    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.0.link_kind(path).map(metadata)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        self.0.read_link(path).map_err(ResolveError::from)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonicalize(path)
    }
}

fn metadata(kind: Kind) -> FileMetadata {
    FileMetadata::new(kind == Kind::File, kind == Kind::Folder, kind == Kind::Link)
}
