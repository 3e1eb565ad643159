//! Source text to a JavaScript syntax tree: types erased, JSX lowered, constants folded, bindings resolved.
//!
//! Each module is parsed under [`Globals`] of its own and at byte positions of its own, so what comes out
//! depends on the module's text alone: not on the thread, the folder or the modules parsed before it.

use std::sync::Arc;

use swc_core::{
    common::{
        BytePos, GLOBALS, Globals, Mark, Span, Spanned, SyntaxContext,
        comments::{Comment, CommentKind, SingleThreadedComments, SingleThreadedCommentsMapInner},
    },
    ecma::{
        ast::{EsVersion, Module, ModuleDecl, ModuleItem, Program},
        parser::{
            EsSyntax, Lexer, Parser, StringInput, Syntax, TsSyntax,
            error::{Error, SyntaxError},
        },
        transforms::base::fixer::paren_remover,
        visit::VisitMutWith,
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    text::text,
};

use super::{
    mistake,
    nesting::{check_levels, with_stack_for},
};
use crate::{
    analyze::{
        bindings::{Findings, Rules, check_bindings},
        early_errors::early_errors,
        esm_syntax::{has_import_meta, waits},
        fold::{Folded, fold},
        foreign_habits::foreign_habits,
    },
    lower::{
        ForgetContexts, Lowering, Newer,
        caught::separate_caught,
        decorators::{decorators_of_parameters, decorators_of_private_members},
        mixed_modules,
        regex::construct_refused,
        sloppy,
    },
    names::is_of_site,
    platform::RegexJudge,
    scopes::resolve_names,
    syntax::{
        Claim, Dialect, FIRST_BYTE, Language, LanguageOptions, LookedAt, ParseOptions, SyntaxTree, is_annotation,
        is_licence, place,
    },
};

/// Parses one module.
///
/// # Errors
/// Every syntax error of the file, each at its place.
pub(crate) fn parse(
    source: &Arc<SourceText>,
    dialect: Dialect,
    options: &ParseOptions,
    language: &LanguageOptions,
) -> Result<SyntaxTree, Vec<Diagnostic>> {
    with_stack_for(source, dialect.language == Language::TypeScript && !dialect.jsx, || {
        parse_shallow(source, dialect, options, language)
    })
}

/// The same, of a text that the stack suffices for.
fn parse_shallow(
    source: &Arc<SourceText>,
    dialect: Dialect,
    options: &ParseOptions,
    language: &LanguageOptions,
) -> Result<SyntaxTree, Vec<Diagnostic>> {
    GLOBALS.set(&Globals::new(), || {
        let comments = SingleThreadedComments::default();
        let mut program = parse_program(&source.text, dialect, &comments).map_err(|errors| {
            let parses = |other| parse_program(&source.text, other, &SingleThreadedComments::default()).is_ok();
            mistake::tell(source, dialect, &errors, parses)
        })?;
        check_levels(source, &program)?;

        if dialect.jsx && memchr::memmem::find(source.text.as_bytes(), b"@jsx").is_some() {
            read_pragmas_of_lines(&comments);
        }
        let unresolved_mark = Mark::new();
        let top_level_mark = Mark::new();
        let unresolved = SyntaxContext::empty().apply_mark(unresolved_mark);
        let top_level = SyntaxContext::empty().apply_mark(top_level_mark);

        // No pass has to look behind parentheses, and the minifier does not; the printer puts them where they are needed.
        program.mutate(paren_remover(Some(&comments)));
        let was_module = matches!(&program, Program::Module(module) if has_module_syntax(module));
        let is_typescript = dialect.language == Language::TypeScript;
        resolve_names(&mut program, (unresolved_mark, top_level_mark), is_typescript);
        let is_strict = was_module || dialect.claim == Claim::Esm;
        let findings = check(source, &program, Rules { is_strict, is_typescript }, options.regex_judge)?;
        if findings.repeats_caught {
            separate_caught(&mut program);
            program.visit_mut_with(&mut ForgetContexts);
            resolve_names(&mut program, (unresolved_mark, top_level_mark), is_typescript);
        }
        if let Program::Script(script) = &mut program {
            sloppy::lower(script, &source.text, (top_level, unresolved))
                .map_err(|spans| spans.iter().map(|span| with_error(source, *span)).collect::<Vec<_>>())?;
        }
        let judge = options.regex_judge;
        let constructs = options.for_engine
            && findings.has_refused_regex
            && construct_refused(&mut program, &comments, unresolved, judge);
        let newer = Newer::of(&program, &source.text);
        if newer.decorators {
            check_decorators(source, &program, language.legacy_decorators && is_typescript)?;
        }
        let mut doubts = Vec::new();
        if newer.jsx && is_of_site(&source.name) && is_jsx_of_react(&source.text, language) {
            doubts = foreign_habits(&program);
        }
        let refreshes = (newer.jsx || mentions_hooks(&source.text)) && options.refresh(&source.name, dialect);
        if dialect.language == Language::TypeScript || newer.any() || constructs || refreshes {
            let lowering = Lowering { dialect, newer, language, development: options.development, source, refreshes };
            lowering.lower(&mut program, &comments, (unresolved_mark, top_level_mark));
        }
        let Folded { lookups: defines, doubts: undefined } = fold(&mut program, &options.defines, unresolved);
        if is_of_site(&source.name) {
            doubts.extend(undefined);
        }
        let is_mixed = dialect.claim == Claim::None && require_imports(&mut program, source, (top_level, unresolved));

        Ok(SyntaxTree {
            body: into_items(program),
            top_level,
            unresolved,
            comments: meaningful_comments(comments, &source.text),
            claim: if was_module && dialect.claim == Claim::None && !is_mixed { Claim::Esm } else { dialect.claim },
            is_typescript,
            is_mixed,
            doubts,
            looked_at: LookedAt { defines, for_engine: findings.has_refused_regex.then_some(options.for_engine) },
        })
    })
}

/// Whether elements become those of React, rather than of a library that takes attributes as HTML has them.
fn is_jsx_of_react(text: &str, language: &LanguageOptions) -> bool {
    let is_react = |source: &String| source == "react";
    language.jsx_factory.is_none()
        && language.jsx_import_source.as_ref().is_none_or(is_react)
        && memchr::memmem::find(text.as_bytes(), b"@jsx").is_none()
}

/// Whether a text may call or declare hooks of React.
fn mentions_hooks(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), b"use").any(|at| text[at + 3..].starts_with(|c: char| c.is_uppercase()))
}

/// Makes CommonJS of a file that imports and exports by different rules. Returns whether it is one.
fn require_imports(program: &mut Program, source: &SourceText, contexts: (SyntaxContext, SyntaxContext)) -> bool {
    match program {
        Program::Module(module) if mixed_modules::is_mixed(module, contexts.1) => {
            mixed_modules::require_imports(module, &source.text, contexts);
            true
        }
        _ => false,
    }
}

/// Refuses what engines would refuse.
fn check(
    source: &Arc<SourceText>,
    program: &Program,
    rules: Rules,
    regex_judge: RegexJudge,
) -> Result<Findings, Vec<Diagnostic>> {
    let mut findings = check_bindings(source, program, rules);
    early_errors(source, program, rules.is_strict, regex_judge, &mut findings);
    if findings.errors.is_empty() { Ok(findings) } else { Err(findings.errors) }
}

fn parse_program(text: &str, dialect: Dialect, comments: &SingleThreadedComments) -> Result<Program, Vec<Error>> {
    let end = FIRST_BYTE + BytePos(u32::try_from(text.len()).unwrap_or(u32::MAX - FIRST_BYTE.0));
    let input = StringInput::new(text, FIRST_BYTE, end);
    let lexer = Lexer::new(syntax(dialect), EsVersion::latest(), input, Some(comments));
    let mut parser = Parser::new_from(lexer);
    let mut result = if dialect.claim == Claim::Esm || dialect.language == Language::TypeScript {
        parser.parse_module().map(Program::Module)
    } else {
        parser.parse_program()
    };
    let mut errors = parser.take_errors();
    if let Ok(Program::Script(script)) = &mut result {
        let functions = sloppy::enclose_functions_of_branches(script);
        errors.retain(|error| *error.kind() != SyntaxError::DeclNotAllowed || !functions.contains(&error.span().lo));
    }
    errors.retain(|error| !is_about_types(error));
    match result {
        Ok(program) if errors.is_empty() => Ok(program),
        Ok(_) => Err(errors),
        Err(error) => {
            errors.push(error);
            Err(errors)
        }
    }
}

/// Whether the compiler of TypeScript would emit code all the same.
fn is_about_types(error: &Error) -> bool {
    matches!(error.kind(), SyntaxError::TS4112 | SyntaxError::TS2427 | SyntaxError::TS2452 | SyntaxError::TS1267)
}

/// Makes blocks of comments such as `// @jsx h`, because the transform of JSX looks only at those.
fn read_pragmas_of_lines(comments: &SingleThreadedComments) {
    let (mut leading, _) = comments.borrow_all_mut();
    for comment in leading.values_mut().flatten() {
        if comment.text.trim_start().starts_with("@jsx") {
            comment.kind = CommentKind::Block;
        }
    }
}

fn syntax(dialect: Dialect) -> Syntax {
    if dialect.language == Language::TypeScript {
        Syntax::Typescript(TsSyntax { tsx: dialect.jsx, decorators: true, ..TsSyntax::default() })
    } else {
        Syntax::Es(EsSyntax {
            jsx: dialect.jsx,
            allow_return_outside_function: dialect.claim != Claim::Esm,
            import_attributes: true,
            decorators: true,
            decorators_before_export: true,
            auto_accessors: true,
            explicit_resource_management: true,
            ..EsSyntax::default()
        })
    }
}

fn with_error(source: &Arc<SourceText>, span: Span) -> Diagnostic {
    let message = text!("`with` is not allowed: bundles are ES modules", "打包结果是 ES 模块，不能用 `with`");
    Diagnostic::error(message)
        .at(place(source, span))
        .with_hint(text!("name the object each time: `object.property`", "请每次都写出对象：`object.property`"))
}

/// Refuses decorators where their kind has none.
fn check_decorators(source: &Arc<SourceText>, program: &Program, is_legacy: bool) -> Result<(), Vec<Diagnostic>> {
    let (spans, error): (_, fn(&Arc<SourceText>, Span) -> Diagnostic) = if is_legacy {
        (decorators_of_private_members(program), private_decorator_error)
    } else {
        (decorators_of_parameters(program), parameter_decorator_error)
    };
    let errors: Vec<_> = spans.into_iter().map(|span| error(source, span)).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn parameter_decorator_error(source: &Arc<SourceText>, span: Span) -> Diagnostic {
    let message = text!(
        "parameter decorators require TypeScript with `experimentalDecorators`",
        "参数装饰器要用 TypeScript，并打开 `experimentalDecorators`"
    );
    Diagnostic::error(message).at(place(source, span)).with_hint(text!(
        "write `\"experimentalDecorators\": true` into `compilerOptions` of `tsconfig.json`",
        "请在 `tsconfig.json` 的 `compilerOptions` 里写 `\"experimentalDecorators\": true`"
    ))
}

fn private_decorator_error(source: &Arc<SourceText>, span: Span) -> Diagnostic {
    let message = text!(
        "with `experimentalDecorators`, members with private names cannot be decorated",
        "打开了 `experimentalDecorators`，就不能装饰私有成员"
    );
    Diagnostic::error(message)
        .at(place(source, span))
        .with_hint(text!("write `private` and a name without `#`", "请去掉名字前的 `#`，改用 `private`"))
}

/// Whether a text says what only an ES module can: `import`, `export`, `await` at the top level, `import.meta`.
fn has_module_syntax(module: &Module) -> bool {
    // `export =` stands for CommonJS.
    let is_common_js = |item: &ModuleItem| matches!(item, ModuleItem::ModuleDecl(ModuleDecl::TsExportAssignment(_)));
    let is_declaration = |item: &ModuleItem| matches!(item, ModuleItem::ModuleDecl(_));
    let body = &module.body;
    !body.iter().any(is_common_js) && (body.iter().any(is_declaration) || waits(body) || has_import_meta(body))
}

fn into_items(program: Program) -> Vec<ModuleItem> {
    match program {
        Program::Module(module) => module.body,
        Program::Script(script) => script.body.into_iter().map(ModuleItem::Stmt).collect(),
    }
}

/// Keeps the comments that later passes or the law ask for, in the order of the text.
fn meaningful_comments(comments: SingleThreadedComments, text: &str) -> Vec<(BytePos, Comment)> {
    let (leading, trailing) = comments.take_all();
    let mut kept = Vec::new();
    for (map, is_trailing) in [(leading, false), (trailing, true)] {
        let map: SingleThreadedCommentsMapInner = map.take();
        let all = map.into_iter().flat_map(|(position, list)| list.into_iter().map(move |comment| (position, comment)));
        let meaningful = all.filter(|(_, comment)| is_annotation(comment) || is_licence(comment));
        kept.extend(meaningful.map(|(position, comment)| {
            // On the line of what stands before, but said of what follows.
            let is_of_next = is_trailing && is_annotation(&comment);
            (if is_of_next { token_after(text, comment.span.hi) } else { position }, comment)
        }));
    }
    kept.sort_by_key(|(position, comment)| (*position, comment.span.lo));
    kept
}

/// Where the first token behind a position begins.
fn token_after(text: &str, position: BytePos) -> BytePos {
    let start = (position.0.saturating_sub(FIRST_BYTE.0) as usize).min(text.len());
    let mut rest = text[start..].trim_start();
    loop {
        let end = match rest.as_bytes() {
            [b'/', b'*', ..] => rest.find("*/").map(|end| end + 2),
            [b'/', b'/', ..] => rest.find('\n'),
            _ => None,
        };
        let Some(end) = end else { break };
        rest = rest[end..].trim_start();
    }
    FIRST_BYTE + BytePos(u32::try_from(text.len() - rest.len()).unwrap_or(u32::MAX - FIRST_BYTE.0))
}
