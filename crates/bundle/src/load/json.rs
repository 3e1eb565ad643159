//! JSON files as modules.

use std::{borrow::Cow, fmt::Write as _, sync::Arc};

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
        Diagnostic::error(text!("this is not JSON: {message}", "这不是 JSON：{message}")).at(Place::at_line_column(
            source,
            error.line(),
            error.column(),
        ))
    })?;
    Ok(match &value {
        _ if matches!(whole, Cow::Owned(_)) || source.text.len() > LARGE => parsed_module(&source.text, &value),
        Value::Object(entries) => object_module(entries),
        other => format!("export default {};", expression(other)),
    })
}

fn too_large(source: &Arc<SourceText>) -> Diagnostic {
    let (name, size, max) = (&source.name, source.text.len() >> 20, MAX_BYTES >> 20);
    Diagnostic::error(text!(
        "`{name}` has {size} MB, and JSON files of more than {max} MB cannot be bundled",
        "`{name}` 有 {size} MB，超过 {max} MB 的 JSON 文件不能打包"
    ))
    .with_hint(text!(
        "import its address with `?url` at the end of the specifier, and `fetch` it",
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
fn parsed_module(text: &str, value: &Value) -> String {
    let mut code = format!("const all = /*#__PURE__*/ JSON.parse({});\nexport default all;\n", Value::from(text));
    let names = value.as_object().into_iter().flat_map(Map::keys);
    for (index, name) in names.enumerate().filter(|(_, name)| *name != "default" && !name.contains('\u{fffd}')) {
        let key = Value::from(name.as_str());
        let _ = writeln!(code, "const v{index} = all[{key}];\nexport {{ v{index} as {key} }};");
    }
    code
}

fn object_module(entries: &Map<String, Value>) -> String {
    let mut code = String::new();
    let mut all = String::new();
    for (index, (name, value)) in entries.iter().enumerate() {
        let (key, value_text) = (Value::from(name.as_str()), expression(value));
        if name != "default" {
            let _ = writeln!(code, "const v{index} = {value_text};\nexport {{ v{index} as {key} }};");
        }
        // An object must be the same one under both names; a primitive is the same wherever it is written.
        let is_shared = name != "default" && (value.is_object() || value.is_array());
        let value_text = if is_shared { format!("v{index}") } else { value_text };
        // `__proto__` in an object literal is no key but the prototype, unless it is computed.
        let _ = match name.as_str() {
            "__proto__" => write!(all, "[{key}]: {value_text}, "),
            _ => write!(all, "{key}: {value_text}, "),
        };
    }
    let _ = writeln!(code, "export default {{ {all}}};");
    code
}

fn expression(value: &Value) -> String {
    let text = value.to_string();
    let is_plain = !text.contains("\"__proto__\"") || value.is_string();
    if is_plain { text } else { format!("/*#__PURE__*/ JSON.parse({})", Value::from(text)) }
}
