//! Runs a program as it is and bundled, and compares.

use std::{
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use serde::Serialize;

use portalgen_base::source::{Memory, Sources};
use portalgen_build::pipeline::REGEX_JUDGE;
use portalgen_bundle::{Entry, Layout, Options, Platform};
use portalgen_engine::{Limits, Program};

use super::{
    features::{Feature, Features},
    graph::{Graph, Reader},
};
use crate::support::programs;

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

/// Compares every graph, all in one run of the engine as long as none needs a closer look.
pub(crate) fn compare_all(graphs: &[Graph], features: &Features) -> Vec<Verdict> {
    let trials: Vec<Trial> = graphs.iter().map(Trial::new).collect();
    let mut scripts = Scripts::default();
    for (number, trial) in trials.iter().enumerate() {
        trial.add_to(&mut scripts, &format!("{number}/"));
    }
    let sides: Vec<Side> =
        trials.iter().enumerate().flat_map(|(number, trial)| trial.sides(&format!("{number}/"))).collect();
    let logs = scripts.compile("").and_then(|program| run(&program, &sides));
    let mut logs = logs.unwrap_or_default().into_iter();
    let mut verdict = |(graph, trial): (&Graph, &Trial)| {
        let all = trial.sides("").iter().map(|_| logs.next().unwrap_or(Err("did not run".to_owned()))).collect();
        match trial.judge(graph, features, all) {
            Verdict::Equal => Verdict::Equal,
            _ => compare(graph, features),
        }
    };
    graphs.iter().zip(&trials).map(&mut verdict).collect()
}

/// Runs `graph` on all sides, each by itself.
pub(crate) fn compare(graph: &Graph, features: &Features) -> Verdict {
    let trial = Trial::new(graph);
    let mut scripts = Scripts::default();
    trial.add_to(&mut scripts, "");
    let alone = |side: Side| {
        let program = scripts.compile(&format!("{}/", side.folder))?;
        run(&program, &[side])?.remove(0)
    };
    trial.judge(graph, features, trial.sides("").into_iter().map(alone).collect())
}

/// A program and its bundles.
struct Trial {
    /// What the reference runs.
    files: Vec<(String, String)>,
    entries: Vec<String>,
    /// The number of the entry with the test.
    main: usize,
    bundles: Vec<(&'static str, Result<Bundle, String>)>,
}

impl Trial {
    fn new(graph: &Graph) -> Self {
        let sources = graph.files(Reader::Bundler);
        let bundle = |minify| bundle(graph, &sources, minify);
        Self {
            files: graph.files(Reader::Engine),
            entries: graph.entries.iter().map(|entry| graph.file_name(*entry)).collect(),
            main: graph.entries.iter().position(|entry| *entry == Graph::ENTRY).unwrap(),
            bundles: vec![(PLAIN, bundle(false)), (MINIFIED, bundle(true))],
        }
    }

    fn add_to(&self, scripts: &mut Scripts, prefix: &str) {
        for (name, text) in &self.files {
            scripts.add(&format!("{prefix}{REFERENCE}"), name, text);
        }
        for (side, bundle) in &self.bundles {
            for (name, code) in bundle.iter().flat_map(|bundle| &bundle.files) {
                scripts.add(&format!("{prefix}{side}"), name, code);
            }
        }
    }

    /// The sides that can run.
    fn sides(&self, prefix: &str) -> Vec<Side> {
        let side = |name: &str, entries: &[String]| Side {
            folder: format!("{prefix}{name}"),
            is_reference: name == REFERENCE,
            entries: entries.to_vec(),
            main: self.main,
        };
        let bundles = self.bundles.iter().filter_map(|(name, bundle)| Some(side(name, &bundle.as_ref().ok()?.entries)));
        std::iter::once(side(REFERENCE, &self.entries)).chain(bundles).collect()
    }

    /// `logs` are those of the [`Trial::sides`].
    fn judge(&self, graph: &Graph, features: &Features, logs: Vec<Result<Vec<String>, String>>) -> Verdict {
        let mut logs = logs.into_iter();
        let expected = match logs.next().unwrap_or(Err("there is no log".to_owned())) {
            Ok(log) => log,
            Err(failure) => return Verdict::Invalid(failure),
        };
        if let Some(line) = expected.iter().find(|line| line.contains(INVALID)) {
            return Verdict::Invalid(line.clone());
        }
        for (side, bundle) in &self.bundles {
            let minified = *side == MINIFIED;
            let got = bundle.as_ref().map_err(Clone::clone).and_then(|_| logs.next().unwrap_or(Ok(Vec::new())));
            let is_whole = !minified && bundle.as_ref().is_ok_and(|bundle| bundle.files.len() == 1);
            // What a name of a CommonJS module gives before that has run is not for a standard to say.
            let exact = (is_whole && graph.common.is_empty()) || features.has(Feature::Uninitialized);
            let is_equal = got.as_ref().is_ok_and(|got| agree(graph, exact, &expected, got));
            if !is_equal {
                let chunks = bundle.as_ref().map(Bundle::describe).unwrap_or_default();
                return Verdict::Diverges(Divergence { minified, expected, got, chunks });
            }
        }
        Verdict::Equal
    }
}

/// How `prelude.js` marks what no program does.
const INVALID: &str = "<invalid>";

/// How `prelude.js` marks a read that came too early.
const TOO_EARLY: &str = "<too early>";

/// How `prelude.js` says that a module or what was called threw what `$boom` made.
const FAILED: &str = "threw boom ";

// The sides of a comparison, which are folders of scripts.
const REFERENCE: &str = "reference";
const PLAIN: &str = "plain";
const MINIFIED: &str = "minified";

struct Bundle {
    /// Names and texts of the chunks.
    files: Vec<(String, String)>,
    /// Names of the entries' chunks.
    entries: Vec<String>,
}

impl Bundle {
    fn describe(&self) -> String {
        let texts: Vec<String> = self.files.iter().map(|(name, code)| format!("// {name}\n{code}\n")).collect();
        texts.concat()
    }
}

fn bundle(graph: &Graph, files: &[(String, String)], minify: bool) -> Result<Bundle, String> {
    let root = PathBuf::from("/fuzz");
    let sources: Arc<dyn Sources> =
        Arc::new(Memory::new(files.iter().map(|(name, text)| (root.join(name), text.as_str()))));
    let layout = if graph.flat { Layout::Flat } else { Layout::Site };
    let options =
        Options { minify, layout, regex_judge: REGEX_JUDGE, ..Options::new(&root, &root, Platform::Prerender) };
    let entry = |module: &usize| Entry { name: format!("entry-{module}"), module: graph.specifier(*module) };
    let entries: Vec<Entry> = graph.entries.iter().map(entry).collect();
    let work = || portalgen_bundle::bundle(&sources, &options, &entries, &BTreeMap::new());
    let bundle = panic::catch_unwind(AssertUnwindSafe(work)).map_err(|_| "the bundler panicked".to_owned())?;
    let bundle = bundle.map_err(|diagnostics| {
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| diagnostic.message.english().to_owned()).collect();
        format!("the bundler refused: {}", messages.join("; "))
    })?;
    let files = bundle.chunks.iter().map(|chunk| (chunk.file_name.to_string(), chunk.code.to_string())).collect();
    let entries = bundle.entries.iter().map(|entry| bundle.chunks[*entry].file_name.to_string()).collect();
    Ok(Bundle { files, entries })
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
        let prelude = (PRELUDE, include_str!("prelude.js"));
        let own = self.0.iter().filter(|(name, _)| name.starts_with(folder));
        let own = own.map(|(name, code)| (&**name, &**code));
        programs::compile(std::iter::once(prelude).chain(own), PRELUDE).map_err(|failure| failure.to_string())
    }
}

/// What the engine is to run.
#[derive(Serialize)]
struct Side {
    folder: String,
    #[serde(rename = "isReference")]
    is_reference: bool,
    /// The entries, in the order in which they are loaded.
    entries: Vec<String>,
    /// The number of the one with the test.
    main: usize,
}

/// For each side, the log of its test.
fn run(program: &Program, sides: &[Side]) -> Result<Vec<Result<Vec<String>, String>>, String> {
    let limits = Limits { deadline: Duration::from_secs(50), ..Limits::default() };
    let sides = serde_json::to_string(&sides).unwrap();
    let outcome = program.call("run", &[&sides], &limits).map_err(|failure| failure.to_string())?;
    let logs: Vec<(Option<Vec<String>>, Option<String>)> =
        serde_json::from_str(&outcome.value).map_err(|error| format!("the test gave {}: {error}", outcome.value))?;
    Ok(logs.into_iter().map(|(log, failure)| log.ok_or(failure.unwrap_or_default())).collect())
}

/// Whether two logs are the same: in every line if modules run in order, and with every read that came too early if they
/// must be `exact`.
fn agree(graph: &Graph, exact: bool, expected: &[String], got: &[String]) -> bool {
    let is_line = &|expected: &String, got: &String| {
        let is_early = !exact && expected.contains(TOO_EARLY);
        // How what lies between reads too early shows it is not for a standard to say either, if it is CommonJS.
        let is_label = is_early && !graph.common.is_empty() && expected.split(' ').next() == got.split(' ').next();
        expected == got || is_label || (is_early && matches_pattern(expected, got))
    };
    let is_free = |line: &&String| writer(line).is_some_and(|module| graph.loose.contains(&module));
    let of_others = |log: &[String]| log.iter().filter(|line| !is_free(line)).cloned().collect::<Vec<_>>();
    // Each of the modules that need not run does all that it does, or nothing.
    let of_free = |log: &[String], module: usize| {
        log.iter().filter(|line| writer(line) == Some(module)).cloned().collect::<Vec<_>>()
    };
    // Where the language never comes to one, because something fails first, a bundle may have run it by then.
    let fails = expected.iter().any(|line| line.contains(FAILED));
    let is_whole = |module: &usize| {
        let (expected, got) = (of_free(expected, *module), of_free(got, *module));
        got.is_empty() || (fails && expected.is_empty()) || logs_agree(true, is_line, &expected, &got)
    };
    logs_agree(graph.ordered, is_line, &of_others(expected), &of_others(got)) && graph.loose.iter().all(is_whole)
}

fn logs_agree(ordered: bool, is_line: &dyn Fn(&String, &String) -> bool, expected: &[String], got: &[String]) -> bool {
    let agree = |(expected, got): (&String, &String)| is_line(expected, got);
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
