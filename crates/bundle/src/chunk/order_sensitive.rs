//! Order-sensitive modules: they must be evaluated in their turn although they change nothing themselves.
//!
//! Evaluating a pure re-export module is unobservable, so it is skipped unless something needs it. In an import cycle that
//! would change the order of the others: `index.js` imports `a.js` and `b.js`, `a.js` imports `index.js`, and an entry that
//! imports `index.js` evaluates `a.js` first, since `index.js` has been begun by then and does not lead `a.js` to
//! `b.js`. A cycle may be closed by a `require` as well: it, too, comes back to a module that has been begun.

use fixedbitset::FixedBitSet;

use super::{cycles::cycles, included::evaluated_imports};
use crate::module::{Evaluation, Format, ImportKind, Module, ModuleId};

/// The modules that change nothing and are in an import cycle with one whose evaluation means something.
pub(crate) fn order_sensitive(modules: &[Module], evaluation: impl Fn(ModuleId) -> Evaluation) -> FixedBitSet {
    let mut order_sensitive = FixedBitSet::with_capacity(modules.len());
    let asked_for = |module: ModuleId| evaluated_imports(modules, module).chain(required(modules, module));
    for cycle in cycles(modules.len(), asked_for) {
        if cycle.iter().any(|module| evaluation(*module) > Evaluation::Inert) {
            // A CommonJS module decides nothing: it runs line by line.
            let is_esm = |module: &ModuleId| modules[module.index()].scan.format == Format::Esm;
            let unnoticed = cycle.into_iter().filter(is_esm).filter(|module| evaluation(*module) < Evaluation::Changes);
            order_sensitive.extend(unnoticed.map(ModuleId::index));
        }
    }
    order_sensitive
}

/// The modules that `module` asks for with `require`.
fn required(modules: &[Module], module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let records = modules[module.index()].imported_modules();
    let required = records.filter(|(record, _)| matches!(record.kind, ImportKind::Require { .. }));
    required.map(|(_, target)| target)
}
