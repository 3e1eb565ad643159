//! The language of a file, and its syntax tree.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use swc_core::{
    atoms::Atom,
    common::{
        BytePos, Span, SyntaxContext,
        comments::{Comment, CommentKind},
    },
    ecma::ast::ModuleItem,
};

use portalgen_base::{
    diagnostic::{Place, SourceText},
    store::Key,
};

use crate::{
    defines::{Defines, Lookups},
    doubt::Doubt,
    names::is_of_site,
    platform::RegexJudge,
};

/// The first byte of every module's text. Zero means "no position" to swc.
pub(crate) const FIRST_BYTE: BytePos = BytePos(1);

/// How a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Dialect {
    pub language: Language,
    pub jsx: bool,
    pub claim: Claim,
}

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    JavaScript,
    TypeScript,
}

/// What a file's name or its package say about its format; a text with `import` or `export` needs no such word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Claim {
    None,
    /// `.mjs`, or `"type": "module"`
    Esm,
    /// `.cjs`
    CommonJs,
}

/// What `compilerOptions` in `tsconfig.json` say about how code is to be understood.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct LanguageOptions {
    /// Fields of classes are assigned, not defined.
    pub assigned_fields: bool,
    pub unused_imports: UnusedImports,
    /// Decorators as TypeScript had them before there was a proposal for all of JavaScript.
    pub legacy_decorators: bool,
    pub decorator_metadata: bool,
    /// The package of `jsx-runtime`, if it is not `react`.
    pub jsx_import_source: Option<String>,
    /// The function that JSX calls where it does not import one itself.
    pub jsx_factory: Option<String>,
    pub jsx_fragment_factory: Option<String>,
}

/// What becomes of imports that TypeScript code uses only as types, if at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum UnusedImports {
    /// They go, and what they load with them.
    #[default]
    Dropped,
    /// The names go. The module is loaded for its effects.
    Loaded,
    /// Only what is marked as a type goes.
    Kept,
}

/// What is the same for all modules of a bundle.
#[derive(Clone, Debug)]
pub(crate) struct ParseOptions {
    pub defines: Defines,
    /// Call `jsxDEV`, which gives React's development build its warnings.
    pub development: bool,
    /// The code is for the engine that prerenders pages.
    pub for_engine: bool,
    /// Components of the site register themselves, so that React can replace them while they show.
    pub refreshes: bool,
    pub regex_judge: RegexJudge,
    /// A hash of those that a scan may look at, which are the constants and the engine.
    pub key: Key,
}

impl ParseOptions {
    /// Whether the components of a module can be replaced while they show.
    pub(crate) fn refresh(&self, module: &str, dialect: Dialect) -> bool {
        let has_components = dialect.jsx || dialect.language == Language::TypeScript;
        self.refreshes && has_components && is_of_site(module)
    }
}

/// The options that made a difference to a syntax tree, or might have.
#[derive(Clone, Debug, Hash, Serialize, Deserialize)]
pub(crate) struct LookedAt {
    pub defines: Lookups,
    /// See [`ParseOptions::for_engine`]. `None`, if it would be the same tree anyway.
    pub for_engine: Option<bool>,
}

impl LookedAt {
    /// True if the tree is the same with other options, of which all but these are equal.
    pub(crate) fn hold(&self, options: &ParseOptions) -> bool {
        self.for_engine.is_none_or(|for_engine| for_engine == options.for_engine) && self.defines.hold(&options.defines)
    }

    /// True if an option made a difference: without any of them, the tree would be another one.
    pub(crate) fn is_any_of_use(&self) -> bool {
        self.for_engine.is_some() || self.defines.found_any()
    }
}

/// A module's code, with the two contexts that tell its identifiers apart.
#[derive(Clone)]
pub(crate) struct SyntaxTree {
    pub body: Vec<ModuleItem>,
    /// Context of the names declared at the module's top level.
    pub top_level: SyntaxContext,
    /// Context of the names that nothing in the module declares.
    pub unresolved: SyntaxContext,
    /// Comments that mean something after parsing: purity annotations and licences.
    pub comments: Vec<(BytePos, Comment)>,
    /// The format that the text, else its name or its package, claim to have.
    pub claim: Claim,
    pub is_typescript: bool,
    /// It imports as ES modules do and exports as CommonJS does.
    pub is_mixed: bool,
    pub doubts: Vec<Doubt>,
    pub looked_at: LookedAt,
}

/// Where a span of a module parsed from `source` lies.
pub(crate) fn place(source: &Arc<SourceText>, span: Span) -> Place {
    let offset = |position: BytePos| position.0.saturating_sub(FIRST_BYTE.0) as usize;
    Place::new(source, offset(span.lo)..offset(span.hi))
}

/// `#__PURE__` and `@__PURE__`: the call that follows may be dropped when its result is not used.
pub(crate) fn is_annotation(comment: &Comment) -> bool {
    let text: &Atom = &comment.text;
    ["#__PURE__", "@__PURE__", "#__NO_SIDE_EFFECTS__", "@__NO_SIDE_EFFECTS__"].iter().any(|mark| text.contains(mark))
}

/// `/*!`, `@license` and `@preserve`: the terms under which the code may be handed on.
pub(crate) fn is_licence(comment: &Comment) -> bool {
    let text: &Atom = &comment.text;
    (comment.kind == CommentKind::Block && text.starts_with('!'))
        || text.contains("@license")
        || text.contains("@preserve")
}
