//! Fixtures for the bundler. Each folder in `fixtures/bundle` has an `entry` that exports `test()`; its emitted chunks
//! run in the embedded engine, where the test throws if anything is not as the language says.

#![allow(clippy::unwrap_used)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use swc_sourcemap::SourceMap;

use portalgen::{
    bundle::{self, Bundle, Entry, Options, Platform, SourceMaps},
    diagnostic::Diagnostic,
    prerender::{Limits, Program, Script},
    source::{Disk, Sources},
};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/bundle")
}

fn options(root: &Path, minify: bool, platform: Platform) -> Options {
    Options { minify, source_maps: SourceMaps::Lookup, base: "/base/".to_owned(), ..Options::new(root, root, platform) }
}

fn bundle_with(options: &Options, entry: &str) -> Result<Bundle, Vec<Diagnostic>> {
    let sources: Arc<dyn Sources> = Arc::new(Disk);
    let entry = Entry { name: "entry".to_owned(), module: entry.to_owned() };
    bundle::bundle(&sources, options, &[entry], &BTreeMap::new())
}

fn entry_of(fixture: &Path) -> String {
    let names = ["entry.js", "entry.mjs", "entry.ts", "entry.tsx", "entry.jsx"];
    let name = names.into_iter().find(|name| fixture.join(name).is_file());
    format!("./{}", name.unwrap_or_else(|| panic!("{} has no entry", fixture.display())))
}

fn run(bundle: &Bundle) -> Result<(), String> {
    let value = call(bundle, "test")?;
    if value == "\"ok\"" { Ok(()) } else { Err(format!("test() returned {value}")) }
}

/// Calls a function that a bundle exports. Returns what that gives as JSON.
fn call(bundle: &Bundle, function: &str) -> Result<String, String> {
    let scripts: Vec<Script<'_>> =
        bundle.chunks.iter().map(|chunk| Script { name: &chunk.file_name, code: &chunk.code }).collect();
    let entry = &bundle.chunks[bundle.entries[0]].file_name;
    let program = Program::compile(&scripts, entry).map_err(|failure| format!("{failure:?}"))?;
    let outcome = program.call(function, &[], &Limits::default()).map_err(|failure| format!("{failure:?}"))?;
    Ok(outcome.value)
}

fn describe(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            let place = d.place.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{place} {} {:?}", d.message.english(), d.hints)
        })
        .collect();
    lines.join("\n")
}

fn code(bundle: &Bundle) -> String {
    let texts: Vec<String> =
        bundle.chunks.iter().map(|chunk| format!("// {}\n{}\n", chunk.file_name, chunk.code)).collect();
    texts.concat()
}

/// Bundles a fixture and runs its test.
fn outcome(fixture: &Path, minify: bool) -> Result<(), String> {
    let bundle = bundle_with(&options(fixture, minify, Platform::Prerender), &entry_of(fixture));
    let bundle = bundle.map_err(|diagnostics| describe(&diagnostics))?;
    run(&bundle).map_err(|failure| format!("{failure}\n{}", code(&bundle)))
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(parent).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders
}

#[test]
fn every_fixture_runs_as_the_language_says() {
    let mut failures = Vec::new();
    let mut count = 0;
    for fixture in folders(&fixtures()) {
        for minify in [false, true] {
            count += 1;
            if let Err(failure) = outcome(&fixture, minify) {
                let name = fixture.file_name().unwrap().to_string_lossy();
                failures.push(format!("{name}, minify: {minify}: {failure}"));
            }
        }
    }
    assert!(count > 40, "the fixtures were not found");
    assert!(failures.is_empty(), "{} of {count} failed\n\n{}", failures.len(), failures.join("\n\n"));
}

/// What is known not to work. Whoever mends one of these moves its folder to the others.
#[test]
fn known_faults_are_still_there() {
    let faults = folders(&fixtures().with_file_name("bundle-faults"));
    assert!(!faults.is_empty(), "if none is left, remove this test");
    let is_mended = |fault: &&PathBuf| [false, true].into_iter().all(|minify| outcome(fault, minify).is_ok());
    let mended: Vec<_> = faults.iter().filter(is_mended).collect();
    assert!(mended.is_empty(), "these work now, so they belong into tests/fixtures/bundle: {mended:#?}");
}

/// Such a module runs its program when nobody requires it.
#[test]
fn an_entry_that_is_common_js_is_the_main_module() {
    let folder = tempfile::tempdir().unwrap();
    let main = "module.exports = () => [require.main === module, module.parent, require('./required.cjs')]";
    fs::write(folder.path().join("entry.cjs"), main).unwrap();
    fs::write(folder.path().join("required.cjs"), "module.exports = [require.main === module, !module.parent]")
        .unwrap();
    let bundle = bundle_with(&options(folder.path(), true, Platform::Prerender), "./entry.cjs").unwrap();
    assert_eq!(call(&bundle, "default").unwrap(), "[true,null,[false,false]]");
}

#[test]
fn output_does_not_depend_on_folder_or_threads() {
    let copy = tempfile::tempdir().unwrap();
    let copy = fs::canonicalize(copy.path()).unwrap().join("elsewhere");
    copy_folder(&fixtures(), &copy);
    for fixture in fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir()) {
        let here = bundle_with(&options(&fixture.path(), true, Platform::Browser), &entry_of(&fixture.path()));
        let there = copy.join(fixture.file_name());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let elsewhere = pool.install(|| bundle_with(&options(&there, true, Platform::Browser), &entry_of(&there)));
        let (here, elsewhere) = (here.unwrap(), elsewhere.unwrap());
        assert_eq!(code(&here), code(&elsewhere), "{}", fixture.path().display());
        assert_eq!(here.assets, elsewhere.assets);
    }
}

/// Texts survive minifying, so each can be found in what was emitted, and must lead back to where it was written.
#[test]
fn source_maps_lead_to_every_token() {
    // Constants and enums are put in where they are used, and lead there. The minifier turns comparisons around and
    // `switch` into `if`, of which only the beginning leads anywhere.
    const MOVED: [&str; 6] = ["token-01", "token-03", "token-04", "token-05", "token-26", "token-33"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/source-map");
    for minify in [true, false] {
        let options = Options { source_maps: SourceMaps::File, ..options(&folder, minify, Platform::Browser) };
        let bundle = bundle_with(&options, "./entry.tsx").unwrap();
        let mut found = BTreeSet::new();
        for chunk in &bundle.chunks {
            let map = SourceMap::from_slice(chunk.source_map.as_ref().unwrap().as_bytes()).unwrap();
            for (line, column, token) in tokens(&chunk.code).filter(|(.., token)| !MOVED.contains(token)) {
                let at = map.lookup_token(line, column).unwrap();
                let name = at.get_source().unwrap().as_str();
                let source = fs::read_to_string(folder.join(name)).unwrap();
                let written = tokens(&source).find(|(.., other)| *other == token).unwrap();
                assert_eq!((at.get_src_line(), at.get_src_col(), token), written, "{name}, minify: {minify}");
                assert_eq!(at.get_source_view().unwrap().source().to_string(), source);
                let place = chunk.locate(line, column).unwrap();
                assert_eq!(place.span.start, source.find(&format!("\"{token}\"")).unwrap());
                found.insert(token.to_owned());
            }
        }
        assert!(found.len() >= 50, "minify: {minify}: only {} tokens were found", found.len());
    }
}

/// Line and column, both from 0 and the column in UTF-16 units, of the quotation mark before each `token-…`.
fn tokens(text: &str) -> impl Iterator<Item = (u32, u32, &str)> {
    text.split('\n').enumerate().flat_map(|(number, line)| {
        line.match_indices("\"token-").map(move |(at, _)| {
            let column = line[..at].encode_utf16().count();
            (u32::try_from(number).unwrap(), u32::try_from(column).unwrap(), &line[at + 1..at + 9])
        })
    })
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
