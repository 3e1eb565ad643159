//! Modules that wait at their top level.
//!
//! While a module waits, the language goes on with those that do not import it. Code in one chunk runs line by line, so
//! where others could go on, a module that waits is deferred: it is started by a call, and who needs it waits for all that
//! it has started.

use rustc_hash::FxHashSet;

use super::defer::Deferred;
use crate::bundle::module::{Module, ModuleId};

/// Of modules in the order of the language, the last of which leads to all others, those to be deferred because something
/// goes on while they wait. `evaluates` says which modules each one starts.
pub(crate) fn waiting_beside_others<'a>(
    modules: &[Module],
    order: &[ModuleId],
    evaluates: &'a impl Fn(ModuleId) -> &'a [ModuleId],
) -> Vec<ModuleId> {
    let Some((_, others)) = order.split_last() else { return Vec::new() };
    let waits_itself = |module: &ModuleId| modules[module.index()].record.top_level_await;
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

/// The deferred modules that wait for something, themselves or through deferred ones that they start.
pub(crate) fn waiting(modules: &[Module], deferred: &Deferred) -> FxHashSet<ModuleId> {
    let all: Vec<ModuleId> = (0..modules.len()).map(ModuleId::at).filter(|module| deferred.contains(*module)).collect();
    let waits_itself = |module: &ModuleId| modules[module.index()].record.top_level_await;
    let mut waiting: FxHashSet<ModuleId> = all.iter().copied().filter(waits_itself).collect();
    grow(&mut waiting, &all, |module, waiting| deferred.started_by(module).any(|started| waiting.contains(&started)));
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
