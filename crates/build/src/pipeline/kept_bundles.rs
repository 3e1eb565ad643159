//! Bundles that an earlier build made of the same modules.
//!
//! All bundles of a build follow from the options of the bundler, those modules of the ones written for the portal that they
//! hold, and what the bundler asks of the disk. That is noted while it works. A build that would ask the same and get the same answers takes the
//! bundles as they were: so does one after an edit of a title, of a template, or of a public file. What was asked then counts
//! as asked in this build, too.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use portalgen_base::{
    source::{Sources, Trace, Verdict, Watched},
    store::{Key, Measured, Store},
};
use portalgen_bundle::{Bundle, Options};

use super::{bundle::Scripts, expand::Site};

/// The bundles of a build, for the builds that come after.
pub(super) struct KeptBundles {
    store: Arc<Store>,
    /// What the bundles are kept by, and what they were made from.
    of_bundles: Key,
    of_trace: Key,
    asked: Watched,
}

/// Length of a hash of bundles.
const HASH: u64 = 16;

/// What bundles were made from.
#[derive(Serialize, Deserialize)]
struct Made {
    trace: Trace,
    /// Hashes of the virtual modules that they hold, by their names.
    virtual_modules: BTreeMap<Arc<str>, Key>,
    /// A hash of the bundles, which lie in a file of their own: most often, the trace says that they are not needed.
    bundles: Key,
}

impl KeptBundles {
    /// The bundles that are made of a site with these options. None where nothing outlives the process.
    pub(super) fn of(store: &Arc<Store>, site: &Site, options: &[&Options]) -> Option<Self> {
        if !store.is_on_disk() {
            return None;
        }
        let options: Vec<String> = options.iter().map(|options| options.shown()).collect();
        let asked = format!("{options:?}");
        let key = |of: &str| Key::of(&[of.as_bytes(), asked.as_bytes()]);
        Some(Self {
            store: Arc::clone(store),
            of_bundles: key("bundles"),
            of_trace: key("what bundles are made from"),
            asked: Watched::new(Arc::clone(&site.sources)),
        })
    }

    /// The sources to make the bundles from.
    pub(super) fn sources(&self) -> Arc<dyn Sources> {
        Arc::new(self.asked.clone())
    }

    /// The bundles for browsers and for the engine, if they would be made as they were.
    pub(super) fn get(&self, site: &Site) -> Option<(Scripts, Bundle)> {
        let mut made: Made = postcard::from_bytes(&self.store.build(self.of_trace)?).ok()?;
        if made.virtual_modules.iter().any(|(name, known)| hash(site, name) != Some(*known)) {
            return None;
        }
        let verdict = site.sources.compare(&mut made.trace);
        if verdict == Verdict::Different {
            return None;
        }
        if verdict == Verdict::Renewed {
            self.store.keep_build(self.of_trace, &postcard::to_stdvec(&made).ok()?);
        }
        let bytes = self.store.build(self.of_bundles)?;
        let (hash, bundles) = bytes.split_first_chunk()?;
        if *hash != made.bundles.to_bytes() {
            return None;
        }
        let (browser, redirect, engine) = postcard::from_bytes(bundles).ok()?;
        Some((Scripts { browser, redirect }, engine))
    }

    /// Keeps the bundles that were made of a site from [`Self::sources`].
    pub(super) fn put(&self, site: &Site, scripts: &Scripts, engine: &Bundle) {
        let Some(trace) = self.asked.trace() else { return };
        let bundles = (&scripts.browser, &*scripts.redirect, engine);
        let names = [bundles.0, bundles.1, bundles.2].into_iter().flat_map(|bundle| &bundle.virtual_modules);
        let virtual_modules = names.filter_map(|name| Some((Arc::clone(name), hash(site, name)?))).collect();
        let mut measured = Measured::default();
        if write(&bundles, &mut measured).is_err() {
            return;
        }
        let key = measured.key();
        let Ok(made) = postcard::to_stdvec(&Made { trace, virtual_modules, bundles: key }) else { return };
        // Made twice, since both at once would be the largest thing that the build of a large portal has in memory.
        self.store.keep_large_build(self.of_bundles, HASH + measured.length(), |out| {
            out.write_all(&key.to_bytes())?;
            write(&bundles, out)
        });
        self.store.keep_build(self.of_trace, &made);
    }
}

/// A hash of a module that is written for the portal. Others are part of the program.
fn hash(site: &Site, name: &str) -> Option<Key> {
    let module = site.modules.get(name)?;
    Some(Key::of(&[module.text.as_bytes(), module.folder.as_os_str().as_encoded_bytes()]))
}

fn write(bundles: &(&Bundle, &Bundle, &Bundle), out: &mut dyn io::Write) -> io::Result<()> {
    let out = io::BufWriter::with_capacity(1 << 16, out);
    postcard::to_io(bundles, out).map_err(io::Error::other)?.flush()
}
