//! Who is answered, and what is passed on to other servers. `routes.toml` decides about both while the server runs.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use portalgen_portal::{DevServer, Proxy};

use crate::access::{Access, Origin, Token};

/// The rules for requests, as they are now. Clones are of the same rules.
#[derive(Clone)]
pub struct Network(Arc<Shared>);

struct Shared {
    origins: Vec<Origin>,
    /// Hosts that are allowed whatever routes.toml says.
    hosts: Vec<String>,
    token: Token,
    now: Mutex<Arc<Rules>>,
}

/// The rules for one request.
pub(crate) struct Rules {
    pub(crate) access: Access,
    /// What is passed on.
    pub(crate) proxies: Vec<Proxy>,
    /// Where browsers find the socket of updates, if not beside the client's script.
    pub(crate) socket: Option<String>,
}

impl Network {
    /// Answers requests to these origins and hosts, and passes nothing on.
    pub(crate) fn new(origins: Vec<Origin>, hosts: Vec<String>, token: Token) -> Self {
        let access = Access::new(origins.clone(), hosts.clone(), token.clone());
        let now = Mutex::new(Arc::new(Rules { access, proxies: Vec::new(), socket: None }));
        Self(Arc::new(Shared { origins, hosts, token, now }))
    }

    /// Has requests from now on treated as `[dev]` says.
    pub fn follow(&self, dev: &DevServer) {
        let Shared { origins, hosts, token, now } = &*self.0;
        let hosts = hosts.iter().chain(&dev.hosts).cloned().collect();
        let access = Access::new(origins.clone(), hosts, token.clone());
        let rules = Rules { access, proxies: dev.proxies.clone(), socket: dev.socket.clone() };
        *now.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
    }

    /// The rules for a request that comes now.
    pub(crate) fn now(&self) -> Arc<Rules> {
        Arc::clone(&self.0.now.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Network")
    }
}
