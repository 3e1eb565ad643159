//! JSON files as modules.

use std::{borrow::Cow, fmt::Write as _, ops::Range, sync::Arc};

use serde_json::{Map, Value};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::text,
};

/// A file of more bytes than this is data to be fetched. The bundler takes some twenty times as much memory as the file.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// From this many bytes on, engines read a text with `JSON.parse` faster than an expression, and so does the bundler.
const LARGE: usize = 1024 * 1024;

/// The text of an ES module whose default export is the file's value. Of an object, each value is an export of its own
/// too, so that an importer who names some of them does not carry the rest.
///
/// # Errors
/// The file's first mistake, at its place.
pub(crate) fn to_module(source: &Arc<SourceText>) -> Result<String, Diagnostic> {
    if source.text.len() > MAX_BYTES {
        return Err(too_large(source));
    }
    let (whole, read) = read(&source.text);
    let value: Value = read.map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let chinese = in_chinese(message);
        Diagnostic::error(text!("this is not valid JSON: {message}", "不是有效的 JSON：{chinese}"))
            .at(Place::at_line_column(source, error.line(), error.column()))
    })?;
    let is_plain = matches!(whole, Cow::Borrowed(_)) && source.text.len() <= LARGE;
    let mut code = String::new();
    match &value {
        _ if !is_plain => parsed_module(&mut code, &source.text, &value),
        Value::Object(entries) => object_module(&mut code, entries),
        other => {
            code.push_str("export default ");
            write_expression(&mut code, other);
            code.push(';');
        }
    }
    // It is held as long as the module is.
    code.shrink_to_fit();
    Ok(code)
}

/// What `serde_json` says of a mistake, in Chinese. Its place says the rest.
fn in_chinese(message: &str) -> &'static str {
    match message {
        "expected value" => "这里缺少值，或者值的写法不对",
        "expected ident" => "这里只能写 `true`、`false` 或 `null`",
        "expected `:`" => "名称后面缺少 `:`",
        "expected `,` or `]`" => "这里缺少 `,` 或 `]`",
        "expected `,` or `}`" => "这里缺少 `,` 或 `}`",
        "trailing comma" => "最后一项后面多了一个逗号",
        "trailing characters" => "结尾后面还有别的内容",
        "key must be a string" => "名称要放在双引号里",
        "invalid number" | "number out of range" => "数字的写法不对，或者超出范围",
        "invalid escape" | "invalid unicode code point" | "lone leading surrogate in hex escape" => {
            "转义字符的写法不对"
        }
        "recursion limit exceeded" => "嵌套太深",
        _ if message.starts_with("EOF while parsing") => "文件没有写完就结束了",
        _ if message.starts_with("control character") => "文字里有换行或其他控制字符",
        _ => "这里的写法不对",
    }
}

fn too_large(source: &Arc<SourceText>) -> Diagnostic {
    let (name, size, max) = (&source.name, source.text.len() >> 20, MAX_BYTES >> 20);
    Diagnostic::error(text!(
        "`{name}` has {size} MB; JSON files larger than {max} MB cannot be bundled",
        "`{name}` 有 {size} MB，超过 {max} MB 的 JSON 文件无法打包"
    ))
    .with_hint(text!(
        "append `?url` to the specifier to import its address, and `fetch` it",
        "请在路径末尾加上 `?url`，导入它的地址，再用 `fetch` 读取"
    ))
}

/// A text, changed where it says what only JavaScript has, and its value.
fn read(text: &str) -> (Cow<'_, str>, serde_json::Result<Value>) {
    let whole = with_whole_characters(text);
    let value = serde_json::from_str(&whole);
    if value.is_err() {
        let finite = with_finite_numbers(&whole);
        if finite != *whole {
            let value = serde_json::from_str(&finite);
            return (Cow::Owned(finite), value);
        }
    }
    (whole, value)
}

/// The text with U+FFFD for each half of a surrogate pair that is written without the other half. JavaScript's strings have
/// such, ours do not.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    let mut whole = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        at += found;
        at += match (escaped_unit(&text[at..]), text.get(at + ESCAPE..).and_then(escaped_unit)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => 2 * ESCAPE,
            (Some(0xD800..0xE000), _) => {
                whole.to_mut().replace_range(at..at + ESCAPE, "\\ufffd");
                ESCAPE
            }
            // Whatever is escaped: a backslash, for one.
            _ => 2,
        };
        at = at.min(text.len());
    }
    whole
}

/// The text with 0 for each number that no `f64` can hold, which JavaScript takes for infinite.
fn with_finite_numbers(text: &str) -> String {
    let mut finite = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
        let length = match rest.as_bytes()[0] {
            b'"' => string_length(rest),
            b'-' | b'0'..=b'9' => rest.bytes().take_while(|byte| is_number(*byte)).count(),
            _ => rest.chars().next().map_or(0, char::len_utf8),
        };
        let (token, after) = rest.split_at(length);
        let is_infinite = token.parse().is_ok_and(f64::is_infinite);
        finite.push_str(if is_infinite { "0" } else { token });
        rest = after;
    }
    finite
}

/// Length of the string that a text begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = true;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 1)
}

/// Length of `\u1234`.
const ESCAPE: usize = 6;

/// The UTF-16 unit that a text begins with, written as `\u1234`.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
}

/// The module of a text that is large, or that only JavaScript can read; `value` is nearly what it says.
fn parsed_module(code: &mut String, text: &str, value: &Value) {
    let _ = write!(code, "const all = /*#__PURE__*/ JSON.parse({});\nexport default all;\n", Value::from(text));
    let names = value.as_object().into_iter().flat_map(Map::keys);
    for (index, name) in names.enumerate().filter(|(_, name)| *name != "default" && !name.contains('\u{fffd}')) {
        let key = Value::from(name.as_str());
        let _ = writeln!(code, "const v{index} = all[{key}];\nexport {{ v{index} as {key} }};");
    }
}

fn object_module(code: &mut String, entries: &Map<String, Value>) {
    let exported: Vec<Option<Range<usize>>> = entries
        .iter()
        .enumerate()
        .map(|(index, (name, value))| (name != "default").then(|| write_export(code, index, name, value)))
        .collect();
    code.push_str("export default { ");
    for ((index, (name, value)), exported) in entries.iter().enumerate().zip(exported) {
        let key = Value::from(name.as_str());
        // `__proto__` in an object literal is no key but the prototype, unless it is computed.
        let _ = if name == "__proto__" { write!(code, "[{key}]: ") } else { write!(code, "{key}: ") };
        match exported {
            // An object must be the same one under both names; a primitive is the same wherever it is written.
            Some(_) if value.is_object() || value.is_array() => {
                let _ = write!(code, "v{index}");
            }
            Some(text) => code.extend_from_within(text),
            None => write_expression(code, value),
        }
        code.push_str(", ");
    }
    code.push_str("};\n");
}

/// Writes an export of its own for a value. Returns where its expression stands.
fn write_export(code: &mut String, index: usize, name: &str, value: &Value) -> Range<usize> {
    let _ = write!(code, "const v{index} = ");
    let start = code.len();
    write_expression(code, value);
    let end = code.len();
    let _ = writeln!(code, ";\nexport {{ v{index} as {} }};", Value::from(name));
    start..end
}

fn write_expression(code: &mut String, value: &Value) {
    let start = code.len();
    let _ = write!(code, "{value}");
    if !value.is_string() && code[start..].contains("\"__proto__\"") {
        let text = Value::from(code.split_off(start));
        let _ = write!(code, "/*#__PURE__*/ JSON.parse({text})");
    }
}
