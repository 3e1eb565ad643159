//! Paths as requests have them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use portalgen_portal::check_escapes;

/// A path decoded once; none for one that is none. What is no text in UTF-8 stands for nothing that there is.
pub(super) fn decode(raw: &str) -> Option<String> {
    check_escapes(raw).ok()?;
    let decoded = percent_decode_str(raw).decode_utf8_lossy();
    (!decoded.contains('\0')).then(|| decoded.into_owned())
}

/// Whether a `%` is not followed by two digits.
pub(super) fn has_broken_escape(raw: &str) -> bool {
    check_escapes(raw).is_err()
}

/// A path decoded once and without `.` and `..`; none for one that some hosts understand in another way than others.
pub(super) fn decoded(raw: &str) -> Option<String> {
    if has_odd_slash(raw) { None } else { without_dots(&decode(raw)?) }
}

/// A path without `.` and `..`; none for one that leads above the first slash. Decoded before, these may have been
/// written `%2e`.
pub(super) fn without_dots(path: &str) -> Option<String> {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => drop(kept.pop()?),
            _ => {
                kept.push(segment);
                continue;
            }
        }
        // What a dot segment leads to is a folder.
        if is_last {
            kept.push("");
        }
    }
    Some(format!("/{}", kept.join("/")))
}

/// Whether a path holds what some hosts take for a slash between two names, and others do not: one of two slashes that
/// follow each other, or an encoded one.
pub(super) fn has_odd_slash(raw: &str) -> bool {
    raw.contains("//") || raw.to_ascii_lowercase().contains("%2f")
}

/// A name of a path as `encodeURIComponent` of JavaScript encodes it, and so Cloudflare, which leads from any other
/// spelling of it to this one.
pub(super) fn component(name: &str) -> String {
    /// What it leaves as it is.
    const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'!')
        .remove(b'~')
        .remove(b'*')
        .remove(b'\'')
        .remove(b'(')
        .remove(b')');
    utf8_percent_encode(name, COMPONENT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        for (raw, decoded) in [
            ("/a%20b", Some("/a b")),
            ("/c%2523", Some("/c%23")),
            ("/%E5%85%B3", Some("/关")),
            ("/a+b", Some("/a+b")),
            ("/100%", None),
            ("/%ff", Some("/\u{fffd}")),
            ("/a%00", None),
        ] {
            assert_eq!(decode(raw).as_deref(), decoded, "{raw}");
        }
    }

    #[test]
    fn dots_lead_to_folders() {
        for (path, resolved) in [
            ("/", Some("/")),
            ("/a/b", Some("/a/b")),
            ("/a/./b", Some("/a/b")),
            ("/a/../b", Some("/b")),
            ("/a/..", Some("/")),
            ("/a/b/..", Some("/a/")),
            ("/a/.", Some("/a/")),
            ("/.", Some("/")),
            ("/...", Some("/...")),
            ("/..", None),
            ("/a/../../b", None),
        ] {
            assert_eq!(without_dots(path).as_deref(), resolved, "{path}");
        }
    }
}
