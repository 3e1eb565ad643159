//! What the bundler has to know of the engine that will run its output.

use crate::{
    bundle::RegexSupport,
    prerender::{Expression, judge_expression},
};

/// Judges a regular expression literal by its pattern and its flags, as [`Options::regex_judge`] does.
///
/// [`Options::regex_judge`]: crate::bundle::Options::regex_judge
pub fn judge_regex(pattern: &str, flags: &str) -> RegexSupport {
    match judge_expression(pattern, flags) {
        Expression::Taken => RegexSupport::Literal,
        Expression::ToConstruct => RegexSupport::Constructor,
        Expression::Invalid(reason) => RegexSupport::Invalid(reason),
    }
}
