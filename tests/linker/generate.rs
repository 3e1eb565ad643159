//! Makes up a program: first who imports whom, then what everybody declares and exports, then the text.

use super::{
    draft::{Draft, Export, Found, Imported, Kind, Local, Module},
    features::{Feature, Features},
    graph::{Graph, Item},
    names::{EXPORT_ONLY, POOL},
    statements::Writer,
    topology::{Topology, topology},
};
use crate::support::random::Random;

/// The program of a seed.
pub(crate) fn generate(seed: u64, features: &Features) -> Graph {
    let mut random = Random::new(seed);
    let Topology { modules, mut entries } = topology(&mut random, features);
    let draft = Draft::new(modules);
    let has_several_chunks = (0..draft.modules.len()).any(|module| !draft.reaches(Graph::ENTRY, module));
    let ordered = entries.len() == 1 && !has_several_chunks || features.has(Feature::Order);
    let mut generator = Generator { random, features, draft, ordered };
    generator.choose_failures();
    generator.declare_all();
    let exports = generator.export_all();
    let imports = generator.import_all();
    let heads = exports.into_iter().zip(imports).map(|(exports, imports)| exports.into_iter().chain(imports).collect());
    let heads: Vec<Vec<Item>> = heads.collect();
    let Generator { mut random, draft, .. } = generator;
    // Nobody minds what else the file of an entry without exports offers.
    entries.retain(|entry| *entry == Graph::ENTRY || !draft.importable(*entry).is_empty());
    let flat = random.chance(30);
    let of_kind = |is_kind: fn(&Module) -> bool| (0..heads.len()).filter(|at| is_kind(&draft.modules[*at])).collect();
    let (common, pure) = (of_kind(|module| module.is_common), of_kind(|module| module.is_pure));
    let loose = of_kind(|module| module.is_loose);
    let writer = Writer::new(&mut random, features, draft, ordered);
    let bare = features.has(Feature::BareModules);
    Graph { entries, common, pure, loose, flat, ordered, bare, modules: writer.write(heads) }
}

struct Generator<'a> {
    random: Random,
    features: &'a Features,
    draft: Draft,
    ordered: bool,
}

impl Generator<'_> {
    fn count(&self) -> usize {
        self.draft.modules.len()
    }

    /// Which modules throw, and which export `then`: lazy ones, or nothing would run at all.
    fn choose_failures(&mut self) {
        let may_be_anywhere = self.ordered && self.features.has(Feature::Failures);
        let lazy: Vec<usize> = (0..self.count()).filter(|module| !self.draft.reaches(Graph::ENTRY, *module)).collect();
        for module in lazy {
            let Module { is_common, is_barrel, is_quiet, is_loose, .. } = self.draft.modules[module];
            if is_common || is_barrel || is_quiet {
                continue;
            }
            let may_throw = (may_be_anywhere || self.fails_safely(module)) && !is_loose;
            self.draft.modules[module].throws = may_throw && self.random.chance(15);
            if self.features.has(Feature::Thenables) && self.random.chance(10) {
                self.draft.modules[module].taken.insert("then".to_owned());
            }
        }
    }

    /// Whether `module` fails as a whole with all that leads to it: none of these is in a circle, and nothing that fails with
    /// it loads other modules meanwhile, which bundles let share its code.
    fn fails_safely(&self, module: usize) -> bool {
        let draft = &self.draft;
        let fails: Vec<usize> = (0..self.count()).filter(|other| draft.reaches(*other, module)).collect();
        let mut loaded =
            fails.iter().flat_map(|other| (0..self.count()).filter(move |next| draft.reaches(*other, *next)));
        !fails.iter().any(|other| draft.is_in_cycle(*other)) && loaded.all(|next| draft.modules[next].loads.is_empty())
    }

    fn declare_all(&mut self) {
        for index in 0..self.count() {
            if index == Graph::ENTRY {
                self.draft.modules[index].taken.insert("test".to_owned());
                let test = self.declare(index, Some("test".to_owned()), Kind::Test);
                self.draft.modules[index].exports.insert("test".to_owned(), Export::Local(test));
            }
            if self.draft.modules[index].taken.contains("then") {
                self.declare(index, Some("then".to_owned()), Kind::Function);
            }
            let Module { is_common, is_barrel, .. } = self.draft.modules[index];
            if is_barrel {
                continue;
            }
            for _ in 0..self.random.below(4) {
                if is_common { self.declare_property(index) } else { self.declare_something(index) }
            }
            if is_common {
                self.draft.modules[index].taken.extend(["exports", "module", "require", "Object"].map(str::to_owned));
                let whole = self.declare(index, None, Kind::Value);
                self.draft.modules[index].exports.insert("default".to_owned(), Export::Local(whole));
                continue;
            }
            for _ in 0..self.draft.modules[index].loads.len() {
                if self.random.chance(50) {
                    let name = self.fresh(index);
                    self.declare(index, Some(name), Kind::Lazy);
                }
            }
        }
    }

    fn declare_something(&mut self, module: usize) {
        let Module { is_loose, is_quiet, .. } = self.draft.modules[module];
        let kind = match self.random.below(100) {
            0..30 if is_quiet => Kind::Function,
            _ if is_quiet => Kind::Reader,
            0..22 => Kind::Value,
            // What others change before it runs would be seen.
            22..40 if is_loose => Kind::Value,
            // It may run before those in a circle that read it too early.
            40..50 if is_loose => Kind::Arrow,
            22..40 => Kind::Changing,
            // Read too early, it gives `undefined`, or in minified code what it is to become.
            40..50 if self.draft.is_in_cycle(module) && !self.features.has(Feature::Uninitialized) => Kind::Arrow,
            40..50 => Kind::Var,
            50..62 => Kind::Function,
            62..74 => Kind::Reader,
            74..80 => Kind::Logger,
            80..90 => Kind::Class,
            _ => Kind::Arrow,
        };
        let name = self.fresh(module);
        self.declare(module, Some(name), kind);
        if kind == Kind::Changing {
            let name = self.fresh(module);
            self.declare(module, Some(name), Kind::Bump);
        }
    }

    /// A property of what a CommonJS module exports.
    fn declare_property(&mut self, module: usize) {
        let name = *self.random.pick(&["a", "b", "value", "x", "t", "e", "Map", "count", "n", "m1", "$", "_"]);
        if self.draft.modules[module].exports.contains_key(name) {
            return;
        }
        let loads = !self.draft.modules[module].loads.is_empty();
        let kinds: &[Kind] = &[Kind::Value, Kind::Value, Kind::Arrow, Kind::Class, Kind::Lazy];
        let kind = *self.random.pick(if loads { kinds } else { &kinds[..4] });
        let local = self.declare(module, Some(name.to_owned()), kind);
        self.draft.modules[module].exports.insert(name.to_owned(), Export::Local(local));
    }

    fn declare(&mut self, module: usize, name: Option<String>, kind: Kind) -> usize {
        let locals = &mut self.draft.modules[module].locals;
        locals.push(Local { name, kind, inline: kind == Kind::Test });
        locals.len() - 1
    }

    fn fresh(&mut self, module: usize) -> String {
        self.draft.modules[module].fresh(&mut self.random, POOL)
    }

    /// Decides what every module exports, and gives the items that say so, but for exports that are part of a
    /// declaration.
    fn export_all(&mut self) -> Vec<Vec<Item>> {
        let modules: Vec<usize> = (0..self.count()).filter(|module| !self.draft.modules[*module].is_common).collect();
        for &module in &modules {
            self.export_locals(module);
        }
        for &module in &modules {
            self.hand_on(module);
        }
        self.drop_unresolvable();
        while self.drop_misread_star() {
            self.drop_unresolvable();
        }
        let is_common = |module: &usize| self.draft.modules[*module].is_common;
        let modules: Vec<Option<usize>> =
            (0..self.count()).map(|module| Some(module).filter(|module| !is_common(module))).collect();
        modules.into_iter().map(|module| module.map(|module| self.export_items(module)).unwrap_or_default()).collect()
    }

    fn export_locals(&mut self, module: usize) {
        for local in 0..self.draft.modules[module].locals.len() {
            let name = self.draft.modules[module].locals[local].name.clone();
            if self.random.chance(80) || name.as_deref() == Some("then") {
                let exported = self.export_name(name.as_deref());
                self.export(module, exported, Export::Local(local));
            }
            if self.random.chance(12) {
                let exported = self.export_name(None);
                self.export(module, exported, Export::Local(local));
            }
        }
        let Module { is_barrel, is_quiet, .. } = self.draft.modules[module];
        if !is_barrel && self.random.chance(40) && !self.draft.modules[module].exports.contains_key("default") {
            let kinds = [Kind::Function, Kind::Value, Kind::Class, Kind::Arrow];
            let kind = *self.random.pick(if is_quiet { &kinds[..1] } else { &kinds });
            let local = self.declare(module, None, kind);
            self.export(module, "default".to_owned(), Export::Local(local));
        }
    }

    fn export_name(&mut self, local: Option<&str>) -> String {
        match (local, self.random.below(100)) {
            (Some("then"), _) => "then".to_owned(),
            (Some(name), 0..65) => name.to_owned(),
            (_, 0..85) => (*self.random.pick(POOL)).to_owned(),
            (_, 85..93) => (*self.random.pick(EXPORT_ONLY)).to_owned(),
            _ => "default".to_owned(),
        }
    }

    fn export(&mut self, module: usize, name: String, export: Export) {
        self.draft.modules[module].exports.entry(name).or_insert(export);
    }

    /// Re-exports.
    fn hand_on(&mut self, module: usize) {
        for target in self.draft.modules[module].imports.clone() {
            // Which names of a CommonJS module clash with others shows only at run time.
            let stars = if self.draft.modules[module].is_barrel { 60 } else { 25 };
            if self.random.chance(stars) && !self.draft.modules[target].is_common {
                self.draft.modules[module].stars.push(target);
            }
            if self.random.chance(10) {
                let name = self.export_name(None);
                let is_direct = self.random.chance(60);
                let export = if is_direct { Export::Namespace(target) } else { Export::ImportedNamespace(target) };
                self.export(module, name, export);
            }
            if target == module {
                // The engine takes some of these for circles.
                continue;
            }
            let offered: Vec<String> = self.draft.modules[target].exports.keys().cloned().collect();
            while self.random.chance(25) {
                let Some(name) = self.random.choose(&offered).cloned() else { break };
                let exported = if self.random.chance(60) { name.clone() } else { self.export_name(None) };
                self.export(module, exported, Export::Name(target, name));
            }
        }
    }

    /// A re-export that leads nowhere would be an error.
    fn drop_unresolvable(&mut self) {
        loop {
            let all = (0..self.count())
                .flat_map(|module| self.draft.modules[module].exports.keys().map(move |name| (module, name.clone())));
            let broken: Vec<(usize, String)> =
                all.filter(|(module, name)| self.draft.resolve(*module, name).is_none()).collect();
            if broken.is_empty() {
                break;
            }
            for (module, name) in broken {
                self.draft.modules[module].exports.remove(&name);
            }
        }
    }

    /// Two variables of one module that `export *` offers by one name are ambiguous, but not to the engine; two namespaces
    /// of one module are the same, but not to the engine if `import * as` and `export` hand them on. Drops an `export *`
    /// that does so; returns whether there is one.
    fn drop_misread_star(&mut self) -> bool {
        for module in 0..self.count() {
            let stars = self.draft.modules[module].stars.clone();
            for name in self.draft.offered(module) {
                let found = stars.iter().map(|star| self.draft.resolve(*star, &name));
                let found: Vec<Option<Found>> = found.collect();
                let owner = |found: Found| match found {
                    Found::Local(owner, _) => owner,
                    Found::Namespace { by, .. } => by % self.count(),
                };
                let clashes = |at: usize, with: usize| match (found[at], found[with]) {
                    (Some(Found::Namespace { of, by }), Some(Found::Namespace { of: other, by: hand }))
                        if of == other =>
                    {
                        by != hand
                    }
                    (Some(one), Some(other)) => one != other && owner(one) == owner(other),
                    _ => false,
                };
                let clash = (0..stars.len()).find(|at| (0..*at).any(|with| clashes(*at, with)));
                if let Some(at) = clash {
                    self.draft.modules[module].stars.remove(at);
                    return true;
                }
            }
        }
        false
    }

    fn export_items(&mut self, module: usize) -> Vec<Item> {
        let mut items = Vec::new();
        let exports = self.draft.modules[module].exports.clone();
        let mut own = Vec::new();
        for (name, export) in exports {
            match export {
                Export::Local(local) => own.extend(self.own_export(module, &name, local)),
                Export::Namespace(target) => {
                    items.push(Item::line(format!("export * as {name} from \"{}\";", self.draft.specifier(target))));
                }
                Export::ImportedNamespace(target) => items.push(self.namespace_export(module, &name, target)),
                Export::Name(target, original) => items.push(self.forward(module, &name, target, &original)),
            }
        }
        for star in self.draft.modules[module].stars.clone() {
            items.push(Item::line(format!("export * from \"{}\";", self.draft.specifier(star))));
        }
        self.random.shuffle(&mut own);
        while !own.is_empty() {
            let rest = own.split_off(own.len().min(1 + self.random.below(3)));
            items.push(Item::list("export { ", own, " };"));
            own = rest;
        }
        items
    }

    /// `local as name` of a list; none if the declaration itself exports it.
    fn own_export(&mut self, module: usize, name: &str, local: usize) -> Option<String> {
        let Local { name: original, inline, .. } = &mut self.draft.modules[module].locals[local];
        // A default export without a name stands for itself.
        let original = original.as_ref()?;
        if original != name {
            return Some(format!("{original} as {name}"));
        }
        *inline |= self.random.chance(60);
        (!*inline).then(|| name.to_owned())
    }

    fn namespace_export(&mut self, module: usize, name: &str, target: usize) -> Item {
        let specifier = self.draft.specifier(target);
        let local = self.fresh(module);
        self.remember(module, &local, Found::Namespace { of: target, by: target });
        Item::line(format!("import * as {local} from \"{specifier}\"; export {{ {local} as {name} }};"))
    }

    fn forward(&mut self, module: usize, name: &str, target: usize, original: &str) -> Item {
        let specifier = self.draft.specifier(target);
        if self.random.chance(70) {
            return Item::line(format!("export {{ {original} as {name} }} from \"{specifier}\";"));
        }
        let local = self.fresh(module);
        if let Some(found) = self.draft.resolve(target, original) {
            self.remember(module, &local, found);
        }
        // The engine takes the export for one of a variable of this module, which matters to `export *`.
        let import = format!("import {{ {original} as {local} }} from \"{specifier}\";");
        Item {
            reference: Some(format!("{import} export {{ {original} as {name} }} from \"{specifier}\";")),
            ..Item::line(format!("{import} export {{ {local} as {name} }};"))
        }
    }

    fn remember(&mut self, module: usize, name: &str, found: Found) {
        self.draft.modules[module].imported.push(Imported { name: name.to_owned(), found });
    }

    /// For each module, the items that import.
    fn import_all(&mut self) -> Vec<Vec<Item>> {
        (0..self.count())
            .map(|module| {
                let Module { imports, is_common, .. } = &self.draft.modules[module];
                let targets = if *is_common { Vec::new() } else { imports.clone() };
                targets.into_iter().flat_map(|target| self.import(module, target)).collect()
            })
            .collect()
    }

    fn import(&mut self, module: usize, target: usize) -> Vec<Item> {
        let specifier = self.draft.specifier(target);
        let mut items = Vec::new();
        let importable = self.draft.importable(target);
        if self.random.chance(55) {
            let mut parts = Vec::new();
            for _ in 0..=self.random.below(3) {
                let Some((name, found)) = self.random.choose(&importable).cloned() else { break };
                parts.push(self.import_name(module, &name, found));
            }
            if !parts.is_empty() {
                items.push(Item::list("import { ", parts, format!(" }} from \"{specifier}\";")));
            }
        }
        let default = importable.iter().find(|(name, _)| name == "default").map(|(_, found)| *found);
        if let Some(found) = default
            && self.random.chance(40)
        {
            let local = self.fresh(module);
            self.remember(module, &local, found);
            items.push(self.import_default(module, &local, target, &importable));
        }
        if self.random.chance(30) {
            let local = self.fresh(module);
            self.remember(module, &local, Found::Namespace { of: target, by: target });
            items.push(Item::line(format!("import * as {local} from \"{specifier}\";")));
        }
        if items.is_empty() || self.random.chance(10) {
            items.push(Item::line(format!("import \"{specifier}\";")));
        }
        items
    }

    fn import_default(&mut self, module: usize, local: &str, target: usize, importable: &[(String, Found)]) -> Item {
        let specifier = self.draft.specifier(target);
        if self.random.chance(20) {
            let namespace = self.fresh(module);
            self.remember(module, &namespace, Found::Namespace { of: target, by: target });
            return Item::line(format!("import {local}, * as {namespace} from \"{specifier}\";"));
        }
        match self.random.choose(importable).cloned() {
            Some((name, found)) if self.random.chance(20) => {
                let part = self.import_name(module, &name, found);
                Item::line(format!("import {local}, {{ {part} }} from \"{specifier}\";"))
            }
            _ => Item::line(format!("import {local} from \"{specifier}\";")),
        }
    }

    fn import_name(&mut self, module: usize, name: &str, found: Found) -> String {
        let is_free = POOL.contains(&name) && !self.draft.modules[module].taken.contains(name);
        let local = if is_free && self.random.chance(60) {
            self.draft.modules[module].taken.insert(name.to_owned());
            name.to_owned()
        } else {
            self.fresh(module)
        };
        self.remember(module, &local, found);
        if local == name { local } else { format!("{name} as {local}") }
    }
}
