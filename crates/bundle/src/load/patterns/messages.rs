//! What to say of patterns that lead to no file.

use std::io;

use swc_core::common::Span;

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{self, display_name},
    text::text,
};

use super::{
    super::{Loader, glob_call},
    Expansion,
};
use crate::syntax::place;

impl Expansion<'_> {
    pub(super) fn refusal(&self, error: &io::Error, span: Span, pattern: &str) -> Diagnostic {
        let (reason, hint) = source::explain(error);
        let message = text!("cannot search for `{pattern}`: {reason}", "无法查找 `{pattern}`：{reason}", reason);
        Diagnostic::error(message).at(place(self.source, span)).with_hints(hint)
    }

    /// What a specifier begins with is a name for no folder.
    pub(super) fn no_such_name(&self, span: Span, pattern: &str) -> Diagnostic {
        let name = pattern.split('/').next().unwrap_or(pattern);
        let message = text!("no file matches `{pattern}`", "没有文件与 `{pattern}` 匹配");
        let hint = text!(
            "`{name}` is neither a package nor an alias: aliases are set in `paths` of tsconfig.json or `imports` of \
            package.json",
            "`{name}` 既不是包，也不是路径别名：别名在 tsconfig.json 的 `paths` 或 package.json 的 `imports` 里设置"
        );
        Diagnostic::warning(message).at(place(self.source, span)).with_hint(hint)
    }

    pub(super) fn nothing_matches(&self, span: Span, pattern: &str) -> Diagnostic {
        let message = text!("no file matches `{pattern}`", "没有文件与 `{pattern}` 匹配");
        let Loader { options, .. } = self.loader;
        let site = display_name(&options.root, &options.folder);
        let begins = match pattern.strip_prefix('/') {
            Some(rest) => match rest.strip_prefix(&format!("{site}/")) {
                Some(inside) => {
                    text!("`/` stands for {site}/: write `/{inside}`", "`/` 就是 {site}/：请写成 `/{inside}`")
                }
                None => text!("`/` stands for {site}/", "`/` 就是 {site}/"),
            },
            None if pattern.starts_with('.') => {
                text!("the path is relative to the folder of this file", "路径从这个文件所在的文件夹算起")
            }
            None if pattern.starts_with("**") => text!("all of {site}/ is searched", "在整个 {site}/ 里查找"),
            None => text!(
                "the path is relative to the folder set by `paths`, `imports` or the package",
                "路径从 `paths`、`imports` 或包所指的文件夹算起"
            ),
        };
        let hint = text!(
            "`*` matches part of one name, `**` any number of folders; {begins}",
            "`*` 匹配一个名字的一部分，`**` 匹配任意层文件夹；{begins}",
            begins
        );
        Diagnostic::warning(message).at(place(self.source, span)).with_hint(hint)
    }

    /// A pattern that begins neither with a path nor with a name for one.
    pub(super) fn leads_nowhere(&self, pattern: &glob_call::Pattern) -> Diagnostic {
        let (sign, written) = (if pattern.is_negative { "!" } else { "" }, &pattern.text);
        let message = text!(
            "a pattern of `import.meta.glob` begins with `./`, `../`, `/` or an alias from `paths`",
            "`import.meta.glob` 的路径模式要以 `./`、`../`、`/` 或 `paths` 里的别名开头"
        );
        let hint = text!(
            "write `{sign}./{written}`, or begin with `/` for the site folder",
            "请写成 `{sign}./{written}`；以 `/` 开头则从网站文件夹算起"
        );
        Diagnostic::error(message).at(place(self.source, pattern.span)).with_hint(hint)
    }
}
