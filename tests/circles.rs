//! Circles of modules that import each other: none among the rooms of a crate, and among files only small ones, such as a
//! type whose methods stand in two files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

use crate::support::project::repository;

/// The most files that may import each other in a circle.
const MOST_FILES: usize = 5;

/// A module, as the names that lead to it from the root of its crate.
type Module = Vec<String>;

/// Modules with those that each imports.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// Every crate's sources, with whether its rooms may import each other in circles: those of the bundler are steps over one
/// set of types, and only its files are looked at.
fn crates() -> Vec<(PathBuf, bool)> {
    let root = repository();
    let folders = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let crates = folders.map(|folder| (folder.join("src"), !folder.ends_with("bundle")));
    crates.chain([(root.join("src"), true)]).collect()
}

/// The module of a file.
fn module_of(file: &Path, src: &Path) -> Module {
    let path = file.strip_prefix(src).unwrap().with_extension("");
    let mut names: Module = path.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
    if names.last().is_some_and(|name| ["mod", "lib", "main"].contains(&&**name)) {
        names.pop();
    }
    names
}

/// The code without its comments, strings and unit tests.
fn bare(code: &str) -> String {
    let code = code.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    code.split('"').step_by(2).collect::<Vec<_>>().join("\"")
}

/// Reads the paths of a tree such as `a::{b, c::D}`, each behind `prefix`. Returns what follows the tree.
fn paths<'c>(code: &'c str, prefix: &[String], found: &mut Vec<Module>) -> &'c str {
    let mut path = prefix.to_vec();
    let mut rest = code;
    loop {
        rest = rest.trim_start();
        if let Some(mut inner) = rest.strip_prefix('{') {
            loop {
                inner = paths(inner, &path, found).trim_start();
                match inner.strip_prefix(',') {
                    Some(more) if !more.trim_start().starts_with('}') => inner = more,
                    Some(more) => return more.trim_start().strip_prefix('}').unwrap_or(more),
                    None => return inner.strip_prefix('}').unwrap_or(inner),
                }
            }
        }
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        path.extend((!name.is_empty()).then(|| name.to_owned()));
        match after.trim_start().strip_prefix("::") {
            Some(more) if !more.starts_with('<') => rest = more,
            _ => {
                found.push(path);
                let after = after.trim_start();
                let alias = after.strip_prefix("as ").map(str::trim_start);
                let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '*';
                return alias.unwrap_or(after).trim_start_matches(is_name);
            }
        }
    }
}

/// What a path in a module leads to, from the root of the crate; nothing if it leaves the crate.
fn absolute(path: &[String], module: &[String]) -> Option<Module> {
    let (first, mut rest) = path.split_first()?;
    let mut base = match first.as_str() {
        "crate" => Vec::new(),
        "self" | "super" => module.to_vec(),
        _ => return None,
    };
    if first == "super" {
        base.pop()?;
        while let Some((_, behind)) = rest.split_first().filter(|(next, _)| *next == "super") {
            base.pop()?;
            rest = behind;
        }
    }
    base.extend(rest.iter().filter(|name| *name != "self").cloned());
    Some(base)
}

/// The modules that a crate's files import, each as the file that holds it.
fn imports(src: &Path) -> Imports {
    let files = WalkDir::new(src).into_iter().map(|entry| entry.unwrap().into_path());
    let files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect();
    let modules: BTreeSet<Module> = files.iter().map(|file| module_of(file, src)).collect();
    let mut imports = Imports::new();
    for file in &files {
        let module = module_of(file, src);
        let code = bare(&fs::read_to_string(file).unwrap());
        let (mut found, mut of_children) = (Vec::new(), Vec::new());
        for start in ["crate::", "self::", "super::"] {
            for (at, _) in code.match_indices(start) {
                let is_start = !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$(".contains(c))
                    || code[..at].ends_with('(') && !code[..at].ends_with("pub(");
                if is_start {
                    paths(&code[at..], &[], &mut found);
                }
            }
        }
        // `use child::Name`, without `self`.
        for (at, start) in code.match_indices("use ") {
            paths(&code[at + start.len()..], &module, &mut of_children);
        }
        let absolute = found.iter().filter_map(|path| absolute(path, &module));
        let of_children = of_children
            .into_iter()
            .filter(|path| path.get(..=module.len()).is_some_and(|child| modules.contains(child)));
        let targets = absolute.chain(of_children).filter_map(|mut target| {
            while !modules.contains(&target) {
                target.pop()?;
            }
            Some(target)
        });
        let targets = targets.filter(|target| *target != module && !target.is_empty()).collect();
        imports.entry(module).or_insert(targets);
    }
    imports
}

/// Sets of modules of which each leads to all others: those that reach each other.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        imports.keys().map(|module| (module, reach(module, imports))).collect();
    let circle = |module: &Module| {
        let mutual =
            reached[module].iter().filter(|other| reached.get(**other).is_some_and(|back| back.contains(module)));
        mutual.map(|other| (*other).clone()).collect::<BTreeSet<Module>>()
    };
    imports.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

fn reach<'i>(start: &Module, imports: &'i Imports) -> BTreeSet<&'i Module> {
    let mut reached = BTreeSet::new();
    let mut stack: Vec<&Module> = imports.get(start).into_iter().flatten().collect();
    while let Some(next) = stack.pop() {
        if reached.insert(next) {
            stack.extend(imports.get(next).into_iter().flatten());
        }
    }
    reached
}

/// The same imports between the rooms of a crate: the modules at its root, each with all below it.
fn between_rooms(imports: &Imports) -> Imports {
    let room = |module: &Module| module.first().map(|name| vec![name.clone()]);
    let mut rooms = Imports::new();
    for (module, targets) in imports {
        let Some(from) = room(module) else { continue };
        let to = targets.iter().filter_map(room).filter(|to| *to != from);
        rooms.entry(from.clone()).or_default().extend(to);
    }
    rooms
}

#[test]
fn circles_are_small() {
    for (src, has_rooms) in crates() {
        let imports = imports(&src);
        assert!(imports.values().any(|targets| !targets.is_empty()), "{} has no imports", src.display());
        if has_rooms {
            assert_eq!(circles(&between_rooms(&imports)), BTreeSet::new(), "rooms of {}", src.display());
        }
        let large: Vec<_> = circles(&imports).into_iter().filter(|circle| circle.len() > MOST_FILES).collect();
        assert_eq!(large, [] as [BTreeSet<Module>; 0], "files of {}", src.display());
    }
}

#[test]
fn circles_are_found() {
    let code = "use super::{b::{self, C}, d};\nfn f() { crate::e::g(\"crate::h\"); } // crate::i\n";
    let mut found = Vec::new();
    let bare = bare(code);
    for (at, _) in bare.match_indices("super::").chain(bare.match_indices("crate::")) {
        paths(&bare[at..], &[], &mut found);
    }
    let absolute: Vec<String> =
        found.iter().filter_map(|path| absolute(path, &["a".to_owned()])).map(|path| path.join("::")).collect();
    assert_eq!(absolute, ["b", "b::C", "d", "e::g"]);
    let module = |name: &str| vec![name.to_owned()];
    let imports: Imports = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]
        .map(|(from, to)| (module(from), BTreeSet::from([module(to)])))
        .into();
    assert_eq!(circles(&imports), BTreeSet::from([BTreeSet::from(["a", "b", "c"].map(module))]));
}
