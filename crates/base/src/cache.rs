//! Results of slow work, by what they were made from, for the builds that come after.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_128;

const KEY_LENGTH: usize = size_of::<u128>();
const LENGTH_LENGTH: usize = size_of::<u32>();

/// Results of one kind of work.
///
/// An earlier process's are read with [`ResultCache::from_bytes`]; those that builds made use of are there for the next
/// one in [`ResultCache::to_bytes`]. Whether a result is known changes how long a build takes and nothing else.
#[derive(Debug, Default)]
pub struct ResultCache {
    /// What the results depend on besides their input.
    version: &'static str,
    known: FxHashMap<u128, Vec<u8>>,
    used: Mutex<BTreeMap<u128, Vec<u8>>>,
}

impl ResultCache {
    /// Takes over what an earlier build left. Damaged bytes, and those of another version, are as good as none.
    pub fn from_bytes(version: &'static str, bytes: &[u8]) -> Self {
        Self { version, known: read(version, bytes).unwrap_or_default(), used: Mutex::default() }
    }

    /// What to keep for the next process, unless that is what there was, or no such work was done.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let used = self.used();
        let is_same = used.len() == self.known.len() && used.keys().all(|key| self.known.contains_key(key));
        (!is_same && !used.is_empty()).then(|| write(self.version, &used))
    }

    /// The result for `input`, from `make` if it is not known.
    pub fn result<T: AsRef<[u8]> + TryFrom<Vec<u8>>>(&self, input: &[u8], make: impl FnOnce() -> T) -> T {
        let key = xxh3_128(input);
        let used = self.used().get(&key).cloned();
        let known = used.or_else(|| self.known.get(&key).cloned()).and_then(|bytes| T::try_from(bytes).ok());
        let result = known.unwrap_or_else(make);
        self.used().insert(key, result.as_ref().to_vec());
        result
    }

    fn used(&self) -> MutexGuard<'_, BTreeMap<u128, Vec<u8>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The version, then key, length and bytes of each result; in front of all that, its hash.
fn write(version: &str, results: &BTreeMap<u128, Vec<u8>>) -> Vec<u8> {
    let mut content = version.as_bytes().to_vec();
    for (key, result) in results {
        let Ok(length) = u32::try_from(result.len()) else { continue };
        content.extend(key.to_le_bytes());
        content.extend(length.to_le_bytes());
        content.extend(result);
    }
    let mut bytes = xxh3_128(&content).to_le_bytes().to_vec();
    bytes.append(&mut content);
    bytes
}

fn read(version: &str, bytes: &[u8]) -> Option<FxHashMap<u128, Vec<u8>>> {
    let (hash, content) = bytes.split_first_chunk::<KEY_LENGTH>()?;
    if xxh3_128(content) != u128::from_le_bytes(*hash) {
        return None;
    }
    let mut rest = content.strip_prefix(version.as_bytes())?;
    let mut results = FxHashMap::default();
    while !rest.is_empty() {
        let (key, after_key) = rest.split_first_chunk::<KEY_LENGTH>()?;
        let (length, after_length) = after_key.split_first_chunk::<LENGTH_LENGTH>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (result, others) = after_length.split_at_checked(length)?;
        results.insert(u128::from_le_bytes(*key), result.to_vec());
        rest = others;
    }
    Some(results)
}

#[cfg(test)]
mod tests {
    use super::ResultCache;

    const VERSION: &str = "1";

    fn filled() -> Vec<u8> {
        let cache = ResultCache::from_bytes(VERSION, &[]);
        assert_eq!(cache.result(b"a  b", || "a b".to_owned()), "a b");
        assert_eq!(cache.result(b"c  d", || b"c \xff d".to_vec()), b"c \xff d");
        cache.to_bytes().expect("there is something to keep")
    }

    fn unexpected<T>() -> T {
        panic!("made again")
    }

    #[test]
    fn what_is_known_is_not_made_again() {
        let cache = ResultCache::from_bytes(VERSION, &filled());
        assert_eq!(cache.result::<String>(b"a  b", unexpected), "a b");
        assert_eq!(cache.result::<Vec<u8>>(b"c  d", unexpected), b"c \xff d");
        assert_eq!(cache.to_bytes(), None, "nothing is new");
    }

    #[test]
    fn what_was_made_is_known_to_later_builds_of_the_process() {
        let cache = ResultCache::default();
        assert_eq!(cache.result(b"a  b", || "a b".to_owned()), "a b");
        assert_eq!(cache.result::<String>(b"a  b", unexpected), "a b");
    }

    #[test]
    fn what_a_build_did_not_use_is_dropped() {
        let cache = ResultCache::from_bytes(VERSION, &filled());
        assert_eq!(cache.result::<String>(b"a  b", unexpected), "a b");
        let kept = ResultCache::from_bytes(VERSION, &cache.to_bytes().expect("one result less"));
        assert_eq!(kept.result::<String>(b"a  b", unexpected), "a b");
        assert_eq!(kept.result(b"c  d", || "again".to_owned()), "again");
    }

    #[test]
    fn what_is_not_of_the_kind_or_the_version_is_made_again() {
        let cache = ResultCache::from_bytes(VERSION, &filled());
        assert_eq!(cache.result(b"c  d", || "again".to_owned()), "again");
        let cache = ResultCache::from_bytes("2", &filled());
        assert_eq!(cache.result(b"a  b", || "again".to_owned()), "again");
    }

    #[test]
    fn damaged_bytes_are_as_good_as_none() {
        let bytes = filled();
        for length in 0..bytes.len() {
            let cache = ResultCache::from_bytes(VERSION, &bytes[..length]);
            assert_eq!(cache.result(b"a  b", || "anew".to_owned()), "anew", "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let cache = ResultCache::from_bytes(VERSION, &damaged);
            assert_eq!(cache.result(b"a  b", || "anew".to_owned()), "anew", "byte {at}");
        }
    }
}
