//! The data that all steps work on: the scan of a module, with its import records, names and statements, and what a graph adds.

use crate::{
    doubt::Doubt,
    effect::Effect,
    helpers::Helper,
    known_exports::KnownExports,
    trees::{BoundedTrees, ModuleTrees, Trees},
};
use std::{collections::BTreeMap, fmt, sync::Arc};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use swc_core::{
    atoms::Atom,
    common::{Span, SyntaxContext},
};

use portalgen_base::{diagnostic::SourceText, store::Key};

use super::css::Stylesheet;

/// A module's number in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ModuleId(pub u32);

impl ModuleId {
    /// The helpers that emitted code calls; always the graph's first module.
    pub(super) const HELPERS: Self = Self(0);

    /// The module at an index.
    pub(super) fn at(index: usize) -> Self {
        // A graph of more than four thousand million modules does not fit into memory.
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The modules of a graph that has `count` of them.
    pub(super) fn all(count: usize) -> impl Iterator<Item = Self> {
        (0..count).map(Self::at)
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A top-level variable: the module that owns it and its name there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Symbol {
    pub module: ModuleId,
    pub name: Atom,
}

impl Symbol {
    pub(super) fn new(module: ModuleId, name: impl Into<Atom>) -> Self {
        Self { module, name: name.into() }
    }

    pub(super) fn helper(helper: Helper) -> Self {
        Self::new(ModuleId::HELPERS, helper.name())
    }
}

/// Variables that the bundler itself declares for a module. No author can write these names.
pub(super) mod synthetic {
    /// Value of `export default <expression>`.
    pub(crate) const DEFAULT: &str = "*default*";
    /// The namespace object of an ES module.
    pub(crate) const NAMESPACE: &str = "*namespace*";
    /// What `require` of an ES module gives.
    pub(crate) const REQUIRED: &str = "*required*";
    /// Function that evaluates a wrapped module, unless that has happened.
    pub(crate) const INIT: &str = "*init*";
    /// Function that evaluates a CommonJS module at the first call and returns its exports.
    pub(crate) const REQUIRE: &str = "*require*";
    /// Exports of a CommonJS module that has been evaluated.
    pub(crate) const EXPORTS: &str = "*exports*";
    /// What `import x` of a CommonJS module means to an importer that follows `__esModule`.
    pub(crate) const INTEROP_DEFAULT: &str = "*interop default*";
    /// What `import * as x` means to an importer that follows `__esModule`.
    pub(crate) const INTEROP_NAMESPACE: &str = "*interop namespace*";
    /// What `import * as x` means to an importer that follows Node: `default` is `module.exports`.
    pub(crate) const NODE_NAMESPACE: &str = "*node namespace*";
}

/// How a module asks for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum ImportKind {
    /// `import … from` and `export … from`.
    Static,
    /// `import(…)`.
    Dynamic {
        /// In `try`, or with what to do if it fails.
        guarded: bool,
    },
    /// `require(…)`.
    Require {
        /// Inside `try`: the author expects that it may fail.
        guarded: bool,
    },
    /// `require.resolve(…)`: the name of what `require` would load.
    RequireResolve,
    /// `new URL("…", import.meta.url)`: the address of a file.
    Url {
        /// It is handed to `new Worker`, so the file is a script to bundle.
        of_worker: bool,
    },
}

impl ImportKind {
    /// Whether it takes what packages offer to `import`.
    pub(super) fn is_import(self) -> bool {
        matches!(self, Self::Static | Self::Dynamic { .. })
    }

    /// Whether what is asked for is a module of the graph.
    pub(super) fn is_of_module(self) -> bool {
        !matches!(self, Self::RequireResolve | Self::Url { .. })
    }
}

/// `with { type: "json" }`, in the order of the keys.
pub(super) type Attributes = Vec<(Atom, Atom)>;

/// An external module: what an import names that is still one in the output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct External {
    pub specifier: String,
    pub attributes: Attributes,
}

impl From<String> for External {
    fn from(specifier: String) -> Self {
        Self { specifier, attributes: Attributes::new() }
    }
}

impl fmt::Display for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.specifier)?;
        self.attributes.iter().try_for_each(|(key, value)| write!(f, " with {key}: {value}"))
    }
}

/// One specifier that a module names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ImportRecord {
    pub specifier: Atom,
    pub attributes: Attributes,
    pub kind: ImportKind,
    pub span: Span,
    /// Of a `require`: the properties that are read of what it gives, if nothing else is done with that.
    pub members: Option<Vec<Atom>>,
    /// Of a `require`: the module does nothing but hand on what it gives.
    pub is_forwarded: bool,
}

/// What an import record leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Not resolved, which is an error that was reported or, where it is guarded, a failure at run time.
    Unresolved,
    /// An external module, asked for with `import()`.
    External,
    /// A file that need not be part of the bundle, by what `require.resolve` calls it.
    Named(String),
    /// An output file beside the chunks, by its name.
    File(String),
    /// The URL path of a file, for code that runs where there are no files.
    Address(String),
    Module(ModuleId),
}

impl Target {
    /// The module of the graph, if it is one.
    pub(super) fn module(&self) -> Option<ModuleId> {
        match self {
            Self::Module(module) => Some(*module),
            _ => None,
        }
    }
}

/// The part of a module that an import is of: `ImportName` in ECMAScript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Imported {
    /// An export; `default` is one of them.
    Name(Atom),
    /// All of them, as an object.
    Namespace,
}

/// A local name bound by `import`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Import {
    pub record: usize,
    pub imported: Imported,
    pub span: Span,
}

/// What an exported name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Export {
    /// A variable of this module.
    Local(Atom),
    /// Something of another module.
    Forwarded(Import),
}

/// One thing that a statement mentions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Use {
    /// A top-level name of the module, declared or imported.
    Name(Atom),
    /// A property of an imported name, or one of that property: `namespace.inner.value`.
    Member(Atom, Vec<Atom>),
    /// A `require` or `import()`, by the number of its import record.
    ImportRecord(usize),
    /// A helper of the bundler.
    Helper(Helper),
}

impl Use {
    /// The top-level name that is mentioned, if it is one.
    pub(super) fn name(&self) -> Option<&Atom> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// What the code of a statement is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Code {
    /// As the author wrote it: the statement with this number in [`Trees::body`].
    Source(usize),
    /// The whole body of a CommonJS module, and whether it mentions `module`.
    CommonJs { uses_module: bool },
    /// The evaluation of a CommonJS module, for those who import it.
    Evaluation,
    /// See [`synthetic`].
    InteropDefault,
    /// See [`synthetic`].
    InteropNamespace { node: bool },
    /// The namespace object of an ES module.
    Namespace,
    /// Completes the object in a variable with the names that `export *` takes from modules whose names show only at run
    /// time.
    StarExports(Atom),
    /// See [`synthetic`].
    Required,
    /// The same, of a module that says that `require` gives the value of one of its variables.
    RequiredVariable(Atom),
    /// The style sheet of the module: no code, but a reason for the module to stay.
    Stylesheet,
}

/// The unit of tree shaking: a top-level statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Statement {
    pub code: Code,
    /// How many bytes of the source it stands for.
    pub source_bytes: usize,
    pub declares: Vec<Atom>,
    pub uses: Vec<Use>,
    pub effect: Effect,
    /// Its value is the same whenever it runs: it may run before everything else.
    pub is_constant: bool,
}

/// Side effects of the evaluation of a module: how much it matters when that happens, among modules that do not import
/// each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evaluation {
    /// Not at all: it only declares functions and constants.
    Inert,
    /// Not beyond what it imports: its package says that it has no side effects.
    Free,
    /// It may see what others have changed before it.
    Observes,
    /// It may change what others see.
    Changes,
}

/// How code asks for what shows only at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum UnknownRequest {
    Import,
    Require,
}

impl UnknownRequest {
    /// As it is written.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Import => "import()",
            Self::Require => "require",
        }
    }
}

/// The rules that a module's code follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Format {
    Esm,
    CommonJs,
}

/// What the text of a module stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// A program.
    Code,
    /// Plain data, whose default export is what `require` of the module gives.
    Data,
    /// A style sheet with rules, besides the program.
    Stylesheet,
    /// Nothing that is part of the output.
    Nothing,
}

/// The facts found in a module's text, which is all that linking and dividing into chunks look at. All graphs with the
/// module share them: what a graph adds is in its [`Module`]. Code is printed from its [`Trees`].
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct ModuleScan {
    pub format: Format,
    pub import_records: Vec<ImportRecord>,
    pub imports: FxHashMap<Atom, Import>,
    pub exports: BTreeMap<Atom, Export>,
    /// Import records of `export * from`.
    pub star_exports: Vec<usize>,
    pub statements: Vec<Statement>,
    /// Of a module that imports something: names that always hold the same text: `var KEY = "useId"`, as in `React[KEY]`.
    pub texts: FxHashMap<Atom, Atom>,
    /// Properties of imported names that the code reads, and where it does so first.
    pub members: FxHashMap<(Atom, Vec<Atom>), Span>,
    /// Names declared below the top level: a new top-level name must not hide behind one of them.
    pub nested: FxHashSet<Atom>,
    /// Of a CommonJS module: its exports, as far as they are known.
    pub known_exports: Option<KnownExports>,
    /// Of a CommonJS module: it looks at what `module` says about itself.
    pub describes_module: bool,
    /// Of a CommonJS module: its text has `import` where `require` stands now, so external modules are imported.
    pub is_mixed: bool,
    /// Of a CommonJS module: it says that what it exports is `null` or `undefined`, of which nobody can ask for a property.
    pub may_export_nothing: bool,
    /// Whether its evaluation waits for something.
    pub top_level_await: bool,
    /// `import()` and `require` of what shows only at run time.
    pub unknown_requests: Vec<(UnknownRequest, Span)>,
    /// Names taken from outside.
    pub globals: FxHashSet<Atom>,
    /// Whether it calls `eval` so that the code in it can use all names of the module.
    pub direct_eval: bool,
    /// Functions that are marked with `#__NO_SIDE_EFFECTS__`: calls of them have no effect.
    pub pure_functions: FxHashSet<Atom>,
    /// The context of the names that are declared at the module's top level. Each scan counts contexts from the start, so
    /// this and the next are those of the trees, whenever these are made.
    pub top_level: SyntaxContext,
    /// The context of the names that nothing in the module declares.
    pub unresolved: SyntaxContext,
    /// The comments that licences ask to be handed on.
    pub licences: Vec<Atom>,
    /// What its authors may have meant otherwise, in the order of the text. Packages have none.
    pub doubts: Vec<Doubt>,
}

impl ModuleScan {
    /// Adds what does not show in the code.
    pub(super) fn hold(&mut self, content: Content) {
        match content {
            Content::Code => {}
            Content::Nothing => self.statements.clear(),
            Content::Data => {
                self.require_variable(&synthetic::DEFAULT.into());
                self.statements.iter_mut().for_each(|statement| statement.is_constant = true);
            }
            Content::Stylesheet => self.statements.push(Statement {
                code: Code::Stylesheet,
                source_bytes: 0,
                declares: Vec::new(),
                uses: Vec::new(),
                effect: Effect::Any,
                is_constant: true,
            }),
        }
    }

    /// Gives back the room for what was not found: the facts of thousands of modules are there until the last chunk is made.
    pub(super) fn shrink_to_fit(&mut self) {
        self.import_records.shrink_to_fit();
        self.imports.shrink_to_fit();
        self.star_exports.shrink_to_fit();
        self.statements.shrink_to_fit();
        for Statement { declares, uses, .. } in &mut self.statements {
            declares.shrink_to_fit();
            uses.shrink_to_fit();
        }
        self.texts.shrink_to_fit();
        self.members.shrink_to_fit();
        self.nested.shrink_to_fit();
        self.globals.shrink_to_fit();
        self.licences.shrink_to_fit();
        self.doubts.shrink_to_fit();
    }

    /// Lets `require` of this module give the value of a variable.
    pub(super) fn require_variable(&mut self, name: &Atom) {
        let required = self.statements.iter_mut().find(|statement| matches!(statement.code, Code::Required));
        if let Some(statement) = required {
            statement.code = Code::RequiredVariable(name.clone());
            statement.uses = vec![Use::Name(name.clone())];
            statement.is_constant = false;
        }
    }

    /// The number of an import record, which is new if the module has not asked for this in this way before.
    pub(super) fn import_record(&mut self, specifier: Atom, span: Span, kind: ImportKind) -> usize {
        self.import_record_with(specifier, Attributes::new(), span, kind)
    }

    /// The same, with what the import says about the module.
    pub(super) fn import_record_with(
        &mut self,
        specifier: Atom,
        attributes: Attributes,
        span: Span,
        kind: ImportKind,
    ) -> usize {
        let is_it = |record: &ImportRecord| {
            record.specifier == specifier && record.kind == kind && record.attributes == attributes
        };
        self.import_records.iter().position(is_it).unwrap_or_else(|| {
            let record = ImportRecord { specifier, attributes, kind, span, members: None, is_forwarded: false };
            self.import_records.push(record);
            self.import_records.len() - 1
        })
    }
}

/// What scanning a module gives.
#[derive(Clone)]
pub(super) struct Scan {
    pub facts: Arc<ModuleScan>,
    pub trees: Arc<ModuleTrees>,
    /// A hash of all that it is made of. None, if that is more than is known: the files that there are.
    pub identity: Option<Key>,
}

impl Scan {
    /// A scan that depends on more than the text of the module.
    pub(super) fn of_open((facts, trees): (ModuleScan, Trees)) -> Self {
        Self::new(facts, ModuleTrees::Fixed(Arc::new(trees)))
    }

    /// A scan whose trees are held or can be made.
    pub(super) fn of_closed(facts: ModuleScan, trees: BoundedTrees) -> Self {
        Self::new(facts, ModuleTrees::Bounded(trees))
    }

    fn new(facts: ModuleScan, trees: ModuleTrees) -> Self {
        Self { facts: Arc::new(facts), trees: Arc::new(trees), identity: None }
    }
}

/// A module of the graph.
#[derive(Clone)]
pub(super) struct Module {
    /// Unique and the same on every machine: a path relative to the project, or a virtual name.
    pub name: Arc<str>,
    pub source: Arc<SourceText>,
    pub scan: Arc<ModuleScan>,
    pub trees: Arc<ModuleTrees>,
    /// See [`Scan::identity`].
    pub identity: Option<Key>,
    /// For each import record of the scan, what it leads to in this graph.
    pub targets: Vec<Target>,
    /// The statements whose calls have effects, among those of which it depends on the functions that they call.
    pub effectful_calls: FxHashSet<usize>,
    /// Importing it only for its exports, unused, is as good as not importing it (`sideEffects` in package.json).
    pub pure_package: bool,
    /// It comes from `node_modules`.
    pub vendor: bool,
    /// `.mjs` or `"type": "module"`: imports CommonJS as Node does.
    pub node_interop: bool,
    /// Of an external module: chunks import it by this, as the sources do.
    pub external: Option<External>,
    /// The style sheet behind this module.
    pub stylesheet: Option<Stylesheet>,
    /// The module file's name without its extension, for names that people read: `about`.
    pub stem: String,
}

impl Module {
    /// What the module is called where code asks for the path of its file: as if the project were all there is.
    pub(super) fn path(&self) -> String {
        project_path(&self.name)
    }

    /// The import records and their targets.
    pub(super) fn import_records(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&ImportRecord, &Target)> + ExactSizeIterator {
        self.scan.import_records.iter().zip(&self.targets)
    }

    /// The modules that import records lead to.
    pub(super) fn imported_modules(&self) -> impl DoubleEndedIterator<Item = (&ImportRecord, ModuleId)> {
        self.import_records().filter_map(|(record, target)| Some((record, target.module()?)))
    }

    /// True if the evaluation of a statement may change what other code sees.
    pub(super) fn has_effect(&self, statement: usize) -> bool {
        match self.scan.statements[statement].effect {
            Effect::Any => true,
            Effect::Calls(_) => self.effectful_calls.contains(&statement),
            Effect::None | Effect::On(_) => false,
        }
    }

    /// How much it matters when a statement runs.
    pub(super) fn evaluation(&self, statement: usize) -> Evaluation {
        match self.scan.statements[statement] {
            Statement { is_constant: true, .. } => Evaluation::Inert,
            _ if self.has_effect(statement) => Evaluation::Changes,
            _ => Evaluation::Observes,
        }
    }

    pub(super) fn is_typescript(&self) -> bool {
        [".ts", ".tsx", ".mts", ".cts"].iter().any(|extension| has_extension(&self.name, extension))
    }
}

/// Whether the file of a module has an extension, whatever query it is asked for with.
pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    let ends = |name: &str| name.ends_with(extension);
    ends(name) || name.split_once(['?', '#']).is_some_and(|(name, _)| ends(name))
}

/// See [`Module::path`].
pub(super) fn project_path(name: &str) -> String {
    format!("/{name}")
}
