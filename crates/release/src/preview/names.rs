//! Names of hosts that a preview answers for.
//!
//! A page of any site can have its own name lead to this machine a moment later, and then read what answers there as if it
//! were its own. It cannot do so under a name that is not its own, nor under an address.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::Url;

/// Whether a `Host` header, with or without a port, names this machine, the host of the portal's origin, or an `allowed` one.
pub(super) fn is_ours(header: &str, origin: Option<&str>, allowed: &[String]) -> bool {
    let Some(name) = name_in(header) else { return false };
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_address = name.parse::<Ipv4Addr>().is_ok() || bracketed(&name).is_some();
    let is_local = name == "localhost" || name.ends_with(".localhost");
    let url = origin.and_then(|origin| Url::parse(origin).ok());
    let is_origin = url.and_then(|url| url.host_str().map(|host| host == name)).unwrap_or(false);
    is_address || is_local || is_origin || allowed.iter().any(|other| other.eq_ignore_ascii_case(&name))
}

/// The name in front of a port.
fn name_in(header: &str) -> Option<&str> {
    let end = if header.starts_with('[') { header.find(']')? + 1 } else { header.find(':').unwrap_or(header.len()) };
    let (name, port) = header.split_at(end);
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

fn bracketed(name: &str) -> Option<Ipv6Addr> {
    name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}
