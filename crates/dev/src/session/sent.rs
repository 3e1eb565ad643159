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

#[cfg(test)]
pub(super) mod tests {
    use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

    use portalgen_base::source::Memory;
    use portalgen_bundle::{Entry, HotGraph, HotScript, Mode, Options, Platform};

    use super::{Found, MOST_SERVED, MOST_UPDATES, SentScripts};

    /// The graph of `entry.ts` and other files.
    pub(in super::super) fn graph(files: &[(&str, &str)]) -> HotGraph {
        let files = files.iter().map(|(path, text)| (format!("/p/{path}"), (*text).to_owned()));
        let sources = Arc::new(Memory::new(files)) as _;
        let options = Options { hot: true, mode: Mode::Development, ..Options::new("/p", "/p", Platform::Browser) };
        let entry = Entry { name: "entry".to_owned(), module: "./entry.ts".to_owned() };
        let mut graph = HotGraph::new();
        let update = graph.update(&sources, &options, &[entry], &BTreeMap::new(), None::<&[PathBuf]>);
        update.expect("the modules can be bundled");
        graph
    }

    /// The line, counted from 0, that has a text.
    pub(in super::super) fn line_of(code: &str, text: &str) -> u32 {
        let line = code.lines().position(|line| line.contains(text)).expect("the text");
        line.try_into().expect("few lines")
    }

    fn name_of(code: &str) -> &str {
        let (_, url) = code.trim_end().rsplit_once("//# sourceURL=").expect("a name");
        url.strip_prefix("/base/__portalgen/").expect("it lies with the server")
    }

    /// `entry.ts:1:7`
    fn found(sent: &SentScripts, graph: &HotGraph, script: &str, line: u32) -> String {
        match sent.find(graph, script, line, 6) {
            Found::Written { place, is_newest } => format!("{place} {is_newest}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_script_is_known_by_its_name_whatever_came_after() {
        let mut sent = SentScripts::default();
        let old = graph(&[("entry.ts", "const zig = 1; console.log(zig);")]);
        let new = graph(&[("entry.ts", "\n\nconst zag = 1; console.log(zag);")]);
        let code = sent.serve("entry.js", old.entry_script(), "/base/");
        let newer = sent.serve("entry.js", new.entry_script(), "/base/");
        let line = line_of(&code, "const zig");
        assert_eq!(found(&sent, &new, name_of(&code), line), "entry.ts:1:7 false");
        assert_eq!(found(&sent, &new, name_of(&newer), line_of(&newer, "const zag")), "entry.ts:3:7 true");
        assert_eq!(found(&sent, &new, name_of(&code), 0), "Added");
        // No other script has this name.
        for other in ["entry.js?0123456789abcdef", "../entry.js", "page/entry.js", "", "?", "entry.js line 5 > eval"] {
            assert_eq!(found(&sent, &new, other, line), "Unknown", "{other}");
        }
        let (_, name) = name_of(&code).split_once('?').expect("a name");
        assert_eq!(found(&sent, &new, &format!("page/x.js?{name}"), line), "Unknown");
        assert!(sent.source_map(name).is_some_and(|map| map.contains("const zig")));
        assert_eq!(sent.source_map("entry"), None);
        assert_eq!(sent.source_map("../entry"), None);
    }

    #[test]
    fn without_a_name_all_forms_have_to_agree() {
        let mut sent = SentScripts::default();
        let old = graph(&[("entry.ts", "import './b'; const zug = 1; console.log(zug);"), ("b.ts", "zog(1)")]);
        let code = sent.serve("entry.js", old.entry_script(), "/base/");
        let (same, other) = (line_of(&code, "const zug"), line_of(&code, "zog(1)"));
        assert_eq!(found(&sent, &old, "entry.js", same), "entry.ts:1:21 true");
        let new = graph(&[("entry.ts", "import './b'; const zug = 1; console.log(zug);"), ("b.ts", "\nzog(2)")]);
        sent.serve("entry.js", new.entry_script(), "/base/");
        assert_eq!(found(&sent, &new, "entry.js", same), "entry.ts:1:21 true");
        assert_eq!(found(&sent, &new, "entry.js", other), "Unknown");
    }

    #[test]
    fn only_so_many_are_known() {
        let mut sent = SentScripts::default();
        let graph = graph(&[("entry.ts", "const zeg = 1; console.log(zeg);")]);
        let first = sent.serve("entry.js", graph.entry_script(), "/base/");
        let line = line_of(&first, "const zeg");
        for number in 0..=MOST_SERVED.max(MOST_UPDATES) {
            let HotScript { code, origins } = graph.entry_script();
            let script = HotScript { code: format!("{code}// {number}\n"), origins };
            sent.update(script.clone(), "/base/");
            // The same one again takes no room.
            sent.serve("entry.js", script.clone(), "/base/");
            sent.serve("entry.js", script, "/base/");
        }
        assert_eq!((sent.served.len(), sent.updates.len()), (MOST_SERVED, MOST_UPDATES));
        assert_eq!(found(&sent, &graph, name_of(&first), line), "Unknown");
        // The forms that are known agree, and nobody knows about the others.
        assert_eq!(found(&sent, &graph, "entry.js", line), "Unknown");
    }
}
