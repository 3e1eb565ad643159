//! The documents of pages, redirects and the not-found page.

use std::{collections::BTreeMap, path::Path};

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use portalgen_base::{
    blob::{Blob, Spill},
    diagnostic::Diagnostic,
    text::text,
    timing::Stage,
};
use portalgen_bundle::Bundle;
use portalgen_portal::{Portal, Route, RouteKind};
use portalgen_release::{
    output::{OutputFile, OutputKind, Producer},
    static_server,
};

use super::{
    expand::Site,
    needed::{Needed, OwnFiles},
};
use crate::{
    metadata::{Head, Icons},
    public_files::PublicFile,
    runtime::{self, NOT_FOUND_PATH},
    shell::{Integrity, PageShell, StubShell},
};

/// What documents are made of besides their page.
pub(super) struct Surroundings<'a> {
    /// Where documents and data files go.
    pub(super) spill: &'a Spill,
    /// What pages need of the bundle for browsers.
    pub(super) needed: Needed<'a>,
    /// The icons that are made of the image that `[site]` names.
    pub(super) icons: Option<&'a Icons>,
    /// URL of the icon in `site/public`.
    pub(super) public_icon: Option<String>,
    /// URL of the script of redirects.
    pub(super) redirect: String,
    /// URL of the script that recovers documents whose entry is gone.
    pub(super) recovery: Option<String>,
    /// What browsers check scripts and style sheets by.
    pub(super) integrity: Integrity,
    /// The part of this that all documents have in common: what all pages need, and what any code may load with `import()`.
    pub(super) import_map: Integrity,
    /// What all pages have, in short.
    pub(super) release: String,
}

/// The hashes that all documents have. Those of what only some pages need are in the documents and data files of these: else
/// every document would change with every page.
fn import_map(needed: Needed<'_>, integrity: &Integrity) -> Integrity {
    let files = needed.files_of_all().chain(needed.files_of_parts());
    hashes_among(integrity, files.map(|file| url(needed.site, file))).collect()
}

/// What all pages have, in short: pages that were made with something else do not fit to it.
fn release(needed: Needed<'_>) -> String {
    let files: Vec<&str> = needed.files_of_all().collect();
    portalgen_bundle::content_hash(files.join("\n").as_bytes())
}

/// The icon that browsers would find in `site/public`.
fn public_icon(site: &Site, public: &[PublicFile]) -> Option<String> {
    let icons = ["favicon.svg", "favicon.ico", "favicon.png"];
    let icon = icons.iter().find(|icon| public.iter().any(|file| file.path == **icon));
    icon.map(|icon| url(site, icon))
}

/// The output path of the data file of the not-found page.
pub(super) const NOT_FOUND_DATA: &str = "404.json";

/// Files of one route, in the order in which they are added to the output.
type Files = Result<Vec<OutputFile>, Diagnostic>;

/// Makes the documents of all routes and of the not-found page, side by side and in the order of the routes, and beside
/// those of pages their data files. `html` is what React rendered, by the paths of routes.
pub(super) fn documents(surroundings: &Surroundings<'_>, html: &BTreeMap<&str, &Blob>) -> Vec<Files> {
    let rendered = |path: &str| html.get(path).map(|html| html.text()).unwrap_or_default();
    let stage = Stage::current();
    let make = |route: &Route| {
        let path = route.path.as_str();
        stage.piece(|| path.to_owned(), || surroundings.route(route, &rendered(path)))
    };
    let mut all: Vec<Files> = surroundings.site().portal.routes.par_iter().map(make).collect();
    all.push(surroundings.not_found(&rendered(NOT_FOUND_PATH)));
    all
}

/// The URL of a file of the output.
pub(super) fn url(site: &Site, file: &str) -> String {
    format!("{}{file}", site.portal.urls.base.url())
}

impl<'a> Surroundings<'a> {
    /// What documents of the site are made of besides what the pages themselves need.
    pub(super) fn of(
        spill: &'a Spill,
        needed: Needed<'a>,
        redirect: &Bundle,
        (icons, public): (Option<&'a Icons>, &[PublicFile]),
        integrity: Integrity,
    ) -> Self {
        let site = needed.site;
        Self {
            spill,
            needed,
            icons,
            public_icon: public_icon(site, public),
            redirect: url(site, redirect.entry_file()),
            recovery: runtime::recovery().next().map(|script| url(site, &script.file_name)),
            import_map: import_map(needed, &integrity),
            release: release(needed),
            integrity,
        }
    }
}

impl Surroundings<'_> {
    fn site(&self) -> &Site {
        self.needed.site
    }

    /// The files of a route, of which React rendered this.
    pub(super) fn route(&self, route: &Route, html: &str) -> Files {
        match &route.kind {
            RouteKind::Page { component } => self.page(route, component, html),
            RouteKind::Redirect { target, .. } => self.redirect(route, &target.href(&self.site().portal.urls)),
            RouteKind::Retired => Ok(Vec::new()),
        }
    }

    fn page(&self, route: &Route, component: &Path, html: &str) -> Files {
        let portal = &self.site().portal;
        let canonical = portal.urls.canonical(&route.path);
        let made_of = self.files_of(Some(component));
        let data = data_of(route.path.as_str(), made_of.clone());
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
        let files = self.linked(Some(component), route.path.as_str());
        let document = self.document(shell, &head, &files)?;
        let producer = producer_of(route);
        Ok(vec![
            self.data_file(portal.urls.data(&route.path), &route.title, made_of, producer.clone()),
            self.file(portal.urls.document(&route.path), OutputKind::Page, document, producer),
        ])
    }

    /// The files of the not-found page.
    pub(super) fn not_found(&self, html: &str) -> Files {
        let Portal { not_found, lang, .. } = &self.site().portal;
        let component = not_found.component.as_deref();
        let made_of = self.files_of(component);
        let data = data_of("", made_of.clone());
        let title = &not_found.title;
        let shell = PageShell { lang, title, noindex: true, html, data: Some(&data), ..PageShell::default() };
        let producer = not_found_producer(&self.site().portal);
        let head = Head::of_any(&self.site().portal, self.icons);
        let files = self.linked(component, NOT_FOUND_PATH);
        let document = self.document(shell, &head, &files)?;
        Ok(vec![
            self.data_file(NOT_FOUND_DATA.to_owned(), title, made_of, producer.clone()),
            self.file(static_server::NOT_FOUND.to_owned(), OutputKind::Page, document, producer),
        ])
    }

    fn document(&self, shell: PageShell<'_>, head: &Head, files: &Linked) -> Result<String, Diagnostic> {
        let base = self.site().portal.urls.base.url();
        self.site().shells.page(&PageShell {
            base: &base,
            stylesheets: &files.stylesheets,
            preloads: &files.preloads,
            integrity: Some(&self.hashes_of(files)),
            import_map: Some(&self.import_map),
            entry: Some(&files.entry),
            recovery: self.recovery.as_deref(),
            icon: head.icon.as_deref().or(self.public_icon.as_deref()),
            links: &head.links,
            metas: &head.metas,
            structured: head.structured.as_ref(),
            ..shell
        })
    }

    /// The hashes of what a document links.
    fn hashes_of(&self, files: &Linked) -> Integrity {
        let linked = files.stylesheets.iter().chain(&files.preloads).chain([&files.entry]).chain(&self.recovery);
        hashes_among(&self.integrity, linked.cloned()).collect()
    }

    fn redirect(&self, route: &Route, target: &str) -> Files {
        let site = self.site();
        let icon = self.icons.map(|icons| url(site, icons.main())).or_else(|| self.public_icon.clone());
        let document = site.shells.stub(&StubShell {
            lang: &route.lang,
            title: &route.title,
            target,
            script: &self.redirect,
            integrity: self.integrity.get(&self.redirect).map(String::as_str),
            icon: icon.as_deref(),
        })?;
        let urls = &site.portal.urls;
        let (data, producer) = (json!({ "redirect": target }), producer_of(route));
        Ok(vec![
            self.file(urls.data(&route.path), OutputKind::Data, data.to_string(), producer.clone()),
            self.file(urls.document(&route.path), OutputKind::Page, document, producer),
        ])
    }

    fn file(&self, path: String, kind: OutputKind, content: String, producer: Producer) -> OutputFile {
        OutputFile::new(path, kind, self.spill.keep(content), producer)
    }

    /// The file that tells the browser's code what a page is called and made of.
    fn data_file(&self, path: String, title: &str, mut made_of: Map<String, Value>, producer: Producer) -> OutputFile {
        made_of.insert("title".to_owned(), title.into());
        self.file(path, OutputKind::Data, Value::from(made_of).to_string(), producer)
    }

    /// What a page is made of, as `load.ts` of the runtime reads it.
    fn files_of(&self, component: Option<&Path>) -> Map<String, Value> {
        let site = self.site();
        let OwnFiles { script, imports, styles } = self.needed.own_files(component);
        let all = [script].into_iter().chain(imports.iter().copied()).chain(styles.iter().map(|(sheet, _)| *sheet));
        let hashes = hashes_among(&self.integrity, all.map(|file| url(site, file)));
        let hashes: Map<String, Value> = hashes.map(|(file, hash)| (file, hash.into())).collect();
        let mut data = Map::from_iter([
            ("script".to_owned(), url(site, script).into()),
            ("release".to_owned(), self.release.as_str().into()),
        ]);
        if !imports.is_empty() {
            data.insert("imports".to_owned(), imports.into_iter().map(|file| url(site, file)).collect());
        }
        if !styles.is_empty() {
            let styles = styles.into_iter().map(|(sheet, place)| (url(site, sheet), place.into()));
            data.insert("styles".to_owned(), styles.collect::<Map<String, Value>>().into());
        }
        if !hashes.is_empty() {
            data.insert("integrity".to_owned(), hashes.into());
        }
        data
    }

    /// What the document of `component`'s page links; `path` is that of the page that was rendered.
    fn linked(&self, component: Option<&Path>, path: &str) -> Linked {
        let Needed { site, bundle, .. } = self.needed;
        let entry = bundle.entry_file();
        let chunks = self.needed.chunks(component).into_iter().map(|chunk| &*chunk.file_name);
        Linked {
            entry: url(site, entry),
            stylesheets: self.needed.sheets(component, path).into_iter().map(|sheet| url(site, sheet)).collect(),
            preloads: chunks.filter(|name| *name != entry).map(|chunk| url(site, chunk)).collect(),
        }
    }
}

/// URLs of what a document links.
struct Linked {
    entry: String,
    stylesheets: Vec<String>,
    preloads: Vec<String>,
}

/// The hashes of those of some files that have one, by their URLs.
pub(super) fn hashes_among(
    integrity: &Integrity,
    urls: impl Iterator<Item = String>,
) -> impl Iterator<Item = (String, String)> {
    urls.filter_map(|url| integrity.get(&url).cloned().map(|hash| (url, hash)))
}

/// What the browser's code reads in a document: the route of its page, which is empty for the not-found page, since servers may
/// send a document for other addresses than its own, and what the page is made of.
fn data_of(route: &str, mut made_of: Map<String, Value>) -> Value {
    made_of.insert("route".to_owned(), route.into());
    made_of.into()
}

/// Who is told of what is wrong with the files of a route.
pub(super) fn producer_of(route: &Route) -> Producer {
    let path = &route.path;
    Producer::new(text!("route \"{path}\"", "网址 \"{path}\"")).at(route.places.path.clone())
}

/// The same of the not-found page.
pub(super) fn not_found_producer(portal: &Portal) -> Producer {
    let producer = Producer::new(text!("the not-found page", "“页面不存在”页"));
    match &portal.not_found.place {
        Some(place) => producer.at(place.clone()),
        None => producer,
    }
}
