//! Early errors of declarations: names that are declared or exported twice, imports that are assigned to, exports of what
//! nobody declares. The parser does not look for these, and engines refuse the whole file for each.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::Span,
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, BlockStmt, CatchClause, ClassDecl, Constructor, Decl, DefaultDecl, ExportDecl,
            ExportSpecifier, Expr, FnDecl, ForHead, ForInStmt, ForOfStmt, ForStmt, Function, FunctionBody, Id, Ident,
            ImportDecl, ImportSpecifier, Module, ModuleDecl, ModuleExportName, ModuleItem, Param, Pat, Program,
            SimpleAssignTarget, StaticBlock, SwitchStmt, TsAsExpr, TsEnumDecl, TsModuleDecl, TsNonNullExpr,
            TsSatisfiesExpr, TsTypeAssertion, UpdateExpr, UsingDecl, VarDecl, VarDeclKind,
        },
        utils::{DestructuringFinder, find_pat_ids},
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    text::{Text, text},
};

use super::declared::{declared_idents, typescript_names};
use crate::{names::is_vendor, syntax::place};

/// What there is to say of the declarations of a file.
#[derive(Default)]
pub(crate) struct Findings {
    pub errors: Vec<Diagnostic>,
    /// Whether there is a `var x` in a `catch (x)`.
    pub repeats_caught: bool,
    /// Whether there is a regular expression literal that the engine would refuse: see [`RegexSupport::Constructor`].
    pub has_refused_regex: bool,
}

/// Looks at them. Names are resolved already: one that an import declares has the context of that import.
pub(crate) fn check_bindings(source: &Arc<SourceText>, program: &Program, rules: Rules) -> Findings {
    let mut bindings = Bindings {
        source,
        rules,
        scopes: vec![Scope::new(ScopeKind::Function)],
        imports: FxHashMap::default(),
        constants: FxHashMap::default(),
        is_vendor: is_vendor(&source.name),
        assigned: Vec::new(),
        exports: FxHashMap::default(),
        findings: Findings::default(),
    };
    program.visit_with(&mut bindings);
    bindings.check_assigned();
    bindings.findings
}

/// Which rules hold in a file.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub is_strict: bool,
    /// Names may stand for types as well, and declarations of some kinds join those of others.
    pub is_typescript: bool,
}

/// What a name was declared as, as far as others of that name go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `let`, `const`, `class`, `import`, and functions in blocks and modules
    Lexical,
    /// `var`, and functions right in a function
    Var,
    Parameter,
    /// `catch (name)`, which `var name` inside it may repeat
    Caught,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    /// Of a function, or of the whole file.
    Function,
    Block,
}

struct Scope {
    kind: ScopeKind,
    names: FxHashMap<Atom, (Kind, Span)>,
}

impl Scope {
    fn new(kind: ScopeKind) -> Self {
        Self { kind, names: FxHashMap::default() }
    }
}

struct Bindings<'a> {
    source: &'a Arc<SourceText>,
    rules: Rules,
    scopes: Vec<Scope>,
    imports: FxHashMap<Id, Span>,
    constants: FxHashMap<Id, Span>,
    is_vendor: bool,
    /// What is assigned to, and whether that is certain: `name ||= value` may do nothing.
    assigned: Vec<(Ident, bool)>,
    exports: FxHashMap<Atom, Span>,
    findings: Findings,
}

impl Bindings<'_> {
    fn scoped(&mut self, kind: ScopeKind, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(Scope::new(kind));
        visit(self);
        self.scopes.pop();
    }

    /// Declares a name in the innermost scope.
    fn declare(&mut self, ident: &Ident, kind: Kind) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let known = scope.names.get(&ident.sym).copied();
        let may_repeat = |other: Kind| match kind {
            Kind::Lexical => false,
            Kind::Var | Kind::Caught => other != Kind::Lexical,
            Kind::Parameter => !self.rules.is_strict,
        };
        match known {
            Some((other, first)) if !may_repeat(other) => self.declared_twice(ident, first),
            Some(_) => {}
            None => {
                scope.names.insert(ident.sym.clone(), (kind, ident.span));
            }
        }
    }

    /// Declares a `var`, which leaves all blocks around it.
    fn declare_var(&mut self, ident: &Ident) {
        for index in (0..self.scopes.len()).rev() {
            let scope = &mut self.scopes[index];
            match scope.names.get(&ident.sym).copied() {
                Some((Kind::Lexical, first)) => return self.declared_twice(ident, first),
                Some((Kind::Caught, _)) => self.findings.repeats_caught = true,
                Some(_) => {}
                None => {
                    scope.names.insert(ident.sym.clone(), (Kind::Var, ident.span));
                }
            }
            if scope.kind == ScopeKind::Function {
                return;
            }
        }
    }

    fn declare_all<'p>(&mut self, patterns: impl IntoIterator<Item = &'p Pat>, kind: Kind) {
        for ident in patterns.into_iter().flat_map(find_pat_ids::<_, Ident>) {
            self.declare(&ident, kind);
        }
    }

    fn declared_twice(&mut self, ident: &Ident, first: Span) {
        let name = &ident.sym;
        let message = text!("`{name}` is declared twice", "`{name}` 声明了两次");
        self.report(Diagnostic::error(message), ident.span, first, text!("first declared here", "第一次在这里声明"));
    }

    fn report(&mut self, diagnostic: Diagnostic, span: Span, first: Span, label: Text) {
        self.findings
            .errors
            .push(diagnostic.at(place(self.source, span)).with_related(place(self.source, first), label));
    }

    fn export(&mut self, name: Atom, span: Span) {
        if let Some(first) = self.exports.get(&name).copied() {
            let message = text!("`{name}` is exported twice", "`{name}` 导出了两次");
            self.report(Diagnostic::error(message), span, first, text!("first exported here", "第一次在这里导出"));
        } else {
            self.exports.insert(name, span);
        }
    }

    fn export_name(&mut self, name: &ModuleExportName) {
        match name {
            ModuleExportName::Ident(ident) => self.export(ident.sym.clone(), ident.span),
            ModuleExportName::Str(text) => match text.value.as_str() {
                Some(value) => self.export(value.into(), text.span),
                None => self.findings.errors.push(
                    Diagnostic::error(text!(
                        "an exported name must not contain a lone surrogate",
                        "导出的名字里不能有不成对的代理字符"
                    ))
                    .at(place(self.source, text.span)),
                ),
            },
        }
    }

    fn assign_in<T>(&mut self, pattern: &T, is_certain: bool)
    where
        T: VisitWith<DestructuringFinder<Ident>>,
    {
        let names = find_pat_ids::<_, Ident>(pattern);
        self.assigned.extend(names.into_iter().map(|name| (name, is_certain)));
    }

    /// `name`, or `name as Type` and the like.
    fn assign_to(&mut self, target: &Expr) {
        if let Expr::Ident(name) = without_types(target) {
            self.assigned.push((name.clone(), true));
        }
    }

    fn check_assigned(&mut self) {
        for (ident, is_certain) in std::mem::take(&mut self.assigned) {
            // In TypeScript the import may be a type, and a variable share its name.
            let is_variable = self.rules.is_typescript && self.scopes[0].names.contains_key(&ident.sym);
            if let (Some(import), false) = (self.imports.get(&ident.to_id()).copied(), is_variable) {
                let name = &ident.sym;
                let diagnostic = Diagnostic::error(text!(
                    "`{name}` is imported, and imports cannot be assigned to",
                    "`{name}` 是导入的，不能给它赋值"
                ))
                .with_hint(text!(
                    "export a function that assigns to it from the module that declares it",
                    "请在声明它的模块里导出一个给它赋值的函数"
                ));
                self.report(diagnostic, ident.span, import, text!("imported here", "在这里导入"));
            // Packages work all the same, unless they come to the place.
            } else if let Some(declared) =
                self.constants.get(&ident.to_id()).copied().filter(|_| is_certain && !self.is_vendor)
            {
                let name = &ident.sym;
                let diagnostic = Diagnostic::error(text!(
                    "`{name}` is a constant and cannot be assigned to",
                    "`{name}` 是常量，不能给它赋值"
                ))
                .with_hint(text!("declare it with `let`", "请用 `let` 声明"));
                self.report(diagnostic, ident.span, declared, text!("declared here", "在这里声明"));
            }
        }
    }

    /// Functions and classes are there before the statements around them run, and so are their names.
    fn function(&mut self, parameters: &[&Pat], body: impl FnOnce(&mut Self)) {
        self.scoped(ScopeKind::Function, |bindings| {
            bindings.declare_all(parameters.iter().copied(), Kind::Parameter);
            for parameter in parameters {
                parameter.visit_with(bindings);
            }
            body(bindings);
        });
    }

    fn for_head(&mut self, head: &ForHead) {
        match head {
            ForHead::VarDecl(var) => var.visit_with(self),
            ForHead::UsingDecl(using) => using.visit_with(self),
            ForHead::Pat(pattern) => {
                self.assign_in(pattern, true);
                pattern.visit_with(self);
            }
        }
    }

    /// `export { nothing }`
    fn check_exported_locals(&mut self, module: &Module) {
        let others = if self.rules.is_typescript { typescript_names(module) } else { FxHashSet::default() };
        for item in &module.body {
            let ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(export)) = item else { continue };
            if export.src.is_some() || export.type_only {
                continue;
            }
            for specifier in &export.specifiers {
                let ExportSpecifier::Named(named) = specifier else { continue };
                let ModuleExportName::Ident(local) = &named.orig else { continue };
                let is_declared = self.scopes[0].names.contains_key(&local.sym) || others.contains(&local.sym);
                if !is_declared && !named.is_type_only {
                    let name = &local.sym;
                    let message = text!("`{name}` is exported but not declared", "导出了 `{name}`，但没有声明它");
                    self.findings.errors.push(Diagnostic::error(message).at(place(self.source, local.span)));
                }
            }
        }
    }
}

impl Visit for Bindings<'_> {
    noop_visit_type!();

    fn visit_module(&mut self, module: &Module) {
        module.visit_children_with(self);
        self.check_exported_locals(module);
    }

    fn visit_import_decl(&mut self, import: &ImportDecl) {
        if import.type_only {
            return;
        }
        for specifier in &import.specifiers {
            let local = match specifier {
                ImportSpecifier::Named(named) => &named.local,
                ImportSpecifier::Default(default) => &default.local,
                ImportSpecifier::Namespace(namespace) => &namespace.local,
            };
            // What is imported as a type may share its name with a value.
            if !self.rules.is_typescript {
                self.declare(local, Kind::Lexical);
            }
            self.imports.insert(local.to_id(), local.span);
        }
    }

    fn visit_module_decl(&mut self, decl: &ModuleDecl) {
        match decl {
            ModuleDecl::ExportDecl(ExportDecl { decl, .. }) if !is_type(decl) => {
                for ident in declared_idents(decl) {
                    self.export(ident.sym, ident.span);
                }
            }
            ModuleDecl::ExportDefaultDecl(export) if !matches!(export.decl, DefaultDecl::TsInterfaceDecl(_)) => {
                let is_signature =
                    matches!(&export.decl, DefaultDecl::Fn(function) if function.function.body.is_none());
                if !is_signature {
                    self.export("default".into(), export.span);
                }
                let name = match &export.decl {
                    DefaultDecl::Class(class) => class.ident.as_ref(),
                    DefaultDecl::Fn(function) if !is_signature => function.ident.as_ref(),
                    _ => None,
                };
                if let Some(name) = name {
                    self.declare(name, Kind::Lexical);
                }
            }
            ModuleDecl::ExportDefaultExpr(export) => self.export("default".into(), export.span),
            ModuleDecl::ExportNamed(export) if !export.type_only => {
                for specifier in &export.specifiers {
                    match specifier {
                        ExportSpecifier::Named(named) if !named.is_type_only => {
                            self.export_name(named.exported.as_ref().unwrap_or(&named.orig));
                        }
                        ExportSpecifier::Namespace(namespace) => self.export_name(&namespace.name),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        decl.visit_children_with(self);
    }

    fn visit_fn_decl(&mut self, function: &FnDecl) {
        // Signatures of TypeScript have no body.
        if function.function.body.is_some() && !function.declare {
            let is_module = self.scopes.len() == 1 && self.rules.is_strict;
            match self.scopes.last().map(|scope| scope.kind) {
                Some(ScopeKind::Function) if !is_module => self.declare(&function.ident, Kind::Var),
                // Sloppy code may repeat them.
                Some(ScopeKind::Block) if !self.rules.is_strict => {}
                _ => self.declare(&function.ident, Kind::Lexical),
            }
        }
        function.function.visit_with(self);
    }

    fn visit_class_decl(&mut self, class: &ClassDecl) {
        if !class.declare {
            self.declare(&class.ident, Kind::Lexical);
        }
        class.class.visit_with(self);
    }

    fn visit_var_decl(&mut self, var: &VarDecl) {
        if !var.declare {
            for ident in find_pat_ids::<_, Ident>(&var.decls) {
                match var.kind {
                    VarDeclKind::Var => self.declare_var(&ident),
                    VarDeclKind::Let | VarDeclKind::Const => self.declare(&ident, Kind::Lexical),
                }
                if var.kind == VarDeclKind::Const {
                    self.constants.insert(ident.to_id(), ident.span);
                }
            }
        }
        var.visit_children_with(self);
    }

    fn visit_using_decl(&mut self, using: &UsingDecl) {
        for ident in find_pat_ids::<_, Ident>(&using.decls) {
            self.declare(&ident, Kind::Lexical);
            self.constants.insert(ident.to_id(), ident.span);
        }
        using.visit_children_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        let Some(body) = &function.body else { return };
        function.decorators.visit_with(self);
        let parameters: Vec<&Pat> = function.params.iter().map(|Param { pat, .. }| pat).collect();
        self.function(&parameters, |bindings| body.visit_with(bindings));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        let parameters: Vec<&Pat> = arrow.params.iter().collect();
        self.function(&parameters, |bindings| arrow.body.visit_with(bindings));
    }

    fn visit_function_body(&mut self, body: &FunctionBody) {
        body.stmts.visit_with(self);
    }

    fn visit_constructor(&mut self, constructor: &Constructor) {
        let Some(body) = &constructor.body else { return };
        let parameters: Vec<&Pat> = constructor
            .params
            .iter()
            .filter_map(|parameter| parameter.as_param())
            .map(|parameter| &parameter.pat)
            .collect();
        self.function(&parameters, |bindings| body.visit_with(bindings));
    }

    fn visit_static_block(&mut self, block: &StaticBlock) {
        self.scoped(ScopeKind::Function, |bindings| block.body.stmts.visit_with(bindings));
    }

    fn visit_block_stmt(&mut self, block: &BlockStmt) {
        self.scoped(ScopeKind::Block, |bindings| block.stmts.visit_with(bindings));
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause) {
        self.scoped(ScopeKind::Block, |bindings| {
            let kind = if clause.param.as_ref().is_some_and(Pat::is_ident) { Kind::Caught } else { Kind::Lexical };
            bindings.declare_all(&clause.param, kind);
            clause.param.visit_with(bindings);
            clause.body.stmts.visit_with(bindings);
        });
    }

    fn visit_switch_stmt(&mut self, switch: &SwitchStmt) {
        switch.discriminant.visit_with(self);
        self.scoped(ScopeKind::Block, |bindings| switch.cases.visit_with(bindings));
    }

    fn visit_for_stmt(&mut self, stmt: &ForStmt) {
        self.scoped(ScopeKind::Block, |bindings| stmt.visit_children_with(bindings));
    }

    fn visit_for_in_stmt(&mut self, stmt: &ForInStmt) {
        self.scoped(ScopeKind::Block, |bindings| {
            bindings.for_head(&stmt.left);
            stmt.right.visit_with(bindings);
            stmt.body.visit_with(bindings);
        });
    }

    fn visit_for_of_stmt(&mut self, stmt: &ForOfStmt) {
        self.scoped(ScopeKind::Block, |bindings| {
            bindings.for_head(&stmt.left);
            stmt.right.visit_with(bindings);
            stmt.body.visit_with(bindings);
        });
    }

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        self.assign_in(&assign.left, !assign.op.may_short_circuit());
        assign.visit_children_with(self);
    }

    fn visit_simple_assign_target(&mut self, target: &SimpleAssignTarget) {
        match target {
            SimpleAssignTarget::TsAs(TsAsExpr { expr, .. })
            | SimpleAssignTarget::TsNonNull(TsNonNullExpr { expr, .. })
            | SimpleAssignTarget::TsSatisfies(TsSatisfiesExpr { expr, .. })
            | SimpleAssignTarget::TsTypeAssertion(TsTypeAssertion { expr, .. }) => self.assign_to(expr),
            _ => {}
        }
        target.visit_children_with(self);
    }

    fn visit_pat(&mut self, pattern: &Pat) {
        if let Pat::Expr(target) = pattern {
            self.assign_to(target);
        }
        pattern.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        self.assign_to(&update.arg);
        update.visit_children_with(self);
    }

    // Enums and namespaces join others of their name, functions and classes among them.
    fn visit_ts_enum_decl(&mut self, _: &TsEnumDecl) {}
    fn visit_ts_module_decl(&mut self, _: &TsModuleDecl) {}
}

fn without_types(expr: &Expr) -> &Expr {
    match expr {
        Expr::TsAs(TsAsExpr { expr, .. })
        | Expr::TsNonNull(TsNonNullExpr { expr, .. })
        | Expr::TsSatisfies(TsSatisfiesExpr { expr, .. })
        | Expr::TsTypeAssertion(TsTypeAssertion { expr, .. }) => without_types(expr),
        expr => expr,
    }
}

fn is_type(decl: &Decl) -> bool {
    match decl {
        Decl::Fn(function) => function.function.body.is_none(),
        Decl::Class(_) | Decl::Var(_) | Decl::Using(_) => false,
        _ => true,
    }
}
