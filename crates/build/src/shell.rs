//! HTML documents around what React rendered, and around nothing: pages and stubs.
//!
//! The templates are `templates/shell.html` and `templates/redirect.html` in the project, or those that the binary
//! carries. minijinja's types stay in here.

use std::{borrow::Cow, collections::BTreeMap, ops::Range, path::Path, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, context,
    syntax::SyntaxConfig,
    value::{Serde, ValueKind},
};

use sha2::{Digest as _, Sha384};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    source::{self, Sources},
    text::{self, text},
};

use crate::{
    head_elements,
    metadata::{Link, Meta},
};

const FOLDER: &str = "templates";
const PAGE: &str = "shell.html";
const STUB: &str = "redirect.html";
const DEFAULTS: [(&str, &str); 2] =
    [(PAGE, include_str!("../../../templates/shell.html")), (STUB, include_str!("../../../templates/redirect.html"))];

/// What a document may cost its template, in steps and in pieces of 64 bytes: some 300 are usual.
const FUEL: u64 = 1_000_000;

/// Stands for React's HTML when a template is tried out; no page contains it by chance.
const PROBE: &str = "<!--portalgen-probe-->";

/// What browsers check files by: hashes by the URLs of files.
pub type Integrity = BTreeMap<String, String>;

/// The hash of a file as documents write it.
pub(crate) fn integrity_of(bytes: &[u8]) -> String {
    format!("sha384-{}", STANDARD.encode(Sha384::digest(bytes)))
}

/// What a page's document is made of. Every text is plain; escaping is the shell's business.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageShell<'a> {
    /// BCP 47 language tag.
    pub lang: &'a str,
    /// The document's title.
    pub title: &'a str,
    /// For search engines.
    pub description: Option<&'a str>,
    /// The absolute URL that search engines shall know the page by.
    pub canonical: Option<&'a str>,
    /// Whether search engines shall leave it out.
    pub noindex: bool,
    /// Where the portal lies on its host, with a slash at both ends: `/`, `/app/`.
    pub base: &'a str,
    /// URLs of the stylesheets, in order.
    pub stylesheets: &'a [String],
    /// URLs of the modules to fetch early.
    pub preloads: &'a [String],
    /// What browsers check scripts and style sheets by, if there is anything.
    pub integrity: Option<&'a Integrity>,
    /// The part of it that goes into the import map.
    pub import_map: Option<&'a Integrity>,
    /// URL of the module that starts the app.
    pub entry: Option<&'a str>,
    /// URL of the script that loads the document anew if the entry is gone.
    pub recovery: Option<&'a str>,
    /// URL of the icon.
    pub icon: Option<&'a str>,
    /// Further elements `<link>` of the head.
    pub links: &'a [Link],
    /// Further elements `<meta>` of the head. One of which a component of the page renders another is left out.
    pub metas: &'a [Meta],
    /// What search engines are told of the page as JSON-LD.
    pub structured: Option<&'a serde_json::Value>,
    /// What React rendered, inserted byte for byte.
    pub html: &'a str,
    /// What the app reads at start, inserted as JSON.
    pub data: Option<&'a serde_json::Value>,
}

/// What the document of a route that redirects is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct StubShell<'a> {
    /// BCP 47 language tag.
    pub lang: &'a str,
    /// The document's title; the link's text too.
    pub title: &'a str,
    /// Where it leads: an absolute URL, or a path that starts with the base. Its scheme has been checked.
    pub target: &'a str,
    /// URL of the script that takes the query and the hash along.
    pub script: &'a str,
    /// What browsers check the script by.
    pub integrity: Option<&'a str>,
    /// URL of the icon.
    pub icon: Option<&'a str>,
}

/// The templates, read and found in order.
#[derive(Debug)]
pub struct Shells {
    environment: Environment<'static>,
    texts: BTreeMap<String, Arc<SourceText>>,
}

impl Shells {
    /// Reads every `.html` file in the project's `templates` folder; those that are missing are the binary's own.
    ///
    /// Both documents are tried out here, with all values given and with as few as possible, so that a mistake in a
    /// template is reported once and not once for every page.
    ///
    /// # Errors
    /// Everything wrong with the templates: syntax, unknown names, missing includes, React's HTML left out or set
    /// apart from the tags around it.
    pub fn load(sources: &dyn Sources, root: &Path) -> Result<Self, Vec<Diagnostic>> {
        let texts = read_templates(sources, root)?;
        let mut environment = new_environment();
        let mut problems = Vec::new();
        for (name, text) in &texts {
            let added = environment.add_template_owned(name.clone(), text.text.clone());
            problems.extend(added.err().map(|error| to_diagnostic(&texts, &error)));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let shells = Self { environment, texts };
        let problems: Vec<_> = [shells.try_page(), shells.try_stub()].into_iter().filter_map(Result::err).collect();
        if problems.is_empty() { Ok(shells) } else { Err(problems) }
    }

    /// The document of a page.
    ///
    /// # Errors
    /// The template fails on these values, though it did not on those it was tried with.
    pub fn page(&self, page: &PageShell<'_>) -> Result<String, Diagnostic> {
        let (hoisted, html) = head_elements::split(page.html);
        let is_rendered = |meta: &&Meta| head_elements::has_meta(hoisted, meta.attribute, meta.key);
        let metas: Vec<&Meta> = page.metas.iter().filter(|meta| !is_rendered(meta)).collect();
        let values = context! {
            lang => page.lang,
            title => page.title,
            description => page.description,
            canonical => page.canonical,
            noindex => page.noindex,
            base => page.base,
            stylesheets => page.stylesheets.to_vec(),
            preloads => page.preloads.to_vec(),
            integrity => page.integrity.cloned().unwrap_or_default(),
            import_map => import_map(page.import_map),
            entry => page.entry,
            recovery => page.recovery,
            icon => page.icon,
            links => Value::from(Serde(page.links)),
            metas => Value::from(Serde(&metas)),
            structured => page.structured.map(|data| Value::from(Serde(data))),
            html => Value::from_safe_string(html.to_owned()),
            data => page.data.map(|data| Value::from(Serde(data))),
        };
        let mut document = self.render(PAGE, &values)?;
        // Whatever the template, its head ends somewhere.
        if let Some(end) = document.find("</head>").filter(|_| !hoisted.is_empty()) {
            document.insert_str(end, hoisted);
        }
        Ok(document)
    }

    /// The document of a route that redirects.
    ///
    /// # Errors
    /// As for [`Shells::page`].
    pub fn stub(&self, stub: &StubShell<'_>) -> Result<String, Diagnostic> {
        let values = context! {
            lang => stub.lang,
            title => stub.title,
            target => stub.target,
            script => stub.script,
            integrity => stub.integrity,
            icon => stub.icon,
        };
        self.render(STUB, &values)
    }

    /// Whether these are the templates that others are, to the byte.
    pub fn are_same(&self, others: &Self) -> bool {
        self.texts == others.texts
    }

    /// The names of the templates that the project brings itself, as diagnostics show them.
    pub(crate) fn own_templates(&self) -> impl Iterator<Item = &str> {
        let own = self.texts.iter().filter(|(name, text)| text.name != built_in_name(name));
        own.map(|(_, text)| text.name.as_str())
    }

    /// Refuses a template that leaves out what browsers check scripts by.
    ///
    /// # Errors
    /// The template of pages has no import map.
    pub(crate) fn check_integrity(&self) -> Result<(), Diagnostic> {
        let integrity = Integrity::from([("/x".to_owned(), PROBE.to_owned())]);
        let page = PageShell {
            lang: "x",
            title: "x",
            base: "/",
            html: "x",
            integrity: Some(&integrity),
            import_map: Some(&integrity),
            ..PageShell::default()
        };
        // `<` is written in another way there.
        let has_map = self.page(&page)?.contains(&PROBE[1..]);
        if has_map {
            return Ok(());
        }
        let error = Diagnostic::error(text!(
            "the template lacks what `integrity` in `[build]` needs",
            "模板缺少 `[build]` 的 `integrity` 需要的内容"
        ))
        .with_hint(text!(
            "write `<script type=\"importmap\">{{{{ import_map|tojson }}}}</script>` before the first script",
            "请在第一个脚本之前写 `<script type=\"importmap\">{{{{ import_map|tojson }}}}</script>`"
        ));
        Err(match self.texts.get(PAGE) {
            Some(text) => error.at(Place::new(text, 0..0)),
            None => error,
        })
    }

    fn render(&self, name: &str, values: &Value) -> Result<String, Diagnostic> {
        let rendered = self.environment.get_template(name).and_then(|template| template.render(values));
        rendered.map_err(|error| explain(to_diagnostic(&self.texts, &error), &error, values))
    }

    fn try_page(&self) -> Result<(), Diagnostic> {
        let (urls, data) = (["/x".to_owned()], serde_json::Value::Null);
        let integrity = Integrity::from([("/x".to_owned(), "sha384-x".to_owned())]);
        let links = [Link { rel: "x", href: "/x".to_owned(), ..Link::default() }];
        let metas = [Meta { attribute: "name", key: "x", content: "x".to_owned() }];
        let least = PageShell { lang: "x", title: "x", base: "/", html: PROBE, ..PageShell::default() };
        let most = PageShell {
            description: Some("x"),
            canonical: Some("/x"),
            noindex: true,
            stylesheets: &urls,
            preloads: &urls,
            integrity: Some(&integrity),
            import_map: Some(&integrity),
            entry: Some("/x"),
            recovery: Some("/x"),
            icon: Some("/x"),
            links: &links,
            metas: &metas,
            structured: Some(&data),
            data: Some(&data),
            ..least
        };
        for page in [most, least] {
            let html = self.page(&page)?;
            if html.matches(PROBE).count() != 1 || !html.contains(&format!(">{PROBE}<")) {
                return Err(self.detached_html());
            }
        }
        Ok(())
    }

    fn try_stub(&self) -> Result<(), Diagnostic> {
        let least = StubShell { lang: "x", title: "x", target: "/x", script: "/x", ..StubShell::default() };
        self.stub(&StubShell { icon: Some("/x"), integrity: Some("x"), ..least })?;
        self.stub(&least).map(drop)
    }

    fn detached_html(&self) -> Diagnostic {
        let error = Diagnostic::error(text!(
            "the template must contain `{{{{ html }}}}` exactly once, directly between two tags",
            "模板里必须有且只有一处 `{{{{ html }}}}`，前后都要紧挨着标签"
        ))
        .with_hint(text!(
            "write `<div id=\"root\">{{{{ html }}}}</div>`: React treats anything else in there as its own",
            "请写成 `<div id=\"root\">{{{{ html }}}}</div>`：React 会把里面的其他内容当成自己渲染的"
        ));
        match self.texts.get(PAGE) {
            Some(text) => {
                let start = text.text.find("{{ html").unwrap_or(0);
                error.at(Place::new(text, start..start))
            }
            None => error,
        }
    }
}

/// Templates by name, that is, by path below the folder.
fn read_templates(sources: &dyn Sources, root: &Path) -> Result<BTreeMap<String, Arc<SourceText>>, Vec<Diagnostic>> {
    let defaults = DEFAULTS.map(|(name, text)| (name.to_owned(), SourceText::new(built_in_name(name), text)));
    let mut texts = BTreeMap::from(defaults);
    let mut problems = Vec::new();
    let folder = root.join(FOLDER);
    for found in sources.walk(&folder) {
        if found.path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        let shown = source::display_name(root, &found.path);
        match sources.read(&found.path).map(|bytes| SourceText::decode(&*shown, bytes)) {
            Ok(Ok(text)) => _ = texts.insert(source::display_name(&folder, &found.path), text),
            Ok(Err(problem)) => problems.push(*problem),
            Err(error) => {
                let (reason, hint) = source::explain(&error);
                let message =
                    text!("cannot read the template `{shown}`: {reason}", "无法读取模板 `{shown}`：{reason}", reason);
                problems.push(Diagnostic::error(message).with_hints(hint));
            }
        }
    }
    if problems.is_empty() { Ok(texts) } else { Err(problems) }
}

/// The import map that says what scripts are checked by: all of them, so that it is the same on every page and a content
/// security policy can name its hash once.
fn import_map(integrity: Option<&Integrity>) -> Option<Value> {
    let integrity = integrity.filter(|integrity| !integrity.is_empty())?;
    Some(Value::from(Serde(serde_json::json!({ "integrity": integrity }))))
}

fn built_in_name(name: &str) -> String {
    format!("{FOLDER}/{name} (built in)")
}

fn new_environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_auto_reload(false);
    environment.set_syntax(SyntaxConfig::builder().keep_trailing_newline(true).build().unwrap_or_default());
    environment.set_fuel(Some(FUEL));
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(write_value);
    environment.add_filter("tojson", to_script_json);
    // For the range of an error only: what debug mode prints would show values, which may be secret.
    environment.set_debug(true);
    environment
}

/// Prints a value into HTML. Unlike the engine's own way, `/` stays as it is, which keeps URLs readable, and nothing is
/// printed for what is not there, where a title of `None` would be.
fn write_value(out: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if value.is_none() || value.is_undefined() {
        return Ok(());
    }
    if matches!(value.kind(), ValueKind::Seq | ValueKind::Map | ValueKind::Iterable) {
        return Err(Error::new(ErrorKind::BadEscape, "a list has no text of its own"));
    }
    let text = value.as_str().map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed);
    let is_markup = value.is_safe() || matches!(state.auto_escape(), AutoEscape::None);
    Ok(out.write_str(&if is_markup { text } else { Cow::Owned(escape(&text)) })?)
}

/// `text` as it must be written in HTML text and in quoted attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// JSON for a `<script>` element, where entities are not decoded and `<` may end the element or hide its end.
fn to_script_json(value: &Value) -> Result<Value, Error> {
    let json = serde_json::to_string(value).map_err(|error| {
        Error::new(ErrorKind::BadSerialization, "this value cannot be written as JSON").with_source(error)
    })?;
    Ok(Value::from_safe_string(json.replace('<', "\\u003c")))
}

/// The kind of an engine's error in Chinese. Its place says the rest.
fn in_chinese(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::SyntaxError => "语法有误",
        ErrorKind::UndefinedError => "用到了没有定义的值",
        ErrorKind::TemplateNotFound => "找不到引入的模板",
        ErrorKind::BadInclude => "引入的模板有误",
        ErrorKind::UnknownFilter => "没有这个过滤器",
        ErrorKind::UnknownFunction => "没有这个函数",
        ErrorKind::UnknownMethod => "没有这个方法",
        ErrorKind::UnknownTest => "没有这个测试",
        ErrorKind::UnknownBlock => "没有这个区块",
        ErrorKind::MissingArgument => "缺少参数",
        ErrorKind::TooManyArguments => "参数太多",
        ErrorKind::BadEscape => "这个值不能直接输出",
        ErrorKind::BadSerialization => "这个值不能写成 JSON",
        ErrorKind::OutOfFuel => "执行的步骤太多",
        _ => "这里的操作无法执行",
    }
}

/// An engine's error as ours: the innermost place is where to look, those around it are how one gets there.
fn to_diagnostic(texts: &BTreeMap<String, Arc<SourceText>>, error: &Error) -> Diagnostic {
    let chain: Vec<&Error> =
        std::iter::successors(Some(error), |error| std::error::Error::source(*error)?.downcast_ref()).collect();
    let innermost = chain.last().copied().unwrap_or(error);
    let kind = innermost.kind();
    let chinese = in_chinese(kind);
    let message = match innermost.detail() {
        Some(detail) => text!("template: {kind}: {detail}", "模板：{chinese}"),
        None => text!("template: {kind}", "模板：{chinese}"),
    };
    let mut places = chain.iter().rev().filter_map(|error| place_of(texts, error));
    let diagnostic = Diagnostic::error(message);
    let Some(place) = places.next() else { return diagnostic };
    let here = || text!("included here", "在这里引入");
    places.fold(diagnostic.at(place), |diagnostic, place| diagnostic.with_related(place, here()))
}

fn place_of(texts: &BTreeMap<String, Arc<SourceText>>, error: &Error) -> Option<Place> {
    let text = texts.get(error.name()?)?;
    let range = error.range().or_else(|| error.line().map(|line| range_of_line(&text.text, line)))?;
    Some(Place::new(text, range))
}

/// The bytes of a line, counted from 1, without its end.
fn range_of_line(text: &str, line: usize) -> Range<usize> {
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            return start..start + content.trim_end().len();
        }
        start += content.len();
    }
    start..start
}

/// Adds what an author can do about an error that the values have a part in.
fn explain(diagnostic: Diagnostic, error: &Error, values: &Value) -> Diagnostic {
    match error.kind() {
        ErrorKind::UndefinedError => with_known_names(diagnostic, values),
        ErrorKind::TemplateNotFound | ErrorKind::BadInclude => diagnostic.with_hint(text!(
            "includes are paths of `.html` files in `templates`",
            "这里要写 `templates` 里某个 `.html` 文件的路径"
        )),
        ErrorKind::BadEscape => diagnostic.with_hint(text!(
            "write each item: `{{% for item in list %}}{{{{ item }}}}{{% endfor %}}`",
            "请逐项写出：`{{% for item in list %}}{{{{ item }}}}{{% endfor %}}`"
        )),
        ErrorKind::OutOfFuel => {
            diagnostic.with_hint(text!("is there a loop that repeats far too often?", "是不是有循环重复了太多次？"))
        }
        _ => diagnostic,
    }
}

fn with_known_names(diagnostic: Diagnostic, values: &Value) -> Diagnostic {
    let mut names: Vec<String> = values.try_iter().into_iter().flatten().map(|name| name.to_string()).collect();
    names.sort();
    let used = diagnostic.place.as_ref().and_then(|place| place.source.text.get(place.span.clone())).unwrap_or("");
    let similar = did_you_mean(used.trim(), names.iter().map(String::as_str)).map(text::did_you_mean);
    let names = names.join(", ");
    let known = text!("available in templates: {names}", "模板里可以用：{names}");
    diagnostic.with_hints(similar).with_hint(known)
}
