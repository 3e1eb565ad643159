//! Style sheets of a hot graph: a file for each, and the places that the cascade of a build gives them.

use std::{collections::BTreeMap, sync::Arc};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::diagnostic::Diagnostic;

use super::{
    HotSheet,
    files::{key_of, style_file},
};
use crate::{
    chunk::{
        css_order::Cascade,
        reachability::{EntrySet, ModuleSet, available},
    },
    graph::ModuleGraph,
    load::sheet::join,
    module::{ImportKind, ModuleId},
};

/// The style sheets of a graph.
#[derive(Default)]
pub(super) struct Styles {
    /// In the order of their rules.
    pub sheets: Vec<Sheet>,
    /// For each root, by the name of its module, its sheets in order.
    pub of_root: BTreeMap<Arc<str>, Vec<usize>>,
    /// Orders that cannot be kept.
    pub warnings: Vec<Diagnostic>,
}

/// A style sheet.
pub(super) struct Sheet {
    pub module: ModuleId,
    pub key: Arc<str>,
    pub file: Arc<str>,
    pub text: Arc<str>,
    pub place: usize,
}

impl Sheet {
    fn of(graph: &ModuleGraph, module: ModuleId, place: usize) -> Self {
        let text = text_of(graph, module);
        let key = key_of(&graph.modules[module.index()].name);
        Self { module, file: style_file(&key, &text), key, text, place }
    }

    /// As it is told to others.
    fn told(&self) -> HotSheet {
        HotSheet { key: Arc::clone(&self.key), file: Some(Arc::clone(&self.file)), place: self.place }
    }
}

fn text_of(graph: &ModuleGraph, module: ModuleId) -> Arc<str> {
    graph.modules[module.index()].stylesheet.as_ref().map(|sheet| join(&[sheet])).unwrap_or_default().into()
}

impl Styles {
    /// The sheets of a graph with these roots: entries, lazy entries and targets of `import()`.
    pub(super) fn new(graph: &ModuleGraph, roots: &[ModuleId]) -> Self {
        if graph.modules.iter().all(|module| module.stylesheet.is_none()) {
            return Self::default();
        }
        let (sheet_roots, loads) = needs(graph, roots);
        let (places, warnings) = Cascade::new(graph, roots, &sheet_roots, loads).places();
        let mut order: Vec<ModuleId> = places.keys().copied().collect();
        order.sort_by_key(|sheet| (places[sheet], *sheet));
        let sheets: Vec<Sheet> = order.iter().map(|sheet| Sheet::of(graph, *sheet, places[sheet].0)).collect();
        let mut of_root: BTreeMap<Arc<str>, Vec<usize>> = BTreeMap::new();
        for (index, sheet) in sheets.iter().enumerate() {
            for root in sheet_roots[&sheet.module].iter() {
                let name = &graph.modules[roots[root].index()].name;
                of_root.entry(Arc::clone(name)).or_default().push(index);
            }
        }
        Self { sheets, of_root, warnings }
    }

    /// Takes over the text of sheets that have changed and kept their places. Returns these.
    pub(super) fn refresh(&mut self, graph: &ModuleGraph, changed: &[ModuleId]) -> Vec<HotSheet> {
        let mut told = Vec::new();
        for sheet in self.sheets.iter_mut().filter(|sheet| changed.contains(&sheet.module)) {
            let text = text_of(graph, sheet.module);
            if text != sheet.text {
                (sheet.file, sheet.text) = (style_file(&sheet.key, &text), text);
                told.push(sheet.told());
            }
        }
        told
    }

    pub(super) fn sheet(&self, key: &str) -> Option<&Sheet> {
        self.sheets.iter().find(|sheet| *sheet.key == *key)
    }

    /// The sheets of a root, in order.
    pub(super) fn of(&self, root: &str) -> Vec<HotSheet> {
        self.of_root.get(root).into_iter().flatten().map(|index| self.sheets[*index].told()).collect()
    }

    /// The sheets that are others than before, and the roots with other ones.
    pub(super) fn changes(&self, before: &Self) -> (Vec<HotSheet>, BTreeMap<Arc<str>, Vec<HotSheet>>) {
        let known: FxHashMap<&str, &Sheet> = before.sheets.iter().map(|sheet| (&*sheet.key, sheet)).collect();
        let is_new = |sheet: &&Sheet| known.get(&*sheet.key).is_none_or(|known| known.told() != sheet.told());
        let mut sheets: Vec<HotSheet> = self.sheets.iter().filter(is_new).map(Sheet::told).collect();
        let present: FxHashSet<&str> = self.sheets.iter().map(|sheet| &*sheet.key).collect();
        let gone = before.sheets.iter().filter(|sheet| !present.contains(&*sheet.key));
        sheets.extend(gone.map(|sheet| HotSheet { file: None, ..sheet.told() }));
        let keys = |styles: &Self, root: &str| -> Vec<(Arc<str>, usize)> {
            styles.of(root).into_iter().map(|sheet| (sheet.key, sheet.place)).collect()
        };
        let names = self.of_root.keys().chain(before.of_root.keys());
        let others = names.filter(|root| keys(self, root) != keys(before, root));
        let roots = others.map(|root| (Arc::clone(root), self.of(root))).collect();
        (sheets, roots)
    }
}

/// For each sheet, the roots that need it and would not have it otherwise, and pairs of roots of which the first one loads the
/// second one.
fn needs(graph: &ModuleGraph, roots: &[ModuleId]) -> (BTreeMap<ModuleId, EntrySet>, Vec<(usize, usize)>) {
    let numbers: FxHashMap<ModuleId, usize> = roots.iter().enumerate().map(|(number, root)| (*root, number)).collect();
    let entries = graph.entries.len();
    let nothing = FixedBitSet::with_capacity(graph.modules.len());
    let first: Vec<FixedBitSet> = roots[..entries].iter().map(|root| reach(graph, *root, &nothing)).collect();
    // What all entries have is there for everyone, so nobody looks at it again.
    let mut common = first.first().cloned().unwrap_or_default();
    for reached in &first {
        common.intersect_with(reached);
    }
    let of_entries = first.iter().map(|reached| reached.ones().collect::<ModuleSet>());
    let of_others = roots[entries..].iter().map(|root| reach(graph, *root, &common).ones().collect());
    let reached: Vec<ModuleSet> = of_entries.chain(of_others).collect();
    let available = available(graph, roots, &reached, |module| loaded_by(graph, module).collect());
    let mut sheet_roots: BTreeMap<ModuleId, EntrySet> = BTreeMap::new();
    let mut loads: Vec<(usize, usize)> =
        graph.lazy_numbers().flat_map(|root| (0..entries).map(move |entry| (entry, root))).collect();
    for (root, (reached, available)) in reached.iter().zip(&available).enumerate() {
        for module in reached.difference(available).map(ModuleId::at) {
            if graph.modules[module.index()].stylesheet.is_some() {
                sheet_roots.entry(module).or_default().insert(root);
            }
            let targets = loaded_by(graph, module).map(|target| numbers[&target]).filter(|target| *target != root);
            loads.extend(targets.map(|target| (root, target)));
        }
    }
    (sheet_roots, loads)
}

/// The modules that a module loads with `import()`.
pub(super) fn loaded_by(graph: &ModuleGraph, module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let asked = graph.modules[module.index()].imported_modules();
    asked.filter(|(record, _)| matches!(record.kind, ImportKind::Dynamic { .. })).map(|(_, target)| target)
}

/// The modules that a module asks for at once.
pub(super) fn at_once(graph: &ModuleGraph, module: ModuleId) -> impl Iterator<Item = ModuleId> {
    let asked = graph.modules[module.index()].imported_modules();
    asked.filter(|(record, _)| !matches!(record.kind, ImportKind::Dynamic { .. })).map(|(_, target)| target)
}

/// The modules that a module leads to at once, itself included, without those that are known.
pub(super) fn reach(graph: &ModuleGraph, root: ModuleId, known: &FixedBitSet) -> FixedBitSet {
    let mut reached = FixedBitSet::with_capacity(graph.modules.len());
    let mut stack = vec![root];
    while let Some(module) = stack.pop() {
        if known.contains(module.index()) || reached.put(module.index()) {
            continue;
        }
        stack.extend(at_once(graph, module));
    }
    reached
}
