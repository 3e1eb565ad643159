//! `{product}` and `{host}` in a value.
//!
//! One pass from left to right: what is filled in is never looked at again. `{{` and `}}` stand for single braces.

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{self, text, write},
};

use super::{
    names,
    origin::Host,
    portal::Portal,
    signs,
    value::{Problem, Value},
};

/// What may be filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a> {
    pub(crate) product: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
}

impl<'p> Values<'p> {
    /// Those of a portal.
    pub(crate) fn of(portal: &'p Portal) -> Self {
        Self { product: portal.product.as_deref(), host: portal.host.as_ref().map(Host::as_str) }
    }
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

/// The same of a text that stands nowhere yet.
///
/// # Errors
/// As for [`expand`].
pub(crate) fn fill(template: &str, values: Values<'_>) -> Result<String, Problem> {
    check_braces(template)?;
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

/// Refuses a name in wide braces: visitors would read them.
fn check_braces(template: &str) -> Result<(), Problem> {
    for (start, open) in template.char_indices().filter(|(_, c)| signs::plain(*c) == '{') {
        let inside = &template[start + open.len_utf8()..];
        let name = NAMES.into_iter().find(|name| inside.starts_with(name));
        let close = name.and_then(|name| inside[name.len()..].chars().next()).filter(|c| signs::plain(*c) == '}');
        let Some((name, close)) = name.zip(close).filter(|(_, close)| (open, *close) != ('{', '}')) else { continue };
        let end = start + open.len_utf8() + name.len() + close.len_utf8();
        let message = text!("these braces are full-width", "这里的大括号是全角的");
        return Err(Problem::new(message).at(start..end).hint(write(format!("{{{name}}}"))));
    }
    Ok(())
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
    Problem::new(text!("this `{brace}` has no counterpart", "这里的 `{brace}` 不成对"))
        .at(at..at + 1)
        .hint(text!(
            "for the brace itself, write it twice: `{brace}{brace}`",
            "如果要写大括号本身，请写两遍：`{brace}{brace}`"
        ))
        .hint(text!(
            "placeholders are written `{{product}}` and `{{host}}`",
            "可以用的占位符是 `{{product}}` 和 `{{host}}`"
        ))
}

fn lookup<'a>(name: &str, values: Values<'a>) -> Result<&'a str, Problem> {
    match name {
        "product" => values.product.ok_or_else(|| {
            without_value(name).hint(text!(
                "add `product = \"…\"` under `[portal]`, with the name of your product",
                "请在 `[portal]` 下写 `product = \"…\"`，填写产品名"
            ))
        }),
        "host" => values.host.ok_or_else(|| {
            without_value(name)
                .hint(text!(
                    "add `host = \"https://…\"` under `[portal]`: the address where people sign in",
                    "请在 `[portal]` 下写 `host = \"https://…\"`，填写登录所在的站点"
                ))
                .hint(text!(
                    "or set it for a single build with `--host` or the variable PORTALGEN_HOST",
                    "如果只用于这一次构建，请用 `--host` 或环境变量 PORTALGEN_HOST 指定"
                ))
        }),
        unknown => Err(unknown_name(unknown)),
    }
}

fn without_value(name: &str) -> Problem {
    Problem::new(text!("`{{{name}}}` has no value", "`{{{name}}}` 没有值"))
}

fn unknown_name(name: &str) -> Problem {
    let problem = Problem::new(text!("there is no placeholder `{{{name}}}`", "没有 `{{{name}}}` 这个占位符"));
    let problem = match names::known(name.trim(), NAMES.into_iter()) {
        Some(meant) => problem.hint(text::did_you_mean(format!("{{{meant}}}"))),
        None => problem.hint(text!(
            "the placeholders are `{{product}}` and `{{host}}`",
            "可以用的占位符是 `{{product}}` 和 `{{host}}`"
        )),
    };
    problem
        .hint(text!("for the braces themselves, write `{{{{` and `}}}}`", "如果要写大括号本身，请写 `{{{{` 和 `}}}}`"))
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
