//! Where `portalgen dev` listens, and what whoever has started it is told of that.

use std::{env, io, net::IpAddr, path::PathBuf, time::Duration};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};
use portalgen_dev::{
    certificate::Certificate,
    lan, qr,
    server::{Patience, Port, Server, Settings},
};
use portalgen_portal::DevServer;

use super::{
    args::{Lan, NetworkArguments},
    console::Console,
    failure::Failure,
    terminal::draw,
};

/// How often clients that say nothing are asked whether they are there.
const PING: Duration = Duration::from_secs(30);
/// Where to listen if nobody says so.
const FIRST_PORT: u16 = 5173;
/// Drawn in black on white, whatever the colours of the terminal are.
const BLACK_ON_WHITE: &str = "\u{1b}[38;5;16;48;5;231m";
const USUAL: &str = "\u{1b}[0m";

/// How to serve, as the command line says, and else routes.toml.
///
/// # Errors
/// There is no such address, or no certificate could be made.
pub(super) fn settings(arguments: &NetworkArguments, dev: &DevServer, console: &Console) -> Result<Settings, Failure> {
    let lan = addresses(arguments)?;
    let names: Vec<String> = lan.iter().map(ToString::to_string).collect();
    Ok(Settings {
        port: arguments.port.or(dev.port).map_or(Port::From(FIRST_PORT), Port::Exactly),
        socket: "/__portalgen/socket".to_owned(),
        certificate: if arguments.https { Some(certificate(&names, console)?) } else { None },
        lan,
        hosts: arguments.allow_host.clone(),
        patience: Patience::default(),
        ping: PING,
    })
}

/// The addresses that others in the local network know.
fn addresses(arguments: &NetworkArguments) -> Result<Vec<IpAddr>, Failure> {
    let hint = || text!("choose one with `--lan=ADDRESS`", "请用 `--lan=…` 指定一个地址");
    match arguments.lan {
        None => Ok(Vec::new()),
        Some(Lan::At(address)) if !lan::is_one(address) => {
            let problem = text!(
                "--lan takes one address of this machine, but {address} stands for all of them",
                "--lan 只接受本机的一个地址，而 {address} 代表所有地址"
            );
            Err(failure(problem, None))
        }
        // Loopback addresses of everybody are listened on anyway.
        Some(Lan::At(address)) => Ok([address].into_iter().filter(|address| !is_usual(*address)).collect()),
        Some(Lan::Found) => {
            let found = lan::addresses().map_err(|error| {
                let error = system::explain(&error);
                let problem =
                    text!("cannot read the addresses of this machine: {error}", "无法读取本机的地址：{error}", error);
                failure(problem, Some(hint()))
            })?;
            if found.is_empty() {
                let problem = text!("this machine has no address in a local network", "本机没有局域网地址");
                return Err(failure(problem, Some(hint())));
            }
            Ok(found)
        }
    }
}

fn is_usual(address: IpAddr) -> bool {
    ["127.0.0.1", "::1"].iter().any(|usual| usual.parse() == Ok(address))
}

fn certificate(names: &[String], console: &Console) -> Result<Certificate, Failure> {
    let made = Certificate::of_user(user_folder().as_deref(), names);
    let (certificate, problem) = made.map_err(|error| {
        let error = system::explain(&error);
        failure(text!("cannot create a certificate: {error}", "无法生成证书：{error}", error), None)
    })?;
    if let Some(error) = problem {
        let error = system::explain(&error);
        console.diagnostics(&[Diagnostic::warning(text!(
            "the certificate could not be saved, so browsers will ask again at the next start: {error}",
            "证书没有保存下来，下次启动时浏览器会再次询问：{error}",
            error
        ))]);
    }
    Ok(certificate)
}

/// Where programs of this user keep what they need the next time.
fn user_folder() -> Option<PathBuf> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || env::home_dir().filter(|folder| folder.is_absolute());
    let folder = if cfg!(windows) {
        named("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Application Support"))
    } else {
        named("XDG_STATE_HOME").or_else(|| home().map(|home| home.join(".local/state")))
    };
    folder.map(|folder| folder.join("portalgen"))
}

/// The addresses for other machines.
pub(super) fn urls(server: &Server, base: &str) -> Vec<String> {
    server.origins_in_network().iter().map(|origin| format!("{origin}{base}")).collect()
}

/// Shows an address as a QR code, where that can be drawn.
pub(super) fn show_code(url: &str, console: &Console) {
    let lines = can_draw(console).then(|| qr::drawn(url)).flatten();
    let columns = terminal_size::terminal_size_of(io::stderr()).map_or(0, |(columns, _)| usize::from(columns.0));
    for line in lines.into_iter().flatten().filter(|line| line.chars().count() + 2 <= columns) {
        draw(&format!("  {BLACK_ON_WHITE}{line}{USUAL}\n"));
    }
}

/// Whether the terminal shows colours and blocks. Without colours, nobody knows which of them would be dark.
fn can_draw(console: &Console) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let locale = locale.map(|locale| locale.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let knows_blocks = cfg!(any(windows, target_os = "macos")) || locale.contains("utf-8") || locale.contains("utf8");
    console.is_terminal && console.look.color && knows_blocks
}

fn failure(problem: Text, hint: Option<Text>) -> Failure {
    Failure::other(Diagnostic::error(problem).with_hints(hint)).without_outcome()
}
