//! Which file of `site/` renders a page.
//!
//! Files are looked up by the letters of their names in folder listings, never by asking the system whether a path
//! exists: macOS and Windows would accept `About.tsx` for `about.tsx`, and the same site would fail on Linux.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    rc::Rc,
};

use unicode_normalization::UnicodeNormalization;

use super::{
    path::RoutePath,
    value::{Problem, Value},
};
use crate::{
    diagnostic::{Diagnostic, did_you_mean},
    source::Sources,
    text::{self, text, write},
};

const EXTENSIONS: [&str; 4] = ["tsx", "jsx", "ts", "js"];

/// Names in a folder: composed form, and as they are on disk (which may be decomposed).
type Listing = BTreeMap<String, String>;

/// Looks into `site/`, remembering every folder it has seen.
pub(crate) struct SiteFiles<'a> {
    sources: &'a dyn Sources,
    site: PathBuf,
    listings: BTreeMap<PathBuf, Rc<Listing>>,
}

impl<'a> SiteFiles<'a> {
    pub(crate) fn new(sources: &'a dyn Sources, root: &Path) -> Self {
        Self { sources, site: root.join("site"), listings: BTreeMap::new() }
    }

    /// The component that `component = "…"` names.
    ///
    /// # Errors
    /// A path that leaves `site/`, is no script, or does not exist as it is spelt.
    pub(crate) fn named(&mut self, value: &Value, advise: bool) -> Result<PathBuf, Diagnostic> {
        let relative = check_relative(&value.text).map_err(|problem| value.error(problem))?;
        if let Some(file) = self.find(relative) {
            return Ok(file);
        }
        let problem = Problem::new(text!("there is no file `site/{relative}`", "没有 `site/{relative}` 这个文件"));
        Err(value.error(if advise { self.suggest(problem, relative) } else { problem }))
    }

    /// The component that a route's path stands for: `/a/b` is `pages/a/b.tsx` or `pages/a/b/index.tsx`.
    ///
    /// # Errors
    /// None of the possible files exists.
    pub(crate) fn of_route(&mut self, path: &RoutePath, value: &Value, advise: bool) -> Result<PathBuf, Diagnostic> {
        let candidates = candidates(path);
        if let Some(file) = candidates.iter().find_map(|candidate| self.find(candidate)) {
            return Ok(file);
        }
        let first = candidates.first().map_or("", String::as_str);
        let problem = Problem::new(text!(
            "there is no page for `{path}`: `site/{first}` does not exist",
            "`{path}` 没有页面：`site/{first}` 不存在"
        ));
        let problem = if advise { self.suggest(problem, first) } else { problem };
        Err(value.error(problem.hint(text!(
            "create `site/{first}`, or name another file with `component = \"…\"`",
            "请创建 `site/{first}`，或者用 `component = \"…\"` 指定别的文件"
        ))))
    }

    /// The component of the not-found page, when there is one by the usual name.
    pub(crate) fn not_found(&mut self) -> Option<PathBuf> {
        EXTENSIONS.iter().find_map(|extension| self.find(&format!("pages/404.{extension}")))
    }

    /// Whether `site/public` holds a file that is served under this path.
    pub(crate) fn is_public_file(&mut self, path: &RoutePath) -> bool {
        self.find(&format!("public{path}")).is_some()
    }

    /// Whether `site/public` holds a folder with a page of its own under this path.
    pub(crate) fn is_public_folder(&mut self, path: &RoutePath) -> bool {
        self.find(&format!("public{path}/index.html")).is_some()
    }

    /// A regular file under `site/`, found by the exact letters of its path.
    fn find(&mut self, relative: &str) -> Option<PathBuf> {
        let mut at = self.site.clone();
        for name in relative.split('/').filter(|name| !matches!(*name, "" | ".")) {
            let composed: String = name.nfc().collect();
            let actual = self.listing(&at).get(&composed)?.clone();
            at.push(actual);
        }
        self.sources.is_file(&at).then_some(at)
    }

    /// A folder that cannot be read is like an empty one: the file in it is what will be missed.
    fn listing(&mut self, folder: &Path) -> Rc<Listing> {
        if let Some(listing) = self.listings.get(folder) {
            return Rc::clone(listing);
        }
        let names = self.sources.list(folder).unwrap_or_default();
        let listing: Rc<Listing> = Rc::new(names.into_iter().map(|name| (name.nfc().collect(), name)).collect());
        self.listings.insert(folder.to_owned(), Rc::clone(&listing));
        listing
    }

    /// Points out the file that was probably meant: the deepest part of the path that exists, then a similar name.
    fn suggest(&mut self, problem: Problem, relative: &str) -> Problem {
        let (mut folder, mut known) = (self.site.clone(), String::new());
        let mut rest = relative;
        while let Some(name) = rest.split('/').next().filter(|name| !name.is_empty()) {
            rest = &rest[name.len()..];
            let listing = self.listing(&folder);
            if let Some(actual) = listing.get(name) {
                folder.push(actual);
                known = format!("{known}{name}/");
                rest = rest.trim_start_matches('/');
                continue;
            }
            return match similar(name, &listing) {
                Some(meant) if meant.to_lowercase() == name.to_lowercase() => problem.hint(text!(
                    "`{known}{meant}{rest}` differs only in upper and lower case, which matters to servers",
                    "有一个 `{known}{meant}{rest}`，只是大小写不同；服务器区分大小写"
                )),
                Some(meant) => problem.hint(text::did_you_mean(format!("{known}{meant}{rest}"))),
                None if listing.is_empty() => {
                    problem.hint(text!("`site/{known}` has no files", "`site/{known}` 里没有文件"))
                }
                None => problem,
            };
        }
        problem.hint(text!("`site/{relative}` is not a file", "`site/{relative}` 不是文件"))
    }
}

fn similar<'l>(name: &str, listing: &'l Listing) -> Option<&'l str> {
    let names = || listing.keys().map(String::as_str);
    names().find(|other| stem(other) == name).or_else(|| did_you_mean(name, names()))
}

/// The name without the extension of a script.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if EXTENSIONS.contains(&extension) => stem,
        _ => name,
    }
}

fn candidates(path: &RoutePath) -> Vec<String> {
    let page = format!("pages{path}");
    let page = page.trim_end_matches('/');
    let index = EXTENSIONS.map(|extension| format!("{page}/index.{extension}"));
    if *path == RoutePath::root() {
        return index.into();
    }
    EXTENSIONS.map(|extension| format!("{page}.{extension}")).into_iter().chain(index).collect()
}

/// The path without `./` at its start, when it can only name a script inside `site/`.
fn check_relative(written: &str) -> Result<&str, Problem> {
    super::path::check_spaces(written)?;
    if written.is_empty() {
        return Err(Problem::new(text!("this names no file", "这里没有写文件"))
            .hint(text!("for example `pages/about.tsx`", "例如 `pages/about.tsx`")));
    }
    if written.contains('\\') {
        return Err(Problem::new(text!(
            "a file's path has `/` between its parts, not `\\`",
            "文件路径的各段之间用 `/`，不用 `\\`"
        ))
        .hint(write(written.replace('\\', "/"))));
    }
    if written.starts_with('/') || written.split('/').any(|part| part == "..") {
        let problem = Problem::new(text!("a page's file lies inside `site/`", "页面的文件要放在 `site/` 里"));
        let inside = written.trim_start_matches('/');
        let is_outside = inside.split('/').any(|part| part == "..");
        let move_it = || text!("move the file there", "请把文件移到那里");
        return Err(problem.hint(if is_outside { move_it() } else { write(inside) }));
    }
    let relative = written.trim_start_matches("./");
    if let Some(inside) = relative.strip_prefix("site/") {
        return Err(
            Problem::new(text!("the path begins inside `site/`", "路径从 `site/` 里面写起")).hint(write(inside))
        );
    }
    let extension = relative.rsplit_once('.').map(|(_, extension)| extension);
    match extension {
        Some(extension) if EXTENSIONS.contains(&extension) => Ok(relative),
        Some(extension) if !extension.contains('/') => Err(Problem::new(text!(
            "a page is a `.tsx`, `.jsx`, `.ts` or `.js` file, not `.{extension}`",
            "页面是 `.tsx`、`.jsx`、`.ts` 或 `.js` 文件，不是 `.{extension}`"
        ))),
        _ => Err(Problem::new(text!("the file's extension is missing", "缺少文件扩展名"))
            .hint(write(format!("{relative}.tsx")))),
    }
}
