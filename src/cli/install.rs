//! The site's packages: installed by the package manager whose lockfile lies beside `package.json`, when missing.

use std::{
    io,
    path::Path,
    process::{Command, Stdio},
};

use crate::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

/// A package manager, known by its lockfile.
struct Manager {
    lockfile: &'static str,
    /// A file that tells it from another one with the same lockfile.
    settings: Option<&'static str>,
    program: &'static str,
    /// Installs exactly what the lockfile says.
    arguments: &'static [&'static str],
}

const MANAGERS: &[Manager] = &[
    Manager { lockfile: "package-lock.json", settings: None, program: "npm", arguments: &["ci"] },
    Manager { lockfile: "npm-shrinkwrap.json", settings: None, program: "npm", arguments: &["ci"] },
    Manager {
        lockfile: "pnpm-lock.yaml",
        settings: None,
        program: "pnpm",
        arguments: &["install", "--frozen-lockfile"],
    },
    Manager {
        lockfile: "yarn.lock",
        settings: Some(".yarnrc.yml"),
        program: "yarn",
        arguments: &["install", "--immutable"],
    },
    Manager { lockfile: "yarn.lock", settings: None, program: "yarn", arguments: &["install", "--frozen-lockfile"] },
    Manager { lockfile: "bun.lock", settings: None, program: "bun", arguments: &["install", "--frozen-lockfile"] },
    Manager { lockfile: "bun.lockb", settings: None, program: "bun", arguments: &["install", "--frozen-lockfile"] },
];

impl Manager {
    fn owns(&self, folder: &Path) -> bool {
        folder.join(self.lockfile).is_file() && self.settings.is_none_or(|settings| folder.join(settings).is_file())
    }

    fn command(&self) -> String {
        format!("{} {}", self.program, self.arguments.join(" "))
    }
}

/// Makes sure that the packages of the site in `folder` are there.
///
/// They are looked for as Node does, in the folder and above it, so a workspace that keeps them at its root is fine.
///
/// # Errors
/// They are missing and cannot be installed: `offline`, no package manager, or it failed.
pub(super) fn ensure_packages(folder: &Path, offline: bool, say: &dyn Fn(&Text)) -> Result<(), Diagnostic> {
    if !folder.join("package.json").is_file() || has_packages(folder) {
        return Ok(());
    }
    let site = folder.file_name().unwrap_or_default().to_string_lossy();
    let Some((manager, folder)) = find_manager(folder) else {
        return Err(Diagnostic::error(text!(
            "the packages of {site}/ are not installed, and no lockfile says which",
            "{site}/ 的依赖包没有安装，也没有锁文件说明要装哪些"
        ))
        .with_hint(text!(
            "run `npm install` in {site}/ and keep the lockfile it writes",
            "在 {site}/ 里运行 `npm install`，并保留它生成的锁文件"
        )));
    };
    let command = manager.command();
    if offline {
        return Err(Diagnostic::error(text!("the packages of {site}/ are not installed", "{site}/ 的依赖包没有安装"))
            .with_hint(text!(
                "run `{command}` in {site}/, or leave out --offline",
                "在 {site}/ 里运行 `{command}`，或者去掉 --offline"
            )));
    }
    say(&text!("installing the packages of {site}/ with `{command}`", "正在用 `{command}` 安装 {site}/ 的依赖包"));
    install(manager, folder).map_err(|reason| {
        Diagnostic::error(text!(
            "`{command}` in {site}/ failed: {reason}",
            "在 {site}/ 里运行 `{command}` 失败：{reason}",
            reason
        ))
        .with_hint(text!("run it by hand in {site}/ to see more", "在 {site}/ 里手动运行它，可以看到更多信息"))
    })
}

fn has_packages(folder: &Path) -> bool {
    let has_react = |folder: &Path| folder.join("node_modules/react/package.json").is_file();
    folder.ancestors().any(has_react) || folder.join("node_modules").is_dir()
}

/// The package manager of the nearest lockfile, which a workspace keeps at its root, and the folder of that.
fn find_manager(folder: &Path) -> Option<(&'static Manager, &Path)> {
    folder.ancestors().find_map(|folder| {
        let manager = MANAGERS.iter().find(|manager| manager.owns(folder))?;
        Some((manager, folder))
    })
}

fn install(manager: &Manager, folder: &Path) -> Result<(), Text> {
    let program = if cfg!(windows) { format!("{}.cmd", manager.program) } else { manager.program.to_owned() };
    // What it prints is of interest only when it fails, and must not mix with results on standard output.
    let mut command = Command::new(program);
    let run = command.args(manager.arguments).current_dir(folder).stdin(Stdio::null()).output();
    let output = run.map_err(|error| {
        let program = manager.program;
        match error.kind() {
            io::ErrorKind::NotFound => text!("there is no program `{program}`", "没有程序 `{program}`"),
            _ => Text::verbatim(error.to_string()),
        }
    })?;
    if output.status.success() {
        return Ok(());
    }
    let words = [output.stdout, output.stderr].concat();
    let words = String::from_utf8_lossy(&words);
    let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
    let end = lines[lines.len().saturating_sub(12)..].join("\n");
    Err(Text::verbatim(format!("{}\n{end}", output.status)))
}
