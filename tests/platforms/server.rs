//! A server that a test starts, and the plainest of clients: what it is told to send is what it sends.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// A server on the loopback interface, stopped when the value goes.
pub struct Server {
    child: Child,
    port: u16,
    log: PathBuf,
    _home: TempDir,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// By their names in small letters.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Server {
    /// Starts a program of Node's that is given a port, in a home of its own, and waits until it listens.
    pub fn start(command: impl FnOnce(u16) -> Command) -> Self {
        let home = TempDir::new().unwrap();
        let log = home.path().join("log.txt");
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let output = File::create(&log).unwrap();
        let mut command = command(port);
        command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path()).stdin(Stdio::null());
        command.stdout(output.try_clone().unwrap()).stderr(output);
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut server = Self { child, port, log, _home: home };
        server.wait();
        server
    }

    fn wait(&mut self) {
        let end = Instant::now() + Duration::from_mins(1);
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_err() {
            let is_over = self.child.try_wait().unwrap().is_some() || Instant::now() > end;
            assert!(!is_over, "the server does not start:\n{}", self.log());
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// What it has said so far.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Sends a request for a path as it stands.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        let port = self.port;
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        let mut piece = [0; 16 * 1024];
        // Not every server closes the connection when it is asked to.
        loop {
            let count =
                stream.read(&mut piece).unwrap_or_else(|error| panic!("{method} {path}: {error}\n{}", self.log()));
            bytes.extend_from_slice(&piece[..count]);
            let answer = Answer::parse(&bytes, method == "HEAD", count == 0);
            if let Some(answer) = answer {
                return answer;
            }
            assert!(count > 0, "{method} {path}: {}", String::from_utf8_lossy(&bytes));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Asked to, it stops what it has started itself, too.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The answer, once all of it has come.
    fn parse(bytes: &[u8], has_no_body: bool, is_over: bool) -> Option<Self> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: BTreeMap<String, String> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let rest = &bytes[end + 4..];
        let is_chunked = headers.get("transfer-encoding").is_some_and(|coding| coding == "chunked");
        let length = headers.get("content-length").and_then(|length| length.parse().ok());
        let body = match length {
            _ if has_no_body || matches!(status, 204 | 304) => Vec::new(),
            _ if is_chunked => joined(rest)?,
            Some(length) => rest.get(..length)?.to_vec(),
            None if is_over => rest.to_vec(),
            None => return None,
        };
        Some(Self { status, headers, body })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// A body that was sent in pieces.
fn joined(mut chunks: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|window| window == b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).ok()?.trim(), 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(chunks.get(end + 2..end + 2 + size)?);
        chunks = chunks.get(end + 2 + size + 2..)?;
    }
}
