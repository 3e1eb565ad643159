//! Scans of modules and parsed style sheets, by what they depend on.

use std::{
    cell::Cell,
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
    store::{Key, Results},
};

use super::kept_scans::{KeptScans, KeptSheet};
use crate::{
    css::{ParsedSheet, SheetOptions},
    module::{Content, Scan},
    syntax::{Dialect, LanguageOptions, LookedAt, ParseOptions, SyntaxTree},
    trees::{BoundedTrees, Room, Trees, TreesResult},
};

/// Everything that a scan depends on.
#[derive(Clone)]
pub(crate) struct ScanInput {
    pub source: Arc<SourceText>,
    pub dialect: Dialect,
    pub language: LanguageOptions,
    pub content: Content,
    pub options: Arc<ParseOptions>,
}

/// How modules are scanned.
#[derive(Clone, Copy)]
pub(crate) struct Scanner {
    /// Scans a module, of whose trees the function makes those of the scan.
    pub scan: fn(&ScanInput, &dyn Fn(Trees) -> BoundedTrees) -> CachedScan,
    /// Makes the trees alone, of a module whose facts are known.
    pub trees: fn(&ScanInput) -> TreesResult,
}

/// What the scan of a module depends on besides its name and the options that it looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ScanKey {
    text: u128,
    dialect: Dialect,
    language: LanguageOptions,
    content: Content,
    development: bool,
    /// See [`ParseOptions::refresh`].
    refresh: bool,
    /// The name of what judges regular expressions.
    regex_judge: &'static str,
}

impl ScanKey {
    fn new(input: &ScanInput) -> Self {
        Self {
            text: xxh3_128(input.source.text.as_bytes()),
            dialect: input.dialect,
            language: input.language.clone(),
            content: input.content,
            development: input.options.development,
            refresh: input.options.refresh(&input.source.name, input.dialect),
            regex_judge: input.options.regex_judge.name,
        }
    }

    /// A hash of this key, the module's name and the options that were looked at.
    fn identity(&self, name: &str, looked_at: &LookedAt) -> Key {
        Key::of_value(&(name, self, looked_at))
    }
}

/// A module that was scanned.
pub(crate) struct CachedScan {
    pub source: Arc<SourceText>,
    /// `None`, if options make no difference.
    pub looked_at: Option<LookedAt>,
    pub outcome: Result<Scanned, Vec<Diagnostic>>,
}

impl CachedScan {
    /// The same, with the identity that the scan has if it is closed.
    fn identified(mut self, key: &ScanKey, name: &str) -> Self {
        if let (Some(looked_at), Ok(Scanned::Closed(scan))) = (&self.looked_at, &mut self.outcome) {
            scan.identity = Some(key.identity(name, looked_at));
        }
        self
    }
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
    pub(super) text: u128,
    pub(super) options: SheetOptions,
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
    room: Arc<Room>,
}

impl ScanCache {
    /// A cache that holds the trees of so many bytes of text.
    pub(super) fn with_room(bytes: usize) -> Self {
        Self { room: Arc::new(Room::of(bytes)), ..Self::default() }
    }

    /// The scan of a module, which is made unless there is one in the cache or in what earlier processes left.
    pub(crate) fn script(&self, input: &ScanInput, scanner: Scanner, left: Option<&Results>) -> Arc<CachedScan> {
        let ScanInput { source, options, .. } = input;
        let key = ScanKey::new(input);
        let kept = left.map(|left| KeptScans::new(left, &source.name, &key, options));
        let holds = |scan: &CachedScan| scan.looked_at.as_ref().is_none_or(|looked_at| looked_at.hold(options));
        let is_new = Cell::new(false);
        let hold = |trees| self.trees_of(input, scanner, trees);
        let scan = self.scripts.value(&source.name, &key, holds, || {
            let known = kept.as_ref().and_then(|kept| kept.get(input, || hold(None)));
            let scan = known.unwrap_or_else(|| {
                is_new.set(true);
                self.counted(|| (scanner.scan)(input, &|trees| hold(Some(trees))))
            });
            scan.identified(&key, &source.name)
        });
        if let Some(kept) = kept {
            kept.put(&scan, is_new.get());
        }
        scan
    }

    fn trees_of(&self, input: &ScanInput, scanner: Scanner, known: Option<Trees>) -> BoundedTrees {
        let bytes = input.source.text.len();
        let input = input.clone();
        BoundedTrees::new(Box::new(move || (scanner.trees)(&input)), bytes, &self.room, known)
    }

    /// The sheet in `source`, which `parse` parses unless that was done before, here or in an earlier process.
    pub(crate) fn sheet(
        &self,
        source: &Arc<SourceText>,
        key: &SheetKey,
        left: Option<&Results>,
        parse: impl Fn() -> ParsedSource,
    ) -> ParsedSource {
        let parse = || {
            let kept = left.map(|left| KeptSheet::new(left, source, key));
            if let Some(known) = kept.as_ref().and_then(KeptSheet::get) {
                return Ok(Arc::new(known));
            }
            let parsed = self.counted(&parse);
            if let Some((kept, sheet)) = kept.zip(parsed.as_ref().ok()) {
                kept.put(sheet);
            }
            parsed
        };
        ParsedSource::clone(&self.sheets.value(&source.name, key, |_| true, parse))
    }

    pub(super) fn forget(&self) {
        self.scripts.forget();
        self.sheets.forget();
    }

    /// How many scans were made.
    pub(super) fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// How often a module was parsed again, for its trees.
    pub(super) fn trees(&self) -> usize {
        self.room.made()
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
            // Most names have one value, and room for four would be as much as the facts of a small module.
            all.insert(name.to_owned(), VecDeque::with_capacity(1));
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
