//! Scope of a CSS module: whether its rules can mean anything where its classes are not used.

use lightningcss::{
    rules::{CssRule, CssRuleList},
    selector::{Component, Selector},
};

/// Whether every rule needs an element with a class of the module. Nested rules need what is around them.
pub(super) fn is_scoped(rules: &CssRuleList<'_>) -> bool {
    rules.0.iter().all(|rule| match rule {
        CssRule::Style(rule) => rule.selectors.0.iter().all(has_own_class),
        CssRule::Media(rule) => is_scoped(&rule.rules),
        CssRule::Supports(rule) => is_scoped(&rule.rules),
        CssRule::Container(rule) => is_scoped(&rule.rules),
        CssRule::StartingStyle(rule) => is_scoped(&rule.rules),
        CssRule::LayerBlock(rule) => rule.name.is_some() && is_scoped(&rule.rules),
        // Their names are the module's own.
        CssRule::Keyframes(_) | CssRule::Ignored => true,
        _ => false,
    })
}

/// Whether one of the elements that a selector is about has a class. `:global(.a)` and `:has(.a)` are no classes here.
fn has_own_class(selector: &Selector<'_>) -> bool {
    selector.iter_raw_match_order().any(|component| matches!(component, Component::Class(_)))
}
