//! Style sheets as modules of the graph: what they import resolved, their URLs final, their class names exported.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    asset::Asset,
    css::{self, Conditions, ParsedSheet, SheetUrl, Stylesheet},
    load::{JAVASCRIPT, Key, Loaded, Loader, is_vendor, key, stem},
    module::{Code, Module, RequestKind, Statement},
    parse::{Claim, Dialect, parse},
    purity::Effect,
    resolve::Resolved,
    scan::scan,
};
use crate::{
    diagnostic::{Diagnostic, SourceText},
    source::normalize,
};

impl Loader<'_> {
    /// Loads the sheet at `path` under the conditions of an `@import`.
    ///
    /// # Errors
    /// It cannot be read or parsed.
    pub(super) fn sheet(&self, path: &Path, conditions: &Conditions) -> Result<Loaded, Vec<Diagnostic>> {
        let name = self.name(path);
        let source = SourceText::new(&*name, self.read_text(path)?);
        let mut parsed = css::parse(&source, path, self.options.minify).map_err(|diagnostic| vec![diagnostic])?;
        let folder = path.parent().unwrap_or(path);
        let (assets, mut diagnostics) = self.place_urls(folder, &mut parsed.sheet, &parsed.urls);
        let (targets, missing) = self.resolve_imports(folder, &parsed, conditions);
        diagnostics.extend(missing);

        let code = sheet_module(&parsed, targets.len());
        let source = SourceText::new(&*name, code);
        let mut record = scan(parse(&source, Dialect { claim: Claim::Esm, ..JAVASCRIPT }, &self.parse_options)?);
        record.statements.push(Statement {
            code: Code::Stylesheet,
            declares: Vec::new(),
            uses: Vec::new(),
            effect: Effect::Any,
            is_constant: true,
        });
        let module = Module {
            stem: stem(&name),
            vendor: is_vendor(&name),
            name,
            source,
            record,
            pure_package: false,
            node_interop: false,
            external: false,
            stylesheet: Some(parsed.sheet.under(conditions)),
        };
        Ok(Loaded {
            module,
            targets: targets.into_iter().map(Some).collect(),
            assets,
            workers: BTreeMap::new(),
            diagnostics,
        })
    }

    /// The sheets that a sheet imports, each once under each set of conditions.
    fn resolve_imports(
        &self,
        folder: &Path,
        sheet: &ParsedSheet,
        conditions: &Conditions,
    ) -> (Vec<Key>, Vec<Diagnostic>) {
        let (mut targets, mut diagnostics) = (Vec::new(), Vec::new());
        for import in &sheet.imports {
            // A bare `@import "x.css"` means a file beside the sheet before it means a package.
            let relative = beside(&import.specifier);
            let resolve = |specifier: &str| self.resolver.resolve(folder, specifier, RequestKind::Import);
            match resolve(&relative).or_else(|_| resolve(&import.specifier)) {
                Ok(resolved) => targets.push(key(resolved, Some(conditions.and(&import.conditions)))),
                Err(_) => diagnostics.push(self.not_found(folder, &relative).at(import.place.clone())),
            }
        }
        let mut seen = FxHashSet::default();
        targets.retain(|target| seen.insert(target.clone()));
        (targets, diagnostics)
    }

    /// Puts the final addresses of files into a sheet; returns those files that are named by their content.
    fn place_urls(&self, folder: &Path, sheet: &mut Stylesheet, urls: &[SheetUrl]) -> (Vec<Asset>, Vec<Diagnostic>) {
        let (mut assets, mut diagnostics) = (Vec::new(), Vec::new());
        let mut addresses = FxHashMap::default();
        for url in urls {
            let address = if css::is_elsewhere(&url.url) {
                url.url.clone()
            } else if let Some(public) = url.url.strip_prefix('/') {
                format!("{}{public}", self.options.base)
            } else {
                match self.sheet_asset(folder, &url.url) {
                    Ok((asset, suffix)) => {
                        // A sheet and its assets share a folder, so this holds under every base.
                        let address = format!("{}{suffix}", asset.base_name());
                        assets.push(asset);
                        address
                    }
                    Err(diagnostic) => {
                        diagnostics.push(diagnostic.at(url.place.clone()));
                        continue;
                    }
                }
            };
            addresses.insert(url.placeholder.clone(), address);
        }
        sheet.place_urls(urls, |url| addresses.get(&url.placeholder).cloned().unwrap_or_default());
        (assets, diagnostics)
    }

    /// The file of a `url()`, and the `?query#fragment` that stays behind its name.
    fn sheet_asset<'u>(&self, folder: &Path, url: &'u str) -> Result<(Asset, &'u str), Diagnostic> {
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let (file, suffix) = url.split_at(end);
        let decoded = percent_encoding::percent_decode_str(file).decode_utf8_lossy();
        let file = normalize(&folder.join(&*decoded));
        let path = if self.sources.is_file(&file) {
            file
        } else {
            match self.resolver.resolve(folder, &decoded, RequestKind::Import) {
                Ok(Resolved::File(file)) => file.path,
                _ => return Err(self.not_found(folder, &beside(&decoded))),
            }
        };
        let bytes = self.read(&path).map_err(|mut diagnostics| diagnostics.remove(0))?;
        Ok((Asset::new(self.options.layout.prefix(), &path, bytes), suffix))
    }
}

/// The code of a sheet's module: an import for each of its `@import`s, `export default` of all class names, and one
/// export for each of them.
fn sheet_module(sheet: &ParsedSheet, imports: usize) -> String {
    let mut code = String::new();
    for import in 0..imports {
        let _ = writeln!(code, "import \"{import}\";");
    }
    let classes = sheet.classes.as_deref().unwrap_or_default();
    let all: serde_json::Map<_, _> =
        classes.iter().map(|(name, emitted)| (name.clone(), emitted.clone().into())).collect();
    let _ = writeln!(code, "export default {};", serde_json::Value::Object(all));
    for (index, (name, emitted)) in classes.iter().enumerate() {
        let value = serde_json::Value::from(emitted.as_str());
        let name = serde_json::Value::from(name.as_str());
        if name != "default" {
            let _ = writeln!(code, "const c{index} = {value};\nexport {{ c{index} as {name} }};");
        }
    }
    code
}

/// A file name in a sheet as a specifier for the file beside it.
fn beside(name: &str) -> String {
    if name.starts_with('.') { name.to_owned() } else { format!("./{name}") }
}
