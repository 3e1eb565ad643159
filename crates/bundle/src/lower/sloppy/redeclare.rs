//! Parameters that are declared once more, by a `var`, which keep the value they have.

use swc_core::{
    common::util::take::Take,
    ecma::{
        ast::{AssignExpr, AssignOp, AssignTarget, Decl, Expr, ForHead, Function, Ident, Pat, Stmt, VarDecl},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::ast;

/// The pass over the body of a function. Only `var`s of plain names are looked at, and none in the heads of `for (;;)`.
pub(super) struct Redeclarations<'a> {
    pub is_parameter: &'a dyn Fn(&Ident) -> bool,
}

impl Redeclarations<'_> {
    fn is_parameter(&self, name: &Pat) -> bool {
        name.as_ident().is_some_and(|name| (self.is_parameter)(name))
    }
}

impl VisitMut for Redeclarations<'_> {
    noop_visit_mut_type!();

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        stmt.visit_mut_children_with(self);
        let Stmt::Decl(Decl::Var(var)) = stmt else { return };
        if !var.decls.iter().any(|declarator| self.is_parameter(&declarator.name)) {
            return;
        }
        let VarDecl { span, ctxt, kind, declare, decls } = *var.take();
        let stmts =
            decls.into_iter().filter_map(|declarator| match (self.is_parameter(&declarator.name), &declarator.name) {
                (true, Pat::Ident(name)) => {
                    let left = AssignTarget::Simple(name.clone().into());
                    let right = declarator.init?;
                    Some(ast::expression_statement(Expr::Assign(AssignExpr {
                        span: declarator.span,
                        op: AssignOp::Assign,
                        left,
                        right,
                    })))
                }
                _ => Some(Stmt::Decl(VarDecl { span, ctxt, kind, declare, decls: vec![declarator] }.into())),
            });
        *stmt = ast::block(stmts.collect());
    }

    fn visit_mut_for_head(&mut self, head: &mut ForHead) {
        if let ForHead::VarDecl(var) = head
            && let Some(declarator) = var.decls.first().filter(|declarator| self.is_parameter(&declarator.name))
        {
            *head = ForHead::Pat(Box::new(declarator.name.clone()));
        }
    }

    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_expr(&mut self, _: &mut Expr) {}
}
