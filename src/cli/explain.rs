//! `portalgen explain`: what answers an address, and what a visitor sees there; or what a rule is about.

use std::{fmt::Write as _, path::Path};

use serde_json::{Value, json};
use url::Url;

use portalgen_base::{
    diagnostic::{self, Diagnostic},
    rules::Rule,
    sizes::cut_kilobytes,
    source::display_name,
    text::{Language, Text, text},
};
use portalgen_build::pipeline::Build;
use portalgen_portal::{Portal, Route, RoutePath};
use portalgen_release::static_server::{self, Answer};

use super::{
    args::ExplainArguments,
    build, columns,
    console::Console,
    failure::{Blame, Failure},
    project::project_root,
    routes, rule_page,
    shown::{shell_word, visible},
    summary::gzip_size,
};

/// Tells about a rule or an address.
pub(super) fn command(arguments: &ExplainArguments, console: &Console) -> Result<(), Failure> {
    let subject = arguments.subject.as_str();
    if let Some(rule) = Rule::of_name(subject.trim_matches(['[', ']'])) {
        explain_rule(rule, console);
        return Ok(());
    }
    if is_word(subject) && !is_route(arguments) {
        return Err(nothing_called(subject));
    }
    explain_address(arguments, console)
}

fn explain_rule(rule: Rule, console: &Console) {
    if console.wants_json() {
        let (language, level) = (console.look.language, rule.default_severity().name());
        let (summary, page) = (rule.summary(), rule.page(language));
        let summary = summary.in_language(language);
        console.result(&json!({ "ok": true, "rule": rule.name(), "level": level, "summary": summary, "page": page }));
    } else {
        console.print(&rule_page::page(rule, console.look));
    }
}

/// Whether this may be meant as the name of a rule.
fn is_word(subject: &str) -> bool {
    subject.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'))
}

/// Whether a path that was typed without its slash is that of a route.
fn is_route(arguments: &ExplainArguments) -> bool {
    let path = RoutePath::parse(&format!("/{}", arguments.subject));
    let portal = routes::load(&arguments.portal);
    path.is_ok_and(|path| portal.is_ok_and(|loaded| loaded.portal.route(&path).is_some()))
}

fn nothing_called(word: &str) -> Failure {
    let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    let meant = diagnostic::did_you_mean(word, names.iter().copied());
    let (english, chinese) = (names.join(", "), names.join("、"));
    let error = Diagnostic::error(text!(
        "neither a rule `{word}` nor a route `/{word}` exists",
        "既没有 `{word}` 这条规则，也没有 `/{word}` 这个网址"
    ))
    .with_hints(meant.map(portalgen_base::text::did_you_mean))
    .with_hint(text!("the rules are {english}", "规则有：{chinese}"))
    .with_hint(text!(
        "to ask about the address, run `portalgen explain /{word}`",
        "要问的是网址的话，运行 `portalgen explain /{word}`"
    ));
    Failure { blame: Blame::Other, ..Failure::of_site(vec![error]).without_outcome() }
}

/// Builds in memory, asks the result, and tells.
fn explain_address(arguments: &ExplainArguments, console: &Console) -> Result<(), Failure> {
    let build = build::look(&arguments.portal, &arguments.pages, console, |options| options)
        .map_err(Failure::without_outcome)?
        .0;
    let path = requested(&arguments.subject, &build.portal);
    let path = path.map_err(|diagnostic| Failure::of_site(vec![diagnostic]).without_outcome())?;
    let root = project_root(&arguments.portal.root)?;
    let explanation = Explanation::of(&build, &root, &path);
    if console.wants_json() {
        console.result(&explanation.json());
    } else {
        let language = console.look.language;
        console.print(&if arguments.verbose { explanation.in_full(language) } else { explanation.in_short(language) });
    }
    Ok(())
}

/// The path of an address as a browser would send it, when the address lies on the portal's own host. A path that does not
/// begin with the base is that of a route.
fn requested(address: &str, portal: &Portal) -> Result<String, Diagnostic> {
    if let Some((scheme, _)) = address.split_once("://") {
        let url = Url::parse(address).ok().filter(|_| matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"));
        let url = url.ok_or_else(|| {
            Diagnostic::error(text!(
                "`{address}` is not an address that browsers can open",
                "`{address}` 不是浏览器能打开的地址"
            ))
        })?;
        let is_here =
            portal.urls.origin.as_ref().is_none_or(|origin| origin.as_str() == url.origin().ascii_serialization());
        return if is_here { Ok(url.path().to_owned()) } else { Err(elsewhere(&url, portal)) };
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let path = &address[..end];
    // Some shells of Windows take a word that begins with a slash for the name of a file.
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    let base = portal.urls.base.url();
    let is_below_base = path.starts_with(&base) || path == base.trim_end_matches('/');
    Ok(if is_below_base { path } else { format!("{}{path}", base.trim_end_matches('/')) })
}

fn elsewhere(url: &Url, portal: &Portal) -> Diagnostic {
    let host = url.host_str().unwrap_or_default().to_owned();
    let origin = portal.urls.origin.as_ref().map_or("", |origin| origin.as_str());
    Diagnostic::error(text!("`{host}` is not where this portal is served", "`{host}` 不是这个门户所在的站点"))
        .with_hint(text!(
            "`origin` in routes.toml says {origin}; a path alone works too",
            "routes.toml 里的 `origin` 是 {origin}；也可以只写路径"
        ))
}

/// All that there is to say about an address.
struct Explanation<'b> {
    build: &'b Build,
    /// The project's folder.
    root: &'b Path,
    path: String,
    answer: Answer<'b>,
    route: Option<&'b Route>,
}

impl<'b> Explanation<'b> {
    fn of(build: &'b Build, root: &'b Path, path: &str) -> Self {
        let answer = static_server::answer(&build.output, &build.portal.urls, path);
        let route = answer.file().and_then(|file| build.portal.route_of_document(file));
        Self { build, root, path: path.to_owned(), answer, route }
    }

    /// The file that is sent, in the end.
    fn file(&self) -> &'b str {
        self.answer.file().unwrap_or(static_server::NOT_FOUND)
    }

    fn component(&self) -> Option<String> {
        Some(display_name(self.root, self.route?.component()?))
    }

    /// Where a stub leads.
    fn target(&self) -> Option<String> {
        Some(self.route?.redirect()?.href(&self.build.portal.urls))
    }

    /// What the file should be sent with.
    fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_all = self.build.manifest.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        static_server::headers(self.file()).into_iter().chain(of_all)
    }

    /// Output paths of what the document needs before it works: scripts, then style sheets.
    fn needed(&self) -> Vec<&'b str> {
        let files = self.route.and_then(|route| self.build.manifest.route(route.path.as_str()));
        files
            .into_iter()
            .flat_map(|files| files.scripts.iter().chain(&files.style_sheets))
            .map(|file| &**file)
            .collect()
    }

    fn seen(&self) -> Text {
        let portal = &self.build.portal;
        if self.answer == Answer::Outside {
            let base = portal.urls.base.url();
            return text!(
                "other content of that host: the portal begins at {base}",
                "该站点上的其他内容：门户从 {base} 开始"
            );
        }
        if let Some(target) = self.target() {
            return text!(
                "a redirect to {target}, which keeps the query and the hash",
                "会立刻转到 {target}（保留 ? 和 # 后面的内容）"
            );
        }
        if self.answer.file().is_none() {
            let title = &portal.not_found.title;
            return text!("the page for unknown addresses, “{title}”", "“{title}”，即找不到页面时的提示页");
        }
        match self.route {
            Some(route) => {
                let title = &route.title;
                text!("the page “{title}”", "页面“{title}”")
            }
            None => text!("the file itself", "文件本身"),
        }
    }

    /// The same address in other spellings that people and programs use, and what answers them.
    fn variants(&self) -> Vec<(String, Answer<'b>)> {
        let path = self.path.trim_end_matches('/');
        let encoded = |path: &str| static_server::answer(&self.build.output, &self.build.portal.urls, path);
        let spellings = [
            path.to_owned(),
            format!("{path}/"),
            format!("{path}/index.html"),
            format!("{path}.html"),
            other_case(path),
            escaped(path),
        ];
        let mut variants: Vec<(String, Answer<'b>)> = Vec::new();
        for spelling in spellings {
            let is_new = spelling != self.path && variants.iter().all(|(known, _)| *known != spelling);
            if is_new && spelling.starts_with('/') {
                let answer = encoded(&spelling);
                variants.push((spelling, answer));
            }
        }
        variants
    }

    /// What editors want to know.
    fn in_short(&self, language: Language) -> String {
        let mut rows =
            vec![(text!("opens", "能否打开"), self.verdict()), (text!("a visitor sees", "访问者看到"), self.seen())];
        if let Some(route) = self.route {
            rows.push((text!("in search results", "搜索结果"), Self::listed(route)));
            let (path, place) = (route.path.readable(), &route.places.path);
            rows.push((text!("route", "网址设置"), text!("{path} ({place})", "{path}（{place}）")));
        }
        let file = self.component().map(|file| (text!("page file", "页面文件"), file));
        rows.extend(file.map(|(name, file)| (name, text!("{file}", "{file}"))));
        let rows = rows.iter().map(|row| {
            let (name, value) = (row.0.in_language(language), row.1.in_language(language));
            [format!("  {name}"), visible(value)]
        });
        let rows: Vec<_> = rows.collect();
        let typed = shell_word(&visible(&self.path));
        let more = text!(
            "Files, headers and other spellings: portalgen explain {typed} --verbose",
            "文件、响应头和其他写法：portalgen explain {typed} --verbose"
        );
        format!("{}\n{}\n{}\n", visible(&self.path), columns::table(&rows), more.in_language(language))
    }

    /// Whether an address works, in words.
    fn verdict(&self) -> Text {
        match &self.answer {
            Answer::File(_) => text!("yes", "能"),
            Answer::Redirect { location, .. } => {
                text!("yes, the server first redirects to {location}", "能，服务器会先转到 {location}")
            }
            Answer::Missing { similar: None } => text!("no, nothing is there (404)", "不能，没有这个网址（404）"),
            Answer::Missing { similar: Some(file) } => text!(
                "no (404), but {file} exists, which is spelled differently",
                "不能（404），不过有写法不同的 {file}"
            ),
            Answer::Outside => text!("not by this portal", "不归这个门户管"),
        }
    }

    /// What search engines show of a route.
    fn listed(route: &Route) -> Text {
        if route.redirect().is_some() {
            return text!("not listed, because it redirects", "不收录（会转到别处）");
        }
        match &route.description {
            _ if route.noindex => text!("not listed, because of `noindex`", "不收录（写了 `noindex`）"),
            Some(description) => text!("{description}", "{description}"),
            None => text!("listed without a description", "会收录，但没有描述"),
        }
    }

    fn in_full(&self, language: Language) -> String {
        let mut out = format!("{}\n  {}\n", visible(&self.path), in_words(&self.answer).in_language(language));
        let mut rows = Vec::new();
        let mut row = |name: Text, value: String| rows.push([format!("  {}", name.in_language(language)), value]);
        let see = self.seen();
        row(text!("a visitor sees", "访问者看到"), visible(see.in_language(language)));
        if let Some(route) = self.route {
            row(text!("route", "路由"), format!("{} ({})", route.path.readable(), route.places.path));
        }
        if let Some(component) = self.component() {
            row(text!("component", "组件"), component);
        }
        if self.answer != Answer::Outside {
            row(text!("file", "文件"), self.sized(self.file()));
            for (name, value) in self.headers() {
                row(Text::verbatim(name), value.to_owned());
            }
            for needed in self.needed() {
                row(text!("loads", "加载"), self.sized(needed));
            }
        }
        out.push_str(&columns::table(&rows));
        let other = text!("in other spellings", "其他写法");
        let _ = writeln!(out, "\n{}", other.in_language(language));
        let rows = self.variants().into_iter().map(|(path, answer)| {
            [format!("  {}", visible(&path)), in_words(&answer).in_language(language).to_owned()]
        });
        out + &columns::table(&rows.collect::<Vec<_>>())
    }

    fn sized(&self, file: &str) -> String {
        let bytes = self.build.output.get(file).map(|output| output.content.read()).unwrap_or_default();
        format!("{file}, {} ({} gzip)", cut_kilobytes(bytes.len()), cut_kilobytes(gzip_size(&bytes)))
    }

    fn json(&self) -> Value {
        let answered = |path: &str, answer: &Answer<'_>| {
            let location = match answer {
                Answer::Redirect { location, .. } => Some(location),
                _ => None,
            };
            json!({ "path": path, "status": answer.status(), "location": location, "file": answer.file() })
        };
        let mut object = answered(&self.path, &self.answer);
        let headers = self.headers().map(|(name, value)| (name.to_owned(), value.into()));
        object["ok"] = true.into();
        object["route"] = json!(self.route.map(|route| route.path.as_str()));
        object["line"] = json!(self.route.map(|route| route.places.path.line_column().0));
        object["title"] = json!(self.route.map(|route| route.title.as_str()));
        object["component"] = json!(self.component());
        object["redirect"] = json!(self.target());
        object["headers"] = Value::Object(headers.collect());
        object["loads"] = json!(self.needed());
        object["variants"] = self.variants().iter().map(|(path, answer)| answered(path, answer)).collect();
        object
    }
}

fn in_words(answer: &Answer<'_>) -> Text {
    match answer {
        Answer::File(_) => Text::verbatim("200"),
        Answer::Redirect { location, .. } => Text::verbatim(format!("301 -> {location}")),
        Answer::Missing { similar: None } => Text::verbatim("404"),
        Answer::Missing { similar: Some(file) } => text!("404, but {file} exists", "404，不过有 {file}"),
        Answer::Outside => text!("404 if the server has only the portal", "404（站点上只有这个门户时）"),
    }
}

/// The path with the first Latin letter of its last part in the other case.
fn other_case(path: &str) -> String {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    let mut is_first = true;
    let change = |c: char| match c {
        c if is_first && c.is_ascii_alphabetic() => {
            is_first = false;
            if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        }
        c => c,
    };
    let last: String = path[start..].chars().map(change).collect();
    format!("{}{last}", &path[..start])
}

/// The path with a letter encoded that needs no encoding, or with all encoded that do.
fn escaped(path: &str) -> String {
    if !path.is_ascii() {
        return RoutePath::parse(path).map_or_else(|_| path.to_owned(), |path| path.encoded());
    }
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[start..].chars().next().filter(char::is_ascii_alphanumeric) {
        Some(first) => format!("{}%{:02x}{}/", &path[..start], u32::from(first), &path[start + 1..]),
        None => path.to_owned(),
    }
}
