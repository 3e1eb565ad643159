//! Drafting: from the graph and the plan to the blueprint of a chunk, module by module.

use swc_core::{
    atoms::Atom,
    common::DUMMY_SP,
    ecma::ast::{Expr, Stmt},
};

use super::{
    blueprint::{Blueprint, Item, ModulePart, Placement},
    closed::Claims,
    context::{Context, ModuleCode},
    names::Names,
};
use crate::{
    ast,
    chunk::{
        cross_chunk::{init_of, wrapper},
        plan::ChunkId,
        references::dynamic_star_export,
    },
    helpers::Helper,
    link::Binding,
    module::{Code, ModuleId, Statement, Symbol, synthetic},
    platform::Platform,
};

/// What is known while the blueprint of a chunk is made.
pub(super) struct Drafter<'a> {
    pub context: &'a Context<'a>,
    pub id: ChunkId,
    pub names: Names,
    /// The chunks that the code names by a placeholder, each under its place in this list.
    pub mentioned: Vec<ChunkId>,
    pub claims: Claims,
}

impl<'a> Drafter<'a> {
    pub(super) fn blueprint(&mut self, code: &[ModuleCode<'a>]) -> Blueprint<'a> {
        let modules = code.iter().map(|(module, statements)| self.module(*module, statements)).collect();
        let mut ending = self.starts_of_entry();
        if self.context.options.platform == Platform::Prerender && self.needs_waiting_chunk() {
            // The engine does not wait for the chunks that an importer without an `await` of its own needs.
            ending.push(ast::expression_statement(ast::awaited(ast::number(0))));
        }
        let (snapshots, exports) = self.exports();
        ending.extend(snapshots);
        Blueprint {
            modules,
            ending,
            imports: self.imports(),
            external_stars: self.external_stars(),
            exports,
            interpreter: self.interpreter(),
        }
    }

    fn module(&self, id: ModuleId, statements: &[&Statement]) -> ModulePart<'a> {
        let started: Vec<ModuleId> = self.context.plan.wrapped.started_by(id).collect();
        ModulePart {
            id,
            module: &self.context.modules[id.index()],
            placement: self.placement(id),
            starts: self.starts(&started),
            substitutions: self.substitutions(id, statements),
            items: statements.iter().filter_map(|statement| self.item(id, statement)).collect(),
        }
    }

    fn placement(&self, id: ModuleId) -> Placement {
        let wrapped = &self.context.plan.wrapped;
        if !wrapped.contains(id) {
            return if wrapped.runs_first(id) { Placement::First } else { Placement::InOrder };
        }
        let name = self.names.get(&init_of(id));
        let function = name.map(|name| (name.clone(), self.helper(wrapper(wrapped, id))));
        Placement::Wrapped { function, is_async: wrapped.is_async(id) }
    }

    /// The calls that evaluate wrapped modules. If one of several waits, the others are started meanwhile.
    fn starts(&self, modules: &[ModuleId]) -> Vec<Stmt> {
        let calls = modules.iter().map(|module| ast::call(self.variable(*module, synthetic::INIT), Vec::new()));
        if !modules.iter().any(|module| self.context.plan.wrapped.is_async(*module)) {
            return calls.map(ast::expression_statement).collect();
        }
        vec![ast::wait_for(calls.collect())]
    }

    fn starts_of_entry(&self) -> Vec<Stmt> {
        let plan = self.context.plan;
        let Some(entry) = plan.outline(self.id).entry else { return Vec::new() };
        self.starts(&plan.wrapped.started_by_entry(entry, &plan.included))
    }

    fn item(&self, id: ModuleId, statement: &Statement) -> Option<Item> {
        match &statement.code {
            Code::Source(index) => Some(Item::Source { index: *index, is_constant: statement.is_constant }),
            Code::CommonJs { uses_module } => self.common_js(id, *uses_module),
            Code::Evaluation => {
                let value = ast::call(self.variable(id, synthetic::REQUIRE), Vec::new());
                self.declared(id, synthetic::EXPORTS, value)
            }
            Code::InteropDefault => {
                let value =
                    ast::pure_call(self.helper(Helper::InteropDefault), vec![self.variable(id, synthetic::EXPORTS)]);
                self.declared(id, synthetic::INTEROP_DEFAULT, value)
            }
            Code::InteropNamespace { node } => {
                let arguments = vec![self.variable(id, synthetic::EXPORTS), ast::boolean(*node)];
                let value = ast::pure_call(self.helper(Helper::InteropNamespace), arguments);
                let name = if *node { synthetic::NODE_NAMESPACE } else { synthetic::INTEROP_NAMESPACE };
                self.declared(id, name, value)
            }
            Code::Namespace => self.hoisted(id, synthetic::NAMESPACE, self.namespace(id)),
            Code::Required => {
                let value =
                    ast::pure_call(self.helper(Helper::ToCommonJs), vec![self.variable(id, synthetic::NAMESPACE)]);
                self.hoisted(id, synthetic::REQUIRED, value)
            }
            Code::RequiredVariable(name) => self.declared(id, synthetic::REQUIRED, self.variable(id, name)),
            Code::StarExports(object) => self.star_exports(id, object),
            Code::Stylesheet => None,
        }
    }

    fn hoisted(&self, id: ModuleId, name: &str, value: Expr) -> Option<Item> {
        Some(Item::Hoisted(self.names.get(&Symbol::new(id, name))?.clone(), value))
    }

    fn declared(&self, id: ModuleId, name: &str, value: Expr) -> Option<Item> {
        Some(Item::Declared(self.names.get(&Symbol::new(id, name))?.clone(), value))
    }

    /// `exportStar(object, exports, …)`, with the modules whose names show only at run time.
    fn star_exports(&self, id: ModuleId, object: &Atom) -> Option<Item> {
        let stars = self.context.links.dynamic_star_exports(id).iter();
        let exports = stars.map(|star| Binding::Symbol(dynamic_star_export(self.context.modules, *star)));
        let exports: Vec<Expr> = exports.map(|binding| self.access(Some(&binding)).expr(DUMMY_SP)).collect();
        if exports.is_empty() {
            return None;
        }
        let arguments = std::iter::once(self.variable(id, object)).chain(exports).collect();
        Some(Item::Run(ast::expression_statement(ast::call(self.helper(Helper::ExportStar), arguments))))
    }

    fn common_js(&self, id: ModuleId, uses_module: bool) -> Option<Item> {
        let module = &self.context.modules[id.index()];
        let (helper, description) = if module.scan.describes_module {
            let description = vec![ast::string(&module.path()), ast::boolean(self.is_initial(id))];
            (Helper::DescribedCommonJs, description)
        } else {
            (Helper::CommonJs, Vec::new())
        };
        let helper = self.helper(helper);
        let variable = self.names.get(&Symbol::new(id, synthetic::REQUIRE))?.clone();
        let included = self.context.plan.included.parts(id).map(<[bool]>::to_vec);
        Some(Item::CommonJs { variable, helper, description, uses_module, included })
    }

    fn namespace(&self, id: ModuleId) -> Expr {
        let exports = self.context.links.exports(id).iter();
        let getters = exports
            .filter(|(_, binding)| **binding != Binding::Missing)
            .map(|(name, binding)| (name.clone(), ast::getter(self.access(Some(binding)).expr(DUMMY_SP))));
        let is_dynamic = !self.context.links.dynamic_star_exports(id).is_empty();
        let arguments = std::iter::once(ast::object(getters)).chain(is_dynamic.then(|| ast::boolean(true)));
        ast::pure_call(self.helper(Helper::Namespace), arguments.collect())
    }

    fn interpreter(&self) -> Option<Atom> {
        let entry = self.context.plan.outline(self.id).entry.filter(|_| self.context.has_plain_name(self.id))?;
        let line = self.context.modules[entry.index()].source.text.lines().next()?;
        line.strip_prefix("#!").map(Atom::from)
    }
}
