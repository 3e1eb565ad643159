//! Decorators as TypeScript had them before there was a proposal for all of JavaScript, where swc's pass differs from
//! the compiler.

use rustc_hash::FxHashSet;
use swc_core::{
    common::DUMMY_SP,
    ecma::{
        ast::{
            AssignExpr, AssignOp, AssignTarget, BlockStmt, Class, ClassDecl, ClassExpr, ClassMember, Decl, Expr, Id,
            Ident, ParamOrTsParamProp, Program, PropName, StaticBlock, ThisExpr, TsKeywordTypeKind, TsType,
            TsUnionType, VarDecl, VarDeclKind, VarDeclarator,
        },
        transforms::proposal::decorators::{Config, decorators},
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use crate::bundle::build::expression_statement;

/// Lowers decorators. Names must have been resolved.
pub(crate) fn lower_legacy_decorators(program: &mut Program, emit_metadata: bool) {
    let mut preparation = Preparation::default();
    program.visit_mut_with(&mut preparation);
    if emit_metadata {
        program.visit_mut_with(&mut WithoutNull);
    }
    program.mutate(decorators(Config { legacy: true, emit_metadata, use_define_for_class_fields: true }));
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
    let this = Expr::Assign(AssignExpr {
        span: DUMMY_SP,
        op: AssignOp::Assign,
        left: AssignTarget::Simple(name.clone().into()),
        right: Box::new(Expr::This(ThisExpr { span: DUMMY_SP })),
    });
    let body = BlockStmt { stmts: vec![expression_statement(this)], ..BlockStmt::default() };
    class.body.insert(0, ClassMember::StaticBlock(StaticBlock { span: DUMMY_SP, body }));
    let init = Some(Box::new(Expr::Class(ClassExpr { ident: None, class })));
    let declarator = VarDeclarator { span: DUMMY_SP, name: name.into(), init, definite: false };
    Decl::Var(Box::new(VarDecl { kind: VarDeclKind::Var, decls: vec![declarator], ..VarDecl::default() }))
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
