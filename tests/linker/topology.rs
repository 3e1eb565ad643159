//! Which modules there are: who imports and loads whom, and of which kind each is.

use std::collections::BTreeSet;

use super::{
    draft::Module,
    features::{Feature, Features},
    graph::Graph,
};
use crate::support::random::Random;

/// The modules of a program, without what is in them.
pub(crate) struct Topology {
    pub(crate) modules: Vec<Module>,
    /// In the order in which they are loaded.
    pub(crate) entries: Vec<usize>,
}

pub(crate) fn topology(random: &mut Random, features: &Features) -> Topology {
    if features.has(Feature::Entries) && features.has(Feature::PurePackages) && random.chance(15) {
        return site(random, features);
    }
    let mut modules = anything(random);
    let entries = choose_entries(random, features, modules.len());
    choose_kinds(random, features, &entries, &mut modules);
    Topology { modules, entries }
}

/// Pages of a site that have packages in common. Some of these say that they have no side effects, and lead to others that
/// have some.
fn site(random: &mut Random, features: &Features) -> Topology {
    let pages = 2 + random.below(3);
    let packages = pages + random.below(3);
    let count = packages + 2 + random.below(5);
    let mut modules: Vec<Module> = (0..count).map(|_| Module::default()).collect();
    let mut entries = vec![Graph::ENTRY];
    for page in 0..pages {
        modules[page].imports.extend((pages..packages).filter(|_| random.chance(60)));
        for _ in 0..=random.below(3) {
            modules[page].imports.push(packages + random.below(count - packages));
        }
        match page {
            Graph::ENTRY => {}
            page if random.chance(50) => modules[Graph::ENTRY].loads.push(page),
            page => entries.push(page),
        }
    }
    for module in &mut modules[packages..count] {
        let kind = random.below(4);
        module.is_loose = true;
        module.is_common = kind == 0 && features.has(Feature::CommonJs);
        module.is_quiet = kind > 1;
        module.is_pure = !module.is_common && random.chance(70);
    }
    for package in packages..count - 1 {
        for _ in 0..random.below(3) {
            let target = package + 1 + random.below(count - package - 1);
            if !modules[package].is_common || modules[target].is_common {
                modules[package].imports.push(target);
            }
        }
    }
    for module in &mut modules {
        distinct(&mut module.imports);
    }
    Topology { modules, entries }
}

/// The entries, in the order in which they are loaded.
fn choose_entries(random: &mut Random, features: &Features, count: usize) -> Vec<usize> {
    let mut entries = vec![Graph::ENTRY];
    if features.has(Feature::Entries) && random.chance(40) {
        entries.extend((0..=random.below(3)).map(|_| random.below(count)));
    }
    distinct(&mut entries);
    random.shuffle(&mut entries);
    entries
}

/// Decides which modules are CommonJS, which only import, and which are of packages without side effects.
fn choose_kinds(random: &mut Random, features: &Features, entries: &[usize], modules: &mut [Module]) {
    if features.has(Feature::Barrels) && random.chance(50) {
        modules[1..].iter_mut().for_each(|module| module.is_barrel = random.chance(25));
    }
    if random.chance(50) {
        modules[1..].iter_mut().for_each(|module| module.is_quiet = !module.is_barrel && random.chance(30));
    }
    if features.has(Feature::CommonJs) && random.chance(30) {
        for module in (1..modules.len()).filter(|module| !entries.contains(module)) {
            modules[module].is_common = random.chance(40);
        }
        // Such a module requires what is like it when it runs. What the engine must have run by itself comes later.
        for module in (0..modules.len()).filter(|module| modules[*module].is_common).collect::<Vec<_>>() {
            let (common, others): (Vec<_>, Vec<_>) =
                std::mem::take(&mut modules[module].imports).into_iter().partition(|target| modules[*target].is_common);
            let module = &mut modules[module];
            module.imports = common.into_iter().filter(|target| !module.imports.contains(target)).collect();
            module.loads.extend(others);
            (module.is_barrel, module.is_quiet) = (false, false);
            distinct(&mut module.loads);
        }
    }
    if features.has(Feature::PurePackages) && random.chance(30) {
        choose_loose(random, modules);
    }
}

/// Decides which modules are of packages without side effects, and which of the others only such modules may run. What
/// nobody needs of these need not run, and what runs may do so at another time.
fn choose_loose(random: &mut Random, modules: &mut [Module]) {
    let leads_to_others = random.chance(50);
    let count = modules.len();
    let is_in_circle = |at: usize| {
        let mut reached: Vec<usize> = modules[at].imports.clone();
        let mut next = 0;
        while let Some(&module) = reached.get(next) {
            let new: Vec<usize> =
                modules[module].imports.iter().copied().filter(|target| !reached.contains(target)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.contains(&at)
    };
    // What CommonJS modules in a circle see of each other depends on which of them is asked for first.
    let may_be: Vec<bool> = (0..count)
        .map(|at| {
            let Module { is_common, loads, .. } = &modules[at];
            at != Graph::ENTRY && loads.is_empty() && (!is_common || (leads_to_others && !is_in_circle(at)))
        })
        .collect();
    for (module, may_be) in modules.iter_mut().zip(may_be) {
        module.is_loose = may_be && random.chance(if leads_to_others { 80 } else { 60 });
    }
    // Nothing that has effects on others may depend on whether they run.
    loop {
        let leads_out = |module: &Module| module.imports.iter().any(|import| !modules[*import].is_loose);
        let Some(at) = modules.iter().position(|module| module.is_loose && leads_out(module)) else { break };
        modules[at].is_loose = false;
    }
    for module in modules {
        module.is_pure = module.is_loose && !module.is_common && (!leads_to_others || random.chance(60));
    }
}

/// Who imports and loads whom. Every module is reached from the entry.
fn anything(random: &mut Random) -> Vec<Module> {
    let count = 2 + random.below(11);
    let mut modules: Vec<Module> = (0..count).map(|_| Module::default()).collect();
    let is_lazy = random.chance(55);
    let has_cycles = random.chance(60);
    for module in 1..count {
        let parent = random.below(module);
        if is_lazy && random.chance(35) {
            modules[parent].loads.push(module);
        } else {
            modules[parent].imports.push(module);
        }
    }
    for _ in 0..random.below(count * 2) {
        let (from, to) = (random.below(count), random.below(count));
        if from < to || (has_cycles && (from != to || random.chance(20))) {
            modules[from].imports.push(to);
        }
    }
    for _ in 0..random.below(count) {
        let (from, to) = (random.below(count), random.below(count));
        modules[from].loads.push(to);
    }
    for module in &mut modules {
        distinct(&mut module.imports);
        distinct(&mut module.loads);
        random.shuffle(&mut module.imports);
    }
    modules
}

fn distinct(items: &mut Vec<usize>) {
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(*item));
}
