//! The modules of a program as bytecode, and how they find each other.

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use rayon::prelude::*;
use rquickjs::{
    CaughtError, Context, Ctx, Error, Exception, Module, Object, Result as JsResult, Runtime, WriteOptions,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
    qjs,
};

use portalgen_base::{text::text, timing::Stage};

use super::{
    call::{MAX_STACK, Script},
    failure::{Failure, FailureKind, Frame},
    record::Record,
    threads::run_on_stack,
};

/// Compiled modules by name, those of the engine's own globals among them.
pub(super) struct Scripts(BTreeMap<String, Compiled>);

struct Compiled {
    /// Only for the positions of stack frames; none for the engine's own modules, whose frames mean nothing to users.
    code: Option<String>,
    bytecode: Vec<u8>,
}

/// Where the engine's own modules live: out of reach for those of the program.
const ENGINE_FOLDER: &str = "portalgen:engine/";

/// The module that installs the web globals.
pub(super) const ENGINE_ENTRY: &str = "portalgen:engine/main.js";

macro_rules! engine_scripts {
    ($($file:literal),* $(,)?) => {
        [$(Script {
            name: concat!("portalgen:engine/", $file),
            code: include_str!(concat!("globals/", $file)),
        }),*]
    };
}

/// The module that mends regular expressions.
pub(super) const PATTERNS: Script<'static> =
    Script { name: concat!("portalgen:engine/", "patterns.js"), code: include_str!("globals/patterns.js") };

const ENGINE: [Script<'static>; 31] = engine_scripts![
    "abort.js",
    "blob.js",
    "body.js",
    "channels.js",
    "clone.js",
    "console.js",
    "encoding.js",
    "events.js",
    "fetch.js",
    "host.js",
    "inspect.js",
    "intl-base.js",
    "intl-date.js",
    "intl-duration.js",
    "intl-number.js",
    "intl-text.js",
    "intl.js",
    "lazy.js",
    "locales.js",
    "main.js",
    "notes.js",
    "patterns.js",
    "random.js",
    "socket.js",
    "stack.js",
    "streams-write.js",
    "streams.js",
    "subtle.js",
    "time.js",
    "url.js",
    "weak.js",
];

/// How many modules are compiled in one runtime: a runtime costs as much as a small module.
const BATCH: usize = 16;

impl Scripts {
    /// Compiles the modules of a program and of the engine, side by side.
    pub(super) fn compile(scripts: &[Script<'_>]) -> Result<Self, Failure> {
        let all: Vec<Script<'_>> = ENGINE.iter().chain(scripts).copied().collect();
        let names: Arc<BTreeSet<String>> = Arc::new(all.iter().map(|script| script.name.to_owned()).collect());
        let stage = Stage::current();
        let compile = |batch| run_on_stack(COMPILER_STACK, || compile(batch, &names))?;
        let batches: Vec<Result<Vec<_>, Failure>> =
            all.par_chunks(BATCH).map(|batch| stage.charge(|| compile(batch))).collect();
        let compiled: Vec<Vec<_>> = batches.into_iter().collect::<Result<_, _>>()?;
        Ok(Self(compiled.into_iter().flatten().collect()))
    }

    /// The text of one of the program's modules.
    pub(super) fn code(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.code.as_deref()
    }

    /// The frames of a stack as the engine writes it, without those outside the program's scripts.
    pub(super) fn frames(&self, stack: &str) -> Vec<Frame> {
        stack.lines().filter_map(|line| frame(line.trim().strip_prefix("at ")?, self)).collect()
    }
}

/// `function (script:line:column)`, or only `script:line:column` for a syntax error.
fn frame(text: &str, scripts: &Scripts) -> Option<Frame> {
    let (function, position) = match text.strip_suffix(')').and_then(|text| text.rsplit_once(" (")) {
        Some((function, position)) => (Some(function), position),
        None => (None, text),
    };
    let (rest, column) = position.rsplit_once(':')?;
    let (script, line) = rest.rsplit_once(':')?;
    let (line, byte_column): (u32, usize) = (line.parse().ok()?, column.parse().ok()?);
    let code = scripts.code(script)?;
    let text = code.split('\n').nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    if byte_column == 1 && function != Some("<eval>") && text.len() > LONG_LINE {
        return None;
    }
    let function = function.filter(|name| !name.starts_with('<')).map(str::to_owned);
    Some(Frame { function, script: script.to_owned(), line, column: utf16_column(text, byte_column) })
}

/// The engine gives column 1 to code in functions that neither call nor read anything. On a line this long, of
/// minified code, that would point anywhere.
const LONG_LINE: usize = 200;

/// The engine counts a column in bytes of UTF-8 and from 1.
fn utf16_column(line: &str, byte_column: usize) -> u32 {
    let before = &line[..line.floor_char_boundary(byte_column.saturating_sub(1).min(line.len()))];
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}

const COMPILER_STACK: usize = MAX_STACK / 2;

/// Compiles modules, none of which sees those that it imports.
fn compile(batch: &[Script<'_>], names: &Arc<BTreeSet<String>>) -> Result<Vec<(String, Compiled)>, Failure> {
    let runtime = Runtime::new().map_err(Failure::of_engine)?;
    runtime.set_max_stack_size(COMPILER_STACK);
    runtime.set_loader(Names(Arc::clone(names)), EmptyModules);
    let context = Context::full(&runtime).map_err(Failure::of_engine)?;
    context.with(|ctx| batch.iter().map(|script| compile_one(&ctx, *script)).collect())
}

fn compile_one(ctx: &Ctx<'_>, script: Script<'_>) -> Result<(String, Compiled), Failure> {
    let bytecode = Module::declare(ctx.clone(), script.name, script.code)
        .and_then(|module| module.write(WriteOptions::default()))
        .map_err(|error| uncompilable(ctx, error, script))?;
    let code = (!script.name.starts_with(ENGINE_FOLDER)).then(|| script.code.to_owned());
    Ok((script.name.to_owned(), Compiled { code, bytecode }))
}

/// Why a module did not compile, from the exception that says so.
fn uncompilable(ctx: &Ctx<'_>, error: Error, script: Script<'_>) -> Failure {
    let name = script.name;
    let CaughtError::Exception(exception) = CaughtError::from_error(ctx, error) else {
        return Failure::new(FailureKind::Syntax, text!("{name} cannot be compiled", "{name} 无法编译"));
    };
    let message = exception.message().unwrap_or_default();
    if let Some(message) = Failure::told_missing_module(&message) {
        return Failure::new(FailureKind::MissingModule, message);
    }
    let code = Compiled { code: Some(script.code.to_owned()), bytecode: Vec::new() };
    let frames = Scripts([(name.to_owned(), code)].into()).frames(&exception.stack().unwrap_or_default());
    let message = text!("{name} is not valid JavaScript: {message}", "{name} 不是有效的 JavaScript：{message}");
    Failure::new(FailureKind::Syntax, message).with_frames(frames)
}

/// Resolves against the names alone: all that compiling needs.
struct Names(Arc<BTreeSet<String>>);

impl Resolver for Names {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<String> {
        resolve(ctx, base, specifier, |name| self.0.contains(name))
    }
}

/// Stands in for every import of the one module that is being compiled; whether it has the names that are imported
/// is checked when the program runs.
struct EmptyModules;

impl Loader for EmptyModules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}

/// Loads the modules of a compiled program.
#[derive(Clone)]
pub(super) struct Bytecode {
    pub(super) scripts: Arc<Scripts>,
    /// The runtime's memory limit in bytes, 0 for none: see [`load`].
    pub(super) memory_limit: Rc<Cell<usize>>,
    /// Where the names of loaded modules are kept.
    pub(super) record: Rc<RefCell<Record>>,
}

impl Resolver for Bytecode {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<String> {
        resolve(ctx, base, specifier, |name| self.scripts.0.contains_key(name))
    }
}

impl Loader for Bytecode {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<Module<'js, Declared>> {
        let compiled = self.scripts.0.get(name).ok_or_else(|| Error::new_loading(name))?;
        self.record.borrow_mut().loaded.push(name.to_owned());
        load(ctx, name, compiled, &self.memory_limit)
    }
}

const NO_LIMIT: usize = 0;

/// Memory is not limited meanwhile: the engine crashes when it runs out of it in the middle of a module.
#[allow(unsafe_code, reason = "the engine reads bytecode unchecked, and loading it is 15 times faster than parsing")]
fn load<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    compiled: &Compiled,
    memory_limit: &Cell<usize>,
) -> JsResult<Module<'js, Declared>> {
    // Loading a module loads those that it imports: only the outermost load finds a limit, and sets it again.
    let limit = memory_limit.replace(NO_LIMIT);
    // SAFETY: the bytes must be bytecode that this version of the engine wrote. The field is private to this file and
    // only `compile` fills it, in this very process, with what the engine gave it. The pointer is that of the runtime
    // that `ctx` keeps alive, and setting its limit, as `Runtime` itself does, only writes a number; `Runtime` cannot
    // be used here since it is locked while the engine runs.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_SetMemoryLimit(runtime, NO_LIMIT as qjs::size_t);
        let module = Module::load(ctx.clone(), &compiled.bytecode).and_then(|module| with_address(module, name));
        qjs::JS_SetMemoryLimit(runtime, limit as qjs::size_t);
        memory_limit.set(limit);
        module
    }
}

/// Gives a module its `import.meta.url`. Where the file will be served shows only later, so the origin is made up.
fn with_address<'js>(module: Module<'js, Declared>, name: &str) -> JsResult<Module<'js, Declared>> {
    module.meta()?.set("url", format!("http://localhost/{name}"))?;
    Ok(module)
}

/// The name of the module that `specifier` means in the module `base`. Rust itself imports with an empty base.
fn resolve(ctx: &Ctx<'_>, base: &str, specifier: &str, exists: impl Fn(&str) -> bool) -> JsResult<String> {
    let name = if base.is_empty() { Some(specifier.to_owned()) } else { join(base, specifier) };
    let in_reach =
        |name: &String| base.is_empty() || name.starts_with(ENGINE_FOLDER) == base.starts_with(ENGINE_FOLDER);
    name.filter(|name| in_reach(name) && exists(name)).ok_or_else(|| {
        let message = Failure::missing_module(specifier, base).message;
        match Exception::from_message(ctx.clone(), message.english()) {
            Ok(exception) => exception.throw(),
            Err(error) => error,
        }
    })
}

/// Resolves a relative specifier; none for a bare one and for one that climbs too high.
fn join(base: &str, specifier: &str) -> Option<String> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut segments: Vec<&str> = base.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// Loads and evaluates a module, which has been when this returns, unless it waits for something. `specifier` is relative
/// to the module that calls.
pub(super) fn load_now(ctx: &Ctx<'_>, specifier: &str) -> JsResult<()> {
    Module::import(ctx, specifier).map(drop)
}

/// The default export of the engine's entry, loaded and evaluated.
pub(super) fn engine_entry<'js>(ctx: &Ctx<'js>) -> JsResult<Object<'js>> {
    Module::import(ctx, ENGINE_ENTRY)?.finish()
}
