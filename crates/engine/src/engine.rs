//! One call of a program in a fresh engine.

use std::{cell::RefCell, mem, rc::Rc, sync::Arc, time::Instant};

use rquickjs::{CaughtError, Context, Ctx, Error, Function, Module, Object, Persistent, Result as JsResult, Runtime};

use super::{
    call::{Limits, Outcome, Variation},
    failure::{Failure, FailureKind, Frame},
    host::{self, Record},
    scripts::{Bytecode, Scripts, engine_entry},
    sentences,
};

/// What to call, owned so that it can move to the engine's thread.
pub(super) struct Call {
    pub(super) scripts: Arc<Scripts>,
    pub(super) entry: String,
    pub(super) export: String,
    pub(super) arguments: Vec<String>,
    pub(super) limits: Limits,
    pub(super) variation: Arc<Variation>,
}

impl Call {
    /// Runs the call to its end.
    ///
    /// The thread's real stack must be larger than `limits.stack`: see [`spawn`](super::threads::spawn).
    pub(super) fn run(self) -> Result<Outcome, Failure> {
        match self.attempt(Tracing::Off) {
            Err(failure) if failure.may_be_of_no_error() => {
                // Once more, for the stack of a thrown value that is no error and so has none.
                let traced = self.attempt(Tracing::On).err();
                Err(traced.filter(|traced| self.tells_more(traced, &failure)).unwrap_or(failure))
            }
            result => result,
        }
    }

    /// Whether a traced call tells more about what was thrown than one that was not traced. The engine itself throws
    /// null when memory has run out, and scripts that catch it throw it on.
    fn tells_more(&self, traced: &Failure, failure: &Failure) -> bool {
        let throws_null = || traced.frames.first().is_some_and(|frame| throws_null(frame, &self.scripts));
        traced.kind == FailureKind::Threw && (failure.kind == FailureKind::Threw || throws_null())
    }

    fn attempt(&self, tracing: Tracing) -> Result<Outcome, Failure> {
        let record = Rc::new(RefCell::new(Record::new(Arc::clone(&self.variation))));
        Engine::start(&self.scripts, self.limits, record, tracing)?.call(self)
    }
}

/// Whether the engine remembers where values that are no errors are thrown; see `runtime/engine/stack.js`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tracing {
    Off,
    On,
}

/// Fields are dropped in this order: values before the context, the context before the runtime.
struct Engine {
    /// The functions that `runtime/engine/main.js` returns.
    controls: Persistent<Object<'static>>,
    context: Context,
    runtime: Runtime,
    record: Rc<RefCell<Record>>,
    /// Names of the modules that were loaded so far.
    loaded: Rc<RefCell<Vec<String>>>,
    /// When the interrupt handler stops all code; none when that is too far away to be told.
    deadline: Option<Instant>,
    limits: Limits,
    scripts: Arc<Scripts>,
}

impl Engine {
    fn start(
        scripts: &Arc<Scripts>,
        limits: Limits,
        record: Rc<RefCell<Record>>,
        tracing: Tracing,
    ) -> Result<Self, Failure> {
        let runtime = Runtime::new().map_err(Failure::of_engine)?;
        runtime.set_max_stack_size(limits.stack);
        let (memory_limit, loaded) = (Rc::default(), Rc::default());
        let bytecode = Bytecode {
            scripts: Arc::clone(scripts),
            memory_limit: Rc::clone(&memory_limit),
            loaded: Rc::clone(&loaded),
        };
        runtime.set_loader(bytecode.clone(), bytecode);
        let context = Context::full(&runtime).map_err(Failure::of_engine)?;
        let controls = context.with(|ctx| {
            install(&ctx, &record, tracing).map_err(|error| Failure::of_engine(CaughtError::from_error(&ctx, error)))
        })?;
        let deadline = Instant::now().checked_add(limits.deadline);
        let engine =
            Self { controls, context, runtime, record, loaded, deadline, limits, scripts: Arc::clone(scripts) };
        engine.guard();
        memory_limit.set(limits.memory);
        Ok(engine)
    }

    /// Sets the limits. The engine's own globals are in place by now, so a limit too small for them fails the call
    /// and not the engine.
    fn guard(&self) {
        let deadline = self.deadline;
        self.runtime.set_interrupt_handler(Some(Box::new(move || passed(deadline))));
        self.runtime.set_memory_limit(self.limits.memory);
        let controls = self.controls.clone();
        self.runtime.set_host_promise_rejection_tracker(Some(Box::new(move |ctx, promise, reason, handled| {
            let track =
                controls.clone().restore(&ctx).and_then(|controls| controls.get::<_, Function>("trackRejection"));
            // Without memory for an entry the rejection goes unreported.
            let _ = track.and_then(|track| track.call::<_, ()>((promise, reason, handled)));
        })));
    }

    fn call(&self, call: &Call) -> Result<Outcome, Failure> {
        let arguments = call.arguments.clone();
        self.control(|ctx, controls| {
            let entry = Module::import(ctx, call.entry.as_str())?;
            controls.get::<_, Function>("call")?.call::<_, ()>((entry, call.export.as_str(), arguments))
        })?;
        let stalled = self.run_to_outcome()?;
        let outcome = self.record.borrow_mut().outcome.take();
        match outcome {
            Some(Ok(value)) if !stalled => self.succeed(value),
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
        if passed(self.deadline) {
            return Err(Failure::timed_out(self.limits.deadline));
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
        if passed(self.deadline) {
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
        let failure = if passed(self.deadline) {
            Failure::timed_out(self.limits.deadline)
        } else if out_of_memory {
            Failure::out_of_memory(self.limits.memory)
        } else {
            Failure::of_engine(error)
        };
        failure.with_frames(self.scripts.frames(&stack))
    }

    /// Why nothing is left to run: a rejection gets lost when no memory is left for it.
    fn unsettled(&self) -> Failure {
        let used = usize::try_from(self.runtime.memory_usage().malloc_size).unwrap_or_default();
        if used > self.limits.memory - self.limits.memory / 16 {
            return Failure::out_of_memory(self.limits.memory);
        }
        Failure::never_settles()
    }

    /// The failure behind what the JavaScript side says was thrown.
    fn explain(&self, description: &str, stalled: bool) -> Failure {
        let failure = Failure::from_description(description, |stack| self.scripts.frames(stack));
        let failure = Failure { lacks: mem::take(&mut self.record.borrow_mut().lacks), ..failure };
        if stalled {
            return Failure::never_settles().with_frames(failure.frames);
        }
        match failure.kind {
            FailureKind::OutOfMemory => Failure::out_of_memory(self.limits.memory).with_frames(failure.frames),
            _ => failure,
        }
    }

    fn succeed(&self, value: String) -> Result<Outcome, Failure> {
        self.control(|_, controls| controls.get::<_, Function>("noteRejections")?.call::<_, ()>(()))?;
        let notes = mem::take(&mut self.record.borrow_mut().notes);
        let notes = notes.into_iter().map(|note| note.into_note(&self.scripts)).collect();
        let mut loaded = mem::take(&mut *self.loaded.borrow_mut());
        loaded.retain(|name| self.scripts.code(name).is_some());
        Ok(Outcome { value, notes, loaded })
    }
}

/// Whether a script says `throw null` where a frame points: at the value, or at the start of a line whose function neither
/// calls nor reads anything.
fn throws_null(frame: &Frame, scripts: &Scripts) -> bool {
    let line = usize::try_from(frame.line).ok().and_then(|line| line.checked_sub(1));
    let code = scripts.code(&frame.script).zip(line).and_then(|(code, line)| code.split('\n').nth(line));
    let units: Vec<u16> = code.unwrap_or_default().encode_utf16().collect();
    let Some((before, after)) = usize::try_from(frame.column).ok().and_then(|at| units.split_at_checked(at)) else {
        return false;
    };
    let (before, after) = (String::from_utf16_lossy(before), String::from_utf16_lossy(after));
    let is_at_value = before.trim_end().ends_with("throw") && after.starts_with("null");
    is_at_value || (before.is_empty() && after.contains("throw null"))
}

fn passed(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Makes the web globals and returns the functions that drive them.
fn install(ctx: &Ctx<'_>, record: &Rc<RefCell<Record>>, tracing: Tracing) -> JsResult<Persistent<Object<'static>>> {
    let install: Function<'_> = engine_entry(ctx)?.get("default")?;
    let zone = record.borrow().zone();
    let controls: Object<'_> = install.call((host::functions(ctx, record)?, tracing == Tracing::On, zone))?;
    Ok(Persistent::save(ctx, controls))
}
