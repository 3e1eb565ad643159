//! What the bundler has to know of the engine that will run its output.

use portalgen_bundle::RegexSupport;
use portalgen_engine::{Expression, judge_expression};

/// Judges a regular expression literal by its pattern and its flags, as [`Options::regex_judge`] does.
///
/// [`Options::regex_judge`]: portalgen_bundle::Options::regex_judge
pub fn judge_regex(pattern: &str, flags: &str) -> RegexSupport {
    match judge_expression(pattern, flags) {
        Expression::Taken => RegexSupport::Literal,
        Expression::ToConstruct => RegexSupport::Constructor,
        Expression::Invalid(reason) => RegexSupport::Invalid(reason),
    }
}
