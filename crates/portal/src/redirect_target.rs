//! Where a redirect leads.

use std::ops::Range;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use portalgen_base::{
    diagnostic::did_you_mean,
    invisible::Unseen,
    text::{text, write},
};

use super::{
    origin,
    path::{self, RoutePath},
    urls::Urls,
    value::Problem,
};

/// A route as it is written, before it is checked.
pub(crate) struct Known {
    pub(crate) path: RoutePath,
    pub(crate) title: Option<String>,
    pub(crate) is_retired: bool,
}

/// Where a redirect leads. Only what is safe to put into a link gets here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A URL on another host (or a full URL on this one), byte for byte as it was written, values filled in.
    /// `https:`, or `http:` to a loopback host; no user info, no unseen character, nothing that needs encoding except
    /// letters beyond ASCII.
    External(String),
    /// A route of this portal.
    Route {
        /// The route's path.
        path: RoutePath,
        /// Query and fragment as written: empty, or beginning with `?` or `#`.
        suffix: String,
    },
    /// A file in `site/public`, which has no slash at its end.
    File {
        /// The file's path under `site/public`.
        path: RoutePath,
        /// Query and fragment as written: empty, or beginning with `?` or `#`.
        suffix: String,
    },
}

impl RedirectTarget {
    /// What a link to the target holds: a full URL, or a path that begins with the base. Valid in HTML and in a header
    /// after the escaping that these need.
    pub fn href(&self, urls: &Urls) -> String {
        match self {
            Self::External(url) => url.clone(),
            Self::Route { path, suffix } => urls.page(path) + suffix,
            Self::File { path, suffix } => urls.base.join(path) + suffix,
        }
    }

    /// Reads a target after its values were filled in. A path is taken for a route's. The routes that are known are for advice.
    ///
    /// # Errors
    /// Says why the target is unsafe, or leads nowhere.
    pub(crate) fn parse(written: &str, known: &[Known]) -> Result<Self, Problem> {
        check_characters(written)?;
        if written.starts_with("//") {
            return Err(Problem::new(text!(
                "`//` leads to another host without naming the protocol",
                "`//` 会跳转到别的站点，却没有写明 `https:`"
            ))
            .hint(write(format!("https:{written}")))
            .hint(text!("for a page of this portal, begin with a single `/`", "本站的网址只以一个 `/` 开头")));
        }
        if written.starts_with('/') { parse_internal(written) } else { parse_external(written, known) }
    }
}

/// `{host}` is a whole `https://host`: glued to other text it would name another host, one that anybody may own.
pub(crate) fn check_host_use(template: &str) -> Result<(), Problem> {
    const HOST: &str = "{host}";
    path::check_spaces(template)?;
    if let Some(rest) = template.strip_prefix("{{host}}") {
        let message = text!("doubled braces stand for the braces themselves", "写两遍的花括号表示花括号本身");
        return Err(Problem::new(message).hint(write(format!("{HOST}{rest}"))));
    }
    let Some(at) = template.find(HOST).filter(|at| !template[..*at].ends_with('{')) else { return Ok(()) };
    let (before, after) = (&template[..at], &template[at + HOST.len()..]);
    let range = at..at + HOST.len();
    if !before.is_empty() {
        return Err(Problem::new(text!(
            "`{HOST}` already begins with `https://`, so nothing can come before it",
            "`{HOST}` 已经包含 `https://`，前面不能再写别的内容"
        ))
        .hint(write(format!("{HOST}{after}"))));
    }
    if after.is_empty() || after.starts_with(['/', '?', '#']) {
        return Ok(());
    }
    let problem = Problem::new(text!(
        "text directly after `{HOST}` would change the host",
        "`{HOST}` 后面直接跟文字，会变成另一个站点"
    ));
    Err(match after.as_bytes().first() {
        Some(b':') => {
            problem.at(range).hint(text!("put the port into the value of `host`", "端口请写在 `host` 的值里"))
        }
        Some(b'.') => problem.at(range).hint(text!(
            "write `/` after `{HOST}`, or the full address of the other host",
            "请在 `{HOST}` 后面写 `/`；如果要跳转到别的站点，请写出完整的网址"
        )),
        _ => {
            let path = after.trim_start().trim_start_matches('/');
            problem.hint(write(format!("{HOST}/{path}")))
        }
    })
}

fn parse_internal(written: &str) -> Result<RedirectTarget, Problem> {
    let end = written.find(['?', '#']).unwrap_or(written.len());
    let (path, suffix) = written.split_at(end);
    check_url_characters(written, end)?;
    Ok(RedirectTarget::Route { path: RoutePath::parse(path)?, suffix: suffix.to_owned() })
}

fn parse_external(written: &str, known: &[Known]) -> Result<RedirectTarget, Problem> {
    check_scheme(written, known)?;
    check_url_characters(written, 0)?;
    let url = origin::parse_url(written).map_err(|reason| {
        Problem::new(text!("this is not a complete URL: {reason}", "这不是完整的网址：{reason}", reason))
    })?;
    if !url.username().is_empty() || url.password().is_some() || authority(written).contains('@') {
        return Err(Problem::new(text!(
            "a user name or password before `@` hides which host the link leads to",
            "`@` 前面的用户名或密码会让人看不清要跳转到哪个站点"
        ))
        .hint(text!(
            "remove everything between `//` and `@`, and the `@` itself",
            "请去掉 `//` 与 `@` 之间的内容，连同 `@`"
        )));
    }
    if !origin::is_safe(&url) {
        let rest = written.split_once("://").map_or(written, |(_, rest)| rest);
        return Err(Problem::new(text!("`http://` is not encrypted", "`http://` 不加密"))
            .hint(write(format!("https://{rest}"))));
    }
    Ok(RedirectTarget::External(written.to_owned()))
}

fn check_characters(written: &str) -> Result<(), Problem> {
    if written.is_empty() {
        return Err(Problem::new(text!("this redirect has no target", "没有写跳转到哪里"))
            .hint(text!("write a target: `/about` or `https://…`", "请写上网址：`/about` 或 `https://…`")));
    }
    if let Some((at, c)) = written.char_indices().find(|(_, c)| Unseen::of(*c).is_some()) {
        return Err(path::unseen(c, written).at(at..at + c.len_utf8()));
    }
    path::check_spaces(written)?;
    match written.find('\\') {
        None => Ok(()),
        Some(at) => Err(Problem::new(text!(
            "browsers read `\\` as `/`, which can lead to another host",
            "浏览器会把 `\\` 当作 `/`，可能因此跳转到别的站点"
        ))
        .at(at..at + 1)
        .hint(text!("write `/`, or `%5C` for the sign itself", "请写成 `/`；如果要写反斜杠本身，请写成 `%5C`"))),
    }
}

/// What neither a browser nor a header may be given raw. Letters of any script are left alone.
fn check_url_characters(written: &str, from: usize) -> Result<(), Problem> {
    let is_invalid = |c: char| c.is_whitespace() || "\"<>`{}|^".contains(c);
    if let Some((at, c)) = written[from..].char_indices().find(|(_, c)| is_invalid(*c)) {
        let encoded = utf8_percent_encode(&written[from + at..from + at + c.len_utf8()], NON_ALPHANUMERIC).to_string();
        return Err(Problem::new(text!("a URL cannot contain `{c}`", "网址里不能有 `{c}`"))
            .at(from + at..from + at + c.len_utf8())
            .hint(text!("write `{encoded}` instead", "请把它写成 `{encoded}`")));
    }
    let shift = |range: Range<usize>| range.start + from..range.end + from;
    path::check_escapes(&written[from..]).map_err(|mut problem| {
        problem.range = problem.range.map(shift);
        problem
    })
}

fn check_scheme(written: &str, known: &[Known]) -> Result<(), Problem> {
    if written.starts_with(['?', '#']) {
        return Err(Problem::new(text!(
            "a query or hash alone leads back to the same page",
            "只有 `?` 或 `#` 部分，会跳转回同一个页面"
        ))
        .hint(text!("write the page before it: `/about{written}`", "请在前面写上页面：`/about{written}`")));
    }
    let head = &written[..written.find(['/', '?', '#']).unwrap_or(written.len())];
    let Some((scheme, after)) = head.split_once(':') else { return Err(relative(written, head, known)) };
    // What looks like a port may be a number to call.
    if after.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) && !is_for_links(scheme) {
        return Err(Problem::new(text!(
            "a redirect to another host must begin with `https://`",
            "跳转到别的站点，网址要以 `https://` 开头"
        ))
        .hint(write(format!("https://{written}"))));
    }
    check_name_of_scheme(scheme, written)?;
    let slashes = written[scheme.len() + 1..].bytes().take_while(|byte| *byte == b'/').count();
    let rest = &written[scheme.len() + 1 + slashes..];
    if slashes != 2 {
        return Err(Problem::new(text!("`{scheme}:` must be followed by two slashes", "`{scheme}:` 后面要有两个斜杠"))
            .hint(write(format!("{scheme}://{rest}"))));
    }
    if ["https:/", "http:/"].iter().any(|scheme| rest.starts_with(scheme)) {
        return Err(Problem::new(text!("`{scheme}://` is written twice", "`{scheme}://` 写了两遍")).hint(write(rest)));
    }
    Ok(())
}

/// Whether a scheme is one that links on pages have, to mails and calls.
fn is_for_links(scheme: &str) -> bool {
    ["mailto", "tel", "sms"].iter().any(|other| scheme.eq_ignore_ascii_case(other))
}

/// Refuses what is neither `https` nor `http`.
fn check_name_of_scheme(scheme: &str, written: &str) -> Result<(), Problem> {
    let is = |other: &str| scheme.eq_ignore_ascii_case(other);
    if is("https") || is("http") {
        return Ok(());
    }
    let range = 0..scheme.len() + 1;
    if is_like_https(scheme) {
        let rest = written[range.end..].trim_start_matches('/');
        let problem = Problem::new(text!("`{scheme}:` does not exist", "没有 `{scheme}:` 这种写法"));
        return Err(problem.at(range).hint(write(format!("https://{rest}"))));
    }
    let problem = Problem::new(text!("a redirect cannot lead to `{scheme}:`", "不能跳转到 `{scheme}:`")).at(range);
    Err(problem.hint(if is_for_links(scheme) {
        text!(
            "use a link on a page instead: `<a href=\"{written}\">`",
            "可以写成页面里的链接：`<a href=\"{written}\">`"
        )
    } else {
        text!(
            "a redirect leads to a page of this portal, such as `/about`, or to a URL that begins with `https://`",
            "可以跳转到本站的页面，例如 `/about`，或者以 `https://` 开头的网址"
        )
    }))
}

fn relative(written: &str, head: &str, known: &[Known]) -> Problem {
    let is_domain = head.contains('.') && !head.starts_with('.');
    let problem = Problem::new(text!(
        "it is unclear whether this is a page of this portal or another host",
        "看不出要跳转到本站的页面，还是别的站点"
    ));
    let inside = written.trim_start_matches("../").trim_start_matches("./");
    if let Some(path) = meant(inside, known) {
        return problem.hint(write(path.readable()));
    }
    if is_like_https(head) && !written[head.len()..].trim_start_matches('/').is_empty() {
        let rest = written[head.len()..].trim_start_matches('/');
        return problem.hint(write(format!("https://{rest}")));
    }
    if head.contains('@') {
        return Problem::new(text!("a redirect cannot lead to an email address", "不能跳转到邮箱地址")).hint(text!(
            "use a link on a page instead: `<a href=\"mailto:{head}\">`",
            "邮箱可以写成页面里的链接：`<a href=\"mailto:{head}\">`"
        ));
    }
    if inside.contains(char::is_whitespace) {
        return problem.hint(text!(
            "write the path of a page, such as `/about`, or a full URL: `https://…`",
            "请写页面的网址，例如 `/about`，或者完整的网址：`https://…`"
        ));
    }
    let page = text!("write `/{inside}` for a page of this portal", "本站的页面请写 `/{inside}`");
    let elsewhere = text!("write `https://{written}` for another host", "别的站点请写 `https://{written}`");
    if is_domain { problem.hint(elsewhere).hint(page) } else { problem.hint(page) }
}

/// Whether somebody meant `https`, whatever became of its letters.
fn is_like_https(written: &str) -> bool {
    let written = written.to_ascii_lowercase();
    let is_near = (4..=6).contains(&written.len()) && written.starts_with(['h', 't']);
    is_near && did_you_mean(&written, ["https", "http"]).is_some()
}

/// The route that is meant by its path without the slash, by a name like that, or by its title.
fn meant<'k>(written: &str, known: &'k [Known]) -> Option<&'k RoutePath> {
    let open = || known.iter().filter(|known| !known.is_retired);
    let titled = open().find(|known| known.title.as_deref().is_some_and(|title| title.eq_ignore_ascii_case(written)));
    if let Some(titled) = titled {
        return Some(&titled.path);
    }
    let path = format!("/{}", written.split_whitespace().collect::<Vec<_>>().join("-"));
    let meant = did_you_mean(&path, open().map(|known| known.path.as_str()))?;
    open().map(|known| &known.path).find(|path| path.as_str() == meant)
}

/// What stands between `//` and the path.
fn authority(written: &str) -> &str {
    let rest = written.split_once("//").map_or("", |(_, rest)| rest);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{origin::BasePath, urls::Slash};

    #[test]
    fn full_urls_stay_as_written() {
        for url in [
            "https://x.example",
            "https://h.example/some?a=1#x",
            "HTTPS://H.example:443/%7Ea/../b/?q=a+b&c='d'",
            "https://h.example/?a[]=1&b=(2)",
            "https://h.example/登录?下一步=1",
            "https://聊天.example/",
            "http://localhost:3000/x",
            "http://127.0.0.1",
            "http://[::1]:8080/x",
            "https://h.example/@name",
            "https://h.example/a//b",
        ] {
            assert_eq!(RedirectTarget::parse(url, &[]), Ok(RedirectTarget::External(url.to_owned())));
            assert_eq!(RedirectTarget::parse(url, &[]).map(|target| target.href(&Urls::default())).as_deref(), Ok(url));
        }
    }

    #[test]
    fn inner_targets_get_the_base_and_their_slash() {
        let urls = Urls { base: BasePath::parse("/app").expect("a base"), ..Urls::default() };
        for (written, href) in [
            ("/", "/app/"),
            ("/new", "/app/new/"),
            ("/new/", "/app/new/"),
            ("/a?b=1", "/app/a/?b=1"),
            ("/a#c", "/app/a/#c"),
            ("/a?next=/x?y#z", "/app/a/?next=/x?y#z"),
            ("/c%23", "/app/c%23/"),
            ("/关于", "/app/%E5%85%B3%E4%BA%8E/"),
        ] {
            assert_eq!(
                RedirectTarget::parse(written, &[]).map(|target| target.href(&urls)).as_deref(),
                Ok(href),
                "{written}"
            );
        }
    }

    #[test]
    fn targets_end_as_the_portal_has_it() {
        let urls = Urls { slash: Slash::Never, ..Urls::default() };
        for (written, href) in [
            ("/docs/b", "/docs/b"),
            ("/docs/b/?q#x", "/docs/b?q#x"),
            ("/", "/"),
            ("https://h.example/some?a=1#x", "https://h.example/some?a=1#x"),
        ] {
            assert_eq!(RedirectTarget::parse(written, &[]).map(|target| target.href(&urls)).as_deref(), Ok(href));
        }
    }

    #[test]
    fn unsafe_and_unclear_targets_are_refused() {
        for written in [
            "",
            " /a",
            "/a ",
            "javascript:alert(1)",
            "JavaScript:alert(1)",
            "java\tscript:alert(1)",
            "data:text/html,x",
            "mailto:a@b.example",
            "vbscript:x",
            "file:///etc/passwd",
            "blob:https://x",
            "//x.example",
            "///x",
            "/\\x.example",
            "\\\\x",
            "https:\\\\x",
            "https:/x.example",
            "https:x.example",
            "https:///x.example",
            "https://",
            "https://?x",
            "http://x.example",
            "http://localhost.evil.example",
            "http://127.0.0.1.evil.example",
            "https://user@x.example",
            "https://u:p@x.example",
            "https://@x.example",
            "https://:@x.example",
            "https://x.example/\u{202e}",
            "https://x.example/\n",
            "https://x\u{200b}.example",
            "?x=1",
            "#x",
            "foo",
            "foo/bar",
            "../foo",
            "x.example/a",
            "localhost:3000/x",
            "/a/../b",
            "/a//b",
            "/%2e%2e/x",
            "/a%2F%2Fx",
            "https://h.example/?q=\"><img src=x onerror=alert(1)>",
            "https://h.example/a b",
            "https://h.example/<",
            "/a?b=<",
            "/a?b={c}",
            "https://h.example/%zz",
            "https://h ost.example/",
            "https://x.example:99999/",
            "https://[::1/",
            "/a?b=100%",
            "/?x\u{3000}y",
            "https://exa%2fmple/",
        ] {
            assert!(RedirectTarget::parse(written, &[]).is_err(), "{written} passed");
        }
    }

    #[test]
    fn refusals_offer_a_correction() {
        for (written, hint) in [
            ("//x.example/a", "write `https://x.example/a`"),
            ("http://x.example/a", "write `https://x.example/a`"),
            ("https:/x.example", "write `https://x.example`"),
            ("htpps://x.example/a", "write `https://x.example/a`"),
            ("htttps://x.example", "write `https://x.example`"),
            ("https//x.example", "write `https://x.example`"),
            ("https://https://x.example", "write `https://x.example`"),
            ("tel:8610", "use a link on a page instead: `<a href=\"tel:8610\">`"),
            ("localhost:3000/y", "write `https://localhost:3000/y`"),
            ("me@x.example", "use a link on a page instead: `<a href=\"mailto:me@x.example\">`"),
            ("localhost:3000/x", "write `https://localhost:3000/x`"),
            ("x.example/a", "write `https://x.example/a` for another host"),
            ("../about", "write `/about` for a page of this portal"),
            ("https://h.example/a b", "write `%20` instead"),
        ] {
            assert_eq!(RedirectTarget::parse(written, &[]).expect_err(written).hints[0], hint);
        }
    }

    #[test]
    fn routes_are_known_by_their_titles_and_by_similar_names() {
        let known = |path: &str, title: Option<&str>| Known {
            path: RoutePath::parse(path).expect("a path"),
            title: title.map(str::to_owned),
            is_retired: path == "/blog",
        };
        let known = [known("/about-us", Some("关于我们")), known("/about", Some("About")), known("/blog", None)];
        for (written, hint) in [
            ("about us", "write `/about-us`"),
            ("关于我们", "write `/about-us`"),
            ("about", "write `/about`"),
            ("../about", "write `/about`"),
            ("news and blog", "write the path of a page, such as `/about`, or a full URL: `https://…`"),
            ("blog", "write `/blog` for a page of this portal"),
        ] {
            assert_eq!(RedirectTarget::parse(written, &known).expect_err(written).hints[0], hint);
        }
    }

    #[test]
    fn the_host_cannot_be_glued_into_another_one() {
        for good in ["{host}", "{host}/login", "{host}?a", "{host}#a", "/a", "/{{host}}"] {
            assert!(check_host_use(good).is_ok(), "{good}");
        }
        for bad in [
            "{host}login",
            "{host}.evil.example",
            "{host}@evil.example",
            "{host}:8443",
            "https://{host}/",
            "/{host}",
            "{host}{product}",
        ] {
            assert!(check_host_use(bad).is_err(), "{bad}");
        }
    }
}
