//! What a build would change about what is published: for whoever reviews it, and for whoever deploys it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use serde::Serialize;
use url::Url;

use portalgen_base::{
    sizes::rounded_kilobytes,
    text::{Language, Text, text},
};

use crate::{
    compress,
    content_hash::ContentHash,
    manifest::{FileKind, Manifest, ManifestRedirect, ManifestRoute},
};

/// The difference between what is published and what a build has made. Every list is in the order of its paths.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Pages with another title.
    pub titles: Vec<Change<String>>,
    /// Pages with another description.
    pub descriptions: Vec<Change<Option<String>>>,
    /// Addresses that were not there.
    pub added: Vec<String>,
    /// Addresses at which nothing will be.
    pub gone: Vec<String>,
    /// Redirects that are new, lead elsewhere, or are none any more.
    pub redirects: Vec<RedirectChange>,
    /// Pages that load more or less than before, in bytes after gzip.
    pub weights: Vec<Change<u64>>,
    /// Documents that are new or have other bytes, by output path.
    pub pages: Vec<String>,
    /// Scripts and style sheets that are new.
    pub chunks: Vec<String>,
    /// Scripts and style sheets of the build before that this one does not use.
    pub invalidated: Vec<String>,
    /// Addresses whose answers change, which caches must forget: full URLs where the origin is known.
    pub purge: Vec<String>,
    /// What to upload and delete, in this order.
    pub upload: Upload,
}

/// A value of a page, before and after.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Change<T> {
    /// The page's route.
    pub path: String,
    /// What it was.
    pub before: T,
    /// What it will be.
    pub after: T,
}

/// Where an address leads, before and after.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct RedirectChange {
    /// The route.
    pub path: String,
    /// Where it led.
    pub before: Option<ManifestRedirect>,
    /// Where it will lead.
    pub after: Option<ManifestRedirect>,
}

/// Output paths in the order in which they have to be uploaded, so that no page refers to what is not there yet.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Upload {
    /// First: named by their content, referred to by pages.
    pub assets: Vec<String>,
    /// Then what has a fixed name.
    pub data: Vec<String>,
    /// Then documents.
    pub pages: Vec<String>,
    /// Last: what is gone.
    pub delete: Vec<String>,
}

impl Plan {
    /// Compares a build with what is published; with nothing, if nothing is.
    pub fn between(old: Option<&Manifest>, new: &Manifest) -> Self {
        let routes = Routes::of(old, new);
        let changed = |kind| changed_files(old, new, kind);
        let is_chunk = |path: &String| path.ends_with(".js") || path.ends_with(".css");
        let assets = changed(FileKind::Asset);
        let is_used =
            |path: &str| new.files.contains_key(path) && !new.earlier.iter().flatten().any(|kept| kept == path);
        let old_assets = old.into_iter().flat_map(own_assets);
        let mut plan = Self {
            titles: routes.titles(),
            descriptions: routes.descriptions(),
            added: routes.urls(|old, new| old.is_none() && new.is_some_and(is_there)),
            gone: routes.urls(|old, new| old.is_some_and(is_there) && !new.is_some_and(is_there)),
            redirects: routes.redirects(),
            weights: old.map(|old| routes.weights(old, new)).unwrap_or_default(),
            pages: changed(FileKind::Page).into_iter().filter(|path| compress::original(path).is_none()).collect(),
            chunks: assets.iter().filter(|path| is_chunk(path)).cloned().collect(),
            invalidated: old_assets.filter(|path| is_chunk(path) && !is_used(path)).cloned().collect(),
            purge: Vec::new(),
            upload: Upload {
                assets,
                data: changed(FileKind::Data),
                pages: changed(FileKind::Page),
                delete: old
                    .into_iter()
                    .flat_map(|old| old.files.keys())
                    .filter(|path| !new.files.contains_key(*path))
                    .cloned()
                    .collect(),
            },
        };
        plan.purge = purge(&plan.upload, &routes, old, new);
        plan
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        let Upload { assets, data, pages, delete } = &self.upload;
        assets.is_empty() && data.is_empty() && pages.is_empty() && delete.is_empty() && self.redirects.is_empty()
    }

    /// Whether titles are all that changes, so that no page but theirs has other bytes, and no script. The list of pages
    /// follows, since it says when each was last changed.
    fn is_about_titles(&self, new: &Manifest) -> bool {
        let titled = |route: &&ManifestRoute| self.titles.iter().any(|title| title.path == route.path);
        let own: BTreeSet<&str> = new
            .routes
            .iter()
            .filter(titled)
            .flat_map(|route| [&route.file, &route.data])
            .flatten()
            .map(String::as_str)
            .collect();
        let Upload { assets, data, pages, delete } = &self.upload;
        let mut files = [assets, data, pages, delete].into_iter().flatten();
        let is_own = |path: &String| {
            let file = compress::original(path).unwrap_or(path);
            own.contains(file) || (file.starts_with("sitemap") && file.ends_with(".xml"))
        };
        files.all(is_own)
            && self.descriptions.is_empty()
            && self.redirects.is_empty()
            && self.pages.len() == self.titles.len()
    }

    /// What changes, in one sentence.
    pub fn headline(&self, new: &Manifest) -> Text {
        let (pages, scripts) = (self.pages.len(), self.chunks.iter().filter(|path| path.ends_with(".js")).count());
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (s_pages, s_scripts) = (plural(pages), plural(scripts));
        if self.is_empty() {
            return text!("Nothing changes.", "没有任何变化。");
        }
        if self.is_about_titles(new) && !self.titles.is_empty() {
            let paths: Vec<String> = self.titles.iter().map(|title| code(&title.path)).collect();
            let (all, english, chinese) = (plural(paths.len()), paths.join(", "), paths.join("、"));
            let s_verb = if paths.len() == 1 { "s" } else { "" };
            return text!(
                "Only the title{all} of {english} change{s_verb}: {pages} page{s_pages}, {scripts} script{s_scripts}.",
                "只有 {chinese} 的标题有变化：{pages} 个页面，{scripts} 个脚本。"
            );
        }
        let files = self.upload.assets.len() + self.upload.data.len() + self.upload.pages.len();
        let (s_files, deleted) = (plural(files), self.upload.delete.len());
        text!(
            "{pages} page{s_pages} and {scripts} script{s_scripts} change; {files} file{s_files} to upload, {deleted} to delete.",
            "{pages} 个页面、{scripts} 个脚本有变化；要上传 {files} 个文件，删除 {deleted} 个。"
        )
    }

    /// The plan as Markdown, for a pull request. What people have written stands in it as code, so that it means nothing.
    pub fn markdown(&self, new: &Manifest, language: Language) -> String {
        let mut out = Markdown { text: String::new(), language };
        out.line(&self.headline(new));
        out.list(&text!("Titles", "标题"), self.titles.iter().map(shown_title));
        let described = self.descriptions.iter().map(|change| code(&change.path));
        out.list(&text!("Descriptions", "描述"), described);
        out.list(&text!("New addresses", "新增的网址"), self.added.iter().map(|url| code(url)));
        out.list(&text!("Addresses that no longer work", "不再有内容的网址"), self.gone.iter().map(|url| code(url)));
        let redirects: Vec<String> = self.redirects.iter().map(|change| shown_redirect(change, language)).collect();
        out.list(&text!("Redirects", "跳转"), redirects.into_iter());
        out.list(&text!("Size of pages (gzip)", "页面大小（gzip）"), self.weights.iter().map(shown_weight));
        out.list(
            &text!("Scripts and styles that browsers download again", "浏览器要重新下载的脚本和样式"),
            self.chunks.iter().map(|path| code(path)),
        );
        out.folded(&text!("No longer used", "不再使用"), &self.invalidated);
        out.folded(&text!("To purge from caches", "需要清除缓存的网址"), &self.purge);
        let Upload { assets, data, pages, delete } = &self.upload;
        out.folded(&text!("Upload 1: assets", "上传 1：资源"), assets);
        out.folded(&text!("Upload 2: data", "上传 2：数据"), data);
        out.folded(&text!("Upload 3: pages", "上传 3：页面"), pages);
        out.folded(&text!("Last: delete", "最后：删除"), delete);
        out.text
    }
}

fn is_there(route: &ManifestRoute) -> bool {
    route.file.is_some()
}

/// The routes of both builds, by path.
struct Routes<'m>(BTreeMap<&'m str, (Option<&'m ManifestRoute>, Option<&'m ManifestRoute>)>);

impl<'m> Routes<'m> {
    fn of(old: Option<&'m Manifest>, new: &'m Manifest) -> Self {
        let mut routes: BTreeMap<&str, (Option<&ManifestRoute>, Option<&ManifestRoute>)> = BTreeMap::new();
        for route in old.into_iter().flat_map(|old| &old.routes) {
            routes.entry(&route.path).or_default().0 = Some(route);
        }
        for route in &new.routes {
            routes.entry(&route.path).or_default().1 = Some(route);
        }
        Self(routes)
    }

    /// Pages that both builds have.
    fn pages(&self) -> impl Iterator<Item = (&'m ManifestRoute, &'m ManifestRoute)> {
        let both = self.0.values().filter_map(|(old, new)| (*old).zip(*new));
        both.filter(|(old, new)| [old, new].iter().all(|route| is_there(route) && route.redirect.is_none()))
    }

    fn titles(&self) -> Vec<Change<String>> {
        let both = self.0.values().filter_map(|(old, new)| (*old).zip(*new)).filter(|(_, new)| is_there(new));
        let changed = both.filter(|(old, new)| old.title != new.title);
        changed.map(|(old, new)| change(new, old.title.clone(), new.title.clone())).collect()
    }

    fn descriptions(&self) -> Vec<Change<Option<String>>> {
        let changed = self.pages().filter(|(old, new)| old.description != new.description);
        changed.map(|(old, new)| change(new, old.description.clone(), new.description.clone())).collect()
    }

    fn weights(&self, old_build: &Manifest, new_build: &Manifest) -> Vec<Change<u64>> {
        let weight =
            |build: &Manifest, page: &ManifestRoute| build.weight(page.scripts.iter().chain(&page.style_sheets));
        let both = self.pages().map(|(old, new)| change(new, weight(old_build, old), weight(new_build, new)));
        both.filter(|change| change.before != change.after).collect()
    }

    fn redirects(&self) -> Vec<RedirectChange> {
        let of = |route: Option<&ManifestRoute>| route.and_then(|route| route.redirect.clone());
        let all = self.0.iter().map(|(path, (old, new))| RedirectChange {
            path: (*path).to_owned(),
            before: of(*old),
            after: of(*new),
        });
        all.filter(|change| change.before != change.after).collect()
    }

    /// The addresses of routes for which something holds.
    fn urls(&self, holds: fn(Option<&ManifestRoute>, Option<&ManifestRoute>) -> bool) -> Vec<String> {
        let found = self.0.values().filter(|(old, new)| holds(*old, *new));
        found.filter_map(|(old, new)| Some((*new).or(*old)?.url.clone())).collect()
    }
}

fn change<T>(route: &ManifestRoute, before: T, after: T) -> Change<T> {
    Change { path: route.path.clone(), before, after }
}

/// Output paths of files that are new or have other bytes.
fn changed_files(old: Option<&Manifest>, new: &Manifest, kind: FileKind) -> Vec<String> {
    let is_same = |path: &String, hash: ContentHash| {
        old.is_some_and(|old| old.files.get(path).is_some_and(|file| file.hash == hash))
    };
    let files = new.files.iter().filter(|(path, file)| file.kind == kind && !is_same(path, file.hash));
    files.map(|(path, _)| path.clone()).collect()
}

/// The assets that a build has made itself.
fn own_assets(build: &Manifest) -> impl Iterator<Item = &String> {
    let assets = build.files.iter().filter(|(_, file)| file.kind == FileKind::Asset).map(|(path, _)| path);
    assets.filter(|path| !build.earlier.iter().flatten().any(|kept| kept == *path))
}

/// Every address under which a server may have answered otherwise than it will.
///
/// Assets are not among them: under the name of one there is never anything else.
fn purge(upload: &Upload, routes: &Routes<'_>, old: Option<&Manifest>, new: &Manifest) -> Vec<String> {
    let Some(old) = old else { return Vec::new() };
    let gone = upload.delete.iter().filter(|path| old.files[*path].kind != FileKind::Asset);
    let files = upload.data.iter().chain(&upload.pages).chain(gone).filter(|path| compress::original(path).is_none());
    let mut addresses: BTreeSet<String> = files.map(|path| address(new, path)).collect();
    for (before, after) in routes.0.values() {
        let is_same = match (before, after) {
            (Some(before), Some(after)) => {
                before.redirect == after.redirect
                    && before.file.as_ref().is_some_and(|file| !upload.pages.contains(file))
            }
            _ => false,
        };
        if !is_same {
            for route in [before, after].into_iter().flatten() {
                let bare = route.url.trim_end_matches('/');
                addresses.extend([route.url.clone(), format!("{bare}/")]);
                // The portal's own address has no form without its slash, unless it is a folder.
                addresses.extend((!bare.is_empty()).then(|| bare.to_owned()));
            }
        }
    }
    let origin = new.origin.as_deref().unwrap_or_default();
    addresses.into_iter().map(|address| format!("{origin}{address}")).collect()
}

/// The path of a file of the output below the base.
fn address(build: &Manifest, path: &str) -> String {
    format!("{}{}", build.base, portalgen_portal::encode_path(path))
}

/// The text as code, in as many backticks as it takes.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn shown_title(change: &Change<String>) -> String {
    format!("{}: {} → {}", code(&change.path), code(&change.before), code(&change.after))
}

fn shown_weight(change: &Change<u64>) -> String {
    let (sign, difference) = if change.after >= change.before {
        ("+", change.after - change.before)
    } else {
        ("−", change.before - change.after)
    };
    let (before, after) = (rounded_kilobytes(change.before), rounded_kilobytes(change.after));
    format!("{}: {before} → {after} ({sign}{})", code(&change.path), rounded_kilobytes(difference))
}

/// The host of a target, if it leads to another one.
fn host(target: &ManifestRedirect) -> Option<String> {
    Url::parse(&target.to).ok()?.host_str().map(str::to_owned)
}

fn shown_redirect(change: &RedirectChange, language: Language) -> String {
    let side = |target: Option<&ManifestRedirect>| match target {
        Some(target) => match host(target) {
            Some(host) => format!("{} (**{}**, {})", code(&target.to), code(&host), target.status),
            None => format!("{} ({})", code(&target.to), target.status),
        },
        None => text!("no redirect", "没有跳转").in_language(language).to_owned(),
    };
    let (before, after) = (change.before.as_ref(), change.after.as_ref());
    let is_other_host = after.is_some_and(|after| host(after).is_some() && Some(host(after)) != before.map(host));
    let warning = text!(" ⚠️ another host", " ⚠️ 站点变了");
    let warning = if is_other_host { warning.in_language(language) } else { "" };
    format!("{}: {} → {}{warning}", code(&change.path), side(before), side(after))
}

struct Markdown {
    text: String,
    language: Language,
}

impl Markdown {
    fn line(&mut self, words: &Text) {
        let _ = writeln!(self.text, "{}", words.in_language(self.language));
    }

    fn list(&mut self, heading: &Text, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.collect();
        if items.is_empty() {
            return;
        }
        let _ = writeln!(self.text, "\n### {}\n", heading.in_language(self.language));
        for item in items {
            let _ = writeln!(self.text, "- {item}");
        }
    }

    /// A list that is shown when somebody wants to see it: one line each, to be copied.
    fn folded(&mut self, heading: &Text, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let (heading, count) = (heading.in_language(self.language), lines.len());
        let longest = lines.iter().flat_map(|line| line.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let _ = writeln!(
            self.text,
            "\n<details><summary>{heading} ({count})</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>",
            lines.join("\n")
        );
    }
}
