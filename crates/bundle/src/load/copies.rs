//! Finds out whether React is there more than once.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use portalgen_base::{diagnostic::Diagnostic, source::display_name, text::text};

use super::{
    Key, Loaded, Loader,
    resolve::{File, Resolved},
};
use crate::{
    module::{ImportKind, ImportRecord},
    syntax::place,
};

const REACT: &str = "react";

impl Loader<'_> {
    /// Warnings about copies of React beside that of the site, each where it is asked for: hooks know one renderer.
    pub(crate) fn copies_of_react<'b>(&self, loaded: impl Iterator<Item = &'b Loaded>) -> Vec<Diagnostic> {
        let own = self.resolver.resolve(&self.options.folder, REACT, ImportKind::Static);
        let Ok(Resolved::File(File { path: own, .. })) = own else { return Vec::new() };
        let mut copies: BTreeMap<&Path, (&Loaded, &ImportRecord)> = BTreeMap::new();
        for importer in loaded {
            for (record, path) in requests_for_react(importer).filter(|(_, path)| **path != own) {
                let first = copies.entry(path).or_insert((importer, record));
                if importer.module.name < first.0.module.name {
                    *first = (importer, record);
                }
            }
        }
        copies.into_iter().map(|(copy, (importer, record))| self.told(&own, copy, importer, record)).collect()
    }

    fn told(&self, own: &Path, copy: &Path, importer: &Loaded, record: &ImportRecord) -> Diagnostic {
        // The whole path: names of modules do not tell two packages of a workspace apart.
        let name = |path: &Path| display_name(&self.options.root, path);
        let called = |path: &Path| format!("{} {}", name(path), self.version_at(path)).trim_end().to_owned();
        let (own, copy) = (called(own), called(copy));
        let message = text!(
            "there are two copies of React: this import resolves to {copy}, the site uses {own}",
            "有两份 React：这里导入的是 {copy}，网站用的是 {own}"
        );
        let hint = text!(
            "hooks work only with the React that renders the page: move `react` from `dependencies` to \
            `peerDependencies` in that package, and install again",
            "Hook 只能配合渲染页面的那一份 React：请在那个包里把 `react` 从 `dependencies` 移到 `peerDependencies`，\
            再重新安装"
        );
        Diagnostic::warning(message).at(place(&importer.module.source, record.span)).with_hint(hint)
    }

    fn version_at(&self, file: &Path) -> String {
        let package = self.json(&file.with_file_name("package.json"));
        package["version"].as_str().unwrap_or_default().to_owned()
    }
}

fn requests_for_react(loaded: &Loaded) -> impl Iterator<Item = (&ImportRecord, &PathBuf)> {
    let records = loaded.module.scan.import_records.iter().zip(&loaded.targets);
    records.filter(|(record, _)| &*record.specifier == REACT).filter_map(|(record, target)| match target {
        Some(Key::File(path)) => Some((record, path)),
        _ => None,
    })
}
