//! Hoisting: divides the statements of a wrapped module into what exists from the start, as in every module, and what its
//! evaluation does: a function closes over the latter, so variables must be declared outside of it.

use swc_core::{
    atoms::Atom,
    ecma::ast::{ClassDecl, ClassExpr, Decl, Expr, Pat, Stmt, VarDeclKind},
};

use crate::{
    analyze::declared::declared_names,
    ast,
    hoist_vars::{assign_vars, assignment, assignments, expression},
};

/// The two halves of a wrapped module.
#[derive(Default)]
pub(crate) struct Divided {
    /// Functions and constants, which may be there before anything runs.
    pub hoisted: Vec<Stmt>,
    /// The names of variables that `evaluation` gives values to.
    pub variables: Vec<Atom>,
    /// Statements that run.
    pub evaluation: Vec<Stmt>,
}

impl Divided {
    /// Adds a top-level statement; `is_constant` says that it may run before everything else.
    pub(crate) fn add(&mut self, mut stmt: Stmt, is_constant: bool) {
        match stmt {
            Stmt::Decl(Decl::Fn(_)) => self.hoisted.push(stmt),
            // A `var` may be read before its statement runs, and is undefined then.
            Stmt::Decl(Decl::Var(ref mut var)) if is_constant && var.kind != VarDeclKind::Var => {
                var.kind = VarDeclKind::Var;
                self.hoisted.push(stmt);
            }
            stmt => self.assign(stmt),
        }
    }

    /// Declares a variable that gets its value when the module runs.
    pub(crate) fn variable(&mut self, name: Atom, value: Expr) {
        self.evaluation.push(expression(assignment(ast::target(&name), value)));
        self.variables.push(name);
    }

    fn assign(&mut self, stmt: Stmt) {
        self.variables.extend(declared_names(&stmt));
        match stmt {
            Stmt::Decl(Decl::Class(ClassDecl { ident, class, .. })) => {
                let value = Expr::Class(ClassExpr { ident: Some(ident.clone()), class });
                self.evaluation.push(expression(assignment(Pat::Ident(ident.into()), value)));
            }
            Stmt::Decl(Decl::Var(var)) => self.evaluation.extend(assignments(*var).map(expression)),
            mut stmt => {
                assign_vars(&mut stmt, &|_| true);
                self.evaluation.push(stmt);
            }
        }
    }
}
