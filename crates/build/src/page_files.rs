//! Files of `site/pages` that no route shows.
//!
//! A page needs a file and a route. Those who come from a framework in which the file is enough write no route, and nothing
//! would tell them that their page is not published.

use std::{
    collections::BTreeSet,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use portalgen_base::{
    diagnostic::{Diagnostic, Place, SourceText},
    rules::{Level, Rule},
    source::{Kind, Sources},
    text::{Text, text},
};
use portalgen_portal::{Portal, Route, RoutePath, check_text};

/// The folder of pages, in that of the site.
const PAGES: &str = "pages";
/// What the files of components are called.
const EXTENSIONS: [&str; 2] = [".tsx", ".jsx"];
/// What files beside a page are called that are about it.
const ABOUT_PAGES: [&str; 3] = [".test", ".spec", ".stories"];
/// What Next.js calls files that are no pages, with what portalgen has in place of them.
const OF_NEXT: [(&str, &str); 3] =
    [("_app", "site/layout.tsx"), ("_document", "templates/shell.html"), ("_error", "site/pages/404.tsx")];
/// How many files get a message of their own.
const TOLD: usize = 5;

/// A file that could be a page: it exports a component, and no route shows it.
#[derive(Clone, Debug)]
pub struct UnroutedFile {
    source: Arc<SourceText>,
    /// Where it exports the component.
    export: Range<usize>,
    /// Its path below `site/pages`.
    below: String,
}

/// The files in the folder of pages that export a component and that no route shows, in order.
pub fn unrouted(sources: &dyn Sources, root: &Path, site: &Path, portal: &Portal) -> Vec<UnroutedFile> {
    if portal.levels.of(Rule::UnusedPage) == Level::Off {
        return Vec::new();
    }
    let components = portal.routes.iter().filter_map(Route::component).chain(portal.not_found.component.as_deref());
    let components: BTreeSet<&Path> = components.collect();
    let mut files = Vec::new();
    list(sources, &site.join(PAGES), "", &mut files);
    let unshown = files.into_iter().filter(|(file, _)| !components.contains(&**file));
    unshown.filter_map(|(file, below)| read(sources, root, &file, below)).collect()
}

/// Lists the components of a folder with their paths below the first one. Links to folders are not followed: they may lead in
/// circles.
fn list(sources: &dyn Sources, folder: &Path, below: &str, files: &mut Vec<(PathBuf, String)>) {
    for name in sources.list(folder).unwrap_or_default() {
        let (path, below) = (folder.join(&name), format!("{below}{name}"));
        let is_set_aside = name.starts_with(['_', '.']) || name == "node_modules";
        if let Some(stem) = stem(&name) {
            files.extend(is_page(stem).then_some((path, below)));
        } else if !is_set_aside && matches!(sources.link_kind(&path), Ok(Kind::Folder)) {
            list(sources, &path, &format!("{below}/"), files);
        }
    }
}

/// The name of a component's file without its extension.
fn stem(name: &str) -> Option<&str> {
    EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension))
}

fn is_page(stem: &str) -> bool {
    let is_of_next = OF_NEXT.iter().any(|(name, _)| *name == stem);
    is_of_next || !stem.starts_with(['_', '.']) && !ABOUT_PAGES.iter().any(|ending| stem.ends_with(ending))
}

fn read(sources: &dyn Sources, root: &Path, file: &Path, below: String) -> Option<UnroutedFile> {
    let text = sources.read_to_string(file).ok()?;
    let export = ["export default", "as default"].iter().find_map(|export| {
        let start = text.find(export)?;
        Some(start..start + export.len())
    })?;
    let name = portalgen_base::source::display_name(root, file);
    Some(UnroutedFile { source: SourceText::new(name, text), export, below })
}

/// Tells of the files that are not imported either. `is_imported` knows modules by their names.
pub fn unused(files: &[UnroutedFile], portal: &Portal, is_imported: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let is_part = |file: &UnroutedFile| files.iter().any(|other| other.imports(file));
    let unused: Vec<&UnroutedFile> =
        files.iter().filter(|file| !is_imported(&file.source.name) && !is_part(file)).collect();
    // One that is left over would take as much room as its own message.
    let told = if unused.len() <= TOLD + 1 { unused.len() } else { TOLD };
    let (first, others) = unused.split_at(told);
    let more = (!others.is_empty()).then(|| others_unused(others));
    first.iter().map(|file| file.unused(portal)).chain(more).collect()
}

fn others_unused(files: &[&UnroutedFile]) -> Diagnostic {
    let count = files.len();
    let names: Vec<String> = files.iter().map(|file| format!("`{}`", file.source.name)).collect();
    let (english, chinese) = (names.join(", "), names.join("、"));
    Diagnostic::of(
        Rule::UnusedPage,
        text!(
            "{count} more page files have no route and are not published: {english}",
            "还有 {count} 个页面文件没有对应的网址，不会发布：{chinese}"
        ),
    )
    .with_hint(text!(
        "add a `[[route]]` to routes.toml for each of them, in the same way",
        "请像上面那样，在 routes.toml 里为每个文件加一条 `[[route]]`"
    ))
}

impl UnroutedFile {
    /// Whether this file imports another one: a part of a page that has no route yet is no page.
    fn imports(&self, other: &Self) -> bool {
        let name = stem(&other.below).unwrap_or(&other.below);
        let name = name.strip_suffix("/index").unwrap_or(name);
        let last = name.rsplit('/').next().unwrap_or(name);
        let text = &self.source.text;
        let endings = ["", ".tsx", ".jsx"].into_iter().flat_map(|ending| ['"', '\''].map(|quote| (ending, quote)));
        let mut spellings = endings.map(|(ending, quote)| format!("/{last}{ending}{quote}"));
        spellings.any(|spelling| text.match_indices(&spelling).any(|(at, _)| is_relative(&text[..at])))
    }

    fn unused(&self, portal: &Portal) -> Diagnostic {
        let name = &self.source.name;
        let stem = stem(&self.below).unwrap_or(&self.below);
        let file = stem.rsplit('/').next().unwrap_or(stem);
        let place = Place::new(&self.source, self.export.clone());
        let told = |message: Text| Diagnostic::of(Rule::UnusedPage, message).at(place);
        if let Some((_, instead)) = OF_NEXT.iter().find(|(name, _)| *name == file) {
            return told(text!("`{name}` is not used", "`{name}` 没有被用到")).with_hint(text!(
                "portalgen uses `{instead}` for what Next.js has in `{file}`: move the content there, and delete this file",
                "Next.js 写在 `{file}` 里的内容，portalgen 写在 `{instead}` 里：请移过去，再删掉这个文件"
            ));
        }
        let found = told(text!("`{name}` has no route, so it is not published", "`{name}` 没有对应的网址，不会发布"));
        if stem.contains('[') {
            return found.with_hint(parameters(&self.below));
        }
        let page = stem.strip_suffix("index").filter(|rest| rest.is_empty() || rest.ends_with('/')).unwrap_or(stem);
        let address = kebab(&format!("/{}", page.trim_end_matches('/')));
        match RoutePath::parse(&address).ok().filter(|path| path.reserved().is_none()) {
            Some(path) => match portal.route(&path) {
                Some(route) => found.with_hint(taken(route)),
                None => found.with_hints(self.remedies(&path, is_spelt(&self.below, &address))),
            },
            None => found.with_hint(any_address(&self.below)),
        }
        .with_hint(text!(
            "if it is part of other pages, move it to `site/components`",
            "如果它只是其他页面的一部分，请移到 `site/components`"
        ))
    }

    /// What to run, or to write.
    fn remedies(&self, path: &RoutePath, is_found: bool) -> [Text; 2] {
        let (address, below) = (path.readable(), &self.below);
        let title = self.title(path);
        let word = |text: &str| if text.contains(' ') { format!("\"{text}\"") } else { text.to_owned() };
        let component = (!is_found).then(|| format!("{PAGES}/{below}"));
        let option = component.as_deref().map(|file| format!(" --component {}", word(file))).unwrap_or_default();
        let line = component.map(|file| format!(", `component = \"{file}\"`")).unwrap_or_default();
        let command = format!("portalgen add {} \"{title}\"{option}", word(&address));
        [
            text!("to publish it, run `{command}`", "要发布它，请运行 `{command}`"),
            text!(
                "or add these lines to routes.toml: `[[route]]`, `path = \"{address}\"`, `title = \"{title}\"`{line}",
                "或者在 routes.toml 里加上这几行：`[[route]]`、`path = \"{address}\"`、`title = \"{title}\"`{line}"
            ),
        ]
    }

    /// What the page calls itself, or else its address.
    fn title(&self, path: &RoutePath) -> String {
        let heading = heading(&self.source.text).filter(|heading| is_plain(heading) && check_text(heading).is_ok());
        heading.map_or_else(|| humanized(&path.readable()), str::to_owned)
    }
}

/// Whether the path that a quoted text begins with is that of a file and no address.
fn is_relative(before: &str) -> bool {
    let start = before.rfind(['"', '\'', '\n']).map_or(0, |quote| quote + 1);
    !before[start..].is_empty()
}

/// Whether a route finds the file by itself.
fn is_spelt(below: &str, address: &str) -> bool {
    let stem = stem(below).unwrap_or(below);
    let page = address.trim_start_matches('/');
    stem == page || stem.strip_suffix("index").is_some_and(|folder| folder.trim_end_matches('/') == page)
}

/// What shows `path` already.
fn taken(route: &Route) -> Text {
    let (path, place) = (route.path.readable(), &route.places.path);
    text!(
        "the address `{path}` belongs to another route ({place}): delete this file, or give it a `[[route]]` with another \
         `path`, and its own file as `component`",
        "网址 `{path}` 已被占用（{place}）：请删掉这个文件，或者另加一条 `[[route]]`，`path` 写别的网址，`component` \
        写这个文件"
    )
}

fn parameters(below: &str) -> Text {
    text!(
        "each address needs its own route: for each one, add `[[route]]` with its `path` and `component = \
        \"{PAGES}/{below}\"` to routes.toml",
        "每个网址都要单独写一条 `[[route]]`：请在 routes.toml 里逐个加上，写明 `path` 和 `component = \
        \"{PAGES}/{below}\"`"
    )
}

fn any_address(below: &str) -> Text {
    text!(
        "add `[[route]]` with a `path` of your choice and `component = \"{PAGES}/{below}\"` to routes.toml",
        "请在 routes.toml 里加一条 `[[route]]`，`path` 写您想要的网址，并写上 `component = \"{PAGES}/{below}\"`"
    )
}

/// The text of the first `<h1>`, if it is written there.
fn heading(source: &str) -> Option<&str> {
    let tag = &source[source.find("<h1")? + 3..];
    let inside = &tag[tag.find('>')? + 1..];
    Some(inside[..inside.find("</h1>")?].trim())
}

/// Whether a text means the same in a shell, in TOML and in JSX.
fn is_plain(text: &str) -> bool {
    text.chars().count() < 60 && !text.contains(['"', '\'', '\\', '$', '`', '!', '{', '}', '<', '>', '&', '\n'])
}

/// `/blog/first-post` is `First post`.
fn humanized(path: &str) -> String {
    let last = path.rsplit('/').next().unwrap_or(path);
    let words = last.replace(['-', '_'], " ");
    let mut letters = words.chars();
    let title: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    if title.trim().is_empty() || !is_plain(&title) { "Home".to_owned() } else { title }
}

/// A path in lower case: `/AboutUs` is `/about-us`.
fn kebab(path: &str) -> String {
    let mut kebab = String::new();
    for c in path.chars() {
        if c.is_uppercase() && kebab.ends_with(|before: char| before.is_lowercase() || before.is_ascii_digit()) {
            kebab.push('-');
        }
        kebab.extend(c.to_lowercase());
    }
    kebab
}
