//! Tags of languages.

use portalgen_base::text::{text, write};

use super::value::Problem;

/// Checks a language tag against the shape that BCP 47 gives it.
///
/// # Errors
/// Says what does not look like a tag.
pub(crate) fn check(tag: &str) -> Result<(), Problem> {
    let mut parts = tag.split('-');
    let primary = parts.next().unwrap_or_default();
    let is_code = matches!(primary.len(), 2 | 3) && primary.bytes().all(|b| b.is_ascii_alphabetic());
    let is_rest = parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()));
    if is_code && is_rest && !tag.ends_with('-') {
        return Ok(());
    }
    let problem = Problem::new(text!("`{tag}` is not a language tag", "`{tag}` 不是语言标签"));
    if tag.contains('_') && check(&tag.replace('_', "-")).is_ok() {
        return Err(problem.hint(write(tag.replace('_', "-"))));
    }
    Err(problem.hint(text!(
        "a language tag is a code of two or three letters, often with a region: `en`, `zh-CN`, `pt-BR`",
        "语言标签是两三个字母的代码，后面可以带地区：`en`、`zh-CN`、`pt-BR`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags() {
        for tag in ["en", "zh-CN", "zh-Hans-CN", "pt-BR", "de-1996", "en-x-lanyu", "yue"] {
            assert!(check(tag).is_ok(), "{tag}");
        }
        for tag in ["", "english", "zh_CN", "zh-", "-", "中文", "e", "zh--CN", "zh-abcdefghi"] {
            assert!(check(tag).is_err(), "{tag}");
        }
        assert_eq!(check("zh_CN").expect_err("underscore").hints, ["write `zh-CN`"]);
    }
}
