//! Constants that code asks for by a dotted name.

use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The parts of `import.meta.env`.
const IMPORT_META_ENV: usize = 3;

/// What code calls `import.meta.hot` before it is printed. No author can write this name.
pub(crate) const HOT: &str = "*hot*";

/// What a constant stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Define {
    /// A value.
    #[serde(with = "json_text")]
    Value(serde_json::Value),
    /// Another name: `globalThis`.
    Name(String),
    /// No value.
    Undefined,
}

/// Dotted global names and what they stand for: `process.env.NODE_ENV` -> `"production"`.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Defines {
    values: Arc<BTreeMap<String, Define>>,
    /// How many parts the longest name has: nothing that is longer has to be looked at.
    pub(crate) parts: usize,
}

impl Defines {
    pub(crate) fn get(&self, name: &str) -> Option<Define> {
        // What a build was not told is not there.
        let is_unknown = || name.strip_prefix("import.meta.env.").is_some_and(|rest| !rest.contains('.'));
        self.values.get(name).cloned().or_else(|| is_unknown().then_some(Define::Undefined))
    }
}

impl FromIterator<(String, Define)> for Defines {
    fn from_iter<T: IntoIterator<Item = (String, Define)>>(entries: T) -> Self {
        let values: BTreeMap<_, _> = entries.into_iter().collect();
        let parts = values.keys().map(|name| name.split('.').count()).fold(IMPORT_META_ENV + 1, usize::max);
        Self { values: Arc::new(values), parts }
    }
}

/// The names that folding looked up, each with what it stood for. Other constants give the same code if none of these names
/// stands for something else among them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lookups {
    values: FxHashMap<String, Option<Define>>,
    /// See [`Defines`]: what is longer was not looked up.
    parts: usize,
}

impl Hash for Lookups {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut values: Vec<_> = self.values.iter().collect();
        values.sort_unstable_by_key(|(name, _)| *name);
        values.hash(state);
        self.parts.hash(state);
    }
}

impl Lookups {
    pub(crate) fn new(defines: &Defines) -> Self {
        Self { values: FxHashMap::default(), parts: defines.parts }
    }

    /// Looks a name up.
    pub(crate) fn get(&mut self, name: String, defines: &Defines) -> Option<Define> {
        self.values.entry(name).or_insert_with_key(|name| defines.get(name)).clone()
    }

    /// True if a name stood for something.
    pub(crate) fn found_any(&self) -> bool {
        self.values.values().any(Option::is_some)
    }

    /// True if all lookups have the same outcome among `defines`.
    pub(crate) fn hold(&self, defines: &Defines) -> bool {
        self.parts == defines.parts && self.values.iter().all(|(name, value)| defines.get(name) == *value)
    }
}

/// Values as text, for formats that do not say of what kind a value is.
mod json_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &serde_json::Value, serializer: S) -> Result<S::Ok, S::Error> {
        value.to_string().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<serde_json::Value, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
