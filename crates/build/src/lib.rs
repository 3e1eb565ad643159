//! From sources to a release: the stages of a build.

pub mod budget;
pub mod check;
pub mod hoisted;
pub mod metadata;
pub mod pipeline;
pub mod public;
pub mod runtime;
pub mod shell;
