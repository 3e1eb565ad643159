//! Early reads: separates `var`s from their values where something may read them before. The minifier copies the one
//! value that a variable is declared with to wherever it is read, and assumes nothing where it is assigned.

use std::mem::{replace, take};

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    common::util::take::Take,
    ecma::{
        ast::{
            AssignExpr, Decl, Expr, FnDecl, ForHead, ForStmt, FunctionBody, Id, Ident, ModuleItem, Pat, Program,
            StaticBlock, Stmt, UnaryExpr, UnaryOp, UpdateExpr, VarDecl, VarDeclKind, VarDeclOrExpr, VarDeclarator,
        },
        utils::{find_pat_ids, prepend_stmt},
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use crate::{
    ast,
    hoist_vars::{assignments, expression, joined},
};

/// `f(x); var x = 1;` as `var x; f(x); x = 1;`. Names must have been resolved.
pub(crate) fn separate_early(program: &mut Program, values: &Values) {
    let functions = values.functions.intersection(&values.asked);
    let copied: FxHashSet<Id> = values.copied.difference(&values.others).chain(functions).cloned().collect();
    if !copied.is_empty() {
        program.visit_mut_with(&mut EarlyReads { copied, ..EarlyReads::default() });
    }
}

/// The values that variables are given.
#[derive(Default)]
pub(crate) struct Values {
    /// Variables that cannot be given anything later.
    constants: FxHashSet<Id>,
    /// Variables that are declared with a value which the minifier copies.
    copied: FxHashSet<Id>,
    /// Variables that are declared with a function.
    functions: FxHashSet<Id>,
    /// Variables of which something asks for the `typeof`, which the minifier puts in for functions.
    asked: FxHashSet<Id>,
    /// Variables that are given anything else, or given it somewhere else.
    others: FxHashSet<Id>,
}

impl Values {
    pub(crate) fn of(program: &Program) -> Self {
        let mut values = Self::default();
        program.visit_with(&mut values);
        values
    }

    /// Constants to which something is assigned all the same, which fails when it runs.
    pub(crate) fn assigned_constants(&self) -> FxHashSet<Id> {
        self.others.intersection(&self.constants).cloned().collect()
    }
}

impl Visit for Values {
    noop_visit_type!();

    fn visit_var_decl(&mut self, var: &VarDecl) {
        if var.kind == VarDeclKind::Const {
            self.constants.extend(find_pat_ids::<_, Id>(&var.decls));
        }
        let given = var.decls.iter().filter(|declarator| var.kind == VarDeclKind::Var && declarator.init.is_some());
        for VarDeclarator { name, init, .. } in given {
            match name {
                Pat::Ident(name) if init.as_deref().is_some_and(is_copied) && self.copied.insert(name.to_id()) => {}
                Pat::Ident(name) if init.as_deref().is_some_and(is_function_value) => {
                    self.functions.insert(name.to_id());
                }
                pattern => self.others.extend(find_pat_ids::<_, Id>(pattern)),
            }
        }
        var.visit_children_with(self);
    }

    fn visit_unary_expr(&mut self, unary: &UnaryExpr) {
        if unary.op == UnaryOp::TypeOf {
            self.asked.extend(unary.arg.as_ident().map(Ident::to_id));
        }
        unary.visit_children_with(self);
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        self.others.extend(find_pat_ids::<_, Id>(&assign.left));
        assign.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        self.others.extend(update.arg.as_ident().map(Ident::to_id));
        update.visit_children_with(self);
    }

    fn visit_for_head(&mut self, head: &ForHead) {
        self.others.extend(find_pat_ids::<_, Id>(head));
        head.visit_children_with(self);
    }
}

fn is_function_value(value: &Expr) -> bool {
    matches!(value, Expr::Fn(_) | Expr::Arrow(_))
}

fn is_copied(value: &Expr) -> bool {
    match value {
        Expr::Lit(value) => !value.is_regex(),
        Expr::Ident(_) | Expr::This(_) => true,
        Expr::Tpl(template) => template.exprs.is_empty(),
        Expr::Unary(unary) => is_copied(&unary.arg),
        Expr::Bin(bin) => is_copied(&bin.left) && is_copied(&bin.right),
        _ => false,
    }
}

/// Follows the order of the text, in which code runs, but for functions: they run when they are called.
#[derive(Default)]
struct EarlyReads {
    /// Variables whose value the minifier copies.
    copied: FxHashSet<Id>,
    /// The names in the code so far, which may have read their variables.
    mentioned: FxHashSet<Id>,
    /// Functions that nothing has mentioned yet, with the names in them.
    functions: FxHashMap<Id, FxHashSet<Id>>,
    /// Variables of the function at hand that are to be declared where it begins.
    separated: Vec<Ident>,
}

impl EarlyReads {
    /// Notes a name, and what is mentioned by the functions that it may call.
    fn mention(&mut self, id: Id) {
        if self.mentioned.contains(&id) {
            return;
        }
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            pending.extend(self.functions.remove(&id).into_iter().flatten());
            self.mentioned.insert(id);
        }
    }

    /// Visits the code of a function that runs where its name is mentioned.
    fn named(&mut self, name: Id, visit: impl FnOnce(&mut Self)) {
        let outer = (take(&mut self.mentioned), take(&mut self.functions));
        visit(self);
        let inner = replace(&mut self.mentioned, outer.0);
        self.functions = outer.1;
        self.functions.insert(name.clone(), inner);
        if self.mentioned.remove(&name) {
            self.mention(name);
        }
    }

    /// Visits the statements of a block: first the functions, which exist when it begins.
    fn block<T: VisitMutWith<Self>>(&mut self, stmts: &mut [T], is_function: impl Fn(&T) -> bool) {
        let separated = self.separated.len();
        stmts.iter_mut().filter(|stmt| is_function(stmt)).for_each(|stmt| stmt.visit_mut_with(self));
        stmts.iter_mut().filter(|stmt| !is_function(stmt)).for_each(|stmt| stmt.visit_mut_with(self));
        if self.separated.len() > separated {
            // The minifier has to come upon the reads first.
            stmts.sort_by_key(|stmt| !is_function(stmt));
        }
    }

    /// Visits what has variables of its own, and returns the declaration that it is to begin with.
    fn scope(&mut self, visit: impl FnOnce(&mut Self)) -> Option<Stmt> {
        let outer = take(&mut self.separated);
        visit(self);
        let names = replace(&mut self.separated, outer);
        ast::declare_idents(names, VarDeclKind::Var)
    }

    /// Visits a declaration. The answer is whether a variable may have been read before.
    fn is_early(&mut self, var: &mut VarDecl) -> bool {
        let mut is_early = false;
        for VarDeclarator { name, init, .. } in &mut var.decls {
            let Pat::Ident(name) = name else {
                init.visit_mut_with(self);
                name.visit_mut_with(self);
                continue;
            };
            match init.as_deref_mut() {
                Some(function) if is_function_value(function) => {
                    self.named(name.to_id(), |early| function.visit_mut_with(early));
                }
                _ => init.visit_mut_with(self),
            }
            is_early |= self.copied.contains(&name.to_id()) && self.mentioned.contains(&name.to_id());
        }
        is_early
    }

    /// The assignments that take the place of a declaration, if one of its variables may have been read before.
    fn separate(&mut self, var: &mut VarDecl) -> Option<Expr> {
        if !self.is_early(var) {
            return None;
        }
        self.separated.extend(find_pat_ids::<_, Ident>(&var.decls));
        joined(assignments(var.take()))
    }
}

fn is_function(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Decl(Decl::Fn(_)))
}

impl VisitMut for EarlyReads {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        self.mention(ident.to_id());
    }

    fn visit_mut_module_items(&mut self, items: &mut Vec<ModuleItem>) {
        let is_function = |item: &ModuleItem| item.as_stmt().is_some_and(is_function);
        if let Some(variables) = self.scope(|early| early.block(items, is_function)) {
            prepend_stmt(items, variables.into());
        }
    }

    fn visit_mut_stmts(&mut self, stmts: &mut Vec<Stmt>) {
        self.block(stmts, is_function);
    }

    fn visit_mut_function_body(&mut self, body: &mut FunctionBody) {
        if let Some(variables) = self.scope(|early| body.visit_mut_children_with(early)) {
            prepend_stmt(&mut body.stmts, variables);
        }
    }

    fn visit_mut_static_block(&mut self, block: &mut StaticBlock) {
        if let Some(variables) = self.scope(|early| block.visit_mut_children_with(early)) {
            prepend_stmt(&mut block.body.stmts, variables);
        }
    }

    fn visit_mut_fn_decl(&mut self, decl: &mut FnDecl) {
        self.named(decl.ident.to_id(), |early| decl.function.visit_mut_with(early));
    }

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        let Stmt::Decl(Decl::Var(var)) = stmt else { return stmt.visit_mut_children_with(self) };
        if let Some(assignments) = self.separate(var) {
            *stmt = expression(assignments);
        }
    }

    fn visit_mut_for_stmt(&mut self, stmt: &mut ForStmt) {
        match &mut stmt.init {
            Some(VarDeclOrExpr::VarDecl(var)) => {
                if let Some(assignments) = self.separate(var) {
                    stmt.init = Some(VarDeclOrExpr::Expr(Box::new(assignments)));
                }
            }
            init => init.visit_mut_with(self),
        }
        stmt.test.visit_mut_with(self);
        stmt.update.visit_mut_with(self);
        stmt.body.visit_mut_with(self);
    }
}
