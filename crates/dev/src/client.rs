//! The script that keeps pages as the sources are. It is TypeScript, which the bundler makes a script of when the server starts.

use std::{collections::BTreeMap, sync::Arc};

use portalgen_base::{diagnostic::Diagnostic, source::Memory};
use portalgen_bundle::{Entry, Options, Platform, bundle};

/// Where the files are, as the bundler sees them.
const FOLDER: &str = "/portalgen/client";

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("client/", $name)))),*] };
}

const FILES: &[(&str, &str)] = files![
    "client.ts",
    "describe.ts",
    "errors.ts",
    "hydration.ts",
    "noise.ts",
    "overlay/badge.ts",
    "overlay/details.ts",
    "overlay/dialog.ts",
    "overlay/difference.ts",
    "overlay/dom.ts",
    "overlay/excerpt.ts",
    "overlay/overlay.ts",
    "overlay/places.ts",
    "overlay/sheet.ts",
    "overlay/stack.ts",
    "problems.ts",
    "protocol.ts",
    "registry.ts",
    "reload.ts",
    "route.ts",
    "sentences.ts",
    "settings.ts",
    "socket.ts",
    "styles.ts",
];

/// The script.
///
/// # Errors
/// What is wrong with it, which is a fault of portalgen.
pub fn script() -> Result<Arc<str>, Vec<Diagnostic>> {
    let sources = Memory::new(FILES.iter().map(|(name, text)| (format!("{FOLDER}/{name}"), *text)));
    let options = Options::new(FOLDER, FOLDER, Platform::Browser);
    let entry = Entry { name: "client".to_owned(), module: "./client.ts".to_owned() };
    let bundle = bundle(&(Arc::new(sources) as _), &options, &[entry], &BTreeMap::new())?;
    Ok(bundle.chunks.first().map(|chunk| Arc::clone(&chunk.code)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::script;

    #[test]
    fn the_client_is_one_script() {
        let script = script().expect("the script of the client");
        assert!(script.contains("portalgen-dev") && !script.contains("import "));
    }
}
