//! Puts failures and notes into words for the people who write pages.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::{Text, text},
};

use super::{
    call::{Note, NoteKind},
    failure::{AtWork, Failure, FailureKind, Frame, Lack},
    missing::{missing_global, missing_member, package_lacks},
    page::{PageJob, RenderedPage},
    uses::{Locate, Used, is_of_renderer, package},
};

/// Something to say about rendered pages.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The failure or note in words, with its place.
    pub diagnostic: Diagnostic,
    /// What kept pages from being rendered, as the first of them met it; none for a warning.
    pub failure: Option<Failure>,
}

/// Says what came of `pages`, whose results are those of [`prerender`](super::prerender): an error for every failure, naming
/// its pages, and a warning for every line that logs a warning or renders what the browser will render differently.
pub fn report(pages: &[PageJob], results: &[Result<RenderedPage, Failure>], locate: &Locate<'_>) -> Vec<Reported> {
    let mut report = Report::new(locate);
    for (page, result) in pages.iter().zip(results) {
        match result {
            Ok(rendered) => rendered.notes.iter().for_each(|note| report.note(page, note)),
            Err(failure) => report.failure(page, failure),
        }
    }
    report.finish()
}

/// Whether React or a package has failed over what a component gave it, and it is not said where that is: React's production build
/// does not know.
pub fn is_vague(failure: &Failure, locate: &Locate<'_>) -> bool {
    let has_owners = failure.at_work.as_ref().is_some_and(|at_work| !at_work.owners.is_empty());
    let places: Vec<Place> = failure.frames.iter().filter_map(locate).collect();
    let is_of_site = places.iter().any(|place| package(place).is_none());
    let is_of_code = matches!(failure.kind, FailureKind::Threw | FailureKind::NotDefined(_));
    // What fails while it is loaded is given nothing.
    is_of_code && !is_of_site && !has_owners && places.iter().any(is_of_renderer)
}

/// Says why a program could not be compiled.
pub fn report_program(failure: &Failure, locate: &Locate<'_>) -> Diagnostic {
    unfit_program(&failure.message).at_known(failure.frames.first().and_then(locate))
}

/// Gathers what pages have to report and says each thing once, however many pages share it: one broken line in a
/// layout is one mistake.
struct Report<'a> {
    locate: &'a Locate<'a>,
    entries: Vec<Entry>,
}

struct Entry {
    subject: Subject,
    failure: Option<Failure>,
    place: Option<Place>,
    /// Where a component of the site renders what has failed, if that is in a package.
    rendered: Option<Place>,
    /// What was used, where the subject is the use of something.
    uses: Vec<String>,
    pages: Vec<PageJob>,
}

#[derive(PartialEq)]
enum Subject {
    Failure {
        kind: FailureKind,
        is_type_error: bool,
        message: Text,
        package: Option<String>,
        /// The component that is to blame, if the code at the place does not say so by itself.
        component: Option<String>,
        lacks: Vec<Lack>,
    },
    /// What a page says while it renders.
    Message { kind: NoteKind, text: String },
    /// The use of what differs in browsers, by the page itself or by a package; then by a function that the page calls,
    /// or by a component.
    Use { kind: NoteKind, package: Option<String>, is_called: bool },
}

impl<'a> Report<'a> {
    fn new(locate: &'a Locate<'a>) -> Self {
        Self { locate, entries: Vec::new() }
    }

    fn failure(&mut self, page: &PageJob, failure: &Failure) {
        let (place, component) = match self.place_to_mend(&failure.frames) {
            Some(place) => (Some(place), None),
            // React itself has failed, over what a component gave it.
            None => self.component_to_mend(failure).map_or((None, None), |(place, name)| (Some(place), name)),
        };
        let package = self.package_that_fails(&failure.frames);
        let kind = self.kind_of(failure);
        let message = failure.message.clone();
        // Polyfills of `Temporal` try out calendars that nobody asked them for.
        let is_told = |lack: &&Lack| match lack {
            Lack::TimeZone(_) => true,
            Lack::Calendar(name) => message.english().contains(name.as_str()),
        };
        let lacks = failure.lacks.iter().filter(is_told).cloned().collect();
        let is_type_error = failure.is_type_error;
        // Nameless ones are called after their files, which reads like an element.
        let component = component.filter(|name| name.starts_with(char::is_uppercase));
        let is_in_package = place.as_ref().is_some_and(|place| self::package(place).is_some());
        let rendered = self.component_to_mend(failure).filter(|_| is_in_package).map(|(place, _)| place);
        let subject = Subject::Failure { kind, is_type_error, message, package, component, lacks };
        let entry = self.add(page, subject, place);
        entry.failure.get_or_insert_with(|| failure.clone());
        entry.rendered = entry.rendered.take().or(rendered);
    }

    fn note(&mut self, page: &PageJob, note: &Note) {
        let Note { kind, ref text, ref frames, .. } = *note;
        match kind {
            NoteKind::Log => {}
            NoteKind::Error | NoteKind::Warning | NoteKind::Uncaught => {
                let place = self.place_to_mend(frames);
                if place.as_ref().is_some_and(|place| is_told_of_source(text, place)) {
                    return;
                }
                self.add(page, Subject::Message { kind, text: text.clone() }, place);
            }
            NoteKind::Clock | NoteKind::TimeZone | NoteKind::Random | NoteKind::Locale | NoteKind::Data => {
                if let Some(Used { place, package, is_called }) = Used::find(frames, self.locate) {
                    let entry = self.add(page, Subject::Use { kind, package, is_called }, Some(place));
                    if !entry.uses.contains(text) {
                        entry.uses.push(text.clone());
                    }
                }
            }
        }
    }

    fn finish(self) -> Vec<Reported> {
        let (failures, notes): (Vec<_>, Vec<_>) =
            self.entries.into_iter().partition(|entry| matches!(entry.subject, Subject::Failure { .. }));
        failures.into_iter().chain(notes).map(Entry::reported).collect()
    }

    fn add(&mut self, page: &PageJob, subject: Subject, place: Option<Place>) -> &mut Entry {
        // What a package does, it does wherever it is called, and there is one way to mend that.
        let is_of_package = matches!(subject, Subject::Use { package: Some(_), .. });
        let is_same = |entry: &Entry| {
            entry.subject == subject && (is_of_package || same_line(entry.place.as_ref(), place.as_ref()))
        };
        let index = self.entries.iter().position(is_same).unwrap_or_else(|| {
            self.entries.push(Entry {
                subject,
                failure: None,
                place,
                rendered: None,
                uses: Vec::new(),
                pages: Vec::new(),
            });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        if !entry.pages.contains(page) {
            entry.pages.push(page.clone());
        }
        entry
    }

    /// The kind of a failure. The error of `globalThis.navigator.language` names no global; the code does.
    fn kind_of(&self, failure: &Failure) -> FailureKind {
        let missing = || missing_member(&failure.frames.iter().find_map(self.locate)?);
        match failure.kind {
            FailureKind::Threw if failure.is_type_error => {
                missing().map_or(FailureKind::Threw, FailureKind::NotDefined)
            }
            ref kind => kind.clone(),
        }
    }

    /// The innermost frame in the site's own files, or else the innermost of all: a mistake shows inside a library,
    /// but is made outside. None if only React was at work, which is not to blame for what it is given.
    fn place_to_mend(&self, frames: &[Frame]) -> Option<Place> {
        let mut innermost = None;
        for place in frames.iter().filter_map(self.locate) {
            if package(&place).is_none() {
                return Some(place);
            }
            innermost.get_or_insert(place);
        }
        innermost.filter(|place| !is_of_renderer(place))
    }

    /// The component of the site that React was at work for, with its name: where it says what React complains of, or else
    /// where it is declared.
    fn component_to_mend(&self, failure: &Failure) -> Option<(Place, Option<String>)> {
        let innermost = |frames: &[Frame]| {
            let mut found = frames.iter().filter_map(|frame| Some(((self.locate)(frame)?, frame.function.clone())));
            found.find(|(place, _)| package(place).is_none())
        };
        let AtWork { owners, components } = &**failure.at_work.as_ref()?;
        innermost(owners).or_else(|| {
            let (place, name) = innermost(components)?;
            let declared = name.as_ref().and_then(|name| place.declaration_before(name));
            Some((declared.unwrap_or(place), name))
        })
    }

    /// The package that was at work when a page failed. React is not to blame for what it is given.
    fn package_that_fails(&self, frames: &[Frame]) -> Option<String> {
        let innermost = frames.iter().find_map(self.locate)?;
        package(&innermost).filter(|_| !is_of_renderer(&innermost)).map(ToOwned::to_owned)
    }
}

/// Whether React complains of an attribute that the element at a place has in so many words: the bundler has told that, with the
/// place of the attribute.
fn is_told_of_source(message: &str, place: &Place) -> bool {
    let complaints = ["Invalid DOM property `", "Invalid event handler property `"];
    let rest = complaints.iter().find_map(|complaint| message.strip_prefix(complaint));
    let Some((name, _)) = rest.and_then(|rest| rest.split_once('`')) else { return false };
    let is_told = matches!(name, "class" | "for") || name.starts_with("on");
    let element = place.source.text.get(place.span.start..).and_then(|text| text.split('>').next());
    is_told
        && element
            .is_some_and(|element| element.contains(&format!(" {name}=")) || element.contains(&format!("\n{name}=")))
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
    fn reported(self) -> Reported {
        Reported { failure: self.failure.clone(), diagnostic: self.into_diagnostic() }
    }

    fn into_diagnostic(self) -> Diagnostic {
        let pages = names(&self.pages);
        let may_be_null = self.place.is_none();
        let diagnostic = match &self.subject {
            // That is no fault of the page which is the first to ask for this code.
            Subject::Failure { kind: FailureKind::Syntax, message, .. } => unfit_program(message),
            Subject::Failure { kind, is_type_error, message, package: Some(package), lacks, .. } => {
                let is_called = self.place.as_ref().is_some_and(|place| self::package(place).is_none());
                // Packages refuse wrong values with errors of their own, which say enough.
                let is_refusal = is_called && !is_type_error;
                package_failure(&pages, kind, message, package, is_refusal).with_hints(lacks.iter().map(lack_hint))
            }
            Subject::Failure { kind, message, package: None, component, lacks, .. } => {
                let looks_like_null = *kind == FailureKind::OutOfMemory && may_be_null;
                own_failure(&pages, kind, message, component.as_deref())
                    .with_hints(hook_hint(message.english(), component.is_some()))
                    .with_hints(data_router_hint(message.english()))
                    .with_hints(complaint_hint(message.english()))
                    .with_hints(lacks.iter().map(lack_hint))
                    .with_hints(looks_like_null.then(null_hint))
            }
            Subject::Message { kind, text } => message_diagnostic(&pages, *kind, text),
            Subject::Use { kind, package, is_called } => {
                let (message, hint) = use_texts(&pages, *kind, &listed(&self.uses, package.as_deref()));
                match package {
                    Some(package) if !is_called => Diagnostic::warning(message)
                        .with_hint(instead_of_component(package))
                        .with_hints((*kind == NoteKind::TimeZone).then(local_dates)),
                    _ => Diagnostic::warning(message).with_hint(hint),
                }
            }
        };
        let diagnostic = match self.rendered {
            Some(place) => diagnostic.with_related(place, text!("rendered from here", "从这里渲染")),
            None => diagnostic,
        };
        diagnostic.at_known(self.place.or_else(|| self.pages.into_iter().find_map(|page| page.place)))
    }
}

/// How many pages a message names before it counts.
const NAMED_PAGES: usize = 3;

/// `/about (关于我们)`, or `/a, /b, /c and 7 more`.
fn names(pages: &[PageJob]) -> Text {
    if let [PageJob { path, title, .. }] = pages {
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

fn unfit_program(reason: &Text) -> Diagnostic {
    Diagnostic::error(text!("the code of the pages cannot be run: {reason}", "页面的代码无法运行：{reason}", reason))
}

/// `component` is the one that React was at work for.
fn own_failure(pages: &Text, kind: &FailureKind, message: &Text, component: Option<&str>) -> Diagnostic {
    let message = match component {
        Some(component) => text!(
            "rendering {pages} failed in `<{component}>`: {message}",
            "渲染 {pages} 时 `<{component}>` 出错：{message}",
            pages,
            message
        ),
        None => text!("rendering {pages} failed: {message}", "渲染 {pages} 时出错：{message}", pages, message),
    };
    Diagnostic::error(message).with_hints(hints(kind))
}

/// What is wrong where a hook finds no component at work: React says no more than that something is null. If a component is at work
/// all the same, the hook is that of another React.
fn hook_hint(message: &str, is_in_component: bool) -> Option<Text> {
    let hook = message.strip_prefix("TypeError: cannot read property '")?.strip_suffix("' of null")?;
    let is_hook = hook.strip_prefix("use").is_some_and(|name| name.is_empty() || name.starts_with(char::is_uppercase));
    is_hook.then(|| if is_in_component { of_other_react(hook) } else { outside_of_component(hook) })
}

/// What to do about what React and the engine say no more of than what is wrong.
fn complaint_hint(message: &str) -> Option<Text> {
    let (_, complaint) = message.split_once(": ")?;
    if complaint.starts_with("Too many re-renders") {
        return Some(text!(
            "a state is set while the component renders; an event handler is a function: `onClick={{() => setOpen(true)}}`",
            "组件渲染时又设置了 state；事件处理要写成函数：`onClick={{() => setOpen(true)}}`"
        ));
    }
    if complaint.starts_with("Objects are not valid as a React child (found") {
        return Some(text!(
            "show one of its values, such as `{{user.name}}`, or a text that is made of it, such as `{{String(date)}}`",
            "请显示它的某个值，例如 `{{user.name}}`，或者由它得到的文本，例如 `{{String(date)}}`"
        ));
    }
    (complaint == "class constructors must be invoked with 'new'").then(|| {
        text!(
            "a component that is a class has to extend one of React: `class Page extends React.Component`",
            "用类写的组件要继承 React 的类：`class Page extends React.Component`"
        )
    })
}

/// What to do instead of what React Router has only where routes have loaders and actions.
fn data_router_hint(message: &str) -> Option<Text> {
    let (hook, _) = message.strip_prefix("Error: ")?.split_once(" must be used within a data router")?;
    Some(match hook {
        "useSubmit" | "useFetcher" | "useFetchers" | "useActionData" | "useFormAction" => text!(
            "routes have no actions here: write a plain `<form>`, and send it with `fetch` in its `onSubmit`",
            "这里的路由没有 action：请写普通的 `<form>`，并在它的 `onSubmit` 里用 `fetch` 发送"
        ),
        "useLoaderData" | "useRouteLoaderData" => text!(
            "routes have no loaders here: import what is known when the portal is built, such as a JSON file, or fetch it in \
             `useEffect`",
            "这里的路由没有 loader：构建时就知道的数据可以直接 import（例如 JSON 文件），其余的请在 `useEffect` 里 fetch"
        ),
        _ => text!(
            "`{hook}` works only where routes have loaders and actions, which they do not have here; `useLocation`, \
             `useSearchParams` and `useNavigate` work",
            "`{hook}` 只在路由有 loader 和 action 时才能用，而这里的路由没有；`useLocation`、`useSearchParams` 和 `useNavigate` 都能用"
        ),
    })
}

fn of_other_react(hook: &str) -> Text {
    text!(
        "this `{hook}` is of another copy of React than the one that renders the page: packages list `react` under \
         `peerDependencies`, so that there is one",
        "这个 `{hook}` 来自另一份 React，不是渲染页面的那一份：包应该把 `react` 列在 `peerDependencies` 里，这样就只有一份"
    )
}

/// What to do about a hook that found no component at work.
pub fn outside_of_component(hook: &str) -> Text {
    text!(
        "`{hook}` was called outside a component: call hooks only at the top level of components and of other hooks",
        "`{hook}` 是在组件之外调用的：Hook 只能在组件或其他 Hook 的顶层调用"
    )
}

/// `is_refusal`: the package may have thrown what it did because it was called with a wrong value.
fn package_failure(pages: &Text, kind: &FailureKind, message: &Text, package: &str, is_refusal: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(text!(
        "rendering {pages} failed in the package {package}: {message}",
        "渲染 {pages} 时依赖包 {package} 出错：{message}",
        pages,
        message
    ));
    match kind {
        FailureKind::NotDefined(name) => {
            diagnostic.with_hint(package_lacks(package, name)).with_hint(client_only(package))
        }
        FailureKind::BeyondEngine => diagnostic.with_hints(hints(kind)),
        FailureKind::Threw | FailureKind::Uninitialized(_) if is_refusal => diagnostic,
        FailureKind::Threw | FailureKind::Uninitialized(_) => diagnostic.with_hint(client_only(package)),
        _ => diagnostic.with_hints(hints(kind)).with_hint(client_only(package)),
    }
}

/// What else an exhausted memory may be.
fn null_hint() -> Text {
    text!(
        "this also happens when null is thrown or a promise is rejected with it: throw an Error instead",
        "抛出 null，或者用 null 拒绝 promise，也会这样：请改为抛出 Error"
    )
}

/// What a failure may come from.
fn lack_hint(lack: &Lack) -> Text {
    match lack {
        Lack::TimeZone(zone) => text!(
            "before it failed, it asked for the time zone {zone}: the engine that prerenders pages has no named time \
            zones and uses UTC instead; use a fixed offset such as `+08:00`, or load the component only in the \
            browser, with `clientOnly(() => import(\"./Part\"))` from \"portalgen:client-only\"",
            "出错之前用到了时区 {zone}：预渲染页面的引擎没有时区数据，一律按 UTC 处理；请改用固定的偏移，例如 \
            `+08:00`，或者用 \"portalgen:client-only\" 的 `clientOnly(() => import(\"./Part\"))` 让组件只在浏览器里加\
            载"
        ),
        Lack::Calendar(calendar) => text!(
            "before it failed, it asked for the calendar {calendar}: the engine that prerenders pages supports only \
            the Gregorian calendar; load the component only in the browser, with `clientOnly(() => \
            import(\"./Part\"))` from \"portalgen:client-only\"",
            "出错之前用到了历法 {calendar}：预渲染页面的引擎只支持公历；请用 \"portalgen:client-only\" 的 \
            `clientOnly(() => import(\"./Part\"))` 让组件只在浏览器里加载"
        ),
    }
}

fn client_only(package: &str) -> Text {
    text!(
        "if the package {package} needs a browser, put the component that uses it into a separate file and load that \
        with `clientOnly(() => import(\"./Part\"))` from \"portalgen:client-only\"",
        "如果依赖包 {package} 需要浏览器，请把用到它的组件放进单独的文件，再用 \"portalgen:client-only\" 的 \
         `clientOnly(() => import(\"./Part\"))` 加载"
    )
}

/// The way out where a package's component renders what differs in browsers.
fn instead_of_component(package: &str) -> Text {
    text!(
        "give the component of {package} a fixed value if it takes one, or load it only in the browser, with \
        `clientOnly(() => import(\"./Part\"))` from \"portalgen:client-only\"",
        "如果 {package} 的组件能接收这个值，请传入固定的值；否则用 \"portalgen:client-only\" 的 \
         `clientOnly(() => import(\"./Part\"))` 让它只在浏览器里加载"
    )
}

/// Where a time zone comes from that a component depends on.
fn local_dates() -> Text {
    text!(
        "`new Date(2024, 0, 31)` is midnight in the visitor's time zone and differs from zone to zone; `new \
        Date(Date.UTC(2024, 0, 31))` is the same everywhere",
        "`new Date(2024, 0, 31)` 是访问者所在时区的零点，各时区不同；`new Date(Date.UTC(2024, 0, 31))` 在各处都相同"
    )
}

fn hints(kind: &FailureKind) -> Vec<Text> {
    match kind {
        FailureKind::NotDefined(name) => vec![missing_global(name)],
        FailureKind::Threw | FailureKind::Uninitialized(_) | FailureKind::Syntax | FailureKind::Engine => Vec::new(),
        FailureKind::BeyondEngine => vec![text!(
            "browsers may accept this regular expression, but the engine that prerenders pages does not: put the \
            component that uses it into a separate file and load that with `clientOnly(() => import(\"./Part\"))` \
            from \"portalgen:client-only\"",
            "浏览器也许支持这个正则表达式，但预渲染页面的引擎不支持：请把用到它的组件放进单独的文件，\
             再用 \"portalgen:client-only\" 的 `clientOnly(() => import(\"./Part\"))` 加载"
        )],
        FailureKind::Fetched => vec![text!(
            "pages are rendered at build time, without a network: fetch in useEffect, which runs only in the browser, \
            or import the data from a JSON file",
            "页面在构建时渲染，那时没有网络：请在 useEffect 里 fetch（只在浏览器里运行），或者把数据放进 JSON 文件再\
            导入"
        )],
        FailureKind::Connected => vec![text!(
            "pages are rendered at build time, without a network: open the connection in useEffect, which runs only \
            in the browser",
            "页面在构建时渲染，那时没有网络：请在 useEffect 里建立连接（只在浏览器里运行）"
        )],
        FailureKind::NeverSettles => vec![text!(
            "a component waits, in use() or lazy(), for a promise that never settles; what only a browser can answer \
            belongs in useEffect",
            "某个组件在 use() 或 lazy() 里等待一个永远不会有结果的 promise；只有浏览器才能得到的结果，请放进 useEffect"
        )],
        FailureKind::TimedOut => vec![
            text!(
                "look for an endless loop, or a component that renders itself",
                "请检查有没有死循环，或者渲染自己的组件"
            ),
            text!(
                "the clock stands still while code runs: a loop that waits for Date.now() to change never ends",
                "代码运行期间时钟不走：等待 Date.now() 变化的循环永远不会结束"
            ),
        ],
        FailureKind::OutOfMemory => vec![text!(
            "look for a list that grows without limit, or a component that renders itself",
            "请检查有没有无限增长的列表，或者渲染自己的组件"
        )],
        FailureKind::StackOverflow => {
            vec![text!("look for infinite recursion", "请检查有没有无限递归")]
        }
        FailureKind::MissingModule => vec![text!(
            "write out the full path in import(), so that the build knows which file is meant",
            "import() 里的路径要完整写出，构建时才知道是哪个文件"
        )],
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

/// What is told about a use, and what to do where the site's own code is at work.
fn use_texts(pages: &Text, kind: NoteKind, uses: &Text) -> (Text, Text) {
    match kind {
        NoteKind::Clock => (
            text!(
                "rendering {pages} reads the clock with {uses}; the browser will render something else",
                "渲染 {pages} 时用 {uses} 读取了当前时间；浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!(
                "render it only in the browser: keep it in state and set it in useEffect",
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
                "for an id, use useId(); for anything else, set it in useEffect",
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
                "rendering {pages} uses the locale with {uses}, which differs between browsers",
                "渲染 {pages} 时 {uses} 用到了语言环境，而每个浏览器的语言环境可能不同",
                pages,
                uses
            ),
            text!(
                "set the format or the locale explicitly, or do it in useEffect",
                "请指定格式或语言环境，或者在 useEffect 里赋值"
            ),
        ),
        // The rest are messages, which are no uses.
        _ => (
            text!(
                "rendering {pages} uses {uses}, for which the engine lacks data; the browser will render something \
                else",
                "渲染 {pages} 时用了 {uses}，引擎没有这方面的数据；浏览器里的结果会不一样",
                pages,
                uses
            ),
            text!("write the format yourself, or set it in useEffect", "请自行写出格式，或者在 useEffect 里赋值"),
        ),
    }
}
