//! What can be known of a CommonJS module without running it: which exports it defines, and what these need.
//!
//! A module is *open* unless all it does with `exports` is to define properties at its top level and to read them. Of one
//! that is not open, parts that only serve exports which nobody asks for can be left out.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::SyntaxContext,
    ecma::{
        ast::{
            AssignExpr, AssignOp, AssignTarget, CallExpr, Callee, Class, Decl, Expr, Function, Ident, Lit, MemberExpr,
            Pat, Prop, PropName, PropOrSpread, SimpleAssignTarget, Stmt, ThisExpr, UnaryOp, VarDeclarator,
        },
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use super::{
    declared::declared_names,
    uses::{Requested, property_name, requested_specifier, text},
};
use crate::{
    effect::Effect,
    known_exports::{KnownExports, Part},
    module::ModuleScan,
};

/// Takes stock of the top-level statements of a module. `names` are the top-level names that each mentions, `effect` says
/// what each does. `None` if the module is open.
pub(crate) fn known_exports(
    code: &[Stmt],
    names: Vec<Vec<Atom>>,
    effect: &dyn Fn(&Stmt) -> Effect,
    is_pure: &dyn Fn(&Expr) -> bool,
    scan: &ModuleScan,
) -> Option<KnownExports> {
    let unresolved = scan.unresolved;
    let mut is_es_module = false;
    let mut parts = Vec::with_capacity(code.len());
    for (stmt, names) in code.iter().zip(names) {
        let mut mentions = ExportMentions { unresolved, names: Vec::new(), is_open: false };
        let mut defines = Vec::new();
        match definition(stmt, unresolved) {
            Some(Definition { names, value }) if names == ["__esModule"] => {
                is_es_module = true;
                mentions.is_open = !is_true(value);
            }
            Some(Definition { names, value }) => {
                value.visit_with(&mut mentions);
                mentions.is_open |= is_method(value);
                if is_pure(value) {
                    defines = names;
                } else {
                    mentions.names.extend(names);
                }
            }
            None => stmt.visit_with(&mut mentions),
        }
        if mentions.is_open {
            return None;
        }
        let effect = effect(stmt);
        parts.push(Part { defines, mentions: mentions.names, declares: declared_names(stmt), names, effect });
    }
    Some(KnownExports { parts, is_es_module })
}

/// `true`, `!0`, and a property's descriptor with that value.
fn is_true(value: &Expr) -> bool {
    match value {
        Expr::Lit(Lit::Bool(value)) => value.value,
        Expr::Unary(unary) => {
            unary.op == UnaryOp::Bang && matches!(&*unary.arg, Expr::Lit(Lit::Num(number)) if number.value == 0.0)
        }
        Expr::Object(object) => object.props.iter().any(|prop| match prop {
            PropOrSpread::Prop(prop) => match &**prop {
                Prop::KeyValue(pair) => {
                    matches!(&pair.key, PropName::Ident(key) if key.sym == "value") && is_true(&pair.value)
                }
                _ => false,
            },
            PropOrSpread::Spread(_) => false,
        }),
        _ => false,
    }
}

/// Whether a function, called as a property of the exports, has these as its `this`.
fn is_method(value: &Expr) -> bool {
    let Expr::Fn(function) = value else { return false };
    let mut search = MentionsThis(false);
    function.function.visit_children_with(&mut search);
    search.0
}

struct MentionsThis(bool);

impl Visit for MentionsThis {
    noop_visit_type!();

    fn visit_this_expr(&mut self, _: &ThisExpr) {
        self.0 = true;
    }

    // These have a `this` of their own.
    fn visit_function(&mut self, _: &Function) {}
    fn visit_class(&mut self, _: &Class) {}
}

/// A statement that defines exports.
struct Definition<'a> {
    names: Vec<Atom>,
    value: &'a Expr,
}

fn definition(stmt: &Stmt, unresolved: SyntaxContext) -> Option<Definition<'_>> {
    let Stmt::Expr(stmt) = stmt else { return None };
    match &*stmt.expr {
        Expr::Assign(assign) => assigned(assign, unresolved),
        Expr::Call(call) => defined_property(call, unresolved),
        _ => None,
    }
}

/// `exports.a = exports.b = value`
fn assigned(assign: &AssignExpr, unresolved: SyntaxContext) -> Option<Definition<'_>> {
    let mut names = Vec::new();
    let mut assign = assign;
    loop {
        names.push(export_target(assign, unresolved)?);
        match &*assign.right {
            Expr::Assign(inner) if export_target(inner, unresolved).is_some() => assign = inner,
            value => return Some(Definition { names, value }),
        }
    }
}

fn export_target(assign: &AssignExpr, unresolved: SyntaxContext) -> Option<Atom> {
    match &assign.left {
        AssignTarget::Simple(SimpleAssignTarget::Member(member)) if assign.op == AssignOp::Assign => {
            export_member(member, unresolved)
        }
        _ => None,
    }
}

/// The name in `exports.name`.
fn export_member(member: &MemberExpr, unresolved: SyntaxContext) -> Option<Atom> {
    let Expr::Ident(object) = &*member.obj else { return None };
    (object.sym == "exports" && object.ctxt == unresolved).then(|| property_name(member))?
}

/// `Object.defineProperty(exports, "name", descriptor)`
fn defined_property(call: &CallExpr, unresolved: SyntaxContext) -> Option<Definition<'_>> {
    let Callee::Expr(callee) = &call.callee else { return None };
    let Expr::Member(callee) = &**callee else { return None };
    let is_object = callee.obj.as_ident().is_some_and(|object| object.sym == "Object" && object.ctxt == unresolved);
    let [target, name, descriptor] = call.args.as_slice() else { return None };
    let is_exports = target.expr.as_ident().is_some_and(|target| target.sym == "exports" && target.ctxt == unresolved);
    match &*name.expr {
        Expr::Lit(Lit::Str(name)) if is_object && is_exports && callee.prop.is_ident_with("defineProperty") => {
            descriptor.expr.is_object().then(|| Definition { names: vec![text(name)], value: &descriptor.expr })
        }
        _ => None,
    }
}

/// Finds what code does with `exports` besides defining its properties.
struct ExportMentions {
    unresolved: SyntaxContext,
    names: Vec<Atom>,
    is_open: bool,
}

impl Visit for ExportMentions {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.is_open |= ident.ctxt == self.unresolved && matches!(&*ident.sym, "exports" | "module" | "eval");
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        match export_member(member, self.unresolved) {
            Some(name) => self.names.push(name),
            None => member.visit_children_with(self),
        }
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        // The function gets all exports as its `this`.
        if let Callee::Expr(callee) = &call.callee
            && let Expr::Member(member) = &**callee
            && export_member(member, self.unresolved).is_some()
        {
            self.is_open = true;
        }
        call.visit_children_with(self);
    }
}

/// Whether a module says `module.exports = null`, or the same of `undefined`.
pub(crate) fn may_export_nothing(code: &[Stmt], unresolved: SyntaxContext) -> bool {
    let mut search = ExportsNothing { unresolved, found: false };
    code.visit_with(&mut search);
    search.found
}

struct ExportsNothing {
    unresolved: SyntaxContext,
    found: bool,
}

impl Visit for ExportsNothing {
    noop_visit_type!();

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        let is_nothing = match &*assign.right {
            Expr::Lit(Lit::Null(_)) => true,
            Expr::Ident(name) => name.sym == "undefined" && name.ctxt == self.unresolved,
            Expr::Unary(unary) => unary.op == UnaryOp::Void,
            _ => false,
        };
        self.found |= is_nothing && is_module_exports(&assign.left, self.unresolved);
        assign.visit_children_with(self);
    }
}

fn is_module_exports(target: &AssignTarget, unresolved: SyntaxContext) -> bool {
    let AssignTarget::Simple(SimpleAssignTarget::Member(member)) = target else { return false };
    let Expr::Ident(object) = &*member.obj else { return false };
    object.sym == "module" && object.ctxt == unresolved && member.prop.is_ident_with("exports")
}

/// The specifier in a module that does nothing but `module.exports = require("specifier")`.
pub(crate) fn forwarded(code: &[Stmt], unresolved: SyntaxContext) -> Option<Atom> {
    let mut statements = code.iter().filter(|stmt| !is_directive(stmt));
    let stmt = statements.next().filter(|_| statements.next().is_none())?;
    match stmt {
        Stmt::Block(block) => forwarded(&block.stmts, unresolved),
        Stmt::Expr(stmt) => {
            let Expr::Assign(assign) = &*stmt.expr else { return None };
            let is_exports = is_module_exports(&assign.left, unresolved);
            let Expr::Call(call) = &*assign.right else { return None };
            match requested_specifier(call, unresolved) {
                Some((specifier, Requested::Require)) if is_exports && assign.op == AssignOp::Assign => Some(specifier),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_directive(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Empty(_)) || matches!(stmt, Stmt::Expr(stmt) if matches!(&*stmt.expr, Expr::Lit(Lit::Str(_))))
}

/// The variables that hold what a `require` at the top level gave, and never anything else, with the specifier and the
/// properties that the code reads of them. Variables whose value goes anywhere else are left out.
pub(crate) fn required_members(
    code: &[Stmt],
    reassigned: &FxHashSet<Atom>,
    (top_level, unresolved): (SyntaxContext, SyntaxContext),
) -> FxHashMap<Atom, Vec<Atom>> {
    let mut search = RequiredMembers {
        top_level,
        unresolved,
        variables: FxHashMap::default(),
        escaped: FxHashSet::default(),
        calls: FxHashMap::default(),
    };
    for decl in code.iter().filter_map(|stmt| stmt.as_decl().and_then(Decl::as_var)).flat_map(|var| &var.decls) {
        if let Some((name, specifier)) =
            required_variable(decl, unresolved).filter(|(name, _)| !reassigned.contains(name))
        {
            search.variables.insert(name, (specifier, Vec::new()));
        }
    }
    code.visit_with(&mut search);
    let RequiredMembers { variables, escaped, mut calls, .. } = search;
    let mut variables: Vec<_> = variables.into_iter().filter(|(name, _)| !escaped.contains(name)).collect();
    variables.sort_unstable();
    let mut members: FxHashMap<Atom, Vec<Atom>> = FxHashMap::default();
    for (_, (specifier, properties)) in variables {
        if let Some(calls) = calls.get_mut(&specifier) {
            *calls -= 1;
        }
        members.entry(specifier).or_default().extend(properties);
    }
    // Another call of the same `require` may do anything with what it gets.
    members.retain(|specifier, _| calls.get(specifier) == Some(&0));
    members
}

/// The names of top-level variables that are given what a `require` gives.
pub(crate) fn required_variables(code: &[Stmt], unresolved: SyntaxContext) -> FxHashSet<Atom> {
    let vars = code.iter().filter_map(|stmt| stmt.as_decl().and_then(Decl::as_var));
    let decls = vars.flat_map(|var| &var.decls);
    decls.filter_map(|decl| Some(required_variable(decl, unresolved)?.0)).collect()
}

/// `name = require("specifier")`
fn required_variable(decl: &VarDeclarator, unresolved: SyntaxContext) -> Option<(Atom, Atom)> {
    let (Pat::Ident(name), Some(Expr::Call(call))) = (&decl.name, decl.init.as_deref()) else { return None };
    match requested_specifier(call, unresolved)? {
        (specifier, Requested::Require) => Some((name.sym.clone(), specifier)),
        _ => None,
    }
}

struct RequiredMembers {
    top_level: SyntaxContext,
    unresolved: SyntaxContext,
    variables: FxHashMap<Atom, (Atom, Vec<Atom>)>,
    escaped: FxHashSet<Atom>,
    /// How often each specifier is asked for.
    calls: FxHashMap<Atom, usize>,
}

impl Visit for RequiredMembers {
    noop_visit_type!();

    fn visit_call_expr(&mut self, call: &CallExpr) {
        if let Some((specifier, Requested::Require)) = requested_specifier(call, self.unresolved) {
            *self.calls.entry(specifier).or_default() += 1;
        }
        call.visit_children_with(self);
    }

    fn visit_ident(&mut self, ident: &Ident) {
        if ident.ctxt == self.top_level && self.variables.contains_key(&ident.sym) {
            self.escaped.insert(ident.sym.clone());
        }
    }

    fn visit_var_declarator(&mut self, decl: &VarDeclarator) {
        // The declaration itself is no use.
        let is_ours = |name: &Ident| name.ctxt == self.top_level && self.variables.contains_key(&name.sym);
        if !decl.name.as_ident().is_some_and(|name| is_ours(name)) {
            decl.name.visit_with(self);
        }
        decl.init.visit_with(self);
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        if let Expr::Ident(object) = &*member.obj
            && object.ctxt == self.top_level
            && let Some((_, properties)) = self.variables.get_mut(&object.sym)
            && let Some(property) = property_name(member)
        {
            properties.push(property);
            return;
        }
        member.visit_children_with(self);
    }
}
