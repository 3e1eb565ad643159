//! What a module's statements declare, mention, need and do, read from its syntax alone.

pub(super) mod bindings;
pub(super) mod commonjs;
pub(super) mod constant;
pub(super) mod declared;
pub(super) mod early_errors;
pub(super) mod esm_syntax;
pub(super) mod fold;
pub(super) mod foreign_habits;
pub(super) mod purity;
pub(super) mod scan;
pub(super) mod uses;
