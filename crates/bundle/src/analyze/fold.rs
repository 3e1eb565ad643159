//! Replaces build-time constants such as `process.env.NODE_ENV` and drops the branches they rule out.
//!
//! It runs before imports are listed: React chooses its development or production file with such a branch, and
//! the file not chosen must never enter the graph. It does no more than that; the minifier does the rest.

use std::{cell::RefCell, mem};

use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, Span, Spanned, SyntaxContext, util::take::Take},
    ecma::{
        ast::{
            AssignPat, AssignPatProp, BinExpr, BinaryOp, BlockStmt, Bool, CallExpr, Callee, CondExpr, Decl, EmptyStmt,
            Expr, Ident, IfStmt, KeyValuePatProp, KeyValueProp, Lit, MemberExpr, MemberProp, MetaPropKind, Null,
            Number, ObjectPatProp, OptChainBase, Pat, Program, Prop, PropName, SimpleAssignTarget, Stmt, Str,
            UnaryExpr, UnaryOp, UpdateExpr, VarDeclKind,
        },
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use super::declared::{declared_idents, hoisted_vars};
use crate::{
    ast,
    defines::{Define, Defines, Lookups},
    detached_calls::{is_reference, visit_children_detached},
    doubt::{About, Doubt},
};

/// What folding finds out.
pub(crate) struct Folded {
    /// The names that were looked up.
    pub lookups: Lookups,
    /// Variables of the environment that are not defined, and not asked for with something else in their place at hand.
    pub doubts: Vec<Doubt>,
}

/// Folds the constants of a program. `unresolved` is the context of names that the module does not declare.
pub(crate) fn fold(program: &mut Program, defines: &Defines, unresolved: SyntaxContext) -> Folded {
    let lookups = RefCell::new(Lookups::new(defines));
    let mut fold = Fold { defines, unresolved, lookups, is_asking: false, doubts: Vec::new() };
    program.visit_mut_with(&mut fold);
    Folded { lookups: fold.lookups.into_inner(), doubts: fold.doubts }
}

struct Fold<'a> {
    defines: &'a Defines,
    unresolved: SyntaxContext,
    lookups: RefCell<Lookups>,
    /// Whether the code at hand finds out what there is: `name ?? "default"`, `typeof name`.
    is_asking: bool,
    doubts: Vec<Doubt>,
}

impl VisitMut for Fold<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        self.doubt(expr);
        if let Some(define) = self.defined(expr) {
            *expr = literal(&define, expr.span(), self.unresolved);
            return;
        }
        match expr {
            Expr::Cond(cond) => {
                if let Some(kept) = self.fold_conditional(cond) {
                    *expr = kept;
                }
            }
            Expr::Bin(bin) => {
                if let Some(kept) = self.fold_binary(bin) {
                    *expr = kept;
                }
            }
            Expr::Unary(UnaryExpr { op: UnaryOp::Bang, arg, span }) => {
                self.ask(arg);
                if let Some(value) = truthiness(arg) {
                    *expr = boolean(!value, *span);
                }
            }
            Expr::Unary(UnaryExpr { op: UnaryOp::TypeOf, arg, span }) => {
                self.ask(arg);
                if let Some(name) = type_name(arg) {
                    *expr = Expr::Lit(Lit::Str(Str { span: *span, value: name.into(), raw: None }));
                }
            }
            // What is deleted is no property, so there is nothing to do. Folding might make one of it.
            Expr::Unary(UnaryExpr { op: UnaryOp::Delete, arg, .. }) if !is_reference(arg) => {
                arg.visit_mut_with(self);
                *expr = ast::sequence(vec![*arg.take(), ast::boolean(true)]);
            }
            _ => {
                // `(condition && object.method)()` has no `this`, whatever is known of the condition.
                visit_children_detached(expr, self);
                if let Expr::Call(call) = expr
                    && let Some(folded) = plain_text(call).or_else(|| known_request(call, self.unresolved))
                {
                    *expr = folded;
                }
            }
        }
    }

    /// What is assigned to can be another name, but no value.
    fn visit_mut_simple_assign_target(&mut self, target: &mut SimpleAssignTarget) {
        let renamed = match target {
            SimpleAssignTarget::Ident(name) => self.renamed(&Expr::Ident(name.id.clone())),
            SimpleAssignTarget::Member(member) => self.renamed(&Expr::Member(member.clone())),
            _ => None,
        };
        match renamed {
            Some(Expr::Ident(name)) => *target = SimpleAssignTarget::Ident(name.into()),
            Some(Expr::Member(member)) => *target = SimpleAssignTarget::Member(member),
            _ => target.visit_mut_children_with(self),
        }
    }

    fn visit_mut_pat(&mut self, pattern: &mut Pat) {
        match pattern.as_ident().and_then(|name| self.renamed(&Expr::Ident(name.id.clone()))) {
            Some(renamed) => *pattern = Pat::Expr(Box::new(renamed)),
            None => pattern.visit_mut_children_with(self),
        }
    }

    /// `({ name } = …)`
    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        if let ObjectPatProp::Assign(AssignPatProp { key, value, span }) = prop
            && let Some(renamed) = self.renamed(&Expr::Ident(key.id.clone()))
        {
            value.visit_mut_with(self);
            let target = Pat::Expr(Box::new(renamed));
            let value = match value.take() {
                Some(right) => Pat::Assign(AssignPat { span: *span, left: Box::new(target), right }),
                None => target,
            };
            let key = PropName::Ident(key.id.clone().into());
            *prop = ObjectPatProp::KeyValue(KeyValuePatProp { key, value: Box::new(value) });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_update_expr(&mut self, update: &mut UpdateExpr) {
        match self.renamed(&update.arg) {
            Some(renamed) => *update.arg = renamed,
            None => update.arg.visit_mut_children_with(self),
        }
    }

    /// `{ name }` of a constant.
    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(name) = prop
            && let Some(define) = self.defined(&Expr::Ident(name.clone()))
        {
            let value = Box::new(literal(&define, name.span, self.unresolved));
            *prop = Prop::KeyValue(KeyValueProp { key: PropName::Ident(name.clone().into()), value });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_stmts(&mut self, stmts: &mut Vec<Stmt>) {
        drop_unreachable(stmts);
        stmts.visit_mut_children_with(self);
    }

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        let Stmt::If(branch) = stmt else {
            return stmt.visit_mut_children_with(self);
        };
        self.ask(&mut branch.test);
        if let Some(value) = truthiness(&branch.test) {
            *stmt = chosen_branch(branch, value);
            stmt.visit_mut_with(self);
        } else {
            branch.cons.visit_mut_with(self);
            branch.alt.visit_mut_with(self);
        }
    }
}

/// Whether an operator finds out what there is on its left, or on both sides.
fn is_question(op: BinaryOp) -> bool {
    let is_comparison = matches!(op, BinaryOp::EqEq | BinaryOp::EqEqEq | BinaryOp::NotEq | BinaryOp::NotEqEq);
    is_comparison || op.may_short_circuit()
}

impl Fold<'_> {
    /// Visits what is only asked for whether it is there, or which value it is.
    fn ask(&mut self, expr: &mut Expr) {
        self.visit_with(true, expr);
    }

    fn visit_with(&mut self, is_asking: bool, expr: &mut Expr) {
        let outer = self.is_asking;
        self.is_asking |= is_asking;
        expr.visit_mut_with(self);
        self.is_asking = outer;
    }

    /// Notes a variable of the environment that is not defined.
    fn doubt(&mut self, expr: &Expr) {
        let Expr::Member(_) = expr else { return };
        if self.is_asking {
            return;
        }
        let Some(name) = dotted_name(expr, self.unresolved, self.defines.parts) else { return };
        let is_known = !matches!(self.defines.get(&name), None | Some(Define::Undefined));
        if let Some(about) = About::of_variable(&name).filter(|_| !is_known) {
            self.doubts.push(Doubt { about, span: expr.span() });
        }
    }

    /// The other name that a constant is.
    fn renamed(&self, expr: &Expr) -> Option<Expr> {
        let define = self.defined(expr).filter(|define| matches!(define, Define::Name(_)))?;
        Some(literal(&define, expr.span(), self.unresolved))
    }

    fn defined(&self, expr: &Expr) -> Option<Define> {
        if !matches!(expr, Expr::Member(_) | Expr::Ident(_) | Expr::OptChain(_) | Expr::MetaProp(_)) {
            return None;
        }
        let name = dotted_name(expr, self.unresolved, self.defines.parts)?;
        self.lookups.borrow_mut().get(name, self.defines)
    }

    fn fold_conditional(&mut self, cond: &mut CondExpr) -> Option<Expr> {
        self.ask(&mut cond.test);
        let Some(value) = truthiness(&cond.test) else {
            cond.cons.visit_mut_with(self);
            cond.alt.visit_mut_with(self);
            return None;
        };
        let mut kept = *if value { cond.cons.take() } else { cond.alt.take() };
        kept.visit_mut_with(self);
        Some(kept)
    }

    fn fold_binary(&mut self, bin: &mut BinExpr) -> Option<Expr> {
        let is_asking = is_question(bin.op);
        self.visit_with(is_asking, &mut bin.left);
        let left = truthiness(&bin.left);
        match (bin.op, left) {
            (BinaryOp::LogicalAnd, Some(true)) | (BinaryOp::LogicalOr, Some(false)) => {
                let mut kept = *bin.right.take();
                kept.visit_mut_with(self);
                return Some(kept);
            }
            (BinaryOp::LogicalAnd, Some(false)) | (BinaryOp::LogicalOr, Some(true)) => return Some(*bin.left.take()),
            (BinaryOp::NullishCoalescing, _) if bin.left.is_lit() || is_void_zero(&bin.left) => {
                let is_nothing = is_void_zero(&bin.left) || matches!(&*bin.left, Expr::Lit(Lit::Null(_)));
                if !is_nothing {
                    return Some(*bin.left.take());
                }
                let mut kept = *bin.right.take();
                kept.visit_mut_with(self);
                return Some(kept);
            }
            _ => self.visit_with(is_asking && !bin.op.may_short_circuit(), &mut bin.right),
        }
        let (left, right) = (constant(&bin.left)?, constant(&bin.right)?);
        let equal = left == right;
        // `==` between two kinds converts one of them.
        if mem::discriminant(&left) != mem::discriminant(&right) {
            return None;
        }
        match bin.op {
            BinaryOp::EqEq | BinaryOp::EqEqEq => Some(boolean(equal, bin.span)),
            BinaryOp::NotEq | BinaryOp::NotEqEq => Some(boolean(!equal, bin.span)),
            _ => None,
        }
    }
}

/// `" text ".trim().toString()`: packages hide names of React from bundlers like this, so that these do not complain where
/// an older React does not have them.
fn plain_text(call: &CallExpr) -> Option<Expr> {
    let (Callee::Expr(callee), true) = (&call.callee, call.args.is_empty()) else { return None };
    let Expr::Member(MemberExpr { obj, prop: MemberProp::Ident(method), .. }) = &**callee else { return None };
    let Expr::Lit(Lit::Str(Str { span, value, .. })) = &**obj else { return None };
    let value = value.as_str()?;
    let value = match &*method.sym {
        "toString" => value,
        // What Rust takes for white space and JavaScript does not, or the reverse, stays the engine's to judge.
        "trim" if value.is_ascii() => value.trim(),
        _ => return None,
    };
    Some(Expr::Lit(Lit::Str(Str { span: *span, value: value.into(), raw: None })))
}

/// `import("./a" + ".js")` as `import("./a.js")`, and `require(test ? "./a" : "./b")` as `test ? require("./a") :
/// require("./b")`: what can be loaded must be known before the code runs.
fn known_request(call: &CallExpr, unresolved: SyntaxContext) -> Option<Expr> {
    let is_request = match &call.callee {
        Callee::Import(_) => true,
        Callee::Expr(callee) => callee.as_ident().is_some_and(|name| name.sym == "require" && name.ctxt == unresolved),
        Callee::Super(_) => false,
    };
    let specifier = call.args.first().filter(|argument| is_request && argument.spread.is_none())?;
    match &*specifier.expr {
        Expr::Lit(Lit::Str(_)) => None,
        specifier => requests_of(call, specifier),
    }
}

/// The requests that a call with this specifier is, if one is known.
fn requests_of(call: &CallExpr, specifier: &Expr) -> Option<Expr> {
    let with = |specifier: Expr| {
        let mut call = call.clone();
        *call.args[0].expr = specifier;
        Expr::Call(call)
    };
    match specifier {
        Expr::Cond(CondExpr { span, test, cons, alt }) => {
            let (known_cons, known_alt) = (requests_of(call, cons), requests_of(call, alt));
            if known_cons.is_none() && known_alt.is_none() {
                return None;
            }
            let cons = Box::new(known_cons.unwrap_or_else(|| with(*cons.clone())));
            let alt = Box::new(known_alt.unwrap_or_else(|| with(*alt.clone())));
            Some(Expr::Cond(CondExpr { span: *span, test: test.clone(), cons, alt }))
        }
        specifier => {
            let value = joined_text(specifier)?;
            Some(with(Expr::Lit(Lit::Str(Str { span: specifier.span(), value: value.into(), raw: None }))))
        }
    }
}

/// The text that literals, templates and their concatenations make.
fn joined_text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(Lit::Str(text)) => Some(text.value.as_str()?.to_owned()),
        Expr::Bin(BinExpr { op: BinaryOp::Add, left, right, .. }) => Some(joined_text(left)? + &joined_text(right)?),
        Expr::Tpl(template) => {
            let mut text = String::new();
            let mut filled = template.exprs.iter();
            for quasi in &template.quasis {
                text.push_str(quasi.cooked.as_ref()?.as_str()?);
                if let Some(expr) = filled.next() {
                    text.push_str(&joined_text(expr)?);
                }
            }
            Some(text)
        }
        _ => None,
    }
}

/// `a.b["c"]` as `a.b.c`, when `a` is a global and the name has no more parts than that.
fn dotted_name(expr: &Expr, unresolved: SyntaxContext, parts: usize) -> Option<String> {
    let parts = parts.checked_sub(1)?;
    match expr {
        Expr::Ident(ident) => (ident.ctxt == unresolved).then(|| ident.sym.to_string()),
        Expr::MetaProp(meta) => (meta.kind == MetaPropKind::ImportMeta).then(|| "import.meta".to_owned()),
        Expr::OptChain(chain) => match &*chain.base {
            OptChainBase::Member(member) => dotted_member(member, unresolved, parts),
            OptChainBase::Call(_) => None,
        },
        Expr::Member(member) => dotted_member(member, unresolved, parts),
        _ => None,
    }
}

fn dotted_member(member: &MemberExpr, unresolved: SyntaxContext, parts: usize) -> Option<String> {
    let MemberExpr { obj, prop, .. } = member;
    let mut name = dotted_name(obj, unresolved, parts)?;
    name.push('.');
    match prop {
        MemberProp::Ident(ident) => name.push_str(&ident.sym),
        MemberProp::Computed(computed) => match &*computed.expr {
            Expr::Lit(Lit::Str(text)) => name.push_str(text.value.as_str()?),
            _ => return None,
        },
        MemberProp::PrivateName(_) => return None,
    }
    Some(name)
}

fn boolean(value: bool, span: Span) -> Expr {
    Expr::Lit(Lit::Bool(Bool { span, value }))
}

fn literal(define: &Define, span: Span, unresolved: SyntaxContext) -> Expr {
    match define {
        Define::Value(value) => json(value, span),
        Define::Undefined => *Expr::undefined(span),
        Define::Name(name) => {
            let mut parts = name.split('.');
            let first = Expr::Ident(Ident::new(parts.next().unwrap_or_default().into(), span, unresolved));
            parts.fold(first, |object, part| ast::member(object, &part.into(), span))
        }
    }
}

fn json(value: &serde_json::Value, span: Span) -> Expr {
    match value {
        serde_json::Value::Null => Expr::Lit(Lit::Null(Null { span })),
        serde_json::Value::Bool(value) => boolean(*value, span),
        serde_json::Value::Number(number) => {
            Expr::Lit(Lit::Num(Number { span, value: number.as_f64().unwrap_or(f64::NAN), raw: None }))
        }
        serde_json::Value::String(text) => Expr::Lit(Lit::Str(Str { span, value: text.as_str().into(), raw: None })),
        serde_json::Value::Array(items) => ast::array(items.iter().map(|item| json(item, span)).collect()),
        serde_json::Value::Object(entries) => {
            ast::object(entries.iter().map(|(name, value)| (name.as_str().into(), json(value, span))))
        }
    }
}

/// A value that is known now, as far as comparing it and asking whether it is true go.
#[derive(PartialEq)]
enum Constant {
    Bool(bool),
    Text(Atom),
    Undefined,
}

fn constant(expr: &Expr) -> Option<Constant> {
    match expr {
        Expr::Lit(Lit::Bool(value)) => Some(Constant::Bool(value.value)),
        Expr::Lit(Lit::Str(value)) => Some(Constant::Text(value.value.as_str()?.into())),
        _ if is_void_zero(expr) => Some(Constant::Undefined),
        _ => None,
    }
}

/// What `typeof` says of a value that is known now.
fn type_name(expr: &Expr) -> Option<&'static str> {
    match expr {
        Expr::Lit(Lit::Num(_)) => Some("number"),
        _ => constant(expr).map(|constant| match constant {
            Constant::Bool(_) => "boolean",
            Constant::Text(_) => "string",
            Constant::Undefined => "undefined",
        }),
    }
}

fn truthiness(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Lit(Lit::Null(_)) => Some(false),
        Expr::Lit(Lit::Num(number)) => Some(number.value != 0.0 && !number.value.is_nan()),
        _ => constant(expr).map(|constant| match constant {
            Constant::Bool(value) => value,
            Constant::Text(text) => !text.is_empty(),
            Constant::Undefined => false,
        }),
    }
}

fn is_void_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Unary(UnaryExpr { op: UnaryOp::Void, arg, .. }) if arg.is_lit())
}

/// Drops what stands behind a statement that never goes on to the next one. The names that it declares are still there.
fn drop_unreachable(stmts: &mut Vec<Stmt>) {
    let leaves = |stmt: &Stmt| matches!(stmt, Stmt::Return(_) | Stmt::Throw(_) | Stmt::Break(_) | Stmt::Continue(_));
    let Some(last) = stmts.iter().position(leaves) else { return };
    let dropped = stmts.split_off(last + 1);
    for stmt in dropped {
        match stmt {
            Stmt::Decl(Decl::Fn(_)) => stmts.push(stmt),
            Stmt::Decl(decl) if !matches!(&decl, Decl::Var(var) if var.kind == VarDeclKind::Var) => {
                stmts.extend(ast::declare_idents(declared_idents(&decl), VarDeclKind::Let));
            }
            stmt => stmts.extend(ast::declare_idents(hoisted_vars(&stmt), VarDeclKind::Var)),
        }
    }
}

/// The branch that runs. `var`s of the other one still exist, as `undefined`.
fn chosen_branch(branch: &mut IfStmt, value: bool) -> Stmt {
    let empty = || Box::new(Stmt::Empty(EmptyStmt { span: DUMMY_SP }));
    let alt = branch.alt.take().unwrap_or_else(empty);
    let cons = branch.cons.take();
    let (kept, dropped) = if value { (cons, alt) } else { (alt, cons) };
    // Keeps what an `if` around a lone function declaration means: its scope is the branch.
    let kept = if kept.is_decl() { wrap(*kept) } else { *kept };
    match ast::declare_idents(hoisted_vars(&dropped), VarDeclKind::Var) {
        None => kept,
        Some(vars) => Stmt::Block(BlockStmt { stmts: vec![vars, kept], ..BlockStmt::default() }),
    }
}

fn wrap(stmt: Stmt) -> Stmt {
    Stmt::Block(BlockStmt { stmts: vec![stmt], ..BlockStmt::default() })
}
