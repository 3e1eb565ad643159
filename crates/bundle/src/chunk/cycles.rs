//! Modules that lead to each other.

use crate::{module::ModuleId, walk::components};

/// The strongly connected components of several modules, of which each leads to all others, directly or not. There are `count`
/// modules, and `next` says where each of them leads directly.
pub(crate) fn cycles<Next: Iterator<Item = ModuleId>>(
    count: usize,
    next: impl Fn(ModuleId) -> Next,
) -> Vec<Vec<ModuleId>> {
    let components = components(count, |module| next(ModuleId::at(module)).map(ModuleId::index));
    let cycles = components.into_iter().filter(|component| component.len() > 1);
    cycles.map(|cycle| cycle.into_iter().map(ModuleId::at).collect()).collect()
}
