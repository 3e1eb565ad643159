//! Which names statements declare, and which of them keep what they are first given.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::SyntaxContext,
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, Class, ClassMember, Decl, Expr, ForHead, Function, Ident, MethodKind, Module,
            ModuleDecl, ModuleItem, ObjectLit, Prop, PropName, PropOrSpread, Stmt, TsModuleName, UpdateExpr, VarDecl,
            VarDeclKind,
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

/// The top-level names of a module of TypeScript, whether code is left of what they name or not.
pub(crate) fn typescript_names(module: &Module) -> FxHashSet<Atom> {
    let imported = module.body.iter().flat_map(|item| match item {
        ModuleItem::ModuleDecl(ModuleDecl::Import(import)) => {
            import.specifiers.iter().map(|specifier| specifier.local().sym.clone()).collect()
        }
        ModuleItem::ModuleDecl(ModuleDecl::TsImportEquals(import)) => vec![import.id.sym.clone()],
        _ => Vec::new(),
    });
    imported.chain(declarations(module).flat_map(names_of)).collect()
}

/// The values that a module of TypeScript only says to exist elsewhere: `declare const VERSION: string`
pub(crate) fn ambient_names(module: &Module) -> FxHashSet<Atom> {
    let is_type = |decl: &&Decl| matches!(decl, Decl::TsInterface(_) | Decl::TsTypeAlias(_));
    let values = || declarations(module).filter(|decl| !is_type(decl));
    // A namespace of types may be added to a class or function that is there.
    let present: FxHashSet<Atom> = values().filter(|decl| !is_ambient(decl)).flat_map(names_of).collect();
    values().filter(|decl| is_ambient(decl)).flat_map(names_of).filter(|name| !present.contains(name)).collect()
}

fn is_ambient(decl: &Decl) -> bool {
    match decl {
        Decl::Class(class) => class.declare,
        Decl::Fn(function) => function.declare,
        Decl::Var(var) => var.declare,
        Decl::TsEnum(item) => item.declare,
        Decl::TsModule(item) => item.declare,
        Decl::Using(_) | Decl::TsInterface(_) | Decl::TsTypeAlias(_) => false,
    }
}

/// The names of a declaration, types included.
fn names_of(decl: &Decl) -> Vec<Atom> {
    match decl {
        Decl::TsInterface(interface) => vec![interface.id.sym.clone()],
        Decl::TsTypeAlias(alias) => vec![alias.id.sym.clone()],
        Decl::TsEnum(item) => vec![item.id.sym.clone()],
        Decl::TsModule(item) => namespace_name(&item.id).into_iter().collect(),
        decl => declared_idents(decl).into_iter().map(|ident| ident.sym).collect(),
    }
}

/// `declare module "…"` describes a module and names nothing.
fn namespace_name(name: &TsModuleName) -> Option<Atom> {
    match name {
        TsModuleName::Ident(id) => Some(id.sym.clone()),
        TsModuleName::Str(_) => None,
    }
}

/// The declarations at the top level of a module, exported or not.
fn declarations(module: &Module) -> impl Iterator<Item = &Decl> {
    module.body.iter().filter_map(|item| match item {
        ModuleItem::Stmt(Stmt::Decl(decl)) => Some(decl),
        ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => Some(&export.decl),
        _ => None,
    })
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

/// Names bound for good to objects that this module made, so that completing these concerns nobody else.
pub(crate) struct OwnObjects {
    /// Those that properties can be given to without running a setter.
    pub objects: FxHashSet<Atom>,
    /// Those whose `prototype` can.
    pub prototypes: FxHashSet<Atom>,
}

impl OwnObjects {
    pub(crate) fn new(code: &[Stmt], reassigned: &FxHashSet<Atom>) -> Self {
        let of = |is_static| own_objects(code, reassigned, &watched_classes(code, is_static), is_static);
        Self { objects: of(true), prototypes: of(false) }
    }
}

fn own_objects(
    code: &[Stmt],
    reassigned: &FxHashSet<Atom>,
    watched: &FxHashSet<Atom>,
    is_static: bool,
) -> FxHashSet<Atom> {
    let declared = code.iter().filter_map(|stmt| match stmt {
        Stmt::Decl(Decl::Fn(function)) => Some(&function.ident.sym),
        Stmt::Decl(Decl::Class(class)) if !is_watched(&class.class, watched, is_static) => Some(&class.ident.sym),
        _ => None,
    });
    let made = constants(code, reassigned, |init| makes_object(init, watched, is_static).then_some(()));
    declared.filter(|name| !reassigned.contains(*name)).cloned().chain(made.into_keys()).collect()
}

fn makes_object(init: &Expr, watched: &FxHashSet<Atom>, is_static: bool) -> bool {
    init.is_fn_expr()
        || init.is_arrow()
        || matches!(init, Expr::Class(class) if !is_watched(&class.class, watched, is_static))
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

/// The names of classes with setters, static ones or those of instances, of their own or of another class of the module. A
/// class of another module is taken to have none: if it were not, no component that is a class could go with its
/// `propTypes`.
fn watched_classes(code: &[Stmt], is_static: bool) -> FxHashSet<Atom> {
    let mut watched = FxHashSet::default();
    for stmt in code {
        for (name, class) in classes(stmt) {
            if is_watched(class, &watched, is_static) {
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

fn is_watched(class: &Class, watched: &FxHashSet<Atom>, is_static: bool) -> bool {
    let inherits = class.super_class.as_ref().and_then(|parent| parent.as_ident());
    inherits.is_some_and(|parent| watched.contains(&parent.sym)) || has_class_setter(class, is_static)
}

fn has_class_setter(class: &Class, is_static: bool) -> bool {
    class.body.iter().any(|member| match member {
        ClassMember::Method(method) => method.is_static == is_static && method.kind == MethodKind::Setter,
        ClassMember::AutoAccessor(accessor) => accessor.is_static == is_static,
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
    let mut names = FxHashSet::default();
    each_assigned(code, |ident| {
        if ident.ctxt == top_level {
            names.insert(ident.sym);
        }
    });
    let mut seen = FxHashSet::default();
    for name in code.iter().flat_map(declared_names) {
        if !seen.insert(name.clone()) {
            names.insert(name);
        }
    }
    names
}

/// Calls a function with each variable that code gives another value, as often as it does.
pub(crate) fn each_assigned(code: &[Stmt], note: impl FnMut(Ident)) {
    code.visit_with(&mut Assignments(note));
}

struct Assignments<F>(F);

impl<F: FnMut(Ident)> Visit for Assignments<F> {
    noop_visit_type!();

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        find_pat_ids(&assign.left).into_iter().for_each(&mut self.0);
        assign.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        update.arg.as_ident().cloned().into_iter().for_each(&mut self.0);
        update.visit_children_with(self);
    }

    fn visit_for_head(&mut self, head: &ForHead) {
        if let ForHead::Pat(pattern) = head {
            find_pat_ids(pattern).into_iter().for_each(&mut self.0);
        }
        head.visit_children_with(self);
    }
}
