//! What running a statement does.

use serde::{Deserialize, Serialize};
use swc_core::atoms::Atom;

/// What a statement does when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Effect {
    /// Nothing beyond its declarations.
    None,
    /// It only completes what a variable of this module holds: `Button.displayName = "Button"`.
    On(Atom),
    /// Nothing, provided that calls of these imported functions have no effect, which shows when modules are linked.
    Calls(Vec<Atom>),
    /// Anything.
    Any,
}
