//! What stands for the content of a file, in manifests, in records of what was published, and in what hosts answer.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::xxh3_128;

/// The hash of a content: 32 hexadecimal digits, where people may read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentHash(pub(crate) u128);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return serializer.collect_str(self);
        }
        self.0.to_le_bytes().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return <[u8; 16]>::deserialize(deserializer).map(u128::from_le_bytes).map(Self);
        }
        let digits = Cow::<str>::deserialize(deserializer)?;
        // What is no hash is that of nothing that anybody has.
        Ok(Self(u128::from_str_radix(&digits, 16).unwrap_or_default()))
    }
}

impl ContentHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::ContentHash;

    #[test]
    fn a_hash_is_read_as_it_was_written_and_anything_else_agrees_with_no_content() {
        let hash = ContentHash::of(b"content");
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!((json.len(), serde_json::from_str(&json).unwrap()), (34, hash));
        for other in ["", "0", "no hash", "+12", &"f".repeat(33)] {
            let read: ContentHash = serde_json::from_value(other.into()).unwrap();
            assert!(read != hash && read != ContentHash::of(b""), "{other:?}");
        }
    }
}
