//! Bindings: the code in a chunk for a name, a `require`, an `import()` or an address.

use swc_core::{atoms::Atom, common::DUMMY_SP, ecma::ast::Expr};

use super::{
    draft::Drafter,
    rewrite::{Access, Substitutions, Surroundings},
};
use crate::{
    analyze::uses::Requested,
    asset::base_name,
    ast,
    chunk::{
        plan::{ChunkId, DynamicImport, UserEntry},
        references::{lazy_namespace, required},
    },
    helpers::Helper,
    link::Binding,
    module::{Format, ImportKind, Module, ModuleId, Statement, Symbol, Target, Use, synthetic},
};

impl Drafter<'_> {
    pub(super) fn substitutions(&self, id: ModuleId, statements: &[&Statement]) -> Substitutions {
        let is_common_js = self.context.modules[id.index()].scan.format == Format::CommonJs;
        let surroundings = is_common_js.then(|| self.surroundings(id));
        let mut substitutions = Substitutions { surroundings, ..Substitutions::default() };
        for statement in statements {
            for name in &statement.declares {
                self.note_name(id, name, &mut substitutions);
            }
            for item in &statement.uses {
                self.note_use(id, item, &mut substitutions);
            }
        }
        substitutions
    }

    fn surroundings(&self, id: ModuleId) -> Surroundings {
        let file = self.context.modules[id.index()].path();
        let folder = file.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !folder.is_empty());
        let is_for_node = self.context.options.platform == crate::platform::Platform::Node;
        let path = |name: &str, path: &str| {
            if is_for_node { ast::import_meta(name) } else { ast::string(path) }
        };
        Surroundings {
            file: path("filename", &file),
            folder: path("dirname", folder.unwrap_or("/")),
            main: if self.is_initial(id) { ast::variable(&"module".into()) } else { *Expr::undefined(DUMMY_SP) },
        }
    }

    pub(super) fn is_initial(&self, id: ModuleId) -> bool {
        let mut outlines = self.context.plan.outlines();
        outlines.any(|chunk| chunk.user_entry == Some(UserEntry::Initial) && chunk.entry == Some(id))
    }

    fn note_use(&self, id: ModuleId, item: &Use, to: &mut Substitutions) {
        match item {
            Use::Name(name) => self.note_name(id, name, to),
            Use::Member(object, path) => match self.context.links.member(id, object, path) {
                Some((length, binding)) => {
                    to.members.insert((object.clone(), path[..length].to_vec()), self.access(Some(&binding)));
                }
                None => self.note_name(id, object, to),
            },
            Use::ImportRecord(record) => {
                let Module { scan, targets, .. } = &self.context.modules[id.index()];
                let (record, target) = (&scan.import_records[*record], &targets[*record]);
                let (kind, expr) = match record.kind {
                    ImportKind::Require { .. } => (Requested::Require, self.require(id, target, &record.specifier)),
                    ImportKind::RequireResolve => (Requested::Name, self.resolved(target, &record.specifier)),
                    ImportKind::Dynamic { .. } if matches!(target, Target::External | Target::Unresolved) => {
                        return;
                    }
                    ImportKind::Dynamic { .. } => (Requested::Dynamic, self.dynamic_import(id, target)),
                    ImportKind::Url { .. } if *target == Target::Unresolved => return,
                    ImportKind::Url { of_worker } => (Requested::Address { of_worker }, self.address(target)),
                    ImportKind::Static => return,
                };
                to.requests.insert((kind, record.specifier.clone()), expr);
            }
            Use::Helper(helper @ Helper::UnknownRequire) => to.require = Some(self.helper(*helper)),
            Use::Helper(helper @ Helper::InteropNamespace) => to.interop = Some(self.helper(*helper)),
            Use::Helper(_) => {}
        }
    }

    fn note_name(&self, id: ModuleId, name: &Atom, to: &mut Substitutions) {
        let access = self.access(Some(&self.context.links.name(id, name)));
        if access != Access::Variable(name.clone()) {
            to.names.insert(name.clone(), access);
        }
    }

    pub(super) fn access(&self, binding: Option<&Binding>) -> Access {
        match binding {
            Some(Binding::Symbol(symbol)) => {
                let name = self.names.get(symbol);
                if name.is_none() {
                    self.claims.miss(symbol);
                }
                name.cloned().map_or(Access::Undefined, Access::Variable)
            }
            Some(Binding::Property(module, property)) => {
                let scan = &self.context.modules[module.index()].scan;
                match self.names.get(&Symbol::new(*module, synthetic::EXPORTS)) {
                    Some(object) if scan.may_export_nothing => {
                        Access::OptionalProperty(object.clone(), property.clone())
                    }
                    Some(object) => Access::Property(object.clone(), property.clone()),
                    None => Access::Undefined,
                }
            }
            Some(Binding::Member(object, property)) => match self.names.get(object) {
                Some(object) => Access::Property(object.clone(), property.clone()),
                None => Access::Undefined,
            },
            Some(Binding::Missing) | None => Access::Undefined,
        }
    }

    pub(super) fn variable(&self, module: ModuleId, name: &str) -> Expr {
        self.access(Some(&Binding::Symbol(Symbol::new(module, name)))).expr(DUMMY_SP)
    }

    pub(super) fn helper(&self, helper: Helper) -> Expr {
        self.access(Some(&Binding::Symbol(Symbol::helper(helper)))).expr(DUMMY_SP)
    }

    fn require(&self, importer: ModuleId, target: &Target, specifier: &Atom) -> Expr {
        let Target::Module(target) = target else {
            return ast::call(self.helper(Helper::Missing), vec![ast::string(specifier)]);
        };
        if self.context.modules[target.index()].external.is_some() {
            if self.context.modules[importer.index()].scan.is_mixed {
                return ast::call(self.helper(Helper::ToCommonJs), vec![self.variable(*target, synthetic::NAMESPACE)]);
            }
            return ast::call(self.helper(Helper::RequireExternal), vec![ast::string(specifier)]);
        }
        let access = self.access(Some(&Binding::Symbol(required(self.context.modules, *target))));
        let variable = access.expr(DUMMY_SP);
        match self.context.modules[target.index()].scan.format {
            Format::CommonJs => ast::call(variable, Vec::new()),
            Format::Esm if self.context.plan.wrapped.contains(*target) => {
                let init = ast::call(self.variable(*target, synthetic::INIT), Vec::new());
                ast::sequence(vec![init, variable])
            }
            Format::Esm => variable,
        }
    }

    /// The value of `require.resolve`.
    fn resolved(&self, target: &Target, specifier: &Atom) -> Expr {
        match target {
            Target::Named(name) => ast::string(name),
            _ => ast::call(self.helper(Helper::Missing), vec![ast::string(specifier)]),
        }
    }

    /// The address of an output file, as a `URL`.
    fn address(&self, target: &Target) -> Expr {
        match target {
            Target::File(name) => ast::file_url(&format!("./{name}")),
            Target::Address(path) => ast::pure_call(self.helper(Helper::AddressOf), vec![ast::string(path)]),
            _ => *Expr::undefined(DUMMY_SP),
        }
    }

    fn dynamic_import(&self, importer: ModuleId, target: &Target) -> Expr {
        let Target::Module(module) = target else { return *Expr::undefined(DUMMY_SP) };
        let Some(import) = self.context.plan.dynamic.get(module) else { return *Expr::undefined(DUMMY_SP) };
        let DynamicImport { chunk, namespaces, init } = import;
        let own = lazy_namespace(self.context.modules, importer, *module);
        let is_loaded = self.context.loaded_chunk(self.id, importer, *module).is_some();
        let loading = match namespaces.get(&own) {
            None => ast::import_call(&self.specifier(*chunk)),
            // An importer of what is being evaluated gets it when that has ended, or its failure.
            Some(namespace) if *chunk == self.id && is_loaded => {
                self.loaded(*chunk, &[], self.variable(*module, &namespace.name), false)
            }
            Some(namespace) if *chunk == self.id => {
                let of = |symbol: &Symbol| self.access(Some(&Binding::Symbol(symbol.clone()))).expr(DUMMY_SP);
                self.started(*module, init.as_ref().map(of), of(namespace))
            }
            Some(namespace) => {
                let parameter = Atom::from("chunk");
                let of = |symbol: &Symbol| {
                    let Some(alias) = self.context.aliases[chunk.0].get(symbol) else {
                        self.claims.miss(symbol);
                        return *Expr::undefined(DUMMY_SP);
                    };
                    self.claims.take(*chunk, alias);
                    ast::member(ast::variable(&parameter), alias, DUMMY_SP)
                };
                let value = self.with_start(*module, init.as_ref().map(of), of(namespace));
                let is_async = init.is_some() && self.context.plan.wrapped.is_async(*module);
                self.loaded(*chunk, &[parameter], value, is_async)
            }
        };
        let loading = self.with_styles(*module, loading);
        if self.context.options.retries && *chunk != self.id { self.retried(loading) } else { loading }
    }

    /// `twice(() => loading)`
    fn retried(&self, loading: Expr) -> Expr {
        ast::call(self.helper(Helper::Twice), vec![ast::getter(loading)])
    }

    /// `import("chunk").then((parameters) => value)`
    fn loaded(&self, chunk: ChunkId, parameters: &[Atom], value: Expr, is_async: bool) -> Expr {
        let loading = ast::import_call(&self.specifier(chunk));
        let then = ast::member(loading, &"then".into(), DUMMY_SP);
        ast::call(then, vec![ast::arrow(parameters, value, is_async)])
    }

    /// `(async () => namespace)()`, or `(async () => (await 0, init(), namespace))()`: later, as with every `import()`.
    fn started(&self, module: ModuleId, init: Option<Expr>, namespace: Expr) -> Expr {
        // The namespace of a CommonJS module is there when the module has run, which may be below in the chunk.
        let is_later = init.is_some() || self.context.modules[module.index()].scan.format == Format::CommonJs;
        let mut value = self.with_start(module, init, namespace);
        if is_later {
            value = ast::sequence(vec![ast::awaited(ast::number(0)), value]);
        }
        ast::call(ast::arrow(&[], value, true), Vec::new())
    }

    /// `(init(), namespace)`
    fn with_start(&self, module: ModuleId, init: Option<Expr>, namespace: Expr) -> Expr {
        let Some(init) = init else { return namespace };
        let call = ast::call(init, Vec::new());
        let is_async = self.context.plan.wrapped.is_async(module);
        ast::sequence(vec![if is_async { ast::awaited(call) } else { call }, namespace])
    }

    /// `withStyles({ "./a.css": 5, "./c.css": 16777223 }, loading)`: the sheets, with the place of each among all.
    fn with_styles(&self, module: ModuleId, loading: Expr) -> Expr {
        if !self.context.plan.styled.contains(&module) {
            return loading;
        }
        let files = self.context.css_order.of_root.get(&module).map(Vec::as_slice).unwrap_or_default();
        let places = files.iter().map(|file| {
            // Relative to the chunk, like the chunks themselves.
            (
                Atom::from(format!("./{}", base_name(&self.context.sheets[*file]))),
                ast::number(self.context.css_order.files[*file].place),
            )
        });
        let places = ast::object(places);
        ast::call(self.helper(Helper::WithStyles), vec![places, loading])
    }
}
