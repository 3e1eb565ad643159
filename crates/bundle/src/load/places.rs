//! Where the files lie that a specifier with an unknown part can mean: by `paths` and `baseUrl` of `tsconfig.json`, by
//! `imports` and `exports` of `package.json`, and in packages.
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use oxc_resolver::{ResolveContext, ResolveOptions, ResolverGeneric, TsConfig};

use portalgen_base::source::Sources;

use super::files::{Files, Supposed};
use crate::load::glob::{Glob, UNKNOWN, escaped};

/// So many targets no alias has.
const MOST: usize = 32;

/// The path of a file of which a part is unknown: what stands before and after that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    start: String,
    end: String,
}

impl Place {
    /// Of a path with [`UNKNOWN`] in it once. The folder that is known becomes canonical.
    pub(super) fn new(sources: &dyn Sources, path: &Path) -> Option<Self> {
        let path = path.to_string_lossy();
        let (start, end) = path.split_once(UNKNOWN).filter(|(_, end)| !end.contains(UNKNOWN))?;
        let (folder, name) = start.rsplit_once('/')?;
        let folder = sources.canonicalize(Path::new(folder)).unwrap_or_else(|_| PathBuf::from(folder));
        Some(Self { start: format!("{}/{name}", folder.to_string_lossy()), end: end.to_owned() })
    }

    /// The pattern for the files, given the one for what is unknown.
    pub(super) fn glob(&self, unknown: &str) -> Glob {
        Glob::new(Path::new("/"), &format!("{}{unknown}{}", escaped(&self.start), escaped(&self.end)))
    }

    /// The unknown part of a file.
    pub(super) fn unknown_of(&self, file: &Path) -> Option<String> {
        let file = file.to_string_lossy();
        Some(file.strip_prefix(&self.start)?.strip_suffix(&self.end)?.to_owned())
    }

    /// Whether the end of the path is known.
    pub(super) fn has_end(&self) -> bool {
        !self.end.is_empty()
    }
}

/// The paths that a specifier with [`UNKNOWN`] in it leads to, in the order in which they are looked for.
pub(super) fn places_of(
    specifier: &str,
    folder: &Path,
    project: Option<&TsConfig>,
    sources: &Arc<dyn Sources>,
    options: &ResolveOptions,
) -> Vec<PathBuf> {
    // What has a part that is unknown is neither completed nor, since nothing is there, a link.
    let options = ResolveOptions {
        extensions: Vec::new(),
        extension_alias: Vec::new(),
        main_files: Vec::new(),
        symlinks: false,
        ..options.clone()
    };
    let mut found = Vec::new();
    while found.len() < MOST {
        let files = Supposed { files: Files(Arc::clone(sources)), found: found.clone() };
        // What a resolver has looked at once it does not look at again.
        let resolver = ResolverGeneric::new_with_file_system(files, options.clone());
        let resolution = match project {
            None => resolver.resolve(folder, specifier),
            project => resolver.resolve_with_context(folder, specifier, project, &mut ResolveContext::default()),
        };
        let Ok(resolution) = resolution else { break };
        let path = resolution.into_path_buf();
        // What is there is found whatever has been found before.
        if !path.to_string_lossy().contains(UNKNOWN) {
            break;
        }
        found.push(path);
    }
    found.retain(|path| !names_package_in_part(path));
    found
}

/// Whether the name of a package is what is unknown.
fn names_package_in_part(path: &Path) -> bool {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let is_in_part = |at: usize| {
        let name = parts[at + 1..].iter().take(2);
        let length = if parts.get(at + 1).is_some_and(|scope| scope.starts_with('@')) { 2 } else { 1 };
        name.take(length).any(|part| part.contains(UNKNOWN))
    };
    (0..parts.len()).any(|at| parts[at] == "node_modules" && is_in_part(at))
}
