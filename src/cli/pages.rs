//! `portalgen add` and `portalgen move`: pages that come, and pages that move to another address.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::{Value, json};

use portalgen_base::{
    diagnostic::{Diagnostic, Place},
    source::{Planned, Sources, display_name},
    text::{Text, text},
};
use portalgen_build::{check, mentions, pipeline::SITE};
use portalgen_portal::{
    FILE, Portal, Route, RoutePath,
    edit::{self, Key},
    titles,
};
use portalgen_release::{
    edit::{NotEdited, Rehearsal, RoutesFile},
    publish::{self, PublishError},
};

use super::{
    args::{AddArguments, EditArguments, MoveArguments},
    console::Console,
    edit::{not_edited, nothing_changed, on_command_line, refused, route_path},
    failure::{Blame, Failure},
    routes::{Loaded, load},
    shown::visible,
    terminal::say,
};
use crate::init;

/// The folder of pages, in that of the site.
const PAGES: &str = "pages";

/// How many links to an address that has changed are listed.
const SHOWN: usize = 20;

/// Makes a page and its route.
pub(super) fn add(arguments: &AddArguments, console: &Console) -> Result<(), Failure> {
    let AddArguments { path, title, component, edit } = arguments;
    if title.starts_with('/') && !path.starts_with('/') {
        return Err(refused(vec![swapped(path, title)]));
    }
    let path = route_path(path)?;
    let loaded = load(&edit.portal)?;
    titles::check(title, &loaded.portal).map_err(|problem| refused(vec![on_command_line("TITLE", problem)]))?;
    let text = edit::with_page(&loaded.portal, &path, title, component.as_deref());
    let text = text.map_err(|problem| refused(vec![problem]))?;
    let rehearse = |sources: &dyn Sources| rehearsed(&loaded, sources, edit, &text);
    let file = new_file(&loaded.root, &path, extension(&loaded.portal));
    // A page that is there already is taken.
    let (rehearsal, file) = match rehearse(&*loaded.sources) {
        Err(NotEdited::Refused(_)) if component.is_none() && fs::symlink_metadata(&file).is_err() => {
            let planned = Planned::new(Arc::clone(&loaded.sources)).with(file.clone(), Vec::new());
            (rehearse(&planned).map_err(|reason| not_edited(&loaded.root, reason))?, Some(file))
        }
        rehearsal => (rehearsal.map_err(|reason| not_edited(&loaded.root, reason))?, None),
    };
    let told = check::texts_of(&rehearsal.portal, [(&path, Key::Title)]);
    let title = rehearsal.portal.route(&path).map(|route| route.title.clone()).unwrap_or_default();
    if !edit.dry_run {
        if let Some(file) = &file {
            create(&loaded.root, file, &page(&loaded, &path, &title))?;
        }
        let undo = || file.as_ref().map(fs::remove_file);
        rehearsal.write().map_err(|reason| {
            drop(undo());
            not_edited(&loaded.root, reason.into())
        })?;
    }
    let file = file.map(|file| display_name(&loaded.root, &file));
    if console.wants_json() {
        let route = json!({ "path": path.as_str(), "title": title });
        console.result(&json!({
            "ok": true, "written": !edit.dry_run, "route": route, "file": file, "diagnostics": console.json(&told),
        }));
        return Ok(());
    }
    console.diagnostics(&told);
    say(console.words(&added(&path, &title, file.as_deref(), edit.dry_run)));
    Ok(())
}

/// The complaint about a title in the place of the path.
fn swapped(title: &str, path: &str) -> Diagnostic {
    let [path, title] = [path, title].map(visible);
    Diagnostic::error(text!("the path comes first, and then the title", "要先写路径，再写标题"))
        .with_hint(text!("run `portalgen add {path} \"{title}\"`", "请运行 `portalgen add {path} \"{title}\"`"))
}

fn added(path: &RoutePath, title: &str, file: Option<&str>, dry_run: bool) -> Text {
    let (path, title) = (path.readable(), visible(title));
    let file = file.map(visible).map_or_else(Text::default, |file| {
        if dry_run {
            text!("{file} would be created\n", "将会新建 {file}\n")
        } else {
            text!("{file} was created\n", "{file} 已新建\n")
        }
    });
    let next =
        text!("\nNext: portalgen dev shows the page while you write it\n", "\n接下来：运行 portalgen dev，边写边看\n");
    if dry_run {
        text!(
            "{file}{FILE} would change: route {path}, “{title}”\n",
            "{file}{FILE} 将会新增：{path}，“{title}”\n",
            file
        )
    } else {
        text!(
            "{file}{FILE} was changed: new route {path}, “{title}”\n{next}",
            "{file}{FILE} 已修改：新增 {path}，“{title}”\n{next}",
            file,
            next
        )
    }
}

/// Moves a page to another address.
pub(super) fn relocate(arguments: &MoveArguments, console: &Console) -> Result<(), Failure> {
    let MoveArguments { from, to, edit } = arguments;
    let (from, to) = (route_path(from)?, route_path(to)?);
    let loaded = load(&edit.portal)?;
    let Relocation { rehearsal, file, component } = relocation(&loaded, &from, &to, edit)?;
    if !edit.dry_run {
        if let Some((old, new)) = &file {
            fs::rename(old, new).map_err(|error| not_renamed(&loaded.root, old, &error))?;
        }
        let undo = || file.as_ref().map(|(old, new)| fs::rename(new, old));
        rehearsal.write().map_err(|reason| {
            drop(undo());
            not_edited(&loaded.root, reason.into())
        })?;
    }
    let links = mentions::of_address(&*loaded.sources, &loaded.root, &loaded.root.join(SITE), &from);
    let file = file.map(|(old, new)| (display_name(&loaded.root, &old), display_name(&loaded.root, &new)));
    if console.wants_json() {
        let links: Vec<Value> = links.iter().map(|place| place.to_string().into()).collect();
        let file = file.map(|(old, new)| json!({ "old": old, "new": new }));
        console.result(&json!({
            "ok": true, "written": !edit.dry_run, "path": to.as_str(), "redirect": from.as_str(), "file": file,
            "component": component, "links": links, "diagnostics": [],
        }));
        return Ok(());
    }
    say(console.words(&relocated((&from, &to), file, component, edit.dry_run)));
    say(console.words(&left(&links)));
    Ok(())
}

/// A page at another address, before anything is written.
struct Relocation {
    rehearsal: Rehearsal,
    /// Where its file was, and where it will be.
    file: Option<(PathBuf, PathBuf)>,
    /// The file that the route names from now on.
    component: Option<String>,
}

/// A file follows its page where nothing else can notice: beside the old one, imported by nothing, found by the path. Else the
/// route names it.
fn relocation(
    loaded: &Loaded,
    from: &RoutePath,
    to: &RoutePath,
    arguments: &EditArguments,
) -> Result<Relocation, Failure> {
    let Loaded { root, portal, sources, .. } = loaded;
    let route = portal.route(from).filter(|route| !edit::names_component(portal, route));
    let found_by_path = route.and_then(|route| route.component());
    let file = found_by_path.and_then(|old| Some((old.to_owned(), follower(root, &**sources, old, to)?)));
    let component = found_by_path.filter(|_| file.is_none()).map(|old| display_name(&root.join(SITE), old));
    let text = edit::moved(portal, from, to, component.as_deref()).map_err(|problem| refused(vec![problem]))?;
    let planned = Planned::new(Arc::clone(sources));
    let planned = match &file {
        Some((old, new)) => planned.without(old.clone()).with(new.clone(), Vec::new()),
        None => planned,
    };
    let rehearsal = rehearsed(loaded, &planned, arguments, &text).map_err(|reason| not_edited(root, reason))?;
    Ok(Relocation { rehearsal, file, component })
}

/// Where the file of a page goes when its address changes, if nothing but the address leads to it.
fn follower(root: &Path, sources: &dyn Sources, old: &Path, to: &RoutePath) -> Option<PathBuf> {
    let new = new_file(root, to, old.extension()?.to_str()?);
    let is_index = old.file_stem().is_some_and(|stem| stem == "index");
    let is_beside = old.parent() == new.parent() && !is_index && *to != RoutePath::root();
    let is_file = fs::symlink_metadata(old).is_ok_and(|metadata| metadata.is_file());
    let is_free = fs::symlink_metadata(&new).is_err();
    let is_alone = || !mentions::of_module(sources, &root.join(SITE), old);
    (is_beside && is_file && is_free && is_alone()).then_some(new)
}

fn relocated(
    (from, to): (&RoutePath, &RoutePath),
    file: Option<(String, String)>,
    component: Option<String>,
    dry_run: bool,
) -> Text {
    let (from, to) = (from.readable(), to.readable());
    let verdict = if dry_run {
        text!("{FILE} would change like this:\n", "{FILE} 将会这样修改：\n")
    } else {
        text!("{FILE} was changed:\n", "{FILE} 已修改：\n")
    };
    let file = match (file, component) {
        (Some((old, new)), _) => {
            let (old, new) = (visible(&old), visible(&new));
            text!("  its file {old} is now {new}\n", "  页面文件 {old} 改名为 {new}\n")
        }
        (None, Some(component)) => {
            let component = visible(&component);
            text!(
                "  its file stays where it is: component = \"{component}\"\n",
                "  页面文件不动：component = \"{component}\"\n"
            )
        }
        (None, None) => Text::default(),
    };
    text!(
        "{verdict}  the page {from} is now at {to}\n{file}  {from} leads to {to}, so old links and bookmarks go on working\n",
        "{verdict}  页面 {from} 现在的网址是 {to}\n{file}  {from} 会跳转到 {to}，原来的链接和书签都还能用\n",
        verdict,
        file
    )
}

/// What is left to do by hand.
fn left(places: &[Place]) -> Text {
    let lines: Vec<String> =
        places.iter().take(SHOWN).map(|place| format!("  {}\n", visible(&place.to_string()))).collect();
    let (lines, count) = (lines.concat(), places.len());
    let more = match count.saturating_sub(SHOWN) {
        0 => Text::default(),
        more => text!("  and {more} more\n", "  另有 {more} 处\n"),
    };
    if places.is_empty() {
        return text!("\nNext: portalgen check\n", "\n接下来：portalgen check\n");
    }
    text!(
        "\nThese links still lead to the old address and take a redirect; change them when you can:\n{lines}{more}\nNext: portalgen check\n",
        "\n下面这些链接还指向旧网址，会多跳转一次，请抽空改掉：\n{lines}{more}\n接下来：portalgen check\n",
        more
    )
}

fn rehearsed(
    loaded: &Loaded,
    sources: &dyn Sources,
    arguments: &EditArguments,
    text: &str,
) -> Result<Rehearsal, NotEdited> {
    let overrides = arguments.portal.overrides();
    RoutesFile { root: &loaded.root, sources, overrides: &overrides }.rehearse_text(&loaded.portal, text)
}

/// The file that a route with this path finds its page in.
fn new_file(root: &Path, path: &RoutePath, extension: &str) -> PathBuf {
    let page = if *path == RoutePath::root() { "/index".to_owned() } else { path.to_string() };
    root.join(SITE).join(PAGES).join(format!("{}.{extension}", page.trim_start_matches('/')))
}

/// What a new page is written in: TypeScript, unless all pages are JavaScript.
fn extension(portal: &Portal) -> &'static str {
    let pages: BTreeSet<&OsStr> =
        portal.routes.iter().filter_map(Route::component).filter_map(|file| file.extension()).collect();
    let is_typed = pages.is_empty() || pages.iter().any(|extension| *extension == "tsx" || *extension == "ts");
    if is_typed {
        "tsx"
    } else if pages.contains(OsStr::new("jsx")) {
        "jsx"
    } else {
        "js"
    }
}

/// The module of a new page.
fn page(loaded: &Loaded, path: &RoutePath, title: &str) -> Vec<u8> {
    let written = |file: &Path| loaded.sources.read_to_string(file).unwrap_or_default();
    let mut pages = loaded.portal.routes.iter().filter_map(|route| route.component());
    // As the other pages of a portal that `init` has made.
    let has_style = pages.any(|file| written(file).contains(init::ARTICLE));
    init::page(path.as_str(), title, has_style).into_bytes()
}

fn create(root: &Path, file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = display_name(&root.join(SITE), file);
    publish::write_files(&root.join(SITE), &[(name, bytes.to_owned())]).map_err(|error| Failure {
        blame: if let PublishError::Refused(_) = error { Blame::Site } else { Blame::Other },
        diagnostics: error.into_diagnostics(),
        outcome: nothing_changed(),
    })
}

fn not_renamed(root: &Path, file: &Path, error: &std::io::Error) -> Failure {
    let file = visible(&display_name(root, file));
    let error = Diagnostic::error(text!("cannot rename {file}: {error}", "无法给 {file} 改名：{error}"));
    Failure { outcome: nothing_changed(), ..Failure::other(error) }
}
