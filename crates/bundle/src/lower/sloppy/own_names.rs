//! Assignments to the name of a function expression inside of it. Sloppy code drops what it assigns, strict code throws.

use swc_core::{
    common::util::take::Take,
    ecma::{
        ast::{
            AssignExpr, AssignOp, AssignTarget, BinExpr, BinaryOp, Expr, FnExpr, Id, Ident, Script, SimpleAssignTarget,
            UnaryExpr, UnaryOp, UpdateExpr, UpdateOp,
        },
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::ast;

/// Leaves the values of such assignments: `function f() { f = value; }`
pub(super) fn drop_assignments(script: &mut Script) {
    script.visit_mut_with(&mut OwnNames(Vec::new()));
}

/// The pass, with the names of the functions around the code at hand.
struct OwnNames(Vec<Id>);

impl VisitMut for OwnNames {
    noop_visit_mut_type!();
    sloppy_code_only!();

    fn visit_mut_fn_expr(&mut self, expr: &mut FnExpr) {
        let outer = self.0.len();
        self.0.extend(expr.ident.as_ref().map(Ident::to_id));
        expr.function.visit_mut_with(self);
        self.0.truncate(outer);
    }

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        match expr {
            Expr::Assign(AssignExpr {
                op, left: AssignTarget::Simple(SimpleAssignTarget::Ident(name)), right, ..
            }) if self.0.contains(&name.to_id()) => {
                *expr = assigned(*op, name.id.take(), right.take());
            }
            Expr::Update(update) if update.arg.as_ident().is_some_and(|name| self.0.contains(&name.to_id())) => {
                *expr = updated(update);
            }
            _ => {}
        }
    }
}

/// The value of `name op value`.
fn assigned(op: AssignOp, name: Ident, value: Box<Expr>) -> Expr {
    match op.to_update() {
        Some(op) => Expr::Bin(BinExpr { span: name.span, op, left: name.into(), right: value }),
        // `(name = object.method)()` has no `this`.
        None if value.is_member() || value.is_opt_chain() => ast::sequence(vec![ast::number(0), *value]),
        None => *value,
    }
}

/// The value of `name++` and its like.
fn updated(UpdateExpr { span, op, prefix, arg }: &mut UpdateExpr) -> Expr {
    let before = Expr::Unary(UnaryExpr { span: *span, op: UnaryOp::Plus, arg: arg.take() });
    if !*prefix {
        return before;
    }
    let op = if *op == UpdateOp::PlusPlus { BinaryOp::Add } else { BinaryOp::Sub };
    Expr::Bin(BinExpr { span: *span, op, left: before.into(), right: ast::number(1).into() })
}
