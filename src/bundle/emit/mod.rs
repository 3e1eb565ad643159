//! Chunks to files: statements are rewritten, joined, minified and printed, each chunk on its own core; then every
//! file is named by its content.

pub(super) mod early;
pub(super) mod effects;
pub(super) mod hash;
pub(super) mod hoist;
pub(super) mod names;
pub(super) mod positions;
pub(super) mod print;
pub(super) mod rewrite;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use swc_core::{
    atoms::Atom,
    common::{
        BytePos, DUMMY_SP, FileName, GLOBALS, Globals, SourceMap,
        comments::{Comments, SingleThreadedComments},
        sync::Lrc,
    },
    ecma::{
        ast::{Expr, Module as AstModule, ModuleItem, Program, Stmt},
        visit::VisitMutWith,
    },
};

use self::{
    hash::{Placeholders, Unnamed},
    hoist::Divided,
    names::{Names, short_name},
    positions::Positions,
    print::Printed,
    rewrite::{Access, Rewriter},
};
use crate::bundle::{
    Chunk, Layout, Options, SourceMaps,
    analyze::uses::Requested,
    build,
    chunk::{
        ChunkGraph, ChunkId,
        exchange::{DynamicImport, deferral, init_of, style_loader},
        needs::{entry_exports, open_star, required},
        order::loading_order,
    },
    graph::ModuleGraph,
    link::{Binding, Links},
    load::{
        asset::base_name,
        helpers,
        parse::{FIRST_BYTE, is_annotation},
    },
    module::{Code, Format, Module, ModuleId, RequestKind, Statement, Symbol, Target, Use, synthetic},
};

/// Emits every chunk. `sheets` are the names of the chunks' style sheets.
pub(crate) fn emit(
    mut graph: ModuleGraph,
    links: &Links,
    plan: &ChunkGraph,
    sheets: &[Option<String>],
    options: &Options,
) -> Vec<Chunk> {
    let statements: Vec<Vec<Statement>> =
        graph.modules.iter_mut().map(|module| std::mem::take(&mut module.record.statements)).collect();
    let aliases: Vec<BTreeMap<Symbol, Atom>> = plan.exported.iter().map(aliases).collect();
    let texts: Vec<&str> = graph.modules.iter().map(|module| module.source.text.as_str()).collect();
    let placeholders = Placeholders::new(&texts);
    let context = Context {
        modules: &graph.modules,
        links,
        plan,
        aliases: &aliases,
        sheets,
        options,
        placeholders: &placeholders,
    };
    let per_chunk = distribute(statements, plan);
    let unnamed: Vec<Unnamed> =
        per_chunk.into_par_iter().enumerate().map(|(index, code)| context.chunk(ChunkId(index), code)).collect();
    placeholders.name_all(unnamed, options.layout.prefix())
}

/// Short export names, in an order that the sources decide.
fn aliases(symbols: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Atom> {
    symbols.iter().enumerate().map(|(index, symbol)| (symbol.clone(), short_name(index))).collect()
}

/// What cannot stand in a specifier as it is.
const URL_UNSAFE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'?').add(b'`').add(b'\\');

type ModuleCode = (ModuleId, Vec<Statement>);

/// Hands every chunk the statements that stay of its modules, in order.
fn distribute(statements: Vec<Vec<Statement>>, plan: &ChunkGraph) -> Vec<Vec<ModuleCode>> {
    let mut statements: Vec<Option<Vec<Statement>>> = statements.into_iter().map(Some).collect();
    let mut of_module = |module: ModuleId| {
        let all = statements[module.index()].take().unwrap_or_default();
        let live = all.into_iter().enumerate().filter(|(index, _)| plan.live.statement(module, *index));
        (module, live.map(|(_, statement)| statement).collect())
    };
    plan.chunks.iter().map(|chunk| chunk.modules.iter().map(|module| of_module(*module)).collect()).collect()
}

struct Context<'a> {
    modules: &'a [Module],
    links: &'a Links,
    plan: &'a ChunkGraph,
    aliases: &'a [BTreeMap<Symbol, Atom>],
    sheets: &'a [Option<String>],
    options: &'a Options,
    placeholders: &'a Placeholders,
}

impl Context<'_> {
    fn chunk(&self, id: ChunkId, code: Vec<ModuleCode>) -> Unnamed {
        GLOBALS.set(&Globals::new(), || {
            let plan = &self.plan.chunks[id.0];
            let names = self.names(id, &code);
            let mut writer = ChunkWriter {
                context: self,
                id,
                names,
                map: Lrc::new(SourceMap::default()),
                files: Vec::new(),
                comments: SingleThreadedComments::default(),
                hoisted: Vec::new(),
                body: Vec::new(),
            };
            for (module, statements) in code {
                writer.module(module, statements);
            }
            let program = writer.program();
            let ChunkWriter { map, files, comments, .. } = writer;
            let printed = print::print(program, &map, &comments, self.options);
            self.finish(id, &plan.name, printed, files)
        })
    }

    fn finish(&self, id: ChunkId, name: &str, printed: Printed, files: Vec<(BytePos, ModuleId)>) -> Unnamed {
        let Printed { code, mappings } = printed;
        let files =
            files.into_iter().map(|(start, module)| (start.0, Arc::clone(&self.modules[module.index()].source)));
        let positions = Positions::new(files.collect(), &mappings);
        Unnamed {
            name: name.to_owned(),
            has_plain_name: self.has_plain_name(id),
            code,
            source_map: (self.options.source_maps == SourceMaps::File).then(|| positions.source_map()),
            positions,
            stylesheet: self.sheets[id.0].clone(),
            imports: self.plan.requires[id.0].iter().map(|chunk| chunk.0).collect(),
            lazy_imports: self.lazy_imports(id),
            modules: self.plan.chunks[id.0].modules.iter().map(|m| self.modules[m.index()].name.clone()).collect(),
        }
    }

    fn lazy_imports(&self, id: ChunkId) -> Vec<usize> {
        let targets = self.plan.lazy_targets[id.0].iter();
        let chunks: BTreeSet<usize> =
            targets.filter_map(|target| Some(self.plan.dynamic.get(target)?.chunk.0)).collect();
        chunks.into_iter().filter(|chunk| *chunk != id.0).collect()
    }

    /// Names for all that the chunk declares or takes from others.
    fn names(&self, id: ChunkId, code: &[ModuleCode]) -> Names {
        let declared = code.iter().flat_map(|(module, statements)| {
            let names = statements.iter().flat_map(|statement| &statement.declares);
            names.map(|name| Symbol::new(*module, name.clone()))
        });
        let needed = self.plan.needed[id.0].iter().cloned();
        Names::assign(self.modules, self.links, &self.plan.chunks[id.0], declared.chain(needed))
    }

    fn chunk_of(&self, symbol: &Symbol) -> Option<ChunkId> {
        self.plan.chunk_of.get(&symbol.module).copied()
    }

    fn specifier(&self, chunk: ChunkId) -> String {
        let plan = &self.plan.chunks[chunk.0];
        if self.has_plain_name(chunk) {
            format!("./{}.js", utf8_percent_encode(&plan.name, URL_UNSAFE))
        } else {
            format!("./{}", self.placeholders.file_name(&plan.name, chunk.0))
        }
    }

    /// Whether a chunk's file is named like its entry, without a hash.
    fn has_plain_name(&self, chunk: ChunkId) -> bool {
        self.options.layout == Layout::Flat
            && self.options.workers.is_empty()
            && self.plan.chunks[chunk.0].is_user_entry
    }
}

/// Builds the code of one chunk.
struct ChunkWriter<'a> {
    context: &'a Context<'a>,
    id: ChunkId,
    names: Names,
    map: Lrc<SourceMap>,
    /// Where each module's text begins in the chunk's source map.
    files: Vec<(BytePos, ModuleId)>,
    comments: SingleThreadedComments,
    /// Functions, constants and namespaces, which must be there before any module runs.
    hoisted: Vec<Stmt>,
    body: Vec<Stmt>,
}

impl ChunkWriter<'_> {
    fn module(&mut self, id: ModuleId, statements: Vec<Statement>) {
        let module = &self.context.modules[id.index()];
        let start = self.add_source(id, module);
        self.add_comments(module, start);
        let mut rewriter = self.rewriter(id, module, &statements, start);
        let mut sink = match &self.context.plan.deferred {
            deferred if deferred.contains(id) => Sink::Deferred(Divided::default()),
            deferred if deferred.runs_first(id) => Sink::First,
            _ => Sink::InOrder,
        };
        let inits: Vec<Stmt> = self.context.plan.deferred.started_by(id).map(|module| self.start(module)).collect();
        for init in inits {
            self.run(&mut sink, init);
        }
        for statement in statements {
            self.statement(id, statement, &mut rewriter, &mut sink);
        }
        if let Sink::Deferred(divided) = sink {
            self.deferred(id, divided);
        }
    }

    /// Adds a statement that declares nothing.
    fn run(&mut self, sink: &mut Sink, stmt: Stmt) {
        match sink {
            Sink::First => self.hoisted.push(stmt),
            Sink::InOrder => self.body.push(stmt),
            Sink::Deferred(divided) => divided.evaluation.push(stmt),
        }
    }

    /// The call that evaluates a deferred module.
    fn start(&self, module: ModuleId) -> Stmt {
        let call = build::call(self.variable(module, synthetic::INIT), Vec::new());
        let is_async = self.context.plan.deferred.is_async(module);
        build::expression_statement(if is_async { build::awaited(call) } else { call })
    }

    /// The function that evaluates a deferred module, and what exists before it is called.
    fn deferred(&mut self, id: ModuleId, divided: Divided) {
        let Divided { hoisted, variables, evaluation } = divided;
        self.hoisted.extend(hoisted);
        if !variables.is_empty() {
            self.hoisted.push(build::declare_all(&variables));
        }
        let Some(name) = self.names.get(&init_of(id)) else { return };
        let evaluate = build::function(&[], evaluation, self.context.plan.deferred.is_async(id));
        let deferral = self.access(Some(&Binding::Symbol(deferral()))).expr(DUMMY_SP);
        self.hoisted.push(build::declare(name, build::pure_call(deferral, vec![evaluate])));
    }

    fn add_source(&mut self, id: ModuleId, module: &Module) -> BytePos {
        let file_name = Lrc::new(FileName::Custom(module.name.clone()));
        let file = self.map.new_source_file(file_name, module.source.text.clone());
        self.files.push((file.start_pos, id));
        file.start_pos
    }

    fn add_comments(&mut self, module: &Module, start: BytePos) {
        for (position, comment) in &module.record.comments {
            if is_annotation(comment) {
                let position =
                    if position.is_reserved_for_comments() { *position } else { *position - FIRST_BYTE + start };
                self.comments.add_leading(position, comment.clone());
            }
        }
    }

    fn rewriter<'m>(&self, id: ModuleId, module: &'m Module, statements: &[Statement], start: BytePos) -> Rewriter<'m> {
        let mut rewriter = Rewriter {
            record: &module.record,
            names: FxHashMap::default(),
            members: FxHashMap::default(),
            requests: FxHashMap::default(),
            require: None,
            shift: start.0 - FIRST_BYTE.0,
        };
        for statement in statements {
            for name in &statement.declares {
                self.note_name(id, name, &mut rewriter);
            }
            for item in &statement.uses {
                self.note_use(id, item, &mut rewriter);
            }
        }
        rewriter
    }

    fn note_use(&self, id: ModuleId, item: &Use, rewriter: &mut Rewriter<'_>) {
        match item {
            Use::Name(name) => self.note_name(id, name, rewriter),
            Use::Member(object, property) => match self.context.links.member(id, object, property) {
                Some(binding) => {
                    rewriter.members.insert((object.clone(), property.clone()), self.access(Some(&binding)));
                }
                None => self.note_name(id, object, rewriter),
            },
            Use::Request(request) => {
                let request = &self.context.modules[id.index()].record.requests[*request];
                let (kind, expr) = match request.kind {
                    RequestKind::Require { .. } => {
                        (Requested::Require, self.require(&request.target, &request.specifier))
                    }
                    RequestKind::Dynamic if request.target == Target::Outside => return,
                    RequestKind::Dynamic => (Requested::Dynamic, self.dynamic_import(&request.target)),
                    RequestKind::Address { .. } if request.target == Target::Unresolved => return,
                    RequestKind::Address { of_worker } => {
                        (Requested::Address { of_worker }, self.address(&request.target))
                    }
                    RequestKind::Import => return,
                };
                rewriter.requests.insert((kind, request.specifier.clone()), expr);
            }
            Use::Helper(helpers::UNKNOWN_REQUIRE) => rewriter.require = Some(self.helper(helpers::UNKNOWN_REQUIRE)),
            Use::Helper(_) => {}
        }
    }

    fn note_name(&self, id: ModuleId, name: &Atom, rewriter: &mut Rewriter<'_>) {
        let access = self.access(Some(&self.context.links.name(id, name)));
        if access != Access::Variable(name.clone()) {
            rewriter.names.insert(name.clone(), access);
        }
    }

    fn access(&self, binding: Option<&Binding>) -> Access {
        match binding {
            Some(Binding::Symbol(symbol)) => {
                self.names.get(symbol).cloned().map_or(Access::Undefined, Access::Variable)
            }
            Some(Binding::Property(module, property)) => {
                match self.names.get(&Symbol::new(*module, synthetic::EXPORTS)) {
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

    fn variable(&self, module: ModuleId, name: &str) -> Expr {
        self.access(Some(&Binding::Symbol(Symbol::new(module, name)))).expr(DUMMY_SP)
    }

    fn helper(&self, name: &str) -> Expr {
        self.variable(ModuleId::HELPERS, name)
    }

    fn require(&self, target: &Target, specifier: &Atom) -> Expr {
        let Target::Module(target) = target else {
            return build::call(self.helper("missing"), vec![build::string(specifier)]);
        };
        if self.context.modules[target.index()].external {
            return build::call(self.helper("requireExternal"), vec![build::string(specifier)]);
        }
        let access = self.access(Some(&Binding::Symbol(required(self.context.modules, *target))));
        let variable = access.expr(DUMMY_SP);
        match self.context.modules[target.index()].record.format {
            Format::CommonJs => build::call(variable, Vec::new()),
            Format::Esm if self.context.plan.deferred.contains(*target) => {
                let init = build::call(self.variable(*target, synthetic::INIT), Vec::new());
                build::sequence(vec![init, variable])
            }
            Format::Esm => variable,
        }
    }

    /// The address of an output file, as a `URL`.
    fn address(&self, target: &Target) -> Expr {
        match target {
            Target::File(name) => build::file_url(&format!("./{name}")),
            Target::Address(path) => build::pure_call(self.helper("addressOf"), vec![build::string(path)]),
            _ => *Expr::undefined(DUMMY_SP),
        }
    }

    fn dynamic_import(&self, target: &Target) -> Expr {
        let Target::Module(module) = target else { return *Expr::undefined(DUMMY_SP) };
        let Some(import) = self.context.plan.dynamic.get(module) else { return *Expr::undefined(DUMMY_SP) };
        let DynamicImport { chunk, namespace, init } = import;
        let loading = match namespace {
            None => build::import_call(&self.context.specifier(*chunk)),
            Some(namespace) if *chunk == self.id => {
                let of = |symbol: &Symbol| self.access(Some(&Binding::Symbol(symbol.clone()))).expr(DUMMY_SP);
                self.started(*module, init.as_ref().map(of), of(namespace))
            }
            Some(namespace) => {
                let parameter = Atom::from("chunk");
                let of = |symbol: &Symbol| match self.context.aliases[chunk.0].get(symbol) {
                    Some(alias) => build::member(build::variable(&parameter), alias, DUMMY_SP),
                    None => *Expr::undefined(DUMMY_SP),
                };
                let loading = build::import_call(&self.context.specifier(*chunk));
                let value = self.with_start(*module, init.as_ref().map(of), of(namespace));
                let is_async = init.is_some() && self.context.plan.deferred.is_async(*module);
                let then = build::member(loading, &"then".into(), DUMMY_SP);
                build::call(then, vec![build::arrow(&[parameter], value, is_async)])
            }
        };
        self.with_styles(*module, loading)
    }

    /// `(async () => namespace)()`, or `(async () => (await 0, init(), namespace))()`: later, as with every `import()`.
    fn started(&self, module: ModuleId, init: Option<Expr>, namespace: Expr) -> Expr {
        let is_deferred = init.is_some();
        let mut value = self.with_start(module, init, namespace);
        if is_deferred {
            value = build::sequence(vec![build::awaited(build::number(0)), value]);
        }
        build::call(build::arrow(&[], value, true), Vec::new())
    }

    /// `(init(), namespace)`
    fn with_start(&self, module: ModuleId, init: Option<Expr>, namespace: Expr) -> Expr {
        let Some(init) = init else { return namespace };
        let call = build::call(init, Vec::new());
        let is_async = self.context.plan.deferred.is_async(module);
        build::sequence(vec![if is_async { build::awaited(call) } else { call }, namespace])
    }

    fn with_styles(&self, module: ModuleId, loading: Expr) -> Expr {
        let chunks = self.context.plan.lazy_styles.get(&module).map(Vec::as_slice).unwrap_or_default();
        let sheets = chunks.iter().filter_map(|chunk| self.context.sheets[chunk.0].as_ref());
        // Relative to the chunk, like the chunks themselves.
        let hrefs: Vec<Expr> = sheets.map(|sheet| build::string(&format!("./{}", base_name(sheet)))).collect();
        if hrefs.is_empty() {
            return loading;
        }
        let loader = self.access(Some(&Binding::Symbol(style_loader()))).expr(DUMMY_SP);
        build::call(loader, vec![build::array(hrefs), loading])
    }

    fn statement(&mut self, id: ModuleId, statement: Statement, rewriter: &mut Rewriter<'_>, sink: &mut Sink) {
        match statement.code {
            Code::Source(mut stmt) => {
                stmt.visit_mut_with(rewriter);
                match sink {
                    Sink::Deferred(divided) => divided.add(stmt, statement.is_constant),
                    _ => self.run(sink, stmt),
                }
            }
            Code::CommonJs { body, uses_module } => {
                let value = self.common_js(id, body, uses_module, rewriter);
                self.hoist(id, synthetic::REQUIRE, value);
            }
            Code::Evaluation => {
                let value = build::call(self.variable(id, synthetic::REQUIRE), Vec::new());
                self.declare(id, synthetic::EXPORTS, value, sink);
            }
            Code::InteropDefault => {
                let value =
                    build::pure_call(self.helper("interopDefault"), vec![self.variable(id, synthetic::EXPORTS)]);
                self.declare(id, synthetic::INTEROP_DEFAULT, value, sink);
            }
            Code::InteropNamespace { node } => {
                let arguments = vec![self.variable(id, synthetic::EXPORTS), build::boolean(node)];
                let value = build::pure_call(self.helper("interopNamespace"), arguments);
                let name = if node { synthetic::NODE_NAMESPACE } else { synthetic::INTEROP_NAMESPACE };
                self.declare(id, name, value, sink);
            }
            Code::Namespace => {
                let value = self.namespace(id);
                self.hoist(id, synthetic::NAMESPACE, value);
            }
            Code::Required => {
                let value = build::pure_call(self.helper("toCommonJS"), vec![self.variable(id, synthetic::NAMESPACE)]);
                self.hoist(id, synthetic::REQUIRED, value);
            }
            Code::RequiredDefault => {
                let value = self.variable(id, synthetic::DEFAULT);
                self.declare(id, synthetic::REQUIRED, value, sink);
            }
            Code::StarExports(object) => self.star_exports(id, &object, sink),
            Code::Stylesheet => {}
        }
    }

    /// Declares a variable that is there before any module runs.
    fn hoist(&mut self, id: ModuleId, name: &str, value: Expr) {
        if let Some(variable) = self.names.get(&Symbol::new(id, name)) {
            self.hoisted.push(build::declare(variable, value));
        }
    }

    /// Declares a variable that gets its value when its module runs.
    fn declare(&mut self, id: ModuleId, name: &str, value: Expr, sink: &mut Sink) {
        let Some(variable) = self.names.get(&Symbol::new(id, name)) else { return };
        if let Sink::Deferred(divided) = sink {
            divided.variable(variable.clone(), value);
        } else {
            let declaration = build::declare(variable, value);
            self.run(sink, declaration);
        }
    }

    /// `exportStar(object, exports)` for each module whose names show only now.
    fn star_exports(&mut self, id: ModuleId, object: &Atom, sink: &mut Sink) {
        for star in self.context.links.open_stars(id) {
            let symbol = open_star(self.context.modules, *star);
            let exports = self.access(Some(&Binding::Symbol(symbol))).expr(DUMMY_SP);
            let call = build::call(self.helper("exportStar"), vec![self.variable(id, object), exports]);
            self.run(sink, build::expression_statement(call));
        }
    }

    fn common_js(&self, id: ModuleId, mut body: Vec<Stmt>, uses_module: bool, rewriter: &mut Rewriter<'_>) -> Expr {
        if let Some(parts) = self.context.plan.live.parts(id) {
            let mut parts = parts.iter();
            body.retain(|_| parts.next() != Some(&false));
        }
        body.visit_mut_with(rewriter);
        let parameters: &[Atom] = &["exports".into(), "module".into()];
        let parameters = if uses_module { parameters } else { &parameters[..1] };
        let evaluate = build::function(parameters, body, false);
        build::pure_call(self.helper("commonJS"), vec![evaluate])
    }

    fn namespace(&self, id: ModuleId) -> Expr {
        let exports = self.context.links.exports(id).iter();
        let getters = exports
            .filter(|(_, binding)| **binding != Binding::Missing)
            .map(|(name, binding)| (name.clone(), build::getter(self.access(Some(binding)).expr(DUMMY_SP))));
        build::pure_call(self.helper("namespace"), vec![build::object(getters)])
    }

    fn program(&mut self) -> Program {
        let plan = &self.context.plan.chunks[self.id.0];
        if let Some(entry) = plan.entry {
            for module in self.context.plan.deferred.started_by_entry(entry, &self.context.plan.live) {
                self.body.push(self.start(module));
            }
        }
        if self.context.options.target == super::Target::Prerender && self.needs_waiting_chunk() {
            // The engine does not wait for the chunks that an importer without an `await` of its own needs.
            self.body.push(build::expression_statement(build::awaited(build::number(0))));
        }
        let (snapshots, exports) = self.exports();
        self.body.extend(snapshots);
        let mut items = self.imports();
        items.extend(std::mem::take(&mut self.hoisted).into_iter().map(ModuleItem::Stmt));
        items.extend(std::mem::take(&mut self.body).into_iter().map(ModuleItem::Stmt));
        items.extend(self.external_stars());
        if !exports.is_empty() {
            items.push(build::export(exports));
        }
        Program::Module(AstModule { span: DUMMY_SP, body: items, shebang: None })
    }

    /// Whether a chunk that this one requires waits for something.
    fn needs_waiting_chunk(&self) -> bool {
        let plan = self.context.plan;
        let waits = |chunk: ChunkId| {
            let mut modules = plan.chunks[chunk.0].modules.iter();
            modules.any(|module| self.context.modules[module.index()].record.top_level_await)
        };
        loading_order(self.id, &plan.requires).into_iter().any(|chunk| chunk != self.id && waits(chunk))
    }

    fn imports(&self) -> Vec<ModuleItem> {
        let context = self.context;
        let mut names: BTreeMap<ChunkId, Vec<(Atom, Atom)>> = BTreeMap::new();
        for symbol in &context.plan.needed[self.id.0] {
            let Some(owner) = context.chunk_of(symbol).filter(|owner| *owner != self.id) else { continue };
            if let (Some(alias), Some(local)) = (context.aliases[owner.0].get(symbol), self.names.get(symbol)) {
                names.entry(owner).or_default().push((alias.clone(), local.clone()));
            }
        }
        let required = &context.plan.requires[self.id.0];
        let from_chunks = required
            .iter()
            .map(|chunk| build::import(&context.specifier(*chunk), names.remove(chunk).unwrap_or_default()));
        self.external_imports().into_iter().chain(from_chunks).collect()
    }

    /// Imports of what stays outside, in the order in which the chunk's modules mention it.
    fn external_imports(&self) -> Vec<ModuleItem> {
        let context = self.context;
        let mut names: BTreeMap<ModuleId, Vec<(Atom, Atom)>> = BTreeMap::new();
        let mut items = Vec::new();
        for symbol in &context.plan.needed[self.id.0] {
            let module = &context.modules[symbol.module.index()];
            let Some(local) = self.names.get(symbol).filter(|_| module.external) else { continue };
            if symbol.name == synthetic::NAMESPACE {
                items.push(build::import_namespace(&module.name, local));
            } else {
                names.entry(symbol.module).or_default().push((symbol.name.clone(), local.clone()));
            }
        }
        for external in &context.plan.externals[self.id.0] {
            let module = &context.modules[external.index()];
            let names = names.remove(external).unwrap_or_default();
            let is_named = !names.is_empty();
            if is_named || !module.pure_package {
                items.push(build::import(&module.name, names));
            }
        }
        items
    }

    /// `export * from "…"` for what a user entry hands on from outside.
    fn external_stars(&self) -> Vec<ModuleItem> {
        let plan = &self.context.plan.chunks[self.id.0];
        let entry = plan.entry.filter(|_| plan.is_user_entry);
        let stars = entry.into_iter().flat_map(|entry| self.context.links.open_stars(entry));
        let modules = stars.map(|star| &self.context.modules[star.index()]);
        modules.filter(|module| module.external).map(|module| build::export_star(&module.name)).collect()
    }

    /// What the chunk offers: the exports of the module it is loaded for, and variables for other chunks; and the
    /// variables that must be made for that.
    fn exports(&mut self) -> (Vec<Stmt>, Vec<(Atom, Atom)>) {
        let context = self.context;
        let plan = &context.plan.chunks[self.id.0];
        let (mut snapshots, mut exports) = (Vec::new(), Vec::new());
        let is_own = |entry: &ModuleId| {
            let direct = |import: &DynamicImport| import.chunk == self.id && import.namespace.is_none();
            plan.is_user_entry || context.plan.dynamic.get(entry).is_some_and(direct)
        };
        if let Some(entry) = plan.entry.filter(is_own) {
            for (name, binding) in entry_exports(context.modules, context.links, entry) {
                match self.access(Some(&binding)) {
                    Access::Variable(local) => exports.push((local, name)),
                    // The properties of a CommonJS module are exported as they are when it has run.
                    access @ Access::Property(..) => {
                        let local = self.names.fresh(&format!("export_{}", snapshots.len()));
                        snapshots.push(build::declare(&local, access.expr(DUMMY_SP)));
                        exports.push((local, name));
                    }
                    Access::Undefined => {}
                }
            }
        }
        for (symbol, alias) in &context.aliases[self.id.0] {
            if let Some(local) = self.names.get(symbol) {
                exports.push((local.clone(), alias.clone()));
            }
        }
        (snapshots, exports)
    }
}

/// Where the statements of a module go.
enum Sink {
    /// Before everything that runs: the module only declares functions and constants.
    First,
    /// Into the chunk's body.
    InOrder,
    /// Into the function that evaluates the module.
    Deferred(Divided),
}
