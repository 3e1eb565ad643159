//! Code splitting: the modules of each chunk, and the order in which they run.
//!
//! Every target of an `import()` is an entry. A module's chunk is the set of entries that reach it, so shared
//! code lives once; what an importer has loaded in any case does not count for the lazy entry.

pub(super) mod cross_chunk;
pub(super) mod css_order;
pub(super) mod cycles;
pub(super) mod dependencies;
pub(super) mod divide;
pub(super) mod exec_order;
pub(super) mod included;
pub(super) mod init_calls;
pub(super) mod merge;
mod number_set;
pub(super) mod order_sensitive;
pub(super) mod partial_order;
pub(super) mod plan;
pub(super) mod reachability;
pub(super) mod references;
pub(super) mod run;
pub(super) mod top_level_await;
pub(super) mod tree_shaking;
pub(super) mod used_exports;
pub(super) mod vendor;
pub(super) mod wrap;
pub(super) mod wrapped;

use self::{
    cross_chunk::{Loading, demands, link_chunks},
    divide::{Demands, divide},
    plan::ChunkGraph,
    tree_shaking::shake,
};
use crate::{
    graph::ModuleGraph,
    link::Links,
    options::{Entry, Layout, Options},
    platform::Platform,
};

/// Tree shaking and code splitting. Cannot fail: every graph that links can be divided.
///
/// In browsers lazy chunks bring their style sheets along. Packages have a chunk apart in a site, whose visitors come back.
pub(crate) fn chunk(graph: &ModuleGraph, links: &Links, entries: &[Entry], options: &Options) -> ChunkGraph {
    let loading = Loading { styles: options.platform == Platform::Browser, retries: options.retries };
    let mut known = Demands::default();
    loop {
        let included = shake(graph, links, &known.symbols);
        let division = divide(graph, links, entries, &included, &known, options.layout == Layout::Site);
        let plan = link_chunks(graph, links, included, division, loading);
        if !known.extend(demands(graph, &plan, loading)) {
            return plan;
        }
    }
}
