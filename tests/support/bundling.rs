//! Folders put through the bundler, and what is in the chunks called in the embedded engine.

use std::{collections::BTreeMap, path::Path};

use portalgen_base::{
    diagnostic::Diagnostic,
    source::{Disk, Sources},
};
use portalgen_build::pipeline::REGEX_JUDGE;
use portalgen_bundle::{Bundle, Entry, Options, Platform, SourceMaps};
use portalgen_engine::Limits;

use super::programs::program_of_bundle;

pub(crate) fn options(root: &Path, minify: bool, platform: Platform) -> Options {
    Options {
        minify,
        source_maps: SourceMaps::Lookup,
        base: "/base/".to_owned(),
        regex_judge: REGEX_JUDGE,
        ..Options::new(root, root, platform)
    }
}

pub(crate) fn bundle_with(options: &Options, entry: &str) -> Result<Bundle, Vec<Diagnostic>> {
    // What fixtures have in common lies beside them.
    let sources = Disk::of_project(&options.root).allowing(&[options.root.join("..")]);
    let entry = Entry { name: "entry".to_owned(), module: entry.to_owned() };
    portalgen_bundle::bundle(&sources, options, &[entry], &BTreeMap::new())
}

/// Calls a function that a bundle exports. Returns what that gives as JSON.
pub(crate) fn call(bundle: &Bundle, function: &str) -> Result<String, String> {
    let program = program_of_bundle(bundle).map_err(|failure| format!("{failure:?}"))?;
    let outcome = program.call(function, &[], &Limits::default()).map_err(|failure| format!("{failure:?}"))?;
    Ok(outcome.value)
}

/// The messages with their places, one a line.
pub(crate) fn describe(diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<String> = diagnostics
        .iter()
        .map(|d| {
            let place = d.place.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{place} {} {:?}", d.message.english(), d.hints)
        })
        .collect();
    lines.join("\n")
}

/// All chunks in one text.
pub(crate) fn code(bundle: &Bundle) -> String {
    let texts: Vec<String> =
        bundle.chunks.iter().map(|chunk| format!("// {}\n{}\n", chunk.file_name, chunk.code)).collect();
    texts.concat()
}
