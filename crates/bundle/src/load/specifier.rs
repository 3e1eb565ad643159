//! Specifiers of which parts show only at run time.
use swc_core::ecma::ast::{BinaryOp, Expr, Lit, Tpl};

use crate::{
    analyze::uses::text,
    load::glob::{UNKNOWN, escaped},
};

/// A specifier of which parts show only at run time.
pub(super) struct Pattern {
    /// All up to the last slash before the first unknown part, as it is written.
    pub folder: String,
    /// What follows: known texts, and `None` for what is unknown.
    parts: Vec<Option<String>>,
    /// What a known text at the end has behind a `?`.
    pub query: String,
}

impl Pattern {
    /// Of a template, or of texts that are added, if it begins with a folder, or a name for one, and something in it is
    /// unknown.
    pub(super) fn of(expr: &Expr) -> Option<Self> {
        let mut parts = Vec::new();
        flatten(expr, &mut parts);
        if parts.iter().all(Option::is_some) {
            return None;
        }
        let first = parts.first()?.clone().filter(|text| !text.starts_with("//") && !text.contains(':'))?;
        let (folder, rest) = first.split_at(first.rfind('/')? + 1);
        parts[0] = Some(rest.to_owned());
        let last = parts.last_mut()?.as_mut();
        let query = last.and_then(|last| Some(last.split_off(last.find('?')?))).unwrap_or_default();
        Some(Self { folder: folder.to_owned(), parts, query })
    }

    /// The extension that every file has.
    pub(super) fn extension(&self) -> Option<&str> {
        let last = self.parts.last()?.as_deref()?;
        last.rsplit_once('.').map(|(_, extension)| extension).filter(|extension| !extension.is_empty())
    }

    /// Whether it says nothing of the files but that they lie beside the module or below.
    pub(super) fn is_anything(&self) -> bool {
        self.is_of_own_folder() && self.parts.iter().flatten().all(String::is_empty)
    }

    /// Whether no folder is named but the one that `@` or the name of a package stands for.
    fn is_of_own_folder(&self) -> bool {
        let short_names = usize::from(!self.is_relative());
        self.folder.split('/').skip(short_names).all(|part| matches!(part, "." | ".." | ""))
    }

    /// Whether it begins at the folder of the module.
    pub(super) fn is_relative(&self) -> bool {
        self.folder.starts_with("./") || self.folder.starts_with("../")
    }

    /// Whether it begins with `/`.
    pub(super) fn is_rooted(&self) -> bool {
        self.folder.starts_with('/')
    }

    /// Whether it begins with a name that `imports` of `package.json` gives.
    pub(super) fn is_of_imports(&self) -> bool {
        self.folder.starts_with('#')
    }

    /// The known texts before and after all that is unknown, without the folder and the query.
    pub(super) fn ends(&self) -> (&str, &str) {
        let start = self.parts.first().and_then(Option::as_deref).unwrap_or_default();
        let end = self.parts.last().and_then(Option::as_deref).unwrap_or_default();
        (start, end)
    }

    /// The specifier with one unknown part, and the pattern for that.
    pub(super) fn with_one_unknown(&self) -> (String, String) {
        let (start, end) = self.ends();
        let start = format!("{}{start}", self.folder);
        let glob = self.glob();
        let unknown = &glob[escaped(&start).len()..glob.len() - escaped(end).len()];
        (format!("{start}{UNKNOWN}{end}"), unknown.to_owned())
    }

    /// An unknown part is one of a name. Where a whole path may stand, behind the slash of a folder that is named, it
    /// leads into folders, too.
    pub(super) fn glob(&self) -> String {
        let mut glob = escaped(&self.folder);
        for part in &self.parts {
            match part {
                Some(text) => glob.push_str(&escaped(text)),
                None if glob.ends_with('*') => {}
                None if glob.ends_with('/') && !self.is_of_own_folder() => glob.push_str("**/*"),
                None => glob.push('*'),
            }
        }
        glob
    }

    pub(super) fn shown(&self) -> String {
        let parts = self.parts.iter().map(|part| part.as_deref().unwrap_or("*"));
        format!("{}{}{}", self.folder, parts.collect::<String>(), self.query)
    }
}

/// The parts of a text, in order.
fn flatten(expr: &Expr, parts: &mut Vec<Option<String>>) {
    let mut push = |part: Option<String>| match (parts.last_mut(), part) {
        (Some(Some(before)), Some(text)) => before.push_str(&text),
        (_, part) => parts.push(part),
    };
    match expr {
        Expr::Lit(Lit::Str(string)) => push(Some(text(string).to_string())),
        Expr::Tpl(Tpl { quasis, exprs, .. }) => {
            for (index, quasi) in quasis.iter().enumerate() {
                let known = quasi.cooked.as_ref().and_then(|cooked| cooked.as_str());
                flatten_known(known, parts);
                if let Some(expr) = exprs.get(index) {
                    flatten(expr, parts);
                }
            }
        }
        Expr::Bin(bin) if bin.op == BinaryOp::Add && begins_with_text(&bin.left) => {
            flatten(&bin.left, parts);
            flatten(&bin.right, parts);
        }
        _ => push(None),
    }
}

fn flatten_known(known: Option<&str>, parts: &mut Vec<Option<String>>) {
    match (parts.last_mut(), known) {
        (Some(Some(before)), Some(text)) => before.push_str(text),
        (_, known) => parts.push(known.map(str::to_owned)),
    }
}

/// Whether what is added to an expression is added to a text.
fn begins_with_text(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(Lit::Str(_)) | Expr::Tpl(_) => true,
        Expr::Bin(bin) => bin.op == BinaryOp::Add && begins_with_text(&bin.left),
        _ => false,
    }
}
