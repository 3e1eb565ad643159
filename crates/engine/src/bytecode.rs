//! Modules as bytecode: how it is made, and how an engine reads it.
//!
//! Compilers are threads of their own, for the stack that the parser needs, with a runtime of their own: nothing of a compiler
//! touches the memory of an engine that calls programs.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::{Mutex, PoisonError, mpsc},
};

use rquickjs::{
    CaughtError, Context, Ctx, Error, Module, Result as JsResult, Runtime, WriteOptions,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
    qjs,
};

use portalgen_base::{text::text, timing::Stage};

use super::{
    call::MAX_STACK,
    failure::{Failure, FailureKind},
    library::Library,
    threads::spawn,
};

/// A compiled module.
pub(super) struct Bytecode {
    /// Only what the engine wrote in this process: see [`Bytecode::load`].
    bytes: Vec<u8>,
    /// Names of the modules that it imports statically.
    pub(super) imports: Box<[String]>,
}

const NO_LIMIT: usize = 0;

impl Bytecode {
    /// Loads the module and those that it imports, as `name`. `memory_limit` is the runtime's, 0 for none.
    ///
    /// Memory is not limited meanwhile: the engine crashes when it runs out of it in the middle of a module. For the same reason,
    /// the loader must have at hand all that the module imports.
    #[allow(
        unsafe_code,
        reason = "the engine reads bytecode unchecked, and loading it is 15 times faster than parsing"
    )]
    pub(super) fn load<'js>(
        &self,
        ctx: &Ctx<'js>,
        name: &str,
        memory_limit: &Cell<usize>,
    ) -> JsResult<Module<'js, Declared>> {
        // Loading a module loads those that it imports: only the outermost load finds a limit, and sets it again.
        let limit = memory_limit.replace(NO_LIMIT);
        // SAFETY: the bytes must be bytecode that this version of the engine wrote. The field is private to this file and
        // only `compile` fills it, in this very process, with what the engine gave it. The engine copies what it keeps of
        // them. The pointer is that of the runtime that `ctx` keeps alive, and setting its limit, as `Runtime` itself does,
        // only writes a number; `Runtime` cannot be used here since it is locked while the engine runs.
        unsafe {
            let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
            qjs::JS_SetMemoryLimit(runtime, NO_LIMIT as qjs::size_t);
            let module = Module::load(ctx.clone(), &self.bytes).and_then(|module| with_address(module, name));
            qjs::JS_SetMemoryLimit(runtime, limit as qjs::size_t);
            memory_limit.set(limit);
            module
        }
    }
}

/// Gives a module its `import.meta.url`. Where the file will be served shows only later, so the origin is made up.
fn with_address<'js>(module: Module<'js, Declared>, name: &str) -> JsResult<Module<'js, Declared>> {
    module.meta()?.set("url", format!("http://localhost/{name}"))?;
    Ok(module)
}

/// Compiles modules of a library, from several threads at once.
pub(super) struct Compilers {
    library: Library,
    idle: Mutex<Vec<Compiler>>,
}

impl Compilers {
    pub(super) const fn new(library: Library) -> Self {
        Self { library, idle: Mutex::new(Vec::new()) }
    }

    /// Compiles modules, none of which sees those that it imports. Several at once cost less than one by one.
    ///
    /// Each one fails if it is not there, is not valid JavaScript, or imports what is not there.
    ///
    /// # Errors
    /// There is no compiler.
    pub(super) fn compile(&self, names: Vec<String>) -> Result<Vec<Compiled>, Failure> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let compiler = idle().pop();
        let compiler = compiler.map_or_else(|| Compiler::start(&self.library), Ok)?;
        let request = Request { names, stage: Stage::current() };
        compiler.requests.send(request).map_err(|_| Failure::lost_thread())?;
        let results = compiler.results.recv().map_err(|_| Failure::lost_thread())?;
        idle().push(compiler);
        Ok(results)
    }
}

/// What came of compiling a module.
pub(super) type Compiled = Result<Bytecode, Failure>;

struct Request {
    names: Vec<String>,
    /// What the work is for.
    stage: Stage,
}

/// A thread that compiles modules.
struct Compiler {
    requests: mpsc::Sender<Request>,
    results: mpsc::Receiver<Vec<Compiled>>,
}

const COMPILER_STACK: usize = MAX_STACK / 2;

impl Compiler {
    fn start(library: &Library) -> Result<Self, Failure> {
        let (requests, to_compile) = mpsc::channel::<Request>();
        let (compiled, results) = mpsc::channel();
        let library = library.clone();
        let work = move || {
            let mut bench = None;
            while let Ok(Request { names, stage }) = to_compile.recv() {
                let compile = |name: &String| compile(&library, &mut bench, name);
                if compiled.send(stage.charge(|| names.iter().map(compile).collect())).is_err() {
                    break;
                }
            }
        };
        spawn("compile", COMPILER_STACK, work)?;
        Ok(Self { requests, results })
    }
}

/// What a compiler compiles in.
///
/// Fields are dropped in this order: the context before the runtime.
struct Bench {
    context: Context,
    _runtime: Runtime,
    imports: Imports,
    /// How many more modules it is for.
    left: usize,
}

/// Names of the modules that the one at hand imports.
type Imports = Rc<RefCell<Vec<String>>>;

/// How many modules are compiled in one runtime, which keeps them all: a runtime costs as much as a small module.
const BATCH: usize = 64;

impl Bench {
    fn new(library: &Library) -> Result<Self, Failure> {
        let runtime = Runtime::new().map_err(Failure::of_engine)?;
        runtime.set_max_stack_size(COMPILER_STACK);
        let imports = Imports::default();
        runtime.set_loader(Names { library: library.clone(), imports: Rc::clone(&imports) }, EmptyModules);
        let context = Context::full(&runtime).map_err(Failure::of_engine)?;
        Ok(Self { context, _runtime: runtime, imports, left: BATCH })
    }
}

fn compile(library: &Library, bench: &mut Option<Bench>, name: &str) -> Compiled {
    let text = library.text(name).ok_or_else(|| Failure::missing_module(name, "the program"))?;
    let usable = bench.take_if(|bench| bench.left > 0);
    let at_hand = usable.map_or_else(|| Bench::new(library), Ok)?;
    let bytes = at_hand.context.with(|ctx| {
        let module = Module::declare(ctx.clone(), name, text);
        let written = module.and_then(|module| module.write(WriteOptions::default()));
        written.map_err(|error| uncompilable(&ctx, error, library, name))
    })?;
    let imports = at_hand.imports.take().into_boxed_slice();
    // After a failure there is none: who knows what it has left.
    *bench = Some(Bench { left: at_hand.left - 1, ..at_hand });
    Ok(Bytecode { bytes, imports })
}

/// Why a module did not compile, from the exception that says so.
fn uncompilable(ctx: &Ctx<'_>, error: Error, library: &Library, name: &str) -> Failure {
    let CaughtError::Exception(exception) = CaughtError::from_error(ctx, error) else {
        return Failure::new(FailureKind::Syntax, text!("{name} cannot be compiled", "{name} 无法编译"));
    };
    let message = exception.message().unwrap_or_default();
    if let Some(message) = Failure::told_missing_module(&message) {
        return Failure::new(FailureKind::MissingModule, message);
    }
    let frames = library.frames(&exception.stack().unwrap_or_default());
    let message = text!("{name} is not valid JavaScript: {message}", "{name} 不是有效的 JavaScript：{message}");
    Failure::new(FailureKind::Syntax, message).with_frames(frames)
}

/// Resolves imports, and notes what they mean.
struct Names {
    library: Library,
    imports: Imports,
}

impl Resolver for Names {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<String> {
        let name = self.library.resolve(ctx, base, specifier)?;
        self.imports.borrow_mut().push(name.clone());
        Ok(name)
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
