//! Exports of pages that mean something to other frameworks, and nothing here.

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::{Text, text},
};

use super::linker::Linker;
use crate::{
    module::{Module, ModuleId},
    names::is_virtual,
};

/// What an export is for where it means something.
#[derive(Clone, Copy)]
enum Purpose {
    /// Title, description and the like.
    Metadata,
    /// What the page is given.
    Data,
    /// What forms are sent to.
    Action,
    /// Which addresses the page has.
    Addresses,
    /// When and where the page is rendered.
    Rendering,
}

fn purpose_of(export: &str) -> Option<Purpose> {
    Some(match export {
        "metadata" | "generateMetadata" | "meta" | "Head" | "viewport" | "generateViewport" => Purpose::Metadata,
        "getStaticProps" | "getServerSideProps" | "getServerData" | "loader" | "clientLoader" => Purpose::Data,
        "action" | "clientAction" => Purpose::Action,
        "getStaticPaths" | "generateStaticParams" => Purpose::Addresses,
        "revalidate" | "dynamic" | "dynamicParams" | "fetchCache" | "prerender" => Purpose::Rendering,
        _ => return None,
    })
}

impl Linker<'_> {
    /// Warns of such exports of a page, unless another module takes something from it: then they may be for that.
    pub(super) fn exports_of_other_frameworks(&self, page: ModuleId) -> Vec<Diagnostic> {
        let module = self.module(page);
        let exports = module.scan.exports.keys().filter_map(|name| Some((&**name, purpose_of(name)?)));
        let found: Vec<_> = exports.collect();
        if found.is_empty() || self.is_imported_by_others(page) {
            return Vec::new();
        }
        found.into_iter().map(|(name, purpose)| means_nothing(module, name, purpose)).collect()
    }

    fn is_imported_by_others(&self, page: ModuleId) -> bool {
        let others = self.modules.iter().filter(|module| !is_virtual(&module.name));
        others.flat_map(Module::imported_modules).any(|(_, target)| target == page)
    }
}

fn means_nothing(module: &Module, name: &str, purpose: Purpose) -> Diagnostic {
    let end = module.source.text.len();
    let place = Place::new(&module.source, end..end).declaration_before(name);
    let message = text!(
        "portalgen ignores the export `{name}`, which belongs to another framework",
        "这是别的框架的写法：portalgen 不使用页面导出的 `{name}`"
    );
    Diagnostic::warning(message)
        .at(place.unwrap_or_else(|| Place::new(&module.source, 0..0)))
        .with_hint(instead(purpose))
}

fn instead(purpose: Purpose) -> Text {
    match purpose {
        Purpose::Metadata => text!(
            "delete it, and set `title = \"…\"` and `description = \"…\"` in the page's [[route]] in routes.toml",
            "请删掉它，并在 routes.toml 里这个页面的 [[route]] 中写 `title = \"…\"` 和 `description = \"…\"`"
        ),
        Purpose::Data => text!(
            "delete it: import data that is known at build time, such as a JSON file, and fetch the rest in `useEffect`",
            "请删掉它：构建时就知道的数据可以直接 import（例如 JSON 文件），其余的请在 `useEffect` 里 fetch"
        ),
        Purpose::Action => text!(
            "delete it, and send the form with `fetch` in `onSubmit`: a portal has no server",
            "请删掉它，并在 `onSubmit` 里用 `fetch` 发送表单：门户没有自己的服务器"
        ),
        Purpose::Addresses => text!(
            "delete it, and add a [[route]] for each address to routes.toml; several can name this file with `component`",
            "请删掉它，并在 routes.toml 里为每个网址写一个 [[route]]；几个 [[route]] 可以用 `component` 指定同一个文件"
        ),
        Purpose::Rendering => {
            text!("delete it: every page is rendered at build time", "请删掉它：每个页面都在构建门户时渲染")
        }
    }
}
