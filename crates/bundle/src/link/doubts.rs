//! What is told of the doubts about a module's text.

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

use crate::{
    doubt::{About, Doubt},
    graph::ModuleGraph,
    module::ModuleId,
    syntax::place,
};

/// Where the variables that pages can see come from.
const PUBLIC: &str = "PORTALGEN_PUBLIC_";

/// Each doubt about a module, once: what is done throughout a file is told where it is done first.
pub(super) fn doubts(graph: &ModuleGraph, id: ModuleId) -> Vec<Diagnostic> {
    let module = &graph.modules[id.index()];
    let all = &module.scan.doubts;
    let is_first = |index: usize| all[..index].iter().all(|earlier| earlier.about != all[index].about);
    // Each of these is a mistake of its own.
    let is_first = |index: usize| matches!(all[index].about, About::Unused { .. }) || is_first(index);
    let told = all.iter().enumerate().filter(|(index, doubt)| is_first(*index) && is_worth_a_word(graph, id, doubt));
    told.map(|(_, doubt)| {
        let more = all.iter().filter(|other| other.about == doubt.about).count() - 1;
        diagnostic(&doubt.about, more).at(place(&module.source, doubt.span))
    })
    .collect()
}

/// Libraries may run where there is a `process`, pages never do. Only pages have to be components.
fn is_worth_a_word(graph: &ModuleGraph, id: ModuleId, doubt: &Doubt) -> bool {
    match doubt.about {
        About::Process(_) => !graph.lazy_entries.is_empty(),
        About::AsyncDefault | About::ElementAsDefault => graph.lazy_entries.binary_search(&id).is_ok(),
        _ => true,
    }
}

/// `more` is how often the same is done in the rest of the file.
fn diagnostic(about: &About, more: usize) -> Diagnostic {
    match about {
        About::Attribute { written, meant } => Diagnostic::warning(text!(
            "in React, `{written}` is called `{meant}`",
            "React 里 `{written}` 要写成 `{meant}`"
        ))
        .with_hint(throughout(&text!("write `{meant}`", "请写 `{meant}`"), more)),
        About::Handler { written, meant, is_text } => {
            let message = text!(
                "React ignores `{written}`: this handler is called `{meant}`",
                "React 会忽略 `{written}`：这个事件处理函数要写成 `{meant}`"
            );
            let write = if *is_text { with_function(meant) } else { text!("write `{meant}`", "请写 `{meant}`") };
            Diagnostic::warning(message).with_hint(throughout(&write, more))
        }
        About::TextOfHandler(name) => Diagnostic::warning(text!(
            "React calls `{name}` as a function, but this is a string",
            "React 会把 `{name}` 当作函数调用，而这里是字符串"
        ))
        .with_hint(throughout(&with_function(name), more)),
        About::TextOfStyle(object) => {
            let message = text!(
                "in React, `style` takes an object, but this is a string",
                "React 的 `style` 要写对象，而这里是字符串"
            );
            let write = match object {
                Some(object) => text!("write `style={{{object}}}`", "请写 `style={{{object}}}`"),
                None => text!(
                    "write the properties as in `style={{{{ marginTop: 4, color: \"red\" }}}}`",
                    "请像 `style={{{{ marginTop: 4, color: \"red\" }}}}` 这样写出各个属性"
                ),
            };
            Diagnostic::error(message).with_hint(throughout(&write, more))
        }
        About::AsyncDefault => Diagnostic::error(text!(
            "this page is an async component, which browsers cannot render",
            "这个页面是 async 组件，浏览器无法渲染"
        ))
        .with_hint(without_async()),
        About::AsyncComponent(name) => Diagnostic::warning(text!(
            "`{name}` is an async component, which browsers cannot render",
            "`{name}` 是 async 组件，浏览器无法渲染"
        ))
        .with_hint(without_async()),
        About::ElementAsDefault => Diagnostic::error(text!(
            "this page exports an element instead of a component",
            "这个页面导出的是元素，而不是组件"
        ))
        .with_hint(text!(
            "write `export default function Page() {{ return …; }}`, with the element after `return`",
            "请写 `export default function Page() {{ return …; }}`，把元素放在 `return` 后面"
        )),
        About::Unused { is_behind_return: true } => Diagnostic::warning(text!(
            "`return` ends at its line break, so this element is never rendered",
            "`return` 到行末就结束了，所以这个元素不会显示"
        ))
        .with_hint(text!(
            "write `return (` on the line before, and `);` after the element",
            "请在上一行写 `return (`，在元素后面写 `);`"
        )),
        About::Unused { is_behind_return: false } => Diagnostic::warning(text!(
            "this element is never rendered: its value is not used",
            "这个元素不会显示：没有使用它的值"
        ))
        .with_hint(text!("write `return` before it", "请在它前面写 `return`")),
        About::HrefOfLink(name) => Diagnostic::warning(text!(
            "`{name}` takes its target as `to`, so this link has none",
            "`{name}` 的地址要写在 `to` 里，所以这个链接没有目标"
        ))
        .with_hint(throughout(&text!("write `to` instead of `href`", "请把 `href` 改成 `to`"), more)),
        About::Process(name) => {
            let message = text!(
                "`process.env.{name}` fails in pages: browsers have no `process`",
                "页面里不能用 `process.env.{name}`：浏览器没有 `process`"
            );
            with_public_variable(Diagnostic::error(message), name, more)
        }
        About::Variable(name) if name.starts_with(PUBLIC) => {
            let message = text!(
                "the environment variable {name} is not set, so this is undefined",
                "没有设置环境变量 {name}，所以这里是 undefined"
            );
            Diagnostic::warning(message).with_hint(text!(
                "set it in the shell or CI job that runs portalgen; `.env` files are not read",
                "请在运行 portalgen 的终端或流水线里设置它；portalgen 不读取 .env 文件"
            ))
        }
        About::Variable(name) => {
            let message = text!(
                "there is no `import.meta.env.{name}`, so this is undefined",
                "没有 `import.meta.env.{name}`，所以这里是 undefined"
            );
            with_public_variable(Diagnostic::warning(message), name, more)
        }
    }
}

fn without_async() -> Text {
    text!(
        "remove `async`: import data that is known at build time, such as a JSON file, and fetch the rest \
         in `useEffect`",
        "请去掉 `async`：构建时就知道的数据可以直接 import（例如 JSON 文件），其余的请在 `useEffect` 里 fetch"
    )
}

fn with_function(handler: &str) -> Text {
    text!("write a function: `{handler}={{() => {{ … }}}}`", "请写函数：`{handler}={{() => {{ … }}}}`")
}

/// Says how pages get at what other tools call `name`.
fn with_public_variable(diagnostic: Diagnostic, name: &str, more: usize) -> Diagnostic {
    let own = OF_OTHER_TOOLS.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let write = text!("write `import.meta.env.{PUBLIC}{own}`", "请写 `import.meta.env.{PUBLIC}{own}`");
    diagnostic.with_hint(throughout(&write, more)).with_hint(text!(
        "set the environment variable {PUBLIC}{own} in the shell or CI job that runs portalgen; `.env` files are not read",
        "请在运行 portalgen 的终端或流水线里设置环境变量 {PUBLIC}{own}；portalgen 不读取 .env 文件"
    ))
}

/// What other tools begin the names of such variables with.
const OF_OTHER_TOOLS: [&str; 7] =
    ["REACT_APP_", "NEXT_PUBLIC_", "VITE_", "GATSBY_", "NUXT_PUBLIC_", "EXPO_PUBLIC_", "PUBLIC_"];

/// Advice that holds for more than one place.
fn throughout(advice: &Text, more: usize) -> Text {
    match more {
        0 => advice.clone(),
        1 => text!("{advice}, here and in one more place in this file", "{advice}，本文件里还有 1 处", advice),
        _ => text!("{advice}, here and in {more} more places in this file", "{advice}，本文件里还有 {more} 处", advice),
    }
}
