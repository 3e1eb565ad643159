//! What is wrong with a style sheet, and what browsers make of it.

use std::{ops::Range, sync::Arc};

use lightningcss::error::{Error, ParserError, SelectorError};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    text::{self, Text, text},
};

use super::{Reader, css_text, tools::Recipe};

/// What a reading of the sheet came upon.
pub(crate) struct Problem {
    kind: ProblemKind,
    line: u32,
    column: u32,
}

enum ProblemKind {
    LateImport,
    LateNamespace,
    UnknownAtRule(String),
    UnknownPseudo(String),
    OldNest,
    /// `@value` of CSS modules.
    Value,
    Other(Text),
}

/// What a problem comes to.
pub(crate) struct Judged {
    pub warning: Diagnostic,
    /// The range of the source that browsers skip.
    pub skips: Option<Range<usize>>,
}

impl Problem {
    pub(crate) fn new(error: &Error<ParserError<'_>>) -> Self {
        let kind = match &error.kind {
            ParserError::UnexpectedImportRule => ProblemKind::LateImport,
            ParserError::UnexpectedNamespaceRule => ProblemKind::LateNamespace,
            ParserError::AtRuleInvalid(name) => ProblemKind::UnknownAtRule(name.to_string()),
            ParserError::SelectorError(SelectorError::UnsupportedPseudoClass(name)) => {
                ProblemKind::UnknownPseudo(format!(":{name}"))
            }
            ParserError::SelectorError(SelectorError::UnsupportedPseudoElement(name)) => {
                ProblemKind::UnknownPseudo(format!("::{name}"))
            }
            ParserError::DeprecatedNestRule => ProblemKind::OldNest,
            ParserError::DeprecatedCssModulesValueRule => ProblemKind::Value,
            other => ProblemKind::Other(reason(other)),
        };
        let (line, column) = error.loc.as_ref().map_or((0, 1), |location| (location.line, location.column));
        Self { kind, line, column }
    }
}

impl Reader<'_> {
    /// Says what a problem means to browsers. The parser forgets the declarations before one that it cannot read, so
    /// that one has to be taken out of the text.
    ///
    /// # Errors
    /// What would not be CSS to any browser, but was meant for a tool that builds it.
    pub(crate) fn judge(&self, problem: &Problem) -> Result<Judged, Diagnostic> {
        let place = self.place_at(problem.line, problem.column);
        let item = self.outline.item_at(place.span.start);
        let place = item.map_or(place, |item| self.first_line(item.prelude()));
        let prelude = item.map_or("", |item| &self.source.text[item.prelude()]);
        let (message, hint, is_kept) = match &problem.kind {
            ProblemKind::Value => {
                let message = text!("`@value` is not supported", "不支持 `@value`");
                return Err(Diagnostic::error(message).at(place).with_hint(text!(
                    "use a custom property: `--name: value` in `:root`, and `var(--name)`",
                    "请改用自定义属性：在 `:root` 里写 `--name: value`，再用 `var(--name)`"
                )));
            }
            ProblemKind::LateImport => (
                text!(
                    "browsers skip this `@import` because it comes after other rules",
                    "浏览器会跳过这个 `@import`，因为它在其他规则之后"
                ),
                Some(text!("move it to the top of the style sheet", "请移到样式表的开头")),
                false,
            ),
            ProblemKind::LateNamespace => (
                text!(
                    "browsers skip this `@namespace` because it comes after other rules",
                    "浏览器会跳过这个 `@namespace`，因为它在其他规则之后"
                ),
                Some(text!("move it to the top, after every `@import`", "请移到开头，放在所有 `@import` 之后")),
                false,
            ),
            ProblemKind::UnknownAtRule(name) if is_known_at_rule(name) => {
                let message = text!(
                    "browsers skip this rule: `@{name}` is not allowed here",
                    "浏览器会跳过这条规则：这里不能写 `@{name}`"
                );
                (message, None, false)
            }
            ProblemKind::UnknownAtRule(name) => {
                let meant = || did_you_mean(name, AT_RULES).map(|meant| text::did_you_mean(format_args!("@{meant}")));
                let hint = Recipe::of_at_rule(name).map(Recipe::into_hint).or_else(meant);
                (text!("browsers do not support `@{name}`", "浏览器不支持 `@{name}`"), hint, true)
            }
            ProblemKind::UnknownPseudo(name) => {
                let message = text!(
                    "browsers that do not support `{name}` skip this rule",
                    "不支持 `{name}` 的浏览器会跳过这条规则"
                );
                let meant = did_you_mean(name, PSEUDOS).map(text::did_you_mean);
                (message, meant, true)
            }
            ProblemKind::OldNest => {
                let message = text!(
                    "browsers do not support `@nest`; write only its selector",
                    "浏览器不支持 `@nest`；请只写它的选择器"
                );
                (message, None, true)
            }
            ProblemKind::Other(reason) if self.keeps_condition(prelude) => {
                let message = text!(
                    "browsers may not understand this condition: {reason}",
                    "浏览器可能无法识别这个条件：{reason}",
                    reason
                );
                (message, None, true)
            }
            ProblemKind::Other(reason) => {
                let stray = stray(prelude);
                let (reason, hint) = stray.map_or((reason.clone(), None), |(reason, hint)| (reason, Some(hint)));
                let is_rule = prelude.starts_with('@') || item.is_some_and(|item| item.block.is_some());
                let what = if is_rule { text!("rule", "这条规则") } else { text!("declaration", "这条声明") };
                let message =
                    text!("browsers skip this {what}: {reason}", "浏览器会跳过{what}：{reason}", what, reason);
                (message, hint, false)
            }
        };
        let warning = Diagnostic::warning(message).at(place);
        let warning = warning.with_hints(hint);
        Ok(Judged { warning, skips: item.filter(|_| !is_kept).map(|item| item.range.clone()) })
    }
}

/// The parser's words for a mistake, except where they would be about the parser.
fn reason(error: &ParserError<'_>) -> Text {
    match error {
        ParserError::UnexpectedToken(token)
        | ParserError::SelectorError(
            SelectorError::BadValueInAttr(token)
            | SelectorError::ClassNeedsIdent(token)
            | SelectorError::ExpectedBarInAttr(token)
            | SelectorError::ExplicitNamespaceUnexpectedToken(token)
            | SelectorError::InvalidQualNameInAttr(token)
            | SelectorError::NoQualifiedNameInAttributeSelector(token)
            | SelectorError::PseudoElementExpectedIdent(token)
            | SelectorError::UnexpectedSelectorAfterPseudoElement(token)
            | SelectorError::UnexpectedTokenInAttributeSelector(token),
        ) => {
            let token = css_text(token).unwrap_or_default();
            if token.trim().is_empty() {
                return text!("unexpected space", "这里不该有空格");
            }
            text!("unexpected `{token}`", "这里不该有 `{token}`")
        }
        ParserError::SelectorError(SelectorError::EmptySelector) => {
            text!("a selector is missing or invalid", "选择器缺失或无效")
        }
        ParserError::SelectorError(SelectorError::DanglingCombinator) => {
            text!("a selector is missing next to `>`, `+` or `~`", "`>`、`+` 或 `~` 旁边缺少选择器")
        }
        ParserError::EndOfInput => text!("it is incomplete", "末尾不完整"),
        other => Text::verbatim(sentence(&other.to_string())),
    }
}

/// A message as part of a sentence.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.trim_end_matches('.').chars();
    let is_name = message.starts_with("CSS");
    match characters.next() {
        Some(first) if !is_name => first.to_lowercase().chain(characters).collect(),
        _ => message.to_owned(),
    }
}

/// What a rule begins with that is part of no selector, as a reason to skip it, and what to do about it.
fn stray(prelude: &str) -> Option<(Text, Text)> {
    if prelude.starts_with('}') {
        let reason = text!("the `}}` before it has no matching `{{`", "它前面的 `}}` 没有对应的 `{{`");
        return Some((
            reason,
            text!("delete the `}}`, or add the missing `{{`", "请删掉这个 `}}`，或者补上对应的 `{{`"),
        ));
    }
    if prelude.starts_with("//") {
        let reason = text!("CSS has no `//` comments", "CSS 里不能用 `//` 写注释");
        return Some((reason, text::write("/* … */")));
    }
    if let Some((name, value)) = variable_of_sass(prelude) {
        let reason = text!("variables as in Sass are not part of CSS", "CSS 里没有 Sass 的变量");
        return Some((
            reason,
            text!(
                "write `--{name}: {value};` into `:root {{ … }}`, and `var(--{name})` in the place of `${name}`",
                "请在 `:root {{ … }}` 里写 `--{name}: {value};`，并把 `${name}` 改成 `var(--{name})`"
            ),
        ));
    }
    prelude.starts_with(';').then(|| {
        let reason = text!("there is a `;` before it", "它前面多了一个 `;`");
        (reason, text!("delete the `;`: rules end with `}}`", "请删掉这个 `;`：规则以 `}}` 结束"))
    })
}

/// The name and the value of `$name: value`.
fn variable_of_sass(prelude: &str) -> Option<(&str, &str)> {
    let (name, rest) = prelude.strip_prefix('$')?.split_once(':')?;
    let value = rest.split([';', '\n']).next()?.trim();
    (!name.is_empty() && !value.is_empty() && !name.contains(char::is_whitespace)).then_some((name, value))
}

/// Pseudo-classes and pseudo-elements, to find the one that was meant.
const PSEUDOS: [&str; 46] = [
    ":active",
    ":any-link",
    ":autofill",
    ":checked",
    ":default",
    ":defined",
    ":dir",
    ":disabled",
    ":empty",
    ":enabled",
    ":first-child",
    ":first-of-type",
    ":focus",
    ":focus-visible",
    ":focus-within",
    ":fullscreen",
    ":has",
    ":hover",
    ":indeterminate",
    ":invalid",
    ":is",
    ":lang",
    ":last-child",
    ":last-of-type",
    ":link",
    ":not",
    ":nth-child",
    ":nth-of-type",
    ":only-child",
    ":placeholder-shown",
    ":required",
    ":root",
    ":target",
    ":valid",
    ":visited",
    ":where",
    "::after",
    "::backdrop",
    "::before",
    "::first-letter",
    "::first-line",
    "::marker",
    "::part",
    "::placeholder",
    "::selection",
    "::slotted",
];

/// At-rules that the parser knows: it complains of them only where they stand in the wrong place.
const AT_RULES: [&str; 19] = [
    "charset",
    "container",
    "counter-style",
    "font-face",
    "font-feature-values",
    "font-palette-values",
    "import",
    "keyframes",
    "layer",
    "media",
    "namespace",
    "page",
    "position-try",
    "property",
    "scope",
    "starting-style",
    "supports",
    "view-transition",
    "viewport",
];

fn is_known_at_rule(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let plain = ["-webkit-", "-moz-", "-ms-", "-o-"].iter().find_map(|prefix| name.strip_prefix(prefix));
    AT_RULES.contains(&plain.unwrap_or(&name))
}

pub(crate) fn unclosed(source: &Arc<SourceText>, at: usize) -> Diagnostic {
    Diagnostic::warning(text!(
        "this `{{` is never closed, so everything after it becomes part of its rule",
        "这个 `{{` 没有闭合，后面的内容都成了这条规则的一部分"
    ))
    .at(Place::new(source, at..at + 1))
    .with_hint(text!("write `}}` where the rule ends", "请在规则结束的地方写 `}}`"))
}
