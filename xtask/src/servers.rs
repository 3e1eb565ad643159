//! The web servers that previews are compared with.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use crate::{command::root, debian, steps::Steps};

/// Where they are unpacked, below the repository.
const FOLDER: &str = "target/servers";

/// A server: the variable that may name it, and where Debian's package puts it.
struct Server {
    variable: &'static str,
    usual: &'static str,
}

const SERVERS: [Server; 2] = [
    Server { variable: "NGINX_BIN", usual: "/usr/sbin/nginx" },
    Server { variable: "CADDY_BIN", usual: "/usr/bin/caddy" },
];

const MISSING: &str = "nginx or Caddy is missing and cannot be fetched from here: install Debian's packages `nginx` and \
                       `caddy` or the like, or set NGINX_BIN and CADDY_BIN to the paths of the programs";

/// The variables that name the servers to tests. Where one is neither named nor installed, both are unpacked from Debian's
/// packages, for the tests alone.
pub(crate) fn find_or_fetch(steps: &Steps) -> Result<Vec<(&'static str, PathBuf)>, String> {
    if found().is_none() {
        steps.take("nginx and Caddy", || {
            let folder = root().join(FOLDER);
            fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
            debian::unpack(&["nginx", "caddy"], Path::new(FOLDER), MISSING)
        })?;
    }
    found().ok_or_else(|| MISSING.to_owned())
}

fn found() -> Option<Vec<(&'static str, PathBuf)>> {
    SERVERS.iter().map(|server| Some((server.variable, server.path()?))).collect()
}

impl Server {
    fn path(&self) -> Option<PathBuf> {
        let named = env::var_os(self.variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        let unpacked = root().join(FOLDER).join(self.usual.trim_start_matches('/'));
        named.into_iter().chain([PathBuf::from(self.usual), unpacked]).find(|path| path.exists())
    }
}
