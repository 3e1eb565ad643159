//! Fixtures for the bundler: an `entry` that exports `test()`. Its emitted chunks run in the embedded engine, where the test
//! throws if anything is not as the language says.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use portalgen_base::store::{Kind, Results};
use portalgen_bundle::{Bundle, ModuleCache, Options, Platform};
use portalgen_engine::Limits;

use crate::support::{
    bundling::{bundle_with, call, code, describe, options},
    fixtures::{self, Verdict, all},
    hot::{graph_with, hot_options, program_of_graph, scripts},
};

/// Fixtures that the hot form does not keep, with the reasons.
const NOT_HOT: [(&[&str], &str); 4] = [
    (
        &[
            "annotation-of-functions",
            "namespaces-handed-on",
            "pure-annotations",
            "resolution-package-inside-a-package",
            "resolution-side-effects",
            "shaking",
            "syntax-annotations",
        ],
        "what nothing needs runs all the same: which that is may be another thing after the next edit",
    ),
    (&["syntax-regular-expressions"], "the same, of an expression that the embedded engine refuses when it is run"),
    (&["import-meta"], "it says that there is no `import.meta.hot`"),
    (
        &["namespace-objects", "namespace-positions", "namespace-objects-are-closed"],
        "namespaces stay open, since the next version of their module may export other names",
    ),
];

/// Bundles the fixture minified and not, and runs its test.
pub(super) fn judge(fixture: &Path) -> Verdict {
    let entry = entry_of(fixture)?;
    let runs = [false, true].map(|minify| outcome(fixture, &entry, minify));
    all(runs.into_iter().chain([judge_hot(fixture, &entry), depends_on_its_files_only(fixture, &entry)]))
}

/// Runs the fixture's test in the hot form, which must not keep it where that is said.
fn judge_hot(fixture: &Path, entry: &str) -> Verdict {
    let reason = NOT_HOT.iter().find(|(names, _)| names.contains(&&*fixtures::name(fixture)));
    match (hot_outcome(fixture, entry), reason) {
        (outcome, None) => outcome,
        (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some((_, reason))) => Err(format!("the hot form keeps it, though: {reason}")),
    }
}

/// What is known not to work. Whoever mends it moves the folder to the others.
pub(super) fn judge_fault(fixture: &Path) -> Verdict {
    let entry = entry_of(fixture)?;
    let is_mended = [false, true].into_iter().all(|minify| outcome(fixture, &entry, minify).is_ok());
    if is_mended { Err("this works now, so it belongs into tests/fixtures/bundle".to_owned()) } else { Ok(()) }
}

fn entry_of(fixture: &Path) -> Result<String, String> {
    let names = ["entry.js", "entry.mjs", "entry.ts", "entry.tsx", "entry.jsx"];
    let name = names.into_iter().find(|name| fixture.join(name).is_file());
    name.map(|name| format!("./{name}")).ok_or_else(|| format!("{} has no entry", fixture.display()))
}

/// Bundles a fixture and runs its test.
fn outcome(fixture: &Path, entry: &str, minify: bool) -> Verdict {
    let bundle = bundle_with(&options(fixture, minify, Platform::Prerender), entry);
    let bundle = bundle.map_err(|diagnostics| format!("minify: {minify}: {}", describe(&diagnostics)))?;
    run(&bundle).map_err(|failure| format!("minify: {minify}: {failure}\n{}", code(&bundle)))
}

fn run(bundle: &Bundle) -> Verdict {
    let value = call(bundle, "test")?;
    if value == "\"ok\"" { Ok(()) } else { Err(format!("test() returned {value}")) }
}

/// Runs a fixture's test in the hot form.
fn hot_outcome(fixture: &Path, entry: &str) -> Verdict {
    let options = hot_options(fixture);
    let graph = graph_with(&options, entry).map_err(|diagnostics| format!("hot: {}", describe(&diagnostics)))?;
    let name = entry.trim_start_matches("./");
    let failed = |failure| {
        let scripts: Vec<String> = scripts(&graph, name).into_values().collect();
        format!("hot: {failure}\n{}", scripts.join("\n"))
    };
    let program = program_of_graph(&graph, name).map_err(|failure| failed(format!("{failure:?}")))?;
    match program.call("test", &[], &Limits::default()) {
        Ok(outcome) if outcome.value == "\"ok\"" => Ok(()),
        Ok(outcome) => Err(failed(format!("test() returned {}", outcome.value))),
        Err(failure) => Err(failed(format!("{failure:?}"))),
    }
}

/// Output does not depend on the folder, the number of threads, or whether syntax trees are held or made again.
fn depends_on_its_files_only(fixture: &Path, entry: &str) -> Verdict {
    let bundle = |folder: &Path, modules: ModuleCache| {
        let options = Options { modules: Arc::new(modules), ..options(folder, true, Platform::Browser) };
        let bundle = bundle_with(&options, entry);
        bundle.map_err(|diagnostics| format!("for browsers: {}", describe(&diagnostics)))
    };
    let here = bundle(fixture, ModuleCache::default())?;
    let copy = tempfile::tempdir().unwrap();
    let copy = copy_of(fixture, &fs::canonicalize(copy.path()).unwrap().join("elsewhere"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let elsewhere = pool.install(|| bundle(&copy, ModuleCache::with_room(0)))?;
    let (here_code, code) = (code(&here), code(&elsewhere));
    if here_code != code {
        return Err(format!(
            "in another folder, with one thread and no room for trees it is\n{code}\nand not\n{here_code}"
        ));
    }
    if format!("{:?}", here.chunks) != format!("{:?}", elsewhere.chunks) {
        return Err("positions are others in another folder, with one thread and no room for trees".to_owned());
    }
    if here.assets != elsewhere.assets {
        return Err("assets are others in another folder".to_owned());
    }
    keeps_its_chunks(fixture, entry, &here)
}

/// Chunks of earlier builds are those of this one. All fixtures keep theirs in one place, so the chunk of one must not be
/// taken for that of another.
fn keeps_its_chunks(fixture: &Path, entry: &str, expected: &Bundle) -> Verdict {
    static CHUNKS: LazyLock<Results> = LazyLock::new(|| Results::in_memory(Kind::Chunks));
    let options = Options { chunks: Some(CHUNKS.clone()), ..options(fixture, true, Platform::Browser) };
    for build in ["the first", "the second"] {
        let bundle = bundle_with(&options, entry).map_err(|diagnostics| describe(&diagnostics))?;
        if format!("{:?}", bundle.chunks) != format!("{:?}", expected.chunks) {
            return Err(format!(
                "{build} build that keeps its chunks has\n{}\nand not\n{}",
                code(&bundle),
                code(expected)
            ));
        }
    }
    Ok(())
}

/// A copy of the fixture in `target`, with what all have in common beside it.
fn copy_of(fixture: &Path, target: &Path) -> PathBuf {
    let copy = target.join(fixtures::name(fixture));
    copy_folder(fixture, &copy);
    for shared in fixtures::entries(fixture.parent().unwrap()).into_iter().filter(|path| path.is_file()) {
        fs::copy(&shared, target.join(fixtures::name(&shared))).unwrap();
    }
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_symlink() {
            // A link of a package manager is relative and stays what it is.
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), target).unwrap();
        } else if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
