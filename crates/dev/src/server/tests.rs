//! A server that runs, and what comes over its wires.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, TcpStream},
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use super::{Patience, Port, Running, Server, Settings};
use crate::{
    access::Refusal,
    content::{ClientId, Content, Method, Request, Response},
    socket::Clients,
};

/// What answers with what it was asked, and passes on what it is told.
struct Echo {
    clients: Clients,
    told: Mutex<mpsc::Sender<Told>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Told {
    Asked,
    Received(String),
    Left,
    Refused(Refusal),
}

impl Echo {
    fn tell(&self, what: Told) {
        // A test that has seen enough listens no more.
        let _ = self.told.lock().unwrap().send(what);
    }
}

impl Content for Echo {
    fn answer(&self, request: &Request) -> Response {
        self.tell(Told::Asked);
        let Request { method, path, query, body, .. } = request;
        match path.as_str() {
            "/panic" => panic!("as was asked for"),
            "/missing" => Response::text(404, "nothing"),
            "/large" => Response::new(200, "application/octet-stream", vec![b'x'; 3_000_000]),
            _ => {
                let method = if *method == Method::Post { "POST" } else { "GET" };
                let body = String::from_utf8_lossy(body);
                Response::text(200, format!("{method} {path} {query:?} {body}"))
            }
        }
    }

    fn joined(&self, client: ClientId) -> String {
        format!("hello {client}")
    }

    fn received(&self, client: ClientId, message: &str) {
        self.tell(Told::Received(message.to_owned()));
        self.clients.send(client, format!("heard {message}"));
    }

    fn left(&self, _client: ClientId) {
        self.tell(Told::Left);
    }

    fn refused(&self, refusal: &Refusal) {
        self.tell(Told::Refused(refusal.clone()));
    }
}

struct Fixture {
    port: u16,
    token: String,
    clients: Clients,
    told: mpsc::Receiver<Told>,
    running: Running,
}

/// How long a test waits for what must come, before it fails.
const AT_LAST: Duration = Duration::from_mins(1);
const OFTEN: Duration = Duration::from_millis(5);
const SELDOM: Duration = Duration::from_hours(1);

fn settings() -> Settings {
    Settings {
        port: Port::Exactly(0),
        socket: "/s".to_owned(),
        lan: Vec::new(),
        certificate: None,
        hosts: Vec::new(),
        patience: Patience::default(),
        ping: SELDOM,
    }
}

fn fixture(ping: Duration) -> Fixture {
    let socket = "/base/__portalgen/socket".to_owned();
    let settings = Settings { socket, hosts: vec!["tunnel.test".to_owned()], ping, ..settings() };
    let server = Server::listen(settings).unwrap();
    let (port, token, clients) = (server.port(), server.token().as_str().to_owned(), server.clients().clone());
    let (told, heard) = mpsc::channel();
    let content = Echo { clients: clients.clone(), told: Mutex::new(told) };
    let running = server.start(Arc::new(content)).unwrap();
    Fixture { port, token, clients, told: heard, running }
}

impl Fixture {
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(AT_LAST)).unwrap();
        stream
    }

    /// The whole answer to one request, of which `PORT` and `TOKEN` stand for those of the server.
    fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(self.filled(request).as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn filled(&self, request: &str) -> String {
        request.replace("PORT", &self.port.to_string()).replace("TOKEN", &self.token)
    }

    /// The answer to a request for a path by the server's own name, with more headers.
    fn ask(&self, line: &str, headers: &str) -> String {
        self.raw(&format!("{line} HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: close\r\n{headers}\r\n"))
    }

    fn next(&self) -> Told {
        self.told.recv_timeout(AT_LAST).unwrap()
    }

    /// A connection with which a socket was asked for, and the answer to that.
    fn upgrade(&self, path: &str, headers: &str) -> (TcpStream, String) {
        let mut stream = self.connect();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
        );
        stream.write_all(self.filled(&request).as_bytes()).unwrap();
        let head = head(&mut stream);
        (stream, head)
    }

    /// A page that is connected, and was greeted.
    fn page(&self) -> TcpStream {
        let (mut stream, head) =
            self.upgrade("/base/__portalgen/socket?token=TOKEN", "origin: http://localhost:PORT\r\n");
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        assert!(text(&mut stream).starts_with("hello "));
        stream
    }
}

/// Everything up to the end of the headers.
fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// A frame of the server: what kind of frame it is, and what is in it.
fn frame(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut start = [0; 2];
    stream.read_exact(&mut start).unwrap();
    let length = match start[1] {
        126 => {
            let mut length = [0; 2];
            stream.read_exact(&mut length).unwrap();
            usize::from(u16::from_be_bytes(length))
        }
        length => usize::from(length),
    };
    let mut content = vec![0; length];
    stream.read_exact(&mut content).unwrap();
    (start[0] & 0x0f, content)
}

/// The next message.
fn text(stream: &mut TcpStream) -> String {
    loop {
        let (kind, content) = frame(stream);
        if kind == 1 {
            return String::from_utf8(content).unwrap();
        }
        assert_eq!(kind, 9, "neither a message nor a ping");
    }
}

/// Sends a frame as browsers do: masked.
fn send(stream: &mut TcpStream, kind: u8, content: &[u8]) {
    let mask = [1, 2, 3, 4];
    let masked = content.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask);
    let length = u8::try_from(content.len()).unwrap();
    assert!(length < 126);
    let frame: Vec<u8> = [0x80 | kind, 0x80 | length].into_iter().chain(mask).chain(masked).collect();
    stream.write_all(&frame).unwrap();
}

#[test]
fn requests_are_answered_by_the_content() {
    let server = fixture(SELDOM);
    let answer = server.ask("GET /a%20b/?q=1", "");
    assert_eq!(status(&answer), "200");
    assert!(answer.ends_with("\r\n\r\nGET /a b/ Some(\"q=1\") "), "{answer}");
    assert!(answer.contains("\r\ncontent-length: 22\r\n") && answer.contains("\r\netag: \""), "{answer}");
    assert!(!answer.to_ascii_lowercase().contains("access-control"));
    assert_eq!(status(&server.ask("GET /missing", "")), "404");
    // What another protocol is offered for is answered in this one.
    let offer = "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAA\r\n";
    assert_eq!(status(&server.ask("GET /a", offer)), "200");
    assert_eq!(server.ask("GET /large", "").split("\r\n\r\n").nth(1).unwrap().len(), 3_000_000);
}

#[test]
fn of_a_head_only_the_headers_are_sent() {
    let server = fixture(SELDOM);
    let answer = server.ask("HEAD /large", "");
    assert!(answer.contains("\r\ncontent-length: 3000000\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let server = fixture(SELDOM);
    let answer = server.ask("GET /a", "");
    let etag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let again = server.ask("GET /a", &format!("if-none-match: {etag}\r\n"));
    assert_eq!(status(&again), "304");
    assert!(again.ends_with("\r\n\r\n"));
}

#[test]
fn a_connection_serves_many_requests() {
    let server = fixture(SELDOM);
    let mut stream = server.connect();
    for round in 0..20 {
        let request = server.filled(&format!("GET /{round} HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n"));
        stream.write_all(request.as_bytes()).unwrap();
        let head = head(&mut stream);
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        assert_eq!(String::from_utf8(body).unwrap(), format!("GET /{round} None "));
    }
}

#[test]
fn foreign_requests_are_refused_before_anybody_is_asked() {
    let server = fixture(SELDOM);
    let foreign = [
        "GET / HTTP/1.1\r\nhost: evil.test\r\n",
        "GET / HTTP/1.1\r\nhost: localhost.evil.test:PORT\r\n",
        "GET / HTTP/1.1\r\nhost: 127.0.0.1.nip.io:PORT\r\n",
        "GET / HTTP/1.0\r\n",
        "GET / HTTP/1.1\r\nhost: localhost:PORT\r\nhost: evil.test\r\n",
        "GET http://evil.test/ HTTP/1.1\r\nhost: localhost:PORT\r\n",
        "GET / HTTP/1.1\r\nhost: localhost:PORT\r\norigin: http://evil.test\r\n",
        "GET / HTTP/1.1\r\nhost: localhost:PORT\r\norigin: null\r\n",
        "GET / HTTP/1.1\r\nhost: localhost:PORT\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\n",
        "GET / HTTP/1.1\r\nhost: localhost:PORT\r\norigin: http://\u{e9}\r\n",
        "OPTIONS / HTTP/1.1\r\nhost: localhost:PORT\r\norigin: http://evil.test\r\naccess-control-request-method: POST\r\n",
        "GET /.env HTTP/1.1\r\nhost: evil.test\r\n",
    ];
    for request in foreign {
        let answer = server.raw(&format!("{request}connection: close\r\n\r\n"));
        assert_eq!(status(&answer), "403", "{request}{answer}");
        assert!(!answer.to_ascii_lowercase().contains("access-control"), "{answer}");
        assert!(matches!(server.next(), Told::Refused(_)), "{request}");
    }
    for request in
        ["GET http://localhost:PORT/ HTTP/1.1\r\nhost: localhost:PORT\r\n", "GET / HTTP/1.1\r\nhost: tunnel.test\r\n"]
    {
        assert_eq!(status(&server.raw(&format!("{request}connection: close\r\n\r\n"))), "200", "{request}");
    }
}

#[test]
fn paths_that_nobody_would_ask_for_are_not_there() {
    let server = fixture(SELDOM);
    let paths = [
        "//.env",
        "/.//.env",
        "/.%65nv",
        "/.env%20",
        "/.git/config",
        "/%2e%67it/HEAD",
        "/public/..%2f..%2fetc/passwd",
        "/../../etc/passwd",
        "/..%5c",
        "/a\\b",
        "/%c0%ae",
        "/a%00",
    ];
    for path in paths {
        assert_eq!(status(&server.ask(&format!("GET {path}"), "")), "404", "{path}");
    }
    drop(server.running);
    assert_eq!(server.told.try_iter().count(), 0);
}

#[test]
fn changes_need_the_token_and_an_origin() {
    let server = fixture(SELDOM);
    let post = |headers: &str| server.ask("POST /a", &format!("content-length: 4\r\n{headers}\r\nbody"));
    let answer = post("origin: http://localhost:PORT\r\nx-portalgen-token: TOKEN\r\n");
    assert!(answer.ends_with("POST /a None body"), "{answer}");
    for headers in [
        "",
        "x-portalgen-token: TOKEN\r\n",
        "origin: http://localhost:PORT\r\n",
        "origin: http://localhost:PORT\r\nx-portalgen-token: guess\r\n",
        "origin: http://evil.test\r\nx-portalgen-token: TOKEN\r\n",
    ] {
        assert_eq!(status(&post(headers)), "403", "{headers}");
    }
    let own = "origin: http://localhost:PORT\r\nx-portalgen-token: TOKEN\r\n";
    let put = server.ask("PUT /a", own);
    assert!(status(&put) == "405" && put.contains("\r\nallow: GET, HEAD, POST\r\n"), "{put}");
}

#[test]
fn what_is_too_long_is_not_taken() {
    let server = fixture(SELDOM);
    let mut stream = server.connect();
    let head = "POST /a HTTP/1.1\r\nhost: localhost:PORT\r\norigin: http://localhost:PORT\r\nx-portalgen-token: TOKEN\r\n\
                content-length: 2000000\r\n\r\n";
    stream.write_all(server.filled(head).as_bytes()).unwrap();
    // The server need not take all of it before it answers.
    let _ = stream.write_all(&vec![b'x'; 2_000_000]);
    let mut start = [0; 12];
    stream.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"HTTP/1.1 413");
}

#[test]
fn broken_clients_and_broken_content_end_nothing() {
    let server = fixture(SELDOM);
    for rubbish in [
        &b"\x16\x03\x01\x02\x00"[..],
        b"GET",
        b"GET / HTTP/1.1\r\nhost",
        b"\0\0\0\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let mut stream = server.connect();
        stream.write_all(rubbish).unwrap();
        stream.shutdown(Shutdown::Both).unwrap();
    }
    // One that goes away while it is sent something.
    let mut stream = server.connect();
    stream.write_all(server.filled("GET /large HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n").as_bytes()).unwrap();
    drop(stream);
    assert_eq!(status(&server.ask("GET /panic", "")), "500");
    assert_eq!(status(&server.ask("GET /a", "")), "200");
}

#[test]
fn a_slow_answer_holds_up_nobody_else() {
    /// What answers one request only after another one.
    struct Waiting(Mutex<mpsc::Receiver<()>>, Mutex<mpsc::Sender<()>>);
    impl Content for Waiting {
        fn answer(&self, request: &Request) -> Response {
            if request.path == "/first" {
                self.0.lock().unwrap().recv_timeout(AT_LAST).unwrap();
            } else {
                self.1.lock().unwrap().send(()).unwrap();
            }
            Response::text(200, "done")
        }
        fn joined(&self, _: ClientId) -> String {
            String::new()
        }
        fn received(&self, _: ClientId, _: &str) {}
    }
    let (second, waits) = mpsc::channel();
    let server = Server::listen(settings()).unwrap();
    let port = server.port();
    let _running = server.start(Arc::new(Waiting(Mutex::new(waits), Mutex::new(second)))).unwrap();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n").unwrap();
        stream
    };
    let mut streams = [ask("/first"), ask("/second")];
    for stream in &mut streams {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with("done"), "{answer}");
    }
}

#[test]
fn the_socket_is_for_own_pages() {
    let server = fixture(SELDOM);
    let path = "/base/__portalgen/socket";
    let own = "origin: http://localhost:PORT\r\n";
    let refused = [
        (format!("{path}?token=TOKEN"), ""),
        (format!("{path}?token=TOKEN"), "origin: http://evil.test\r\n"),
        (format!("{path}?token=TOKEN"), "origin: http://203.0.113.5\r\n"),
        (format!("{path}?token=TOKEN"), "origin: https://localhost:PORT\r\n"),
        (format!("{path}?token=TOKEN"), "origin: null\r\n"),
        (format!("{path}?token=guess"), own),
        (path.to_owned(), own),
    ];
    for (path, headers) in refused {
        let (_, head) = server.upgrade(&path, headers);
        assert_eq!(status(&head), "403", "{path} {headers}");
    }
    assert_eq!(status(&server.upgrade("/other?token=TOKEN", own).1), "404");
    assert_eq!(server.clients.count(), 0);
    let (_, head) = server.upgrade(&format!("{path}?token=TOKEN"), own);
    assert!(head.contains("\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), "{head}");
}

#[test]
fn all_pages_get_all_messages_in_order() {
    let server = fixture(SELDOM);
    let mut pages = [server.page(), server.page(), server.page()];
    assert_eq!(server.clients.count(), 3);
    for generation in 1..=100 {
        server.clients.broadcast(generation, format!("update {generation}"));
    }
    // What was late for its generation would undo a later one.
    server.clients.broadcast(99, "late");
    server.clients.broadcast(100, "end");
    for page in &mut pages {
        for generation in 1..=100 {
            assert_eq!(text(page), format!("update {generation}"));
        }
        assert_eq!(text(page), "end");
    }
}

#[test]
fn messages_of_pages_are_received_in_order_and_answered() {
    let server = fixture(SELDOM);
    let (mut page, mut other) = (server.page(), server.page());
    for number in 0..20 {
        send(&mut page, 1, format!("message {number}").as_bytes());
    }
    for number in 0..20 {
        assert_eq!(server.next(), Told::Received(format!("message {number}")));
        assert_eq!(text(&mut page), format!("heard message {number}"));
    }
    server.clients.broadcast(1, "for all");
    assert_eq!(text(&mut other), "for all");
}

#[test]
fn pages_that_go_away_are_told_of() {
    let server = fixture(SELDOM);
    let (polite, abrupt, mut odd) = (server.page(), server.page(), server.page());
    let mut polite = polite;
    send(&mut polite, 8, &1001_u16.to_be_bytes());
    assert_eq!(server.next(), Told::Left);
    abrupt.shutdown(Shutdown::Both).unwrap();
    assert_eq!(server.next(), Told::Left);
    send(&mut odd, 2, b"bytes");
    assert_eq!(frame(&mut odd), (8, 1003_u16.to_be_bytes().to_vec()));
    assert_eq!(server.next(), Told::Left);
    assert_eq!(server.clients.count(), 0);
}

#[test]
fn a_page_that_takes_nothing_is_cut_off_and_no_other_waits_for_it() {
    let server = fixture(SELDOM);
    let _slow = server.page();
    let mut page = server.page();
    let large = "x".repeat(60_000);
    let mut generation = 0;
    while server.clients.count() == 2 {
        generation += 1;
        server.clients.broadcast(generation, large.as_str());
        assert_eq!(text(&mut page).len(), large.len());
    }
    assert_eq!(server.next(), Told::Left);
    server.clients.broadcast(generation, "still here");
    assert_eq!(text(&mut page), "still here");
}

#[test]
fn silent_pages_are_asked_whether_they_are_there() {
    let server = fixture(OFTEN);
    let mut page = server.page();
    let (kind, content) = frame(&mut page);
    assert_eq!((kind, content.as_slice()), (9, &[][..]));
    // This one never answers.
    assert_eq!(server.next(), Told::Left);
}

#[test]
fn pages_are_told_when_the_server_ends() {
    let server = fixture(SELDOM);
    let mut page = server.page();
    server.clients.broadcast(1, "last words");
    drop(server.running);
    assert_eq!(text(&mut page), "last words");
    assert_eq!(frame(&mut page), (8, 1001_u16.to_be_bytes().to_vec()));
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).is_err());
}
