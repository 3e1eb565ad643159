//! Which names statements declare, and which of them keep what they are first given.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::SyntaxContext,
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, Class, ClassMember, Decl, Expr, ForHead, Function, Ident, MethodKind, ObjectLit,
            Prop, PropName, PropOrSpread, Stmt, UpdateExpr, VarDecl, VarDeclKind,
        },
        utils::find_pat_ids,
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

/// The names of a declaration.
pub(crate) fn declared_idents(decl: &Decl) -> Vec<Ident> {
    match decl {
        Decl::Class(class) => vec![class.ident.clone()],
        Decl::Fn(function) => vec![function.ident.clone()],
        Decl::Var(var) => find_pat_ids(&var.decls),
        Decl::Using(using) => find_pat_ids(&using.decls),
        _ => Vec::new(),
    }
}

/// The names that a statement adds to the module's top level, `var`s inside blocks and loops included.
pub(crate) fn declared_names(stmt: &Stmt) -> Vec<Atom> {
    if let Stmt::Decl(decl) = stmt {
        return declared_idents(decl).into_iter().map(|ident| ident.sym).collect();
    }
    hoisted_vars(stmt).into_iter().map(|ident| ident.sym).collect()
}

/// The `var`s that leave a statement's blocks and loops.
pub(crate) fn hoisted_vars(stmt: &Stmt) -> Vec<Ident> {
    let mut hoisted = HoistedVars(Vec::new());
    stmt.visit_with(&mut hoisted);
    hoisted.0
}

struct HoistedVars(Vec<Ident>);

impl Visit for HoistedVars {
    noop_visit_type!();

    fn visit_var_decl(&mut self, var: &VarDecl) {
        if var.kind == VarDeclKind::Var {
            self.0.extend(find_pat_ids::<_, Ident>(&var.decls));
        }
    }

    // `var` does not leave a function, and an expression holds none outside one.
    fn visit_function(&mut self, _: &Function) {}
    fn visit_arrow_expr(&mut self, _: &ArrowExpr) {}
    fn visit_class(&mut self, _: &Class) {}
    fn visit_expr(&mut self, _: &Expr) {}
}

/// Names bound for good to an object that this module made, so that completing it concerns nobody else.
pub(crate) fn own_objects(code: &[Stmt], reassigned: &FxHashSet<Atom>) -> FxHashSet<Atom> {
    let watched = watched_classes(code);
    let declared = code.iter().filter_map(|stmt| match stmt {
        Stmt::Decl(Decl::Fn(function)) => Some(&function.ident.sym),
        Stmt::Decl(Decl::Class(class)) if !is_watched(&class.class, &watched) => Some(&class.ident.sym),
        _ => None,
    });
    let made = constants(code, reassigned, |init| makes_object(init, &watched).then_some(()));
    declared.filter(|name| !reassigned.contains(*name)).cloned().chain(made.into_keys()).collect()
}

fn makes_object(init: &Expr, watched: &FxHashSet<Atom>) -> bool {
    init.is_fn_expr()
        || init.is_arrow()
        || matches!(init, Expr::Class(class) if !is_watched(&class.class, watched))
        || matches!(init, Expr::Object(object) if !has_setter(object))
        || init.is_array()
        || init.is_call()
        || init.is_new()
}

/// Assigning to a property may then run code.
fn has_setter(object: &ObjectLit) -> bool {
    object.props.iter().any(|prop| match prop {
        PropOrSpread::Prop(prop) => match &**prop {
            Prop::KeyValue(pair) => is_prototype(&pair.key),
            prop => prop.is_setter(),
        },
        PropOrSpread::Spread(_) => false,
    })
}

/// `{ __proto__: object }`, whose setters count as well.
pub(crate) fn is_prototype(key: &PropName) -> bool {
    match key {
        PropName::Ident(key) => key.sym == "__proto__",
        PropName::Str(key) => key.value == *"__proto__",
        _ => false,
    }
}

/// The names of classes with static setters, of their own or of another class of the module. A class of another module
/// is taken to have none: if it were not, no component that is a class could go with its `propTypes`.
fn watched_classes(code: &[Stmt]) -> FxHashSet<Atom> {
    let mut watched = FxHashSet::default();
    for stmt in code {
        for (name, class) in classes(stmt) {
            if is_watched(class, &watched) {
                watched.insert(name.clone());
            }
        }
    }
    watched
}

/// The classes that a statement gives a name.
fn classes(stmt: &Stmt) -> Vec<(&Atom, &Class)> {
    match stmt {
        Stmt::Decl(Decl::Class(class)) => vec![(&class.ident.sym, &class.class)],
        Stmt::Decl(Decl::Var(var)) => var
            .decls
            .iter()
            .filter_map(|decl| Some((&decl.name.as_ident()?.sym, &*decl.init.as_ref()?.as_class()?.class)))
            .collect(),
        _ => Vec::new(),
    }
}

fn is_watched(class: &Class, watched: &FxHashSet<Atom>) -> bool {
    let inherits = class.super_class.as_ref().and_then(|parent| parent.as_ident());
    inherits.is_some_and(|parent| watched.contains(&parent.sym)) || has_static_setter(class)
}

fn has_static_setter(class: &Class) -> bool {
    class.body.iter().any(|member| match member {
        ClassMember::Method(method) => method.is_static && method.kind == MethodKind::Setter,
        ClassMember::AutoAccessor(accessor) => accessor.is_static,
        _ => false,
    })
}

/// Variables that keep their first value, with what `of` makes of it.
pub(crate) fn constants<T>(
    code: &[Stmt],
    reassigned: &FxHashSet<Atom>,
    of: impl Fn(&Expr) -> Option<T>,
) -> FxHashMap<Atom, T> {
    let declarators = code.iter().filter_map(|stmt| match stmt {
        Stmt::Decl(Decl::Var(var)) => Some(&var.decls),
        _ => None,
    });
    declarators
        .flatten()
        .filter_map(|decl| {
            let name = &decl.name.as_ident()?.sym;
            let value = of(decl.init.as_deref()?)?;
            (!reassigned.contains(name)).then(|| (name.clone(), value))
        })
        .collect()
}

/// The top-level names that get another value after their declaration, or a second declaration.
pub(crate) fn reassigned(code: &[Stmt], top_level: SyntaxContext) -> FxHashSet<Atom> {
    let mut search = Reassigned { top_level, names: FxHashSet::default() };
    code.visit_with(&mut search);
    let mut seen = FxHashSet::default();
    for name in code.iter().flat_map(declared_names) {
        if !seen.insert(name.clone()) {
            search.names.insert(name);
        }
    }
    search.names
}

struct Reassigned {
    top_level: SyntaxContext,
    names: FxHashSet<Atom>,
}

impl Reassigned {
    fn targets(&mut self, idents: Vec<Ident>) {
        let own = idents.into_iter().filter(|ident| ident.ctxt == self.top_level);
        self.names.extend(own.map(|ident| ident.sym));
    }
}

impl Visit for Reassigned {
    noop_visit_type!();

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        self.targets(find_pat_ids(&assign.left));
        assign.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        if let Expr::Ident(ident) = &*update.arg {
            self.targets(vec![ident.clone()]);
        }
    }

    fn visit_for_head(&mut self, head: &ForHead) {
        if let ForHead::Pat(pattern) = head {
            self.targets(find_pat_ids(pattern));
        }
        head.visit_children_with(self);
    }
}
