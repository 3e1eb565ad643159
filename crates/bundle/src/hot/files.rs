//! Paths of what the development server serves of a hot graph. Keys are hashes, so that no path of the disk is in any address.

use std::sync::Arc;

use crate::asset::content_hash;

/// Where all of it lies in the output.
pub(super) const FOLDER: &str = "__portalgen/";

/// The key of a module's script or style sheet.
pub(super) fn key_of(name: &str) -> Arc<str> {
    content_hash(name.as_bytes()).into()
}

/// The path of the entries' script in the output.
pub(super) fn entry_file() -> Arc<str> {
    format!("{FOLDER}entry.js").into()
}

/// The path of a lazy script in the output.
pub(super) fn script_file(key: &str) -> Arc<str> {
    format!("{FOLDER}page/{key}.js").into()
}

/// The path of a style sheet in the output. What has changed has another address, which no cache knows.
pub(super) fn style_file(key: &str, text: &str) -> Arc<str> {
    format!("{FOLDER}style/{key}.css?{}", content_hash(text.as_bytes())).into()
}
