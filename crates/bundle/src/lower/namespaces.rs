//! Namespaces and enums of TypeScript, which may have several parts. Each part sees what the others export, as properties
//! of the object that they fill together; the compiler's pass knows only what a part itself declares.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, SyntaxContext},
    ecma::{
        ast::{
            Decl, Expr, Id, Ident, JSXElementName, JSXMemberExpr, JSXObject, MemberExpr, MemberProp, ModuleDecl,
            ModuleItem, ObjectPatProp, Pat, Program, Prop, SimpleAssignTarget, Stmt, TsEntityName, TsEnumDecl,
            TsEnumMemberId, TsImportEqualsDecl, TsModuleBlock, TsModuleDecl, TsModuleName, TsModuleRef,
            TsNamespaceBody, TsNamespaceDecl, TsQualifiedName,
        },
        utils::{QueryRef, RefRewriter},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::{analyze::declared::declared_idents, ast::member, scopes::bound_in};

/// Makes `name` into `Namespace.name` where another part of the namespace exports it. Names must have been resolved.
pub(crate) fn qualify_merged(program: &mut Program, unresolved: SyntaxContext) {
    let Program::Module(module) = program else { return };
    let mut parts = Parts::default();
    parts.items(&module.body, None);
    if parts.are_of_concern {
        let rewriter = RefRewriter { query: Scopes::default() };
        module.visit_mut_with(&mut Qualifier { parts, unresolved, rewriter });
    }
}

/// What the parts of a namespace have in common: the variable of the outermost one, and the names below it.
type Path = (Id, Vec<Atom>);

/// What namespaces export, all their parts taken together.
#[derive(Default)]
struct Parts {
    exports: FxHashMap<Path, FxHashSet<Atom>>,
    /// The members of enums, all parts taken together. Namespaces of the same name do not see them, nor the other way round.
    enums: FxHashMap<Path, FxHashSet<Atom>>,
    /// The members of enums, all parts in one scope taken together.
    members: FxHashMap<Id, FxHashSet<Atom>>,
    /// Whether any name may be meant that the compiler's pass does not find.
    are_of_concern: bool,
}

impl Parts {
    fn items(&mut self, items: &[ModuleItem], within: Option<&Path>) {
        for item in items {
            match item {
                ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => {
                    if let Some(path) = within {
                        self.exports
                            .entry(path.clone())
                            .or_default()
                            .extend(exported_names(&export.decl).into_iter().map(|it| it.sym));
                    }
                    self.decl(&export.decl, within);
                }
                ModuleItem::ModuleDecl(ModuleDecl::TsImportEquals(import)) if import.is_export => {
                    if let Some(path) = within {
                        self.exports.entry(path.clone()).or_default().insert(import.id.sym.clone());
                        self.are_of_concern = true;
                    }
                }
                ModuleItem::ModuleDecl(ModuleDecl::TsImportEquals(_)) => self.are_of_concern |= within.is_some(),
                ModuleItem::Stmt(Stmt::Decl(decl)) => self.decl(decl, None),
                _ => {}
            }
        }
    }

    fn decl(&mut self, decl: &Decl, within: Option<&Path>) {
        match decl {
            Decl::TsModule(module) => {
                if let (TsModuleName::Ident(name), Some(body)) = (&module.id, &module.body) {
                    self.body(body, &path_of(name, within));
                }
            }
            Decl::TsEnum(decl) => {
                let path = path_of(&decl.id, within);
                self.are_of_concern |= self.enums.contains_key(&path) || self.exports.contains_key(&path);
                self.are_of_concern |=
                    decl.members.iter().any(|member| member.init.as_ref().is_some_and(|it| !it.is_lit()));
                self.enums.entry(path).or_default().extend(member_names(decl));
                self.members.entry(decl.id.to_id()).or_default().extend(member_names(decl));
            }
            _ => {}
        }
    }

    fn body(&mut self, body: &TsNamespaceBody, path: &Path) {
        self.are_of_concern |= self.exports.contains_key(path);
        let exports = self.exports.entry(path.clone()).or_default();
        match body {
            TsNamespaceBody::TsModuleBlock(block) => self.items(&block.body, Some(path)),
            TsNamespaceBody::TsNamespaceDecl(inner) => {
                exports.insert(inner.id.sym.clone());
                self.body(&inner.body, &path_of(&inner.id, Some(path)));
            }
        }
    }
}

/// The path of a namespace which another one exports, if it does.
fn path_of(name: &Ident, within: Option<&Path>) -> Path {
    match within {
        None => (name.to_id(), Vec::new()),
        Some((root, names)) => (root.clone(), names.iter().chain([&name.sym]).cloned().collect()),
    }
}

/// The names of values that a declaration adds to its namespace.
fn exported_names(decl: &Decl) -> Vec<Ident> {
    match decl {
        Decl::TsEnum(decl) => vec![decl.id.clone()],
        Decl::TsModule(module) => module.id.as_ident().cloned().into_iter().collect(),
        decl => declared_idents(decl),
    }
}

fn member_names(decl: &TsEnumDecl) -> impl Iterator<Item = Atom> {
    decl.members.iter().filter_map(|member| match &member.id {
        TsEnumMemberId::Ident(name) => Some(name.sym.clone()),
        TsEnumMemberId::Str(text) => text.value.as_str().map(Atom::from),
    })
}

/// A part of a namespace.
struct Scope {
    namespace: Ident,
    /// What all parts export.
    exports: FxHashSet<Atom>,
    /// What this part exports, which the compiler's pass knows nearly everywhere.
    own_exports: FxHashSet<Id>,
    /// What is declared anywhere in this part.
    bound: FxHashSet<Id>,
}

/// The parts of namespaces that code stands in, outermost first.
#[derive(Default)]
struct Scopes(Vec<Scope>);

impl Scopes {
    /// The namespace of which a name is a property, if it is not a variable.
    fn namespace(&self, name: &Ident) -> Option<&Ident> {
        let id = name.to_id();
        let inner = self.0.iter().rev().take_while(|scope| !scope.bound.contains(&id));
        inner.into_iter().find(|scope| scope.exports.contains(&name.sym)).map(|scope| &scope.namespace)
    }

    /// The namespace that a name is exported by, also if it is a variable there.
    fn exporter(&self, name: &Ident) -> Option<&Ident> {
        let id = name.to_id();
        let own = self.0.iter().rev().find(|scope| scope.own_exports.contains(&id));
        own.map(|scope| &scope.namespace).or_else(|| self.namespace(name))
    }
}

impl QueryRef for Scopes {
    fn query_ref(&self, ident: &Ident) -> Option<Box<Expr>> {
        let namespace = self.namespace(ident)?.clone();
        Some(Box::new(member(Expr::Ident(namespace), &ident.sym, ident.span)))
    }

    fn query_lhs(&self, ident: &Ident) -> Option<Box<Expr>> {
        self.query_ref(ident)
    }

    fn query_jsx(&self, ident: &Ident) -> Option<JSXElementName> {
        let obj = JSXObject::Ident(self.namespace(ident)?.clone());
        Some(JSXElementName::JSXMemberExpr(JSXMemberExpr { span: DUMMY_SP, obj, prop: ident.clone().into() }))
    }
}

struct Qualifier {
    parts: Parts,
    unresolved: SyntaxContext,
    rewriter: RefRewriter<Scopes>,
}

impl Qualifier {
    fn part(&mut self, name: &Ident, path: &Path, body: &mut TsNamespaceBody) {
        let exports = self.parts.exports.get(path).cloned().unwrap_or_default();
        let (own_exports, bound) = (own_exports(body), bound_in(body));
        self.rewriter.query.0.push(Scope { namespace: name.clone(), exports, own_exports, bound });
        match body {
            TsNamespaceBody::TsModuleBlock(TsModuleBlock { body, .. }) => self.items(body, Some(path)),
            TsNamespaceBody::TsNamespaceDecl(TsNamespaceDecl { id, body, .. }) => {
                let path = path_of(id, Some(path));
                self.part(&id.clone(), &path, body);
            }
        }
        self.rewriter.query.0.pop();
    }

    fn items(&mut self, items: &mut [ModuleItem], within: Option<&Path>) {
        for item in items {
            match item {
                ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => match &mut export.decl {
                    Decl::TsModule(module) => self.module(module, within),
                    Decl::TsEnum(decl) => self.enumeration(decl, within),
                    decl => decl.visit_mut_with(self),
                },
                ModuleItem::Stmt(Stmt::Decl(Decl::TsModule(module))) => self.module(module, None),
                item => item.visit_mut_with(self),
            }
        }
    }

    fn module(&mut self, module: &mut TsModuleDecl, within: Option<&Path>) {
        if let (TsModuleName::Ident(name), Some(body)) = (&module.id, &mut module.body) {
            self.part(name, &path_of(name, within), body);
        }
    }

    /// The compiler's pass knows the members of an enum by names that nothing declares, unless its parts are in different
    /// scopes.
    fn enumeration(&mut self, decl: &mut TsEnumDecl, within: Option<&Path>) {
        let id = decl.id.to_id();
        let members = self.parts.members.get(&id).cloned().unwrap_or_else(|| member_names(decl).collect());
        let mut exports = self.parts.enums.get(&path_of(&decl.id, within)).cloned().unwrap_or_default();
        exports.retain(|name| !members.contains(name));
        let mut bound = bound_in(&decl.members);
        decl.members.visit_mut_with(&mut Members { id, names: &members, bound: &bound, unresolved: self.unresolved });
        bound.extend(members.into_iter().map(|name| (name, self.unresolved)));
        let namespace = decl.id.clone();
        self.rewriter.query.0.push(Scope { namespace, exports, own_exports: FxHashSet::default(), bound });
        decl.members.visit_mut_with(self);
        self.rewriter.query.0.pop();
    }
}

/// What a part of a namespace exports.
fn own_exports(body: &TsNamespaceBody) -> FxHashSet<Id> {
    let items = match body {
        TsNamespaceBody::TsModuleBlock(block) => &*block.body,
        TsNamespaceBody::TsNamespaceDecl(inner) => return FxHashSet::from_iter([inner.id.to_id()]),
    };
    let names = items.iter().filter_map(ModuleItem::as_module_decl).flat_map(|item| match item {
        ModuleDecl::ExportDecl(export) => exported_names(&export.decl),
        ModuleDecl::TsImportEquals(import) if import.is_export => vec![import.id.clone()],
        _ => Vec::new(),
    });
    names.map(|name| name.to_id()).collect()
}

/// Makes the names of an enum's own members ones that nothing declares.
struct Members<'a> {
    id: Id,
    names: &'a FxHashSet<Atom>,
    /// What is declared in the code at hand.
    bound: &'a FxHashSet<Id>,
    unresolved: SyntaxContext,
}

impl VisitMut for Members<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        // Of `Enum.member`, the compiler's pass would repeat the code that gives the member its value.
        if let Expr::Member(MemberExpr { obj, prop: MemberProp::Ident(prop), .. }) = expr
            && obj.as_ident().is_some_and(|object| object.to_id() == self.id)
            && self.names.contains(&prop.sym)
        {
            *expr = Expr::Ident(Ident::new(prop.sym.clone(), prop.span, self.unresolved));
        }
    }

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if self.names.contains(&ident.sym) && !self.bound.contains(&ident.to_id()) {
            ident.ctxt = self.unresolved;
        }
    }
}

impl VisitMut for Qualifier {
    noop_visit_mut_type!();

    fn visit_mut_module_items(&mut self, items: &mut Vec<ModuleItem>) {
        self.items(items, None);
    }

    fn visit_mut_ts_enum_decl(&mut self, decl: &mut TsEnumDecl) {
        self.enumeration(decl, None);
    }

    fn visit_mut_ts_import_equals_decl(&mut self, import: &mut TsImportEqualsDecl) {
        let TsModuleRef::TsEntityName(name) = &mut import.module_ref else { return };
        let mut first = name;
        while let TsEntityName::TsQualifiedName(qualified) = first {
            first = &mut qualified.left;
        }
        if let TsEntityName::Ident(name) = first
            && let Some(namespace) = self.rewriter.query.exporter(name)
        {
            let (left, right) = (TsEntityName::Ident(namespace.clone()), name.clone().into());
            *first = TsEntityName::TsQualifiedName(Box::new(TsQualifiedName { span: name.span, left, right }));
        }
    }

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        expr.visit_mut_children_with(self);
        self.rewriter.exit_expr(expr);
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        prop.visit_mut_children_with(self);
        self.rewriter.exit_prop(prop);
    }

    fn visit_mut_pat(&mut self, pattern: &mut Pat) {
        pattern.visit_mut_children_with(self);
        self.rewriter.exit_pat(pattern);
    }

    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        prop.visit_mut_children_with(self);
        self.rewriter.exit_object_pat_prop(prop);
    }

    fn visit_mut_simple_assign_target(&mut self, target: &mut SimpleAssignTarget) {
        target.visit_mut_children_with(self);
        self.rewriter.exit_simple_assign_target(target);
    }

    fn visit_mut_jsx_element_name(&mut self, name: &mut JSXElementName) {
        name.visit_mut_children_with(self);
        self.rewriter.exit_jsx_element_name(name);
    }

    fn visit_mut_jsx_object(&mut self, object: &mut JSXObject) {
        object.visit_mut_children_with(self);
        self.rewriter.exit_jsx_object(object);
    }
}
