//! A program of ES modules, which is run many times.

use std::sync::Arc;

use super::{
    call::{Limits, MAX_STACK, Outcome, Variation},
    engine::{Call, Setup},
    failure::Failure,
    library::{Library, Texts},
    scripts::Scripts,
    worker::{Reuse, Worker, Workers},
};

/// ES modules, which are compiled when they are asked for. Each call finds an engine in which nothing but the loading of the program
/// has happened, so that nothing leaks from one to the next and no output depends on their order or on the number of threads.
#[derive(Clone)]
pub struct Program {
    scripts: Arc<Scripts>,
    entry: Arc<str>,
}

impl Program {
    /// Compiles the module that [`Program::call`] loads, `entry`, and what it imports. Every other one is compiled when it is asked
    /// for, and a call that asks for one that cannot be compiled fails.
    ///
    /// # Errors
    /// One of these modules is not valid JavaScript, or statically imports what is not there.
    pub fn compile(modules: Arc<dyn Texts>, entry: &str) -> Result<Self, Failure> {
        let scripts = Scripts::compile(Library::new(modules), entry)?;
        Ok(Self { scripts: Arc::new(scripts), entry: entry.into() })
    }

    /// Loads the entry, calls the function that it exports as `export` and awaits what that returns.
    ///
    /// The function gets `arguments` as strings and after them an `AbortSignal`, which is aborted when nothing is
    /// left to run although the promise is not settled: code that knows what it waits for can then reject with an
    /// error whose stack says so.
    ///
    /// Callable from any thread; the engine runs on a thread of its own, which has the stack it needs.
    ///
    /// # Errors
    /// Everything that kept the call from giving a value; see [`FailureKind`](super::FailureKind).
    pub fn call(&self, export: &str, arguments: &[&str], limits: &Limits) -> Result<Outcome, Failure> {
        let call = Call::new(export, arguments, Variation::default());
        Worker::start(&self.setup(limits), Reuse::Off)?.call(call).0
    }

    /// Compiles modules that calls will soon ask for, named as the entry would import them.
    pub(super) fn compile_ahead<'s>(&self, specifiers: impl IntoIterator<Item = &'s str>) {
        let library = self.scripts.library();
        let names = specifiers.into_iter().filter_map(|specifier| library.find(&self.entry, specifier));
        self.scripts.compile_ahead(names);
    }

    /// Workers for many calls.
    pub(super) fn workers(&self, limits: &Limits, reuse: Reuse) -> Workers {
        Workers::new(self.setup(limits), reuse)
    }

    fn setup(&self, limits: &Limits) -> Setup {
        let limits = Limits { stack: limits.stack.min(MAX_STACK), ..*limits };
        Setup { scripts: Arc::clone(&self.scripts), entry: Arc::clone(&self.entry), limits }
    }
}
