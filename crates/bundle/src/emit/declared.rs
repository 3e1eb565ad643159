//! Where the variables of a chunk are declared, for messages about code that reads them too early.

use std::collections::BTreeMap;

use swc_core::{
    common::BytePos,
    ecma::{
        ast::{Decl, Ident, Program, Stmt},
        utils::find_pat_ids,
    },
};

/// The names that a program declares at its top level before their declaration has run: those of `let`, `const` and `class`,
/// with the positions of the declarations.
pub(super) fn declared_late(program: &Program) -> BTreeMap<String, BytePos> {
    let Program::Module(module) = program else { return BTreeMap::new() };
    let declarations = module.body.iter().filter_map(|item| match item.as_stmt()? {
        Stmt::Decl(declaration) => Some(declaration),
        _ => None,
    });
    let names = declarations.flat_map(|declaration| match declaration {
        Decl::Var(variables) => find_pat_ids::<_, Ident>(&variables.decls),
        Decl::Class(class) => vec![class.ident.clone()],
        _ => Vec::new(),
    });
    names.map(|ident| (ident.sym.to_string(), ident.span.lo)).collect()
}
