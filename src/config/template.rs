//! `{product}` and `{host}` in a value.
//!
//! One pass from left to right: what is filled in is never looked at again. `{{` and `}}` stand for single braces.

use super::value::{Problem, Value};
use crate::diagnostic::{Diagnostic, did_you_mean};

/// What may be filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a> {
    pub(crate) product: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
}

const NAMES: [&str; 2] = ["product", "host"];

/// The value with every `{name}` replaced.
///
/// # Errors
/// An unknown name, one that has no value, or a brace without its partner.
pub(crate) fn expand(template: &Value, values: Values<'_>) -> Result<Value, Diagnostic> {
    let text = fill(&template.text, values).map_err(|problem| template.error(problem))?;
    Ok(template.with_text(text))
}

fn fill(template: &str, values: Values<'_>) -> Result<String, Problem> {
    let mut filled = String::with_capacity(template.len());
    let mut at = 0;
    while let Some(found) = template[at..].find(['{', '}']) {
        filled.push_str(&template[at..at + found]);
        at += found;
        at += placeholder(template, at, values, &mut filled)?;
    }
    filled.push_str(&template[at..]);
    Ok(filled)
}

/// Writes what the brace at `at` stands for, and returns how many bytes it took.
fn placeholder(template: &str, at: usize, values: Values<'_>, filled: &mut String) -> Result<usize, Problem> {
    let rest = &template[at..];
    if let Some(brace) = ["{{", "}}"].into_iter().find(|brace| rest.starts_with(brace)) {
        filled.push_str(&brace[1..]);
        return Ok(2);
    }
    let name = rest.strip_prefix('{').and_then(|inside| inside.split_once('}')).map(|(name, _)| name);
    let Some(name) = name.filter(|name| !name.contains('{')) else {
        return Err(lonely_brace(rest, at));
    };
    let length = name.len() + 2;
    filled.push_str(lookup(name, values).map_err(|problem| problem.at(at..at + length))?);
    Ok(length)
}

fn lonely_brace(rest: &str, at: usize) -> Problem {
    let brace = &rest[..1];
    Problem::new(format!("`{brace}` stands alone here"))
        .at(at..at + 1)
        .hint(format!("for the brace itself write it twice: `{brace}{brace}`"))
        .hint("values are written `{product}` and `{host}`")
}

fn lookup<'a>(name: &str, values: Values<'a>) -> Result<&'a str, Problem> {
    match name {
        "product" => values.product.ok_or_else(|| {
            Problem::new("`{product}` has no value")
                .hint("add `product = \"…\"` under `[portal]`, with your product's name")
        }),
        "host" => values.host.ok_or_else(|| {
            Problem::new("`{host}` has no value")
                .hint("add `host = \"https://…\"` under `[portal]`: where people sign in")
                .hint("or give it for one build with `--host` or the variable PORTALGEN_HOST")
        }),
        unknown => Err(unknown_name(unknown)),
    }
}

fn unknown_name(name: &str) -> Problem {
    let problem = Problem::new(format!("there is no value called `{{{name}}}`"));
    let problem = match did_you_mean(name.trim(), NAMES) {
        Some(meant) => problem.hint(format!("did you mean `{{{meant}}}`?")),
        None => problem.hint("there are `{product}` and `{host}`"),
    };
    problem.hint("for the braces themselves write `{{` and `}}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: Values<'_> = Values { product: Some("Lanyu {host}"), host: Some("https://chat.example") };

    #[test]
    fn what_is_filled_in_is_not_filled_in_again() {
        assert_eq!(fill("/{product}AI", VALUES).as_deref(), Ok("/Lanyu {host}AI"));
        assert_eq!(fill("{host}/signUp", VALUES).as_deref(), Ok("https://chat.example/signUp"));
    }

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(fill("a {{product}} b }}{{", VALUES).as_deref(), Ok("a {product} b }{"));
        assert_eq!(fill("{{{product}}}", Values { product: Some("P"), host: None }).as_deref(), Ok("{P}"));
    }

    #[test]
    fn mistakes_are_placed_on_the_braces() {
        for (template, range) in [("关于{prodct}", 6..14), ("{", 0..1), ("a}", 1..2), ("{a{host}", 0..1), ("{}", 0..2)]
        {
            let problem = fill(template, VALUES).expect_err(template);
            assert_eq!(problem.range, Some(range), "{template}");
        }
        assert_eq!(fill("{Host}", VALUES).expect_err("case").hints[0], "did you mean `{host}`?");
        assert!(fill("{product}", Values { product: None, host: None }).is_err());
    }
}
