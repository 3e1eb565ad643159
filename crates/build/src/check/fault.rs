//! What can be wrong with a page, and where that was met.

use std::collections::BTreeSet;

use portalgen_base::rules::Rule;
use portalgen_release::html::Misplaced;

use super::{accessibility, content, links};

/// Something that is wrong with a page, and may be with others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    Link(links::Fault),
    Accessibility(accessibility::Fault),
    Nesting(Misplaced),
    Content(content::Fault),
}

impl Fault {
    /// The rule that it breaks.
    pub(super) fn rule(&self) -> Rule {
        match self {
            Self::Link(fault) => fault.rule(),
            Self::Accessibility(fault) => fault.rule(),
            Self::Nesting(_) => Rule::InvalidNesting,
            Self::Content(_) => Rule::EmptyPage,
        }
    }
}

/// Where a fault was met.
#[derive(Default)]
pub(super) struct Met {
    /// The pages that have it, by their place among all.
    pub(super) pages: Vec<usize>,
    /// The addresses that have it, as documents have them.
    pub(super) addresses: BTreeSet<String>,
}
