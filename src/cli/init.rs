//! `portalgen init`: a new portal.

use std::path::Path;

use serde_json::json;

use portalgen_base::text::{Text, text};
use portalgen_release::publish::{self, PublishError};

use super::{
    args::InitArguments,
    console::Console,
    failure::{Blame, Failure},
    shown::visible,
    terminal::say,
};
use crate::init::{self, NewPortal};

/// Writes the files of a new portal, and says what to do with them.
pub(super) fn command(arguments: &InitArguments, console: &Console) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let portal = init::new_portal(&name(folder), console.look.language);
    publish::create_files(folder, &portal.files).map_err(|error| Failure {
        blame: if let PublishError::Failed(_) = error { Blame::Other } else { Blame::Site },
        diagnostics: error.into_diagnostics(),
        outcome: text!("no portal was made", "没有创建门户"),
    })?;
    if console.wants_json() {
        let files: Vec<&str> = portal.files.iter().map(|(path, _)| path.as_str()).collect();
        console.result(&json!({ "ok": true, "product": portal.product, "files": files, "diagnostics": [] }));
    } else {
        say(console.words(&summary(folder, &portal)));
    }
    Ok(())
}

/// The name of a folder, there or not; nothing when it has none that can be read.
fn name(folder: &Path) -> String {
    // `.` and the like have the name of what they stand for.
    let real = if folder.file_name().is_none() { folder.canonicalize().ok() } else { None };
    let name = real.as_deref().unwrap_or(folder).file_name();
    name.and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

fn summary(folder: &Path, portal: &NewPortal) -> Text {
    let (product, count) = (visible(&portal.product), portal.files.len());
    let shown = visible(&folder.display().to_string());
    let is_here = folder == Path::new(".");
    let place = if is_here { text!("this folder", "当前文件夹") } else { Text::verbatim(shown.as_str()) };
    let go = if is_here { String::new() } else { format!("  cd {}\n", shell_word(&shown)) };
    text!(
        "“{product}” is ready, {count} files in {place}. Next:\n\n\
         {go}  portalgen dev      installs its packages with npm, and shows it while you edit\n  \
         portalgen build    publishes it to dist/\n  \
         portalgen check    says what could be better\n\n\
         README.md says where to change what.\n",
        "“{product}”已经建好，{place} 里有 {count} 个文件。接下来：\n\n\
         {go}  portalgen dev      用 npm 安装依赖包，边改边看\n  \
         portalgen build    把门户发布到 dist/\n  \
         portalgen check    指出哪里可以做得更好\n\n\
         README.md 说明了各项内容在哪里修改。\n",
        place
    )
}

/// A path as it is typed in a shell.
fn shell_word(path: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '~') || std::path::is_separator(c);
    let path = if path.starts_with(['-', '~']) { format!("./{path}") } else { path.to_owned() };
    match path {
        plain if plain.chars().all(is_plain) => plain,
        // There, names have no double quotes, and single ones mean nothing.
        other if cfg!(windows) => format!("\"{other}\""),
        other => format!("'{}'", other.replace('\'', r"'\''")),
    }
}
