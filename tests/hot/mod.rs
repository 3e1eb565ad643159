//! The hot form: what an update holds, and what modules on a page make of it.

mod replacing;
mod updates;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};
use tempfile::TempDir;

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
};
use portalgen_bundle::{Bundle, Entry, HotGraph, HotUpdate, Mode, Options, Platform};
use portalgen_engine::Limits;

use crate::support::{bundling::describe, hot::scripts, programs::compile};

/// What stands for React Refresh: any function is a component, and what is registered is kept.
const REFRESH: [(&str, &str); 2] = [
    ("node_modules/react-refresh/package.json", r#"{ "name": "react-refresh" }"#),
    (
        "node_modules/react-refresh/runtime.js",
        "globalThis.registered = [];
         globalThis.refreshes = 0;
         exports.injectIntoGlobalHook = () => {};
         const families = new Map();
         exports.register = (type, id) => {
           registered.push(id);
           if (!families.has(type)) families.set(type, id);
         };
         exports.getFamilyByType = (type) => families.get(type);
         exports.createSignatureFunctionForTransform = () => (type) => type;
         exports.isLikelyComponentType = (type) => typeof type === \"function\";
         exports.performReactRefresh = () => void refreshes++;\n",
    ),
];

/// A folder whose files are edited while a page shows.
struct Workshop {
    _folder: TempDir,
    sources: Arc<dyn Sources>,
    options: Options,
    graph: HotGraph,
}

impl Workshop {
    /// A folder with these files, of which `entry.ts` is the entry and those below `pages` are pages.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let mut pages: Vec<String> = files.iter().map(|(path, _)| format!("./{path}")).collect();
        pages.retain(|path| path.starts_with("./pages/"));
        let options = Options {
            hot: true,
            mode: Mode::Development,
            lazy_entries: pages,
            ..Options::new(&root, &root, Platform::Browser)
        };
        let sources = Arc::new(Disk::of_project(&root));
        let mut workshop = Self { _folder: folder, sources, options, graph: HotGraph::new() };
        workshop.write(files);
        workshop.update(None).unwrap_or_else(|errors| panic!("{}", describe(&errors)));
        // Somebody looks at it.
        workshop.graph.entry_script();
        workshop
    }

    /// The same with React Refresh.
    fn refreshing(files: &[(&str, &str)]) -> Self {
        let workshop = Self::new(&[&REFRESH, files].concat());
        assert!(workshop.graph.refreshes());
        workshop
    }

    fn root(&self) -> &Path {
        &self.options.root
    }

    fn entries() -> [Entry; 1] {
        [Entry { name: "entry".to_owned(), module: "./entry.ts".to_owned() }]
    }

    fn write(&self, files: &[(&str, &str)]) -> Vec<PathBuf> {
        let write = |(path, text): &(&str, &str)| {
            let path = self.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        files.iter().map(write).collect()
    }

    fn update(&mut self, changed: Option<&[PathBuf]>) -> Result<HotUpdate, Vec<Diagnostic>> {
        match changed {
            Some(changed) => self.options.modules.changed(changed),
            None => self.options.modules.everything_changed(),
        }
        self.graph.update(&self.sources, &self.options, &Self::entries(), &BTreeMap::new(), changed)
    }

    /// Writes files, and brings the graph up to date.
    fn edit(&mut self, files: &[(&str, &str)]) -> HotUpdate {
        self.try_edit(files).unwrap_or_else(|errors| panic!("{}", describe(&errors)))
    }

    fn try_edit(&mut self, files: &[(&str, &str)]) -> Result<HotUpdate, Vec<Diagnostic>> {
        let changed = self.write(files);
        self.update(Some(&changed))
    }

    /// Takes files away, and brings the graph up to date.
    fn delete(&mut self, paths: &[&str]) -> Result<HotUpdate, Vec<Diagnostic>> {
        let changed: Vec<PathBuf> = paths.iter().map(|path| self.root().join(path)).collect();
        for path in &changed {
            fs::remove_file(path).unwrap();
        }
        self.update(Some(&changed))
    }

    /// What a build makes of the folder as it is.
    fn build(&self) -> Result<Bundle, Vec<Diagnostic>> {
        let options = Options { hot: false, modules: Arc::default(), ..self.options.clone() };
        portalgen_bundle::bundle(&self.sources, &options, &Self::entries(), &BTreeMap::new())
    }

    /// Shows the entry, edits files in rounds, and runs a piece of code which applies them with `apply(number)`. Pages that it
    /// opens with `page(name)` are those from before, what these load with `import()` is what there is in the end. Returns
    /// what the code returns.
    fn play(&mut self, rounds: &[&[(&str, &str)]], code: &str) -> Value {
        let first = scripts(&self.graph, "entry.ts");
        let updates: Vec<Value> = rounds.iter().map(|files| in_json(&self.edit(files))).collect();
        self.run(first, &Value::from(updates), code)
    }

    fn run(&self, first: BTreeMap<String, String>, updates: &Value, code: &str) -> Value {
        let entry = "__portalgen/entry.js";
        let mut all = scripts(&self.graph, "entry.ts");
        all.extend(first.into_iter().filter(|(name, code)| name == entry || code.contains("export default")));
        let bundle = self.graph.bundle();
        let pages = bundle.lazy.keys().map(|name| (name.to_string(), bundle.lazy_file(name).into()));
        let pages: serde_json::Map<String, Value> = pages.collect();
        let pages = Value::from(pages);
        let test = format!(
            "import \"./{entry}\";
             const hot = globalThis[Symbol.for(\"portalgen.hot\")];
             const updates = {updates};
             const apply = (number) => hot.apply(updates[number]);
             const page = (name) => import(\"./\" + pages[name]).then(() => hot.page(name));
             const pages = {pages};
             export async function test() {{ {code} }}\n"
        );
        all.insert("test.js".to_owned(), test);
        let program = compile(all.iter().map(|(name, code)| (&**name, &**code)), "test.js");
        let outcome = program.and_then(|program| program.call("test", &[], &Limits::default()));
        let outcome = outcome.unwrap_or_else(|failure| panic!("{failure:?}\n{}", all[entry]));
        serde_json::from_str(&outcome.value).unwrap()
    }
}

/// An update as the registry gets it.
fn in_json(update: &HotUpdate) -> Value {
    json!({
        "definitions": [update.definitions.code],
        "removed": update.removed.iter().map(|name| &**name).collect::<Vec<_>>(),
    })
}

/// The names in a list.
fn names(list: &[Arc<str>]) -> Vec<&str> {
    list.iter().map(|name| &**name).collect()
}
