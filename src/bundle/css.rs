//! Style sheets: checked, lowered and minified by lightningcss, file by file.
//!
//! A sheet is a module of the graph like any other: its `@import`s are requests, so one file lands in the output
//! once, in import order, whoever asks for it.

use std::{path::Path, sync::Arc};

use lightningcss::{
    css_modules::{self, CssModuleExport, CssModuleExports, CssModuleReference},
    dependencies::{Dependency, DependencyOptions, UrlDependency},
    error::ErrorLocation,
    printer::PrinterOptions,
    rules::{CssRule, import::ImportRule},
    stylesheet::{MinifyOptions, ParserOptions, StyleSheet},
    targets::{Browsers, Targets},
    traits::ToCss,
};

use crate::diagnostic::{Diagnostic, Place, SourceText};

/// A sheet, ready to be joined with others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stylesheet {
    /// CSS text; each `url()` is a placeholder until [`Stylesheet::place_urls`].
    pub code: String,
    /// What must come first in the file that it ends up in: the order of layers, and `@import`s of other servers' sheets.
    pub head: Vec<String>,
}

/// A sheet with what it asks for.
pub(super) struct ParsedSheet {
    pub sheet: Stylesheet,
    pub imports: Vec<SheetImport>,
    pub urls: Vec<SheetUrl>,
    /// Class names of a CSS module: as written, and as emitted. Sorted.
    pub classes: Option<Vec<(String, String)>>,
}

/// `@import "specifier" layer(..) supports(..) media`.
pub(super) struct SheetImport {
    pub specifier: String,
    pub conditions: Conditions,
    pub place: Place,
}

/// What a chain of `@import`s puts around the imported sheet, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Conditions(Vec<Condition>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Condition {
    /// `Some("")` is an anonymous layer.
    layer: Option<String>,
    supports: Option<String>,
    media: Option<String>,
}

impl Conditions {
    /// These conditions, and within them `inner`.
    pub(super) fn and(&self, inner: &Self) -> Self {
        Self(self.0.iter().chain(&inner.0).cloned().collect())
    }
}

/// `url(..)` in a sheet.
pub(super) struct SheetUrl {
    pub placeholder: String,
    pub url: String,
    pub place: Place,
}

/// The browsers that sheets are lowered for: those that run ES modules with dynamic import and `:is()`.
fn targets() -> Targets {
    let version = |major: u32, minor: u32| Some(major << 16 | minor << 8);
    Targets::from(Browsers {
        chrome: version(111, 0),
        edge: version(111, 0),
        firefox: version(114, 0),
        safari: version(16, 4),
        ios_saf: version(16, 4),
        ..Browsers::default()
    })
}

/// Parses the sheet in `source`, found at `path`.
///
/// # Errors
/// The first syntax error; lightningcss stops there.
pub(super) fn parse(source: &Arc<SourceText>, path: &Path, minify: bool) -> Result<ParsedSheet, Diagnostic> {
    let is_module = path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".module.css"));
    let options = ParserOptions {
        filename: source.name.clone(),
        css_modules: is_module.then(css_modules::Config::default),
        ..ParserOptions::default()
    };
    let mut sheet = StyleSheet::parse(&source.text, options)
        .map_err(|error| failure(source, &error.kind.to_string(), error.loc.as_ref()))?;
    let (imports, head) = take_head(&mut sheet, source);
    let targets = targets();
    sheet
        .minify(MinifyOptions { targets, ..MinifyOptions::default() })
        .map_err(|error| failure(source, &error.kind.to_string(), error.loc.as_ref()))?;
    let printed = sheet
        .to_css(PrinterOptions {
            minify,
            targets,
            analyze_dependencies: Some(DependencyOptions { remove_imports: true }),
            ..PrinterOptions::default()
        })
        .map_err(|error| failure(source, &error.kind.to_string(), error.loc.as_ref()))?;
    let urls = printed.dependencies.into_iter().flatten().filter_map(|dependency| match dependency {
        Dependency::Url(url) => Some(sheet_url(source, url)),
        Dependency::Import(_) => None,
    });
    let urls = urls.collect();
    if let Some((name, specifier)) = printed.exports.as_ref().and_then(foreign_composition) {
        let at = source.text.find(specifier).unwrap_or_default();
        return Err(Diagnostic::error(format!("`composes` cannot take `{name}` from another file"))
            .at(Place::new(source, at..at + specifier.len()))
            .with_hint(format!("import `{specifier}` in the component too, and give the element both classes")));
    }
    let classes = printed.exports.map(|exports| {
        let mut classes: Vec<_> = exports.into_iter().map(|(name, export)| (name, emitted_names(export))).collect();
        classes.sort();
        classes
    });
    Ok(ParsedSheet { sheet: Stylesheet { code: printed.code, head }, imports, urls, classes })
}

impl Stylesheet {
    /// Puts the final addresses in: `address` is asked for every [`SheetUrl`].
    pub(super) fn place_urls(&mut self, urls: &[SheetUrl], address: impl Fn(&SheetUrl) -> String) {
        for url in urls {
            self.code = self.code.replace(&url.placeholder, &css_string(&address(url)));
        }
    }

    /// Wraps the sheet in what its importer asked for.
    pub(super) fn under(mut self, conditions: &Conditions) -> Self {
        let mut wrap = |head: &str, condition: &Option<String>| {
            if let Some(condition) = condition {
                self.code = format!("{head} {condition}{{{}}}", self.code);
            }
        };
        for condition in conditions.0.iter().rev() {
            wrap("@layer", &condition.layer);
            wrap("@supports", &condition.supports);
            wrap("@media", &condition.media);
        }
        self
    }
}

/// Removes what a sheet may begin with, up to the last `@import`: those of the site become requests, the others and the
/// order of layers stay as text.
fn take_head(sheet: &mut StyleSheet<'_>, source: &Arc<SourceText>) -> (Vec<SheetImport>, Vec<String>) {
    let (mut imports, mut head) = (Vec::new(), Vec::new());
    let rules = &mut sheet.rules.0;
    let end = rules.iter().rposition(|rule| matches!(rule, CssRule::Import(_))).map_or(0, |last| last + 1);
    for rule in &mut rules[..end] {
        match rule {
            CssRule::Import(import) if is_elsewhere(&import.url) => head.extend(css_text(import)),
            CssRule::Import(import) => imports.push(sheet_import(source, import)),
            CssRule::LayerStatement(layers) => head.extend(css_text(layers)),
            _ => continue,
        }
        *rule = CssRule::Ignored;
    }
    (imports, head)
}

fn sheet_import(source: &Arc<SourceText>, import: &ImportRule<'_>) -> SheetImport {
    let layer = import.layer.as_ref().map(|name| name.as_ref().and_then(css_text).unwrap_or_default());
    let supports = import.supports.as_ref().and_then(css_text);
    let supports = supports.map(|text| if text.starts_with('(') { text } else { format!("({text})") });
    let media = if import.media.always_matches() { None } else { css_text(&import.media) };
    let is_conditional = layer.is_some() || supports.is_some() || media.is_some();
    let condition = is_conditional.then_some(Condition { layer, supports, media });
    SheetImport {
        specifier: import.url.to_string(),
        conditions: Conditions(condition.into_iter().collect()),
        place: place_at(source, import.loc.line, import.loc.column),
    }
}

fn css_text(value: &impl ToCss) -> Option<String> {
    value.to_css_string(PrinterOptions::default()).ok()
}

/// Whether a URL in a sheet is none of the bundler's business: another server's, a data URL, a fragment.
pub(super) fn is_elsewhere(url: &str) -> bool {
    url.is_empty() || url.starts_with("//") || url.starts_with('#') || has_scheme(url)
}

fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

fn sheet_url(source: &Arc<SourceText>, dependency: UrlDependency) -> SheetUrl {
    let start = dependency.loc.start;
    let place = place_at(source, start.line.saturating_sub(1), start.column);
    SheetUrl { placeholder: dependency.placeholder, url: dependency.url, place }
}

/// `composes: name from "file"` is not followed; leaving it out silently would leave a class without its styles.
fn foreign_composition(exports: &CssModuleExports) -> Option<(&str, &str)> {
    let references = exports.values().flat_map(|export| &export.composes);
    let foreign = references.filter_map(|reference| match reference {
        CssModuleReference::Dependency { name, specifier } => Some((name.as_str(), specifier.as_str())),
        _ => None,
    });
    foreign.min()
}

/// The class names that one name of a CSS module stands for, itself first.
fn emitted_names(export: CssModuleExport) -> String {
    let composed = export.composes.into_iter().filter_map(|reference| match reference {
        CssModuleReference::Local { name } | CssModuleReference::Global { name } => Some(name),
        CssModuleReference::Dependency { .. } => None,
    });
    std::iter::once(export.name).chain(composed).collect::<Vec<_>>().join(" ")
}

fn failure(source: &Arc<SourceText>, message: &str, location: Option<&ErrorLocation>) -> Diagnostic {
    let diagnostic = Diagnostic::error(format!("this style sheet cannot be read: {message}"));
    match location {
        Some(location) => diagnostic.at(place_at(source, location.line, location.column)),
        None => diagnostic.at(Place::new(source, 0..0)),
    }
}

/// A place from a line counted from 0 and a column counted from 1, as lightningcss has them.
fn place_at(source: &Arc<SourceText>, line: u32, column: u32) -> Place {
    Place::at_line_column(source, line as usize + 1, column as usize)
}

/// Escapes a URL for the inside of the quoted or bare `url()` that the printer left.
fn css_string(url: &str) -> String {
    let mut escaped = String::with_capacity(url.len());
    for character in url.chars() {
        match character {
            '"' => escaped.push_str("%22"),
            '\'' => escaped.push_str("%27"),
            '(' => escaped.push_str("%28"),
            ')' => escaped.push_str("%29"),
            '\\' => escaped.push_str("%5C"),
            ' ' => escaped.push_str("%20"),
            other => escaped.push(other),
        }
    }
    escaped
}
