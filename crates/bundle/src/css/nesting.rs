//! How long selectors become where nesting is written out for browsers that do not know it.

use lightningcss::rules::{CssRule, CssRuleList};

use portalgen_base::{diagnostic::Diagnostic, text::text};

use super::{Reader, inner_rules};

/// The length in bytes up to which the selectors of one rule may grow. `& & & {}` makes them three times as long at each
/// level, so that some bytes of source could fill the memory.
const MAX_SELECTORS: usize = 65_536;

impl Reader<'_> {
    /// Refuses rules whose selectors grow beyond all bounds. `outer` is the length of the selectors around them.
    ///
    /// # Errors
    /// There is one.
    pub(crate) fn check_growth(&self, rules: &CssRuleList<'_>, outer: usize) -> Result<(), Diagnostic> {
        for rule in &rules.0 {
            if let Some(inner) = inner_rules(rule) {
                self.check_growth(inner, outer)?;
            }
            let CssRule::Style(style) = rule else { continue };
            // Where nesting is written out, this is what `&` is printed as if nobody says what it stands for.
            let text = self.options.text(&style.selectors).unwrap_or_default();
            let length = text.len() + text.matches(":scope").count() * outer;
            if length > MAX_SELECTORS {
                let message = text!(
                    "expanded, the nested selectors of this rule exceed {MAX_SELECTORS} bytes",
                    "嵌套展开之后，这条规则的选择器超过了 {MAX_SELECTORS} 字节"
                );
                return Err(Diagnostic::error(message).at(self.place_at(style.loc.line, style.loc.column)).with_hint(
                    text!(
                        "each `&` repeats the selectors around it: use fewer of them",
                        "每个 `&` 都会重复外层的选择器：请少用一些"
                    ),
                ));
            }
            self.check_growth(&style.rules, length)?;
        }
        Ok(())
    }
}
