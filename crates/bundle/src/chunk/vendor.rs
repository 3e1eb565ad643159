//! The vendor chunk, for packages: they change less often than the site's own code.

use rustc_hash::FxHashSet;

use super::{dependencies::Dependencies, included::Included, reachability::Reachability};
use crate::{
    graph::ModuleGraph,
    module::{Code, ModuleId},
    names::is_virtual,
};

/// The packages that an entry needs at once. Their chunk runs before the site's own code, so a package that follows code
/// of the site with effects, a polyfill for example, is not one of them.
pub(crate) fn vendor_modules(
    graph: &ModuleGraph,
    included: &Included,
    dependencies: &Dependencies,
    order: &[ModuleId],
    reachability: &Reachability,
) -> FxHashSet<ModuleId> {
    let user_entries = graph.entries.len();
    let of_user_entry = |module: ModuleId| reachability.entries_of(module).iter().any(|root| root < user_entries);
    let is_package = |module: ModuleId| graph.modules[module.index()].vendor && !graph.entries.contains(&module);
    let vendor_may_precede = |module: ModuleId| {
        is_package(module) || is_virtual(&graph.modules[module.index()].name) || !has_effects(graph, included, module)
    };
    let first =
        order.iter().copied().filter(|module| of_user_entry(*module)).take_while(|module| vendor_may_precede(*module));
    // Modules that only `require` reaches run when they are asked for: they go where their importers are.
    let mut vendor = FxHashSet::default();
    let mut stack: Vec<ModuleId> = first.filter(|module| is_package(*module)).collect();
    while let Some(module) = stack.pop() {
        if vendor.insert(module) {
            stack.extend(
                dependencies.of(module).iter().filter(|target| is_package(**target) && of_user_entry(**target)),
            );
        }
    }
    without_outside_needs(vendor, dependencies, included)
}

/// Leaves out the modules that need one outside the set: two chunks that need each other cannot both run first.
fn without_outside_needs(
    mut modules: FxHashSet<ModuleId>,
    dependencies: &Dependencies,
    included: &Included,
) -> FxHashSet<ModuleId> {
    loop {
        let is_closed = |module: &ModuleId| dependencies.present(*module, included).is_subset(&modules);
        let closed: FxHashSet<ModuleId> = modules.iter().copied().filter(is_closed).collect();
        if closed.len() == modules.len() {
            return modules;
        }
        modules = closed;
    }
}

/// True if running what is left of a module may change what other code sees.
fn has_effects(graph: &ModuleGraph, included: &Included, module: ModuleId) -> bool {
    let evaluated = &graph.modules[module.index()];
    let is_sheet = |statement: usize| matches!(evaluated.scan.statements[statement].code, Code::Stylesheet);
    included.statements(module).any(|statement| evaluated.has_effect(statement) && !is_sheet(statement))
}
