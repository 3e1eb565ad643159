//! The bundler: entries and what they import, to chunks, style sheets and assets with content-hashed names.
//!
//! Begin with [`bundle`] and [`Options`], then read `module.rs`: the data that all steps work on. There are four steps, each with
//! files of its own.
//!
//! | Step | Where | What happens |
//! | --- | --- | --- |
//! | load | `graph`, `load/` | every module is found, read and parsed; files that code addresses, and the bundles of workers, are made |
//! | | `lower/` | types, JSX, decorators and `using` go, and scripts become what an ES module may hold |
//! | | `scopes` | names are told apart by the variables that they mean: what swc's resolver does, and what it misses in the cases of a `switch` |
//! | | `analyze/` | early errors are told, constants are folded, habits from other tools are noted as doubts, and scripts reduced to what a module asks for, what it exports, and for each top-level statement what that declares, uses and does |
//! | | `css/` | style sheets are parsed as browsers take them, and become modules that import each other; what Lightning CSS would give another meaning passes through it as written |
//! | link | `link/` | imported names become the variables behind them, through re-exports, `export *` and CommonJS; what is missing or doubtful is told |
//! | chunk | `chunk/`: `tree_shaking`, `used_exports`, `references`, `included` | statements that nothing needs are dropped, and parts of CommonJS modules that nothing asks for |
//! | | `dependencies`, `reachability`, `merge`, `vendor`, `divide`, `cross_chunk`, `css_order`, `partial_order` | modules are assigned to chunks (code splitting); their imports from each other are computed, and the order of style sheets |
//! | | `exec_order`, `cycles`, `order_sensitive`, `wrap`, `init_calls`, `run`, `top_level_await` | what would run too soon, because its chunk is loaded before its turn, is wrapped |
//! | emit | `emit/` | a blueprint is drafted for each chunk; statements are rewritten as it says, joined, minified (`minify/`) and printed; then files get their names |
//!
//! A module's facts and trees are the same in every graph with the module, which only reads them: what a specifier leads to
//! there, and which calls have effects, is kept beside them. So bundles that are given the same [`ModuleCache`] scan each module once.
//!
//! Link and chunk never look at a syntax tree. What the bundler adds to a program is kept in `runtime/helpers.js`, a module of the
//! graph like any other, so a chunk that needs no helper has none. Of the engine it asks one thing, through
//! [`Options::regex_judge`]: what that makes of a regular expression.
//!
//! # Closed chunks
//!
//! A name that a chunk neither declares nor imports would show only in a browser, as a page that stays empty. So every chunk is
//! checked before it is minified (`emit/closed`): each free name is a global that one of its modules names, each needed variable
//! comes from a chunk that is imported, and what is imported is exported there. Anything else is a fault of portalgen and ends the
//! build. The resolver of the minifier has done most of this work anyway.
//!
//! # Order
//!
//! Within a chunk, modules run in the order of the language. Across chunks that is not enough: a shared chunk is loaded before
//! those that load it, and `require` and `import()` run modules when they are called. `wrap` simulates how each entry loads, and
//! wraps every module that would run too soon: its code becomes a function `init_x`, which its importers call where their own
//! evaluation begins (`init_calls` finds in which order). Modules that only declare functions and constants are never wrapped, nor
//! are those of packages without side effects, unless what they import is, or entries come into an import cycle at different
//! places: then each of them has its own order for the members of that cycle, which may read each other. `order_sensitive` finds
//! the modules that do nothing but decide about the order of others, and `top_level_await` those with a top-level `await` beside
//! which others go on: what several of them are started for waits for all at once.
//!
//! What does not hold: an entry need not run a module that only looks at what others have changed as long as nothing of the entry
//! needs it, so it may run later than in the language. If a lazy chunk fails while it is evaluated, so does every chunk that takes
//! code from it, and of a cycle of wrapped modules those that had run before the failure count as evaluated. A namespace shows its
//! exports as getters, since a `Proxy` would make every read slower, and a function that is called as `namespace.f()` gets no
//! `this`, since that would keep all other exports of its module.
//!
//! # Stable chunks
//!
//! An edit should change the files of what was edited, and those that name them. So modules are numbered by their names and not by
//! where a walk meets them, the code of a chunk is ordered by the first root that loads it, a style sheet's place among all is made
//! of what comes before it and of its name, and lazy entries ([`Options::lazy_entries`]) are named by no chunk at all.
//!
//! # Hot form
//!
//! A [`HotGraph`] outlives edits: its modules are printed one by one and run by a registry in the browser, so that one can be
//! replaced while a page shows (`hot/`, `runtime/hot/`). It loads and links like a build, and has no chunks: nothing is dropped,
//! wrapped or minified. The style sheets have the places that a build gives them.
//!
//! # Caches
//!
//! [`ModuleCache`] keeps scans, texts and resolvers while the process runs. Folding tells which constants it looked up, so most
//! modules are scanned once for browsers and the engine alike.
//!
//! A scan has two halves (`module.rs`): *facts*, which link and chunk work on, and *trees*, which emit prints. Facts and parsed
//! style sheets outlive the process ([`Options::scans`]), trees do not, and of many modules they would take most of the memory. So
//! those are held for which there is room (`trees.rs`). Others, and those of a module that was not scanned, are made by parsing it
//! again when a chunk with it is printed.
//!
//! Printing and minifying are most of the work, so the texts of chunks are kept for later builds ([`Options::chunks`]), by
//! their blueprints (`emit/blueprint`). A blueprint is all that the writer of a chunk gets besides the syntax trees of its
//! modules, so nothing else can decide about the text. It counts the chunks that it names by itself: a page more or less leaves
//! the texts of others as they are.

mod analyze;
mod asset;
mod ast;
mod bundler;
mod chunk;
mod css;
mod defines;
mod detached_calls;
mod doubt;
mod effect;
mod emit;
mod graph;
mod helpers;
mod hoist_vars;
mod hot;
mod known_exports;
mod link;
mod load;
mod lower;
mod module;
mod module_cache;
mod names;
mod options;
mod output;
mod platform;
mod positions;
mod scopes;
mod syntax;
mod trees;
mod walk;

pub use self::{
    asset::{Asset, content_hash, is_named_after},
    bundler::bundle,
    css::is_declarations,
    defines::Define,
    hot::{HotGraph, HotOrigins, HotScript, HotSheet, HotUpdate},
    module_cache::ModuleCache,
    names::{file_of, is_of_site, is_virtual},
    options::{Entry, Layout, Options, SourceMapForm, SourceMaps, VirtualModule},
    output::{Bundle, Chunk, ImportGraph, LazyModule, ModuleImport, ModuleImportKind, ModuleInfo},
    platform::{Mode, Platform, RegexJudge, RegexSupport},
};
