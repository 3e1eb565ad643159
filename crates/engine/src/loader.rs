//! How modules of a program get into an engine.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::Arc,
};

use rquickjs::{
    Ctx, Module, Object, Result as JsResult,
    loader::{ImportAttributes, Loader, Resolver},
    module::Declared,
};

use super::{
    bytecode::Bytecode,
    globals,
    library::thrown,
    record::Record,
    scripts::{Modules, Scripts},
};

/// Loads the modules of a compiled program.
#[derive(Clone)]
pub(super) struct CompiledModules {
    scripts: Arc<Scripts>,
    /// The runtime's memory limit in bytes, 0 for none: see [`Bytecode::load`].
    memory_limit: Rc<Cell<usize>>,
    /// Where the names of loaded modules are kept, and why one was refused.
    record: Rc<RefCell<Record>>,
    /// What the module imports that is being loaded. It is all there before: see [`Bytecode::load`].
    at_hand: Rc<RefCell<Modules>>,
}

impl CompiledModules {
    pub(super) fn new(scripts: &Arc<Scripts>, memory_limit: &Rc<Cell<usize>>, record: &Rc<RefCell<Record>>) -> Self {
        Self {
            scripts: Arc::clone(scripts),
            memory_limit: Rc::clone(memory_limit),
            record: Rc::clone(record),
            at_hand: Rc::default(),
        }
    }

    fn known(&self, name: &str) -> Option<Arc<Bytecode>> {
        self.scripts.of_entries(name).or_else(|| self.at_hand.borrow().get(name).cloned())
    }

    fn load_known<'js>(&self, ctx: &Ctx<'js>, name: &str, bytecode: &Bytecode) -> JsResult<Module<'js, Declared>> {
        self.record.borrow_mut().loaded.push(name.into());
        bytecode.load(ctx, name, &self.memory_limit)
    }
}

impl Resolver for CompiledModules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        specifier: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<String> {
        self.scripts.library().resolve(ctx, base, specifier)
    }
}

impl Loader for CompiledModules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> JsResult<Module<'js, Declared>> {
        if let Some(bytecode) = self.known(name) {
            return self.load_known(ctx, name, &bytecode);
        }
        let modules = self.scripts.with_imports(name).map_err(|failure| {
            let error = thrown(ctx, &failure);
            self.record.borrow_mut().refused.get_or_insert(failure);
            error
        })?;
        let bytecode = Arc::clone(&modules[name]);
        self.at_hand.replace(modules);
        let module = self.load_known(ctx, name, &bytecode);
        self.at_hand.take();
        module
    }
}

/// Loads and evaluates a module, which has been when this returns, unless it waits for something. `specifier` is relative
/// to the module that calls.
pub(super) fn load_now(ctx: &Ctx<'_>, specifier: &str) -> JsResult<()> {
    Module::import(ctx, specifier).map(drop)
}

/// The default export of the engine's entry, loaded and evaluated.
pub(super) fn engine_entry<'js>(ctx: &Ctx<'js>) -> JsResult<Object<'js>> {
    Module::import(ctx, globals::ENTRY)?.finish()
}
