//! From what the stages made to one set of files.

use std::{collections::BTreeMap, path::Path};

use portalgen_base::{diagnostic::Diagnostic, text::text};
use portalgen_engine::RenderedPage;
use portalgen_portal::{Portal, Route, RouteKind, history::History};
use portalgen_release::{
    answer, compress, hosting,
    manifest::{self, Manifest, PageFiles, ScriptFile},
    output::{OutputKind, OutputSet, Producer},
    previous::Previous,
};

use super::{LazyParts, SITE, Scripts, Site, script_files};
use crate::{
    metadata::{self, Head, Icons},
    public,
    runtime::{self, NOT_FOUND_PATH},
    shell::{self, Integrity, PageShell, Shells, StubShell},
};

/// What the stages made.
pub(super) struct Made<'a> {
    pub scripts: &'a Scripts,
    /// For each page, by the path of its route, what it loads before it works.
    pub page_files: &'a BTreeMap<String, PageFiles>,
    pub rendered: &'a [RenderedPage],
    /// For each page, by its path, the modules that `import()` brought while it was rendered.
    pub lazy: &'a LazyParts,
    pub public: Vec<public::PublicFile>,
    pub icons: Option<&'a Icons>,
    pub history: History,
    /// The build before, if it matters.
    pub previous: Option<&'a Previous>,
}

/// Puts everything that was made into one set of files, and describes it.
pub(super) fn write(
    site: &Site<'_>,
    shells: &Shells,
    made: Made<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<(OutputSet, Manifest), Vec<Diagnostic>> {
    let Made { scripts, page_files, rendered, lazy, public, icons, history, previous } = made;
    let mut writer = Writer {
        site,
        shells,
        scripts,
        lazy,
        icons,
        icon: None,
        recovery: runtime::recovery().next().map(|script| script.file_name),
        output: OutputSet::new(),
        integrity: Integrity::default(),
        errors: Vec::new(),
    };
    writer.scripts();
    writer.integrity = writer.integrity();
    writer.public(public);
    writer.icons();
    writer.documents(rendered);
    writer.metadata(&history, warnings);
    let manifest = writer.hosting(page_files, &script_files(&scripts.browser), previous, warnings);
    if writer.errors.is_empty() { Ok((writer.output, manifest)) } else { Err(writer.errors) }
}

struct Writer<'a> {
    site: &'a Site<'a>,
    shells: &'a Shells,
    scripts: &'a Scripts,
    lazy: &'a LazyParts,
    icons: Option<&'a Icons>,
    /// URL of the icon of `site/public`.
    icon: Option<String>,
    /// Output path of the script that recovers documents whose entry is gone.
    recovery: Option<String>,
    output: OutputSet,
    integrity: Integrity,
    errors: Vec<Diagnostic>,
}

impl Writer<'_> {
    fn add(&mut self, path: impl Into<String>, kind: OutputKind, bytes: impl Into<Vec<u8>>, producer: Producer) {
        if let Err(clash) = self.output.insert(path, kind, bytes, producer) {
            self.errors.push(clash);
        }
    }

    fn scripts(&mut self) {
        let scripts = self.scripts;
        let producer = || Producer::new(text!("the bundler", "打包器"));
        for chunk in scripts.browser.chunks.iter().chain(&scripts.redirect.chunks) {
            for (name, content) in chunk.files(self.site.options.source_maps) {
                self.add(name, OutputKind::Asset, content, producer());
            }
        }
        for asset in &scripts.browser.assets {
            self.add(&*asset.file_name, OutputKind::Asset, asset.bytes.clone(), producer());
        }
        for asset in runtime::recovery() {
            let producer = Producer::new(text!("the recovery script", "恢复脚本"));
            self.add(asset.file_name, OutputKind::Asset, asset.bytes, producer);
        }
    }

    /// What browsers check scripts and style sheets by, if they are asked to.
    fn integrity(&self) -> Integrity {
        let is_checked = |path: &str| path.ends_with(".js") || path.ends_with(".css");
        let files = self.output.iter().filter(|(path, _)| self.site.portal.integrity && is_checked(path));
        files.map(|(path, file)| (self.url(path), shell::integrity_of(&file.bytes))).collect()
    }

    /// Adds the files of `site/public`.
    fn public(&mut self, files: Vec<public::PublicFile>) {
        let icons = ["favicon.svg", "favicon.ico", "favicon.png"];
        let icon = icons.iter().find(|icon| files.iter().any(|file| file.path == **icon));
        for file in files {
            let path = &file.path;
            let producer = Producer::new(text!("{SITE}/public/{path}", "文件 {SITE}/public/{path}"));
            self.add(file.path, OutputKind::Data, file.bytes, producer);
        }
        self.icon = icon.map(|icon| self.url(icon));
    }

    fn icons(&mut self) {
        for asset in self.icons.map(Icons::assets).unwrap_or_default() {
            let producer = Producer::new(text!("`icon` in `[site]`", "`[site]` 的 `icon`"));
            self.add(&*asset.file_name, OutputKind::Asset, asset.bytes.clone(), producer);
        }
    }

    /// Adds what search engines and others look for, in so far as it is not there.
    fn metadata(&mut self, history: &History, warnings: &mut Vec<Diagnostic>) {
        let Site { portal, .. } = *self.site;
        let days = self.site.last_changes(&self.scripts.browser, self.lazy, history);
        let files = metadata::files(portal, self.icons, &self.output, |route| days.get(&route.path).copied());
        if files.iter().any(metadata::SiteFile::is_sitemap) {
            warnings.extend(history.is_shallow.then(shallow));
            warnings.extend(history.is_of_others.then(of_others));
        }
        for file in files {
            self.add(file.path, OutputKind::Data, file.bytes, Producer::new(file.made_of));
        }
    }

    /// The URL of a file of the output.
    fn url(&self, file: &str) -> String {
        format!("{}{file}", self.site.portal.urls.base.url())
    }

    fn documents(&mut self, rendered: &[RenderedPage]) {
        let portal = self.site.portal;
        let html: BTreeMap<&str, &str> = rendered.iter().map(|page| (page.path.as_str(), page.html.as_str())).collect();
        let html = |path: &str| html.get(path).copied().unwrap_or_default();
        for route in &portal.routes {
            match &route.kind {
                RouteKind::Page { component } => self.page(route, component, html(route.path.as_str())),
                RouteKind::Redirect { target, .. } => self.stub(route, &target.href(&portal.urls)),
                RouteKind::Retired => {}
            }
        }
        self.not_found(html(NOT_FOUND_PATH));
    }

    fn page(&mut self, route: &Route, component: &Path, html: &str) {
        let portal = self.site.portal;
        let canonical = portal.urls.canonical(&route.path);
        let data = data_of(route.path.as_str());
        let shell = PageShell {
            lang: &route.lang,
            title: &route.title,
            description: route.description.as_deref(),
            canonical: canonical.as_deref(),
            noindex: route.noindex,
            html,
            data: Some(&data),
            ..PageShell::default()
        };
        let head = Head::of_page(portal, route, self.icons);
        let producer = producer_of(route);
        self.data(portal.urls.data(&route.path), &route.title, producer.clone());
        let files = self.files_of(Some(component), route.path.as_str());
        self.document(portal.urls.document(&route.path), shell, &head, &files, producer);
    }

    fn not_found(&mut self, html: &str) {
        let Portal { not_found, lang, .. } = self.site.portal;
        let data = data_of("");
        let title = &not_found.title;
        let shell = PageShell { lang, title, noindex: true, html, data: Some(&data), ..PageShell::default() };
        let mut producer = Producer::new(text!("the not-found page", "“页面不存在”的页面"));
        if let Some(place) = &not_found.place {
            producer = producer.at(place.clone());
        }
        self.data("404.json".to_owned(), &not_found.title, producer.clone());
        let head = Head::of_any(self.site.portal, self.icons);
        let files = self.files_of(not_found.component.as_deref(), NOT_FOUND_PATH);
        self.document(answer::NOT_FOUND.to_owned(), shell, &head, &files, producer);
    }

    /// The file that tells the browser's code what a page is called.
    fn data(&mut self, path: String, title: &str, producer: Producer) {
        let data = serde_json::json!({ "title": title }).to_string();
        self.add(path, OutputKind::Data, data, producer);
    }

    fn document(&mut self, path: String, shell: PageShell<'_>, head: &Head, files: &Linked, producer: Producer) {
        let recovery = self.recovery.as_deref().map(|script| self.url(script));
        let base = self.site.portal.urls.base.url();
        let document = self.shells.page(&PageShell {
            base: &base,
            stylesheets: &files.stylesheets,
            preloads: &files.preloads,
            integrity: Some(&self.integrity),
            entry: Some(&files.entry),
            recovery: recovery.as_deref(),
            icon: head.icon.as_deref().or(self.icon.as_deref()),
            links: &head.links,
            metas: &head.metas,
            structured: head.structured.as_ref(),
            ..shell
        });
        match document {
            Ok(document) => self.add(path, OutputKind::Page, document, producer),
            Err(diagnostic) => self.errors.push(diagnostic),
        }
    }

    fn stub(&mut self, route: &Route, target: &str) {
        let redirect = &self.scripts.redirect;
        let script = redirect.entries.first().and_then(|entry| redirect.chunks.get(*entry));
        let script = script.map(|chunk| self.url(&chunk.file_name)).unwrap_or_default();
        let lang = &route.lang;
        let icon = self.icons.map(|icons| self.url(icons.main())).or_else(|| self.icon.clone());
        let document = self.shells.stub(&StubShell {
            lang,
            title: &route.title,
            target,
            script: &script,
            integrity: self.integrity.get(&script).map(String::as_str),
            icon: icon.as_deref(),
        });
        match document {
            Ok(document) => {
                self.add(self.site.portal.urls.document(&route.path), OutputKind::Page, document, producer_of(route));
            }
            Err(diagnostic) => self.errors.push(diagnostic),
        }
    }

    /// Adds the assets of earlier builds that stay, and tells which they are.
    fn earlier(&mut self, previous: Option<&Previous>, warnings: &mut Vec<Diagnostic>) -> Vec<Vec<String>> {
        let Site { sources, portal, .. } = self.site;
        let Some(previous) = previous.filter(|_| portal.keep > 0) else { return Vec::new() };
        let (earlier, lost) = previous.keep(&***sources, portal.keep, &mut self.output);
        warnings.extend(lost);
        earlier
    }

    /// Adds what hosts read, and the manifest beside it.
    fn hosting(
        &mut self,
        page_files: &BTreeMap<String, PageFiles>,
        scripts: &[ScriptFile],
        previous: Option<&Previous>,
        warnings: &mut Vec<Diagnostic>,
    ) -> Manifest {
        let mut manifest = Manifest::of(self.site.portal, page_files, scripts);
        manifest.earlier = self.earlier(previous, warnings);
        let deploy = &self.site.portal.deploy;
        if !deploy.platforms.is_empty() {
            let policy = hosting::policy(&self.output, &deploy.csp);
            manifest.headers.insert("content-security-policy".to_owned(), policy);
        }
        // Some files for hosts name the assets, so these are described before the files are there themselves.
        let manifest = manifest.with_files(&self.output, None);
        let files = hosting::files(&manifest);
        for (path, text) in files.published {
            self.add(path, OutputKind::Data, text, Producer::new(text!("`[deploy]`", "`[deploy]`")));
        }
        for (name, text) in files.deployment {
            self.output.add_note(name, text);
        }
        let levels = &self.site.portal.levels;
        warnings.extend(files.warnings.into_iter().filter_map(|warning| warning.weighed(levels)));
        if let Some(cache) = &self.site.options.compressed {
            compress::add(&mut self.output, &deploy.platforms, cache);
        }
        let manifest = manifest.with_files(&self.output, self.site.options.compressed.as_deref());
        self.output.add_note(manifest::FILE, manifest.to_json());
        manifest
    }

    /// What the document of `component`'s page links; `path` is that of the page that was rendered.
    fn files_of(&self, component: Option<&Path>, path: &str) -> Linked {
        let bundle = &self.scripts.browser;
        let chunks = self.site.chunks_of(bundle, component);
        let entry = bundle.entries.first().and_then(|entry| bundle.chunks.get(*entry));
        let entry = entry.map(|chunk| chunk.file_name.as_str()).unwrap_or_default();
        let preloads = chunks.iter().map(|chunk| chunk.file_name.as_str()).filter(|name| *name != entry);
        let stylesheets = self.site.sheets_of(bundle, component, self.lazy.of(path));
        Linked {
            entry: self.url(entry),
            stylesheets: stylesheets.into_iter().map(|sheet| self.url(sheet)).collect(),
            preloads: preloads.map(|chunk| self.url(chunk)).collect(),
        }
    }
}

/// It is no fault of the portal, and on services that build it the rule.
fn shallow() -> Diagnostic {
    Diagnostic::note(text!(
        "the sitemap says of no page when it was changed: the Git repository here holds only a part of its history",
        "站点地图里没有页面的修改日期：这里的 Git 仓库只有一部分历史记录"
    ))
    .with_hint(text!(
        "fetch all of it: `git fetch --unshallow`, or `fetch-depth: 0` for `actions/checkout`",
        "请取回完整的历史记录：`git fetch --unshallow`，`actions/checkout` 则写 `fetch-depth: 0`"
    ))
}

/// What the browser's code reads in a document: the route of its page, which is empty for the not-found page. Servers may
/// send a document for other addresses than its own.
fn data_of(route: &str) -> serde_json::Value {
    serde_json::json!({ "route": route })
}

fn of_others() -> Diagnostic {
    Diagnostic::note(text!(
        "the sitemap says of no page when it was changed: the Git repository here belongs to another user, and Git reads it \
         only if you trust it",
        "站点地图里没有页面的修改日期：这里的 Git 仓库属于另一个用户，需要先信任它，Git 才会读取"
    ))
    .with_hint(text!(
        "run `git config --global --add safe.directory` with the folder of the repository",
        "请运行 `git config --global --add safe.directory`，后面写上仓库所在的文件夹"
    ))
}

fn producer_of(route: &Route) -> Producer {
    let path = &route.path;
    Producer::new(text!("route \"{path}\"", "路由 \"{path}\"")).at(route.places.path.clone())
}

/// URLs of what a document links.
struct Linked {
    entry: String,
    stylesheets: Vec<String>,
    preloads: Vec<String>,
}
