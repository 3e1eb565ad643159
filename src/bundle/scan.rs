//! Reads a syntax tree once and lists what the linker needs: requests, imports, exports, statements and their uses.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, Span, Spanned, SyntaxContext},
    ecma::{
        ast::{
            ArrowExpr, AssignExpr, BindingIdent, CallExpr, Callee, Class, ClassDecl, Decl, DefaultDecl,
            ExportSpecifier, Expr, FnDecl, ForHead, Function, GetterProp, Ident, ImportDecl, ImportSpecifier, Lit,
            MemberExpr, MemberProp, ModuleDecl, ModuleItem, NamedExport, Pat, SetterProp, Stmt, Str, ThisExpr, TryStmt,
            UpdateExpr, VarDecl, VarDeclKind, VarDeclarator,
        },
        utils::find_pat_ids,
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::{
    helpers,
    module::{Code, Export, Format, Import, Picked, Record, Request, RequestKind, Statement, Target, Use, synthetic},
    parse::{Claim, SyntaxTree, is_annotation},
    purity::{Effect, PURE_REACT, Purity},
};

/// Lists what `tree` asks for and offers.
pub(super) fn scan(tree: SyntaxTree) -> Record {
    let format = format_of(&tree);
    let mut scanner = Scanner {
        record: Record {
            format,
            requests: Vec::new(),
            imports: FxHashMap::default(),
            exports: BTreeMap::new(),
            stars: Vec::new(),
            statements: Vec::new(),
            texts: FxHashMap::default(),
            nested: FxHashSet::default(),
            globals: FxHashSet::default(),
            top_level: tree.top_level,
            unresolved: tree.unresolved,
            comments: tree.comments,
        },
    };
    match format {
        Format::Esm => scanner.esm(tree.body),
        Format::CommonJs => scanner.common_js(tree.body),
    }
    scanner.record
}

/// Without `import` and `export`, a file is what Node takes it for; but one that its package calls an ES module and
/// that uses CommonJS all the same would only fail as what it claims to be.
fn format_of(tree: &SyntaxTree) -> Format {
    let has_declarations = tree.body.iter().any(|item| matches!(item, ModuleItem::ModuleDecl(_)));
    let is_esm = has_declarations || (tree.claim == Claim::Esm && !mentions_common_js(tree));
    if is_esm { Format::Esm } else { Format::CommonJs }
}

fn mentions_common_js(tree: &SyntaxTree) -> bool {
    let mut search = CommonJsMarks { unresolved: tree.unresolved, depth: 0, found: false };
    tree.body.visit_with(&mut search);
    search.found
}

/// Looks for `module`, `exports`, `require`, and for `return` or `this` outside functions.
struct CommonJsMarks {
    unresolved: SyntaxContext,
    depth: usize,
    found: bool,
}

impl CommonJsMarks {
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl Visit for CommonJsMarks {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        self.found |= ident.ctxt == self.unresolved && matches!(&*ident.sym, "module" | "exports" | "require");
    }

    fn visit_return_stmt(&mut self, stmt: &swc_core::ecma::ast::ReturnStmt) {
        self.found |= self.depth == 0;
        stmt.visit_children_with(self);
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        if !self.found {
            stmt.visit_children_with(self);
        }
    }

    fn visit_this_expr(&mut self, _: &ThisExpr) {
        self.found |= self.depth == 0;
    }

    fn visit_function(&mut self, function: &Function) {
        self.inside(|this| function.visit_children_with(this));
    }

    fn visit_class(&mut self, class: &Class) {
        self.inside(|this| class.visit_children_with(this));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        arrow.visit_children_with(self);
    }
}

struct Scanner {
    record: Record,
}

impl Scanner {
    fn esm(&mut self, body: Vec<ModuleItem>) {
        let mut code = Vec::with_capacity(body.len());
        for item in body {
            match item {
                ModuleItem::Stmt(stmt) => push_split(&mut code, stmt),
                ModuleItem::ModuleDecl(decl) => self.declaration(decl, &mut code),
            }
        }
        self.forward_exported_imports();
        code.visit_mut_with(&mut TopLevelThis { replacement: &|span| *Expr::undefined(span) });
        self.statements(code);
        self.namespace_statement();
    }

    fn declaration(&mut self, decl: ModuleDecl, code: &mut Vec<Stmt>) {
        match decl {
            ModuleDecl::Import(import) => self.import(&import),
            ModuleDecl::ExportDecl(export) => {
                for ident in declared_idents(&export.decl) {
                    self.record.exports.insert(ident.sym.clone(), Export::Local(ident.sym));
                }
                push_split(code, Stmt::Decl(export.decl));
            }
            ModuleDecl::ExportNamed(export) => self.named_export(export),
            ModuleDecl::ExportDefaultDecl(export) => code.extend(self.default_declaration(export.decl)),
            ModuleDecl::ExportDefaultExpr(export) => code.push(self.default_expression(export.expr)),
            ModuleDecl::ExportAll(export) => {
                let request = self.request(&export.src, RequestKind::Import);
                self.record.stars.push(request);
            }
            // Erased with the types, or turned into `require` and `module.exports`.
            ModuleDecl::TsImportEquals(_) | ModuleDecl::TsExportAssignment(_) | ModuleDecl::TsNamespaceExport(_) => {}
        }
    }

    fn import(&mut self, import: &ImportDecl) {
        let request = self.request(&import.src, RequestKind::Import);
        for specifier in &import.specifiers {
            let (local, picked) = match specifier {
                ImportSpecifier::Named(named) => {
                    let name = named.imported.as_ref().map(|name| name.atom().into_owned());
                    (&named.local, Picked::Name(name.unwrap_or_else(|| named.local.sym.clone())))
                }
                ImportSpecifier::Default(default) => (&default.local, Picked::Name("default".into())),
                ImportSpecifier::Namespace(namespace) => (&namespace.local, Picked::Namespace),
            };
            self.record.imports.insert(local.sym.clone(), Import { request, picked, span: specifier.span() });
        }
    }

    fn named_export(&mut self, export: NamedExport) {
        let request = export.src.as_ref().map(|src| self.request(src, RequestKind::Import));
        for specifier in export.specifiers {
            let span = specifier.span();
            let (exported, picked) = match specifier {
                ExportSpecifier::Namespace(namespace) => (namespace.name.atom().into_owned(), Picked::Namespace),
                ExportSpecifier::Default(default) => (default.exported.sym, Picked::Name("default".into())),
                ExportSpecifier::Named(named) => {
                    let original = named.orig.atom().into_owned();
                    let exported = named.exported.map_or_else(|| original.clone(), |name| name.atom().into_owned());
                    (exported, Picked::Name(original))
                }
            };
            let export = match (request, picked) {
                (Some(request), picked) => Export::Forwarded(Import { request, picked, span }),
                (None, Picked::Name(local)) => Export::Local(local),
                (None, Picked::Namespace) => continue,
            };
            self.record.exports.insert(exported, export);
        }
    }

    fn default_declaration(&mut self, decl: DefaultDecl) -> Option<Stmt> {
        let (ident, decl) = match decl {
            DefaultDecl::Fn(function) => {
                let ident = function.ident.unwrap_or_else(|| self.default_ident());
                let decl = FnDecl { ident: ident.clone(), declare: false, function: function.function };
                (ident, Decl::Fn(decl))
            }
            DefaultDecl::Class(class) => {
                let ident = class.ident.unwrap_or_else(|| self.default_ident());
                let decl = ClassDecl { ident: ident.clone(), declare: false, class: class.class };
                (ident, Decl::Class(decl))
            }
            DefaultDecl::TsInterfaceDecl(_) => return None,
        };
        self.record.exports.insert("default".into(), Export::Local(ident.sym));
        Some(Stmt::Decl(decl))
    }

    fn default_expression(&mut self, expr: Box<Expr>) -> Stmt {
        let ident = self.default_ident();
        self.record.exports.insert("default".into(), Export::Local(ident.sym.clone()));
        let declarator = VarDeclarator {
            span: DUMMY_SP,
            name: Pat::Ident(BindingIdent { id: ident, type_ann: None }),
            init: Some(expr),
            definite: false,
        };
        Stmt::Decl(VarDecl { kind: VarDeclKind::Const, decls: vec![declarator], ..VarDecl::default() }.into())
    }

    fn default_ident(&self) -> Ident {
        Ident::new(synthetic::DEFAULT.into(), DUMMY_SP, self.record.top_level)
    }

    /// `import { a } from "m"; export { a }` exports what `m` does.
    fn forward_exported_imports(&mut self) {
        let Record { exports, imports, .. } = &mut self.record;
        for export in exports.values_mut() {
            if let Export::Local(name) = export
                && let Some(import) = imports.get(name)
            {
                *export = Export::Forwarded(import.clone());
            }
        }
    }

    fn statements(&mut self, code: Vec<Stmt>) {
        let annotated = annotated_positions(&self.record);
        let reassigned = reassigned(&code, self.record.top_level);
        self.record.texts = constants(&code, &reassigned, |init| match init {
            Expr::Lit(Lit::Str(value)) => Some(text(value)),
            _ => None,
        });
        let own_objects = own_objects(&code, &reassigned);
        for stmt in code {
            let uses = self.uses(&stmt);
            let effect = self.effect(&stmt, &annotated, &own_objects);
            let declares = declared_names(&stmt);
            self.record.statements.push(Statement { code: Code::Source(stmt), declares, uses, effect });
        }
    }

    fn effect(&self, stmt: &Stmt, annotated: &FxHashSet<BytePos>, own_objects: &FxHashSet<Atom>) -> Effect {
        let record = &self.record;
        let purity = Purity {
            top_level: record.top_level,
            unresolved: record.unresolved,
            annotated,
            imported: &|name| record.imports.contains_key(name),
            is_react_maker: &|callee| is_react_maker(record, callee),
        };
        purity.effect(stmt, &|name| own_objects.contains(name))
    }

    fn namespace_statement(&mut self) {
        self.record.statements.push(Statement {
            code: Code::Namespace,
            declares: vec![synthetic::NAMESPACE.into()],
            uses: vec![Use::Helper("namespace")],
            effect: Effect::None,
        });
    }

    fn common_js(&mut self, body: Vec<ModuleItem>) {
        let mut code: Vec<Stmt> = body.into_iter().filter_map(ModuleItem::stmt).collect();
        let unresolved = self.record.unresolved;
        code.visit_mut_with(&mut TopLevelThis {
            replacement: &|span| Expr::Ident(Ident::new("exports".into(), span, unresolved)),
        });
        let mut uses = vec![Use::Helper("commonJS")];
        for stmt in &code {
            uses.extend(self.uses(stmt).into_iter().filter(|item| matches!(item, Use::Request(_) | Use::Helper(_))));
        }
        // Every name of the module is below the top level of the chunk.
        self.record.nested.extend(code.iter().flat_map(declared_names));
        let mut is_own = |name: &str| {
            self.record.nested.insert(name.into());
            self.record.globals.remove(&Atom::from(name))
        };
        let uses_module = is_own("module");
        is_own("exports");
        let require = Use::Name(synthetic::REQUIRE.into());
        let exports = Use::Name(synthetic::EXPORTS.into());
        let mut push = |code, name: &str, uses, effect| {
            self.record.statements.push(Statement { code, declares: vec![name.into()], uses, effect });
        };
        push(Code::CommonJs { body: code, uses_module }, synthetic::REQUIRE, uses, Effect::None);
        push(Code::Evaluation, synthetic::EXPORTS, vec![require], Effect::Any);
        let default = vec![exports.clone(), Use::Helper("interopDefault")];
        push(Code::InteropDefault, synthetic::INTEROP_DEFAULT, default, Effect::None);
        for (node, name) in [(false, synthetic::INTEROP_NAMESPACE), (true, synthetic::NODE_NAMESPACE)] {
            let uses = vec![exports.clone(), Use::Helper("interopNamespace")];
            push(Code::InteropNamespace { node }, name, uses, Effect::None);
        }
    }

    fn request(&mut self, specifier: &Str, kind: RequestKind) -> usize {
        let atom = text(specifier);
        let requests = &mut self.record.requests;
        if let Some(known) = requests.iter().position(|request| request.specifier == atom && request.kind == kind) {
            return known;
        }
        requests.push(Request { specifier: atom, kind, span: specifier.span, target: Target::Unresolved });
        requests.len() - 1
    }

    fn uses(&mut self, stmt: &Stmt) -> Vec<Use> {
        let mut collector = Uses { scanner: self, seen: FxHashSet::default(), found: Vec::new(), in_try: false };
        stmt.visit_with(&mut collector);
        collector.found
    }
}

/// Collects what one statement mentions.
struct Uses<'a> {
    scanner: &'a mut Scanner,
    seen: FxHashSet<Use>,
    found: Vec<Use>,
    in_try: bool,
}

impl Uses<'_> {
    fn add(&mut self, item: Use) {
        if self.seen.insert(item.clone()) {
            self.found.push(item);
        }
    }

    fn requested(&mut self, specifier: &Str, kind: RequestKind) {
        let request = self.scanner.request(specifier, kind);
        self.add(Use::Request(request));
    }
}

impl Visit for Uses<'_> {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        let record = &mut self.scanner.record;
        if ident.ctxt == record.top_level {
            self.add(Use::Name(ident.sym.clone()));
        } else if ident.ctxt == record.unresolved {
            record.globals.insert(ident.sym.clone());
            if ident.sym == "require" && record.format == Format::CommonJs {
                self.add(Use::Helper(helpers::UNKNOWN_REQUIRE));
            }
        } else {
            record.nested.insert(ident.sym.clone());
        }
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        if let Some((namespace, property)) = namespace_member(&self.scanner.record, member) {
            return self.add(Use::Member(namespace, property));
        }
        member.visit_children_with(self);
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        match requested_specifier(call, self.scanner.record.unresolved) {
            Some((specifier, Requested::Dynamic)) => self.requested(specifier, RequestKind::Dynamic),
            Some((specifier, Requested::Require)) => {
                return self.requested(specifier, RequestKind::Require { guarded: self.in_try });
            }
            None => {}
        }
        call.visit_children_with(self);
    }

    fn visit_try_stmt(&mut self, stmt: &TryStmt) {
        let outer = std::mem::replace(&mut self.in_try, true);
        stmt.block.visit_with(self);
        self.in_try = outer;
        stmt.handler.visit_with(self);
        stmt.finalizer.visit_with(self);
    }
}

/// `namespace.property` with a name known now, where `namespace` is bound by `import * as`.
pub(super) fn namespace_member(record: &Record, member: &MemberExpr) -> Option<(Atom, Atom)> {
    let Expr::Ident(object) = &*member.obj else { return None };
    if object.ctxt != record.top_level || record.imports.get(&object.sym)?.picked != Picked::Namespace {
        return None;
    }
    let property = match &member.prop {
        MemberProp::Ident(name) => name.sym.clone(),
        MemberProp::Computed(computed) => match &*computed.expr {
            Expr::Lit(Lit::Str(name)) => text(name),
            Expr::Ident(name) if name.ctxt == record.top_level => record.texts.get(&name.sym)?.clone(),
            _ => return None,
        },
        MemberProp::PrivateName(_) => return None,
    };
    Some((object.sym.clone(), property))
}

/// The two calls that ask for a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Requested {
    Dynamic,
    Require,
}

/// The specifier in `import("x")` and `require("x")`.
pub(super) fn requested_specifier(call: &CallExpr, unresolved: SyntaxContext) -> Option<(&Str, Requested)> {
    let kind = match &call.callee {
        Callee::Import(_) => Requested::Dynamic,
        Callee::Expr(callee) => match &**callee {
            Expr::Ident(ident) if ident.sym == "require" && ident.ctxt == unresolved && call.args.len() == 1 => {
                Requested::Require
            }
            _ => return None,
        },
        Callee::Super(_) => return None,
    };
    match &*call.args.first()?.expr {
        Expr::Lit(Lit::Str(specifier)) => Some((specifier, kind)),
        _ => None,
    }
}

/// A string's text; lone surrogates, which no file name has, become U+FFFD.
pub(super) fn text(string: &Str) -> Atom {
    string.value.as_str().map_or_else(|| string.value.to_string_lossy().into(), Into::into)
}

/// `var a = 1, b = 2` as two statements, so that one can go without the other.
fn push_split(code: &mut Vec<Stmt>, stmt: Stmt) {
    match stmt {
        Stmt::Decl(Decl::Var(var)) if var.decls.len() > 1 => {
            let VarDecl { span, ctxt, kind, declare, decls } = *var;
            code.extend(
                decls
                    .into_iter()
                    .map(|decl| Stmt::Decl(VarDecl { span, ctxt, kind, declare, decls: vec![decl] }.into())),
            );
        }
        Stmt::Empty(_) => {}
        // `"use strict"` and `"use client"`: the chunk has its own.
        Stmt::Expr(stmt) if matches!(&*stmt.expr, Expr::Lit(Lit::Str(_))) => {}
        stmt => code.push(stmt),
    }
}

fn declared_idents(decl: &Decl) -> Vec<Ident> {
    match decl {
        Decl::Class(class) => vec![class.ident.clone()],
        Decl::Fn(function) => vec![function.ident.clone()],
        Decl::Var(var) => find_pat_ids(&var.decls),
        Decl::Using(using) => find_pat_ids(&using.decls),
        _ => Vec::new(),
    }
}

/// The names that a statement adds to the module's top level, `var`s inside blocks and loops included.
fn declared_names(stmt: &Stmt) -> Vec<Atom> {
    if let Stmt::Decl(decl) = stmt {
        return declared_idents(decl).into_iter().map(|ident| ident.sym).collect();
    }
    let mut hoisted = HoistedVars(Vec::new());
    stmt.visit_with(&mut hoisted);
    hoisted.0
}

struct HoistedVars(Vec<Atom>);

impl Visit for HoistedVars {
    noop_visit_type!();

    fn visit_var_decl(&mut self, var: &VarDecl) {
        if var.kind == VarDeclKind::Var {
            self.0.extend(find_pat_ids::<_, Ident>(&var.decls).into_iter().map(|ident| ident.sym));
        }
    }

    fn visit_function(&mut self, _: &Function) {}
    fn visit_arrow_expr(&mut self, _: &ArrowExpr) {}
    fn visit_class(&mut self, _: &Class) {}
    fn visit_expr(&mut self, _: &Expr) {}
}

/// Names bound for good to an object that this module made, so that completing it concerns nobody else.
fn own_objects(code: &[Stmt], reassigned: &FxHashSet<Atom>) -> FxHashSet<Atom> {
    let declared = code.iter().filter_map(|stmt| match stmt {
        Stmt::Decl(Decl::Fn(function)) => Some(&function.ident.sym),
        Stmt::Decl(Decl::Class(class)) => Some(&class.ident.sym),
        _ => None,
    });
    let made = constants(code, reassigned, |init| makes_object(init).then_some(()));
    declared.filter(|name| !reassigned.contains(*name)).cloned().chain(made.into_keys()).collect()
}

fn makes_object(init: &Expr) -> bool {
    init.is_fn_expr()
        || init.is_arrow()
        || init.is_class()
        || init.is_object()
        || init.is_array()
        || init.is_call()
        || init.is_new()
}

/// Variables that keep their first value, with what `of` makes of it.
fn constants<T>(code: &[Stmt], reassigned: &FxHashSet<Atom>, of: impl Fn(&Expr) -> Option<T>) -> FxHashMap<Atom, T> {
    let declarators = code.iter().filter_map(|stmt| match stmt {
        Stmt::Decl(Decl::Var(var)) => Some(&var.decls),
        _ => None,
    });
    declarators
        .flatten()
        .filter_map(|decl| {
            let name = &decl.name.as_ident()?.sym;
            let value = of(decl.init.as_deref()?)?;
            (!reassigned.contains(name)).then(|| (name.clone(), value))
        })
        .collect()
}

/// The top-level names that get another value after their declaration, or a second declaration.
fn reassigned(code: &[Stmt], top_level: SyntaxContext) -> FxHashSet<Atom> {
    let mut search = Reassigned { top_level, names: FxHashSet::default() };
    code.visit_with(&mut search);
    let mut seen = FxHashSet::default();
    for name in code.iter().flat_map(declared_names) {
        if !seen.insert(name.clone()) {
            search.names.insert(name);
        }
    }
    search.names
}

struct Reassigned {
    top_level: SyntaxContext,
    names: FxHashSet<Atom>,
}

impl Reassigned {
    fn targets(&mut self, idents: Vec<Ident>) {
        let own = idents.into_iter().filter(|ident| ident.ctxt == self.top_level);
        self.names.extend(own.map(|ident| ident.sym));
    }
}

impl Visit for Reassigned {
    noop_visit_type!();

    fn visit_assign_expr(&mut self, assign: &AssignExpr) {
        self.targets(find_pat_ids(&assign.left));
        assign.visit_children_with(self);
    }

    fn visit_update_expr(&mut self, update: &UpdateExpr) {
        if let Expr::Ident(ident) = &*update.arg {
            self.targets(vec![ident.clone()]);
        }
    }

    fn visit_for_head(&mut self, head: &ForHead) {
        if let ForHead::Pat(pattern) = head {
            self.targets(find_pat_ids(pattern));
        }
        head.visit_children_with(self);
    }
}

fn annotated_positions(record: &Record) -> FxHashSet<BytePos> {
    record.comments.iter().filter(|(_, comment)| is_annotation(comment)).map(|(position, _)| *position).collect()
}

/// `React.memo`, `memo`: a maker imported from `react`.
fn is_react_maker(record: &Record, callee: &Expr) -> bool {
    let is_react = |import: &Import| record.requests.get(import.request).is_some_and(|r| r.specifier == "react");
    match callee {
        Expr::Ident(ident) if ident.ctxt == record.top_level => record.imports.get(&ident.sym).is_some_and(|import| {
            is_react(import) && matches!(&import.picked, Picked::Name(name) if PURE_REACT.contains(&&**name))
        }),
        Expr::Member(member) => match (&*member.obj, &member.prop) {
            (Expr::Ident(object), MemberProp::Ident(property)) if object.ctxt == record.top_level => {
                record.imports.get(&object.sym).is_some_and(is_react) && PURE_REACT.contains(&&*property.sym)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Replaces `this` outside functions, where a chunk's `this` would mean something else.
struct TopLevelThis<'a> {
    replacement: &'a dyn Fn(Span) -> Expr,
}

impl VisitMut for TopLevelThis<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::This(this) => *expr = (self.replacement)(this.span),
            _ => expr.visit_mut_children_with(self),
        }
    }

    fn visit_mut_function(&mut self, _: &mut Function) {}

    fn visit_mut_class(&mut self, class: &mut Class) {
        class.super_class.visit_mut_with(self);
    }

    fn visit_mut_getter_prop(&mut self, getter: &mut GetterProp) {
        getter.key.visit_mut_with(self);
    }

    fn visit_mut_setter_prop(&mut self, setter: &mut SetterProp) {
        setter.key.visit_mut_with(self);
    }
}
