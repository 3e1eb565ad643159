//! Which requests are passed on, and to whom.

use percent_encoding::percent_decode_str;
use portalgen_portal::Proxy;

/// The proxy of the longest path at or below which a request asks for something. A path that climbs belongs to nobody: what it
/// leads to would be left to whoever reads it.
pub(crate) fn chosen<'p>(proxies: &'p [Proxy], raw: &str) -> Option<&'p Proxy> {
    let asked = segments(raw)?;
    let is_below = |proxy: &&Proxy| {
        let mut asked = asked.iter();
        proxy.path.segments().all(|segment| asked.next().is_some_and(|asked| asked == segment.as_bytes()))
    };
    proxies.iter().filter(is_below).max_by_key(|proxy| proxy.path.segments().count())
}

/// The segments of a path, each decoded once. An encoded slash stays in its segment.
fn segments(raw: &str) -> Option<Vec<Vec<u8>>> {
    let segments: Vec<Vec<u8>> =
        raw.strip_prefix('/')?.split('/').map(|segment| percent_decode_str(segment).collect()).collect();
    let climbs = |segment: &Vec<u8>| segment.split(|byte| matches!(byte, b'/' | b'\\')).any(|name| name == b"..");
    let is_dot = |segment: &Vec<u8>| segment == b".";
    (!segments.iter().any(|segment| climbs(segment) || is_dot(segment))).then_some(segments)
}

#[cfg(test)]
mod tests {
    use portalgen_portal::{Backend, Proxy, RoutePath};

    use super::chosen;

    #[test]
    fn the_longest_path_wins() {
        let proxies = ["/api", "/api/v2", "/接口"].map(|path| Proxy {
            path: RoutePath::parse(path).unwrap(),
            backend: Backend { is_secure: false, host: "localhost".to_owned(), port: 8080 },
        });
        for (raw, path) in [
            ("/api", Some("/api")),
            ("/api/", Some("/api")),
            ("/api/x/y", Some("/api")),
            ("/%61pi/x", Some("/api")),
            ("/api/v2", Some("/api/v2")),
            ("/api/v2/x", Some("/api/v2")),
            ("/api/v22", Some("/api")),
            ("/api/a%2Fb", Some("/api")),
            ("/api/.env", Some("/api")),
            ("/api//x", Some("/api")),
            ("/api/%ff", Some("/api")),
            ("/api/100%", Some("/api")),
            ("/api/...", Some("/api")),
            ("/%E6%8E%A5%E5%8F%A3/x", Some("/接口")),
            ("/apis", None),
            ("/API", None),
            ("/", None),
            ("//api", None),
            ("/x/api", None),
            ("/api%2Fx", None),
            ("/api/../x", None),
            ("/api/./x", None),
            ("/api/%2e%2E/x", None),
            ("/api/..%2fx", None),
            ("/api/x%5c..%5cy", None),
            ("*", None),
            ("", None),
        ] {
            assert_eq!(chosen(&proxies, raw).map(|proxy| proxy.path.as_str()), path, "{raw}");
        }
    }
}
