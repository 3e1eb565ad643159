//! The functions that emitted code calls. They are a module of the graph, so that a chunk that needs none has none.

use serde::{Deserialize, Serialize};

/// Name of the module.
pub(crate) const NAME: &str = "portalgen:helpers";

/// The helpers that the code of a module may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Helper {
    /// Makes the function that evaluates a CommonJS module.
    CommonJs,
    /// The same for a module that looks at what `module` says about itself.
    DescribedCommonJs,
    ExportStar,
    InteropDefault,
    /// Makes the namespace of what `require` gave.
    InteropNamespace,
    Namespace,
    ToCommonJs,
    /// Stands for `require` itself, where it is not called with a known specifier.
    UnknownRequire,
}

impl Helper {
    /// The name of the function.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CommonJs => "commonJS",
            Self::DescribedCommonJs => "describedCommonJS",
            Self::ExportStar => "exportStar",
            Self::InteropDefault => "interopDefault",
            Self::InteropNamespace => "interopNamespace",
            Self::Namespace => "namespace",
            Self::ToCommonJs => "toCommonJS",
            Self::UnknownRequire => "unknownRequire",
        }
    }
}

/// What code calls it where it is made before modules are linked. No author can write this name.
pub(crate) const INTEROP: &str = "*interopNamespace*";

/// Its text. Only in Node.js is there something to hand `require` of an external module to.
pub(crate) fn source(is_for_node: bool) -> String {
    let own = include_str!("runtime/helpers.js");
    let external = if is_for_node {
        include_str!("runtime/helpers-node.js")
    } else {
        "export function requireExternal(specifier) {\n  missing(specifier);\n}\n"
    };
    format!("{own}\n{external}")
}
