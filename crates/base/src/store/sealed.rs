//! Small files that are read whole: a head that says what they are, their content, and a hash of both.

use std::io;

use xxhash_rust::xxh3::xxh3_128_with_seed;

use super::shelf::Shelf;

const MAGIC: &[u8; 8] = b"portgen1";
const HASH: usize = size_of::<u128>();

/// Writes a file. `identity` says whose it is.
pub(super) fn write(shelf: &Shelf, name: &str, identity: u128, content: Vec<u8>) -> io::Result<()> {
    let bytes = seal(name_in(identity, name), content);
    shelf.write(|out| out.write_all(&bytes).map(|()| name.to_owned())).map(drop)
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

fn seal(identity: u128, mut content: Vec<u8>) -> Vec<u8> {
    content.splice(0..0, [&MAGIC[..], &identity.to_le_bytes()].concat());
    content.extend(hash(&content).to_le_bytes());
    content
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
