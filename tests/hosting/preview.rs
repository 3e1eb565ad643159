//! `portalgen preview` itself: what it answers whatever comes, and what it never sends.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Command,
};

use super::{
    client::{self, Request},
    portal::{Form, Portal},
    server::Server,
};

const USUAL: Form = Form { slash: "always", base: "/" };

fn served() -> (Portal, Server) {
    let portal = Portal::new(USUAL);
    let server = Server::preview(&portal, "plain");
    (portal, server)
}

/// Sends bytes, and returns the status of the answer, if there is one.
fn status_of(bytes: &[u8], server: &Server) -> Option<u16> {
    client::raw(bytes, server.address()).map(|answer| answer.status)
}

fn is_well(server: &Server) {
    assert_eq!(server.answer(&Request::get("/about/")).status, 200);
}

#[test]
fn garbage_is_no_request() {
    let (_portal, server) = served();
    for garbage in [
        &b"\r\n\r\n"[..],
        b"\0\x01\x02\xff\xfe\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let status = client::raw_to_the_end(garbage, server.address()).map(|answer| answer.status);
        assert!(status.is_none_or(|status| matches!(status, 400 | 404 | 505)), "{garbage:?} gave {status:?}");
    }
    is_well(&server);
}

/// A page of another site, whose name leads to this machine all of a sudden, must not read the portal.
#[test]
fn requests_for_other_hosts_are_refused() {
    let (_portal, server) = served();
    let port = server.address().port();
    let status = |host: &str| {
        let request = format!("GET /about/ HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        status_of(request.as_bytes(), &server)
    };
    for host in [
        "localhost",
        "LOCALHOST:1",
        "portal.localhost",
        "127.0.0.1",
        "[::1]:80",
        "192.0.2.7",
        "portal.example",
        "localhost.",
    ] {
        assert_eq!(status(&format!("Host: {host}\r\n")), Some(200), "{host}");
    }
    assert_eq!(status(&format!("Host: 127.0.0.1:{port}\r\n")), Some(200));
    for host in [
        "attacker.example",
        "localhost.attacker.example",
        "127.0.0.1.attacker.example",
        "xlocalhost",
        "a@localhost",
        "::1",
        "[x]",
        "",
    ] {
        assert_eq!(status(&format!("Host: {host}\r\n")), Some(403), "{host}");
    }
    assert_eq!(status("Host: localhost\r\nHost: attacker.example\r\n"), Some(403));
    let answer =
        client::raw(b"GET / HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n", server.address()).unwrap();
    let body = String::from_utf8(answer.body).unwrap();
    assert!(body.contains("--allow-host") && !body.contains("other.example"), "{body}");
}

#[test]
fn unusual_requests_are_answered() {
    let (_portal, server) = served();
    let request =
        |line: &str, rest: &str| format!("{line}\r\nHost: localhost\r\nConnection: close\r\n{rest}\r\n").into_bytes();
    for (line, rest, status) in [
        ("GET http://other.example/about/ HTTP/1.1", "", 200),
        ("GET /about/ HTTP/1.0", "", 200),
        ("GET /about/#hash HTTP/1.1", "", 200),
        ("OPTIONS * HTTP/1.1", "", 400),
        ("CONNECT other.example:443 HTTP/1.1", "", 400),
        ("BREW /about/ HTTP/1.1", "", 405),
        ("POST /about/ HTTP/1.1", "Content-Length: 5\r\n\r\nhello", 405),
        ("GET /about/ HTTP/1.1", "Range: bytes=18446744073709551615-18446744073709551615\r\n", 416),
        ("GET /about/ HTTP/1.1", "Range: bytes=-18446744073709551616\r\n", 416),
        ("GET /about/ HTTP/1.1", "If-Modified-Since: \u{fffd}\r\nIf-None-Match: \"\r\nAccept-Encoding: ;q=\r\n", 200),
    ] {
        assert_eq!(status_of(&request(line, rest), &server), Some(status), "{line} {rest}");
    }
    let long = "a/".repeat(20_000);
    assert_eq!(status_of(&request(&format!("GET /{long} HTTP/1.1"), ""), &server), Some(404));
    let too_long = "a".repeat(1_000_000);
    let status = status_of(&request(&format!("GET /{too_long} HTTP/1.1"), ""), &server);
    assert!(matches!(status, None | Some(414 | 431)), "{status:?}");
    let headers: String =
        (0..1000).flat_map(|number| ["X-".to_owned(), number.to_string(), ": a\r\n".to_owned()]).collect();
    let status = status_of(&request("GET / HTTP/1.1", &headers), &server);
    assert!(matches!(status, None | Some(431)), "{status:?}");
    is_well(&server);
}

#[test]
fn many_and_slow_visitors_are_in_nobodys_way() {
    let (_portal, server) = served();
    let mut open: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    for stream in &mut open {
        stream.write_all(b"GET /abo").unwrap();
    }
    is_well(&server);
    // None of them has been given up to get there.
    for stream in &mut open {
        stream.write_all(b"ut/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    }
    for mut stream in open {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
}

#[test]
#[cfg(unix)]
fn nothing_outside_of_the_folder_is_sent() {
    use std::os::unix::fs::symlink;

    let (portal, server) = served();
    let root = portal.root();
    let outside = root.parent().unwrap();
    fs::write(outside.join("secret.txt"), "secret").unwrap();
    symlink(outside.join("secret.txt"), portal.dist().join("link.txt")).unwrap();
    symlink(outside, portal.dist().join("folder")).unwrap();
    symlink(portal.dist().join("robots.txt"), portal.dist().join("inner.txt")).unwrap();
    assert!(Command::new("mkfifo").arg(portal.dist().join("pipe")).status().unwrap().success());
    for platform in ["plain", "nginx", "caddy"] {
        let server = Server::preview(&portal, platform);
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/about/../../secret.txt",
            "/..\\secret.txt",
            "/link.txt",
            "/folder/secret.txt",
            "/inner.txt",
            "/pipe",
            "/about",
            "/.portalgen/manifest.json",
            "/.portalgen/deploy/portal.json",
        ] {
            let answer = server.answer(&Request::get(path));
            assert_ne!(answer.status, 200, "{platform}: {path}");
            assert!(!String::from_utf8_lossy(&answer.body).contains("secret"), "{platform}: {path}");
        }
    }
    is_well(&server);
}

#[test]
fn a_build_is_seen_while_the_preview_runs() {
    let (portal, server) = served();
    assert_eq!(server.answer(&Request::get("/new/")).status, 404);
    portal.publish("[portal]\n[[route]]\npath = \"/\"\n[[route]]\npath = \"/new\"\ncomponent = \"pages/index.tsx\"\n");
    assert_eq!(server.answer(&Request::get("/new/")).status, 200);
    assert_eq!(server.answer(&Request::get("/about/")).status, 404);
    // Slashes, too, are those of the latest build.
    portal.publish("[portal]\nslash = \"never\"\n[[route]]\npath = \"/\"\n[[route]]\npath = \"/new\"\ncomponent = \"pages/index.tsx\"\n");
    assert_eq!(server.answer(&Request::get("/new")).status, 200);
    // A manifest that somebody broke changes nothing.
    fs::write(portal.note("portal.json"), "{").unwrap();
    assert_eq!(server.answer(&Request::get("/new")).status, 200);
}

#[test]
fn large_files_are_not_held_in_memory() {
    const SIZE: u64 = 200 * 1024 * 1024;
    let (portal, server) = served();
    fs::File::create(portal.dist().join("large.bin")).unwrap().set_len(SIZE).unwrap();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut piece = vec![0; 1 << 20];
    let (mut received, mut largest) = (0_u64, 0);
    loop {
        let count = stream.read(&mut piece).unwrap();
        if count == 0 {
            break;
        }
        received += count as u64;
        largest = largest.max(server.memory_in_kilobytes().unwrap_or_default());
    }
    assert!(received > SIZE, "{received} bytes came");
    assert!(largest < 100_000, "the server held {largest} kB");
    let part = Request::get("/large.bin").with("Range", "bytes=209715190-");
    assert_eq!(server.answer(&part).body.len(), 10);
}

/// Runs `portalgen preview`, which ends because it has nothing to serve.
fn refused(arguments: &[&str], root: &std::path::Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portalgen"));
    let output = command.args(["preview", "--lang", "en", "--root"]).arg(root).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_cannot_be_served_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let missing = "error: the folder dist does not exist\n  = hint: run `portalgen build` first\n\n";
    assert_eq!(refused(&[], folder.path()), (Some(1), missing.to_owned()));
    fs::create_dir(folder.path().join("dist")).unwrap();
    let foreign = "error: dist was not made by this version of portalgen\n  = hint: run `portalgen build` first\n\n";
    assert_eq!(refused(&[], folder.path()), (Some(1), foreign.to_owned()));

    let portal = Portal::new(USUAL);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let (code, said) =
        refused(&["--out", &portal.dist().display().to_string(), "--port", &port.to_string()], folder.path());
    let next = port.checked_add(1).unwrap_or(0);
    let expected = format!(
        "error: port {port} is used by another program\n  = hint: choose another one: `--port {next}`, or `--port 0` for any \
         free port\n\n"
    );
    assert_eq!((code, said), (Some(2), expected));
    assert_eq!(refused(&["--platform", "geocities"], folder.path()).0, Some(2));
}

#[test]
fn the_first_declared_platform_is_shown() {
    let portal = Portal::new(USUAL);
    let server = Server::preview_by_default(&portal);
    // As nginx: a folder below which there is nothing is none, and files have its tags.
    let answer = server.answer(&Request::get("/robots.txt"));
    assert!(answer.header("etag").unwrap().ends_with(&format!("-{:x}\"", answer.body.len())), "{answer:?}");
    assert_eq!(server.answer(&Request::get("/login")).status, 302);
}
