//! Small files that are read whole: a head that says what they are, their content, and a hash of both.

use std::io::{self, Write as _};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::{Measured, shelf::Shelf};

const MAGIC: &[u8; 8] = b"portgen1";
const HASH: usize = size_of::<u128>();

/// Writes a file whose content has so many bytes. `identity` says whose it is.
pub(super) fn write(
    shelf: &Shelf,
    name: &str,
    identity: u128,
    length: u64,
    content: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> io::Result<()> {
    let head = [&MAGIC[..], &name_in(identity, name).to_le_bytes()].concat();
    let seed = head.len() as u64 + length;
    let sealed = |out: &mut dyn io::Write| {
        let mut sealing = Sealing { out, measured: Measured::with_seed(seed) };
        sealing.write_all(&head)?;
        content(&mut sealing)?;
        if sealing.measured.length() != seed {
            return Err(io::ErrorKind::InvalidData.into());
        }
        sealing.out.write_all(&sealing.measured.key().to_bytes()).map(|()| name.to_owned())
    };
    shelf.write(sealed).map(drop)
}

/// Writes a file, and computes the hash of what was written.
struct Sealing<'a> {
    out: &'a mut dyn io::Write,
    measured: Measured,
}

impl io::Write for Sealing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write_all(bytes)?;
        self.measured.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The content of a file that was written under this name with this identity. One that is damaged is removed.
pub(super) fn read(shelf: &Shelf, name: &str, identity: u128) -> Option<Vec<u8>> {
    let content = open(name_in(identity, name), shelf.read(name)?);
    if content.is_none() {
        shelf.remove(name);
    }
    content
}

/// Files in each other's place are damaged.
fn name_in(identity: u128, name: &str) -> u128 {
    identity ^ xxh3_128_with_seed(name.as_bytes(), 0)
}

/// The content, if all is whole and has this identity.
fn open(identity: u128, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let (sealed, seal) = bytes.split_last_chunk::<HASH>()?;
    if hash(sealed).to_le_bytes() != *seal {
        return None;
    }
    let content = sealed.strip_prefix(MAGIC)?.strip_prefix(&identity.to_le_bytes())?;
    let (start, end) = (sealed.len() - content.len(), sealed.len());
    bytes.truncate(end);
    bytes.drain(..start);
    Some(bytes)
}

fn hash(bytes: &[u8]) -> u128 {
    // Zeros behind each other are no file, whatever the hash of nothing is.
    xxh3_128_with_seed(bytes, bytes.len() as u64)
}
