//! Wrapped modules: the code of each is a function `init_x` that its importers call.

use rustc_hash::FxHashSet;

use super::{included::Included, top_level_await::waiting};
use crate::module::{Module, ModuleId};

/// The wrapped modules, and the modules that run them.
pub(crate) struct Wrapped {
    modules: FxHashSet<ModuleId>,
    /// For each module, the wrapped ones that its evaluation begins with, in order.
    starts: Vec<Vec<ModuleId>>,
    first: FxHashSet<ModuleId>,
    /// Those whose evaluation waits for something: top-level `await`.
    waiting: FxHashSet<ModuleId>,
}

impl Wrapped {
    /// `starts` says for each module which of the wrapped `modules` its evaluation begins with; `first` are modules that
    /// run before all others.
    pub(crate) fn new(
        graph: &[Module],
        modules: FxHashSet<ModuleId>,
        starts: Vec<Vec<ModuleId>>,
        first: FxHashSet<ModuleId>,
    ) -> Self {
        let waiting = waiting(graph, &modules, &starts);
        Self { modules, starts, first, waiting }
    }

    pub(crate) fn contains(&self, module: ModuleId) -> bool {
        self.modules.contains(&module)
    }

    /// True if evaluating a wrapped module waits for something (top-level `await`).
    pub(crate) fn is_async(&self, module: ModuleId) -> bool {
        self.waiting.contains(&module)
    }

    /// The wrapped modules, in no particular order.
    pub(crate) fn modules(&self) -> impl Iterator<Item = ModuleId> {
        self.modules.iter().copied()
    }

    /// True if a module must run before all others, because a `require` may ask for it at any time. Nothing else can tell.
    pub(crate) fn runs_first(&self, module: ModuleId) -> bool {
        self.first.contains(&module)
    }

    /// The wrapped modules that run when `module` does, before it, in order.
    pub(crate) fn started_by(&self, module: ModuleId) -> impl Iterator<Item = ModuleId> {
        self.starts[module.index()].iter().copied()
    }

    /// The wrapped modules that the file of an entry runs, after the modules that are in it.
    pub(crate) fn started_by_entry(&self, entry: ModuleId, included: &Included) -> Vec<ModuleId> {
        if self.contains(entry) {
            vec![entry]
        } else if included.has_module(entry) {
            Vec::new()
        } else {
            self.started_by(entry).collect()
        }
    }
}
