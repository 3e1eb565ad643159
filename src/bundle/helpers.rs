//! The functions that emitted code calls. They are a module of the graph, so that a chunk that needs none has none.

/// Name of the module.
pub(super) const NAME: &str = "portalgen:helpers";

/// The helper that stands for `require` itself, where it is not called with a known specifier.
pub(super) const UNKNOWN_REQUIRE: &str = "unknownRequire";

/// Its text.
pub(super) const SOURCE: &str = include_str!("../runtime/helpers.js");
