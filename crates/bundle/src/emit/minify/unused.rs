//! Names that a program declares with a value and never mentions again. The minifier drops them with their values.

use rustc_hash::FxHashSet;
use swc_core::ecma::{
    ast::{ClassDecl, Expr, Id, Ident, Pat, Program, VarDeclarator},
    visit::{Visit, VisitWith, noop_visit_type},
};

/// The variables that are given a value of a kind that `is_meant`, and the classes, that nothing mentions. Names must
/// have been resolved.
pub(super) fn unused_names(program: &Program, is_meant: &dyn Fn(&Expr) -> bool) -> FxHashSet<Id> {
    let mut declared = Declared { is_meant, names: FxHashSet::default() };
    program.visit_with(&mut declared);
    let mut mentions = Mentions { unused: declared.names };
    if !mentions.unused.is_empty() {
        program.visit_with(&mut mentions);
    }
    mentions.unused
}

struct Declared<'a> {
    is_meant: &'a dyn Fn(&Expr) -> bool,
    names: FxHashSet<Id>,
}

impl Visit for Declared<'_> {
    noop_visit_type!();

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        if let (Pat::Ident(name), Some(value)) = (&declarator.name, &declarator.init)
            && (self.is_meant)(value)
        {
            self.names.insert(name.to_id());
        }
        declarator.visit_children_with(self);
    }

    fn visit_class_decl(&mut self, decl: &ClassDecl) {
        self.names.insert(decl.ident.to_id());
        decl.visit_children_with(self);
    }
}

/// Takes away what is mentioned somewhere.
struct Mentions {
    unused: FxHashSet<Id>,
}

impl Visit for Mentions {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.unused.remove(&ident.to_id());
    }

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        if !declarator.name.is_ident() {
            declarator.name.visit_with(self);
        }
        declarator.init.visit_with(self);
    }

    fn visit_class_decl(&mut self, decl: &ClassDecl) {
        decl.class.visit_with(self);
    }
}
