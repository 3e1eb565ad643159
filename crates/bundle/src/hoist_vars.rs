//! Hoisting of variables: a declaration becomes an assignment, and the variable is declared further out.

use swc_core::{
    common::{DUMMY_SP, Spanned, util::take::Take},
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, AssignOp, AssignTarget, BindingIdent, Class, EmptyStmt, Expr, ExprStmt, ForHead,
            ForInStmt, ForOfStmt, ForStmt, Function, Ident, Pat, Stmt, VarDecl, VarDeclKind, VarDeclOrExpr,
            VarDeclarator,
        },
        utils::find_pat_ids,
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

/// Turns the `var`s that leave blocks and loops into assignments, if they are meant. Returns the names that are to be
/// declared instead.
pub(super) fn assign_vars(stmt: &mut Stmt, is_meant: &dyn Fn(&VarDecl) -> bool) -> Vec<Ident> {
    let mut pass = VarsToAssignments { is_meant, names: Vec::new() };
    stmt.visit_mut_with(&mut pass);
    pass.names
}

struct VarsToAssignments<'a> {
    is_meant: &'a dyn Fn(&VarDecl) -> bool,
    names: Vec<Ident>,
}

impl VarsToAssignments<'_> {
    /// Whether a declaration is to be replaced, of which the names are noted then.
    fn replaces(&mut self, var: &VarDecl) -> bool {
        let is_meant = var.kind == VarDeclKind::Var && !var.declare && (self.is_meant)(var);
        if is_meant {
            self.names.extend(find_pat_ids::<_, Ident>(&var.decls));
        }
        is_meant
    }

    /// `for (var x of xs)` as `for (x of xs)`.
    fn assign_head(&mut self, head: &mut ForHead) {
        if let ForHead::VarDecl(var) = head
            // `for (var x = 1 in xs)` is taken apart before names matter.
            && let [VarDeclarator { name, init: None, .. }] = &*var.decls
            && self.replaces(var)
        {
            *head = ForHead::Pat(Box::new(name.clone()));
        }
    }
}

impl VisitMut for VarsToAssignments<'_> {
    noop_visit_mut_type!();

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        stmt.visit_mut_children_with(self);
        if let Some(var) = stmt.as_mut_decl().and_then(|decl| decl.as_mut_var())
            && self.replaces(var)
        {
            let expr = joined(assignments(*var.take()));
            *stmt = expr.map_or(Stmt::Empty(EmptyStmt { span: DUMMY_SP }), expression);
        }
    }

    fn visit_mut_for_stmt(&mut self, stmt: &mut ForStmt) {
        stmt.visit_mut_children_with(self);
        if let Some(VarDeclOrExpr::VarDecl(var)) = &mut stmt.init
            && self.replaces(var)
        {
            stmt.init = joined(assignments(*var.take())).map(|expr| VarDeclOrExpr::Expr(Box::new(expr)));
        }
    }

    fn visit_mut_for_in_stmt(&mut self, stmt: &mut ForInStmt) {
        stmt.visit_mut_children_with(self);
        self.assign_head(&mut stmt.left);
    }

    fn visit_mut_for_of_stmt(&mut self, stmt: &mut ForOfStmt) {
        stmt.visit_mut_children_with(self);
        self.assign_head(&mut stmt.left);
    }

    // `var` does not leave a function, and an expression holds none outside one.
    fn visit_mut_function(&mut self, _: &mut Function) {}
    fn visit_mut_arrow_expr(&mut self, _: &mut ArrowExpr) {}
    fn visit_mut_class(&mut self, _: &mut Class) {}
    fn visit_mut_expr(&mut self, _: &mut Expr) {}
}

/// The assignments that a declaration makes.
pub(super) fn assignments(var: VarDecl) -> impl Iterator<Item = Expr> {
    let is_var = var.kind == VarDeclKind::Var;
    var.decls.into_iter().filter_map(move |VarDeclarator { name, init, .. }| match init {
        Some(value) => Some(assignment(name, *value)),
        // `let x;` gives it a value; `var x;` leaves the one it has.
        None if is_var => None,
        None => Some(assignment(name, *Expr::undefined(DUMMY_SP))),
    })
}

pub(super) fn assignment(target: Pat, value: Expr) -> Expr {
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
