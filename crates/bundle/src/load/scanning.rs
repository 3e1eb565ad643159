//! Scanning: from the text of a module to its facts and its trees, unless both or the facts are known.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::{Text, text},
};

use super::{Loader, parse::parse, patterns::asks_for_files};
use crate::{
    analyze::scan::{scan, trees},
    module::{Content, Scan},
    module_cache::scans::{CachedScan, ScanInput, Scanned, Scanner},
    syntax::{Dialect, LanguageOptions, SyntaxTree},
    trees::{BoundedTrees, Trees, TreesResult},
};

const SCANNER: Scanner = Scanner { scan: scan_of, trees: trees_of };

fn scan_of(input: &ScanInput, hold: &dyn Fn(Trees) -> BoundedTrees) -> CachedScan {
    let ScanInput { source, content, .. } = input;
    let parsed = parsed(input);
    let looked_at = parsed.as_ref().ok().map(|tree| tree.looked_at.clone());
    let outcome = parsed.map(|tree| {
        if asks_for_files(&tree, &source.text) {
            Scanned::Open(Arc::new(tree))
        } else {
            let (facts, trees) = scan(tree, *content);
            Scanned::Closed(Scan::of_closed(facts, hold(trees)))
        }
    });
    CachedScan { source: Arc::clone(source), looked_at, outcome }
}

fn trees_of(input: &ScanInput) -> TreesResult {
    Ok(trees(parsed(input)?))
}

fn parsed(input: &ScanInput) -> Result<SyntaxTree, Vec<Diagnostic>> {
    let ScanInput { source, dialect, language, options, .. } = input;
    let parsed = catch_unwind(AssertUnwindSafe(|| parse(source, *dialect, options, language)));
    parsed.unwrap_or_else(|panic| Err(vec![gave_up(source, panic.as_ref())]))
}

impl Loader<'_> {
    /// The scan of a module, from the cache or made.
    pub(super) fn cached_scan(
        &self,
        source: &Arc<SourceText>,
        dialect: Dialect,
        language: LanguageOptions,
        content: Content,
    ) -> Arc<CachedScan> {
        let (source, options) = (Arc::clone(source), Arc::clone(&self.parse_options));
        let input = ScanInput { source, dialect, language, content, options };
        self.options.modules.scans.script(&input, SCANNER, self.options.scans.as_ref())
    }

    /// The scan of a module that is made, and asks for nothing.
    pub(crate) fn scan_of_made(
        &self,
        source: &Arc<SourceText>,
        dialect: Dialect,
        content: Content,
    ) -> Result<(Arc<SourceText>, Scan), Vec<Diagnostic>> {
        let cached = self.cached_scan(source, dialect, LanguageOptions::default(), content);
        let scan = match cached.outcome.clone()? {
            Scanned::Closed(scan) => scan,
            Scanned::Open(tree) => Scan::of_open(scan(SyntaxTree::clone(&tree), content)),
        };
        Ok((Arc::clone(&cached.source), scan))
    }
}

/// swc panics over some of what authors can write, such as `@jsx const` in a comment.
fn gave_up(source: &Arc<SourceText>, panic: &dyn Any) -> Diagnostic {
    let words = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let reason = words.map_or_else(|| text!("no reason was given", "没有说明原因"), Text::verbatim);
    let message = text!("the compiler failed on this file: {reason}", "编译这个文件时出错：{reason}", reason);
    Diagnostic::error(message).at(Place::new(source, 0..0))
}
