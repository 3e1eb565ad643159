//! How deep code is nested. Parsers, everything after them, and even freeing a tree recurse, and no stack is endless.
//!
//! Brackets are not all: each operator of `a + a + a` is a level of the tree, and so is each `else if`. What a text may come
//! to is estimated before it is parsed, which settles how much stack the parser gets; how deep the tree is shows only then.

use std::{sync::Arc, thread};

use swc_core::{
    common::{BytePos, Span, Spanned as _},
    ecma::{
        ast::{
            ArrowExpr, Class, Expr, Function, IfStmt, JSXElement, JSXFragment, JSXObject, Pat, Program, Stmt,
            TsEntityName, TsNamespaceBody, TsType,
        },
        visit::{Visit, VisitWith},
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::text,
    timing::Stage,
};

use super::estimate::Estimate;
use crate::syntax::place;

/// How deep a tree may be. The threads of the program have stacks that suffice for all passes over such a tree.
const MAX_LEVELS: usize = 10_000;

/// Brackets of a kind that the parser needs most of its stack for, each inside the one before.
const MAX_BRACKETS: usize = 4_000;

/// More tokens than this, each of which may be inside of the one before it, are not even parsed.
const MAX_TOKENS: usize = 120_000;

/// The parser reads each type assertion several times that stands right behind another one: `<any><any>a`.
const MAX_ASSERTIONS: usize = 200;

/// Stack that the parser takes for a token that nests, and for a bracket.
const STACK_OF_TOKEN: usize = 12 * 1024;
const STACK_OF_BRACKET: usize = 28 * 1024;

/// What threads have at least: that of the program's own is larger.
const STACK: usize = 24 * 1024 * 1024;

/// Runs a function that parses a text, on a stack that is large enough for it.
///
/// # Errors
/// The text is nested too deep.
pub(super) fn with_stack_for<T: Send>(
    source: &Arc<SourceText>,
    is_typescript: bool,
    parse: impl FnOnce() -> Result<T, Vec<Diagnostic>> + Send,
) -> Result<T, Vec<Diagnostic>> {
    let estimate = Estimate::of(&source.text);
    if estimate.brackets > MAX_BRACKETS {
        let message =
            text!("brackets are nested more than {MAX_BRACKETS} levels deep", "括号嵌套超过了 {MAX_BRACKETS} 层");
        return Err(vec![Diagnostic::error(message).at(at(source, estimate.deepest_bracket))]);
    }
    if is_typescript && estimate.assertions > MAX_ASSERTIONS {
        return Err(vec![too_deep(at(source, estimate.deepest_assertion))]);
    }
    let needed = estimate.tokens * STACK_OF_TOKEN + estimate.brackets * STACK_OF_BRACKET;
    if needed <= STACK {
        return parse();
    }
    let refusal = || vec![too_deep(at(source, estimate.deepest_token))];
    if estimate.tokens > MAX_TOKENS {
        return Err(refusal());
    }
    let stage = Stage::current();
    let parse = || stage.charge(parse);
    thread::scope(|scope| {
        // Only what is touched of a stack takes memory.
        let thread = thread::Builder::new().stack_size(STACK + needed).spawn_scoped(scope, parse);
        match thread.map_err(|_| refusal())?.join() {
            Ok(parsed) => parsed,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Refuses a tree that would overflow the stack of what comes after the parser.
///
/// # Errors
/// It is nested too deep.
pub(super) fn check_levels(source: &Arc<SourceText>, program: &Program) -> Result<(), Vec<Diagnostic>> {
    match Depth::of(program, MAX_LEVELS).exceeded_at {
        None => Ok(()),
        Some(span) => Err(vec![too_deep(place(source, span.with_hi(span.lo + BytePos(1))))]),
    }
}

/// Whether a program is nested deeper than that.
pub(crate) fn is_deeper_than(levels: usize, program: &Program) -> bool {
    Depth::of(program, levels).exceeded_at.is_some()
}

fn too_deep(place: Place) -> Diagnostic {
    let message = text!(
        "this code is nested more than {MAX_LEVELS} levels deep (each operator of a chain counts as one)",
        "这段代码的嵌套超过了 {MAX_LEVELS} 层（连续的运算符每个算一层）"
    );
    Diagnostic::error(message).at(place).with_hint(text!(
        "split it into several statements, or collect the parts in an array",
        "请拆成多个语句，或者把各部分放进数组里"
    ))
}

fn at(source: &Arc<SourceText>, byte: usize) -> Place {
    Place::new(source, byte..byte + 1)
}

/// Measures a tree.
struct Depth {
    levels: usize,
    max: usize,
    exceeded_at: Option<Span>,
}

impl Depth {
    fn of(program: &Program, max: usize) -> Self {
        let mut depth = Self { levels: 0, max, exceeded_at: None };
        program.visit_with(&mut depth);
        depth
    }

    /// Visits what is that much deeper, unless it is too deep.
    fn deeper(&mut self, levels: usize, span: Span, visit: impl FnOnce(&mut Self)) {
        self.levels += levels;
        if self.levels > self.max {
            self.exceeded_at.get_or_insert(span);
        } else {
            visit(self);
        }
        self.levels -= levels;
    }
}

/// The resolver of names looks twice at each class that another one extends, and so on.
const LEVELS_OF_EXTENDED_CLASS: usize = MAX_LEVELS / 16;

/// What takes the square of the depth, or its cube, is expensive even where it fits.
const LEVELS_OF_STATEMENT: usize = MAX_LEVELS / 1_000;
const LEVELS_OF_FUNCTION: usize = MAX_LEVELS / 2_000;

/// The compiler of namespaces copies each into those around it.
const LEVELS_OF_NAMESPACE: usize = MAX_LEVELS / 64;

/// Whether a statement consists of another one, other than `if`.
fn has_statement(stmt: &Stmt) -> bool {
    matches!(
        stmt,
        Stmt::For(_)
            | Stmt::ForIn(_)
            | Stmt::ForOf(_)
            | Stmt::While(_)
            | Stmt::DoWhile(_)
            | Stmt::Labeled(_)
            | Stmt::With(_)
    )
}

impl Visit for Depth {
    fn visit_expr(&mut self, expr: &Expr) {
        self.deeper(1, expr.span(), |depth| expr.visit_children_with(depth));
    }

    fn visit_stmt(&mut self, stmt: &Stmt) {
        let levels = if has_statement(stmt) { LEVELS_OF_STATEMENT } else { 1 };
        self.deeper(levels, stmt.span(), |depth| stmt.visit_children_with(depth));
    }

    fn visit_if_stmt(&mut self, stmt: &IfStmt) {
        stmt.test.visit_with(self);
        self.deeper(LEVELS_OF_STATEMENT, stmt.span, |depth| stmt.cons.visit_with(depth));
        // A chain of `else if` is as harmless as one of operators.
        stmt.alt.visit_with(self);
    }

    fn visit_function(&mut self, function: &Function) {
        self.deeper(LEVELS_OF_FUNCTION, function.span, |depth| function.visit_children_with(depth));
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.deeper(LEVELS_OF_FUNCTION, arrow.span, |depth| arrow.visit_children_with(depth));
    }

    fn visit_pat(&mut self, pattern: &Pat) {
        self.deeper(1, pattern.span(), |depth| pattern.visit_children_with(depth));
    }

    fn visit_class(&mut self, class: &Class) {
        let levels =
            if matches!(class.super_class.as_deref(), Some(Expr::Class(_))) { LEVELS_OF_EXTENDED_CLASS } else { 1 };
        self.deeper(levels, class.span, |depth| class.visit_children_with(depth));
    }

    fn visit_jsx_element(&mut self, element: &JSXElement) {
        self.deeper(1, element.span, |depth| element.visit_children_with(depth));
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment) {
        self.deeper(1, fragment.span, |depth| fragment.visit_children_with(depth));
    }

    fn visit_jsx_object(&mut self, object: &JSXObject) {
        self.deeper(1, object.span(), |depth| object.visit_children_with(depth));
    }

    fn visit_ts_type(&mut self, of: &TsType) {
        self.deeper(1, of.span(), |depth| of.visit_children_with(depth));
    }

    fn visit_ts_entity_name(&mut self, name: &TsEntityName) {
        self.deeper(1, name.span(), |depth| name.visit_children_with(depth));
    }

    fn visit_ts_namespace_body(&mut self, body: &TsNamespaceBody) {
        self.deeper(LEVELS_OF_NAMESPACE, body.span(), |depth| body.visit_children_with(depth));
    }
}
