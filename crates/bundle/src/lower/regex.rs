//! Regular expression literals that the engine's parser refuses, to calls of the constructor: for one of them the engine
//! would not compile the whole chunk, and the constructor takes more, or throws where the expression is used.

use swc_core::{
    common::{
        DUMMY_SP, SyntaxContext,
        comments::{Comments, SingleThreadedComments},
    },
    ecma::{
        ast::{Expr, Ident, Lit, NewExpr, Program},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::{
    ast,
    platform::{RegexJudge, RegexSupport},
};

/// Replaces them. Returns whether there are any; then local variables called `RegExp` are in the way.
pub(crate) fn construct_refused(
    program: &mut Program,
    comments: &SingleThreadedComments,
    unresolved: SyntaxContext,
    judge: RegexJudge,
) -> bool {
    let mut construct = Construct { comments, unresolved, judge, made: false };
    program.visit_mut_with(&mut construct);
    construct.made
}

struct Construct<'a> {
    comments: &'a SingleThreadedComments,
    unresolved: SyntaxContext,
    judge: RegexJudge,
    made: bool,
}

impl VisitMut for Construct<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        let Expr::Lit(Lit::Regex(regex)) = &*expr else { return };
        if (self.judge.judge)(&regex.exp, &regex.flags) != RegexSupport::Constructor {
            return;
        }
        // A literal that is not used may be dropped, in browsers and here.
        self.comments.add_pure_comment(regex.span.lo);
        let callee = Box::new(Expr::Ident(Ident::new("RegExp".into(), DUMMY_SP, self.unresolved)));
        let args = Some(vec![ast::string(&regex.exp).into(), ast::string(&regex.flags).into()]);
        *expr = Expr::New(NewExpr { span: regex.span, callee, args, ..NewExpr::default() });
        self.made = true;
    }
}
