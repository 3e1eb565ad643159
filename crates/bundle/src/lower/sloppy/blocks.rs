//! Functions that are declared in blocks. In sloppy code they are variables of the function around the block, too.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, Spanned, util::take::Take},
    ecma::{
        ast::{
            AssignPat, BlockStmt, Decl, Expr, FnDecl, FnExpr, ForHead, ForInStmt, Id, Ident, IfStmt, KeyValuePatProp,
            KeyValueProp, ObjectPatProp, Pat, Prop, PropName, Script, Stmt, SwitchStmt, VarDecl, VarDeclKind,
            VarDeclarator,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use crate::{analyze::declared::each_assigned, ast, hoist_vars::assignment, lower::FreshNames};

/// Rewrites the functions in blocks that code outside their block mentions; the others mean the same in strict code. And
/// what only sloppy code may say about functions: more than one of a name in a block, and labels.
pub(super) fn hoist_functions(script: &mut Script, names: &mut FreshNames<'_>) {
    script.visit_mut_with(&mut OldStatements);
    let uses = counted(script);
    script.visit_mut_with(&mut Blocks { uses, names });
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
                **branch = ast::block(vec![*branch.take()]);
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
                    *stmt = ast::block(vec![first, stmt.take()]);
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

struct Blocks<'a, 't> {
    /// How often the script mentions each variable.
    uses: FxHashMap<Id, usize>,
    names: &'a mut FreshNames<'t>,
}

impl Blocks<'_, '_> {
    /// Gives functions that their block assigns to a variable of its own there. The one around the block gets the function
    /// where the declaration stands, and nothing of what happens in the block.
    fn separate(&mut self, stmts: &mut Vec<Stmt>) {
        let functions = stmts.iter().filter_map(|stmt| stmt.as_decl().and_then(Decl::as_fn_decl));
        let mut separate: Vec<Id> = functions.filter(|it| is_plain(it)).map(|it| it.ident.to_id()).collect();
        let mut assigned = FxHashSet::default();
        each_assigned(stmts, |variable| _ = assigned.insert(variable.to_id()));
        separate.retain(|name| assigned.contains(name));
        for name in separate {
            let inner = self.names.make(&name.0);
            stmts.visit_mut_with(&mut RenameVariable { from: &name, to: &inner });
            Self::declare_apart(stmts, &name, &inner);
        }
    }

    fn declare_apart(stmts: &mut Vec<Stmt>, name: &Id, inner: &Atom) {
        let functions = stmts.iter_mut().filter_map(|stmt| function_apart(stmt, name, inner));
        let declared = functions.last().map(|(variable, function)| declaration(VarDeclKind::Let, variable, function));
        let variable = ast::declare_idents(vec![Ident::new(name.0.clone(), DUMMY_SP, name.1)], VarDeclKind::Var);
        stmts.splice(0..0, variable.into_iter().chain(declared));
    }

    /// Gives the functions of a `switch` that code outside mentions to variables of its own. Those outside get them where
    /// their declarations stand.
    fn separate_cases(&mut self, switch: &mut SwitchStmt, inside: &FxHashMap<Id, usize>) {
        let mut functions = Vec::new();
        let stmts = switch.cases.iter().flat_map(|case| &case.cons);
        let declared = stmts.filter_map(|stmt| stmt.as_decl()?.as_fn_decl()).filter(|function| is_plain(function));
        let names = declared.map(|function| function.ident.to_id());
        let names: BTreeSet<Id> = names.filter(|name| self.is_used_outside(name, inside)).collect();
        for name in names {
            let inner = self.names.make(&name.0);
            switch.cases.visit_mut_with(&mut RenameVariable { from: &name, to: &inner });
            for stmt in switch.cases.iter_mut().flat_map(|case| &mut case.cons) {
                functions.extend(function_apart(stmt, &name, &inner));
            }
        }
        if !functions.is_empty() {
            assign_first(switch, functions);
        }
    }

    fn is_used_outside(&self, name: &Id, inside: &FxHashMap<Id, usize>) -> bool {
        self.uses.get(name) > inside.get(name)
    }

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
        stmts.extend(functions.into_iter().map(|function| {
            let is_used_outside = self.is_used_outside(&function.ident.to_id(), inside);
            if is_used_outside { assigned(function) } else { Stmt::Decl(Decl::Fn(function)) }
        }));
        stmts.append(&mut kept);
    }
}

/// Puts what gives functions to variables where a `switch` begins: before the first test, which is made in any case. The
/// functions have the names of the variables outside.
fn assign_first(switch: &mut SwitchStmt, functions: Vec<(Ident, FnExpr)>) {
    let names = functions.iter().flat_map(|(name, function)| [Some(name.clone()), function.ident.clone()]);
    let names = names.flatten().collect();
    let functions = functions.into_iter().map(|(name, function)| assignment(Pat::Ident(name.into()), function.into()));
    let (variables, test) =
        (ast::declare_idents(names, VarDeclKind::Var), switch.cases.iter_mut().find_map(|case| case.test.as_mut()));
    let first = match test {
        Some(test) => {
            **test = ast::sequence(functions.chain([*test.take()]).collect());
            Vec::new()
        }
        // There is but `default`.
        None => functions.map(ast::expression_statement).collect(),
    };
    if let Some(case) = switch.cases.first_mut() {
        case.cons.splice(0..0, variables.into_iter().chain(first));
    }
}

/// Takes a function that is declared as `inner`, in whose place the variable `outer` gets it.
fn function_apart(stmt: &mut Stmt, outer: &Id, inner: &Atom) -> Option<(Ident, FnExpr)> {
    let FnDecl { ident, function, .. } = stmt.as_mut_decl()?.as_mut_fn_decl()?;
    if ident.sym != *inner {
        return None;
    }
    let (variable, function) = (ident.clone(), function.take());
    let name = |span| Ident::new(outer.0.clone(), span, outer.1);
    *stmt = ast::expression_statement(assignment(Pat::Ident(name(variable.span).into()), variable.clone().into()));
    Some((variable.clone(), FnExpr { ident: Some(name(variable.span)), function }))
}

/// Generators and functions that wait stay in their block in sloppy code as well.
fn is_plain(function: &FnDecl) -> bool {
    !function.function.is_async && !function.function.is_generator
}

/// `function f() {}` as `var f = function () {};`, which gives `f` its name all the same.
fn assigned(FnDecl { ident, function, .. }: FnDecl) -> Stmt {
    declaration(VarDeclKind::Var, ident, FnExpr { ident: None, function })
}

fn declaration(kind: VarDeclKind, ident: Ident, function: FnExpr) -> Stmt {
    let init = Some(Box::new(Expr::Fn(function)));
    let decls = vec![VarDeclarator { span: ident.span, name: Pat::Ident(ident.into()), init, definite: false }];
    Stmt::Decl(VarDecl { kind, decls, ..VarDecl::default() }.into())
}

struct RenameVariable<'a> {
    from: &'a Id,
    to: &'a Atom,
}

impl VisitMut for RenameVariable<'_> {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if ident.sym == self.from.0 && ident.ctxt == self.from.1 {
            ident.sym = self.to.clone();
        }
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(ident) = prop
            && ident.to_id() == *self.from
        {
            let value = Box::new(Ident { sym: self.to.clone(), ..ident.clone() }.into());
            *prop = Prop::KeyValue(KeyValueProp { key: PropName::Ident(ident.clone().into()), value });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        if let ObjectPatProp::Assign(assign) = prop
            && assign.key.to_id() == *self.from
        {
            let key = PropName::Ident(assign.key.id.clone().into());
            let target = Pat::Ident(Ident { sym: self.to.clone(), ..assign.key.id.clone() }.into());
            let value = match assign.value.take() {
                None => target,
                Some(right) => Pat::Assign(AssignPat { span: assign.span, left: Box::new(target), right }),
            };
            *prop = ObjectPatProp::KeyValue(KeyValuePatProp { key, value: Box::new(value) });
        }
        prop.visit_mut_children_with(self);
    }
}

impl VisitMut for Blocks<'_, '_> {
    noop_visit_mut_type!();

    fn visit_mut_block_stmt(&mut self, block: &mut BlockStmt) {
        block.visit_mut_children_with(self);
        if block.stmts.iter().any(is_function) {
            self.separate(&mut block.stmts);
            let inside = counted(block);
            self.block(&mut block.stmts, &inside);
        }
    }

    fn visit_mut_switch_stmt(&mut self, switch: &mut SwitchStmt) {
        switch.visit_mut_children_with(self);
        if switch.cases.iter().any(|case| case.cons.iter().any(is_function)) {
            let inside = counted(&switch.cases);
            self.separate_cases(switch, &inside);
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
