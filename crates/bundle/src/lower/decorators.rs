//! Decorators: those of the proposal for JavaScript, and those that TypeScript had before, where swc's passes differ from
//! the compilers.

use rustc_hash::FxHashSet;
use swc_core::{
    common::{DUMMY_SP, Span, SyntaxContext},
    ecma::{
        ast::{
            AssignExpr, AssignTarget, AssignTargetPat, AutoAccessor, CallExpr, Callee, Class, ClassDecl, ClassExpr,
            ClassMember, ClassMethod, ClassProp, Decl, Expr, Id, Ident, Key, Lit, ModuleDecl, ModuleItem,
            ObjectPatProp, Param, ParamOrTsParamProp, PrivateName, Program, PropName, Stmt, ThisExpr,
            TsKeywordTypeKind, TsParamProp, TsType, TsUnionType, VarDecl, VarDeclKind, VarDeclarator,
        },
        transforms::proposal::{
            decorator_2023_11::decorator_2023_11,
            decorators::{Config, decorators},
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::accessors::lower_accessors;
use crate::{ast, hoist_vars::assignment};

/// Lowers decorators of the proposal.
pub(crate) fn lower_decorators(program: &mut Program, unresolved: SyntaxContext) {
    program.mutate(decorator_2023_11());
    program.visit_mut_with(&mut KeepNames { unresolved });
}

/// Whether a class says itself what its `name` is.
fn has_static_name(class: &Class) -> bool {
    class.body.iter().filter(|member| is_static(member)).any(|member| match member {
        ClassMember::Method(ClassMethod { key, .. }) | ClassMember::ClassProp(ClassProp { key, .. }) => {
            matches!(key, PropName::Ident(key) if key.sym == "name")
        }
        _ => false,
    })
}

/// Gives decorated classes their names before decorators are told them, because the minifier changes those in
/// declarations.
struct KeepNames {
    unresolved: SyntaxContext,
}

impl KeepNames {
    fn keep(&self, name: &Ident, class: &mut Class) {
        if !class.body.iter().any(decorates_class) || has_static_name(class) {
            return;
        }
        let object = Expr::Ident(Ident::new("Object".into(), DUMMY_SP, self.unresolved));
        let define = ast::member(object, &"defineProperty".into(), DUMMY_SP);
        let this = Expr::This(ThisExpr { span: DUMMY_SP });
        let descriptor =
            ast::object([("value".into(), ast::string(&name.sym)), ("configurable".into(), ast::boolean(true))]);
        class.body.insert(0, ast::static_block(vec![ast::call(define, vec![this, ast::string("name"), descriptor])]));
    }
}

impl VisitMut for KeepNames {
    noop_visit_mut_type!();

    fn visit_mut_class_decl(&mut self, decl: &mut ClassDecl) {
        decl.visit_mut_children_with(self);
        self.keep(&decl.ident, &mut decl.class);
    }

    fn visit_mut_class_expr(&mut self, expr: &mut ClassExpr) {
        expr.visit_mut_children_with(self);
        if let Some(name) = &expr.ident {
            self.keep(name, &mut expr.class);
        }
    }
}

/// `static { ({ c: [Class, initialize] } = apply(this, …)); }`, where swc's pass calls the decorators of a class.
fn decorates_class(member: &ClassMember) -> bool {
    let ClassMember::StaticBlock(block) = member else { return false };
    let Some(Stmt::Expr(stmt)) = block.body.stmts.first() else { return false };
    let Expr::Assign(AssignExpr { left: AssignTarget::Pat(AssignTargetPat::Object(pattern)), right, .. }) = &*stmt.expr
    else {
        return false;
    };
    let is_of_class = |prop: &ObjectPatProp| {
        prop.as_key_value().and_then(|pair| pair.key.as_ident()).is_some_and(|key| key.sym == "c")
    };
    right.as_call().is_some_and(|call| is_call_of(call, "_apply_decs_2311")) && pattern.props.iter().any(is_of_class)
}

/// The decorators that TypeScript does not have without the proposal: those of private members.
pub(crate) fn decorators_of_private_members(program: &Program) -> Vec<Span> {
    let mut search = OfPrivateMembers(Vec::new());
    program.visit_with(&mut search);
    search.0
}

struct OfPrivateMembers(Vec<Span>);

impl Visit for OfPrivateMembers {
    noop_visit_type!();

    fn visit_class_member(&mut self, member: &ClassMember) {
        let decorators = match member {
            ClassMember::PrivateMethod(method) => &method.function.decorators,
            ClassMember::PrivateProp(prop) => &prop.decorators,
            ClassMember::AutoAccessor(AutoAccessor { key: Key::Private(_), decorators, .. }) => decorators,
            _ => return member.visit_children_with(self),
        };
        self.0.extend(decorators.iter().map(|decorator| decorator.span));
        member.visit_children_with(self);
    }
}

/// The decorators of parameters, which only TypeScript's own kind has.
pub(crate) fn decorators_of_parameters(program: &Program) -> Vec<Span> {
    let mut search = OfParameters(Vec::new());
    program.visit_with(&mut search);
    search.0
}

struct OfParameters(Vec<Span>);

impl Visit for OfParameters {
    noop_visit_type!();

    fn visit_param(&mut self, parameter: &Param) {
        self.0.extend(parameter.decorators.iter().map(|decorator| decorator.span));
        parameter.visit_children_with(self);
    }

    fn visit_ts_param_prop(&mut self, parameter: &TsParamProp) {
        self.0.extend(parameter.decorators.iter().map(|decorator| decorator.span));
        parameter.visit_children_with(self);
    }
}

/// Lowers decorators as TypeScript had them. Names must have been resolved.
pub(crate) fn lower_legacy_decorators(program: &mut Program, emit_metadata: bool) {
    lower_accessors(program);
    let mut preparation = Preparation::default();
    program.visit_mut_with(&mut preparation);
    if emit_metadata {
        program.visit_mut_with(&mut WithoutNull);
    }
    program.mutate(decorators(Config { legacy: true, emit_metadata, use_define_for_class_fields: true }));
    program.visit_mut_with(&mut PrivateNamesInside);
    if emit_metadata {
        program.visit_mut_with(&mut WithoutTypesOfClasses);
    }
    if !preparation.replaceable.is_empty() {
        program.visit_mut_with(&mut Replaceable(preparation.replaceable));
    }
}

#[derive(Default)]
struct Preparation {
    /// Classes that mention themselves, and that a decorator may replace.
    replaceable: FxHashSet<Id>,
}

impl VisitMut for Preparation {
    noop_visit_mut_type!();

    fn visit_mut_class(&mut self, class: &mut Class) {
        class.visit_mut_children_with(self);
        // Members of instances are decorated before those of the class.
        if class.body.iter().any(|member| is_static(member) && is_decorated(member))
            && !class.body.iter().any(has_computed_key)
        {
            class.body.sort_by_key(is_static);
        }
    }

    fn visit_mut_class_decl(&mut self, decl: &mut ClassDecl) {
        decl.visit_mut_children_with(self);
        if is_class_decorated(&decl.class) && mentions(&decl.class, &decl.ident) {
            self.replaceable.insert(decl.ident.to_id());
        }
    }
}

/// Puts what decorates members into the class where it mentions private names, which mean nothing behind the class.
struct PrivateNamesInside;

impl PrivateNamesInside {
    /// Moves the calls that follow a class, up to the last one that has to be inside.
    fn enclose<T>(items: &mut Vec<T>, class: fn(&mut T) -> Option<&mut Class>, decoration: fn(&T) -> Option<&Expr>) {
        let mut at = 0;
        while at < items.len() {
            at += 1;
            if class(&mut items[at - 1]).is_none() {
                continue;
            }
            let calls = items[at..].iter().map_while(decoration);
            let Some(last) =
                calls.enumerate().filter(|(_, call)| mentions_private_name(call)).map(|(index, _)| index).last()
            else {
                continue;
            };
            let moved: Vec<Expr> = items.drain(at..=at + last).filter_map(|item| decoration(&item).cloned()).collect();
            if let Some(class) = class(&mut items[at - 1]) {
                class.body.push(ast::static_block(moved));
            }
        }
    }
}

impl VisitMut for PrivateNamesInside {
    noop_visit_mut_type!();

    fn visit_mut_stmts(&mut self, stmts: &mut Vec<Stmt>) {
        stmts.visit_mut_children_with(self);
        Self::enclose(stmts, class_of_statement, decoration);
    }

    fn visit_mut_module_items(&mut self, items: &mut Vec<ModuleItem>) {
        items.visit_mut_children_with(self);
        Self::enclose(items, class_of_item, |item| item.as_stmt().and_then(decoration));
    }
}

fn class_of_item(item: &mut ModuleItem) -> Option<&mut Class> {
    match item {
        ModuleItem::Stmt(stmt) => class_of_statement(stmt),
        ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => class_of_declaration(&mut export.decl),
        ModuleItem::ModuleDecl(ModuleDecl::ExportDefaultDecl(export)) => {
            export.decl.as_mut_class().map(|class| &mut *class.class)
        }
        ModuleItem::ModuleDecl(_) => None,
    }
}

fn class_of_statement(stmt: &mut Stmt) -> Option<&mut Class> {
    class_of_declaration(stmt.as_mut_decl()?)
}

fn class_of_declaration(decl: &mut Decl) -> Option<&mut Class> {
    match decl {
        Decl::Class(decl) => Some(&mut decl.class),
        Decl::Var(var) => match var.decls.as_mut_slice() {
            [VarDeclarator { init: Some(init), .. }] => init.as_mut_class().map(|class| &mut *class.class),
            _ => None,
        },
        _ => None,
    }
}

/// `_ts_decorate([…], Class.prototype, "name", …)`
fn decoration(stmt: &Stmt) -> Option<&Expr> {
    let expr = &stmt.as_expr()?.expr;
    expr.as_call().is_some_and(|call| is_call_of(call, "_ts_decorate")).then_some(expr)
}

fn mentions_private_name(expr: &Expr) -> bool {
    let mut search = MentionsPrivateName(false);
    expr.visit_with(&mut search);
    search.0
}

struct MentionsPrivateName(bool);

impl Visit for MentionsPrivateName {
    noop_visit_type!();

    fn visit_private_name(&mut self, _: &PrivateName) {
        self.0 = true;
    }

    // It may have names of its own.
    fn visit_class(&mut self, _: &Class) {}
}

fn is_static(member: &ClassMember) -> bool {
    match member {
        ClassMember::Method(method) => method.is_static,
        ClassMember::PrivateMethod(method) => method.is_static,
        ClassMember::ClassProp(prop) => prop.is_static,
        ClassMember::PrivateProp(prop) => prop.is_static,
        ClassMember::AutoAccessor(accessor) => accessor.is_static,
        ClassMember::StaticBlock(_) => true,
        _ => false,
    }
}

fn is_decorated(member: &ClassMember) -> bool {
    match member {
        ClassMember::Method(method) => {
            let mut parameters = method.function.params.iter();
            !method.function.decorators.is_empty() || parameters.any(|parameter| !parameter.decorators.is_empty())
        }
        ClassMember::ClassProp(prop) => !prop.decorators.is_empty(),
        _ => false,
    }
}

fn has_computed_key(member: &ClassMember) -> bool {
    let key = match member {
        ClassMember::Method(method) => &method.key,
        ClassMember::ClassProp(prop) => &prop.key,
        _ => return false,
    };
    matches!(key, PropName::Computed(key) if !key.expr.is_lit())
}

/// Whether a class, or a parameter of its constructor, has decorators.
fn is_class_decorated(class: &Class) -> bool {
    let is_parameter_decorated = |parameter: &ParamOrTsParamProp| match parameter {
        ParamOrTsParamProp::Param(parameter) => !parameter.decorators.is_empty(),
        ParamOrTsParamProp::TsParamProp(parameter) => !parameter.decorators.is_empty(),
    };
    let mut constructors = class.body.iter().filter_map(ClassMember::as_constructor);
    !class.decorators.is_empty() || constructors.any(|it| it.params.iter().any(is_parameter_decorated))
}

/// Whether the body of a class uses a name.
fn mentions(class: &Class, name: &Ident) -> bool {
    let mut search = Mention { id: name.to_id(), is_found: false };
    class.body.visit_with(&mut search);
    search.is_found
}

struct Mention {
    id: Id,
    is_found: bool,
}

impl Visit for Mention {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.is_found |= ident.to_id() == self.id;
    }
}

/// Makes declared classes into variables: `class A { … A … }` refers to itself whatever a decorator puts in its place.
struct Replaceable(FxHashSet<Id>);

impl VisitMut for Replaceable {
    noop_visit_mut_type!();

    fn visit_mut_decl(&mut self, decl: &mut Decl) {
        decl.visit_mut_children_with(self);
        if let Decl::Class(class) = decl
            && self.0.contains(&class.ident.to_id())
        {
            *decl = as_variable(class);
        }
    }
}

/// `var A = class { static { A = this; } … }`: fields of the class can use its name as before.
fn as_variable(decl: &mut ClassDecl) -> Decl {
    let name = decl.ident.clone();
    let mut class = std::mem::take(&mut decl.class);
    let this = assignment(name.clone().into(), Expr::This(ThisExpr { span: DUMMY_SP }));
    class.body.insert(0, ast::static_block(vec![this]));
    let init = Some(Box::new(Expr::Class(ClassExpr { ident: None, class })));
    let declarator = VarDeclarator { span: DUMMY_SP, name: name.into(), init, definite: false };
    Decl::Var(Box::new(VarDecl { kind: VarDeclKind::Var, decls: vec![declarator], ..VarDecl::default() }))
}

/// Takes away the type that swc's pass notes for classes. The compiler does so for their members only.
struct WithoutTypesOfClasses;

impl VisitMut for WithoutTypesOfClasses {
    noop_visit_mut_type!();

    fn visit_mut_call_expr(&mut self, call: &mut CallExpr) {
        call.visit_mut_children_with(self);
        // Calls for members have more arguments.
        if is_call_of(call, "_ts_decorate")
            && let [decorators, _] = &mut *call.args
            && let Expr::Array(decorators) = &mut *decorators.expr
        {
            decorators.elems.retain(|decorator| !decorator.as_ref().is_some_and(|it| is_type(&it.expr)));
        }
    }
}

/// `_ts_metadata("design:type", …)`
fn is_type(decorator: &Expr) -> bool {
    let Expr::Call(call) = decorator else { return false };
    let key = call.args.first().map(|key| &*key.expr);
    is_call_of(call, "_ts_metadata") && matches!(key, Some(Expr::Lit(Lit::Str(key))) if key.value == *"design:type")
}

fn is_call_of(call: &CallExpr, name: &str) -> bool {
    matches!(&call.callee, Callee::Expr(callee) if callee.as_ident().is_some_and(|callee| callee.sym == name))
}

/// `T | null` and `T | undefined` have the metadata of `T`.
struct WithoutNull;

impl VisitMut for WithoutNull {
    fn visit_mut_ts_type(&mut self, of: &mut TsType) {
        of.visit_mut_children_with(self);
        if let TsType::TsUnionOrIntersectionType(union) = of
            && let Some(TsUnionType { types, .. }) = union.as_mut_ts_union_type()
        {
            types.retain(|of| !is_nothing(of));
            if let [_] = types.as_slice()
                && let Some(only) = types.pop()
            {
                *of = *only;
            }
        }
    }
}

fn is_nothing(of: &TsType) -> bool {
    matches!(of, TsType::TsKeywordType(of)
        if matches!(of.kind, TsKeywordTypeKind::TsNullKeyword | TsKeywordTypeKind::TsUndefinedKeyword))
}
