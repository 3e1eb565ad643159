//! Hashes and compressed forms of bytes, for `crypto.subtle` and the streams that compress.

use std::io::Read as _;

use flate2::{Compression, Decompress, FlushDecompress, Status, bufread};
use sha1::{Digest as _, Sha1};
use sha2::{Sha256, Sha384, Sha512};

/// The hash of that name in the Web Cryptography standard; none if there is no such hash.
pub(super) fn digest(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    use sha2::Digest as _;
    match name {
        "SHA-1" => Some(Sha1::digest(bytes).to_vec()),
        "SHA-256" => Some(Sha256::digest(bytes).to_vec()),
        "SHA-384" => Some(Sha384::digest(bytes).to_vec()),
        "SHA-512" => Some(Sha512::digest(bytes).to_vec()),
        _ => None,
    }
}

/// What bytes are in a format of the Compression standard; none if there is no such format.
pub(super) fn compress(format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut compressed = Vec::new();
    let level = Compression::default();
    let result = match format {
        "gzip" => bufread::GzEncoder::new(bytes, level).read_to_end(&mut compressed),
        "deflate" => bufread::ZlibEncoder::new(bytes, level).read_to_end(&mut compressed),
        "deflate-raw" => bufread::DeflateEncoder::new(bytes, level).read_to_end(&mut compressed),
        _ => return None,
    };
    result.ok().map(|_| compressed)
}

/// How many bytes may come of some that are compressed: less than what a page may use of memory.
const MOST: usize = 128 * 1024 * 1024;

/// The bytes that were compressed; none if they are not all there, if there is more, or if they are too many.
pub(super) fn decompress(format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    match format {
        "gzip" => {
            let mut decoder = bufread::GzDecoder::new(bytes);
            let mut plain = Vec::new();
            decoder.by_ref().take(MOST as u64 + 1).read_to_end(&mut plain).ok()?;
            (plain.len() <= MOST && decoder.into_inner().is_empty()).then_some(plain)
        }
        "deflate" => inflate(bytes, true),
        "deflate-raw" => inflate(bytes, false),
        _ => None,
    }
}

/// Step by step, since readers take an end that comes too soon for the end of the data.
fn inflate(bytes: &[u8], has_header: bool) -> Option<Vec<u8>> {
    let mut decoder = Decompress::new(has_header);
    let mut plain = Vec::new();
    loop {
        let rest = bytes.get(usize::try_from(decoder.total_in()).ok()?..)?;
        plain.reserve(rest.len().saturating_mul(2).max(4096));
        match decoder.decompress_vec(rest, &mut plain, FlushDecompress::None).ok()? {
            Status::StreamEnd => break,
            _ if plain.len() > MOST || plain.len() < plain.capacity() => return None,
            Status::Ok | Status::BufError => {}
        }
    }
    (decoder.total_in() == bytes.len() as u64 && plain.len() <= MOST).then_some(plain)
}
