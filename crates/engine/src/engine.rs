//! A program in an engine: loaded once, and called. For another call the engine is put back to the state after loading.

use std::{
    cell::{Cell, RefCell},
    mem,
    rc::Rc,
    sync::Arc,
    time::Instant,
};

use rquickjs::{CaughtError, Context, Ctx, Error, Function, Module, Object, Persistent, Result as JsResult, Runtime};

use super::{
    call::{Limits, Outcome, Variation},
    failure::{Failure, FailureKind},
    host,
    library::is_of_engine,
    loader::{CompiledModules, engine_entry},
    memory::Region,
    record::Record,
    scripts::Scripts,
    sentences,
};

/// What is called, and how far a call may go.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) scripts: Arc<Scripts>,
    /// The module whose exports are called.
    pub(super) entry: Arc<str>,
    pub(super) limits: Limits,
}

/// What to call, owned so that it can move to the engine's thread.
pub(super) struct Call {
    pub(super) export: String,
    pub(super) arguments: Vec<String>,
    pub(super) variation: Arc<Variation>,
}

impl Call {
    pub(super) fn new(export: &str, arguments: &[&str], variation: Variation) -> Self {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self { export: export.to_owned(), arguments, variation: Arc::new(variation) }
    }
}

/// Whether the engine remembers where values that are no errors are thrown; see `globals/stack.js`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tracing {
    Off,
    On,
}

/// An engine in which the program is loaded. Its thread's real stack must be larger than the limit: see
/// [`spawn`](super::threads::spawn).
///
/// Fields are dropped in this order: values before the context, the context before the runtime.
pub(super) struct Engine {
    /// The functions that `globals/main.js` returns.
    controls: Persistent<Object<'static>>,
    /// The functions of the host. As long as they are held here the engine frees none of them, whatever pages do: see
    /// [`Engine::restore`].
    _host: HostFunctions,
    context: Context,
    runtime: Runtime,
    /// What the runtime takes its memory from.
    region: Region,
    /// What the functions of the host and the loader write to.
    record: Rc<RefCell<Record>>,
    memory_limit: Rc<Cell<usize>>,
    /// When the interrupt handler stops all code; none when that is too far away to be told.
    deadline: Rc<Cell<Option<Instant>>>,
    setup: Setup,
    saved: Option<Saved>,
}

type HostFunctions = Vec<Persistent<Function<'static>>>;

/// What is outside of the region when it is saved.
struct Saved {
    record: Record,
    /// How many functions of the engine hold the record.
    holders: usize,
}

impl Engine {
    /// Makes an engine and loads the program. `zone` is how many minutes the local time zone is ahead of UTC.
    ///
    /// # Errors
    /// The reason why the program could not be loaded. The time for loading is part of the first call's.
    pub(super) fn start(setup: &Setup, zone: i32, tracing: Tracing) -> Result<Self, Failure> {
        let region = Region::default();
        let runtime = Runtime::new_with_alloc(region.clone()).map_err(Failure::of_engine)?;
        runtime.set_max_stack_size(setup.limits.stack);
        let (record, memory_limit) = (Rc::default(), Rc::default());
        let modules = CompiledModules::new(&setup.scripts, &memory_limit, &record);
        runtime.set_loader(modules.clone(), modules);
        let context = Context::full(&runtime).map_err(Failure::of_engine)?;
        let (controls, host) = context.with(|ctx| {
            let installed = install(&ctx, &record, zone, tracing);
            installed.map_err(|error| Failure::of_engine(CaughtError::from_error(&ctx, error)))
        })?;
        let deadline = Rc::new(Cell::new(Instant::now().checked_add(setup.limits.deadline)));
        let (setup, saved) = (setup.clone(), None);
        let engine =
            Self { controls, _host: host, context, runtime, region, record, memory_limit, deadline, setup, saved };
        engine.guard();
        engine.load()?;
        Ok(engine)
    }

    /// Sets the limits. The engine's own globals are in place by now, so a limit too small for them fails the call
    /// and not the engine.
    fn guard(&self) {
        let deadline = Rc::clone(&self.deadline);
        self.runtime.set_interrupt_handler(Some(Box::new(move || passed(deadline.get()))));
        self.runtime.set_memory_limit(self.setup.limits.memory);
        self.memory_limit.set(self.setup.limits.memory);
        let controls = self.controls.clone();
        self.runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, handled| {
            let track =
                controls.clone().restore(&ctx).and_then(|controls| controls.get::<_, Function>("trackRejection"));
            // Without memory for an entry the rejection goes unreported.
            let _ = track.and_then(|track| track.call::<_, ()>((promise, reason, handled)));
        })));
    }

    fn load(&self) -> Result<(), Failure> {
        self.control(|ctx, controls| {
            let entry = Module::import(ctx, &*self.setup.entry)?;
            controls.get::<_, Function>("load")?.call::<_, ()>((entry,))
        })?;
        self.run_to_value().map(drop)
    }

    /// Saves the engine as it is now, for [`Engine::restore`], if the system has memory for that.
    pub(super) fn save(&mut self) {
        let record = self.record.borrow().clone();
        let saved = Saved { record, holders: Rc::strong_count(&self.record) };
        self.saved = self.region.save().map(|()| saved);
    }

    /// Puts the engine back to the state that was saved, for another call, whose time begins now. False if none was saved.
    #[allow(unsafe_code, reason = "objects of the engine change behind the pointers that are held here")]
    pub(super) fn restore(&mut self) -> bool {
        let Some(saved) = &self.saved else { return false };
        // A function of the host is an object of the engine with a Rust part outside of the region. If one had been freed, or
        // made, bringing the objects back would leave one without the other.
        assert_eq!(Rc::strong_count(&self.record), saved.holders, "the engine's hold on the record has changed");
        // SAFETY: no function of the engine is running, since `self` is borrowed mutably and `Context::with` borrows it.
        //
        // What points into the region from outside is the same as when it was saved:
        // - Values of the engine have the lifetime of the closure that `Context::with` calls, so none is left of those that a
        //   call made. A `Persistent` has no such lifetime, but all of them are made in `start`: `controls`, `_host`, and the
        //   clone in the tracker of rejections. Clones of them are made and restored to values within such closures.
        // - The runtime and the context are those that `start` made. A `JobException` holds the context once more until
        //   `run_job` returns.
        // - rquickjs keeps the prototype of its one class, functions of the host, since the first of them was made, and makes no
        //   other class: nothing here asks for one. It holds no other object.
        // - The loader holds bytecode, which was made elsewhere, and of which the engine takes copies.
        //
        // What the region points to outside is still there: the runtime's callbacks, which are set in `start` only, and the Rust
        // parts of the functions of the host. Those go when the engine frees the function, which it cannot, since `_host` holds
        // each of them; and calls make none. Buffers are made of copies within the region, here and in the engine, so they have
        // no parts outside. The engine has no state of its own outside of its runtime, but for a mutex that it leaves unlocked.
        unsafe { self.region.restore() }
        *self.record.borrow_mut() = saved.record.clone();
        // It is changed while a module is loaded.
        self.memory_limit.set(self.setup.limits.memory);
        self.deadline.set(Instant::now().checked_add(self.setup.limits.deadline));
        true
    }

    /// Calls an export of the program.
    pub(super) fn call(&self, call: &Call) -> Result<Outcome, Failure> {
        self.record.borrow_mut().variation = Arc::clone(&call.variation);
        let arguments = call.arguments.clone();
        self.control(|_, controls| {
            controls.get::<_, Function>("call")?.call::<_, ()>((call.export.as_str(), arguments))
        })?;
        let value = self.run_to_value()?;
        self.control(|_, controls| controls.get::<_, Function>("noteRejections")?.call::<_, ()>(()))?;
        let Record { notes, mut loaded, stream, .. } = self.record.take();
        let scripts = &self.setup.scripts;
        loaded.retain(|name| !is_of_engine(name));
        loaded.shrink_to_fit();
        let notes = notes.into_iter().map(|note| note.into_note(|stack| scripts.frames(stack))).collect();
        Ok(Outcome { value, stream, notes, loaded })
    }

    /// Runs what was begun to its end, and gives its value.
    fn run_to_value(&self) -> Result<String, Failure> {
        let ran = self.run_to_outcome();
        let refused = self.record.borrow_mut().refused.take();
        if let Some(failure) = refused {
            return Err(failure);
        }
        let stalled = ran?;
        let outcome = self.record.borrow_mut().outcome.take();
        match outcome {
            Some(Ok(value)) if !stalled => Ok(value),
            Some(Err(description)) => Err(self.explain(&description, stalled)),
            _ => Err(self.unsettled()),
        }
    }

    /// Runs jobs, and a timer whenever no job is left, until the call has an outcome or nothing remains to run. Tells
    /// whether the call had to be told that nothing remained.
    fn run_to_outcome(&self) -> Result<bool, Failure> {
        let mut stalled = false;
        while self.record.borrow().outcome.is_none() {
            if self.run_job()? || self.fire_timer()? {
                continue;
            }
            if mem::replace(&mut stalled, true) {
                break;
            }
            self.control(|_, controls| controls.get::<_, Function>("stall")?.call::<_, ()>(()))?;
        }
        Ok(stalled)
    }

    /// Runs the next job; false when there is none.
    fn run_job(&self) -> Result<bool, Failure> {
        if passed(self.deadline.get()) {
            return Err(Failure::timed_out(self.setup.limits.deadline));
        }
        match self.runtime.execute_pending_job() {
            Ok(ran) => Ok(ran),
            Err(exception) => self.survive(&exception.0).map(|()| true),
        }
    }

    /// Runs the next timer; false when there is none.
    fn fire_timer(&self) -> Result<bool, Failure> {
        self.control(|_, controls| controls.get::<_, Function>("fireNextTimer")?.call(()))
    }

    /// Calls into the JavaScript side, which catches whatever pages throw.
    fn control<T>(&self, work: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> JsResult<T>) -> Result<T, Failure> {
        self.context.with(|ctx| {
            let controls = self.controls.clone().restore(&ctx).map_err(Failure::of_engine)?;
            work(&ctx, &controls).map_err(|error| self.fatal(&CaughtError::from_error(&ctx, error)))
        })
    }

    /// An exception that left a job: the end of time, or one that nobody caught, which is only noted.
    fn survive(&self, context: &Context) -> Result<(), Failure> {
        if passed(self.deadline.get()) {
            return Err(context.with(|ctx| self.fatal(&CaughtError::from_error(&ctx, Error::Exception))));
        }
        self.control(|ctx, controls| controls.get::<_, Function>("noteUncaught")?.call::<_, ()>((ctx.catch(),)))
    }

    /// An exception that no script can have caught: time or memory has run out.
    fn fatal(&self, error: &CaughtError<'_>) -> Failure {
        let (out_of_memory, stack) = match error {
            CaughtError::Exception(exception) => (
                exception.message().is_some_and(|message| sentences::is_out_of_memory(&message)),
                exception.stack().unwrap_or_default(),
            ),
            // Not even the exception fitted.
            CaughtError::Value(_) | CaughtError::Error(Error::Allocation | Error::Unknown) => (true, String::new()),
            CaughtError::Error(_) => (false, String::new()),
        };
        let failure = if passed(self.deadline.get()) {
            Failure::timed_out(self.setup.limits.deadline)
        } else if out_of_memory {
            Failure::out_of_memory(self.setup.limits.memory)
        } else {
            Failure::of_engine(error)
        };
        failure.with_frames(self.setup.scripts.frames(&stack))
    }

    /// Why nothing is left to run: a rejection gets lost when no memory is left for it.
    fn unsettled(&self) -> Failure {
        let used = usize::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default();
        if used > self.setup.limits.memory - self.setup.limits.memory / 16 {
            return Failure::out_of_memory(self.setup.limits.memory);
        }
        Failure::never_settles()
    }

    /// The failure behind what the JavaScript side says was thrown.
    fn explain(&self, description: &str, stalled: bool) -> Failure {
        let failure = Failure::from_description(description, |stack| self.setup.scripts.frames(stack));
        let failure = Failure { lacks: mem::take(&mut self.record.borrow_mut().lacks).into(), ..failure };
        if stalled {
            return Failure::never_settles().with_frames(failure.frames);
        }
        match failure.kind {
            FailureKind::OutOfMemory => Failure::out_of_memory(self.setup.limits.memory).with_frames(failure.frames),
            _ => failure,
        }
    }
}

fn passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Makes the web globals: the functions that drive them, and those of the host that they call.
fn install(
    ctx: &Ctx<'_>,
    record: &Rc<RefCell<Record>>,
    zone: i32,
    tracing: Tracing,
) -> JsResult<(Persistent<Object<'static>>, HostFunctions)> {
    let install: Function<'_> = engine_entry(ctx)?.get("default")?;
    let functions = host::functions(ctx, record)?;
    let host = functions.props::<String, Function<'_>>().map(|named| Ok(Persistent::save(ctx, named?.1)));
    let host = host.collect::<JsResult<_>>()?;
    let controls: Object<'_> = install.call((functions, tracing == Tracing::On, zone))?;
    Ok((Persistent::save(ctx, controls), host))
}
