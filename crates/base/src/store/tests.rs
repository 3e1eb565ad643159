//! Stores that are opened again and again, damaged, shared and filled.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

use super::*;

const ENTRIES: usize = 12;

/// A folder in which a store is opened again and again, as processes do.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join(".cache/portalgen")
    }

    fn open_as(&self, identity: &str, bounds: Bounds) -> Arc<Store> {
        Arc::new(Store::open(&self.folder(), identity, bounds))
    }

    fn open(&self) -> Arc<Store> {
        self.open_as("one", Bounds::default())
    }

    /// Adds entries in a process of their own.
    fn add(&self, numbers: impl IntoIterator<Item = usize>) {
        add(&self.open(), numbers);
    }

    /// Which of the entries a later process finds. What it finds is right.
    fn found(&self) -> Vec<usize> {
        let store = self.open();
        let found = found(&store);
        store.save();
        found
    }

    /// The files of the store by their paths.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.folder()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    files.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        files
    }

    fn size(&self) -> usize {
        self.files().values().map(Vec::len).sum()
    }
}

fn key(number: usize) -> Key {
    Key::of(&[&number.to_le_bytes()])
}

/// What an entry holds: some are empty, and some are large.
fn content(number: usize) -> Vec<u8> {
    format!("content {number} ").repeat(number * 7).into_bytes()
}

fn add(store: &Arc<Store>, numbers: impl IntoIterator<Item = usize>) {
    let results = store.results(Kind::Chunks);
    numbers.into_iter().for_each(|number| results.put(key(number), content(number)));
    store.save();
}

fn found(store: &Arc<Store>) -> Vec<usize> {
    let results = store.results(Kind::Chunks);
    let is_found = |number: &usize| {
        let bytes = results.get(key(*number));
        assert!(bytes.as_ref().is_none_or(|bytes| *bytes == content(*number)), "entry {number} is another one");
        bytes.is_some()
    };
    (0..ENTRIES).filter(is_found).collect()
}

fn all() -> Vec<usize> {
    (0..ENTRIES).collect()
}

#[test]
fn what_is_added_is_there_for_later_processes() {
    let place = Place::new();
    let store = place.open();
    let results = store.results(Kind::Chunks);
    assert_eq!(results.result(key(0), || "made".to_owned()), "made");
    assert_eq!(results.result::<String>(key(0), || panic!("made again")), "made");
    assert!(store.results(Kind::Compressed).get(key(0)).is_none(), "each kind for itself");
    assert!(store.has_news());
    store.save();
    assert!(!store.has_news());
    assert_eq!(results.get(key(0)).as_deref(), Some(&b"made"[..]), "what was saved is still there");

    let later = place.open();
    assert_eq!(later.results(Kind::Chunks).result::<String>(key(0), || panic!("made again")), "made");
    assert!(!later.has_news());
    let wrong_type = later.results(Kind::Chunks);
    wrong_type.put(key(1), b"\xff");
    assert_eq!(wrong_type.result(key(1), || "text".to_owned()), "text");
    let before = place.files();
    place.open().save();
    assert_eq!(place.files(), before, "without news nothing is written");
}

#[test]
fn much_is_written_before_it_is_saved() {
    let place = Place::new();
    let store = place.open();
    let results = store.results(Kind::Chunks);
    let large = |number: u8| vec![number; 1 << 20];
    (0..40).for_each(|number| results.put(key(number.into()), large(number)));
    assert!(store.count(Kind::Chunks) < 20, "{} of 40 MB wait in memory", store.count(Kind::Chunks));
    assert!((0..40).all(|number| results.get(key(number.into())) == Some(large(number))), "and all of it is there");
    assert!(store.has_news());
    store.save();
    assert!(!store.has_news());
    let later = place.open().results(Kind::Chunks);
    assert!((0..40).all(|number| later.get(key(number.into())) == Some(large(number))));
    let in_memory = Results::in_memory(Kind::Chunks);
    (0..40).for_each(|number| in_memory.put(key(number.into()), large(number)));
    assert!((0..40).all(|number| in_memory.get(key(number.into())) == Some(large(number))), "without a folder, too");
}

#[test]
fn parts_of_a_key_are_not_run_together() {
    assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
    assert_ne!(Key::of(&[b"a", b""]), Key::of(&[b"a"]));
}

#[test]
fn a_small_addition_writes_little() {
    let place = Place::new();
    place.add(all());
    let before = place.files();
    place.add([ENTRIES]);
    let after = place.files();
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)), "nothing is written anew");
    assert_eq!(after.len(), before.len() + 1);
}

#[test]
fn packs_are_merged_and_lose_nothing() {
    let place = Place::new();
    for number in all() {
        place.add([number, (number + 1) % ENTRIES]);
    }
    assert_eq!(place.found(), all());
    assert!(place.files().len() <= 8, "{:?}", place.files().keys());
}

/// Damages a file in one way after another, and looks for the entries each time.
fn damage(name: &str, bytes: &[u8], write: impl Fn(&[u8]), check: impl Fn(&str)) {
    let damaged = |how: String, bytes: &[u8]| {
        write(bytes);
        check(&format!("{name}: {how}"));
    };
    for at in 0..bytes.len() {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 8);
        damaged(format!("bit flipped at {at}"), &flipped);
    }
    for length in (0..bytes.len()).step_by(13) {
        damaged(format!("cut to {length}"), &bytes[..length]);
        let zeros = [&bytes[..length], &vec![0; bytes.len() - length]].concat();
        damaged(format!("zeros from {length}"), &zeros);
    }
    damaged("more at its end".to_owned(), &[bytes, b"x"].concat());
    damaged("zeros".to_owned(), &vec![0; bytes.len()]);
}

#[test]
fn damaged_entries_are_made_again_and_removed() {
    let place = Place::new();
    place.add([0, 1, 2]);
    place.add([3, 4]);
    let whole = place.files();
    let restore = || {
        fs::remove_dir_all(place.folder()).unwrap();
        for (path, bytes) in &whole {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    };
    for (path, bytes) in &whole {
        let write = |damaged: &[u8]| {
            restore();
            fs::write(path, damaged).unwrap();
        };
        damage(&path.display().to_string(), bytes, write, |how| {
            let first = place.found();
            assert!(first.len() < 5, "{how}");
            assert_eq!(place.found(), first, "{how}");
            let files = place.files();
            assert_eq!(place.found(), first, "{how}");
            assert_eq!(place.files(), files, "{how}: everything is tidied up by then");
            let missing = (0..5).filter(|number| !first.contains(number));
            place.add(missing);
            assert_eq!(place.found(), [0, 1, 2, 3, 4], "{how}");
        });
    }
}

#[test]
fn files_in_each_others_place_are_nobodys() {
    let place = Place::new();
    place.add([1, 2, 3]);
    let of_others = Place::new();
    add(&of_others.open_as("two", Bounds::default()), [1, 2, 3]);
    let own = place.files().into_keys().next().unwrap();
    fs::write(own, of_others.files().into_values().next().unwrap()).unwrap();
    assert!(place.found().is_empty(), "another program's results");
    assert!(place.files().is_empty(), "and they are removed");

    let store = place.open();
    store.keep_build(key(1), b"first");
    store.keep_build(key(2), b"second");
    let files: Vec<_> = place.files().into_iter().collect();
    fs::write(&files[0].0, &files[1].1).unwrap();
    fs::write(&files[1].0, &files[0].1).unwrap();
    assert_eq!((store.build(key(1)), store.build(key(2))), (None, None));
    assert!(place.files().is_empty());
}

#[test]
fn a_large_build_is_kept_if_it_is_as_long_as_was_said() {
    let place = Place::new();
    let store = place.open();
    let pieces = |out: &mut dyn io::Write| (0..1000).try_for_each(|_| out.write_all(b"piece"));
    let mut measured = Measured::default();
    pieces(&mut measured).unwrap();
    assert_eq!(measured.length(), 5000);
    store.keep_large_build(key(1), 5000, pieces);
    assert_eq!(place.open().build(key(1)), Some(b"piece".repeat(1000)));
    store.keep_large_build(key(2), 5001, pieces);
    assert_eq!(place.open().build(key(2)), None);
}

#[test]
fn builds_are_whole_or_not_there() {
    let place = Place::new();
    assert_eq!(place.open().build(key(1)), None);
    place.open().keep_build(key(1), b"first");
    place.open().keep_build(key(1), b"second");
    assert_eq!(place.open().build(key(1)).as_deref(), Some(&b"second"[..]));
    assert_eq!(place.open_as("two", Bounds::default()).build(key(2)), None);
    let (path, bytes) = place.files().into_iter().next().unwrap();
    damage(
        "build",
        &bytes,
        |damaged| fs::write(&path, damaged).unwrap(),
        |how| {
            assert_eq!(place.open().build(key(1)), None, "{how}");
            assert!(!path.exists(), "{how}");
        },
    );
}

#[test]
fn versions_used_by_turns_leave_each_others_results() {
    let place = Place::new();
    for round in 0..10 {
        for identity in ["one", "two"] {
            let store = place.open_as(identity, Bounds::default());
            assert_eq!(found(&store), (0..round).collect::<Vec<_>>(), "{identity}");
            add(&store, [round]);
        }
    }
}

#[test]
fn entries_are_found_in_whatever_order_they_were_written() {
    let place = Place::new();
    let store = place.open();
    let entry = |number: usize| ((Kind::Chunks as u8, key(number).0), pack::hour(), content(number).into());
    let mut entries: Vec<pack::Entry<'_>> = (0..ENTRIES).map(entry).collect();
    entries.sort_by_key(|(name, ..)| std::cmp::Reverse(*name));
    pack::write(&store.shelves.as_ref().unwrap()[0], store.identity, entries).unwrap();
    assert!(place.found().into_iter().eq(0..ENTRIES));
}

#[test]
fn a_store_keeps_to_its_bounds() {
    let place = Place::new();
    let bounds = Bounds { bytes: 40_000, entries: 15, builds: 3, build_bytes: 600, ..Bounds::default() };
    place.add([1]);
    let mut largest = 0;
    for round in 0..200 {
        let store = place.open_as(if round % 10 == 9 { "two" } else { "one" }, bounds);
        // Asked for each time, so never the oldest.
        let _ = store.results(Kind::Chunks).get(key(1));
        add(&store, [round % 40]);
        store.keep_build(key(round), &vec![0; round % 300]);
        largest = largest.max(place.size());
        assert!(place.files().len() < 30, "{:?}", place.files().keys());
    }
    assert!((20_000..=42_000).contains(&largest), "{largest} bytes");
    let store = place.open_as("one", bounds);
    assert!(store.results(Kind::Chunks).get(key(1)).is_some(), "what is used stays");
    assert_eq!((0..200).rfind(|round| store.build(key(*round)).is_some()), Some(198));
}

/// Makes a file look as if it were written a time ago.
fn make_older(path: &Path, by: Duration) {
    fs::File::options().append(true).open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
}

#[test]
fn what_is_not_used_for_long_goes() {
    let place = Place::new();
    let store = place.open();
    let shelf = &store.shelves.as_ref().unwrap()[0];
    let hour = pack::hour();
    let entry = |number: usize, hour| ((Kind::Chunks as u8, key(number).0), hour, content(number).into());
    let days = |days: u32| hour - 24 * days;
    pack::write(shelf, store.identity, [entry(1, days(40)), entry(2, days(40)), entry(3, days(20))]).unwrap();
    // One is used again, which is noted, and small packs are merged.
    assert!(store.results(Kind::Chunks).get(key(1)).is_some());
    assert!(store.has_news());
    store.save();
    for number in 4..ENTRIES {
        place.add([number]);
    }
    assert_eq!(place.found(), [1, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

    add(&place.open_as("two", Bounds::default()), [1]);
    let of_two = || place.files().into_keys().find(|path| path.iter().any(|name| name == "two"));
    make_older(&of_two().unwrap(), Duration::from_hours(24 * 40));
    place.add([0]);
    assert_eq!(of_two(), None);
}

#[test]
fn what_dead_processes_left_goes_after_a_while() {
    let place = Place::new();
    place.add([1]);
    let folder = place.files().into_keys().next().unwrap().parent().unwrap().to_owned();
    let [young, old] = [".portalgen-1-1-1", ".portalgen-1-1-2"].map(|name| folder.join(name));
    for path in [&young, &old] {
        fs::write(path, "half a p").unwrap();
    }
    make_older(&old, Duration::from_hours(2));
    place.add([2]);
    assert_eq!((young.exists(), old.exists()), (true, false));
    assert_eq!(place.found(), [1, 2]);
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let place = Place::new();
    place.add([1]);
    let before = place.files();
    let store = place.open();
    let failed = store.shelves.as_ref().unwrap()[0].write(|out| {
        out.write_all(&vec![1; 1 << 18])?;
        Err(io::ErrorKind::StorageFull.into())
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(place.files(), before);
}

#[test]
fn a_folder_that_goes_meanwhile_is_made_again() {
    let place = Place::new();
    place.add([1, 2]);
    let store = place.open();
    assert_eq!(found(&store), [1, 2]);
    fs::remove_dir_all(place.0.path().join(".cache")).unwrap();
    assert!(found(&store).iter().all(|number| [1, 2].contains(number)));
    add(&store, [3]);
    assert_eq!(place.found(), [3]);
    fs::remove_dir_all(place.0.path()).unwrap();
    add(&store, [4]);
    assert!(!place.0.path().exists(), "the folder of the packages is not ours to make");
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    let elsewhere = Place::new();
    elsewhere.add([1]);
    let before = elsewhere.files();
    for path in [".cache", ".cache/portalgen", ".cache/portalgen/results", ".cache/portalgen/results/one"] {
        let place = Place::new();
        let link = place.0.path().join(path);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.0.path().join(path), &link).unwrap();
        assert!(place.found().is_empty(), "{path}");
        place.add([2]);
        assert_eq!(elsewhere.files(), before, "{path}");
    }
}

#[test]
fn processes_at_once_lose_and_mix_up_nothing() {
    let place = Place::new();
    thread::scope(|scope| {
        for thread in 0..8 {
            let place = &place;
            scope.spawn(move || {
                for round in 0..25 {
                    let store = place.open();
                    let _ = found(&store);
                    add(&store, [(thread + round) % ENTRIES, ENTRIES + thread]);
                    store.keep_build(key(round % 3), &vec![b'x'; 1000 + round]);
                    let build = store.build(key(round % 3));
                    assert!(build.is_none_or(|build| build.iter().all(|byte| *byte == b'x')));
                }
            });
        }
    });
    place.add(all());
    assert_eq!(place.found(), all());
    assert!(place.files().keys().all(|path| !path.to_string_lossy().contains(".portalgen-")));
}
