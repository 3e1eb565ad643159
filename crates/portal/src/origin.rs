//! Origins: where the portal is served, where sign-in lives, and where redirects may lead.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

use url::{ParseError, Url};

use portalgen_base::{
    invisible::Unseen,
    text::{Text, text, write},
};

use super::{
    path::{self, RoutePath},
    value::Problem,
};

/// Where sign-in lives: the value of `{host}`. As written, without a trailing slash: `https://chat.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host(String);

impl Host {
    /// Reads a host.
    ///
    /// # Errors
    /// Anything but an `https:` scheme and a host, or `http:` and a loopback host.
    pub fn parse(written: &str) -> Result<Self, Problem> {
        let url = parse_site(written, "https://chat.example")?;
        if !is_safe(&url) {
            return Err(Problem::new(text!(
                "sign-in needs `https://`: otherwise passwords would be sent unencrypted",
                "登录必须用 `https://`：否则用户输入的密码会以明文传输"
            ))
            .hint(write(format!("https://{}", after_scheme(written)))));
        }
        if has_path(&url) {
            let origin = url.origin().ascii_serialization();
            return Err(Problem::new(text!("`host` ends before the first `/`", "站点只写到第一个 `/` 之前")).hint(
                text!(
                    "write `{origin}`; put the path into each redirect",
                    "请写成 `{origin}`；后面的路径写在各个跳转里"
                ),
            ));
        }
        Ok(Self(written.trim_end_matches('/').to_owned()))
    }

    /// The host with its scheme and without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where the portal itself is served: scheme and host, with a port when it is not the usual one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl Origin {
    /// Reads an origin. It is normalised, so that all canonical links are spelt alike.
    ///
    /// # Errors
    /// Anything but `http:` or `https:` and a host.
    pub fn parse(written: &str) -> Result<Self, Problem> {
        let url = parse_site(written, "https://www.example.com")?;
        let origin = url.origin().ascii_serialization();
        if has_path(&url) {
            let problem = text!("an origin ends before the first `/`", "`origin` 只写到第一个 `/` 之前");
            let problem = Problem::new(problem).hint(write(origin));
            let folder = url.path().trim_end_matches('/');
            return Err(if folder.is_empty() {
                problem
            } else {
                problem.hint(text!(
                    "if the portal is served from a folder, set `base`: `base = \"{folder}/\"`",
                    "如果门户在某个目录下，请把目录写在 `base` 里：`base = \"{folder}/\"`"
                ))
            });
        }
        Ok(Self(origin))
    }

    /// The origin without a trailing slash: `https://www.example.com`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The folder of the origin under which the portal is served. All spellings, `app`, `/app` and `/app/`, are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasePath(RoutePath);

impl Default for BasePath {
    /// The portal owns its whole origin.
    fn default() -> Self {
        Self(RoutePath::root())
    }
}

impl BasePath {
    /// Reads a base, with or without slashes around it. The empty text is `/`.
    ///
    /// # Errors
    /// As for [`RoutePath::parse`].
    pub fn parse(written: &str) -> Result<Self, Problem> {
        if written.contains("://") {
            return Err(Problem::new(text!(
                "`base` is only the folder, without the host",
                "`base` 只写目录，不写站点"
            ))
            .hint(text!(
                "the host belongs in `origin`, or `--origin`",
                "站点写在 `origin` 里，或者用 `--origin` 指定"
            )));
        }
        if written.starts_with('/') || written.trim() != written {
            return RoutePath::parse(written).map(Self);
        }
        let shift_back = |problem: Problem| match problem.range.clone() {
            Some(range) => problem.at(range.start.saturating_sub(1)..range.end.saturating_sub(1)),
            None => problem,
        };
        RoutePath::parse(&format!("/{written}")).map(Self).map_err(shift_back)
    }

    /// The base as it begins and ends in URLs: `/` or `/app/`, encoded.
    pub fn url(&self) -> String {
        let path = self.0.encoded();
        if path.ends_with('/') { path } else { path + "/" }
    }

    /// A path under the base, encoded, without a slash at its end unless it is `/`.
    pub(crate) fn join(&self, path: &RoutePath) -> String {
        let base = self.url();
        let path = path.encoded();
        format!("{base}{}", &path[1..])
    }

    /// The path without the base in front of it, when it lies under the base.
    pub(crate) fn strip(&self, path: &RoutePath) -> Option<RoutePath> {
        path.strip_prefix(&self.0)
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url())
    }
}

/// A host that redirects may lead to, or all hosts below one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    /// As URLs have it: lower case, in ASCII.
    name: String,
    /// None stands for the usual port of `https:`.
    port: Option<u16>,
    /// Whether it is the hosts below that name which are meant.
    is_pattern: bool,
}

impl AllowedHost {
    /// Reads `pay.example.com`, `pay.example.com:8443`, `*.example.com`, or the address of a site.
    ///
    /// # Errors
    /// Anything else, and patterns for everything.
    pub fn parse(written: &str) -> Result<Self, Problem> {
        let name = written.strip_prefix("https://").unwrap_or(written);
        let inside = name.strip_prefix("*.");
        let too_much = || {
            Problem::new(text!("this allows too much", "允许的范围太大")).hint(text!(
                "write `*.` before a whole domain: `*.example.com`",
                "`*.` 要写在完整的域名前面：`*.example.com`"
            ))
        };
        let rest = inside.unwrap_or(name);
        if rest.contains('*') {
            return Err(too_much());
        }
        let host = Host::parse(&if name.contains("://") { name.to_owned() } else { format!("https://{rest}") })?;
        let url = parse_url(&host.0).map_err(|reason| no_site(&reason))?;
        if inside.is_some_and(|inside| !inside.contains('.') || url.domain().is_none()) {
            return Err(too_much());
        }
        let name = url.host_str().unwrap_or_default().to_owned();
        Ok(Self { name, port: url.port(), is_pattern: inside.is_some() })
    }

    /// Whether a URL leads there.
    pub fn allows(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let below = || host.strip_suffix(&self.name).is_some_and(|rest| rest.ends_with('.'));
        url.port() == self.port && if self.is_pattern { below() } else { host == self.name }
    }

    /// The host as `allow_hosts` has it.
    pub(crate) fn written(&self) -> String {
        let (name, _) = idna::domain_to_unicode(&self.name);
        let pattern = if self.is_pattern { "*." } else { "" };
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{pattern}{name}{port}")
    }

    /// The name without what makes it a pattern.
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn no_site(reason: &Text) -> Problem {
    Problem::new(text!("this is not the address of a website: {reason}", "这不是站点的网址：{reason}", reason))
}

/// Reads a URL whose host can exist.
///
/// # Errors
/// Why it is none.
pub(crate) fn parse_url(written: &str) -> Result<Url, Text> {
    let url = Url::parse(written).map_err(explain)?;
    match url.domain().and_then(impossible) {
        Some(reason) => Err(reason),
        None => Ok(url),
    }
}

/// Why no host can have such a name.
fn impossible(name: &str) -> Option<Text> {
    let is_part_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if !name.bytes().all(is_part_of_name) {
        return Some(explain(ParseError::InvalidDomainCharacter));
    }
    let mut labels = name.strip_suffix('.').unwrap_or(name).split('.');
    labels.any(|label| !(1..=63).contains(&label.len())).then(|| {
        text!("each part of a host name must have 1 to 63 characters", "站点名里用点隔开的每一段要有 1 到 63 个字符")
    })
}

/// Why something is no URL.
fn explain(error: ParseError) -> Text {
    match error {
        ParseError::EmptyHost => text!("the host name is missing", "缺少站点名"),
        ParseError::IdnaError | ParseError::InvalidDomainCharacter => {
            text!("the host name contains a character that is not allowed", "站点名里有不允许的字符")
        }
        ParseError::InvalidPort => text!("the port is not a number from 0 to 65535", "端口要写 65535 以内的数字"),
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => {
            text!("the host is not a valid IP address", "站点不是有效的 IP 地址")
        }
        // What else there is cannot happen to a text that begins with `https://`.
        other => Text::verbatim(other.to_string()),
    }
}

fn for_example(example: &str) -> Text {
    text!("for example `{example}`", "例如 `{example}`")
}

/// A URL that can name a site, checked for everything that could make it mean something else than it says.
pub(crate) fn parse_site(written: &str, example: &str) -> Result<Url, Problem> {
    if written.is_empty() {
        return Err(Problem::new(text!("this value is empty", "这里不能为空")).hint(for_example(example)));
    }
    if let Some(c) = written.chars().find(|c| Unseen::of(*c).is_some()) {
        return Err(path::unseen(c, written));
    }
    path::check_spaces(written)?;
    if written.contains('\\') || written.contains('%') {
        let problem = text!("a host name cannot contain `\\` or `%`", "站点名里不能有 `\\` 或 `%`");
        return Err(Problem::new(problem).hint(for_example(example)));
    }
    if written.parse::<IpAddr>().is_ok_and(|address| address.is_unspecified()) {
        let problem = text!("`{written}` is an address to listen on, not a site", "`{written}` 是监听的地址，不是站点");
        return Err(Problem::new(problem).hint(text!(
            "to show the portal in the local network, run `portalgen dev --lan`",
            "要让局域网里的设备打开门户，请运行 `portalgen dev --lan`"
        )));
    }
    if !matches!(scheme(written).as_deref(), Some("http" | "https")) {
        return Err(Problem::new(text!("this value must begin with `https://`", "这里要以 `https://` 开头"))
            .hint(write(format!("https://{}", after_scheme(written)))));
    }
    let url = parse_url(written).map_err(|reason| no_site(&reason))?;
    if written.contains('@') {
        return Err(Problem::new(text!(
            "a user name or password before `@` would be visible to everyone",
            "`@` 前面的用户名或密码会被所有人看到"
        ))
        .hint(write(url.origin().ascii_serialization())));
    }
    Ok(url)
}

/// Whether what is sent there cannot be read on the way: `https:`, or `http:` to this very machine.
pub(crate) fn is_safe(url: &Url) -> bool {
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback(url))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address == Ipv6Addr::LOCALHOST,
        None => false,
    }
}

fn has_path(url: &Url) -> bool {
    url.path() != "/" || url.query().is_some() || url.fragment().is_some()
}

/// The scheme in front of `://`, in small letters.
pub(crate) fn scheme(written: &str) -> Option<String> {
    written.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase())
}

/// The host and what follows, whatever stands in front of it.
pub(crate) fn after_scheme(written: &str) -> &str {
    let rest = written.split_once("://").map_or(written, |(_, rest)| rest);
    let rest = rest.strip_prefix("https:").or_else(|| rest.strip_prefix("http:")).unwrap_or(rest);
    rest.trim_start_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_kept_as_written() {
        for (written, kept) in [
            ("https://chat.lanyu.example", "https://chat.lanyu.example"),
            ("https://chat.lanyu.example/", "https://chat.lanyu.example"),
            ("https://Chat.Example:8443", "https://Chat.Example:8443"),
            ("http://localhost:3000/", "http://localhost:3000"),
            ("http://127.9.0.1", "http://127.9.0.1"),
            ("http://[::1]:80", "http://[::1]:80"),
        ] {
            assert_eq!(Host::parse(written).map(|host| host.0).as_deref(), Ok(kept));
        }
    }

    #[test]
    fn what_is_no_host() {
        for written in [
            "",
            " ",
            "chat.example",
            "//chat.example",
            "http://chat.example",
            "https://",
            "https://a b",
            "https://u@h.example",
            "https://:p@h.example",
            "https://@h.example",
            "https://h.example/login",
            "https://h.example?x",
            "https://h.example#",
            "https:/h.example",
            "javascript://h.example",
            "https://h.example\\@evil.example",
            "https://h\u{202e}.example",
            "http://localhost.evil.example",
            "http://128.0.0.1",
            "https://h%2eexample",
            "https://h.example//x",
        ] {
            assert!(Host::parse(written).is_err(), "{written}");
        }
        assert_eq!(Host::parse("chat.example").expect_err("scheme").hints, ["write `https://chat.example`"]);
    }

    #[test]
    fn allowed_hosts() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        for (written, allowed, refused) in [
            ("pay.example", "https://PAY.example/x?y", "https://pay.example.evil"),
            ("https://pay.example/", "https://pay.example", "https://a.pay.example"),
            ("pay.example:8443", "https://pay.example:8443", "https://pay.example"),
            ("pay.example", "https://pay.example:443/", "https://pay.example:8443"),
            ("*.pay.example", "https://a.b.pay.example", "https://pay.example"),
            ("*.pay.example", "https://a.pay.example", "https://evilpay.example"),
            ("支付.example", "https://支付.example/", "https://支.example"),
            ("localhost", "http://localhost", "http://localhost:3000"),
        ] {
            let host = AllowedHost::parse(written).unwrap_or_else(|problem| panic!("{written}: {problem:?}"));
            assert!(host.allows(&url(allowed)) && !host.allows(&url(refused)), "{written}");
        }
        for written in [
            "",
            "*",
            "*.",
            "*.com",
            "a.*.example",
            "a b",
            "a/b",
            "*.*.example",
            "u@h.example",
            "a.example/x",
            "*.0.0.1",
            "javascript://x.example",
            "http://x.example",
        ] {
            assert!(AllowedHost::parse(written).is_err(), "{written}");
        }
    }

    #[test]
    fn an_origin_is_normalised() {
        for written in ["https://WWW.Lanyu.example", "https://www.lanyu.example:443/", "https://www.lanyu.example"] {
            assert_eq!(Origin::parse(written).map(|origin| origin.0).as_deref(), Ok("https://www.lanyu.example"));
        }
        let problem = Origin::parse("https://x.example/sub").expect_err("a path");
        assert_eq!(problem.hints[0], "write `https://x.example`");
        assert!(problem.hints[1].english().contains("`base = \"/sub/\"`"));
    }

    #[test]
    fn spellings_of_a_base() {
        for written in ["app", "/app", "/app/", "app/"] {
            assert_eq!(BasePath::parse(written).map(|base| base.url()).as_deref(), Ok("/app/"));
        }
        for written in ["", "/"] {
            assert_eq!(BasePath::parse(written), Ok(BasePath::default()));
        }
        for written in ["//", "/a//b", "https://x.example/app", "../x", "/a?b", " app"] {
            assert!(BasePath::parse(written).is_err(), "{written}");
        }
        assert_eq!(BasePath::parse("应用/v 1").map(|base| base.url()).as_deref(), Ok("/%E5%BA%94%E7%94%A8/v%201/"));
    }
}
