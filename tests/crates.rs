//! The arrows between crates, and the walls around libraries, as ARCHITECTURE.md draws them.

use std::{collections::BTreeSet, fs};

use crate::support::project::repository;

/// Each crate with those of portalgen that it may use.
const ARROWS: [(&str, &[&str]); 7] = [
    ("base", &[]),
    ("portal", &["base"]),
    ("bundle", &["base"]),
    ("engine", &["base"]),
    ("release", &["base", "portal"]),
    ("build", &["base", "bundle", "engine", "portal", "release"]),
    ("dev", &["base", "build", "bundle", "portal", "release"]),
];

/// Libraries with the crates that know them. The program is called by its folder.
const WALLS: [(&str, &[&str]); 24] = [
    ("swc_core", &["crates/bundle"]),
    ("hstr", &["crates/bundle"]),
    ("lightningcss", &["crates/bundle"]),
    ("oxc_resolver", &["crates/bundle"]),
    ("rquickjs", &["crates/engine"]),
    ("toml", &["crates/portal"]),
    ("calamine", &["crates/portal"]),
    ("encoding_rs", &["crates/portal"]),
    ("rust_xlsxwriter", &["crates/portal"]),
    ("zip", &["crates/portal"]),
    ("html5ever", &["crates/release"]),
    ("html5gum", &["crates/release"]),
    ("hyper", &["crates/dev", "crates/release"]),
    ("tokio", &["crates/dev", "crates/release"]),
    ("ureq", &["crates/release"]),
    ("minijinja", &["crates/build"]),
    ("resvg", &["crates/build"]),
    ("notify", &["crates/dev"]),
    ("tokio-tungstenite", &["crates/dev"]),
    ("rustls", &["crates/dev"]),
    ("rcgen", &["crates/dev"]),
    ("if-addrs", &["crates/dev"]),
    ("qrcode", &["crates/dev"]),
    ("clap", &["."]),
];

/// The names of a crate's `[dependencies]`; `folder` is relative to the repository.
fn dependencies(folder: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
}

fn folders() -> Vec<String> {
    let crates = fs::read_dir(repository().join("crates")).unwrap();
    let names = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| format!("crates/{name}")).chain([".".to_owned()]).collect()
}

#[test]
fn arrows_lead_where_they_may() {
    let drawn: BTreeSet<String> = ARROWS.iter().map(|(name, _)| format!("crates/{name}")).collect();
    let found: BTreeSet<String> = folders().into_iter().filter(|folder| folder != ".").collect();
    assert_eq!(found, drawn);
    for (name, uses) in ARROWS {
        let uses: BTreeSet<String> = uses.iter().map(|used| format!("portalgen-{used}")).collect();
        let mut own = dependencies(&format!("crates/{name}"));
        own.retain(|dependency| dependency.starts_with("portalgen-"));
        assert_eq!(own, uses, "{name}");
    }
}

#[test]
fn libraries_stay_behind_their_wall() {
    for (library, homes) in WALLS {
        let users: BTreeSet<String> =
            folders().into_iter().filter(|folder| dependencies(folder).contains(library)).collect();
        assert_eq!(users, homes.iter().map(ToString::to_string).collect(), "{library}");
    }
}

#[test]
fn every_crate_has_a_page_to_read_first() {
    for (name, _) in ARROWS {
        let folder = repository().join("crates").join(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.starts_with(&format!("# portalgen-{name}\n")), "{name}");
        let page = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        let lines = page.lines().take_while(|line| line.starts_with("//!")).count();
        assert!(lines > 5, "{name}");
    }
}
