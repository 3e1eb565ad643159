//! Scripts as browsers have them, also those that are not of now: a page may run what it was sent long ago.
//!
//! Each has a name of its own, a hash of its code. By `sourceURL`, browsers write it into stacks; what comes back from there is
//! looked up here, and is no path of anything.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use portalgen_base::diagnostic::Place;
use portalgen_bundle::{HotGraph, HotOrigins, HotScript};
use xxhash_rust::xxh3::xxh3_64;

use super::document::OWN;

/// So many scripts that were served are known. Every page runs some of these.
const MOST_SERVED: usize = 200;
/// So many updates are known.
const MOST_UPDATES: usize = 500;

/// The path of updates, which are no files.
const UPDATE: &str = "update.js";

/// Scripts that were sent.
#[derive(Debug, Default)]
pub(super) struct SentScripts {
    served: VecDeque<Sent>,
    updates: VecDeque<Sent>,
    /// The paths of scripts of which earlier forms are not known any more.
    forgotten: BTreeSet<Arc<str>>,
}

#[derive(Debug)]
struct Sent {
    /// Below the folder of the server.
    path: Arc<str>,
    name: String,
    origins: HotOrigins,
}

/// What is known of a place in a script.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It was written here. Where that is not the newest text, the code has been replaced since.
    Written { place: Place, is_newest: bool },
    /// It belongs to what the server adds.
    Added,
    /// The script is not known, or not which form of it.
    Unknown,
}

impl SentScripts {
    /// The code of a script that is served at a path below the server's folder, with its name.
    pub(super) fn serve(&mut self, path: &str, script: HotScript, base: &str) -> String {
        let (code, sent) = sent(path, script, base);
        if let Some(gone) = keep(&mut self.served, sent, MOST_SERVED) {
            self.forgotten.insert(gone.path);
        }
        code
    }

    /// The code of an update, with its name.
    pub(super) fn update(&mut self, script: HotScript, base: &str) -> String {
        if script.code.is_empty() {
            return String::new();
        }
        let (code, sent) = sent(UPDATE, script, base);
        keep(&mut self.updates, sent, MOST_UPDATES);
        code
    }

    /// The source map of the script with this name.
    pub(super) fn source_map(&self, name: &str) -> Option<String> {
        self.named(name).map(|sent| sent.origins.source_map())
    }

    /// What is at a line and a column of a script, both counted from 0: `script` is its path, and its name behind a question
    /// mark.
    pub(super) fn find(&self, graph: &HotGraph, script: &str, line: u32, column: u32) -> Found {
        let found = |sent: &Sent| {
            let found = graph.locate(&sent.origins, line, column);
            found.map_or(Found::Added, |(place, is_newest)| Found::Written { place, is_newest })
        };
        let (path, query) = script.split_once('?').unwrap_or((script, ""));
        if let Some(sent) = self.named(query).filter(|sent| &*sent.path == path) {
            return found(sent);
        }
        // Browsers that do not write names tell one form of a script from another by nothing.
        let mut forms = self.served.iter().filter(|sent| &*sent.path == path && !is_name(query)).map(found);
        let first = forms.next().filter(|_| !self.forgotten.contains(path));
        first.filter(|first| forms.all(|form| form == *first)).unwrap_or(Found::Unknown)
    }

    fn named(&self, name: &str) -> Option<&Sent> {
        self.updates.iter().chain(&self.served).rev().find(|sent| sent.name == name)
    }
}

/// A script with its name.
fn sent(path: &str, HotScript { code, origins }: HotScript, base: &str) -> (String, Sent) {
    let name = format!("{:016x}", xxh3_64(code.as_bytes()));
    let folder = format!("{base}{OWN}");
    let code = format!("{code}\n//# sourceMappingURL={folder}map/{name}.map\n//# sourceURL={folder}{path}?{name}\n");
    (code, Sent { path: path.into(), name, origins })
}

fn is_name(query: &str) -> bool {
    query.len() == 16 && query.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Puts a script last, and gives the first one back if that makes too many.
fn keep(scripts: &mut VecDeque<Sent>, sent: Sent, most: usize) -> Option<Sent> {
    scripts.retain(|known| known.name != sent.name || known.path != sent.path);
    scripts.push_back(sent);
    if scripts.len() > most { scripts.pop_front() } else { None }
}
