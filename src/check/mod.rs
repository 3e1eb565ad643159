//! Judges a portal that is ready to be published.
//!
//! What makes a portal impossible to build is found where it is read. Here is the rest: what works, and is still not what
//! its authors want, seen in the finished documents as a visitor would see it.

mod texts;

use crate::{config::Portal, diagnostic::Diagnostic};

/// Everything that breaks a rule, weighed as the portal's owner wants.
pub fn check(portal: &Portal) -> Vec<Diagnostic> {
    texts(portal)
}

/// What breaks a rule about titles and descriptions, which can be told without building the portal.
pub fn texts(portal: &Portal) -> Vec<Diagnostic> {
    let found = texts::check(portal);
    found.into_iter().filter_map(|complaint| portal.levels.weigh(complaint)).collect()
}
