//! Media types: what servers and data URLs call a file, by the ending of its name.

/// What documents are.
pub const HTML: &str = "text/html; charset=utf-8";
/// What files are that nobody knows more about.
pub const UNKNOWN: &str = "application/octet-stream";

/// Files that hold text.
const WRITTEN: &[(&str, &str)] = &[
    ("html", HTML),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
];

/// Files whose import gives their address.
const ASSETS: &[(&str, &str)] = &[
    ("apng", "image/apng"),
    ("avif", "image/avif"),
    ("bmp", "image/bmp"),
    ("cur", "image/x-icon"),
    ("gif", "image/gif"),
    ("ico", "image/x-icon"),
    ("jfif", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("webp", "image/webp"),
    ("eot", "application/vnd.ms-fontobject"),
    ("otf", "font/otf"),
    ("ttf", "font/ttf"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("aac", "audio/aac"),
    ("flac", "audio/flac"),
    ("m4a", "audio/mp4"),
    ("mp3", "audio/mpeg"),
    ("mp4", "video/mp4"),
    ("oga", "audio/ogg"),
    ("ogg", "audio/ogg"),
    ("opus", "audio/ogg"),
    ("vtt", "text/vtt"),
    ("wav", "audio/wav"),
    ("webm", "video/webm"),
    ("csv", "text/csv"),
    ("pdf", "application/pdf"),
    ("txt", "text/plain"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
    ("xml", "application/xml"),
    ("zip", "application/zip"),
];

/// The type of a file, by its output path.
pub fn media_type(file: &str) -> &'static str {
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default();
    media_types().find(|(known, _)| *known == ending).map_or(UNKNOWN, |(_, media_type)| media_type)
}

/// The types of files by the endings of their names, each once, with what is written by people before what is only used.
pub fn media_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    let is_written = |ending: &str| WRITTEN.iter().any(|(known, _)| *known == ending);
    WRITTEN.iter().chain(ASSETS.iter().filter(move |(ending, _)| !is_written(ending))).copied()
}

/// The type of files with an extension, if importing them gives their address.
pub fn of_asset(extension: &str) -> Option<&'static str> {
    ASSETS.iter().find(|(known, _)| *known == extension).map(|(_, media_type)| *media_type)
}
