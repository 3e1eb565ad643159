//! What visitors read: the documents of a portal, and which of them are its pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::OnceLock,
};

use url::Url;

use portalgen_base::{
    diagnostic::Place,
    store::{Key, Results},
};
use portalgen_portal::Portal;
use portalgen_release::{
    html::Document,
    output::{OutputKind, OutputSet},
    static_server::NOT_FOUND,
};

use crate::runtime::NOT_FOUND_PATH;

/// How deep below its path the not-found page is thought to be: no relative link leads out of so many folders.
const UNKNOWN_FOLDERS: usize = 16;

/// A document that visitors read.
pub(super) struct Page<'a> {
    /// Its output path.
    pub(super) file: String,
    /// Where visitors find it. The not-found page has no address: for it stands one far below the path that its components
    /// see.
    pub(super) address: Url,
    /// That path, for the not-found page only.
    unknown: Option<String>,
    /// What people call it: its path, or `404.html`.
    pub(super) name: &'a str,
    /// The path under which it was rendered.
    pub(super) rendered_as: &'a str,
    /// Its file; none for the not-found page of a site that has no own.
    pub(super) component: Option<&'a Path>,
    /// Where it is described.
    pub(super) place: Place,
}

impl Page<'_> {
    /// Whether a path leads to this page from itself.
    pub(super) fn is_at(&self, path: &str) -> bool {
        path == self.address.path() || Some(path) == self.unknown.as_deref()
    }

    /// What is written in a relative link that leads to this path, if this is the not-found page.
    pub(super) fn relative_from_unknown<'p>(&self, path: &'p str) -> Option<&'p str> {
        let below = path.strip_prefix(self.unknown.as_ref()?)?.strip_prefix('/')?;
        Some(below.trim_start_matches("404/"))
    }
}

/// The HTML documents of a portal, each read when it is needed, unless an earlier build has, and not held. Stubs are not among
/// them: nobody reads those.
pub(super) struct Documents<'a> {
    output: &'a OutputSet,
    readings: &'a Results,
    /// The ids of those that others link to parts of.
    ids: BTreeMap<&'a str, OnceLock<Option<BTreeSet<String>>>>,
}

impl<'a> Documents<'a> {
    /// The documents among the files of a portal.
    pub(super) fn new(portal: &Portal, output: &'a OutputSet, readings: &'a Results) -> Self {
        let stubs = portal.routes.iter().filter(|route| route.redirect().is_some());
        let stubs: BTreeSet<String> = stubs.map(|route| portal.urls.document(&route.path)).collect();
        let is_document = |path: &str| path.ends_with(".html") && !stubs.contains(path);
        let files = output.iter().filter(|(path, file)| file.kind != OutputKind::Asset && is_document(path));
        Self { output, readings, ids: files.map(|(path, _)| (path.as_str(), OnceLock::new())).collect() }
    }

    /// The document of a file, if it is one.
    pub(super) fn read(&self, file: &str) -> Option<Document> {
        if !self.ids.contains_key(file) {
            return None;
        }
        let content = &self.output.get(file)?.content;
        let key = Key::of(&[b"document", &content.hash().to_le_bytes()]);
        let known = self.readings.get(key).and_then(|bytes| postcard::from_bytes(&bytes).ok());
        known.or_else(|| {
            let document = Document::read(std::str::from_utf8(&content.read()).ok()?);
            self.readings.put(key, postcard::to_stdvec(&document).ok()?);
            Some(document)
        })
    }

    /// What links to parts of the document of a file can name, if it is one.
    pub(super) fn ids(&self, file: &str) -> Option<&BTreeSet<String>> {
        self.ids.get(file)?.get_or_init(|| Some(self.read(file)?.ids)).as_ref()
    }
}

/// Every page of the portal, and the one for what is not there.
pub(super) fn pages(portal: &Portal) -> Vec<Page<'_>> {
    let origin = portal.urls.origin.as_ref().map_or("https://portal.invalid", |origin| origin.as_str());
    let address = |path: &str| Url::parse(&format!("{origin}{path}")).ok();
    let of_routes = portal.routes.iter().filter_map(|route| {
        let component = route.component()?;
        Some(Page {
            file: portal.urls.document(&route.path),
            address: address(&portal.urls.page(&route.path))?,
            unknown: None,
            name: route.path.as_str(),
            rendered_as: route.path.as_str(),
            component: Some(component),
            place: route.places.path.clone(),
        })
    });
    let unknown = format!("{}{NOT_FOUND_PATH}", portal.urls.base.url().trim_end_matches('/'));
    let not_found = address(&format!("{unknown}/{}", "404/".repeat(UNKNOWN_FOLDERS))).map(|address| Page {
        file: NOT_FOUND.to_owned(),
        address,
        unknown: Some(unknown),
        name: NOT_FOUND,
        rendered_as: NOT_FOUND_PATH,
        component: portal.not_found.component.as_deref(),
        place: portal.not_found.place.clone().unwrap_or_else(|| Place::new(&portal.source, 0..0)),
    });
    of_routes.chain(not_found).collect()
}
