//! Fields of classes as TypeScript understands them without `useDefineForClassFields`: one with a value is assigned, in
//! the constructor or a static block, which setters notice; one without is only a type.

use std::mem::{replace, take};

use swc_core::{
    common::{DUMMY_SP, Span, Spanned},
    ecma::{
        ast::{
            AssignExpr, AssignOp, AssignTarget, BlockStmt, Class, ClassMember, ClassProp, ComputedPropName, Decl, Expr,
            FunctionBody, Ident, MemberExpr, MemberProp, ModuleItem, PrivateProp, Program, PropName,
            SimpleAssignTarget, StaticBlock, Stmt, ThisExpr, VarDecl, VarDeclKind, VarDeclarator,
        },
        utils::{alias_ident_for, constructor::inject_after_super, default_constructor_with_span, prepend_stmt},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::bundle::build::expression_statement;

/// Turns fields into assignments. Names must have been resolved, so that those which the values share with parameters
/// of the constructor can be told apart.
pub(crate) fn assign_fields(program: &mut Program) {
    program.visit_mut_with(&mut Fields::default());
}

#[derive(Default)]
struct Fields {
    /// Variables of the function at hand that hold computed keys.
    keys: Vec<Ident>,
}

impl Fields {
    /// The members of a class that stay, of which the values of fields are gone to `values`.
    fn member(&mut self, member: ClassMember, values: &mut Vec<Expr>) -> Option<ClassMember> {
        match member {
            ClassMember::ClassProp(prop) if !prop.declare => self.field(prop, values),
            ClassMember::PrivateProp(mut prop) if !prop.is_static => {
                values.extend(private_assignment(&mut prop));
                Some(ClassMember::PrivateProp(prop))
            }
            member => Some(member),
        }
    }

    fn field(&mut self, prop: ClassProp, values: &mut Vec<Expr>) -> Option<ClassMember> {
        let span = prop.span;
        let key = match prop.key {
            PropName::Ident(name) => MemberProp::Ident(name),
            key => MemberProp::Computed(ComputedPropName { span: key.span(), expr: Box::new(key_value(key)) }),
        };
        match (prop.value, prop.is_static) {
            (None, _) => runs_at_definition(key).map(|key| static_block(*key)),
            (Some(value), true) => Some(static_block(assignment(span, key, value))),
            (Some(value), false) => {
                let (key, evaluation) = self.evaluated_once(key);
                values.push(assignment(span, key, value));
                evaluation
            }
        }
    }

    /// A key that can stand in the constructor, and what computes it when the class is defined.
    fn evaluated_once(&mut self, key: MemberProp) -> (MemberProp, Option<ClassMember>) {
        let span = key.span();
        match runs_at_definition(key.clone()) {
            None => (key, None),
            Some(expr) => {
                let variable = alias_ident_for(&expr, "_key");
                self.keys.push(variable.clone());
                let evaluation = Expr::Assign(AssignExpr {
                    span,
                    op: AssignOp::Assign,
                    left: AssignTarget::Simple(variable.clone().into()),
                    right: expr,
                });
                let key = MemberProp::Computed(ComputedPropName { span, expr: variable.into() });
                (key, Some(static_block(evaluation)))
            }
        }
    }

    /// Visits what has variables of its own, and returns the declaration of those that hold keys.
    fn scope(&mut self, visit: impl FnOnce(&mut Self)) -> Option<Stmt> {
        let outer = take(&mut self.keys);
        visit(self);
        let keys = replace(&mut self.keys, outer);
        let decls: Vec<_> = keys
            .into_iter()
            .map(|key| VarDeclarator { span: DUMMY_SP, name: key.into(), init: None, definite: false })
            .collect();
        let is_needed = !decls.is_empty();
        let var = VarDecl { kind: VarDeclKind::Var, decls, ..VarDecl::default() };
        is_needed.then(|| Stmt::Decl(Decl::Var(Box::new(var))))
    }
}

fn key_value(key: PropName) -> Expr {
    match key {
        PropName::Ident(name) => Expr::Lit(name.sym.into()),
        PropName::Str(text) => Expr::Lit(text.into()),
        PropName::Num(number) => Expr::Lit(number.into()),
        PropName::BigInt(number) => Expr::Lit(number.into()),
        PropName::Computed(key) => *key.expr,
    }
}

/// The expression of a computed key, unless it is the same whenever it is evaluated.
fn runs_at_definition(key: MemberProp) -> Option<Box<Expr>> {
    match key {
        MemberProp::Computed(key) if !key.expr.is_lit() => Some(key.expr),
        _ => None,
    }
}

/// `this.key = value`
fn assignment(span: Span, key: MemberProp, value: Box<Expr>) -> Expr {
    let this = Box::new(Expr::This(ThisExpr { span: DUMMY_SP }));
    let member = MemberExpr { span: key.span(), obj: this, prop: key };
    let left = AssignTarget::Simple(SimpleAssignTarget::Member(member));
    Expr::Assign(AssignExpr { span, op: AssignOp::Assign, left, right: value })
}

/// `this.#key = value`: a private field keeps its place between the others.
fn private_assignment(prop: &mut PrivateProp) -> Option<Expr> {
    let value = prop.value.take()?;
    Some(assignment(prop.span, MemberProp::PrivateName(prop.key.clone()), value))
}

fn static_block(expr: Expr) -> ClassMember {
    let body = BlockStmt { stmts: vec![expression_statement(expr)], ..BlockStmt::default() };
    ClassMember::StaticBlock(StaticBlock { span: DUMMY_SP, body })
}

impl VisitMut for Fields {
    noop_visit_mut_type!();

    fn visit_mut_class(&mut self, class: &mut Class) {
        class.visit_mut_children_with(self);
        let has_fields =
            class.body.iter().any(|member| matches!(member, ClassMember::ClassProp(prop) if !prop.declare));
        if !has_fields {
            return;
        }
        let mut values = Vec::new();
        let members = take(&mut class.body);
        class.body = members.into_iter().filter_map(|member| self.member(member, &mut values)).collect();
        if values.is_empty() {
            return;
        }
        let constructor = class.body.iter_mut().find_map(|member| match member {
            ClassMember::Constructor(constructor) if constructor.body.is_some() => Some(constructor),
            _ => None,
        });
        if let Some(constructor) = constructor {
            inject_after_super(constructor, values.into_iter().map(Box::new).collect());
        } else {
            let mut constructor = default_constructor_with_span(class.super_class.is_some(), class.span);
            inject_after_super(&mut constructor, values.into_iter().map(Box::new).collect());
            class.body.insert(0, ClassMember::Constructor(constructor));
        }
    }

    fn visit_mut_module_items(&mut self, items: &mut Vec<ModuleItem>) {
        if let Some(variables) = self.scope(|fields| items.visit_mut_children_with(fields)) {
            prepend_stmt(items, variables.into());
        }
    }

    fn visit_mut_function_body(&mut self, body: &mut FunctionBody) {
        if let Some(variables) = self.scope(|fields| body.visit_mut_children_with(fields)) {
            prepend_stmt(&mut body.stmts, variables);
        }
    }
}
