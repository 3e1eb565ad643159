//! What was asked for lately, within a bound.

use std::{collections::BTreeMap, mem, sync::Arc};

/// Values by name, each of which is made when it is first asked for. When those that were asked for lately have together reached
/// the bound, those that were not asked for since the time before are forgotten.
pub(super) struct Recent<T> {
    /// What was asked for since the bound was last reached.
    young: BTreeMap<String, Arc<T>>,
    /// The size of these.
    size: usize,
    /// What was asked for before.
    old: BTreeMap<String, Arc<T>>,
    bound: usize,
}

impl<T: Default> Recent<T> {
    pub(super) const fn new(bound: usize) -> Self {
        Self { young: BTreeMap::new(), size: 0, old: BTreeMap::new(), bound }
    }

    /// The value with this name, whose size is always the same: a default one if it is new, or was forgotten.
    pub(super) fn get(&mut self, name: &str, size: usize) -> Arc<T> {
        if let Some(value) = self.young.get(name) {
            return Arc::clone(value);
        }
        let value = self.old.remove(name).unwrap_or_default();
        if self.size + size > self.bound {
            self.old = mem::take(&mut self.young);
            self.size = 0;
        }
        self.young.insert(name.to_owned(), Arc::clone(&value));
        self.size += size;
        value
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const BOUND: usize = 100;

    /// Asks for a value. Tells whether it was known, and looks at the bound.
    fn is_known(recent: &mut Recent<Cell<bool>>, name: &str, size: usize) -> bool {
        let is_known = recent.get(name, size).replace(true);
        assert!(recent.size <= BOUND.max(size), "{name}: {}", recent.size);
        is_known
    }

    #[test]
    fn what_is_asked_for_again_and_again_stays() {
        let mut recent = Recent::new(BOUND);
        assert!(!is_known(&mut recent, "shared", 30));
        for page in 0..1000 {
            assert!(!is_known(&mut recent, &page.to_string(), 10), "{page}");
            assert!(is_known(&mut recent, &page.to_string(), 10), "{page}");
            assert!(is_known(&mut recent, "shared", 30), "{page}");
            assert!(recent.young.len() + recent.old.len() <= 2 * BOUND / 10, "{page}");
        }
        assert!(!is_known(&mut recent, "0", 10), "it was asked for long ago");
    }

    #[test]
    fn what_is_larger_than_the_bound_is_there_until_the_next() {
        let mut recent = Recent::new(BOUND);
        for name in ["a", "b"] {
            assert!(!is_known(&mut recent, name, 1000));
            assert!(is_known(&mut recent, name, 1000));
        }
        assert!(is_known(&mut recent, "a", 1000));
        assert!(!is_known(&mut recent, "c", 1));
        assert!(!is_known(&mut recent, "b", 1000));
    }
}
