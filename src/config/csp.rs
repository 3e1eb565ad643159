//! What the owner of a portal adds to its content security policy.

use super::value::Problem;
use crate::{
    diagnostic::did_you_mean,
    hosting::directive_names,
    text::{self, text},
};

/// A directive with the sources that it allows besides what the build finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CspDirective {
    /// Its name: `connect-src`.
    pub name: &'static str,
    /// What it allows: `https://api.example.com`, `'unsafe-inline'`.
    pub sources: Vec<String>,
}

impl CspDirective {
    /// Reads a directive as policies write it, without the semicolon.
    ///
    /// # Errors
    /// A directive that there is not, or that has no sources; characters that would end it.
    pub(crate) fn parse(written: &str) -> Result<Self, Problem> {
        let is_unwanted = |c: char| matches!(c, ';' | ',') || !c.is_ascii() || c.is_ascii_control();
        if let Some((at, c)) = written.char_indices().find(|(_, c)| is_unwanted(*c)) {
            return Err(Problem::new(text!("a directive cannot have `{c}` in it", "指令里不能有 `{c}`"))
                .at(at..at + c.len_utf8())
                .hint(text!("write one directive in each text of the list", "列表里的每段文字只写一条指令")));
        }
        let mut words = written.split_whitespace();
        let first = words.next().unwrap_or_default();
        let Some(name) = directive_names().find(|name| *name == first) else {
            let problem = Problem::new(text!("there is no directive `{first}`", "没有 `{first}` 这条指令"));
            let example = || {
                text!("for example `connect-src https://api.example.com`", "例如 `connect-src https://api.example.com`")
            };
            return Err(problem.hint(did_you_mean(first, directive_names()).map_or_else(example, text::did_you_mean)));
        };
        let sources: Vec<String> = words.map(str::to_owned).collect();
        if sources.is_empty() {
            return Err(Problem::new(text!("`{name}` allows nothing", "`{name}` 没有写允许什么")).hint(text!(
                "write what it allows behind it: `{name} https://…`",
                "请在后面写上允许的来源：`{name} https://…`"
            )));
        }
        Ok(Self { name, sources })
    }
}
