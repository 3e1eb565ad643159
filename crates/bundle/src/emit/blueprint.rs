//! Blueprints: everything that the text of a chunk is made of, besides the syntax trees of its modules.
//!
//! Nothing else reaches the writer. So a chunk with the blueprint of an earlier one has its text, whatever else has changed in
//! the graph, and no module of it has to be parsed.

use std::hash::{Hash, Hasher};

use swc_core::{
    atoms::Atom,
    ecma::ast::{Expr, ModuleItem, Stmt},
};

use portalgen_base::store::Key;

use super::rewrite::Substitutions;
use crate::{
    module::{Module, ModuleId},
    options::Options,
};

/// A chunk as it is to be written.
#[derive(Hash)]
pub(super) struct Blueprint<'a> {
    /// In the order in which they run.
    pub modules: Vec<ModulePart<'a>>,
    /// What runs when all modules have run.
    pub ending: Vec<Stmt>,
    pub imports: Vec<ModuleItem>,
    /// `export * from` external modules.
    pub external_stars: Vec<ModuleItem>,
    /// Variables, each with the name that it is exported under.
    pub exports: Vec<(Atom, Atom)>,
    /// The interpreter that the first line of a program names after `#!`.
    pub interpreter: Option<Atom>,
}

impl Blueprint<'_> {
    /// A hash of all that decides about the text of the chunk. `None`, if the trees of its modules depend on more than is
    /// known of them.
    pub(super) fn key(&self, placeholder: &str, options: &Options) -> Option<Key> {
        if self.modules.iter().any(|part| part.module.identity.is_none()) {
            return None;
        }
        let form = (options.minify, options.mode.is_development(), options.source_maps);
        Some(Key::of_value(&(self, placeholder, form)))
    }
}

/// What a module adds to a chunk.
pub(super) struct ModulePart<'a> {
    pub id: ModuleId,
    pub module: &'a Module,
    pub placement: Placement,
    /// Calls that evaluate wrapped modules, before everything else.
    pub starts: Vec<Stmt>,
    pub substitutions: Substitutions,
    pub items: Vec<Item>,
}

impl Hash for ModulePart<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The number of a module depends on which others there are.
        let Self { id: _, module, placement, starts, substitutions, items } = self;
        module.name.hash(state);
        module.identity.hash(state);
        placement.hash(state);
        starts.hash(state);
        substitutions.hash(state);
        items.hash(state);
    }
}

/// Where the statements of a module go.
#[derive(Hash)]
pub(super) enum Placement {
    /// Into the chunk's body.
    InOrder,
    /// Before everything that runs: the module only declares functions and constants.
    First,
    /// Into the function that evaluates the module.
    Wrapped {
        /// Its name, and the helper that makes it run once. None, if nothing calls it.
        function: Option<(Atom, Expr)>,
        is_async: bool,
    },
}

/// One thing that a module consists of.
#[derive(Hash)]
pub(super) enum Item {
    /// A statement of the author's, by its number in the trees of the module.
    Source { index: usize, is_constant: bool },
    /// The body of a CommonJS module.
    CommonJs {
        /// The variable that holds the function which evaluates the module.
        variable: Atom,
        /// The helper that makes that function.
        helper: Expr,
        /// What the helper is told about the module, before the body.
        description: Vec<Expr>,
        uses_module: bool,
        /// For each statement of the body, whether it stays. None, if all of them do.
        included: Option<Vec<bool>>,
    },
    /// The declaration of a variable that is there before any module runs.
    Hoisted(Atom, Expr),
    /// The declaration of a variable that gets its value when its module runs.
    Declared(Atom, Expr),
    /// A statement that declares nothing.
    Run(Stmt),
}

impl Item {
    /// Whether it is printed from the trees of the module.
    pub(super) fn is_of_trees(&self) -> bool {
        matches!(self, Self::Source { .. } | Self::CommonJs { .. })
    }
}
