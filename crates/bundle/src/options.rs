//! What to bundle, for whom, and how.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use portalgen_base::{
    store::{Key, Results},
    timing::Clock,
};

use crate::{
    defines::{Define, Defines, HOT},
    module_cache::ModuleCache,
    platform::{Mode, Platform, RegexJudge},
    syntax::ParseOptions,
};

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
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Site => "assets/",
            Self::Flat => "",
        }
    }
}

/// What is kept of where code came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    /// Whether modules are made to be replaced while a page shows: see [`HotGraph`](crate::HotGraph).
    pub hot: bool,
    /// Whether what an `import()` loads is asked for once more when that fails, as networks do.
    pub retries: bool,
    /// Lazy entries: modules that code of the entries loads by the addresses of their chunks, as a module in the folder
    /// would import them, for their default exports. They are found in [`Bundle::lazy`](crate::Bundle::lazy), beside the
    /// targets of `import()`.
    pub lazy_entries: Vec<String>,
    /// What to make of regular expressions.
    pub regex_judge: RegexJudge,
    /// Scans, texts and resolvers of other bundles, and where to keep those of this one.
    pub modules: Arc<ModuleCache>,
    /// Facts of modules and parsed style sheets of earlier builds, and where to keep those of this one.
    pub scans: Option<Results>,
    /// Texts of chunks that earlier builds printed, and where to keep those of this one.
    pub chunks: Option<Results>,
    /// Takes the time of the steps.
    pub clock: Clock,
    /// The scripts of the workers that this bundle is part of, outermost first. Empty unless the bundler calls itself.
    pub workers: Vec<PathBuf>,
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
            hot: false,
            retries: false,
            lazy_entries: Vec::new(),
            regex_judge: RegexJudge::LENIENT,
            modules: Arc::default(),
            scans: None,
            chunks: None,
            clock: Clock::default(),
            workers: Vec::new(),
        }
    }

    /// All that the output depends on besides modules, as text.
    pub fn shown(&self) -> String {
        format!("{} {:?}", self.shown_of_modules(), self.lazy_entries)
    }

    /// All that modules depend on besides their text, as text.
    pub(crate) fn shown_of_modules(&self) -> String {
        let Self {
            root,
            folder,
            platform,
            mode,
            minify,
            minify_sheets,
            source_maps,
            base,
            layout,
            external,
            conditions,
            defines,
            env,
            integrity,
            hot,
            retries,
            workers,
            // It decides about which modules there are.
            lazy_entries: _,
            // A part of the program.
            regex_judge: _,
            // These change how long it takes, and who watches it changes nothing.
            modules: _,
            scans: _,
            chunks: _,
            clock: _,
        } = self;
        let form = (root, folder, platform, mode, minify, minify_sheets, source_maps, base, layout);
        let code = (external, conditions, defines, env, integrity, hot, retries, workers);
        format!("{form:?} {code:?}")
    }

    pub(crate) fn defines(&self) -> Defines {
        let mut defines = vec![("process.env.NODE_ENV".to_owned(), Define::Value(self.mode.name().into()))];
        let hot = if self.hot { Define::Name(HOT.to_owned()) } else { Define::Undefined };
        defines.push(("import.meta.hot".to_owned(), hot));
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

    /// How modules are parsed.
    pub(crate) fn for_parsing(&self) -> ParseOptions {
        let defines = self.defines();
        let for_engine = self.platform == Platform::Prerender;
        let key = Key::of_value(&(&defines, for_engine));
        ParseOptions {
            defines,
            development: self.mode.is_development(),
            for_engine,
            refreshes: self.hot && self.mode.is_development(),
            regex_judge: self.regex_judge,
            key,
        }
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
