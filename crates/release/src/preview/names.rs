//! Names of hosts that a preview answers for.
//!
//! A page of any site can have its own name lead to this machine a moment later, and then read what answers there as if it
//! were its own. It cannot do so under a name that is not its own, nor under an address.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::Url;

/// A host and perhaps a port, as `Host` headers and addresses name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority {
    /// The name in small letters, or the address; one of IPv6 is in brackets.
    pub name: String,
    /// The port, unless it is the usual one.
    pub port: Option<u16>,
}

impl Authority {
    /// Reads `name`, `name:port` and the same with addresses.
    pub fn parse(text: &str) -> Option<Self> {
        let end = if text.starts_with('[') { text.find(']')? + 1 } else { text.find(':').unwrap_or(text.len()) };
        let (name, port) = text.split_at(end);
        let digits = match port.strip_prefix(':') {
            Some(digits) => digits,
            None if port.is_empty() => "",
            None => return None,
        };
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let port = if digits.is_empty() { None } else { Some(digits.parse().ok().filter(|_| is_number)?) };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let is_host = bracketed(name).is_some() || !name.is_empty() && name.bytes().all(is_name);
        is_host.then(|| Self { name: name.to_ascii_lowercase(), port })
    }
}

/// Whether a `Host` header, with or without a port, names this machine, the host of the portal's origin, or an `allowed` one.
pub(super) fn is_ours(header: &str, origin: Option<&str>, allowed: &[String]) -> bool {
    let Some(Authority { name, port: _ }) = Authority::parse(header) else { return false };
    let name = name.strip_suffix('.').unwrap_or(&name);
    let is_address = name.parse::<Ipv4Addr>().is_ok() || bracketed(name).is_some();
    let is_local = name == "localhost" || name.ends_with(".localhost");
    let url = origin.and_then(|origin| Url::parse(origin).ok());
    let is_origin = url.and_then(|url| url.host_str().map(|host| host == name)).unwrap_or(false);
    is_address || is_local || is_origin || allowed.iter().any(|other| other.eq_ignore_ascii_case(name))
}

fn bracketed(name: &str) -> Option<Ipv6Addr> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::Authority;

    #[test]
    fn authorities() {
        let read = |text| Authority::parse(text).map(|Authority { name, port }| (name, port));
        for (text, name, port) in [
            ("localhost", "localhost", None),
            ("LocalHost:5173", "localhost", Some(5173)),
            ("127.0.0.1:", "127.0.0.1", None),
            ("[::1]:80", "[::1]", Some(80)),
            ("a_b.example.", "a_b.example.", None),
        ] {
            assert_eq!(read(text), Some((name.to_owned(), port)), "{text}");
        }
        for text in ["", ":80", "a:b", "a:+1", "a:65536", "[::1", "[x]", "[::1]80", "a b", "u@a", "a/b", "a,b", "关于"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
