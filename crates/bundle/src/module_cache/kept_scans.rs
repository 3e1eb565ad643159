//! Scans and parsed style sheets that earlier processes made.
//!
//! The facts of a module are kept, its trees are not: what a build prints again is parsed again. A scan in which no option made
//! a difference is kept once for all options, any other one for each set of them. What an entry says about the options that its
//! scan looked at is checked all the same.

use std::sync::Arc;

use portalgen_base::{
    diagnostic::SourceText,
    store::{Key, Results},
};

use super::scans::{CachedScan, ScanInput, ScanKey, Scanned, SheetKey};
use crate::{
    css::ParsedSheet,
    module::{ModuleScan, Scan},
    syntax::{LookedAt, ParseOptions},
    trees::BoundedTrees,
};

/// The entries of one module with one text.
pub(super) struct KeptScans<'a> {
    results: &'a Results,
    /// Of a scan in which no option made a difference.
    of_all: Key,
    /// Of one with the options at hand.
    of_these: Key,
}

impl<'a> KeptScans<'a> {
    pub(super) fn new(results: &'a Results, name: &str, key: &ScanKey, options: &ParseOptions) -> Self {
        let of_all = Key::of_value(&(name, key, options.defines.parts));
        Self { results, of_all, of_these: Key::of_value(&(of_all, options.key)) }
    }

    /// A scan that holds, with `trees`.
    pub(super) fn get(&self, input: &ScanInput, trees: impl FnOnce() -> BoundedTrees) -> Option<CachedScan> {
        let entry = |key| {
            let (looked_at, facts): (LookedAt, ModuleScan) = postcard::from_bytes(&self.results.get(key)?).ok()?;
            looked_at.hold(&input.options).then_some((looked_at, facts))
        };
        let (looked_at, facts) = entry(self.of_all).or_else(|| entry(self.of_these))?;
        let outcome = Ok(Scanned::Closed(Scan::of_closed(facts, trees())));
        Some(CachedScan { source: input.source.clone(), looked_at: Some(looked_at), outcome })
    }

    /// Keeps a scan that was made, or that holds for these options as well. Mistakes are found again, and so are files that a
    /// module asks for by a pattern.
    pub(super) fn put(&self, scan: &CachedScan, is_new: bool) {
        let CachedScan { looked_at: Some(looked_at), outcome: Ok(Scanned::Closed(Scan { facts, .. })), .. } = scan
        else {
            return;
        };
        let depends = looked_at.is_any_of_use();
        if !is_new && (!depends || self.results.get(self.of_these).is_some()) {
            return;
        }
        if let Ok(bytes) = postcard::to_stdvec(&(looked_at, &**facts)) {
            self.results.put(if depends { self.of_these } else { self.of_all }, bytes);
        }
    }
}

/// The entry of one sheet with one text.
pub(super) struct KeptSheet<'a> {
    results: &'a Results,
    source: &'a Arc<SourceText>,
    key: Key,
}

impl<'a> KeptSheet<'a> {
    pub(super) fn new(results: &'a Results, source: &'a Arc<SourceText>, key: &SheetKey) -> Self {
        // The options are those of Lightning CSS, which can be shown and not written.
        let options = format!("{:?}", key.options);
        let key = Key::of(&[b"sheet", source.name.as_bytes(), &key.text.to_le_bytes(), options.as_bytes()]);
        Self { results, source, key }
    }

    pub(super) fn get(&self) -> Option<ParsedSheet> {
        ParsedSheet::from_bytes(&self.results.get(self.key)?, self.source)
    }

    pub(super) fn put(&self, sheet: &ParsedSheet) {
        if let Some(bytes) = sheet.to_bytes() {
            self.results.put(self.key, bytes);
        }
    }
}
