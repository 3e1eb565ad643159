//! Finalization of modules: rewrites a module's statements for their chunk: imported names become the variables behind
//! them, names are made unique, `require` and `import()` lead to chunks, positions move to the module's place in the
//! chunk's source map.

use std::collections::BTreeMap;

use swc_core::{
    atoms::Atom,
    common::{BytePos, Span, SyntaxContext},
    ecma::{
        ast::{
            AssignPat, BindingIdent, Expr, Ident, IdentName, KeyValuePatProp, KeyValueProp, MetaPropKind, NewExpr,
            ObjectPatProp, Pat, Prop, PropName, UnaryExpr, UnaryOp, UpdateExpr,
        },
        visit::{VisitMut, VisitMutWith, noop_visit_mut_type},
    },
};

use crate::{
    analyze::uses::{
        Provided, Requested, addressed_file, imported_member, provided_member, requested_specifier, started_worker,
    },
    ast,
    defines::HOT,
    detached_calls::visit_children_detached,
    helpers::INTEROP,
    module::ModuleScan,
};

/// The code that stands in for a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    Variable(Atom),
    /// `object.property`
    Property(Atom, Atom),
    /// `object?.property`
    OptionalProperty(Atom, Atom),
    Undefined,
}

impl Access {
    pub(crate) fn expr(&self, span: Span) -> Expr {
        match self {
            Self::Variable(name) => Expr::Ident(ast::ident(name, span)),
            Self::Property(object, property) => ast::member(Expr::Ident(ast::ident(object, span)), property, span),
            Self::OptionalProperty(object, property) => {
                ast::optional_member(Expr::Ident(ast::ident(object, span)), property, span)
            }
            Self::Undefined => *Expr::undefined(span),
        }
    }
}

/// Values of a CommonJS module that depend on its path.
#[derive(Hash)]
pub(crate) struct Surroundings {
    /// `__filename`
    pub file: Expr,
    /// `__dirname`
    pub folder: Expr,
    /// `require.main`
    pub main: Expr,
}

/// What stands in for names and requests of one module in its chunk.
#[derive(Default, Hash)]
pub(crate) struct Substitutions {
    /// For top-level names whose spelling changes.
    pub names: BTreeMap<Atom, Access>,
    /// For `namespace.property` and `namespace.inner.property`.
    pub members: BTreeMap<(Atom, Vec<Atom>), Access>,
    /// For `import("x")` and `require("x")`, by specifier.
    pub requests: BTreeMap<(Requested, Atom), Expr>,
    /// For `require` itself.
    pub require: Option<Expr>,
    /// For [`INTEROP`].
    pub interop: Option<Expr>,
    /// Of a CommonJS module.
    pub surroundings: Option<Surroundings>,
    /// For `import.meta`, where code may run that is no module.
    pub meta: Option<Expr>,
    /// For [`HOT`].
    pub hot: Option<Expr>,
}

/// The pass over one module's statements.
pub(crate) struct Rewriter<'a> {
    pub scan: &'a ModuleScan,
    pub substitutions: &'a Substitutions,
    /// Distance that positions move.
    pub shift: u32,
}

impl Rewriter<'_> {
    fn access(&self, ident: &Ident) -> Option<&Access> {
        if ident.ctxt == self.scan.top_level { self.substitutions.names.get(&ident.sym) } else { None }
    }

    fn replacement(&self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Ident(ident) if ident.ctxt == self.scan.unresolved => self.provided_name(&ident.sym),
            Expr::Ident(ident) => Some(self.access(ident)?.expr(self.shifted(ident.span))),
            Expr::Member(member) => match imported_member(self.scan, member) {
                Some(imported) => Some(self.substitutions.members.get(&imported)?.expr(self.shifted(member.span))),
                None => self.provided(provided_member(self.scan, member)?),
            },
            Expr::Call(call) => {
                let (specifier, kind) = requested_specifier(call, self.scan.unresolved)?;
                self.substitutions.requests.get(&(kind, specifier)).cloned()
            }
            Expr::MetaProp(meta) if meta.kind == MetaPropKind::ImportMeta => self.substitutions.meta.clone(),
            Expr::New(new) => {
                let specifier = addressed_file(new, self.scan.unresolved)?;
                self.substitutions.requests.get(&(Requested::Address { of_worker: false }, specifier)).cloned()
            }
            _ => None,
        }
    }

    /// The value that Node.js calls by a name.
    fn provided_name(&self, name: &Atom) -> Option<Expr> {
        match &**name {
            "require" => self.substitutions.require.clone(),
            INTEROP => self.substitutions.interop.clone(),
            HOT => self.substitutions.hot.clone(),
            "__filename" => Some(self.substitutions.surroundings.as_ref()?.file.clone()),
            "__dirname" => Some(self.substitutions.surroundings.as_ref()?.folder.clone()),
            _ => None,
        }
    }

    fn provided(&self, provided: Provided) -> Option<Expr> {
        match provided {
            Provided::Main => Some(self.substitutions.surroundings.as_ref()?.main.clone()),
            Provided::Table => Some(ast::object([])),
            Provided::Require => self.substitutions.require.clone(),
            Provided::Description => None,
        }
    }

    fn shifted(&self, mut span: Span) -> Span {
        let shift = |position: &mut BytePos| {
            if !position.is_dummy() && !position.is_reserved_for_comments() {
                position.0 += self.shift;
            }
        };
        shift(&mut span.lo);
        shift(&mut span.hi);
        span
    }
}

impl VisitMut for Rewriter<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        match (self.replacement(expr), &mut *expr) {
            (Some(replacement), _) => *expr = replacement,
            // As in `uses`: the property of the object, not the variable behind it.
            (
                None,
                Expr::Update(UpdateExpr { arg, span, .. }) | Expr::Unary(UnaryExpr { op: UnaryOp::Delete, arg, span }),
            ) => {
                *span = self.shifted(*span);
                arg.visit_mut_children_with(self);
            }
            // An imported function is called without a `this`, even if it now is a property.
            (None, expr) => visit_children_detached(expr, self),
        }
    }

    fn visit_mut_pat(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Expr(target) => target.visit_mut_children_with(self),
            _ => pattern.visit_mut_children_with(self),
        }
    }

    fn visit_mut_new_expr(&mut self, new: &mut NewExpr) {
        let worker = started_worker(new, self.scan.unresolved).map(|(specifier, _)| specifier);
        let address = worker.map(|specifier| (Requested::Address { of_worker: true }, specifier));
        if let Some(address) = address.and_then(|address| self.substitutions.requests.get(&address).cloned())
            && let Some(arguments) = &mut new.args
        {
            *arguments[0].expr = address;
            ast::as_module_worker(arguments);
        }
        new.visit_mut_children_with(self);
    }

    fn visit_mut_ident(&mut self, ident: &mut Ident) {
        if let Some(Access::Variable(name)) = self.access(ident) {
            ident.sym = name.clone();
        }
        ident.ctxt = SyntaxContext::empty();
        ident.span = self.shifted(ident.span);
    }

    fn visit_mut_prop(&mut self, prop: &mut Prop) {
        if let Prop::Shorthand(ident) = prop
            && let Some(value) = self.replacement(&Expr::Ident(ident.clone()))
        {
            let key = PropName::Ident(IdentName::new(ident.sym.clone(), self.shifted(ident.span)));
            *prop = Prop::KeyValue(KeyValueProp { key, value: Box::new(value) });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_object_pat_prop(&mut self, prop: &mut ObjectPatProp) {
        if let ObjectPatProp::Assign(assign) = prop
            && let Some(Access::Variable(name)) = self.access(&assign.key.id)
        {
            let span = self.shifted(assign.key.id.span);
            let key = PropName::Ident(IdentName::new(assign.key.id.sym.clone(), span));
            let target = Pat::Ident(BindingIdent { id: ast::ident(name, span), type_ann: None });
            let value = match assign.value.take() {
                None => target,
                Some(mut default) => {
                    default.visit_mut_with(self);
                    Pat::Assign(AssignPat { span, left: Box::new(target), right: default })
                }
            };
            *prop = ObjectPatProp::KeyValue(KeyValuePatProp { key, value: Box::new(value) });
            return;
        }
        prop.visit_mut_children_with(self);
    }

    fn visit_mut_span(&mut self, span: &mut Span) {
        *span = self.shifted(*span);
    }

    fn visit_mut_syntax_context(&mut self, context: &mut SyntaxContext) {
        *context = SyntaxContext::empty();
    }
}
