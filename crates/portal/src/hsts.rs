//! The value of `Strict-Transport-Security`: that browsers shall never again come without encryption.

use portalgen_base::text::{text, write};

use super::value::Problem;

/// The shortest time that the lists of browser makers accept: a year, in seconds.
const PRELOADED: u64 = 31_536_000;

/// Reads a value, and writes it as it is sent.
///
/// # Errors
/// What browsers would not understand and ignore, or what their makers would not accept.
pub(crate) fn parse(written: &str) -> Result<String, Problem> {
    let mut directives = Directives::default();
    for directive in written.split(';').map(str::trim).filter(|directive| !directive.is_empty()) {
        directives.read(directive)?;
    }
    let Some(max_age) = directives.max_age else {
        return Err(Problem::new(text!("`max-age` is missing", "缺少 `max-age`"))
            .hint(write(format!("\"max-age=31536000; {written}\"").replace("; \"", "\""))));
    };
    if directives.preload && (max_age < PRELOADED || !directives.include_sub_domains) {
        return Err(Problem::new(text!(
            "`preload` requires `includeSubDomains` and a `max-age` of at least a year",
            "`preload` 要求同时写 `includeSubDomains`，并且 `max-age` 至少为一年"
        ))
        .hint(write(format!("\"max-age={}; includeSubDomains; preload\"", max_age.max(PRELOADED)))));
    }
    let flags = [(directives.include_sub_domains, "; includeSubDomains"), (directives.preload, "; preload")];
    let flags: String = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, text)| text).collect();
    Ok(format!("max-age={max_age}{flags}"))
}

#[derive(Default)]
struct Directives {
    max_age: Option<u64>,
    include_sub_domains: bool,
    preload: bool,
}

impl Directives {
    fn read(&mut self, directive: &str) -> Result<(), Problem> {
        let (name, value) = directive.split_once('=').map_or((directive, None), |(name, value)| (name, Some(value)));
        match (name.trim().to_ascii_lowercase().as_str(), value) {
            ("max-age", Some(seconds)) => self.max_age = Some(read_seconds(seconds.trim().trim_matches('"'))?),
            ("includesubdomains", None) => self.include_sub_domains = true,
            ("preload", None) => self.preload = true,
            _ => {
                return Err(Problem::new(text!("unknown directive `{directive}`", "这里不能写 `{directive}`")).hint(
                    text!(
                        "write `max-age=…`, `includeSubDomains` and `preload`, separated by `;`",
                        "可以写 `max-age=…`、`includeSubDomains` 和 `preload`，中间用 `;` 隔开"
                    ),
                ));
            }
        }
        Ok(())
    }
}

fn read_seconds(written: &str) -> Result<u64, Problem> {
    let is_number = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
    written.parse().ok().filter(|_| is_number).ok_or_else(|| {
        Problem::new(text!("`max-age` is a number of seconds", "`max-age` 要写秒数")).hint(write("max-age=31536000"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_they_are_sent() {
        for (written, sent) in [
            ("max-age=31536000", "max-age=31536000"),
            ("max-age=0", "max-age=0"),
            (" INCLUDESUBDOMAINS ;max-age = \"60\";", "max-age=60; includeSubDomains"),
            ("max-age=63072000; includeSubDomains; preload", "max-age=63072000; includeSubDomains; preload"),
        ] {
            assert_eq!(parse(written).as_deref(), Ok(sent), "{written}");
        }
    }

    #[test]
    fn what_browsers_would_ignore_is_refused() {
        for (written, hint) in [
            ("", "write `\"max-age=31536000\"`"),
            ("includeSubDomains", "write `\"max-age=31536000; includeSubDomains\"`"),
            ("max-age", "write `max-age=…`, `includeSubDomains` and `preload`, separated by `;`"),
            ("max-age=1y", "write `max-age=31536000`"),
            ("max-age=+1", "write `max-age=31536000`"),
            ("max-age=99999999999999999999", "write `max-age=31536000`"),
            ("max-age=1\r\nX: y", "write `max-age=31536000`"),
            ("max-age=60; preload", "write `\"max-age=31536000; includeSubDomains; preload\"`"),
            ("max-age=60, preload", "write `max-age=31536000`"),
        ] {
            assert_eq!(parse(written).expect_err(written).hints[0], hint, "{written}");
        }
    }
}
