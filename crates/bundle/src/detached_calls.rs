//! Detached calls: a visitor may turn a callee into a property, and the call must go on without a `this`.

use swc_core::{
    common::util::take::Take,
    ecma::{
        ast::{CallExpr, Callee, Expr, OptChainBase, OptChainExpr},
        visit::{VisitMut, VisitMutWith},
    },
};

use super::ast;

/// Visits what an expression consists of. If it calls something that is no property, that is called without a `this` even
/// if the visitor makes a property of it.
pub(super) fn visit_children_detached(expr: &mut Expr, visitor: &mut impl VisitMut) {
    let had_no_this = called(expr).is_some_and(|callee| !is_reference(callee));
    expr.visit_mut_children_with(visitor);
    if let Some(callee) = called(expr).filter(|callee| had_no_this && is_reference(callee)) {
        *callee = ast::sequence(vec![ast::number(0), callee.take()]);
    }
}

/// Whether calling or deleting the expression concerns more than its value: `object.name` has an object, and `eval` sees
/// the variables around.
pub(super) fn is_reference(expr: &Expr) -> bool {
    match expr {
        Expr::Member(_) | Expr::SuperProp(_) | Expr::OptChain(_) => true,
        Expr::Ident(name) => name.sym == "eval",
        _ => false,
    }
}

/// What a call, an optional call or a tagged template calls.
fn called(expr: &mut Expr) -> Option<&mut Expr> {
    match expr {
        Expr::Call(CallExpr { callee: Callee::Expr(callee), .. }) => Some(callee),
        Expr::OptChain(OptChainExpr { base, .. }) => match &mut **base {
            OptChainBase::Call(call) => Some(&mut call.callee),
            OptChainBase::Member(_) => None,
        },
        Expr::TaggedTpl(template) => Some(&mut template.tag),
        _ => None,
    }
}
