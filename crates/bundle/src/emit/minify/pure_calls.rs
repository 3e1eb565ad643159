//! Pure calls: tells the minifier which it may drop when nothing uses their value, beyond those that it knows itself
//! and those that are annotated.

use swc_core::{
    common::{BytePos, DUMMY_SP, Mark, Span, SyntaxContext},
    ecma::{
        ast::{CallExpr, Callee, Expr, ExprOrSpread, Lit, Program},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::analyze::purity::global_name;

/// Marks every `Symbol.for("name")`. React has a list of them for the kinds of its elements, of which its parts need few.
///
/// It gives the same symbol every time, so nothing changes either if the minifier moves such a call. With `Symbol("name")`
/// that would be otherwise.
pub(super) fn mark_pure_calls(program: &mut Program, unresolved: Mark) {
    program.visit_mut_with(&mut Marker { unresolved: SyntaxContext::empty().apply_mark(unresolved) });
}

/// Takes the marks away again, of which the printer would make comments. Those are for other bundlers, which read code that
/// is not minified.
pub(super) fn unmark_pure_calls(program: &mut Program) {
    program.visit_mut_with(&mut Unmarker);
}

struct Marker {
    unresolved: SyntaxContext,
}

impl VisitMut for Marker {
    noop_visit_mut_type!();

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        call.visit_mut_children_with(self);
        if let Callee::Expr(callee) = &call.callee
            && matches!(call.args.as_slice(), [name] if is_text(name))
            && global_name(callee, self.unresolved).as_deref() == Some("Symbol.for")
        {
            call.span = Span::new(BytePos::PURE, BytePos::PURE);
        }
    }
}

fn is_text(argument: &ExprOrSpread) -> bool {
    argument.spread.is_none() && matches!(&*argument.expr, Expr::Lit(Lit::Str(_)))
}

struct Unmarker;

impl VisitMut for Unmarker {
    noop_visit_mut_type!();

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        call.visit_mut_children_with(self);
        if call.span.is_pure() {
            call.span = DUMMY_SP;
        }
    }
}
