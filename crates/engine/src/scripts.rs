//! The compiled modules of a program, the engine's own among them.
//!
//! What the entries import is compiled at once, and stays. Everything else is compiled when it is asked for: most of it is the code
//! of one page, which is loaded once, and of which there is as much as there are pages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;

use portalgen_base::timing::Stage;

use super::{
    bytecode::{Bytecode, Compiled, Compilers},
    failure::{Failure, Frame},
    globals,
    library::Library,
    recent::Recent,
};

/// Modules by name.
pub(super) type Modules = BTreeMap<String, Arc<Bytecode>>;

/// All modules of a program, compiled or not.
pub(super) struct Scripts {
    library: Library,
    compilers: Compilers,
    /// What the entries import, and themselves.
    of_entries: Modules,
    late: Mutex<Recent<Late>>,
}

/// A module that is compiled when it is asked for.
type Late = OnceLock<Result<Arc<Bytecode>, Failure>>;

/// How much code is compiled at once before it is asked for.
const AHEAD: usize = 128 << 10;

/// How much code is kept compiled besides that of the entries: what pages share, and what each thread has compiled ahead, also
/// if others have been faster for a while.
fn most_kept() -> usize {
    (4 << 20) + rayon::current_num_threads() * 8 * AHEAD
}

impl Scripts {
    /// Compiles what an entry of the program and that of the engine import, side by side.
    ///
    /// # Errors
    /// One of these modules is not there or not valid JavaScript.
    pub(super) fn compile(library: Library, entry: &str) -> Result<Self, Failure> {
        let compilers = Compilers::new(library.clone());
        let stage = Stage::current();
        let compile = |name: String| {
            let compiled = stage.charge(|| compile_one(&compilers, &name))?;
            Ok((name, compiled))
        };
        let mut of_entries = Modules::new();
        let mut wanted: BTreeSet<String> = [globals::ENTRY, entry].map(ToOwned::to_owned).into();
        while !wanted.is_empty() {
            let compiled: Vec<_> = wanted.into_iter().collect::<Vec<_>>().into_par_iter().map(compile).collect();
            let compiled: Vec<(String, Bytecode)> = compiled.into_iter().collect::<Result<_, _>>()?;
            wanted = compiled.iter().flat_map(|(_, bytecode)| bytecode.imports.iter().cloned()).collect();
            of_entries.extend(compiled.into_iter().map(|(name, bytecode)| (name, Arc::new(bytecode))));
            wanted.retain(|name| !of_entries.contains_key(name));
        }
        Ok(Self { library, compilers, of_entries, late: Mutex::new(Recent::new(most_kept())) })
    }

    pub(super) fn library(&self) -> &Library {
        &self.library
    }

    /// A module that an entry imports.
    pub(super) fn of_entries(&self, name: &str) -> Option<Arc<Bytecode>> {
        self.of_entries.get(name).cloned()
    }

    /// A module and what it imports beside what the entries do, compiled by now.
    ///
    /// # Errors
    /// One of these is not valid JavaScript, or imports what is not there.
    pub(super) fn with_imports(&self, name: &str) -> Result<Modules, Failure> {
        let mut found = Modules::new();
        let mut wanted = vec![name.to_owned()];
        while let Some(name) = wanted.pop() {
            if self.of_entries.contains_key(&name) || found.contains_key(&name) {
                continue;
            }
            let bytecode = self.late(&name)?;
            wanted.extend(bytecode.imports.iter().cloned());
            found.insert(name, bytecode);
        }
        Ok(found)
    }

    /// Compiles modules that will soon be asked for.
    pub(super) fn compile_ahead(&self, names: impl IntoIterator<Item = String>) {
        let (mut wanted, mut size) = (BTreeMap::new(), 0);
        for name in names {
            let Some(text) = self.library.text(&name).filter(|_| !self.of_entries.contains_key(&name)) else {
                continue;
            };
            size += text.len();
            if size > AHEAD {
                break;
            }
            let module = self.known(&name);
            if module.get().is_none() {
                wanted.insert(name, module);
            }
        }
        if !wanted.is_empty()
            && let Ok(compiled) = self.compilers.compile(wanted.keys().cloned().collect())
        {
            for (module, compiled) in wanted.values().zip(compiled) {
                // Whoever asked for it meanwhile has compiled it as well.
                let _ = module.set(compiled.map(Arc::new));
            }
        }
    }

    /// A module, compiled unless it was lately. Several threads that ask for it wait for the first.
    fn late(&self, name: &str) -> Result<Arc<Bytecode>, Failure> {
        self.known(name).get_or_init(|| compile_one(&self.compilers, name).map(Arc::new)).clone()
    }

    /// What is known of a module.
    fn known(&self, name: &str) -> Arc<Late> {
        let size = self.library.text(name).map_or(0, str::len);
        self.late.lock().unwrap_or_else(PoisonError::into_inner).get(name, size)
    }

    /// The frames of a stack as the engine writes it, without those outside the program's scripts.
    pub(super) fn frames(&self, stack: &str) -> Vec<Frame> {
        self.library.frames(stack)
    }
}

fn compile_one(compilers: &Compilers, name: &str) -> Compiled {
    compilers.compile(vec![name.to_owned()])?.remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(modules: &[(&str, &str)], entry: &str) -> Scripts {
        let modules = modules.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let library = Library::new(Arc::new(modules.collect::<BTreeMap<_, _>>()));
        Scripts::compile(library, entry).unwrap_or_else(|failure| panic!("{failure}"))
    }

    fn names(modules: &Modules) -> Vec<&str> {
        modules.keys().map(String::as_str).filter(|name| !crate::library::is_of_engine(name)).collect()
    }

    #[test]
    fn what_the_entry_does_not_import_is_not_compiled() {
        let scripts = scripts(
            &[
                ("entry.js", "import './a.js'; export const late = () => import('./late.js');"),
                ("a.js", "import './entry.js'; import './b.js';"),
                ("b.js", ""),
                ("late.js", "import './b.js'; import './later.js'; import './late.js';"),
                ("later.js", ""),
                ("never.js", "'"),
            ],
            "entry.js",
        );
        assert_eq!(names(&scripts.of_entries), ["a.js", "b.js", "entry.js"]);
        let is_compiled = |name| scripts.known(name).get().is_some();
        assert!(!is_compiled("late.js"));
        assert_eq!(names(&scripts.with_imports("late.js").unwrap_or_default()), ["late.js", "later.js"]);
        assert!(is_compiled("late.js") && is_compiled("later.js") && !is_compiled("never.js"));
    }

    #[test]
    fn a_little_is_compiled_ahead() {
        let large = format!("/*{}*/", " ".repeat(AHEAD / 2));
        let modules = [
            ("entry.js", ""),
            ("bad.js", "'"),
            ("a.js", &large),
            ("b.js", "export {}"),
            ("c.js", &large),
            ("d.js", ""),
        ];
        let scripts = scripts(&modules, "entry.js");
        scripts.compile_ahead(["entry.js", "bad.js", "a.js", "none.js", "b.js", "c.js", "d.js"].map(ToOwned::to_owned));
        let compiled = ["bad.js", "a.js", "b.js", "c.js", "d.js"].map(|name| scripts.known(name).get().is_some());
        assert_eq!(compiled, [true, true, true, false, false]);
        assert!(scripts.with_imports("bad.js").is_err() && scripts.with_imports("c.js").is_ok());
    }
}
