//! JSON files as modules.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Place, SourceText};

/// The text of a CommonJS module whose exports are the file's value.
///
/// # Errors
/// The file's first mistake, at its place.
pub(super) fn to_module(source: &Arc<SourceText>) -> Result<String, Diagnostic> {
    let value: serde_json::Value = serde_json::from_str(&source.text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Diagnostic::error(format!("this is not JSON: {message}")).at(Place::at_line_column(
            source,
            error.line(),
            error.column(),
        ))
    })?;
    let text = value.to_string();
    // In an object literal `__proto__` is no key but the prototype.
    let code = if text.contains("\"__proto__\"") {
        format!("module.exports = JSON.parse({});", serde_json::Value::from(text))
    } else {
        format!("module.exports = {text};")
    };
    Ok(code)
}
