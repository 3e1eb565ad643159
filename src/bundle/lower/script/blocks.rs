//! Functions that are declared in blocks. In sloppy code they are variables of the function around the block, too.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    common::{BytePos, Spanned, util::take::Take},
    ecma::{
        ast::{
            BlockStmt, Decl, Expr, FnDecl, FnExpr, ForHead, ForInStmt, Id, Ident, IfStmt, Pat, Script, Stmt,
            SwitchStmt, VarDecl, VarDeclKind, VarDeclarator,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use crate::bundle::build;

/// Rewrites the functions in blocks that code outside their block mentions; the others mean the same in strict code. And
/// what only sloppy code may say about functions: more than one of a name in a block, and labels.
pub(super) fn hoist_functions(script: &mut Script) {
    script.visit_mut_with(&mut OldStatements);
    let uses = counted(script);
    script.visit_mut_with(&mut Blocks { uses });
}

/// Puts functions that are declared right after `if (…)` and `else` into blocks of their own. The parser takes them, but
/// complains; the answer is where they begin.
pub(crate) fn enclose_functions_of_branches(script: &mut Script) -> FxHashSet<BytePos> {
    let mut branches = FunctionsOfBranches(FxHashSet::default());
    script.visit_mut_with(&mut branches);
    branches.0
}

struct FunctionsOfBranches(FxHashSet<BytePos>);

impl VisitMut for FunctionsOfBranches {
    noop_visit_mut_type!();

    fn visit_mut_if_stmt(&mut self, stmt: &mut IfStmt) {
        stmt.visit_mut_children_with(self);
        for branch in std::iter::once(&mut stmt.cons).chain(&mut stmt.alt) {
            if is_function(branch) {
                self.0.insert(branch.span_lo());
                **branch = build::block(vec![*branch.take()]);
            }
        }
    }
}

struct OldStatements;

impl VisitMut for OldStatements {
    noop_visit_mut_type!();

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        match innermost(stmt) {
            // Nothing in a function can leave its label.
            function if is_function(function) => *stmt = function.take(),
            Stmt::ForIn(for_in) => {
                if let Some(first) = initializer(for_in) {
                    *stmt = build::block(vec![first, stmt.take()]);
                }
            }
            _ => {}
        }
        stmt.visit_mut_children_with(self);
    }
}

/// What labels stand before.
fn innermost(stmt: &mut Stmt) -> &mut Stmt {
    match stmt {
        Stmt::Labeled(labeled) => innermost(&mut labeled.body),
        other => other,
    }
}

fn is_function(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Decl(Decl::Fn(_)))
}

/// Takes `var i = 0` out of `for (var i = 0 in object)`.
fn initializer(stmt: &mut ForInStmt) -> Option<Stmt> {
    let ForHead::VarDecl(var) = &mut stmt.left else { return None };
    let declarator = var.decls.first_mut()?;
    let init = declarator.init.take()?;
    let decls = vec![VarDeclarator { init: Some(init), ..declarator.clone() }];
    Some(Stmt::Decl(VarDecl { kind: VarDeclKind::Var, decls, ..VarDecl::default() }.into()))
}

struct Blocks {
    /// How often the script mentions each variable.
    uses: FxHashMap<Id, usize>,
}

impl Blocks {
    /// Rewrites the functions of a block, which are those of a list of statements in it.
    fn block(&self, stmts: &mut Vec<Stmt>, inside: &FxHashMap<Id, usize>) {
        let mut kept = Vec::with_capacity(stmts.len());
        let mut functions: Vec<FnDecl> = Vec::new();
        for stmt in stmts.drain(..) {
            match stmt {
                Stmt::Decl(Decl::Fn(function)) if is_plain(&function) => {
                    functions.retain(|other| other.ident.to_id() != function.ident.to_id());
                    functions.push(function);
                }
                other => kept.push(other),
            }
        }
        let count = |counts: &FxHashMap<Id, usize>, name: &Ident| counts.get(&name.to_id()).copied().unwrap_or(0);
        let is_used_outside = |function: &FnDecl| count(&self.uses, &function.ident) > count(inside, &function.ident);
        stmts.extend(functions.into_iter().map(|function| {
            if is_used_outside(&function) { assigned(function) } else { Stmt::Decl(Decl::Fn(function)) }
        }));
        stmts.append(&mut kept);
    }
}

/// Generators and functions that wait stay in their block in sloppy code as well.
fn is_plain(function: &FnDecl) -> bool {
    !function.function.is_async && !function.function.is_generator
}

/// `function f() {}` as `var f = function () {};`, which gives `f` its name all the same.
fn assigned(FnDecl { ident, function, .. }: FnDecl) -> Stmt {
    let init = Some(Box::new(Expr::Fn(FnExpr { ident: None, function })));
    let declarator = VarDeclarator { span: ident.span, name: Pat::Ident(ident.into()), init, definite: false };
    let decls = vec![declarator];
    Stmt::Decl(VarDecl { kind: VarDeclKind::Var, decls, ..VarDecl::default() }.into())
}

impl VisitMut for Blocks {
    noop_visit_mut_type!();

    fn visit_mut_block_stmt(&mut self, block: &mut BlockStmt) {
        block.visit_mut_children_with(self);
        if block.stmts.iter().any(is_function) {
            let inside = counted(block);
            self.block(&mut block.stmts, &inside);
        }
    }

    fn visit_mut_switch_stmt(&mut self, switch: &mut SwitchStmt) {
        switch.visit_mut_children_with(self);
        if switch.cases.iter().any(|case| case.cons.iter().any(is_function)) {
            let inside = counted(&switch.cases);
            for case in &mut switch.cases {
                self.block(&mut case.cons, &inside);
            }
        }
    }
}

fn counted<T: VisitWith<Uses>>(code: &T) -> FxHashMap<Id, usize> {
    let mut uses = Uses::default();
    code.visit_with(&mut uses);
    uses.0
}

/// Counts how often each variable is mentioned.
#[derive(Default)]
struct Uses(FxHashMap<Id, usize>);

impl Visit for Uses {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        *self.0.entry(ident.to_id()).or_default() += 1;
    }
}
