//! The modules of a program as bytecode, and how they find each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rayon::prelude::*;
use rquickjs::{
    CaughtError, Context, Ctx, Error, Exception, Module, Object, Result as JsResult, Runtime, WriteOptions,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use super::{
    failure::{Failure, FailureKind, frames},
    program::{MAX_STACK, Script, run_on_stack},
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
            code: include_str!(concat!("../runtime/engine/", $file)),
        }),*]
    };
}

const ENGINE: [Script<'static>; 16] = engine_scripts![
    "abort.js",
    "clone.js",
    "console.js",
    "encoding.js",
    "events.js",
    "fetch.js",
    "host.js",
    "inspect.js",
    "locale.js",
    "main.js",
    "notes.js",
    "random.js",
    "stack.js",
    "streams.js",
    "time.js",
    "url.js",
];

impl Scripts {
    /// Compiles the modules of a program and of the engine, side by side.
    pub(super) fn compile(scripts: &[Script<'_>]) -> Result<Self, Failure> {
        let all: Vec<Script<'_>> = ENGINE.iter().chain(scripts).copied().collect();
        let names: Arc<BTreeSet<String>> = Arc::new(all.iter().map(|script| script.name.to_owned()).collect());
        let compiled: Vec<Result<_, Failure>> = all.par_iter().map(|script| compile(*script, &names)).collect();
        Ok(Self(compiled.into_iter().collect::<Result<_, _>>()?))
    }

    /// The text of one of the program's modules.
    pub(super) fn code(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.code.as_deref()
    }
}

/// Compiles one module in a runtime of its own, which never sees the modules that it imports.
fn compile(script: Script<'_>, names: &Arc<BTreeSet<String>>) -> Result<(String, Compiled), Failure> {
    let (name, code, names) = (script.name.to_owned(), script.code.to_owned(), Arc::clone(names));
    let bytecode = run_on_stack(MAX_STACK / 2, move || {
        let runtime = Runtime::new().map_err(Failure::engine)?;
        runtime.set_max_stack_size(MAX_STACK / 2);
        runtime.set_loader(Names(names), EmptyModules);
        let context = Context::full(&runtime).map_err(Failure::engine)?;
        context.with(|ctx| {
            let module = Module::declare(ctx.clone(), name.as_str(), code.as_str());
            module
                .and_then(|module| module.write(WriteOptions::default()))
                .map_err(|error| uncompilable(&ctx, error, &name, &code))
        })
    })?;
    let code = (!script.name.starts_with(ENGINE_FOLDER)).then(|| script.code.to_owned());
    Ok((script.name.to_owned(), Compiled { code, bytecode: bytecode? }))
}

/// Why a module did not compile, from the exception that says so.
fn uncompilable(ctx: &Ctx<'_>, error: Error, name: &str, code: &str) -> Failure {
    let CaughtError::Exception(exception) = CaughtError::from_error(ctx, error) else {
        return Failure::new(FailureKind::Syntax, format!("{name} cannot be compiled"));
    };
    let message = exception.message().unwrap_or_default();
    if Failure::tells_of_missing_module(&message) {
        return Failure::new(FailureKind::MissingModule, message);
    }
    let code = Compiled { code: Some(code.to_owned()), bytecode: Vec::new() };
    let frames = frames(&exception.stack().unwrap_or_default(), &Scripts([(name.to_owned(), code)].into()));
    Failure::new(FailureKind::Syntax, format!("{name} is not valid JavaScript: {message}")).with_frames(frames)
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
pub(super) struct Bytecode(pub(super) Arc<Scripts>);

impl Resolver for Bytecode {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<String> {
        resolve(ctx, base, specifier, |name| self.0.0.contains_key(name))
    }
}

impl Loader for Bytecode {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<Module<'js, Declared>> {
        let compiled = self.0.0.get(name).ok_or_else(|| Error::new_loading(name))?;
        load(ctx, compiled)
    }
}

#[allow(unsafe_code, reason = "the engine reads bytecode unchecked, and loading it is 15 times faster than parsing")]
fn load<'js>(ctx: &Ctx<'js>, compiled: &Compiled) -> JsResult<Module<'js, Declared>> {
    // SAFETY: the bytes must be bytecode that this version of the engine wrote. The field is private to this file and
    // only `compile` fills it, in this very process, with what the engine gave it.
    unsafe { Module::load(ctx.clone(), &compiled.bytecode) }
}

/// The name of the module that `specifier` means in the module `base`. Rust itself imports with an empty base.
fn resolve(ctx: &Ctx<'_>, base: &str, specifier: &str, exists: impl Fn(&str) -> bool) -> JsResult<String> {
    let name = if base.is_empty() { Some(specifier.to_owned()) } else { join(base, specifier) };
    let in_reach =
        |name: &String| base.is_empty() || name.starts_with(ENGINE_FOLDER) == base.starts_with(ENGINE_FOLDER);
    name.filter(|name| in_reach(name) && exists(name)).ok_or_else(|| {
        let message = Failure::missing_module(specifier, base).message;
        match Exception::from_message(ctx.clone(), &message) {
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

/// The default export of the engine's entry, loaded and evaluated.
pub(super) fn engine_entry<'js>(ctx: &Ctx<'js>) -> JsResult<Object<'js>> {
    Module::import(ctx, ENGINE_ENTRY)?.finish()
}
