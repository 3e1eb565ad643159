//! Files that are copied under a name made of their content: images, fonts, media.

use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use xxhash_rust::xxh3::xxh3_128;

/// A file of the bundle, named by its content: it never changes and may be cached for ever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asset {
    /// Path in the output: `assets/logo-3k2j9x0q.svg`.
    pub file_name: String,
    /// The file's bytes.
    pub bytes: Vec<u8>,
}

impl Asset {
    /// Names `bytes`, read from `path`; output paths begin with `prefix`.
    pub(super) fn new(prefix: &str, path: &Path, bytes: Vec<u8>) -> Self {
        let stem = readable(&path.file_stem().unwrap_or_default().to_string_lossy());
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let extension = extension.map(|extension| format!(".{}", readable(&extension))).unwrap_or_default();
        Self { file_name: format!("{prefix}{stem}-{}{extension}", content_hash(&bytes)), bytes }
    }

    /// The last part of the name.
    pub(super) fn base_name(&self) -> &str {
        base_name(&self.file_name)
    }
}

/// `data:type;base64,…`
pub(super) fn data_url(media_type: &str, bytes: &[u8]) -> String {
    format!("data:{media_type};base64,{}", BASE64_STANDARD.encode(bytes))
}

/// The last part of an output path.
pub(super) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Length of a content hash in a file name.
pub(super) const HASH_LENGTH: usize = 8;

/// Eight characters of base 32: 40 bits, which two files of one site share by chance once in 10^12 pairs.
pub(super) fn content_hash(bytes: &[u8]) -> String {
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
pub(super) fn readable(name: &str) -> String {
    let kept: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '.' { c } else { '-' }).collect();
    // A leading dot hides a file, and on GitHub Pages an underscore does too.
    let trimmed = kept.trim_start_matches(['-', '.', '_']).trim_end_matches(['-', '.']);
    if trimmed.is_empty() { "file".to_owned() } else { trimmed.chars().take(40).collect() }
}
