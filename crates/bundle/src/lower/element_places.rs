//! Places of elements, for the engine. It knows of a call only where the last variable among its arguments was read, which is
//! somewhere among the children of an element. In development a variable is read behind these, which stands where the element
//! does.

use swc_core::{
    common::{BytePos, Span},
    ecma::{
        ast::{CallExpr, Callee, Expr, Ident},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

/// Makes the last argument of each `jsxDEV` such a variable. React does not look at it.
pub(super) struct ElementPlaces;

/// What `jsxDEV` is given: type, properties, key, whether the children are fixed, the source, and `this`.
const ARGUMENTS: usize = 6;

impl VisitMut for ElementPlaces {
    noop_visit_mut_type!();

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        call.visit_mut_children_with(self);
        let Callee::Expr(callee) = &call.callee else { return };
        let is_element = callee.as_ident().is_some_and(|name| name.sym == "_jsxDEV") && call.args.len() == ARGUMENTS;
        if let Some(last) = call.args.last_mut().filter(|_| is_element) {
            let start = Span::new(call.span.lo, call.span.lo + BytePos(1));
            *last.expr = Expr::Ident(Ident::new_no_ctxt("undefined".into(), start));
        }
    }
}
