//! What to say about a specifier that leads nowhere.

use std::path::Path;

use super::{
    Loader, package_name,
    resolve::{BrokenFile, NotExported, Unresolved},
};
use crate::{
    bundle::module::RequestKind,
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    source::{Kind, display_name, normalize},
};

/// How many names a hint lists.
const LISTED: usize = 10;

impl Loader<'_> {
    pub(crate) fn unresolved(&self, folder: &Path, specifier: &str, reason: &Unresolved) -> Diagnostic {
        match reason {
            Unresolved::Builtin(name) => {
                Diagnostic::error(format!("`{specifier}` is a module of Node.js, which browsers do not have"))
                    .with_hint(format!("use a package made for browsers instead of `{name}`"))
            }
            Unresolved::NotExported(not_exported) => self.not_exported(specifier, not_exported),
            Unresolved::Broken(file) => self.broken(file),
            Unresolved::Other(reason) => Diagnostic::error(format!("cannot resolve `{specifier}`: {reason}")),
            Unresolved::NotFound => self.not_found(folder, specifier),
        }
    }

    /// Says once what keeps many imports from being resolved.
    pub(super) fn broken(&self, file: &BrokenFile) -> Diagnostic {
        let name = self.name(&file.path);
        let source = SourceText::new(&*name, self.read_text(&file.path).unwrap_or_default());
        Diagnostic::error(format!("{name} cannot be read: {}", file.message)).at(Place::at_line_column(
            &source,
            file.line,
            file.column,
        ))
    }

    fn not_exported(&self, specifier: &str, NotExported { subpath, package_json }: &NotExported) -> Diagnostic {
        let package = package_name(specifier);
        let message = format!("the package of `{specifier}` does not offer `{subpath}`");
        let diagnostic = Diagnostic::error(message);
        let exports = self.json(package_json)["exports"].take();
        let subpaths = exports.as_object().into_iter().flat_map(serde_json::Map::keys);
        let offered: Vec<String> = subpaths
            .filter_map(|key| key.strip_prefix('.'))
            .filter(|subpath| *subpath != "/package.json")
            .map(|subpath| format!("{package}{subpath}"))
            .collect();
        let near = did_you_mean(specifier, offered.iter().map(String::as_str).filter(|offer| *offer != package));
        match near {
            Some(near) => diagnostic.with_hint(format!("did you mean `{near}`?")),
            None if offered.is_empty() => diagnostic.with_hint(format!("it offers `{package}` alone")),
            None => diagnostic.with_hint(format!("it offers {}", listed(&offered))),
        }
    }

    /// A file or a package that is not there.
    pub(crate) fn not_found(&self, folder: &Path, specifier: &str) -> Diagnostic {
        let diagnostic = Diagnostic::error(format!("cannot find `{specifier}`"));
        let hint = if specifier.starts_with(['.', '/']) {
            self.near_file(folder, specifier)
        } else if specifier.starts_with('#') {
            Some(self.near_import(folder, specifier))
        } else {
            Some(self.near_package(folder, specifier))
        };
        hint.into_iter().fold(diagnostic, Diagnostic::with_hint)
    }

    /// The file or folder that was probably meant, by the first part of the path that does not exist.
    fn near_file(&self, folder: &Path, specifier: &str) -> Option<String> {
        let wanted = normalize(&folder.join(specifier));
        let missing = wanted.ancestors().find(|path| path.parent().is_some_and(|parent| self.is_folder(parent)))?;
        let typed = missing.file_name()?.to_string_lossy();
        let names = self.sources.list(missing.parent()?).ok()?;
        let is_folder = missing != wanted;
        let what = if is_folder { "folder" } else { "file" };
        if let Some(same) = names.iter().find(|name| is_same_but_for_case(name, &typed)) {
            return Some(format!(
                "the {what} is called `{same}`: capital and small letters must be the same, as on most servers"
            ));
        }
        if is_folder {
            let is_near = |name: &&str| self.is_folder(&missing.with_file_name(name));
            let near = did_you_mean(&typed, names.iter().map(String::as_str).filter(is_near))?;
            return Some(format!("there is no folder `{typed}`; did you mean `{near}`?"));
        }
        let stems = names.iter().flat_map(|name| [name.as_str(), name.split('.').next().unwrap_or_default()]);
        let near = did_you_mean(&typed, stems)?;
        let folder = specifier.rsplit_once('/').map_or(".", |(folder, _)| folder);
        Some(format!("did you mean `{folder}/{near}`?"))
    }

    /// A name that package.json gives to a file of its own.
    fn near_import(&self, folder: &Path, specifier: &str) -> String {
        let package =
            folder.ancestors().map(|folder| folder.join("package.json")).find(|file| self.sources.is_file(file));
        let imports = package.map(|file| self.json(&file)["imports"].take()).unwrap_or_default();
        let names = imports.as_object().into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
        match did_you_mean(specifier, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "what begins with `#` is listed in package.json under `imports`".to_owned(),
        }
    }

    fn near_package(&self, folder: &Path, specifier: &str) -> String {
        if self.resolver.resolve(folder, &format!("./{specifier}"), RequestKind::Import).is_ok() {
            return format!("for the file beside this one write `./{specifier}`");
        }
        let site = display_name(&self.options.root, &self.options.folder);
        if self.resolver.resolve(&self.options.folder, &format!("./{specifier}"), RequestKind::Import).is_ok() {
            return format!(
                "a file is found from the one that imports it: write a path that begins with `./` or `../`, or set \
                 `baseUrl` to \".\" in {site}/tsconfig.json"
            );
        }
        let package = package_name(specifier);
        let mut installed = Vec::new();
        for modules in folder.ancestors().map(|folder| folder.join("node_modules")) {
            if self.is_folder(&modules.join(&package)) && package != specifier {
                return self.near_subpath(&modules, specifier);
            }
            installed.extend(self.installed(&modules));
        }
        let manifest = self.json(&self.options.folder.join("package.json"));
        let dependencies: Vec<&String> =
            ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
                .iter()
                .filter_map(|kind| manifest[kind].as_object())
                .flat_map(serde_json::Map::keys)
                .collect();
        if dependencies.contains(&&package) {
            return format!("package.json lists it, but it is not installed: run `npm install` (in {site}/)");
        }
        let known = installed.iter().chain(dependencies).map(String::as_str);
        match did_you_mean(&package, known) {
            Some(near) => format!("did you mean `{near}{}`?", &specifier[package.len()..]),
            None if is_package_name(&package) => {
                format!("if it is a package, add it: npm install {package} (in {site}/)")
            }
            None if specifier.starts_with(['@', '~']) => {
                format!(
                    "no package can be called `{package}`; short names for folders are set by `paths` in {site}/tsconfig.json"
                )
            }
            None => {
                format!("no package can be called `{package}`; for a file write a path that begins with `./` or `../`")
            }
        }
    }

    /// A file in a package that is installed, but does not have it.
    fn near_subpath(&self, modules: &Path, specifier: &str) -> String {
        let package = package_name(specifier);
        let wanted = modules.join(specifier);
        let names = wanted.parent().and_then(|folder| self.sources.list(folder).ok()).unwrap_or_default();
        let stems = names.iter().flat_map(|name| [name.as_str(), name.split('.').next().unwrap_or_default()]);
        let typed = wanted.file_name().unwrap_or_default().to_string_lossy();
        match did_you_mean(&typed, stems) {
            Some(near) => {
                let folder = specifier.rsplit_once('/').map_or(specifier, |(folder, _)| folder);
                format!("did you mean `{folder}/{near}`?")
            }
            None => format!("the package `{package}` is installed, but has no such file"),
        }
    }

    /// The packages in a `node_modules` folder.
    fn installed(&self, modules: &Path) -> Vec<String> {
        let list = |folder: &Path| self.sources.list(folder).unwrap_or_default();
        let names = list(modules).into_iter().filter(|name| !name.starts_with('.'));
        let packages = names.flat_map(|name| {
            if name.starts_with('@') {
                let scoped = list(&modules.join(&name));
                scoped.iter().map(|package| format!("{name}/{package}")).collect()
            } else {
                vec![name]
            }
        });
        packages.collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.sources.kind(path).is_ok_and(|kind| kind == Kind::Folder)
    }

    fn json(&self, path: &Path) -> serde_json::Value {
        let text = self.sources.read_to_string(path).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

/// `a`, `b` and 3 more.
fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &rest
}

/// Whether a file is the one that was asked for, its extension given or not, written in other letters.
fn is_same_but_for_case(file: &str, typed: &str) -> bool {
    let stem = file.split('.').next().unwrap_or_default();
    file != typed && [file, stem].iter().any(|name| name.to_lowercase() == typed.to_lowercase())
}

/// Whether npm would take a name for that of a package.
fn is_package_name(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._~".contains(c);
        !part.is_empty() && !part.starts_with(['.', '_']) && part.chars().all(is_allowed)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, package)| is_part(scope) && is_part(package)),
        None => is_part(name) && name != "node_modules",
    }
}
