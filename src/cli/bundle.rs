//! `portalgen bundle`: the bundler by itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};

use portalgen_base::{
    diagnostic::Diagnostic,
    sizes::cut_kilobytes,
    source::{Disk, Sources},
    system,
    text::{Text, text},
};
use portalgen_build::pipeline::REGEX_JUDGE;
use portalgen_bundle::{Bundle, Entry, Layout, ModuleImportKind, ModuleInfo, Options, SourceMapForm, SourceMaps};
use portalgen_release::publish::{self, PublishError};

use super::{
    args::{self, BundleArguments},
    console::Console,
    failure::{Blame, Failure},
    measuring::Measuring,
    project::{project_root, public_variables, with_jobs},
    shown::visible,
    summary::gzip_size,
    terminal::say,
};

/// Bundles, writes, and says what came out.
pub(super) fn command(arguments: &BundleArguments, console: &Console) -> Result<(), Failure> {
    let measuring = Measuring::begin(&arguments.measuring);
    let outcome = bundle_and_write(arguments, console, &measuring);
    outcome.and(measuring.write_trace())
}

fn bundle_and_write(arguments: &BundleArguments, console: &Console, measuring: &Measuring<'_>) -> Result<(), Failure> {
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
        env: public_variables()?,
        regex_judge: REGEX_JUDGE,
        clock: measuring.clock.clone(),
        ..Options::new(&root, &root, arguments.platform.into())
    };
    let allowed: Vec<PathBuf> = entries.iter().map(home).chain(arguments.allow.iter().cloned()).collect();
    let sources: Arc<dyn Sources> = Arc::new(Disk::of_command(&root, &allowed));
    let bundle =
        || with_jobs(arguments.jobs, || portalgen_bundle::bundle(&sources, &options, &entries, &BTreeMap::new()));
    let bundled = console.while_waiting(measuring.clock.running(), bundle)?;
    let nothing_written = |diagnostics| Failure {
        blame: Blame::Site,
        diagnostics,
        outcome: text!("nothing was written", "什么都没有写入"),
    };
    let bundle = bundled.map_err(nothing_written)?;
    let files = files(&bundle, form);
    check_sources(&bundle, &root, &files, &arguments.out).map_err(nothing_written)?;
    let write = || publish::write_files(&arguments.out, &files);
    measuring.clock.time("write", write).map_err(|error| match error {
        PublishError::Refused(diagnostics) => nothing_written(diagnostics),
        failed => Failure {
            blame: Blame::Other,
            diagnostics: failed.into_diagnostics(),
            outcome: text!("not all files were written", "没有写完全部文件"),
        },
    })?;
    if console.wants_json() {
        let mut result = json(&bundle, &entries, &files, console);
        measuring.add_to(&mut result);
        console.result(&result);
    } else {
        console.diagnostics(&bundle.warnings);
        if console.is_terminal {
            say(console.words(&human(&files, &arguments.out, measuring.elapsed())));
        }
        if let Some(table) = measuring.human() {
            say(&table);
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
            let error = system::explain(&error);
            Failure::other(Diagnostic::error(text!(
                "cannot open the entry {shown}: {error}",
                "无法打开入口 {shown}：{error}",
                error
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

/// The folder that an entry may read all of: that of its package, or else its own.
fn home(entry: &Entry) -> PathBuf {
    let file = Path::new(&entry.module);
    let is_package = |folder: &&Path| folder.join("package.json").is_file();
    file.ancestors().skip(1).find(is_package).or(file.parent()).unwrap_or(file).to_owned()
}

type Files = Vec<(String, Vec<u8>)>;

fn files(bundle: &Bundle, form: Option<SourceMapForm>) -> Files {
    let scripts = bundle.chunks.iter().flat_map(|chunk| chunk.files(form));
    let scripts = scripts.map(|(name, content)| (name, content.as_bytes().to_vec()));
    let assets = bundle.assets.iter().map(|asset| (asset.file_name.clone(), asset.bytes.to_vec()));
    let mut files: Files = scripts.chain(assets).collect();
    files.sort();
    files
}

/// Makes sure that no file takes the place of a module that it was made of.
fn check_sources(bundle: &Bundle, root: &Path, files: &Files, out: &Path) -> Result<(), Vec<Diagnostic>> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let modules: BTreeSet<PathBuf> =
        bundle.modules.iter().filter_map(|module| real(&root.join(&*module.name))).collect();
    let is_module = |name: &str| real(&out.join(name)).is_some_and(|path| modules.contains(&path));
    let refusals = files.iter().filter(|(name, _)| is_module(name)).map(|(name, _)| {
        let path = visible(&out.join(name).display().to_string());
        Diagnostic::error(text!(
            "cannot write `{path}`: it is one of the source modules",
            "无法写入 `{path}`：它是这次打包的源文件"
        ))
        .with_hint(text!("choose another folder with --out", "请用 --out 指定另一个文件夹"))
    });
    let refusals: Vec<Diagnostic> = refusals.collect();
    if refusals.is_empty() { Ok(()) } else { Err(refusals) }
}

fn human(files: &Files, out: &Path, total: Duration) -> Text {
    let widest = files.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut table = String::new();
    for (name, bytes) in files {
        let (raw, gzip) = (cut_kilobytes(bytes.len()), cut_kilobytes(gzip_size(bytes)));
        let name = visible(name);
        let _ = writeln!(table, "  {name:widest$}  {raw:>10}  {gzip:>10} gzip");
    }
    let (count, out, time) = (files.len(), visible(&out.display().to_string()), total.as_millis());
    text!("{table}\n{count} files in {out}, in {time} ms\n", "{table}\n{out} 中共 {count} 个文件，用时 {time} ms\n")
}

fn json(bundle: &Bundle, entries: &[Entry], files: &Files, console: &Console) -> Value {
    let file_names = |chunks: &[usize]| -> Vec<&str> {
        chunks.iter().filter_map(|chunk| bundle.chunks.get(*chunk)).map(|chunk| &*chunk.file_name).collect()
    };
    let entries: serde_json::Map<String, Value> = entries
        .iter()
        .zip(&bundle.entries)
        .filter_map(|(entry, chunk)| Some((entry.name.clone(), (&*bundle.chunks.get(*chunk)?.file_name).into())))
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
    })
}

fn json_module(bundle: &Bundle, module: &ModuleInfo) -> Value {
    let imports = module.imports.iter().map(|import| {
        let kind = match import.kind {
            ModuleImportKind::Static => "import",
            ModuleImportKind::Dynamic => "import()",
            ModuleImportKind::Require => "require",
        };
        let target = import.target.and_then(|target| bundle.modules.get(target)).map(|target| &target.name);
        json!({ "specifier": import.specifier, "kind": kind, "module": target })
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
