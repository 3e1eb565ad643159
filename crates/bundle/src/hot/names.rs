//! Names of what the code of one module gets of the registry, such that the module has none of them.

use swc_core::atoms::Atom;

use crate::{emit::names::identifier, module::Module};

/// The names in the code of one module that its author did not write.
pub(super) struct OwnNames {
    /// What they all begin with.
    prefix: String,
    /// The variable of `export default` without a name.
    pub default: Atom,
}

impl OwnNames {
    pub(super) fn new(module: &Module) -> Self {
        let prefixes = std::iter::successors(Some("_$".to_owned()), |prefix| Some(format!("_{prefix}")));
        let is_free = |prefix: &String| !names_of(module).any(|name| name.starts_with(prefix.as_str()));
        let prefix = { prefixes }.find(is_free).unwrap_or_default();
        // Developer tools show it as the name of a component.
        let stem = identifier(&module.stem);
        let is_taken = names_of(module).any(|name| *name == *stem) || stem.starts_with(&prefix);
        let default = if is_taken { format!("{prefix}default") } else { stem };
        Self { prefix, default: default.into() }
    }

    /// What the registry hands to the module.
    pub(super) fn handle(&self) -> Atom {
        self.prefix.as_str().into()
    }

    /// The variable for the import with this number.
    pub(super) fn of_import(&self, number: usize, suffix: &str) -> Atom {
        format!("{}{number}{suffix}", self.prefix).into()
    }
}

/// The names that the code of a module mentions or declares anywhere.
fn names_of(module: &Module) -> impl Iterator<Item = &Atom> {
    let scan = &module.scan;
    let declared = scan.statements.iter().flat_map(|statement| &statement.declares);
    scan.globals.iter().chain(&scan.nested).chain(scan.imports.keys()).chain(declared)
}
