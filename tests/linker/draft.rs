//! A program while it is made up: which module asks for which, what each declares and exports, and what every exported
//! name leads to by the rules of the language.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::file_name;
use crate::support::random::Random;

/// What a top-level variable holds, which decides about what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A constant: text, number, array or object.
    Value,
    /// Text or a number that functions of the module change.
    Changing,
    /// Declared by `var`.
    Var,
    /// A hoisted function that needs nothing but itself.
    Function,
    /// A hoisted function that reads variables.
    Reader,
    /// A hoisted function that changes a variable.
    Bump,
    /// A hoisted function that logs.
    Logger,
    /// A class with a method and a static property.
    Class,
    /// A function that is a value.
    Arrow,
    /// A function that loads modules.
    Lazy,
    /// The function of the entry that runs the test.
    Test,
}

impl Kind {
    /// Calling it is something that others may notice.
    pub(crate) fn has_effects(self) -> bool {
        matches!(self, Self::Bump | Self::Logger | Self::Lazy)
    }
}

/// A top-level variable.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    /// Its name; none for a default export without one.
    pub(crate) name: Option<String>,
    pub(crate) kind: Kind,
    /// `export` stands before its declaration.
    pub(crate) inline: bool,
}

/// What an export stands for.
#[derive(Clone, Debug)]
pub(crate) enum Export {
    Local(usize),
    /// An export of another module.
    Name(usize, String),
    /// The namespace of another module, by `export * as`.
    Namespace(usize),
    /// The namespace of another module, by `import * as` and `export`, which to the engine is a variable of the module.
    ImportedNamespace(usize),
}

/// What a name leads to in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A variable of a module, by its number.
    Local(usize, usize),
    /// The namespace `of` a module; `by` tells those apart that the engine takes for different variables.
    Namespace { of: usize, by: usize },
}

impl Found {
    /// Whether both are one variable, or the namespace of one module, to the language.
    fn is_same(self, other: Self) -> bool {
        match (self, other) {
            (Self::Namespace { of, .. }, Self::Namespace { of: other, .. }) => of == other,
            _ => self == other,
        }
    }
}

/// A name bound by `import`.
#[derive(Clone, Debug)]
pub(crate) struct Imported {
    pub(crate) name: String,
    pub(crate) found: Found,
}

/// A module in the making.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Module {
    /// Modules that it imports statically.
    pub(crate) imports: Vec<usize>,
    /// Modules that it loads with `import()`.
    pub(crate) loads: Vec<usize>,
    pub(crate) throws: bool,
    /// It only imports, and hands on what it imports.
    pub(crate) is_barrel: bool,
    /// It only declares functions.
    pub(crate) is_quiet: bool,
    /// It is CommonJS: `imports` are those it requires when it runs, and `loads` when its functions are called.
    pub(crate) is_common: bool,
    /// Its package says that it has no side effects.
    pub(crate) is_pure: bool,
    /// Whether and when it runs is not compared.
    pub(crate) is_loose: bool,
    /// Names that mean something at its top level.
    pub(crate) taken: BTreeSet<String>,
    pub(crate) locals: Vec<Local>,
    pub(crate) exports: BTreeMap<String, Export>,
    pub(crate) stars: Vec<usize>,
    pub(crate) imported: Vec<Imported>,
    labels: usize,
}

impl Module {
    /// A new label as a string literal.
    pub(crate) fn label(&mut self, index: usize) -> String {
        self.labels += 1;
        format!("\"m{index}:{} \"", self.labels)
    }

    /// A name that nothing in the module has yet.
    pub(crate) fn fresh(&mut self, random: &mut Random, pool: &[&str]) -> String {
        let wanted = *random.pick(pool);
        let mut name = wanted.to_owned();
        if self.taken.contains(&name) || random.chance(25) {
            name = format!("v{}", self.taken.len());
        }
        assert!(self.taken.insert(name.clone()), "{name} is taken");
        name
    }
}

/// Everything about the modules but their text.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) modules: Vec<Module>,
    /// `reach[a][b]`: running `a` runs `b` before, or both are in a cycle.
    reach: Vec<Vec<bool>>,
}

/// What the rules find for an exported name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resolution {
    Found(Found),
    Ambiguous,
    Nothing,
}

impl Draft {
    pub(crate) fn new(modules: Vec<Module>) -> Self {
        let count = modules.len();
        let mut reach: Vec<Vec<bool>> = vec![vec![false; count]; count];
        for (from, module) in modules.iter().enumerate() {
            reach[from][from] = true;
            for &to in &module.imports {
                reach[from][to] = true;
            }
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reach[from][to] |= reach[from][middle] && reach[middle][to];
                }
            }
        }
        Self { modules, reach }
    }

    /// How other modules name a module.
    pub(crate) fn specifier(&self, module: usize) -> String {
        format!("./{}", file_name(module, self.modules[module].is_common))
    }

    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        self.reach[from][to]
    }

    /// Whether another module may read `module` before it has run.
    pub(crate) fn may_be_early(&self, module: usize) -> bool {
        (0..self.modules.len()).any(|other| self.reach[other][module] && self.is_in_cycle(other))
    }

    /// Whether `module` may be read before it has run.
    pub(crate) fn is_in_cycle(&self, module: usize) -> bool {
        self.modules[module].imports.iter().any(|import| self.reach[*import][module])
    }

    /// Whether `other` has run before `module` does, in whatever order modules are loaded. That `module` leads to it is
    /// not enough: in a cycle, the module on the way may be waiting itself.
    pub(crate) fn runs_before(&self, other: usize, module: usize) -> bool {
        let mut outside = self.modules[module].imports.iter().filter(|import| !self.reach[**import][module]);
        // A `require` runs a CommonJS module, but does not give the names that ES modules import of it their values.
        let imports_it = |importer: usize| {
            let Module { imports, is_common, .. } = &self.modules[importer];
            !is_common && imports.contains(&other)
        };
        let importers: Vec<usize> = (0..self.modules.len()).filter(|importer| imports_it(*importer)).collect();
        outside.any(|import| {
            let is_imported = *import == other || importers.iter().any(|importer| self.reach[*import][*importer]);
            self.reach[*import][other] && (!self.modules[other].is_common || is_imported)
        })
    }

    pub(crate) fn kind(&self, module: usize, local: usize) -> Kind {
        self.modules[module].locals[local].kind
    }

    /// What `name` of `module` is, by `ResolveExport` of the language; none if importing it is an error.
    pub(crate) fn resolve(&self, module: usize, name: &str) -> Option<Found> {
        match self.resolve_export(module, name, &mut BTreeSet::new()) {
            Resolution::Found(found) => Some(found),
            Resolution::Ambiguous | Resolution::Nothing => None,
        }
    }

    fn resolve_export(&self, module: usize, name: &str, seen: &mut BTreeSet<(usize, String)>) -> Resolution {
        if !seen.insert((module, name.to_owned())) {
            return Resolution::Nothing;
        }
        match self.modules[module].exports.get(name) {
            Some(Export::Local(local)) => return Resolution::Found(Found::Local(module, *local)),
            Some(Export::Namespace(target)) => {
                return Resolution::Found(Found::Namespace { of: *target, by: *target });
            }
            Some(Export::ImportedNamespace(target)) => {
                return Resolution::Found(Found::Namespace { of: *target, by: self.modules.len() + module });
            }
            Some(Export::Name(target, name)) => return self.resolve_export(*target, name, seen),
            None if name == "default" => return Resolution::Nothing,
            None => {}
        }
        let mut found = Resolution::Nothing;
        for &star in &self.modules[module].stars {
            match (found, self.resolve_export(star, name, seen)) {
                (_, Resolution::Nothing) => {}
                (Resolution::Nothing, first) => found = first,
                (Resolution::Found(one), Resolution::Found(other)) if one.is_same(other) => {}
                _ => return Resolution::Ambiguous,
            }
        }
        found
    }

    /// Every name that `module` offers, ambiguous ones too.
    pub(crate) fn offered(&self, module: usize) -> Vec<String> {
        let mut names = BTreeSet::new();
        self.offer(module, &mut names, &mut BTreeSet::new());
        names.into_iter().collect()
    }

    fn offer(&self, module: usize, names: &mut BTreeSet<String>, seen: &mut BTreeSet<usize>) {
        if !seen.insert(module) {
            return;
        }
        names.extend(self.modules[module].exports.keys().cloned());
        for &star in &self.modules[module].stars {
            let mut starred = BTreeSet::new();
            self.offer(star, &mut starred, seen);
            starred.remove("default");
            names.extend(starred);
        }
    }

    /// The names that can be imported from `module`, with what they are.
    pub(crate) fn importable(&self, module: usize) -> Vec<(String, Found)> {
        let resolve = |name: String| self.resolve(module, &name).map(|found| (name, found));
        self.offered(module).into_iter().filter_map(resolve).collect()
    }

    /// Whether what `found` leads to has run before `module`, or needs not.
    pub(crate) fn is_ready(&self, module: usize, found: Found) -> bool {
        match found {
            Found::Local(owner, local) => self.runs_before(owner, module) || self.kind(owner, local) == Kind::Function,
            Found::Namespace { of, .. } => self.runs_before(of, module),
        }
    }
}
