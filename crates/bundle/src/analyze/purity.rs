//! Which top-level statements may be left out when nothing uses what they declare.
//!
//! A statement is pure when running it changes nothing that other code can see, and cannot throw in a program
//! that worked. Like every bundler, this trusts annotations, and that reading a property of an import runs nothing.

use crate::effect::Effect;
use std::cell::RefCell;

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{BytePos, Span, Spanned, SyntaxContext},
    ecma::ast::{
        ArrayLit, AssignExpr, AssignOp, AssignTarget, BinaryOp, CallExpr, Callee, Class, ClassMember, Decl, Expr,
        ExprOrSpread, Ident, Key, Lit, MemberExpr, MemberProp, NewExpr, ObjectLit, ParamOrTsParamProp, Pat, Prop,
        PropName, PropOrSpread, SimpleAssignTarget, Stmt, UnaryOp, VarDecl,
    },
};

use super::{declared::OwnObjects, uses::addressed_file};

/// Globals that exist everywhere, so that naming them cannot throw.
const KNOWN_GLOBALS: &[&str] = &[
    "undefined",
    "NaN",
    "Infinity",
    "globalThis",
    "Object",
    "Function",
    "Array",
    "String",
    "Boolean",
    "Number",
    "Symbol",
    "BigInt",
    "Math",
    "JSON",
    "Reflect",
    "Promise",
    "Proxy",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "WeakRef",
    "RegExp",
    "Date",
    "Error",
    "TypeError",
    "RangeError",
    "SyntaxError",
    "URL",
    "URLSearchParams",
    "console",
    "encodeURIComponent",
    "decodeURIComponent",
    "encodeURI",
    "decodeURI",
    "parseInt",
    "parseFloat",
    "isNaN",
    "isFinite",
];

/// Constructors that only make an object, if they can make use of what they get.
const KNOWN_CONSTRUCTORS: &[&str] =
    &["Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Object", "Array", "Error", "TypeError"];

/// Functions of the language that only compute a value, when they get primitives: no `toString` runs then.
const PURE_FUNCTIONS: &[&str] = &[
    "Symbol",
    "Symbol.for",
    "String",
    "Number",
    "Boolean",
    "String.fromCharCode",
    "Math.pow",
    "Math.floor",
    "Math.ceil",
    "Math.round",
    "Math.max",
    "Math.min",
    "Math.abs",
    "Math.log2",
];

/// Functions of the language that only compute a value from an object that was just made.
const PURE_ON_LITERALS: &[&str] =
    &["Object.freeze", "Object.seal", "Object.keys", "Object.values", "Object.entries", "Array.of"];

/// React's functions that only make a value, when they come from `react`.
pub(crate) const PURE_REACT: &[&str] =
    &["createContext", "forwardRef", "memo", "lazy", "createRef", "createElement", "cloneElement", "isValidElement"];

/// What the judgement needs to know about a module.
pub(crate) struct Purity<'a> {
    pub top_level: SyntaxContext,
    pub unresolved: SyntaxContext,
    /// Positions that a purity annotation stands before.
    pub annotated: &'a FxHashSet<BytePos>,
    /// Names bound by `import`.
    pub imported: &'a dyn Fn(&Atom) -> bool,
    /// Whether a call of this expression is one of [`PURE_REACT`].
    pub is_react_maker: &'a dyn Fn(&Expr) -> bool,
    /// Names of functions of the module of which their author says that calls have no effect.
    pub pure_functions: &'a FxHashSet<Atom>,
    /// If given, imported functions are taken for such ones, and noted here.
    pub assumed: Option<&'a RefCell<Vec<Atom>>>,
}

impl Purity<'_> {
    /// Judges one top-level statement. `own` are the objects that this module made itself.
    pub(crate) fn effect(&self, stmt: &Stmt, own: &OwnObjects) -> Effect {
        match stmt {
            Stmt::Empty(_) => Effect::None,
            Stmt::Decl(decl) => self.of_declaration(decl),
            Stmt::Expr(stmt) => match &*stmt.expr {
                Expr::Assign(assign) => self.of_assignment(assign, own),
                Expr::Call(call) => self
                    .frozen_object(call)
                    .filter(|name| own.objects.contains(name))
                    .map_or_else(|| self.of_expression(&stmt.expr), Effect::On),
                expr => self.of_expression(expr),
            },
            _ => Effect::Any,
        }
    }

    fn of_declaration(&self, decl: &Decl) -> Effect {
        let pure = match decl {
            Decl::Fn(_) => true,
            Decl::Class(class) => self.class(&class.class),
            Decl::Var(var) => self.variables(var),
            _ => false,
        };
        if pure { Effect::None } else { Effect::Any }
    }

    fn of_expression(&self, expr: &Expr) -> Effect {
        if self.expr(expr) { Effect::None } else { Effect::Any }
    }

    /// `X` of `Object.freeze(X)`.
    fn frozen_object(&self, call: &CallExpr) -> Option<Atom> {
        let Callee::Expr(callee) = &call.callee else { return None };
        let name = global_name(callee, self.unresolved)?;
        match call.args.as_slice() {
            [argument] if matches!(&*name, "Object.freeze" | "Object.seal") => match &*argument.expr {
                Expr::Ident(ident) if ident.ctxt == self.top_level => Some(ident.sym.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn of_assignment(&self, assign: &AssignExpr, own: &OwnObjects) -> Effect {
        let target = match &assign.left {
            _ if assign.op != AssignOp::Assign => None,
            AssignTarget::Simple(SimpleAssignTarget::Member(member)) => self.assigned_object(member, own),
            // `var x; x = 1;`: of no consequence unless somebody reads the variable.
            AssignTarget::Simple(SimpleAssignTarget::Ident(ident)) => {
                let is_own = ident.ctxt == self.top_level && !(self.imported)(&ident.sym);
                is_own.then(|| ident.sym.clone())
            }
            _ => None,
        };
        match target {
            Some(name) if self.expr(&assign.right) => Effect::On(name),
            _ => Effect::Any,
        }
    }

    /// `X` of `X.name` and of `X.prototype.name`, if such an assignment only completes it.
    fn assigned_object(&self, member: &MemberExpr, own: &OwnObjects) -> Option<Atom> {
        if !is_plain_key(&member.prop) {
            return None;
        }
        let (object, known) = match &*member.obj {
            Expr::Member(inner) if inner.prop.is_ident_with("prototype") => (&inner.obj, &own.prototypes),
            _ => (&member.obj, &own.objects),
        };
        let object = object.as_ident().filter(|object| object.ctxt == self.top_level)?;
        known.get(&object.sym).cloned()
    }

    fn variables(&self, var: &VarDecl) -> bool {
        var.decls.iter().all(|decl| match &decl.name {
            Pat::Ident(_) => decl.init.as_ref().is_none_or(|init| self.expr(init)),
            // A pattern reads properties and runs iterators.
            _ => false,
        })
    }

    /// Whether evaluating `expr` has no effect.
    pub(crate) fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) | Expr::Fn(_) | Expr::Arrow(_) | Expr::This(_) | Expr::MetaProp(_) => true,
            Expr::Ident(ident) => self.ident(ident),
            Expr::Class(class) => self.class(&class.class),
            Expr::Array(array) => self.array(array),
            Expr::Object(object) => self.object(object),
            Expr::Tpl(template) => template.exprs.iter().all(|expr| self.primitive(expr)),
            Expr::Cond(cond) => self.expr(&cond.test) && self.expr(&cond.cons) && self.expr(&cond.alt),
            Expr::Seq(seq) => seq.exprs.iter().all(|expr| self.expr(expr)),
            Expr::Unary(unary) => match unary.op {
                UnaryOp::TypeOf => self.expr(&unary.arg) || unary.arg.is_ident(),
                UnaryOp::Bang | UnaryOp::Void => self.expr(&unary.arg),
                UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Tilde => self.primitive(&unary.arg),
                UnaryOp::Delete => false,
            },
            Expr::Bin(bin) => match bin.op {
                BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
                | BinaryOp::NullishCoalescing
                | BinaryOp::EqEqEq
                | BinaryOp::NotEqEq => self.expr(&bin.left) && self.expr(&bin.right),
                BinaryOp::In | BinaryOp::InstanceOf => false,
                _ => self.primitive(&bin.left) && self.primitive(&bin.right),
            },
            Expr::Member(member) => self.member(member),
            Expr::Call(call) => self.call(call),
            Expr::New(new) => self.construction(new),
            Expr::TaggedTpl(template) => {
                self.is_annotated(template.span) && template.tpl.exprs.iter().all(|expr| self.expr(expr))
            }
            _ => false,
        }
    }

    /// A name that cannot throw: declared here, imported, or a global that is always there.
    fn ident(&self, ident: &Ident) -> bool {
        ident.ctxt != self.unresolved || KNOWN_GLOBALS.contains(&&*ident.sym)
    }

    /// Pure, and certainly a primitive, so that no `toString` or `valueOf` runs.
    fn primitive(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(lit) => !lit.is_regex(),
            Expr::Tpl(_) => self.expr(expr),
            Expr::Unary(unary) => unary.op != UnaryOp::Delete && self.expr(expr),
            Expr::Bin(bin) => match bin.op {
                BinaryOp::LogicalAnd | BinaryOp::LogicalOr | BinaryOp::NullishCoalescing => {
                    self.primitive(&bin.left) && self.primitive(&bin.right)
                }
                _ => self.expr(expr),
            },
            Expr::Cond(cond) => self.expr(&cond.test) && self.primitive(&cond.cons) && self.primitive(&cond.alt),
            _ => false,
        }
    }

    fn array(&self, array: &ArrayLit) -> bool {
        array.elems.iter().flatten().all(|element| self.argument(element))
    }

    /// A value; or a spread of an array literal, which runs no foreign iterator.
    fn argument(&self, argument: &ExprOrSpread) -> bool {
        (argument.spread.is_none() || argument.expr.is_array()) && self.expr(&argument.expr)
    }

    fn object(&self, object: &ObjectLit) -> bool {
        object.props.iter().all(|prop| match prop {
            PropOrSpread::Spread(spread) => is_read_purely(&spread.expr) && self.expr(&spread.expr),
            PropOrSpread::Prop(prop) => match &**prop {
                Prop::Shorthand(ident) => self.ident(ident),
                Prop::KeyValue(pair) => self.key(&pair.key) && self.expr(&pair.value),
                Prop::Getter(getter) => self.key(&getter.key),
                Prop::Setter(setter) => self.key(&setter.key),
                Prop::Method(method) => self.key(&method.key),
                Prop::Assign(_) => false,
            },
        })
    }

    fn key(&self, key: &PropName) -> bool {
        match key {
            PropName::Computed(computed) => self.primitive(&computed.expr) || self.is_well_known_symbol(&computed.expr),
            _ => true,
        }
    }

    /// `Symbol.iterator` and its like.
    fn is_well_known_symbol(&self, expr: &Expr) -> bool {
        global_name(expr, self.unresolved).is_some_and(|name| name.starts_with("Symbol."))
    }

    fn member(&self, member: &MemberExpr) -> bool {
        if !is_plain_key(&member.prop) {
            return false;
        }
        match &*member.obj {
            Expr::Ident(ident) if ident.ctxt == self.top_level => (self.imported)(&ident.sym),
            Expr::Ident(ident) => ident.ctxt == self.unresolved && KNOWN_GLOBALS.contains(&&*ident.sym),
            Expr::Member(inner) => {
                // `Array.prototype.slice`; what else globals have need not be there.
                let is_global = inner.obj.as_ident().is_some_and(|object| object.ctxt == self.unresolved);
                self.member(inner)
                    && inner.obj.is_ident()
                    && member.prop.is_ident()
                    && (!is_global || inner.prop.is_ident_with("prototype"))
            }
            _ => false,
        }
    }

    fn call(&self, call: &CallExpr) -> bool {
        let Callee::Expr(callee) = &call.callee else { return false };
        let is_marked = self.is_annotated(call.span) || (self.is_react_maker)(callee);
        // Where a function was in parentheses, what stood before these now stands before the function.
        let is_marked = is_marked || ((callee.is_arrow() || callee.is_fn_expr()) && self.is_annotated(callee.span()));
        if is_marked || self.is_pure_function(callee) || is_empty_function(callee) {
            return call.args.iter().all(|argument| self.argument(argument));
        }
        let Some(name) = global_name(callee, self.unresolved) else { return false };
        let all = |is_fine: &dyn Fn(&Expr) -> bool| {
            call.args.iter().all(|argument| argument.spread.is_none() && is_fine(&argument.expr))
        };
        match &*name {
            "Object.create" => all(&|argument| matches!(argument, Expr::Lit(Lit::Null(_)))),
            "Array.isArray" => all(&|argument| self.expr(argument)),
            name if PURE_FUNCTIONS.contains(&name) => all(&|argument| self.primitive(argument)),
            name if PURE_ON_LITERALS.contains(&name) => {
                all(&|argument| (is_read_purely(argument) || argument.is_array()) && self.expr(argument))
            }
            _ => false,
        }
    }

    fn is_annotated(&self, span: Span) -> bool {
        self.annotated.contains(&span.lo) || span.is_pure()
    }

    /// Whether the author of a function says that calls of it have no effect.
    fn is_pure_function(&self, callee: &Expr) -> bool {
        let Expr::Ident(name) = callee else { return false };
        if name.ctxt != self.top_level {
            return false;
        }
        match self.assumed.filter(|_| (self.imported)(&name.sym)) {
            Some(assumed) => {
                assumed.borrow_mut().push(name.sym.clone());
                true
            }
            None => self.pure_functions.contains(&name.sym),
        }
    }

    fn construction(&self, new: &NewExpr) -> bool {
        let mut arguments = new.args.iter().flatten();
        if self.is_annotated(new.span) {
            return arguments.all(|argument| self.argument(argument));
        }
        if addressed_file(new, self.unresolved).is_some() {
            return true;
        }
        let Some(name) = global_name(&new.callee, self.unresolved) else { return false };
        KNOWN_CONSTRUCTORS.contains(&&*name)
            && arguments.all(|argument| {
                argument.spread.is_none() && self.expr(&argument.expr) && self.makes(&name, &argument.expr)
            })
    }

    /// Whether a constructor of the language takes an argument without running other code and without throwing.
    fn makes(&self, constructor: &str, argument: &Expr) -> bool {
        let elements = argument.as_array().map(|array| array.elems.as_slice());
        match constructor {
            "Set" => elements.is_some() || is_nothing(argument),
            "Map" => {
                let is_pair =
                    |element: &Option<ExprOrSpread>| element.as_ref().is_some_and(|pair| pair.expr.is_array());
                elements.is_some_and(|elements| elements.iter().all(is_pair)) || is_nothing(argument)
            }
            "WeakMap" | "WeakSet" => elements.is_some_and(<[_]>::is_empty) || is_nothing(argument),
            "WeakRef" => argument.is_array() || argument.is_object() || argument.is_fn_expr() || argument.is_arrow(),
            // A length; other numbers throw.
            "Array" => argument.as_lit().and_then(Lit::as_num).is_none_or(|number| number.value.fract() == 0.0),
            _ => self.primitive(argument) || argument.is_array(),
        }
    }

    fn class(&self, class: &Class) -> bool {
        class.decorators.is_empty()
            && class.super_class.as_ref().is_none_or(|parent| self.expr(parent))
            && class.body.iter().all(|member| self.class_member(member))
    }

    fn class_member(&self, member: &ClassMember) -> bool {
        match member {
            ClassMember::Constructor(constructor) => constructor
                .params
                .iter()
                .all(|param| matches!(param, ParamOrTsParamProp::Param(p) if p.decorators.is_empty())),
            ClassMember::Method(method) => method.function.decorators.is_empty() && self.key(&method.key),
            ClassMember::PrivateMethod(method) => method.function.decorators.is_empty(),
            ClassMember::ClassProp(prop) => {
                prop.decorators.is_empty()
                    && self.key(&prop.key)
                    && (!prop.is_static || self.value(prop.value.as_deref()))
            }
            ClassMember::PrivateProp(prop) => {
                prop.decorators.is_empty() && (!prop.is_static || self.value(prop.value.as_deref()))
            }
            ClassMember::Empty(_) | ClassMember::TsIndexSignature(_) => true,
            ClassMember::AutoAccessor(accessor) => {
                accessor.decorators.is_empty()
                    && matches!(&accessor.key, Key::Private(_) | Key::Public(PropName::Ident(_)))
                    && (!accessor.is_static || self.value(accessor.value.as_deref()))
            }
            ClassMember::StaticBlock(block) => block.body.stmts.is_empty(),
        }
    }

    fn value(&self, value: Option<&Expr>) -> bool {
        value.is_none_or(|value| self.expr(value))
    }
}

/// Whether an expression is an object literal, and reading all of its properties runs nothing.
pub(crate) fn is_read_purely(expr: &Expr) -> bool {
    expr.as_object().is_some_and(|object| {
        let is_getter = |prop: &PropOrSpread| matches!(prop, PropOrSpread::Prop(prop) if prop.is_getter());
        !object.props.iter().any(is_getter)
    })
}

fn is_plain_key(prop: &MemberProp) -> bool {
    match prop {
        MemberProp::Ident(_) => true,
        MemberProp::Computed(computed) => computed.expr.is_lit(),
        MemberProp::PrivateName(_) => false,
    }
}

/// `f` or `a.f`, where the first name is a global.
pub(crate) fn global_name(expr: &Expr, unresolved: SyntaxContext) -> Option<String> {
    match expr {
        Expr::Ident(ident) if ident.ctxt == unresolved => Some(ident.sym.to_string()),
        Expr::Member(member) => match (&*member.obj, &member.prop) {
            (Expr::Ident(object), MemberProp::Ident(prop)) if object.ctxt == unresolved => {
                Some(format!("{}.{}", object.sym, prop.sym))
            }
            _ => None,
        },
        _ => None,
    }
}

fn is_empty_function(callee: &Expr) -> bool {
    match callee {
        Expr::Fn(function) => {
            let function = &function.function;
            function.body.as_ref().is_some_and(|body| body.stmts.is_empty())
                && function.params.iter().all(|parameter| parameter.pat.is_ident())
        }
        _ => false,
    }
}

/// `null` and `undefined`
fn is_nothing(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(Lit::Null(_))) || expr.as_ident().is_some_and(|name| name.sym == "undefined")
}
