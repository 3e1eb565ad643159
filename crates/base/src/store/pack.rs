//! Packs: many entries in one file that never changes.
//!
//! ```text
//! head    magic, identity of the program
//! entries one after the other
//! index   for each entry, in the order of kinds and keys: kind, key, hour of last use, offset, length,
//!         hash of kind, key and bytes
//! foot    number of entries, hash of head, index, number, and of the length of the file
//! ```

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    sync::Mutex,
    time::SystemTime,
};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{Name, lock, shelf::Shelf};

const MAGIC: &[u8; 8] = b"portpak1";
const HEAD: usize = MAGIC.len() + size_of::<u128>();
const RECORD: usize = 1 + 16 + 4 + 8 + 4 + 16;
const COUNT: usize = size_of::<u32>();
const FOOT: usize = COUNT + size_of::<u128>();
/// What the names of packs end with.
const SUFFIX: &str = ".pack";

/// Where an entry is in its pack.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The hour of its last use when the pack was written, since 1970.
    pub(super) hour: u32,
    offset: u64,
    length: u32,
    seal: u128,
}

impl Place {
    pub(super) fn length(&self) -> u64 {
        u64::from(self.length)
    }
}

/// A pack that is whole, as far as its head, index and foot go.
#[derive(Debug)]
pub(super) struct Pack {
    pub(super) name: String,
    /// The size of the file.
    pub(super) length: u64,
    file: Mutex<File>,
    /// As it stands in the file: a store may have hundreds of thousands of entries.
    index: Vec<u8>,
}

/// All packs of a program. Those that are damaged, or another program's, are removed.
pub(super) fn open_all(shelf: &Shelf, identity: u128) -> Vec<Pack> {
    let packs = shelf.items().into_iter().map(|item| item.name).filter(|name| name.ends_with(SUFFIX));
    packs
        .filter_map(|name| {
            let file = shelf.open(&name)?;
            match Pack::open(name.clone(), file, identity) {
                Ok(pack) => Some(pack),
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    shelf.remove(&name);
                    None
                }
                Err(_) => None,
            }
        })
        .collect()
}

/// An entry to be written: its name, the hour of its last use, and its bytes.
pub(super) type Entry<'a> = (Name, u32, Cow<'a, [u8]>);

/// Writes a pack, whose name is returned. Packs with equal entries have equal names.
pub(super) fn write<'a>(
    shelf: &Shelf,
    identity: u128,
    entries: impl IntoIterator<Item = Entry<'a>>,
) -> io::Result<String> {
    shelf.write(|out| {
        let head = [&MAGIC[..], &identity.to_le_bytes()].concat();
        out.write_all(&head)?;
        let (mut records, mut content) = (Vec::new(), Xxh3::new());
        let mut offset = HEAD as u64;
        for (name, hour, bytes) in entries {
            let Ok(length) = u32::try_from(bytes.len()) else { continue };
            let seal = seal_of(name, &bytes);
            records.push(record_of(name, &Place { hour, offset, length, seal }));
            content.update(&seal.to_le_bytes());
            out.write_all(&bytes)?;
            offset += u64::from(length);
        }
        records.sort_unstable_by_key(name_in);
        let count = u32::try_from(records.len()).map_err(io::Error::other)?;
        let mut index = records.into_flattened();
        index.extend(count.to_le_bytes());
        let length = offset + (index.len() + size_of::<u128>()) as u64;
        out.write_all(&index)?;
        out.write_all(&foot_hash(&head, &index, length).to_le_bytes())?;
        Ok(format!("{:032x}{SUFFIX}", content.digest128()))
    })
}

impl Pack {
    /// Reads head, index and foot.
    fn open(name: String, mut file: File, identity: u128) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let mut head = [0; HEAD];
        file.read_exact(&mut head).map_err(|_| damaged())?;
        let is_ours = head.strip_prefix(MAGIC).is_some_and(|rest| rest == identity.to_le_bytes());
        let foot_at = length.checked_sub(FOOT as u64).filter(|at| is_ours && *at >= HEAD as u64).ok_or_else(damaged)?;
        let mut foot = [0; FOOT];
        read_at(&mut file, foot_at, &mut foot)?;
        let (count, hash) = foot.split_at(COUNT);
        let size = u64::from(u32::from_le_bytes(count.try_into().map_err(|_| damaged())?)) * RECORD as u64;
        let index_at = foot_at.checked_sub(size).filter(|at| *at >= HEAD as u64).ok_or_else(damaged)?;
        let mut index = vec![0; usize::try_from(size).map_err(|_| damaged())?];
        read_at(&mut file, index_at, &mut index)?;
        index.extend(count);
        if foot_hash(&head, &index, length).to_le_bytes() != *hash {
            return Err(damaged());
        }
        Ok(Self { name, length, file: Mutex::new(file), index })
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (Name, Place)> {
        self.records().iter().filter_map(|bytes| record(bytes))
    }

    /// How many entries there are.
    pub(super) fn count(&self) -> usize {
        self.records().len()
    }

    /// Where an entry is.
    pub(super) fn place(&self, name: Name) -> Option<Place> {
        let records = self.records();
        let at = records.binary_search_by_key(&Some(name), name_in).ok()?;
        record(&records[at]).map(|(_, place)| place)
    }

    fn records(&self) -> &[[u8; RECORD]] {
        // The number behind the records is no whole one.
        self.index.as_chunks().0
    }

    /// The bytes of an entry, unless they are damaged.
    pub(super) fn read(&self, name: Name, place: &Place) -> Option<Vec<u8>> {
        let end = place.offset.checked_add(place.length())?;
        let mut bytes = vec![0; usize::try_from(place.length).ok().filter(|_| end <= self.length)?];
        read_at(&mut lock(&self.file), place.offset, &mut bytes).ok()?;
        (seal_of(name, &bytes) == place.seal).then_some(bytes)
    }
}

fn record_of((kind, key): Name, place: &Place) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    let (key, hour, offset) = (key.to_le_bytes(), place.hour.to_le_bytes(), place.offset.to_le_bytes());
    let parts = [&[kind][..], &key, &hour, &offset, &place.length.to_le_bytes(), &place.seal.to_le_bytes()];
    record.copy_from_slice(&parts.concat());
    record
}

fn name_in(bytes: &[u8; RECORD]) -> Option<Name> {
    record(bytes).map(|(name, _)| name)
}

/// Reads what [`record_of`] made.
fn record(mut record: &[u8]) -> Option<(Name, Place)> {
    let [kind] = take(&mut record)?;
    let key = u128::from_le_bytes(take(&mut record)?);
    let hour = u32::from_le_bytes(take(&mut record)?);
    let offset = u64::from_le_bytes(take(&mut record)?);
    let length = u32::from_le_bytes(take(&mut record)?);
    let seal = u128::from_le_bytes(take(&mut record)?);
    Some(((kind, key), Place { hour, offset, length, seal }))
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn read_at(file: &mut File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes).map_err(|_| damaged())
}

fn damaged() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

/// Covers the name, so that entries in each other's place are found out.
fn seal_of((kind, key): Name, bytes: &[u8]) -> u128 {
    let mut hasher = Xxh3::new();
    hasher.update(&[kind]);
    hasher.update(&key.to_le_bytes());
    hasher.update(bytes);
    hasher.digest128()
}

fn foot_hash(head: &[u8], index: &[u8], length: u64) -> u128 {
    xxh3_128(&[head, index, &length.to_le_bytes()].concat())
}

/// Hours since 1970.
pub(super) fn hour() -> u32 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u32::try_from(now.as_secs() / 3600).unwrap_or(u32::MAX)
}
