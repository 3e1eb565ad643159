//! Requests that backends answer, or do not.

use std::{
    io::{BufRead as _, BufReader, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use portalgen_base::text::Text;
use portalgen_portal::{Backend, DevServer, Proxy, RoutePath};
use rustls::{
    RootCertStore, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::{
    certificate::Certificate,
    content::{ClientId, Content, Request, Response},
    network::Network,
    server::{Patience, Port, Running, Server, Settings},
};

/// How long a test waits for what must come, before it fails.
const AT_LAST: Duration = Duration::from_mins(1);

/// What answers with the path, and passes on what it is told.
struct Own(Mutex<mpsc::Sender<String>>);

impl Content for Own {
    fn answer(&self, request: &Request) -> Response {
        Response::text(200, format!("own {}", request.path))
    }
    fn joined(&self, _: ClientId) -> String {
        "hello".to_owned()
    }
    fn received(&self, _: ClientId, _: &str) {}
    fn note(&self, note: &Text) {
        // A test that has seen enough listens no more.
        let _ = self.0.lock().unwrap().send(note.english().to_owned());
    }
}

struct Fixture {
    port: u16,
    token: String,
    network: Network,
    notes: mpsc::Receiver<String>,
    _running: Running,
}

fn settings() -> Settings {
    Settings {
        port: Port::Exactly(0),
        socket: "/__portalgen/socket".to_owned(),
        lan: Vec::new(),
        certificate: None,
        hosts: Vec::new(),
        patience: Patience::default(),
        ping: Duration::from_hours(1),
    }
}

fn started(settings: Settings, roots: RootCertStore) -> Fixture {
    let server = Server::listen(settings).unwrap();
    let (port, token, network) = (server.port(), server.token().as_str().to_owned(), server.network().clone());
    let (told, notes) = mpsc::channel();
    let running = server.start_trusting(Arc::new(Own(Mutex::new(told))), roots).unwrap();
    Fixture { port, token, network, notes, _running: running }
}

/// A server that passes `/api` on to a port of localhost.
fn passing_to(port: u16) -> Fixture {
    let fixture = started(settings(), RootCertStore::empty());
    fixture.pass(&[("/api", backend(port))]);
    fixture
}

fn backend(port: u16) -> Backend {
    Backend { is_secure: false, host: "localhost".to_owned(), port }
}

impl Fixture {
    fn pass(&self, proxies: &[(&str, Backend)]) {
        let proxy = |(path, backend): &(&str, Backend)| Proxy {
            path: RoutePath::parse(path).unwrap(),
            backend: backend.clone(),
        };
        let proxies = proxies.iter().map(proxy).collect();
        self.network.follow(&DevServer { proxies, ..DevServer::default() });
    }

    /// A connection over which a request was sent, of which `PORT` and `TOKEN` stand for those of the server.
    fn sent(&self, request: &str) -> TcpStream {
        let mut stream = connected(self.port);
        let request = request.replace("PORT", &self.port.to_string()).replace("TOKEN", &self.token);
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The whole answer.
    fn raw(&self, request: &str) -> String {
        rest(&mut self.sent(request))
    }

    fn ask(&self, line: &str, headers: &str) -> String {
        self.raw(&format!("{line} HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: close\r\n{headers}\r\n"))
    }

    /// A connection with which a socket was asked for, and the head of the answer to that.
    fn upgrade(&self, path: &str, headers: &str) -> (TcpStream, String) {
        let mut stream = self.sent(&format!(
            "GET {path} HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
        ));
        let head = head(&mut stream);
        (stream, head)
    }

    fn next_note(&self) -> String {
        self.notes.recv_timeout(AT_LAST).unwrap()
    }

    /// Whether it serves as before.
    fn goes_on(&self) -> bool {
        self.ask("GET /about", "").ends_with("own /about")
    }
}

fn connected(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_read_timeout(Some(AT_LAST)).unwrap();
    stream
}

fn rest(stream: &mut impl Read) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// Everything up to the end of the headers.
fn head(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// A backend that does something with each connection, and its port.
fn listening(on: impl Into<IpAddr>, serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind(SocketAddr::new(on.into(), 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream));
        }
    });
    port
}

fn serving(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    listening(Ipv4Addr::LOCALHOST, serve)
}

/// A backend that reads the head of each request and then writes something.
fn answering(answer: impl Into<Vec<u8>>) -> u16 {
    let answer = answer.into();
    serving(move |mut stream| {
        head(&mut stream);
        // Tests may have seen enough.
        let _ = stream.write_all(&answer);
    })
}

/// A backend that answers with the head of the request.
fn echoing() -> u16 {
    serving(|mut stream| {
        let head = head(&mut stream);
        let length = head.len();
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{head}").unwrap();
    })
}

#[test]
fn requests_reach_the_backend_as_they_were_sent() {
    let server = passing_to(echoing());
    let answer = server.ask(
        "GET /api/a%2Fb/.env/%E5%85%B3/100%?q=%2F&token=1",
        "x-own: 1\r\nx-portalgen-token: TOKEN\r\ncookie: a=b\r\norigin: http://localhost:PORT\r\n",
    );
    assert_eq!(status(&answer), "200");
    assert!(answer.contains("\r\n\r\nGET /api/a%2Fb/.env/%E5%85%B3/100%?q=%2F&token=1 HTTP/1.1\r\n"), "{answer}");
    let port = server.port;
    for part in [
        "\r\nx-own: 1\r\n",
        "\r\ncookie: a=b\r\n",
        "\r\nx-forwarded-for: 127.0.0.1\r\n",
        "\r\nx-forwarded-proto: http\r\n",
        &format!("\r\norigin: http://localhost:{port}\r\n"),
        &format!("\r\nx-forwarded-host: localhost:{port}\r\n"),
        &format!("\r\nvia: 1.1 portalgen:{port}\r\n"),
    ] {
        assert!(answer.contains(part), "{part}{answer}");
    }
    assert!(!answer.contains(&server.token) && !answer.contains("x-portalgen"), "{answer}");
    let methods = ["OPTIONS", "PUT", "DELETE", "PATCH", "BREW"];
    assert!(
        methods.iter().all(|method| server.ask(&format!("{method} /api"), "").contains(&format!("{method} /api ")))
    );
    assert!(server.ask("GET /apis", "").ends_with("own /apis"));
}

#[test]
fn what_is_passed_on_changes_while_the_server_runs() {
    let server = passing_to(answering("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\none"));
    assert!(server.ask("GET /api/v2/x", "").ends_with("\r\n\r\none"));
    let second = backend(answering("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\ntwo"));
    server.pass(&[("/api/v2", second)]);
    assert!(server.ask("GET /api/v2/x", "").ends_with("\r\n\r\ntwo"));
    assert!(server.ask("GET /api/x", "").ends_with("own /api/x"));
    let tunnel = "GET /api/x HTTP/1.1\r\nhost: tunnel.test\r\nconnection: close\r\n\r\n";
    assert_eq!(status(&server.raw(tunnel)), "403");
    server.network.follow(&DevServer { hosts: vec!["tunnel.test".to_owned()], ..DevServer::default() });
    assert_eq!(status(&server.raw(tunnel)), "200");
    assert!(server.next_note().contains("tunnel.test"));
}

#[test]
fn foreign_pages_do_not_reach_backends() {
    let (asked, heard) = mpsc::channel();
    let asked = Mutex::new(asked);
    let server = passing_to(serving(move |mut stream| {
        asked.lock().unwrap().send(head(&mut stream)).unwrap();
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
    }));
    let foreign = [
        ("GET", "host: evil.test\r\n"),
        ("GET", "host: localhost:PORT\r\norigin: http://evil.test\r\n"),
        ("GET", "host: localhost:PORT\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\n"),
        ("POST", "host: localhost:PORT\r\norigin: null\r\n"),
        ("POST", "host: localhost:PORT\r\norigin: http://127.0.0.1:1\r\n"),
        ("POST", "host: localhost:PORT\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n"),
        ("DELETE", "host: localhost:PORT\r\nsec-fetch-site: same-site\r\nsec-fetch-mode: navigate\r\n"),
        ("OPTIONS", "host: localhost:PORT\r\norigin: http://evil.test\r\naccess-control-request-method: PUT\r\n"),
    ];
    for (method, headers) in foreign {
        let answer = server.raw(&format!("{method} /api HTTP/1.1\r\n{headers}connection: close\r\n\r\n"));
        assert_eq!(status(&answer), "403", "{method} {headers}");
    }
    for headers in
        ["origin: http://evil.test\r\n", "origin: https://localhost:PORT\r\n", "sec-fetch-site: cross-site\r\n"]
    {
        assert_eq!(status(&server.upgrade("/api/ws", headers).1), "403", "{headers}");
    }
    assert_eq!(heard.try_iter().count(), 0);
    // Own pages need no token, since the backend knows of none; links from elsewhere may be followed; other programs ask.
    let own = [
        ("POST", "origin: http://localhost:PORT\r\nsec-fetch-site: same-origin\r\ncontent-length: 0\r\n"),
        ("GET", "sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n"),
        ("POST", "content-length: 0\r\n"),
    ];
    for (method, headers) in own {
        assert_eq!(status(&server.ask(&format!("{method} /api"), headers)), "204", "{method} {headers}");
    }
    assert_eq!(heard.try_iter().count(), 3);
    assert_eq!(status(&server.ask("POST /other", "origin: http://localhost:PORT\r\ncontent-length: 0\r\n")), "403");
}

#[test]
fn bodies_of_any_length_go_through_both_ways() {
    const MEGABYTES: usize = 10;
    let server = passing_to(serving(|stream| {
        let mut reader = BufReader::new(stream);
        head(&mut reader);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let size = usize::from_str_radix(line.trim(), 16).unwrap();
            let mut chunk = vec![0; size + 2];
            reader.read_exact(&mut chunk).unwrap();
            if size == 0 {
                break;
            }
            length += size;
        }
        let mut stream = reader.into_inner();
        // Until the connection ends.
        write!(stream, "HTTP/1.1 200 OK\r\nx-length: {length}\r\n\r\n").unwrap();
        (0..MEGABYTES).for_each(|_| stream.write_all(&vec![b'y'; 1 << 20]).unwrap());
    }));
    let mut stream = server
        .sent("PUT /api HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n");
    for _ in 0..MEGABYTES {
        stream.write_all(b"100000\r\n").unwrap();
        stream.write_all(&vec![b'x'; 1 << 20]).unwrap();
        stream.write_all(b"\r\n").unwrap();
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
    let answer = rest(&mut stream);
    assert!(answer.contains("\r\nx-length: 10485760\r\n"), "{}", &answer[..200]);
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    assert_eq!(body.matches('y').count(), MEGABYTES << 20);
}

#[test]
fn trailers_and_interim_answers_do_no_harm() {
    let server = passing_to(answering(
        "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\
         trailer: x-sum\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nx-sum: 1\r\n\r\n",
    ));
    let answer = server.ask("GET /api", "te: trailers\r\n");
    assert_eq!(status(&answer), "200");
    assert!(answer.contains("\r\ntransfer-encoding: chunked\r\n"), "{answer}");
    assert!(answer.contains("abc") && answer.contains("de") && answer.ends_with("0\r\nx-sum: 1\r\n\r\n"), "{answer}");
    // Who asks whether the body may be sent is told so.
    let mut stream = server.sent(
        "POST /api HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n",
    );
    assert_eq!(status(&head(&mut stream)), "100");
    stream.write_all(b"ok").unwrap();
    assert_eq!(status(&head(&mut stream)), "200");
}

#[test]
fn of_a_head_and_of_nothing_new_only_headers_come() {
    let server = passing_to(answering("HTTP/1.1 200 OK\r\ncontent-length: 5\r\netag: \"a\"\r\n\r\n"));
    let answer = server.ask("HEAD /api", "");
    assert!(answer.contains("\r\ncontent-length: 5\r\n") && answer.ends_with("\r\n\r\n"), "{answer}");
    let server = passing_to(answering("HTTP/1.1 304 Not Modified\r\netag: \"a\"\r\n\r\n"));
    assert_eq!(status(&server.ask("GET /api", "if-none-match: \"a\"\r\n")), "304");
}

#[test]
fn answers_of_an_earlier_version_are_passed_on_in_this_one() {
    let server = passing_to(answering("HTTP/1.0 200 OK\r\n\r\nold"));
    let answer = server.ask("GET /api", "");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\r\n3\r\nold\r\n0\r\n"), "{answer}");
}

#[test]
fn events_come_as_they_are_sent() {
    let (seen, go_on) = mpsc::channel();
    let go_on = Mutex::new(go_on);
    let server = passing_to(serving(move |mut stream| {
        head(&mut stream);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n").unwrap();
        for number in 0..20 {
            stream.write_all(format!("data: {number}\n\n").as_bytes()).unwrap();
            // The next one comes only when this one has arrived.
            go_on.lock().unwrap().recv_timeout(AT_LAST).unwrap();
        }
    }));
    let mut events = BufReader::new(server.sent("GET /api HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n"));
    for number in 0..20 {
        let mut line = String::new();
        while !line.starts_with("data: ") {
            line.clear();
            assert_ne!(events.read_line(&mut line).unwrap(), 0);
        }
        assert_eq!(line, format!("data: {number}\n"));
        seen.send(()).unwrap();
    }
}

/// A backend that accepts every socket, names what was asked for, and sends back what it is sent.
fn parrot() -> u16 {
    serving(|mut stream| {
        let head = head(&mut stream);
        assert!(head.contains("\r\nconnection: upgrade\r\n") && head.contains("\r\nupgrade: websocket\r\n"), "{head}");
        let path = head.split(' ').nth(1).unwrap_or_default();
        write!(
            stream,
            "HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nsec-websocket-protocol: second\r\nx-path: {path}\r\n\r\n"
        )
        .unwrap();
        let mut copy = stream.try_clone().unwrap();
        let _ = std::io::copy(&mut stream, &mut copy);
    })
}

#[test]
fn sockets_are_handed_over_by_their_paths() {
    let server = passing_to(parrot());
    let own = "origin: http://localhost:PORT\r\n";
    let (mut update, accepted) = server.upgrade("/__portalgen/socket?token=TOKEN", own);
    assert_eq!(status(&accepted), "101");
    let (mut socket, head) = server
        .upgrade("/api/__portalgen/socket?token=TOKEN", &format!("{own}sec-websocket-protocol: first, second\r\n"));
    assert_eq!(status(&head), "101");
    for part in [
        "\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n",
        "\r\nsec-websocket-protocol: second\r\n",
        "\r\nconnection: upgrade\r\n",
        "\r\nupgrade: websocket\r\n",
    ] {
        assert!(head.contains(part), "{head}");
    }
    // A token that somebody puts into an address belongs to that address.
    assert!(head.contains("\r\nx-path: /api/__portalgen/socket?token="), "{head}");
    let mut greeting = [0; 7];
    update.read_exact(&mut greeting).unwrap();
    assert_eq!(&greeting[2..], b"hello");
    for number in 0_u32..1000 {
        // No WebSocket at all: nobody in between looks at it.
        let message = number.to_le_bytes();
        socket.write_all(&message).unwrap();
        let mut back = [0; 4];
        socket.read_exact(&mut back).unwrap();
        assert_eq!(back, message);
    }
    assert_eq!(status(&server.upgrade("/other", own).1), "403");
}

#[test]
fn what_is_sent_along_with_a_handshake_is_not_lost() {
    let server = passing_to(serving(|mut stream| {
        head(&mut stream);
        stream
            .write_all(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nearly")
            .unwrap();
        let mut heard = [0; 5];
        stream.read_exact(&mut heard).unwrap();
        stream.write_all(&heard).unwrap();
    }));
    let mut stream = server
        .sent("GET /api HTTP/1.1\r\nhost: localhost:PORT\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\nhasty");
    assert_eq!(status(&head(&mut stream)), "101");
    // The backend ends the connection, and so does the server.
    assert_eq!(rest(&mut stream), "earlyhasty");
}

#[test]
fn a_socket_ends_on_both_sides() {
    let (ended, end) = mpsc::channel();
    let ended = Mutex::new(ended);
    let server = passing_to(serving(move |mut stream| {
        head(&mut stream);
        stream
            .write_all(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")
            .unwrap();
        let heard = rest(&mut stream);
        ended.lock().unwrap().send(heard).unwrap();
    }));
    let (mut socket, _) = server.upgrade("/api", "");
    socket.write_all(b"bye").unwrap();
    socket.shutdown(Shutdown::Both).unwrap();
    assert_eq!(end.recv_timeout(AT_LAST).unwrap(), "bye");
    assert!(server.goes_on());
}

/// Ends a connection so that the other side notices: what has come is not read.
fn reset(stream: &TcpStream) {
    let mut unread = [0; 1];
    let _ = stream.peek(&mut unread);
}

#[test]
fn backends_that_break_off_end_nothing_else() {
    let server = passing_to(serving(|stream| {
        let mut reader = BufReader::with_capacity(1, stream.try_clone().unwrap());
        head(&mut reader);
        (&stream)
            .write_all(b"HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n")
            .unwrap();
        reset(&stream);
    }));
    let (mut socket, head) = server.upgrade("/api", "");
    assert_eq!(status(&head), "101");
    socket.write_all(b"a message that nobody reads").unwrap();
    let mut nothing = Vec::new();
    // Ended in one way or the other.
    let _ = socket.read_to_end(&mut nothing);
    assert!(nothing.is_empty());
    assert!(server.next_note().starts_with("proxy /api → http://localhost:"));
    assert!(server.goes_on());

    let server = passing_to(answering("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"));
    let mut answer = Vec::new();
    let _ = server.sent("GET /api HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n").read_to_end(&mut answer);
    assert!(answer.ends_with(b"short"));
    assert!(server.goes_on());
}

/// What is answered in place of a backend that does not, with what the terminal is told.
fn failure(server: &Fixture) -> (String, String) {
    let answer = server.ask("GET /api/x", "");
    let (note, line) = (server.next_note(), answer.split("\r\n\r\n").nth(1).unwrap_or_default().to_owned());
    assert!(line.starts_with(&note), "{note}\n{answer}");
    assert!(line.contains("代理 /api → "), "{answer}");
    assert!(server.goes_on());
    let (_, reason) = note.rsplit_once(": ").unwrap();
    (status(&answer).to_owned(), reason.to_owned())
}

#[test]
fn backends_that_do_not_answer_are_told_of() {
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let settings_frame = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    for (port, expected) in [
        (closed, "nothing is listening there"),
        (serving(drop), "it closed the connection"),
        (answering(""), "it closed the connection"),
        (answering(settings_frame), "its answer is not HTTP/1.1"),
        (answering("SSH-2.0-OpenSSH\r\n"), "its answer is not HTTP/1.1"),
    ] {
        assert_eq!(failure(&passing_to(port)), ("502".to_owned(), expected.to_owned()));
    }
    let server = passing_to(closed);
    assert_eq!(status(&server.upgrade("/api/ws", "").1), "502");
    let server = passing_to(80);
    server.pass(&[("/api", Backend { host: "no-such-host.invalid".to_owned(), ..backend(80) })]);
    assert_eq!(failure(&server).1, "the host was not found");
}

#[test]
fn backends_that_are_slow_are_not_waited_for_without_end() {
    let patience = Patience { connection: AT_LAST, answer: Duration::from_millis(20), repeats: AT_LAST };
    let silent = || {
        serving(|mut stream| {
            let mut all = Vec::new();
            let _ = stream.read_to_end(&mut all);
        })
    };
    let server = started(Settings { patience, ..settings() }, RootCertStore::empty());
    server.pass(&[("/api", backend(silent()))]);
    assert_eq!(failure(&server), ("504".to_owned(), "no answer within 0 s".to_owned()));
    // One that should encrypt, and says nothing.
    let patience = Patience { connection: Duration::from_millis(20), answer: AT_LAST, repeats: AT_LAST };
    let server = started(Settings { patience, ..settings() }, RootCertStore::empty());
    server.pass(&[("/api", Backend { is_secure: true, ..backend(silent()) })]);
    assert_eq!(failure(&server), ("504".to_owned(), "no connection within 0 s".to_owned()));
}

#[test]
fn repeats_are_counted() {
    const FAILURES: u32 = 20;
    let patience = Patience { repeats: Duration::from_millis(30), ..Patience::default() };
    let server = started(Settings { patience, ..settings() }, RootCertStore::empty());
    server.pass(&[("/api", backend(answering("")))]);
    for _ in 0..FAILURES {
        assert_eq!(status(&server.ask("GET /api", "")), "502");
    }
    let mut told = 0;
    while told < FAILURES {
        let note = server.next_note();
        let count = note.split_once(" (×").map(|(_, count)| count.trim_end_matches(')').parse::<u32>().unwrap());
        told += count.unwrap_or(1);
    }
    assert_eq!(told, FAILURES);
}

#[test]
fn localhost_is_both_of_its_addresses() {
    let serve = |mut stream: TcpStream| {
        head(&mut stream);
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap();
    };
    let mut ports = vec![listening(Ipv4Addr::LOCALHOST, serve)];
    // Some machines have no IPv6.
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        ports.push(listening(Ipv6Addr::LOCALHOST, serve));
        let server = passing_to(80);
        server.pass(&[("/api", Backend { host: "[::1]".to_owned(), ..backend(ports[1]) })]);
        assert_eq!(status(&server.ask("GET /api", "")), "204");
    }
    for port in ports {
        assert_eq!(status(&passing_to(port).ask("GET /api", "")), "204");
    }
}

#[test]
fn a_server_that_is_its_own_backend_says_so() {
    let server = started(settings(), RootCertStore::empty());
    server.pass(&[("/api", backend(server.port))]);
    let answer = server.ask("GET /api", "");
    assert!(status(&answer) == "502" && answer.contains("this is the development server itself"), "{answer}");
    assert!(server.goes_on());
}

/// A certificate for localhost, and what trusts it.
fn certificate(addresses: &[&str]) -> (Certificate, RootCertStore) {
    let folder = tempfile::tempdir().unwrap();
    let addresses: Vec<String> = addresses.iter().map(|address| (*address).to_owned()).collect();
    let (certificate, problem) = Certificate::of_user(Some(folder.path()), &addresses).unwrap();
    assert!(problem.is_none());
    let text = std::fs::read(folder.path().join("https.pem")).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&text).unwrap()).unwrap();
    (certificate, roots)
}

/// A backend that encrypts and speaks a protocol of these.
fn encrypting(certificate: &Certificate, protocols: &[&str]) -> Backend {
    let mut config = (*certificate.0).clone();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let config = Arc::new(config);
    let port = serving(move |stream| {
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream);
        let mut byte = [0];
        // Whoever does not trust it leaves.
        if stream.read(&mut byte).is_ok_and(|count| count == 1) {
            head(&mut stream);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nencrypted");
        }
    });
    Backend { is_secure: true, ..backend(port) }
}

#[test]
fn backends_that_encrypt_have_to_prove_who_they_are() {
    let (certificate, roots) = certificate(&[]);
    let trusting = started(settings(), roots);
    trusting.pass(&[("/api", encrypting(&certificate, &["http/1.1"]))]);
    assert!(trusting.ask("GET /api", "").ends_with("\r\n\r\nencrypted"));
    trusting.pass(&[("/api", encrypting(&certificate, &[]))]);
    assert!(trusting.ask("GET /api", "").ends_with("\r\n\r\nencrypted"));
    trusting.pass(&[("/api", encrypting(&certificate, &["h2"]))]);
    assert_eq!(failure(&trusting), ("502".to_owned(), "its answer is not HTTP/1.1".to_owned()));
    // Something that does not encrypt at all.
    let plain = serving(|mut stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
        rest(&mut stream);
    });
    trusting.pass(&[("/api", Backend { is_secure: true, ..backend(plain) })]);
    assert!(failure(&trusting).1.starts_with("no encrypted connection ("));

    let wary = started(settings(), RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() });
    wary.pass(&[("/api", encrypting(&certificate, &["http/1.1"]))]);
    let (status, reason) = failure(&wary);
    assert!(status == "502" && reason.starts_with("its certificate is not trusted ("), "{reason}");
}

// Elsewhere a loopback interface has one address of IPv4.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_encrypts_is_asked_with_https() {
    use rustls::{ClientConfig, ClientConnection};

    let (certificate, roots) = certificate(&["127.0.0.2"]);
    let lan = vec!["127.0.0.2".parse().unwrap()];
    let server = started(Settings { certificate: Some(certificate), lan, ..settings() }, RootCertStore::empty());
    server.pass(&[("/api", backend(echoing()))]);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_root_certificates(roots).with_no_client_auth());
    let port = server.port;
    let ask = |host: &str, headers: &str| {
        let stream = TcpStream::connect(format!("{host}:{port}")).unwrap();
        let connection = ClientConnection::new(Arc::clone(&config), host.to_owned().try_into().unwrap()).unwrap();
        let mut stream = StreamOwned::new(connection, stream);
        write!(stream, "GET /api HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n{headers}\r\n").unwrap();
        let mut answer = String::new();
        // It need not take its leave as TLS wants it.
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    for host in ["localhost", "127.0.0.1", "127.0.0.2"] {
        let answer = ask(host, &format!("origin: https://{host}:{port}\r\n"));
        assert!(answer.contains("\r\nx-forwarded-proto: https\r\n"), "{host}: {answer}");
    }
    assert_eq!(status(&ask("localhost", &format!("origin: http://localhost:{port}\r\n"))), "403");
    // Who has forgotten the `s` is led there.
    let answer = server.ask("GET /a?b", "");
    assert!(
        status(&answer) == "307" && answer.contains(&format!("\r\nlocation: https://localhost:{port}/a?b\r\n")),
        "{answer}"
    );
    assert_eq!(status(&server.raw("GET / HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n")), "403");
}

#[cfg(target_os = "linux")]
#[test]
fn addresses_of_the_network_are_listened_on_if_that_is_wanted() {
    let other: IpAddr = "127.0.0.2".parse().unwrap();
    let asked = |server: &Fixture, host: &str, origin: &str| {
        let port = server.port;
        let Ok(mut stream) = TcpStream::connect((other, port)) else { return "closed".to_owned() };
        write!(stream, "GET / HTTP/1.1\r\nhost: {host}:{port}\r\norigin: http://{origin}\r\nconnection: close\r\n\r\n")
            .unwrap();
        status(&rest(&mut stream)).to_owned()
    };
    let server = started(settings(), RootCertStore::empty());
    assert_eq!(asked(&server, "127.0.0.2", "127.0.0.2"), "closed");
    let server = started(Settings { lan: vec![other], ..settings() }, RootCertStore::empty());
    let port = server.port;
    assert_eq!(asked(&server, "127.0.0.2", &format!("127.0.0.2:{port}")), "200");
    assert_eq!(asked(&server, "127.0.0.2", "127.0.0.2"), "403");
    assert_eq!(asked(&server, "127.0.0.3", &format!("127.0.0.2:{port}")), "403");
    assert_eq!(asked(&server, "127.0.0.2", &format!("127.0.0.3:{port}")), "403");
    // Whoever reads a document there has the token, and may change nothing all the same.
    for (host, expected) in [("127.0.0.1", "200"), ("127.0.0.2", "403")] {
        let mut stream = TcpStream::connect(format!("{host}:{port}")).unwrap();
        let token = &server.token;
        let request = format!(
            "POST /a HTTP/1.1\r\nhost: {host}:{port}\r\norigin: http://{host}:{port}\r\n\
             x-portalgen-token: {token}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        assert_eq!(status(&rest(&mut stream)), expected, "{host}");
    }
}
