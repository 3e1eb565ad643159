//! Servers, started for a test and stopped with it.

use std::{
    env, fs,
    io::{BufRead as _, BufReader},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

use super::{
    client::{Answer, Request},
    portal::Portal,
};
use crate::support::project::repository;

/// A server that runs until the value goes.
pub(crate) struct Server {
    process: Child,
    address: SocketAddr,
    /// What the server keeps for itself.
    folder: TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    pub(crate) fn answer(&self, request: &Request) -> Answer {
        request.send(self.address)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// nginx with the server that the documentation shows.
    pub(crate) fn nginx(portal: &Portal) -> Self {
        let program = program("nginx", "NGINX_BIN", "/usr/sbin/nginx");
        Self::start(&program, "nginx.conf", |folder, address| {
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
            let temporary: String = temporary.map(|name| format!("{name}_temp_path {folder}/{name};\n")).concat();
            format!(
                "daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/log;\nevents {{}}\nhttp {{\n\
                 access_log off;\n{temporary}server {{\nlisten {address};\nroot \"{}\";\nmerge_slashes off;\ninclude \"{}\";\n}}\n}}\n",
                portal.root().display(),
                portal.note("nginx.conf").display()
            )
        })
    }

    /// Caddy with the site that the documentation shows.
    pub(crate) fn caddy(portal: &Portal) -> Self {
        let program = program("Caddy", "CADDY_BIN", "/usr/bin/caddy");
        Self::start(&program, "Caddyfile", |_, address| {
            format!(
                "{{\nadmin off\nauto_https off\n}}\nhttp://:{} {{\nbind {}\nroot * \"{}\"\nimport \"{}\"\n\
                 respond 404\n}}\n",
                address.port(),
                address.ip(),
                portal.root().display(),
                portal.note("Caddyfile").display()
            )
        })
    }

    /// `portalgen preview` for a folder.
    pub(crate) fn preview(portal: &Portal, platform: &str) -> Self {
        Self::start_preview(&portal.dist(), &["--platform", platform])
    }

    /// `portalgen preview` for a folder, as the platform that the portal names.
    pub(crate) fn preview_by_default(portal: &Portal) -> Self {
        Self::start_preview(&portal.dist(), &[])
    }

    fn start_preview(dist: &Path, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_portalgen"));
        command
            .args(["preview", "--port", "0", "--json", "--allow-host", "portal.example"])
            .args(arguments)
            .arg("--root")
            .arg(folder.path());
        let mut process = command.arg("--out").arg(dist).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| address_in(&line)).expect("an address");
        Self { process, address, folder }
    }

    /// How much memory the process has, where the system tells.
    pub(crate) fn memory_in_kilobytes(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().split(' ').next()?.parse().ok()
    }

    /// Starts a program with a configuration, at a port that was free a moment ago.
    fn start(program: &Path, name: &str, configure: impl Fn(&str, SocketAddr) -> String) -> Self {
        let mut said = String::new();
        for _ in 0..5 {
            match Self::try_start(program, name, &configure) {
                Ok(server) => return server,
                Err(log) => said = log,
            }
        }
        panic!("{} does not begin to answer:\n{said}", program.display())
    }

    /// A server that answers, or what it says instead.
    fn try_start(program: &Path, name: &str, configure: impl Fn(&str, SocketAddr) -> String) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
        let configuration = folder.path().join(name);
        fs::write(&configuration, configure(&folder.path().display().to_string(), address)).unwrap();
        let mut command = Command::new(program);
        match name {
            "Caddyfile" => command.args(["run", "--adapter", "caddyfile", "--config"]).arg(configuration),
            _ => command.arg("-c").arg(configuration).arg("-e").arg(folder.path().join("log")),
        };
        let log = fs::File::create(folder.path().join("said")).unwrap();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        // Caddy keeps what it knows about certificates at home.
        command.env("HOME", folder.path()).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
        let process = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let mut server = Self { process, address, folder };
        let start = Instant::now();
        while server.process.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(20) {
            if TcpStream::connect(address).is_ok() {
                return Ok(server);
            }
            thread::sleep(Duration::from_millis(20));
        }
        let said = ["said", "log"].map(|name| fs::read_to_string(server.folder.path().join(name)).unwrap_or_default());
        Err(said.concat())
    }
}

/// The path of a server's program: what a variable names, or that of Debian's package, installed or unpacked.
fn program(name: &str, variable: &str, usual: &str) -> PathBuf {
    let named = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
    let unpacked = repository().join("target/servers").join(usual.trim_start_matches('/'));
    let mut places = named.into_iter().chain([PathBuf::from(usual), unpacked]);
    places.find(|path| path.exists()).unwrap_or_else(|| {
        let package = name.to_lowercase();
        panic!(
            "{name} is missing: run `cargo xtask servers`, install Debian's package `{package}`, or set {variable} to its path"
        )
    })
}

/// The address in `"url": "http://127.0.0.1:40000/"`.
fn address_in(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("http://")?;
    rest.split('/').next()?.parse().ok()
}
