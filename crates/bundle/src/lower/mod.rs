//! Syntax that engines do not run, or would understand otherwise, to syntax that they do: types, JSX, decorators, `using`,
//! regular expressions that the engine refuses, and scripts that are no ES modules.

mod accessors;
pub(super) mod caught;
pub(super) mod decorators;
mod disposal;
mod element_places;
mod enums;
mod fields;
pub(super) mod mixed_modules;
mod nameless;
mod namespaces;
pub(super) mod regex;
pub(super) mod sloppy;

use std::path::PathBuf;

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{FileName, Mark, SourceMap, SyntaxContext, comments::SingleThreadedComments, pass::Optional, sync::Lrc},
    ecma::{
        ast::{
            AutoAccessor, Decorator, ExportSpecifier, JSXElement, JSXFragment, ModuleDecl, ModuleItem, NamedExport,
            Program, UsingDecl,
        },
        transforms::{
            base::{
                fixer::paren_remover,
                helpers::{HELPERS, Helpers, inject_helpers},
                hygiene::hygiene,
            },
            react::{self, Runtime},
            typescript,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use portalgen_base::diagnostic::SourceText;

use self::{
    decorators::{lower_decorators, lower_legacy_decorators},
    disposal::{join_helpers, lower_disposal},
    element_places::ElementPlaces,
    enums::shield_computed,
    fields::assign_fields,
    nameless::name_default,
    namespaces::qualify_merged,
};
use crate::{
    analyze::declared::ambient_names,
    scopes::resolve_names,
    syntax::{Dialect, Language, LanguageOptions, UnusedImports},
};

/// What has to be done to a file before it is JavaScript that engines run.
pub(crate) struct Lowering<'a> {
    pub dialect: Dialect,
    pub newer: Newer,
    pub language: &'a LanguageOptions,
    pub development: bool,
    pub source: &'a SourceText,
    /// Whether components register themselves, so that React can replace them while they show.
    pub refreshes: bool,
}

impl Lowering<'_> {
    /// Erases types and lowers JSX, then gives every name one context again.
    ///
    /// Both transforms invent identifiers that only their contexts tell from the author's; renaming them apart and
    /// resolving afresh leaves a tree in which the spelling and the two marks say everything.
    pub(crate) fn lower(
        &self,
        program: &mut Program,
        comments: &SingleThreadedComments,
        (unresolved, top_level): (Mark, Mark),
    ) {
        HELPERS.set(&Helpers::new(false), || {
            self.newer.lower(program, self.dialect, self.language, unresolved);
            program.mutate(inject_helpers(unresolved));
            if self.newer.disposal {
                join_helpers(program, SyntaxContext::empty().apply_mark(top_level));
            }
        });
        if self.dialect.language == Language::TypeScript {
            self.erase_types(program, comments, (unresolved, top_level));
        }
        if self.refreshes {
            self.register_components(program, comments, top_level);
        }
        // In development, elements say where they were written.
        let map = if self.development && self.newer.jsx { self.map() } else { empty_map() };
        let jsx = react::react(map, Some(comments.clone()), self.jsx(), top_level, unresolved);
        program.mutate(Optional::new(jsx, self.newer.jsx));
        if self.development && self.newer.jsx {
            program.visit_mut_with(&mut ElementPlaces);
        }
        program.mutate(hygiene());
        program.visit_mut_with(&mut ForgetContexts);
        resolve_names(program, (unresolved, top_level), false);
    }

    /// Lets components and hooks tell React Refresh of themselves.
    fn register_components(&self, program: &mut Program, comments: &SingleThreadedComments, top_level: Mark) {
        name_default(program, &self.source.name, self.newer.jsx, top_level);
        let options = Some(react::RefreshOptions::default());
        // The calls of hooks are compared as they are written.
        program.mutate(react::refresh(self.development, options, self.map(), Some(comments.clone()), top_level));
    }

    /// The text, at the positions that the tree was parsed with.
    fn map(&self) -> Lrc<SourceMap> {
        let map: Lrc<SourceMap> = Lrc::default();
        // Names of files stand in the code as they are.
        let name = FileName::Real(PathBuf::from(&self.source.name));
        map.new_source_file(Lrc::new(name), self.source.text.clone());
        map
    }

    fn erase_types(&self, program: &mut Program, comments: &SingleThreadedComments, marks: (Mark, Mark)) {
        let language = self.language;
        let ambient = program.as_module().map(ambient_names).unwrap_or_default();
        qualify_merged(program, SyntaxContext::empty().apply_mark(marks.0));
        let has_shields = shield_computed(program);
        if language.assigned_fields {
            assign_fields(program);
        }
        let config = typescript::Config {
            native_class_properties: !language.assigned_fields,
            no_empty_export: true,
            verbatim_module_syntax: language.unused_imports == UnusedImports::Kept,
            import_not_used_as_values: match language.unused_imports {
                UnusedImports::Dropped | UnusedImports::Kept => typescript::ImportsNotUsedAsValues::Remove,
                UnusedImports::Loaded => typescript::ImportsNotUsedAsValues::Preserve,
            },
            ..typescript::Config::default()
        };
        if self.dialect.jsx {
            let tsx = typescript::TsxConfig {
                pragma: language.jsx_factory.clone().map(Into::into),
                pragma_frag: language.jsx_fragment_factory.clone().map(Into::into),
            };
            program.mutate(typescript::tsx(empty_map(), config, tsx, comments.clone(), marks.0, marks.1));
        } else {
            program.mutate(typescript::typescript(config, marks.0, marks.1));
        }
        program.mutate(Optional::new(paren_remover(None), has_shields));
        drop_exports(program, &ambient);
    }

    fn jsx(&self) -> react::Options {
        let language = self.language;
        react::Options {
            runtime: Some(if language.jsx_factory.is_some() { Runtime::Classic } else { Runtime::Automatic }),
            import_source: language.jsx_import_source.as_deref().map(Atom::from),
            pragma: language.jsx_factory.clone().map(Into::into),
            pragma_frag: language.jsx_fragment_factory.clone().map(Into::into),
            development: Some(self.development),
            ..react::Options::default()
        }
    }
}

/// Drops exports of names that have no code.
fn drop_exports(program: &mut Program, names: &FxHashSet<Atom>) {
    let Program::Module(module) = program else { return };
    for item in &mut module.body {
        if let ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(NamedExport { specifiers, src: None, .. })) = item {
            specifiers.retain(|specifier| match specifier {
                ExportSpecifier::Named(export) => !names.contains(&*export.orig.atom()),
                _ => true,
            });
        }
    }
}

/// What engines do not run yet. Files that cannot contain it are spared the passes.
#[derive(Clone, Copy)]
pub(crate) struct Newer {
    pub decorators: bool,
    pub disposal: bool,
    pub jsx: bool,
}

impl Newer {
    pub(crate) fn of(program: &Program, text: &str) -> Self {
        let mut newer = Self { decorators: false, disposal: false, jsx: false };
        let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        // Elements end in one of the last two, and most packages have none in their `.js` files.
        if ["@", "accessor ", "using ", "/>", "</"].into_iter().any(has) {
            program.visit_with(&mut newer);
        }
        newer
    }

    pub(crate) fn any(self) -> bool {
        self.decorators || self.disposal || self.jsx
    }

    fn lower(self, program: &mut Program, dialect: Dialect, options: &LanguageOptions, unresolved: Mark) {
        if self.decorators && dialect.language == Language::TypeScript && options.legacy_decorators {
            lower_legacy_decorators(program, options.decorator_metadata);
        } else if self.decorators {
            lower_decorators(program, SyntaxContext::empty().apply_mark(unresolved));
        }
        if self.disposal {
            lower_disposal(program);
        }
    }
}

impl Visit for Newer {
    noop_visit_type!();

    fn visit_decorator(&mut self, decorator: &Decorator) {
        self.decorators = true;
        decorator.visit_children_with(self);
    }

    fn visit_auto_accessor(&mut self, accessor: &AutoAccessor) {
        self.decorators = true;
        accessor.visit_children_with(self);
    }

    fn visit_using_decl(&mut self, using: &UsingDecl) {
        self.disposal = true;
        using.visit_children_with(self);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement) {
        self.jsx = true;
        element.visit_children_with(self);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment) {
        self.jsx = true;
        fragment.visit_children_with(self);
    }
}

fn empty_map() -> Lrc<SourceMap> {
    Lrc::default()
}

/// Removes what passes noted about identifiers, leaving their spelling.
pub(crate) struct ForgetContexts;

impl VisitMut for ForgetContexts {
    noop_visit_mut_type!();

    fn visit_mut_syntax_context(&mut self, context: &mut SyntaxContext) {
        *context = SyntaxContext::empty();
    }
}

/// Makes names that a file does not have.
struct FreshNames<'a> {
    text: &'a str,
    made: FxHashSet<Atom>,
}

impl<'a> FreshNames<'a> {
    /// Names that `text` does not contain, be it in a comment.
    fn new(text: &'a str) -> Self {
        Self { text, made: FxHashSet::default() }
    }

    fn make(&mut self, base: &str) -> Atom {
        let numbered = (2..).map(|number| format!("_{base}{number}"));
        let mut names = std::iter::once(format!("_{base}")).chain(numbered).map(Atom::from);
        names.find(|name| !self.text.contains(&**name) && self.made.insert(name.clone())).unwrap_or_default()
    }
}
