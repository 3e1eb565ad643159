//! Files that are copied under a name made of their content: images, fonts, media.

use std::{path::Path, sync::Arc};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A file of the bundle, named by its content: it never changes and may be cached for ever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Asset {
    /// Path in the output: `assets/logo-3k2j9x0q.svg`.
    pub file_name: String,
    /// The file's bytes.
    #[serde(with = "crate::output::bytes")]
    pub bytes: Arc<[u8]>,
}

impl Asset {
    /// Names `bytes`, read from `path`; output paths begin with `prefix`.
    pub fn new(prefix: &str, path: &Path, bytes: Vec<u8>) -> Self {
        let (stem, extension) = readable_name(path);
        Self { file_name: format!("{prefix}{stem}-{}{extension}", content_hash(&bytes)), bytes: bytes.into() }
    }

    /// The last part of the name.
    pub(crate) fn base_name(&self) -> &str {
        base_name(&self.file_name)
    }
}

/// The size in bytes up to which an image is carried by the code or the sheet that mentions it: about what a request for
/// it would cost.
const INLINE_LIMIT: usize = 2_048;

/// Whether an image is carried as a data URL. Others are not: policies rarely allow them from there. Nor is an SVG of which
/// one part may be asked for, `icons.svg#close`: browsers refuse that of a data URL.
pub(crate) fn is_inlined(media_type: &str, bytes: &[u8]) -> bool {
    let has_parts = || media_type == "image/svg+xml" && memchr::memmem::find(bytes, b"id=").is_some();
    media_type.starts_with("image/") && bytes.len() <= INLINE_LIMIT && !has_parts()
}

/// `data:type;base64,…`; for SVG as percent-encoded text, which is shorter.
pub(crate) fn data_url(media_type: &str, bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if media_type == "image/svg+xml" => {
            format!("data:{media_type},{}", utf8_percent_encode(text.trim_end(), DATA_UNSAFE))
        }
        _ => format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(bytes)),
    }
}

/// What a data URL cannot hold as it is, also inside of quotes or of `url()`.
const DATA_UNSAFE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Whether an asset with this output path may have been made from the file at `path`: whether it is named like it.
pub fn is_named_after(file_name: &str, path: &str) -> bool {
    let (stem, extension) = readable_name(Path::new(path));
    let hash = base_name(file_name).strip_prefix(&stem).and_then(|rest| rest.strip_suffix(&extension));
    hash.and_then(|hash| hash.strip_prefix('-')).is_some_and(|hash| hash.len() == HASH_LENGTH)
}

/// What the name of a file gives to that of the asset made from it: what stands before the hash and what behind it.
fn readable_name(path: &Path) -> (String, String) {
    let stem = readable(&path.file_stem().unwrap_or_default().to_string_lossy());
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    let extension = extension.map(|extension| format!(".{}", readable(&extension)));
    (stem, extension.unwrap_or_default())
}

/// The last part of an output path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Length of a content hash in a file name.
pub(crate) const HASH_LENGTH: usize = 8;

/// Eight characters of base 32: 40 bits, which two files of one site share by chance once in 10^12 pairs.
pub fn content_hash(bytes: &[u8]) -> String {
    // No vowels but `a`, and nothing that looks like something else.
    const DIGITS: &[u8; 32] = b"0123456789abcdfghjkmnpqrstvwxyz_";
    let mut bits = xxh3_128(bytes);
    let mut hash = String::with_capacity(HASH_LENGTH);
    for _ in 0..HASH_LENGTH {
        hash.push(char::from(DIGITS[(bits & 31) as usize]));
        bits >>= 5;
    }
    hash
}

/// `name` with what is awkward in a URL or on a file system taken out.
pub(crate) fn readable(name: &str) -> String {
    let kept: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' }).collect();
    // A leading dot hides a file, and on GitHub Pages an underscore does too.
    let trimmed = kept.trim_start_matches(['-', '.', '_']).trim_end_matches(['-', '.']);
    if trimmed.is_empty() { "file".to_owned() } else { trimmed.chars().take(40).collect() }
}
