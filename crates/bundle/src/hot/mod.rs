//! The hot form: the same graph as that of a build, in which each module is printed by itself, so that one can be replaced while
//! a page shows.
//!
//! | File | What happens |
//! | --- | --- |
//! | `modules` | what has changed is loaded again, and takes its place in the graph, or the graph is made anew |
//! | `state` | everything that follows from a graph: checks, definitions, scripts, style sheets |
//! | `definition`, `shape`, `names` | a module becomes a definition: a function with what the registry has to know of it |
//! | `definitions` | definitions are kept until their modules are others |
//! | `styles` | each style sheet is a file, at the place that the cascade of a build gives it |
//! | `script` | the scripts, and the way back from them to where their parts were written |
//! | `registry` | the TypeScript of `runtime/hot`, which runs definitions and replaces them, as a script |
//! | `files` | what is served under which path |
//!
//! Loading and linking are those of a build, so what the one accepts the other does, and everything wrong is told in the same
//! words, before any client hears of a change. An edit that leaves alone what a module asks for costs its parsing, its printing,
//! and a look at the modules that import from it.

mod awaits;
mod definition;
mod definitions;
mod files;
mod modules;
mod names;
mod registry;
mod script;
mod shape;
mod state;
mod styles;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    source::Sources,
};

pub use self::script::{HotOrigins, HotScript};
use self::state::{Asked, State};
use crate::{
    css::browsers,
    load::Loader,
    options::{Entry, Options, VirtualModule},
    output::Bundle,
};

/// A graph of modules that outlives its updates.
#[derive(Default)]
pub struct HotGraph {
    state: Option<State>,
    /// Files that have changed since the graph was made. `None`, if it is not known which have.
    pending: Option<BTreeSet<PathBuf>>,
}

/// What an update has changed, for clients that have some of what was there before. The first one tells of nothing but warnings.
#[derive(Debug, Default)]
pub struct HotUpdate {
    /// Code that defines the modules that have changed and those that they need besides, to be evaluated as a script. What no
    /// client can have is not among them: scripts that are asked for later are of the newest modules. Empty if there are none.
    pub definitions: HotScript,
    /// The names of these modules.
    pub changed: Vec<Arc<str>>,
    /// The names of modules that nothing reaches any more.
    pub removed: Vec<Arc<str>>,
    /// The style sheets that have changed, are new or gone.
    pub styles: Vec<HotSheet>,
    /// The roots whose style sheets are others than before, by the names of their modules.
    pub roots: BTreeMap<Arc<str>, Vec<HotSheet>>,
    /// Everything in the graph that should be looked at, whether it was told before or not.
    pub warnings: Vec<Diagnostic>,
}

/// A style sheet with a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotSheet {
    /// What [`HotGraph::style`] finds it by. It stays the same while the sheet changes.
    pub key: Arc<str>,
    /// Its path in the output, with a hash of its content as query. `None`, if the sheet is gone.
    pub file: Option<Arc<str>>,
    /// Its place among all sheets, see [`Bundle::sheet_places`].
    pub place: usize,
}

impl HotGraph {
    /// The folder in the output in which scripts and style sheets of the graph are.
    pub const FOLDER: &'static str = files::FOLDER;

    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }

    /// Brings the graph to what the sources are now. `changed` are the files that have changed, appeared or gone since the last
    /// call, whether that succeeded or not; `None` if that is not known. The caller tells
    /// [`ModuleCache::changed`](crate::ModuleCache::changed) of them first, and keeps one [`Sources`] object.
    ///
    /// # Errors
    /// Everything that a build would refuse. The graph stays as it was, and the next call makes up for this one.
    pub fn update(
        &mut self,
        sources: &Arc<dyn Sources>,
        options: &Options,
        entries: &[Entry],
        virtual_modules: &BTreeMap<String, VirtualModule>,
        changed: Option<&[PathBuf]>,
    ) -> Result<HotUpdate, Vec<Diagnostic>> {
        self.pending = self.pending.take().zip(changed).map(|(mut pending, changed)| {
            pending.extend(changed.iter().cloned());
            pending
        });
        let targets = browsers::targets(&**sources, options).map_err(|diagnostic| vec![diagnostic])?;
        let loader = Loader::new(sources, options, virtual_modules, targets);
        let asked = Asked { loader: &loader, entries };
        let update = match (&mut self.state, &self.pending) {
            (Some(state), Some(pending)) if state.is_of(options) => state.update(&asked, pending)?,
            (Some(state), _) => {
                let new = State::load(&asked, Some(state))?;
                state.replace_with(new)
            }
            (state, _) => {
                let new = State::load(&asked, None)?;
                let update = HotUpdate { warnings: new.warnings(), ..HotUpdate::default() };
                *state = Some(new);
                update
            }
        };
        self.pending = Some(BTreeSet::new());
        Ok(update)
    }

    /// Whether React can replace components while they show: the site has the package `react-refresh`.
    pub fn refreshes(&self) -> bool {
        self.state.as_ref().is_some_and(State::refreshes)
    }

    /// The script of the entries: the registry, all modules that they reach at once, and their evaluation.
    pub fn entry_script(&self) -> HotScript {
        self.state.as_ref().map(State::entry_script).unwrap_or_default()
    }

    /// The script of a lazy entry or of a target of `import()`: all modules that it reaches at once, without those of the
    /// entries. `key` is the last part of the script's path in [`HotGraph::bundle`], without `.js`.
    pub fn script(&self, key: &str) -> Option<HotScript> {
        self.state.as_ref()?.script(key)
    }

    /// The text of a style sheet.
    pub fn style(&self, key: &str) -> Option<Arc<str>> {
        self.state.as_ref()?.style(key)
    }

    /// Code that defines modules, by their names, for a client that lacks them.
    pub fn definitions(&self, names: &[&str]) -> HotScript {
        self.state.as_ref().map(|state| state.definitions(names)).unwrap_or_default()
    }

    /// Where the code at a line and a column of a script is written now, both counted from 0, the column in UTF-16 units. The
    /// script may be of an earlier state of the graph. Code that has been replaced is found where it was, with `false`.
    pub fn locate(&self, script: &HotOrigins, line: u32, column: u32) -> Option<(Place, bool)> {
        self.state.as_ref()?.locate(script, line, column)
    }

    /// The graph as the stages behind a build know it. Chunk 0 is that of the entries, `__portalgen/entry.js`; each lazy entry
    /// and each target of `import()` has one, `__portalgen/page/KEY.js`; their code is empty, since it is made when it is asked
    /// for. Each style sheet has a path, `__portalgen/style/KEY.css?HASH`, and no asset. Assets, warnings, modules and
    /// types of CSS modules are those of a build.
    pub fn bundle(&self) -> Bundle {
        self.state.as_ref().map(State::bundle).unwrap_or_default()
    }
}
