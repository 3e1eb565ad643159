//! The function around a CommonJS module, whose parameters the module may declare once more: `var module = module || {};`

use std::cell::Cell;

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, SyntaxContext},
    ecma::{
        ast::{Expr, Ident, Script, Stmt, VarDeclKind},
        utils::prepend_stmt,
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use super::redeclare::Redeclarations;
use crate::{
    analyze::{
        declared::{declared_idents, each_assigned, hoisted_vars},
        scan::TopLevelThis,
    },
    ast,
    lower::FreshNames,
};

/// Whether a name is that of a parameter.
pub(super) fn is_parameter(name: &Atom) -> bool {
    matches!(&**name, "exports" | "module")
}

/// Makes the `var`s of a script that have the names of parameters these parameters, which keep the values they have.
pub(super) fn keep_parameters(script: &mut Script, top_level: SyntaxContext, unresolved: SyntaxContext) {
    let vars = script.body.iter().flat_map(hoisted_vars);
    let mut kept: FxHashSet<Atom> = vars.map(|name| name.sym).filter(is_parameter).collect();
    if kept.is_empty() {
        return;
    }
    for name in script.body.iter().flat_map(otherwise_declared) {
        kept.remove(&name.sym);
    }
    let is_kept = |name: &Ident| name.ctxt == top_level && kept.contains(&name.sym);
    script.body.visit_mut_with(&mut Redeclarations { is_parameter: &is_kept });
    script.visit_mut_with(&mut Undeclare { is_kept: &is_kept, unresolved });
}

/// The names that a statement declares, other than with `var`.
fn otherwise_declared(stmt: &Stmt) -> Vec<Ident> {
    match stmt {
        Stmt::Decl(decl) if decl.as_var().is_none_or(|var| var.kind != VarDeclKind::Var) => declared_idents(decl),
        _ => Vec::new(),
    }
}

/// Makes variables ones that the script does not declare.
struct Undeclare<'a> {
    is_kept: &'a dyn Fn(&Ident) -> bool,
    unresolved: SyntaxContext,
}

impl VisitMut for Undeclare<'_> {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if (self.is_kept)(ident) {
            ident.ctxt = self.unresolved;
        }
    }
}

/// Keeps what a module is called with as its `this` where it makes `exports` something else.
pub(super) fn keep_this(script: &mut Script, unresolved: SyntaxContext, names: &mut FreshNames<'_>) {
    let mut is_assigned = false;
    each_assigned(&script.body, |name| is_assigned |= name.sym == "exports" && name.ctxt == unresolved);
    if !is_assigned {
        return;
    }
    let (name, is_used) = (names.make("this"), Cell::new(false));
    let replacement = |span| {
        is_used.set(true);
        Expr::Ident(ast::ident(&name, span))
    };
    script.body.visit_mut_with(&mut TopLevelThis { replacement: &replacement });
    if is_used.get() {
        let exports = Expr::Ident(Ident::new("exports".into(), DUMMY_SP, unresolved));
        prepend_stmt(&mut script.body, ast::declare(&name, exports));
    }
}
