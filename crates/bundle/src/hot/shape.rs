//! Shapes: what importers have to know of a module to read its exports.

use crate::{
    known_exports::KnownExports,
    module::{Format, Module},
};

/// How the exports of a module are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Esm,
    CommonJs { default: DefaultExport, may_export_nothing: bool },
    External,
}

/// What `import x` of a CommonJS module gives to importers that honour `__esModule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum DefaultExport {
    /// All that it exports.
    Exports,
    /// Its property `default`.
    Property,
    /// One of the two, which shows when it has run.
    Interop,
}

impl DefaultExport {
    /// What the registry calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exports => "exports",
            Self::Property => "property",
            Self::Interop => "interop",
        }
    }

    /// As the linker decides.
    fn of(known: Option<&KnownExports>) -> Self {
        match known {
            None => Self::Interop,
            Some(known) if known.is_es_module => match known.defines(&"default".into()) {
                Some(true) => Self::Property,
                Some(false) => Self::Interop,
                None => Self::Exports,
            },
            Some(_) => Self::Exports,
        }
    }
}

impl Shape {
    pub(super) fn of(module: &Module) -> Self {
        let scan = &module.scan;
        match scan.format {
            _ if module.external.is_some() => Self::External,
            Format::Esm => Self::Esm,
            Format::CommonJs => Self::CommonJs {
                default: DefaultExport::of(scan.known_exports.as_ref()),
                may_export_nothing: scan.may_export_nothing,
            },
        }
    }
}
