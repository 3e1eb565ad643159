//! Puts failures and notes into words for the people who write pages.

use super::{
    Locate, PageJob,
    failure::{Failure, FailureKind, Frame},
    program::{Note, NoteKind},
};
use crate::{
    diagnostic::{Diagnostic, Place},
    packages,
    text::{Text, text},
};

/// The variable that a failure's message says was read before its module declared it.
pub fn uninitialized(message: &str) -> Option<&str> {
    let (_, error) = message.rsplit_once("ReferenceError: ")?;
    error.split_once(" is not initialized").map(|(name, _)| name)
}

/// Gathers what pages have to report and says each thing once, however many pages share it: one broken line in a
/// layout is one mistake.
pub(super) struct Report<'a> {
    locate: &'a Locate<'a>,
    entries: Vec<Entry>,
}

struct Entry {
    subject: Subject,
    place: Option<Place>,
    /// What was used, where the subject is the use of something.
    uses: Vec<String>,
    pages: Vec<PageJob>,
}

#[derive(PartialEq)]
enum Subject {
    Failure {
        kind: FailureKind,
        message: Text,
    },
    /// What a page says while it renders.
    Message {
        kind: NoteKind,
        text: String,
    },
    /// The use of what differs in browsers, by the page itself or by a package.
    Use {
        kind: NoteKind,
        package: Option<String>,
    },
}

impl<'a> Report<'a> {
    pub(super) fn new(locate: &'a Locate<'a>) -> Self {
        Self { locate, entries: Vec::new() }
    }

    pub(super) fn failure(&mut self, page: &PageJob, failure: &Failure) {
        let place = self.place_to_mend(&failure.frames);
        let subject = Subject::Failure { kind: failure.kind.clone(), message: failure.message.clone() };
        self.add(page, subject, place);
    }

    pub(super) fn note(&mut self, page: &PageJob, note: &Note) {
        let Note { kind, ref text, ref frames, .. } = *note;
        match kind {
            NoteKind::Log => {}
            NoteKind::Error | NoteKind::Warning | NoteKind::Uncaught => {
                let place = self.place_to_mend(frames);
                self.add(page, Subject::Message { kind, text: text.clone() }, place);
            }
            NoteKind::Clock | NoteKind::TimeZone | NoteKind::Random | NoteKind::Locale | NoteKind::Data => {
                if let Some((place, package)) = self.place_that_uses(frames) {
                    let entry = self.add(page, Subject::Use { kind, package }, Some(place));
                    if !entry.uses.contains(text) {
                        entry.uses.push(text.clone());
                    }
                }
            }
        }
    }

    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let (failures, notes): (Vec<_>, Vec<_>) =
            self.entries.into_iter().partition(|entry| matches!(entry.subject, Subject::Failure { .. }));
        failures.into_iter().chain(notes).map(Entry::into_diagnostic).collect()
    }

    fn add(&mut self, page: &PageJob, subject: Subject, place: Option<Place>) -> &mut Entry {
        // What a package does, it does wherever it is called, and there is one way to mend that.
        let is_of_package = matches!(subject, Subject::Use { package: Some(_), .. });
        let is_same = |entry: &Entry| {
            entry.subject == subject && (is_of_package || same_line(entry.place.as_ref(), place.as_ref()))
        };
        let index = self.entries.iter().position(is_same).unwrap_or_else(|| {
            self.entries.push(Entry { subject, place, uses: Vec::new(), pages: Vec::new() });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        if !entry.pages.contains(page) {
            entry.pages.push(page.clone());
        }
        entry
    }

    /// The innermost frame in the site's own files, or else the innermost of all: a mistake shows inside a library,
    /// but is made outside.
    fn place_to_mend(&self, frames: &[Frame]) -> Option<Place> {
        let mut innermost = None;
        for place in frames.iter().filter_map(self.locate) {
            if package(&place).is_none() {
                return Some(place);
            }
            innermost.get_or_insert(place);
        }
        innermost
    }

    /// The innermost frame in the site's own files, and the package that it calls, if it does. None if React itself is at
    /// work below it: what React does with a clock never reaches the page. What a library does by itself may not either,
    /// and nobody here could mend it.
    fn place_that_uses(&self, frames: &[Frame]) -> Option<(Place, Option<String>)> {
        let mut places = frames.iter().filter_map(self.locate).peekable();
        let innermost = places.peek()?;
        let user = package(innermost).map(ToOwned::to_owned);
        if user.as_deref().is_some_and(|package| RENDERERS.contains(&package)) || is_only_compared(innermost) {
            return None;
        }
        Some((places.find(|place| package(place).is_none())?, user))
    }
}

/// Whether the code at a place makes the text of a date only to look at it, as in `date.toString() === "Invalid Date"`:
/// it does not get to the page.
fn is_only_compared(place: &Place) -> bool {
    let text = place.source.text.get(place.span.start..).unwrap_or_default();
    let line = text.lines().next().unwrap_or_default();
    let after = line.split_once("toString()").filter(|(before, _)| before.len() < "date.".len());
    after.is_some_and(|(_, after)| ["==", "!="].iter().any(|comparison| after.trim_start().starts_with(comparison)))
}

const RENDERERS: [&str; 5] = ["react", "react-dom", "react-router", "react-router-dom", "scheduler"];

/// The npm package that a place is in; none for the site's own files.
fn package(place: &Place) -> Option<&str> {
    packages::package_of(&place.source.name)
}

/// Whether two places are on one line, which is where an author looks.
fn same_line(left: Option<&Place>, right: Option<&Place>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => {
            left.source.name == right.source.name && left.line_column().0 == right.line_column().0
        }
        (None, None) => true,
        _ => false,
    }
}

impl Entry {
    fn into_diagnostic(self) -> Diagnostic {
        let pages = names(&self.pages);
        let library = self.place.as_ref().and_then(package);
        let diagnostic = match &self.subject {
            Subject::Failure { kind, message } => failure_diagnostic(&pages, kind, message, library),
            Subject::Message { kind, text } => message_diagnostic(&pages, *kind, text),
            Subject::Use { kind, package } => use_diagnostic(&pages, *kind, &listed(&self.uses, package.as_deref())),
        };
        match self.place {
            Some(place) => diagnostic.at(place),
            None => diagnostic,
        }
    }
}

/// How many pages a message names before it counts.
const NAMED_PAGES: usize = 3;

/// `/about (关于我们)`, or `/a, /b, /c and 7 more`.
fn names(pages: &[PageJob]) -> Text {
    if let [PageJob { path, title }] = pages {
        return Text::verbatim(if title.is_empty() { path.clone() } else { format!("{path} ({title})") });
    }
    let named: Vec<&str> = pages.iter().take(NAMED_PAGES).map(|page| page.path.as_str()).collect();
    let (english, chinese, all, more) = (named.join(", "), named.join("、"), pages.len(), pages.len() - named.len());
    if more > 0 {
        text!("{english} and {more} more", "{chinese} 等 {all} 个页面")
    } else {
        text!("{english}", "{chinese}")
    }
}

fn failure_diagnostic(pages: &Text, kind: &FailureKind, message: &Text, library: Option<&str>) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(text!("rendering {pages} failed: {message}", "渲染 {pages} 失败：{message}", pages, message));
    // What packages do wrong is not for the site's author to mend.
    let hints = if library.is_some() && matches!(kind, FailureKind::NotDefined(_)) { Vec::new() } else { hints(kind) };
    let diagnostic = hints.into_iter().fold(diagnostic, Diagnostic::with_hint);
    match library {
        Some(library) => diagnostic.with_hint(text!(
            "the package {library} may need a browser: load what needs it with `clientOnly(() => import(\"./Part\"))` \
             of \"portalgen:client-only\"",
            "依赖包 {library} 可能需要浏览器：请用 \"portalgen:client-only\" 的 `clientOnly(() => import(\"./Part\"))` \
             加载用到它的部分"
        )),
        None => diagnostic,
    }
}

fn hints(kind: &FailureKind) -> Vec<Text> {
    match kind {
        FailureKind::NotDefined(name) => vec![missing_global(name)],
        FailureKind::Threw | FailureKind::Syntax | FailureKind::Engine => Vec::new(),
        FailureKind::Fetched => vec![text!(
            "pages are rendered while the portal is built, without a network: fetch in useEffect, which runs in the \
             browser only, or keep the data in a JSON file and import it",
            "页面在构建门户时渲染，那时没有网络：请在 useEffect 里 fetch（只在浏览器里运行），\
             或者把数据放进 JSON 文件再 import"
        )],
        FailureKind::NeverSettles => vec![text!(
            "a component waits, in use() or lazy(), for a promise that nothing will ever settle; what only a browser \
             can answer belongs into useEffect",
            "某个组件在 use() 或 lazy() 里等待一个永远不会有结果的 promise；只有浏览器才能给出结果的，请放进 useEffect"
        )],
        FailureKind::TimedOut => vec![
            text!(
                "look for a loop without an end, or a component that renders itself",
                "请找找有没有死循环，或渲染自己的组件"
            ),
            text!(
                "the clock stands still while code runs: a loop that waits for Date.now() to change never ends",
                "代码运行时时钟是停住的：等待 Date.now() 变化的循环永远不会结束"
            ),
        ],
        FailureKind::OutOfMemory => vec![text!(
            "look for a list that grows without an end, or a component that renders itself",
            "请找找有没有无限增长的列表，或渲染自己的组件"
        )],
        FailureKind::StackOverflow => {
            vec![text!("look for a function that calls itself without an end", "请找找有没有无止境地调用自己的函数")]
        }
        FailureKind::MissingModule => vec![text!(
            "import() needs a path written out in full, or the build cannot know which file is meant",
            "import() 里的路径要完整写出，否则构建时无法知道是哪个文件"
        )],
    }
}

/// Globals that exist only where there is a page to look at.
const BROWSER: &[&str] = &[
    "addEventListener",
    "alert",
    "Audio",
    "cancelAnimationFrame",
    "confirm",
    "customElements",
    "document",
    "DOMParser",
    "Element",
    "getComputedStyle",
    "getSelection",
    "history",
    "HTMLElement",
    "Image",
    "innerHeight",
    "innerWidth",
    "IntersectionObserver",
    "localStorage",
    "location",
    "matchMedia",
    "MutationObserver",
    "navigator",
    "Node",
    "open",
    "print",
    "prompt",
    "requestAnimationFrame",
    "requestIdleCallback",
    "ResizeObserver",
    "screen",
    "scroll",
    "scrollTo",
    "self",
    "sessionStorage",
    "top",
    "visualViewport",
    "window",
];

/// Globals of Node.
const NODE: &[&str] = &["__dirname", "__filename", "Buffer", "exports", "global", "module", "process", "require"];

/// Web interfaces that the engine could have but does not.
const WEB: &[&str] = &[
    "Blob",
    "BroadcastChannel",
    "caches",
    "CompressionStream",
    "DecompressionStream",
    "EventSource",
    "File",
    "FileReader",
    "FormData",
    "indexedDB",
    "MessageChannel",
    "MessageEvent",
    "MessagePort",
    "Notification",
    "SharedWorker",
    "TextDecoderStream",
    "TextEncoderStream",
    "TransformStream",
    "WebAssembly",
    "WebSocket",
    "Worker",
    "WritableStream",
    "XMLHttpRequest",
];

fn missing_global(name: &str) -> Text {
    if BROWSER.contains(&name) {
        text!(
            "pages are rendered while the portal is built, where there is no browser and no `{name}`: use it in \
             useEffect or in an event handler, which run in the browser only",
            "页面在构建门户时渲染，那时没有浏览器，也没有 `{name}`：请在 useEffect 或事件处理函数里使用它，\
             它们只在浏览器里运行"
        )
    } else if WEB.contains(&name) {
        text!(
            "the engine that renders pages while the portal is built has no `{name}`: use it in useEffect or in an \
             event handler, which run in the browser only",
            "构建时渲染页面的引擎没有 `{name}`：请在 useEffect 或事件处理函数里使用它，它们只在浏览器里运行"
        )
    } else if NODE.contains(&name) {
        text!(
            "`{name}` is Node's; a page runs in browsers and in the build, and neither has it",
            "`{name}` 是 Node 的；页面在浏览器里和构建时运行，两处都没有它"
        )
    } else {
        text!(
            "is `{name}` spelled right, and declared or imported in this file?",
            "`{name}` 写对了吗？有没有在这个文件里声明或导入？"
        )
    }
}

/// How many uses a message names before it counts.
const NAMED_USES: usize = 3;

/// `getDate(), getDay(), getMonth() and 4 more in date-fns`
fn listed(uses: &[String], package: Option<&str>) -> Text {
    let named: Vec<&str> = uses.iter().take(NAMED_USES).map(String::as_str).collect();
    let (english, chinese, all, more) = (named.join(", "), named.join("、"), uses.len(), uses.len() - named.len());
    let uses = if more > 0 {
        text!("{english} and {more} more", "{chinese} 等 {all} 处")
    } else {
        text!("{english}", "{chinese}")
    };
    match package {
        Some(package) => text!("{uses} in the package {package}", "依赖包 {package} 里的 {uses}", uses),
        None => uses,
    }
}

fn message_diagnostic(pages: &Text, kind: NoteKind, words: &str) -> Diagnostic {
    Diagnostic::warning(match kind {
        NoteKind::Warning => {
            text!("rendering {pages} logged a warning: {words}", "渲染 {pages} 时输出了警告：{words}", pages)
        }
        NoteKind::Uncaught => text!(
            "an error was not caught while rendering {pages}: {words}",
            "渲染 {pages} 时有错误没有被捕获：{words}",
            pages
        ),
        _ => text!("rendering {pages} logged an error: {words}", "渲染 {pages} 时输出了错误：{words}", pages),
    })
}

fn use_diagnostic(pages: &Text, kind: NoteKind, uses: &Text) -> Diagnostic {
    let (message, hint) = match kind {
        NoteKind::Clock => (
            text!(
                "rendering {pages} reads the clock with {uses}; the browser will render something else",
                "渲染 {pages} 时用 {uses} 读取了时钟；浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!(
                "render it in the browser only: keep it in state and set it in useEffect",
                "请只在浏览器里渲染它：放进 state，在 useEffect 里赋值"
            ),
        ),
        NoteKind::Random => (
            text!(
                "rendering {pages} uses random numbers from {uses}; the browser will render something else",
                "渲染 {pages} 时用了 {uses} 的随机数；浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!(
                "for an id use useId(); for anything else set it in useEffect",
                "如果是 id，请用 useId()；其他的请在 useEffect 里赋值"
            ),
        ),
        NoteKind::TimeZone => (
            text!(
                "rendering {pages} uses the local time zone with {uses}; the browser will render something else for \
                 visitors outside UTC",
                "渲染 {pages} 时用 {uses} 读取了本地时区；对不在 UTC 时区的访问者，浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!(
                "use the UTC methods, such as getUTCHours(), or set it in useEffect",
                "请改用 UTC 方法，例如 getUTCHours()，或者在 useEffect 里赋值"
            ),
        ),
        NoteKind::Locale => (
            text!(
                "rendering {pages} uses the locale with {uses}, which is another in each browser",
                "渲染 {pages} 时 {uses} 用到了语言环境，而每个浏览器的语言环境各不相同",
                pages,
                uses
            ),
            text!(
                "write the format out or name the locale, or set it in useEffect",
                "请写明格式或指定语言环境，或者在 useEffect 里赋值"
            ),
        ),
        // The rest are messages, which are no uses.
        _ => (
            text!(
                "rendering {pages} uses {uses}, of which the engine knows too little; the browser will render \
                 something else",
                "渲染 {pages} 时用了 {uses}，引擎对它所知不多；浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!("write the format out, or set it in useEffect", "请写明格式，或者在 useEffect 里赋值"),
        ),
    };
    Diagnostic::warning(message).with_hint(hint)
}
