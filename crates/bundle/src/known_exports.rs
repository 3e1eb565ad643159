//! The exports of a CommonJS module, as far as its syntax tells them.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use swc_core::atoms::Atom;

use crate::effect::Effect;

/// The parts of a module that is not open: its top-level statements, in order.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KnownExports {
    pub parts: Vec<Part>,
    /// It says that it was an ES module once, with `default` for the default export.
    pub is_es_module: bool,
}

impl KnownExports {
    /// Every export that the module may ever have, sorted.
    pub(crate) fn names(&self) -> BTreeSet<Atom> {
        self.parts.iter().flat_map(|part| part.defines.iter().chain(&part.mentions)).cloned().collect()
    }

    /// Whether the module is sure to have an export; `None` if it is sure not to have it.
    pub(crate) fn defines(&self, name: &Atom) -> Option<bool> {
        let is_mentioned = self.parts.iter().any(|part| part.mentions.contains(name));
        if self.parts.iter().any(|part| part.defines.contains(name)) {
            Some(true)
        } else {
            is_mentioned.then_some(false)
        }
    }

    /// Which parts stay when only the exports in `used` are asked for.
    pub(crate) fn live_parts(&self, used: &FxHashSet<Atom>) -> Vec<bool> {
        let mut liveness = Liveness::new(self);
        for (index, part) in self.parts.iter().enumerate() {
            let is_root = part.effect == Effect::Any && part.defines.is_empty();
            if is_root || part.defines.iter().any(|name| used.contains(name)) {
                liveness.queue.push(index);
            }
        }
        liveness.run()
    }
}

/// A top-level statement of a CommonJS module.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// The exports that it defines, doing nothing else.
    pub defines: Vec<Atom>,
    /// Exports that it mentions otherwise.
    pub mentions: Vec<Atom>,
    pub declares: Vec<Atom>,
    /// Names of the module's top level that it mentions.
    pub names: Vec<Atom>,
    pub effect: Effect,
}

pub(crate) struct Liveness<'a> {
    parts: &'a [Part],
    /// For each top-level name, the parts that declare or complete it.
    owners: FxHashMap<&'a Atom, Vec<usize>>,
    definers: FxHashMap<&'a Atom, Vec<usize>>,
    live: Vec<bool>,
    queue: Vec<usize>,
}

impl<'a> Liveness<'a> {
    fn new(exports: &'a KnownExports) -> Self {
        let mut owners: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
        let mut definers: FxHashMap<&Atom, Vec<usize>> = FxHashMap::default();
        for (index, part) in exports.parts.iter().enumerate() {
            let completed = match &part.effect {
                Effect::On(name) => Some(name),
                Effect::None | Effect::Calls(_) | Effect::Any => None,
            };
            for name in part.declares.iter().chain(completed) {
                owners.entry(name).or_default().push(index);
            }
            for name in &part.defines {
                definers.entry(name).or_default().push(index);
            }
        }
        Self { parts: &exports.parts, owners, definers, live: vec![false; exports.parts.len()], queue: Vec::new() }
    }

    fn run(mut self) -> Vec<bool> {
        while let Some(index) = self.queue.pop() {
            if std::mem::replace(&mut self.live[index], true) {
                continue;
            }
            let part = &self.parts[index];
            for name in part.names.iter().chain(&part.declares) {
                self.queue.extend(self.owners.get(name).into_iter().flatten());
            }
            for name in &part.mentions {
                self.queue.extend(self.definers.get(name).into_iter().flatten());
            }
        }
        self.live
    }
}
