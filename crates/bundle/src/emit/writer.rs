//! Writing: the program of one chunk, made of its blueprint and of the syntax trees of its modules.

use std::sync::Arc;

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

use super::{
    blueprint::{Blueprint, Item, ModulePart, Placement},
    hoist::Divided,
    rewrite::Rewriter,
};
use crate::{
    ast,
    module::{Module, ModuleId},
    syntax::FIRST_BYTE,
    trees::Trees,
};

/// A chunk as a program.
pub(super) struct Written {
    pub program: Program,
    pub map: Lrc<SourceMap>,
    /// Start of each module's text in the chunk's source map.
    pub files: Vec<(BytePos, ModuleId)>,
    pub comments: SingleThreadedComments,
}

/// Writes the program of a chunk, of whose modules these are the trees. Runs under the chunk's own `Globals`.
pub(super) fn write(blueprint: &Blueprint<'_>, trees: Vec<Arc<Trees>>) -> Written {
    let mut writer = Writer::default();
    for (part, trees) in blueprint.modules.iter().zip(trees) {
        writer.module(part, &trees);
    }
    let Writer { map, files, comments, hoisted, mut body } = writer;
    body.extend(blueprint.ending.iter().cloned());
    let mut items = blueprint.imports.clone();
    items.extend(hoisted.into_iter().map(ModuleItem::Stmt));
    items.extend(body.into_iter().map(ModuleItem::Stmt));
    items.extend(blueprint.external_stars.iter().cloned());
    if !blueprint.exports.is_empty() {
        items.push(ast::export(blueprint.exports.clone()));
    }
    let program = AstModule { span: DUMMY_SP, body: items, shebang: blueprint.interpreter.clone() };
    Written { program: Program::Module(program), map, files, comments }
}

#[derive(Default)]
struct Writer {
    map: Lrc<SourceMap>,
    files: Vec<(BytePos, ModuleId)>,
    comments: SingleThreadedComments,
    /// Functions, constants and namespaces, which must be there before any module runs.
    hoisted: Vec<Stmt>,
    body: Vec<Stmt>,
}

impl Writer {
    fn module(&mut self, part: &ModulePart<'_>, trees: &Trees) {
        let start = self.add_source(part.id, part.module);
        self.add_annotations(trees, start);
        let mut rewriter =
            Rewriter { scan: &part.module.scan, substitutions: &part.substitutions, shift: start.0 - FIRST_BYTE.0 };
        let mut sink = match part.placement {
            Placement::InOrder => Sink::InOrder,
            Placement::First => Sink::First,
            Placement::Wrapped { .. } => Sink::Wrapped(Divided::default()),
        };
        for start in &part.starts {
            self.run(&mut sink, start.clone());
        }
        for item in &part.items {
            self.item(item, trees, &mut rewriter, &mut sink);
        }
        if let (Sink::Wrapped(divided), Placement::Wrapped { function, is_async }) = (sink, &part.placement) {
            self.wrapped(divided, function.as_ref(), *is_async);
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

    /// The function that evaluates a wrapped module, and what exists before it is called.
    fn wrapped(&mut self, divided: Divided, function: Option<&(Atom, Expr)>, is_async: bool) {
        let Divided { hoisted, variables, evaluation } = divided;
        self.hoisted.extend(hoisted);
        if !variables.is_empty() {
            self.hoisted.push(ast::declare_all(&variables));
        }
        if let Some((name, wrapper)) = function {
            let evaluate = ast::function(&[], evaluation, is_async);
            self.hoisted.push(ast::declare(name, ast::pure_call(wrapper.clone(), vec![evaluate])));
        }
    }

    fn add_source(&mut self, id: ModuleId, module: &Module) -> BytePos {
        let file_name = Lrc::new(FileName::Custom(module.name.to_string()));
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

    fn item(&mut self, item: &Item, trees: &Trees, rewriter: &mut Rewriter<'_>, sink: &mut Sink) {
        match item {
            Item::Source { index, is_constant } => {
                let mut stmt = trees.body[*index].clone();
                stmt.visit_mut_with(rewriter);
                match sink {
                    Sink::Wrapped(divided) => divided.add(stmt, *is_constant),
                    _ => self.run(sink, stmt),
                }
            }
            Item::CommonJs { variable, helper, description, uses_module, included } => {
                let mut body = staying(&trees.body, included.as_deref());
                body.visit_mut_with(rewriter);
                let parameters: &[Atom] = &["exports".into(), "module".into()];
                let parameters = if *uses_module { parameters } else { &parameters[..1] };
                let evaluate = ast::function(parameters, body, false);
                let arguments = description.iter().cloned().chain([evaluate]).collect();
                self.hoisted.push(ast::declare(variable, ast::pure_call(helper.clone(), arguments)));
            }
            Item::Hoisted(variable, value) => self.hoisted.push(ast::declare(variable, value.clone())),
            Item::Declared(variable, value) => match sink {
                Sink::Wrapped(divided) => divided.variable(variable.clone(), value.clone()),
                _ => self.run(sink, ast::declare(variable, value.clone())),
            },
            Item::Run(stmt) => self.run(sink, stmt.clone()),
        }
    }
}

/// What stays of the body of a CommonJS module.
fn staying(body: &[Stmt], included: Option<&[bool]>) -> Vec<Stmt> {
    let stays = |index: usize| included.and_then(|included| included.get(index)) != Some(&false);
    body.iter().enumerate().filter(|(index, _)| stays(*index)).map(|(_, stmt)| stmt.clone()).collect()
}

/// Destination of the statements of a module, see [`Placement`].
enum Sink {
    First,
    InOrder,
    Wrapped(Divided),
}
