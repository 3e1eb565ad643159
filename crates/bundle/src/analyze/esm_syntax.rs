//! What only ES modules can say, besides `import` and `export`.

use swc_core::ecma::{
    ast::{ArrowExpr, AwaitExpr, ClassMember, ForOfStmt, Function, MetaPropExpr, MetaPropKind, ModuleItem, UsingDecl},
    visit::{Visit, VisitWith, noop_visit_type},
};

/// Whether there is an `await` outside functions.
pub(crate) fn waits(body: &[ModuleItem]) -> bool {
    let mut search = Awaits(false);
    body.visit_with(&mut search);
    search.0
}

struct Awaits(bool);

impl Visit for Awaits {
    noop_visit_type!();

    fn visit_await_expr(&mut self, _: &AwaitExpr) {
        self.0 = true;
    }

    fn visit_for_of_stmt(&mut self, stmt: &ForOfStmt) {
        self.0 |= stmt.is_await;
        stmt.visit_children_with(self);
    }

    fn visit_using_decl(&mut self, using: &UsingDecl) {
        self.0 |= using.is_await;
        using.visit_children_with(self);
    }

    // An `await` in a function is that function's.
    fn visit_function(&mut self, _: &Function) {}
    fn visit_arrow_expr(&mut self, _: &ArrowExpr) {}
    fn visit_class_member(&mut self, _: &ClassMember) {}
}

/// Whether there is an `import.meta`.
pub(crate) fn has_import_meta(body: &[ModuleItem]) -> bool {
    let mut search = ImportMeta(false);
    body.visit_with(&mut search);
    search.0
}

struct ImportMeta(bool);

impl Visit for ImportMeta {
    noop_visit_type!();

    fn visit_meta_prop_expr(&mut self, meta: &MetaPropExpr) {
        self.0 |= meta.kind == MetaPropKind::ImportMeta;
    }
}
