//! Folders put through the bundler in the hot form, and run in the embedded engine.

use std::{collections::BTreeMap, path::Path};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
};
use portalgen_bundle::{Entry, HotGraph, Options, Platform};
use portalgen_engine::{Failure, Program};

use super::{bundling::options, programs::compile};

/// Options for modules that can be replaced, as the engine runs them.
pub(crate) fn hot_options(root: &Path) -> Options {
    Options { hot: true, ..options(root, false, Platform::Prerender) }
}

/// The graph of a folder.
pub(crate) fn graph_with(options: &Options, entry: &str) -> Result<HotGraph, Vec<Diagnostic>> {
    let sources = Disk::of_project(&options.root).allowing(&[options.root.join("..")]);
    let entry = Entry { name: "entry".to_owned(), module: entry.to_owned() };
    let mut graph = HotGraph::new();
    graph.update(&sources, options, &[entry], &BTreeMap::new(), None)?;
    Ok(graph)
}

/// The scripts of a graph, as the development server would serve them, with a last one that calls what the module `entry`
/// exports.
pub(crate) fn scripts(graph: &HotGraph, entry: &str) -> BTreeMap<String, String> {
    let bundle = graph.bundle();
    let mut scripts = BTreeMap::new();
    for chunk in &bundle.chunks {
        let name = &*chunk.file_name;
        let key = name.rsplit('/').next().unwrap().trim_end_matches(".js");
        let code = if key == "entry" { Some(graph.entry_script()) } else { graph.script(key) };
        scripts.insert(name.to_owned(), code.map_or_else(|| chunk.code.to_string(), |script| script.code));
    }
    let entry = serde_json::Value::from(entry);
    let call = format!(
        "import \"./__portalgen/entry.js\";\n\
         const {{ test }} = globalThis[Symbol.for(\"portalgen.hot\")].namespace({entry});\n\
         export {{ test }};\n"
    );
    scripts.insert("test.js".to_owned(), call);
    scripts
}

/// The program of a graph.
pub(crate) fn program_of_graph(graph: &HotGraph, entry: &str) -> Result<Program, Failure> {
    let scripts = scripts(graph, entry);
    compile(scripts.iter().map(|(name, code)| (&**name, &**code)), "test.js")
}
