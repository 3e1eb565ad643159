//! What a build made, for people and for programs.

use std::{collections::BTreeMap, fmt::Write as _, path::Path, sync::Arc, time::Duration};

use anstyle::Style;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use portalgen_base::{diagnostic::Diagnostic, sizes::cut_kilobytes, text::text};
use portalgen_build::pipeline::Build;
use portalgen_portal::Route;
use portalgen_release::{
    compress::Encoding,
    manifest::{FileKind, ManifestRoute},
    output::Output,
    publish::Report,
};

use super::{
    columns,
    console::Console,
    shown::{shell_word, visible},
};

/// What is told of a build, whoever asks.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Made {
    routes: Vec<MadeRoute>,
    /// The output files in their order. Of those that are neither scripts nor style sheets, the compressed size is known only
    /// where the summary for programs is wanted.
    files: Vec<MadeFile>,
    /// The modules of each chunk, for programs.
    chunks: Vec<(Arc<str>, Vec<Arc<str>>)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MadeRoute {
    path: String,
    name: Option<String>,
    title: String,
    url: String,
    file: String,
    redirect: Option<String>,
    /// Those of a page.
    scripts: Option<Vec<Arc<str>>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MadeFile {
    path: String,
    kind: FileKind,
    bytes: usize,
    gzip: usize,
}

impl Made {
    /// What there is to tell of a build; `is_for_programs` asks for all of it.
    pub(super) fn of(build: &Build, is_for_programs: bool) -> Self {
        let outputs: Vec<_> = build.output.iter().collect();
        let file = |(path, output): (&String, &Output)| MadeFile {
            kind: output.kind.into(),
            bytes: output.content.len(),
            gzip: if is_for_programs || is_text(path) { known_gzip_size(build, path, output) } else { 0 },
            path: path.clone(),
        };
        let chunks = build.manifest.modules.iter().filter(|_| is_for_programs);
        // Both are in the order of their paths.
        let routes = build.portal.routes.iter().zip(&build.manifest.routes);
        Self {
            routes: routes.map(|(route, made)| MadeRoute::of(build, route, made)).collect(),
            // Only compressing is worth other threads.
            files: if is_for_programs {
                outputs.into_par_iter().map(file).collect()
            } else {
                outputs.into_iter().map(file).collect()
            },
            chunks: chunks
                .map(|(path, modules)| (path.clone(), modules.iter().map(|(name, _)| name.clone()).collect()))
                .collect(),
        }
    }

    /// Scripts and style sheets.
    fn assets(&self) -> impl Iterator<Item = &MadeFile> {
        self.files.iter().filter(|file| is_text(&file.path))
    }
}

impl MadeRoute {
    fn of(build: &Build, route: &Route, made: &ManifestRoute) -> Self {
        let urls = &build.portal.urls;
        Self {
            path: route.path.as_str().to_owned(),
            name: route.name.clone(),
            title: route.title.clone(),
            url: urls.page(&route.path),
            file: urls.document(&route.path),
            redirect: route.redirect().map(|target| target.href(urls)),
            scripts: route.component().map(|_| made.scripts.clone()),
        }
    }

    fn what(&self) -> String {
        self.redirect.as_ref().map_or_else(|| visible(&self.title), |target| format!("-> {target}"))
    }
}

fn is_text(path: &str) -> bool {
    [".js", ".css"].iter().any(|extension| path.ends_with(extension))
}

/// What the manifest knows is not compressed again.
fn known_gzip_size(build: &Build, path: &str, output: &Output) -> usize {
    let known = build.manifest.files.get(path).and_then(|file| usize::try_from(file.gzip?).ok());
    known.unwrap_or_else(|| gzip_size(&output.content.read()))
}

pub(super) fn gzip_size(bytes: &[u8]) -> usize {
    Encoding::Gzip.compress(bytes).len()
}

/// The summary for a terminal.
pub(super) fn human(made: &Made, report: &Report, out: &Path, total: Duration, console: &Console) -> String {
    let (dim, bold) =
        if console.look.color { (Style::new().dimmed(), Style::new().bold()) } else { (Style::new(), Style::new()) };
    let mut shown = String::new();
    let heading = text!("route, title or target, scripts that it loads (gzip)", "路由、标题或目标、加载的脚本（gzip）");
    let _ = writeln!(shown, "{dim}{}{dim:#}", console.words(&heading));
    for (path, what, scripts) in aligned(made) {
        let _ = writeln!(shown, "  {path}  {what}  {dim}{scripts:>9}{dim:#}");
    }
    let heading = text!("scripts and style sheets, raw and gzip", "脚本和样式表，原始大小与 gzip 大小");
    let _ = writeln!(shown, "\n{dim}{}{dim:#}", console.words(&heading));
    let widest = made.assets().map(|file| file.path.len()).max().unwrap_or_default();
    for file in made.assets() {
        let (path, raw, gzip) = (visible(&file.path), cut_kilobytes(file.bytes), cut_kilobytes(file.gzip));
        let _ = writeln!(shown, "  {path:widest$}  {raw:>9}  {dim}{gzip:>9}{dim:#}");
    }
    let pages = made.files.iter().filter(|file| file.kind == FileKind::Page).count();
    let (files, out, time) = (made.files.len(), visible(&out.display().to_string()), total.as_millis());
    let (written, removed) = (report.written.len(), report.removed.len());
    let outcome = text!(
        "{bold}{pages} documents, {files} files in {out}{bold:#} {dim}({written} written, {removed} removed) \
         in {time} ms{dim:#}",
        "{bold}{out} 中共 {pages} 个文档、{files} 个文件{bold:#}{dim}（写入 {written} 个，删除 {removed} 个），\
         用时 {time} ms{dim:#}"
    );
    let _ = writeln!(shown, "\n{}", console.words(&outcome));
    let option = if out == "dist" { String::new() } else { format!(" --out {}", shell_word(&out)) };
    let next = text!(
        "{dim}Next: portalgen preview{option} shows it as visitors will see it{dim:#}",
        "{dim}接下来：运行 portalgen preview{option}，查看发布后的样子{dim:#}"
    );
    let _ = writeln!(shown, "{}", console.words(&next));
    shown
}

/// A line for each route: its path and what it shows, padded to the width that a terminal gives them, and the size of
/// its scripts.
fn aligned(made: &Made) -> Vec<(String, String, String)> {
    let sizes: BTreeMap<&str, usize> = made.assets().map(|file| (file.path.as_str(), file.gzip)).collect();
    let mut rows: Vec<_> = made.routes.iter().map(|route| [route.path.clone(), route.what()]).collect();
    columns::align(&mut rows);
    let total = |scripts: &Vec<Arc<str>>| scripts.iter().filter_map(|script| sizes.get(&**script)).sum();
    let with_scripts = |([path, what], route): ([String; 2], &MadeRoute)| {
        let scripts = route.scripts.as_ref().map(|scripts| cut_kilobytes(total(scripts)));
        (path, what, scripts.unwrap_or_default())
    };
    rows.into_iter().zip(&made.routes).map(with_scripts).collect()
}

/// The result for programs.
pub(super) fn json(made: &Made, warnings: &[Diagnostic], report: &Report, console: &Console) -> Value {
    let file = |MadeFile { path, kind, bytes, gzip }: &MadeFile| json!({ "path": path, "kind": kind, "bytes": bytes, "gzipBytes": gzip });
    let chunk = |(path, modules): &(Arc<str>, Vec<Arc<str>>)| json!({ "path": path, "modules": modules });
    json!({
        "ok": true,
        "routes": made.routes.iter().map(json_route).collect::<Vec<_>>(),
        "files": made.files.iter().map(file).collect::<Vec<_>>(),
        "chunks": made.chunks.iter().map(chunk).collect::<Vec<_>>(),
        "written": report.written,
        "removed": report.removed,
        "kept": report.kept,
        "diagnostics": console.json(warnings),
    })
}

fn json_route(route: &MadeRoute) -> Value {
    let MadeRoute { path, name, title, url, file, redirect, scripts } = route;
    json!({
        "path": path,
        "name": name,
        "title": title,
        "url": url,
        "file": file,
        "redirect": redirect,
        "scripts": scripts,
    })
}
