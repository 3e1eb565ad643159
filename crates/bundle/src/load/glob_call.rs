//! What a call of `import.meta.glob` says: its patterns and options, all of which must be written there.

use std::path::{Path, PathBuf};

use swc_core::{
    atoms::Atom,
    common::{DUMMY_SP, Span, Spanned},
    ecma::ast::{
        CallExpr, Expr, Ident, ImportDefaultSpecifier, ImportNamedSpecifier, ImportSpecifier, ImportStarAsSpecifier,
        KeyValueProp, Lit, ModuleExportName, ObjectLit, Prop, PropName, PropOrSpread,
    },
};

use portalgen_base::{
    source::{display_name, normalize},
    text::{Text, text},
};

use super::patterns::relative;
use crate::analyze::uses::known_text;

/// What is taken of each module.
pub(super) enum Import {
    Namespace,
    /// An export; `default` is one of them.
    Name(Atom),
}

impl Import {
    /// What an `import` has between its braces, or in their place.
    pub(super) fn specifier(&self, local: Ident) -> ImportSpecifier {
        match self {
            Self::Namespace => ImportSpecifier::Namespace(ImportStarAsSpecifier { span: DUMMY_SP, local }),
            Self::Name(name) if name == "default" => {
                ImportSpecifier::Default(ImportDefaultSpecifier { span: DUMMY_SP, local })
            }
            Self::Name(name) => {
                let imported = Some(ModuleExportName::Str(name.as_str().into()));
                ImportSpecifier::Named(ImportNamedSpecifier { span: DUMMY_SP, local, imported, is_type_only: false })
            }
        }
    }
}

/// One of the patterns, without the `!` of those that take files out.
pub(super) struct Pattern {
    pub text: String,
    pub is_negative: bool,
    pub span: Span,
}

/// `import.meta.glob(["./a/*.ts", "!./a/b.ts"], { eager: true })`
pub(super) struct GlobCall {
    pub patterns: Vec<Pattern>,
    pub eager: bool,
    pub import: Import,
    /// `?raw`
    pub query: String,
    /// Names with a leading dot and `node_modules` are looked into.
    pub exhaustive: bool,
    base: Option<String>,
}

/// What is wrong with a call, where, and what to write.
type Mistake = (Span, Text, Text);

impl GlobCall {
    pub(super) fn read(call: &CallExpr) -> Result<Self, Mistake> {
        let patterns = match call.args.first().map(|argument| &*argument.expr) {
            Some(Expr::Array(list)) => list.elems.iter().flatten().map(|element| pattern(&element.expr)).collect(),
            Some(one) => pattern(one).map(|pattern| vec![pattern]),
            None => Err(not_written(call.span)),
        }?;
        let mut read = Self {
            patterns,
            eager: false,
            import: Import::Namespace,
            query: String::new(),
            exhaustive: false,
            base: None,
        };
        match call.args.get(1).map(|argument| &*argument.expr) {
            None => {}
            Some(Expr::Object(options)) => read.options(options)?,
            Some(other) => return Err(not_an_option(other.span())),
        }
        Ok(read)
    }

    fn options(&mut self, options: &ObjectLit) -> Result<(), Mistake> {
        for prop in &options.props {
            let (key, value) = key_value(prop).ok_or_else(|| not_an_option(prop.span()))?;
            match (&*key, known_text(value), value) {
                ("eager", _, Expr::Lit(Lit::Bool(eager))) => self.eager = eager.value,
                ("exhaustive", _, Expr::Lit(Lit::Bool(exhaustive))) => self.exhaustive = exhaustive.value,
                ("import", Some(name), _) if name == "*" => self.import = Import::Namespace,
                ("import", Some(name), _) => self.import = Import::Name(name),
                ("base", Some(base), _) => self.base = Some(base.to_string()),
                ("query", Some(query), _) => self.query = question(&query),
                ("query", _, Expr::Object(pairs)) => self.query = query(pairs)?,
                // The older word for both at once.
                ("as", Some(form), _) => {
                    self.query = question(&form);
                    self.import = Import::Name("default".into());
                }
                ("eager" | "exhaustive" | "import" | "base" | "query" | "as", ..) => {
                    return Err(not_a_value(value.span()));
                }
                _ => return Err(not_an_option(prop.span())),
            }
        }
        Ok(())
    }

    /// The folder that a pattern begins at, and the rest of it. `None` if it begins with a name for a folder. What begins
    /// with `**` begins at the site, whatever the base.
    pub(super) fn origin(&self, folder: &Path, site: &Path, pattern: &Pattern) -> Option<(PathBuf, String)> {
        let text = &pattern.text;
        match text.strip_prefix('/') {
            Some(rest) => Some((site.to_path_buf(), rest.to_owned())),
            // Out goes what is called so anywhere.
            None if text.starts_with("**") && pattern.is_negative => Some((PathBuf::from("/"), text.clone())),
            None if text.starts_with("**") => Some((site.to_path_buf(), text.clone())),
            None if text.starts_with("./") || text.starts_with("../") => {
                Some((self.base_folder(folder, site).unwrap_or_else(|| folder.to_path_buf()), text.clone()))
            }
            None => None,
        }
    }

    fn base_folder(&self, folder: &Path, site: &Path) -> Option<PathBuf> {
        let base = self.base.as_deref()?;
        Some(normalize(&base.strip_prefix('/').map_or_else(|| folder.join(base), |rest| site.join(rest))))
    }

    /// What a file is called in the object: relative to the base or the module, if all patterns are, else to the site.
    pub(super) fn key(&self, folder: &Path, site: &Path, file: &Path) -> String {
        let is_relative = self.patterns.iter().all(|pattern| pattern.is_negative || pattern.text.starts_with('.'));
        match self.base_folder(folder, site) {
            Some(base) => relative(&base, file),
            None if is_relative => relative(folder, file),
            None => {
                let name = display_name(site, file);
                if name.starts_with("../") { name } else { format!("/{name}") }
            }
        }
    }
}

fn pattern(expr: &Expr) -> Result<Pattern, Mistake> {
    let written = known_text(expr).ok_or_else(|| not_written(expr.span()))?;
    let positive = written.strip_prefix('!');
    Ok(Pattern { text: positive.unwrap_or(&written).to_owned(), is_negative: positive.is_some(), span: expr.span() })
}

fn key_value(prop: &PropOrSpread) -> Option<(Atom, &Expr)> {
    let Prop::KeyValue(KeyValueProp { key, value }) = &**prop.as_prop()? else { return None };
    let key = match key {
        PropName::Ident(name) => name.sym.clone(),
        PropName::Str(name) => name.value.as_str()?.into(),
        _ => return None,
    };
    Some((key, value))
}

/// `?raw` of `raw` and `?raw`
fn question(query: &str) -> String {
    if query.is_empty() || query.starts_with('?') { query.to_owned() } else { format!("?{query}") }
}

/// `?a=1&raw` of `{ a: 1, raw: true }`
fn query(pairs: &ObjectLit) -> Result<String, Mistake> {
    let mut parts = Vec::new();
    for prop in &pairs.props {
        let (key, value) = key_value(prop).ok_or_else(|| not_an_option(prop.span()))?;
        match (value, known_text(value)) {
            (Expr::Lit(Lit::Bool(value)), _) if !value.value => {}
            (Expr::Lit(Lit::Bool(_)), _) => parts.push(key.to_string()),
            (_, Some(text)) if text.is_empty() => parts.push(key.to_string()),
            (_, Some(text)) => parts.push(format!("{key}={text}")),
            (Expr::Lit(Lit::Num(number)), _) => parts.push(format!("{key}={}", number.value)),
            _ => return Err(not_a_value(value.span())),
        }
    }
    Ok(question(&parts.join("&")))
}

fn not_written(span: Span) -> Mistake {
    let message = text!(
        "`import.meta.glob` takes string literals only: one pattern, or a list of patterns",
        "`import.meta.glob` 的参数必须是字符串字面量，或者由它们组成的列表"
    );
    let hint = text!(
        "write `import.meta.glob(\"./posts/*.tsx\")`: files are looked up when the portal is built",
        "请写成 `import.meta.glob(\"./posts/*.tsx\")`：文件在构建时查找"
    );
    (span, message, hint)
}

fn not_an_option(span: Span) -> Mistake {
    let message = text!("`import.meta.glob` has no such option", "`import.meta.glob` 没有这样的选项");
    let hint = text!(
        "the options are `eager`, `import`, `query`, `base` and `exhaustive`",
        "选项有 `eager`、`import`、`query`、`base` 和 `exhaustive`"
    );
    (span, message, hint)
}

fn not_a_value(span: Span) -> Mistake {
    let message =
        text!("the options of `import.meta.glob` must be literal values", "`import.meta.glob` 的选项必须写成字面量");
    let hint = text!(
        "for example `{{ eager: true, import: \"default\" }}`: files are looked up when the portal is built",
        "例如 `{{ eager: true, import: \"default\" }}`：文件在构建时查找"
    );
    (span, message, hint)
}
