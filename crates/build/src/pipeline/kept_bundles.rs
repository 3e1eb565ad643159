//! Bundles that an earlier build made of the same modules.
//!
//! All bundles of a build follow from the options of the bundler, the modules that are written for the portal, and what the
//! bundler asks of the disk. That is noted while it works. A build that would ask the same and get the same answers takes the
//! bundles as they were: so does one after an edit of a title, of a template, or of a public file. What was asked then counts
//! as asked in this build, too.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use portalgen_base::{
    source::{Sources, Trace, Verdict, Watched},
    store::{Key, Store},
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
const HASH: usize = 16;

/// What bundles were made from.
#[derive(Serialize, Deserialize)]
struct Made {
    trace: Trace,
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
        let asked = format!("{options:?} {:?}", site.modules);
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
    pub(super) fn get(&self, sources: &dyn Sources) -> Option<(Scripts, Bundle)> {
        let mut made: Made = postcard::from_bytes(&self.store.build(self.of_trace)?).ok()?;
        let verdict = sources.compare(&mut made.trace);
        if verdict == Verdict::Different {
            return None;
        }
        if verdict == Verdict::Renewed {
            self.store.keep_build(self.of_trace, postcard::to_stdvec(&made).ok()?);
        }
        let bytes = self.store.build(self.of_bundles)?;
        let (hash, bundles) = bytes.split_first_chunk()?;
        if *hash != made.bundles.to_bytes() {
            return None;
        }
        let (browser, redirect, engine) = postcard::from_bytes(bundles).ok()?;
        Some((Scripts { browser, redirect }, engine))
    }

    /// Keeps the bundles that were made from [`Self::sources`].
    pub(super) fn put(&self, scripts: &Scripts, engine: &Bundle) {
        let Some(trace) = self.asked.trace() else { return };
        // Behind room for their hash, since a copy of them may be large.
        let content = vec![0; HASH];
        let Ok(mut content) = postcard::to_io(&(&scripts.browser, &scripts.redirect, engine), content) else { return };
        let bundles = Key::of(&[&content[HASH..]]);
        let Ok(made) = postcard::to_stdvec(&Made { trace, bundles }) else { return };
        content[..HASH].copy_from_slice(&bundles.to_bytes());
        self.store.keep_build(self.of_bundles, content);
        self.store.keep_build(self.of_trace, made);
    }
}
