//! `using`, to what engines run.

use swc_core::{
    common::SyntaxContext,
    ecma::{
        ast::{Decl, ModuleItem, Program, Stmt},
        transforms::proposal::explicit_resource_management::explicit_resource_management,
    },
};

/// The helper that disposes of resources, and the variable in which another one keeps the constructor that it calls.
const DISPOSE: &str = "_ts_dispose_resources";
const ERROR: &str = "_SuppressedError";

pub(super) fn lower_disposal(program: &mut Program) {
    program.mutate(explicit_resource_management());
}

/// Makes the variable of a helper the one that the other helper means: they have been marked apart, and would be renamed.
/// `top_level` is the context of what the file itself declares.
pub(super) fn join_helpers(program: &mut Program, top_level: SyntaxContext) {
    let mut stmts: Vec<&mut Stmt> = match program {
        Program::Module(module) => module.body.iter_mut().filter_map(ModuleItem::as_mut_stmt).collect(),
        Program::Script(script) => script.body.iter_mut().collect(),
    };
    let function = stmts.iter().find_map(|stmt| stmt.as_decl()?.as_fn_decl().filter(|it| it.ident.sym == DISPOSE));
    let Some(context) = function.map(|function| function.ident.ctxt) else { return };
    let variables = stmts.iter_mut().filter_map(|stmt| stmt.as_mut_decl().and_then(Decl::as_mut_var));
    for declarator in variables.flat_map(|var| &mut var.decls) {
        if let Some(name) = declarator.name.as_mut_ident()
            && name.sym == ERROR
            && name.ctxt != top_level
        {
            name.ctxt = context;
        }
    }
}
