//! What the minifier made of code that it has met before.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

/// Changes with portalgen's sources and its dependencies, so that no result of another minifier is taken.
const MINIFIER: &str = env!("PORTALGEN_MINIFIER");
const KEY_LENGTH: usize = size_of::<u128>();
const LENGTH_LENGTH: usize = size_of::<u32>();

/// Results of the minifier, by the code they were made from.
///
/// An earlier build's are read with [`MinifierCache::from_bytes`]; those that a build made use of are there for the next
/// one in [`MinifierCache::into_bytes`]. Whether a result is known changes how long a build takes and nothing else.
#[derive(Debug, Default)]
pub struct MinifierCache {
    known: FxHashMap<u128, String>,
    used: Mutex<BTreeMap<u128, String>>,
}

impl MinifierCache {
    /// Takes over what an earlier build left. Damaged bytes, and those of another version, are as good as none.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { known: read(bytes).unwrap_or_default(), used: Mutex::default() }
    }

    /// What to keep for the next build, unless that is what there was.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        let used = self.used.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_same = used.len() == self.known.len() && used.keys().all(|key| self.known.contains_key(key));
        (!is_same).then(|| write(&used))
    }

    /// The minified form of `code`, from `minify` if it is not known.
    pub(super) fn minified(&self, code: &str, minify: impl FnOnce() -> String) -> String {
        let key = xxh3_128(code.as_bytes());
        let minified = self.known.get(&key).cloned().unwrap_or_else(minify);
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(key, minified.clone());
        minified
    }
}

/// The minifier, then key, length and text of each result; in front of all that, its hash.
fn write(results: &BTreeMap<u128, String>) -> Vec<u8> {
    let mut content = MINIFIER.as_bytes().to_vec();
    for (key, text) in results {
        let Ok(length) = u32::try_from(text.len()) else { continue };
        content.extend(key.to_le_bytes());
        content.extend(length.to_le_bytes());
        content.extend(text.as_bytes());
    }
    let mut bytes = xxh3_128(&content).to_le_bytes().to_vec();
    bytes.append(&mut content);
    bytes
}

fn read(bytes: &[u8]) -> Option<FxHashMap<u128, String>> {
    let (hash, content) = bytes.split_first_chunk::<KEY_LENGTH>()?;
    if xxh3_128(content) != u128::from_le_bytes(*hash) {
        return None;
    }
    let mut rest = content.strip_prefix(MINIFIER.as_bytes())?;
    let mut results = FxHashMap::default();
    while !rest.is_empty() {
        let (key, after_key) = rest.split_first_chunk::<KEY_LENGTH>()?;
        let (length, after_length) = after_key.split_first_chunk::<LENGTH_LENGTH>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (text, others) = after_length.split_at_checked(length)?;
        results.insert(u128::from_le_bytes(*key), String::from_utf8(text.to_vec()).ok()?);
        rest = others;
    }
    Some(results)
}

#[cfg(test)]
mod tests {
    use super::MinifierCache;

    fn filled() -> Vec<u8> {
        let cache = MinifierCache::default();
        assert_eq!(cache.minified("a  b", || "a b".to_owned()), "a b");
        assert_eq!(cache.minified("c  d", || "c d".to_owned()), "c d");
        cache.into_bytes().expect("there is something to keep")
    }

    fn unexpected() -> String {
        panic!("minified again")
    }

    #[test]
    fn what_is_known_is_not_minified_again() {
        let cache = MinifierCache::from_bytes(&filled());
        assert_eq!(cache.minified("a  b", unexpected), "a b");
        assert_eq!(cache.minified("c  d", unexpected), "c d");
        assert_eq!(cache.into_bytes(), None, "nothing is new");
    }

    #[test]
    fn what_a_build_did_not_use_is_dropped() {
        let cache = MinifierCache::from_bytes(&filled());
        assert_eq!(cache.minified("a  b", unexpected), "a b");
        let kept = MinifierCache::from_bytes(&cache.into_bytes().expect("one result less"));
        assert_eq!(kept.minified("a  b", unexpected), "a b");
        assert_eq!(kept.minified("c  d", || "again".to_owned()), "again");
    }

    #[test]
    fn damaged_bytes_are_as_good_as_none() {
        let bytes = filled();
        for length in 0..bytes.len() {
            let cache = MinifierCache::from_bytes(&bytes[..length]);
            assert_eq!(cache.minified("a  b", || "anew".to_owned()), "anew", "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let cache = MinifierCache::from_bytes(&damaged);
            assert_eq!(cache.minified("a  b", || "anew".to_owned()), "anew", "byte {at}");
        }
    }
}
