//! Divides the statements of a deferred module into what exists from the start, as in every module, and what its
//! evaluation does: a function closes over the latter, so variables must be declared outside of it.

use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, Spanned, util::take::Take},
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, AssignOp, AssignTarget, BindingIdent, Class, ClassDecl, ClassExpr, Decl, EmptyStmt,
            Expr, ExprStmt, ForHead, ForInStmt, ForOfStmt, ForStmt, Function, Pat, Stmt, VarDecl, VarDeclKind,
            VarDeclOrExpr, VarDeclarator,
        },
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::bundle::{analyze::declared::declared_names, build};

/// The two halves of a deferred module.
#[derive(Default)]
pub(crate) struct Divided {
    /// Functions and constants, which may be there before anything runs.
    pub hoisted: Vec<Stmt>,
    /// The names of variables that `evaluation` gives values to.
    pub variables: Vec<Atom>,
    /// What runs.
    pub evaluation: Vec<Stmt>,
}

impl Divided {
    /// Adds a top-level statement; `is_constant` says that it may run before everything else.
    pub(crate) fn add(&mut self, mut stmt: Stmt, is_constant: bool) {
        match stmt {
            Stmt::Decl(Decl::Fn(_)) => self.hoisted.push(stmt),
            // A `var` may be read before its statement runs, and is undefined then.
            Stmt::Decl(Decl::Var(ref mut var)) if is_constant && var.kind != VarDeclKind::Var => {
                var.kind = VarDeclKind::Var;
                self.hoisted.push(stmt);
            }
            stmt => self.assign(stmt),
        }
    }

    /// Declares a variable that gets its value when the module runs.
    pub(crate) fn variable(&mut self, name: Atom, value: Expr) {
        self.evaluation.push(expression(assignment(build::target(&name), value)));
        self.variables.push(name);
    }

    fn assign(&mut self, stmt: Stmt) {
        self.variables.extend(declared_names(&stmt));
        match stmt {
            Stmt::Decl(Decl::Class(ClassDecl { ident, class, .. })) => {
                let value = Expr::Class(ClassExpr { ident: Some(ident.clone()), class });
                self.evaluation.push(expression(assignment(Pat::Ident(ident.into()), value)));
            }
            Stmt::Decl(Decl::Var(var)) => self.evaluation.extend(assignments(*var).map(expression)),
            mut stmt => {
                stmt.visit_mut_with(&mut VarsToAssignments);
                self.evaluation.push(stmt);
            }
        }
    }
}

/// Turns the `var`s that leave blocks and loops into assignments.
struct VarsToAssignments;

impl VisitMut for VarsToAssignments {
    noop_visit_mut_type!();

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        stmt.visit_mut_children_with(self);
        if let Stmt::Decl(Decl::Var(var)) = stmt
            && var.kind == VarDeclKind::Var
        {
            let expr = joined(assignments(*var.take()));
            *stmt = expr.map_or(Stmt::Empty(EmptyStmt { span: DUMMY_SP }), expression);
        }
    }

    fn visit_mut_for_stmt(&mut self, stmt: &mut ForStmt) {
        stmt.visit_mut_children_with(self);
        if let Some(VarDeclOrExpr::VarDecl(var)) = &mut stmt.init
            && var.kind == VarDeclKind::Var
        {
            stmt.init = joined(assignments(*var.take())).map(|expr| VarDeclOrExpr::Expr(Box::new(expr)));
        }
    }

    fn visit_mut_for_in_stmt(&mut self, stmt: &mut ForInStmt) {
        stmt.visit_mut_children_with(self);
        assign_head(&mut stmt.left);
    }

    fn visit_mut_for_of_stmt(&mut self, stmt: &mut ForOfStmt) {
        stmt.visit_mut_children_with(self);
        assign_head(&mut stmt.left);
    }

    // `var` does not leave a function, and an expression holds none outside one.
    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_arrow_expr(&mut self, _: &mut ArrowExpr) {}
    fn visit_mut_class(&mut self, _: &mut Class) {}
    fn visit_mut_expr(&mut self, _: &mut Expr) {}
}

/// `for (var x of xs)` as `for (x of xs)`.
fn assign_head(head: &mut ForHead) {
    if let ForHead::VarDecl(var) = head
        && var.kind == VarDeclKind::Var
        && let Some(VarDeclarator { name, .. }) = var.decls.pop()
    {
        *head = ForHead::Pat(Box::new(name));
    }
}

pub(super) fn assignments(var: VarDecl) -> impl Iterator<Item = Expr> {
    let is_var = var.kind == VarDeclKind::Var;
    var.decls.into_iter().filter_map(move |VarDeclarator { name, init, .. }| match init {
        Some(value) => Some(assignment(name, *value)),
        // `let x;` gives it a value; `var x;` leaves the one it has.
        None if is_var => None,
        None => Some(assignment(name, *Expr::undefined(DUMMY_SP))),
    })
}

fn assignment(target: Pat, value: Expr) -> Expr {
    let span = value.span();
    let left = match target {
        Pat::Ident(BindingIdent { id, .. }) => AssignTarget::Simple(id.into()),
        pattern => match AssignTarget::try_from(pattern) {
            Ok(target) => target,
            // A declaration's pattern is a name, an array or an object, all of which can be assigned to.
            Err(pattern) => unreachable!("{pattern:?} declares nothing"),
        },
    };
    Expr::Assign(AssignExpr { span, op: AssignOp::Assign, left, right: Box::new(value) })
}

pub(super) fn joined(exprs: impl Iterator<Item = Expr>) -> Option<Expr> {
    let exprs: Vec<Box<Expr>> = exprs.map(Box::new).collect();
    (!exprs.is_empty()).then(|| *Expr::from_exprs(exprs))
}

/// An expression as a statement, in parentheses where it would be read as something else.
pub(super) fn expression(expr: Expr) -> Stmt {
    let span = expr.span();
    Stmt::Expr(ExprStmt { span, expr: Box::new(expr) })
}
