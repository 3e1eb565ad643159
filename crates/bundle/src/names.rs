//! Names of modules: paths relative to the project, and what stands for one.

use std::path::Path;

use crate::helpers;

/// Whether a name is that of a module without a file.
pub fn is_virtual(name: &str) -> bool {
    name.starts_with(VIRTUAL)
}

/// Whether a name is that of a module that the site's authors wrote: in a file, and not in one of a package.
pub fn is_of_site(name: &str) -> bool {
    !is_virtual(name) && !is_vendor(name)
}

/// The name of the file that a module was made of: a style sheet is made into several, and of a file there may be other
/// forms, such as `file.svg?raw`.
pub fn file_of(name: &str) -> &str {
    let file = file_of_part(name);
    file.split_once('?').map_or(file, |(file, _)| file)
}

/// Whether a name is that of a module of a package, or of the helpers.
pub(crate) fn is_vendor(name: &str) -> bool {
    name == helpers::NAME || name.split('/').any(|part| part == "node_modules")
}

/// The readable part of a chunk's name, from the name of a module.
pub(crate) fn stem(name: &str) -> String {
    let file = name.rsplit(['/', ':']).next().unwrap_or(name);
    let stem = file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(file);
    match (stem, name.rsplit('/').nth(1)) {
        ("index", Some(folder)) if folder != "pages" => folder.to_owned(),
        _ => stem.to_owned(),
    }
}

/// `@scope/name` or `name` of a specifier.
pub(crate) fn package_name(specifier: &str) -> String {
    let parts = if specifier.starts_with('@') { 2 } else { 1 };
    specifier.split('/').take(parts).collect::<Vec<_>>().join("/")
}

/// Prefix of the names of virtual modules.
pub(crate) const VIRTUAL: &str = "portalgen:";

/// The name of the sheet's file in that of a part's module.
pub(crate) fn file_of_part(name: &str) -> &str {
    let parts = [" (layers)", " (head ", " (rules)"];
    parts.iter().find_map(|part| name.find(part)).map_or(name, |at| &name[..at])
}

/// Whether a module stands for a sheet or a part of one.
pub(crate) fn is_sheet_module(name: &str) -> bool {
    is_sheet(Path::new(file_of_part(name)))
}

/// Whether imports of the file at `path` are those of a style sheet.
pub(crate) fn is_sheet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("css"))
}

/// Whether npm would take a name for that of a package.
pub(crate) fn is_package_name(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-._~".contains(c);
        !part.is_empty() && !part.starts_with(['.', '_']) && part.chars().all(is_allowed)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, package)| is_part(scope) && is_part(package)),
        None => is_part(name) && name != "node_modules",
    }
}

/// Whether a file or folder belongs to an installed package.
pub(crate) fn is_in_packages(path: &Path) -> bool {
    path.iter().any(|part| part == "node_modules")
}
