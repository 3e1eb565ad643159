//! Links as they are prerendered, beside those of the site's router.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use serde_json::Value;

use portalgen_base::{
    packages,
    source::{Disk, Sources},
};
use portalgen_bundle::{Entry, Options, Platform, VirtualModule};
use portalgen_engine::{Limits, Program};

use crate::support::{bundling::options, programs::program_of_bundle};

/// What of the runtime links are made with.
const RUNTIME: [(&str, &str); 3] = [
    ("portalgen:links", include_str!("../crates/build/src/runtime/links.ts")),
    ("portalgen:paths", include_str!("../crates/build/src/runtime/paths.ts")),
    ("portalgen:compare", include_str!("links/entry.tsx")),
];

/// What renders hundreds of links on a page of a portal, and compares those of the router with those of the runtime.
fn program(base: &str, slash: &str) -> Program {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let site = root.join("site");
    let settings =
        format!("export const exceptions = new Set([\"/v1.2\", \"/ab\"]);\nexport const slash = \"{slash}\";\n");
    let modules = RUNTIME.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let modules: BTreeMap<String, VirtualModule> = modules
        .chain([("portalgen:site", settings)])
        .map(|(name, text)| (name.to_owned(), VirtualModule { text, folder: site.clone() }))
        .collect();
    let entry = Entry { name: "links".to_owned(), module: "portalgen:compare".to_owned() };
    let options = Options { base: base.to_owned(), folder: site, ..options(root, false, Platform::Prerender) };
    let sources: Arc<dyn Sources> = Arc::new(Disk::of_project(root));
    let bundle = portalgen_bundle::bundle(&sources, &options, &[entry], &modules).unwrap();
    program_of_bundle(&bundle).unwrap()
}

#[test]
fn links_are_those_of_the_router() {
    let limits = Limits { deadline: Duration::from_mins(5), ..Limits::default() };
    for (base, slash) in [("/", "always"), ("/", "never"), ("/app/", "always")] {
        let program = program(base, slash);
        for path in ["", "A", "a/b/"] {
            let found = program.call("compare", &[path], &limits).unwrap().value;
            let found: Value = serde_json::from_str(&found).unwrap();
            assert_eq!(found["differing"], Value::Array(Vec::new()), "{base} {slash} {path}");
            let [count, left] = ["count", "left"].map(|name| found[name].as_u64().unwrap());
            assert!(count > 1_000 && left < count * 2 / 3, "{left} of {count} links are left to the router");
        }
    }
}

#[test]
fn the_router_of_the_site_is_one_whose_links_are_known() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(packages::has_known_links(&Disk::of_project(root), &root.join("site")));
}
