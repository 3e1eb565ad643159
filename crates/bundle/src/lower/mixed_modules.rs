//! Mixed modules: files that import as ES modules do and export as CommonJS does. Compilers of such files made `require` of
//! the imports, so that is what they become. External modules are imported all the same: browsers have no `require`.

use rustc_hash::FxHashMap;
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, SyntaxContext},
    ecma::{
        ast::{
            Expr, Ident, ImportDecl, ImportSpecifier, KeyValueProp, MemberExpr, Module, ModuleDecl, ModuleItem, Prop,
            PropName, Stmt,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::FreshNames;
use crate::{
    analyze::esm_syntax::{has_import_meta, waits},
    ast,
    detached_calls::visit_children_detached,
    helpers::INTEROP,
};

/// Whether a file without a claimed format is one of these.
pub(crate) fn is_mixed(module: &Module, unresolved: SyntaxContext) -> bool {
    let declarations = || module.body.iter().filter_map(ModuleItem::as_module_decl);
    let only_imports = declarations().next().is_some() && declarations().all(ModuleDecl::is_import);
    only_imports && mentions_exports(module, unresolved) && !has_import_meta(&module.body) && !waits(&module.body)
}

fn mentions_exports(module: &Module, unresolved: SyntaxContext) -> bool {
    let mut search = Exports { unresolved, found: false };
    module.visit_with(&mut search);
    search.found
}

struct Exports {
    unresolved: SyntaxContext,
    found: bool,
}

impl Visit for Exports {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.found |= ident.sym == "exports" && ident.ctxt == self.unresolved;
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        let is_module = |object: &Ident| object.sym == "module" && object.ctxt == self.unresolved;
        self.found |= member.obj.as_ident().is_some_and(is_module) && member.prop.is_ident_with("exports");
        member.visit_children_with(self);
    }
}

/// Makes `require` of all imports. `text` is that of the module.
pub(crate) fn require_imports(
    module: &mut Module,
    text: &str,
    (top_level, unresolved): (SyntaxContext, SyntaxContext),
) {
    let mut replaced = Required { top_level, values: FxHashMap::default() };
    let mut requires = Vec::new();
    let (imports, rest): (Vec<_>, Vec<_>) =
        std::mem::take(&mut module.body).into_iter().partition(|item| item.as_module_decl().is_some());
    let mut names = FreshNames::new(text);
    for item in imports {
        let ModuleItem::ModuleDecl(ModuleDecl::Import(import)) = item else { continue };
        requires.extend(replaced.import(&import, &mut names, unresolved));
    }
    module.body = rest;
    module.body.visit_mut_with(&mut replaced);
    module.body.splice(0..0, requires.into_iter().map(ModuleItem::Stmt));
}

/// Replaces imported names.
struct Required {
    top_level: SyntaxContext,
    values: FxHashMap<Atom, Expr>,
}

impl Required {
    /// The statements that take the place of an import.
    fn import(&mut self, import: &ImportDecl, names: &mut FreshNames<'_>, unresolved: SyntaxContext) -> Vec<Stmt> {
        let outside = |name: &str| Expr::Ident(Ident::new(name.into(), import.span, unresolved));
        let mut call = ast::call(outside("require"), vec![ast::string(&import.src.value.to_string_lossy())]);
        if let Expr::Call(call) = &mut call {
            call.span = import.src.span;
        }
        if import.specifiers.is_empty() {
            return vec![ast::expression_statement(call)];
        }
        let (object, namespace) = (names.make("imported"), names.make("namespace"));
        let mut needs_namespace = false;
        for specifier in &import.specifiers {
            let mut of_namespace = || {
                needs_namespace = true;
                self.variable(&namespace)
            };
            let value = match specifier {
                ImportSpecifier::Namespace(_) => of_namespace(),
                ImportSpecifier::Default(_) => ast::member(of_namespace(), &"default".into(), DUMMY_SP),
                ImportSpecifier::Named(one) => {
                    let imported = one.imported.as_ref().map(|name| name.atom().into_owned());
                    match imported.unwrap_or_else(|| one.local.sym.clone()) {
                        name if name == "default" => ast::member(of_namespace(), &name, DUMMY_SP),
                        name => ast::member(self.variable(&object), &name, DUMMY_SP),
                    }
                }
            };
            self.values.insert(specifier.local().sym.clone(), value);
        }
        let mut statements = vec![self.declare(&object, call)];
        if needs_namespace {
            statements.push(self.declare(&namespace, ast::call(outside(INTEROP), vec![self.variable(&object)])));
        }
        statements
    }

    fn variable(&self, name: &Atom) -> Expr {
        Expr::Ident(Ident::new(name.clone(), DUMMY_SP, self.top_level))
    }

    fn declare(&self, name: &Atom, value: Expr) -> Stmt {
        let mut statement = ast::declare(name, value);
        if let Stmt::Decl(declaration) = &mut statement
            && let Some(variable) = declaration.as_mut_var().and_then(|var| var.decls[0].name.as_mut_ident())
        {
            variable.ctxt = self.top_level;
        }
        statement
    }

    fn value(&self, ident: &Ident) -> Option<Expr> {
        self.values.get(&ident.sym).filter(|_| ident.ctxt == self.top_level).cloned()
    }
}

impl VisitMut for Required {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        match expr.as_ident().and_then(|ident| self.value(ident)) {
            Some(value) => *expr = value,
            // What is imported is called without a `this`.
            None => visit_children_detached(expr, self),
        }
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(ident) = prop
            && let Some(value) = self.value(ident)
        {
            *prop = Prop::KeyValue(KeyValueProp { key: PropName::Ident(ident.clone().into()), value: Box::new(value) });
            return;
        }
        prop.visit_mut_children_with(self);
    }
}
