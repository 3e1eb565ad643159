//! What a build made, in one value that outlives it: `.portalgen/deploy/portal.json` in the output folder.
//!
//! Whoever needs to know a portal without building it reads this: the files that tell hosts what to do are made of it, a
//! preview serves by it, a plan compares two of them, and the next build finds in it which assets an earlier one had.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use portalgen_portal::{Portal, Route, RouteKind};

use crate::{
    compress,
    content_hash::ContentHash,
    headers,
    output::{NOTES_FOLDER, OutputKind, OutputSet},
};

/// The name of its note in the output folder.
pub const FILE: &str = "portal.json";

/// Grows with every change that an older reader would misunderstand.
const VERSION: u32 = 1;

/// A portal as it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    /// Scheme and host, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The folder of the origin, encoded, with a slash at both ends.
    pub base: String,
    /// Whether addresses of pages end in a slash: `always` or `never`.
    pub slash: String,
    /// The platforms that files were written for, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<String>,
    /// Headers that every response should have, beside those that follow from what a file is.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Every route, in the order of their paths.
    pub routes: Vec<ManifestRoute>,
    /// What the scripts are made of: by their output paths and the names of modules, how many bytes of each module's source
    /// are left.
    pub modules: BTreeMap<Arc<str>, ModuleSizes>,
    /// Every file of the output, by its path in the output folder.
    pub files: BTreeMap<String, ManifestFile>,
    /// Assets of earlier builds that stay, the latest build first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Vec<String>>,
}

/// The modules of a script by their names, each with how many bytes of its source are left. Most scripts have one or two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleSizes(Box<[(Arc<str>, u64)]>);

impl ModuleSizes {
    fn of(script: &ScriptFile) -> Self {
        let sizes = script.module_bytes.iter().map(|bytes| *bytes as u64);
        let mut modules: Vec<_> = script.modules.iter().cloned().zip(sizes).collect();
        modules.sort_unstable();
        Self(modules.into())
    }

    /// Each module, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, u64)> {
        self.0.iter().map(|(name, bytes)| (name, *bytes))
    }
}

impl Serialize for ModuleSizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for ModuleSizes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(BTreeMap::deserialize(deserializer)?.into_iter().collect()))
    }
}

/// A route as it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRoute {
    /// The decoded path below the base: `/about`.
    pub path: String,
    /// The address of the page: encoded, beginning with the base.
    pub url: String,
    /// The output path of its document; none for an address that was given up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The output path of the file that tells the browser's code what the page is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// What search engines may show below the title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The title of the page, or the text of the redirect's link.
    pub title: String,
    /// Whether search engines are asked to leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noindex: bool,
    /// The full URL that search engines shall know the page by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// Where it leads, if it shows no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirect: Option<ManifestRedirect>,
    /// Output paths of what the page loads before it works. Pages share most of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<Arc<str>>,
    /// Output paths of its style sheets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub style_sheets: Vec<Arc<str>>,
}

/// Where a route leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRedirect {
    /// A full URL, or a path that begins with the base.
    pub to: String,
    /// The status with which servers redirect.
    pub status: u16,
}

/// A file of the output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// What it is to those who serve it.
    pub kind: FileKind,
    /// In bytes.
    pub size: u64,
    /// The same after gzip, of scripts and style sheets, which is about what travels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gzip: Option<u64>,
    /// A hash of its content.
    pub hash: ContentHash,
}

/// What a file is to those who serve it: see [`OutputKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileKind {
    /// Named after its content.
    Asset,
    /// Anything else with a fixed name.
    Data,
    /// An HTML document.
    Page,
}

/// Output paths of what a page loads before it works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFiles {
    /// Scripts, in the order in which they run.
    pub scripts: Vec<Arc<str>>,
    /// Style sheets, in the order of their rules.
    pub style_sheets: Vec<Arc<str>>,
}

/// A script of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptFile {
    /// Output path.
    pub file_name: Arc<str>,
    /// Names of the modules inside.
    pub modules: Vec<Arc<str>>,
    /// For each of them, how many bytes of its source are left.
    pub module_bytes: Vec<usize>,
}

impl From<OutputKind> for FileKind {
    fn from(kind: OutputKind) -> Self {
        match kind {
            OutputKind::Asset => Self::Asset,
            OutputKind::Data => Self::Data,
            OutputKind::Page => Self::Page,
        }
    }
}

impl Manifest {
    /// Describes a portal and what was made of it. The files are those of [`Manifest::with_files`].
    pub fn of(portal: &Portal, page_files: &BTreeMap<&str, PageFiles>, scripts: &[ScriptFile]) -> Self {
        Self {
            version: VERSION,
            origin: portal.urls.origin.as_ref().map(|origin| origin.as_str().to_owned()),
            base: portal.urls.base.url(),
            slash: portal.urls.slash.name().to_owned(),
            platforms: portal.deploy.platforms.iter().map(|platform| platform.name().to_owned()).collect(),
            headers: headers::of_every_response(&portal.deploy),
            routes: portal.routes.iter().map(|route| entry(portal, route, page_files)).collect(),
            modules: scripts.iter().map(|script| (script.file_name.clone(), ModuleSizes::of(script))).collect(),
            files: BTreeMap::new(),
            earlier: Vec::new(),
        }
    }

    /// The same with the files that were made.
    #[must_use]
    pub fn with_files(mut self, output: &OutputSet) -> Self {
        let files = output.iter().map(|(path, file)| {
            let (kind, size, hash) = (file.kind.into(), file.content.len() as u64, file.hash());
            (path.clone(), ManifestFile { kind, size, gzip: None, hash })
        });
        self.files = files.collect();
        self
    }

    /// The same with how small gzip makes these files.
    #[must_use]
    pub fn with_gzip_sizes(mut self, sizes: &BTreeMap<String, u64>) -> Self {
        for (path, file) in &mut self.files {
            file.gzip = sizes.get(path).copied();
        }
        self
    }

    /// What is said of the route with a path.
    pub fn route(&self, path: &str) -> Option<&ManifestRoute> {
        self.routes.iter().find(|route| route.path == path)
    }

    /// Whether a file of the output is another one, compressed.
    pub(crate) fn is_compressed_form(&self, path: &str) -> bool {
        compress::is_form(path, |original| self.files.contains_key(original))
    }

    /// How many bytes these files are, as they travel.
    pub fn weight<'f>(&self, files: impl IntoIterator<Item = &'f Arc<str>>) -> u64 {
        files.into_iter().filter_map(|file| self.files.get(&**file)).map(|file| file.gzip.unwrap_or(file.size)).sum()
    }

    /// Where it is stored, in an output folder.
    pub fn path_in(folder: &Path) -> PathBuf {
        folder.join(NOTES_FOLDER).join(FILE)
    }

    /// The text that is stored.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads what [`Manifest::to_json`] wrote; none for anything else, or for what another version wrote.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let manifest: Self = serde_json::from_slice(bytes).ok()?;
        let is_safe = manifest.files.keys().all(|path| crate::output::check_path(path).is_ok());
        (manifest.version == VERSION && is_safe).then_some(manifest)
    }
}

fn entry(portal: &Portal, route: &Route, page_files: &BTreeMap<&str, PageFiles>) -> ManifestRoute {
    let Portal { urls, .. } = portal;
    let files = page_files.get(route.path.as_str()).cloned().unwrap_or_default();
    let is_page = route.component().is_some();
    ManifestRoute {
        path: route.path.as_str().to_owned(),
        url: urls.page(&route.path),
        file: (route.kind != RouteKind::Retired).then(|| urls.document(&route.path)),
        data: is_page.then(|| urls.data(&route.path)),
        description: route.description.clone(),
        title: route.title.clone(),
        noindex: route.noindex,
        canonical: urls.canonical(&route.path).filter(|_| is_page),
        redirect: match &route.kind {
            RouteKind::Redirect { target, status } => Some(ManifestRedirect { to: target.href(urls), status: *status }),
            RouteKind::Page { .. } | RouteKind::Retired => None,
        },
        scripts: files.scripts,
        style_sheets: files.style_sheets,
    }
}
