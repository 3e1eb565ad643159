//! `portalgen bundle`: the bundler by itself.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    Blame, Console, Failure,
    args::{self, BundleArguments},
    project_root, public_variables, say,
    summary::{Timings, gzip_size, kilobytes},
    with_jobs,
};
use crate::{
    bundle::{self, Bundle, Entry, ImportKind, Layout, ModuleInfo, Options, SourceMapForm, SourceMaps},
    diagnostic::Diagnostic,
    publish,
    source::{Disk, Sources},
    text::{Text, text},
};

/// Bundles, writes, and says what came out.
pub(super) fn command(arguments: &BundleArguments, console: &Console) -> Result<(), Failure> {
    let start = Instant::now();
    let root = project_root(&arguments.root)?;
    let entries = entries(&arguments.entries)?;
    let form = arguments.sourcemap.and_then(args::SourceMapForm::wanted);
    let options = Options {
        mode: arguments.mode.into(),
        minify: !arguments.no_minify,
        minify_sheets: !arguments.no_minify,
        source_maps: if form.is_some() { SourceMaps::File } else { SourceMaps::None },
        layout: Layout::Flat,
        external: arguments.external.clone(),
        conditions: arguments.conditions.clone(),
        defines: arguments.define.clone(),
        env: public_variables(),
        ..Options::new(&root, &root, arguments.platform.into())
    };
    let sources: Arc<dyn Sources> = Arc::new(Disk);
    let bundle = || with_jobs(arguments.jobs, || bundle::bundle(&sources, &options, &entries, &BTreeMap::new()));
    let bundled = console.while_waiting(&Arc::default(), bundle)?;
    let nothing_written = |diagnostics| Failure {
        blame: Blame::Site,
        diagnostics,
        outcome: text!("nothing was written", "什么都没有写入"),
    };
    let bundle = bundled.map_err(nothing_written)?;
    let bundled = Instant::now();
    let files = files(&bundle, form);
    publish::write_files(&arguments.out, &files).map_err(|error| Failure {
        blame: Blame::Other,
        diagnostics: vec![error],
        outcome: text!("not all files were written", "没有写完全部文件"),
    })?;
    let (writing, total) = (bundled.elapsed(), start.elapsed());
    let timings = Timings { stages: &bundle.timings, last: "write", writing, total };
    if console.wants_json() {
        console.result(&json(&bundle, &entries, &files, &timings, console));
    } else {
        console.diagnostics(&bundle.warnings);
        if console.is_terminal {
            say(console.words(&human(&files, &arguments.out, start.elapsed())));
        }
        if arguments.timings {
            say(&timings.human());
        }
    }
    Ok(())
}

/// The entries, each under the name that its file will have; of those with one name, the later ones have a number.
fn entries(paths: &[PathBuf]) -> Result<Vec<Entry>, Failure> {
    let mut entries: Vec<Entry> = Vec::new();
    for path in paths {
        let shown = path.display().to_string();
        let real = std::fs::canonicalize(path).map_err(|error| {
            Failure::other(Diagnostic::error(text!(
                "cannot open the entry {shown}: {error}",
                "打不开入口 {shown}：{error}"
            )))
        })?;
        let module = real.to_string_lossy().into_owned();
        if entries.iter().any(|other| other.module == module) {
            continue;
        }
        let stem = real.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_free = |name: &String| entries.iter().all(|other| other.name != *name);
        let names = std::iter::once(stem.clone()).chain((2..).map(|number| format!("{stem}{number}")));
        let name = names.into_iter().find(is_free).unwrap_or_default();
        entries.push(Entry { name, module });
    }
    Ok(entries)
}

type Files = Vec<(String, Vec<u8>)>;

fn files(bundle: &Bundle, form: Option<SourceMapForm>) -> Files {
    let scripts = bundle.chunks.iter().flat_map(|chunk| chunk.files(form));
    let scripts = scripts.map(|(name, content)| (name, content.into_bytes()));
    let assets = bundle.assets.iter().map(|asset| (asset.file_name.clone(), asset.bytes.clone()));
    let mut files: Files = scripts.chain(assets).collect();
    files.sort();
    files
}

fn human(files: &Files, out: &Path, total: Duration) -> Text {
    let widest = files.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut table = String::new();
    for (name, bytes) in files {
        let (raw, gzip) = (kilobytes(bytes.len()), kilobytes(gzip_size(bytes)));
        let _ = writeln!(table, "  {name:widest$}  {raw:>10}  {gzip:>10} gzip");
    }
    let (count, out, time) = (files.len(), out.display(), total.as_millis());
    text!("{table}\n{count} files in {out}, in {time} ms\n", "{table}\n{out} 中共 {count} 个文件，用时 {time} ms\n")
}

fn json(bundle: &Bundle, entries: &[Entry], files: &Files, timings: &Timings<'_>, console: &Console) -> Value {
    let file_names = |chunks: &[usize]| -> Vec<&str> {
        chunks.iter().filter_map(|chunk| bundle.chunks.get(*chunk)).map(|chunk| chunk.file_name.as_str()).collect()
    };
    let entries: serde_json::Map<String, Value> = entries
        .iter()
        .zip(&bundle.entries)
        .filter_map(|(entry, chunk)| Some((entry.name.clone(), bundle.chunks.get(*chunk)?.file_name.as_str().into())))
        .collect();
    let chunks = bundle.chunks.iter().map(|chunk| {
        json!({
            "path": chunk.file_name,
            "imports": file_names(&chunk.imports),
            "lazyImports": file_names(&chunk.lazy_imports),
            "stylesheets": chunk.stylesheets,
            "modules": chunk.modules,
        })
    });
    let sizes =
        files.iter().map(|(name, bytes)| json!({ "path": name, "bytes": bytes.len(), "gzipBytes": gzip_size(bytes) }));
    json!({
        "ok": true,
        "entries": entries,
        "files": sizes.collect::<Vec<_>>(),
        "chunks": chunks.collect::<Vec<_>>(),
        "modules": bundle.modules.iter().map(|module| json_module(bundle, module)).collect::<Vec<_>>(),
        "diagnostics": console.json(&bundle.warnings),
        "milliseconds": timings.json(),
    })
}

fn json_module(bundle: &Bundle, module: &ModuleInfo) -> Value {
    let imports = module.imports.iter().map(|(specifier, kind, target)| {
        let kind = match kind {
            ImportKind::Static => "import",
            ImportKind::Dynamic => "import()",
            ImportKind::Require => "require",
        };
        json!({ "specifier": specifier, "kind": kind, "module": target })
    });
    json!({
        "name": module.name,
        "bytes": module.bytes,
        "format": if module.is_common_js { "commonjs" } else { "esm" },
        "external": module.is_external,
        "chunk": module.chunk.and_then(|chunk| bundle.chunks.get(chunk)).map(|chunk| &chunk.file_name),
        "imports": imports.collect::<Vec<_>>(),
    })
}
