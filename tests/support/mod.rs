//! What tests share. Both programs of `tests/` compile it, and each of them needs a part of it.

#![allow(dead_code, reason = "the other program needs it")]

pub(crate) mod alone;
pub(crate) mod bundling;
pub(crate) mod fixtures;
pub(crate) mod hot;
pub(crate) mod outline;
pub(crate) mod portals;
pub(crate) mod programs;
pub(crate) mod project;
pub(crate) mod random;
pub(crate) mod stages;
