//! `this` of sloppy functions that are called without an object: the global object.
//!
//! Most functions that mention `this` are called as methods, with `new` or by others; nothing is done about these. But of a
//! function that the script itself calls by its name alone, or where it stands, it can be seen what `this` is.

use rustc_hash::FxHashSet;
use swc_core::{
    common::{DUMMY_SP, SyntaxContext},
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, AssignTarget, BinExpr, BinaryOp, CallExpr, Callee, Class, Expr, ExprOrSpread,
            FnDecl, FnExpr, Function, Id, Ident, Lit, MemberExpr, OptCall, Pat, Script, SimpleAssignTarget, UnaryOp,
            VarDeclarator,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::{global_object, is_strict_function};

/// Says what `this` is in the functions of a script that are called without an object.
pub(super) fn spell_out(script: &mut Script, unresolved: SyntaxContext) {
    let mut called = CalledNames { unresolved, names: FxHashSet::default() };
    script.visit_with(&mut called);
    script.visit_mut_with(&mut Functions { called: called.names, unresolved });
}

/// Finds the variables that are called without an object.
struct CalledNames {
    unresolved: SyntaxContext,
    names: FxHashSet<Id>,
}

impl CalledNames {
    fn callee(&mut self, callee: &Expr, arguments: &[ExprOrSpread]) {
        let (function, _) = called_function(callee, arguments, self.unresolved);
        self.names.extend(function.and_then(Expr::as_ident).map(Ident::to_id));
    }
}

impl Visit for CalledNames {
    noop_visit_type!();

    fn visit_call_expr(&mut self, call: &CallExpr) {
        if let Callee::Expr(callee) = &call.callee {
            self.callee(callee, &call.args);
        }
        call.visit_children_with(self);
    }

    fn visit_opt_call(&mut self, call: &OptCall) {
        self.callee(&call.callee, &call.args);
        call.visit_children_with(self);
    }
}

/// What a call runs without an object, if it does so, and how many arguments come before those of the function:
/// `f()`, `f.call(null)`.
fn called_function<'a>(
    callee: &'a Expr,
    arguments: &[ExprOrSpread],
    unresolved: SyntaxContext,
) -> (Option<&'a Expr>, usize) {
    match callee {
        Expr::Member(member) if is_call_method(member) => {
            let is_object = arguments.first().is_some_and(|this| !is_nothing(&this.expr, unresolved));
            (Some(&*member.obj).filter(|_| !is_object), 1)
        }
        other => (Some(other), 0),
    }
}

fn is_call_method(member: &MemberExpr) -> bool {
    member.prop.is_ident_with("call") || member.prop.is_ident_with("apply")
}

/// `null`, `undefined`, `void 0`
fn is_nothing(expr: &Expr, unresolved: SyntaxContext) -> bool {
    match expr {
        Expr::Lit(Lit::Null(_)) => true,
        Expr::Ident(name) => name.sym == "undefined" && name.ctxt == unresolved,
        Expr::Unary(unary) => unary.op == UnaryOp::Void,
        _ => false,
    }
}

/// What is known of `this` in a function.
#[derive(Clone, Copy)]
enum This {
    Global,
    /// The global object, if the function has none.
    Defaulted,
}

struct Functions {
    called: FxHashSet<Id>,
    unresolved: SyntaxContext,
}

impl Functions {
    fn function(&self, function: &mut Function, this: This) {
        if !is_strict_function(function) {
            let mut replace = ReplaceThis { this, unresolved: self.unresolved };
            function.params.visit_mut_with(&mut replace);
            function.body.visit_mut_with(&mut replace);
        }
    }

    fn is_called(&self, name: Option<&Ident>) -> bool {
        name.is_some_and(|name| self.called.contains(&name.to_id()))
    }

    /// A function that is given to a variable.
    fn given(&self, is_called: bool, value: &mut Expr) {
        if let Expr::Fn(function) = value
            && is_called
        {
            self.function(&mut function.function, This::Defaulted);
        }
    }

    /// A function that is called where it stands, and those that it is given.
    fn immediate(&self, callee: &mut Expr, arguments: &mut [ExprOrSpread]) {
        let (is_plain, before) = {
            let (function, before) = called_function(callee, arguments, self.unresolved);
            (function.is_some(), before)
        };
        let callee = match callee {
            Expr::Member(member) if is_call_method(member) => &mut *member.obj,
            other => other,
        };
        match callee {
            Expr::Fn(FnExpr { ident, function }) => {
                if is_plain {
                    // By its name, it may be called again.
                    self.function(function, if ident.is_some() { This::Defaulted } else { This::Global });
                }
                let parameters = function.params.iter().map(|parameter| &parameter.pat);
                self.arguments(parameters, arguments, before);
            }
            Expr::Arrow(arrow) => self.arguments(arrow.params.iter(), arguments, before),
            _ => {}
        }
    }

    fn arguments<'p>(&self, parameters: impl Iterator<Item = &'p Pat>, arguments: &mut [ExprOrSpread], before: usize) {
        for (parameter, argument) in parameters.zip(arguments.iter_mut().skip(before)) {
            self.given(self.is_called(parameter.as_ident().map(|name| &name.id)), &mut argument.expr);
        }
    }
}

impl VisitMut for Functions {
    noop_visit_mut_type!();
    sloppy_code_only!();

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        if let Callee::Expr(callee) = &mut call.callee {
            self.immediate(callee, &mut call.args);
        }
        call.visit_mut_children_with(self);
    }

    fn visit_mut_fn_decl(&mut self, decl: &mut FnDecl) {
        if self.is_called(Some(&decl.ident)) {
            self.function(&mut decl.function, This::Defaulted);
        }
        decl.visit_mut_children_with(self);
    }

    fn visit_mut_fn_expr(&mut self, expr: &mut FnExpr) {
        if self.is_called(expr.ident.as_ref()) {
            self.function(&mut expr.function, This::Defaulted);
        }
        expr.visit_mut_children_with(self);
    }

    fn visit_mut_var_declarator(&mut self, declarator: &mut VarDeclarator) {
        let is_called = self.is_called(declarator.name.as_ident().map(|name| &name.id));
        if let Some(value) = &mut declarator.init {
            self.given(is_called, value);
        }
        declarator.visit_mut_children_with(self);
    }

    fn visit_mut_assign_expr(&mut self, assign: &mut AssignExpr) {
        if let AssignTarget::Simple(SimpleAssignTarget::Ident(name)) = &assign.left {
            let is_called = self.is_called(Some(name));
            self.given(is_called, &mut assign.right);
        }
        assign.visit_mut_children_with(self);
    }
}

/// Replaces the `this` of one function.
struct ReplaceThis {
    this: This,
    unresolved: SyntaxContext,
}

impl VisitMut for ReplaceThis {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        let Expr::This(this) = expr else { return expr.visit_mut_children_with(self) };
        let global = global_object(self.unresolved);
        *expr = match self.this {
            This::Global => global,
            This::Defaulted => Expr::Bin(BinExpr {
                span: DUMMY_SP,
                op: BinaryOp::NullishCoalescing,
                left: Box::new(Expr::This(*this)),
                right: Box::new(global),
            }),
        };
    }

    fn visit_mut_bin_expr(&mut self, bin: &mut BinExpr) {
        // A function may be found in more than one way.
        let is_done =
            bin.op == BinaryOp::NullishCoalescing && bin.left.is_this() && bin.right.is_ident_ref_to("globalThis");
        if !is_done {
            bin.visit_mut_children_with(self);
        }
    }

    fn visit_mut_arrow_expr(&mut self, arrow: &mut ArrowExpr) {
        arrow.visit_mut_children_with(self);
    }

    // These have a `this` of their own.
    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_class(&mut self, _: &mut Class) {}
}
