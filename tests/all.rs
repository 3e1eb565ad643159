//! All tests that are functions, in one program: a module for each area. `cargo test --release --test all bundle::` runs
//! those of one. They run side by side in one process, so none of them changes its environment or current folder, and
//! what must be alone is a child of it, see `support/alone.rs`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod budget;
mod build;
mod bundle;
mod bundle_command;
mod check;
mod circles;
mod config;
mod crates;
mod css_types;
mod dev;
mod documents;
mod edit;
mod engine;
mod explain;
mod forgotten;
mod fuzz;
mod guarded;
mod hints;
mod host_files;
mod hosting;
mod hot;
mod init;
mod integrity;
mod keep;
mod kept_chunks;
mod kept_pages;
mod kept_scans;
mod languages;
mod ledger;
mod linker;
mod links;
mod live;
mod measuring;
mod module_cache;
mod pages;
mod plan;
mod platforms;
mod public;
mod publish;
mod reach;
mod replay;
mod rules;
mod schema;
mod shell;
mod site_files;
mod stable_files;
mod stages;
mod styles;
mod support;
mod tables;
mod urls;
mod usage;
mod verify;
mod watched;
mod workers;
