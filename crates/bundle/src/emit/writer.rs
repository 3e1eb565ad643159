//! The code of one chunk, module by module.

use std::collections::BTreeSet;

use swc_core::{
    atoms::Atom,
    common::{
        BytePos, DUMMY_SP, FileName, SourceMap,
        comments::{Comments, SingleThreadedComments},
        sync::Lrc,
    },
    ecma::{
        ast::{Expr, Module as AstModule, ModuleItem, Program, Stmt},
        visit::VisitMutWith,
    },
};

use super::{closed::Claims, context::Context, hoist::Divided, names::Names, rewrite::Rewriter};
use crate::{
    ast,
    chunk::{
        cross_chunk::{init_of, wrapper},
        plan::ChunkId,
        references::dynamic_star_export,
    },
    helpers,
    link::Binding,
    module::{Code, Module, ModuleId, Statement, Symbol, Trees, synthetic},
    syntax::FIRST_BYTE,
};

/// Builds the code of one chunk.
pub(super) struct ChunkWriter<'a> {
    pub context: &'a Context<'a>,
    pub id: ChunkId,
    pub names: Names,
    pub map: Lrc<SourceMap>,
    /// Start of each module's text in the chunk's source map.
    pub files: Vec<(BytePos, ModuleId)>,
    pub comments: SingleThreadedComments,
    /// Functions, constants and namespaces, which must be there before any module runs.
    pub hoisted: Vec<Stmt>,
    pub body: Vec<Stmt>,
    /// The chunks that the code names by a placeholder, each under its place in this list.
    pub mentioned: Vec<ChunkId>,
    pub claims: Claims,
}

impl ChunkWriter<'_> {
    pub(super) fn module(&mut self, id: ModuleId, statements: &[&Statement], trees: &Trees) {
        let module = &self.context.modules[id.index()];
        let start = self.add_source(id, module);
        self.add_annotations(trees, start);
        let mut rewriter = self.rewriter(id, module, statements, start);
        let mut sink = match &self.context.plan.wrapped {
            wrapped if wrapped.contains(id) => Sink::Wrapped(Divided::default()),
            wrapped if wrapped.runs_first(id) => Sink::First,
            _ => Sink::InOrder,
        };
        let started: Vec<ModuleId> = self.context.plan.wrapped.started_by(id).collect();
        for start in self.starts(&started) {
            self.run(&mut sink, start);
        }
        for statement in statements {
            self.statement(id, statement, trees, &mut rewriter, &mut sink);
        }
        if let Sink::Wrapped(divided) = sink {
            self.wrapped(id, divided);
        }
    }

    /// Adds a statement that declares nothing.
    fn run(&mut self, sink: &mut Sink, stmt: Stmt) {
        match sink {
            Sink::First => self.hoisted.push(stmt),
            Sink::InOrder => self.body.push(stmt),
            Sink::Wrapped(divided) => divided.evaluation.push(stmt),
        }
    }

    /// The calls that evaluate wrapped modules. If one of several waits, the others are started meanwhile.
    fn starts(&self, modules: &[ModuleId]) -> Vec<Stmt> {
        let calls = modules.iter().map(|module| ast::call(self.variable(*module, synthetic::INIT), Vec::new()));
        if !modules.iter().any(|module| self.context.plan.wrapped.is_async(*module)) {
            return calls.map(ast::expression_statement).collect();
        }
        vec![ast::wait_for(calls.collect())]
    }

    /// The function that evaluates a wrapped module, and what exists before it is called.
    fn wrapped(&mut self, id: ModuleId, divided: Divided) {
        let Divided { hoisted, variables, evaluation } = divided;
        self.hoisted.extend(hoisted);
        if !variables.is_empty() {
            self.hoisted.push(ast::declare_all(&variables));
        }
        let Some(name) = self.names.get(&init_of(id)) else { return };
        let evaluate = ast::function(&[], evaluation, self.context.plan.wrapped.is_async(id));
        let wrapper = Binding::Symbol(wrapper(&self.context.plan.wrapped, id));
        let wrapper = self.access(Some(&wrapper)).expr(DUMMY_SP);
        self.hoisted.push(ast::declare(name, ast::pure_call(wrapper, vec![evaluate])));
    }

    fn add_source(&mut self, id: ModuleId, module: &Module) -> BytePos {
        let file_name = Lrc::new(FileName::Custom(module.name.clone()));
        let file = self.map.new_source_file(file_name, module.source.text.clone());
        self.files.push((file.start_pos, id));
        file.start_pos
    }

    fn add_annotations(&mut self, trees: &Trees, start: BytePos) {
        for (position, comment) in &trees.annotations {
            let position = if position.is_reserved_for_comments() { *position } else { *position - FIRST_BYTE + start };
            self.comments.add_leading(position, comment.clone());
        }
    }

    fn statement(
        &mut self,
        id: ModuleId,
        statement: &Statement,
        trees: &Trees,
        rewriter: &mut Rewriter<'_>,
        sink: &mut Sink,
    ) {
        match &statement.code {
            Code::Source(index) => {
                let mut stmt = trees.body[*index].clone();
                stmt.visit_mut_with(rewriter);
                match sink {
                    Sink::Wrapped(divided) => divided.add(stmt, statement.is_constant),
                    _ => self.run(sink, stmt),
                }
            }
            Code::CommonJs { uses_module } => {
                let value = self.common_js(id, &trees.body, *uses_module, rewriter);
                self.hoist(id, synthetic::REQUIRE, value);
            }
            Code::Evaluation => {
                let value = ast::call(self.variable(id, synthetic::REQUIRE), Vec::new());
                self.declare(id, synthetic::EXPORTS, value, sink);
            }
            Code::InteropDefault => {
                let value = ast::pure_call(self.helper("interopDefault"), vec![self.variable(id, synthetic::EXPORTS)]);
                self.declare(id, synthetic::INTEROP_DEFAULT, value, sink);
            }
            Code::InteropNamespace { node } => {
                let arguments = vec![self.variable(id, synthetic::EXPORTS), ast::boolean(*node)];
                let value = ast::pure_call(self.helper("interopNamespace"), arguments);
                let name = if *node { synthetic::NODE_NAMESPACE } else { synthetic::INTEROP_NAMESPACE };
                self.declare(id, name, value, sink);
            }
            Code::Namespace => {
                let value = self.namespace(id);
                self.hoist(id, synthetic::NAMESPACE, value);
            }
            Code::Required => {
                let value = ast::pure_call(self.helper("toCommonJS"), vec![self.variable(id, synthetic::NAMESPACE)]);
                self.hoist(id, synthetic::REQUIRED, value);
            }
            Code::RequiredVariable(name) => {
                let value = self.variable(id, name);
                self.declare(id, synthetic::REQUIRED, value, sink);
            }
            Code::StarExports(object) => self.star_exports(id, object, sink),
            Code::Stylesheet => {}
        }
    }

    /// Declares a variable that is there before any module runs.
    fn hoist(&mut self, id: ModuleId, name: &str, value: Expr) {
        if let Some(variable) = self.names.get(&Symbol::new(id, name)) {
            self.hoisted.push(ast::declare(variable, value));
        }
    }

    /// Declares a variable that gets its value when its module runs.
    fn declare(&mut self, id: ModuleId, name: &str, value: Expr, sink: &mut Sink) {
        let Some(variable) = self.names.get(&Symbol::new(id, name)) else { return };
        if let Sink::Wrapped(divided) = sink {
            divided.variable(variable.clone(), value);
        } else {
            let declaration = ast::declare(variable, value);
            self.run(sink, declaration);
        }
    }

    /// `exportStar(object, exports, …)`, with the modules whose names show only now.
    fn star_exports(&mut self, id: ModuleId, object: &Atom, sink: &mut Sink) {
        let stars = self.context.links.dynamic_star_exports(id).iter();
        let exports = stars.map(|star| Binding::Symbol(dynamic_star_export(self.context.modules, *star)));
        let exports: Vec<Expr> = exports.map(|binding| self.access(Some(&binding)).expr(DUMMY_SP)).collect();
        if !exports.is_empty() {
            let arguments = std::iter::once(self.variable(id, object)).chain(exports).collect();
            let call = ast::call(self.helper("exportStar"), arguments);
            self.run(sink, ast::expression_statement(call));
        }
    }

    fn common_js(&self, id: ModuleId, body: &[Stmt], uses_module: bool, rewriter: &mut Rewriter<'_>) -> Expr {
        let parts = self.context.plan.included.parts(id);
        let stays = |index: usize| parts.and_then(|parts| parts.get(index)) != Some(&false);
        let included = body.iter().enumerate().filter(|(index, _)| stays(*index));
        let mut body: Vec<Stmt> = included.map(|(_, stmt)| stmt.clone()).collect();
        body.visit_mut_with(rewriter);
        let parameters: &[Atom] = &["exports".into(), "module".into()];
        let parameters = if uses_module { parameters } else { &parameters[..1] };
        let evaluate = ast::function(parameters, body, false);
        let module = &self.context.modules[id.index()];
        if !module.scan.describes_module {
            return ast::pure_call(self.helper(helpers::COMMON_JS), vec![evaluate]);
        }
        let is_entry = ast::boolean(self.is_initial(id));
        let arguments = vec![ast::string(&module.path()), is_entry, evaluate];
        ast::pure_call(self.helper(helpers::DESCRIBED_COMMON_JS), arguments)
    }

    fn namespace(&self, id: ModuleId) -> Expr {
        let exports = self.context.links.exports(id).iter();
        let getters = exports
            .filter(|(_, binding)| **binding != Binding::Missing)
            .map(|(name, binding)| (name.clone(), ast::getter(self.access(Some(binding)).expr(DUMMY_SP))));
        let is_dynamic = !self.context.links.dynamic_star_exports(id).is_empty();
        let arguments = std::iter::once(ast::object(getters)).chain(is_dynamic.then(|| ast::boolean(true)));
        ast::pure_call(self.helper("namespace"), arguments.collect())
    }

    /// The chunk's program, and the names that it exports.
    pub(super) fn program(&mut self) -> (Program, BTreeSet<Atom>) {
        if let Some(entry) = self.context.plan.outline(self.id).entry {
            let started = self.context.plan.wrapped.started_by_entry(entry, &self.context.plan.included);
            self.body.extend(self.starts(&started));
        }
        if self.context.options.platform == crate::platform::Platform::Prerender && self.needs_waiting_chunk() {
            // The engine does not wait for the chunks that an importer without an `await` of its own needs.
            self.body.push(ast::expression_statement(ast::awaited(ast::number(0))));
        }
        let (snapshots, exports) = self.exports();
        self.body.extend(snapshots);
        let mut items = self.imports();
        items.extend(std::mem::take(&mut self.hoisted).into_iter().map(ModuleItem::Stmt));
        items.extend(std::mem::take(&mut self.body).into_iter().map(ModuleItem::Stmt));
        items.extend(self.external_stars());
        let exported = exports.iter().map(|(_, name)| name.clone()).collect();
        if !exports.is_empty() {
            items.push(ast::export(exports));
        }
        (Program::Module(AstModule { span: DUMMY_SP, body: items, shebang: self.interpreter() }), exported)
    }

    /// The interpreter that the first line of a program names after `#!`.
    fn interpreter(&self) -> Option<Atom> {
        let entry = self.context.plan.outline(self.id).entry.filter(|_| self.context.has_plain_name(self.id))?;
        let line = self.context.modules[entry.index()].source.text.lines().next()?;
        line.strip_prefix("#!").map(Atom::from)
    }
}

/// Destination of the statements of a module.
enum Sink {
    /// Before everything that runs: the module only declares functions and constants.
    First,
    /// Into the chunk's body.
    InOrder,
    /// Into the function that evaluates the module.
    Wrapped(Divided),
}
