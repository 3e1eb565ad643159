//! The addresses of this machine in the local network. To find them, nothing is sent.

use std::{
    io,
    net::{IpAddr, Ipv4Addr},
};

/// How the names of interfaces begin that lead to containers and virtual machines on this machine.
const VIRTUAL: &[&str] = &[
    "docker",
    "br-",
    "veth",
    "virbr",
    "vboxnet",
    "vmnet",
    "vnic",
    "cni",
    "flannel",
    "lxc",
    "lxd",
    "podman",
    "vEthernet",
];

/// The addresses under which others in the local network reach this machine: private ones of IPv4, each once, as the system
/// orders them. A public address is none of them: whoever has one would serve the whole internet.
///
/// # Errors
/// The system does not tell.
pub fn addresses() -> io::Result<Vec<IpAddr>> {
    let interfaces = if_addrs::get_if_addrs()?;
    Ok(of_interfaces(interfaces.iter().map(|interface| (interface.name.as_str(), interface.ip()))))
}

fn of_interfaces<'a>(interfaces: impl Iterator<Item = (&'a str, IpAddr)>) -> Vec<IpAddr> {
    let mut found = Vec::new();
    for (name, address) in interfaces {
        let is_virtual = VIRTUAL.iter().any(|start| name.starts_with(start));
        let is_private = matches!(address, IpAddr::V4(address) if Ipv4Addr::is_private(&address));
        if is_private && !is_virtual && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// Whether somebody may listen there: on one address, and not on all that the machine has.
pub fn is_one(address: IpAddr) -> bool {
    !address.is_unspecified() && !address.is_multicast()
}

#[cfg(test)]
mod tests {
    use super::{addresses, of_interfaces};

    #[test]
    fn addresses_of_the_local_network() {
        let interfaces = [
            ("lo", "127.0.0.1"),
            ("lo", "::1"),
            ("eth0", "192.168.1.7"),
            ("eth0", "fe80::1"),
            ("eth0", "2001:db8::7"),
            ("eth1", "203.0.113.5"),
            ("eth2", "169.254.3.4"),
            ("wlan0", "10.1.2.3"),
            ("wlan0:1", "10.1.2.3"),
            ("docker0", "172.17.0.1"),
            ("br-4f2", "172.18.0.1"),
            ("bridge100", "192.168.64.1"),
        ];
        let found = of_interfaces(interfaces.iter().map(|(name, address)| (*name, address.parse().unwrap())));
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["192.168.1.7", "10.1.2.3", "192.168.64.1"]);
    }

    #[test]
    fn nothing_but_private_addresses_is_found_here() {
        let found = addresses().unwrap();
        assert!(found.iter().all(|address| matches!(address, std::net::IpAddr::V4(address) if address.is_private())));
    }
}
