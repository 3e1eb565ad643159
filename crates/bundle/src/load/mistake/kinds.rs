//! The parser's errors in words, with what to write instead.
//!
//! An error names the token at which the parser stopped. What people wrote there is read from the text around it.

use swc_core::{
    common::Spanned,
    ecma::parser::error::{Error, SyntaxError},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

use super::{
    Refused, opened_here,
    outline::{Kind, Opening, ends_with_word, last_block_before, line_before, open_at},
};
use crate::syntax::place;

/// Words that mean something to the language, so nothing can be called by them.
const RESERVED: [&str; 40] = [
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "while",
    "with",
];

/// Characters of a Chinese keyboard, and what code has in their place.
const WIDE: [(char, &str); 18] = [
    ('，', ","),
    ('；', ";"),
    ('：', ":"),
    ('（', "("),
    ('）', ")"),
    ('【', "["),
    ('】', "]"),
    ('｛', "{"),
    ('｝', "}"),
    ('“', "\""),
    ('”', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('！', "!"),
    ('？', "?"),
    ('。', "."),
    ('＝', "="),
    ('、', ","),
];

/// What is told about an error.
struct Told {
    message: Text,
    hint: Option<Text>,
}

impl Told {
    fn new(message: Text) -> Self {
        Self { message, hint: None }
    }

    fn with(message: Text, hint: Text) -> Self {
        Self { message, hint: Some(hint) }
    }
}

/// The token that an error points at, and what stands around it.
struct Stop<'a> {
    refused: &'a Refused<'a>,
    at: usize,
    /// Empty at the end of the file.
    token: &'a str,
    before: &'a str,
}

impl<'a> Stop<'a> {
    fn new(refused: &'a Refused<'a>, at: usize) -> Self {
        let text = refused.text();
        let at = text.floor_char_boundary(at.min(text.len()));
        let at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let word = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let string = rest.find(['"', '\'', '`']).filter(|at| *at == 0).and_then(|_| {
            let end = rest[1..].find(rest.chars().next()?)? + 2;
            (end < 40 && !rest[..end].contains('\n')).then_some(end)
        });
        let length = string.unwrap_or(if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) });
        Self { refused, at, token: &rest[..length], before: text[..at].trim_end() }
    }

    fn is_word(&self) -> bool {
        self.token.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
    }

    fn is_reserved(&self) -> bool {
        RESERVED.contains(&self.token)
    }

    fn innermost(&self) -> Option<Opening> {
        open_at(self.refused.text(), self.refused.jsx, self.at).pop()
    }

    /// Whether what is innermost are the braces of an attribute.
    fn is_in_attribute(&self) -> bool {
        let open = open_at(self.refused.text(), self.refused.jsx, self.at);
        open.len() > 1 && matches!(open[open.len() - 2].kind, Kind::Tag(_))
    }

    /// Whether a `?` stands in what is innermost, and no `:` behind it.
    fn has_half_a_condition(&self) -> bool {
        let start = self.innermost().map_or(0, |opening| opening.span.end);
        let inside = self.before.get(start..).unwrap_or_default();
        let mut asked = inside.char_indices().filter(|(at, c)| {
            let next = inside[at + 1..].chars().next();
            *c == '?' && !inside[..*at].ends_with('?') && !matches!(next, Some('?' | '.'))
        });
        asked.next_back().is_some_and(|(at, _)| !inside[at..].contains(':'))
    }

    /// What is said to stand there.
    fn shown(&self) -> Text {
        let token = self.token;
        if token.is_empty() {
            text!("the end of the file", "文件末尾")
        } else {
            Text::new(format!("`{token}`"), format!("`{token}` "))
        }
    }
}

/// Puts one error into words.
pub(super) fn tell(refused: &Refused, error: &Error) -> Diagnostic {
    let place = place(refused.source, error.span());
    let stop = Stop::new(refused, place.span.start);
    let told = told(&stop, error.kind(), &refused.text()[place.span.clone()]);
    let is_whole = !place.span.is_empty() && !refused.text()[place.span.clone()].contains('\n');
    let place = if is_whole { place } else { refused.place(stop.at..stop.at + stop.token.len()) };
    let diagnostic = Diagnostic::error(told.message).at(place).with_hints(told.hint);
    with_related(diagnostic, &stop, error.kind())
}

/// Points at what a token is missing from.
fn with_related(diagnostic: Diagnostic, stop: &Stop, kind: &SyntaxError) -> Diagnostic {
    match kind {
        SyntaxError::MultipleDefault { previous } => {
            diagnostic.with_related(place(stop.refused.source, *previous), text!("the first one", "第一个"))
        }
        SyntaxError::AwaitInFunction => match function_around(stop) {
            Some(at) => diagnostic.with_related(
                stop.refused.place(at..at + 1),
                text!("this function is not `async`", "这个函数不是 `async`"),
            ),
            None => diagnostic,
        },
        SyntaxError::Expected(token, _) if token == "," => match stop.innermost() {
            Some(opening) if matches!(opening.kind, Kind::Bracket(_)) => {
                diagnostic.with_related(stop.refused.place(opening.span), opened_here())
            }
            _ => diagnostic,
        },
        _ => diagnostic,
    }
}

/// The `{` of the function around.
fn function_around(stop: &Stop) -> Option<usize> {
    let text = stop.refused.text();
    let open = open_at(text, stop.refused.jsx, stop.at);
    let begins = |opening: &Opening| {
        let before = text[..opening.span.start].trim_end();
        let line = line_before(text, opening.span.start);
        let is_branch = ["if", "for", "while", "switch", "catch", "else", "try", "do"]
            .iter()
            .any(|word| line.trim_start().trim_start_matches("} ").starts_with(word));
        opening.kind == Kind::Bracket('{') && (before.ends_with("=>") || (!is_branch && line.contains(')')))
    };
    open.iter().rfind(|opening| begins(opening)).map(|opening| opening.span.start)
}

fn told(stop: &Stop, kind: &SyntaxError, spanned: &str) -> Told {
    use SyntaxError as E;
    match kind {
        E::UnexpectedChar { c } => foreign_character(*c),
        E::Expected(token, _) => missing(stop, token),
        E::TS1109 | E::InvalidExpr | E::EmptyParenExpr => missing_value(stop),
        E::TS1005 | E::ExpectedSemi | E::ExpectedSemiForExprStmt { .. } => unfinished(stop),
        E::Unexpected { expected, .. } => unexpected(stop, expected),
        E::ExpectedIdent | E::TS1003 | E::InvalidPat => missing_name(stop),
        E::InvalidIdentInStrict(_) | E::ReservedWordInObjShorthandOrPat | E::ReservedWordInImport => {
            reserved(stop.token)
        }
        E::TS1110 => Told::new({
            let shown = stop.shown();
            text!("a type is missing before {shown}", "{shown}之前缺少类型", shown)
        }),
        E::UnexpectedTokenWithSuggestions { .. } => in_text(stop.token),
        E::EmptyJSXAttr => empty_attribute(stop),
        E::InvalidJSXValue => bare_attribute(stop),
        E::JSXExpectedClosingTag { tag } => closing_tag(&format!("<{tag}>"), &format!("</{tag}>")),
        E::JSXExpectedClosingTagForLtGt => closing_tag("<>", "</>"),
        E::AwaitInFunction | E::TopLevelAwaitInScript => await_outside(stop),
        _ => of_statements(stop, kind, spanned).unwrap_or_else(|| of_values(kind, spanned)),
    }
}

fn foreign_character(c: char) -> Told {
    if let Some((_, narrow)) = WIDE.iter().find(|(wide, _)| *wide == c) {
        return Told::with(
            text!("`{c}` is punctuation for prose, not for code", "`{c}` 是中文标点，代码里要用英文标点"),
            text!("write `{narrow}`", "请写 `{narrow}`"),
        );
    }
    let code = u32::from(c);
    let shown = if c.is_control() || c.is_whitespace() { format!("U+{code:04X}") } else { c.to_string() };
    Told::with(
        text!("the character `{shown}` is not allowed here", "这里不能有字符 `{shown}`"),
        text!("delete it, or put it inside quotes", "请删掉它，或者把它写进引号里"),
    )
}

/// A token without which the parser could not go on.
fn missing(stop: &Stop, token: &str) -> Told {
    let shown = stop.shown();
    let shown_token = stop.token;
    let innermost = stop.innermost();
    match (token, &innermost) {
        ("(", _) if last_word(stop.before).is_some_and(|word| ["if", "while", "for", "switch"].contains(&word)) => {
            let word = last_word(stop.before).unwrap_or_default();
            Told::with(
                text!("the expression after `{word}` needs parentheses", "`{word}` 后面的表达式要写在小括号里"),
                text!("write `{word} (…)`", "请写 `{word} (…)`"),
            )
        }
        ("...", _) => {
            let name = stop.token;
            Told::with(
                text!("braces between attributes can only spread an object", "属性之间的大括号只能用来展开对象"),
                text!("write `{{...{name}}}`, or `{name}={{{name}}}`", "请写 `{{...{name}}}` 或 `{name}={{{name}}}`"),
            )
        }
        ("}", _) if stop.token == ":" => Told::with(
            text!(
                "braces in JSX contain an expression, and an object needs its own pair of braces",
                "JSX 的大括号里写的是表达式，对象还要再写一层大括号"
            ),
            text!(
                "write two braces on each side: `{{{{ name: value }}}}`",
                "请在两边各写两个大括号：`{{{{ name: value }}}}`"
            ),
        ),
        ("</", _) if stop.before.ends_with('=') && !stop.before.ends_with("==") => bare_attribute(stop),
        ("</", _) => no_value_in_braces(stop),
        ("}", Some(Opening { kind: Kind::Bracket('{'), .. })) if stop.is_in_attribute() => no_value_in_braces(stop),
        ("from", _) if ["form", "fron", "fom", "frm", "frmo"].contains(&stop.token) => Told::with(
            text!("`{shown_token}` is not a keyword", "`{shown_token}` 不是关键字"),
            text!("write `from` instead", "请改成 `from`"),
        ),
        (":", _) if !matches!(innermost.as_ref().map(|opening| &opening.kind), Some(Kind::Bracket('{'))) => Told::with(
            text!("`?` needs `:` and a second value", "`?` 后面还缺少 `:` 和第二个值"),
            text!("write `condition ? value : other`", "请写 `condition ? value : other`"),
        ),
        (",", _) if stop.token == ";" => Told::with(
            text!("items of an object or a list are separated by commas", "对象和列表的各项要用逗号分隔"),
            text!("replace `;` with `,`", "请把 `;` 改成 `,`"),
        ),
        (",", Some(Opening { kind: Kind::Bracket(_), .. })) => {
            let closing = innermost.map(|opening| opening.closing()).unwrap_or_default();
            Told::with(
                text!("`,` is missing before {shown}", "{shown}之前缺少 `,`", shown),
                text!(
                    "write `,` before it, or `{closing}` if nothing follows",
                    "请在它前面写 `,`；如果后面没有内容了，请写 `{closing}`"
                ),
            )
        }
        _ => Told::with(
            text!("`{token}` is missing before {shown}", "{shown}之前缺少 `{token}`", shown),
            text!("write `{token}` before it", "请在它前面写 `{token}`"),
        ),
    }
}

/// A statement, or two values, in the braces of JSX.
fn no_value_in_braces(stop: &Stop) -> Told {
    let token = stop.token;
    match token {
        "if" | "switch" => Told::with(
            text!(
                "`{token}` is a statement, but JSX braces take an expression",
                "`{token}` 是语句，而 JSX 的大括号里只能写表达式"
            ),
            text!(
                "write `{{condition ? <A /> : <B />}}` or `{{condition && <A />}}`",
                "请写 `{{condition ? <A /> : <B />}}` 或 `{{condition && <A />}}`"
            ),
        ),
        "for" | "while" => Told::with(
            text!(
                "`{token}` is a statement, but JSX braces take an expression",
                "`{token}` 是语句，而 JSX 的大括号里只能写表达式"
            ),
            text!(
                "write `{{list.map((item) => <li key={{item.id}}>…</li>)}}`",
                "请写 `{{list.map((item) => <li key={{item.id}}>…</li>)}}`"
            ),
        ),
        "const" | "let" | "var" | "return" => Told::with(
            text!(
                "`{token}` is a statement, but JSX braces take an expression",
                "`{token}` 是语句，而 JSX 的大括号里只能写表达式"
            ),
            text!(
                "compute the value before the component's `return`, and write its name here",
                "请在组件的 `return` 之前算出这个值，这里只写变量名"
            ),
        ),
        "}" if stop.has_half_a_condition() => Told::with(
            text!("`?` needs `:` and a second value", "`?` 后面还缺少 `:` 和第二个值"),
            text!(
                "write `: null` before `}}` if there is nothing else to show",
                "如果没有别的内容要显示，请在 `}}` 之前写 `: null`"
            ),
        ),
        ":" => Told::with(
            text!("`:` has no `?` before it", "`:` 前面没有对应的 `?`"),
            text!(
                "write `{{condition ? <A /> : <B />}}`; `&&` shows one of them or nothing",
                "请写 `{{condition ? <A /> : <B />}}`；`&&` 只能显示一个，或者什么都不显示"
            ),
        ),
        _ => {
            let shown = stop.shown();
            Told::with(
                text!(
                    "JSX braces take one expression, and {shown} cannot continue it",
                    "JSX 的大括号里只能写一个表达式，{shown}接不上前面的内容",
                    shown
                ),
                text!(
                    "write `}}` where the expression ends, or put an operator such as `&&` between the two",
                    "请在表达式结束的地方写 `}}`，或者在两者之间写 `&&` 之类的运算符"
                ),
            )
        }
    }
}

fn missing_value(stop: &Stop) -> Told {
    let token = stop.token;
    if ends_with_word(stop.before, "default") && ["const", "let", "var"].contains(&token) {
        return Told::with(
            text!("`export default` cannot be followed by `{token}`", "`export default` 后面不能写 `{token}`"),
            text!(
                "declare it first, then export it by name: `export default name;`",
                "请先声明，再按名字导出：`export default name;`"
            ),
        );
    }
    if stop.before.ends_with("={") || stop.before.ends_with("={}") {
        return empty_attribute(stop);
    }
    let shown = stop.shown();
    let last = stop.before.chars().next_back();
    match last.filter(|last| !last.is_alphanumeric()) {
        Some(_) if stop.before.ends_with("=>") => Told::with(
            text!("this arrow function has no body", "这个箭头函数没有函数体"),
            text!("write a value or `{{ … }}` after `=>`", "请在 `=>` 后面写一个值或 `{{ … }}`"),
        ),
        Some(last) => Told::with(
            text!(
                "a value is missing between `{last}` and {shown}",
                "{shown}之前缺少值：`{last}` 后面要有一个值",
                shown
            ),
            text!("write the missing value, or delete `{last}`", "请补上这个值，或者删掉 `{last}`"),
        ),
        None => Told::new(text!("a value is missing before {shown}", "{shown}之前缺少值", shown)),
    }
}

/// A statement that should have ended, and goes on.
fn unfinished(stop: &Stop) -> Told {
    let text = stop.refused.text();
    let token = stop.token;
    let quote = text[..stop.at].chars().next_back().filter(|c| matches!(c, '\'' | '"'));
    if let (Some(quote), true) = (quote, stop.is_word()) {
        let other = if quote == '\'' { '"' } else { '\'' };
        return Told::with(
            text!("the string ends at the quote before `{token}`", "字符串在 `{token}` 前面的引号处就结束了"),
            text!(
                "if that quote is part of the text, put the whole string into `{other}`, or write `\\{quote}`",
                "如果这个引号是文字的一部分，请改用 `{other}` 包住整个字符串，或者写成 `\\{quote}`"
            ),
        );
    }
    if token == "-" && ["const", "let", "var"].iter().any(|word| ends_with_word(before_last_word(stop.before), word)) {
        return dash();
    }
    match last_word(stop.before) {
        Some("await") => return await_outside(stop),
        Some("elseif" | "elif") => return else_if(),
        _ => {}
    }
    if let Some(block) = last_block_before(text, stop.refused.jsx, stop.at)
        && ends_with_word(&text[..block], "try")
    {
        return Told::with(
            text!("`try` has neither `catch` nor `finally`", "`try` 后面既没有 `catch` 也没有 `finally`"),
            text!("write `catch (error) {{ … }}` after its block", "请在它的代码块后面写 `catch (error) {{ … }}`"),
        );
    }
    if stop.before.ends_with(')') && line_before(text, stop.at).contains("elseif") {
        return else_if();
    }
    let shown = stop.shown();
    Told::with(
        text!("{shown} cannot follow what comes before it", "{shown}接不上前面的内容", shown),
        text!(
            "end the previous statement with `;`, or add the missing operator",
            "请在前一条语句末尾写 `;`，或者补上缺少的运算符"
        ),
    )
}

fn else_if() -> Told {
    Told::with(
        text!("JavaScript has no `elseif`: `else` and `if` are two words", "JavaScript 里 `else` 和 `if` 要分开写"),
        text!("write `else if (…)`", "请写 `else if (…)`"),
    )
}

fn dash() -> Told {
    Told::with(
        text!("names cannot contain `-`", "名字里不能有 `-`"),
        text!("use camel case: `myName`", "请用驼峰写法：`myName`"),
    )
}

fn unexpected(stop: &Stop, expected: &str) -> Told {
    let token = stop.token;
    if stop.is_reserved() && !expected.contains("string literal") {
        return reserved(token);
    }
    if let Some(word @ ("const" | "let" | "var")) = last_word(stop.before) {
        return Told::with(
            text!("class fields are declared without `{word}`", "类的字段前面不写 `{word}`"),
            text!("delete `{word}`", "请删掉 `{word}`"),
        );
    }
    if token == "," && stop.before.ends_with('}') {
        return Told::with(
            text!("members of a class are not separated by commas", "类的成员之间不写逗号"),
            text!("delete `,`", "请删掉 `,`"),
        );
    }
    if expected == "a string literal" {
        return Told::with(
            text!("the import source must be a string", "导入的来源必须是字符串"),
            text!("put it in quotes, as in `from \"./file\"`", "请加上引号，例如 `from \"./file\"`"),
        );
    }
    let shown = stop.shown();
    let told = text!("unexpected {shown}", "这里不能写{shown}", shown);
    let is_in_braces = matches!(stop.innermost(), Some(Opening { kind: Kind::Bracket('{'), .. }));
    if token == "=" && stop.before.ends_with(['"', '\'']) && is_in_braces {
        return Told::with(told, text!("write `:` between a name and its value", "名字和值之间请写 `:`"));
    }
    Told::new(told)
}

fn missing_name(stop: &Stop) -> Told {
    if stop.is_reserved() {
        return reserved(stop.token);
    }
    if stop.token == "(" && last_word(stop.before) == Some("function") {
        return Told::with(
            text!("this function has no name", "这个函数没有名字"),
            text!("write a name after `function`", "请在 `function` 后面写名字"),
        );
    }
    let shown = stop.shown();
    Told::new(text!("a name is missing before {shown}", "{shown}之前缺少名字", shown))
}

fn reserved(word: &str) -> Told {
    Told::with(
        text!("`{word}` is a reserved word and cannot be used as a name", "`{word}` 是保留字，不能用作名字"),
        text!("choose another name, such as `{word}Value`", "请换一个名字，比如 `{word}Value`"),
    )
}

/// `>` and `}` in the text of an element.
fn in_text(token: &str) -> Told {
    if token == ">" {
        return Told::with(
            text!("`>` is not allowed in the text of an element", "元素的文本里不能直接写 `>`"),
            text!("write `&gt;` or `{{\">\"}}`", "请写 `&gt;` 或 `{{\">\"}}`"),
        );
    }
    Told::with(
        text!("this `{token}` in the text of an element closes nothing", "元素文本里的这个 `{token}` 没有对应的开头"),
        text!("delete it, or write `{{\"{token}\"}}` to display it", "请删掉它；如果要显示它，请写 `{{\"{token}\"}}`"),
    )
}

fn empty_attribute(stop: &Stop) -> Told {
    let name = last_word(stop.before.trim_end_matches(['{', '}', '='])).unwrap_or("attribute");
    Told::with(
        text!("the braces of the attribute `{name}` are empty", "属性 `{name}` 的大括号里没有内容"),
        text!("write a value inside them, or delete the attribute", "请在里面写一个值，或者删掉这个属性"),
    )
}

fn bare_attribute(stop: &Stop) -> Told {
    let name = last_word(stop.before.trim_end_matches('=')).unwrap_or("name");
    let value = if stop.is_word() { stop.token } else { "…" };
    Told::with(
        text!(
            "the value of the attribute `{name}` has neither quotes nor braces",
            "属性 `{name}` 的值既没有引号也没有大括号"
        ),
        text!(
            "write `{name}=\"{value}\"` for text, or `{name}={{{value}}}` for a variable",
            "文本请写 `{name}=\"{value}\"`，变量请写 `{name}={{{value}}}`"
        ),
    )
}

fn closing_tag(opening: &str, closing: &str) -> Told {
    Told::with(
        text!("`{opening}` is closed by the end tag of another element", "`{opening}` 被别的元素的结束标签关闭了"),
        text!("write `{closing}`", "请写 `{closing}`"),
    )
}

fn await_outside(stop: &Stop) -> Told {
    let text = stop.refused.text();
    let function = function_around(stop).map(|at| line_before(text, at));
    let message = text!("`await` is allowed only in an `async` function", "`await` 只能写在 `async` 函数里");
    let is_effect = |line: &str| ["useEffect(", "useLayoutEffect("].iter().any(|hook| line.contains(hook));
    if function.is_some_and(is_effect) {
        return Told::with(
            message,
            text!(
                "an effect cannot be `async`: declare `async function load() {{ … }}` inside it, and call `load();`",
                "effect 不能是 `async`：请在里面声明 `async function load() {{ … }}`，再调用 `load();`"
            ),
        );
    }
    Told::with(message, text!("write `async` before the function around it", "请在外层函数前面写 `async`"))
}

/// What has to do with where statements and declarations may stand.
fn of_statements(stop: &Stop, kind: &SyntaxError, spanned: &str) -> Option<Told> {
    use SyntaxError as E;
    let token = stop.token;
    Some(match kind {
        E::NonTopLevelImportExport | E::ImportExportInScript | E::ExportNotAllowed | E::InvalidImport => {
            let hint = if token == "import" {
                text!(
                    "move it to the top of the file, or load the module with `await import(\"…\")`",
                    "请移到文件开头，或者用 `await import(\"…\")` 加载模块"
                )
            } else {
                text!("move it out of the enclosing function or block", "请把它移到外层函数或代码块之外")
            };
            Told::with(
                text!("`{token}` is allowed only at the top level of a file", "`{token}` 只能写在文件的最外层"),
                hint,
            )
        }
        E::IdentAfterNum if is_unit(stop.token) => {
            let number = stop.before.rsplit(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
            Told::with(
                text!("numbers have no units in JavaScript", "JavaScript 的数字不能带单位"),
                text!("write a string: `\"{number}{token}\"`", "请写成文本：`\"{number}{token}\"`"),
            )
        }
        E::ReturnNotAllowed => Told::with(
            text!("this `return` is outside any function", "这个 `return` 不在任何函数里"),
            text!("put it into a function, or delete it", "请把它放进函数里，或者删掉它"),
        ),
        E::ConstDeclarationsRequireInitialization => {
            if stop.refused.text()[stop.at + token.len()..].starts_with('-') {
                return Some(dash());
            }
            Told::with(
                text!("the constant `{token}` has no value", "常量 `{token}` 没有值"),
                text!(
                    "write `= …` after it, or use `let` if it is assigned later",
                    "请在后面写 `= …`；如果以后才赋值，请用 `let`"
                ),
            )
        }
        E::PatVarWithoutInit => Told::with(
            text!("there is nothing to destructure here", "这里没有可以解构的值"),
            text!("write `= …` after it", "请在后面写 `= …`"),
        ),
        E::MultipleDefault { .. } => Told::with(
            text!("a `switch` can have only one `default`", "一个 `switch` 最多只能有一个 `default`"),
            text!("delete one of them, or write `case …:`", "请删掉其中一个，或者写 `case …:`"),
        ),
        E::TS1105 => Told::with(
            text!("this `break` is outside any loop or `switch`", "这个 `break` 不在循环或 `switch` 里"),
            text!("write `return` to leave the function", "要离开函数，请写 `return`"),
        ),
        E::TS1115 | E::TS1116 | E::TS1107 => {
            Told::new(text!("`{spanned}` has no loop around it", "`{spanned}` 外面没有循环"))
        }
        E::TS1185 => Told::with(
            text!("this file contains a Git merge conflict", "文件里有 Git 合并冲突"),
            text!(
                "keep one of the two versions, and delete the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
                "请保留其中一个版本，并删掉带有 `<<<<<<<`、`=======` 和 `>>>>>>>` 的行"
            ),
        ),
        E::TS1014 | E::NonLastRestParam | E::CommaAfterRestElement => Told::with(
            text!("a rest element (`...`) must come last", "用 `...` 接收其余内容的一项要写在最后"),
            text!("move it to the end, without a comma after it", "请把它移到末尾，后面不要写逗号"),
        ),
        E::DeclNotAllowed => Told::with(
            text!("a declaration here needs a block around it", "这里的声明要放在代码块里"),
            text!("write `{{` before it and `}}` after it", "请在前面写 `{{`，在后面写 `}}`"),
        ),
        E::LineBreakInThrow => Told::with(
            text!("`throw` and its value must be on the same line", "`throw` 的值要和它写在同一行"),
            text!("join the two lines", "请把两行合成一行"),
        ),
        E::DuplicateConstructor => {
            Told::new(text!("a class can have only one `constructor`", "一个类最多只能有一个 `constructor`"))
        }
        E::DuplicateLabel(label) => Told::new(text!("duplicate label `{label}`", "标签 `{label}` 重复了")),
        E::GetterParam => Told::new(text!("a getter takes no parameters", "getter 不能有参数")),
        E::SetterParam | E::SetterParamRequired => {
            Told::new(text!("a setter takes exactly one parameter", "setter 只能有一个参数"))
        }
        E::WithInStrict => Told::new(text!("`with` is not allowed in an ES module", "ES 模块里不能写 `with`")),
        _ => return None,
    })
}

/// What has to do with values and how they are written.
fn of_values(kind: &SyntaxError, spanned: &str) -> Told {
    use SyntaxError as E;
    match kind {
        E::UnterminatedRegExp => Told::with(
            text!("this regular expression has no closing `/`", "这个正则表达式缺少结尾的 `/`"),
            text!("write `/` where it ends", "请在它结束的地方写 `/`"),
        ),
        E::UnterminatedStrLit => Told::new(text!("this string has no closing quote", "这个字符串缺少结尾的引号")),
        E::UnterminatedTpl => Told::new(text!("this template literal is not closed", "这个模板字符串没有闭合")),
        E::Eof => Told::new(text!("unexpected end of file", "文件没有写完就结束了")),
        E::LegacyCommentInModule => Told::with(
            text!("HTML comments are not allowed in JavaScript", "JavaScript 里不能写 HTML 注释"),
            text!("write `//` or `/* … */`", "请写 `//` 或 `/* … */`"),
        ),
        E::UnterminatedBlockComment => Told::new(text!("this comment is not closed", "这段注释没有闭合")),
        E::IdentAfterNum => Told::with(
            text!("a name cannot begin with a digit", "名字不能以数字开头"),
            text!("begin with a letter", "请以字母开头"),
        ),
        E::NullishCoalescingWithLogicalOp => Told::with(
            text!("`??` and `||` or `&&` cannot be mixed without parentheses", "`??` 与 `||`、`&&` 混用时必须加小括号"),
            text!("write `(a ?? b) || c` or `a ?? (b || c)`", "请写 `(a ?? b) || c` 或 `a ?? (b || c)`"),
        ),
        E::InvalidAssignTarget | E::TS2406 | E::NotSimpleAssign if spanned.contains("?.") => Told::with(
            text!("`?.` cannot be used in an assignment", "赋值语句的左边不能用 `?.`"),
            text!(
                "check that the object exists first: `if (object) object.name = …`",
                "请先判断对象是否存在：`if (object) object.name = …`"
            ),
        ),
        E::InvalidAssignTarget | E::TS2406 | E::NotSimpleAssign => Told::with(
            text!("cannot assign to `{spanned}`", "不能给 `{spanned}` 赋值"),
            text!("write `===` to compare", "如果要比较，请写 `===`"),
        ),
        E::LegacyOctal | E::TS1085 | E::LegacyDecimal => {
            let digits = spanned.trim_start_matches('0');
            Told::with(
                text!("a number cannot begin with `0`", "数字不能以 `0` 开头"),
                text!(
                    "write `{digits}`, or `0o{digits}` for an octal number",
                    "请写 `{digits}`；八进制数请写 `0o{digits}`"
                ),
            )
        }
        E::AwaitStar => Told::with(
            text!("JavaScript has no `await*`", "JavaScript 没有 `await*` 这种写法"),
            text!("write `await Promise.all(…)`", "请写 `await Promise.all(…)`"),
        ),
        E::SpreadInParenExpr => Told::with(
            text!("`...` is allowed only inside a list or a call", "`...` 只能用在列表或函数调用里"),
            text!("write `[...list]`", "请写 `[...list]`"),
        ),
        E::TS1102 => Told::new(text!("a variable cannot be deleted", "不能删除变量")),
        E::UnknownRegExpFlags | E::DuplicatedRegExpFlags(_) => Told::with(
            text!("this regular expression has an invalid or duplicate flag", "这个正则表达式有无效或重复的标志"),
            text!(
                "the flags are `d`, `g`, `i`, `m`, `s`, `u`, `v` and `y`",
                "可用的标志是 `d`、`g`、`i`、`m`、`s`、`u`、`v` 和 `y`"
            ),
        ),
        E::BadCharacterEscapeSequence { .. }
        | E::InvalidStrEscape
        | E::InvalidUnicodeEscape
        | E::ExpectedUnicodeEscape => Told::with(
            text!("invalid escape after `\\`", "`\\` 后面不是有效的转义字符"),
            text!("write `\\\\` for a backslash", "要写反斜杠本身，请写 `\\\\`"),
        ),
        _ => {
            let message = kind.msg();
            let message = message.trim_end_matches('.');
            Told::new(text!("{message}", "语法错误：{message}"))
        }
    }
}

/// Whether a word is a unit of CSS.
fn is_unit(word: &str) -> bool {
    ["px", "em", "rem", "vh", "vw", "fr", "deg", "ms", "s", "pt", "ch"].contains(&word)
}

fn last_word(text: &str) -> Option<&str> {
    let word = &text[before_last_word(text).len()..];
    (!word.is_empty()).then_some(word)
}

fn before_last_word(text: &str) -> &str {
    text.trim_end_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'))
}
