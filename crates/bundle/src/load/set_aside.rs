//! What cannot be loaded for the engine, and is asked for only by an `import()` that may never be called there: in an event
//! handler, in an effect, behind `clientOnly`.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::diagnostic::Diagnostic;

use super::{Claim, Dialect, JAVASCRIPT, Key, Loaded, Loader, json_text};
use crate::{
    asset::content_hash,
    module::ImportKind,
    names::{VIRTUAL, is_virtual},
};

type Modules = FxHashMap<Key, Loaded>;
type Failures = FxHashMap<Key, Vec<Diagnostic>>;

impl Loader<'_> {
    /// Lets each such `import()` fail when it is called, and forgets what is wrong with the modules behind it: whatever is
    /// wrong with them in browsers, too, is told by the bundle for those. Pages, which the modules of portalgen import, are
    /// never set aside. Gives the names of the modules that throw in their place, with what is wrong.
    pub(crate) fn set_aside(
        &self,
        entries: &[Key],
        loaded: &mut Modules,
        failed: &mut Failures,
    ) -> BTreeMap<String, Diagnostic> {
        let needed = needed(entries, loaded);
        let broken = broken(&needed, loaded, failed);
        if broken.is_empty() {
            return BTreeMap::new();
        }
        let mut stand_ins = Vec::new();
        for importer in loaded.keys().filter(|key| !broken.contains(*key)) {
            let asked = loaded[importer].module.scan.import_records.iter().zip(&loaded[importer].targets).enumerate();
            for (record, (_, target)) in asked {
                if let Some(target) = target.as_ref().filter(|target| broken.contains(*target)) {
                    let error = error_behind(target, loaded, failed, &broken);
                    stand_ins.push((importer.clone(), record, error));
                }
            }
        }
        let mut set_aside = BTreeMap::new();
        for (importer, record, error) in stand_ins {
            let reason = error.as_ref().map(in_words).unwrap_or_default();
            let name = format!("{VIRTUAL}broken-{}", content_hash(reason.as_bytes()));
            let key = Key::Virtual(name.clone());
            let code = format!("throw new Error({});", json_text(&reason));
            let dialect = Dialect { claim: Claim::Esm, ..JAVASCRIPT };
            // Such a text has no mistakes.
            if let Ok(stand_in) = self.made(&name, &code, dialect) {
                loaded.insert(key.clone(), stand_in);
                loaded.entry(importer).and_modify(|importer| importer.targets[record] = Some(key));
                set_aside.extend(error.map(|error| (name, error)));
            }
        }
        loaded.retain(|key, _| !broken.contains(key));
        failed.retain(|key, _| !broken.contains(key));
        set_aside
    }
}

/// Whether a module may be wanted without an `import()` in a file being called.
fn is_loaded_at_once(importer: &Loaded, kind: ImportKind) -> bool {
    !matches!(kind, ImportKind::Dynamic { .. }) || is_virtual(&importer.module.name)
}

fn at_once(importer: &Loaded) -> impl Iterator<Item = &Key> {
    let records = importer.module.scan.import_records.iter().zip(&importer.targets);
    records.filter(|(record, _)| is_loaded_at_once(importer, record.kind)).filter_map(|(_, target)| target.as_ref())
}

fn needed(entries: &[Key], loaded: &Modules) -> FxHashSet<Key> {
    let mut needed: FxHashSet<Key> = entries.iter().cloned().collect();
    let mut queue = entries.to_vec();
    while let Some(key) = queue.pop() {
        let targets = loaded.get(&key).into_iter().flat_map(at_once);
        queue.extend(targets.filter(|target| needed.insert((*target).clone())).cloned());
    }
    needed
}

/// The modules that cannot be loaded, and those that load one of them at once.
fn broken(needed: &FxHashSet<Key>, loaded: &Modules, failed: &Failures) -> FxHashSet<Key> {
    let has_errors = loaded.iter().filter(|(_, module)| module.diagnostics.iter().any(Diagnostic::is_error));
    let failing = failed.keys().chain(has_errors.map(|(key, _)| key));
    let mut broken: FxHashSet<Key> = failing.filter(|key| !needed.contains(*key)).cloned().collect();
    let mut is_growing = !broken.is_empty();
    while is_growing {
        let importers = loaded.iter().filter(|(key, module)| {
            !needed.contains(*key) && !broken.contains(*key) && at_once(module).any(|target| broken.contains(target))
        });
        let importers: Vec<Key> = importers.map(|(key, _)| key.clone()).collect();
        is_growing = !importers.is_empty();
        broken.extend(importers);
    }
    broken
}

/// Why a module cannot be loaded: the first mistake on the way.
fn error_behind(target: &Key, loaded: &Modules, failed: &Failures, broken: &FxHashSet<Key>) -> Option<Diagnostic> {
    let mut seen = FxHashSet::from_iter([target]);
    let mut queue = std::collections::VecDeque::from([target]);
    while let Some(key) = queue.pop_front() {
        let own = loaded.get(key).map(|module| &module.diagnostics).or_else(|| failed.get(key));
        if let Some(error) = own.into_iter().flatten().find(|diagnostic| diagnostic.is_error()) {
            return Some(error.clone());
        }
        let targets = loaded.get(key).into_iter().flat_map(at_once);
        queue.extend(targets.filter(|target| broken.contains(*target) && seen.insert(*target)));
    }
    None
}

/// What code is told that asks for a module in vain.
fn in_words(error: &Diagnostic) -> String {
    let place = error.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
    format!("{}{place}", error.message.english())
}
