//! The site's packages: installed by the package manager whose lockfile lies beside `package.json`, when missing.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
    process::{Command, ExitStatus, Stdio},
};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
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

/// What may be done about packages that are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// They are installed.
    Install,
    /// Nothing: whoever asked wants to stay offline.
    Refuse,
    /// Nothing: the command only looks. To install them is to run programs of others and to write.
    OnlyLook,
}

/// Makes sure that the packages of the site in a folder are there: those that its `package.json` names, or that of the
/// project, one folder above.
///
/// They are looked for as Node does, in the folder and above it, so a workspace that keeps them at its root is fine. Of
/// several builds that find them missing one installs them, and the others wait for it.
///
/// # Errors
/// They are missing and cannot be installed: not allowed, no package manager, or it failed.
pub(super) fn ensure_packages(site: &Path, missing: Missing, say: &dyn Fn(&Text)) -> Result<(), Diagnostic> {
    let mut folders = site.ancestors().take(2);
    let Some(folder) = folders.find(|folder| folder.join("package.json").is_file()) else { return Ok(()) };
    let has_packages = || Ok(has_packages(site)? || is_installed(folder));
    let site = folder.file_name().unwrap_or_default().to_string_lossy();
    let found = find_manager(folder);
    let home = found.map_or(folder, |(_, home)| home);
    let waiting =
        || say(&text!("another build is installing the packages of {site}/", "另一个构建正在安装 {site}/ 的依赖包"));
    drop(Turn::shared(home, &waiting));
    if has_packages()? {
        return Ok(());
    }
    let Some((manager, home)) = found else { return Err(no_lockfile(&site)) };
    let command = manager.command();
    if missing != Missing::Install {
        return Err(not_installed(&site, &command, missing));
    }
    let _turn = Turn::alone(home, &waiting);
    if has_packages()? {
        return Ok(());
    }
    say(&text!("installing the packages of {site}/ with `{command}`", "正在用 `{command}` 安装 {site}/ 的依赖包"));
    install(manager, home).map_err(|failed| failed.told(manager, &site))?;
    has_packages().map(drop)
}

fn no_lockfile(site: &str) -> Diagnostic {
    Diagnostic::error(text!(
        "the packages of {site}/ are not installed, and there is no lockfile",
        "{site}/ 的依赖包没有安装，也没有锁文件"
    ))
    .with_hint(text!(
        "run `npm install` in {site}/ and keep the lockfile that it writes",
        "请在 {site}/ 里运行 `npm install`，并保留它生成的锁文件"
    ))
}

fn not_installed(site: &str, command: &str, missing: Missing) -> Diagnostic {
    let hint = match missing {
        Missing::OnlyLook => text!(
            "run `{command}` in {site}/; `portalgen build` and `portalgen dev` do that themselves",
            "请在 {site}/ 里运行 `{command}`；`portalgen build` 和 `portalgen dev` 会自动安装"
        ),
        _ => text!(
            "run `{command}` in {site}/, or leave out --offline",
            "请在 {site}/ 里运行 `{command}`，或者去掉 --offline"
        ),
    };
    Diagnostic::error(text!("the packages of {site}/ are not installed", "{site}/ 的依赖包没有安装")).with_hint(hint)
}

/// Whether there are packages where they are looked for.
///
/// # Errors
/// They are where only Yarn finds them.
fn has_packages(folder: &Path) -> Result<bool, Diagnostic> {
    let has_react = |folder: &Path| folder.join("node_modules/react/package.json").is_file();
    if folder.ancestors().any(has_react) {
        return Ok(true);
    }
    let is_plug_and_play = |folder: &Path| folder.join(".pnp.cjs").is_file() || folder.join(".pnp.js").is_file();
    if folder.ancestors().any(is_plug_and_play) {
        return Err(Diagnostic::error(text!("Yarn Plug'n'Play is not supported", "不支持 Yarn 的 Plug'n'Play"))
            .with_hint(text!(
                "write `nodeLinker: node-modules` into .yarnrc.yml, and run `yarn install`",
                "请在 .yarnrc.yml 里写上 `nodeLinker: node-modules`，再运行 `yarn install`"
            )));
    }
    Ok(is_installed(folder))
}

/// Whether a package manager was there. What tools keep in the folder may be restored without the packages.
fn is_installed(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder.join("node_modules")) else { return false };
    let names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    names != [".cache"]
}

/// The right to look at the packages in a folder, or to install them, until it is dropped.
struct Turn(#[expect(dead_code, reason = "closing it unlocks")] Option<File>);

impl Turn {
    /// Waits until nobody installs packages there.
    fn shared(folder: &Path, waiting: &dyn Fn()) -> Self {
        Self::take(folder, waiting, File::try_lock_shared, File::lock_shared)
    }

    /// Waits until nobody else installs packages there or looks at them.
    fn alone(folder: &Path, waiting: &dyn Fn()) -> Self {
        Self::take(folder, waiting, File::try_lock, File::lock)
    }

    /// Where there are no locks, several builds are no worse off than without this one.
    fn take(
        folder: &Path,
        waiting: &dyn Fn(),
        attempt: fn(&File) -> Result<(), TryLockError>,
        wait: fn(&File) -> io::Result<()>,
    ) -> Self {
        // The folder itself is locked, so that nothing has to be written. Windows opens no folders.
        let Ok(file) = File::open(folder) else { return Self(None) };
        if let Err(TryLockError::WouldBlock) = attempt(&file) {
            waiting();
            let _ = wait(&file);
        }
        Self(Some(file))
    }
}

/// The package manager of the nearest lockfile, which a workspace keeps at its root, and the folder of that.
fn find_manager(folder: &Path) -> Option<(&'static Manager, &Path)> {
    folder.ancestors().find_map(|folder| {
        let manager = MANAGERS.iter().find(|manager| manager.owns(folder))?;
        Some((manager, folder))
    })
}

/// Why packages could not be installed.
enum Failed {
    /// The program could not be run.
    Unstarted(Text),
    /// It gave up.
    Ended { status: ExitStatus, words: String },
}

impl Failed {
    fn told(&self, manager: &Manager, site: &str) -> Diagnostic {
        let command = manager.command();
        let (reason, words) = match self {
            Self::Unstarted(reason) => (reason.clone(), ""),
            Self::Ended { status, words } => (Text::verbatim(format!("{status}\n{}", excerpt(words))), words.as_str()),
        };
        let error = Diagnostic::error(text!(
            "`{command}` in {site}/ failed: {reason}",
            "在 {site}/ 里运行 `{command}` 失败：{reason}",
            reason
        ));
        let (program, lockfile) = (manager.program, manager.lockfile);
        if OUT_OF_STEP.iter().any(|sign| words.contains(sign)) {
            return error.with_hint(text!(
                "package.json and {lockfile} do not agree: run `{program} install` in {site}/, and commit {lockfile}",
                "package.json 和 {lockfile} 不一致：请在 {site}/ 里运行 `{program} install`，并提交 {lockfile}"
            ));
        }
        error.with_hint(text!("run it in {site}/ yourself to see more", "请在 {site}/ 里手动运行，查看详细信息"))
    }
}

/// How package managers say that `package.json` asks for something else than the lockfile has.
const OUT_OF_STEP: [&str; 5] = [
    "can only install packages when your package.json",
    "ERR_PNPM_OUTDATED_LOCKFILE",
    "Your lockfile needs to be updated",
    "The lockfile would have been modified",
    "lockfile had changes, but lockfile is frozen",
];

/// How many lines of a program's words are shown from where it names its reason, and from their end.
const FIRST_LINES: usize = 12;
const LAST_LINES: usize = 3;

/// What a package manager says about its failure: from the first line that speaks of an error, without the usage that npm
/// adds.
fn excerpt(words: &str) -> String {
    let bare = |line: &str| line.trim_start_matches("npm error").trim_start_matches("npm ERR!").trim().to_owned();
    let is_aside = |line: &str| ["npm warn", "npm WARN", "npm notice"].iter().any(|aside| line.starts_with(aside));
    let lines: Vec<&str> = words.lines().filter(|line| !bare(line).is_empty() && !is_aside(line)).collect();
    let is_error = |line: &&str| line.to_ascii_lowercase().contains("error") || line.contains("ERR");
    let start = lines.iter().position(is_error).unwrap_or_else(|| lines.len().saturating_sub(FIRST_LINES));
    let rest = &lines[start..];
    // In front of the usage stands what the command is for.
    let usage = rest.iter().position(|line| bare(line) == "Usage:").map_or(rest.len(), |usage| usage.saturating_sub(1));
    let rest = &rest[..usage];
    if rest.len() <= FIRST_LINES + LAST_LINES {
        return rest.join("\n");
    }
    let (head, tail) = (&rest[..FIRST_LINES], &rest[rest.len() - LAST_LINES..]);
    [head.join("\n"), tail.join("\n")].join("\n…\n")
}

fn install(manager: &Manager, folder: &Path) -> Result<(), Failed> {
    let program = if cfg!(windows) { format!("{}.cmd", manager.program) } else { manager.program.to_owned() };
    // What it prints is of interest only when it fails, and must not mix with results on standard output.
    let mut command = Command::new(program);
    let run = command.args(manager.arguments).current_dir(folder).stdin(Stdio::null()).output();
    let output = run.map_err(|error| {
        let program = manager.program;
        Failed::Unstarted(match error.kind() {
            io::ErrorKind::NotFound => text!("the program `{program}` was not found", "找不到程序 `{program}`"),
            _ => system::explain(&error),
        })
    })?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Err(Failed::Ended { status: output.status, words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_package_manager_is_shown_and_its_usage_is_not() {
        let words = "npm warn ERESOLVE overriding\nnpm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install …\n\
                     npm error\nnpm error Clean install a project\nnpm error\nnpm error Usage:\nnpm error npm ci\n";
        assert_eq!(excerpt(words), "npm error code EUSAGE\nnpm error `npm ci` can only install …");
        let long: Vec<String> = (0..40).map(|line| format!("error {line}")).collect();
        let shown = excerpt(&long.join("\n"));
        assert!(
            shown.starts_with("error 0\n") && shown.ends_with("error 11\n…\nerror 37\nerror 38\nerror 39"),
            "{shown}"
        );
        assert_eq!(excerpt("one\n\ntwo\n"), "one\ntwo");
        assert_eq!(excerpt(""), "");
    }
}
