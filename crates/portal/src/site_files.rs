//! Which files of `site/` are meant: those that render pages, and images that the portal is known by.
//!
//! Files are looked up by the letters of their names in folder listings, never by asking the system whether a path
//! exists: macOS and Windows would accept `About.tsx` for `about.tsx`, and the same site would fail on Linux.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use unicode_normalization::UnicodeNormalization;

use portalgen_base::{
    diagnostic::{Diagnostic, did_you_mean},
    source::{Sources, display_name},
    text::{self, text, write},
};

use super::{
    path::{self, RoutePath},
    value::{Problem, Value},
};

const EXTENSIONS: [&str; 4] = ["tsx", "jsx", "ts", "js"];
/// What icons are made of.
const ICONS: [&str; 2] = ["svg", "png"];
/// What social networks show.
const SHARED: [&str; 5] = ["png", "jpg", "jpeg", "webp", "gif"];
/// The folder of files that are published as they are, in that of the site.
const PUBLIC: &str = "public";

/// Names in a folder: composed form, and as they are on disk (which may be decomposed).
type Listing = BTreeMap<String, String>;

/// Looks into `site/`, remembering every folder it has seen.
pub(crate) struct SiteFiles {
    sources: Arc<dyn Sources>,
    site: PathBuf,
    listings: BTreeMap<PathBuf, Rc<Listing>>,
}

impl SiteFiles {
    pub(crate) fn new(sources: Arc<dyn Sources>, root: &Path) -> Self {
        Self { sources, site: root.join("site"), listings: BTreeMap::new() }
    }

    /// The component that `component = "…"` names.
    ///
    /// # Errors
    /// A path that leaves `site/`, is no script, or does not exist as it is spelt.
    pub(crate) fn named(&mut self, value: &Value, advise: bool) -> Result<PathBuf, Diagnostic> {
        let relative = check_script(&value.text).map_err(|problem| value.error(problem))?;
        self.existing(value, "", relative, advise)
    }

    /// The image that `icon = "…"` names.
    ///
    /// # Errors
    /// A path that leaves `site/`, is no image that icons can be made of, or does not exist as it is spelt.
    pub(crate) fn icon(&mut self, value: &Value) -> Result<PathBuf, Diagnostic> {
        let relative = check_icon(&value.text).map_err(|problem| value.error(problem))?;
        self.existing(value, "", relative, true)
    }

    /// The output path of the file of `site/public` that `image = "…"` names.
    ///
    /// # Errors
    /// A path that leaves that folder, is no image that social networks show, or does not exist as it is spelt.
    pub(crate) fn share_image(&mut self, value: &Value) -> Result<String, Diagnostic> {
        let relative = check_shared(&value.text).map_err(|problem| value.error(problem))?;
        let file = self.existing(value, PUBLIC, relative, true)?;
        Ok(display_name(&self.site.join(PUBLIC), &file))
    }

    /// The file with a path below a folder of `site/`.
    fn existing(&mut self, value: &Value, below: &str, relative: &str, advise: bool) -> Result<PathBuf, Diagnostic> {
        let path = joined(below, relative);
        if let Some(file) = self.find(&path) {
            return Ok(file);
        }
        let problem = Problem::new(text!("the file `site/{path}` does not exist", "文件 `site/{path}` 不存在"));
        Err(value.error(if advise { self.suggest(problem, below, relative) } else { problem }))
    }

    /// The component that a route's path stands for: `/a/b` is `pages/a/b.tsx` or `pages/a/b/index.tsx`. `is_route` tells
    /// paths of routes from others.
    ///
    /// # Errors
    /// None of the possible files exists.
    pub(crate) fn of_route(
        &mut self,
        path: &RoutePath,
        value: &Value,
        advise: bool,
        is_route: &dyn Fn(&RoutePath) -> bool,
    ) -> Result<PathBuf, Diagnostic> {
        let candidates = candidates(path);
        if let Some(file) = candidates.iter().find_map(|candidate| self.find(candidate)) {
            return Ok(file);
        }
        if let Some(problem) = self.page_with_ending(path, is_route) {
            return Err(value.error(problem));
        }
        let first = candidates.first().map_or("", String::as_str);
        if let Some(problem) = self.page_in_markdown(path, first) {
            return Err(value.error(problem));
        }
        let problem = Problem::new(text!(
            "there is no page for `{path}`: `site/{first}` does not exist",
            "`{path}` 没有对应的页面：`site/{first}` 不存在"
        ));
        let problem = match self.in_lower_case(path) {
            Some(meant) => problem.hint(write(meant)),
            None => problem,
        };
        let problem = if advise { self.suggest(problem, "", first) } else { problem };
        Err(value.error(problem.hint(text!(
            "create `site/{first}`, or name another file with `component = \"…\"`",
            "请创建 `site/{first}`，或者用 `component = \"…\"` 指定别的文件"
        ))))
    }

    /// Whether there is a file for the page of a path.
    pub(crate) fn has_page(&mut self, path: &RoutePath) -> bool {
        candidates(path).iter().any(|candidate| self.find(candidate).is_some())
    }

    /// The path in lower case, if there is a page for that.
    fn in_lower_case(&mut self, path: &RoutePath) -> Option<String> {
        let lower = RoutePath::parse(&path.encoded().to_lowercase()).ok().filter(|lower| lower != path)?;
        self.has_page(&lower).then(|| lower.readable())
    }

    /// What to say of a page that is written in Markdown.
    fn page_in_markdown(&mut self, path: &RoutePath, component: &str) -> Option<Problem> {
        let stem = component.strip_suffix(".tsx")?;
        let found =
            [".mdx", ".md"].iter().map(|ending| format!("{stem}{ending}")).find(|file| self.find(file).is_some())?;
        let problem = Problem::new(text!(
            "there is no page for `{path}`: `site/{found}` is Markdown, which portalgen does not compile",
            "`{path}` 没有页面：`site/{found}` 是 Markdown，portalgen 不编译这种文件"
        ));
        Some(problem.hint(text!(
            "write `site/{component}`, a component; it can import the text with `?raw`, and let a package such as `marked` make HTML \
             of it",
            "请写组件 `site/{component}`；它可以用 `?raw` 导入这段文本，再用 `marked` 之类的包转成 HTML"
        )))
    }

    /// What to say of `/about.html`, which is how other sites call the page `/about`.
    fn page_with_ending(&mut self, path: &RoutePath, is_route: &dyn Fn(&RoutePath) -> bool) -> Option<Problem> {
        let written = path.readable();
        let page = [".html", ".htm"].iter().find_map(|ending| written.strip_suffix(ending))?;
        let parsed = RoutePath::parse(page).ok()?;
        let candidates = candidates(&parsed);
        // Of a route that has no page yet it is said there.
        let is_there = is_route(&parsed) || self.has_page(&parsed);
        let problem =
            Problem::new(text!("page paths do not end with `.html`", "页面的网址末尾不写 `.html`")).hint(write(page));
        let problem = match candidates.first().filter(|_| !is_there) {
            Some(file) => problem.hint(text!("and create `site/{file}`", "再创建 `site/{file}`")),
            None => problem,
        };
        Some(problem.hint(text!(
            "for old links, add a route with `path = \"{written}\"` and `redirect = \"{page}\"`",
            "如果有旧链接指向这里，请再加一条 `[[route]]`：`path = \"{written}\"`，`redirect = \"{page}\"`"
        )))
    }

    /// The component of the not-found page, when there is one by the usual name.
    pub(crate) fn not_found(&mut self) -> Option<PathBuf> {
        EXTENSIONS.iter().find_map(|extension| self.find(&format!("pages/404.{extension}")))
    }

    /// Whether `site/public` holds a file that is served under this path.
    pub(crate) fn is_public_file(&mut self, path: &RoutePath) -> bool {
        self.find(&format!("{PUBLIC}{path}")).is_some()
    }

    /// Whether `site/public` holds a folder with a page of its own under this path.
    pub(crate) fn is_public_folder(&mut self, path: &RoutePath) -> bool {
        self.find(&format!("{PUBLIC}{path}/index.html")).is_some()
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

    /// Points out the file that was probably meant: the deepest part of the path that exists, then a similar name. The path
    /// is that below a folder of `site/`.
    fn suggest(&mut self, problem: Problem, below: &str, relative: &str) -> Problem {
        let (mut folder, mut known) = (self.site.join(below), String::new());
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
                    "`{known}{meant}{rest}` exists; it differs only in case, but servers are case-sensitive",
                    "有一个 `{known}{meant}{rest}`，只是大小写不同；服务器区分大小写"
                )),
                Some(meant) => problem.hint(text::did_you_mean(format!("{known}{meant}{rest}"))),
                None if listing.is_empty() => {
                    let shown = joined(below, &known);
                    problem.hint(text!("`site/{shown}` contains no files", "`site/{shown}` 里没有文件"))
                }
                None => problem,
            };
        }
        let shown = joined(below, relative);
        problem.hint(text!("`site/{shown}` is not a file", "`site/{shown}` 不是文件"))
    }
}

/// The path below `site/` of what lies below a folder of it.
fn joined(below: &str, relative: &str) -> String {
    if below.is_empty() { relative.to_owned() } else { format!("{below}/{relative}") }
}

fn similar<'l>(name: &str, listing: &'l Listing) -> Option<&'l str> {
    // A component is in a script, and nothing else can be named in its place.
    let is_script = |name: &str| extension(name).is_some_and(|extension| EXTENSIONS.contains(&extension));
    let is_other_kind = |other: &str| is_script(name) && other.contains('.') && !is_script(other);
    let names = || listing.keys().map(String::as_str).filter(|other| !is_other_kind(other));
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

/// The path of a script inside `site/`.
fn check_script(written: &str) -> Result<&str, Problem> {
    let relative = check_relative(written, "site", "pages/about.tsx")?;
    match extension(relative) {
        Some(extension) if EXTENSIONS.contains(&extension) => Ok(relative),
        Some(extension) => Err(Problem::new(text!(
            "pages are `.tsx`, `.jsx`, `.ts` or `.js` files, not `.{extension}`",
            "页面是 `.tsx`、`.jsx`、`.ts` 或 `.js` 文件，不是 `.{extension}`"
        ))),
        None => Err(Problem::new(text!("the file extension is missing", "缺少文件扩展名"))
            .hint(write(format!("{relative}.tsx")))),
    }
}

fn check_icon(written: &str) -> Result<&str, Problem> {
    let relative = check_relative(written, "site", "icon.svg")?;
    if is_one_of(relative, &ICONS) {
        return Ok(relative);
    }
    Err(Problem::new(text!("icons are generated from an `.svg` or `.png` file", "图标要用 `.svg` 或 `.png` 文件生成")))
}

fn check_shared(written: &str) -> Result<&str, Problem> {
    let relative = check_relative(written, "site/public", "share.png")?;
    if is_one_of(relative, &SHARED) {
        return Ok(relative);
    }
    let problem = if extension(relative) == Some("svg") {
        text!("social networks do not show `.svg` files", "社交平台不显示 `.svg` 文件")
    } else {
        text!("social networks do not show this file", "社交平台不会显示这个文件")
    };
    Err(Problem::new(problem).hint(text!(
        "a `.png` or `.jpg` file of 1200 × 630 pixels works everywhere",
        "请用 1200 × 630 像素的 `.png` 或 `.jpg` 文件，各平台都能正常显示"
    )))
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, extension)| extension).filter(|extension| !extension.contains('/'))
}

fn is_one_of(path: &str, extensions: &[&str]) -> bool {
    extension(path).is_some_and(|own| extensions.iter().any(|other| own.eq_ignore_ascii_case(other)))
}

/// The path without `./` at its start, when it can only name something inside `folder`.
fn check_relative<'w>(written: &'w str, folder: &str, example: &str) -> Result<&'w str, Problem> {
    path::check_spaces(written)?;
    if written.is_empty() {
        return Err(Problem::new(text!("this is not a file name", "这里要写文件名"))
            .hint(text!("for example `{example}`", "例如 `{example}`")));
    }
    if written.contains('\\') {
        return Err(Problem::new(text!(
            "the parts of a file path are separated by `/`, not `\\`",
            "文件路径的各段之间用 `/`，不用 `\\`"
        ))
        .hint(write(written.replace('\\', "/"))));
    }
    if written.starts_with('/') || written.split('/').any(|part| part == "..") {
        let problem = Problem::new(text!("the file must be inside `{folder}/`", "文件要放在 `{folder}/` 里"));
        let inside = written.trim_start_matches('/');
        let is_outside = inside.split('/').any(|part| part == "..");
        let move_it = || text!("move the file there", "请把文件移到那里");
        return Err(problem.hint(if is_outside { move_it() } else { write(inside) }));
    }
    let relative = written.trim_start_matches("./");
    // `site/public/share.png` and `public/share.png` for `share.png`.
    let beginnings = folder.char_indices().filter(|(_, c)| *c == '/').map(|(at, _)| &folder[at + 1..]);
    let below = |beginning: &str| relative.strip_prefix(beginning)?.strip_prefix('/');
    match std::iter::once(folder).chain(beginnings).find_map(below) {
        Some(inside) => {
            Err(Problem::new(text!("the path is relative to `{folder}/`", "文件位置从 `{folder}/` 里面写起"))
                .hint(write(inside)))
        }
        None => Ok(relative),
    }
}
