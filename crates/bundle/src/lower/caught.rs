//! `var x` in `catch (x)`: the variable belongs to the function around, but inside the clause its name is what was caught.

use std::{
    collections::BTreeSet,
    iter::once,
    mem::{replace, take},
};

use swc_core::{
    atoms::Atom,
    ecma::{
        ast::{CatchClause, FunctionBody, Ident, ModuleItem, Pat, Program, Script, StaticBlock, Stmt, VarDecl},
        utils::{find_pat_ids, prepend_stmts},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::{ast, hoist_vars::assign_vars};

/// Writes such declarations as an assignment to what was caught, and a declaration where the function or the file begins.
/// The resolver takes both names for one where clauses are nested.
pub(crate) fn separate_caught(program: &mut Program) {
    program.visit_mut_with(&mut Clauses::default());
}

#[derive(Default)]
struct Clauses {
    /// Variables that the function at hand has to declare.
    declared: BTreeSet<Atom>,
}

impl Clauses {
    /// Visits what has variables of its own, and returns the declaration that it is to begin with.
    fn scope(&mut self, visit: impl FnOnce(&mut Self)) -> Option<Stmt> {
        let outer = take(&mut self.declared);
        visit(self);
        let declared = replace(&mut self.declared, outer);
        (!declared.is_empty()).then(|| ast::declare_all(&declared))
    }
}

impl VisitMut for Clauses {
    noop_visit_mut_type!();

    fn visit_mut_catch_clause(&mut self, clause: &mut CatchClause) {
        clause.visit_mut_children_with(self);
        if let Some(Pat::Ident(caught)) = &clause.param {
            let repeats =
                |var: &VarDecl| find_pat_ids::<_, Ident>(&var.decls).iter().any(|name| name.sym == caught.sym);
            for stmt in &mut clause.body.stmts {
                self.declared.extend(assign_vars(stmt, &repeats).into_iter().map(|name| name.sym));
            }
        }
    }

    fn visit_mut_module_items(&mut self, items: &mut Vec<ModuleItem>) {
        if let Some(variables) = self.scope(|clauses| items.visit_mut_children_with(clauses)) {
            prepend_stmts(items, once(variables.into()));
        }
    }

    fn visit_mut_script(&mut self, script: &mut Script) {
        if let Some(variables) = self.scope(|clauses| script.visit_mut_children_with(clauses)) {
            prepend_stmts(&mut script.body, once(variables));
        }
    }

    fn visit_mut_function_body(&mut self, body: &mut FunctionBody) {
        if let Some(variables) = self.scope(|clauses| body.visit_mut_children_with(clauses)) {
            prepend_stmts(&mut body.stmts, once(variables));
        }
    }

    fn visit_mut_static_block(&mut self, block: &mut StaticBlock) {
        if let Some(variables) = self.scope(|clauses| block.visit_mut_children_with(clauses)) {
            prepend_stmts(&mut block.body.stmts, once(variables));
        }
    }
}
