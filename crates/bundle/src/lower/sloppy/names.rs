//! Names that a module cannot give, and that a sloppy script can: `let`, `static`, `await`, `arguments`.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::SyntaxContext,
    ecma::{
        ast::{
            AssignPat, BreakStmt, ContinueStmt, Expr, Function, Id, Ident, IdentName, KeyValuePatProp, KeyValueProp,
            LabeledStmt, ObjectPatProp, Pat, Prop, PropName, Script,
        },
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use super::{global, wrapper};
use crate::lower::FreshNames;

/// Whether a name that a script does not declare is no property of the global object, or none that can be changed.
pub(super) fn belongs_to_module(name: &Atom) -> bool {
    matches!(&**name, "exports" | "module" | "require" | "arguments" | "eval" | "undefined" | "NaN" | "Infinity")
}

fn is_reserved(name: &Atom) -> bool {
    is_reserved_word(name) || matches!(&**name, "arguments" | "eval")
}

fn is_reserved_word(name: &Atom) -> bool {
    matches!(
        &**name,
        "await"
            | "implements"
            | "interface"
            | "let"
            | "package"
            | "private"
            | "protected"
            | "public"
            | "static"
            | "yield"
    )
}

/// Renames the variables, parameters and labels of a script that a module cannot have.
pub(super) fn rename(
    script: &mut Script,
    (top_level, unresolved): (SyntaxContext, SyntaxContext),
    names: &mut FreshNames<'_>,
) {
    script.visit_mut_with(&mut Rename { top_level, unresolved, names, renamed: FxHashMap::default() });
}

struct Rename<'a, 't> {
    top_level: SyntaxContext,
    unresolved: SyntaxContext,
    names: &'a mut FreshNames<'t>,
    renamed: FxHashMap<Id, Atom>,
}

impl Rename<'_, '_> {
    /// The new name of a variable, if it needs one.
    fn new_name(&mut self, ident: &Ident) -> Option<Atom> {
        let is_taken = ident.ctxt == self.top_level && wrapper::is_parameter(&ident.sym);
        if !is_taken && !is_reserved(&ident.sym) || ident.ctxt == self.unresolved {
            return None;
        }
        let names = &mut *self.names;
        Some(self.renamed.entry(ident.to_id()).or_insert_with(|| names.make(&ident.sym)).clone())
    }

    /// Labels are not variables, and are told apart by their spelling alone.
    fn label(label: &mut Ident) {
        if is_reserved_word(&label.sym) {
            label.sym = format!("_{}", label.sym).into();
        }
    }
}

impl VisitMut for Rename<'_, '_> {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if let Some(name) = self.new_name(ident) {
            ident.sym = name;
        }
    }

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Ident(ident) if ident.ctxt == self.unresolved && is_reserved_word(&ident.sym) => {
                *expr = Expr::Member(global(ident, self.unresolved));
            }
            _ => expr.visit_mut_children_with(self),
        }
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(ident) = prop {
            let key = PropName::Ident(IdentName::from(ident.clone()));
            let mut value = Box::new(Expr::Ident(ident.clone()));
            value.visit_mut_with(self);
            if !value.is_ident_ref_to(&ident.sym) {
                *prop = Prop::KeyValue(KeyValueProp { key, value });
            }
        } else {
            prop.visit_mut_children_with(self);
        }
    }

    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        if let ObjectPatProp::Assign(assign) = prop
            && self.new_name(&assign.key.id).is_some()
        {
            let key = PropName::Ident(IdentName::from(assign.key.id.clone()));
            let target = Pat::Ident(assign.key.clone());
            let value = match assign.value.take() {
                None => target,
                Some(right) => Pat::Assign(AssignPat { span: assign.span, left: Box::new(target), right }),
            };
            *prop = ObjectPatProp::KeyValue(KeyValuePatProp { key, value: Box::new(value) });
        }
        prop.visit_mut_children_with(self);
    }

    /// Of parameters with the same name, the last one has it.
    fn visit_mut_function(&mut self, function: &mut Function) {
        let mut seen = FxHashSet::default();
        for parameter in function.params.iter_mut().rev() {
            if let Pat::Ident(name) = &mut parameter.pat
                && !seen.insert(name.sym.clone())
            {
                name.sym = self.names.make(&name.sym);
            }
        }
        function.visit_mut_children_with(self);
    }

    fn visit_mut_labeled_stmt(&mut self, stmt: &mut LabeledStmt) {
        Self::label(&mut stmt.label);
        stmt.body.visit_mut_with(self);
    }

    fn visit_mut_break_stmt(&mut self, stmt: &mut BreakStmt) {
        stmt.label.iter_mut().for_each(Self::label);
    }

    fn visit_mut_continue_stmt(&mut self, stmt: &mut ContinueStmt) {
        stmt.label.iter_mut().for_each(Self::label);
    }
}
