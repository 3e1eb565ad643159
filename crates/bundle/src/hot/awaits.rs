//! Top-level `await` in a generator: there it is `yield`, and the registry waits. An async generator would begin its second
//! half a moment late, after modules that the language runs later.

use swc_core::{
    common::util::take::Take,
    ecma::{
        ast::{
            ArrowExpr, ClassMember, Constructor, Expr, ForOfStmt, Function, GetterProp, SetterProp, Stmt, YieldExpr,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use crate::analyze::scan::visit_mut_name;

/// Whether statements wait outside functions in a way that only an async generator can: `for await`.
pub(super) fn needs_async_generator(body: &[Stmt]) -> bool {
    let mut search = Loops { found: false };
    body.visit_with(&mut search);
    search.found
}

struct Loops {
    found: bool,
}

impl Visit for Loops {
    noop_visit_type!();

    fn visit_for_of_stmt(&mut self, stmt: &ForOfStmt) {
        self.found |= stmt.is_await;
        stmt.visit_children_with(self);
    }

    fn visit_function(&mut self, _: &Function) {}

    fn visit_arrow_expr(&mut self, _: &ArrowExpr) {}

    fn visit_constructor(&mut self, _: &Constructor) {}
}

/// Writes `yield` for each `await` outside functions.
pub(super) struct Awaits;

impl VisitMut for Awaits {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        if let Expr::Await(awaited) = expr {
            *expr = Expr::Yield(YieldExpr { span: awaited.span, arg: Some(awaited.arg.take()), delegate: false });
        }
    }

    fn visit_mut_function(&mut self, _: &mut Function) {}

    fn visit_mut_arrow_expr(&mut self, _: &mut ArrowExpr) {}

    fn visit_mut_class_member(&mut self, member: &mut ClassMember) {
        visit_mut_name(member, self);
    }

    fn visit_mut_getter_prop(&mut self, getter: &mut GetterProp) {
        getter.key.visit_mut_with(self);
    }

    fn visit_mut_setter_prop(&mut self, setter: &mut SetterProp) {
        setter.key.visit_mut_with(self);
    }
}
