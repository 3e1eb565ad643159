//! CSS order: of two rules that are equal otherwise, that of the later style sheet wins.
//!
//! Every entry and every target of `import()` asks for one order, that of its imports, behind the sheets of what loads it. Out
//! of all of them one order of all sheets is made, and every document keeps it, whichever of them it has and whenever they
//! came. So a page looks the same whatever was shown before. Where two entries contradict each other, the one that comes first
//! in the graph decides, which is told.
//!
//! A sheet's place is made of how many must come before it, and of its name. It does not follow from how many other sheets
//! there are, so that a new one changes no file that names the places of others.
//!
//! The sheets that the same roots need are one file as long as no root has others between them.

use std::{collections::BTreeMap, path::Path};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::text,
};

use super::{
    merge,
    partial_order::PartialOrder,
    plan::{ChunkGraph, ChunkId},
    reachability::EntrySet,
};
use crate::{
    asset,
    css::is_css_module,
    graph::ModuleGraph,
    module::{ImportKind, ModuleId, Target},
    names::{file_of_part, is_sheet_module},
    syntax::place,
};

/// The CSS files, and their order.
pub(crate) struct CssOrder {
    /// In the order of their rules.
    pub files: Vec<SheetFile>,
    /// For each entry and each target of `import()`, the files that it brings, in order.
    pub of_root: BTreeMap<ModuleId, Vec<usize>>,
    /// Orders that cannot be kept.
    pub warnings: Vec<Diagnostic>,
}

/// A CSS file to be.
pub(crate) struct SheetFile {
    /// The chunk with the code that belongs to the sheets.
    pub chunk: ChunkId,
    /// Readable part of its name, different for each file that the same roots load.
    pub name: String,
    /// The modules of its sheets, in order.
    pub modules: Vec<ModuleId>,
    /// Its place among all files: comes before those with a higher one.
    pub place: usize,
}

impl CssOrder {
    pub(crate) fn new(graph: &ModuleGraph, plan: &ChunkGraph) -> Self {
        let cascade = Cascade::new(graph, &plan.roots, &plan.sheet_roots, loads(graph, plan));
        let (places, warnings) = cascade.places();
        let files = Context { graph, plan }.files(&places);
        let mut of_root: BTreeMap<ModuleId, Vec<usize>> = plan.roots.iter().map(|root| (*root, Vec::new())).collect();
        for (index, (_, roots)) in files.iter().enumerate() {
            for root in roots.iter() {
                of_root.entry(plan.roots[root]).or_default().push(index);
            }
        }
        Self { of_root, files: files.into_iter().map(|(file, _)| file).collect(), warnings }
    }
}

/// Pairs of roots of which the first one loads the second one, by the chunks that name others.
fn loads(graph: &ModuleGraph, plan: &ChunkGraph) -> Vec<(usize, usize)> {
    let entries = graph.entries.len();
    let by_entries = graph.lazy_numbers().flat_map(|root| (0..entries).map(move |entry| (entry, root)));
    let number: FxHashMap<ModuleId, usize> =
        plan.roots.iter().enumerate().map(|(number, root)| (*root, number)).collect();
    let by_chunks = plan.chunks.iter().flat_map(|chunk| {
        let targets = chunk.lazy_targets.iter().filter_map(|target| number.get(target));
        targets.flat_map(|target| chunk.outline.loaded_by.iter().map(move |importer| (importer, *target)))
    });
    by_entries.chain(by_chunks).filter(|(importer, root)| importer != root).collect()
}

/// A sheet as an entry comes by it.
struct ImportedSheet {
    sheet: ModuleId,
    /// The script that imports it, directly or by way of other sheets, and with which of its import records.
    by: Option<(ModuleId, usize)>,
}

/// The style sheets of a graph, with what decides about their order.
pub(crate) struct Cascade<'a> {
    graph: &'a ModuleGraph,
    roots: &'a [ModuleId],
    /// See [`ChunkGraph::sheet_roots`].
    sheet_roots: &'a BTreeMap<ModuleId, EntrySet>,
    /// Pairs of roots of which the first one loads the second one.
    loads: Vec<(usize, usize)>,
    /// The modules that lead to a sheet.
    leading: FixedBitSet,
}

impl<'a> Cascade<'a> {
    pub(crate) fn new(
        graph: &'a ModuleGraph,
        roots: &'a [ModuleId],
        sheet_roots: &'a BTreeMap<ModuleId, EntrySet>,
        loads: Vec<(usize, usize)>,
    ) -> Self {
        Self { graph, roots, sheet_roots, loads, leading: leading_to(graph, sheet_roots.keys().copied()) }
    }

    /// The sheets that are loaded for a root, in the order of its imports.
    fn imported(&self, root: usize) -> Vec<ImportedSheet> {
        let modules = &self.graph.modules;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(self.roots[root], None, false)];
        while let Some((module, by, done)) = stack.pop() {
            if done {
                let is_own = self.sheet_roots.get(&module).is_some_and(|roots| roots.contains(root));
                found.extend(is_own.then_some(ImportedSheet { sheet: module, by }));
            } else if self.leading.contains(module.index()) && seen.insert(module) {
                stack.push((module, by, true));
                let is_script = !is_sheet_module(&modules[module.index()].name);
                let records = modules[module.index()].import_records().enumerate().rev();
                stack.extend(records.filter_map(|(index, (record, target))| match target {
                    Target::Module(target) if !matches!(record.kind, ImportKind::Dynamic { .. }) => {
                        Some((*target, if is_script { Some((module, index)) } else { by }, false))
                    }
                    _ => None,
                }));
            }
        }
        found
    }

    /// The place of each sheet, and where roots contradict each other.
    pub(crate) fn places(&self) -> (BTreeMap<ModuleId, Rank>, Vec<Diagnostic>) {
        let wanted: Vec<Vec<ImportedSheet>> = (0..self.roots.len()).map(|root| self.imported(root)).collect();
        let mut numbers = FxHashMap::default();
        let mut sheets = Vec::new();
        for imported in wanted.iter().flatten() {
            numbers.entry(imported.sheet).or_insert_with(|| {
                sheets.push(imported.sheet);
                sheets.len() - 1
            });
        }
        let mut order = PartialOrder::new(sheets.len());
        let mut warnings = Vec::new();
        let sequence = |root: usize| wanted[root].iter().map(|imported| numbers[&imported.sheet]);
        for (root, imported) in wanted.iter().enumerate() {
            let own: Vec<usize> = sequence(root).collect();
            let is_told = |(first, second): &(usize, usize)| {
                [first, second].iter().all(|index| !self.is_css_module(imported[**index].sheet))
            };
            if let Some((first, second)) = contradictions(&order, &own).find(is_told) {
                warnings.push(self.contradiction(&wanted[..root], &imported[first], &imported[second]));
            }
            order.add(&own);
        }
        for (importer, root) in &self.loads {
            let mut both: Vec<usize> = sequence(*importer).chain(sequence(*root)).collect();
            let mut seen = FxHashSet::default();
            both.retain(|sheet| seen.insert(*sheet));
            order.add(&both);
        }
        let depths = order.depths();
        let rank =
            |(sheet, depth): (ModuleId, usize)| (sheet, Rank::new(depth, &self.graph.modules[sheet.index()].name));
        (sheets.into_iter().zip(depths).map(rank).collect(), warnings)
    }

    /// The classes of CSS modules do not meet unless an element is given those of two, so their order rarely matters.
    fn is_css_module(&self, sheet: ModuleId) -> bool {
        is_css_module(Path::new(file_of_part(&self.graph.modules[sheet.index()].name)))
    }

    /// Says that `first` comes after `second`, which others import earlier.
    fn contradiction(
        &self,
        others: &[Vec<ImportedSheet>],
        first: &ImportedSheet,
        second: &ImportedSheet,
    ) -> Diagnostic {
        let name = |imported: &ImportedSheet| file_of_part(&self.graph.modules[imported.sheet.index()].name).to_owned();
        let (earlier, later) = (name(first), name(second));
        let warning = Diagnostic::warning(text!(
            "`{earlier}` is imported before `{later}` here, but comes after it on every page",
            "这里先导入 `{earlier}` 后导入 `{later}`，但在所有页面上前者都排在后者之后"
        ))
        .with_hint(text!(
            "import the two in the same order everywhere, or put the rules that must win into a later `@layer`",
            "请在各处按同样的顺序导入它们，或者把要优先生效的规则放进靠后的 `@layer`"
        ));
        let warning = warning.at_known(self.place(second));
        let opposite = others.iter().find_map(|imported| {
            let at = |sheet| imported.iter().position(|imported| imported.sheet == sheet);
            let (first, second) = (at(first.sheet)?, at(second.sheet)?);
            (second < first).then(|| self.place(&imported[first]))?
        });
        match opposite {
            Some(place) => warning.with_related(
                place,
                text!("here `{earlier}` is imported after `{later}`", "这里 `{earlier}` 在 `{later}` 之后导入"),
            ),
            None => warning,
        }
    }

    fn place(&self, imported: &ImportedSheet) -> Option<Place> {
        let (script, record) = imported.by?;
        let module = &self.graph.modules[script.index()];
        Some(place(&module.source, module.scan.import_records[record].span))
    }
}

/// The modules that lead to some others, these included.
fn leading_to(graph: &ModuleGraph, targets: impl Iterator<Item = ModuleId>) -> FixedBitSet {
    let mut importers: Vec<Vec<ModuleId>> = vec![Vec::new(); graph.modules.len()];
    for (index, module) in graph.modules.iter().enumerate() {
        module.imported_modules().for_each(|(_, target)| importers[target.index()].push(ModuleId::at(index)));
    }
    let mut leading = FixedBitSet::with_capacity(graph.modules.len());
    let mut stack: Vec<ModuleId> = targets.collect();
    while let Some(module) = stack.pop() {
        if !leading.put(module.index()) {
            stack.extend(&importers[module.index()]);
        }
    }
    leading
}

struct Context<'a> {
    graph: &'a ModuleGraph,
    plan: &'a ChunkGraph,
}

impl Context<'_> {
    /// Divides the sheets that the same roots load into as few files as keep the order of every root. With each file, the
    /// roots that load it.
    fn files(&self, ranks: &BTreeMap<ModuleId, Rank>) -> Vec<(SheetFile, EntrySet)> {
        let mut sheets: Vec<ModuleId> = ranks.keys().copied().collect();
        sheets.sort_by_key(|sheet| (ranks[sheet], *sheet));
        let roots_of = self.with_entry(&sheets);
        let mut of_roots: Vec<Vec<ModuleId>> = vec![Vec::new(); self.plan.roots.len()];
        let mut groups: BTreeMap<&EntrySet, Vec<ModuleId>> = BTreeMap::new();
        for sheet in &sheets {
            roots_of[sheet].iter().for_each(|root| of_roots[root].push(*sheet));
            groups.entry(&roots_of[sheet]).or_default().push(*sheet);
        }
        let neighbours: Vec<FxHashSet<(ModuleId, ModuleId)>> =
            of_roots.iter().map(|sheets| sheets.windows(2).map(|pair| (pair[0], pair[1])).collect()).collect();
        let names: FxHashMap<ModuleId, &str> =
            self.plan.outlines().filter_map(|chunk| Some((chunk.entry?, chunk.name.as_str()))).collect();
        let mut files = Vec::new();
        for (roots, sheets) in groups {
            let follows = |first: &ModuleId, second: &ModuleId| {
                roots.iter().all(|root| neighbours[root].contains(&(*first, *second)))
            };
            for (number, run) in sheets.chunk_by(follows).enumerate() {
                let name = roots.only().and_then(|root| names.get(&self.plan.roots[root]).copied());
                files.push((self.file(name, run, number, ranks[&run[0]]), roots.clone()));
            }
        }
        files.sort_by_key(|(file, _)| (file.place, file.modules[0]));
        files
    }

    /// The file of `sheets`, the `number`th of those that the same roots load. `name` is that of their only root's chunk.
    fn file(&self, name: Option<&str>, sheets: &[ModuleId], number: usize, Rank(place): Rank) -> SheetFile {
        let stem = || self.graph.modules[sheets[sheets.len() - 1].index()].stem.clone();
        let name = name.map_or_else(|| asset::readable(&stem()), ToOwned::to_owned);
        let name = if number == 0 { name } else { format!("{name}-{}", number + 1) };
        let chunk = self.plan.chunk_of.get(&sheets[0]).copied().unwrap_or(ChunkId(0));
        SheetFile { chunk, name, modules: sheets.to_vec(), place }
    }

    /// The roots that load each sheet. Small ones that many pages need, and that mean nothing to others, are loaded with the
    /// entry, unless a sheet of a page comes before them.
    fn with_entry(&self, sheets: &[ModuleId]) -> FxHashMap<ModuleId, EntrySet> {
        let Self { graph, plan } = self;
        let text_of = |sheet: ModuleId| graph.modules[sheet.index()].stylesheet.as_ref();
        let size_of = |sheet: ModuleId| text_of(sheet).map_or(0, |text| text.code.len());
        let mut sizes: FxHashMap<&EntrySet, usize> = FxHashMap::default();
        for sheet in sheets {
            *sizes.entry(&plan.sheet_roots[sheet]).or_default() += size_of(*sheet);
        }
        let mut has_own = EntrySet::default();
        // A layer has its rank from the sheet that names it first.
        let mut layers: FxHashSet<&String> = FxHashSet::default();
        let mut loaded = FxHashMap::default();
        for &sheet in sheets {
            let roots = &plan.sheet_roots[&sheet];
            let text = text_of(sheet);
            let is_merged = text
                .is_some_and(|text| text.is_scoped && text.layers.iter().all(|name| layers.contains(name)))
                && graph.entries.len() == 1
                && has_own.is_disjoint(roots)
                && merge::pays(graph, roots, sizes[roots]);
            if !is_merged {
                has_own = has_own.union(roots);
            }
            if roots.contains(0) {
                layers.extend(text.into_iter().flat_map(|text| &text.layers));
            }
            let with_entry = || std::iter::once(0).collect();
            loaded.insert(sheet, if is_merged { with_entry() } else { roots.clone() });
        }
        loaded
    }
}

/// A sheet's place among all: before those with a higher one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(pub usize);

/// How many bits of a rank come from the name: all in all, it is a number that JavaScript has exactly.
const NAME_BITS: u32 = 24;

impl Rank {
    /// Of a sheet before which `depth` others must come, at most.
    fn new(depth: usize, name: &str) -> Self {
        let name = usize::try_from(xxh3_64(name.as_bytes()) >> (u64::BITS - NAME_BITS)).unwrap_or_default();
        Self((depth << NAME_BITS) | name)
    }
}

/// Pairs of indices into `sheets`, a sequence that is wanted, whose sheets come in the opposite order.
fn contradictions(order: &PartialOrder, sheets: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = (0..sheets.len()).flat_map(|second| (0..second).rev().map(move |first| (first, second)));
    pairs.filter(|(first, second)| order.has(sheets[*second], sheets[*first]))
}
