//! Included code: what tree shaking leaves of a graph.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::{
    link::Links,
    module::{Code, Evaluation, ImportKind, Module, ModuleId, Use},
    names::is_virtual,
};

/// For each module, which of its statements stay.
pub(crate) struct IncludedStatements(pub Vec<Vec<bool>>);

impl IncludedStatements {
    /// The numbers of a module's statements that stay.
    pub(crate) fn of(&self, module: ModuleId) -> impl Iterator<Item = usize> {
        self.0[module.index()].iter().enumerate().filter(|(_, included)| **included).map(|(index, _)| index)
    }

    /// The effect that the evaluation of what stays of the module has, whatever its place among others.
    pub(crate) fn evaluation(&self, modules: &[Module], links: &Links, module: ModuleId) -> Evaluation {
        if is_virtual(&modules[module.index()].name) {
            return Evaluation::Inert;
        }
        let evaluated = &modules[module.index()];
        let most = if evaluated.pure_package { Evaluation::Free } else { Evaluation::Changes };
        let of = |statement: usize| match evaluated.scan.statements[statement].code {
            Code::StarExports(_) if links.dynamic_star_exports(module).is_empty() => Evaluation::Inert,
            _ => evaluated.evaluation(statement),
        };
        self.of(module).map(of).max().unwrap_or(Evaluation::Inert).min(most)
    }
}

/// The included code of a graph.
pub(crate) struct Included {
    pub statements: IncludedStatements,
    /// Targets of the `import()`s that stay.
    pub dynamic_entries: BTreeSet<ModuleId>,
    /// For each CommonJS module of which something is left out, which of its parts stay.
    pub parts: FxHashMap<ModuleId, Vec<bool>>,
    /// See [`order_sensitive`](super::order_sensitive).
    pub order_sensitive: FixedBitSet,
}

impl Included {
    /// The parts of a CommonJS module that stay. None stands for all of them.
    pub(crate) fn parts(&self, module: ModuleId) -> Option<&[bool]> {
        self.parts.get(&module).map(Vec::as_slice)
    }

    /// The effect that the evaluation of what stays of the module has.
    pub(crate) fn evaluation(&self, modules: &[Module], links: &Links, module: ModuleId) -> Evaluation {
        let own = self.statements.evaluation(modules, links, module);
        let has_turn = self.is_order_sensitive(module) && !is_virtual(&modules[module.index()].name);
        if has_turn { own.max(Evaluation::Observes) } else { own }
    }

    /// True if anything of the module stays, be it only its evaluation.
    pub(crate) fn has_module(&self, module: ModuleId) -> bool {
        self.is_order_sensitive(module) || self.statements.0[module.index()].contains(&true)
    }

    /// True if the module's own statements change nothing, and yet it matters when it is evaluated.
    pub(crate) fn is_order_sensitive(&self, module: ModuleId) -> bool {
        self.order_sensitive.contains(module.index())
    }

    /// The numbers of a module's statements that stay.
    pub(crate) fn statements(&self, module: ModuleId) -> impl Iterator<Item = usize> {
        self.statements.of(module)
    }
}

/// The modules that run because `module` imports them, in order.
pub(crate) fn evaluated_imports(modules: &[Module], module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let imports = modules[module.index()].imported_modules().filter(|(record, _)| record.kind == ImportKind::Static);
    imports.map(|(_, target)| target).filter(|target| !modules[target.index()].pure_package)
}

/// The module that a use loads with `import()`.
pub(crate) fn dynamic_target(importer: &Module, item: &Use) -> Option<ModuleId> {
    requested_target(importer, item, |kind| matches!(kind, ImportKind::Dynamic { .. }))
}

/// The module that a use asks for with `require`.
pub(crate) fn required_target(importer: &Module, item: &Use) -> Option<ModuleId> {
    requested_target(importer, item, |kind| matches!(kind, ImportKind::Require { .. }))
}

fn requested_target(importer: &Module, item: &Use, is_kind: impl Fn(ImportKind) -> bool) -> Option<ModuleId> {
    let Use::ImportRecord(record) = item else { return None };
    importer.targets[*record].module().filter(|_| is_kind(importer.scan.import_records[*record].kind))
}
