//! Scans of modules and parsed style sheets, by what they depend on.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

use portalgen_base::{
    diagnostic::{Diagnostic, SourceText},
    store::Key,
};

use crate::{
    css::{ParsedSheet, SheetOptions},
    module::{Content, Scan},
    syntax::{Dialect, LanguageOptions, LookedAt, ParseOptions, SyntaxTree},
};

/// What the scan of a module depends on besides its name and the options that it looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScanKey {
    text: u128,
    dialect: Dialect,
    language: LanguageOptions,
    content: Content,
    development: bool,
    /// Where the function is.
    regex_judge: usize,
}

impl ScanKey {
    pub(crate) fn new(
        source: &SourceText,
        dialect: Dialect,
        language: &LanguageOptions,
        content: Content,
        options: &ParseOptions,
    ) -> Self {
        Self {
            text: xxh3_128(source.text.as_bytes()),
            dialect,
            language: language.clone(),
            content,
            development: options.development,
            regex_judge: options.regex_judge as usize,
        }
    }

    /// A hash of this key, the module's name and the options that were looked at. None, if the verdict of the judge of
    /// regular expressions counted: which judge that is shows only in its address.
    pub(crate) fn identity(&self, name: &str, looked_at: &LookedAt) -> Option<Key> {
        let Self { text, dialect, language, content, development, regex_judge: _ } = self;
        let is_judged = looked_at.for_engine.is_some();
        let value = (name, text, dialect, language, content, development, &looked_at.defines);
        (!is_judged).then(|| Key::of_value(&value))
    }
}

/// A module that was scanned.
pub(crate) struct CachedScan {
    pub source: Arc<SourceText>,
    /// `None`, if options make no difference.
    pub looked_at: Option<LookedAt>,
    pub outcome: Result<Scanned, Vec<Diagnostic>>,
}

/// The outcome of a scan.
#[derive(Clone)]
pub(crate) enum Scanned {
    Closed(Scan),
    /// Of a module that asks for whatever files there are at some place: its facts depend on more than its text.
    Open(Arc<SyntaxTree>),
}

/// What parsing a style sheet depends on besides its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SheetKey {
    text: u128,
    options: SheetOptions,
}

impl SheetKey {
    pub(crate) fn new(source: &SourceText, options: SheetOptions) -> Self {
        Self { text: xxh3_128(source.text.as_bytes()), options }
    }
}

/// A style sheet that was parsed.
pub(crate) type ParsedSource = Result<Arc<ParsedSheet>, Vec<Diagnostic>>;

/// Scans and parsed sheets.
#[derive(Default)]
pub(crate) struct ScanCache {
    scripts: Variants<ScanKey, CachedScan>,
    sheets: Variants<SheetKey, ParsedSource>,
    count: AtomicUsize,
}

impl ScanCache {
    /// The scan of the module called `name` with these options, which `scan` makes unless there is one.
    pub(crate) fn script(
        &self,
        name: &str,
        key: &ScanKey,
        options: &ParseOptions,
        scan: impl Fn() -> CachedScan,
    ) -> Arc<CachedScan> {
        let holds = |scan: &CachedScan| scan.looked_at.as_ref().is_none_or(|looked_at| looked_at.hold(options));
        self.scripts.value(name, key, holds, || self.counted(&scan))
    }

    /// The sheet called `name`, which `parse` parses unless it was parsed before.
    pub(crate) fn sheet(&self, name: &str, key: &SheetKey, parse: impl Fn() -> ParsedSource) -> ParsedSource {
        ParsedSource::clone(&self.sheets.value(name, key, |_| true, || self.counted(&parse)))
    }

    pub(super) fn forget(&self) {
        self.scripts.forget();
        self.sheets.forget();
    }

    /// How many scans were made.
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    fn counted<T>(&self, make: impl Fn() -> T) -> T {
        self.count.fetch_add(1, Ordering::Relaxed);
        make()
    }
}

/// How many values of one name are kept: a build needs two or three, and what more there are is of earlier texts.
const MOST_VARIANTS: usize = 8;

/// Values by name and key. Those of one key differ by what only making them tells.
struct Variants<K, T>(Mutex<FxHashMap<String, VecDeque<Variant<K, T>>>>);

/// A value that was made, or is being made.
struct Variant<K, T> {
    key: K,
    value: Arc<OnceLock<Arc<T>>>,
}

impl<K, T> Default for Variants<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K, T> Variants<K, T> {
    fn forget(&self) {
        // What the map held is dropped after the lock.
        let _values = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<K: Clone + PartialEq, T> Variants<K, T> {
    /// A value that holds, which is made unless there is one.
    fn value(&self, name: &str, key: &K, holds: impl Fn(&T) -> bool, make: impl Fn() -> T) -> Arc<T> {
        loop {
            let value = self.candidate(name, key, &holds);
            let value = value.get_or_init(|| Arc::new(make()));
            // If another thread made it, it may not hold.
            if holds(value) {
                return Arc::clone(value);
            }
        }
    }

    /// A value that holds, else the one that is being made, else a new one to make. It becomes the last of its name.
    fn candidate(&self, name: &str, key: &K, holds: impl Fn(&T) -> bool) -> Arc<OnceLock<Arc<T>>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(name) {
            all.insert(name.to_owned(), VecDeque::new());
        }
        let Some(variants) = all.get_mut(name) else { return Arc::default() };
        let find = |is_it: &dyn Fn(Option<&Arc<T>>) -> bool| {
            variants.iter().position(|variant| variant.key == *key && is_it(variant.value.get()))
        };
        let found = find(&|value| value.is_some_and(|value| holds(value))).or_else(|| find(&|value| value.is_none()));
        let variant = found.and_then(|at| variants.remove(at));
        let variant = variant.unwrap_or_else(|| Variant { key: key.clone(), value: Arc::default() });
        let value = Arc::clone(&variant.value);
        variants.push_back(variant);
        if variants.len() > MOST_VARIANTS {
            variants.pop_front();
        }
        value
    }
}
