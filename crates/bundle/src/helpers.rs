//! The functions that emitted code calls. They are a module of the graph, so that a chunk that needs none has none.

/// Name of the module.
pub(crate) const NAME: &str = "portalgen:helpers";

/// The helper that makes the function which evaluates a CommonJS module.
pub(crate) const COMMON_JS: &str = "commonJS";

/// The same for a module that looks at what `module` says about itself.
pub(crate) const DESCRIBED_COMMON_JS: &str = "describedCommonJS";

/// The helper that stands for `require` itself, where it is not called with a known specifier.
pub(crate) const UNKNOWN_REQUIRE: &str = "unknownRequire";

/// The helper that makes the namespace of what `require` gave.
pub(crate) const INTEROP_NAMESPACE: &str = "interopNamespace";

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
