//! The directives of a content security policy: what each allows in any case, and what the owner of a portal adds.

use std::{fmt::Write as _, ops::Range};

use portalgen_base::{
    diagnostic::did_you_mean,
    text::{self, text},
};

use super::value::Problem;

/// The directives, in the order in which they are written, with what each allows in any case.
///
/// Small images and fonts are `data:` URLs in style sheets and scripts.
pub const CSP_DIRECTIVES: [(&str, &[&str]); 14] = [
    ("default-src", &["'self'"]),
    ("script-src", &["'self'"]),
    ("style-src", &["'self'"]),
    ("style-src-attr", &[]),
    ("img-src", &["'self'", "data:"]),
    ("font-src", &["'self'", "data:"]),
    ("connect-src", &["'self'"]),
    ("media-src", &["'self'", "data:"]),
    ("frame-src", &["'self'"]),
    ("worker-src", &["'self'"]),
    ("object-src", &[NONE]),
    ("base-uri", &["'self'"]),
    ("form-action", &["'self'"]),
    ("frame-ancestors", &["'self'"]),
];

/// The names of directives that sources may be added to.
fn directive_names() -> impl Iterator<Item = &'static str> + Clone {
    CSP_DIRECTIVES.into_iter().map(|(name, _)| name).chain([
        "manifest-src",
        "child-src",
        "script-src-elem",
        "script-src-attr",
    ])
}

/// A directive with the sources that it allows besides what the build finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CspDirective {
    /// Its name: `connect-src`.
    pub name: &'static str,
    /// What it allows: `https://api.example.com`, `'unsafe-inline'`.
    pub sources: Vec<String>,
}

impl CspDirective {
    /// Reads a directive as policies write it, without the semicolon.
    ///
    /// # Errors
    /// A directive that there is not, or that has no sources; characters that would end it; sources that browsers would
    /// skip.
    pub fn parse(written: &str) -> Result<Self, Problem> {
        let is_unwanted = |c: char| matches!(c, ';' | ',') || !c.is_ascii() || c.is_ascii_control();
        if let Some((at, c)) = written.char_indices().find(|(_, c)| is_unwanted(*c)) {
            return Err(Problem::new(text!("a directive cannot contain `{c}`", "指令里不能有 `{c}`"))
                .at(at..at + c.len_utf8())
                .hint(text!("write one directive per item of the list", "列表里的每一项只写一条指令")));
        }
        let mut words = written.split_whitespace();
        let first = words.next().unwrap_or_default();
        let Some(name) = directive_names().find(|name| *name == first) else {
            let problem = Problem::new(text!("unknown directive `{first}`", "没有 `{first}` 这种指令"));
            let example = || {
                text!("for example `connect-src https://api.example.com`", "例如 `connect-src https://api.example.com`")
            };
            return Err(problem.hint(did_you_mean(first, directive_names()).map_or_else(example, text::did_you_mean)));
        };
        let sources = words.map(|word| source(word).map_err(|problem| problem.at(range_in(written, word))));
        let sources = sources.collect::<Result<Vec<String>, Problem>>()?;
        if sources.is_empty() {
            return Err(Problem::new(text!("`{name}` allows nothing", "`{name}` 没有写允许的来源")).hint(text!(
                "write the allowed sources after it: `{name} https://…`",
                "请在后面写上允许的来源：`{name} https://…`"
            )));
        }
        if sources.len() > 1 && sources.iter().any(|source| source == NONE) {
            return Err(Problem::new(text!(
                "`'none'` cannot be combined with other sources",
                "`'none'` 不能与其他来源一起写"
            ))
            .hint(text!("remove `'none'`, or all other sources", "请去掉 `'none'`，或者去掉其他来源")));
        }
        Ok(Self { name, sources })
    }
}

/// Where a part of a text stands in it.
fn range_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

const NONE: &str = "'none'";
/// Sources in quotes, but for those that depend on a text.
const KEYWORDS: [&str; 12] = [
    "self",
    "none",
    "unsafe-inline",
    "unsafe-eval",
    "unsafe-hashes",
    "strict-dynamic",
    "report-sample",
    "wasm-unsafe-eval",
    "trusted-types-eval",
    "unsafe-allow-redirects",
    "inline-speculation-rules",
    "report-sha256",
];
const HASHES: [&str; 3] = ["sha256-", "sha384-", "sha512-"];

/// A source as the grammar of policies has it, in the spelling that no server's file gives a meaning of its own.
///
/// # Errors
/// A word that browsers would skip.
fn source(word: &str) -> Result<String, Problem> {
    if let Some(quoted) = word.strip_prefix('\'') {
        return quoted_source(word, quoted.strip_suffix('\'').unwrap_or_default());
    }
    let bare = word.to_ascii_lowercase();
    if KEYWORDS.contains(&bare.as_str()) || HASHES.iter().any(|hash| bare.starts_with(hash)) {
        return Err(Problem::new(text!(
            "without quotes, `{word}` is a host name",
            "不加引号的 `{word}` 会被当成主机名"
        ))
        .hint(text!("write `'{word}'`", "请写成 `'{word}'`")));
    }
    if is_scheme_source(word) {
        return Ok(bare);
    }
    let Some(path) = path_of_host_source(word) else { return Err(no_source(word)) };
    let (host, path) = word.split_at(word.len() - path.len());
    let path = encoded_path(path).ok_or_else(|| no_source(word))?;
    Ok(format!("{}{path}", host.to_ascii_lowercase()))
}

fn quoted_source(word: &str, inner: &str) -> Result<String, Problem> {
    let keyword = inner.to_ascii_lowercase();
    if KEYWORDS.contains(&keyword.as_str()) {
        return Ok(format!("'{keyword}'"));
    }
    let of_text = HASHES.iter().chain(&["nonce-"]).find_map(|kind| inner.strip_prefix(kind));
    if of_text.is_some_and(is_base64) {
        return Ok(word.to_owned());
    }
    let problem = Problem::new(text!("unknown source `{word}`", "没有 `{word}` 这种来源"));
    Err(match did_you_mean(&keyword, KEYWORDS) {
        Some(meant) => problem.hint(text!("write `'{meant}'`", "请写成 `'{meant}'`")),
        None => problem.hint(text!(
            "quotes are for keywords such as `'self'` and `'unsafe-inline'`, and for hashes: `'sha256-…'`",
            "引号里写 `'self'`、`'unsafe-inline'` 之类的关键字，或者 `'sha256-…'` 这样的哈希值"
        )),
    })
}

fn no_source(word: &str) -> Problem {
    let problem = Problem::new(text!("browsers do not accept `{word}` as a source", "浏览器不接受 `{word}` 这种来源"));
    if let Some((address, _)) = word.split_once(['?', '#']).filter(|(address, _)| source(address).is_ok()) {
        return problem.hint(text!(
            "a source cannot have a query or a hash: write `{address}`",
            "来源里不能有 `?` 或 `#`：请写成 `{address}`"
        ));
    }
    problem.hint(text!(
        "write a host, such as `https://api.example.com` or `*.example.com`, or a scheme with a colon: `data:`",
        "请写主机，例如 `https://api.example.com` 或 `*.example.com`，或者带冒号的协议：`data:`"
    ))
}

fn is_base64(text: &str) -> bool {
    let digits = text.trim_end_matches('=');
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    !digits.is_empty() && text.len() - digits.len() <= 2 && digits.bytes().all(is_digit)
}

/// `data:`
fn is_scheme_source(word: &str) -> bool {
    word.strip_suffix(':').is_some_and(is_scheme)
}

fn is_scheme(word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.bytes().all(is_part)
}

/// Whether a word without a path names a host as policies do: `https://*.example.com:8443`.
pub fn is_host_source(word: &str) -> bool {
    path_of_host_source(word) == Some("")
}

/// The path behind a host, which may be empty; none where it is no host that stands in front of it.
fn path_of_host_source(word: &str) -> Option<&str> {
    let (scheme, rest) = word.split_once("://").map_or((None, word), |(scheme, rest)| (Some(scheme), rest));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    let is_port = |port: &str| port == "*" || (!port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let is_host = scheme.is_none_or(is_scheme) && is_host(host) && port.is_none_or(is_port);
    is_host.then_some(path)
}

fn is_host(host: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_part);
    let named = host.strip_prefix("*.").unwrap_or(host);
    host == "*" || named.strip_suffix('.').unwrap_or(named).split('.').all(is_label)
}

/// A path in which all is escaped but what means nothing to any server: some look for variables in it. Browsers take the
/// escapes off again before they compare.
fn encoded_path(path: &str) -> Option<String> {
    let mut encoded = String::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            b'%' => {
                let digits = [rest.next()?, rest.next()?].map(char::from);
                digits.iter().all(char::is_ascii_hexdigit).then_some(())?;
                encoded.extend(['%', digits[0], digits[1]]);
            }
            b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b'=' | b':' | b'@' | b'!' | b'\'' => {
                let _ = write!(encoded, "%{byte:02X}");
            }
            // What no path may hold, and what would be a query or a hash, which policies have not.
            _ => return None,
        }
    }
    Some(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_written_as_no_server_gives_them_a_meaning_of_its_own() {
        for (written, sources) in [
            ("script-src 'SELF' 'Wasm-Unsafe-Eval'", "'self' 'wasm-unsafe-eval'"),
            ("script-src 'nonce-aB+/==' 'sha384-AbC/+09='", "'nonce-aB+/==' 'sha384-AbC/+09='"),
            ("img-src HTTPS: blob: * *.Example.com", "https: blob: * *.example.com"),
            ("img-src https://a.example:*/B:splat$c'%2e", "https://a.example:*/B%3Asplat%24c%27%2e"),
        ] {
            let directive = CspDirective::parse(written).unwrap_or_else(|problem| panic!("{written}: {problem:?}"));
            assert_eq!(directive.sources.join(" "), sources);
        }
    }

    #[test]
    fn what_is_no_source_is_refused_at_its_place() {
        for source in [
            "{env.X}",
            "https://a.example/{x}",
            "a.example:8{0",
            "https://a.example/%2",
            "'self",
            "\"",
            "\\",
            "*.",
            "[::1]",
        ] {
            let problem = CspDirective::parse(&format!("img-src data: {source} blob:")).expect_err(source);
            assert_eq!(problem.range, Some(14..14 + source.len()), "{source}");
        }
    }
}
