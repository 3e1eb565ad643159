//! The messages of `QuickJS` that decisions depend on. It gives no codes for them, and another version may word them
//! differently, so the tests below run code that ends in each, except where memory or the ranges of a class run out in the middle
//! of a regular expression, which takes too long to bring about.

/// What an `InternalError` says when memory has run out. The other two stand for an error whose message no longer fitted,
/// and for a string that did not fit on its way to Rust.
const OUT_OF_MEMORY: [&str; 3] = ["out of memory", "", "QuickJS library created a unknown error"];
/// What a `RangeError` says when the stack has run out.
const STACK_OVERFLOW: &str = "Maximum call stack size exceeded";
/// What a `ReferenceError` says of a name without a declaration.
const NOT_DEFINED: &str = " is not defined";
/// What a `ReferenceError` says of a variable whose declaration has not run.
const NOT_INITIALIZED: &str = " is not initialized";
/// What stands between the reason against a regular expression and its place.
const IN_EXPRESSION: &str = " in regular expression";
/// How reasons against regular expressions end that browsers may take: the limits of the engine, and of its knowledge of
/// Unicode.
const LIMITS_OF_EXPRESSIONS: [&str; 8] = [
    "too many captures",
    "too many imbricated quantifiers",
    "too many named groups",
    "too many ranges",
    "unknown unicode script",
    "invalid group name",
    "stack overflow",
    "out of memory",
];

/// Whether an `InternalError` with this message means that memory has run out.
pub(super) fn is_out_of_memory(message: &str) -> bool {
    OUT_OF_MEMORY.contains(&message)
}

/// Whether a `RangeError` with this message means that calls were nested too deep.
pub(super) fn is_stack_overflow(message: &str) -> bool {
    message == STACK_OVERFLOW
}

/// The name that the message of a `ReferenceError` calls not defined.
pub(super) fn not_defined(message: &str) -> Option<&str> {
    message.strip_suffix(NOT_DEFINED).map(|name| name.trim_matches('\''))
}

/// The variable that the message of a `ReferenceError` calls not initialized.
pub(super) fn not_initialized(message: &str) -> Option<&str> {
    message.strip_suffix(NOT_INITIALIZED)
}

/// Whether the engine refuses a regular expression, in these words, that browsers may take.
pub(super) fn is_limit_of_expressions(message: &str) -> bool {
    LIMITS_OF_EXPRESSIONS.iter().any(|limit| message.ends_with(limit))
}

/// The reason that a message gives against a regular expression.
pub(super) fn reason_against_expression(message: &str) -> &str {
    message.split(IN_EXPRESSION).next().unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, sync::Arc};

    use super::LIMITS_OF_EXPRESSIONS;
    use crate::{Expression, Failure, FailureKind, Limits, Program, judge_expression};

    fn failure(code: &str) -> Failure {
        let code = format!("export const run = () => {{ {code} }};");
        let modules = BTreeMap::from([("page.js".to_owned(), code)]);
        let program = Program::compile(Arc::new(modules), "page.js").expect("it compiles");
        let limits = Limits { memory: 16 * 1024 * 1024, ..Limits::default() };
        program.call("run", &[], &limits).expect_err("the code must fail")
    }

    #[test]
    fn the_engine_says_what_is_listed_here() {
        let name = || "missing".to_owned();
        for (code, kind) in [
            ("const all = []; for (;;) all.push('x'.repeat(1000) + all.length);", FailureKind::OutOfMemory),
            ("const again = () => again() + 1; again();", FailureKind::StackOverflow),
            ("missing();", FailureKind::NotDefined(name())),
            ("missing; let missing;", FailureKind::Uninitialized(name())),
            (
                "try { missing; let missing; } catch (cause) { throw new Error('failed', { cause }); }",
                FailureKind::Uninitialized(name()),
            ),
        ] {
            assert_eq!(failure(code).kind, kind, "{code}");
        }
    }

    #[test]
    fn expressions_beyond_the_engine_are_known_by_its_words() {
        let nested = |open: &str, close: &str, depth: usize| open.repeat(depth) + "x" + &close.repeat(depth);
        for (limit, pattern, flags) in [
            ("too many captures", "()".repeat(300), ""),
            ("too many imbricated quantifiers", nested("(?:", "){2,3}", 300), ""),
            ("too many named groups", format!("(?<name>x){}", "|y".repeat(300)), ""),
            ("unknown unicode script", r"\p{Script=Unheard}".to_owned(), "u"),
            ("invalid group name", "(?<a-b>c)".to_owned(), "u"),
            ("stack overflow", nested("(?:", ")", 100_000), ""),
        ] {
            assert!(LIMITS_OF_EXPRESSIONS.contains(&limit), "{limit}");
            let failure = failure(&format!("new RegExp({pattern:?}, {flags:?});"));
            assert!(failure.message.english().ends_with(limit), "{limit}: {failure}");
            assert_eq!(failure.kind, FailureKind::BeyondEngine, "{limit}");
            assert_eq!(judge_expression(&pattern, flags), Expression::ToConstruct, "{limit}");
        }
    }

    #[test]
    fn a_reason_against_an_expression_comes_without_its_place() {
        let reason = "invalid escape sequence".to_owned();
        assert_eq!(judge_expression(r"[\-a]\c", "u"), Expression::Invalid(reason));
    }
}
