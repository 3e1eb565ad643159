//! Results of slow work, by what they were made from, for later builds and later processes.
//!
//! A store is a folder of *packs*. What a process adds is one new pack, written under a temporary name and renamed once it
//! is whole: entries one after the other, and behind them an index of kind, key, place and hash. A pack never changes, so
//! readers need no lock, and writers none either: two that add the same leave it twice until packs are merged. Nothing is
//! read before the first look-up, then the indexes, then one entry at a time; an entry counts if its hash, which covers kind
//! and key, agrees. So one that is damaged, cut off or swapped is a miss, and its pack is written anew without it.
//!
//! What is added waits in memory, but not more than a bound: large builds add several packs.
//!
//! Packs lie in a folder named by the identity of the program, and name it inside: a program neither reads nor clears what
//! another one keeps. [`upkeep`] merges small packs and keeps to the [`Bounds`], by the day of last use, after a build and
//! only if that has written something. Whether a result is known changes how long a build takes and nothing else, so
//! failures of the system, such as a full disk, are no news.
//!
//! Beside the results lie *builds*: one sealed file each, which a build without changes reads and nothing else.

mod pack;
mod sealed;
mod shelf;
mod upkeep;

use std::{
    collections::BTreeMap,
    fs::File,
    hash::Hash,
    io,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

pub use self::upkeep::Bounds;
use self::{
    pack::{Pack, Place},
    shelf::Shelf,
};

/// What a result is of. Keys of different kinds have nothing to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Texts of chunks, by their blueprints.
    Chunks = 1,
    /// Compressed files, by encoding and content.
    Compressed = 2,
    /// Pages that were rendered, by their paths and all code that they may load.
    Pages = 3,
    /// Facts of modules and parsed style sheets, by their texts.
    Scans = 4,
    /// Icons, by the image that they are made of.
    Icons = 5,
    /// What else was seen of pages that were rendered, by the same.
    Sights = 6,
    /// What rules read in documents and pages, by their content.
    Readings = 7,
}

/// The name of a result among those of its kind: a hash of everything that it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(u128);

impl Key {
    /// The key of what is made of these parts. Each counts by itself: `ab` and `c` are not `a` and `bc`.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Xxh3::new();
        for part in parts {
            hasher.update(&part.len().to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.digest128())
    }

    /// The key of what is made of `value`, whose [`Hash`] has to cover everything that the result depends on.
    pub fn of_value(value: &impl Hash) -> Self {
        let mut hasher = Xxh3::new();
        value.hash(&mut hasher);
        Self(hasher.digest128())
    }

    /// The key as bytes, to be a part of another one.
    pub fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// Takes what is written to it for a part of a key, and keeps nothing of it.
#[derive(Default)]
pub struct Measured {
    hasher: Xxh3,
    length: u64,
}

impl Measured {
    fn with_seed(seed: u64) -> Self {
        Self { hasher: Xxh3::with_seed(seed), length: 0 }
    }

    /// The key of what was written.
    pub fn key(&self) -> Key {
        Key(self.hasher.digest128())
    }

    /// How many bytes that was.
    pub fn length(&self) -> u64 {
        self.length
    }
}

impl io::Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Kind and key of an entry.
type Name = (u8, u128);

/// Results of all kinds, and builds. Without a folder they last as long as the process.
#[derive(Debug, Default)]
pub struct Store {
    /// Where packs lie, and where builds do.
    shelves: Option<[Shelf; 2]>,
    /// What the program is, see [`Store::open`].
    identity: u128,
    bounds: Bounds,
    /// What other processes left, once something was looked for.
    packs: Mutex<Option<Arc<Packs>>>,
    /// What this process has added and not written yet.
    made: Mutex<Made>,
    /// Whether it has written a pack since it last saved.
    has_written: AtomicBool,
    /// What it was asked for and had.
    used: Mutex<FxHashSet<Name>>,
    /// Whether an entry of a pack was found to be damaged.
    is_damaged: AtomicBool,
}

/// Results that wait to be written.
#[derive(Debug, Default)]
struct Made {
    entries: BTreeMap<Name, Vec<u8>>,
    /// How many bytes they have.
    size: usize,
}

/// How many bytes of results wait until they are written.
const MOST_WAITING: usize = 16 << 20;

impl Made {
    fn add(&mut self, name: Name, mut bytes: Vec<u8>) {
        // It may wait for long.
        bytes.shrink_to_fit();
        self.size += bytes.len();
        let earlier = self.entries.insert(name, bytes);
        self.size -= earlier.map_or(0, |earlier| earlier.len());
    }
}

/// The packs of a folder.
#[derive(Debug, Default)]
struct Packs(Vec<Pack>);

impl Packs {
    /// The pack that has an entry, and where.
    fn place(&self, name: Name) -> Option<(&Pack, Place)> {
        self.0.iter().rev().find_map(|pack| Some((pack, pack.place(name)?)))
    }
}

impl Store {
    /// The store below `folder`, which need not exist. `identity` must differ between programs that may make different
    /// results of the same input. Nothing is read yet.
    pub fn open(folder: &Path, identity: &str, bounds: Bounds) -> Self {
        let results = Shelf::new(folder, &format!("{RESULTS}/{identity}"));
        let shelves = Some([results, Shelf::new(folder, BUILDS)]);
        Self { shelves, identity: Key::of(&[identity.as_bytes()]).0, bounds, ..Self::default() }
    }

    /// The results of one kind.
    pub fn results(self: &Arc<Self>, kind: Kind) -> Results {
        Results { store: Arc::clone(self), kind }
    }

    /// The number of results of a kind that were added and are not written yet.
    pub fn count(&self, kind: Kind) -> usize {
        lock(&self.made).entries.keys().filter(|(of, _)| *of == kind as u8).count()
    }

    /// Whether there is something to save.
    pub fn has_news(&self) -> bool {
        !lock(&self.made).entries.is_empty()
            || self.has_written.load(Ordering::Relaxed)
            || self.is_damaged.load(Ordering::Relaxed)
            || self.has_old_uses()
    }

    /// Whether something was used that was not used for a day.
    fn has_old_uses(&self) -> bool {
        let Some(packs) = lock(&self.packs).clone() else { return false };
        let is_old = |name: &Name| packs.place(*name).is_some_and(|(_, place)| upkeep::is_old(place.hour));
        lock(&self.used).iter().any(is_old)
    }

    /// Writes what was added, for later processes, and tidies up where that is due.
    pub fn save(&self) {
        let Some([results, _]) = &self.shelves else { return };
        let has_old_uses = self.has_old_uses();
        let made = std::mem::take(&mut *lock(&self.made));
        self.write(results, &made);
        let used = std::mem::take(&mut *lock(&self.used));
        let is_damaged = self.is_damaged.swap(false, Ordering::Relaxed);
        let is_written = self.has_written.swap(false, Ordering::Relaxed);
        if is_written || is_damaged || has_old_uses {
            upkeep::run(&upkeep::Work {
                results,
                identity: self.identity,
                bounds: self.bounds,
                used: &used,
                is_damaged,
            });
        }
    }

    /// Writes results as a pack, which is looked into from then on.
    fn write(&self, results: &Shelf, made: &Made) {
        let hour = pack::hour();
        let entries = made.entries.iter().map(|(name, bytes)| (*name, hour, bytes.into()));
        // What cannot be written is made again.
        if !made.entries.is_empty() && pack::write(results, self.identity, entries).is_ok() {
            self.has_written.store(true, Ordering::Relaxed);
        }
        *lock(&self.packs) = None;
    }

    /// Whether later processes find what is kept.
    pub fn is_on_disk(&self) -> bool {
        self.shelves.is_some()
    }

    /// A new file that nobody else finds, and that is gone when it is closed. None, if the store is not on disk or the system
    /// does not go along.
    pub(crate) fn unnamed_file(&self) -> Option<File> {
        let [results, _] = self.shelves.as_ref()?;
        results.unnamed_file().ok()
    }

    /// What [`Store::keep_build`] was given last under this key.
    pub fn build(&self, key: Key) -> Option<Vec<u8>> {
        let [_, builds] = self.shelves.as_ref()?;
        let name = self.name_of_build(key);
        let content = sealed::read(builds, &name, self.identity);
        builds.touch(&name);
        content
    }

    /// Keeps a build for later processes. Of several under one key the last one counts.
    pub fn keep_build(&self, key: Key, content: &[u8]) {
        self.keep_large_build(key, content.len() as u64, |out| out.write_all(content));
    }

    /// The same, of so many bytes, which are made while they are written.
    pub fn keep_large_build(&self, key: Key, length: u64, content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) {
        let Some([_, builds]) = &self.shelves else { return };
        let name = self.name_of_build(key);
        if sealed::write(builds, &name, self.identity, length, content).is_ok() {
            upkeep::bound_builds(builds, self.bounds, &name);
        }
    }

    /// Another one for each version of the program, which else would clear those of others.
    fn name_of_build(&self, key: Key) -> String {
        Key(self.identity ^ key.0).to_string()
    }

    fn get(&self, name: Name) -> Option<Vec<u8>> {
        if let Some(bytes) = lock(&self.made).entries.get(&name) {
            return Some(bytes.clone());
        }
        let packs = Arc::clone(lock(&self.packs).get_or_insert_with(|| Arc::new(self.read_packs())));
        let (pack, place) = packs.place(name)?;
        let bytes = pack.read(name, &place);
        match &bytes {
            Some(_) => drop(lock(&self.used).insert(name)),
            None => self.is_damaged.store(true, Ordering::Relaxed),
        }
        bytes
    }

    fn put(&self, name: Name, bytes: Vec<u8>) {
        let mut made = lock(&self.made);
        made.add(name, bytes);
        if let (Some([results, _]), MOST_WAITING..) = (&self.shelves, made.size) {
            let enough = std::mem::take(&mut *made);
            drop(made);
            self.write(results, &enough);
        }
    }

    fn read_packs(&self) -> Packs {
        let Some([results, _]) = &self.shelves else { return Packs::default() };
        Packs(pack::open_all(results, self.identity))
    }
}

/// Results of one kind of work.
#[derive(Clone, Debug)]
pub struct Results {
    store: Arc<Store>,
    kind: Kind,
}

impl Results {
    /// Results that last as long as the process.
    pub fn in_memory(kind: Kind) -> Self {
        Arc::<Store>::default().results(kind)
    }

    /// The result with this key, if it is known.
    pub fn get(&self, key: Key) -> Option<Vec<u8>> {
        self.store.get(self.name(key))
    }

    /// Adds a result.
    pub fn put(&self, key: Key, bytes: impl Into<Vec<u8>>) {
        self.store.put(self.name(key), bytes.into());
    }

    /// The result with this key, from `make` if it is not known.
    pub fn result<T: AsRef<[u8]> + TryFrom<Vec<u8>>>(&self, key: Key, make: impl FnOnce() -> T) -> T {
        if let Some(known) = self.get(key).and_then(|bytes| T::try_from(bytes).ok()) {
            return known;
        }
        let result = make();
        self.put(key, result.as_ref());
        result
    }

    fn name(&self, key: Key) -> Name {
        (self.kind as u8, key.0)
    }
}

/// Names in the folder of a store.
const RESULTS: &str = "results";
const BUILDS: &str = "builds";

/// What a store with this identity may write in its folder: each is a file, perhaps in folders of the store.
pub fn written_by(identity: &str) -> [String; 2] {
    [format!("{RESULTS}/{identity}/{}", upkeep::USES), format!("{BUILDS}/{}", Key(0))]
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
