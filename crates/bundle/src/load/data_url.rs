//! Modules that are written out as `data:` URLs.

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use percent_encoding::percent_decode_str;

use crate::asset::content_hash;

/// Base64 as browsers and Node.js read it: padding may be missing.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What kind of module a media type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Script,
    Json,
    Text,
}

impl Kind {
    fn of(media_type: &str) -> Option<Self> {
        Some(match &*media_type.trim().to_ascii_lowercase() {
            "text/javascript" | "application/javascript" => Self::Script,
            "application/json" | "text/json" => Self::Json,
            "text/plain" | "" => Self::Text,
            _ => return None,
        })
    }
}

/// A URL, decoded.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DataUrl {
    pub kind: Kind,
    pub text: String,
}

impl DataUrl {
    /// `None` if its text cannot be decoded, or is none.
    pub(super) fn parse(url: &str) -> Option<Self> {
        let (header, data) = parts(url)?;
        let kind = Kind::of(media_type(header))?;
        let is_base64 = header.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
        // A fragment is no part of what the URL names.
        let data = data.split('#').next().unwrap_or_default();
        let bytes: Vec<u8> = percent_decode_str(data).collect();
        let bytes = if is_base64 { decode(bytes)? } else { bytes };
        Some(Self { kind, text: String::from_utf8(bytes).ok()? })
    }
}

/// Whether a specifier is the URL of a module that can be bundled.
pub(super) fn holds_module(specifier: &str) -> bool {
    parts(specifier).is_some_and(|(header, _)| Kind::of(media_type(header)).is_some())
}

/// What the module is called: the URL itself may be of any length.
pub(super) fn name(url: &str) -> String {
    let header = parts(url).map(|(header, _)| media_type(header)).unwrap_or_default();
    format!("data:{header},{}", content_hash(url.as_bytes()))
}

/// White space means nothing.
fn decode(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    bytes.retain(|byte| !byte.is_ascii_whitespace());
    FORGIVING.decode(bytes).ok()
}

/// The beginning of a URL, for messages.
pub(super) fn beginning(url: &str) -> String {
    const SHOWN: usize = 60;
    let shown: String = url.chars().take(SHOWN).collect();
    if shown.len() < url.len() { shown + "…" } else { shown }
}

/// What stands before and behind the first comma.
fn parts(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(',')
}

fn media_type(header: &str) -> &str {
    header.split(';').next().unwrap_or_default()
}
