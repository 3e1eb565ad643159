//! References: the one place that says which variables a statement turns into uses of.

use std::collections::BTreeMap;

use swc_core::atoms::Atom;

use super::plan::UserEntry;
use crate::{
    helpers::Helper,
    link::{Binding, Links},
    module::{Code, Format, ImportKind, Module, ModuleId, Statement, Symbol, Target, Use, synthetic},
};

/// The variables that a statement of `module` references, its own module's among them.
pub(crate) fn references(modules: &[Module], links: &Links, module: ModuleId, statement: &Statement) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = statement
        .uses
        .iter()
        .flat_map(|item| match item {
            Use::ImportRecord(record) => requested(modules, module, *record),
            item => links.binding(module, item).and_then(|binding| binding.symbol()).into_iter().collect(),
        })
        .collect();
    match statement.code {
        Code::Namespace => symbols.extend(links.exports(module).values().filter_map(Binding::symbol)),
        Code::StarExports(_) => {
            symbols.extend(links.dynamic_star_exports(module).iter().map(|star| dynamic_star_export(modules, *star)));
        }
        _ => {}
    }
    symbols
}

/// The object with the exports of a module whose names show only at run time.
pub(crate) fn dynamic_star_export(modules: &[Module], star: ModuleId) -> Symbol {
    match modules[star.index()].scan.format {
        Format::CommonJs => Symbol::new(star, synthetic::EXPORTS),
        Format::Esm => Symbol::new(star, synthetic::NAMESPACE),
    }
}

/// The variables that a `require` turns into uses of. `import()` needs none: see
/// [`DynamicImport`](super::plan::DynamicImport).
fn requested(modules: &[Module], module: ModuleId, record: usize) -> Vec<Symbol> {
    let Module { scan, targets, .. } = &modules[module.index()];
    match (&targets[record], scan.import_records[record].kind) {
        (Target::Address(_), _) => vec![Symbol::helper(Helper::AddressOf)],
        (Target::Unresolved, _) => vec![Symbol::helper(Helper::Missing)],
        (Target::Module(target), ImportKind::Require { .. }) if modules[target.index()].external.is_none() => {
            vec![required(modules, *target)]
        }
        (Target::Module(target), ImportKind::Require { .. }) if scan.is_mixed => {
            vec![Symbol::new(*target, synthetic::NAMESPACE), Symbol::helper(Helper::ToCommonJs)]
        }
        (Target::Module(_), ImportKind::Require { .. }) => vec![Symbol::helper(Helper::RequireExternal)],
        (Target::Module(_) | Target::External | Target::Named(_) | Target::File(_), _) => Vec::new(),
    }
}

/// The exports of an entry's file, by name: of a CommonJS module all that it exports, as `default`. Of a lazy entry this is
/// what an `import()` would give as the default export.
pub(crate) fn entry_exports(
    modules: &[Module],
    links: &Links,
    entry: ModuleId,
    asked: Option<UserEntry>,
) -> BTreeMap<Atom, Binding> {
    let default = match (modules[entry.index()].scan.format, asked) {
        (Format::Esm, _) => return links.exports(entry).clone(),
        (Format::CommonJs, Some(UserEntry::Lazy)) => synthetic::INTEROP_DEFAULT,
        (Format::CommonJs, _) => synthetic::EXPORTS,
    };
    BTreeMap::from([("default".into(), Binding::Symbol(Symbol::new(entry, default)))])
}

/// The variable with the namespace that an `import()` gives. Of a CommonJS module, that depends on the importer.
pub(crate) fn lazy_namespace(modules: &[Module], importer: ModuleId, target: ModuleId) -> Symbol {
    let name = match modules[target.index()].scan.format {
        Format::Esm => synthetic::NAMESPACE,
        Format::CommonJs if modules[importer.index()].node_interop => synthetic::NODE_NAMESPACE,
        Format::CommonJs => synthetic::INTEROP_NAMESPACE,
    };
    Symbol::new(target, name)
}

/// The variable through which CommonJS code gets at a module.
pub(crate) fn required(modules: &[Module], target: ModuleId) -> Symbol {
    match modules[target.index()].scan.format {
        Format::CommonJs => Symbol::new(target, synthetic::REQUIRE),
        Format::Esm => Symbol::new(target, synthetic::REQUIRED),
    }
}
