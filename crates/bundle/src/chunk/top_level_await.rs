//! Top-level `await`: modules that wait while they are evaluated.
//!
//! While a module waits, the language goes on with those that do not import it. Code in one chunk runs line by line, so
//! where others could go on, a module that waits is wrapped: it is started by a call, and its importer waits for all that
//! it has started.

use rustc_hash::FxHashSet;

use crate::module::{Module, ModuleId};

/// Of modules in the order of the language, the last of which leads to all others, those to be wrapped because something
/// goes on while they wait. `evaluates` says which modules each one starts.
pub(crate) fn waiting_beside_others<'a>(
    modules: &[Module],
    order: &[ModuleId],
    evaluates: &'a impl Fn(ModuleId) -> &'a [ModuleId],
) -> Vec<ModuleId> {
    let Some((_, others)) = order.split_last() else { return Vec::new() };
    let waits_itself = |module: &ModuleId| modules[module.index()].scan.top_level_await;
    let waiting: Vec<ModuleId> = others.iter().copied().filter(waits_itself).collect();
    let goes_on = |module: &ModuleId| {
        let dependents = with_dependents(order, &[*module], evaluates);
        order.iter().skip_while(|other| *other != module).any(|other| !dependents.contains(other))
    };
    if !waiting.iter().any(goes_on) {
        return Vec::new();
    }
    let dependents = with_dependents(order, &waiting, evaluates);
    others.iter().copied().filter(|module| dependents.contains(module)).collect()
}

/// Some modules and those that start them, directly or not.
fn with_dependents<'a>(
    order: &[ModuleId],
    modules: &[ModuleId],
    evaluates: &'a impl Fn(ModuleId) -> &'a [ModuleId],
) -> FxHashSet<ModuleId> {
    let mut found: FxHashSet<ModuleId> = modules.iter().copied().collect();
    grow(&mut found, order, |module, found| evaluates(module).iter().any(|started| found.contains(started)));
    found
}

/// The wrapped modules that wait for something, themselves or through wrapped ones that they start.
pub(crate) fn waiting(
    modules: &[Module],
    wrapped: &FxHashSet<ModuleId>,
    starts: &[Vec<ModuleId>],
) -> FxHashSet<ModuleId> {
    let waits_itself = |module: &ModuleId| modules[module.index()].scan.top_level_await;
    let mut waiting: FxHashSet<ModuleId> = wrapped.iter().copied().filter(waits_itself).collect();
    let all: Vec<ModuleId> = ModuleId::all(modules.len()).filter(|module| wrapped.contains(module)).collect();
    grow(&mut waiting, &all, |module, waiting| starts[module.index()].iter().any(|started| waiting.contains(started)));
    waiting
}

/// Adds the modules that belong to a set because of those in it, until there are no more.
fn grow(set: &mut FxHashSet<ModuleId>, modules: &[ModuleId], belongs: impl Fn(ModuleId, &FxHashSet<ModuleId>) -> bool) {
    loop {
        let before = set.len();
        for &module in modules {
            if belongs(module, set) {
                set.insert(module);
            }
        }
        if set.len() == before {
            return;
        }
    }
}
