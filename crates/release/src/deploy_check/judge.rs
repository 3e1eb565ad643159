//! What is wrong with an answer.

use url::Url;

use portalgen_base::{
    rules::Severity,
    text::{Text, text},
};

use super::{
    Finding,
    client::{Answer, Client},
    requests::{Expected, Request},
};
use crate::{
    hosting::with_query,
    html::Document,
    manifest::{FileKind, Manifest, ManifestRedirect, ManifestRoute},
    static_server,
};

/// For how long a document may be kept without being asked about, in seconds: what GitHub Pages insists on.
const LONGEST_AGE: u64 = 600;
/// For how long an asset should be kept at least: a day.
const SHORTEST_AGE: u64 = 86_400;

/// What a request came to.
#[derive(Default)]
pub(super) struct Verdict {
    pub is_server_redirect: bool,
    pub is_stub: bool,
    pub findings: Vec<Finding>,
}

pub(super) struct Judge<'a> {
    pub manifest: &'a Manifest,
    /// The origin that is asked, with `/` as its path.
    pub origin: &'a Url,
    pub client: &'a Client,
}

/// Findings about one answer.
struct Notes<'a> {
    url: &'a Url,
    verdict: Verdict,
}

impl Notes<'_> {
    fn error(&mut self, message: Text, hint: Option<Text>) {
        self.add(Severity::Error, message, hint);
    }

    fn warn(&mut self, message: Text, hint: Option<Text>) {
        self.add(Severity::Warning, message, hint);
    }

    fn add(&mut self, severity: Severity, message: Text, hint: Option<Text>) {
        self.verdict.findings.push(Finding { severity, url: self.url.to_string(), message, hint });
    }
}

impl Judge<'_> {
    pub(super) fn judge(&self, request: &Request<'_>) -> Verdict {
        let mut url = self.origin.clone();
        let (path, query) =
            request.path.split_once('?').map_or((&*request.path, None), |(path, query)| (path, Some(query)));
        url.set_path(path);
        url.set_query(query);
        if let Expected::Encrypted = request.expected {
            return self.encrypted(&url);
        }
        let mut notes = Notes { url: &url, verdict: Verdict::default() };
        match self.client.ask(request.method, &url, &[("accept-encoding", "identity")]) {
            Ok(answer) => self.compare(request, &answer, &mut notes),
            Err(error) => notes.error(text!("no answer: {error}", "没有响应：{error}", error), None),
        }
        notes.verdict
    }

    fn compare(&self, request: &Request<'_>, answer: &Answer, notes: &mut Notes<'_>) {
        self.security(answer, notes);
        match &request.expected {
            Expected::Page(route) => page(route, answer, notes),
            Expected::OtherForm { to } => self.other_form(to, answer, notes),
            Expected::Redirect(redirect, route) => self.redirect(redirect, route, answer, notes),
            Expected::Gone => gone(&self.settled(request.method, answer, notes), notes),
            Expected::NotFound => self.not_found(request.method, &self.settled(request.method, answer, notes), notes),
            Expected::File { path, kind } => file(path, *kind, answer, notes),
            Expected::Hidden => hidden(answer, notes),
            Expected::Encrypted => {}
        }
    }

    /// Every answer that shows something has the headers that the build asks for.
    fn security(&self, answer: &Answer, notes: &mut Notes<'_>) {
        if is_redirect(answer.status) {
            return;
        }
        for (name, value) in &self.manifest.headers {
            let problem = match answer.header(name) {
                Some(sent) if sent == *value => continue,
                Some(sent) => text!(
                    "the header `{name}` is `{sent}`, which differs from the build",
                    "响应头 `{name}` 是 `{sent}`，与构建结果不同"
                ),
                None => text!("the header `{name}` is missing", "缺少响应头 `{name}`"),
            };
            notes.warn(problem, None);
        }
    }

    /// One hop from the other form of an address, and the query comes along.
    fn other_form(&self, to: &str, answer: &Answer, notes: &mut Notes<'_>) {
        if answer.status == 404 {
            return not_led_on(notes);
        }
        if !is_redirect(answer.status) {
            return notes.error(
                status(answer.status, "301"),
                Some(text!("the same page is served at two addresses", "同一个页面有两个网址")),
            );
        }
        self.leads_to(answer, to, notes);
    }

    fn redirect(&self, redirect: &ManifestRedirect, route: &ManifestRoute, answer: &Answer, notes: &mut Notes<'_>) {
        if answer.status == 200 {
            notes.verdict.is_stub = notes.url.query().is_none() && notes.url.path() == route.url;
            let leads_on = answer.body.contains("http-equiv=\"refresh\"")
                && Document::read(&answer.body).references.iter().any(|link| link.address == redirect.to);
            if !leads_on {
                let to = &redirect.to;
                notes.error(text!("this page does not redirect to `{to}`", "这个页面没有跳转到 `{to}`"), None);
            }
            return;
        }
        let is_other_form = notes.url.path() != route.url;
        if is_redirect(answer.status)
            && is_other_form
            && self.target(answer, notes.url).is_some_and(|to| to.path() == route.url)
        {
            // To the stub first: one hop more, where the server does not know the redirect.
            return;
        }
        if answer.status == 404 && is_other_form {
            return not_led_on(notes);
        }
        if !is_redirect(answer.status) {
            let expected = redirect.status.to_string();
            return notes.error(status(answer.status, &expected), None);
        }
        notes.verdict.is_server_redirect = notes.url.query().is_none() && notes.url.path() == route.url;
        if answer.status != redirect.status {
            let (found, expected) = (answer.status, redirect.status);
            notes.warn(
                text!(
                    "the redirect has status {found} instead of {expected}",
                    "跳转的状态码是 {found}，应为 {expected}"
                ),
                None,
            );
        }
        self.leads_to(answer, &with_query(&redirect.to, notes.url.query()), notes);
    }

    /// Compares where a redirect leads, as a browser understands it.
    fn leads_to(&self, answer: &Answer, expected: &str, notes: &mut Notes<'_>) {
        let found = self.target(answer, notes.url);
        let expected = notes.url.join(expected).ok();
        if found.is_some() && found == expected {
            return;
        }
        let shown = |url: Option<Url>| url.map_or_else(|| "–".to_owned(), String::from);
        let (found, expected) = (shown(found), shown(expected));
        notes.error(
            text!("the redirect leads to `{found}` instead of `{expected}`", "跳转到了 `{found}`，应为 `{expected}`"),
            None,
        );
    }

    /// Where an answer leads. What a server calls by the portal's own origin counts as the one that is asked.
    fn target(&self, answer: &Answer, from: &Url) -> Option<Url> {
        let mut to = from.join(&answer.header("location")?).ok()?;
        let own = self.manifest.origin.as_ref().and_then(|origin| Url::parse(origin).ok());
        if own.is_some_and(|own| own.origin() == to.origin()) {
            to.set_scheme(from.scheme()).ok()?;
            to.set_host(from.host_str()).ok()?;
            to.set_port(from.port()).ok()?;
        }
        Some(to)
    }

    /// The answer to the other form of an address, where a server leads there before it looks whether anything is there.
    fn settled(&self, method: &str, answer: &Answer, notes: &Notes<'_>) -> Answer {
        let bare = |url: &Url| url.path().trim_end_matches('/').to_owned();
        let other_form =
            self.target(answer, notes.url).filter(|to| is_redirect(answer.status) && bare(to) == bare(notes.url));
        let settled = other_form.and_then(|to| self.client.ask(method, &to, &[]).ok());
        settled.unwrap_or_else(|| answer.clone())
    }

    fn not_found(&self, method: &str, answer: &Answer, notes: &mut Notes<'_>) {
        if answer.status != 404 {
            return notes.error(
                status(answer.status, "404"),
                Some(text!("search engines would index a page that does not exist", "搜索引擎会收录不存在的页面")),
            );
        }
        let has_page = self.manifest.files.contains_key(static_server::NOT_FOUND);
        let is_page = !Document::read(&answer.body).references.is_empty();
        if method == "GET" && has_page && !is_page {
            notes.warn(text!("this is not the portal's not-found page", "显示的不是门户的“页面不存在”页"), None);
        }
    }

    /// What is served over an encrypted connection is so under every address.
    fn encrypted(&self, url: &Url) -> Verdict {
        let mut plain = url.clone();
        let mut notes = Notes { url, verdict: Verdict::default() };
        if url.scheme() != "https" || url.port().is_some() || plain.set_scheme("http").is_err() {
            return notes.verdict;
        }
        let answer = self.client.ask("GET", &plain, &[]);
        let leads_on = |answer: &Answer| answer.header("location").is_some_and(|to| to.starts_with("https://"));
        if answer.is_ok_and(|answer| !leads_on(&answer)) {
            notes.warn(
                text!("`http://` does not redirect to `https://`", "用 `http://` 访问时没有跳转到 `https://`"),
                None,
            );
        }
        notes.verdict
    }
}

fn not_led_on(notes: &mut Notes<'_>) {
    notes.warn(
        text!(
            "the address with a missing or extra slash does not redirect to the page",
            "末尾少写或多写一个斜杠时，没有跳转到页面"
        ),
        None,
    );
}

fn status(found: u16, expected: &str) -> Text {
    text!("the status is {found} instead of {expected}", "状态码是 {found}，应为 {expected}")
}

fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

fn page(route: &ManifestRoute, answer: &Answer, notes: &mut Notes<'_>) {
    if answer.status != 200 {
        let hint = answer.header("location").map(|to| text!("it redirects to `{to}`", "跳转到了 `{to}`"));
        return notes.error(status(answer.status, "200"), hint);
    }
    content_type(answer, "text/html", notes);
    revalidated(answer, notes);
    let document = Document::read(&answer.body);
    if document.canonical != route.canonical {
        let shown = |url: &Option<String>| url.clone().unwrap_or_else(|| "–".to_owned());
        let (found, expected) = (shown(&document.canonical), shown(&route.canonical));
        notes.error(
            text!("the canonical link is `{found}` instead of `{expected}`", "规范链接是 `{found}`，应为 `{expected}`"),
            Some(text!(
                "is another build deployed, or one for another origin?",
                "部署的是不是另一次构建的结果，或者是为别的站点构建的？"
            )),
        );
    }
    let title = document.title.unwrap_or_default();
    if title.trim() != route.title {
        let expected = &route.title;
        notes.error(text!("the title is “{title}” instead of “{expected}”", "标题是“{title}”，应为“{expected}”"), None);
    }
    let is_hidden = answer.header("x-robots-tag").is_some_and(|value| value.contains("noindex"));
    if is_hidden && !route.noindex {
        notes.error(
            text!("the header `x-robots-tag` keeps search engines away", "响应头 `x-robots-tag` 不让搜索引擎收录"),
            None,
        );
    }
}

fn gone(answer: &Answer, notes: &mut Notes<'_>) {
    if !matches!(answer.status, 404 | 410) {
        notes.error(
            status(answer.status, "410"),
            Some(text!("the address is retired (`retired` in routes.toml)", "这个网址已用 `retired` 停用")),
        );
    }
}

fn hidden(answer: &Answer, notes: &mut Notes<'_>) {
    if answer.status == 200 {
        notes.warn(
            text!(
                "anyone can read these files, which are meant only for deployment",
                "任何人都能读到这些只用于部署的文件"
            ),
            Some(text!("exclude the folder `.portalgen` from the upload", "上传时请排除 `.portalgen` 文件夹")),
        );
    }
}

fn file(path: &str, kind: FileKind, answer: &Answer, notes: &mut Notes<'_>) {
    if answer.status != 200 {
        return notes.error(status(answer.status, "200"), None);
    }
    let [(_, expected), _] = static_server::headers(path);
    let media_type = expected.split(';').next().unwrap_or_default();
    content_type(answer, media_type, notes);
    if kind == FileKind::Asset {
        let age = max_age(answer);
        if age.is_none_or(|age| age < SHORTEST_AGE) {
            notes.warn(
                text!(
                    "this file never changes, but browsers are not told to cache it",
                    "这个文件的内容永远不变，却没有让浏览器缓存它"
                ),
                Some(text!(
                    "send `cache-control: public, max-age=31536000, immutable`",
                    "请发送响应头 `cache-control: public, max-age=31536000, immutable`"
                )),
            );
        }
    } else {
        revalidated(answer, notes);
    }
}

fn content_type(answer: &Answer, expected: &str, notes: &mut Notes<'_>) {
    let sent = answer.header("content-type").unwrap_or_default();
    let sent = sent.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    // The names of some types have changed over time, and servers know the one or the other.
    let endings = ["javascript", "/xml", "icon"];
    let is_same = |a: &str, b: &str| a == b || endings.iter().any(|end| [a, b].iter().all(|name| name.ends_with(end)));
    if is_same(&sent, expected) {
        return;
    }
    let message =
        text!("the content type is `{sent}` instead of `{expected}`", "内容类型是 `{sent}`，应为 `{expected}`");
    // Browsers refuse these with another type, and show or save the rest by what they find.
    let is_fatal = matches!(expected, "text/html" | "text/css") || expected.ends_with("javascript");
    notes.add(if is_fatal { Severity::Error } else { Severity::Warning }, message, None);
}

/// What has a fixed name is asked about each time, or soon.
fn revalidated(answer: &Answer, notes: &mut Notes<'_>) {
    let caching = answer.header("cache-control").unwrap_or_default();
    let is_asked_about = caching.contains("no-cache") || caching.contains("no-store");
    if !is_asked_about && max_age(answer).is_some_and(|age| age > LONGEST_AGE) {
        notes.warn(
            text!(
                "after a change, visitors may see the old content for a long time: `{caching}`",
                "内容更新之后，访问者可能很久还会看到旧内容：`{caching}`"
            ),
            Some(text!("send `cache-control: no-cache`", "请发送响应头 `cache-control: no-cache`")),
        );
    }
}

fn max_age(answer: &Answer) -> Option<u64> {
    let caching = answer.header("cache-control")?;
    caching.split(',').find_map(|part| part.trim().strip_prefix("max-age=")?.parse().ok())
}
