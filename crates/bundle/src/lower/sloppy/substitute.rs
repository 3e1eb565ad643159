//! Puts properties of objects where variables were, whether these are read or given a value.

use swc_core::ecma::{
    ast::{
        ArrowExpr, AssignExpr, AssignOp, AssignPat, AssignTarget, Class, Expr, Function, Ident, IdentName,
        KeyValuePatProp, KeyValueProp, MemberExpr, ObjectPatProp, Pat, Prop, PropName, SimpleAssignTarget,
    },
    visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
};

use super::{is_strict_arrow, is_strict_function};

/// The pass. Variables must not be declared in what it visits.
pub(super) struct Substitution<'a> {
    /// For a variable that is read, or read and given a value.
    pub read: &'a dyn Fn(&Ident) -> Option<MemberExpr>,
    /// For a variable that is given a value.
    pub written: &'a dyn Fn(&Ident) -> Option<MemberExpr>,
    pub in_strict_code: bool,
}

impl VisitMut for Substitution<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        if let Expr::Ident(ident) = expr {
            if let Some(member) = (self.read)(ident) {
                *expr = Expr::Member(member);
            }
            return;
        }
        expr.visit_mut_children_with(self);
    }

    fn visit_mut_assign_expr(&mut self, assign: &mut AssignExpr) {
        assign.right.visit_mut_with(self);
        let AssignTarget::Simple(target) = &mut assign.left else {
            return assign.left.visit_mut_with(self);
        };
        let of = if assign.op == AssignOp::Assign { self.written } else { self.read };
        if let Some(member) = assigned_name(target).and_then(of) {
            *target = SimpleAssignTarget::Member(member);
        } else {
            target.visit_mut_children_with(self);
        }
    }

    fn visit_mut_pat(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(ident) = pattern {
            if let Some(member) = (self.written)(ident) {
                *pattern = Pat::Expr(Box::new(Expr::Member(member)));
            }
            return;
        }
        pattern.visit_mut_children_with(self);
    }

    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        if let ObjectPatProp::Assign(assign) = prop
            && let Some(member) = (self.written)(&assign.key.id)
        {
            let target = Pat::Expr(Box::new(Expr::Member(member)));
            let value = match assign.value.take() {
                None => target,
                Some(mut default) => {
                    default.visit_mut_with(self);
                    Pat::Assign(AssignPat { span: assign.span, left: Box::new(target), right: default })
                }
            };
            let key = PropName::Ident(IdentName::from(assign.key.id.clone()));
            *prop = ObjectPatProp::KeyValue(KeyValuePatProp { key, value: Box::new(value) });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(ident) = prop {
            if let Some(member) = (self.read)(ident) {
                let key = PropName::Ident(IdentName::from(ident.clone()));
                *prop = Prop::KeyValue(KeyValueProp { key, value: Box::new(Expr::Member(member)) });
            }
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_function(&mut self, function: &mut Function) {
        if self.in_strict_code || !is_strict_function(function) {
            function.visit_mut_children_with(self);
        }
    }

    fn visit_mut_arrow_expr(&mut self, arrow: &mut ArrowExpr) {
        if self.in_strict_code || !is_strict_arrow(arrow) {
            arrow.visit_mut_children_with(self);
        }
    }

    fn visit_mut_class(&mut self, class: &mut Class) {
        if self.in_strict_code {
            class.visit_mut_children_with(self);
        }
    }
}

fn assigned_name(target: &SimpleAssignTarget) -> Option<&Ident> {
    match target {
        SimpleAssignTarget::Ident(ident) => Some(ident),
        _ => None,
    }
}
