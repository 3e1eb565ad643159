//! Deconflicting: gives the variables of a chunk names that mean one thing each.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use swc_core::{atoms::Atom, ecma::ast::Ident};

use crate::{
    link::{Binding, Links},
    module::{Module, ModuleId, Symbol, synthetic},
};

/// Names of a chunk's variables.
pub(crate) struct Names {
    names: BTreeMap<Symbol, Atom>,
    taken: Taken,
}

impl Names {
    /// Names `symbols`, those of the modules of a `chunk` and those it takes from others, in an order that the sources
    /// decide.
    ///
    /// A new name must clash with no other variable of the chunk, hide no global that some module uses, and hide
    /// behind no inner variable where it is used.
    pub(crate) fn assign(
        modules: &[Module],
        links: &Links,
        chunk: &[ModuleId],
        symbols: impl IntoIterator<Item = Symbol>,
    ) -> Self {
        let mut taken = Taken::new(modules, chunk);
        taken.known_otherwise = chunk.iter().flat_map(|module| links.own_imports(*module)).collect();
        let known = known_to_eval(modules, links, chunk);
        let mut names = BTreeMap::new();
        let (first, others): (Vec<Symbol>, Vec<Symbol>) = symbols
            .into_iter()
            .partition(|symbol| known.contains_key(symbol) || modules[symbol.module.index()].scan.direct_eval);
        for symbol in first.into_iter().chain(others) {
            if names.contains_key(&symbol) {
                continue;
            }
            let base = known.get(&symbol).cloned().unwrap_or_else(|| base_name(modules, &symbol));
            let name = taken.take(&base, &symbol);
            names.insert(symbol, name);
        }
        Self { names, taken }
    }

    /// A name for a variable that belongs to no module.
    pub(crate) fn fresh(&mut self, base: &str) -> Atom {
        self.taken.take(&base.into(), &Symbol::new(ModuleId::HELPERS, base))
    }

    /// The variable that was given a name.
    pub(crate) fn symbol(&self, name: &Atom) -> Option<&Symbol> {
        self.names.iter().find(|(_, given)| *given == name).map(|(symbol, _)| symbol)
    }

    /// The name of a variable that was given to [`Names::assign`].
    pub(crate) fn get(&self, symbol: &Symbol) -> Option<&Atom> {
        self.names.get(symbol)
    }
}

/// The names that may not be given any more.
struct Taken {
    names: FxHashSet<Atom>,
    /// Names declared inside functions, and the one module that does so, if it is one.
    nested: FxHashMap<Atom, Option<ModuleId>>,
    /// Variables that their own module also knows by another name, since it imports itself.
    known_otherwise: FxHashSet<Symbol>,
    /// The next number to try after a name.
    next: FxHashMap<Atom, usize>,
}

impl Taken {
    fn new(modules: &[Module], chunk: &[ModuleId]) -> Self {
        // Modules that wait side by side are started with it.
        let mut names = FxHashSet::from_iter(["Promise".into()]);
        let mut nested: FxHashMap<Atom, Option<ModuleId>> = FxHashMap::default();
        for &id in chunk {
            let scan = &modules[id.index()].scan;
            names.extend(scan.globals.iter().cloned());
            // In any order: the outcome is the same.
            scan.nested.iter().for_each(|name| {
                nested.entry(name.clone()).and_modify(|owner| *owner = None).or_insert(Some(id));
            });
        }
        Self { names, nested, known_otherwise: FxHashSet::default(), next: FxHashMap::default() }
    }

    fn take(&mut self, base: &Atom, symbol: &Symbol) -> Atom {
        if self.is_free(base, symbol) {
            self.names.insert(base.clone());
            return base.clone();
        }
        let mut number = self.next.get(base).copied().unwrap_or(2);
        let name = loop {
            let candidate = Atom::from(format!("{base}${number}"));
            number += 1;
            if self.is_free(&candidate, symbol) {
                break candidate;
            }
        };
        self.next.insert(base.clone(), number);
        self.names.insert(name.clone());
        name
    }

    fn is_free(&self, name: &Atom, symbol: &Symbol) -> bool {
        // Under the name that its author gave it, the author keeps it apart from inner variables of its module.
        let is_own = |nested: &Option<ModuleId>| {
            *nested == Some(symbol.module) && *name == symbol.name && !self.known_otherwise.contains(symbol)
        };
        let hidden = self.nested.get(name).is_some_and(|nested| !is_own(nested));
        !hidden && !self.names.contains(name) && Ident::verify_symbol(name).is_ok()
    }
}

/// Imports of modules with a direct `eval`, under their local names: the code in `eval` knows it by that name. Both this
/// and what such modules declare is named before everything else.
fn known_to_eval(modules: &[Module], links: &Links, chunk: &[ModuleId]) -> BTreeMap<Symbol, Atom> {
    let mut known = BTreeMap::new();
    for &module in chunk {
        let scan = &modules[module.index()].scan;
        if !scan.direct_eval {
            continue;
        }
        let mut locals: Vec<&Atom> = scan.imports.keys().collect();
        locals.sort();
        for local in locals {
            if let Binding::Symbol(symbol) = links.name(module, local) {
                known.entry(symbol).or_insert_with(|| local.clone());
            }
        }
    }
    known
}

/// The preferred name of a variable.
fn base_name(modules: &[Module], symbol: &Symbol) -> Atom {
    let stem = || identifier(&modules[symbol.module.index()].stem);
    match &*symbol.name {
        synthetic::DEFAULT => stem().into(),
        synthetic::NAMESPACE => format!("{}_namespace", stem()).into(),
        synthetic::REQUIRED => format!("{}_required", stem()).into(),
        synthetic::INIT => format!("init_{}", stem()).into(),
        synthetic::REQUIRE => format!("require_{}", stem()).into(),
        synthetic::EXPORTS => format!("{}_exports", stem()).into(),
        synthetic::INTEROP_DEFAULT => format!("{}_default", stem()).into(),
        synthetic::INTEROP_NAMESPACE => format!("{}_star", stem()).into(),
        synthetic::NODE_NAMESPACE => format!("{}_node_star", stem()).into(),
        name => identifier(name).into(),
    }
}

pub(crate) fn identifier(stem: &str) -> String {
    let name: String = stem.chars().map(|c| if Ident::is_valid_continue(c) { c } else { '_' }).collect();
    if Ident::verify_symbol(&name).is_ok() { name } else { format!("_{name}") }
}

/// Short names for what a chunk exports to others: `a`, `b`, …, `aa`.
pub(crate) fn short_name(mut number: usize) -> Atom {
    let mut name = Vec::new();
    loop {
        name.push(b'a' + u8::try_from(number % 26).unwrap_or_default());
        number /= 26;
        if number == 0 {
            break;
        }
        number -= 1;
    }
    name.reverse();
    String::from_utf8_lossy(&name).into()
}
