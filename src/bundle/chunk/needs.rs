//! What code needs in order to run: the one place that says which variables a statement turns into uses of.

use std::collections::BTreeMap;

use swc_core::atoms::Atom;

use crate::bundle::{
    link::{Binding, Links},
    module::{Code, Format, Module, ModuleId, RequestKind, Statement, Symbol, Target, Use, synthetic},
};

/// The variables that a statement of `module` needs, its own module's among them.
pub(crate) fn needs(modules: &[Module], links: &Links, module: ModuleId, statement: &Statement) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = statement
        .uses
        .iter()
        .filter_map(|item| match item {
            Use::Request(request) => requested(modules, module, *request),
            item => links.binding(module, item)?.symbol(),
        })
        .collect();
    match statement.code {
        Code::Namespace => symbols.extend(links.exports(module).values().filter_map(Binding::symbol)),
        Code::StarExports(_) => symbols.extend(links.open_stars(module).iter().map(|star| open_star(modules, *star))),
        _ => {}
    }
    symbols
}

/// The object with the exports of a module whose names show only at run time.
pub(crate) fn open_star(modules: &[Module], star: ModuleId) -> Symbol {
    match modules[star.index()].record.format {
        Format::CommonJs => Symbol::new(star, synthetic::EXPORTS),
        Format::Esm => Symbol::new(star, synthetic::NAMESPACE),
    }
}

/// The variable that a `require` turns into a use of. `import()` needs no variable: see
/// [`DynamicImport`](super::exchange::DynamicImport).
fn requested(modules: &[Module], module: ModuleId, request: usize) -> Option<Symbol> {
    let request = &modules[module.index()].record.requests[request];
    match (&request.target, request.kind) {
        (Target::Address(_), _) => Some(Symbol::new(ModuleId::HELPERS, "addressOf")),
        (Target::Unresolved, _) => Some(Symbol::new(ModuleId::HELPERS, "missing")),
        (Target::Module(target), RequestKind::Require { .. }) if modules[target.index()].external.is_some() => {
            Some(Symbol::new(ModuleId::HELPERS, "requireExternal"))
        }
        (Target::Module(target), RequestKind::Require { .. }) => Some(required(modules, *target)),
        (Target::Module(_) | Target::Outside | Target::Named(_) | Target::File(_), _) => None,
    }
}

/// What whoever imports an entry's file gets, by name: of a CommonJS module all that it exports, as `default`.
pub(crate) fn entry_exports(modules: &[Module], links: &Links, entry: ModuleId) -> BTreeMap<Atom, Binding> {
    match modules[entry.index()].record.format {
        Format::Esm => links.exports(entry).clone(),
        Format::CommonJs => {
            BTreeMap::from([("default".into(), Binding::Symbol(Symbol::new(entry, synthetic::EXPORTS)))])
        }
    }
}

/// The variable with what an `import()` gives. Of a CommonJS module, that depends on who asks.
pub(crate) fn lazy_namespace(modules: &[Module], importer: ModuleId, target: ModuleId) -> Symbol {
    let name = match modules[target.index()].record.format {
        Format::Esm => synthetic::NAMESPACE,
        Format::CommonJs if modules[importer.index()].node_interop => synthetic::NODE_NAMESPACE,
        Format::CommonJs => synthetic::INTEROP_NAMESPACE,
    };
    Symbol::new(target, name)
}

/// The variable through which CommonJS code gets at a module.
pub(crate) fn required(modules: &[Module], target: ModuleId) -> Symbol {
    match modules[target.index()].record.format {
        Format::CommonJs => Symbol::new(target, synthetic::REQUIRE),
        Format::Esm => Symbol::new(target, synthetic::REQUIRED),
    }
}
