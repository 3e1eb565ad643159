//! Bundles as data, for later processes.

use portalgen_base::diagnostic::Kept;

pub(super) mod diagnostics {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use portalgen_base::diagnostic::Diagnostic;

    use super::Kept;

    pub(in super::super) fn serialize<S: Serializer>(all: &[Diagnostic], serializer: S) -> Result<S::Ok, S::Error> {
        Kept::new(all).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Diagnostic>, D::Error> {
        Kept::deserialize(deserializer)?.diagnostics().ok_or_else(|| D::Error::custom("no diagnostics"))
    }
}

pub(super) mod named_diagnostics {
    use std::collections::BTreeMap;

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use portalgen_base::diagnostic::Diagnostic;

    use super::Kept;

    type Named = BTreeMap<String, Diagnostic>;

    pub(in super::super) fn serialize<S: Serializer>(all: &Named, serializer: S) -> Result<S::Ok, S::Error> {
        let diagnostics: Vec<Diagnostic> = all.values().cloned().collect();
        (all.keys().collect::<Vec<_>>(), Kept::new(&diagnostics)).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Named, D::Error> {
        let (names, kept) = <(Vec<String>, Kept)>::deserialize(deserializer)?;
        let diagnostics = kept.diagnostics().filter(|diagnostics| diagnostics.len() == names.len());
        let diagnostics = diagnostics.ok_or_else(|| D::Error::custom("no diagnostics"))?;
        Ok(names.into_iter().zip(diagnostics).collect())
    }
}
