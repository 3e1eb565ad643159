//! Headers of requests and answers that are passed on.

use std::net::IpAddr;

use hyper::{
    HeaderMap,
    header::{self, HeaderName, HeaderValue},
};
use portalgen_portal::Backend;

use crate::access::TOKEN_HEADER;

/// What is between two servers that are connected, and goes no further.
const HOP_BY_HOP: [HeaderName; 7] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Who has sent a request, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) address: IpAddr,
    pub(crate) is_secure: bool,
    /// Whether it was sent to an address that only programs of this machine can reach.
    pub(crate) is_near: bool,
}

/// The protocol that the connection shall be used for afterwards. HTTP/2 is none: a connection for it would be read as HTTP/1.
pub(super) fn upgrade(headers: &HeaderMap) -> Option<HeaderValue> {
    let mut words = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let is_wanted = words.any(|value| list(value).any(|word| word.eq_ignore_ascii_case("upgrade")));
    let protocol = headers.get(header::UPGRADE).filter(|_| is_wanted)?;
    (!protocol.as_bytes().eq_ignore_ascii_case(b"h2c")).then(|| protocol.clone())
}

/// Makes the headers of a request those that the backend is sent. `own` is how this server calls itself.
pub(super) fn for_backend(headers: &mut HeaderMap, backend: &Backend, caller: Caller, own: &str) {
    let host = headers.get(header::HOST).cloned();
    let protocol = upgrade(headers);
    let wants_trailers = headers.get_all(header::TE).iter().any(|value| value.as_bytes() == b"trailers");
    remove_hop_by_hop(headers);
    // The server has said by itself that it takes the body.
    headers.remove(header::EXPECT);
    headers.remove(TOKEN_HEADER);
    if wants_trailers {
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
    }
    match protocol {
        Some(protocol) => hand_over(headers, protocol),
        None => _ = headers.insert(header::CONNECTION, HeaderValue::from_static("close")),
    }
    set(headers, header::HOST, &backend.authority());
    add(headers, &HeaderName::from_static("x-forwarded-for"), &caller.address.to_string());
    add(headers, &header::VIA, &format!("1.1 {own}"));
    // A proxy between the browser and this server knows better.
    if let Some(host) = host {
        headers.entry("x-forwarded-host").or_insert(host);
    }
    let scheme = if caller.is_secure { "https" } else { "http" };
    headers.entry("x-forwarded-proto").or_insert(HeaderValue::from_static(scheme));
}

/// Says that a connection is to be used for another protocol.
pub(super) fn hand_over(headers: &mut HeaderMap, protocol: HeaderValue) {
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, protocol);
}

/// Whether a request has been passed on by this server before.
pub(super) fn came_from(headers: &HeaderMap, own: &str) -> bool {
    let mut hops = headers.get_all(header::VIA).iter().filter_map(|value| value.to_str().ok()).flat_map(list);
    hops.any(|hop| hop.split(' ').nth(1) == Some(own))
}

/// Makes the headers of an answer those that the browser is sent, for which the backend and this server are one.
pub(super) fn for_browser(headers: &mut HeaderMap, backend: &Backend) {
    remove_hop_by_hop(headers);
    if let Some(path) = headers.get(header::LOCATION).and_then(|value| path_of(value, backend)) {
        headers.insert(header::LOCATION, path);
    }
    let cookies: Vec<HeaderValue> =
        headers.get_all(header::SET_COOKIE).iter().map(|cookie| without_domain(cookie, backend)).collect();
    headers.remove(header::SET_COOKIE);
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
    // Pages of other sites get nothing of it, as of everything else.
    headers.entry("cross-origin-resource-policy").or_insert(HeaderValue::from_static("same-origin"));
}

/// The path of an address that lies at the backend.
fn path_of(location: &HeaderValue, backend: &Backend) -> Option<HeaderValue> {
    let origin = backend.to_string();
    let location = location.to_str().ok()?;
    // Addresses may name the usual port.
    let full = format!("{}://{}:{}", if backend.is_secure { "https" } else { "http" }, backend.host, backend.port);
    let begins = |start: &str| {
        let is_start = location.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start));
        location.get(start.len()..).filter(|_| is_start)
    };
    let rest = [full.as_str(), origin.as_str()]
        .into_iter()
        .find_map(|start| begins(start).filter(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#'])))?;
    // Two slashes would begin the name of a host.
    let path = rest.trim_start_matches(['/', '\\']);
    HeaderValue::try_from(if rest.starts_with(['?', '#']) { format!("/{rest}") } else { format!("/{path}") }).ok()
}

/// A cookie without the domain of the backend, which a browser would not take from here.
fn without_domain(cookie: &HeaderValue, backend: &Backend) -> HeaderValue {
    let Ok(text) = cookie.to_str() else { return cookie.clone() };
    let is_of_backend = |attribute: &&str| {
        let domain = attribute.trim().split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("domain"));
        domain.is_some_and(|(_, domain)| {
            let domain = domain.trim().trim_start_matches('.').to_ascii_lowercase();
            backend.host == domain || backend.host.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.'))
        })
    };
    let mut attributes = text.split(';');
    let value = attributes.next().into_iter();
    let kept: Vec<&str> = value.chain(attributes.filter(|attribute| !is_of_backend(attribute))).collect();
    HeaderValue::try_from(kept.join(";")).unwrap_or_else(|_| cookie.clone())
}

fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(list)
        .map(str::to_owned)
        .collect();
    for name in named {
        headers.remove(name.as_str());
    }
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
}

fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split(',').map(str::trim).filter(|word| !word.is_empty())
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // Hosts, addresses and names of this server have no sign that a header cannot have.
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}

/// Adds to the end of a list.
fn add(headers: &mut HeaderMap, name: &HeaderName, value: &str) {
    let earlier: Vec<&str> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    let all = earlier.into_iter().chain([value]).collect::<Vec<_>>().join(", ");
    set(headers, name.clone(), &all);
}

#[cfg(test)]
mod tests {
    use hyper::{HeaderMap, header::HeaderValue};
    use portalgen_portal::Backend;

    use super::{Caller, came_from, for_backend, for_browser, upgrade};

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn backend() -> Backend {
        Backend { is_secure: true, host: "api.acme.example".to_owned(), port: 443 }
    }

    #[test]
    fn what_is_between_two_servers_stays_there() {
        let mut sent = headers(&[
            ("host", "localhost:5173"),
            ("connection", "keep-alive, x-private"),
            ("keep-alive", "timeout=5"),
            ("x-private", "1"),
            ("te", "trailers"),
            ("transfer-encoding", "chunked"),
            ("expect", "100-continue"),
            ("x-portalgen-token", "secret"),
            ("x-forwarded-for", "192.0.2.1"),
            ("cookie", "a=b"),
            ("origin", "http://localhost:5173"),
        ]);
        let caller = Caller { address: "127.0.0.1".parse().unwrap(), is_secure: false, is_near: true };
        for_backend(&mut sent, &backend(), caller, "portalgen:5173");
        let expected = headers(&[
            ("host", "api.acme.example"),
            ("connection", "close"),
            ("te", "trailers"),
            ("x-forwarded-for", "192.0.2.1, 127.0.0.1"),
            ("x-forwarded-host", "localhost:5173"),
            ("x-forwarded-proto", "http"),
            ("via", "1.1 portalgen:5173"),
            ("cookie", "a=b"),
            ("origin", "http://localhost:5173"),
        ]);
        assert_eq!(sent, expected);
        assert!(came_from(&sent, "portalgen:5173") && !came_from(&sent, "portalgen:517"));
    }

    #[test]
    fn protocols_that_a_connection_can_be_handed_over_to() {
        let asked = |pairs| upgrade(&headers(pairs)).map(|value: HeaderValue| value.to_str().unwrap().to_owned());
        assert_eq!(
            asked(&[("connection", "keep-alive, Upgrade"), ("upgrade", "websocket")]).as_deref(),
            Some("websocket")
        );
        assert_eq!(asked(&[("connection", "upgrade, http2-settings"), ("upgrade", "h2c")]), None);
        assert_eq!(asked(&[("upgrade", "websocket")]), None);
        assert_eq!(asked(&[("connection", "upgrade")]), None);
    }

    #[test]
    fn redirects_to_the_backend_stay_here() {
        for (location, expected) in [
            ("https://api.acme.example/login?next=/x", "/login?next=/x"),
            ("https://api.acme.example:443/login", "/login"),
            ("HTTPS://API.acme.example", "/"),
            ("https://api.acme.example?x", "/?x"),
            ("https://api.acme.example//evil.test", "/evil.test"),
            ("https://api.acme.example.evil.test/", "https://api.acme.example.evil.test/"),
            ("http://api.acme.example/", "http://api.acme.example/"),
            ("https://api.acme.example:444/", "https://api.acme.example:444/"),
            ("/login", "/login"),
            ("login", "login"),
        ] {
            let mut answered = HeaderMap::from_iter([(hyper::header::LOCATION, location.parse().unwrap())]);
            for_browser(&mut answered, &backend());
            assert_eq!(answered["location"], expected, "{location}");
        }
    }

    #[test]
    fn cookies_lose_the_domain_of_the_backend() {
        let mut answered = headers(&[
            ("set-cookie", "a=1; Domain=api.acme.example; Path=/; Secure"),
            ("set-cookie", "b=2; path=/; domain=.ACME.example"),
            ("set-cookie", "domain=acme.example; HttpOnly"),
            ("set-cookie", "d=4; Domain=other.example"),
        ]);
        for_browser(&mut answered, &backend());
        let cookies: Vec<_> = answered.get_all("set-cookie").iter().collect();
        let expected =
            ["a=1; Path=/; Secure", "b=2; path=/", "domain=acme.example; HttpOnly", "d=4; Domain=other.example"];
        assert_eq!(cookies, expected);
        assert_eq!(answered["cross-origin-resource-policy"], "same-origin");
    }
}
