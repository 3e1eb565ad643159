//! What a build made, for people and for programs.

use std::{collections::BTreeMap, fmt::Write as _, path::Path, time::Duration};

use anstyle::Style;
use rayon::prelude::*;
use serde_json::{Value, json};

use portalgen_base::{sizes::cut_kilobytes, text::text};
use portalgen_build::pipeline::Build;
use portalgen_portal::Route;
use portalgen_release::{
    compress::Encoding,
    manifest::ManifestRoute,
    output::{Output, OutputKind},
    publish::Report,
};

use super::{columns, console::Console, shown::visible};

/// Sizes of a file in bytes: as it is, and as servers send it.
struct Size {
    raw: usize,
    gzip: usize,
}

/// What the manifest knows is not compressed again.
fn size(build: &Build, path: &str, output: &Output) -> Size {
    let known = build.manifest.files.get(path).and_then(|file| usize::try_from(file.gzip?).ok());
    Size { raw: output.bytes.len(), gzip: known.unwrap_or_else(|| gzip_size(&output.bytes)) }
}

pub(super) fn gzip_size(bytes: &[u8]) -> usize {
    Encoding::Gzip.compress(bytes).len()
}

/// The summary for a terminal.
pub(super) fn human(build: &Build, report: &Report, out: &Path, total: Duration, console: &Console) -> String {
    let (dim, bold) =
        if console.look.color { (Style::new().dimmed(), Style::new().bold()) } else { (Style::new(), Style::new()) };
    let sizes = sized_assets(build);
    let mut shown = String::new();
    let heading = text!("route, title or target, scripts that it loads (gzip)", "路由、标题或目标、加载的脚本（gzip）");
    let _ = writeln!(shown, "{dim}{}{dim:#}", console.words(&heading));
    for (path, what, scripts) in aligned(build, &sizes) {
        let _ = writeln!(shown, "  {path}  {what}  {dim}{scripts:>9}{dim:#}");
    }
    let heading = text!("scripts and style sheets, raw and gzip", "脚本和样式表，原始大小与 gzip 大小");
    let _ = writeln!(shown, "\n{dim}{}{dim:#}", console.words(&heading));
    let widest = sizes.keys().map(|path| path.len()).max().unwrap_or_default();
    for (path, size) in &sizes {
        let (path, raw, gzip) = (visible(path), cut_kilobytes(size.raw), cut_kilobytes(size.gzip));
        let _ = writeln!(shown, "  {path:widest$}  {raw:>9}  {dim}{gzip:>9}{dim:#}");
    }
    let pages = build.output.iter().filter(|(_, output)| output.kind == OutputKind::Page).count();
    let (files, out, time) = (build.output.len(), visible(&out.display().to_string()), total.as_millis());
    let (written, removed) = (report.written.len(), report.removed.len());
    let outcome = text!(
        "{bold}{pages} documents, {files} files in {out}{bold:#} {dim}({written} written, {removed} removed) \
         in {time} ms{dim:#}",
        "{bold}{out} 中共 {pages} 个文档、{files} 个文件{bold:#}{dim}（写入 {written} 个，删除 {removed} 个），\
         用时 {time} ms{dim:#}"
    );
    let _ = writeln!(shown, "\n{}", console.words(&outcome));
    shown
}

/// A line for each route: its path and what it shows, padded to the width that a terminal gives them, and the size of
/// its scripts.
fn aligned(build: &Build, sizes: &BTreeMap<&str, Size>) -> Vec<(String, String, String)> {
    let shown = |(route, _): (&Route, _)| [route.path.as_str().to_owned(), what(build, route)];
    let mut rows: Vec<_> = routes(build).map(shown).collect();
    columns::align(&mut rows);
    let with_scripts = |([path, what], (route, made)): ([String; 2], (&Route, &ManifestRoute))| {
        let scripts = route.component().map(|_| cut_kilobytes(total_gzip(&made.scripts, sizes)));
        (path, what, scripts.unwrap_or_default())
    };
    rows.into_iter().zip(routes(build)).map(with_scripts).collect()
}

/// The routes with what the manifest says of them: both are in the order of their paths.
fn routes(build: &Build) -> impl Iterator<Item = (&Route, &ManifestRoute)> {
    build.portal.routes.iter().zip(&build.manifest.routes)
}

fn total_gzip(scripts: &[String], sizes: &BTreeMap<&str, Size>) -> usize {
    scripts.iter().filter_map(|script| sizes.get(script.as_str())).map(|size| size.gzip).sum()
}

fn what(build: &Build, route: &Route) -> String {
    match route.redirect() {
        Some(target) => format!("-> {}", target.href(&build.portal.urls)),
        None => visible(&route.title),
    }
}

fn sized_assets(build: &Build) -> BTreeMap<&str, Size> {
    let is_text = |path: &str| [".js", ".css"].iter().any(|extension| path.ends_with(extension));
    let files: Vec<_> = build.output.iter().filter(|(path, _)| is_text(path)).collect();
    files.into_par_iter().map(|(path, output)| (path.as_str(), size(build, path, output))).collect()
}

/// The result for programs.
pub(super) fn json(build: &Build, report: &Report, console: &Console) -> Value {
    let routes: Vec<Value> = routes(build).map(|(route, made)| json_route(build, route, made)).collect();
    let outputs: Vec<_> = build.output.iter().collect();
    let files: Vec<Value> = outputs
        .into_par_iter()
        .map(|(path, output)| {
            let Size { raw, gzip } = size(build, path, output);
            json!({ "path": path, "kind": kind_name(output.kind), "bytes": raw, "gzipBytes": gzip })
        })
        .collect();
    let chunks = build.manifest.modules.iter();
    let chunks: Vec<Value> =
        chunks.map(|(path, modules)| json!({ "path": path, "modules": modules.keys().collect::<Vec<_>>() })).collect();
    json!({
        "ok": true,
        "routes": routes,
        "files": files,
        "chunks": chunks,
        "written": report.written,
        "removed": report.removed,
        "kept": report.kept,
        "diagnostics": console.json(&build.warnings),
    })
}

fn json_route(build: &Build, route: &Route, made: &ManifestRoute) -> Value {
    let redirect = route.redirect().map(|target| target.href(&build.portal.urls));
    json!({
        "path": route.path.as_str(),
        "name": route.name,
        "title": route.title,
        "url": build.portal.urls.page(&route.path),
        "file": build.portal.urls.document(&route.path),
        "redirect": redirect,
        "scripts": route.component().map(|_| &made.scripts),
    })
}

fn kind_name(kind: OutputKind) -> &'static str {
    match kind {
        OutputKind::Asset => "asset",
        OutputKind::Data => "data",
        OutputKind::Page => "page",
    }
}
