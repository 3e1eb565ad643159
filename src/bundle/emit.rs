//! Chunks to files: statements are rewritten, joined, minified and printed, each chunk on its own core; then every
//! file is named by its content.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

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
        ast::{ArrowFunctionBody, EmptyStmt, Expr, FunctionBody, Module as AstModule, ModuleItem, Program, Stmt},
        visit::VisitMutWith,
    },
};

use super::{
    Chunk, Options, SourceMaps,
    asset::FOLDER,
    build,
    chunk::{ChunkGraph, ChunkId, DynamicImport, style_loader},
    graph::ModuleGraph,
    hash::{Placeholders, Unnamed},
    helpers,
    link::{Binding, Links},
    module::{Code, Format, Module, ModuleId, RequestKind, Statement, Symbol, Target, Use, synthetic},
    names::{Names, short_name},
    needs::required,
    parse::{FIRST_BYTE, is_annotation},
    positions::Positions,
    print::{self, Printed},
    rewrite::{Access, Rewriter},
    uses::Requested,
};

/// Emits every chunk. `sheets` are the names of the chunks' style sheets.
pub(super) fn emit(
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
    placeholders.name_all(unnamed)
}

/// Short export names, in an order that the sources decide.
fn aliases(symbols: &BTreeSet<Symbol>) -> BTreeMap<Symbol, Atom> {
    symbols.iter().enumerate().map(|(index, symbol)| (symbol.clone(), short_name(index))).collect()
}

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
            code,
            source_map: (self.options.source_maps == SourceMaps::File).then(|| positions.source_map()),
            positions,
            stylesheet: self.sheets[id.0].clone(),
            imports: self.plan.requires[id.0].iter().map(|chunk| chunk.0).collect(),
            modules: self.plan.chunks[id.0].modules.iter().map(|m| self.modules[m.index()].name.clone()).collect(),
        }
    }

    /// Names for all that the chunk declares or takes from others.
    fn names(&self, id: ChunkId, code: &[ModuleCode]) -> Names {
        let declared = code.iter().flat_map(|(module, statements)| {
            let names = statements.iter().flat_map(|statement| &statement.declares);
            names.map(|name| Symbol::new(*module, name.clone()))
        });
        let needed = self.plan.needed[id.0].iter().cloned();
        Names::assign(self.modules, &self.plan.chunks[id.0], declared.chain(needed))
    }

    fn chunk_of(&self, symbol: &Symbol) -> Option<ChunkId> {
        self.plan.chunk_of.get(&symbol.module).copied()
    }

    fn specifier(&self, chunk: ChunkId) -> String {
        format!("./{}", self.placeholders.file_name(&self.plan.chunks[chunk.0].name, chunk.0))
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
    /// Functions and namespaces, which must be there before any module runs.
    hoisted: Vec<Stmt>,
    body: Vec<Stmt>,
}

impl ChunkWriter<'_> {
    fn module(&mut self, id: ModuleId, statements: Vec<Statement>) {
        let module = &self.context.modules[id.index()];
        let start = self.add_source(id, module);
        self.add_comments(module, start);
        let mut rewriter = self.rewriter(id, module, &statements, start);
        for statement in statements {
            self.statement(id, statement.code, &mut rewriter);
        }
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
            Use::Member(namespace, property) => {
                let access = self.access(self.context.links.binding(id, item).as_ref());
                rewriter.members.insert((namespace.clone(), property.clone()), access);
            }
            Use::Request(request) => {
                let request = &self.context.modules[id.index()].record.requests[*request];
                let (kind, expr) = match request.kind {
                    RequestKind::Require { .. } => {
                        (Requested::Require, self.require(&request.target, &request.specifier))
                    }
                    RequestKind::Dynamic => (Requested::Dynamic, self.dynamic_import(&request.target)),
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
        match target {
            Target::Unresolved => build::call(self.helper("missing"), vec![build::string(specifier)]),
            Target::Module(target) => {
                let access = self.access(Some(&Binding::Symbol(required(self.context.modules, *target))));
                let variable = access.expr(DUMMY_SP);
                match self.context.modules[target.index()].record.format {
                    Format::CommonJs => build::call(variable, Vec::new()),
                    Format::Esm => variable,
                }
            }
        }
    }

    fn dynamic_import(&self, target: &Target) -> Expr {
        let Target::Module(module) = target else { return *Expr::undefined(DUMMY_SP) };
        let Some(import) = self.context.plan.dynamic.get(module) else { return *Expr::undefined(DUMMY_SP) };
        let loading = match import {
            DynamicImport::Chunk(chunk) => build::import_call(&self.context.specifier(*chunk)),
            DynamicImport::Variable(chunk, symbol) if *chunk == self.id => self.already_loaded(symbol),
            DynamicImport::Variable(chunk, symbol) => self.member_of(*chunk, symbol),
        };
        self.with_styles(*module, loading)
    }

    /// `(async () => namespace)()`
    fn already_loaded(&self, symbol: &Symbol) -> Expr {
        let namespace = self.access(Some(&Binding::Symbol(symbol.clone()))).expr(DUMMY_SP);
        build::call(build::async_getter(namespace), Vec::new())
    }

    /// `import("./chunk.js").then((chunk) => chunk.a)`
    fn member_of(&self, chunk: ChunkId, symbol: &Symbol) -> Expr {
        let then = build::member(build::import_call(&self.context.specifier(chunk)), &"then".into(), DUMMY_SP);
        let parameter = Atom::from("chunk");
        let value = match self.context.aliases[chunk.0].get(symbol) {
            Some(alias) => build::member(build::variable(&parameter), alias, DUMMY_SP),
            None => *Expr::undefined(DUMMY_SP),
        };
        build::call(then, vec![build::arrow(&[parameter], ArrowFunctionBody::Expr(Box::new(value)))])
    }

    fn with_styles(&self, module: ModuleId, loading: Expr) -> Expr {
        let chunks = self.context.plan.lazy_styles.get(&module).map(Vec::as_slice).unwrap_or_default();
        let sheets = chunks.iter().filter_map(|chunk| self.context.sheets[chunk.0].as_ref());
        // Relative to the chunk, like the chunks themselves.
        let hrefs: Vec<Expr> =
            sheets.map(|sheet| build::string(&sheet.replacen(&format!("{FOLDER}/"), "./", 1))).collect();
        if hrefs.is_empty() {
            return loading;
        }
        let loader = self.access(Some(&Binding::Symbol(style_loader()))).expr(DUMMY_SP);
        build::call(loader, vec![build::array(hrefs), loading])
    }

    fn statement(&mut self, id: ModuleId, code: Code, rewriter: &mut Rewriter<'_>) {
        let declare = |this: &Self, name: &str, value: Expr| match this.names.get(&Symbol::new(id, name)) {
            Some(variable) => build::declare(variable, value),
            None => Stmt::Empty(EmptyStmt { span: DUMMY_SP }),
        };
        match code {
            Code::Source(mut stmt) => {
                stmt.visit_mut_with(rewriter);
                self.body.push(stmt);
            }
            Code::CommonJs { body, uses_module } => {
                let value = self.common_js(body, uses_module, rewriter);
                self.hoisted.push(declare(self, synthetic::REQUIRE, value));
            }
            Code::Evaluation => {
                let value = build::call(self.variable(id, synthetic::REQUIRE), Vec::new());
                self.body.push(declare(self, synthetic::EXPORTS, value));
            }
            Code::InteropDefault => {
                let value =
                    build::pure_call(self.helper("interopDefault"), vec![self.variable(id, synthetic::EXPORTS)]);
                self.body.push(declare(self, synthetic::INTEROP_DEFAULT, value));
            }
            Code::InteropNamespace { node } => {
                let arguments = vec![self.variable(id, synthetic::EXPORTS), build::boolean(node)];
                let value = build::pure_call(self.helper("interopNamespace"), arguments);
                let name = if node { synthetic::NODE_NAMESPACE } else { synthetic::INTEROP_NAMESPACE };
                self.body.push(declare(self, name, value));
            }
            Code::Namespace => {
                let value = self.namespace(id);
                self.hoisted.push(declare(self, synthetic::NAMESPACE, value));
            }
            Code::Required => {
                let value = build::pure_call(self.helper("toCommonJS"), vec![self.variable(id, synthetic::NAMESPACE)]);
                self.hoisted.push(declare(self, synthetic::REQUIRED, value));
            }
            Code::Stylesheet => {}
        }
    }

    fn common_js(&self, mut body: Vec<Stmt>, uses_module: bool, rewriter: &mut Rewriter<'_>) -> Expr {
        body.visit_mut_with(rewriter);
        let parameters: &[Atom] = &["exports".into(), "module".into()];
        let parameters = if uses_module { parameters } else { &parameters[..1] };
        let block = FunctionBody { span: DUMMY_SP, stmts: body };
        let evaluate = build::arrow(parameters, ArrowFunctionBody::FunctionBody(block));
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
        let mut items = self.imports();
        items.extend(std::mem::take(&mut self.hoisted).into_iter().map(ModuleItem::Stmt));
        items.extend(std::mem::take(&mut self.body).into_iter().map(ModuleItem::Stmt));
        let exports = self.exports();
        if !exports.is_empty() {
            items.push(build::export(exports));
        }
        Program::Module(AstModule { span: DUMMY_SP, body: items, shebang: None })
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
        required
            .iter()
            .map(|chunk| build::import(&context.specifier(*chunk), names.remove(chunk).unwrap_or_default()))
            .collect()
    }

    /// What the chunk offers: the exports of the module it is loaded for, and variables for other chunks.
    fn exports(&self) -> Vec<(Atom, Atom)> {
        let context = self.context;
        let plan = &context.plan.chunks[self.id.0];
        let mut exports = Vec::new();
        if let Some(entry) = plan.entry
            && (plan.is_user_entry || context.plan.dynamic.get(&entry) == Some(&DynamicImport::Chunk(self.id)))
        {
            for (name, binding) in context.links.exports(entry) {
                if let Access::Variable(local) = self.access(Some(binding)) {
                    exports.push((local, name.clone()));
                }
            }
        }
        for (symbol, alias) in &context.aliases[self.id.0] {
            if let Some(local) = self.names.get(symbol) {
                exports.push((local.clone(), alias.clone()));
            }
        }
        exports
    }
}
