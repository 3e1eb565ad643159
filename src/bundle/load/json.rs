//! JSON files as modules.

use std::{fmt::Write as _, sync::Arc};

use serde_json::{Map, Value};

use crate::diagnostic::{Diagnostic, Place, SourceText};

/// The text of an ES module whose default export is the file's value. Of an object, each value is an export of its own
/// too, so that an importer who names some of them does not carry the rest.
///
/// # Errors
/// The file's first mistake, at its place.
pub(crate) fn to_module(source: &Arc<SourceText>) -> Result<String, Diagnostic> {
    let value: Value = serde_json::from_str(&source.text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Diagnostic::error(format!("this is not JSON: {message}")).at(Place::at_line_column(
            source,
            error.line(),
            error.column(),
        ))
    })?;
    Ok(match &value {
        Value::Object(entries) => object_module(entries),
        other => format!("export default {};", expression(other)),
    })
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
