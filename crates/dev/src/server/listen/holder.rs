//! Which program has a port, where the system lets everybody see that.

use std::{fmt, fs, path::Path};

/// A program that listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// What it is called.
    name: String,
    /// The number of its process.
    process: u32,
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Any program can call itself as it likes.
        let name: String = self.name.chars().filter(char::is_ascii_graphic).collect();
        write!(formatter, "{name}, PID {}", self.process)
    }
}

/// The program that listens on a port. None where that is not told, or another user's.
pub(super) fn of(port: u16) -> Option<Holder> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<String> =
        tables.iter().flat_map(|table| table.lines()).filter_map(|line| socket(line, port)).collect();
    let processes = fs::read_dir("/proc").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut process = processes.filter(|path| !sockets.is_empty() && has_any(path, &sockets));
    process.find_map(|path| holder(&path))
}

/// The socket of a line in the table of the kernel, as links of processes name it, if it listens on the port.
fn socket(line: &str, port: u16) -> Option<String> {
    /// The state of a socket that listens.
    const LISTENING: &str = "0A";
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (&[_, local, _, state], &[inode, ..]) = (fields.get(..4)?, fields.get(9..)?) else { return None };
    let (_, digits) = local.rsplit_once(':')?;
    let is_it = state == LISTENING && u16::from_str_radix(digits, 16) == Ok(port);
    is_it.then(|| format!("socket:[{inode}]"))
}

fn has_any(process: &Path, sockets: &[String]) -> bool {
    let open = fs::read_dir(process.join("fd")).into_iter().flatten();
    open.filter_map(|file| fs::read_link(file.ok()?.path()).ok())
        .any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
}

fn holder(process: &Path) -> Option<Holder> {
    let name = fs::read_to_string(process.join("comm")).ok()?;
    Some(Holder { name: name.trim().to_owned(), process: process.file_name()?.to_str()?.parse().ok()? })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpListener;

    use super::of;

    #[test]
    fn a_program_that_listens_is_known() {
        for address in ["127.0.0.1:0", "[::1]:0", "0.0.0.0:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let port = listener.local_addr().unwrap().port();
            assert_eq!(of(port).map(|holder| holder.process), Some(std::process::id()), "{address}");
        }
    }

    #[test]
    fn names_are_shown_without_what_terminals_obey() {
        let holder = super::Holder { name: "no\u{1b}[2Jde".to_owned(), process: 7 };
        assert_eq!(holder.to_string(), "no[2Jde, PID 7");
    }
}
