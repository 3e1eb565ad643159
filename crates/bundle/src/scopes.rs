//! Which variable a name means.

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{Mark, SyntaxContext},
    ecma::{
        ast::{
            ArrowExpr, BreakStmt, CatchClause, ClassDecl, ClassExpr, Constructor, ContinueStmt, Decl, FnDecl, FnExpr,
            Function, Id, Ident, LabeledStmt, Program, Stmt, SwitchStmt, TsEnumDecl, TsImportEqualsDecl, TsModuleDecl,
            TsNamespaceDecl, VarDeclKind, VarDeclarator,
        },
        transforms::base::resolver,
        utils::find_pat_ids,
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::analyze::declared::declared_idents;

/// Tells variables of the same name apart by their contexts.
pub(super) fn resolve_names(program: &mut Program, (unresolved, top_level): (Mark, Mark), is_typescript: bool) {
    program.mutate(resolver(unresolved, top_level, is_typescript));
    program.visit_mut_with(&mut Switches);
}

/// What one case of a `switch` declares is there in all of them. The resolver finds it in the cases that follow only.
struct Switches;

impl VisitMut for Switches {
    noop_visit_mut_type!();

    fn visit_mut_switch_stmt(&mut self, stmt: &mut SwitchStmt) {
        stmt.visit_mut_children_with(self);
        let declared = stmt.cases.iter().flat_map(|case| &case.cons).filter_map(lexical).flat_map(declared_idents);
        let declared: FxHashMap<Atom, SyntaxContext> = declared.map(|name| (name.sym, name.ctxt)).collect();
        if declared.is_empty() {
            return;
        }
        let bound = bound_in(&stmt.cases);
        stmt.cases.visit_mut_with(&mut EarlyNames { declared, bound });
    }
}

/// A declaration that is there in the block that it stands in.
fn lexical(stmt: &Stmt) -> Option<&Decl> {
    stmt.as_decl().filter(|decl| decl.as_var().is_none_or(|var| var.kind != VarDeclKind::Var))
}

/// Gives names the contexts of the variables that they mean.
struct EarlyNames {
    declared: FxHashMap<Atom, SyntaxContext>,
    /// What is declared in the code at hand.
    bound: FxHashSet<Id>,
}

impl VisitMut for EarlyNames {
    noop_visit_mut_type!();

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if let Some(context) = self.declared.get(&ident.sym)
            && !self.bound.contains(&ident.to_id())
        {
            ident.ctxt = *context;
        }
    }

    // Labels are no variables.
    fn visit_mut_labeled_stmt(&mut self, stmt: &mut LabeledStmt) {
        stmt.body.visit_mut_with(self);
    }
    fn visit_mut_break_stmt(&mut self, _: &mut BreakStmt) {}
    fn visit_mut_continue_stmt(&mut self, _: &mut ContinueStmt) {}
}

/// All that a piece of code declares, at any depth.
pub(super) fn bound_in<T: VisitWith<Bound>>(code: &T) -> FxHashSet<Id> {
    let mut bound = Bound::default();
    code.visit_with(&mut bound);
    bound.0
}

/// The visitor of [`bound_in`].
#[derive(Default)]
pub(super) struct Bound(FxHashSet<Id>);

impl Visit for Bound {
    noop_visit_type!();

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        self.0.extend(find_pat_ids::<_, Id>(&declarator.name));
        declarator.visit_children_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        self.0.extend(find_pat_ids::<_, Id>(&function.params));
        function.visit_children_with(self);
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.0.extend(find_pat_ids::<_, Id>(&arrow.params));
        arrow.visit_children_with(self);
    }

    fn visit_constructor(&mut self, constructor: &Constructor) {
        self.0.extend(find_pat_ids::<_, Id>(&constructor.params));
        constructor.visit_children_with(self);
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause) {
        self.0.extend(find_pat_ids::<_, Id>(&clause.param));
        clause.visit_children_with(self);
    }

    fn visit_fn_decl(&mut self, decl: &FnDecl) {
        self.0.insert(decl.ident.to_id());
        decl.visit_children_with(self);
    }

    fn visit_fn_expr(&mut self, expr: &FnExpr) {
        self.0.extend(expr.ident.as_ref().map(Ident::to_id));
        expr.visit_children_with(self);
    }

    fn visit_class_decl(&mut self, decl: &ClassDecl) {
        self.0.insert(decl.ident.to_id());
        decl.visit_children_with(self);
    }

    fn visit_class_expr(&mut self, expr: &ClassExpr) {
        self.0.extend(expr.ident.as_ref().map(Ident::to_id));
        expr.visit_children_with(self);
    }

    fn visit_ts_enum_decl(&mut self, decl: &TsEnumDecl) {
        self.0.insert(decl.id.to_id());
        decl.visit_children_with(self);
    }

    fn visit_ts_module_decl(&mut self, module: &TsModuleDecl) {
        self.0.extend(module.id.as_ident().map(Ident::to_id));
        module.visit_children_with(self);
    }

    fn visit_ts_namespace_decl(&mut self, namespace: &TsNamespaceDecl) {
        self.0.insert(namespace.id.to_id());
        namespace.visit_children_with(self);
    }

    fn visit_ts_import_equals_decl(&mut self, import: &TsImportEqualsDecl) {
        self.0.insert(import.id.to_id());
    }
}
