//! `portalgen init`: a new portal.

use std::{fs, path::Path};

use serde_json::json;

use portalgen_base::text::{Text, text};
use portalgen_release::publish::{self, PublishError};

use super::{
    args::InitArguments,
    console::Console,
    failure::{Blame, Failure},
    shown::{shell_word, visible},
    terminal::say,
};
use crate::init::{self, NewPortal};

/// Writes the files of a new portal, and says what to do with them.
pub(super) fn command(arguments: &InitArguments, console: &Console) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let portal = init::new_portal(&name(folder), console.look.language);
    let kept = publish::create_files(folder, &portal.files).map_err(|error| Failure {
        blame: if let PublishError::Failed(_) = error { Blame::Other } else { Blame::Site },
        diagnostics: error.into_diagnostics(),
        outcome: text!("nothing was created", "没有创建门户"),
    })?;
    if console.wants_json() {
        let made = portal.files.iter().map(|(path, _)| path).filter(|path| !kept.contains(path));
        let made: Vec<&String> = made.collect();
        console
            .result(&json!({ "ok": true, "product": portal.product, "files": made, "kept": kept, "diagnostics": [] }));
    } else {
        say(console.words(&summary(folder, &portal, &kept)));
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

/// What was there already, and what to do about it.
fn left(folder: &Path, kept: &[String]) -> Text {
    if kept.is_empty() {
        return Text::default();
    }
    let (english, chinese) = (kept.join(", "), kept.join("、"));
    let ignored = fs::read_to_string(folder.join(".gitignore")).unwrap_or_default();
    let is_ignored = |name: &str| ignored.lines().any(|line| line.trim().trim_matches('/') == name);
    let missing: Vec<&str> = ["dist", "node_modules"].into_iter().filter(|name| !is_ignored(name)).collect();
    let lines = missing.join("/\n    ");
    let advice = if kept.iter().any(|name| name == ".gitignore") && !missing.is_empty() {
        text!("  Add these lines to .gitignore:\n    {lines}/\n", "  请在 .gitignore 里加上这几行：\n    {lines}/\n")
    } else {
        Text::default()
    };
    text!(
        "\n  Existing files that were not changed: {english}\n{advice}",
        "\n  以下文件原来就有，没有改动：{chinese}\n{advice}",
        advice
    )
}

fn summary(folder: &Path, portal: &NewPortal, kept: &[String]) -> Text {
    let (product, count) = (visible(&portal.product), portal.files.len() - kept.len());
    let left = left(folder, kept);
    let read = if kept.iter().any(|name| name == "README.md") {
        text!("routes.toml says where to change what.\n", "routes.toml 里说明了怎样修改。\n")
    } else {
        text!("README.md says where to change what.\n", "README.md 说明了各项内容在哪里修改。\n")
    };
    let shown = visible(&folder.display().to_string());
    let is_here = folder == Path::new(".");
    let place = if is_here { text!("this folder", "当前文件夹里") } else { text!("{shown}", "{shown} 里") };
    let go = if is_here { String::new() } else { format!("  cd {}\n", shell_word(&shown)) };
    text!(
        "“{product}” is ready: {count} files in {place}. Next:\n\n\
         {go}  portalgen dev      installs the npm packages and shows the portal while you edit\n  \
         portalgen build    publishes it to dist/\n  \
         portalgen check    reports what could be improved\n\n\
         {read}{left}",
        "“{product}”已创建，{place}有 {count} 个文件。接下来：\n\n\
         {go}  portalgen dev      安装 npm 依赖包，边改边看\n  \
         portalgen build    把门户发布到 dist/\n  \
         portalgen check    检查有哪些可以改进的地方\n\n\
         {read}{left}",
        place,
        read,
        left
    )
}
