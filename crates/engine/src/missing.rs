//! Globals that code asks for and that the engine does not have.

use portalgen_base::{
    diagnostic::Place,
    text::{Text, text},
};

/// The missing global that the code around a place asks for as a property, as in `globalThis.navigator.language`.
pub(super) fn missing_member(place: &Place) -> Option<String> {
    let text = &place.source.text;
    let at = place.span.start.min(text.len());
    let start = text.floor_char_boundary(at.saturating_sub(AROUND));
    let end = text.ceil_char_boundary(at.saturating_add(AROUND).min(text.len()));
    let line_start = text[start..at].rfind('\n').map_or(start, |line_end| start + line_end + 1);
    let line = text[line_start..end].lines().next()?;
    let is_in_name = |c: char| c.is_alphanumeric() || "_$".contains(c);
    let objects = GLOBAL_OBJECTS.iter().flat_map(|object| line.match_indices(object));
    // Not `_self.process`, nor `frame.window.document`.
    let globals = objects.filter(|(at, _)| !line[..*at].ends_with(|c| is_in_name(c) || c == '.'));
    let properties = globals.map(|(at, object)| &line[at + object.len()..]);
    let names = properties.map(|rest| rest.split(|c| !is_in_name(c)).next().unwrap_or_default());
    let mut missing =
        names.filter(|name| *name != "self" && [BROWSER, WEB, NODE].iter().any(|globals| globals.contains(name)));
    missing.next().map(ToOwned::to_owned)
}

/// How many bytes of code before and behind a place are looked at: code of packages may be a single line.
const AROUND: usize = 60;

const GLOBAL_OBJECTS: [&str; 3] = ["globalThis.", "self.", "window."];

/// What a package uses that is not there while pages are prerendered.
pub(super) fn package_lacks(package: &str, name: &str) -> Text {
    if BROWSER.contains(&name) {
        text!(
            "the package {package} uses `{name}`, which exists only in browsers",
            "依赖包 {package} 用到了只有浏览器才有的 `{name}`"
        )
    } else if WEB.contains(&name) {
        text!(
            "the package {package} uses `{name}`, which the engine that prerenders pages does not have",
            "依赖包 {package} 用到了 `{name}`，而预渲染页面的引擎没有它"
        )
    } else if NODE.contains(&name) {
        text!(
            "the package {package} uses `{name}`, which exists only in Node.js: look in its documentation for a \
            browser build, and import that instead",
            "依赖包 {package} 用到了只有 Node.js 才有的 `{name}`：请在它的文档里查找浏览器版本，并改为导入那个版本"
        )
    } else {
        text!(
            "the package {package} uses `{name}`, which is defined neither by the package nor by the engine that \
            prerenders pages",
            "依赖包 {package} 用到了 `{name}`，但它自己和预渲染页面的引擎都没有定义"
        )
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
const NODE: &[&str] = &[
    "__dirname",
    "__filename",
    "Buffer",
    "clearImmediate",
    "exports",
    "global",
    "module",
    "process",
    "require",
    "setImmediate",
];

/// Web interfaces that the engine could have but does not.
const WEB: &[&str] = &[
    "caches",
    "ErrorEvent",
    "EventSource",
    "FileReader",
    "indexedDB",
    "Notification",
    "ProgressEvent",
    "SharedWorker",
    "Temporal",
    "URLPattern",
    "WebAssembly",
    "Worker",
    "XMLHttpRequest",
];

/// The import of a name that pages know from React or its router.
fn import_of(name: &str) -> Option<String> {
    const OF_REACT: [&str; 15] = [
        "createContext",
        "forwardRef",
        "lazy",
        "memo",
        "useCallback",
        "useContext",
        "useEffect",
        "useId",
        "useLayoutEffect",
        "useMemo",
        "useReducer",
        "useRef",
        "useState",
        "Fragment",
        "Suspense",
    ];
    const OF_ROUTER: [&str; 5] = ["Link", "NavLink", "useLocation", "useNavigate", "useSearchParams"];
    match name {
        "React" => Some("import React from \"react\";".to_owned()),
        _ if OF_REACT.contains(&name) => Some(format!("import {{ {name} }} from \"react\";")),
        _ if OF_ROUTER.contains(&name) => Some(format!("import {{ {name} }} from \"react-router-dom\";")),
        _ => None,
    }
}

/// What to do about a global that the site's own code asks for.
pub(super) fn missing_global(name: &str) -> Text {
    if let Some(import) = import_of(name) {
        text!("write `{import}` at the top of the file", "请在文件开头写 `{import}`")
    } else if BROWSER.contains(&name) {
        text!(
            "pages are rendered at build time, where there is no browser and no `{name}`: use it in useEffect or in \
            an event handler, which run only in the browser",
            "页面在构建时渲染，那时没有浏览器，也没有 `{name}`：请在 useEffect 或事件处理函数里使用它，它们只在浏览器\
            里运行"
        )
    } else if WEB.contains(&name) {
        text!(
            "the engine that renders pages at build time has no `{name}`: use it in useEffect or in an event handler, \
            which run only in the browser",
            "构建时渲染页面的引擎没有 `{name}`：请在 useEffect 或事件处理函数里使用它，它们只在浏览器里运行"
        )
    } else if NODE.contains(&name) {
        text!(
            "`{name}` exists only in Node.js; pages run in browsers and in the build, where it is not defined",
            "`{name}` 只有 Node.js 才有；页面在浏览器里和构建时运行，都没有它"
        )
    } else {
        text!(
            "is `{name}` spelled correctly, and declared or imported in this file?",
            "`{name}` 拼写对吗？有没有在这个文件里声明或导入？"
        )
    }
}
