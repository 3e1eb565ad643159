//! `accessor name = value` as a private field with a getter and a setter, which is what decorators of TypeScript's own kind
//! get to see of it.

use swc_core::{
    common::DUMMY_SP,
    ecma::{
        ast::{
            AssignExpr, AssignOp, AutoAccessor, Class, ClassMember, ClassMethod, ComputedPropName, Expr, Function,
            FunctionBody, Ident, Key, MemberExpr, MemberProp, MethodKind, Param, PrivateMethod, PrivateName,
            PrivateProp, Program, PropName, ReturnStmt, Stmt, ThisExpr, VarDeclKind,
        },
        utils::{prepend_stmt, private_ident},
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::ast;

/// Lowers all of them. Names must have been resolved.
pub(super) fn lower_accessors(program: &mut Program) {
    let mut accessors = Accessors::default();
    program.visit_mut_with(&mut accessors);
    let Some(keys) = ast::declare_idents(accessors.keys, VarDeclKind::Var) else { return };
    match program {
        Program::Module(module) => prepend_stmt(&mut module.body, keys.into()),
        Program::Script(script) => prepend_stmt(&mut script.body, keys),
    }
}

#[derive(Default)]
struct Accessors {
    count: usize,
    /// Variables for keys that code computes.
    keys: Vec<Ident>,
}

impl VisitMut for Accessors {
    noop_visit_mut_type!();

    fn visit_mut_class(&mut self, class: &mut Class) {
        class.visit_mut_children_with(self);
        let members = std::mem::take(&mut class.body);
        class.body = members
            .into_iter()
            .flat_map(|member| match member {
                ClassMember::AutoAccessor(accessor) if accessor.is_abstract => Vec::new(),
                ClassMember::AutoAccessor(accessor) => self.members(accessor),
                member => vec![member],
            })
            .collect();
    }
}

impl Accessors {
    fn members(&mut self, accessor: AutoAccessor) -> Vec<ClassMember> {
        let storage = self.storage(&accessor.key);
        let field = MemberExpr {
            span: accessor.span,
            obj: Box::new(Expr::This(ThisExpr { span: DUMMY_SP })),
            prop: MemberProp::PrivateName(storage.clone()),
        };
        let (getter_key, setter_key) = self.keys_of(accessor.key.clone());
        let getter = Function {
            decorators: accessor.decorators,
            return_type: accessor.type_ann.clone(),
            ..function(
                Vec::new(),
                Stmt::Return(ReturnStmt { span: DUMMY_SP, arg: Some(Box::new(field.clone().into())) }),
            )
        };
        let value = private_ident!("value");
        let assign = AssignExpr {
            span: DUMMY_SP,
            op: AssignOp::Assign,
            left: field.into(),
            right: Box::new(value.clone().into()),
        };
        let parameter = Param { span: DUMMY_SP, decorators: Vec::new(), pat: value.into() };
        let setter = function(vec![parameter], ast::expression_statement(assign.into()));
        let is_static = accessor.is_static;
        vec![
            ClassMember::PrivateProp(PrivateProp {
                span: accessor.span,
                key: storage,
                value: accessor.value,
                is_static,
                ..PrivateProp::default()
            }),
            method(getter_key, getter, MethodKind::Getter, is_static),
            method(setter_key, setter, MethodKind::Setter, is_static),
        ]
    }

    /// The name of the private field.
    fn storage(&mut self, key: &Key) -> PrivateName {
        let name = match key {
            Key::Private(name) => &*name.name,
            Key::Public(PropName::Ident(name)) => &*name.sym,
            Key::Public(_) => "",
        };
        self.count += 1;
        PrivateName { span: DUMMY_SP, name: format!("__{name}_accessor_storage_{}", self.count).into() }
    }

    /// The same key twice, computed once.
    fn keys_of(&mut self, key: Key) -> (Key, Key) {
        match key {
            Key::Public(PropName::Computed(computed)) if !computed.expr.is_lit() => {
                let variable = private_ident!("_key");
                self.keys.push(variable.clone());
                let right = computed.expr;
                let first = AssignExpr { span: DUMMY_SP, op: AssignOp::Assign, left: variable.clone().into(), right };
                let key = |expr: Expr| {
                    Key::Public(PropName::Computed(ComputedPropName { span: DUMMY_SP, expr: Box::new(expr) }))
                };
                (key(first.into()), key(variable.into()))
            }
            key => (key.clone(), key),
        }
    }
}

fn function(params: Vec<Param>, body: Stmt) -> Function {
    Function { params, body: Some(FunctionBody { span: DUMMY_SP, stmts: vec![body] }), ..Function::default() }
}

fn method(key: Key, function: Function, kind: MethodKind, is_static: bool) -> ClassMember {
    let function = Box::new(function);
    match key {
        Key::Public(key) => {
            ClassMember::Method(ClassMethod { key, function, kind, is_static, ..ClassMethod::default() })
        }
        Key::Private(key) => {
            ClassMember::PrivateMethod(PrivateMethod { key, function, kind, is_static, ..PrivateMethod::default() })
        }
    }
}
