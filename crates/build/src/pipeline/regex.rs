//! What the bundler has to know of the engine that will run its output.

use portalgen_bundle::{RegexJudge, RegexSupport};
use portalgen_engine::{Expression, judge_expression};

/// What the engine makes of regular expression literals.
pub const REGEX_JUDGE: RegexJudge = RegexJudge { name: "engine", judge };

fn judge(pattern: &str, flags: &str) -> RegexSupport {
    match judge_expression(pattern, flags) {
        Expression::Taken => RegexSupport::Literal,
        Expression::ToConstruct => RegexSupport::Constructor,
        Expression::Invalid(reason) => RegexSupport::Invalid(reason),
    }
}
