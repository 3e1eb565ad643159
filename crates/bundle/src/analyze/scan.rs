//! Reads a syntax tree once and lists what the linker needs: import records, imports, exports, statements and their uses.

use std::{cell::RefCell, collections::BTreeMap};

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, Span, Spanned, SyntaxContext, comments::Comment},
    ecma::{
        ast::{
            ArrowExpr, BindingIdent, Class, ClassDecl, ClassMember, Decl, DefaultDecl, ExportSpecifier, Expr, FnDecl,
            Function, GetterProp, Ident, ImportDecl, ImportSpecifier, Lit, MemberProp, ModuleDecl, ModuleItem,
            NamedExport, ObjectLit, Pat, PropName, ReturnStmt, SetterProp, Stmt, Str, ThisExpr, VarDecl, VarDeclKind,
            VarDeclarator,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use super::{
    commonjs::{forwarded, known_exports, may_export_nothing, required_members, required_variables},
    constant::is_constant,
    declared::{OwnObjects, constants, declared_idents, declared_names, reassigned},
    esm_syntax::waits,
    purity::{PURE_REACT, Purity},
    uses::{calls_eval, text, uses},
};
use crate::{
    effect::Effect,
    helpers::Helper,
    module::{
        Attributes, Code, Content, Export, Format, Import, ImportKind, Imported, ModuleScan, Statement, Use, synthetic,
    },
    syntax::{Claim, SyntaxTree, is_annotation, is_licence},
    trees::Trees,
};

/// Lists what `tree` asks for and offers, and takes it apart into statements.
pub(crate) fn scan(tree: SyntaxTree, content: Content) -> (ModuleScan, Trees) {
    let (mut scanner, body) = Scanner::of(tree);
    match scanner.scan.format {
        Format::Esm => scanner.esm(body),
        Format::CommonJs => scanner.common_js(body),
    }
    let Scanner { mut scan, trees } = scanner;
    scan.hold(content);
    scan.shrink_to_fit();
    (scan, trees)
}

/// Takes `tree` apart into the statements that [`scan`] finds in it.
pub(crate) fn trees(tree: SyntaxTree) -> Trees {
    let (mut scanner, body) = Scanner::of(tree);
    let body = match scanner.scan.format {
        Format::Esm => scanner.esm_code(body),
        Format::CommonJs => scanner.common_js_code(body),
    };
    Trees { body, ..scanner.trees }
}

/// Purity annotations, and the texts of licences. A comment may be both.
fn divided(comments: Vec<(BytePos, Comment)>) -> (Vec<(BytePos, Comment)>, Vec<Atom>) {
    let licences = comments.iter().filter(|(_, comment)| is_licence(comment));
    let licences = licences.map(|(_, comment)| comment.text.clone()).collect();
    (comments.into_iter().filter(|(_, comment)| is_annotation(comment)).collect(), licences)
}

/// Without `import` and `export`, a file is what Node takes it for. TypeScript is compiled to one format or the other, so
/// what it mentions decides.
fn format_of(tree: &SyntaxTree) -> Format {
    let has_declarations = tree.body.iter().any(|item| matches!(item, ModuleItem::ModuleDecl(_)));
    let is_esm = match tree.claim {
        Claim::Esm => true,
        Claim::None => has_declarations || (tree.is_typescript && !mentions_common_js(tree)),
        Claim::CommonJs => has_declarations,
    };
    if is_esm { Format::Esm } else { Format::CommonJs }
}

fn mentions_common_js(tree: &SyntaxTree) -> bool {
    let mut search = CommonJsMarks { unresolved: tree.unresolved, depth: 0, arrows: 0, found: false };
    tree.body.visit_with(&mut search);
    search.found
}

/// Looks for `module`, `exports`, `require`, and for `return` or `this` outside functions.
struct CommonJsMarks {
    unresolved: SyntaxContext,
    depth: usize,
    /// Arrow functions have a `return` of their own, but no `this`.
    arrows: usize,
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

    fn visit_return_stmt(&mut self, stmt: &ReturnStmt) {
        self.found |= self.depth == 0 && self.arrows == 0;
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
        self.arrows += 1;
        arrow.visit_children_with(self);
        self.arrows -= 1;
    }
}

struct Scanner {
    scan: ModuleScan,
    trees: Trees,
}

impl Scanner {
    /// A scanner that has found nothing yet, and what it is to look at.
    fn of(tree: SyntaxTree) -> (Self, Vec<ModuleItem>) {
        let format = format_of(&tree);
        let (annotations, licences) = divided(tree.comments);
        let scan = ModuleScan {
            format,
            import_records: Vec::new(),
            imports: FxHashMap::default(),
            exports: BTreeMap::new(),
            star_exports: Vec::new(),
            statements: Vec::new(),
            texts: FxHashMap::default(),
            members: FxHashMap::default(),
            top_level_await: waits(&tree.body),
            known_exports: None,
            describes_module: false,
            is_mixed: tree.is_mixed,
            may_export_nothing: false,
            unknown_requests: Vec::new(),
            nested: FxHashSet::default(),
            globals: FxHashSet::default(),
            direct_eval: false,
            pure_functions: FxHashSet::default(),
            top_level: tree.top_level,
            unresolved: tree.unresolved,
            licences,
            doubts: tree.doubts,
        };
        (Self { scan, trees: Trees { body: Vec::new(), annotations } }, tree.body)
    }

    fn esm(&mut self, body: Vec<ModuleItem>) {
        let code = self.esm_code(body);
        self.forward_exported_imports();
        self.statements(code);
        self.namespace_statements();
        // As in Node.js.
        if let Some(Export::Local(name)) = self.scan.exports.get(&Atom::from("module.exports")).cloned() {
            self.scan.require_variable(&name);
        }
    }

    /// The statements of an ES module. What it imports and exports is noted.
    fn esm_code(&mut self, body: Vec<ModuleItem>) -> Vec<Stmt> {
        let mut code = Vec::with_capacity(body.len());
        for item in body {
            match item {
                ModuleItem::Stmt(stmt) => push_split(&mut code, stmt),
                ModuleItem::ModuleDecl(decl) => self.declaration(decl, &mut code),
            }
        }
        code.visit_mut_with(&mut TopLevelThis { replacement: &|span| *Expr::undefined(span) });
        code
    }

    fn declaration(&mut self, decl: ModuleDecl, code: &mut Vec<Stmt>) {
        match decl {
            ModuleDecl::Import(import) => self.import(&import),
            ModuleDecl::ExportDecl(export) => {
                self.note_pure_functions(export.span.lo, &export.decl);
                for ident in declared_idents(&export.decl) {
                    self.scan.exports.insert(ident.sym.clone(), Export::Local(ident.sym));
                }
                push_split(code, Stmt::Decl(export.decl));
            }
            ModuleDecl::ExportNamed(export) => self.named_export(export),
            ModuleDecl::ExportDefaultDecl(export) => {
                let start = export.span.lo;
                let declaration = self.default_declaration(export.decl);
                if let Some(Stmt::Decl(decl)) = &declaration {
                    self.note_pure_functions(start, decl);
                }
                code.extend(declaration);
            }
            ModuleDecl::ExportDefaultExpr(export) => code.push(self.default_expression(export.expr)),
            ModuleDecl::ExportAll(export) => {
                let record = self.static_import(&export.src, export.with.as_deref());
                self.scan.star_exports.push(record);
            }
            // Erased with the types, or turned into `require` and `module.exports`.
            ModuleDecl::TsImportEquals(_) | ModuleDecl::TsExportAssignment(_) | ModuleDecl::TsNamespaceExport(_) => {}
        }
    }

    fn static_import(&mut self, specifier: &Str, attributes: Option<&ObjectLit>) -> usize {
        let attributes = attributes.map(import_attributes).unwrap_or_default();
        self.scan.import_record_with(text(specifier), attributes, specifier.span, ImportKind::Static)
    }

    fn import(&mut self, import: &ImportDecl) {
        let record = self.static_import(&import.src, import.with.as_deref());
        for specifier in &import.specifiers {
            let (local, imported) = match specifier {
                ImportSpecifier::Named(named) => {
                    let name = named.imported.as_ref().map(|name| name.atom().into_owned());
                    (&named.local, Imported::Name(name.unwrap_or_else(|| named.local.sym.clone())))
                }
                ImportSpecifier::Default(default) => (&default.local, Imported::Name("default".into())),
                ImportSpecifier::Namespace(namespace) => (&namespace.local, Imported::Namespace),
            };
            self.scan.imports.insert(local.sym.clone(), Import { record, imported, span: specifier.span() });
        }
    }

    fn named_export(&mut self, export: NamedExport) {
        let record = export.src.as_ref().map(|src| self.static_import(src, export.with.as_deref()));
        for specifier in export.specifiers {
            let span = specifier.span();
            let (exported, imported) = match specifier {
                ExportSpecifier::Namespace(namespace) => (namespace.name.atom().into_owned(), Imported::Namespace),
                ExportSpecifier::Default(default) => (default.exported.sym, Imported::Name("default".into())),
                ExportSpecifier::Named(named) => {
                    let original = named.orig.atom().into_owned();
                    let exported = named.exported.map_or_else(|| original.clone(), |name| name.atom().into_owned());
                    (exported, Imported::Name(original))
                }
            };
            let export = match (record, imported) {
                (Some(record), imported) => Export::Forwarded(Import { record, imported, span }),
                (None, Imported::Name(local)) => Export::Local(local),
                (None, Imported::Namespace) => continue,
            };
            self.scan.exports.insert(exported, export);
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
        self.scan.exports.insert("default".into(), Export::Local(ident.sym));
        Some(Stmt::Decl(decl))
    }

    fn default_expression(&mut self, expr: Box<Expr>) -> Stmt {
        let ident = self.default_ident();
        self.scan.exports.insert("default".into(), Export::Local(ident.sym.clone()));
        let declarator = VarDeclarator {
            span: DUMMY_SP,
            name: Pat::Ident(BindingIdent { id: ident, type_ann: None }),
            init: Some(expr),
            definite: false,
        };
        Stmt::Decl(VarDecl { kind: VarDeclKind::Const, decls: vec![declarator], ..VarDecl::default() }.into())
    }

    fn default_ident(&self) -> Ident {
        Ident::new(synthetic::DEFAULT.into(), DUMMY_SP, self.scan.top_level)
    }

    /// `import { a } from "m"; export { a }` exports what `m` does.
    fn forward_exported_imports(&mut self) {
        let ModuleScan { exports, imports, .. } = &mut self.scan;
        for export in exports.values_mut() {
            if let Export::Local(name) = export
                && let Some(import) = imports.get(name)
            {
                *export = Export::Forwarded(import.clone());
            }
        }
    }

    /// Notes functions that are marked with `#__NO_SIDE_EFFECTS__`, where they or what declares them begins.
    fn note_pure_functions(&mut self, start: BytePos, decl: &Decl) {
        let Self { scan: ModuleScan { pure_functions, .. }, trees } = self;
        let mut marks =
            trees.annotations.iter().filter(|(_, comment)| comment.text.contains("__NO_SIDE_EFFECTS__")).peekable();
        if marks.peek().is_none() {
            return;
        }
        let marked: Vec<BytePos> = marks.map(|(position, _)| *position).collect();
        match decl {
            Decl::Fn(function) if marked.contains(&start) || marked.contains(&function.function.span.lo) => {
                pure_functions.insert(function.ident.sym.clone());
            }
            Decl::Var(var) if var.kind == VarDeclKind::Const => {
                for VarDeclarator { name, init, .. } in &var.decls {
                    if let (Pat::Ident(name), Some(init)) = (name, init)
                        && (init.is_arrow() || init.is_fn_expr())
                        && [start, var.span.lo, init.span().lo].iter().any(|position| marked.contains(position))
                    {
                        pure_functions.insert(name.sym.clone());
                    }
                }
            }
            _ => {}
        }
    }

    fn statements(&mut self, code: Vec<Stmt>) {
        for stmt in &code {
            if let Stmt::Decl(decl) = stmt {
                self.note_pure_functions(stmt.span().lo, decl);
            }
        }
        let annotated = annotated_positions(&self.trees);
        let reassigned = reassigned(&code, self.scan.top_level);
        if !self.scan.imports.is_empty() {
            self.scan.texts = constants(&code, &reassigned, |init| match init {
                Expr::Lit(Lit::Str(value)) => Some(text(value)),
                _ => None,
            });
        }
        let own_objects = OwnObjects::new(&code, &reassigned);
        for (index, stmt) in code.iter().enumerate() {
            let uses = uses(&mut self.scan, stmt);
            let effect = self.effect(stmt, &annotated, &own_objects);
            self.scan.statements.push(Statement {
                code: Code::Source(index),
                source_bytes: source_bytes(stmt),
                declares: declared_names(stmt),
                uses,
                effect,
                is_constant: is_constant(stmt),
            });
        }
        self.trees.body = code;
        if self.mentions_eval() {
            self.note_direct_eval();
        }
    }

    fn mentions_eval(&self) -> bool {
        self.scan.globals.contains(&Atom::from("eval"))
    }

    /// Lets statements with a direct `eval` use every name of the module, as the code in it may.
    fn note_direct_eval(&mut self) {
        let ModuleScan { statements, imports, unresolved, direct_eval, .. } = &mut self.scan;
        let declared = statements.iter().flat_map(|statement| &statement.declares);
        let mut names: Vec<Atom> = declared.chain(imports.keys()).cloned().collect();
        names.sort();
        for statement in statements {
            if matches!(statement.code, Code::Source(index) if calls_eval(&self.trees.body[index], *unresolved)) {
                *direct_eval = true;
                statement.uses.extend(names.iter().cloned().map(Use::Name));
            }
        }
    }

    fn effect(&self, stmt: &Stmt, annotated: &FxHashSet<BytePos>, own_objects: &OwnObjects) -> Effect {
        let scan = &self.scan;
        let effect = |assumed| {
            let purity = Purity {
                top_level: scan.top_level,
                unresolved: scan.unresolved,
                annotated,
                imported: &|name| scan.imports.contains_key(name),
                is_react_maker: &|callee| is_react_maker(scan, callee),
                pure_functions: &scan.pure_functions,
                assumed,
            };
            purity.effect(stmt, own_objects)
        };
        let assumed = RefCell::default();
        match effect(None) {
            Effect::Any if effect(Some(&assumed)) == Effect::None => Effect::Calls(assumed.into_inner()),
            effect => effect,
        }
    }

    /// The objects that stand for the whole module, where something asks for one.
    fn namespace_statements(&mut self) {
        let namespace = Use::Name(synthetic::NAMESPACE.into());
        for (code, name, uses) in [
            (Code::Namespace, synthetic::NAMESPACE, vec![Use::Helper(Helper::Namespace)]),
            (Code::Required, synthetic::REQUIRED, vec![namespace, Use::Helper(Helper::ToCommonJs)]),
        ] {
            let (declares, effect) = (vec![name.into()], Effect::None);
            self.scan.statements.push(Statement { code, source_bytes: 0, declares, uses, effect, is_constant: true });
            if !self.scan.star_exports.is_empty() {
                // Which names a CommonJS module offers shows when it has run.
                let object = Atom::from(name);
                let uses = vec![Use::Name(object.clone()), Use::Helper(Helper::ExportStar)];
                let (code, effect) = (Code::StarExports(object.clone()), Effect::On(object));
                let declares = Vec::new();
                let statement = Statement { code, source_bytes: 0, declares, uses, effect, is_constant: false };
                self.scan.statements.insert(0, statement);
            }
        }
    }

    /// The statements of a CommonJS module.
    fn common_js_code(&self, body: Vec<ModuleItem>) -> Vec<Stmt> {
        let mut code: Vec<Stmt> = body.into_iter().filter_map(ModuleItem::stmt).collect();
        let unresolved = self.scan.unresolved;
        code.visit_mut_with(&mut TopLevelThis {
            replacement: &|span| Expr::Ident(Ident::new("exports".into(), span, unresolved)),
        });
        code
    }

    fn common_js(&mut self, body: Vec<ModuleItem>) {
        let code = self.common_js_code(body);
        // The module's own names are nobody else's: only what comes from outside counts.
        let mentioned: Vec<Vec<Use>> = code.iter().map(|stmt| uses(&mut self.scan, stmt)).collect();
        self.take_stock(&code, &mentioned);
        let mentioned = mentioned.into_iter().flatten();
        let foreign = mentioned.filter(|item| matches!(item, Use::ImportRecord(_) | Use::Helper(_)));
        let wrapper = if self.scan.describes_module { Helper::DescribedCommonJs } else { Helper::CommonJs };
        let wrapper_uses = [Use::Helper(wrapper)].into_iter().chain(foreign).collect();
        // Every name of the module is below the top level of the chunk.
        self.scan.nested.extend(code.iter().flat_map(declared_names));
        // Code that is known only when it runs may ask for anything.
        let evaluates = self.scan.globals.contains(&Atom::from("eval"));
        let mut is_own = |name: &str| {
            self.scan.nested.insert(name.into());
            self.scan.globals.remove(&Atom::from(name))
        };
        let uses_module = is_own("module") || evaluates;
        is_own("exports");
        let require = Use::Name(synthetic::REQUIRE.into());
        let exports = Use::Name(synthetic::EXPORTS.into());
        let mut push = |statement_code, name: &str, uses, effect| {
            let is_constant = matches!(statement_code, Code::CommonJs { .. });
            let source_bytes = if is_constant { code.iter().map(source_bytes).sum() } else { 0 };
            let (code, declares) = (statement_code, vec![name.into()]);
            self.scan.statements.push(Statement { code, source_bytes, declares, uses, effect, is_constant });
        };
        push(Code::CommonJs { uses_module }, synthetic::REQUIRE, wrapper_uses, Effect::None);
        push(Code::Evaluation, synthetic::EXPORTS, vec![require], Effect::Any);
        let default = vec![exports.clone(), Use::Helper(Helper::InteropDefault)];
        push(Code::InteropDefault, synthetic::INTEROP_DEFAULT, default, Effect::None);
        for (node, name) in [(false, synthetic::INTEROP_NAMESPACE), (true, synthetic::NODE_NAMESPACE)] {
            let uses = vec![exports.clone(), Use::Helper(Helper::InteropNamespace)];
            push(Code::InteropNamespace { node }, name, uses, Effect::None);
        }
        self.trees.body = code;
    }
}

impl Scanner {
    /// Notes what can be known of a CommonJS module's exports, and of what it does with those of others.
    fn take_stock(&mut self, code: &[Stmt], mentioned: &[Vec<Use>]) {
        let scan = &self.scan;
        let reassigned = reassigned(code, scan.top_level);
        let required = required_members(code, &reassigned, (scan.top_level, scan.unresolved));
        let forwarded = forwarded(code, scan.unresolved);
        let may_export_nothing = may_export_nothing(code, scan.unresolved);
        let annotated = annotated_positions(&self.trees);
        let required_variables = required_variables(code, scan.unresolved);
        let purity = Purity {
            top_level: scan.top_level,
            unresolved: scan.unresolved,
            annotated: &annotated,
            imported: &|name| required_variables.contains(name) && !reassigned.contains(name),
            is_react_maker: &|_| false,
            pure_functions: &FxHashSet::default(),
            assumed: None,
        };
        let own_objects = OwnObjects::new(code, &reassigned);
        let effect = |stmt: &Stmt| purity.effect(stmt, &own_objects);
        let names = mentioned.iter().map(|uses| uses.iter().filter_map(Use::name).cloned().collect()).collect();
        let known = known_exports(code, names, &effect, &|expr| purity.expr(expr), scan);
        for record in &mut self.scan.import_records {
            if matches!(record.kind, ImportKind::Require { .. }) {
                record.members = required.get(&record.specifier).cloned();
                record.is_forwarded = forwarded.as_ref() == Some(&record.specifier);
            }
        }
        self.scan.known_exports = known;
        self.scan.may_export_nothing = may_export_nothing;
    }
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

fn import_attributes(object: &ObjectLit) -> Attributes {
    let pairs = object.props.iter().filter_map(|prop| prop.as_prop()?.as_key_value());
    let mut attributes: Attributes = pairs
        .filter_map(|pair| {
            let key = match &pair.key {
                PropName::Ident(name) => name.sym.clone(),
                PropName::Str(name) => text(name),
                _ => return None,
            };
            Some((key, text(pair.value.as_lit()?.as_str()?)))
        })
        .collect();
    attributes.sort();
    attributes
}

/// How many bytes of the source a statement stands for.
fn source_bytes(stmt: &Stmt) -> usize {
    stmt.span_hi().0.saturating_sub(stmt.span_lo().0) as usize
}

fn annotated_positions(trees: &Trees) -> FxHashSet<BytePos> {
    let pure = trees.annotations.iter().filter(|(_, comment)| comment.text.contains("__PURE__"));
    pure.map(|(position, _)| *position).collect()
}

/// `React.memo`, `memo`: a maker imported from `react`.
fn is_react_maker(scan: &ModuleScan, callee: &Expr) -> bool {
    let is_react =
        |import: &Import| scan.import_records.get(import.record).is_some_and(|record| record.specifier == "react");
    match callee {
        Expr::Ident(ident) if ident.ctxt == scan.top_level => scan.imports.get(&ident.sym).is_some_and(|import| {
            is_react(import) && matches!(&import.imported, Imported::Name(name) if PURE_REACT.contains(&&**name))
        }),
        Expr::Member(member) => match (&*member.obj, &member.prop) {
            (Expr::Ident(object), MemberProp::Ident(property)) if object.ctxt == scan.top_level => {
                scan.imports.get(&object.sym).is_some_and(is_react) && PURE_REACT.contains(&&*property.sym)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Visits the name of a class member: all of it that is evaluated where the class stands, and not in a function of its own.
pub(crate) fn visit_mut_name(member: &mut ClassMember, visitor: &mut impl VisitMut) {
    match member {
        ClassMember::Method(method) => method.key.visit_mut_with(visitor),
        ClassMember::ClassProp(prop) => prop.key.visit_mut_with(visitor),
        ClassMember::AutoAccessor(accessor) => accessor.key.visit_mut_with(visitor),
        _ => {}
    }
}

/// Replaces `this` outside functions, where a chunk's `this` would mean something else.
pub(crate) struct TopLevelThis<'a> {
    pub replacement: &'a dyn Fn(Span) -> Expr,
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
        for member in &mut class.body {
            visit_mut_name(member, self);
        }
    }

    fn visit_mut_getter_prop(&mut self, getter: &mut GetterProp) {
        getter.key.visit_mut_with(self);
    }

    fn visit_mut_setter_prop(&mut self, setter: &mut SetterProp) {
        setter.key.visit_mut_with(self);
    }
}
