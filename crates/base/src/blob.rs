//! Blobs: what a build has made, and reads once or twice more before it ends. The content of files, above all.
//!
//! A large portal makes more of it than belongs into memory. A [`Spill`] holds the first megabytes there, so that small
//! portals never touch a disk, and writes the rest to a file without a name: no other process sees it, and the system
//! removes it when this one ends, however that comes about.

use std::{
    borrow::Cow,
    fmt,
    fs::File,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use xxhash_rust::xxh3::xxh3_128;

use crate::store::Store;

/// Bytes that do not change, in memory or on disk. Clones share them.
#[derive(Clone)]
pub struct Blob {
    content: Content,
    length: usize,
    hash: OnceLock<u128>,
}

#[derive(Clone)]
enum Content {
    Memory(Arc<[u8]>),
    Disk { file: Arc<File>, offset: u64 },
}

impl Blob {
    /// The bytes.
    ///
    /// # Panics
    /// The disk does not give back what was written to it.
    pub fn read(&self) -> Cow<'_, [u8]> {
        match &self.content {
            Content::Memory(bytes) => Cow::Borrowed(bytes),
            Content::Disk { file, offset } => {
                let mut bytes = vec![0; self.length];
                if let Err(error) = positioned::read(file, *offset, &mut bytes) {
                    // A build without its own files is as lost as one without memory.
                    panic!("what was set aside on the disk cannot be read back: {error}");
                }
                Cow::Owned(bytes)
            }
        }
    }

    /// The bytes as text; what is none is replaced.
    ///
    /// # Panics
    /// As for [`Blob::read`].
    pub fn text(&self) -> Cow<'_, str> {
        match self.read() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Cow::Owned(text),
                Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
            },
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// A hash of the bytes, computed once.
    ///
    /// # Panics
    /// As for [`Blob::read`].
    pub fn hash(&self) -> u128 {
        *self.hash.get_or_init(|| xxh3_128(&self.read()))
    }
}

impl From<Arc<[u8]>> for Blob {
    /// A blob in memory, which is shared with those who have it already.
    fn from(bytes: Arc<[u8]>) -> Self {
        Self { length: bytes.len(), content: Content::Memory(bytes), hash: OnceLock::new() }
    }
}

impl From<Arc<str>> for Blob {
    fn from(text: Arc<str>) -> Self {
        Arc::<[u8]>::from(text).into()
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Arc::<[u8]>::from(bytes).into()
    }
}

impl From<&[u8]> for Blob {
    fn from(bytes: &[u8]) -> Self {
        Arc::<[u8]>::from(bytes).into()
    }
}

impl From<String> for Blob {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Self {
        text.as_bytes().into()
    }
}

impl fmt::Debug for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blob").field("length", &self.length).finish_non_exhaustive()
    }
}

impl PartialEq for Blob {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.read() == other.read()
    }
}

impl Eq for Blob {}

/// How many bytes of a build's blobs stay in memory.
const MOST_HELD: usize = 32 << 20;

/// Where blobs of a build go.
#[derive(Debug, Default)]
pub struct Spill {
    store: Option<Arc<Store>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// How many bytes were left in memory.
    held: usize,
    disk: Disk,
    /// Where the next blob goes in the file.
    end: u64,
}

/// The file of a spill.
#[derive(Clone, Debug, Default)]
enum Disk {
    #[default]
    Unopened,
    Open(Arc<File>),
    /// The system does not go along, so everything stays in memory.
    Failed,
}

impl Spill {
    /// A spill with its file beside the packs of a store. If that is not on disk, everything stays in memory.
    pub fn beside(store: &Arc<Store>) -> Self {
        Self { store: Some(Arc::clone(store)), ..Self::default() }
    }

    /// A blob of these bytes.
    pub fn keep(&self, bytes: impl Into<Vec<u8>>) -> Blob {
        let bytes = bytes.into();
        let Some((file, offset)) = self.place(bytes.len()) else { return bytes.into() };
        if positioned::write(&file, offset, &bytes).is_err() {
            self.state().disk = Disk::Failed;
            return bytes.into();
        }
        Blob { length: bytes.len(), content: Content::Disk { file, offset }, hash: xxh3_128(&bytes).into() }
    }

    /// Room for so many bytes on disk, if they are not to stay in memory.
    fn place(&self, length: usize) -> Option<(Arc<File>, u64)> {
        let mut state = self.state();
        if state.held.saturating_add(length) <= MOST_HELD {
            state.held += length;
            return None;
        }
        if let Disk::Unopened = state.disk {
            let file = self.store.as_ref().and_then(|store| store.unnamed_file());
            state.disk = file.map_or(Disk::Failed, |file| Disk::Open(Arc::new(file)));
        }
        let Disk::Open(file) = &state.disk else { return None };
        let place = (Arc::clone(file), state.end);
        state.end += length as u64;
        Some(place)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reading and writing somewhere in a file, from several threads at once.
#[cfg(unix)]
mod positioned {
    use std::{fs::File, io, os::unix::fs::FileExt as _};

    pub(super) fn read(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        file.read_exact_at(bytes, offset)
    }

    pub(super) fn write(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }
}

/// Elsewhere, blobs stay in memory.
#[cfg(not(unix))]
mod positioned {
    use std::{fs::File, io};

    pub(super) fn read(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn write(_: &File, _: u64, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::Arc, thread};

    use super::{Blob, Content, MOST_HELD, Spill};
    use crate::store::{Bounds, Store};

    fn is_on_disk(blob: &Blob) -> bool {
        matches!(blob.content, Content::Disk { .. })
    }

    /// Blobs of a megabyte, each of one byte over and over.
    fn keep_all(spill: &Spill) -> Vec<Blob> {
        let megabytes = u8::try_from(MOST_HELD >> 20).expect("not many") + 8;
        (0..megabytes).map(|byte| spill.keep(vec![byte; 1 << 20])).collect()
    }

    fn expect_whole(blobs: &[Blob]) {
        for (byte, blob) in (0_u8..).zip(blobs) {
            let held = Blob::from(vec![byte; 1 << 20]);
            assert_eq!((blob, blob.hash(), blob.len()), (&held, held.hash(), 1 << 20));
        }
    }

    #[test]
    fn what_is_too_much_for_memory_is_on_disk_and_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let packages = folder.path().join("node_modules");
        fs::create_dir(&packages).expect("a folder");
        let store = Arc::new(Store::open(&packages.join(".cache/portalgen"), "1", Bounds::default()));
        let spill = Spill::beside(&store);
        let blobs = keep_all(&spill);
        expect_whole(&blobs);
        assert_eq!(blobs.iter().filter(|blob| is_on_disk(blob)).count(), 8);
        let files = walkdir::WalkDir::new(folder.path()).into_iter().filter_map(Result::ok);
        assert_eq!(files.filter(|entry| entry.file_type().is_file()).count(), 0);
    }

    #[test]
    fn without_a_disk_everything_stays_in_memory() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The packages are not there, and no folder is made for them.
        let store = Store::open(&folder.path().join("node_modules/.cache/portalgen"), "1", Bounds::default());
        for spill in [Spill::default(), Spill::beside(&Arc::new(store))] {
            let blobs = keep_all(&spill);
            expect_whole(&blobs);
            assert!(!blobs.iter().any(is_on_disk));
        }
        assert!(!folder.path().join("node_modules").exists());
    }

    #[test]
    fn threads_do_not_get_into_each_others_way() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let store = Arc::new(Store::open(folder.path(), "1", Bounds::default()));
        let spill = Spill::beside(&store);
        drop(keep_all(&spill));
        thread::scope(|threads| {
            for thread in 0..4_u8 {
                let spill = &spill;
                threads.spawn(move || {
                    for number in 0..200_u8 {
                        let bytes = [thread, number].repeat(usize::from(number) + 1);
                        let blob = spill.keep(bytes.clone());
                        assert!(is_on_disk(&blob));
                        assert_eq!(*blob.read(), *bytes);
                    }
                });
            }
        });
    }

    #[test]
    fn texts_are_read_as_they_were_written() {
        for text in ["", "text", "文字", "\u{0}"] {
            let blob = Blob::from(text);
            assert_eq!((&*blob.text(), blob.is_empty()), (text, text.is_empty()));
        }
        assert_eq!(Blob::from(vec![b'a', 0xff]).text(), "a\u{fffd}");
    }
}
