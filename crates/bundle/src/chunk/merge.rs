//! Merging of small shared chunks: code that many lazy entries need is loaded with the entry, where a file of its own would
//! cost more than it saves.

use std::collections::BTreeMap;

use super::{
    dependencies::Dependencies,
    included::Included,
    reachability::{EntrySet, Reachability},
};
use crate::{
    graph::ModuleGraph,
    link::Links,
    module::{Evaluation, ModuleId},
};

/// The largest chunk that is merged, in bytes of source.
const LARGEST: usize = 4096;

/// The size that costs a visitor as much as one more request does, in bytes of source.
const REQUEST: usize = 4096;

/// The modules of `order` that the entry should load though it does not need them, in that order.
///
/// They must not change what other code sees, since now they are evaluated on every page.
pub(crate) fn merged_modules(
    graph: &ModuleGraph,
    links: &Links,
    included: &Included,
    dependencies: &Dependencies,
    reachability: &Reachability,
    order: &[ModuleId],
) -> Vec<ModuleId> {
    let mut groups: BTreeMap<&EntrySet, Vec<ModuleId>> = BTreeMap::new();
    for &module in order {
        let roots = reachability.entries_of(module);
        if roots.minimum().is_some_and(|root| root >= graph.entries.len()) {
            groups.entry(roots).or_default().push(module);
        }
    }
    let is_harmless = |module: &ModuleId| {
        included.evaluation(&graph.modules, links, *module) < Evaluation::Changes
            && !graph.modules[module.index()].scan.top_level_await
            && graph.lazy_entries.binary_search(module).is_err()
    };
    let size_of = |module: &ModuleId| {
        let statements = &graph.modules[module.index()].scan.statements;
        included.statements(*module).map(|statement| statements[statement].source_bytes).sum::<usize>()
    };
    let is_merged = |roots: &EntrySet, modules: &[ModuleId]| {
        pays(graph, roots, modules.iter().map(size_of).sum()) && modules.iter().all(is_harmless)
    };
    groups.retain(|roots, modules| is_merged(roots, modules));
    let mut merged: Vec<ModuleId> =
        order.iter().copied().filter(|module| groups.contains_key(reachability.entries_of(*module))).collect();
    // What is merged brings along what it needs.
    loop {
        let is_loaded = |module: &ModuleId| {
            let roots = reachability.entries_of(*module);
            groups.contains_key(roots) || roots.minimum().is_none_or(|root| root < graph.entries.len())
        };
        let needs_others = |module: &&ModuleId| !dependencies.of(**module).iter().all(is_loaded);
        let Some(roots) = merged.iter().find(needs_others).map(|module| reachability.entries_of(*module)) else {
            return merged;
        };
        groups.remove(roots);
        merged.retain(|module| reachability.entries_of(*module) != roots);
    }
}

/// Whether what several lazy entries need should be loaded with the entry. None of the other `roots` must need it.
pub(crate) fn pays(graph: &ModuleGraph, roots: &EntrySet, size: usize) -> bool {
    let lazy_entries = graph.lazy_numbers();
    let users = roots.count_in(&lazy_entries);
    users > 1 && users == roots.len() && is_cheap(size, users, lazy_entries.len())
}

/// Whether the requests that `users` of `pages` are saved are worth the bytes that the others load for nothing.
///
/// Pages are counted in powers of two, so that one more hardly ever changes what becomes of the chunks of others.
fn is_cheap(size: usize, users: usize, pages: usize) -> bool {
    let pages = 1_usize << pages.checked_ilog2().unwrap_or_default();
    size <= LARGEST && size * pages.saturating_sub(users) <= users * REQUEST
}

#[cfg(test)]
mod tests {
    use super::is_cheap;

    #[test]
    fn what_most_pages_need_is_merged_and_what_few_need_is_not() {
        assert!(is_cheap(4096, 5, 9));
        assert!(!is_cheap(4097, 9, 9), "larger than a request is worth");
        assert!(!is_cheap(4096, 2, 9));
        assert!(is_cheap(1000, 2, 9));
        assert!(!is_cheap(100, 2, 10_000));
    }

    #[test]
    fn one_more_page_changes_nothing() {
        assert!((16..31).all(|pages| is_cheap(2000, 7, pages) == is_cheap(2000, 7, pages + 1)));
    }
}
