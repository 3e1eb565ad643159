//! Builders of the syntax that the bundler itself writes.

use swc_core::{
    atoms::Atom,
    common::{BytePos, DUMMY_SP, Span, SyntaxContext},
    ecma::ast::{
        ArrayLit, ArrowExpr, ArrowFunctionBody, AwaitExpr, BindingIdent, BlockStmt, Bool, CallExpr, Callee,
        ClassMember, ComputedPropName, Decl, ExportAll, ExportNamedSpecifier, ExportSpecifier, Expr, ExprOrSpread,
        ExprStmt, FunctionBody, Ident, IdentName, IfStmt, Import, ImportDecl, ImportNamedSpecifier, ImportPhase,
        ImportSpecifier, ImportStarAsSpecifier, KeyValueProp, Lit, MemberExpr, MemberProp, MetaPropExpr, MetaPropKind,
        ModuleDecl, ModuleExportName, ModuleItem, NamedExport, NewExpr, Number, ObjectLit, OptChainBase, OptChainExpr,
        Pat, Prop, PropName, PropOrSpread, StaticBlock, Stmt, Str, VarDecl, VarDeclKind, VarDeclarator,
    },
};

use super::module::External;

pub(super) fn ident(name: &Atom, span: Span) -> Ident {
    Ident::new(name.clone(), span, SyntaxContext::empty())
}

pub(super) fn variable(name: &Atom) -> Expr {
    Expr::Ident(ident(name, DUMMY_SP))
}

pub(super) fn string(value: &str) -> Expr {
    Expr::Lit(Lit::Str(Str::from(value)))
}

pub(super) fn number(value: usize) -> Expr {
    Expr::Lit(Lit::Num(Number::from(value)))
}

pub(super) fn boolean(value: bool) -> Expr {
    Expr::Lit(Lit::Bool(Bool::from(value)))
}

/// `object.property`, or `object["some property"]`.
pub(super) fn member(object: Expr, property: &Atom, span: Span) -> Expr {
    Expr::Member(member_expr(object, property, span))
}

/// `object?.property`
pub(super) fn optional_member(object: Expr, property: &Atom, span: Span) -> Expr {
    let base = Box::new(OptChainBase::Member(member_expr(object, property, span)));
    Expr::OptChain(OptChainExpr { span, optional: true, base })
}

pub(super) fn member_expr(object: Expr, property: &Atom, span: Span) -> MemberExpr {
    let prop = if Ident::verify_symbol(property).is_ok() || is_reserved_word(property) {
        MemberProp::Ident(IdentName::new(property.clone(), span))
    } else {
        MemberProp::Computed(ComputedPropName { span, expr: Box::new(string(property)) })
    };
    MemberExpr { span, obj: Box::new(object), prop }
}

/// Reserved words are no variables, but plain property names.
fn is_reserved_word(name: &Atom) -> bool {
    name.bytes().all(|byte| byte.is_ascii_lowercase()) && !name.is_empty()
}

pub(super) fn call(callee: Expr, arguments: Vec<Expr>) -> Expr {
    call_at(callee, arguments, DUMMY_SP)
}

/// A call that may be dropped when its value is not used.
pub(super) fn pure_call(callee: Expr, arguments: Vec<Expr>) -> Expr {
    call_at(callee, arguments, Span::new(BytePos::PURE, BytePos::PURE))
}

fn call_at(callee: Expr, arguments: Vec<Expr>, span: Span) -> Expr {
    let args = arguments.into_iter().map(ExprOrSpread::from).collect();
    Expr::Call(CallExpr { span, callee: Callee::Expr(Box::new(callee)), args, ..CallExpr::default() })
}

/// `import.meta.property`
pub(super) fn import_meta(property: &str) -> Expr {
    let meta = Expr::MetaProp(MetaPropExpr { span: DUMMY_SP, kind: MetaPropKind::ImportMeta });
    member(meta, &property.into(), DUMMY_SP)
}

/// `new URL("specifier", import.meta.url)`
pub(super) fn file_url(specifier: &str) -> Expr {
    let args = vec![string(specifier).into(), import_meta("url").into()];
    let callee = Box::new(variable(&"URL".into()));
    Expr::New(NewExpr { callee, args: Some(args), ..NewExpr::default() })
}

/// `import("specifier")`
pub(super) fn import_call(specifier: &str) -> Expr {
    let callee = Callee::Import(Import { span: DUMMY_SP, phase: ImportPhase::Evaluation });
    Expr::Call(CallExpr { callee, args: vec![string(specifier).into()], ..CallExpr::default() })
}

/// Makes sure that the arguments of `new Worker` say that its file is an ES module.
pub(super) fn as_module_worker(arguments: &mut Vec<ExprOrSpread>) {
    let module = || key_value(&"type".into(), string("module"));
    match arguments.get_mut(1).map(|options| &mut *options.expr) {
        None => arguments.push(object([("type".into(), string("module"))]).into()),
        Some(Expr::Object(options)) => {
            options.props.retain(|prop| !is_key(prop, "type"));
            options.props.push(module());
        }
        // Who computes the options has thought of this.
        Some(_) => {}
    }
}

fn is_key(prop: &PropOrSpread, name: &str) -> bool {
    matches!(prop, PropOrSpread::Prop(prop) if matches!(&**prop, Prop::KeyValue(KeyValueProp { key, .. })
        if matches!(key, PropName::Ident(key) if key.sym == name) || matches!(key, PropName::Str(key) if key.value == *name)))
}

/// `(parameters) => value`
pub(super) fn arrow(parameters: &[Atom], value: Expr, is_async: bool) -> Expr {
    arrow_function(parameters, ArrowFunctionBody::Expr(Box::new(value)), is_async)
}

/// `(parameters) => { statements }`
pub(super) fn function(parameters: &[Atom], statements: Vec<Stmt>, is_async: bool) -> Expr {
    let body = FunctionBody { span: DUMMY_SP, stmts: statements };
    arrow_function(parameters, ArrowFunctionBody::FunctionBody(body), is_async)
}

fn arrow_function(parameters: &[Atom], body: ArrowFunctionBody, is_async: bool) -> Expr {
    let params = parameters.iter().map(target).collect();
    Expr::Arrow(ArrowExpr { params, body: Box::new(body), is_async, ..ArrowExpr::default() })
}

/// `() => value`
pub(super) fn getter(value: Expr) -> Expr {
    arrow(&[], value, false)
}

/// `{ key: value, … }`
pub(super) fn object(entries: impl IntoIterator<Item = (Atom, Expr)>) -> Expr {
    let props = entries.into_iter().map(|(key, value)| key_value(&key, value));
    Expr::Object(ObjectLit { span: DUMMY_SP, props: props.collect() })
}

fn key_value(key: &Atom, value: Expr) -> PropOrSpread {
    PropOrSpread::Prop(Box::new(Prop::KeyValue(KeyValueProp { key: prop_name(key), value: Box::new(value) })))
}

fn prop_name(key: &Atom) -> PropName {
    if key == "__proto__" {
        return PropName::Computed(ComputedPropName { span: DUMMY_SP, expr: Box::new(string(key)) });
    }
    if Ident::verify_symbol(key).is_ok() || is_reserved_word(key) {
        PropName::Ident(IdentName::new(key.clone(), DUMMY_SP))
    } else {
        PropName::Str(Str::from(&**key))
    }
}

/// `var name = value;`
pub(super) fn declare(name: &Atom, value: Expr) -> Stmt {
    variables([(name, Some(value))])
}

/// `var a, b;` of names that were resolved, if there are any.
pub(super) fn declare_idents(names: Vec<Ident>, kind: VarDeclKind) -> Option<Stmt> {
    let decls = names.into_iter().map(|name| VarDeclarator {
        span: DUMMY_SP,
        name: Pat::Ident(name.into()),
        init: None,
        definite: false,
    });
    let decl = VarDecl { kind, decls: decls.collect(), ..VarDecl::default() };
    (!decl.decls.is_empty()).then(|| Stmt::Decl(decl.into()))
}

/// `static { … }`
pub(super) fn static_block(exprs: Vec<Expr>) -> ClassMember {
    let stmts = exprs.into_iter().map(expression_statement).collect();
    ClassMember::StaticBlock(StaticBlock { span: DUMMY_SP, body: BlockStmt { stmts, ..BlockStmt::default() } })
}

/// `var a, b;`
pub(super) fn declare_all<'n>(names: impl IntoIterator<Item = &'n Atom>) -> Stmt {
    variables(names.into_iter().map(|name| (name, None)))
}

fn variables<'n>(variables: impl IntoIterator<Item = (&'n Atom, Option<Expr>)>) -> Stmt {
    let decls = variables.into_iter().map(|(name, init)| VarDeclarator {
        span: DUMMY_SP,
        name: target(name),
        init: init.map(Box::new),
        definite: false,
    });
    let decl = VarDecl { kind: VarDeclKind::Var, decls: decls.collect(), ..VarDecl::default() };
    Stmt::Decl(Decl::Var(Box::new(decl)))
}

/// A name as what a declaration or an assignment gives a value to.
pub(super) fn target(name: &Atom) -> Pat {
    Pat::Ident(BindingIdent { id: ident(name, DUMMY_SP), type_ann: None })
}

/// `{ statements }`
pub(super) fn block(stmts: Vec<Stmt>) -> Stmt {
    Stmt::Block(BlockStmt { stmts, ..BlockStmt::default() })
}

/// `value;`
pub(super) fn expression_statement(value: Expr) -> Stmt {
    Stmt::Expr(ExprStmt { span: DUMMY_SP, expr: Box::new(value) })
}

/// `(a, b)`
pub(super) fn sequence(exprs: Vec<Expr>) -> Expr {
    *Expr::from_exprs(exprs.into_iter().map(Box::new).collect())
}

/// `{ const waits = [promise, …].filter((wait) => wait); if (waits.length) await Promise.all(waits); }`: what waits for
/// nothing goes on at once.
pub(super) fn wait_for(promises: Vec<Expr>) -> Stmt {
    let (wait, waits) = (Atom::from("wait"), Atom::from("waits"));
    let is_one = arrow(std::slice::from_ref(&wait), variable(&wait), false);
    let found = call(member(array(promises), &"filter".into(), DUMMY_SP), vec![is_one]);
    let all = member(variable(&"Promise".into()), &"all".into(), DUMMY_SP);
    let wait = expression_statement(awaited(call(all, vec![variable(&waits)])));
    let length = member(variable(&waits), &"length".into(), DUMMY_SP);
    let guarded = Stmt::If(IfStmt { test: Box::new(length), cons: Box::new(wait), ..IfStmt::default() });
    Stmt::Block(BlockStmt { stmts: vec![declare_constant(&waits, found), guarded], ..BlockStmt::default() })
}

fn declare_constant(name: &Atom, value: Expr) -> Stmt {
    let declarator = VarDeclarator { span: DUMMY_SP, name: target(name), init: Some(Box::new(value)), definite: false };
    Stmt::Decl(Decl::Var(Box::new(VarDecl { kind: VarDeclKind::Const, decls: vec![declarator], ..VarDecl::default() })))
}

/// `await value`
pub(super) fn awaited(value: Expr) -> Expr {
    Expr::Await(AwaitExpr { span: DUMMY_SP, arg: Box::new(value) })
}

/// `import { imported as local, … } from "specifier";`
pub(super) fn import(from: &External, names: impl IntoIterator<Item = (Atom, Atom)>) -> ModuleItem {
    let specifiers = names.into_iter().map(|(imported, local)| {
        ImportSpecifier::Named(ImportNamedSpecifier {
            span: DUMMY_SP,
            local: ident(&local, DUMMY_SP),
            imported: Some(export_name(&imported)),
            is_type_only: false,
        })
    });
    import_specifiers(from, specifiers.collect())
}

/// `import * as local from "specifier";`
pub(super) fn import_namespace(from: &External, local: &Atom) -> ModuleItem {
    let local = ident(local, DUMMY_SP);
    import_specifiers(from, vec![ImportSpecifier::Namespace(ImportStarAsSpecifier { span: DUMMY_SP, local })])
}

/// `export * from "specifier";`
pub(super) fn export_star(from: &External) -> ModuleItem {
    let src = Box::new(Str::from(&*from.specifier));
    let with = attributes(from);
    ModuleItem::ModuleDecl(ModuleDecl::ExportAll(ExportAll { span: DUMMY_SP, src, type_only: false, with }))
}

/// What stands behind `with`.
fn attributes(from: &External) -> Option<Box<ObjectLit>> {
    let pairs = from.attributes.iter().map(|(key, value)| key_value(key, string(value)));
    (!from.attributes.is_empty()).then(|| Box::new(ObjectLit { span: DUMMY_SP, props: pairs.collect() }))
}

fn import_specifiers(from: &External, specifiers: Vec<ImportSpecifier>) -> ModuleItem {
    ModuleItem::ModuleDecl(ModuleDecl::Import(ImportDecl {
        span: DUMMY_SP,
        specifiers,
        src: Box::new(Str::from(&*from.specifier)),
        type_only: false,
        with: attributes(from),
        phase: ImportPhase::Evaluation,
    }))
}

/// `export { local as exported, … };`
pub(super) fn export(names: impl IntoIterator<Item = (Atom, Atom)>) -> ModuleItem {
    let specifiers = names.into_iter().map(|(local, exported)| {
        ExportSpecifier::Named(ExportNamedSpecifier {
            span: DUMMY_SP,
            orig: ModuleExportName::Ident(ident(&local, DUMMY_SP)),
            exported: Some(export_name(&exported)),
            is_type_only: false,
        })
    });
    ModuleItem::ModuleDecl(ModuleDecl::ExportNamed(NamedExport {
        span: DUMMY_SP,
        specifiers: specifiers.collect(),
        src: None,
        type_only: false,
        with: None,
    }))
}

fn export_name(name: &Atom) -> ModuleExportName {
    if Ident::verify_symbol(name).is_ok() || is_reserved_word(name) {
        ModuleExportName::Ident(ident(name, DUMMY_SP))
    } else {
        ModuleExportName::Str(Str::from(&**name))
    }
}

/// `[element, …]`
pub(super) fn array(elements: Vec<Expr>) -> Expr {
    let elems = elements.into_iter().map(|element| Some(ExprOrSpread::from(element))).collect();
    Expr::Array(ArrayLit { span: DUMMY_SP, elems })
}
