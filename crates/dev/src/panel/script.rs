//! The code of the page: TypeScript that the binary carries, bundled with the React that the site has installed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources as _, Trace, Verdict, Watched},
};
use portalgen_build::pipeline::SITE;
use portalgen_bundle::{Entry, Layout, Options, Platform, VirtualModule, bundle};

use super::{Around, Panel, lock};

/// The module that the page begins with, and the name of its file.
const ENTRY: &str = "portalgen:panel/main";
pub(super) const FILE: &str = "main.js";

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("portalgen:panel/", $name), include_str!(concat!("page/", $name, ".tsx")))),*]
    };
}

const MODULES: &[(&str, &str)] = modules![
    "app",
    "card",
    "drafts",
    "editor",
    "field",
    "findings",
    "language",
    "list",
    "main",
    "protocol",
    "result",
    "sentences",
    "server",
    "state",
    "toolbar",
];

/// Scripts by the names of their files.
type Files = Arc<BTreeMap<String, Arc<str>>>;

/// The code, made when it is asked for and kept until the packages that it was made of change.
#[derive(Default)]
pub(super) struct Script(Mutex<Option<(Trace, Files)>>);

impl Script {
    /// Its files.
    ///
    /// # Errors
    /// Packages are missing, or do not have what the page needs.
    pub(super) fn files(&self, panel: &Panel, around: Around<'_>) -> Result<Files, Vec<Diagnostic>> {
        // Whoever asks meanwhile waits for the same.
        let mut kept = lock(&self.0);
        if let Some((trace, files)) = &mut *kept
            && trace.compare(&Disk::of_project(&panel.root)) != Verdict::Different
        {
            return Ok(Arc::clone(files));
        }
        let watched = Watched::new(Arc::new(Disk::of_project(&panel.root)));
        let files = Arc::new(made(panel, &watched, around)?);
        *kept = watched.trace().map(|trace| (trace, Arc::clone(&files)));
        Ok(files)
    }
}

fn made(panel: &Panel, watched: &Watched, around: Around<'_>) -> Result<BTreeMap<String, Arc<str>>, Vec<Diagnostic>> {
    let site = panel.root.join(SITE);
    // Packages may be linked from where the portal allows to read.
    let allowed = around.portal.map(|portal| portal.parts().site.portal.allow.clone()).unwrap_or_default();
    let sources = if allowed.is_empty() { Arc::new(watched.clone()) as _ } else { watched.allowing(&allowed) };
    let module = |text: &str| VirtualModule { text: text.to_owned(), folder: site.clone() };
    let modules: BTreeMap<String, VirtualModule> =
        MODULES.iter().map(|(name, text)| ((*name).to_owned(), module(text))).collect();
    let options = Options { layout: Layout::Flat, ..Options::new(&panel.root, &site, Platform::Browser) };
    let entry = Entry { name: "main".to_owned(), module: ENTRY.to_owned() };
    let bundle = bundle(&sources, &options, &[entry], &modules)?;
    Ok(bundle.chunks.iter().map(|chunk| (chunk.file_name.to_string(), Arc::clone(&chunk.code))).collect())
}
