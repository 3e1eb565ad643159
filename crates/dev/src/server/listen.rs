//! Ports that are free on every address that the server listens on.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use portalgen_base::{
    system,
    text::{Text, text},
};

mod holder;

pub use holder::Holder;

/// How many ports are tried, one after the other.
const TRIED: u16 = 100;
/// How long another server has to take a connection, on this machine.
const ANSWER: Duration = Duration::from_millis(100);

/// Where to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Port {
    /// On this port, or not at all. Port 0 stands for any that is free.
    Exactly(u16),
    /// On the first free port from this one on.
    From(u16),
}

/// Why nothing listens.
#[derive(Debug)]
pub enum NotListening {
    /// Another program has the port; which one, if that is known.
    Taken(u16, Option<Holder>),
    /// Other programs have all ports in this range.
    AllTaken(u16, u16),
    /// The system says something else.
    Failed(io::Error),
    /// This address is none of this machine's.
    NoAddress(IpAddr),
}

/// Sockets that listen on the same port, one for each loopback address of this machine and others that were asked for.
#[derive(Debug)]
pub(super) struct Listeners {
    pub(super) port: u16,
    pub(super) all: Vec<TcpListener>,
}

impl Listeners {
    pub(super) fn at(port: Port, others: &[IpAddr]) -> Result<Self, NotListening> {
        match port {
            Port::Exactly(0) => Self::anywhere(others),
            Port::Exactly(port) => Self::on(port, others)?.ok_or_else(|| NotListening::Taken(port, holder::of(port))),
            Port::From(first) => {
                let last = first.saturating_add(TRIED - 1);
                (first..=last)
                    .find_map(|port| Self::on(port, others).transpose())
                    .unwrap_or(Err(NotListening::AllTaken(first, last)))
            }
        }
    }

    /// On a port that the system chooses, which may be taken on the other address.
    fn anywhere(others: &[IpAddr]) -> Result<Self, NotListening> {
        for _ in 0..TRIED {
            if let Some(found) = Self::on(0, others)? {
                return Ok(found);
            }
        }
        Err(NotListening::AllTaken(0, u16::MAX))
    }

    /// None, if the port is taken on any address: a browser that prefers the other one would be shown another program.
    fn on(port: u16, others: &[IpAddr]) -> Result<Option<Self>, NotListening> {
        let Some(ipv4) = open(Ipv4Addr::LOCALHOST.into(), port)? else { return Ok(None) };
        let port = ipv4.local_addr().map_err(NotListening::Failed)?.port();
        let ipv6 = match open(Ipv6Addr::LOCALHOST.into(), port) {
            Ok(Some(ipv6)) => Some(ipv6),
            Ok(None) => return Ok(None),
            // A machine without IPv6.
            Err(_) => None,
        };
        let mut all: Vec<TcpListener> = [Some(ipv4), ipv6].into_iter().flatten().collect();
        for other in others {
            let Some(listener) = open(*other, port)? else { return Ok(None) };
            all.push(listener);
        }
        Ok(Some(Self { port, all }))
    }
}

/// A socket that listens; none if the port is taken.
fn open(address: IpAddr, port: u16) -> Result<Option<TcpListener>, NotListening> {
    let at = SocketAddr::new(address, port);
    // Only Linux refuses an address to those who ask for it while another program listens on all addresses.
    let may_be_shared = cfg!(not(target_os = "linux")) && port != 0;
    if may_be_shared && TcpStream::connect_timeout(&at, ANSWER).is_ok() {
        return Ok(None);
    }
    match TcpListener::bind(at).and_then(|listener| listener.set_nonblocking(true).map(|()| listener)) {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => Err(NotListening::NoAddress(address)),
        Err(error) => Err(NotListening::Failed(error)),
    }
}

impl NotListening {
    /// What to tell.
    pub fn text(&self) -> Text {
        match self {
            Self::Taken(port, None) => text!("port {port} is in use", "端口 {port} 已被占用"),
            Self::Taken(port, Some(holder)) => {
                text!("port {port} is in use ({holder})", "端口 {port} 已被占用（{holder}）")
            }
            Self::AllTaken(first, last) => {
                text!("all ports from {first} to {last} are in use", "从 {first} 到 {last} 的端口都已被占用")
            }
            Self::NoAddress(address) => {
                text!("{address} is not an address of this machine", "{address} 不是本机的地址")
            }
            Self::Failed(error) => {
                let error = system::explain(error);
                text!("cannot listen: {error}", "无法监听：{error}", error)
            }
        }
    }

    /// What to do.
    pub fn hint(&self) -> Option<Text> {
        match self {
            Self::Taken(port, _) => {
                let next = port.checked_add(1).unwrap_or(1024);
                Some(text!(
                    "stop the program that uses it, or write `--port {next}`; without a port, the next free one is \
                    used",
                    "请关闭占用它的程序，或改用 `--port {next}`；不指定端口时会使用下一个空闲端口"
                ))
            }
            Self::AllTaken(..) => Some(text!("choose another one with `--port`", "请用 `--port` 指定其他端口")),
            Self::NoAddress(_) => {
                Some(text!("leave out the address to let portalgen find it", "不写地址，由 portalgen 自动查找"))
            }
            Self::Failed(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

    use super::{Listeners, NotListening, Port};

    /// A port that is taken on one address, with what holds it.
    fn taken_on(address: impl Into<std::net::IpAddr>) -> Option<(u16, TcpListener)> {
        let holder = TcpListener::bind((address.into(), 0)).ok()?;
        Some((holder.local_addr().unwrap().port(), holder))
    }

    #[test]
    fn a_port_is_the_same_on_all_addresses() {
        let listeners = Listeners::at(Port::Exactly(0), &[]).unwrap();
        assert!(!listeners.all.is_empty());
        assert!(listeners.all.iter().all(|listener| listener.local_addr().unwrap().port() == listeners.port));
    }

    #[test]
    fn a_port_that_is_taken_on_any_address_is_not_free() {
        let holders = [
            taken_on(Ipv4Addr::LOCALHOST),
            taken_on(Ipv4Addr::UNSPECIFIED),
            taken_on(Ipv6Addr::LOCALHOST),
            taken_on(Ipv6Addr::UNSPECIFIED),
        ];
        for (port, _holder) in holders.into_iter().flatten() {
            let given = Listeners::at(Port::Exactly(port), &[]);
            assert!(matches!(given, Err(NotListening::Taken(taken, _)) if taken == port), "{given:?}");
            let found = Listeners::at(Port::From(port), &[]).unwrap();
            assert!(found.port > port);
        }
    }

    // Elsewhere a loopback interface has one address of IPv4.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_port_has_to_be_free_on_other_addresses_as_well() {
        let other: [std::net::IpAddr; 1] = ["127.0.0.2".parse().unwrap()];
        let (port, _holder) = taken_on(other[0]).unwrap();
        assert!(Listeners::at(Port::Exactly(port), &[]).is_ok());
        assert!(matches!(Listeners::at(Port::Exactly(port), &other), Err(NotListening::Taken(..))));
        let found = Listeners::at(Port::From(port), &other).unwrap();
        assert!(found.port > port);
        assert!(found.all.iter().any(|listener| listener.local_addr().unwrap().ip() == other[0]));
        // Reserved for documentation: nobody has it.
        let nobodys = ["192.0.2.1".parse().unwrap()];
        assert!(matches!(Listeners::at(Port::Exactly(0), &nobodys), Err(NotListening::NoAddress(_))));
    }

    #[test]
    fn servers_that_start_at_the_same_time_have_ports_of_their_own() {
        let first = Listeners::at(Port::Exactly(0), &[]).unwrap().port;
        let start = || std::thread::spawn(move || Listeners::at(Port::From(first), &[]).unwrap());
        let starting: Vec<_> = std::iter::repeat_with(start).take(8).collect();
        let listeners: Vec<Listeners> = starting.into_iter().map(|thread| thread.join().unwrap()).collect();
        let ports: std::collections::BTreeSet<u16> = listeners.iter().map(|listeners| listeners.port).collect();
        assert_eq!(ports.len(), listeners.len());
    }

    #[test]
    fn two_servers_have_two_ports() {
        let one = Listeners::at(Port::Exactly(0), &[]).unwrap();
        let other = Listeners::at(Port::From(one.port), &[]).unwrap();
        assert_ne!(one.port, other.port);
    }
}
