//! The functions that emitted code calls. They are a module of the graph, so that a chunk that needs none has none.

use serde::{Deserialize, Serialize};

/// Name of the module.
pub(crate) const NAME: &str = "portalgen:helpers";

/// The functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Helper {
    /// Makes a `URL` of the path of a file.
    AddressOf,
    /// Makes the function that evaluates a CommonJS module.
    CommonJs,
    /// Makes the function `init_x` that evaluates a wrapped module.
    Deferred,
    /// The same for a module that waits for something.
    DeferredWaiting,
    /// The function for a CommonJS module that looks at what `module` says about itself.
    DescribedCommonJs,
    ExportStar,
    InteropDefault,
    /// Makes the namespace of what `require` gave.
    InteropNamespace,
    /// Throws in the place of a module that is not there.
    Missing,
    Namespace,
    RequireExternal,
    ToCommonJs,
    /// Tries once more to load a lazy chunk.
    Twice,
    /// Stands for `require` itself, where it is not called with a known specifier.
    UnknownRequire,
    /// Loads style sheets beside a lazy chunk.
    WithStyles,
}

impl Helper {
    /// The name of the function.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AddressOf => "addressOf",
            Self::CommonJs => "commonJS",
            Self::Deferred => "deferred",
            Self::DeferredWaiting => "deferredWaiting",
            Self::DescribedCommonJs => "describedCommonJS",
            Self::ExportStar => "exportStar",
            Self::InteropDefault => "interopDefault",
            Self::InteropNamespace => "interopNamespace",
            Self::Missing => "missing",
            Self::Namespace => "namespace",
            Self::RequireExternal => "requireExternal",
            Self::ToCommonJs => "toCommonJS",
            Self::Twice => "twice",
            Self::UnknownRequire => "unknownRequire",
            Self::WithStyles => "withStyles",
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
