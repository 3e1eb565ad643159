//! Guards around side effects that the minifier would take away or overlook: expressions of which nothing uses the value,
//! and which may all the same run code, as `` `${object}` `` runs `toString`. They are arguments of a call while it works.

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{
        DUMMY_SP, Mark, Spanned, SyntaxContext,
        comments::{Comments, SingleThreadedComments},
        util::take::Take,
    },
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, AssignPat, AssignTarget, BinExpr, BinaryOp, CallExpr, Callee, ClassDecl, ClassExpr,
            ClassMember, ComputedPropName, Decl, Expr, ExprStmt, FnDecl, ForStmt, Id, Ident, IfStmt, Lit, MemberProp,
            ObjectLit, Param, Pat, Program, Prop, PropName, PropOrSpread, SeqExpr, SimpleAssignTarget, Stmt,
            SwitchStmt, UnaryExpr, UnaryOp, VarDeclOrExpr, VarDeclarator,
        },
        utils::find_pat_ids,
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::unused::unused_names;
use crate::{
    analyze::{declared::is_prototype, purity::is_read_purely},
    ast,
};

/// Name of the function that is called. No source can spell it.
const KEEPER: &str = "\0keep";

/// Puts the expressions that have to stay into calls. The answer is whether there are any.
pub(crate) fn keep_effects(
    program: &mut Program,
    comments: &SingleThreadedComments,
    unresolved: Mark,
    assigned_constants: FxHashSet<Id>,
) -> bool {
    let unresolved = SyntaxContext::empty().apply_mark(unresolved);
    let (unused, made) = (FxHashSet::default(), FxHashSet::default());
    let mut keeper = Keeper { comments, unresolved, assigned_constants, unused, made, keeps: false };
    keeper.unused = unused_names(program, &|value| !computes(value) && keeper.runs_unseen_code(value));
    program.visit_mut_with(&mut keeper);
    keeper.keeps
}

/// Takes them out again.
pub(crate) fn release_effects(program: &mut Program) {
    program.visit_mut_with(&mut Release);
}

struct Keeper<'a> {
    comments: &'a SingleThreadedComments,
    unresolved: SyntaxContext,
    /// The minifier drops assignments to them if nothing reads them, though they throw.
    assigned_constants: FxHashSet<Id>,
    /// Variables and classes that nothing mentions.
    unused: FxHashSet<Id>,
    /// Names of objects that the program itself made. The minifier drops what completes them if nothing reads it.
    made: FxHashSet<Id>,
    keeps: bool,
}

impl Keeper<'_> {
    /// Looks at an expression whose value nothing uses.
    fn unused(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Seq(seq) => seq.exprs.iter_mut().last().into_iter().for_each(|last| self.unused(last)),
            Expr::Cond(cond) => {
                self.unused(&mut cond.cons);
                self.unused(&mut cond.alt);
            }
            Expr::Bin(bin) if bin.op.may_short_circuit() => self.unused(&mut bin.right),
            Expr::Bin(bin) if !converts(bin.op) => {
                self.unused(&mut bin.left);
                self.unused(&mut bin.right);
            }
            Expr::Unary(UnaryExpr { op: UnaryOp::Bang, arg, .. }) => self.unused(arg),
            expr if self.runs_unseen_code(expr) => self.keep(expr),
            _ => {}
        }
    }

    /// True if a class that nothing uses does or refuses something where it is declared.
    fn is_class_kept(&self, ClassDecl { ident, class, .. }: &ClassDecl) -> bool {
        let is_refused = |parent: &Expr| parent.is_lit() && !matches!(parent, Expr::Lit(Lit::Null(_)));
        self.unused.contains(&ident.to_id())
            && (class.super_class.as_deref().is_some_and(is_refused)
                || class.body.iter().filter_map(computed_member_key).any(|key| !self.is_plain_key(key)))
    }

    /// A text, or `Symbol.iterator`.
    fn is_plain_key(&self, key: &Expr) -> bool {
        let object = key.as_member().and_then(|member| member.obj.as_ident());
        key.is_lit() || object.is_some_and(|object| object.sym == "Symbol" && object.ctxt == self.unresolved)
    }

    /// A default keeps a parameter from counting for the `length` of its function, even if it is `undefined`.
    fn keep_default(&mut self, parameter: &mut Pat) {
        if let Pat::Assign(AssignPat { right, .. }) = parameter
            && is_undefined(right)
        {
            self.keep(right);
        }
    }

    fn keep(&mut self, expr: &mut Expr) {
        self.keep_with(expr, Vec::new());
    }

    /// Keeps an expression that is to count for using others.
    fn keep_with(&mut self, expr: &mut Expr, used: Vec<Expr>) {
        self.keeps = true;
        let keeper = Expr::Ident(Ident::new(KEEPER.into(), DUMMY_SP, self.unresolved));
        let arguments = std::iter::once(expr.take()).chain(used).collect();
        *expr = ast::call(keeper, arguments);
    }

    /// True if an expression may do what the minifier does not expect of its kind.
    fn runs_unseen_code(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Bin(bin) => !bin.left.is_lit() || !bin.right.is_lit(),
            Expr::Unary(UnaryExpr { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Tilde, arg, .. }) => !arg.is_lit(),
            Expr::Tpl(template) => template.exprs.iter().any(|expr| !expr.is_lit()),
            // It takes all of `Math` for pure.
            Expr::Call(CallExpr { callee: Callee::Expr(callee), args, span, .. }) => {
                let object = callee.as_member().and_then(|member| member.obj.as_ident());
                object.is_some_and(|object| object.sym == "Math" && object.ctxt == self.unresolved)
                    && args.iter().any(|argument| !argument.expr.is_lit())
                    && !self.comments.has_flag(span.lo, "PURE")
            }
            Expr::Object(object) => object.props.iter().any(|prop| match prop {
                // Spreading runs getters.
                PropOrSpread::Spread(spread) => !is_read_purely(&spread.expr) || self.runs_unseen_code(&spread.expr),
                PropOrSpread::Prop(prop) => computed_key(prop).is_some_and(|key| !key.is_lit()),
            }),
            Expr::Assign(AssignExpr { left: AssignTarget::Simple(SimpleAssignTarget::Member(member)), .. }) => {
                matches!(&member.prop, MemberProp::Computed(key) if runs_code(&key.expr)) && self.is_made(&member.obj)
            }
            _ => false,
        }
    }

    /// True if a class may have a `Symbol.hasInstance` of its own: those of the language have none.
    fn may_decide_itself(&self, class: &Expr) -> bool {
        class.as_ident().is_none_or(|class| class.ctxt != self.unresolved)
    }

    /// The target of an assignment that cannot be assigned to.
    fn assigned_constant(&self, expr: &Expr) -> Option<Ident> {
        if self.assigned_constants.is_empty() {
            return None;
        }
        let targets: Vec<Ident> = match expr {
            Expr::Assign(assign) => find_pat_ids(&assign.left),
            Expr::Update(update) => update.arg.as_ident().cloned().into_iter().collect(),
            _ => Vec::new(),
        };
        targets.into_iter().find(|target| self.assigned_constants.contains(&target.to_id()))
    }

    /// True if an object is one that the program made, or a part of one.
    fn is_made(&self, object: &Expr) -> bool {
        match object {
            Expr::Ident(ident) => self.made.contains(&ident.to_id()),
            Expr::Member(member) => self.is_made(&member.obj),
            object => makes_object(object),
        }
    }
}

/// True if a value is arithmetic, of which hardly any has to do with objects: unused constants are what it is mostly of.
fn computes(value: &Expr) -> bool {
    value.is_bin() || value.is_unary()
}

/// True if an operator asks objects for a number or a text, or refuses operands.
fn converts(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::EqEqEq | BinaryOp::NotEqEq)
}

fn is_undefined(value: &Expr) -> bool {
    match value {
        Expr::Ident(name) => name.sym == "undefined",
        value => matches!(value, Expr::Unary(UnaryExpr { op: UnaryOp::Void, .. })),
    }
}

/// `{ ...{ get name() { } } }`
fn spreads_getters(object: &ObjectLit) -> bool {
    object.props.iter().any(|prop| match prop {
        PropOrSpread::Spread(spread) => spread.expr.is_object() && !is_read_purely(&spread.expr),
        PropOrSpread::Prop(prop) => {
            prop.as_key_value().and_then(|pair| pair.value.as_object()).is_some_and(spreads_getters)
        }
    })
}

/// `{ __proto__: value }`
fn has_prototype(object: &ObjectLit) -> bool {
    object.props.iter().any(|prop| match prop {
        PropOrSpread::Prop(prop) => prop.as_key_value().is_some_and(|pair| is_prototype(&pair.key)),
        PropOrSpread::Spread(_) => false,
    })
}

fn computed_key(prop: &Prop) -> Option<&Expr> {
    let key = match prop {
        Prop::KeyValue(pair) => &pair.key,
        Prop::Method(method) => &method.key,
        Prop::Getter(getter) => &getter.key,
        Prop::Setter(setter) => &setter.key,
        Prop::Shorthand(_) | Prop::Assign(_) => return None,
    };
    key.as_computed().map(|key| &*key.expr)
}

fn computed_member_key(member: &ClassMember) -> Option<&Expr> {
    let key = match member {
        ClassMember::Method(method) => &method.key,
        ClassMember::ClassProp(prop) => &prop.key,
        _ => return None,
    };
    match key {
        PropName::Computed(ComputedPropName { expr, .. }) => Some(expr),
        _ => None,
    }
}

fn is_empty(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Empty(_) => true,
        Stmt::Block(block) => block.stmts.iter().all(is_empty),
        _ => false,
    }
}

/// True if a value is of the kinds that the minifier drops together with what is assigned to their properties.
fn makes_object(value: &Expr) -> bool {
    matches!(value, Expr::Object(_) | Expr::Fn(_) | Expr::Arrow(_))
}

/// True if an expression calls something or changes something.
fn runs_code(expr: &Expr) -> bool {
    let mut search = Work(false);
    expr.visit_with(&mut search);
    search.0
}

struct Work(bool);

impl Visit for Work {
    noop_visit_type!();

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(_)
            | Expr::New(_)
            | Expr::OptChain(_)
            | Expr::TaggedTpl(_)
            | Expr::Assign(_)
            | Expr::Update(_)
            | Expr::Await(_)
            | Expr::Yield(_) => self.0 = true,
            // The body of a function waits for its call.
            Expr::Fn(_) | Expr::Arrow(_) => {}
            expr => expr.visit_children_with(self),
        }
    }
}

impl VisitMut for Keeper<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr_stmt(&mut self, stmt: &mut ExprStmt) {
        stmt.visit_mut_children_with(self);
        self.unused(&mut stmt.expr);
    }

    fn visit_mut_var_declarator(&mut self, declarator: &mut VarDeclarator) {
        if let (Pat::Ident(name), Some(init)) = (&declarator.name, &declarator.init)
            && makes_object(init)
        {
            self.made.insert(name.to_id());
        }
        declarator.visit_mut_children_with(self);
        // The value of a variable that nothing reads is dropped with it.
        let is_unused = declarator.name.as_ident().is_some_and(|name| self.unused.contains(&name.to_id()));
        if let Some(init) = &mut declarator.init
            && (is_unused || init.as_object().is_some_and(spreads_getters))
        {
            self.keep(init);
        }
    }

    fn visit_mut_stmt(&mut self, stmt: &mut Stmt) {
        stmt.visit_mut_children_with(self);
        if let Stmt::Decl(Decl::Class(decl)) = stmt
            && self.is_class_kept(decl)
        {
            let ClassDecl { ident, class, .. } = decl.take();
            let mut class = Expr::Class(ClassExpr { ident: Some(ident), class });
            self.keep(&mut class);
            *stmt = ast::expression_statement(class);
        }
    }

    fn visit_mut_if_stmt(&mut self, stmt: &mut IfStmt) {
        stmt.visit_mut_children_with(self);
        if is_empty(&stmt.cons) && stmt.alt.as_deref().is_none_or(is_empty) {
            self.unused(&mut stmt.test);
        }
    }

    fn visit_mut_switch_stmt(&mut self, stmt: &mut SwitchStmt) {
        stmt.visit_mut_children_with(self);
        let mut stmts: Vec<&mut Stmt> = stmt.cases.iter_mut().flat_map(|case| &mut case.cons).collect();
        if stmts.iter().any(|stmt| matches!(stmt, Stmt::Decl(Decl::Fn(_)))) {
            // It drops the cases that do not run, with functions that exist all the same, and copies values to what
            // follows a declaration, not to the functions before it.
            self.keep(&mut stmt.discriminant);
            let variables = stmts.iter_mut().filter_map(|stmt| stmt.as_mut_decl()?.as_mut_var());
            variables.flat_map(|var| &mut var.decls).filter_map(|it| it.init.as_mut()).for_each(|init| self.keep(init));
        }
    }

    fn visit_mut_fn_decl(&mut self, decl: &mut FnDecl) {
        self.made.insert(decl.ident.to_id());
        decl.visit_mut_children_with(self);
    }

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        // It does not know that a tag is called, and may change variables.
        if expr.is_tagged_tpl() && !self.comments.has_flag(expr.span().lo, "PURE") {
            self.keep(expr);
        } else if let Some(constant) = self.assigned_constant(expr) {
            self.keep_with(expr, vec![Expr::Ident(constant)]);
        } else if let Expr::Member(member) = expr
            && member.obj.as_object().is_some_and(has_prototype)
        {
            // It takes the prototype for a property.
            self.keep(&mut member.obj);
        } else if let Expr::Bin(BinExpr { op: BinaryOp::InstanceOf, left, right, .. }) = expr
            && self.may_decide_itself(right)
        {
            // It takes what is no object for an instance of nothing.
            self.keep(left);
        }
    }

    fn visit_mut_param(&mut self, param: &mut Param) {
        param.visit_mut_children_with(self);
        self.keep_default(&mut param.pat);
    }

    fn visit_mut_arrow_expr(&mut self, arrow: &mut ArrowExpr) {
        arrow.visit_mut_children_with(self);
        for parameter in &mut arrow.params {
            self.keep_default(parameter);
        }
    }

    fn visit_mut_seq_expr(&mut self, seq: &mut SeqExpr) {
        seq.visit_mut_children_with(self);
        if let Some((_, unused)) = seq.exprs.split_last_mut() {
            for expr in unused {
                self.unused(expr);
            }
        }
    }

    fn visit_mut_unary_expr(&mut self, unary: &mut UnaryExpr) {
        unary.visit_mut_children_with(self);
        if unary.op == UnaryOp::Void {
            self.unused(&mut unary.arg);
        } else if unary.op == UnaryOp::Delete
            && let Expr::Member(member) = &mut *unary.arg
            && (member.obj.is_array() || member.obj.is_lit())
        {
            // It puts the value in place of `[].length`, which cannot be deleted.
            self.keep(&mut member.obj);
        }
    }

    fn visit_mut_for_stmt(&mut self, stmt: &mut ForStmt) {
        stmt.visit_mut_children_with(self);
        if let Some(VarDeclOrExpr::Expr(init)) = &mut stmt.init {
            self.unused(init);
        }
        if let Some(update) = &mut stmt.update {
            self.unused(update);
        }
    }
}

struct Release;

impl VisitMut for Release {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        if let Some(kept) = kept(expr) {
            *expr = kept;
        } else if is_keeper(expr) {
            // The minifier made something else of the call: what that does stays the same.
            let value = Atom::from("value");
            *expr = ast::arrow(std::slice::from_ref(&value), ast::variable(&value), false);
        }
        expr.visit_mut_children_with(self);
    }
}

/// The expression that a call keeps.
fn kept(expr: &mut Expr) -> Option<Expr> {
    let Expr::Call(CallExpr { callee: Callee::Expr(callee), args, .. }) = expr else { return None };
    if is_keeper(callee) { args.drain(..).next().map(|argument| *argument.expr) } else { None }
}

fn is_keeper(expr: &Expr) -> bool {
    matches!(expr, Expr::Ident(ident) if ident.sym == KEEPER)
}
