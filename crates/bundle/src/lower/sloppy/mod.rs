//! Scripts, as CommonJS files are, to code that means the same in an ES module, which is strict and reserves more names.
//!
//! Of sloppy scripts, those without `"use strict"`, what strict mode does not know is written in other ways, and what it
//! gives another meaning is spelled out, where the code can be seen to count on it. Not kept is that writing what cannot be
//! written does nothing: every assignment would have to be a call. `with` is refused.

/// The methods of a `VisitMut` that leave strict code alone: functions that say so, and classes.
macro_rules! sloppy_code_only {
    () => {
        fn visit_mut_function(&mut self, function: &mut swc_core::ecma::ast::Function) {
            if !super::is_strict_function(function) {
                function.visit_mut_children_with(self);
            }
        }

        fn visit_mut_arrow_expr(&mut self, arrow: &mut swc_core::ecma::ast::ArrowExpr) {
            if !super::is_strict_arrow(arrow) {
                arrow.visit_mut_children_with(self);
            }
        }

        fn visit_mut_class(&mut self, _: &mut swc_core::ecma::ast::Class) {}
    };
}

mod arguments;
mod blocks;
mod names;
mod own_names;
mod redeclare;
mod substitute;
mod this;
mod wrapper;

use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, Span, SyntaxContext},
    ecma::{
        ast::{
            ArrowExpr, ArrowFunctionBody, Expr, Function, Ident, Lit, MemberExpr, Number, Script, Stmt, Str, UnaryExpr,
            UnaryOp, WithStmt,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

pub(crate) use self::blocks::enclose_functions_of_branches;
use self::substitute::Substitution;
use super::FreshNames;
use crate::ast;

/// Rewrites a script that is to be part of an ES module. `text` is that of its file.
///
/// # Errors
/// The places where it says `with`.
pub(crate) fn lower(
    script: &mut Script,
    text: &str,
    (top_level, unresolved): (SyntaxContext, SyntaxContext),
) -> Result<(), Vec<Span>> {
    wrapper::keep_parameters(script, top_level, unresolved);
    let mut names = FreshNames::new(text);
    wrapper::keep_this(script, unresolved, &mut names);
    arguments::list_parameters(script, unresolved, &mut names);
    if !is_strict(&script.body) {
        let mut search = WithStatements(Vec::new());
        script.visit_with(&mut search);
        if !search.0.is_empty() {
            return Err(search.0);
        }
        script.visit_mut_with(&mut OldSyntax { unresolved });
        own_names::drop_assignments(script);
        blocks::hoist_functions(script, &mut names);
        this::spell_out(script, unresolved);
        arguments::spell_out(script, unresolved, &mut names);
        assign_globals(script, unresolved);
    }
    // A module reserves names that strict scripts do not: `await`.
    names::rename(script, (top_level, unresolved), &mut names);
    Ok(())
}

/// Whether code begins with `"use strict"`.
fn is_strict(body: &[Stmt]) -> bool {
    let directives = body.iter().map_while(|stmt| match stmt {
        Stmt::Expr(stmt) => match &*stmt.expr {
            Expr::Lit(Lit::Str(text)) => Some(text),
            _ => None,
        },
        _ => None,
    });
    // With an escape in it, it is no directive.
    let mut directives = directives.filter_map(|text| text.raw.as_ref());
    directives.any(|raw| matches!(&**raw, "'use strict'" | "\"use strict\""))
}

fn is_strict_function(function: &Function) -> bool {
    function.body.as_ref().is_some_and(|body| is_strict(&body.stmts))
}

fn is_strict_arrow(arrow: &ArrowExpr) -> bool {
    matches!(&*arrow.body, ArrowFunctionBody::FunctionBody(body) if is_strict(&body.stmts))
}

struct WithStatements(Vec<Span>);

impl Visit for WithStatements {
    noop_visit_type!();

    fn visit_with_stmt(&mut self, stmt: &WithStmt) {
        self.0.push(stmt.span.with_hi(stmt.span.lo + BytePos(4)));
        stmt.visit_children_with(self);
    }
}

/// `globalThis`
fn global_object(unresolved: SyntaxContext) -> Expr {
    Expr::Ident(Ident::new("globalThis".into(), DUMMY_SP, unresolved))
}

/// `globalThis.name`
fn global(name: &Ident, unresolved: SyntaxContext) -> MemberExpr {
    ast::member_expr(global_object(unresolved), &name.sym, name.span)
}

/// Gives what strict code may not say the forms of today: numbers and escapes in octal, `delete variable`.
struct OldSyntax {
    unresolved: SyntaxContext,
}

impl OldSyntax {
    /// Variables cannot be deleted, but properties of the global object can.
    fn deleted(&self, name: &Ident) -> Expr {
        if name.ctxt != self.unresolved || names::belongs_to_module(&name.sym) {
            return ast::boolean(false);
        }
        let reflect = Expr::Ident(Ident::new("Reflect".into(), DUMMY_SP, self.unresolved));
        let delete = ast::member(reflect, &"deleteProperty".into(), DUMMY_SP);
        ast::call(delete, vec![global_object(self.unresolved), ast::string(&name.sym)])
    }
}

impl VisitMut for OldSyntax {
    noop_visit_mut_type!();

    fn visit_mut_number(&mut self, number: &mut Number) {
        let is_old = |raw: &Atom| raw.len() > 1 && raw.starts_with('0') && raw.as_bytes()[1].is_ascii_digit();
        number.raw = number.raw.take().filter(|raw| !is_old(raw));
    }

    fn visit_mut_str(&mut self, text: &mut Str) {
        text.raw = text.raw.take().filter(|raw| !has_old_escape(raw));
    }

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        if let Expr::Unary(UnaryExpr { op: UnaryOp::Delete, arg, .. }) = expr
            && let Expr::Ident(name) = &**arg
        {
            *expr = self.deleted(name);
        }
    }
}

/// `"\033"` and `"\8"`, but not `"\0"`.
fn has_old_escape(raw: &str) -> bool {
    let mut bytes = raw.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\\' {
            let is_digit = |byte: u8| byte.is_ascii_digit();
            match bytes.next() {
                Some(b'0') if bytes.peek().copied().is_some_and(is_digit) => return true,
                Some(b'1'..=b'9') => return true,
                _ => {}
            }
        }
    }
    false
}

/// Makes properties of the global object of what is given a value and declared nowhere. To change the value of such a name
/// is to read it first, which fails in strict code where it does in sloppy code.
fn assign_globals(script: &mut Script, unresolved: SyntaxContext) {
    let is_global = |name: &Ident| name.ctxt == unresolved && !names::belongs_to_module(&name.sym);
    script.visit_mut_with(&mut Substitution {
        read: &|_| None,
        written: &|name| is_global(name).then(|| global(name, unresolved)),
        in_strict_code: false,
    });
}
