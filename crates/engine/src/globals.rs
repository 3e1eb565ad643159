//! The engine's own modules, which make the web globals.

/// A module of the engine.
pub(super) struct Global {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

/// Where they live: out of reach for modules of the program.
pub(super) const FOLDER: &str = "portalgen:engine/";

/// The one that installs the web globals.
pub(super) const ENTRY: &str = "portalgen:engine/main.js";

/// The one that mends regular expressions.
pub(super) const PATTERNS: Global =
    Global { name: concat!("portalgen:engine/", "patterns.js"), text: include_str!("globals/patterns.js") };

macro_rules! globals {
    ($($file:literal),* $(,)?) => {
        [$(Global { name: concat!("portalgen:engine/", $file), text: include_str!(concat!("globals/", $file)) }),*]
    };
}

const ALL: [Global; 32] = globals![
    "abort.js",
    "blob.js",
    "body.js",
    "channels.js",
    "clone.js",
    "console.js",
    "encoding.js",
    "events.js",
    "fetch.js",
    "host.js",
    "around.js",
    "inspect.js",
    "intl-base.js",
    "intl-date.js",
    "intl-duration.js",
    "intl-number.js",
    "intl-text.js",
    "intl.js",
    "lazy.js",
    "locales.js",
    "main.js",
    "notes.js",
    "patterns.js",
    "random.js",
    "socket.js",
    "stack.js",
    "streams-write.js",
    "streams.js",
    "subtle.js",
    "time.js",
    "url.js",
    "weak.js",
];

/// The text of one of them.
pub(super) fn text(name: &str) -> Option<&'static str> {
    ALL.iter().find(|global| global.name == name).map(|global| global.text)
}
