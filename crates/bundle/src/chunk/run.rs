//! Simulation of loading an entry: checks that modules run in the order that the language prescribes.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::{Evaluation, ModuleId};

/// The order that the language prescribes for one entry: sequences of modules, each in the order in which its modules run.
///
/// A module that changes what others see must come after all before it whose evaluation is observable; one that only
/// looks at others, after all that change something. A member of an import cycle must come after those before it, which
/// it may read, whatever its package says about side effects. Outside of cycles that goes without saying, since every
/// order of modules puts what is imported first.
pub(crate) struct Prescribed {
    sequences: Vec<Vec<ModuleId>>,
    turns: FxHashMap<ModuleId, Vec<Turn>>,
}

/// A module must not run before the first `place` modules of a sequence.
#[derive(Clone, Copy)]
struct Turn {
    sequence: usize,
    place: usize,
}

/// The sequence of all modules whose evaluation is observable.
const NOTICED: usize = 0;
/// The sequence of those that change something.
const CHANGES: usize = 1;

impl Prescribed {
    /// `modules` are those that the entry needs, in the order of the language. `cycle_of` has the numbers of cycles of
    /// imports.
    pub(crate) fn new(
        modules: impl Iterator<Item = ModuleId>,
        evaluation: impl Fn(ModuleId) -> Evaluation,
        cycle_of: &FxHashMap<ModuleId, usize>,
    ) -> Self {
        let mut prescribed = Self { sequences: vec![Vec::new(), Vec::new()], turns: FxHashMap::default() };
        let mut sequence_of: FxHashMap<usize, usize> = FxHashMap::default();
        for module in modules {
            let evaluation = evaluation(module);
            prescribed.turns.entry(module).or_default();
            if evaluation > Evaluation::Free {
                let decides = if evaluation == Evaluation::Changes { NOTICED } else { CHANGES };
                prescribed.add_turn(module, decides);
                prescribed.sequences[NOTICED].push(module);
            }
            if evaluation == Evaluation::Changes {
                prescribed.sequences[CHANGES].push(module);
            }
            if let Some(cycle) = cycle_of.get(&module) {
                let sequence = *sequence_of.entry(*cycle).or_insert_with(|| prescribed.new_sequence());
                prescribed.add_turn(module, sequence);
                prescribed.sequences[sequence].push(module);
            }
        }
        prescribed
    }

    fn new_sequence(&mut self) -> usize {
        self.sequences.push(Vec::new());
        self.sequences.len() - 1
    }

    /// Lets `module` come after what is in the sequence so far.
    fn add_turn(&mut self, module: ModuleId, sequence: usize) {
        let place = self.sequences[sequence].len();
        self.turns.entry(module).or_default().push(Turn { sequence, place });
    }
}

/// Progress of a simulated run.
pub(crate) struct Run<'a> {
    prescribed: &'a Prescribed,
    done: FxHashSet<ModuleId>,
    /// For each sequence, the place of the first module that has not run.
    next: Vec<usize>,
}

impl<'a> Run<'a> {
    /// `has_run` says which modules have run before.
    pub(crate) fn new(prescribed: &'a Prescribed, has_run: impl Fn(ModuleId) -> bool) -> Self {
        let done = prescribed.turns.keys().copied().filter(|module| has_run(*module)).collect();
        let mut run = Self { prescribed, done, next: vec![0; prescribed.sequences.len()] };
        (0..run.next.len()).for_each(|sequence| run.advance(sequence));
        run
    }

    pub(crate) fn has_run(&self, module: ModuleId) -> bool {
        self.done.contains(&module)
    }

    /// Runs `modules`, unless one of them would come too soon.
    pub(crate) fn go_on(&mut self, modules: &[ModuleId]) -> bool {
        let next = self.next.clone();
        for (count, module) in modules.iter().enumerate() {
            if self.comes_too_soon(*module) {
                for module in &modules[..count] {
                    self.done.remove(module);
                }
                self.next = next;
                return false;
            }
            self.pass(*module);
        }
        true
    }

    /// Runs `module`, whatever should have come before.
    pub(crate) fn pass(&mut self, module: ModuleId) {
        self.done.insert(module);
        let turns = self.prescribed.turns.get(&module).into_iter().flatten();
        for sequence in [NOTICED, CHANGES].into_iter().chain(turns.map(|turn| turn.sequence)) {
            self.advance(sequence);
        }
    }

    /// True if something has not run that must come before `module`. What is not prescribed at all comes after everything.
    fn comes_too_soon(&self, module: ModuleId) -> bool {
        let turns = self.prescribed.turns.get(&module);
        turns.is_none_or(|turns| turns.iter().any(|turn| self.next[turn.sequence] < turn.place))
    }

    fn advance(&mut self, sequence: usize) {
        let modules = &self.prescribed.sequences[sequence];
        let next = &mut self.next[sequence];
        while modules.get(*next).is_some_and(|module| self.done.contains(module)) {
            *next += 1;
        }
    }
}
