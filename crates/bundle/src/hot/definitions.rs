//! The definitions of all modules, each made when it is first asked for and kept until the module is another one.

use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use serde_json::Value;

use portalgen_base::diagnostic::Diagnostic;

use super::{
    definition::{Definition, define, is_without_code},
    registry::REGISTRY,
    shape::Shape,
};
use crate::{
    graph::ModuleGraph,
    module::{Module, ModuleId},
    options::Options,
};

/// The definition of a module, if it was made.
type Cell = OnceLock<Arc<Definition>>;

/// The definitions of a graph's modules, by their numbers.
#[derive(Default)]
pub(super) struct Definitions {
    cells: Vec<Cell>,
    /// How many of the graph's entries are the caller's.
    entries: usize,
}

/// A definition that takes the place of an older one.
pub(super) struct Redefined {
    id: ModuleId,
    definition: Arc<Definition>,
    /// Whether clients that have the older one see a difference.
    pub is_other: bool,
}

impl Definitions {
    /// Definitions of a new graph. `known` gives the number of a module in the old graph if it is the same there.
    pub(super) fn new(
        graph: &ModuleGraph,
        entries: usize,
        before: Option<&Self>,
        known: impl Fn(ModuleId) -> Option<ModuleId>,
    ) -> Self {
        let cell = |id| {
            let before = before.zip(known(id)).and_then(|(before, id)| before.cells.get(id.index()));
            before.cloned().unwrap_or_default()
        };
        Self { cells: ModuleId::all(graph.modules.len()).map(cell).collect(), entries }
    }

    fn make(&self, graph: &ModuleGraph, id: ModuleId, options: &Options) -> Result<Definition, Vec<Diagnostic>> {
        define(&graph.modules, id, graph.entries[..self.entries].contains(&id), options)
    }

    /// The definition of a module.
    pub(super) fn get(&self, graph: &ModuleGraph, id: ModuleId, options: &Options) -> &Definition {
        self.cells[id.index()].get_or_init(|| {
            let made = self.make(graph, id, options);
            Arc::new(made.unwrap_or_else(|errors| failing(&graph.modules[id.index()], &errors)))
        })
    }

    /// The definition of a module, if it was made.
    pub(super) fn known(&self, id: ModuleId) -> Option<&Definition> {
        self.cells[id.index()].get().map(|definition| &**definition)
    }

    /// Makes the definitions of modules, side by side.
    pub(super) fn make_all(&self, graph: &ModuleGraph, ids: &[ModuleId], options: &Options) {
        ids.par_iter().with_max_len(8).for_each(|id| {
            self.get(graph, *id, options);
        });
    }

    /// Definitions for modules that are others than before. They do not count yet.
    ///
    /// # Errors
    /// What is wrong with a text that cannot be parsed.
    pub(super) fn redefined(
        &self,
        graph: &ModuleGraph,
        ids: &[ModuleId],
        options: &Options,
    ) -> Result<Vec<Redefined>, Vec<Diagnostic>> {
        let redefine = |id: &ModuleId| {
            let definition = Arc::new(self.make(graph, *id, options)?);
            // What was never made nobody has.
            let is_other = self.known(*id).is_some_and(|known| known.hash != definition.hash);
            Ok(Redefined { id: *id, definition, is_other })
        };
        let has_code = |id: &&ModuleId| has_definition(graph, **id);
        ids.par_iter().filter(has_code).map(redefine).collect()
    }

    /// Lets new definitions count.
    pub(super) fn take(&mut self, redefined: Vec<Redefined>) {
        for Redefined { id, definition, .. } in redefined {
            self.cells[id.index()] = Cell::from(definition);
        }
    }
}

impl Redefined {
    pub(super) fn id(&self) -> ModuleId {
        self.id
    }

    pub(super) fn definition(&self) -> &Definition {
        &self.definition
    }
}

/// Whether the registry is told of a module: it has the helpers already, and parts of style sheets have no code.
pub(super) fn has_definition(graph: &ModuleGraph, id: ModuleId) -> bool {
    id != ModuleId::HELPERS && !is_without_code(&graph.modules[id.index()])
}

/// Modules that importers have to know otherwise than before.
pub(super) fn is_reshaped(old: &Module, new: &Module) -> bool {
    Shape::of(old) != Shape::of(new)
}

/// Code that hands definitions of a revision to the registry.
pub(super) fn defining<'t>(texts: impl Iterator<Item = &'t str>, revision: u64) -> String {
    let texts: Vec<&str> = texts.collect();
    if texts.is_empty() {
        return String::new();
    }
    format!("{REGISTRY}.define([\n{}\n], {revision});\n", texts.join(",\n"))
}

/// The definition of a module whose text cannot be parsed, though it could be when its facts were found.
fn failing(module: &Module, errors: &[Diagnostic]) -> Definition {
    let reason = errors.first().map(|error| error.message.english().to_owned()).unwrap_or_default();
    let (name, reason) = (Value::from(&*module.name), Value::from(reason));
    let text = format!("[{name},\"failing\",{{}},\nfunction*() {{ yield; throw new Error({reason}); }}]");
    Definition { text, hash: "failing".into(), origins: Arc::default() }
}
