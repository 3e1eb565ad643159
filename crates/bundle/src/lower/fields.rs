//! Fields of classes as TypeScript understands them without `useDefineForClassFields`: one with a value is assigned, in
//! the constructor or a static block, which setters notice; one without is only a type.

use std::mem::{replace, take};

use swc_core::{
    common::{DUMMY_SP, Span, Spanned, util::take::Take},
    ecma::{
        ast::{
            AssignExpr, AssignOp, AssignTarget, Class, ClassMember, ClassProp, ComputedPropName, Expr, FunctionBody,
            Ident, MemberExpr, MemberProp, ModuleItem, PrivateProp, Program, PropName, SimpleAssignTarget, Stmt,
            ThisExpr, VarDeclKind,
        },
        utils::{alias_ident_for, constructor::inject_after_super, default_constructor_with_span, prepend_stmt},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::ast;

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

/// What is taken out of a class.
#[derive(Default)]
struct Taken {
    /// What the constructor assigns.
    values: Vec<Expr>,
    /// Computed keys, which are evaluated with the next one that stays: all of them come before anything static runs.
    keys: Vec<Expr>,
}

impl Fields {
    /// The members of a class that stay, of which the values of fields are gone to `taken`.
    fn member(&mut self, member: ClassMember, taken: &mut Taken) -> Option<ClassMember> {
        match member {
            ClassMember::ClassProp(prop) if !prop.declare => self.field(prop, taken),
            ClassMember::PrivateProp(mut prop) if !prop.is_static => {
                taken.values.extend(private_assignment(&mut prop));
                Some(ClassMember::PrivateProp(prop))
            }
            ClassMember::Method(mut method) => {
                if let PropName::Computed(key) = &mut method.key
                    && !taken.keys.is_empty()
                {
                    let before = take(&mut taken.keys);
                    *key.expr = ast::sequence(before.into_iter().chain([*key.expr.take()]).collect());
                }
                Some(ClassMember::Method(method))
            }
            member => Some(member),
        }
    }

    fn field(&mut self, prop: ClassProp, taken: &mut Taken) -> Option<ClassMember> {
        let span = prop.span;
        let key = match prop.key {
            PropName::Ident(name) => MemberProp::Ident(name),
            key => MemberProp::Computed(ComputedPropName { span: key.span(), expr: Box::new(key_value(key)) }),
        };
        match (prop.value, prop.is_static) {
            (None, _) => {
                taken.keys.extend(runs_at_definition(key).map(|key| *key));
                None
            }
            (Some(value), true) => {
                Some(ast::static_block(vec![assignment(span, self.evaluated_once(key, taken), value)]))
            }
            (Some(value), false) => {
                let key = self.evaluated_once(key, taken);
                taken.values.push(assignment(span, key, value));
                None
            }
        }
    }

    /// A key that can stand in code which runs later.
    fn evaluated_once(&mut self, key: MemberProp, taken: &mut Taken) -> MemberProp {
        let span = key.span();
        let Some(expr) = runs_at_definition(key.clone()) else { return key };
        let variable = alias_ident_for(&expr, "_key");
        self.keys.push(variable.clone());
        taken.keys.push(Expr::Assign(AssignExpr {
            span,
            op: AssignOp::Assign,
            left: AssignTarget::Simple(variable.clone().into()),
            right: expr,
        }));
        MemberProp::Computed(ComputedPropName { span, expr: variable.into() })
    }

    /// Visits what has variables of its own, and returns the declaration of those that hold keys.
    fn scope(&mut self, visit: impl FnOnce(&mut Self)) -> Option<Stmt> {
        let outer = take(&mut self.keys);
        visit(self);
        let keys = replace(&mut self.keys, outer);
        ast::declare_idents(keys, VarDeclKind::Var)
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

impl VisitMut for Fields {
    noop_visit_mut_type!();

    fn visit_mut_class(&mut self, class: &mut Class) {
        class.visit_mut_children_with(self);
        let has_fields =
            class.body.iter().any(|member| matches!(member, ClassMember::ClassProp(prop) if !prop.declare));
        if !has_fields {
            return;
        }
        let mut taken = Taken::default();
        let members = take(&mut class.body);
        class.body = members.into_iter().filter_map(|member| self.member(member, &mut taken)).collect();
        let Taken { values, keys } = taken;
        if !keys.is_empty() {
            class.body.insert(0, ast::static_block(keys));
        }
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
