//! Which statements declare something that is the same whenever they run, so that they may run before everything else.

use swc_core::ecma::ast::{
    Class, ClassMember, Decl, Expr, ObjectLit, Prop, PropName, PropOrSpread, Stmt, UnaryOp, VarDecl,
};

/// Whether a top-level statement only declares functions, classes and plain data made of nothing but itself.
pub(crate) fn is_constant(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Empty(_) | Stmt::Decl(Decl::Fn(_)) => true,
        Stmt::Decl(Decl::Class(class)) => class_is_constant(&class.class),
        Stmt::Decl(Decl::Var(var)) => variables_are_constant(var),
        _ => false,
    }
}

fn variables_are_constant(var: &VarDecl) -> bool {
    var.decls.iter().all(|decl| decl.name.is_ident() && decl.init.as_deref().is_none_or(value_is_constant))
}

fn value_is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Fn(_) | Expr::Arrow(_) => true,
        Expr::Class(class) => class_is_constant(&class.class),
        Expr::Tpl(template) => template.exprs.is_empty(),
        Expr::Unary(unary) => match unary.op {
            UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Bang | UnaryOp::Tilde | UnaryOp::Void => unary.arg.is_lit(),
            UnaryOp::TypeOf | UnaryOp::Delete => false,
        },
        Expr::Array(array) => {
            array.elems.iter().flatten().all(|element| element.spread.is_none() && value_is_constant(&element.expr))
        }
        Expr::Object(object) => object_is_constant(object),
        _ => false,
    }
}

fn object_is_constant(object: &ObjectLit) -> bool {
    object.props.iter().all(|prop| match prop {
        PropOrSpread::Spread(_) => false,
        PropOrSpread::Prop(prop) => match &**prop {
            Prop::KeyValue(pair) => is_plain_key(&pair.key) && value_is_constant(&pair.value),
            Prop::Method(method) => is_plain_key(&method.key),
            Prop::Getter(getter) => is_plain_key(&getter.key),
            Prop::Setter(setter) => is_plain_key(&setter.key),
            Prop::Shorthand(_) | Prop::Assign(_) => false,
        },
    })
}

fn class_is_constant(class: &Class) -> bool {
    class.super_class.is_none() && class.decorators.is_empty() && class.body.iter().all(member_is_constant)
}

fn member_is_constant(member: &ClassMember) -> bool {
    match member {
        ClassMember::Constructor(_) | ClassMember::Empty(_) | ClassMember::TsIndexSignature(_) => true,
        ClassMember::Method(method) => is_plain_key(&method.key) && method.function.decorators.is_empty(),
        ClassMember::PrivateMethod(method) => method.function.decorators.is_empty(),
        ClassMember::ClassProp(prop) => !prop.is_static && is_plain_key(&prop.key) && prop.decorators.is_empty(),
        ClassMember::PrivateProp(prop) => !prop.is_static && prop.decorators.is_empty(),
        ClassMember::AutoAccessor(_) | ClassMember::StaticBlock(_) => false,
    }
}

fn is_plain_key(key: &PropName) -> bool {
    !key.is_computed()
}
