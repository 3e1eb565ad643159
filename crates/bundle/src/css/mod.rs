//! One style sheet: checked, lowered and minified by lightningcss.
//!
//! What a browser would skip is skipped with a warning, and never a reason to refuse the sheet. How sheets import each
//! other is not known here: see [`sheet`].

pub(super) mod browsers;
pub(super) mod conditions;
mod declarations;
mod misread;
mod nesting;
mod numbers;
pub(super) mod outline;
mod parsed;
mod scope;
pub(super) mod skipped;
pub(super) mod tools;
pub(crate) mod types;
mod units;
mod wide;

use std::{
    fmt::Write as _,
    ops::Range,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};

use lightningcss::{
    css_modules::{self, CssModuleExport, CssModuleExports, CssModuleReference},
    dependencies::{Dependency, DependencyOptions, UrlDependency},
    error::ErrorLocation,
    printer::PrinterOptions,
    properties::{Property, css_modules::Specifier},
    rules::{CssRule, CssRuleList, import::ImportRule, layer::LayerStatementRule, namespace::NamespaceRule},
    stylesheet::{MinifyOptions, ParserOptions, StyleSheet},
    targets::Targets,
    traits::ToCss,
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    text::text,
};

pub(crate) use self::parsed::{
    Class, Composed, Head, Namespace, Origin, ParsedSheet, SheetImport, SheetUrl, Stylesheet,
};
pub use self::types::is_declarations;
use self::{
    conditions::Conditions,
    outline::Outline,
    skipped::{Judged, Problem, sentence, unclosed},
    wide::wide_characters,
};
use crate::asset::content_hash;

/// How to make a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SheetOptions {
    pub minify: bool,
    pub targets: Targets,
}

impl SheetOptions {
    /// A part of a sheet as text.
    pub(crate) fn text(self, part: &impl ToCss) -> Option<String> {
        let Self { minify, targets } = self;
        part.to_css_string(PrinterOptions { minify, targets, ..PrinterOptions::default() }).ok()
    }
}

/// How deep brackets may be nested. The parser, the minifier and the printer recurse, each level of theirs takes some
/// kilobytes, and a thread may have no more than two megabytes.
const MAX_DEPTH: usize = 100;

/// How often a sheet is read again without what browsers skip: what the first reading does not show, a few more do.
const MAX_READINGS: usize = 20;

/// Parses the sheet in `source`, found at `path`. In a `vendor` sheet, which nobody here can mend, what browsers skip is
/// not worth a word.
///
/// # Errors
/// What would overflow the stack, and what no browser but only portalgen would have to understand.
pub(crate) fn parse(
    source: &Arc<SourceText>,
    path: &Path,
    vendor: bool,
    options: SheetOptions,
) -> Result<ParsedSheet, Diagnostic> {
    let outline = Outline::of(&source.text, MAX_DEPTH).map_err(|at| {
        let message = text!("brackets are nested more than {MAX_DEPTH} levels deep", "括号嵌套超过了 {MAX_DEPTH} 层");
        Diagnostic::error(message).at(Place::new(source, at..at + 1))
    })?;
    let reader = Reader { source, outline: &outline, is_module: is_css_module(path), options };
    let mut warnings: Vec<Diagnostic> = outline.unclosed.map(|at| unclosed(source, at)).into_iter().collect();
    let (unmet, conditions): (Vec<Option<Range<usize>>>, Vec<Diagnostic>) = reader.conditions_without_unit().unzip();
    let mut skipped: Vec<Range<usize>> = unmet.into_iter().flatten().collect();
    let marks = reader.marks();
    let mut readings = 0;
    loop {
        readings += 1;
        let text = readable(source, &outline, &marks, &skipped);
        let (sheet, problems) = reader.read(&text)?;
        let known = skipped.len();
        for problem in problems {
            let Judged { warning, skips } = reader.judge(&problem)?;
            if !warnings.contains(&warning) {
                warnings.push(warning);
                skipped.extend(skips);
            }
        }
        if skipped.len() == known || readings == MAX_READINGS {
            let mut parsed = reader.finish(sheet)?;
            parsed.warnings.append(&mut warnings);
            if vendor {
                parsed.warnings.clear();
            } else {
                parsed.warnings.extend(reader.doubtful(&skipped));
                parsed.warnings.extend(conditions);
                tell_wide_characters(&mut parsed.warnings, source);
            }
            return Ok(parsed);
        }
    }
}

/// Adds what is said of Chinese punctuation, in the place of what else is said of its lines.
fn tell_wide_characters(warnings: &mut Vec<Diagnostic>, source: &Arc<SourceText>) {
    let wide = wide_characters(source);
    let line = |warning: &Diagnostic| warning.place.as_ref().map(|place| place.line_column().0);
    let lines: Vec<_> = wide.iter().map(line).collect();
    warnings.retain(|warning| !lines.contains(&line(warning)));
    warnings.extend(wide);
}

/// Whether the class names of the sheet at `path` are its own.
pub(crate) fn is_css_module(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".module.css"))
}

/// Reads one sheet.
pub(crate) struct Reader<'s> {
    pub source: &'s Arc<SourceText>,
    pub outline: &'s Outline,
    is_module: bool,
    options: SheetOptions,
}

impl Reader<'_> {
    fn read<'t>(&self, text: &'t str) -> Result<(StyleSheet<'t>, Vec<Problem>), Diagnostic> {
        let problems = Arc::new(RwLock::new(Vec::new()));
        let options = ParserOptions {
            filename: self.source.name.clone(),
            css_modules: self.is_module.then(css_modules::Config::default),
            error_recovery: true,
            warnings: Some(Arc::clone(&problems)),
            ..ParserOptions::default()
        };
        let sheet = StyleSheet::parse(text, options);
        let mut sheet = sheet.map_err(|error| self.failure(&error.kind, error.loc.as_ref()))?;
        misread::restore(&mut sheet.rules);
        let problems = problems.read().unwrap_or_else(PoisonError::into_inner).iter().map(Problem::new).collect();
        Ok((sheet, problems))
    }

    /// Whether the parser keeps an at-rule although it does not understand its condition.
    pub(crate) fn keeps_condition(&self, prelude: &str) -> bool {
        let rule = match prelude.strip_suffix(';') {
            _ if !prelude.starts_with('@') => return false,
            Some(rule) => format!("{rule};"),
            None => format!("{prelude}{{}}"),
        };
        self.read(&rule).is_ok_and(|(sheet, _)| !sheet.rules.0.is_empty())
    }

    /// The part of a range that is on its first line.
    pub(crate) fn first_line(&self, range: Range<usize>) -> Place {
        let text = self.source.text.get(range.clone()).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default().trim_end();
        Place::new(self.source, range.start..range.start + line.len())
    }

    /// A place from a line counted from 0 and a column counted from 1, as lightningcss has them.
    pub(crate) fn place_at(&self, line: u32, column: u32) -> Place {
        Place::at_line_column(self.source, line as usize + 1, column as usize)
    }

    fn finish(&self, mut sheet: StyleSheet<'_>) -> Result<ParsedSheet, Diagnostic> {
        let mut parsed = ParsedSheet::default();
        self.take_namespaces(&mut sheet, &mut parsed);
        self.take_head(&mut sheet, &mut parsed);
        let compositions = self.compositions(&sheet.rules);
        parsed.layers = self.options.text(&layers_of(&sheet.rules, true)).unwrap_or_default();
        parsed.body.layers = layer_names(&layers_of(&sheet.rules, false), "");

        self.check_growth(&sheet.rules, 0)?;

        // The minifier drops empty rules, but not what scripts know their classes by.
        let exports = if self.is_module { self.exports(&sheet)? } else { None };
        parsed.body.is_scoped = self.is_module && scope::is_scoped(&sheet.rules);
        let targets = self.options.targets;
        sheet
            .minify(MinifyOptions { targets, ..MinifyOptions::default() })
            .map_err(|error| self.failure(&error.kind, error.loc.as_ref()))?;
        let printed = sheet
            .to_css(PrinterOptions {
                minify: self.options.minify,
                targets,
                analyze_dependencies: Some(DependencyOptions { remove_imports: true }),
                ..PrinterOptions::default()
            })
            .map_err(|error| self.failure(&error.kind, error.loc.as_ref()))?;
        parsed.body.code = printed.code;
        let urls = printed.dependencies.into_iter().flatten().filter_map(|dependency| match dependency {
            Dependency::Url(url) => Some(self.sheet_url(url)),
            Dependency::Import(_) => None,
        });
        parsed.urls = urls.collect();
        parsed.classes = exports.map(|exports| self.classes(exports, &compositions));
        Ok(parsed)
    }

    fn exports(&self, sheet: &StyleSheet<'_>) -> Result<Option<CssModuleExports>, Diagnostic> {
        let printed = sheet.to_css(PrinterOptions::default());
        Ok(printed.map_err(|error| self.failure(&error.kind, error.loc.as_ref()))?.exports)
    }

    /// `@namespace` holds for the whole file that the sheet ends up in.
    fn take_namespaces(&self, sheet: &mut StyleSheet<'_>, parsed: &mut ParsedSheet) {
        for rule in &mut sheet.rules.0 {
            let CssRule::Namespace(NamespaceRule { prefix, url, loc }) = rule else { continue };
            let place = self.place_at(loc.line, loc.column);
            match prefix {
                Some(prefix) => parsed.body.namespaces.push(Namespace {
                    prefix: css_text(prefix).unwrap_or_default(),
                    url: url.to_string(),
                    place,
                }),
                None => parsed.warnings.push(
                    Diagnostic::warning(text!(
                        "this `@namespace` is ignored: it would apply to every style sheet in the same file",
                        "这个 `@namespace` 已忽略：否则它会对同一文件里的所有样式表生效"
                    ))
                    .at(place)
                    .with_hint(text!(
                        "give it a prefix: `@namespace svg url(http://www.w3.org/2000/svg)`, and write `svg|a`",
                        "请给它加上前缀：`@namespace svg url(http://www.w3.org/2000/svg)`，然后写 `svg|a`"
                    )),
                ),
            }
            *rule = CssRule::Ignored;
        }
    }

    /// Removes what a sheet may begin with, up to the last `@import`.
    fn take_head(&self, sheet: &mut StyleSheet<'_>, parsed: &mut ParsedSheet) {
        let rules = &mut sheet.rules.0;
        let end = rules.iter().rposition(|rule| matches!(rule, CssRule::Import(_))).map_or(0, |last| last + 1);
        for rule in &mut rules[..end] {
            match rule {
                CssRule::Import(import) => {
                    let import = self.sheet_import(import, parsed.head.len());
                    parsed.head.push(Head::Import(import));
                }
                CssRule::LayerStatement(layers) => {
                    let names = layers.names.iter().filter_map(css_text).collect();
                    let code = self.options.text(layers).unwrap_or_default();
                    parsed.head.push(Head::Layers(Stylesheet { code, layers: names, ..Stylesheet::default() }));
                }
                _ => continue,
            }
            *rule = CssRule::Ignored;
        }
    }

    fn sheet_import(&self, import: &ImportRule<'_>, index: usize) -> SheetImport {
        // A layer without a name is one of its own for each `@import`, but one for all that the sheet imports.
        let anonymous = || format!("unnamed-{}", content_hash(format!("{index} {}", self.source.name).as_bytes()));
        let layer = import.layer.as_ref().map(|name| name.as_ref().and_then(css_text).unwrap_or_else(anonymous));
        let supports = import.supports.as_ref().and_then(|supports| self.options.text(supports));
        let media = if import.media.always_matches() { None } else { self.options.text(&import.media) };
        SheetImport {
            url: import.url.to_string(),
            conditions: Conditions::new(layer, supports, media),
            place: self.place_at(import.loc.line, import.loc.column),
        }
    }

    fn sheet_url(&self, dependency: UrlDependency) -> SheetUrl {
        let start = dependency.loc.start;
        let place = self.place_at(start.line.saturating_sub(1), start.column);
        let UrlDependency { placeholder, mut url, .. } = dependency;
        let hidden = url.strip_prefix(HIDDEN).and_then(|index| index.parse::<usize>().ok());
        if let Some(custom) = hidden.and_then(|index| self.outline.custom_urls.get(index)) {
            url.clone_from(&custom.url);
        }
        SheetUrl { placeholder, url, place }
    }

    /// Every `composes` of the sheet: the names, where from, and its place.
    fn compositions(&self, rules: &CssRuleList<'_>) -> Vec<(Vec<String>, Option<String>, Place)> {
        let mut found = Vec::new();
        for rule in &rules.0 {
            let CssRule::Style(style) = rule else {
                if let Some(inner) = inner_rules(rule) {
                    found.extend(self.compositions(inner));
                }
                continue;
            };
            let declarations = &style.declarations;
            for property in declarations.declarations.iter().chain(&declarations.important_declarations) {
                if let Property::Composes(composes) = property {
                    let names = composes.names.iter().map(|name| name.0.to_string()).collect();
                    let from = match &composes.from {
                        Some(Specifier::File(file)) => Some(file.to_string()),
                        _ => None,
                    };
                    let place = self.place_at(composes.loc.line.saturating_sub(1), composes.loc.column);
                    let item = self.outline.item_at(place.span.start);
                    let place = item.map_or(place, |item| self.first_line(item.range.clone()));
                    found.push((names, from, place));
                }
            }
            found.extend(self.compositions(&style.rules));
        }
        found
    }

    fn classes(&self, exports: CssModuleExports, compositions: &[(Vec<String>, Option<String>, Place)]) -> Vec<Class> {
        let place = |wanted: &str, from: Option<&str>| {
            let is_it = |(names, specifier, _): &&(Vec<String>, Option<String>, Place)| {
                specifier.as_deref() == from
                    && names.iter().any(|name| wanted == name || wanted.ends_with(&format!("_{name}")))
            };
            compositions.iter().find(is_it).map_or_else(|| Place::new(self.source, 0..0), |(.., place)| place.clone())
        };
        let composed = |reference| match reference {
            CssModuleReference::Local { name } => Composed { place: place(&name, None), from: Origin::Local(name) },
            CssModuleReference::Global { name } => Composed { place: place(&name, None), from: Origin::Global(name) },
            CssModuleReference::Dependency { name, specifier } => {
                Composed { place: place(&name, Some(&specifier)), from: Origin::File { name, specifier } }
            }
        };
        let mut classes: Vec<Class> = exports
            .into_iter()
            .map(|(name, CssModuleExport { name: emitted, composes, .. })| Class {
                name,
                emitted,
                composes: composes.into_iter().map(composed).collect(),
            })
            .collect();
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes
    }

    fn failure(&self, error: &impl ToString, location: Option<&ErrorLocation>) -> Diagnostic {
        let reason = sentence(&error.to_string());
        let diagnostic =
            Diagnostic::error(text!("cannot read this style sheet: {reason}", "这里的写法有误，无法解析样式表"));
        match location {
            Some(location) => diagnostic.at(self.place_at(location.line, location.column)),
            None => diagnostic.at(Place::new(self.source, 0..0)),
        }
    }
}

/// `@namespace` as it stands in a file.
pub(crate) fn namespace_rule(namespace: &Namespace) -> String {
    format!("@namespace {} {};", namespace.prefix, css_string(&namespace.url))
}

impl Stylesheet {
    pub(crate) fn is_empty(&self) -> bool {
        self.code.trim().is_empty() && self.imports.is_empty() && self.namespaces.is_empty()
    }

    /// Puts the final addresses in: `address` is asked for every [`SheetUrl`].
    pub(crate) fn place_urls(&mut self, urls: &[SheetUrl], address: impl Fn(&SheetUrl) -> String) {
        for url in urls {
            self.code = self.code.replace(&css_string(&url.placeholder), &css_string(&address(url)));
        }
    }
}

/// What stands for a URL in a custom property, before its number. lightningcss refuses relative ones, since browsers
/// disagree on what they are relative to; here all sheets and their files share one folder, so that does not matter.
const HIDDEN: &str = "u.:";

/// The text of a sheet with spaces in place of what browsers skip, [`HIDDEN`] in place of URLs in custom properties, and
/// the `marks` in their places. Lines and columns stay the same, unless such a URL is shorter than what stands for it.
fn readable(
    source: &Arc<SourceText>,
    outline: &Outline,
    marks: &[(Range<usize>, String)],
    skipped: &[Range<usize>],
) -> String {
    let hidden = outline.custom_urls.iter().enumerate().map(|(index, url)| {
        let width = url.range.len();
        (url.range.clone(), format!("{:width$}", format!("{HIDDEN}{index}")))
    });
    let blanked = skipped.iter().map(|range| (range.clone(), spaces(&source.text[range.clone()])));
    let mut edits: Vec<(Range<usize>, String)> = hidden.chain(blanked).chain(marks.iter().cloned()).collect();
    // Of two that overlap, the one that is inside the other comes later, and is of no matter.
    edits.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
    let mut text = String::with_capacity(source.text.len());
    let mut end = 0;
    for (range, replacement) in edits {
        if range.start >= end {
            text.push_str(&source.text[end..range.start]);
            text.push_str(&replacement);
            end = range.end;
        }
    }
    text.push_str(&source.text[end..]);
    text
}

/// Spaces as wide as `text`, on as many lines.
fn spaces(text: &str) -> String {
    let is_line_end = |c: char| matches!(c, '\n' | '\r' | '\u{c}');
    text.chars().map(|c| if is_line_end(c) { c.to_string() } else { " ".repeat(c.len_utf16()) }).collect()
}

/// The rules inside another one, except for those of style rules.
fn inner_rules<'r, 'i>(rule: &'r CssRule<'i>) -> Option<&'r CssRuleList<'i>> {
    Some(match rule {
        CssRule::Media(rule) => &rule.rules,
        CssRule::Supports(rule) => &rule.rules,
        CssRule::Container(rule) => &rule.rules,
        CssRule::Scope(rule) => &rule.rules,
        CssRule::StartingStyle(rule) => &rule.rules,
        CssRule::LayerBlock(rule) => &rule.rules,
        CssRule::MozDocument(rule) => &rule.rules,
        _ => return None,
    })
}

/// The layers that rules declare, as statements; with `conditional`, those too that depend on the browser.
fn layers_of<'i>(rules: &CssRuleList<'i>, conditional: bool) -> CssRuleList<'i> {
    let mut layers = Vec::new();
    for rule in &rules.0 {
        match rule {
            CssRule::LayerStatement(_) => layers.push(rule.clone()),
            CssRule::LayerBlock(block) => {
                let Some(name) = &block.name else { continue };
                let names = vec![name.clone()];
                layers.push(CssRule::LayerStatement(LayerStatementRule { names, loc: block.loc }));
                let mut inner = block.clone();
                inner.rules = layers_of(&block.rules, conditional);
                if !inner.rules.0.is_empty() {
                    layers.push(CssRule::LayerBlock(inner));
                }
            }
            CssRule::Media(media) if conditional => {
                let mut media = media.clone();
                media.rules = layers_of(&media.rules, conditional);
                if !media.rules.0.is_empty() {
                    layers.push(CssRule::Media(media));
                }
            }
            CssRule::Supports(supports) if conditional => {
                let mut supports = supports.clone();
                supports.rules = layers_of(&supports.rules, conditional);
                if !supports.rules.0.is_empty() {
                    layers.push(CssRule::Supports(supports));
                }
            }
            _ => {}
        }
    }
    CssRuleList(layers)
}

/// The names in what [`layers_of`] gives.
fn layer_names(rules: &CssRuleList<'_>, outer: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rule in &rules.0 {
        match rule {
            CssRule::LayerStatement(statement) => {
                names.extend(statement.names.iter().filter_map(css_text).map(|name| format!("{outer}{name}")));
            }
            CssRule::LayerBlock(block) => {
                let name = block.name.as_ref().and_then(css_text).unwrap_or_default();
                names.extend(layer_names(&block.rules, &format!("{outer}{name}.")));
            }
            _ => {}
        }
    }
    names
}

fn css_text(value: &impl ToCss) -> Option<String> {
    value.to_css_string(PrinterOptions::default()).ok()
}

/// Whether a URL in a sheet is none of the bundler's business: another server's, a data URL, a fragment.
pub(crate) fn is_elsewhere(url: &str) -> bool {
    url.is_empty() || url.starts_with("//") || url.starts_with('#') || has_scheme(url)
}

fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// A CSS string.
pub(crate) fn css_string(text: &str) -> String {
    let mut string = String::with_capacity(text.len() + 2);
    string.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => string.extend(['\\', character]),
            c if c.is_ascii_control() => {
                let _ = write!(string, "\\{:x} ", u32::from(c));
            }
            other => string.push(other),
        }
    }
    string.push('"');
    string
}
