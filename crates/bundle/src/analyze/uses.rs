//! What one statement mentions: names, namespaces' properties, other modules.

use rustc_hash::FxHashSet;
use swc_core::{
    atoms::Atom,
    common::{Span, Spanned, SyntaxContext},
    ecma::{
        ast::{
            CallExpr, Callee, Expr, ExprOrSpread, Ident, Lit, MemberExpr, MemberProp, MetaPropKind, NewExpr, Pat, Stmt,
            Str, TryStmt, UnaryExpr, UnaryOp, UpdateExpr,
        },
        visit::{Visit, VisitWith, noop_visit_type},
    },
};

use crate::{
    helpers::{self, Helper},
    module::{Format, ImportKind, ModuleScan, UnknownRequest, Use},
};

/// Lists what a statement mentions, each thing once, in the order of the text. Import records, globals and inner names are
/// noted in the module's scan.
pub(crate) fn uses(scan: &mut ModuleScan, stmt: &Stmt) -> Vec<Use> {
    let mut uses = Uses { scan, seen: FxHashSet::default(), found: Vec::new(), in_try: false, handled: None };
    stmt.visit_with(&mut uses);
    uses.found
}

/// Collects what one statement mentions.
struct Uses<'a> {
    scan: &'a mut ModuleScan,
    seen: FxHashSet<Use>,
    found: Vec<Use>,
    in_try: bool,
    /// The promise that the call under way says what to do with if it fails.
    handled: Option<Span>,
}

impl Uses<'_> {
    fn add(&mut self, item: Use) {
        if self.seen.insert(item.clone()) {
            self.found.push(item);
        }
    }

    fn member(&mut self, member: &MemberExpr) {
        if let Some((object, path)) = imported_member(self.scan, member) {
            // How far the path leads through namespaces shows when modules are linked.
            let mut step = member;
            for length in (1..=path.len()).rev() {
                self.scan.members.entry((object.clone(), path[..length].to_vec())).or_insert(step.span);
                step = step.obj.as_member().unwrap_or(step);
            }
            return self.add(Use::Member(object, path));
        }
        match provided_member(self.scan, member) {
            Some(Provided::Main) => {
                // It is `module` itself in a module that is an entry.
                self.scan.globals.insert("module".into());
            }
            Some(Provided::Table) => {}
            Some(Provided::Require) => self.add(Use::Helper(Helper::UnknownRequire)),
            Some(Provided::Description) => {
                self.scan.describes_module = true;
                member.visit_children_with(self);
            }
            None => member.visit_children_with(self),
        }
    }

    fn is_require(&self, call: &CallExpr) -> bool {
        let callee = call.callee.as_expr().and_then(|callee| callee.as_ident());
        let is_it = |callee: &Ident| callee.sym == "require" && callee.ctxt == self.scan.unresolved;
        self.scan.format == Format::CommonJs && !call.args.is_empty() && callee.is_some_and(is_it)
    }

    fn requested(&mut self, specifier: Atom, span: Span, kind: ImportKind) {
        let record = self.scan.import_record(specifier, span, kind);
        self.add(Use::ImportRecord(record));
    }
}

impl Visit for Uses<'_> {
    noop_visit_type!();

    fn visit_ident(&mut self, ident: &Ident) {
        let scan = &mut *self.scan;
        if ident.ctxt == scan.top_level {
            self.add(Use::Name(ident.sym.clone()));
        } else if ident.ctxt == scan.unresolved {
            if ident.sym == helpers::INTEROP {
                return self.add(Use::Helper(Helper::InteropNamespace));
            }
            scan.globals.insert(ident.sym.clone());
            if ident.sym == "require" && scan.format == Format::CommonJs {
                self.add(Use::Helper(Helper::UnknownRequire));
            }
        } else {
            scan.nested.insert(ident.sym.clone());
        }
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Member(member) => self.member(member),
            // What is written to or taken away is a property of the object, and stays one.
            Expr::Update(UpdateExpr { arg, .. }) | Expr::Unary(UnaryExpr { op: UnaryOp::Delete, arg, .. }) => {
                arg.visit_children_with(self);
            }
            _ => expr.visit_children_with(self),
        }
    }

    /// `[object.property] = …`, likewise.
    fn visit_pat(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Expr(target) => target.visit_children_with(self),
            _ => pattern.visit_children_with(self),
        }
    }

    fn visit_call_expr(&mut self, call: &CallExpr) {
        self.handled = handled_promise(call).or(self.handled);
        let span = call.args.first().map_or(call.span, |argument| argument.expr.span());
        match requested_specifier(call, self.scan.unresolved) {
            Some((specifier, Requested::Dynamic)) => {
                let guarded = self.in_try || self.handled == Some(call.span);
                self.requested(specifier, span, ImportKind::Dynamic { guarded });
            }
            Some((specifier, Requested::Require)) => {
                // `module.require` is for what bundlers need not find.
                let guarded = self.in_try || !matches!(&call.callee, Callee::Expr(callee) if callee.is_ident());
                return self.requested(specifier, span, ImportKind::Require { guarded });
            }
            Some((specifier, Requested::Name)) => return self.requested(specifier, span, ImportKind::RequireResolve),
            Some((_, Requested::Address { .. })) | None if call.callee.is_import() => {
                self.scan.unknown_requests.push((UnknownRequest::Import, span));
            }
            // Who tries does not count on it.
            None if self.is_require(call) && !self.in_try => {
                self.scan.unknown_requests.push((UnknownRequest::Require, span));
            }
            _ => {}
        }
        call.visit_children_with(self);
    }

    fn visit_new_expr(&mut self, new: &NewExpr) {
        let unresolved = self.scan.unresolved;
        if let Some(specifier) = addressed_file(new, unresolved) {
            new.callee.visit_with(self);
            return self.requested(specifier, new.span, ImportKind::Url { of_worker: false });
        }
        if let Some((specifier, options)) = started_worker(new, unresolved) {
            self.requested(specifier, new.span, ImportKind::Url { of_worker: true });
            self.scan.globals.insert("URL".into());
            new.callee.visit_with(self);
            return options.visit_with(self);
        }
        new.visit_children_with(self);
    }

    fn visit_try_stmt(&mut self, stmt: &TryStmt) {
        let outer = std::mem::replace(&mut self.in_try, true);
        stmt.block.visit_with(self);
        self.in_try = outer;
        stmt.handler.visit_with(self);
        stmt.finalizer.visit_with(self);
    }
}

/// The call that makes `promise` in `promise.catch(…)` and `promise.then(…, …)`.
fn handled_promise(call: &CallExpr) -> Option<Span> {
    let member = call.callee.as_expr()?.as_member()?;
    let handles = match &*member.prop.as_ident()?.sym {
        "catch" => true,
        "then" => call.args.len() > 1,
        _ => false,
    };
    let promise = member.obj.as_call()?;
    // What is handled further on is handled here, too.
    handles.then(|| made_by(promise).span)
}

/// `import("…")` of `import("…").then(…)`
fn made_by(mut call: &CallExpr) -> &CallExpr {
    while let Some(inner) = call.callee.as_expr().and_then(|callee| callee.as_member()?.obj.as_call()) {
        call = inner;
    }
    call
}

/// `object.property` and `object.property.another` with names known now, where `object` is bound by `import`. It may be a
/// namespace, also one that another module hands on, or all that a CommonJS module exports.
pub(crate) fn imported_member(scan: &ModuleScan, member: &MemberExpr) -> Option<(Atom, Vec<Atom>)> {
    let is_imported = |object: &Ident| object.ctxt == scan.top_level && scan.imports.contains_key(&object.sym);
    let (object, mut path) = match &*member.obj {
        Expr::Ident(object) if is_imported(object) => (object.sym.clone(), Vec::new()),
        Expr::Member(inner) => imported_member(scan, inner)?,
        _ => return None,
    };
    let constant = || {
        let name = member.prop.as_computed()?.expr.as_ident().filter(|name| name.ctxt == scan.top_level)?;
        scan.texts.get(&name.sym).cloned()
    };
    path.push(property_name(member).or_else(constant)?);
    Some((object, path))
}

/// The expressions that ask for a module or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Requested {
    Dynamic,
    Require,
    /// `require.resolve("x")`
    Name,
    Address {
        of_worker: bool,
    },
}

/// The specifier in `new URL("file", import.meta.url)`: of a file, and not an address of something else.
pub(crate) fn addressed_file(new: &NewExpr, unresolved: SyntaxContext) -> Option<Atom> {
    let is_url = new.callee.as_ident().is_some_and(|callee| callee.sym == "URL" && callee.ctxt == unresolved);
    let [file, base] = new.args.as_deref()? else { return None };
    let is_here = matches!(&*base.expr, Expr::Member(member) if is_import_meta_url(member));
    let specifier = known_text(&file.expr).filter(|_| is_url && is_here)?;
    may_be_file(&specifier).then_some(specifier)
}

/// Whether a relative address may be that of a file: it has a path of its own, and neither a scheme nor a host.
fn may_be_file(address: &str) -> bool {
    let first = address.split('/').next().unwrap_or_default();
    !address.starts_with(['/', '?', '#', '\\']) && !first.contains(':') && !matches!(address, "" | "." | "..")
}

pub(crate) fn is_import_meta_url(member: &MemberExpr) -> bool {
    member.prop.is_ident_with("url")
        && matches!(&*member.obj, Expr::MetaProp(meta) if meta.kind == MetaPropKind::ImportMeta)
}

/// The specifier in `new Worker(new URL("./file", import.meta.url), options)`, and the options.
pub(crate) fn started_worker(new: &NewExpr, unresolved: SyntaxContext) -> Option<(Atom, &[ExprOrSpread])> {
    let callee = new.callee.as_ident()?;
    let is_worker = callee.ctxt == unresolved && matches!(&*callee.sym, "Worker" | "SharedWorker");
    let (file, options) = new.args.as_deref()?.split_first()?;
    let Expr::New(file) = &*file.expr else { return None };
    Some((addressed_file(file, unresolved).filter(|_| is_worker)?, options))
}

/// What Node.js gives to CommonJS besides `require(…)`, `exports` and `module.exports`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Provided {
    /// `require.main`
    Main,
    /// `require.cache` and `require.extensions`: there is nothing in them.
    Table,
    /// `require` by another name, or a function like it, not called with a known specifier.
    Require,
    /// What `module` says about itself.
    Description,
}

/// Which of these a member of `require` or `module` is.
pub(crate) fn provided_member(scan: &ModuleScan, member: &MemberExpr) -> Option<Provided> {
    let object = member.obj.as_ident().filter(|object| object.ctxt == scan.unresolved)?;
    let property = property_name(member).filter(|_| scan.format == Format::CommonJs)?;
    match (&*object.sym, &*property) {
        ("require", "main") => Some(Provided::Main),
        ("require", "cache" | "extensions") => Some(Provided::Table),
        ("require", "resolve") | ("module", "require") => Some(Provided::Require),
        ("module", "id" | "filename" | "path" | "loaded" | "children" | "paths" | "parent") => {
            Some(Provided::Description)
        }
        _ => None,
    }
}

/// The specifier in `import("x")`, `require("x")` and `require.resolve("x")`.
pub(crate) fn requested_specifier(call: &CallExpr, unresolved: SyntaxContext) -> Option<(Atom, Requested)> {
    let kind = match &call.callee {
        Callee::Import(_) => Requested::Dynamic,
        Callee::Expr(callee) => match &**callee {
            Expr::Ident(ident) if ident.sym == "require" && ident.ctxt == unresolved => Requested::Require,
            Expr::Member(member) => requested_by_member(member, unresolved)?,
            _ => return None,
        },
        Callee::Super(_) => return None,
    };
    Some((known_text(&call.args.first()?.expr)?, kind))
}

/// The name in `object.name` and `object["name"]`.
pub(crate) fn property_name(member: &MemberExpr) -> Option<Atom> {
    match &member.prop {
        MemberProp::Ident(name) => Some(name.sym.clone()),
        MemberProp::Computed(computed) => known_text(&computed.expr),
        MemberProp::PrivateName(_) => None,
    }
}

/// `require.resolve` and `module.require`
fn requested_by_member(member: &MemberExpr, unresolved: SyntaxContext) -> Option<Requested> {
    let object = member.obj.as_ident().filter(|object| object.ctxt == unresolved)?;
    match (&*object.sym, &*property_name(member)?) {
        ("require", "resolve") => Some(Requested::Name),
        ("module", "require") => Some(Requested::Require),
        _ => None,
    }
}

/// The text of a string, or of a template in which nothing is filled in.
pub(crate) fn known_text(expr: &Expr) -> Option<Atom> {
    match expr {
        Expr::Lit(Lit::Str(string)) => Some(text(string)),
        Expr::Tpl(template) if template.exprs.is_empty() => {
            Some(template.quasis.first()?.cooked.as_ref()?.as_str()?.into())
        }
        _ => None,
    }
}

/// A string's text; lone surrogates, which no file name has, become U+FFFD.
pub(crate) fn text(string: &Str) -> Atom {
    string.value.as_str().map_or_else(|| string.value.to_string_lossy().into(), Into::into)
}

/// Whether a piece of code calls `eval` by its name, which lets the code in it use the names around the call.
pub(crate) fn calls_eval(stmt: &Stmt, unresolved: SyntaxContext) -> bool {
    let mut search = DirectEval { unresolved, is_found: false };
    stmt.visit_with(&mut search);
    search.is_found
}

struct DirectEval {
    unresolved: SyntaxContext,
    is_found: bool,
}

impl Visit for DirectEval {
    noop_visit_type!();

    fn visit_call_expr(&mut self, call: &CallExpr) {
        call.visit_children_with(self);
        let callee = call.callee.as_expr().and_then(|callee| callee.as_ident());
        self.is_found |= callee.is_some_and(|name| name.sym == "eval" && name.ctxt == self.unresolved);
    }
}
