//! `portalgen title` and `portalgen redirect`: changes to `routes.toml` from the command line.

use std::path::Path;

use serde_json::json;

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::{Text, text},
};
use portalgen_build::check;
use portalgen_portal::{
    FILE, Problem, RoutePath,
    edit::{Change, Edit, Key},
    titles,
};
use portalgen_release::{
    edit::{NotEdited, RoutesFile},
    publish::NotReplaced,
};

use super::{
    args::{EditArguments, RedirectArguments, TitleArguments},
    console::Console,
    failure::{Blame, Failure},
    routes::{Loaded, load},
    shown::visible,
    terminal::say,
    usage,
};

/// Changes a title.
pub(super) fn title(arguments: &TitleArguments, console: &Console) -> Result<(), Failure> {
    let path = route_path(&arguments.path)?;
    let loaded = load(&arguments.edit.portal)?;
    titles::check(&arguments.title, &loaded.portal)
        .map_err(|problem| refused(vec![on_command_line("TITLE", problem)]))?;
    let edit = Edit { path, key: Key::Title, text: arguments.title.clone() };
    perform(&loaded, &[edit], Vec::new(), &arguments.edit, console)
}

/// Changes where a route leads.
pub(super) fn redirect(arguments: &RedirectArguments, console: &Console) -> Result<(), Failure> {
    let edit = Edit { path: route_path(&arguments.path)?, key: Key::Redirect, text: arguments.target.clone() };
    perform(&load(&arguments.edit.portal)?, &[edit], Vec::new(), &arguments.edit, console)
}

/// Edits the file, if the portal can be built afterwards, and says what has changed. What was found before is told, too.
pub(super) fn perform(
    loaded: &Loaded,
    edits: &[Edit],
    found: Vec<Diagnostic>,
    arguments: &EditArguments,
    console: &Console,
) -> Result<(), Failure> {
    let overrides = arguments.portal.overrides();
    let file = RoutesFile { root: &loaded.root, sources: &*loaded.sources, overrides: &overrides };
    let rehearsal = file.rehearse(&loaded.portal, edits).map_err(|reason| not_edited(&loaded.root, reason))?;
    let told: Vec<Diagnostic> =
        found.into_iter().chain(check::changed_texts(&rehearsal.portal, &rehearsal.changes)).collect();
    let changes = if arguments.dry_run {
        rehearsal.changes
    } else {
        rehearsal.write().map_err(|reason| not_edited(&loaded.root, reason.into()))?.changes
    };
    tell(&changes, &told, arguments.dry_run, console);
    Ok(())
}

fn tell(changes: &[Change], told: &[Diagnostic], dry_run: bool, console: &Console) {
    if console.wants_json() {
        let changes = changes.iter().map(|change| {
            let Change { edit: Edit { path, key, text }, old } = change;
            json!({ "path": path.as_str(), "key": key.name(), "old": old, "new": text })
        });
        let changes: Vec<_> = changes.collect();
        console
            .result(&json!({ "ok": true, "written": !dry_run, "changes": changes, "diagnostics": console.json(told) }));
        return;
    }
    console.diagnostics(told);
    let verdict = match (changes.len(), dry_run) {
        (0, _) => text!("nothing to change", "没有需要修改的内容"),
        (_, true) => text!("{FILE} would change like this:", "{FILE} 将会这样修改："),
        (_, false) => text!("{FILE} was changed:", "{FILE} 已修改："),
    };
    say(&format!("{}\n", console.words(&verdict)));
    for change in changes {
        say(&format!("  {}\n", visible(console.words(&line(change)))));
    }
}

fn line(change: &Change) -> Text {
    let Change { edit: Edit { path, key, text }, old } = change;
    let (path, key) = (path.readable(), key.name());
    match old {
        Some(old) => text!("{path}  {key}: “{old}” -> “{text}”", "{path}  {key}：“{old}” -> “{text}”"),
        None => text!("{path}  {key}: “{text}” (new)", "{path}  {key}：“{text}”（新增）"),
    }
}

/// A path as one types it in a shell: the slash in front may be missing, because some shells of Windows take a word that
/// begins with one for the name of a file.
pub(super) fn route_path(typed: &str) -> Result<RoutePath, Failure> {
    // An empty word comes of a variable that is not set, and is no wish to change the home page.
    let slash = if typed.is_empty() || typed.starts_with('/') || typed.contains(':') { "" } else { "/" };
    RoutePath::parse(&format!("{slash}{typed}")).map_err(|problem| refused(vec![on_command_line("PATH", problem)]))
}

pub(super) fn on_command_line(argument: &str, problem: Problem) -> Diagnostic {
    let error = problem.into_error();
    let (name, message) = (usage::value_name(argument), &error.message);
    let message = text!("{name}: {message}", "{name}：{message}", name, message);
    Diagnostic { message, ..error }
}

pub(super) fn refused(diagnostics: Vec<Diagnostic>) -> Failure {
    Failure { blame: Blame::Site, diagnostics, outcome: nothing_changed() }
}

pub(super) fn nothing_changed() -> Text {
    text!("{FILE} was not changed", "{FILE} 没有改动")
}

pub(super) fn failed(file: &Path, error: &std::io::Error) -> Failure {
    let file = visible(&file.display().to_string());
    let error = system::explain(error);
    let error = Diagnostic::error(text!("cannot read {file}: {error}", "无法读取 {file}：{error}", error));
    Failure { outcome: nothing_changed(), ..Failure::other(error) }
}

pub(super) fn not_edited(root: &Path, reason: NotEdited) -> Failure {
    match reason {
        NotEdited::Unreadable(error) => failed(&root.join(FILE), &error),
        NotEdited::Refused(diagnostics) => refused(diagnostics),
        NotEdited::NotReplaced(reason) => not_replaced(&root.join(FILE), reason),
    }
}

fn not_replaced(file: &Path, error: NotReplaced) -> Failure {
    let error = match error {
        NotReplaced::Failed(error) => error,
        NotReplaced::Changed => {
            let file = visible(&file.display().to_string());
            Diagnostic::error(text!("somebody else has just changed {file}", "{file} 刚刚被别人改过"))
                .with_hint(text!("try again", "请再试一次"))
        }
    };
    Failure { outcome: nothing_changed(), ..Failure::other(error) }
}
