//! Runs a program as it is and bundled, and compares.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use portalgen::{
    bundle::{self, Entry, Options, Target},
    prerender::{Limits, Program, Script},
    source::{Memory, Sources},
};

use crate::{
    features::{Feature, Features},
    graph::{Graph, Reader, file_name},
};

/// What came of comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Equal,
    Diverges(Divergence),
    /// It is no program: the reference fails.
    Invalid(String),
}

/// A bundle that does something else than its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Divergence {
    pub(crate) minified: bool,
    pub(crate) expected: Vec<String>,
    pub(crate) got: Result<Vec<String>, String>,
    /// The chunks, for people.
    pub(crate) chunks: String,
}

/// Runs `graph` on both sides.
pub(crate) fn compare(graph: &Graph, features: &Features) -> Verdict {
    let files = graph.files(Reader::Bundler);
    let bundles: Vec<(bool, Result<Bundle, String>)> =
        [false, true].map(|minify| (minify, bundle(&files, minify))).into_iter().collect();
    let mut scripts = Scripts::default();
    for (name, text) in &graph.files(Reader::Engine) {
        scripts.add(REFERENCE, name, text);
    }
    for (minified, bundle) in &bundles {
        for (name, code) in bundle.iter().flat_map(|bundle| &bundle.files) {
            scripts.add(folder(*minified), name, code);
        }
    }
    let all = scripts.compile("").ok();
    let expected = match scripts.run(all.as_ref(), REFERENCE, &file_name(Graph::ENTRY)) {
        Ok(log) => log,
        Err(failure) => return Verdict::Invalid(failure),
    };
    if let Some(line) = expected.iter().find(|line| line.contains(INVALID)) {
        return Verdict::Invalid(line.clone());
    }
    for (minified, bundle) in bundles {
        let got = match &bundle {
            Ok(bundle) => scripts.run(all.as_ref(), folder(minified), &bundle.entry),
            Err(failure) => Err(failure.clone()),
        };
        let is_whole = !minified && bundle.as_ref().is_ok_and(|bundle| bundle.files.len() == 1);
        let exact = is_whole || features.has(Feature::Uninitialized);
        let is_equal = got.as_ref().is_ok_and(|got| logs_agree(graph.ordered, exact, &expected, got));
        if !is_equal {
            let chunks = bundle.map(|bundle| bundle.describe()).unwrap_or_default();
            return Verdict::Diverges(Divergence { minified, expected, got, chunks });
        }
    }
    Verdict::Equal
}

/// How `prelude.js` marks what no program does.
const INVALID: &str = "<invalid>";

/// How `prelude.js` marks a read that came too early.
const TOO_EARLY: &str = "<too early>";

const REFERENCE: &str = "reference";

fn folder(minified: bool) -> &'static str {
    if minified { "minified" } else { "plain" }
}

struct Bundle {
    /// Names and texts of the chunks.
    files: Vec<(String, String)>,
    /// Name of the entry's chunk.
    entry: String,
}

impl Bundle {
    fn describe(&self) -> String {
        let texts: Vec<String> = self.files.iter().map(|(name, code)| format!("// {name}\n{code}\n")).collect();
        texts.concat()
    }
}

fn bundle(files: &[(String, String)], minify: bool) -> Result<Bundle, String> {
    let root = PathBuf::from("/fuzz");
    let sources: Arc<dyn Sources> =
        Arc::new(Memory::new(files.iter().map(|(name, text)| (root.join(name), text.as_str()))));
    let options = Options { minify, ..Options::new(&root, &root, Target::Prerender) };
    let entry = Entry { name: "entry".to_owned(), module: format!("./{}", file_name(Graph::ENTRY)) };
    let work = || bundle::bundle(&sources, &options, &[entry], &BTreeMap::new());
    let bundle = panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| "the bundler panicked".to_owned())?;
    let bundle = bundle.map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
        format!("the bundler refused: {}", messages.join("; "))
    })?;
    let files = bundle.chunks.iter().map(|chunk| (chunk.file_name.clone(), chunk.code.clone())).collect();
    Ok(Bundle { files, entry: bundle.chunks[bundle.entries[0]].file_name.clone() })
}

/// The scripts of all sides, each side in a folder of its own.
#[derive(Default)]
struct Scripts(Vec<(String, String)>);

const PRELUDE: &str = "prelude.js";

impl Scripts {
    fn add(&mut self, folder: &str, name: &str, code: &str) {
        self.0.push((format!("{folder}/{name}"), code.to_owned()));
    }

    /// The scripts of `folder`, or all.
    fn compile(&self, folder: &str) -> Result<Program, String> {
        let prelude = Script { name: PRELUDE, code: include_str!("prelude.js") };
        let own = self.0.iter().filter(|(name, _)| name.starts_with(folder));
        let scripts: Vec<Script<'_>> =
            std::iter::once(prelude).chain(own.map(|(name, code)| Script { name, code })).collect();
        Program::compile(&scripts, PRELUDE).map_err(|failure| failure.message)
    }

    /// The log of the test that `entry` in `folder` exports. `all` are the scripts of all sides, compiled at once to save
    /// time; one that is not valid keeps the others from being compiled.
    fn run(&self, all: Option<&Program>, folder: &str, entry: &str) -> Result<Vec<String>, String> {
        let own = if all.is_none() { Some(self.compile(&format!("{folder}/"))?) } else { None };
        let program = all.or(own.as_ref()).ok_or("there is no program")?;
        let limits = Limits { deadline: Duration::from_secs(20), ..Limits::default() };
        let outcome =
            program.call("run", &[&format!("./{folder}/{entry}")], &limits).map_err(|failure| failure.message)?;
        serde_json::from_str(&outcome.value).map_err(|error| format!("the test gave {}: {error}", outcome.value))
    }
}

/// Whether two logs are the same: in every line if they are `ordered`, and with every read that came too early if they
/// must be `exact`.
fn logs_agree(ordered: bool, exact: bool, expected: &[String], got: &[String]) -> bool {
    let agree = |(expected, got): (&String, &String)| expected == got || (!exact && matches_pattern(expected, got));
    let (expected, got) = if ordered { (expected.to_vec(), got.to_vec()) } else { (grouped(expected), grouped(got)) };
    expected.len() == got.len() && expected.iter().zip(&got).all(agree)
}

/// Whether `got` is `expected` but for what was read too early.
fn matches_pattern(expected: &str, got: &str) -> bool {
    let mut pieces = expected.split(TOO_EARLY);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = got.strip_prefix(first) else { return false };
    let mut last = None;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
        last = Some(piece);
    }
    last.is_some_and(|piece| got.ends_with(piece))
}

/// A log in which the lines that modules wrote during one step are sorted by module.
fn grouped(log: &[String]) -> Vec<String> {
    let mut grouped: Vec<String> = Vec::with_capacity(log.len());
    for lines in log.chunk_by(|before, after| writer(before).is_some() && writer(after).is_some()) {
        let mut lines = lines.to_vec();
        lines.sort_by_key(|line| writer(line));
        grouped.extend(lines);
    }
    grouped
}

/// The module whose statement wrote a line: 3 for `m3:1 …`.
fn writer(line: &str) -> Option<usize> {
    line.strip_prefix('m')?.split_once(':')?.0.parse().ok()
}
