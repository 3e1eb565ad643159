//! Requests that name many files at once become one request for each: ``import(`./texts/${language}.js`)``, the same with
//! `require` and `new URL`, and `import.meta.glob("./posts/*.tsx")`.

mod messages;
use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use oxc_resolver::TsConfig;
use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, Span, Spanned, SyntaxContext, util::take::Take},
    ecma::{
        ast::{
            BinExpr, BinaryOp, CallExpr, Callee, Decl, Expr, ExprOrSpread, FnDecl, Function, FunctionBody, Ident,
            ImportDecl, ImportPhase, Lit, ModuleDecl, ModuleItem, NewExpr, Param, ReturnStmt, Stmt, Str, SwitchCase,
            SwitchStmt, ThrowStmt, TryStmt,
        },
        visit::{Visit, VisitMut, VisitMutWith, VisitWith, noop_visit_mut_type, noop_visit_type},
    },
};

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    media,
    source::{self, display_name},
};

use super::{
    Loader, Origin, dialect, extension,
    glob_call::{self, GlobCall, Import},
    places::Place,
    resolve::Resolved,
    specifier::Pattern,
};
use crate::{
    analyze::uses::is_import_meta_url,
    ast,
    load::glob::{Glob, escaped, with_one_unknown},
    module::ImportKind,
    names::{is_sheet, is_vendor},
    platform::Platform,
    syntax::{SyntaxTree, place},
};

impl Loader<'_> {
    /// Replaces such requests of a module by requests for the files that there are. Returns what is wrong with them.
    pub(super) fn expand_patterns(
        &self,
        tree: &mut SyntaxTree,
        origin: Origin<'_>,
        project: Option<&TsConfig>,
        source: &Arc<SourceText>,
    ) -> Vec<Diagnostic> {
        let mut expansion = Expansion {
            loader: self,
            origin,
            project,
            source,
            contexts: (tree.top_level, tree.unresolved),
            imports: Vec::new(),
            functions: Vec::new(),
            names: 0,
            in_try: false,
            diagnostics: Vec::new(),
        };
        tree.body.visit_mut_with(&mut expansion);
        let Expansion { imports, functions, diagnostics, .. } = expansion;
        tree.body.splice(0..0, imports);
        tree.body.extend(functions);
        diagnostics
    }
}

/// True if a module makes such requests, or seems to.
pub(super) fn asks_for_files(tree: &SyntaxTree, text: &str) -> bool {
    let mut search = Search { unresolved: tree.unresolved, found: false };
    if may_ask(text) {
        tree.body.visit_with(&mut search);
    }
    search.found
}

struct Search {
    unresolved: SyntaxContext,
    found: bool,
}

impl Visit for Search {
    noop_visit_type!();

    fn visit_expr(&mut self, expr: &Expr) {
        self.found |= match expr {
            Expr::Call(call) => is_glob(call) || variable_specifier(call, self.unresolved).is_some(),
            Expr::New(new) => new.args.iter().flatten().any(|argument| Pattern::of(&argument.expr).is_some()),
            _ => false,
        };
        if !self.found {
            expr.visit_children_with(self);
        }
    }
}

/// The specifier of a call of `import()` or `require` of which a part is unknown.
fn variable_specifier(call: &CallExpr, unresolved: SyntaxContext) -> Option<(Way, Pattern)> {
    let way = match &call.callee {
        Callee::Import(_) => Way::Import,
        Callee::Expr(callee) => {
            let name = callee.as_ident()?;
            (name.sym == "require" && name.ctxt == unresolved).then_some(Way::Require)?
        }
        Callee::Super(_) => return None,
    };
    let (first, rest) = call.args.split_first()?;
    let pattern = Pattern::of(&first.expr).filter(|_| rest.iter().all(|argument| is_written_out(&argument.expr)))?;
    Some((way, pattern))
}

/// Whether code may ask for modules or files in such ways at all. Most modules only import, and are spared the pass.
fn may_ask(text: &str) -> bool {
    let after = |word: &'static str| text.match_indices(word).map(move |(at, _)| text[at + word.len()..].trim_start());
    // `import(…)`, `import.meta`, or a comment that may stand before either.
    after("import").any(|rest| rest.starts_with(['(', '.', '/'])) || after("require").next().is_some()
}

struct Expansion<'a> {
    loader: &'a Loader<'a>,
    origin: Origin<'a>,
    /// The settings of TypeScript that hold for the module, if they are not the site's.
    project: Option<&'a TsConfig>,
    source: &'a Arc<SourceText>,
    /// Those of the module's own names, and of names that it does not declare.
    contexts: (SyntaxContext, SyntaxContext),
    /// What eager calls of `import.meta.glob` import.
    imports: Vec<ModuleItem>,
    /// What variable requests call.
    functions: Vec<ModuleItem>,
    /// How many names were tried for what is added.
    names: usize,
    in_try: bool,
    diagnostics: Vec<Diagnostic>,
}

impl VisitMut for Expansion<'_> {
    noop_visit_mut_type!();

    fn visit_mut_expr(&mut self, expr: &mut Expr) {
        // The script of a worker is bundled, not copied.
        if let Expr::New(new) = expr
            && new.callee.as_ident().is_some_and(|callee| matches!(&*callee.sym, "Worker" | "SharedWorker"))
        {
            return;
        }
        expr.visit_mut_children_with(self);
        let replaced = match expr {
            Expr::Call(call) if is_glob(call) => Some(self.glob(call)),
            Expr::Call(call) => self.variable_request(call),
            Expr::New(new) => self.variable_address(new),
            _ => None,
        };
        if let Some(replaced) = replaced {
            *expr = replaced;
        }
    }

    fn visit_mut_try_stmt(&mut self, stmt: &mut TryStmt) {
        let outer = std::mem::replace(&mut self.in_try, true);
        stmt.block.visit_mut_with(self);
        self.in_try = outer;
        stmt.handler.visit_mut_with(self);
        stmt.finalizer.visit_mut_with(self);
    }
}

/// `import.meta.glob(…)`
fn is_glob(call: &CallExpr) -> bool {
    let member = call.callee.as_expr().and_then(|callee| callee.as_member());
    member.is_some_and(|member| member.prop.is_ident_with("glob") && member.obj.is_meta_prop())
}

/// How the files of a variable request are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Import,
    Require,
    Address,
}

impl Way {
    fn kind(self) -> ImportKind {
        match self {
            Self::Import => ImportKind::Dynamic { guarded: false },
            Self::Require => ImportKind::Require { guarded: false },
            Self::Address => ImportKind::Url { of_worker: false },
        }
    }
}

/// The files that a variable request can mean.
struct Named {
    /// Each with what follows the folder of the specifier.
    files: Vec<(String, PathBuf)>,
    /// Whether the specifier, or what it stands for, ends with an extension.
    has_extension: bool,
}

impl Expansion<'_> {
    fn variable_request(&mut self, call: &mut CallExpr) -> Option<Expr> {
        let (way, pattern) = variable_specifier(call, self.contexts.1)?;
        let cases = self.cases(&pattern, call.args[0].expr.span(), way)?;
        let file = *call.args[0].expr.take();
        let (callee, rest) = (call.callee.clone(), call.args.split_off(1));
        let ask = |specifier: Expr| {
            let args = [&[ExprOrSpread::from(specifier)], rest.as_slice()].concat();
            Expr::Call(CallExpr { callee: callee.clone(), args, ..CallExpr::default() })
        };
        Some(self.switch(file, &cases, way, ask))
    }

    fn variable_address(&mut self, new: &mut NewExpr) -> Option<Expr> {
        let is_url = new.callee.as_ident().is_some_and(|name| name.sym == "URL" && name.ctxt == self.contexts.1);
        let [file, base] = new.args.as_deref_mut().filter(|_| is_url)? else { return None };
        let is_here = matches!(&*base.expr, Expr::Member(member) if is_import_meta_url(member));
        let pattern = Pattern::of(&file.expr).filter(|_| is_here)?;
        let span = file.expr.span();
        let cases = self.cases(&pattern, span, Way::Address)?;
        let file = *file.expr.take();
        let unresolved = self.contexts.1;
        Some(self.switch(file, &cases, Way::Address, |specifier| address(specifier, unresolved)))
    }

    /// The specifiers that code may come up with, each with the one of the file that it then means.
    fn cases(&mut self, pattern: &Pattern, span: Span, way: Way) -> Option<Vec<Case>> {
        let is_of_package = is_vendor(&self.source.name);
        let is_own = pattern.is_relative() || pattern.is_of_imports();
        if is_of_package && (pattern.is_anything() || !is_own) {
            return None;
        }
        let named = match self.named(pattern, way) {
            Ok(Some(named)) => named,
            Ok(None) => {
                if way != Way::Address && self.counts_on_bundling(pattern) {
                    self.diagnostics.push(self.no_such_name(span, &pattern.shown()));
                }
                return None;
            }
            Err(error) => {
                self.diagnostics.push(self.refusal(&error, span, &pattern.shown()));
                return None;
            }
        };
        if named.files.is_empty() {
            // Who tries does not count on it, and what begins with `/` may be a file of the server.
            if is_of_package || self.in_try || pattern.is_rooted() || (way == Way::Address && !is_own) {
                return None;
            }
            self.diagnostics.push(self.nothing_matches(span, &pattern.shown()));
        }
        let specifiers: Vec<String> = named.files.into_iter().map(|(name, _)| name).collect();
        let is_whole = way == Way::Address || named.has_extension || !pattern.query.is_empty();
        Some(cases_of(pattern, &specifiers, span, is_whole))
    }

    /// Whether nobody but the bundler could know what the folder of a specifier is.
    fn counts_on_bundling(&self, pattern: &Pattern) -> bool {
        let Loader { options, resolver, .. } = self.loader;
        let is_for_pages = matches!(options.platform, Platform::Browser | Platform::Prerender);
        is_for_pages && !self.in_try && !is_vendor(&self.source.name) && !resolver.is_external(&pattern.folder)
    }

    /// The files that a specifier can mean. `None` if it is of no kind that leads to any.
    fn named(&self, pattern: &Pattern, way: Way) -> io::Result<Option<Named>> {
        let mut named = match way {
            Way::Address if pattern.is_rooted() || pattern.is_of_imports() => return Ok(None),
            Way::Address => self.beside(pattern)?,
            _ if pattern.is_relative() => self.beside(pattern)?,
            _ => match self.elsewhere(pattern, way)? {
                Some(named) => named,
                None => return Ok(None),
            },
        };
        let is_of_package = is_vendor(&self.source.name);
        let is_meant = |file: &Path| match way {
            Way::Address => true,
            _ if !pattern.query.is_empty() => true,
            _ if named.has_extension => !is_of_package || is_importable(file),
            _ => is_code(file),
        };
        named.files.retain(|(name, file)| !name.contains(['?', '#']) && is_meant(file));
        Ok(Some(named))
    }

    /// Those of a specifier that begins at the folder of the module.
    fn beside(&self, pattern: &Pattern) -> io::Result<Named> {
        let folder = self.origin.folder();
        let files = self.loader.matching(&Glob::new(folder, &pattern.glob()), false)?;
        let start = source::normalize(&folder.join(&pattern.folder));
        let files = files.into_iter().map(|file| (display_name(&start, &file), file)).collect();
        Ok(Named { files, has_extension: pattern.extension().is_some() })
    }

    /// Those of a specifier that begins with a name for a folder. `None` if it is the name of none.
    fn elsewhere(&self, pattern: &Pattern, way: Way) -> io::Result<Option<Named>> {
        let kind = way.kind();
        let (specifier, unknown) = pattern.with_one_unknown();
        let places = self.places(&specifier, kind);
        if places.is_empty() {
            return Ok(None);
        }
        let (start, end) = pattern.ends();
        let mut named = Named {
            files: Vec::new(),
            has_extension: pattern.extension().is_some() || places.iter().any(Place::has_end),
        };
        let mut known = BTreeSet::new();
        for place in places {
            for file in self.loader.matching(&place.glob(&unknown), false)? {
                let Some(unknown) = place.unknown_of(&file) else { continue };
                let name = format!("{start}{unknown}{end}");
                // Of several files of the same name one is found, and of a package only what it offers.
                let specifier = format!("{}{name}{}", pattern.folder, pattern.query);
                if !known.contains(&name) && self.leads_somewhere(&specifier, kind) {
                    known.insert(name.clone());
                    named.files.push((name, file));
                }
            }
        }
        Ok(Some(named))
    }

    fn places(&self, specifier: &str, kind: ImportKind) -> Vec<Place> {
        let places = self.loader.resolver.places(self.origin.folder(), self.project, specifier, kind);
        places.iter().filter_map(|path| Place::new(&**self.loader.sources, path)).collect()
    }

    fn leads_somewhere(&self, specifier: &str, kind: ImportKind) -> bool {
        self.loader.resolver.resolve_within(self.origin.folder(), self.project, specifier, kind).is_ok()
    }

    /// `requested(file)`, of a function that is added to the module:
    /// `function requested(path) { switch (path) { case "./de.js": return import("./de.js"); … } }`
    ///
    /// Written in place, names around the request could hide those that it uses.
    fn switch(&mut self, file: Expr, cases: &[Case], way: Way, ask: impl Fn(Expr) -> Expr) -> Expr {
        let path = Atom::from("path");
        let mut all = Vec::with_capacity(cases.len() + 1);
        for case in cases {
            let (last, others) = case.written.split_last().unwrap_or((&case.specifier, &[]));
            all.extend(others.iter().map(|written| switch_case(Some(ast::string(written)), Vec::new())));
            let mut specifier = Str::from(&*case.specifier);
            specifier.span = case.span;
            let value = ask(Expr::Lit(Lit::Str(specifier)));
            all.push(switch_case(Some(ast::string(last)), vec![returned(value)]));
        }
        all.push(switch_case(None, vec![self.otherwise(&path, way)]));
        let switch = SwitchStmt {
            span: DUMMY_SP,
            discriminant: Box::new(ast::variable(&path)),
            cases: all,
            body_ctxt: SyntaxContext::empty(),
        };
        let name = self.new_name("requested");
        let params = vec![Param { span: DUMMY_SP, decorators: Vec::new(), pat: ast::target(&path) }];
        let body = FunctionBody { span: DUMMY_SP, stmts: vec![Stmt::Switch(switch)] };
        let function = Function { params, body: Some(body), ..Function::default() };
        let declaration = FnDecl { ident: name.clone(), declare: false, function: Box::new(function) };
        self.functions.push(ModuleItem::Stmt(Stmt::Decl(Decl::Fn(declaration))));
        ast::call(Expr::Ident(name), vec![file])
    }

    /// A name for something at the top level of the module that nothing in it has.
    fn new_name(&mut self, stem: &str) -> Ident {
        let names = std::iter::from_fn(|| {
            self.names += 1;
            Some(format!("{stem}{}", self.names))
        });
        let name = names.into_iter().find(|name| !self.source.text.contains(name.as_str())).unwrap_or_default();
        Ident::new(name.into(), DUMMY_SP, self.contexts.0)
    }

    /// What happens to a path of no file.
    fn otherwise(&self, path: &Atom, way: Way) -> Stmt {
        let unresolved = self.contexts.1;
        let global = |name: &str| Expr::Ident(Ident::new(name.into(), DUMMY_SP, unresolved));
        let error = || {
            let message = [ast::string("Cannot find module '"), ast::variable(path), ast::string("'")];
            let message = message.into_iter().reduce(plus).unwrap_or_else(|| ast::string(""));
            let args = Some(vec![message.into()]);
            Expr::New(NewExpr { callee: Box::new(global("Error")), args, ..NewExpr::default() })
        };
        match way {
            Way::Import => {
                let reject = ast::member(global("Promise"), &"reject".into(), DUMMY_SP);
                returned(ast::call(reject, vec![error()]))
            }
            Way::Require => {
                let assign = ast::member(global("Object"), &"assign".into(), DUMMY_SP);
                let code = ast::object([("code".into(), ast::string("MODULE_NOT_FOUND"))]);
                let arg = Box::new(ast::call(assign, vec![error(), code]));
                Stmt::Throw(ThrowStmt { span: DUMMY_SP, arg })
            }
            Way::Address => returned(address(ast::variable(path), unresolved)),
        }
    }

    fn glob(&mut self, call: &mut CallExpr) -> Expr {
        let asked = match GlobCall::read(call) {
            Ok(asked) => asked,
            Err((span, message, hint)) => {
                let error = Diagnostic::error(message).at(place(self.source, span)).with_hint(hint);
                self.diagnostics.push(error);
                return ast::object([]);
            }
        };
        let files = self.files_of(&asked);
        let folder = self.origin.folder();
        let entries: Vec<(Atom, Expr)> = files
            .iter()
            .map(|file| {
                let specifier = format!("{}{}", relative(folder, file), asked.query);
                let value = if asked.eager {
                    self.imported(&specifier, &asked.import, call.span)
                } else {
                    lazily_imported(&specifier, &asked.import, call.span)
                };
                (Atom::from(asked.key(folder, &self.loader.options.folder, file)), value)
            })
            .collect();
        ast::object(entries)
    }

    /// The files that `import.meta.glob` means, without the module itself.
    fn files_of(&mut self, asked: &GlobCall) -> BTreeSet<PathBuf> {
        let globs: Vec<Vec<Glob>> = asked.patterns.iter().map(|pattern| self.globs_of(asked, pattern)).collect();
        let is_out = |file: &Path| {
            let is_self = matches!(self.origin, Origin::File(own) if own == file);
            let negative = globs.iter().zip(&asked.patterns).filter(|(_, pattern)| pattern.is_negative);
            is_self || negative.into_iter().any(|(globs, _)| globs.iter().any(|glob| glob.matches(file)))
        };
        let mut all = BTreeSet::new();
        let mut problems = Vec::new();
        for (globs, pattern) in globs.iter().zip(&asked.patterns) {
            if globs.is_empty() {
                problems.push(self.leads_nowhere(pattern));
            }
            if globs.is_empty() || pattern.is_negative {
                continue;
            }
            let found: io::Result<Vec<_>> =
                globs.iter().map(|glob| self.loader.matching(glob, asked.exhaustive)).collect();
            match found {
                Ok(files) => {
                    let files: Vec<PathBuf> = files.into_iter().flatten().filter(|file| !is_out(file)).collect();
                    if files.is_empty() {
                        problems.push(self.nothing_matches(pattern.span, &pattern.text));
                    }
                    all.extend(files);
                }
                Err(error) => problems.push(self.refusal(&error, pattern.span, &pattern.text)),
            }
        }
        self.diagnostics.extend(problems);
        all
    }

    /// What a pattern stands for: several, if `paths` gives a name to several folders; none, if it begins with no name of a
    /// folder.
    fn globs_of(&self, asked: &GlobCall, pattern: &glob_call::Pattern) -> Vec<Glob> {
        let (folder, site) = (self.origin.folder(), &self.loader.options.folder);
        if let Some((from, pattern)) = asked.origin(folder, site, pattern) {
            return vec![Glob::new(&from, &pattern)];
        }
        let (pattern, kind) = (&*pattern.text, ImportKind::Static);
        match with_one_unknown(pattern) {
            Some((specifier, unknown)) => {
                self.places(&specifier, kind).iter().map(|place| place.glob(unknown)).collect()
            }
            None => match self.loader.resolver.resolve_within(folder, self.project, pattern, kind) {
                Ok(Resolved::File(file)) => vec![Glob::new(Path::new("/"), &escaped(&file.path.to_string_lossy()))],
                _ => Vec::new(),
            },
        }
    }

    /// The name under which a module, or an export of it, is imported from now on.
    fn imported(&mut self, specifier: &str, import: &Import, span: Span) -> Expr {
        let local = self.new_name("globbed");
        let mut src = Str::from(specifier);
        src.span = span;
        let specifiers = vec![import.specifier(local.clone())];
        let import = ImportDecl {
            span: DUMMY_SP,
            specifiers,
            src: Box::new(src),
            type_only: false,
            with: None,
            phase: ImportPhase::Evaluation,
        };
        self.imports.push(ModuleItem::ModuleDecl(ModuleDecl::Import(import)));
        Expr::Ident(local)
    }
}

/// One file of a variable request.
struct Case {
    /// What the file may be called at run time.
    written: Vec<String>,
    specifier: String,
    span: Span,
}

/// `names` are those of the files, from the folder of the pattern. Unless they are written as a `whole`, extensions and
/// `index` may be missing at run time, as where they are written out.
fn cases_of(pattern: &Pattern, names: &[String], span: Span, is_whole: bool) -> Vec<Case> {
    let mut taken: BTreeSet<String> = names.iter().cloned().collect();
    let mut shorter = |name: &str| {
        let stem = name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        let folder = stem.as_ref().and_then(|stem| Some(stem.strip_suffix("/index")?.to_owned()));
        let all: Vec<String> = stem.into_iter().chain(folder).filter(|_| !is_whole).collect();
        all.into_iter().filter(|name| taken.insert(name.clone())).collect::<Vec<_>>()
    };
    let whole = |name: &String| format!("{}{name}{}", pattern.folder, pattern.query);
    let case = |name: &String| {
        let written = shorter(name).iter().chain([name]).map(whole).collect();
        Case { written, specifier: whole(name), span }
    };
    names.iter().map(case).collect()
}

/// Whether an expression means the same everywhere: `{ with: { type: "json" } }`.
fn is_written_out(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Object(object) => object.props.iter().all(|prop| {
            let value = prop.as_prop().and_then(|prop| prop.as_key_value());
            value.is_some_and(|pair| !pair.key.is_computed() && is_written_out(&pair.value))
        }),
        _ => false,
    }
}

fn is_code(file: &Path) -> bool {
    let is_declaration = file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".d"));
    let extension = extension(file).unwrap_or_default();
    (dialect(&extension).is_some() && !is_declaration) || extension == "json"
}

fn is_importable(file: &Path) -> bool {
    is_code(file) || is_sheet(file) || extension(file).is_some_and(|extension| media::of_asset(&extension).is_some())
}

/// The specifier of a file for a module in `folder`.
pub(super) fn relative(folder: &Path, file: &Path) -> String {
    let name = display_name(folder, file);
    if name.starts_with("../") { name } else { format!("./{name}") }
}

/// `case written: body`; without a test, `default: body`
fn switch_case(written: Option<Expr>, body: Vec<Stmt>) -> SwitchCase {
    SwitchCase { span: DUMMY_SP, test: written.map(Box::new), cons: body }
}

fn returned(value: Expr) -> Stmt {
    Stmt::Return(ReturnStmt { span: DUMMY_SP, arg: Some(Box::new(value)) })
}

/// `left + right`
fn plus(left: Expr, right: Expr) -> Expr {
    Expr::Bin(BinExpr { span: DUMMY_SP, op: BinaryOp::Add, left: Box::new(left), right: Box::new(right) })
}

/// `() => import("specifier")`, of which `then` takes what is asked for.
fn lazily_imported(specifier: &str, import: &Import, span: Span) -> Expr {
    let mut loading = ast::import_call(specifier);
    if let Expr::Call(call) = &mut loading
        && let Some(Expr::Lit(Lit::Str(specifier))) = call.args.first_mut().map(|argument| &mut *argument.expr)
    {
        specifier.span = span;
    }
    let value = match import {
        Import::Namespace => loading,
        Import::Name(name) => {
            let module = Atom::from("module");
            let value = ast::member(ast::variable(&module), name, DUMMY_SP);
            let then = ast::member(loading, &"then".into(), DUMMY_SP);
            ast::call(then, vec![ast::arrow(&[module], value, false)])
        }
    };
    ast::getter(value)
}

/// `new URL(file, import.meta.url)`
fn address(file: Expr, unresolved: SyntaxContext) -> Expr {
    let callee = Box::new(Expr::Ident(Ident::new("URL".into(), DUMMY_SP, unresolved)));
    let span = file.span();
    Expr::New(NewExpr {
        span,
        callee,
        args: Some(vec![file.into(), ast::import_meta("url").into()]),
        ..NewExpr::default()
    })
}
