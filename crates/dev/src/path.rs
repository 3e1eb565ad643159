//! Paths of requests, decoded once, before anybody looks anything up.
//!
//! What is served is looked up among what the portal is made of, so no path leads anywhere else. All the same, what a
//! browser would never ask for is refused here: whoever spells a path in such a way hopes that somebody misreads it.

use percent_encoding::percent_decode_str;

/// The one folder with a leading dot that portals publish (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// A path decoded; none if it is not one, or could be read in more than one way: if it is not UTF-8, holds a control
/// character, a backslash or an encoded slash, a dot segment, the name of a hidden file, or two slashes that follow each
/// other.
pub fn decode(raw: &str) -> Option<String> {
    let names = raw.strip_prefix('/')?;
    let is_written_well = !has_broken_escape(raw) && !raw.to_ascii_lowercase().contains("%2f");
    let decoded = percent_decode_str(names).decode_utf8().ok().filter(|_| is_written_well)?;
    let has_odd_character = decoded.contains(|character: char| character.is_control() || character == '\\');
    let mut segments = decoded.split('/').rev();
    // A path of a folder ends with a slash.
    let is_name_or_end = segments.next().is_some_and(|last| last.is_empty() || is_name(last));
    let is_path = !has_odd_character && is_name_or_end && segments.all(is_name);
    is_path.then(|| format!("/{decoded}"))
}

/// Whether a `%` is not followed by two digits.
fn has_broken_escape(raw: &str) -> bool {
    let is_digit = |at: usize| raw.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    raw.match_indices('%').any(|(at, _)| !is_digit(at + 1) || !is_digit(at + 2))
}

/// Whether a file of a portal can be called so.
fn is_name(segment: &str) -> bool {
    !segment.is_empty() && (!segment.starts_with('.') || segment == WELL_KNOWN)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn paths_are_decoded_once() {
        for (raw, decoded) in [
            ("/", "/"),
            ("/about/", "/about/"),
            ("/a/b.c", "/a/b.c"),
            ("/a%20b", "/a b"),
            ("/%E5%85%B3%E4%BA%8E/", "/关于/"),
            ("/关于/", "/关于/"),
            ("/c%2523", "/c%23"),
            ("/%252e%252e/", "/%2e%2e/"),
            ("/a+b", "/a+b"),
            ("/.well-known/security.txt", "/.well-known/security.txt"),
            ("/base/.well-known/", "/base/.well-known/"),
        ] {
            assert_eq!(decode(raw).as_deref(), Some(decoded), "{raw}");
        }
    }

    #[test]
    fn hidden_files_are_never_asked_for() {
        let hidden = [
            "//.env",
            "/.//.env",
            "/.env",
            "/.%65nv",
            "/%2eenv",
            "/.env%20",
            "/.ENV",
            "/.env::$DATA",
            "/.git/config",
            "/%2e%67it/HEAD",
            "/public/.env",
            "/...",
            "/.well-known/.env",
            "/.well-knowns/a",
        ];
        for raw in hidden {
            assert_eq!(decode(raw), None, "{raw}");
        }
    }

    #[test]
    fn no_path_climbs() {
        let climbing = [
            "/public/..%2f..%2fetc/passwd",
            "/public/..%2F..%2Fetc/passwd",
            "/../etc/passwd",
            "/a/../../etc/passwd",
            "/%2e%2e/",
            "/%2E%2e/",
            "/.%2e/",
            "/a/./b",
            "/..%5c",
            "/a%5c..%5cb",
            "/a\\b",
            "/%c0%ae%c0%ae/",
            "/%e0%80%af",
            "/%ff",
            "/a%00",
            "/a%0d%0ab",
            "/a%7f",
            "/a%c2%85",
            "//host/x",
            "/a//b",
            "/a//",
            "/100%",
            "/%zz",
            "/%2",
            "\\\\host\\x",
            "C:/",
            "",
            "a/b",
            "*",
        ];
        for raw in climbing {
            assert_eq!(decode(raw), None, "{raw}");
        }
    }
}
