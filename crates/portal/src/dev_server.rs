//! The development server: `[dev]`. Nothing of it is published.

use std::{collections::BTreeMap, fmt};

use portalgen_base::text::{text, write};

use super::{
    findings::Findings,
    keys::DevSection,
    origin::{self, BasePath},
    path::{self, RoutePath},
    value::{Problem, Value, understood},
};

/// The folder below the base in which the development server keeps its own files.
pub const OWN_FOLDER: &str = "__portalgen";

/// How `portalgen dev` serves the portal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DevServer {
    /// Where to listen.
    pub port: Option<u16>,
    /// Names of hosts to answer for, besides this machine's: in small letters and in ASCII.
    pub hosts: Vec<String>,
    /// Where browsers find the socket of updates, as `wss://dev.example.com/__portalgen/socket`: elsewhere than beside the
    /// client's script.
    pub socket: Option<String>,
    /// What is passed on, each path once.
    pub proxies: Vec<Proxy>,
}

/// Addresses that a backend answers: those at or below a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    /// The path. It begins at the root of the server, whatever the base is.
    pub path: RoutePath,
    /// Who answers.
    pub backend: Backend,
}

/// A server that requests are passed on to. It is shown as its origin: `http://localhost:8080`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Backend {
    /// Whether it speaks `https`, and not `http`.
    pub is_secure: bool,
    /// The name, or the address; one of IPv6 is in brackets.
    pub host: String,
    /// The port, even if it is the usual one.
    pub port: u16,
}

impl DevServer {
    pub(super) fn read(section: &DevSection, base: &BasePath, findings: &mut Findings) -> Self {
        let hosts = section.hosts.iter().flatten();
        let hosts = hosts.filter_map(|host| understood(Some(host), host_name, findings)).collect();
        let mut seen: BTreeMap<RoutePath, &Value> = BTreeMap::new();
        let mut proxies = Vec::new();
        for (path, backend) in section.proxy.iter().flat_map(|pairs| &pairs.0) {
            let parsed = understood(Some(path), |written| proxied(written, base), findings);
            let backend = understood(Some(backend), Backend::parse, findings);
            let Some(parsed) = parsed else { continue };
            if let Some(first) = seen.get(&parsed) {
                let problem = Problem::new(text!("duplicate proxy path `{parsed}`", "`{parsed}` 写了两次"));
                let error = path.error(problem.hint(text!("remove one of them", "请删掉其中一行")));
                findings.add(first.relate(error, text!("first defined here", "第一次写在这里")));
                continue;
            }
            seen.insert(parsed.clone(), path);
            proxies.extend(backend.map(|backend| Proxy { path: parsed, backend }));
        }
        let socket = understood(section.socket.as_ref(), |written| socket(written, base), findings);
        Self { port: section.port, hosts, socket, proxies }
    }
}

impl Backend {
    /// Reads the origin of a server.
    ///
    /// # Errors
    /// Anything but `http:` or `https:`, a host and perhaps a port.
    pub(crate) fn parse(written: &str) -> Result<Self, Problem> {
        const EXAMPLE: &str = "http://localhost:8080";
        let scheme = origin::scheme(written);
        if !written.is_empty() && written.trim() == written && !matches!(scheme.as_deref(), Some("http" | "https")) {
            let rest = origin::after_scheme(written);
            let is_secure = scheme.as_deref() == Some("wss");
            let right = if is_secure { format!("https://{rest}") } else { format!("http://{rest}") };
            return Err(Problem::new(text!(
                "the address of a backend begins with `http://` or `https://`, also for WebSockets",
                "后端地址要以 `http://` 或 `https://` 开头；WebSocket 也这样写"
            ))
            .hint(write(right)));
        }
        if let Some((before, host)) = written.split_once('@')
            && let Some((scheme, _)) = before.split_once("://")
        {
            return Err(Problem::new(text!(
                "a backend's address cannot contain a user name or password: this file is under version control",
                "后端地址里不能写用户名或密码：这个文件会进入版本库"
            ))
            .hint(write(format!("{scheme}://{host}"))));
        }
        let url = origin::parse_site(written, EXAMPLE)?;
        let plain = || write(url.origin().ascii_serialization());
        if url.query().is_some() || url.fragment().is_some() {
            let message = text!("a backend's address cannot contain `?` or `#`", "后端地址里不能有 `?` 或 `#`");
            return Err(Problem::new(message).hint(plain()));
        }
        if url.path() != "/" {
            return Err(Problem::new(text!(
                "the backend receives the requested path unchanged, so its address ends before the first `/`",
                "后端收到的路径与浏览器请求的相同，所以后端地址只写到第一个 `/` 之前"
            ))
            .hint(plain()));
        }
        let port = url.port_or_known_default().filter(|port| *port != 0);
        let (Some(host), Some(port)) = (url.host_str(), port) else {
            return Err(Problem::new(text!("0 is not a valid port", "端口不能是 0")));
        };
        Ok(Self { is_secure: url.scheme() == "https", host: host.to_owned(), port })
    }

    /// The port that need not be named.
    fn usual_port(&self) -> u16 {
        if self.is_secure { 443 } else { 80 }
    }

    /// The host as requests name it: `localhost:8080`.
    pub fn authority(&self) -> String {
        let Self { host, port, .. } = self;
        if *port == self.usual_port() { host.clone() } else { format!("{host}:{port}") }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(formatter, "{scheme}://{}", self.authority())
    }
}

/// Reads a path whose requests are passed on.
fn proxied(written: &str, base: &BasePath) -> Result<RoutePath, Problem> {
    let path = RoutePath::parse(written)?;
    let own = RoutePath::parse(&format!("{}{OWN_FOLDER}", base.url()))?;
    if own.strip_prefix(&path).is_none() && path.strip_prefix(&own).is_none() {
        return Ok(path);
    }
    let message = if path.strip_prefix(&own).is_some() {
        text!("`{own}` is reserved for the development server", "`{own}` 留给开发服务器自己使用")
    } else {
        text!(
            "`{path}` includes `{own}`, which is reserved for the development server",
            "`{path}` 包含了 `{own}`，而后者留给开发服务器自己使用"
        )
    };
    Err(Problem::new(message).hint(text!("write the backend's folder: `/api`", "请写后端所在的目录，例如 `/api`")))
}

/// Reads the address of the socket of updates. Without a path, it is the one that the server has.
fn socket(written: &str, base: &BasePath) -> Result<String, Problem> {
    const EXAMPLE: &str = "wss://dev.example.com";
    path::check_spaces(written)?;
    let scheme = origin::scheme(written);
    let rest = origin::after_scheme(written);
    let [web, own] = if matches!(scheme.as_deref(), Some("ws" | "http")) { ["http", "ws"] } else { ["https", "wss"] };
    if !written.is_empty() && !matches!(scheme.as_deref(), Some("ws" | "wss")) {
        let message = text!(
            "a WebSocket address begins with `wss://` or `ws://`",
            "WebSocket 的地址要以 `wss://` 或 `ws://` 开头"
        );
        return Err(Problem::new(message).hint(write(format!("{own}://{rest}"))));
    }
    let in_web = scheme.map_or_else(String::new, |_| format!("{web}://{rest}"));
    let url = origin::parse_site(&in_web, EXAMPLE)?;
    let address = |path: &str| format!("{own}{}{path}", &url.origin().ascii_serialization()[web.len()..]);
    if url.query().is_some() || url.fragment().is_some() {
        let message = text!("this address cannot contain `?` or `#`", "这个地址里不能有 `?` 或 `#`");
        return Err(Problem::new(message).hint(write(address(url.path()))));
    }
    Ok(match url.path() {
        "/" => address(&format!("{}{OWN_FOLDER}/socket", base.url())),
        path => address(path),
    })
}

/// Reads the name of a host.
fn host_name(written: &str) -> Result<String, Problem> {
    let example = || text!("for example `dev.example.com`", "例如 `dev.example.com`");
    if written.contains('*') {
        let message = text!("write each host in full, without `*`", "请写出完整的主机名，不能用 `*`");
        return Err(Problem::new(message).hint(example()));
    }
    let name = written.split_once("://").map_or(written, |(_, rest)| rest);
    let url = origin::parse_site(&format!("https://{name}"), "dev.example.com")?;
    let host = url.host_str().unwrap_or_default();
    if url.port().is_some() || url.path() != "/" || name.len() != written.len() || written.ends_with('/') {
        let message = text!("write the host without scheme, port and path", "主机名不带 `https://`，也不带端口和路径");
        return Err(Problem::new(message).hint(write(host)));
    }
    Ok(host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Backend, host_name, proxied, socket};
    use crate::origin::BasePath;

    #[test]
    fn backends() {
        for (written, shown, host, port) in [
            ("http://localhost:8080", "http://localhost:8080", "localhost", 8080),
            ("http://localhost:80/", "http://localhost", "localhost", 80),
            ("https://API.example.com", "https://api.example.com", "api.example.com", 443),
            ("http://[::1]:3000", "http://[::1]:3000", "[::1]", 3000),
            ("https://bücher.example:444", "https://xn--bcher-kva.example:444", "xn--bcher-kva.example", 444),
        ] {
            let backend = Backend::parse(written).unwrap();
            assert_eq!((backend.to_string().as_str(), backend.host.as_str(), backend.port), (shown, host, port));
        }
        for written in [
            "",
            " http://a",
            "localhost:8080",
            "ws://localhost:8080",
            "ftp://a",
            "http://",
            "http://user@a",
            "http://user:word@a",
            "http://a/v1",
            "http://a?b",
            "http://a#b",
            "http://a:0",
            "http://a:65536",
        ] {
            assert!(Backend::parse(written).is_err(), "{written}");
        }
    }

    #[test]
    fn proxied_paths_leave_the_server_its_own() {
        let (root, app) = (BasePath::default(), BasePath::parse("app").unwrap());
        for (base, written, path) in [
            (&root, "/api", Some("/api")),
            (&root, "/api/", Some("/api")),
            (&root, "/%61pi/v1", Some("/api/v1")),
            (&root, "/__portalgens", Some("/__portalgens")),
            (&root, "/", None),
            (&root, "/__portalgen", None),
            (&root, "/__portalgen/api", None),
            (&root, "api", None),
            (&root, "/api?x", None),
            (&app, "/api", Some("/api")),
            (&app, "/app/api", Some("/app/api")),
            (&app, "/__portalgen", Some("/__portalgen")),
            (&app, "/app", None),
            (&app, "/app/__portalgen/socket", None),
        ] {
            assert_eq!(proxied(written, base).ok().as_ref().map(super::RoutePath::as_str), path, "{written}");
        }
    }

    #[test]
    fn sockets() {
        let (root, app) = (BasePath::default(), BasePath::parse("app").unwrap());
        for (base, written, address) in [
            (&root, "wss://dev.acme.example", "wss://dev.acme.example/__portalgen/socket"),
            (&app, "wss://Dev.acme.example:443/", "wss://dev.acme.example/app/__portalgen/socket"),
            (&app, "ws://127.0.0.1:5173/x/socket", "ws://127.0.0.1:5173/x/socket"),
            (&root, "ws://[::1]:5173", "ws://[::1]:5173/__portalgen/socket"),
        ] {
            assert_eq!(socket(written, base).as_deref(), Ok(address));
        }
        for written in [
            "",
            " wss://a",
            "dev.acme.example",
            "https://a",
            "http://a",
            "wss://a?b",
            "wss://a#b",
            "wss://b@a",
            "wss://",
        ] {
            assert!(socket(written, &root).is_err(), "{written}");
        }
    }

    #[test]
    fn hosts() {
        for (written, name) in [
            ("dev.acme.example", "dev.acme.example"),
            ("Dev.Acme.example", "dev.acme.example"),
            ("192.168.1.7", "192.168.1.7"),
        ] {
            assert_eq!(host_name(written).as_deref(), Ok(name));
        }
        for written in ["", "*.acme.example", "https://a.example", "a.example:81", "a.example/", "a.example/b", "a b"] {
            assert!(host_name(written).is_err(), "{written}");
        }
    }
}
