//! A client that sends every request exactly as it is written.

use std::{
    fmt,
    io::{Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpStream},
    time::Duration,
};

use super::server::Server;

/// A request: the target is what stands in the request line, path and query.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub method: &'static str,
    pub target: String,
    pub headers: Vec<(&'static str, String)>,
}

/// An answer, with the names of headers in small letters.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub(crate) fn get(target: impl Into<String>) -> Self {
        Self { method: "GET", target: target.into(), headers: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same with `ETAG` and `MODIFIED` replaced by what the server says of the file.
    pub(crate) fn known_to(&self, server: &Server) -> Self {
        let needs_it = |(_, value): &(_, String)| value.contains("ETAG") || value.contains("MODIFIED");
        if !self.headers.iter().any(needs_it) {
            return self.clone();
        }
        let mut first = self.clone();
        first.headers.retain(|header| !needs_it(header) && header.0 != "Range");
        first.method = "GET";
        let first = server.answer(&first);
        let said = |name| first.header(name).unwrap_or_default().to_owned();
        let mut request = self.clone();
        for (_, value) in &mut request.headers {
            *value = value.replace("ETAG", &said("etag")).replace("MODIFIED", &said("last-modified"));
        }
        request
    }

    fn text(&self) -> String {
        let headers = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let headers: String = headers.collect();
        let Self { method, target, .. } = self;
        format!("{method} {target} HTTP/1.1\r\nHost: portal.example\r\nConnection: close\r\n{headers}\r\n")
    }

    pub(crate) fn send(&self, to: SocketAddr) -> Answer {
        raw(self.text().as_bytes(), to).unwrap_or_else(|| panic!("{self}: no answer"))
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.target)?;
        self.headers.iter().try_for_each(|(name, value)| write!(f, " {name}: {value}"))
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Some(Self { status, headers: lines.filter_map(header).collect(), body: bytes[end + 4..].to_vec() })
    }
}

/// Sends bytes, and reads what comes back until the other side ends the connection.
pub(crate) fn raw(bytes: &[u8], to: SocketAddr) -> Option<Answer> {
    exchange(bytes, to, false)
}

/// The same, and says that nothing more will be sent.
pub(crate) fn raw_to_the_end(bytes: &[u8], to: SocketAddr) -> Option<Answer> {
    exchange(bytes, to, true)
}

fn exchange(bytes: &[u8], to: SocketAddr, is_all: bool) -> Option<Answer> {
    let mut stream = TcpStream::connect(to).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server may have seen enough before everything is sent.
    let _ = stream.write_all(bytes);
    if is_all {
        let _ = stream.shutdown(Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Answer::parse(&answer)
}
