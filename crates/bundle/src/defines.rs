//! Constants that code asks for by a dotted name.

use std::{collections::BTreeMap, sync::Arc};

/// The parts of `import.meta.env`.
const IMPORT_META_ENV: usize = 3;

/// What a constant stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Define {
    /// A value.
    Value(serde_json::Value),
    /// Another name: `globalThis`.
    Name(String),
    /// No value.
    Undefined,
}

/// Dotted global names and what they stand for: `process.env.NODE_ENV` -> `"production"`.
#[derive(Clone, Debug, Default)]
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
