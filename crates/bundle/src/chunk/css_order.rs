//! CSS order: of two rules that are equal otherwise, that of the later style sheet wins.
//!
//! Every entry and every target of `import()` asks for one order, that of its imports. Out of all of them one order of
//! all sheets is made, and every document keeps it, whichever of them it has and whenever they came. So a page looks the
//! same whatever was shown before. Where two entries contradict each other, the one that comes first in the graph decides,
//! which is told.
//!
//! The sheets of a chunk are one file as long as no entry has others between them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    path::Path,
};

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    text::text,
};

use super::plan::{ChunkGraph, ChunkId, ChunkOutline};
use crate::{
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
    pub chunk: ChunkId,
    /// Readable part of its name, different for each file of the chunk.
    pub name: String,
    /// The modules of its sheets, in order.
    pub modules: Vec<ModuleId>,
}

impl CssOrder {
    pub(crate) fn new(graph: &ModuleGraph, plan: &ChunkGraph) -> Self {
        let context = Context { graph, plan };
        let wanted: Vec<Vec<ImportedSheet>> = (0..plan.roots.len()).map(|root| context.imported(root)).collect();
        let mut numbers = FxHashMap::default();
        for imported in wanted.iter().flatten() {
            let next = numbers.len();
            numbers.entry(imported.sheet).or_insert(next);
        }
        let mut order = Order { after: vec![FixedBitSet::with_capacity(numbers.len()); numbers.len()] };
        let mut warnings = Vec::new();
        for (root, imported) in wanted.iter().enumerate() {
            let own: Vec<usize> = imported.iter().map(|imported| numbers[&imported.sheet]).collect();
            let is_told = |(first, second): &(usize, usize)| {
                [first, second].iter().all(|index| !context.is_css_module(imported[**index].sheet))
            };
            if let Some((first, second)) = order.contradictions(&own).find(is_told) {
                warnings.push(context.contradiction(&wanted[..root], &imported[first], &imported[second]));
            }
            order.add(&own);
        }
        let ranks = order.ranks();
        let rank: FxHashMap<ModuleId, usize> =
            numbers.into_iter().map(|(sheet, number)| (sheet, ranks[number])).collect();
        let files = context.files(&wanted, &rank);
        let of_root = plan.roots.iter().enumerate().map(|(number, root)| {
            let is_own = |file: &SheetFile| plan.outline(file.chunk).loaded_by.contains(number);
            let own = files.iter().enumerate().filter(|(_, file)| is_own(file)).map(|(index, _)| index);
            (*root, own.collect())
        });
        Self { of_root: of_root.collect(), files, warnings }
    }
}

/// A sheet as an entry comes by it.
struct ImportedSheet {
    sheet: ModuleId,
    /// The script that imports it, directly or by way of other sheets, and with which of its import records.
    by: Option<(ModuleId, usize)>,
}

struct Context<'a> {
    graph: &'a ModuleGraph,
    plan: &'a ChunkGraph,
}

impl Context<'_> {
    /// The sheets that are loaded for a root, in the order of its imports.
    fn imported(&self, root: usize) -> Vec<ImportedSheet> {
        let modules = &self.graph.modules;
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        // An explicit stack: import chains may be longer than a thread's stack is deep.
        let mut stack = vec![(self.plan.roots[root], None, false)];
        while let Some((module, by, done)) = stack.pop() {
            if done {
                let is_own = self.chunk_of(module).is_some_and(|chunk| chunk.loaded_by.contains(root));
                if is_own && modules[module.index()].stylesheet.is_some() {
                    found.push(ImportedSheet { sheet: module, by });
                }
            } else if seen.insert(module) {
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

    fn chunk_of(&self, module: ModuleId) -> Option<&ChunkOutline> {
        self.plan.chunk_of.get(&module).map(|chunk| self.plan.outline(*chunk))
    }

    /// Divides the sheets of each chunk into as few files as keep the order of every root.
    fn files(&self, wanted: &[Vec<ImportedSheet>], rank: &FxHashMap<ModuleId, usize>) -> Vec<SheetFile> {
        let positions: Vec<FxHashMap<ModuleId, usize>> = wanted
            .iter()
            .map(|imported| {
                let mut sheets: Vec<ModuleId> = imported.iter().map(|imported| imported.sheet).collect();
                sheets.sort_by_key(|sheet| rank[sheet]);
                sheets.into_iter().enumerate().map(|(position, sheet)| (sheet, position)).collect()
            })
            .collect();
        let follows = |chunk: &ChunkOutline, first: ModuleId, second: ModuleId| {
            chunk.loaded_by.ones().all(|root| positions[root][&first] + 1 == positions[root][&second])
        };
        let mut files = Vec::new();
        for (index, chunk) in self.plan.outlines().enumerate() {
            let mut sheets: Vec<ModuleId> =
                chunk.modules.iter().copied().filter(|module| rank.contains_key(module)).collect();
            sheets.sort_by_key(|sheet| rank[sheet]);
            let runs = sheets.chunk_by(|first, second| follows(chunk, *first, *second));
            files.extend(runs.enumerate().map(|(number, run)| SheetFile {
                chunk: ChunkId(index),
                name: if number == 0 { chunk.name.clone() } else { format!("{}-{}", chunk.name, number + 1) },
                modules: run.to_vec(),
            }));
        }
        files.sort_by_key(|file| rank[&file.modules[0]]);
        files
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
            "`{earlier}` is imported before `{later}` here, but comes after it everywhere",
            "这里先导入 `{earlier}` 后导入 `{later}`，但在所有页面上前者都排在后者之后"
        ))
        .with_hint(text!(
            "import the two in one order everywhere, or put what must win into a later `@layer`",
            "请处处按同样的顺序导入这两个，或者把要优先生效的放进靠后的 `@layer`"
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

/// Constraints on the order of sheets, which are numbers here.
struct Order {
    /// For each sheet, all that come after it.
    after: Vec<FixedBitSet>,
}

impl Order {
    /// Pairs of indices into `sheets`, a sequence that is wanted, whose sheets come in the opposite order.
    fn contradictions(&self, sheets: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        let pairs = (0..sheets.len()).flat_map(|second| (0..second).rev().map(move |first| (first, second)));
        pairs.filter(|(first, second)| self.after[sheets[*second]].contains(sheets[*first]))
    }

    /// Keeps the order of `sheets` wherever nothing contradicts it.
    fn add(&mut self, sheets: &[usize]) {
        for (index, &second) in sheets.iter().enumerate() {
            for &first in sheets[..index].iter().rev() {
                if !self.after[second].contains(first) && !self.after[first].contains(second) {
                    self.put(first, second);
                }
            }
        }
    }

    fn put(&mut self, first: usize, second: usize) {
        let mut later = self.after[second].clone();
        later.insert(second);
        for sheet in 0..self.after.len() {
            if sheet == first || self.after[sheet].contains(first) {
                self.after[sheet].union_with(&later);
            }
        }
    }

    /// For each sheet, its place in one order of all. Of those that may come next, the lowest number does.
    fn ranks(&self) -> Vec<usize> {
        let mut before = vec![0_usize; self.after.len()];
        for later in self.after.iter().flat_map(FixedBitSet::ones) {
            before[later] += 1;
        }
        let mut next: BinaryHeap<Reverse<usize>> =
            (0..before.len()).filter(|sheet| before[*sheet] == 0).map(Reverse).collect();
        let mut ranks = vec![0; before.len()];
        let mut rank = 0;
        while let Some(Reverse(sheet)) = next.pop() {
            ranks[sheet] = rank;
            rank += 1;
            for later in self.after[sheet].ones() {
                before[later] -= 1;
                if before[later] == 0 {
                    next.push(Reverse(later));
                }
            }
        }
        ranks
    }
}
